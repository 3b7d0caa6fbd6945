//! References to the numbers of paragraphs (ECMA-376 part 1, §17.16.5.50: REF with \\n, \\r, \\w, \\p).

use std::collections::HashMap;
use std::sync::Arc;

use waraq_docx::tree::{Content, Document, Field, NodeId, NumberContext, Paragraph};

use super::walk;

/// Where something stands: which paragraph of the text, and the numbers of its list from the top level down to its own.
#[derive(Debug, Clone, Default)]
struct Position {
    paragraph: usize,
    list: Option<i64>,
    numbers: Vec<Number>,
}

/// What stands before a paragraph, and the highest level whose number that holds.
#[derive(Debug, Clone, Default, PartialEq)]
struct Number {
    text: String,
    holds_from: Option<u8>,
}

/// What each such reference shows, by the field. What points nowhere, or to a paragraph without a number,
/// is not among them.
pub(super) fn numbers(document: &Document) -> HashMap<NodeId, String> {
    let mut asked: Vec<(&Field, Position)> = Vec::new();
    let mut bookmarks: HashMap<&Arc<str>, Position> = HashMap::new();
    let mut lists: HashMap<i64, Vec<Number>> = HashMap::new();
    let mut count = 0;
    walk::paragraphs_of(document, &mut |paragraph| {
        let position = position(paragraph, &mut lists, count);
        count += 1;
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::BookmarkStart(name) => {
                    bookmarks.entry(name).or_insert_with(|| position.clone());
                }
                Content::Field { field: field @ Field::ReferenceNumber { .. }, .. } => {
                    asked.push((field, position.clone()));
                }
                _ => {}
            }
        }
    });
    let language = document.language.as_deref();
    let answer = |(field, from): (&Field, Position)| {
        let Field::ReferenceNumber { id, bookmark, number, place } = field else { return None };
        let to = bookmarks.get(bookmark)?;
        let mut text = match number {
            Some(context) => Some(written(*context, &from, to)).filter(|text| !text.is_empty())?,
            None => String::new(),
        };
        if *place {
            let gap = if text.is_empty() { "" } else { " " };
            text = format!("{text}{gap}{}", above_or_below(to.paragraph <= from.paragraph, language));
        }
        Some((*id, text))
    };
    asked.into_iter().filter_map(answer).collect()
}

/// Counts a paragraph in its list.
fn position(paragraph: &Paragraph, lists: &mut HashMap<i64, Vec<Number>>, count: usize) -> Position {
    let mut position = Position { paragraph: count, ..Position::default() };
    if let (Some((list, level)), Some(label)) = (paragraph.properties.numbering, &paragraph.label) {
        let numbers = lists.entry(list).or_default();
        numbers.resize(usize::from(level).min(8), Number::default());
        numbers.push(Number { text: label.text.trim().to_owned(), holds_from: label.holds_from });
        (position.list, position.numbers) = (Some(list), numbers.clone());
    }
    position
}

fn written(context: NumberContext, from: &Position, to: &Position) -> String {
    let shared = match context {
        NumberContext::Relative if from.list == to.list => {
            let alike = from.numbers.iter().zip(&to.numbers).take_while(|(a, b)| a == b).count();
            alike.min(to.numbers.len().saturating_sub(1))
        }
        NumberContext::Own => to.numbers.len().saturating_sub(1),
        NumberContext::Relative | NumberContext::Full => 0,
    };
    let mut text = String::new();
    // From the paragraph's own level up; a number such as 2.1 holds those of the levels above already (w:lvlText, §17.9.11).
    let mut missing = to.numbers.len();
    while missing > shared {
        missing -= 1;
        let Some(number) = to.numbers.get(missing) else { break };
        text.insert_str(0, &number.text);
        missing = number.holds_from.map_or(missing, |first| missing.min(usize::from(first)));
    }
    without_period(&text).to_owned()
}

fn without_period(number: &str) -> &str {
    number.trim_end_matches('.')
}

fn above_or_below(above: bool, language: Option<&str>) -> &'static str {
    match (language.and_then(|language| language.split('-').next()), above) {
        (Some("fr"), true) => "ci-dessus",
        (Some("fr"), false) => "ci-dessous",
        (Some("ar"), true) => "أعلاه",
        (Some("ar"), false) => "أدناه",
        (_, true) => "above",
        (_, false) => "below",
    }
}
