//! The vertical alignment of a page's text (ECMA-376 part 1, §17.6.23).

use waraq_docx::tree::{RelativeTo, VerticalAlignment};

use super::draft::{Column, Draft};
use super::float::anchor_of;
use super::setter::Setter;
use super::unit::{Content, Float, FloatContent};

/// Whether the text of a page goes on on the next: Word spreads no page that its section ends on.
pub(super) fn goes_on(drafts: &[Draft<'_>], index: usize) -> bool {
    let (Some(draft), Some(next)) = (drafts.get(index), drafts.get(index + 1)) else { return false };
    let last = draft.bands.last().map_or(draft.section, |band| band.section);
    next.section == last && !next.first_of_section && !next.blank
}

/// Moves what stands on a page down as its section asks.
pub(super) fn align(setter: &Setter<'_>, draft: &mut Draft<'_>, goes_on: bool) {
    let Some(section) = setter.document.sections.get(draft.section) else { return };
    let alignment = section.properties.vertical_alignment;
    let bottom = draft.bands.iter().flat_map(|band| &band.columns).map(|column| column.area.y + column.bottom);
    let bottom = bottom.fold(draft.body.y, f32::max);
    let spare = draft.body.bottom() - draft.notes_height - bottom;
    // A page without an end has no middle.
    if spare <= 0.0 || !spare.is_finite() || draft.bands.is_empty() {
        return;
    }
    match alignment {
        VerticalAlignment::Top => {}
        VerticalAlignment::Center => lower(draft, spare / 2.0),
        VerticalAlignment::Bottom => lower(draft, spare),
        VerticalAlignment::Justified if goes_on && draft.bands.len() == 1 => {
            let body_bottom = draft.body.bottom() - draft.notes_height;
            for column in draft.bands.iter_mut().flat_map(|band| &mut band.columns) {
                let spare = body_bottom - column.area.y - column.bottom;
                spread(column, spare);
            }
        }
        VerticalAlignment::Justified => {}
    }
}

fn lower(draft: &mut Draft<'_>, by: f32) {
    for band in &mut draft.bands {
        for column in &mut band.columns {
            for unit in &mut column.units {
                unit.y += by;
            }
            for float in column.floats.iter_mut().filter(|float| goes_with_text(float)) {
                float.area.y += by;
            }
            column.bottom += by;
        }
        if let Some((_, y)) = &mut band.separator {
            *y += by;
        }
        band.bottom += by;
    }
}

/// Opens the gaps between the paragraphs (and rows) of a column evenly, until it is full.
fn spread(column: &mut Column<'_>, spare: f32) {
    let begins = |index: usize| index > 0 && matches!(&column.units[index].content, Content::Line(line) if line.first);
    let starts: Vec<usize> = (0..column.units.len()).filter(|&index| begins(index)).collect();
    if starts.is_empty() || spare <= 0.0 {
        return;
    }
    let step = spare / starts.len() as f32;
    let above = |unit: usize| starts.iter().take_while(|&&start| start <= unit).count() as f32 * step;
    for (index, unit) in column.units.iter_mut().enumerate() {
        unit.y += above(index);
    }
    for float in column.floats.iter_mut().filter(|float| goes_with_text(float)) {
        float.area.y += above(float.unit);
    }
    column.bottom += spare;
}

/// Whether a float stands where its anchor does, rather than at a place of the page.
fn goes_with_text(float: &Float<'_>) -> bool {
    let FloatContent::Drawing(drawing) = &float.content else { return true };
    anchor_of(drawing).is_none_or(|anchor| {
        matches!(
            anchor.vertical.relative_to,
            RelativeTo::Paragraph | RelativeTo::Line | RelativeTo::Character | RelativeTo::Column
        )
    })
}
