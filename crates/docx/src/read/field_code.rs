//! Parsing of field codes (§17.16).

use super::values::parse_enum;
use crate::tree::{NumberFormat, capitalize_first};

/// A parsed field code. `PAGEREF _Toc123 \h` has the name PAGEREF, one argument, and the switch h.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FieldCode {
    /// The name of the field in upper case.
    pub name: String,
    pub arguments: Vec<String>,
    /// The switches: the lower-case character after the backslash, and the value if the switch takes one.
    pub switches: Vec<(char, Option<String>)>,
}

impl FieldCode {
    pub(crate) fn parse(code: &str) -> Self {
        let mut words = CodeWords { rest: code }.peekable();
        let mut parsed =
            Self { name: words.next().map(|word| word.text.to_uppercase()).unwrap_or_default(), ..Self::default() };
        while let Some(word) = words.next() {
            let switch = word.text.strip_prefix('\\').filter(|_| !word.quoted).and_then(|rest| rest.chars().next());
            match switch {
                Some(letter) => {
                    let letter = letter.to_ascii_lowercase();
                    let value = if takes_value(&parsed.name, letter) {
                        words.next_if(|next| next.quoted || !next.text.starts_with('\\')).map(|next| next.text)
                    } else {
                        None
                    };
                    parsed.switches.push((letter, value));
                }
                None => parsed.arguments.push(word.text),
            }
        }
        parsed
    }

    pub(crate) fn has_switch(&self, letter: char) -> bool {
        self.switches.iter().any(|(known, _)| *known == letter)
    }

    pub(crate) fn switch_value(&self, letter: char) -> Option<&str> {
        self.switches.iter().find(|(known, value)| *known == letter && value.is_some())?.1.as_deref()
    }

    pub(crate) fn first_argument(&self) -> Option<&str> {
        self.arguments.first().map(String::as_str)
    }

    /// Returns `true` if a REF field shows the unchanged text of its bookmark. Returns `false` if it shows a number, a
    /// position or a part of the text, or changes the case.
    pub(crate) fn shows_plain_text(&self) -> bool {
        !['r', 'n', 'w', 'p', 'f', 'd', 't'].into_iter().any(|letter| self.has_switch(letter))
            && self.switches.iter().filter(|(letter, _)| *letter == '*').all(|(_, value)| {
                value.as_deref().is_some_and(|value| {
                    value.eq_ignore_ascii_case("MERGEFORMAT") || value.eq_ignore_ascii_case("CHARFORMAT")
                })
            })
    }

    /// Returns `true` if a REF field shows only the paragraph number of its bookmark, or "above" or "below".
    pub(crate) fn shows_number(&self) -> bool {
        let plain = |(letter, _): &&(char, Option<String>)| matches!(letter, 'r' | 'n' | 'w' | 'p' | 'h' | '*');
        ['r', 'n', 'w', 'p'].into_iter().any(|letter| self.has_switch(letter))
            && self.switches.iter().filter(plain).count() == self.switches.len()
    }

    fn formats(&self) -> impl Iterator<Item = &str> {
        self.switches.iter().filter(|(letter, _)| *letter == '*').filter_map(|(_, value)| value.as_deref())
    }

    /// Returns the number format of a switch such as `\* roman`. Returns `None` without such a switch. Names are
    /// case-sensitive (§17.16.4.3.1).
    pub(crate) fn number_format(&self) -> Option<NumberFormat> {
        self.formats().find_map(|format| {
            Some(match format {
                "Arabic" | "ARABIC" | "arabic" => NumberFormat::Decimal,
                "ArabicDash" => NumberFormat::NumberInDash,
                "roman" => NumberFormat::LowerRoman,
                "Roman" | "ROMAN" => NumberFormat::UpperRoman,
                "alphabetic" => NumberFormat::LowerLetter,
                "Alphabetic" | "ALPHABETIC" => NumberFormat::UpperLetter,
                "Ordinal" | "ordinal" => NumberFormat::Ordinal,
                "CardText" | "Cardtext" | "cardtext" => NumberFormat::CardinalText,
                "OrdText" | "Ordtext" | "ordtext" => NumberFormat::OrdinalText,
                "Hex" | "hex" => NumberFormat::Hex,
                "ARABICABJAD" | "ArabicAbjad" => NumberFormat::ArabicAbjad,
                "ARABICALPHA" | "ArabicAlpha" => NumberFormat::ArabicAlpha,
                "HEBREW1" => NumberFormat::Hebrew1,
                "HEBREW2" => NumberFormat::Hebrew2,
                "CHICAGO" => NumberFormat::Chicago,
                "GB2" => NumberFormat::DecimalEnclosedParen,
                "CIRCLENUM" => NumberFormat::DecimalEnclosedCircle,
                other => parse_enum(other).filter(|named| *named != NumberFormat::Decimal)?,
            })
        })
    }

    /// Applies case switches such as `\* Upper` or `\* FirstCap` to a text.
    pub(crate) fn change_case(&self, text: String) -> String {
        self.formats().fold(text, |text, format| match format.to_ascii_lowercase().as_str() {
            "upper" => text.to_uppercase(),
            "lower" => text.to_lowercase(),
            "firstcap" => capitalize_first(&text),
            "caps" => text.split_inclusive(' ').map(capitalize_first).collect(),
            _ => text,
        })
    }
}

/// Returns `true` if the switch `letter` of this field takes a value.
fn takes_value(field: &str, letter: char) -> bool {
    match letter {
        '*' | '@' | '#' => true,
        'l' | 'o' if field == "HYPERLINK" => true,
        't' => field == "HYPERLINK",
        'r' | 's' => matches!(field, "SEQ"),
        'f' | 'j' => field == "SYMBOL",
        _ => matches!(field, "TOC" | "INDEX" | "TOA"),
    }
}

struct CodeWord {
    text: String,
    quoted: bool,
}

/// Iterator over the words of a field code. Words are separated by white space. Quotation marks, also typographic ones,
/// keep words together; a backslash escapes a character inside them.
struct CodeWords<'c> {
    rest: &'c str,
}

impl Iterator for CodeWords<'_> {
    type Item = CodeWord;

    fn next(&mut self) -> Option<CodeWord> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        let mut text = String::new();
        if matches!(first, '"' | '“' | '”') {
            let mut characters = self.rest.char_indices().skip(1);
            while let Some((_, character)) = characters.next() {
                match character {
                    '"' | '“' | '”' => break,
                    '\\' => text.extend(characters.next().map(|(_, quoted)| quoted)),
                    other => text.push(other),
                }
            }
            self.rest = characters.next().map_or("", |(place, _)| self.rest.get(place..).unwrap_or(""));
            return Some(CodeWord { text, quoted: true });
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(CodeWord { text: word.to_owned(), quoted: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_codes_are_parsed_into_name_arguments_and_switches() {
        let code = FieldCode::parse(r#" HYPERLINK \l "_Toc 1" \h "#);
        assert_eq!(
            (code.name.as_str(), code.switch_value('l'), code.has_switch('h')),
            ("HYPERLINK", Some("_Toc 1"), true)
        );
        let code = FieldCode::parse(r#"DATE \@ "d MMMM yyyy" \* MERGEFORMAT"#);
        assert_eq!(code.switch_value('@'), Some("d MMMM yyyy"));
        let code = FieldCode::parse(r#"HYPERLINK "file:///C:\\a\\b""#);
        assert_eq!(code.first_argument(), Some(r"file:///C:\a\b"));
        let code = FieldCode::parse("PAGE \\* roman");
        assert_eq!(code.number_format(), Some(NumberFormat::LowerRoman));
        assert_eq!(FieldCode::parse("").name, "");
        assert_eq!(FieldCode::parse("\"unclosed").name, "UNCLOSED");
    }
}
