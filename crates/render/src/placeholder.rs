//! The labelled box drawn in place of a picture that cannot be drawn.

use std::sync::Arc;

use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};
use waraq_layout::geometry::rectangle_path;
use waraq_layout::{DisplayItem, Font, FontId, Glyph, GlyphRun, Rect, Rgb, StrokePath};

const FILL: Rgb = Rgb(0xF3, 0xF4, 0xF6);
const INK: Rgb = Rgb(0x6B, 0x72, 0x80);
const PADDING: f32 = 4.0;

/// Returns a pale box over `area` with `label` in it. The label uses the first font of the document that has all
/// letters of the label.
pub(crate) fn placeholder_items(area: Rect, label: &str, fonts: &[Font]) -> Vec<DisplayItem> {
    let mut items = vec![
        DisplayItem::Rectangle { area, color: FILL, opacity: 1.0 },
        DisplayItem::Stroke(StrokePath {
            path: rectangle_path(area),
            color: INK,
            width: 0.5,
            dashes: vec![2.0, 2.0],
            round_caps: false,
        }),
    ];
    let size = 8.0_f32.min(area.height - 2.0 * PADDING).min(area.width / 8.0);
    if size >= 2.0
        && let Some(run) = (0..).zip(fonts).find_map(|(id, font)| lay_out_label(label, FontId(id), font, size, &area))
    {
        items.push(DisplayItem::Glyphs(run));
    }
    items
}

/// Lays out the letters of the label that fit into `area`. Labels are Latin, so one glyph for each letter is enough.
/// Returns `None` if the font lacks a letter.
fn lay_out_label(label: &str, id: FontId, font: &Font, size: f32, area: &Rect) -> Option<GlyphRun> {
    let parsed = skrifa::FontRef::from_index((*font.data).as_ref(), font.index).ok()?;
    let charmap = parsed.charmap();
    let metrics = parsed.glyph_metrics(Size::new(size), LocationRef::default());
    let mut glyphs = Vec::with_capacity(label.len());
    let mut width = 0.0;
    for (start, character) in label.char_indices() {
        let glyph = charmap.map(character)?;
        let advance = metrics.advance_width(glyph)?;
        if width + advance > area.width - 2.0 * PADDING {
            break;
        }
        width += advance;
        let start = u32::try_from(start).ok()?;
        glyphs.push(Glyph {
            id: u16::try_from(glyph.to_u32()).ok()?,
            advance,
            x_offset: 0.0,
            y_offset: 0.0,
            range: start..start + character.len_utf8() as u32,
        });
    }
    Some(GlyphRun {
        font: id,
        size,
        color: INK,
        x: area.x + (area.width - width) / 2.0,
        y: area.y + area.height / 2.0 + size * 0.35,
        text: Arc::from(label),
        text_offset: 0,
        glyphs,
        right_to_left: false,
        scale_x: 1.0,
        synthetic_bold: false,
        synthetic_italic: false,
        language: None,
        outlined: false,
        shadow: None,
    })
}
