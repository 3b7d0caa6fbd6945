//! Pages that are laid out but not painted. Each page consists of bands, one below the other, and each band of columns side by
//! side.

use waraq_docx::tree::SectionProperties;

use super::areas::{self, Frame, PageAreas};
use super::field_results::PageNumbering;
use super::fragment::{Exclusion, Float, Fragment};
use super::header::HeaderKind;
use super::notes::{ColumnNotes, Separator};
use crate::page::Rect;

/// A page that is laid out but not painted.
pub(super) struct PageDraft<'a> {
    /// The page number, and the section with which the page begins.
    pub numbering: PageNumbering,
    /// The kind of the page's header and footer.
    pub header_kind: HeaderKind,
    pub areas: PageAreas,
    /// The area of the text and the notes, between header and footer.
    pub body: Rect,
    /// True if the header or footer has a field whose text depends on the content of the page.
    pub header_depends_on_page: bool,
    pub first_of_section: bool,
    /// True for a blank page that is inserted so that the next section begins on an odd or even page.
    pub blank: bool,
    pub bands: Vec<Band<'a>>,
    /// Areas of floats in the header, in the footer and in the bands.
    pub exclusions: Vec<Exclusion>,
    /// Height of the notes at the bottom of the page.
    pub notes_height: f32,
}

impl PageDraft<'_> {
    /// Returns the top of the notes, which is the bottom limit of the text.
    pub fn notes_top(&self) -> f32 {
        self.body.bottom() - self.notes_height
    }

    /// Returns the column in which a section of type nextColumn begins (§17.18.77). Returns `None` if the section needs a new
    /// page. This is so if the columns of the section differ from those of the page, or if no column is left. It is also so if a
    /// later column already has text, which happens if the sections run in opposite directions.
    pub fn next_column(&self, properties: &SectionProperties) -> Option<NextColumn> {
        let band = self.bands.last()?;
        let columns = areas::column_spans(properties, self.body.width);
        let last = band.columns.last()?;
        let at = columns.iter().position(|span| {
            (self.body.x + span.left - last.area.x).abs() < 0.5 && (span.width - last.area.width).abs() < 0.5
        })?;
        let used = |x: f32| band.columns.iter().any(|column| (self.body.x + x - column.area.x).abs() < 0.5);
        let (_, left) = columns.split_at_checked(at + 1)?;
        let is_free = !left.is_empty() && !left.iter().any(|span| used(span.left));
        is_free.then_some(NextColumn { index: at + 1, top: last.area.y })
    }
}

/// The column in which a section begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct NextColumn {
    /// Index of the column, which is also the number of columns that the previous section has filled.
    pub index: usize,
    /// Top of the column on the page in points.
    pub top: f32,
}

/// A filled column with its area on the page.
pub(super) struct PageColumn<'a> {
    pub area: Rect,
    pub frame: Frame,
    pub fragments: Vec<Fragment<'a>>,
    pub floats: Vec<Float<'a>>,
    pub notes: ColumnNotes<'a>,
    /// Bottom of the column's text, relative to the top of the column.
    pub bottom: f32,
    /// Space in points that the last block of the column requires below it.
    pub space_below: f32,
}

impl PageColumn<'_> {
    /// Returns the areas of the column's floats, in page coordinates.
    pub fn exclusions(&self) -> impl Iterator<Item = Exclusion> {
        let floats = self.floats.iter().filter_map(|float| float.exclusion);
        floats.map(|e| e.moved(self.area.x, self.area.y))
    }

    /// Returns the float whose area on the page begins at the same point as `expected`. Differences of less than one point are
    /// ignored. Returns `None` if the column has no such float.
    fn float_at(&self, expected: &Exclusion) -> Option<&Float<'_>> {
        self.floats.iter().find(|float| {
            float.exclusion.is_some_and(|exclusion| {
                let area = exclusion.area.translated(self.area.x, self.area.y);
                (area.x - expected.area.x).abs() < 1.0 && (area.y - expected.area.y).abs() < 1.0
            })
        })
    }
}

/// Columns side by side, which belong to one section.
pub(super) struct Band<'a> {
    pub section: usize,
    pub columns: Vec<PageColumn<'a>>,
    /// Bottom of the band on the page, in points.
    pub bottom: f32,
    /// The separator above the endnotes that follow the band.
    pub separator: Option<PlacedSeparator<'a>>,
}

/// A separator with its position on the page.
pub(super) struct PlacedSeparator<'a> {
    /// The separator.
    pub separator: Separator<'a>,
    /// Top of the separator on the page in points.
    pub top: f32,
}

impl Band<'_> {
    /// Returns the height of the empty part of the band below its lowest text.
    pub fn space_below(&self) -> f32 {
        let text = self.columns.iter().map(|column| column.area.y + column.bottom).fold(0.0, f32::max);
        (self.bottom - text).max(0.0)
    }

    /// Returns the height in points of the highest notes. Each column of the band has its own notes.
    pub fn notes_height(&self) -> f32 {
        self.columns.iter().map(|column| column.notes.height).fold(0.0, f32::max)
    }
}

/// Returns the areas on the page of floats that overlap text above their own anchors. That text was laid out without these
/// floats. It must therefore be laid out again, with their areas known in advance.
pub(super) fn early_floats(set: &[PageColumn<'_>]) -> Vec<Exclusion> {
    let mut early = Vec::new();
    for (index, column) in set.iter().enumerate() {
        for float in &column.floats {
            let Some(exclusion) = float.exclusion else { continue };
            let exclusion = exclusion.moved(column.area.x, column.area.y);
            let area = exclusion.area;
            let crosses = |other: &PageColumn<'_>, fragment: &Fragment<'_>| {
                let y = other.area.y + fragment.y;
                fragment.line().is_some()
                    && area.y < y + fragment.height - 0.5
                    && area.bottom() > y + 0.5
                    && area.x < other.area.right()
                    && area.right() > other.area.x
            };
            let above = column.fragments.iter().take(float.fragment_index).any(|fragment| crosses(column, fragment));
            let before =
                set[..index].iter().any(|other| other.fragments.iter().any(|fragment| crosses(other, fragment)));
            if above || before {
                early.push(exclusion);
            }
        }
    }
    early
}

/// Returns true if one of the columns has a float at the area `early`.
pub(super) fn float_is_at(set: &[PageColumn<'_>], early: &Exclusion) -> bool {
    set.iter().any(|column| column.float_at(early).is_some())
}

/// Checks whether a float pushes its own anchor out of the columns. The columns were filled twice: in `before`, their text does
/// not wrap around the float, and in `after` it does. `early` is the area of the float. Returns `None` if `after` still has the
/// block with the anchor. Otherwise returns the index of the fragment with the anchor, counted in its column of `before`.
pub(super) fn displaced_anchor_index(
    before: &[PageColumn<'_>],
    after: &[PageColumn<'_>],
    early: &Exclusion,
) -> Option<usize> {
    let (column, float) = before.iter().find_map(|column| Some((column, column.float_at(early)?)))?;
    let block = column.fragments.get(float.fragment_index)?.resume.block;
    let stays = after.iter().flat_map(|column| &column.fragments).any(|fragment| fragment.resume.block == block);
    (!stays).then_some(float.fragment_index)
}
