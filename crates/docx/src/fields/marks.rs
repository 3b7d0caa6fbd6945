//! Marks before and after each value in a filled document. They show the reader which text is the value of which field.
//! A document with marks is not given to users.
//!
//! The marks are noncharacters (Unicode, chapter 23.7). They do not occur in text, but XML allows them.

const START: char = '\u{FDD0}';
const END: char = '\u{FDD1}';
/// The private-use character for field number 0. After the start mark follows the character `FIRST` + field number.
const FIRST: u32 = 0xF_0000;

/// A mark, or the text between two marks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Text(&'t str),
    /// The start of a field value, with the number of the field.
    Start(u32),
    End,
}

pub(crate) fn is_mark(character: char) -> bool {
    matches!(character, START | END)
}

/// Returns the mark before the value of a field.
pub(super) fn start(field: u32) -> String {
    std::iter::once(START).chain(char::from_u32(FIRST + field)).collect()
}

/// Returns the mark after the value of a field.
pub(super) fn end() -> char {
    END
}

/// Splits text into marks and the text between them.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_mark) {
        let (before, from) = rest.split_at(at);
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        let mut characters = from.chars();
        if characters.next() == Some(END) {
            pieces.push(Piece::End);
        } else {
            let number = characters.clone().next().and_then(|number| u32::from(number).checked_sub(FIRST));
            if number.is_some() {
                characters.next();
            }
            pieces.push(Piece::Start(number.unwrap_or(0)));
        }
        rest = characters.as_str();
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for field in [0, 1, 15, 16, 255, 300, 0xFFFF] {
            let text = format!("Dear {}Zo\u{eb}{}, hello", start(field), end());
            let expected = [
                Piece::Text("Dear "),
                Piece::Start(field),
                Piece::Text("Zo\u{eb}"),
                Piece::End,
                Piece::Text(", hello"),
            ];
            assert_eq!(pieces(&text), expected);
        }
    }

    #[test]
    fn a_document_that_has_such_characters_of_its_own_breaks_nothing() {
        assert_eq!(pieces("a\u{FDD1}\u{FDD0}"), [Piece::Text("a"), Piece::End, Piece::Start(0)]);
        assert_eq!(pieces("\u{FDD0}a"), [Piece::Start(0), Piece::Text("a")]);
    }
}
