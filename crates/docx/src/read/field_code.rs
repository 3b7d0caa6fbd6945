//! Parsing of field codes (§17.16).

use waraq_rules::format::{Calendar, FieldFormat};

/// A parsed field code. `PAGEREF _Toc123 \h` has the name PAGEREF, one argument, and the switch h.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FieldCode {
    /// The name of the field in upper case.
    pub name: String,
    /// The name as it is written. It is the name of a bookmark if Word has no field with this name.
    pub written_name: String,
    pub arguments: Vec<String>,
    /// For each argument, `true` if it is in quotation marks.
    pub quoted: Vec<bool>,
    /// The switches: the lower-case character after the backslash, and the value if the switch takes one.
    pub switches: Vec<(char, Option<String>)>,
}

impl FieldCode {
    pub(crate) fn parse(code: &str) -> Self {
        let mut words = CodeWords { rest: code }.peekable();
        let written_name = words.next().map(|word| word.text).unwrap_or_default();
        let mut parsed = Self { name: written_name.to_uppercase(), written_name, ..Self::default() };
        while let Some(word) = words.next() {
            let switch = word.text.strip_prefix('\\').filter(|_| !word.quoted).and_then(|rest| rest.chars().next());
            match switch {
                Some(letter) => {
                    // A format such as `\*Upper` may follow its switch without a space.
                    let attached = word.text.get(1 + letter.len_utf8()..).filter(|value| !value.is_empty());
                    let attached = attached.filter(|_| matches!(letter, '*' | '#' | '@')).map(str::to_owned);
                    let letter = letter.to_ascii_lowercase();
                    let value = if !takes_value(&parsed.name, letter) {
                        None
                    } else if attached.is_some() {
                        attached
                    } else {
                        words.next_if(|next| next.quoted || !next.text.starts_with('\\')).map(|next| next.text)
                    };
                    parsed.switches.push((letter, value));
                }
                None => {
                    parsed.quoted.push(word.quoted);
                    parsed.arguments.push(word.text);
                }
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

    /// Returns `true` if a REF field shows the text of its bookmark. Returns `false` if it shows a number, a position or
    /// a part of the text.
    pub(crate) fn shows_text(&self) -> bool {
        !['r', 'n', 'w', 'p', 'f', 'd', 't'].into_iter().any(|letter| self.has_switch(letter))
    }

    /// Returns `true` if a REF field shows the text of its bookmark, and no switch changes the text.
    pub(crate) fn shows_plain_text(&self) -> bool {
        self.shows_text()
            && !['#', '@'].into_iter().any(|letter| self.has_switch(letter))
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

    /// Returns the format switches of the field: `\*`, `\#`, `\@` and the calendar of a date field (`\h` and `\u`).
    pub(crate) fn format(&self) -> FieldFormat {
        let is_date = matches!(self.name.as_str(), "DATE" | "TIME" | "CREATEDATE" | "SAVEDATE" | "PRINTDATE");
        let calendar = match is_date {
            true if self.has_switch('h') => Calendar::Hijri,
            true if self.has_switch('u') => Calendar::UmmAlQura,
            _ => Calendar::Gregorian,
        };
        FieldFormat {
            general: self.formats().map(str::to_owned).collect(),
            number_picture: self.switch_value('#').map(str::to_owned),
            date_picture: self.switch_value('@').map(str::to_owned),
            calendar,
        }
    }

    fn formats(&self) -> impl Iterator<Item = &str> {
        self.switches.iter().filter(|(letter, _)| *letter == '*').filter_map(|(_, value)| value.as_deref())
    }
}

/// Returns `true` if the switch `letter` of this field takes a value.
fn takes_value(field: &str, letter: char) -> bool {
    match letter {
        '*' | '@' | '#' => true,
        'l' | 'o' if field == "HYPERLINK" => true,
        't' => matches!(field, "HYPERLINK" | "TOC"),
        'r' | 's' if field == "SEQ" => true,
        'b' | 'f' if field == "MERGEFIELD" => true,
        'c' | 'e' | 'f' | 'l' if matches!(field, "ADDRESSBLOCK" | "GREETINGLINE") => true,
        'd' if matches!(field, "ASK" | "FILLIN") => true,
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
        if is_quotation_mark(first) {
            let mut characters = self.rest.char_indices().skip(1);
            while let Some((_, character)) = characters.next() {
                match character {
                    mark if is_quotation_mark(mark) => break,
                    '\\' => text.extend(characters.next().map(|(_, quoted)| quoted)),
                    other => text.push(other),
                }
            }
            self.rest = characters.next().map_or("", |(place, _)| self.rest.get(place..).unwrap_or(""));
            return Some(CodeWord { text, quoted: true });
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || is_quotation_mark(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(CodeWord { text: word.to_owned(), quoted: false })
    }
}

/// Returns `true` for the quotation marks of a field code.
pub(crate) fn is_quotation_mark(character: char) -> bool {
    matches!(character, '"' | '“' | '”')
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
        let code = FieldCode::parse("PAGE \\*roman");
        assert_eq!(code.format().general, ["roman"]);
        let code = FieldCode::parse("IF a=\"b c\" \"\" d");
        assert_eq!(
            (code.arguments, code.quoted),
            (vec!["a=".into(), "b c".into(), String::new(), "d".into()], vec![false, true, true, false])
        );
        let code = FieldCode::parse("IF a=“b c” “d” \\*“Upper”");
        assert_eq!(code.arguments, ["a=", "b c", "d"]);
        assert_eq!(code.format().general, ["Upper"]);
        assert_eq!(FieldCode::parse("").name, "");
        assert_eq!(FieldCode::parse("\"unclosed").name, "UNCLOSED");
    }
}
