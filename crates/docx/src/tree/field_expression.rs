//! Fields that are computed from other fields and texts: IF, COMPARE, QUOTE, SET and formulas (ECMA-376 part 1,
//! §17.16.5).

use std::cmp::Ordering;
use std::sync::Arc;

use jiff::civil::DateTime;
use rust_decimal::Decimal;
use waraq_rules::format::{DefaultPicture, FieldFormat, Locale};

use super::field_number::FieldNumber;
use super::formula::{self, CellSelection, FormulaFailure};
use super::{ComputedField, FieldOrigin, LengthUnit, NumberFormat, StyleReference};

/// The maximum nesting depth of computed fields, and of bookmark texts that contain computed fields.
pub(super) const MAX_DEPTH: usize = 16;
/// The maximum length in bytes of the text of one field. A longer text is not shown.
const MAX_TEXT_BYTES: usize = 100_000;
/// The maximum length in bytes of a text that is compared with a pattern that has wildcards.
const MAX_WILDCARD_BYTES: usize = 2_000;
/// Number of work units that are counted for one field. The work for the texts in the field is counted separately.
const WORK_PER_FIELD: usize = 4;

/// A field that is computed from other fields and texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldExpression {
    /// The identity of the field.
    pub origin: FieldOrigin,
    /// The operation and its operands.
    pub operation: FieldOperation,
    /// The format of the result.
    pub format: FieldFormat,
}

/// The operation of a [`FieldExpression`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldOperation {
    /// Shows one of two texts (IF).
    If {
        /// The condition that selects the text.
        condition: Condition,
        /// The text that is shown if the condition is true.
        then: ExpressionText,
        /// The text that is shown if the condition is false.
        otherwise: ExpressionText,
    },
    /// Shows 1 if the condition is true, and 0 if it is false (COMPARE).
    Compare(Condition),
    /// Shows the text (QUOTE).
    Quote(ExpressionText),
    /// Shows nothing, and defines the text of a bookmark for the fields that follow (SET, ASK).
    Set {
        /// The name of the bookmark.
        bookmark: Arc<str>,
        /// The new text of the bookmark.
        text: ExpressionText,
    },
    /// Shows the result of a formula (=). The text does not include the equals sign.
    Formula(ExpressionText),
}

/// A comparison of two operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The operand before the operator.
    pub left: Operand,
    /// The operator.
    pub comparison: Comparison,
    /// The operand after the operator. With `=` and `<>`, it may contain the wildcards `?` and `*`.
    pub right: Operand,
}

/// An operand of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The text of the operand.
    pub text: ExpressionText,
    /// The operand is in quotation marks. Without quotation marks, it may be the name of a bookmark.
    pub quoted: bool,
}

/// The operator of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the operator at the start of a text, and the number of its bytes.
    pub(crate) fn at_start_of(text: &str) -> Option<(Self, usize)> {
        let two = match text.get(..2) {
            Some("<>") => Some(Self::NotEqual),
            Some("<=" | "=<") => Some(Self::LessOrEqual),
            Some(">=" | "=>") => Some(Self::GreaterOrEqual),
            _ => None,
        };
        two.map(|operator| (operator, 2)).or_else(|| match text.chars().next()? {
            '=' => Some((Self::Equal, 1)),
            '<' => Some((Self::Less, 1)),
            '>' => Some((Self::Greater, 1)),
            _ => None,
        })
    }

    /// Returns whether the comparison is true. `order` is the order of the left operand relative to the right operand.
    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// A text with fields in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpressionText(pub Vec<TextPiece>);

/// A piece of an [`ExpressionText`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPiece {
    /// Text of the field code.
    Literal(String),
    /// The result of an inner field that does not change.
    Known(String),
    /// An inner field that is computed.
    Computed(ComputedField),
    /// An inner field whose result is not known, such as a merge field that is not filled.
    Unknown,
}

/// The number of a page, with the number format of its section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageNumber {
    /// The number. `None`: only the printed number is known.
    pub number: Option<u32>,
    /// The number as it is printed in the format of the section.
    pub label: String,
}

/// The data that computed fields show. `None` means that a value is not known; the field then has no result.
pub trait FieldContext {
    /// Counts work in units. Returns `false` if no more work may be done.
    fn spend(&self, work: usize) -> bool;
    /// Returns the language and country of the field.
    fn locale(&self) -> Locale<'_>;
    /// Returns the number of the page that shows the field.
    fn page(&self) -> Option<PageNumber>;
    /// Returns the number of pages of the document.
    fn page_count(&self) -> Option<usize>;
    /// Returns the number of pages of the section that shows the field.
    fn section_page_count(&self) -> Option<usize>;
    /// Returns the number of the section that shows the field, from 1.
    fn section_number(&self) -> Option<usize>;
    /// Returns the number of the page on which a bookmark begins.
    fn bookmark_page(&self, bookmark: &str) -> Option<PageNumber>;
    /// Returns the text of a bookmark.
    fn bookmark_text(&self, bookmark: &str) -> Option<Arc<str>>;
    /// Returns the number of the paragraph in which a bookmark begins. `field` is a [`ComputedField::ReferenceNumber`].
    fn paragraph_number(&self, field: &ComputedField) -> Option<String>;
    /// Returns the mark of the note whose reference is in a bookmark.
    fn note_mark(&self, bookmark: &str) -> Option<String>;
    /// Returns the text that a STYLEREF field shows.
    fn style_text(&self, reference: &StyleReference) -> Option<String>;
    /// Returns the numbers in cells of a table, in the order in which the field reads them. A cell without a number
    /// gives `None`. `table` is the name of a bookmark in the table. If `table` is `None`, the table is the one that
    /// contains the field.
    fn cell_numbers(&self, table: Option<&str>, cells: CellSelection) -> Option<Vec<Option<FieldNumber>>>;
    /// Returns the current local date and time.
    fn now(&self) -> Option<DateTime>;
    /// Converts a date and time from UTC to local time.
    fn local_time(&self, utc: DateTime) -> DateTime;
    /// Returns the number of words or characters of the body.
    fn text_length(&self, unit: LengthUnit) -> Option<usize>;
    /// Returns the name of the file.
    fn file_name(&self) -> Option<&str>;
}

impl ComputedField {
    /// Returns the text of the field. Returns `None` if a value that the field needs is not known, or if the field
    /// exceeds a limit.
    pub fn text(&self, context: &dyn FieldContext) -> Option<String> {
        field_text(self, context, 0)
    }
}

impl FieldExpression {
    /// Returns the fields directly inside this field.
    pub fn fields(&self) -> impl Iterator<Item = &ComputedField> {
        self.pieces().filter_map(|piece| match piece {
            TextPiece::Computed(field) => Some(field),
            _ => None,
        })
    }

    /// Returns `true` if the result of a field inside this field is not known.
    pub fn has_unknown_field(&self) -> bool {
        let inner = |field: &ComputedField| matches!(field, ComputedField::Expression(it) if it.has_unknown_field());
        self.pieces().any(|piece| *piece == TextPiece::Unknown) || self.fields().any(inner)
    }

    /// Returns the name of the field, such as `IF`.
    pub fn name(&self) -> &'static str {
        match self.operation {
            FieldOperation::If { .. } => "IF",
            FieldOperation::Compare(_) => "COMPARE",
            FieldOperation::Quote(_) => "QUOTE",
            FieldOperation::Set { .. } => "SET",
            FieldOperation::Formula(_) => "=",
        }
    }

    /// Returns the text that the field gives to a bookmark. Returns `None` if the field is no SET field, or if its text
    /// is not known.
    pub fn assigned_text(&self, context: &dyn FieldContext) -> Option<String> {
        let FieldOperation::Set { text, .. } = &self.operation else { return None };
        text.evaluate(context, 1).map(|text| self.format.format_text(&text, context.locale()))
    }

    fn pieces(&self) -> impl Iterator<Item = &TextPiece> {
        let texts = match &self.operation {
            FieldOperation::If { condition, then, otherwise } => {
                [Some(&condition.left.text), Some(&condition.right.text), Some(then), Some(otherwise)]
            }
            FieldOperation::Compare(condition) => [Some(&condition.left.text), Some(&condition.right.text), None, None],
            FieldOperation::Quote(text) | FieldOperation::Set { text, .. } | FieldOperation::Formula(text) => {
                [Some(text), None, None, None]
            }
        };
        texts.into_iter().flatten().flat_map(|text| &text.0)
    }

    fn text(&self, context: &dyn FieldContext, depth: usize) -> Option<String> {
        let locale = context.locale();
        match &self.operation {
            FieldOperation::If { condition, then, otherwise } => {
                let shown = if condition.is_true(context, depth)? { then } else { otherwise };
                Some(self.format.format_text(&shown.evaluate(context, depth)?, locale))
            }
            FieldOperation::Compare(condition) => {
                Some(self.format.format_number(Decimal::from(u8::from(condition.is_true(context, depth)?)), locale))
            }
            FieldOperation::Quote(text) => Some(self.format.format_text(&text.evaluate(context, depth)?, locale)),
            FieldOperation::Set { .. } => Some(String::new()),
            FieldOperation::Formula(text) => match formula::evaluate(text, context, depth) {
                Ok(number) if chooses_number_format(&self.format) => {
                    Some(self.format.format_number(number.value, locale))
                }
                Ok(number) => Some(self.format.format_text(&number.default_text(locale), locale)),
                Err(FormulaFailure::Message(message)) => Some(message),
                Err(FormulaFailure::Unknown) => None,
            },
        }
    }
}

impl ExpressionText {
    /// Returns the text with the results of its fields. Returns `None` if a result is not known, or if the text is too
    /// long.
    pub(super) fn evaluate(&self, context: &dyn FieldContext, depth: usize) -> Option<String> {
        let mut text = String::new();
        for piece in &self.0 {
            text.push_str(&piece.evaluate(context, depth)?);
            if text.len() > MAX_TEXT_BYTES {
                return None;
            }
        }
        context.spend(1 + text.len() / 64).then_some(text)
    }
}

impl TextPiece {
    /// Returns the text of the piece. Returns `None` if it is not known.
    pub(super) fn evaluate(&self, context: &dyn FieldContext, depth: usize) -> Option<String> {
        match self {
            Self::Literal(text) | Self::Known(text) => Some(text.clone()),
            Self::Computed(field) => field_text(field, context, depth + 1),
            Self::Unknown => None,
        }
    }
}

impl Operand {
    fn evaluate(&self, context: &dyn FieldContext, depth: usize) -> Option<String> {
        if let ([TextPiece::Literal(name)], false) = (self.text.0.as_slice(), self.quoted)
            && let Some(text) = context.bookmark_text(name)
        {
            return Some(text.to_string());
        }
        self.text.evaluate(context, depth)
    }
}

impl Condition {
    fn is_true(&self, context: &dyn FieldContext, depth: usize) -> Option<bool> {
        let (left, right) = (self.left.evaluate(context, depth)?, self.right.evaluate(context, depth)?);
        let equality = matches!(self.comparison, Comparison::Equal | Comparison::NotEqual);
        if equality && right.contains(['?', '*']) && left.len().max(right.len()) <= MAX_WILDCARD_BYTES {
            context.spend(left.len().saturating_mul(right.len()) / 64).then_some(())?;
            return Some(matches_wildcards(&left, &right) == (self.comparison == Comparison::Equal));
        }
        let locale = context.locale();
        let numbers = FieldNumber::from_whole_text(&left, locale).zip(FieldNumber::from_whole_text(&right, locale));
        Some(self.comparison.holds(match numbers {
            Some((left, right)) => left.value.cmp(&right.value),
            None => left.cmp(&right),
        }))
    }
}

/// Returns whether a text matches a pattern, in which `?` stands for one character and `*` for any number of characters.
fn matches_wildcards(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut in_pattern) = (0, 0);
    // The position after the last `*` in the pattern, and the position in the text where its match ends.
    let mut retry = None;
    while let Some(character) = text.get(at) {
        match pattern.get(in_pattern) {
            Some('*') => {
                in_pattern += 1;
                retry = Some((in_pattern, at));
            }
            Some(wanted) if *wanted == '?' || wanted == character => (at, in_pattern) = (at + 1, in_pattern + 1),
            _ => {
                let Some((after_star, end)) = retry else { return false };
                (at, in_pattern) = (end + 1, after_star);
                retry = Some((after_star, end + 1));
            }
        }
    }
    pattern.get(in_pattern..).unwrap_or_default().iter().all(|rest| *rest == '*')
}

/// Returns the text of a field. `depth` is the number of fields around it.
fn field_text(field: &ComputedField, context: &dyn FieldContext, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH || !context.spend(WORK_PER_FIELD) {
        return None;
    }
    let locale = context.locale();
    match field {
        ComputedField::Page(format) => Some(page_number_text(&context.page()?, format, locale)),
        ComputedField::Pages(format) => Some(count_text(context.page_count()?, format, locale)),
        ComputedField::SectionPages(format) => Some(count_text(context.section_page_count()?, format, locale)),
        ComputedField::Section(format) => Some(count_text(context.section_number()?, format, locale)),
        ComputedField::PageReference { bookmark, format, .. } => {
            Some(page_number_text(&context.bookmark_page(bookmark)?, format, locale))
        }
        ComputedField::Reference { bookmark, format, .. } => {
            Some(format.format_text(&context.bookmark_text(bookmark)?, locale))
        }
        ComputedField::ReferenceNumber { .. } => context.paragraph_number(field),
        ComputedField::NoteReference { bookmark, format, .. } => {
            Some(format.format_text(&context.note_mark(bookmark)?, locale))
        }
        ComputedField::Date(format) => Some(format.format_date(context.now()?, DefaultPicture::Date, locale)),
        ComputedField::Time(format) => Some(format.format_date(context.now()?, DefaultPicture::Time, locale)),
        ComputedField::DocumentDate { date, format, .. } => {
            Some(format.format_date(context.local_time(*date), DefaultPicture::DateTime, locale))
        }
        ComputedField::Property { value, format, .. } => {
            Some(value.text(format, locale, &|utc| context.local_time(utc)))
        }
        ComputedField::FileName { format, .. } => Some(format.format_text(context.file_name()?, locale)),
        ComputedField::TextLength { unit, format } => Some(count_text(context.text_length(*unit)?, format, locale)),
        ComputedField::StyleReference(reference) => context.style_text(reference),
        ComputedField::Expression(expression) => expression.text(context, depth),
    }
}

fn count_text(count: usize, format: &FieldFormat, locale: Locale<'_>) -> String {
    if chooses_number_format(format) {
        return format.format_number(Decimal::from(count), locale);
    }
    format.format_text(&count.to_string(), locale)
}

/// Returns the number of a page in the format of the field. If the field does not choose a number format, the number
/// has the number format of its section.
fn page_number_text(page: &PageNumber, format: &FieldFormat, locale: Locale<'_>) -> String {
    match page.number {
        Some(number) if chooses_number_format(format) => format.format_number(Decimal::from(number), locale),
        _ => format.format_text(&page.label, locale),
    }
}

/// Returns `true` if the format determines how a number is written. Returns `false` if the format can change only the
/// letter case, or changes nothing.
pub(crate) fn chooses_number_format(format: &FieldFormat) -> bool {
    const TEXT_FORMATS: [&str; 6] = ["upper", "lower", "firstcap", "caps", "mergeformat", "charformat"];
    format.number_picture.is_some()
        || format.general.iter().any(|name| !TEXT_FORMATS.contains(&name.to_ascii_lowercase().as_str()))
}

impl PageNumber {
    /// Creates the number of a page in the number format of its section.
    pub fn new(number: u32, format: NumberFormat, language: Option<&str>) -> Self {
        Self { number: Some(number), label: format.format_number(i64::from(number), language) }
    }
}
