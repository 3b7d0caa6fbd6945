//! Sections that begin in the next column (ECMA-376 part 1, §17.18.77).

use waraq_docx::tree::SectionProperties;

use super::book::Draft;
use super::geometry_of_page;

/// Which of a page's columns a section goes on in, and where these begin; `None` where the columns differ or are all used.
pub(super) fn after(draft: &Draft<'_>, properties: &SectionProperties) -> Option<(usize, f32)> {
    let band = draft.bands.last()?;
    let columns = geometry_of_page::columns(properties, draft.body.width);
    let last = band.columns.last()?;
    let at = columns
        .iter()
        .position(|(x, width)| (draft.body.x + x - last.area.x).abs() < 0.5 && (width - last.area.width).abs() < 0.5)?;
    (at + 1 < columns.len()).then_some((at + 1, last.area.y))
}
