//! Filling of fields of the template in the codes of Word's fields.

use std::ops::Range;

use quick_xml::escape::{escape, partial_escape};
use waraq_rules::is_empty;

use super::attributes::LinkTarget;
use super::bidi::is_direction_control;
use super::field_codes::{CodeSlot, CodeWord, ScannedCode, SlotSource, is_quote};
use super::fill::PartFiller;
use super::scan::{Index, TextCell};
use crate::tree::FieldNumber;

/// The place of a value in a field code. It decides how the value is written.
enum CodePlace {
    /// Between quotation marks.
    Quoted,
    /// In a formula, outside quotation marks.
    Formula,
    /// In the target of a link.
    LinkTarget(LinkTarget),
    /// In the text of a button, which has no quotation marks.
    Verbatim,
}

impl PartFiller<'_, '_> {
    /// Fills the fields of the template in a field code.
    ///
    /// A value in quotation marks is escaped. A value outside them gets quotation marks, so that it is one word and never
    /// a switch, an operator or a part of a formula.
    pub(super) fn fill_code(&mut self, code: &ScannedCode) {
        if let Some(asked) = &code.asked {
            let text = self.value_of(&asked.name).text;
            let set = format!(" SET {} \"{}\" ", asked.bookmark, quoted(&text));
            self.replace_code_cells(code, 0..code.cells.len(), &set);
            return;
        }
        let slots = code.slots();
        if code.replaced || slots.is_empty() {
            return;
        }
        let words = code.words(&slots);
        let arguments = if code.name == "=" { cells_in_parentheses(&code.cells) } else { Vec::new() };
        let mut rest = slots.as_slice();
        for (index, word) in words.iter().enumerate() {
            let count = rest.partition_point(|slot| slot.cells.start < word.cells.end);
            let Some((inside, after)) = rest.split_at_checked(count) else { return };
            rest = after;
            if !inside.is_empty() {
                self.fill_word(code, (&words, index), inside, &arguments);
            }
        }
    }

    /// Fills the fields `slots` in the word with this index. `arguments` has `true` for each cell of a formula that is
    /// inside parentheses. It is empty for other fields.
    fn fill_word(
        &mut self,
        code: &ScannedCode,
        (words, index): (&[CodeWord], usize),
        slots: &[CodeSlot],
        arguments: &[bool],
    ) {
        let (Some(word), Some(first)) = (words.get(index), slots.first()) else { return };
        let is_condition = matches!(code.name.as_str(), "IF" | "COMPARE") && index < 4;
        let is_formula = code.name == "=";
        let is_target = code.name == "HYPERLINK" && !follows_link_switch(code, words, index);
        let is_verbatim = code.has_macro();
        let wrap = !word.quoted && !is_formula && !is_target && !is_verbatim;
        if wrap {
            self.escape_word(code, &word.cells, slots);
        }
        let place = match () {
            () if is_target => {
                let cells = word.cells.start + usize::from(word.quoted)..word.cells.end;
                CodePlace::LinkTarget(LinkTarget::new(&code.cells, cells, first.cells.start))
            }
            () if is_verbatim => CodePlace::Verbatim,
            () if is_formula && !word.quoted => CodePlace::Formula,
            () => CodePlace::Quoted,
        };
        for (at, slot) in slots.iter().enumerate() {
            let value = self.slot_text(code, slot, is_condition || is_formula || is_target);
            let mut text = match &place {
                CodePlace::Quoted => quoted(&value),
                CodePlace::Formula => {
                    self.formula_operand(&value, arguments.get(slot.cells.start).is_some_and(|inside| *inside))
                }
                CodePlace::LinkTarget(target) => target.encode(&value, slot.cells.start),
                CodePlace::Verbatim => value,
            };
            if wrap && slot.cells.start == word.cells.start {
                text.insert(0, '"');
            }
            if wrap && slot.cells.end == word.cells.end && at + 1 == slots.len() {
                text.push('"');
            }
            self.replace_slot(code, slot, &text);
        }
    }

    /// Escapes the characters of a word around its fields, and writes the quotation marks that are not next to a field.
    fn escape_word(&mut self, code: &ScannedCode, word: &Range<Index>, slots: &[CodeSlot]) {
        for at in word.clone() {
            let slot = slots.get(slots.partition_point(|slot| slot.cells.end <= at));
            let is_in_slot = slot.is_some_and(|slot| slot.cells.contains(&at));
            let Some(cell) = code.cells.get(at).filter(|_| !is_in_slot) else { continue };
            let mut text = quoted(cell.character.encode_utf8(&mut [0; 4]));
            if at == word.start {
                text.insert(0, '"');
            }
            if at + 1 == word.end {
                text.push('"');
            }
            if text.chars().ne(std::iter::once(cell.character)) {
                self.replace_code_cells(code, at..at + 1, &text);
            }
        }
    }

    /// Returns the text that replaces a field in a code, without direction controls. If `blank_if_empty` is `true`, the
    /// text for an empty value is never a dotted line. The caller passes `true` where dots would change the result of
    /// the Word field.
    fn slot_text(&self, code: &ScannedCode, slot: &CodeSlot, blank_if_empty: bool) -> String {
        let (names, text) = match slot.source {
            SlotSource::Text(at) => {
                let name = code.fields.get(at).map(|field| field.name.clone()).unwrap_or_default();
                let text = self.value_of(&name).text;
                (vec![name], text)
            }
            SlotSource::Merge(at) => self.story.merge_fields.get(at).map_or_else(Default::default, |merge| {
                let text = self.merge_value(merge, "").map(|value| value.text).unwrap_or_default();
                (merge.content.names(), text)
            }),
        };
        let empty = names.iter().all(|name| self.values.get(name).is_none_or(is_empty));
        if blank_if_empty && empty && !names.is_empty() {
            return String::new();
        }
        text.chars().filter(|character| !is_direction_control(*character)).collect()
    }

    /// Returns a value as an operand of a formula. An empty value is 0. A value that is not a number is written in quotation
    /// marks, so that it cannot contain operators. The value is an argument (`is_argument`) if it is inside parentheses. A
    /// comma would then separate two arguments.
    fn formula_operand(&self, value: &str, is_argument: bool) -> String {
        let is_plain = value.chars().all(|character| character.is_ascii_digit() || matches!(character, '.' | ','));
        if is_empty(value) {
            return "0".to_owned();
        }
        let Some(number) = FieldNumber::from_whole_text(value.trim(), self.default_locale()) else {
            return format!("\"{}\"", quoted(value));
        };
        if is_plain && !(is_argument && value.contains(',')) {
            return value.to_owned();
        }
        let mut digits = number.value.normalize().to_string();
        // Three decimals could be read as a group of thousands.
        if digits.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 3) {
            digits.push('0');
        }
        if number.value.is_sign_negative() { format!("({digits})") } else { digits }
    }

    fn replace_slot(&mut self, code: &ScannedCode, slot: &CodeSlot, text: &str) {
        let SlotSource::Merge(at) = slot.source else {
            self.replace_code_cells(code, slot.cells.clone(), text);
            return;
        };
        let Some(merge) = self.story.merge_fields.get(at) else { return };
        let Some(first) = merge.deleted_ranges.first() else { return };
        let prefix = &merge.prefix;
        let instruction =
            format!("<{prefix}instrText xml:space=\"preserve\">{}</{prefix}instrText>", partial_escape(text));
        // A simple field stands between the runs, and a complex field inside a run.
        let markup = if merge.run.is_some() { instruction } else { format!("<{prefix}r>{instruction}</{prefix}r>") };
        self.editor.replace_range(first.clone(), markup);
        for range in merge.deleted_ranges.iter().skip(1) {
            self.editor.delete(range.clone());
        }
    }

    /// Replaces characters of a code with text. The text replaces the first character whose byte range is not empty,
    /// and the other characters are deleted.
    fn replace_code_cells(&mut self, code: &ScannedCode, cells: Range<Index>, text: &str) {
        let cells = code.cells.get(cells).unwrap_or_default();
        let mut with_bytes = cells.iter().filter(|cell| !cell.span.is_empty());
        let Some(first) = with_bytes.next() else { return };
        let markup =
            if code.in_attribute { escape(text).replace('\n', "&#10;") } else { partial_escape(text).into_owned() };
        self.editor.replace_range(first.span.clone(), markup);
        for cell in with_bytes {
            self.editor.delete(cell.span.clone());
        }
    }
}

/// Returns the text with the escapes that it needs between the quotation marks of a field code.
fn quoted(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\\' || is_quote(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn text_of(cells: &[TextCell], range: Range<Index>) -> String {
    cells.get(range).unwrap_or_default().iter().map(|cell| cell.character).collect()
}

/// Returns `true` for each cell that is inside parentheses.
fn cells_in_parentheses(cells: &[TextCell]) -> Vec<bool> {
    let mut depth = 0_i64;
    let is_inside = |cell: &TextCell| {
        let is_inside = depth > 0;
        depth += i64::from(cell.character == '(') - i64::from(cell.character == ')');
        is_inside
    };
    cells.iter().map(is_inside).collect()
}

/// Returns `true` if the word is the bookmark, the tooltip or the frame of a HYPERLINK (`\l`, `\o`, `\t`).
fn follows_link_switch(code: &ScannedCode, words: &[CodeWord], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|index| words.get(index)).filter(|word| !word.quoted);
    before.is_some_and(|word| {
        matches!(text_of(&code.cells, word.cells.clone()).to_lowercase().as_str(), "\\l" | "\\o" | "\\t")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_and_backslashes_of_a_value_are_escaped() {
        assert_eq!(quoted(r#"a "b" \c “d”"#), r#"a \"b\" \\c \“d\”"#);
    }
}
