//! Field codes of Word that contain fields of the template, such as `IF "{{sex}}" = "F" "Madam" "Sir"`.

use std::ops::Range;

use super::matching::{self, FieldMatch};
use super::scan::{Index, TextCell};
use crate::read::field_catalogue::{FieldTreatment, treatment};
pub(super) use crate::read::field_code::is_quotation_mark as is_quote;

/// A field code that contains fields of the template.
#[derive(Debug)]
pub(super) struct ScannedCode {
    /// The name of the field in upper case.
    pub name: String,
    /// The byte offset where the field starts.
    pub start: usize,
    /// The characters of the code. A field inside the code is one placeholder character with an empty byte range.
    pub cells: Vec<TextCell>,
    /// The `{{name}}` in the code.
    pub fields: Vec<FieldMatch>,
    /// The merge fields in the code. Each entry is the index of the placeholder in `cells`, and the index in the merge
    /// fields of the part.
    pub merge_fields: Vec<(Index, Index)>,
    /// The field name and the bookmark of an ASK. `None`: the field is not an ASK.
    pub asked: Option<Asked>,
    /// A value replaces the complete field, so the code of the field is not edited. The fields in the code are only
    /// listed.
    pub replaced: bool,
    /// The code is an attribute (`w:fldSimple`).
    pub in_attribute: bool,
    pub paragraph: Option<Index>,
    pub fallback: bool,
}

/// The field of the template that an ASK asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// The normalized name of the field.
    pub name: String,
    /// The bookmark whose text is the value.
    pub bookmark: String,
}

/// A field of the template in a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeSlot {
    /// The characters that the value replaces, as indices into the cells of the code.
    pub cells: Range<Index>,
    pub source: SlotSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotSource {
    /// The index of a `{{name}}` in [`ScannedCode::fields`].
    Text(Index),
    /// The index of a merge field of the part.
    Merge(Index),
}

/// A word of a field code. Quotation marks keep words together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeWord {
    /// The characters of the word with its quotation marks, as indices into the cells of the code.
    pub cells: Range<Index>,
    pub quoted: bool,
}

/// Returns `true` if values are filled into the code of a Word field with this name. `name` is in upper case. This
/// applies to fields with a computed result, and to fields whose code contains the target of a link.
pub(super) fn is_code_filled(name: &str) -> bool {
    name == "HYPERLINK" || treatment(name) == Some(FieldTreatment::Computed)
}

impl ScannedCode {
    /// Returns the fields of the template in the code, in their order.
    pub(super) fn slots(&self) -> Vec<CodeSlot> {
        let texts = self.fields.iter().enumerate();
        let mut slots: Vec<CodeSlot> = texts
            .map(|(at, field)| CodeSlot { cells: field.cells.clone(), source: SlotSource::Text(at) })
            .chain(
                self.merge_fields
                    .iter()
                    .map(|&(cell, merge)| CodeSlot { cells: cell..cell + 1, source: SlotSource::Merge(merge) }),
            )
            .collect();
        slots.sort_by_key(|slot| slot.cells.start);
        slots
    }

    /// Returns the words of the code. A field of the template is part of one word, also if its name contains spaces.
    pub(super) fn words(&self, slots: &[CodeSlot]) -> Vec<CodeWord> {
        let compares = matches!(self.name.as_str(), "IF" | "COMPARE" | "=");
        let character = |at: Index| self.cells.get(at).map(|cell| cell.character);
        let mut slots = slots.iter().peekable();
        let mut words = Vec::new();
        let mut at = 0;
        while let Some(first) = character(at) {
            if first.is_whitespace() {
                at += 1;
                continue;
            }
            let start = at;
            let quoted = is_quote(first);
            at += usize::from(quoted);
            while let Some(character) = character(at) {
                while slots.next_if(|slot| slot.cells.end <= at).is_some() {}
                if let Some(slot) = slots.peek().filter(|slot| slot.cells.start == at) {
                    at = slot.cells.end;
                    continue;
                }
                match character {
                    '\\' if quoted => at += 1,
                    quote if quoted && is_quote(quote) => break,
                    other if !quoted && (other.is_whitespace() || is_quote(other)) => break,
                    // An operator needs no spaces around it.
                    '=' | '<' | '>' if !quoted && compares => break,
                    _ => {}
                }
                at += 1;
            }
            if at == start {
                // An operator has one or two signs: `=`, `<`, `<>`.
                let is_sign = |at: &Index| matches!(character(*at), Some('=' | '<' | '>'));
                at += 1 + usize::from(is_sign(&at) && is_sign(&(at + 1)));
            }
            at = (at + usize::from(quoted)).min(self.cells.len());
            words.push(CodeWord { cells: start..at, quoted });
        }
        words
    }

    /// Removes the fields of the template that cannot be filled: those in the name of the field, in a switch or in the
    /// name of a macro. A value must never choose which field, macro or switch the code has. A field next to a computed
    /// field, such as `{ PAGE }{{a}}`, is removed too, because quotation marks around both cannot be written. Returns the
    /// removed fields.
    pub(super) fn take_unfillable(&mut self) -> (Vec<FieldMatch>, Vec<Index>) {
        let slots = self.slots();
        let words = self.words(&slots);
        let has_macro = self.has_macro();
        let is_computed_field = |at: Index| {
            let is_slot = slots.binary_search_by_key(&at, |slot| slot.cells.start).is_ok();
            !is_slot && self.cells.get(at).is_some_and(|cell| cell.span.is_empty())
        };
        let is_unfillable = |at: Index| {
            let index = words.partition_point(|word| word.cells.end <= at);
            words.get(index).filter(|word| word.cells.contains(&at)).is_none_or(|word| {
                let starts_switch =
                    !word.quoted && self.cells.get(word.cells.start).is_some_and(|cell| cell.character == '\\');
                let has_computed_edge = self.is_quoted_when_filled(word)
                    && (is_computed_field(word.cells.start) || is_computed_field(word.cells.end - 1));
                index == 0 && self.name != "=" || index == 1 && has_macro || starts_switch || has_computed_edge
            })
        };
        let (removed, kept) = self.fields.iter().cloned().partition(|field| is_unfillable(field.cells.start));
        let (nested, kept_nested): (Vec<(Index, Index)>, Vec<_>) =
            self.merge_fields.iter().partition(|(cell, _)| is_unfillable(*cell));
        (self.fields, self.merge_fields) = (kept, kept_nested);
        (removed, nested.into_iter().map(|(_, merge)| merge).collect())
    }

    /// Returns `true` if the code names a macro or place, which is followed by a text without quotation marks.
    pub(super) fn has_macro(&self) -> bool {
        matches!(self.name.as_str(), "MACROBUTTON" | "GOTOBUTTON")
    }

    /// Returns `true` if quotation marks are written around the word when a field in it is filled. The target of a link
    /// never needs them, because its values are percent-encoded.
    pub(super) fn is_quoted_when_filled(&self, word: &CodeWord) -> bool {
        !word.quoted && self.name != "=" && self.name != "HYPERLINK" && !self.has_macro()
    }

    /// Finds the `{{name}}` in the code.
    pub(super) fn find_fields(&mut self) {
        self.fields = matching::find_fields(&self.cells, |_| false).matches;
    }

    pub(super) fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.character).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str, text: &str) -> ScannedCode {
        let cells = text.chars().map(|character| TextCell::outside_paragraphs(character, 0..1)).collect();
        let mut code = ScannedCode {
            name: name.to_owned(),
            start: 0,
            cells,
            fields: Vec::new(),
            merge_fields: Vec::new(),
            asked: None,
            replaced: false,
            in_attribute: false,
            paragraph: None,
            fallback: false,
        };
        code.find_fields();
        code
    }

    fn words(name: &str, text: &str) -> Vec<String> {
        let code = code(name, text);
        let words = code.words(&code.slots());
        let word = |word: CodeWord| code.cells[word.cells].iter().map(|cell| cell.character).collect();
        words.into_iter().map(word).collect()
    }

    #[test]
    fn words_are_split_at_spaces_quotes_and_operators() {
        assert_eq!(
            words("IF", r#" IF {{a b}}="x y" "\"q\"" z "#),
            ["IF", "{{a b}}", "=", r#""x y""#, r#""\"q\"""#, "z"]
        );
        assert_eq!(words("IF", "IF {{a}}<>{{b}}"), ["IF", "{{a}}", "<>", "{{b}}"]);
        assert_eq!(words("HYPERLINK", "HYPERLINK mailto:{{e}}?a=b"), ["HYPERLINK", "mailto:{{e}}?a=b"]);
        assert_eq!(words("QUOTE", "QUOTE “{{a}} b” \"open"), ["QUOTE", "“{{a}} b”", "\"open"]);
        assert_eq!(words("QUOTE", "QUOTE \"a\\"), ["QUOTE", "\"a\\"]);
    }

    #[test]
    fn a_value_never_chooses_the_field_a_switch_or_a_macro() {
        let removed = |name: &str, text: &str| {
            let mut code = code(name, text);
            let (removed, _) = code.take_unfillable();
            removed.into_iter().map(|field| field.name).collect::<Vec<_>>()
        };
        assert_eq!(removed("{{A}}", "{{a}} {{b}}"), ["a"]);
        assert_eq!(removed("QUOTE", r#"QUOTE {{a}} \z{{b}} \* "{{c}}""#), ["b"]);
        assert_eq!(removed("MACROBUTTON", "MACROBUTTON {{a}} {{b}}"), ["a"]);
        assert_eq!(removed("=", "={{a}}*2"), [""; 0]);
    }
}
