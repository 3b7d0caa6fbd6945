//! Marks before and after each value in a filled document. They tell [`crate::read()`] which text is the value of which
//! field. A document with marks is not given to users.
//!
//! The marks are noncharacters (Unicode, chapter 23.7). They do not occur in text, but XML allows them.

const START: char = '\u{FDD0}';
const END: char = '\u{FDD1}';
/// The private-use character that represents the field with index 0. After the character `START`, the mark has the
/// character `FIRST_FIELD` + index of the field.
const FIRST_FIELD: u32 = 0xF_0000;

/// A mark, or the text between two marks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MarkedSegment<'t> {
    Text(&'t str),
    /// The mark before a value, with the index of the field in the list of fields.
    Start(u32),
    End,
}

pub(crate) fn is_mark(character: char) -> bool {
    matches!(character, START | END)
}

/// Returns the mark before the value of a field.
pub(super) fn start_mark(field: u32) -> String {
    std::iter::once(START).chain(char::from_u32(FIRST_FIELD + field)).collect()
}

/// Returns the mark after the value of a field.
pub(super) fn end_mark() -> char {
    END
}

/// Splits text into marks and the text between them.
pub(crate) fn split_at_marks(text: &str) -> Vec<MarkedSegment<'_>> {
    let mut segments = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_mark) {
        let (before, from) = rest.split_at(at);
        if !before.is_empty() {
            segments.push(MarkedSegment::Text(before));
        }
        let mut characters = from.chars();
        if characters.next() == Some(END) {
            segments.push(MarkedSegment::End);
        } else {
            let number = characters.clone().next().and_then(|number| u32::from(number).checked_sub(FIRST_FIELD));
            if number.is_some() {
                characters.next();
            }
            segments.push(MarkedSegment::Start(number.unwrap_or(0)));
        }
        rest = characters.as_str();
    }
    if !rest.is_empty() {
        segments.push(MarkedSegment::Text(rest));
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_returns_the_field_numbers_of_the_marks() {
        for field in [0, 1, 15, 16, 255, 300, 0xFFFF] {
            let text = format!("Dear {}Zo\u{eb}{}, hello", start_mark(field), end_mark());
            let expected = [
                MarkedSegment::Text("Dear "),
                MarkedSegment::Start(field),
                MarkedSegment::Text("Zo\u{eb}"),
                MarkedSegment::End,
                MarkedSegment::Text(", hello"),
            ];
            assert_eq!(split_at_marks(&text), expected);
        }
    }

    #[test]
    fn marks_without_a_number_are_field_zero() {
        assert_eq!(
            split_at_marks("a\u{FDD1}\u{FDD0}"),
            [MarkedSegment::Text("a"), MarkedSegment::End, MarkedSegment::Start(0)]
        );
        assert_eq!(split_at_marks("\u{FDD0}a"), [MarkedSegment::Start(0), MarkedSegment::Text("a")]);
    }
}
