//! Marks around values in a filled document that is read at once and never handed out: where each value stands.
//!
//! They are noncharacters (Unicode, chapter 23.7), which text does not have; XML allows them.

const START: char = '\u{FDD0}';
const END: char = '\u{FDD1}';
/// The digits of a number to the base of sixteen.
const ZERO: u32 = 0xFDE0;
/// More digits than the number of a field has.
const LONGEST: usize = 6;

/// What text with marks is made of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Text(&'t str),
    /// The value of a field begins: the field's number.
    Start(u32),
    End,
}

pub(crate) fn is_mark(character: char) -> bool {
    matches!(character, START | END)
}

/// What stands before the value of a field.
pub(super) fn start(field: u32) -> String {
    let digits = (0..8).rev().map(|place| field >> (place * 4)).skip_while(|rest| *rest == 0);
    let digits = digits.filter_map(|rest| char::from_u32(ZERO + (rest & 15)));
    std::iter::once(START).chain(digits).collect()
}

/// What stands after it.
pub(super) fn end() -> char {
    END
}

/// The text between the marks, and the marks.
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
            let mut field = 0;
            for _ in 0..LONGEST {
                let Some(digit) = characters.clone().next().map(u32::from).filter(|c| (ZERO..ZERO + 16).contains(c))
                else {
                    break;
                };
                characters.next();
                field = field * 16 + (digit - ZERO);
            }
            pieces.push(Piece::Start(field));
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
        let long: String = std::iter::once(START).chain(std::iter::repeat_n('\u{FDEF}', 40)).collect();
        assert_eq!(pieces(&long).len(), 2);
    }
}
