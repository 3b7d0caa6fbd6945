//! The blanks that were found so far, before they have names.

use std::ops::Range;

use waraq_rules::field_settings::ValueKind;

use super::{BlankForm, Confidence, MAX_BLANKS};
use crate::fields::scan::Index;
use crate::{CountedMemory, Meter};

/// The approximate memory of a candidate in bytes, with its texts.
const CANDIDATE_MEMORY: usize = 600;

/// A blank without a name.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The index of the part.
    pub part: usize,
    pub paragraph: Index,
    /// The characters of the blank in its paragraph.
    pub cells: Range<usize>,
    pub form: BlankForm,
    /// The index of the content control, form field or merge field.
    pub object: Option<Index>,
    /// The words of the blank itself. `None`: the blank shows only a gap.
    pub own_words: Option<String>,
    /// The label in the table: the text of the cell before, or the heading of the column.
    pub cell_label: Option<String>,
    /// The kind of the value, if the form decides it.
    pub kind: Option<ValueKind>,
    pub choices: Vec<String>,
    pub confidence: Confidence,
    /// The paragraphs that continue the line.
    pub continuation: Vec<Index>,
    /// The blank is a check box: a character, a content control or a form field.
    pub is_check_box: bool,
}

impl Candidate {
    pub(super) fn new(part: usize, paragraph: Index, cells: Range<usize>, form: BlankForm) -> Self {
        Self {
            part,
            paragraph,
            cells,
            form,
            object: None,
            own_words: None,
            cell_label: None,
            kind: None,
            choices: Vec::new(),
            confidence: Confidence::High,
            continuation: Vec::new(),
            is_check_box: form == BlankForm::CheckBox,
        }
    }

    /// Returns `true` if the blank is only a line or a gap, so that it may continue in the next paragraph.
    pub(super) fn is_line(&self) -> bool {
        matches!(
            self.form,
            BlankForm::Underscores | BlankForm::Dots | BlankForm::TabLeader | BlankForm::UnderlinedSpace
        )
    }
}

/// Collects candidates up to [`MAX_BLANKS`].
#[derive(Debug)]
pub(super) struct Collector<'m> {
    pub candidates: Vec<Candidate>,
    /// The number of blanks past the limit.
    pub omitted: usize,
    pub meter: &'m Meter,
    held: CountedMemory,
}

impl<'m> Collector<'m> {
    pub(super) fn new(meter: &'m Meter) -> Self {
        Self { candidates: Vec::new(), omitted: 0, meter, held: CountedMemory::empty(meter) }
    }

    pub(super) fn push(&mut self, candidate: Candidate) {
        if self.candidates.len() >= MAX_BLANKS {
            self.omitted += 1;
            return;
        }
        self.held.grow(CANDIDATE_MEMORY);
        self.candidates.push(candidate);
    }
}
