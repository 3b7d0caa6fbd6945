//! Decorations behind and over glyphs: highlights, shading, borders, underlines, strikethroughs, emphasis marks.

use waraq_docx::tree::{
    Border, BorderStyle, EmphasisMark, PathCommand, RevisionKind, Rgb, RunProperties, Strike, Underline, UnderlineKind,
};

use super::segments::{Segment, SegmentKind};
use super::source::{Extent, TextItem};
use crate::fonts::DocumentFonts;
use crate::geometry::rectangle_path;
use crate::page::{DisplayItem as PageItem, Paint, Rect, StrokePath};

/// Collects the decorations of one line. Adjacent decorations with the same appearance are merged.
pub(super) struct Decorations<'a> {
    fonts: &'a DocumentFonts,
    baseline: f32,
    /// Left and right edge of the text area.
    text_edges: (f32, f32),
    backgrounds: Vec<(Rgb, Rect)>,
    borders: Vec<(Border, Rect)>,
    strokes: Vec<LineStroke>,
    emphasis_marks: Vec<PageItem>,
}

/// An underline or strikethrough.
#[derive(Clone, Copy, PartialEq)]
struct LineStroke {
    kind: UnderlineKind,
    color: Rgb,
    /// Vertical centre of the stroke.
    y: f32,
    thickness: f32,
    from: f32,
    to: f32,
}

impl<'a> Decorations<'a> {
    pub fn new(fonts: &'a DocumentFonts, baseline: f32, bounds: (f32, f32)) -> Self {
        let (areas, boxes, strokes, marks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { fonts, baseline, text_edges: bounds, backgrounds: areas, borders: boxes, strokes, emphasis_marks: marks }
    }

    /// Adds the decorations of a segment. `letters` returns the left and right edge of each letter, from left to right,
    /// without spaces.
    pub fn add_segment(
        &mut self,
        segment: &Segment,
        item: &TextItem,
        run: &RunProperties,
        letters: &dyn Fn() -> Vec<(f32, f32)>,
    ) {
        let extent = Extent::of_item(item);
        let (from, to) = (segment.x.max(self.text_edges.0), (segment.x + segment.width).min(self.text_edges.1));
        let (from, to) = if segment.hanging { (from, to) } else { (segment.x, segment.x + segment.width) };
        if to <= from || matches!(segment.kind, SegmentKind::Break) {
            return;
        }
        let rect = Rect::new(from, self.baseline - extent.ascent, to - from, extent.ascent + extent.descent);
        for color in [run.shading, run.highlight].into_iter().flatten() {
            self.add_background(color, rect);
        }
        if let Some(border) = run.border.filter(|border| border.style != BorderStyle::None) {
            match self.borders.last_mut() {
                Some((last, area)) if *last == border && is_close(area.x + area.width, from) => {
                    area.width = to - area.x;
                }
                _ => self.borders.push((border, rect)),
            }
        }
        self.add_lines(segment, item, run, (from, to), letters);
        if run.emphasis_mark != EmphasisMark::None && segment.kind == SegmentKind::Text {
            self.add_emphasis_marks(run, item, extent, &letters());
        }
    }

    /// Adds a background colour.
    fn add_background(&mut self, color: Rgb, rect: Rect) {
        match self.backgrounds.last_mut() {
            Some((last, area))
                if *last == color
                    && is_close(area.right(), rect.x)
                    && is_close(area.y, rect.y)
                    && is_close(area.height, rect.height) =>
            {
                area.width = rect.right() - area.x;
            }
            _ => self.backgrounds.push((color, rect)),
        }
    }

    /// Adds the underlines and strikethroughs of a segment, including those of tracked changes.
    fn add_lines(
        &mut self,
        segment: &Segment,
        item: &TextItem,
        run: &RunProperties,
        (from, to): (f32, f32),
        letters: &dyn Fn() -> Vec<(f32, f32)>,
    ) {
        let revision = run.revision.as_ref();
        let underline = run.underline.or_else(|| {
            let kind = match revision?.kind {
                RevisionKind::Inserted => UnderlineKind::Single,
                RevisionKind::MovedTo => UnderlineKind::Double,
                _ => return None,
            };
            Some(Underline { kind, color: None })
        });
        let deleted = revision.is_some_and(|r| matches!(r.kind, RevisionKind::Deleted | RevisionKind::MovedFrom));
        let strike = if deleted && run.strike == Strike::None { Strike::Single } else { run.strike };
        if underline.is_none() && strike == Strike::None {
            return;
        }
        let Some(metrics) = self.fonts.parsed(item.primary_face).map(|face| face.metrics) else { return };
        let text_color = tracked_change_color(run).or(run.color).unwrap_or(Rgb(0, 0, 0));
        // The underline is below the baseline of the line, also under raised letters. Its thickness depends on the full
        // font size of the run.
        let size = item.run_size;
        let thickness = (metrics.underline_thickness * size).max(0.25);
        if let Some(underline) = underline {
            let y = self.baseline - metrics.underline_position * size + thickness / 2.0;
            let color = underline.color.unwrap_or(text_color);
            let stroke = LineStroke { kind: underline.kind, color, y, thickness, from, to };
            if underline.kind == UnderlineKind::Words && segment.kind == SegmentKind::Text {
                // Adjacent strokes of a word are merged.
                for (from, to) in letters() {
                    self.add_stroke(LineStroke { kind: UnderlineKind::Single, from, to, ..stroke });
                }
            } else if underline.kind != UnderlineKind::Words {
                self.add_stroke(stroke);
            }
        }
        if strike != Strike::None && !segment.hanging {
            let size = item.size * item.glyph_stretch.1;
            let y = self.baseline - item.raise - metrics.strike_position * size;
            let thickness = (metrics.strike_thickness * size).max(0.25);
            let kind = if strike == Strike::Double { UnderlineKind::Double } else { UnderlineKind::Single };
            self.add_stroke(LineStroke { kind, color: text_color, y, thickness, from, to });
        }
    }

    fn add_stroke(&mut self, stroke: LineStroke) {
        let alike = |last: &&mut LineStroke| {
            last.kind == stroke.kind
                && last.color == stroke.color
                && is_close(last.y, stroke.y)
                && is_close(last.thickness, stroke.thickness)
                && is_close(last.to, stroke.from)
        };
        match self.strokes.iter_mut().rev().take(2).find(alike) {
            Some(last) => last.to = stroke.to,
            None => self.strokes.push(stroke),
        }
    }

    /// Adds one mark over or under each letter (§17.3.2.12).
    fn add_emphasis_marks(&mut self, run: &RunProperties, item: &TextItem, extent: Extent, letters: &[(f32, f32)]) {
        let radius = item.size * 0.06;
        let y = match run.emphasis_mark {
            EmphasisMark::UnderDot => self.baseline + extent.descent - radius,
            _ => self.baseline - extent.ascent + radius,
        };
        let spacing = super::measure::letter_spacing(run);
        for &(from, to) in letters {
            let path = circle_path(from + (to - from - spacing) / 2.0, y, radius);
            let color = run.color.unwrap_or(Rgb(0, 0, 0));
            self.emphasis_marks.push(match run.emphasis_mark {
                EmphasisMark::Circle => PageItem::Stroke(StrokePath::solid(path, color, radius * 0.4)),
                _ => {
                    let paint = Paint::Solid { color, opacity: 1.0 };
                    PageItem::FilledPath { path, paint, even_odd: false }
                }
            });
        }
    }

    /// Returns the items to paint before the glyphs and the items to paint after them.
    pub fn into_items(self) -> (Vec<PageItem>, Vec<PageItem>) {
        let areas = self.backgrounds.iter();
        let behind = areas.map(|&(color, area)| PageItem::Rectangle { area, color, opacity: 1.0 });
        let boxes = self.borders.iter().flat_map(|(border, rect)| border_strokes(border, *rect)).map(PageItem::Stroke);
        let behind = behind.chain(boxes).collect();
        let mut over: Vec<PageItem> = self.strokes.iter().flat_map(underline_strokes).map(PageItem::Stroke).collect();
        over.extend(self.emphasis_marks);
        (behind, over)
    }
}

fn is_close(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.05
}

/// Returns the strokes of the border of a run. A double border has a second line outside the first.
fn border_strokes(border: &Border, rect: Rect) -> Vec<StrokePath> {
    let inner = border_stroke(border, rect);
    if border.style != BorderStyle::Double {
        return vec![inner];
    }
    let out = inner.width * 2.0;
    let (width, height) = (rect.width + out * 2.0, rect.height + out * 2.0);
    let outer = Rect { x: rect.x - out, y: rect.y - out, width, height };
    vec![inner, border_stroke(border, outer)]
}

fn border_stroke(border: &Border, rect: Rect) -> StrokePath {
    let dashes = match border.style {
        BorderStyle::Dotted => vec![border.width, border.width],
        BorderStyle::Dashed | BorderStyle::DashSmallGap => vec![border.width * 4.0, border.width * 2.0],
        _ => Vec::new(),
    };
    let color = border.color.unwrap_or(Rgb(0, 0, 0));
    StrokePath { dashes, ..StrokePath::solid(rectangle_path(rect), color, border.width.clamp(0.25, 12.0)) }
}

/// Converts an underline to strokes (§17.18.99).
fn underline_strokes(line: &LineStroke) -> Vec<StrokePath> {
    use UnderlineKind as K;
    let unit = line.thickness;
    let heavy = matches!(line.kind, K::Thick | K::DottedHeavy | K::DashHeavy | K::DashLongHeavy)
        || matches!(line.kind, K::DotDashHeavy | K::DotDotDashHeavy | K::WaveHeavy);
    let width = if heavy { unit * 2.0 } else { unit };
    let pattern: &[f32] = match line.kind {
        K::Dotted | K::DottedHeavy => &[1.0, 1.0],
        K::Dash | K::DashHeavy => &[4.0, 3.0],
        K::DashLong | K::DashLongHeavy => &[8.0, 3.0],
        K::DotDash | K::DotDashHeavy => &[4.0, 2.0, 1.0, 2.0],
        K::DotDotDash | K::DotDotDashHeavy => &[4.0, 2.0, 1.0, 2.0, 1.0, 2.0],
        _ => &[],
    };
    let wavy = |y: f32| StrokePath::solid(wave_path(line.from, line.to, y), line.color, width);
    let straight = |y: f32| {
        let path = vec![PathCommand::Move(line.from, y), PathCommand::Line(line.to, y)];
        let dashes = pattern.iter().map(|share| share * width.max(0.5)).collect();
        let width = if line.kind == K::Double { unit * 0.75 } else { width };
        StrokePath { dashes, ..StrokePath::solid(path, line.color, width) }
    };
    match line.kind {
        K::Double => [0.0, unit * 2.0].map(|down| straight(line.y - unit / 2.0 + down)).into(),
        // Waves are lowered below the position of a straight line.
        K::Wave | K::WaveHeavy => vec![wavy(line.y + WAVE_AMPLITUDE / 2.0)],
        K::WaveDouble => [0.0, WAVE_AMPLITUDE * 2.0].map(|down| wavy(line.y + down)).into(),
        _ => vec![straight(line.y)],
    }
}

/// Amplitude of a wavy underline in points.
const WAVE_AMPLITUDE: f32 = 0.9;
/// Half the wavelength of a wavy underline in points.
const HALF_WAVE: f32 = 2.0;

fn wave_path(from: f32, to: f32, y: f32) -> Vec<PathCommand> {
    let step = HALF_WAVE.max((to - from) / 4_000.0);
    let mut path = vec![PathCommand::Move(from, y)];
    let (mut x, mut up) = (from, true);
    while x < to {
        let end = (x + step).min(to);
        // The curve reaches three quarters of the height of its control points.
        let height = if up { -WAVE_AMPLITUDE } else { WAVE_AMPLITUDE } * (end - x) / step * 4.0 / 3.0;
        let third = (end - x) * 0.36;
        path.push(PathCommand::Cubic(x + third, y + height, end - third, y + height, end, y));
        (x, up) = (end, !up);
    }
    path
}

fn circle_path(x: f32, y: f32, radius: f32) -> Vec<PathCommand> {
    let k = radius * 0.552_284_8;
    vec![
        PathCommand::Move(x + radius, y),
        PathCommand::Cubic(x + radius, y + k, x + k, y + radius, x, y + radius),
        PathCommand::Cubic(x - k, y + radius, x - radius, y + k, x - radius, y),
        PathCommand::Cubic(x - radius, y - k, x - k, y - radius, x, y - radius),
        PathCommand::Cubic(x + k, y - radius, x + radius, y - k, x + radius, y),
        PathCommand::Close,
    ]
}

/// Returns the colour of the tracked changes of a reviewer. Each reviewer has a colour, as in Word.
pub(crate) fn revision_color(reviewer: usize) -> Rgb {
    const COLORS: [Rgb; 6] =
        [Rgb(192, 0, 0), Rgb(0, 112, 192), Rgb(0, 128, 64), Rgb(112, 48, 160), Rgb(191, 96, 0), Rgb(0, 112, 128)];
    COLORS.get(reviewer % COLORS.len()).copied().unwrap_or(Rgb(192, 0, 0))
}

/// Returns the colour of inserted, deleted or moved text, or `None` for text without such a change.
pub(super) fn tracked_change_color(run: &RunProperties) -> Option<Rgb> {
    let revision = run.revision.as_ref().filter(|revision| revision.kind != RevisionKind::Formatted)?;
    Some(revision_color(revision.reviewer))
}
