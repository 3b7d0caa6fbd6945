//! Numbers of list paragraphs as references to them show the numbers: REF and STYLEREF with the switches `\n`, `\r`, `\w` and
//! `\p` (ECMA-376 part 1, §17.16.5.50, §17.16.5.59).

use std::collections::HashMap;

use waraq_docx::tree::{NumberContext, Paragraph};

/// The position of a paragraph among all paragraphs of the body, and in its list. `numbers` has the current number of
/// each list level, from the top level down to the level of the paragraph. `list` is `None` if the paragraph is in no
/// list.
#[derive(Debug, Clone, Default)]
pub(super) struct ListPosition {
    pub paragraph_index: usize,
    list: Option<i64>,
    numbers: Vec<LevelNumber>,
}

/// The number of a list paragraph, as it is printed before the paragraph.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct LevelNumber {
    text: String,
    /// The list level nearest to the top whose number is part of `text`. The top level is 0. In "2.1", this is the
    /// level of the 2. `None` if `text` contains only the number of its own level.
    first_level: Option<u8>,
}

/// Updates the current numbers of a paragraph's list, and returns the position of the paragraph. `count` is the number of
/// paragraphs before this paragraph.
pub(super) fn advance_list(
    paragraph: &Paragraph,
    lists: &mut HashMap<i64, Vec<LevelNumber>>,
    count: usize,
) -> ListPosition {
    let mut position = ListPosition { paragraph_index: count, ..ListPosition::default() };
    if let (Some((list, level)), Some(label)) = (paragraph.properties.numbering, &paragraph.label) {
        let numbers = lists.entry(list).or_default();
        numbers.resize(usize::from(level).min(8), LevelNumber::default());
        numbers.push(LevelNumber { text: label.text.trim().to_owned(), first_level: label.first_number_level });
        (position.list, position.numbers) = (Some(list), numbers.clone());
    }
    position
}

/// Returns the number of the paragraph `to` as a reference in the paragraph `from` shows it. In relative context (REF with the
/// switch `\r`), the numbers of the levels that both paragraphs share are omitted.
pub(super) fn number_in_context(context: NumberContext, from: &ListPosition, to: &ListPosition) -> String {
    let shared = match context {
        NumberContext::Relative if from.list == to.list => {
            let alike = from.numbers.iter().zip(&to.numbers).take_while(|(a, b)| a == b).count();
            alike.min(to.numbers.len().saturating_sub(1))
        }
        NumberContext::Own => to.numbers.len().saturating_sub(1),
        NumberContext::Relative | NumberContext::Full => 0,
    };
    let mut text = String::new();
    // Prepend the numbers of higher levels that are missing, starting at the paragraph's own level. A number such as 2.1
    // already includes a higher level (w:lvlText, §17.9.11).
    let mut missing = to.numbers.len();
    while missing > shared {
        missing -= 1;
        let Some(number) = to.numbers.get(missing) else { break };
        text.insert_str(0, &number.text);
        missing = number.first_level.map_or(missing, |first| missing.min(usize::from(first)));
    }
    text.trim_end_matches('.').to_owned()
}

/// Returns the word "above" or "below" in the language of the document, for a reference that shows the position of its target.
pub(super) fn above_or_below(above: bool, language: Option<&str>) -> &'static str {
    match (language.and_then(|language| language.split('-').next()), above) {
        (Some("fr"), true) => "ci-dessus",
        (Some("fr"), false) => "ci-dessous",
        (Some("ar"), true) => "أعلاه",
        (Some("ar"), false) => "أدناه",
        (_, true) => "above",
        (_, false) => "below",
    }
}
