//! The grounds of cells, and text that stands on dark ones.

use waraq_docx::tree::Rgb;

use super::super::border::plain;
use super::super::paint::Painter;
use super::{CellLayout, TableLayout};
use crate::page::{Item, Placed, Rect};

/// Word writes automatic text white on backgrounds as dark as this.
pub(in crate::flow) fn is_dark(color: Rgb) -> bool {
    u32::from(color.0) * 299 + u32::from(color.1) * 587 + u32::from(color.2) * 114 < 60_000
}

/// Text of automatic colour came out black: it turns white. (Text that is black by choice on a dark ground cannot be read.)
pub(in crate::flow) fn lighten(items: &mut [Placed]) {
    for placed in items {
        match &mut placed.item {
            Item::Glyphs(run) if run.color == Rgb(0, 0, 0) => run.color = Rgb(255, 255, 255),
            Item::Group { items, .. } => lighten(items),
            _ => {}
        }
    }
}

pub(super) fn shade(painter: &mut Painter<'_, '_>, table: &TableLayout<'_>, cell: &CellLayout<'_>, area: Rect) {
    if let Some(color) = cell.cell.shading.or(table.table.properties.shading) {
        painter.canvas.body.push(plain(Item::Rectangle { area, color, opacity: 1.0 }));
    }
}
