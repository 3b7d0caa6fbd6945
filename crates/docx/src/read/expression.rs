//! Field codes with fields inside: IF, COMPARE, QUOTE, SET, ASK and formulas become expressions.

use std::sync::Arc;

use super::field_code::FieldCode;
use crate::fields::value_marks;
use crate::tree::*;

/// The maximum length of a field code in bytes. The rest of a longer code is ignored.
const MAX_CODE_BYTES: usize = 20_000;
/// The maximum number of fields directly inside a field code. The results of further fields are read as text.
const MAX_INNER_FIELDS: usize = 2_000;
/// The first of the private-use characters that represent the inner fields of a code. Other occurrences of these
/// characters are removed from the text of a code.
const FIRST_PLACEHOLDER: u32 = 0xF0000;

/// The code of a field that is being read. Fields inside the code are kept apart from its text.
#[derive(Debug, Default)]
pub(crate) struct CodeText {
    /// The text. Each inner field is one character: `FIRST_PLACEHOLDER` plus the index of the field.
    text: String,
    inner: Vec<InnerField>,
    /// The code contains a drawing, a break or a table.
    has_object: bool,
}

/// A field inside the code of another field.
#[derive(Debug)]
struct InnerField {
    piece: TextPiece,
    /// The result of the field as saved in the document.
    saved: String,
}

impl From<&str> for CodeText {
    fn from(code: &str) -> Self {
        let mut text = Self::default();
        text.push_text(code);
        text
    }
}

impl CodeText {
    /// Appends text. The text ends at the maximum length of a code.
    pub(crate) fn push_text(&mut self, piece: &str) {
        let left = MAX_CODE_BYTES.saturating_sub(self.text.len());
        let end = (0..=left.min(piece.len())).rev().find(|end| piece.is_char_boundary(*end)).unwrap_or(0);
        let kept = piece.get(..end).unwrap_or_default().chars();
        self.text.extend(
            kept.filter(|character| placeholder_index(*character).is_none() && !value_marks::is_mark(*character)),
        );
    }

    /// Appends a field inside the code.
    pub(crate) fn push_field(&mut self, piece: TextPiece, saved: String) {
        let placeholder =
            u32::try_from(self.inner.len()).ok().and_then(|index| char::from_u32(FIRST_PLACEHOLDER + index));
        match placeholder {
            Some(placeholder) if self.inner.len() < MAX_INNER_FIELDS && self.text.len() < MAX_CODE_BYTES => {
                self.text.push(placeholder);
                self.inner.push(InnerField { piece, saved });
            }
            _ => self.push_text(&saved),
        }
    }

    /// Appends a drawing, a break or a table. It counts as a field inside the code whose result is not known.
    pub(crate) fn push_object(&mut self) {
        self.has_object = true;
        self.push_field(TextPiece::Unknown, String::new());
    }

    /// Returns `true` if the code contains a drawing, a break or a table.
    pub(crate) fn has_object(&self) -> bool {
        self.has_object
    }

    /// Parses the code, with the saved results of its inner fields as text.
    pub(crate) fn parse(&self) -> FieldCode {
        if self.inner.is_empty() {
            return FieldCode::parse(&self.text);
        }
        let mut text = String::new();
        for character in self.text.chars() {
            match self.inner_field(character) {
                Some(InnerField { piece: TextPiece::Known(known), .. }) => text.push_str(known),
                Some(field) => text.push_str(&field.saved),
                None => text.push(character),
            }
            if text.len() > MAX_CODE_BYTES {
                break;
            }
        }
        FieldCode::parse(&text)
    }

    /// Returns the expression that the field computes. Returns `None` if the field computes nothing or an operand is
    /// missing.
    pub(crate) fn expression(&self, origin: FieldOrigin) -> Option<ComputedField> {
        let code = FieldCode::parse(&self.text);
        let mut words = code.arguments.iter().map(String::as_str).zip(code.quoted.iter().copied());
        let operation = match code.name.as_str() {
            "IF" => {
                let condition = self.condition(&mut words)?;
                let mut next = || self.pieces(words.next().map_or("", |(word, _)| word));
                FieldOperation::If { condition, then: next(), otherwise: next() }
            }
            "COMPARE" => FieldOperation::Compare(self.condition(&mut words)?),
            "QUOTE" => FieldOperation::Quote(self.pieces(&code.arguments.join(" "))),
            "SET" => {
                let bookmark = Arc::from(code.first_argument()?);
                let text = code.arguments.get(1..).unwrap_or_default().join(" ");
                FieldOperation::Set { bookmark, text: self.pieces(&text) }
            }
            "ASK" => {
                // Filling puts the value into the switch. Without it, the value is not known.
                let unknown = || ExpressionText(vec![TextPiece::Unknown]);
                let text = code.switch_value('d').map_or_else(unknown, |text| self.pieces(text));
                FieldOperation::Set { bookmark: Arc::from(code.first_argument()?), text }
            }
            name if name.starts_with('=') => FieldOperation::Formula(self.pieces(self.formula()?)),
            _ => return None,
        };
        let expression = FieldExpression { origin, operation, format: code.format() };
        Some(ComputedField::Expression(Arc::new(expression)))
    }

    /// Returns the text of a formula: the code after the equals sign, up to the first switch.
    fn formula(&self) -> Option<&str> {
        let text = self.text.trim_start().strip_prefix('=')?;
        text.split('\\').next()
    }

    /// Reads the operands and the operator of a condition. The operator may follow its left operand without a space.
    fn condition<'w>(&self, words: &mut impl Iterator<Item = (&'w str, bool)>) -> Option<Condition> {
        let mut left: Vec<(&str, bool)> = Vec::new();
        let (comparison, after) = loop {
            let (word, quoted) = words.next()?;
            match word.find(['=', '<', '>']).filter(|_| !quoted) {
                None => left.push((word, quoted)),
                Some(at) => {
                    let (before, rest) = word.split_at(at);
                    if !before.is_empty() {
                        left.push((before, false));
                    }
                    let (comparison, length) = Comparison::at_start_of(rest)?;
                    break (comparison, rest.get(length..).unwrap_or_default());
                }
            }
        };
        let right = if after.is_empty() { words.next()? } else { (after, false) };
        let left = match left.as_slice() {
            [(word, quoted)] => self.operand(word, *quoted),
            several => {
                self.operand(&several.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" "), several.is_empty())
            }
        };
        Some(Condition { left, comparison, right: self.operand(right.0, right.1) })
    }

    fn operand(&self, word: &str, quoted: bool) -> Operand {
        Operand { text: self.pieces(word), quoted }
    }

    /// Splits a word of the code into texts and inner fields.
    fn pieces(&self, word: &str) -> ExpressionText {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        for character in word.chars() {
            match self.inner_field(character) {
                None => literal.push(character),
                Some(field) => {
                    if !literal.is_empty() {
                        pieces.push(TextPiece::Literal(std::mem::take(&mut literal)));
                    }
                    pieces.push(field.piece.clone());
                }
            }
        }
        if !literal.is_empty() {
            pieces.push(TextPiece::Literal(literal));
        }
        ExpressionText(pieces)
    }

    fn inner_field(&self, placeholder: char) -> Option<&InnerField> {
        self.inner.get(placeholder_index(placeholder)?)
    }
}

/// Returns the index of an inner field from its placeholder character. Returns `None` for other characters.
fn placeholder_index(character: char) -> Option<usize> {
    let index = usize::try_from(u32::from(character).checked_sub(FIRST_PLACEHOLDER)?).ok()?;
    (index < MAX_INNER_FIELDS).then_some(index)
}

/// Returns `true` if a field with this name is an expression of other fields and texts.
pub(crate) fn is_expression(name: &str) -> bool {
    matches!(name, "IF" | "COMPARE" | "QUOTE" | "SET" | "ASK") || name.starts_with('=')
}
