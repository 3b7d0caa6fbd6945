//! Pages that are set but not painted: their columns, in bands of those that stand side by side.

use waraq_docx::tree::SectionProperties;

use super::answers::PageState;
use super::areas::{self, Frame, PageAreas};
use super::header::Kind;
use super::notes::{ColumnNotes, Separator};
use super::unit::{Exclusion, Float, Unit};
use crate::page::Rect;

/// A page whose content is set but not painted.
pub(super) struct Draft<'a> {
    /// Its number, and the section that it begins with.
    pub state: PageState,
    pub header: Kind,
    pub areas: PageAreas,
    pub body: Rect,
    pub first_of_section: bool,
    /// Made only so that the next section begins on an odd (even) page.
    pub blank: bool,
    pub bands: Vec<Band<'a>>,
    /// Of what floats in its header and footer and in the bands that stand.
    pub exclusions: Vec<Exclusion>,
    pub notes_height: f32,
}

impl Draft<'_> {
    /// Where its text must end.
    pub fn notes_top(&self) -> f32 {
        self.body.bottom() - self.notes_height
    }

    /// In which of its columns a section begins that begins in the next one (§17.18.77), and at which height. `None`: it needs a new page, as
    /// its columns differ from those here, or none is left, or there is text in one of those left (the section runs the other way).
    pub fn next_column(&self, properties: &SectionProperties) -> Option<(usize, f32)> {
        let band = self.bands.last()?;
        let columns = areas::columns(properties, self.body.width);
        let last = band.columns.last()?;
        let at = columns.iter().position(|(x, width)| {
            (self.body.x + x - last.area.x).abs() < 0.5 && (width - last.area.width).abs() < 0.5
        })?;
        let used = |x: f32| band.columns.iter().any(|column| (self.body.x + x - column.area.x).abs() < 0.5);
        let (_, left) = columns.split_at_checked(at + 1)?;
        (!left.is_empty() && !left.iter().any(|(x, _)| used(*x))).then_some((at + 1, last.area.y))
    }
}

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
        floats.map(|e| e.moved(self.area.x, self.area.y))
    }

    /// What floats at this place on the page.
    fn float_at(&self, place: &Exclusion) -> Option<&Float<'_>> {
        self.floats.iter().find(|float| {
            float.exclusion.is_some_and(|exclusion| {
                let area = exclusion.area.moved(self.area.x, self.area.y);
                (area.x - place.area.x).abs() < 1.0 && (area.y - place.area.y).abs() < 1.0
            })
        })
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

/// The room on the page of floats that stand beside text above their anchors: that text is set again, with them known from the start.
pub(super) fn early_floats(set: &[Column<'_>]) -> Vec<Exclusion> {
    let mut early = Vec::new();
    for (index, column) in set.iter().enumerate() {
        for float in &column.floats {
            let Some(exclusion) = float.exclusion else { continue };
            let exclusion = exclusion.moved(column.area.x, column.area.y);
            let area = exclusion.area;
            let crosses = |other: &Column<'_>, unit: &Unit<'_>| {
                let y = other.area.y + unit.y;
                unit.line().is_some()
                    && area.y < y + unit.height - 0.5
                    && area.bottom() > y + 0.5
                    && area.x < other.area.right()
                    && area.right() > other.area.x
            };
            let above = column.units.iter().take(float.unit).any(|unit| crosses(column, unit));
            let before = set[..index].iter().any(|other| other.units.iter().any(|unit| crosses(other, unit)));
            if above || before {
                early.push(exclusion);
            }
        }
    }
    early
}

/// Whether a float stands where it was expected to.
pub(super) fn stands(set: &[Column<'_>], early: &Exclusion) -> bool {
    set.iter().any(|column| column.float_at(early).is_some())
}

/// The unit that a float goes with, if the text around it left no place for that unit's block: the place of the unit in its column.
pub(super) fn driven_out(before: &[Column<'_>], after: &[Column<'_>], early: &Exclusion) -> Option<usize> {
    let (column, float) = before.iter().find_map(|column| Some((column, column.float_at(early)?)))?;
    let block = column.units.get(float.unit)?.resume.block;
    let stays = after.iter().flat_map(|column| &column.units).any(|unit| unit.resume.block == block);
    (!stays).then_some(float.unit)
}
