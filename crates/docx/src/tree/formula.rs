//! Formulas (= fields, ECMA-376 part 1, §17.16.3): arithmetic, comparisons, functions, bookmarks and table cells.

use rust_decimal::{Decimal, MathematicalOps, RoundingStrategy};

use super::field_expression::{Comparison, ExpressionText, FieldContext, TextPiece};
use super::field_number::{FieldNumber, uses_decimal_comma};

/// The maximum nesting depth of parentheses.
const MAX_NESTING: usize = 64;
/// The maximum number of tokens of a formula.
const MAX_TOKENS: usize = 10_000;
/// The highest row number that a cell reference may contain.
const MAX_CELL_NUMBER: usize = 32_767;

/// Cells of a table that a formula refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellSelection {
    /// The cells above the cell with the formula, from the nearest one.
    Above,
    /// The cells below the cell with the formula, from the nearest one.
    Below,
    /// The cells before the cell with the formula in its row, from the nearest one.
    Left,
    /// The cells after the cell with the formula in its row, from the nearest one.
    Right,
    /// The cells of a rectangle, row by row.
    Rectangle {
        /// The indices of the first and the last column, from 0. `None`: all columns.
        columns: Option<(usize, usize)>,
        /// The indices of the first and the last row, from 0. `None`: all rows.
        rows: Option<(usize, usize)>,
    },
}

/// The reason why a formula has no result.
pub(super) enum FormulaFailure {
    /// A value is not known, or a limit is exceeded.
    Unknown,
    /// The formula is wrong. Word shows this message.
    Message(String),
}

type Outcome<T> = Result<T, FormulaFailure>;

/// Evaluates a formula. `depth` is the number of fields around the formula field.
pub(super) fn evaluate(text: &ExpressionText, context: &dyn FieldContext, depth: usize) -> Outcome<FieldNumber> {
    let mut tokens = Vec::new();
    for piece in &text.0 {
        let value = piece.evaluate(context, depth).ok_or(FormulaFailure::Unknown)?;
        match piece {
            TextPiece::Literal(_) => tokenize(&value, context, &mut tokens)?,
            _ => match FieldNumber::from_whole_text(&value, context.locale()) {
                Some(number) => tokens.push(Token::Number(number)),
                None => tokenize(&value, context, &mut tokens)?,
            },
        }
    }
    if tokens.len() > MAX_TOKENS || !context.spend(tokens.len()) {
        return Err(FormulaFailure::Unknown);
    }
    let mut parser = Parser { tokens: &tokens, at: 0, nesting: 0, context };
    let number = parser.comparison()?;
    match parser.tokens.get(parser.at) {
        None => Ok(number),
        Some(token) => Err(syntax_error(token)),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(FieldNumber),
    /// The name of a function, bookmark or cell.
    Name(String),
    Operator(char),
    Comparison(Comparison),
    Open,
    Close,
    Separator,
    Colon,
}

fn syntax_error(token: &Token) -> FormulaFailure {
    let shown = match token {
        Token::Number(number) => number.value.to_string(),
        Token::Name(name) => name.clone(),
        Token::Operator(operator) => operator.to_string(),
        Token::Comparison(_) => "=".to_owned(),
        Token::Open => "(".to_owned(),
        Token::Close => ")".to_owned(),
        Token::Separator => ",".to_owned(),
        Token::Colon => ":".to_owned(),
    };
    FormulaFailure::Message(format!("!Syntax Error, {shown}"))
}

fn unexpected_end() -> FormulaFailure {
    FormulaFailure::Message("!Unexpected End of Formula".to_owned())
}

/// Splits a text into tokens and appends them to `tokens`.
fn tokenize(text: &str, context: &dyn FieldContext, tokens: &mut Vec<Token>) -> Outcome<()> {
    let mut rest = text.trim_start();
    let mut in_function = tokens.contains(&Token::Open);
    let decimal_comma = uses_decimal_comma(context.locale());
    while let Some(first) = rest.chars().next() {
        if tokens.len() > MAX_TOKENS {
            return Err(FormulaFailure::Unknown);
        }
        let mut length = first.len_utf8();
        let token = match first {
            '0'..='9' | '.' => {
                length = number_length(rest, decimal_comma, in_function);
                let digits = rest.get(..length).unwrap_or_default();
                let number = FieldNumber::from_whole_text(digits, context.locale());
                number.map(Token::Number).ok_or_else(|| FormulaFailure::Message(format!("!Syntax Error, {digits}")))?
            }
            '+' | '-' | '*' | '/' | '^' | '%' => Token::Operator(first),
            '−' => Token::Operator('-'),
            '×' => Token::Operator('*'),
            '÷' => Token::Operator('/'),
            '<' | '>' | '=' => {
                let (comparison, bytes) = Comparison::at_start_of(rest).ok_or_else(unexpected_end)?;
                length = bytes;
                Token::Comparison(comparison)
            }
            '(' => {
                in_function = true;
                Token::Open
            }
            ')' => Token::Close,
            ',' | ';' => Token::Separator,
            ':' => Token::Colon,
            _ if first.is_alphabetic() || first == '_' => {
                let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
                length = end.unwrap_or(rest.len());
                Token::Name(rest.get(..length).unwrap_or_default().to_owned())
            }
            // A currency sign before a number, and the signs around a text.
            '$' | '£' | '€' | '"' => {
                rest = rest.get(length..).unwrap_or_default().trim_start();
                continue;
            }
            // The mark of a template field that is not filled.
            '{' | '}' | '«' | '»' => return Err(FormulaFailure::Unknown),
            _ => return Err(FormulaFailure::Message(format!("!Syntax Error, {first}"))),
        };
        tokens.push(token);
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Ok(())
}

/// Returns the length in bytes of the number at the start of a text. In a language with decimal commas, a comma before
/// a digit is part of the number. In other languages, a comma may separate groups of three digits. Inside the
/// parentheses of a function, such a comma separates arguments instead.
fn number_length(text: &str, decimal_comma: bool, in_function: bool) -> usize {
    let bytes = text.as_bytes();
    let digit_at = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_group = |at: usize| (1..=3).all(|step| digit_at(at + step)) && !digit_at(at + 4);
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_digit() => at += 1,
            Some(b'.') if !decimal_comma || is_group(at) || digit_at(at + 1) => at += 1,
            Some(b',') if digit_at(at + 1) && (decimal_comma || (!in_function && is_group(at))) => at += 1,
            _ => return at.max(1),
        }
    }
}

/// A recursive descent parser that evaluates while it parses.
struct Parser<'t, 'c> {
    tokens: &'t [Token],
    at: usize,
    nesting: usize,
    context: &'c dyn FieldContext,
}

impl<'t> Parser<'t, '_> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn next_if(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &Token) -> Outcome<()> {
        if self.next_if(token) {
            return Ok(());
        }
        Err(self.peek().map_or_else(unexpected_end, syntax_error))
    }

    fn comparison(&mut self) -> Outcome<FieldNumber> {
        let mut left = self.sum()?;
        while let Some(Token::Comparison(comparison)) = self.peek() {
            self.at += 1;
            let right = self.sum()?;
            left = truth(comparison.holds(left.value.cmp(&right.value)));
        }
        Ok(left)
    }

    fn sum(&mut self) -> Outcome<FieldNumber> {
        let mut left = self.product()?;
        while let Some(Token::Operator(operator @ ('+' | '-'))) = self.peek() {
            self.at += 1;
            let right = self.product()?;
            let value = match operator {
                '+' => left.value.checked_add(right.value),
                _ => left.value.checked_sub(right.value),
            };
            left = left.with_value(value.ok_or_else(too_large)?, right);
        }
        Ok(left)
    }

    fn product(&mut self) -> Outcome<FieldNumber> {
        let mut left = self.power()?;
        while let Some(Token::Operator(operator @ ('*' | '/'))) = self.peek() {
            self.at += 1;
            let right = self.power()?;
            let value = match operator {
                '*' => left.value.checked_mul(right.value),
                _ if right.value.is_zero() => return Err(zero_divide()),
                _ => left.value.checked_div(right.value),
            };
            left = left.with_value(value.ok_or_else(too_large)?, right);
        }
        Ok(left)
    }

    fn power(&mut self) -> Outcome<FieldNumber> {
        let mut base = self.signed()?;
        while self.next_if(&Token::Operator('^')) {
            let exponent = self.signed()?;
            base = base.with_value(power(base.value, exponent.value)?, exponent);
        }
        Ok(base)
    }

    fn signed(&mut self) -> Outcome<FieldNumber> {
        let mut is_negative = false;
        while let Some(Token::Operator(sign @ ('-' | '+'))) = self.peek() {
            self.at += 1;
            is_negative ^= *sign == '-';
        }
        let mut number = self.operand()?;
        while self.next_if(&Token::Operator('%')) {
            number.value = number.value.checked_div(Decimal::ONE_HUNDRED).ok_or_else(too_large)?;
        }
        if is_negative {
            number.value = -number.value;
        }
        Ok(number)
    }

    fn operand(&mut self) -> Outcome<FieldNumber> {
        let token = self.peek().ok_or_else(unexpected_end)?;
        self.at += 1;
        match token {
            Token::Number(number) => Ok(*number),
            Token::Open => {
                self.open()?;
                let number = self.comparison()?;
                self.close()?;
                Ok(number)
            }
            Token::Name(name) if self.next_if(&Token::Open) => {
                self.open()?;
                let number = self.function(name)?;
                self.close()?;
                Ok(number)
            }
            Token::Name(name) => self.named_value(name),
            other => Err(syntax_error(other)),
        }
    }

    fn open(&mut self) -> Outcome<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING { Err(syntax_error(&Token::Open)) } else { Ok(()) }
    }

    fn close(&mut self) -> Outcome<()> {
        self.nesting -= 1;
        self.expect(&Token::Close)
    }

    /// Returns the value of a name outside of a function call: TRUE, FALSE, a cell or a bookmark.
    fn named_value(&mut self, name: &str) -> Outcome<FieldNumber> {
        if name.eq_ignore_ascii_case("TRUE") || name.eq_ignore_ascii_case("FALSE") {
            return Ok(truth(name.eq_ignore_ascii_case("TRUE")));
        }
        if let Some((column, row)) = cell_reference(name) {
            let cell = CellSelection::Rectangle { columns: Some((column, column)), rows: Some((row, row)) };
            if let Some(numbers) = self.context.cell_numbers(None, cell) {
                return Ok(numbers.into_iter().flatten().next().unwrap_or(Decimal::ZERO.into()));
            }
        }
        let Some(text) = self.context.bookmark_text(name) else {
            return Err(FormulaFailure::Message(format!("!Undefined Bookmark, {}", name.to_uppercase())));
        };
        Ok(FieldNumber::from_text(&text, self.context.locale()).unwrap_or(Decimal::ZERO.into()))
    }

    /// Evaluates the arguments of a function, up to its closing parenthesis, and returns the result.
    fn function(&mut self, name: &str) -> Outcome<FieldNumber> {
        let name = name.to_ascii_uppercase();
        if name == "DEFINED" {
            return self.defined();
        }
        let mut numbers: Vec<FieldNumber> = Vec::new();
        while self.peek() != Some(&Token::Close) {
            match self.cells()? {
                Some(cells) => numbers.extend(cells.into_iter().flatten()),
                None => numbers.push(self.comparison()?),
            }
            if !self.next_if(&Token::Separator) {
                break;
            }
        }
        function_result(&name, &numbers)
    }

    /// Returns 1 if the argument of DEFINED has a value, and 0 if it has none.
    fn defined(&mut self) -> Outcome<FieldNumber> {
        let (start, nesting) = (self.at, self.nesting);
        if let Ok(_) | Err(FormulaFailure::Unknown) = self.comparison()
            && self.peek() == Some(&Token::Close)
        {
            return Ok(truth(true));
        }
        (self.at, self.nesting) = (start, nesting);
        let mut open = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::Open => open += 1,
                Token::Close if open == 0 => break,
                Token::Close => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
        Ok(truth(false))
    }

    /// Returns the numbers in the cells that an argument refers to. A cell without a number gives `None`. The whole
    /// result is `None` if the argument is no reference to cells.
    fn cells(&mut self) -> Outcome<Option<Vec<Option<FieldNumber>>>> {
        let start = self.at;
        let table = match (self.peek(), self.tokens.get(self.at + 1)) {
            // A bookmark in another table before the cells.
            (Some(Token::Name(table)), Some(Token::Name(_) | Token::Number(_))) => {
                self.at += 1;
                Some(table.as_str())
            }
            _ => None,
        };
        let found = self.cell_selection().filter(|selection| {
            let is_cell = matches!(selection, CellSelection::Rectangle { columns: Some(_), rows: Some(_) });
            !is_cell || matches!(self.peek(), None | Some(Token::Close | Token::Separator))
        });
        let Some(selection) = found else {
            self.at = start;
            return Ok(None);
        };
        let numbers = self.context.cell_numbers(table, selection);
        if numbers.is_none() {
            self.at = start;
        }
        Ok(numbers)
    }

    /// Parses ABOVE, BELOW, LEFT, RIGHT, or a cell or range of cells.
    fn cell_selection(&mut self) -> Option<CellSelection> {
        let first = self.peek()?;
        self.at += 1;
        if let Token::Name(name) = first {
            match name.to_ascii_uppercase().as_str() {
                "ABOVE" => return Some(CellSelection::Above),
                "BELOW" => return Some(CellSelection::Below),
                "LEFT" => return Some(CellSelection::Left),
                "RIGHT" => return Some(CellSelection::Right),
                _ => {}
            }
        }
        let is_range = self.next_if(&Token::Colon);
        let last = if is_range { self.peek()? } else { first };
        self.at += usize::from(is_range);
        let ((first_column, first_row), (last_column, last_row)) = (range_end(first)?, range_end(last)?);
        let in_order = |first: usize, last: usize| (first.min(last), first.max(last));
        let columns = first_column.zip(last_column).map(|(first, last)| in_order(first, last));
        let rows = first_row.zip(last_row).map(|(first, last)| in_order(first, last));
        let is_complete = is_range || (columns.is_some() && rows.is_some());
        is_complete.then_some(CellSelection::Rectangle { columns, rows })
    }
}

/// Returns the indices of the column and of the row at one end of a range, from 0. The end `B2` has both indices, `B`
/// has no row, and `2` has no column.
fn range_end(token: &Token) -> Option<(Option<usize>, Option<usize>)> {
    match token {
        Token::Name(name) => match cell_reference(name) {
            Some((column, row)) => Some((Some(column), Some(row))),
            None => Some((Some(column_index(name)?), None)),
        },
        Token::Number(number) => {
            let row = usize::try_from(number.value).ok().filter(|row| (1..=MAX_CELL_NUMBER).contains(row))?;
            Some((None, Some(row - 1)))
        }
        _ => None,
    }
}

/// Returns the indices of the column and the row of a cell reference such as `B2`, from 0.
fn cell_reference(name: &str) -> Option<(usize, usize)> {
    let digits = name.find(|character: char| character.is_ascii_digit())?;
    let (column, row) = name.split_at(digits);
    let row = row.parse().ok().filter(|row| (1..=MAX_CELL_NUMBER).contains(row))?;
    Some((column_index(column)?, row - 1))
}

/// Returns the index of a column, from 0: A is 0, Z is 25, AA is 26.
fn column_index(letters: &str) -> Option<usize> {
    if letters.is_empty() || letters.len() > 2 || !letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let number =
        letters.bytes().fold(0, |number, byte| number * 26 + usize::from(byte.to_ascii_uppercase() - b'A') + 1);
    Some(number - 1)
}

fn truth(is_true: bool) -> FieldNumber {
    Decimal::from(u8::from(is_true)).into()
}

fn zero_divide() -> FormulaFailure {
    FormulaFailure::Message("!Zero Divide".to_owned())
}

fn too_large() -> FormulaFailure {
    FormulaFailure::Message("!Number too large".to_owned())
}

fn power(base: Decimal, exponent: Decimal) -> Outcome<Decimal> {
    if base.is_zero() && exponent.is_sign_negative() {
        return Err(zero_divide());
    }
    let whole = if exponent.fract().is_zero() { i64::try_from(exponent).ok() } else { None };
    match whole {
        Some(exponent) => base.checked_powi(exponent).ok_or_else(too_large),
        None if base.is_sign_negative() => Err(FormulaFailure::Message("!Syntax Error, ^".to_owned())),
        None => base.checked_powd(exponent).ok_or_else(too_large),
    }
}

/// Applies the function with this name to the numbers of its arguments, and returns the result.
fn function_result(name: &str, numbers: &[FieldNumber]) -> Outcome<FieldNumber> {
    let values = || numbers.iter().map(|number| number.value);
    let argument = |at: usize| numbers.get(at).copied().ok_or_else(unexpected_end);
    let styled = |value: Decimal| {
        let first = numbers.first().copied().unwrap_or(Decimal::ZERO.into());
        numbers.iter().fold(first.with_value(value, first), |styled, number| styled.with_value(value, *number))
    };
    let sum = || values().try_fold(Decimal::ZERO, Decimal::checked_add).ok_or_else(too_large);
    Ok(match name {
        "SUM" => styled(sum()?),
        "AVERAGE" if numbers.is_empty() => return Err(zero_divide()),
        "AVERAGE" => styled(sum()?.checked_div(Decimal::from(numbers.len())).ok_or_else(too_large)?),
        "COUNT" => Decimal::from(numbers.len()).into(),
        "MAX" => styled(values().max().unwrap_or_default()),
        "MIN" => styled(values().min().unwrap_or_default()),
        "PRODUCT" => styled(values().try_fold(Decimal::ONE, Decimal::checked_mul).ok_or_else(too_large)?),
        "ABS" => argument(0)?.with_value(argument(0)?.value.abs(), argument(0)?),
        "INT" => argument(0)?.with_value(argument(0)?.value.trunc(), argument(0)?),
        "SIGN" => {
            let value = argument(0)?.value;
            let sign = i8::from(value > Decimal::ZERO) - i8::from(value < Decimal::ZERO);
            Decimal::from(sign).into()
        }
        "MOD" => {
            let (number, divisor) = (argument(0)?, argument(1)?);
            number.with_value(number.value.checked_rem(divisor.value).ok_or_else(zero_divide)?, divisor)
        }
        "ROUND" => argument(0)?.with_value(rounded(argument(0)?.value, argument(1)?.value)?, argument(0)?),
        "AND" => truth(!argument(0)?.value.is_zero() && !argument(1)?.value.is_zero()),
        "OR" => truth(!argument(0)?.value.is_zero() || !argument(1)?.value.is_zero()),
        "NOT" => truth(argument(0)?.value.is_zero()),
        "IF" if argument(0)?.value.is_zero() => argument(2)?,
        "IF" => argument(1)?,
        "TRUE" => truth(true),
        "FALSE" => truth(false),
        unknown => return Err(FormulaFailure::Message(format!("!Syntax Error, {unknown}"))),
    })
}

/// Rounds `value` to `decimals` decimals. If `decimals` is negative, the value is rounded to tens, hundreds and so on.
fn rounded(value: Decimal, decimals: Decimal) -> Outcome<Decimal> {
    let decimals = i32::try_from(decimals.trunc()).unwrap_or(28).clamp(-28, 28);
    let round =
        |value: Decimal, decimals: u32| value.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
    match u32::try_from(decimals) {
        Ok(decimals) => Ok(round(value, decimals)),
        Err(_) => {
            let unit = Decimal::TEN.checked_powi(i64::from(-decimals)).ok_or_else(too_large)?;
            let units = value.checked_div(unit).ok_or_else(too_large)?;
            round(units, 0).checked_mul(unit).ok_or_else(too_large)
        }
    }
}
