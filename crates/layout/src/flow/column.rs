//! What stands on a page once it is set: columns, and those that stand side by side.

use super::float::{Exclusion, Float};
use super::notes::ColumnNotes;
use super::separator::Separator;
use super::setter::Frame;
use super::unit::Unit;
use crate::page::Rect;

/// A column as it was filled, with its place on the page.
pub(super) struct Column<'a> {
    pub area: Rect,
    pub frame: Frame,
    pub units: Vec<Unit<'a>>,
    pub floats: Vec<Float<'a>>,
    pub notes: ColumnNotes<'a>,
    pub bottom: f32,
    pub space_below: f32,
}

impl Column<'_> {
    /// What floats in it, on the page.
    pub fn exclusions(&self) -> impl Iterator<Item = Exclusion> {
        let floats = self.floats.iter().filter_map(|float| float.exclusion);
        floats.map(|e| Exclusion { area: e.area.moved(self.area.x, self.area.y), ..e })
    }
}

/// Columns that stand side by side.
pub(super) struct Band<'a> {
    pub section: usize,
    pub columns: Vec<Column<'a>>,
    pub bottom: f32,
    /// What stands above the endnotes that follow, and its top.
    pub separator: Option<(Separator<'a>, f32)>,
}

impl Band<'_> {
    /// What floats in it, on the page.
    pub fn exclusions(&self) -> impl Iterator<Item = Exclusion> {
        self.columns.iter().flat_map(Column::exclusions)
    }

    /// What its lowest column wants below its text: that much of the band is free.
    pub fn space_below(&self) -> f32 {
        let text = self.columns.iter().map(|column| column.area.y + column.bottom).fold(0.0, f32::max);
        (self.bottom - text).max(0.0)
    }

    /// What the highest notes of its columns take of the page.
    pub fn notes_height(&self) -> f32 {
        self.columns.iter().map(|column| column.notes.height).fold(0.0, f32::max)
    }
}
