//! Conversion of metafiles to display items. `waraq_graphics` has already converted the records of a metafile ([MS-EMF],
//! [MS-WMF]) to marks: areas, lines, texts and pictures.

use waraq_docx::tree::{Fonts, MarkContent, Metafile, MetafileMark, MetafileText, Rgb, RunProperties, TextEdge};

use super::context::LayoutContext;
use super::outline::dash_lengths;
use crate::geometry::IDENTITY;
use crate::page::{DisplayItem, ElementId, Paint, PlacedImage, Point, Rect, StrokePath, TaggedItem, Transform};
use crate::text::{Context, line_extent, single_line};

/// Maximum total number of marks (areas, lines, texts, pictures) in all metafiles of a document. A metafile that is drawn several
/// times counts each time.
pub(super) const MAX_MARKS: usize = 300_000;
/// Minimum horizontal scale of metafile text. `MAX_TEXT_SCALE` is the maximum.
const MIN_TEXT_SCALE: f32 = 0.4;
const MAX_TEXT_SCALE: f32 = 2.5;

/// Converts a metafile to a group in an area of the page. `crop` has the fractions that are cut off at the left, top, right and
/// bottom. Returns `None` if the metafiles of the document have more than [`MAX_MARKS`] marks, or if the crop leaves nothing.
pub(super) fn metafile_item(
    ctx: &LayoutContext<'_>,
    section: usize,
    metafile: &Metafile,
    area: Rect,
    crop: [f32; 4],
    element: Option<ElementId>,
) -> Option<TaggedItem> {
    let left = ctx.metafile_marks_left.get().checked_sub(metafile.marks.len());
    ctx.metafile_marks_left.set(left.unwrap_or_default());
    left?;
    let [left, top, right, bottom] = crop.map(|share| if share.is_finite() { share.clamp(-10.0, 0.999) } else { 0.0 });
    let (seen_x, seen_y) = (1.0 - left - right, 1.0 - top - bottom);
    if seen_x < 0.001 || seen_y < 0.001 {
        return None;
    }
    let (sx, sy) = (area.width / (metafile.width * seen_x), area.height / (metafile.height * seen_y));
    let transform = Transform {
        a: sx,
        b: 0.0,
        c: 0.0,
        d: sy,
        e: area.x - left * metafile.width * sx,
        f: area.y - top * metafile.height * sy,
    };
    let sheet =
        Rect::new(left * metafile.width, top * metafile.height, seen_x * metafile.width, seen_y * metafile.height);
    let context = ctx.text_context(section);
    let placed = |item: DisplayItem| TaggedItem { item, element };
    let mut items = Vec::new();
    for same in metafile.marks.chunk_by(|one, other| one.clip == other.clip) {
        let drawn = same.iter().flat_map(|mark| mark_items(context, mark)).map(placed);
        match same.first().and_then(|mark| mark.clip) {
            Some([l, t, r, b]) => {
                let clip = Some(Rect::new(l, t, r - l, b - t));
                items.push(placed(DisplayItem::Group { transform: IDENTITY, clip, items: drawn.collect() }));
            }
            None => items.extend(drawn),
        }
    }
    Some(placed(DisplayItem::Group { transform, clip: Some(sheet), items }))
}

fn mark_items(context: &Context<'_>, mark: &MetafileMark) -> Vec<DisplayItem> {
    match &mark.content {
        MarkContent::Filled { path, color, even_odd } => {
            let paint = Paint::Solid { color: *color, opacity: 1.0 };
            vec![DisplayItem::FilledPath { path: path.clone(), paint, even_odd: *even_odd }]
        }
        MarkContent::Stroked { path, color, width, dash, round_caps } => vec![DisplayItem::Stroke(StrokePath {
            path: path.clone(),
            color: *color,
            width: *width,
            dashes: dash_lengths(*dash, *width),
            round_caps: *round_caps,
        })],
        MarkContent::Text(text) => text_items(context, text),
        MarkContent::Picture { image, area: [x, y, width, height], crop, flip_horizontal, flip_vertical } => {
            let area = Rect::new(*x, *y, *width, *height);
            let image = DisplayItem::Image(PlacedImage { crop: *crop, ..PlacedImage::whole(*image, area) });
            if !flip_horizontal && !flip_vertical {
                return vec![image];
            }
            let middle = Point { x: x + width / 2.0, y: y + height / 2.0 };
            let transform = super::geometry::rotation_around(middle, 0.0, *flip_horizontal, *flip_vertical);
            vec![DisplayItem::Group { transform, clip: None, items: vec![super::border::untagged(image)] }]
        }
    }
}

/// Lays out a line of text of a metafile at its reference point, with its background. The text is scaled to the width that the
/// metafile requests.
fn text_items(context: &Context<'_>, text: &MetafileText) -> Vec<DisplayItem> {
    let family = Some(text.family.as_str().into());
    let mut run = RunProperties {
        fonts: Fonts { ascii: family.clone(), high_ansi: family.clone(), complex: family, ..Fonts::default() },
        size: text.size,
        size_complex: text.size,
        bold: text.bold,
        bold_complex: text.bold,
        italic: text.italic,
        italic_complex: text.italic,
        color: Some(text.color),
        ..RunProperties::default()
    };
    let extent = line_extent(context, &run);
    let share = if text.size_is_line_height { text.size / (extent.ascent + extent.descent).max(0.1) } else { 1.0 };
    let (ascent, descent) = (extent.ascent * share, extent.descent * share);
    (run.size, run.size_complex) = (text.size * share, text.size * share);
    let mut line = single_line(context, &text.text, &run);
    let differs = |wanted: &f32| line.width > 0.0 && (wanted - line.width).abs() > 0.01 * line.width;
    if let Some(wanted) = text.width.filter(differs) {
        run.scale = (wanted / line.width).clamp(MIN_TEXT_SCALE, MAX_TEXT_SCALE);
        line = single_line(context, &text.text, &run);
    }
    let width = line.width;
    let across = match text.horizontal {
        TextEdge::Start => 0.0,
        TextEdge::Base => -width / 2.0,
        TextEdge::End => -width,
    };
    let down = match text.vertical {
        TextEdge::Start => ascent,
        TextEdge::Base => 0.0,
        TextEdge::End => -descent,
    };
    let bar = |y: f32, height: f32, color: Rgb| DisplayItem::Rectangle {
        area: Rect::new(across, y, width, height),
        color,
        opacity: 1.0,
    };
    let mut items = Vec::new();
    items.extend(text.background.map(|ground| bar(down - ascent, ascent + descent, ground)));
    items.extend(line.runs.into_iter().map(|run| DisplayItem::Glyphs(run.translated(across, down))));
    let thickness = run.size * 0.06;
    items.extend(text.underline.then(|| bar(down + run.size * 0.1, thickness, text.color)));
    items.extend(text.strike.then(|| bar(down - run.size * 0.28, thickness, text.color)));
    let (sin, cos) = text.rotation.to_radians().sin_cos();
    let transform = Transform { a: cos, b: sin, c: -sin, d: cos, e: text.x, f: text.y };
    let items = items.into_iter().map(super::border::untagged).collect();
    vec![DisplayItem::Group { transform, clip: None, items }]
}
