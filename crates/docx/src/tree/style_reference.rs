//! References to the text of a style (STYLEREF fields).

use std::sync::Arc;

use waraq_rules::format::FieldFormat;

use super::{NodeId, NumberContext};

/// A STYLEREF field (§17.16.5.59). It shows the nearest text that has a style. For example, a header can show the title
/// of the current chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyleReference {
    /// The identifier of the field. The layout uses it to find the position of the field in the document.
    pub id: NodeId,
    /// The name of the paragraph style. `None`: the field refers to a character style only.
    pub paragraph_style: Option<Arc<str>>,
    /// The name of the character style. If the field refers to a paragraph style, this is the character style that is
    /// linked to it (w:link). `None`: the field refers to a paragraph style without a linked character style.
    pub character_style: Option<Arc<str>>,
    /// In a header or footer, the last text on the page is shown instead of the first one (switch \l).
    pub last_on_page: bool,
    /// The number of the paragraph is shown instead of its text (switches \n, \r and \w), with these levels. `None`: the text
    /// is shown.
    pub number: Option<NumberContext>,
    /// Letters are removed from the number, so that "Section 1.01" becomes "1.01" (switch \t).
    pub digits_only: bool,
    /// The word "above" or "below" is shown instead of the text, or after the number (switch \p).
    pub with_position: bool,
    /// The format switches, such as `\* Upper`.
    pub format: FieldFormat,
}
