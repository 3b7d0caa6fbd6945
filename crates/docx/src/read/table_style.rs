//! Table styles with their conditional formats (§17.7.6).

use std::sync::Arc;

use strum::{EnumString, VariantArray};

use super::paragraph_format::ParagraphFormat;
use super::run_format::{FormatContext, RunFormat};
use super::table_format::{CellFormat, RowFormat, TableFormat};
use super::values::{integer, word};
use super::xml::{Element, Ns};

/// The parts of a table a style may treat apart, in the order they are laid over each other: later ones win.
///
/// §17.7.6.6 lays rows over columns of bands and columns over rows of edges; Word does both the other way round
/// (MS-OI29500, 2.1.252), and the styles that come with it are made for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Condition {
    #[strum(serialize = "band1Horz")]
    OddRows,
    #[strum(serialize = "band2Horz")]
    EvenRows,
    #[strum(serialize = "band1Vert")]
    OddColumns,
    #[strum(serialize = "band2Vert")]
    EvenColumns,
    #[strum(serialize = "lastCol")]
    LastColumn,
    #[strum(serialize = "firstCol")]
    FirstColumn,
    LastRow,
    FirstRow,
    #[strum(serialize = "swCell")]
    BottomLeft,
    #[strum(serialize = "seCell")]
    BottomRight,
    #[strum(serialize = "neCell")]
    TopRight,
    #[strum(serialize = "nwCell")]
    TopLeft,
}

impl Condition {
    /// The bits of those that hold for whole rows.
    pub(crate) const OF_ROWS: u16 =
        Self::OddRows.bit() | Self::EvenRows.bit() | Self::FirstRow.bit() | Self::LastRow.bit();

    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The formatting of one part of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConditionalFormat {
    pub table: TableFormat,
    pub row: RowFormat,
    pub cell: CellFormat,
    pub paragraph: ParagraphFormat,
    pub run: RunFormat,
}

impl ConditionalFormat {
    fn read(element: Element<'_>, context: &FormatContext<'_>) -> Self {
        let (paragraph, run) = Self::read_text(element, context);
        let child = |name| element.child(Ns::W, name);
        Self {
            table: child("tblPr").map(|child| TableFormat::read(child, context)).unwrap_or_default(),
            row: child("trPr").map(RowFormat::read).unwrap_or_default(),
            cell: child("tcPr").map(|child| CellFormat::read(child, context)).unwrap_or_default(),
            paragraph,
            run,
        }
    }

    fn over(&mut self, above: &ConditionalFormat) {
        self.table.over(&above.table);
        self.row.over(&above.row);
        self.cell.over(&above.cell);
        self.paragraph.over(&above.paragraph);
        self.run.over(&above.run);
    }
}

/// One table style as written.
#[derive(Debug, Default)]
pub(crate) struct TableStyleParts {
    whole: ConditionalFormat,
    conditions: Vec<(Option<Condition>, ConditionalFormat)>,
    row_band: Option<usize>,
    column_band: Option<usize>,
}

impl TableStyleParts {
    pub(crate) fn read(element: Element<'_>, context: &FormatContext<'_>) -> Self {
        let mut whole = ConditionalFormat::read(element, context);
        (whole.paragraph, whole.run) = Default::default();
        let band = |name| {
            let size = element.child(Ns::W, "tblPr")?.child_val(name).and_then(integer)?;
            Some(size.clamp(0, 1_000) as usize)
        };
        let conditions = element.all(Ns::W, "tblStylePr").filter_map(|part| {
            let name = part.w("type")?;
            let condition = word::<Condition>(name);
            (condition.is_some() || name == "wholeTable").then(|| (condition, ConditionalFormat::read(part, context)))
        });
        Self {
            whole,
            conditions: conditions.collect(),
            row_band: band("tblStyleRowBandSize"),
            column_band: band("tblStyleColBandSize"),
        }
    }
}

/// A table style with all it is based on.
#[derive(Debug, Default)]
pub(crate) struct TableStyle {
    pub name: Arc<str>,
    pub whole: ConditionalFormat,
    /// By [`Condition`].
    pub conditions: [Option<Box<ConditionalFormat>>; 12],
    /// Rows and columns of one band; 0 is no bands.
    pub row_band: Option<usize>,
    pub column_band: Option<usize>,
}

impl TableStyle {
    pub(crate) fn over(&mut self, parts: &TableStyleParts, paragraph: &ParagraphFormat, run: &RunFormat) {
        self.whole.over(&parts.whole);
        self.whole.paragraph.over(paragraph);
        self.whole.run.over(run);
        for (condition, format) in &parts.conditions {
            match condition {
                None => self.whole.over(format),
                Some(condition) => {
                    if let Some(slot) = self.conditions.get_mut(*condition as usize) {
                        slot.get_or_insert_default().over(format);
                    }
                }
            }
        }
        self.row_band = parts.row_band.or(self.row_band);
        self.column_band = parts.column_band.or(self.column_band);
    }

    /// The formats of the conditions in `mask`, the weakest first.
    pub(crate) fn matching(&self, mask: u16) -> impl Iterator<Item = (Condition, &ConditionalFormat)> {
        Condition::VARIANTS
            .iter()
            .filter(move |condition| mask & condition.bit() != 0)
            .filter_map(|condition| Some((*condition, self.conditions.get(*condition as usize)?.as_deref()?)))
    }

    /// What a cell's text inherits from the table style.
    pub(crate) fn text(&self, mask: u16) -> (ParagraphFormat, RunFormat) {
        let (mut paragraph, mut run) = (self.whole.paragraph.clone(), self.whole.run.clone());
        for (_, format) in self.matching(mask) {
            paragraph.over(&format.paragraph);
            run.over(&format.run);
        }
        (paragraph, run)
    }
}
