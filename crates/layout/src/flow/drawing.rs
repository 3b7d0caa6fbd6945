//! Conversion of pictures, shapes, groups and text boxes to items (ECMA-376 part 1, §20.1, §20.4).

use std::cell::RefCell;
use std::sync::Arc;

use waraq_docx::tree::{
    Alignment, Drawing, Fill, Geometry, Graphic, Orientation, PathFill, Picture, Placement, PositionValue, Rgb,
    RunProperties, Shape, ShapePath, Stroke, TextBox, TextDirection, WordArt,
};
use waraq_rules::DiagnosticCode;

use super::areas::Frame;
use super::border::untagged;
use super::context::LayoutContext;
use super::decorate::turn_black_text_white;
use super::geometry::{positive_length_or, rotation_around, space_above_text};
use super::line_head;
use super::outline::{dash_lengths, shape_outlines};
use super::paint::Painter;
use super::table::columns::content_widths;
use super::text_box::{
    BoxText, CUT_OFF_TOLERANCE, TextSpace, first_alignment, height_follows_text, text_area, text_space,
};
use super::walk::MAX_GROUP_DEPTH;
use crate::geometry::{IDENTITY, rectangle_path};
use crate::page::{
    DisplayItem, ElementId, Paint, PathCommand, PlacedImage, Point, Rect, Size, StrokePath, TaggedItem, Transform,
};
use crate::text::{Context, is_dark, line_extent, single_line};

/// Font size in points at which WordArt is shaped before it is stretched.
const WORD_ART_FONT_SIZE: f32 = 36.0;
/// Maximum stretch factor of WordArt.
const MAX_WORD_ART_STRETCH: f32 = 200.0;
/// Distance in points by which letters may extend beyond the left and right sides of a clipped text box.
const CLIP_OVERHANG: f32 = 1_000.0;

/// The inputs that are the same for all nested graphics of a drawing.
struct DrawingPainter<'s, 'b> {
    ctx: &'s LayoutContext<'b>,
    frame: Frame,
    element: Option<ElementId>,
    description: Option<Arc<str>>,
    artifact: bool,
}

/// Converts a drawing to display items. `area` is the area of the drawing on the canvas. `artifact` is true if the drawing is not
/// part of the logical structure, as in a header.
pub(super) fn drawing_items<'b>(
    ctx: &LayoutContext<'b>,
    drawing: &'b Drawing,
    area: Rect,
    frame: &Frame,
    artifact: bool,
) -> Vec<TaggedItem> {
    // A horizontal rule has no meaning, so it is an artifact.
    let artifact = artifact || matches!(drawing.placement, Placement::Rule(_));
    let element = if artifact { None } else { ctx.elements.get(drawing.id) };
    let painter = DrawingPainter { ctx, frame: *frame, element, description: drawing.description.clone(), artifact };
    let mut items = Vec::new();
    let own = Size { width: drawing.width, height: drawing.height };
    painter.push_graphic(&mut items, &drawing.graphic, area, own, 0);
    if let Some(link) = &drawing.link {
        items.push(TaggedItem { item: DisplayItem::Link { area, target: link.clone() }, element });
    }
    items
}

/// Returns the area of an anchored drawing after the drawing is fitted to its text. A shape grows if its text needs more space. A
/// rectangle also shrinks if its text needs less space. This is necessary for the built-in text boxes of Word whose size is
/// relative (wp14:sizeRelV). For these boxes, Word saves the size of the empty box. A box without line wrapping becomes as wide
/// as its lines. The edge or centre by which the box is positioned stays in place.
pub(super) fn fit_area_to_text<'b>(ctx: &LayoutContext<'b>, drawing: &'b Drawing, area: Rect, frame: &Frame) -> Rect {
    let Graphic::Shape(shape) = &drawing.graphic else { return area };
    let anchor = super::float::anchor_of(drawing);
    let shrinks = matches!(shape.geometry, Geometry::Rectangle) && shape.turn.rotation == 0.0;
    let fitted = |own: f32, text: Option<f32>| match text {
        Some(text) if shrinks => text,
        Some(text) => own.max(text),
        None => own,
    };
    let wide = fitted_width(ctx, shape, area, frame);
    let width = fitted(area.width, wide.filter(|_| anchor.is_none_or(|anchor| anchor.relative_width.is_none())));
    let height = fitted(area.height, fitted_height(ctx, shape, Rect { width, ..area }, frame));
    let moved = |place: Option<PositionValue>, by: f32| match place {
        Some(PositionValue::Center) => by / 2.0,
        Some(PositionValue::End) => by,
        _ => 0.0,
    };
    let x = area.x - moved(anchor.map(|anchor| anchor.horizontal.value), width - area.width);
    let y = area.y - moved(anchor.map(|anchor| anchor.vertical.value), height - area.height);
    Rect { x, y, width, height }
}

/// Returns the width that a box needs so that its lines are not wrapped. Returns `None` if the box wraps its lines or has a
/// fixed size.
fn fitted_width(ctx: &LayoutContext<'_>, shape: &Shape, area: Rect, frame: &Frame) -> Option<f32> {
    let text = shape.text.as_ref().filter(|text| text.no_wrap && text.id.is_none() && height_follows_text(text))?;
    let [left, _, right, _] = text.insets.map(|inset| positive_length_or(inset, 0.0));
    let [from_left, _, to_right, _] = shape.text_area.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    let lines = content_widths(ctx, &text.blocks, frame.section, frame.depth).max_content + 0.5;
    (lines > 0.5).then(|| positive_length_or((lines + left + right) / (to_right - from_left).max(0.2), area.width))
}

/// Returns the height that a shape needs for its text and insets, or `None` if the shape has a fixed size or no text.
fn fitted_height<'b>(ctx: &LayoutContext<'b>, shape: &'b Shape, area: Rect, frame: &Frame) -> Option<f32> {
    let text = shape.text.as_ref().filter(|text| height_follows_text(text))?;
    let [_, top, _, bottom] = text.insets.map(|inset| positive_length_or(inset, 0.0));
    let [_, from_top, _, to_bottom] = shape.text_area.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    let width = text_space(text, text_area(shape, area)).line_width;
    let BoxText { content, merged, .. } = ctx.lay_out_text_box(text, frame, width);
    if content.fragments.is_empty() && (text.blocks.is_empty() || merged.is_some()) {
        return None;
    }
    Some((content.height + top + bottom) / (to_bottom - from_top).max(0.2))
}

impl<'b> DrawingPainter<'_, 'b> {
    fn tagged(&self, item: DisplayItem) -> TaggedItem {
        TaggedItem { item, element: self.element }
    }

    /// Adds the items of a graphic. `own` is the size of the graphic in the file. The positions and sizes of a group's children
    /// refer to that size. `area` may be larger or smaller, because the anchor can scale a group (wp14:sizeRelH). `depth` is the
    /// number of groups around the graphic.
    fn push_graphic(&self, items: &mut Vec<TaggedItem>, graphic: &'b Graphic, area: Rect, own: Size, depth: u8) {
        match graphic {
            Graphic::Picture(picture) => self.push_picture(items, picture, area),
            Graphic::Shape(shape) => self.push_shape(items, shape, area),
            Graphic::Group(group) if depth < MAX_GROUP_DEPTH => {
                let mut inside = Vec::new();
                let scale = |length: f32, own: f32| if own > 0.1 && length > 0.0 { length / own } else { 1.0 };
                let (across, down) = (scale(area.width, own.width), scale(area.height, own.height));
                for child in &group.children {
                    let (x, width) = (child.x * across, positive_length_or(child.width * across, 0.0));
                    let (y, height) = (child.y * down, positive_length_or(child.height * down, 0.0));
                    let child_area = Rect::new(area.x + x, area.y + y, width, height);
                    let own = Size { width: child.width, height: child.height };
                    self.push_graphic(&mut inside, &child.graphic, child_area, own, depth + 1);
                }
                push_rotated(items, inside, area, group.turn);
            }
            Graphic::Group(_) => {}
            Graphic::Chart(chart) => {
                let drawn = super::chart::chart_items(self.ctx, &self.frame, chart, area);
                items.extend(drawn.into_iter().map(|item| self.tagged(item)));
            }
            Graphic::Unsupported { label } => self.push_placeholder(items, label, area),
        }
    }

    /// Returns an item for a picture, with the description of the drawing.
    fn image_item(&self, image: waraq_docx::tree::ImageId, area: Rect, crop: [f32; 4]) -> TaggedItem {
        let description = self.description.clone();
        self.tagged(DisplayItem::Image(PlacedImage { crop, description, ..PlacedImage::whole(image, area) }))
    }

    fn push_picture(&self, items: &mut Vec<TaggedItem>, picture: &Picture, area: Rect) {
        let metafile = picture.metafile.as_ref().and_then(|metafile| {
            super::metafile::metafile_item(self.ctx, self.frame.section, metafile, area, picture.crop, self.element)
        });
        let mut shown = metafile.unwrap_or_else(|| self.image_item(picture.image, area, picture.crop));
        if let DisplayItem::Image(image) = &mut shown.item {
            (image.opacity, image.clip_path) = (picture.opacity, clip_path(&picture.geometry, area));
        }
        let mut inside = vec![shown];
        if let Some(stroke) = &picture.outline {
            let paths = shape_outlines(&picture.geometry, area).into_iter().filter(|outline| outline.stroked);
            inside.extend(paths.map(|outline| self.stroke_item(stroke, outline.commands)));
        }
        push_rotated(items, inside, area, picture.orientation);
    }

    fn push_shape(&self, items: &mut Vec<TaggedItem>, shape: &'b Shape, area: Rect) {
        // If the height of the shape depends on its text, the shape grows downwards.
        let text = fitted_height(self.ctx, shape, area, &self.frame);
        let area = Rect { height: area.height.max(text.unwrap_or(0.0)), ..area };
        let mut inside = Vec::new();
        if let Some(Fill::Picture(image)) = &shape.fill {
            let mut shown = self.image_item(*image, area, [0.0; 4]);
            if let DisplayItem::Image(image) = &mut shown.item {
                image.clip_path = clip_path(&shape.geometry, area);
            }
            inside.push(shown);
        }
        for ShapePath { commands: path, fill, stroked } in shape_outlines(&shape.geometry, area) {
            let paint = shape.fill.as_ref().filter(|_| fill != PathFill::None).and_then(|fill| fill_paint(fill, area));
            if let Some(paint) = paint {
                let paint = shade_paint(paint, fill);
                inside.push(self.tagged(DisplayItem::FilledPath { path: path.clone(), paint, even_odd: false }));
            }
            if let Some(stroke) = shape.stroke.as_ref().filter(|_| stroked) {
                let line = line_head::line_with_heads(stroke, path);
                inside.push(self.stroke_item(stroke, line.path));
                inside.extend(line.heads.into_iter().map(|head| self.tagged(head)));
            }
        }
        // Word keeps the text of a mirrored shape upright. Only the rotation of the shape applies to its text.
        let mut drawn = Vec::new();
        push_rotated(&mut drawn, inside, area, Orientation { rotation: 0.0, ..shape.turn });
        if let Some(text) = &shape.text {
            // A shape around text is decoration, and thus an artifact. The text has its own elements.
            drawn.iter_mut().for_each(|placed| placed.element = None);
            let before = drawn.len();
            self.push_text_box(&mut drawn, text, text_area(shape, area));
            // Text with automatic colour turns white on a dark fill, as in a dark cell.
            if matches!(shape.fill, Some(Fill::Solid { color, opacity }) if is_dark(color) && opacity > 0.5) {
                turn_black_text_white(drawn.get_mut(before..).unwrap_or_default());
            }
        }
        push_rotated(items, drawn, area, Orientation { rotation: shape.turn.rotation, ..Orientation::default() });
    }

    fn push_text_box(&self, items: &mut Vec<TaggedItem>, text: &'b TextBox, area: Rect) {
        if let Some(art) = &text.word_art {
            let drawn = word_art_items(self.ctx.text_context(self.frame.section), art, area);
            items.extend(drawn.into_iter().map(|item| self.tagged(item)));
            return;
        }
        let TextSpace { width, line_width: wide, height: room } = text_space(text, area);
        let BoxText { content, frame, last, merged } = self.ctx.lay_out_text_box(text, &self.frame, wide);
        if content.fragments.is_empty() && content.floats.is_empty() {
            return;
        }
        let [left, top, ..] = text.insets.map(|inset| positive_length_or(inset, 0.0));
        let upright = text.text_direction == TextDirection::Horizontal;
        // Lines that do not wrap may be wider than the box, but are still aligned to it.
        let aside = (width - wide) * first_alignment(&text.blocks);
        let spare = (room - content.height).max(0.0);
        let shift = space_above_text(text.vertical_alignment, spare);
        let mut painter = Painter::new(self.ctx, frame);
        painter.artifact = self.artifact;
        let origin = if upright { Point { x: area.x, y: area.y } } else { Point::default() };
        painter.merged = merged.map(RefCell::take).unwrap_or_default();
        painter.paint_unbounded(&content, origin.x + left + aside, origin.y + top + shift);
        merged.map(|merged| merged.replace(std::mem::take(&mut painter.merged)));
        let inside = painter.canvas.take_items();
        // Word clips the text of a box that does not grow.
        let is_cut_off = last && !text.auto_fit && content.visible_bottom() > room + CUT_OFF_TOLERANCE && room > 0.0;
        if is_cut_off {
            let message = "A text box is too small for its text: what does not fit is not seen.";
            self.ctx.warn(&text.blocks, DiagnosticCode::TextCutOff, message);
        }
        if upright {
            if is_cut_off {
                let clip = Some(Rect { x: area.x - CLIP_OVERHANG, width: area.width + 2.0 * CLIP_OVERHANG, ..area });
                items.push(untagged(DisplayItem::Group { transform: IDENTITY, clip, items: inside }));
            } else {
                items.extend(inside);
            }
            return;
        }
        let transform = match text.text_direction {
            TextDirection::Up => Transform { a: 0.0, b: -1.0, c: 1.0, d: 0.0, e: area.x, f: area.bottom() },
            _ => Transform { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: area.right(), f: area.y },
        };
        items.push(untagged(DisplayItem::Group { transform, clip: None, items: inside }));
    }

    fn stroke_item(&self, stroke: &Stroke, path: Vec<PathCommand>) -> TaggedItem {
        let width = positive_length_or(stroke.width, 0.75).min(200.0);
        let dashes = dash_lengths(stroke.dash, width);
        self.tagged(DisplayItem::Stroke(StrokePath { path, color: stroke.color, width, dashes, round_caps: false }))
    }

    /// Adds a box with a label for content that cannot be laid out.
    fn push_placeholder(&self, items: &mut Vec<TaggedItem>, label: &str, area: Rect) {
        let grey = Rgb(0x80, 0x80, 0x80);
        let stroke = StrokePath { dashes: vec![3.0, 2.0], ..StrokePath::solid(rectangle_path(area), grey, 0.5) };
        items.push(self.tagged(DisplayItem::Stroke(stroke)));
        let run = RunProperties { size: 8.0, size_complex: 8.0, color: Some(grey), ..RunProperties::default() };
        let line = single_line(self.ctx.text_context(self.frame.section), label, &run);
        if line.width > area.width || area.height < 10.0 {
            return;
        }
        let (x, y) = (area.x + (area.width - line.width) / 2.0, area.y + area.height / 2.0 + 3.0);
        items.extend(line.runs.into_iter().map(|run| self.tagged(DisplayItem::Glyphs(run.translated(x, y)))));
    }
}

/// Adds the items `inside`. If `by` requires it, they are mirrored and rotated around the centre of `area`.
fn push_rotated(items: &mut Vec<TaggedItem>, inside: Vec<TaggedItem>, area: Rect, by: Orientation) {
    let degrees = if by.rotation.is_finite() { by.rotation % 360.0 } else { 0.0 };
    if degrees == 0.0 && !by.flip_horizontal && !by.flip_vertical {
        items.extend(inside);
        return;
    }
    let middle = Point { x: area.x + area.width / 2.0, y: area.y + area.height / 2.0 };
    let element = inside.first().and_then(|placed| placed.element);
    let transform = rotation_around(middle, degrees, by.flip_horizontal, by.flip_vertical);
    items.push(TaggedItem { item: DisplayItem::Group { transform, clip: None, items: inside }, element });
}

fn fill_paint(fill: &Fill, area: Rect) -> Option<Paint> {
    match fill {
        Fill::Solid { color, opacity } => Some(Paint::Solid { color: *color, opacity: opacity.clamp(0.0, 1.0) }),
        Fill::Gradient { stops, angle } => {
            let (sin, cos) = angle.to_radians().sin_cos();
            let middle = Point { x: area.x + area.width / 2.0, y: area.y + area.height / 2.0 };
            let reach = (area.width * cos.abs() + area.height * sin.abs()) / 2.0;
            let from = Point { x: middle.x - cos * reach, y: middle.y - sin * reach };
            let to = Point { x: middle.x + cos * reach, y: middle.y + sin * reach };
            match stops.as_slice() {
                [] => None,
                [(_, color)] => Some(Paint::Solid { color: *color, opacity: 1.0 }),
                _ => Some(Paint::Gradient { stops: stops.clone(), from, to }),
            }
        }
        Fill::Picture(_) => None,
    }
}

/// Returns the paint for one path of a shape: the paint of the shape, made lighter or darker as the path requires.
fn shade_paint(paint: Paint, fill: PathFill) -> Paint {
    let (towards, share) = match fill {
        PathFill::Lighter(share) => (255.0, share),
        PathFill::Darker(share) => (0.0, share),
        PathFill::Shape | PathFill::None => return paint,
    };
    let channel = |value: u8| (f32::from(value) * (1.0 - share) + towards * share).round() as u8;
    let color = |Rgb(red, green, blue): Rgb| Rgb(channel(red), channel(green), channel(blue));
    match paint {
        Paint::Solid { color: plain, opacity } => Paint::Solid { color: color(plain), opacity },
        Paint::Gradient { stops, from, to } => {
            let stops = stops.into_iter().map(|(place, plain)| (place, color(plain))).collect();
            Paint::Gradient { stops, from, to }
        }
    }
}

/// Returns the clipping path of a picture whose outline is `geometry`, or `None` if the whole picture is visible.
fn clip_path(geometry: &Geometry, area: Rect) -> Option<Vec<PathCommand>> {
    if matches!(geometry, Geometry::Rectangle | Geometry::Line) {
        return None;
    }
    let output = shape_outlines(geometry, area).into_iter().filter(|outline| outline.fill != PathFill::None);
    let path: Vec<PathCommand> = output.flat_map(|outline| outline.commands).collect();
    (!path.is_empty()).then_some(path)
}

/// Lays out the lines of WordArt (part 4, §19.1.2.23; part 1, §21.1.2.1.28) as a group that is scaled to the area. As in Word,
/// the whole height of the lines is scaled, not only the height of the visible glyphs. It reaches from the top of the first line
/// to the bottom of the last one.
fn word_art_items(context: &Context<'_>, art: &WordArt, area: Rect) -> Vec<DisplayItem> {
    let mut run = RunProperties::clone(&art.run);
    if art.fitted {
        (run.size, run.size_complex) = (WORD_ART_FONT_SIZE, WORD_ART_FONT_SIZE);
    }
    let extent = line_extent(context, &run);
    let lines: Vec<_> = art.lines.iter().map(|line| single_line(context, line, &run)).collect();
    let widest = lines.iter().map(|line| line.width).fold(0.0, f32::max);
    let pitch = extent.ascent + extent.descent;
    let height = pitch * lines.len() as f32;
    if widest <= 0.0 || height <= 0.0 || area.width <= 0.0 || area.height <= 0.0 {
        return Vec::new();
    }
    let (across, down) = (area.width / widest, area.height / height);
    let (across, down) = if art.fitted {
        (across.min(MAX_WORD_ART_STRETCH), down.min(MAX_WORD_ART_STRETCH))
    } else {
        // Use the requested font size, unless the text would be larger than the box.
        let share = across.min(down).min(1.0);
        (share, share)
    };
    let (left, top) = ((area.width / across - widest) / 2.0, (area.height / down - height) / 2.0);
    let mut glyphs = Vec::new();
    for (index, line) in lines.into_iter().enumerate() {
        let aside = match art.alignment {
            Alignment::Center => (widest - line.width) / 2.0,
            Alignment::End => widest - line.width,
            _ => 0.0,
        };
        let (x, y) = (left + aside, top + pitch * index as f32 + extent.ascent);
        glyphs.extend(line.runs.into_iter().map(|run| untagged(DisplayItem::Glyphs(run.translated(x, y)))));
    }
    let transform = Transform { a: across, b: 0.0, c: 0.0, d: down, e: area.x, f: area.y };
    vec![DisplayItem::Group { transform, clip: None, items: glyphs }]
}
