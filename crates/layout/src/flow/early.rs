//! Floats that stand beside text above their anchors: that text is set again, with them known from the start.

use super::book::Column;
use super::float::Exclusion;
use super::unit::{Content, Unit};

/// The room on the page of floats that stand beside lines set before their anchors.
pub(super) fn early_floats(set: &[Column<'_>]) -> Vec<Exclusion> {
    let mut early = Vec::new();
    for (index, column) in set.iter().enumerate() {
        for float in &column.floats {
            let Some(exclusion) = float.exclusion else { continue };
            let area = exclusion.area.moved(column.area.x, column.area.y);
            let crosses = |other: &Column<'_>, unit: &Unit<'_>| {
                let y = other.area.y + unit.y;
                matches!(unit.content, Content::Line(_))
                    && area.y < y + unit.height - 0.5
                    && area.bottom() > y + 0.5
                    && area.x < other.area.right()
                    && area.right() > other.area.x
            };
            let above = column.units.iter().take(float.unit).any(|unit| crosses(column, unit));
            let before = set[..index].iter().any(|other| other.units.iter().any(|unit| crosses(other, unit)));
            if above || before {
                early.push(Exclusion { area, ..exclusion });
            }
        }
    }
    early
}

/// Whether a float stands where it was expected to.
pub(super) fn stands(set: &[Column<'_>], early: &Exclusion) -> bool {
    set.iter().any(|column| {
        column.floats.iter().filter_map(|float| float.exclusion).any(|exclusion| {
            let area = exclusion.area.moved(column.area.x, column.area.y);
            (area.x - early.area.x).abs() < 1.0 && (area.y - early.area.y).abs() < 1.0
        })
    })
}
