//! Decorations behind and over glyphs: highlights, shading, borders, underlines, strikethroughs, emphasis marks.

use waraq_docx::tree::{
    Border, BorderStyle, EmphasisMark, PathCommand, RevisionKind, Rgb, RunProperties, Strike, Underline, UnderlineKind,
};

use super::segments::{Segment, SegmentKind};
use super::source::{Extent, TextItem};
use crate::fonts::DocumentFonts;
use crate::geometry::{HorizontalExtent, rectangle_path};
use crate::page::{DisplayItem as PageItem, Paint, Rect, StrokePath};

/// Collects the decorations of one line. Adjacent decorations with the same appearance are merged.
pub(super) struct Decorations<'a> {
    fonts: &'a DocumentFonts,
    baseline: f32,
    /// Left and right edge of the text area. Spaces can hang beyond these edges, but their decorations end at the edge.
    text_edges: HorizontalExtent,
    backgrounds: Vec<Background>,
    borders: Vec<TextBorder>,
    strokes: Vec<LineStroke>,
    emphasis_marks: Vec<PageItem>,
}

/// A highlight or shading of text.
struct Background {
    /// The colour of the area.
    color: Rgb,
    /// The area behind the text, in points.
    area: Rect,
}

/// A border around text.
struct TextBorder {
    /// The border, the same on all sides.
    border: Border,
    /// The area that the border surrounds, in points.
    area: Rect,
}

/// The items of the decorations of a line.
pub(super) struct DecorationItems {
    /// The items to paint before the glyphs.
    pub behind: Vec<PageItem>,
    /// The items to paint after the glyphs.
    pub over: Vec<PageItem>,
}

/// An underline or strikethrough.
#[derive(Clone, Copy, PartialEq)]
struct LineStroke {
    kind: UnderlineKind,
    color: Rgb,
    /// The y coordinate of the centre line of the stroke, in points.
    y: f32,
    thickness: f32,
    from: f32,
    to: f32,
}

impl<'a> Decorations<'a> {
    pub fn new(fonts: &'a DocumentFonts, baseline: f32, text_edges: HorizontalExtent) -> Self {
        Self {
            fonts,
            baseline,
            text_edges,
            backgrounds: Vec::new(),
            borders: Vec::new(),
            strokes: Vec::new(),
            emphasis_marks: Vec::new(),
        }
    }

    /// Adds the decorations of a segment. `letters` returns the left and right edge of each letter, from left to right, without
    /// spaces.
    pub fn add_segment(
        &mut self,
        segment: &Segment,
        item: &TextItem,
        run: &RunProperties,
        letters: &dyn Fn() -> Vec<HorizontalExtent>,
    ) {
        let extent = Extent::of_item(item);
        let mut edges = HorizontalExtent { left: segment.x, right: segment.x + segment.width };
        if segment.hanging {
            edges.left = edges.left.max(self.text_edges.left);
            edges.right = edges.right.min(self.text_edges.right);
        }
        let HorizontalExtent { left, right } = edges;
        if right <= left || matches!(segment.kind, SegmentKind::Break) {
            return;
        }
        let rect = Rect::new(left, self.baseline - extent.ascent, right - left, extent.ascent + extent.descent);
        for color in [run.shading, run.highlight].into_iter().flatten() {
            self.add_background(color, rect);
        }
        if let Some(border) = run.border.filter(|border| border.style != BorderStyle::None) {
            match self.borders.last_mut() {
                Some(last) if last.border == border && is_close(last.area.x + last.area.width, left) => {
                    last.area.width = right - last.area.x;
                }
                _ => self.borders.push(TextBorder { border, area: rect }),
            }
        }
        self.add_lines(segment, item, run, edges, letters);
        if run.emphasis_mark != EmphasisMark::None && segment.kind == SegmentKind::Text {
            self.add_emphasis_marks(run, item, extent, &letters());
        }
    }

    /// Adds a background colour behind the text in `rect`.
    fn add_background(&mut self, color: Rgb, rect: Rect) {
        match self.backgrounds.last_mut() {
            Some(last)
                if last.color == color
                    && is_close(last.area.right(), rect.x)
                    && is_close(last.area.y, rect.y)
                    && is_close(last.area.height, rect.height) =>
            {
                last.area.width = rect.right() - last.area.x;
            }
            _ => self.backgrounds.push(Background { color, area: rect }),
        }
    }

    /// Adds the underlines and strikethroughs of a segment, including those of tracked changes. `edges` are the left and right
    /// end of these lines.
    fn add_lines(
        &mut self,
        segment: &Segment,
        item: &TextItem,
        run: &RunProperties,
        edges: HorizontalExtent,
        letters: &dyn Fn() -> Vec<HorizontalExtent>,
    ) {
        let HorizontalExtent { left: from, right: to } = edges;
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
        // The underline is below the baseline of the line, even if the letters are raised. Its thickness depends on the full
        // font size of the run.
        let size = item.run_size;
        let thickness = (metrics.underline_thickness * size).max(0.25);
        if let Some(underline) = underline {
            let y = self.baseline - metrics.underline_position * size + thickness / 2.0;
            let color = underline.color.unwrap_or(text_color);
            let stroke = LineStroke { kind: underline.kind, color, y, thickness, from, to };
            if underline.kind == UnderlineKind::Words && segment.kind == SegmentKind::Text {
                // Adjacent strokes of a word are merged.
                for HorizontalExtent { left: from, right: to } in letters() {
                    self.add_stroke(LineStroke { kind: UnderlineKind::Single, from, to, ..stroke });
                }
            } else if underline.kind != UnderlineKind::Words {
                self.add_stroke(stroke);
            }
        }
        if strike != Strike::None && !segment.hanging {
            let size = item.size * item.glyph_stretch.y;
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
    fn add_emphasis_marks(
        &mut self,
        run: &RunProperties,
        item: &TextItem,
        extent: Extent,
        letters: &[HorizontalExtent],
    ) {
        let radius = item.size * 0.06;
        let y = match run.emphasis_mark {
            EmphasisMark::UnderDot => self.baseline + extent.descent - radius,
            _ => self.baseline - extent.ascent + radius,
        };
        let spacing = super::measure::letter_spacing(run);
        for &HorizontalExtent { left, right } in letters {
            let path = circle_path(left + (right - left - spacing) / 2.0, y, radius);
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

    /// Converts the decorations to items.
    pub fn into_items(self) -> DecorationItems {
        let areas = self.backgrounds.iter();
        let behind = areas.map(|&Background { color, area }| PageItem::Rectangle { area, color, opacity: 1.0 });
        let boxes = self.borders.iter().flat_map(|border| border_strokes(&border.border, border.area));
        let behind = behind.chain(boxes.map(PageItem::Stroke)).collect();
        let mut over: Vec<PageItem> = self.strokes.iter().flat_map(underline_strokes).map(PageItem::Stroke).collect();
        over.extend(self.emphasis_marks);
        DecorationItems { behind, over }
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
        // Waves are lower than a straight line would be.
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
        // A Bézier curve reaches only three quarters of the height of its control points, so they are higher than the wave.
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

/// Returns the colour in which the tracked changes of a reviewer are shown. As in Word, different reviewers have different
/// colours.
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
