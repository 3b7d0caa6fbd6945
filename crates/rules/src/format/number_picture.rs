//! Number pictures: the `\#` switch (ECMA-376 part 1, §17.16.4.2).
//!
//! Word takes the decimal and grouping separators of a picture from the settings of the author's computer. A template
//! does not have these settings. Therefore this module finds the separators in the picture itself. If a single point or
//! comma could be the decimal separator or a grouping separator, the decimal separator of the language decides. The
//! result has the separators of the picture.

use rust_decimal::{Decimal, RoundingStrategy};

use super::picture::{PictureItem, items};

/// A place for one digit in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// `0`: a missing digit is written as 0.
    Zero,
    /// `#`: a missing digit is written as a space, unless the picture groups digits.
    Optional,
    /// `x`: digits left of it are dropped. After the decimal separator, it is like `0`.
    Dropping,
}

/// A token of one section of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Place(Place),
    /// A character that can be a separator or the sign of the number. If it is neither, it is written unchanged.
    Mark(char),
    /// A character that is written as it is.
    Text(char),
}

/// The characters that separate groups of three digits in a picture, in addition to the point and the comma.
const SPACES: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '’'];

/// The separators of a section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Separators {
    /// The index of the token that is the decimal separator.
    decimal: Option<usize>,
    /// The character between groups of three digits.
    group: Option<char>,
}

/// Formats a number with a picture. `decimal_separator` is that of the language.
pub(super) fn format(number: Decimal, picture: &str, decimal_separator: char) -> String {
    let sections = sections(picture);
    let section = |index: usize| sections.get(index).map(Vec::as_slice);
    let (chosen, own_sign) = match (section(1), section(2)) {
        (Some(negative), _) if is_negative(number) => (negative, true),
        (_, Some(zero)) if number.is_zero() => (zero, true),
        _ => (section(0).unwrap_or_default(), false),
    };
    Section::new(chosen, decimal_separator).write(number, own_sign)
}

fn is_negative(number: Decimal) -> bool {
    number.is_sign_negative() && !number.is_zero()
}

/// Splits a picture at semicolons into the sections for positive, negative and zero values.
fn sections(picture: &str) -> Vec<Vec<Token>> {
    let mut sections = vec![Vec::new()];
    let mut push = |token: Option<Token>| match (token, sections.last_mut()) {
        (Some(token), Some(section)) => section.push(token),
        _ => sections.push(Vec::new()),
    };
    for item in items(picture) {
        match item {
            PictureItem::NumberedItem(_) => {}
            PictureItem::Text(text) => text.chars().for_each(|c| push(Some(Token::Text(c)))),
            PictureItem::Bare(bare) => bare.chars().for_each(|c| {
                push(match c {
                    ';' => None,
                    '0' => Some(Token::Place(Place::Zero)),
                    '#' => Some(Token::Place(Place::Optional)),
                    'x' | 'X' => Some(Token::Place(Place::Dropping)),
                    '.' | ',' | '+' | '-' => Some(Token::Mark(c)),
                    _ if SPACES.contains(&c) => Some(Token::Mark(c)),
                    _ => Some(Token::Text(c)),
                });
            }),
        }
    }
    sections
}

/// A section of a picture whose separators are known.
struct Section<'a> {
    tokens: &'a [Token],
    separators: Separators,
    /// The index of the first place for a digit. `None`: the section is only text.
    first: Option<usize>,
}

impl<'a> Section<'a> {
    fn new(tokens: &'a [Token], decimal_separator: char) -> Self {
        let first = tokens.iter().position(|token| matches!(token, Token::Place(_)));
        Self { tokens, separators: find_separators(tokens, decimal_separator), first }
    }

    /// Splits the tokens at the decimal separator. The second list begins with the separator, if there is one.
    fn halves(&self) -> (&'a [Token], &'a [Token]) {
        let at = self.separators.decimal.unwrap_or(self.tokens.len());
        self.tokens.split_at_checked(at).unwrap_or((self.tokens, &[]))
    }

    /// Writes a number. `own_sign` is true if the section is only for numbers with the sign of this number. The section
    /// then shows the sign in its own way, such as by parentheses.
    fn write(&self, number: Decimal, own_sign: bool) -> String {
        let Some(first) = self.first else {
            return self.tokens.iter().filter_map(|token| literal(*token)).collect();
        };
        let (whole, fraction) = self.halves();
        let decimals = u32::try_from(places(fraction)).unwrap_or(u32::MAX).min(Decimal::MAX_SCALE);
        let rounded = number.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
        let written = rounded.abs().to_string();
        let (whole_digits, fraction_digits) = written.split_once('.').unwrap_or((&written, ""));
        let negative = is_negative(if own_sign { number } else { rounded });
        let sign = self.sign(first);
        let mut text = String::new();
        for (index, token) in whole.iter().take(first).enumerate() {
            match token {
                Token::Mark(mark) if sign == Some(index) => text.push(match (negative, mark) {
                    (true, _) => '-',
                    (false, '+') if !rounded.is_zero() => '+',
                    (false, _) => ' ',
                }),
                token => {
                    text.extend(literal(*token).filter(|c| self.separators.group != Some(*c) || c.is_whitespace()))
                }
            }
        }
        if negative && !own_sign && sign.is_none() {
            // The minus sign is written before a currency sign, but after words.
            let at = text
                .rfind(char::is_whitespace)
                .and_then(|at| text.get(at..))
                .map_or(0, |rest| text.len() - rest.len() + rest.chars().next().map_or(0, char::len_utf8));
            text.insert(at, '-');
        }
        self.write_whole(whole.get(first..).unwrap_or_default(), whole_digits.trim_start_matches('0'), &mut text);
        self.write_fraction(fraction, fraction_digits.trim_end_matches('0'), &mut text);
        text
    }

    /// Returns the index of the `+` or `-` before the digits. A sign that spaces or letters separate from the digits is
    /// text.
    fn sign(&self, first: usize) -> Option<usize> {
        let before = self.tokens.get(..first)?.iter().enumerate().rev();
        let mut near = before
            .take_while(|(_, token)| literal(**token).is_some_and(|c| !c.is_whitespace() && !c.is_alphanumeric()));
        near.find(|(_, token)| matches!(token, Token::Mark('+' | '-'))).map(|(index, _)| index)
    }

    /// Writes the digits before the decimal separator. `tokens` begins with the first place, and `digits` has no leading
    /// zeros. Digits for which the picture has no place are written before the first place.
    fn write_whole(&self, tokens: &[Token], digits: &str, text: &mut String) {
        let mut places_left = places(tokens);
        let surplus = digits.len().saturating_sub(places_left);
        let drops = tokens.contains(&Token::Place(Place::Dropping));
        let (leading, own) = digits.split_at_checked(surplus).unwrap_or((digits, ""));
        if !drops {
            for (index, digit) in leading.chars().enumerate() {
                self.write_grouped(digit, digits.len() - index - 1, text);
            }
        }
        let mut own = own.chars();
        for token in tokens {
            match token {
                Token::Place(place) => {
                    let digit = if places_left <= digits.len() { own.next() } else { None };
                    places_left -= 1;
                    if let Some(digit) = digit.or_else(|| self.missing_digit(*place)) {
                        self.write_grouped(digit, places_left, text);
                    }
                }
                token => text.extend(literal(*token).filter(|c| self.separators.group != Some(*c) || places_left == 0)),
            }
        }
    }

    /// Writes a digit that has `right` digits on its right. If a group of three digits follows, also writes the
    /// grouping separator.
    fn write_grouped(&self, digit: char, right: usize, text: &mut String) {
        text.push(digit);
        if let Some(group) = self.separators.group.filter(|_| right > 0 && right.is_multiple_of(3) && digit != ' ') {
            // A line must not break inside a number.
            text.push(if group == ' ' { '\u{a0}' } else { group });
        }
    }

    /// Returns the character for a place that has no digit: `0` or a space. Returns `None` if nothing is written, which
    /// is the case for `#` in a picture that groups digits.
    fn missing_digit(&self, place: Place) -> Option<char> {
        match place {
            Place::Zero | Place::Dropping => Some('0'),
            Place::Optional => self.separators.group.is_none().then_some(' '),
        }
    }

    /// Writes the decimal separator and the digits after it. `digits` has no zeros at its end.
    fn write_fraction(&self, tokens: &[Token], digits: &str, text: &mut String) {
        let mut digits = digits.chars();
        for token in tokens {
            match token {
                Token::Place(place) => text.extend(digits.next().or_else(|| self.missing_digit(*place))),
                token => text.extend(literal(*token)),
            }
        }
    }
}

/// Returns the number of places for digits.
fn places(tokens: &[Token]) -> usize {
    tokens.iter().filter(|token| matches!(token, Token::Place(_))).count()
}

/// Returns the character of a token that is not a place for a digit.
fn literal(token: Token) -> Option<char> {
    match token {
        Token::Place(_) => None,
        Token::Mark(c) | Token::Text(c) => Some(c),
    }
}

/// A point, comma, space or apostrophe that may be a separator, with its surroundings.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    /// The index of the token with this character.
    index: usize,
    mark: char,
    /// The number of digit places before this character in the section.
    before: usize,
    /// True if the place `0` is directly before this point or comma. False for spaces and apostrophes.
    after_zero: bool,
    /// The number of digit places after this character, up to the next candidate or the end of the section.
    run: usize,
    /// True if all places that `run` counts are `0`.
    only_zeros: bool,
}

/// Lists the points and commas directly before a digit place, and the spaces and apostrophes directly between two digit
/// places.
fn candidates(tokens: &[Token]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut before = 0;
    for (index, token) in tokens.iter().enumerate() {
        let next_is_place = matches!(tokens.get(index + 1), Some(Token::Place(_)));
        let previous = index.checked_sub(1).and_then(|index| tokens.get(index));
        match token {
            Token::Place(place) => {
                before += 1;
                if let Some(last) = found.last_mut() {
                    last.run += 1;
                    last.only_zeros &= *place == Place::Zero;
                }
            }
            Token::Mark(mark @ ('.' | ',')) if next_is_place => found.push(Candidate {
                index,
                mark: *mark,
                before,
                after_zero: previous == Some(&Token::Place(Place::Zero)),
                run: 0,
                only_zeros: true,
            }),
            Token::Mark(mark)
                if SPACES.contains(mark) && next_is_place && matches!(previous, Some(Token::Place(_))) =>
            {
                found.push(Candidate { index, mark: *mark, before, after_zero: false, run: 0, only_zeros: true });
            }
            _ => {}
        }
    }
    found
}

/// Finds the separators of a section. `decimal_separator` is that of the language.
fn find_separators(tokens: &[Token], decimal_separator: char) -> Separators {
    let candidates = candidates(tokens);
    let points: Vec<&Candidate> = candidates.iter().filter(|found| matches!(found.mark, '.' | ',')).collect();
    let decimal = match points.as_slice() {
        [] => None,
        [one] => {
            let other_group = candidates.len() > 1 && candidates.iter().all(|found| found.index <= one.index);
            (other_group || is_decimal(one, decimal_separator)).then_some(*one)
        }
        // Two different marks: the last one is the decimal separator, unless it is repeated.
        [others @ .., last] => others.iter().all(|other| other.mark != last.mark).then_some(*last),
    };
    let groups: Vec<&Candidate> =
        candidates.iter().filter(|found| decimal.is_none_or(|decimal| found.index < decimal.index)).collect();
    let group = groups.first().map(|first| first.mark);
    // Text such as a telephone number has spaces or points that are not three digits apart.
    let is_grouped = groups.iter().all(|found| Some(found.mark) == group && (found.mark == ',' || found.run == 3));
    Separators { decimal: decimal.map(|found| found.index), group: group.filter(|_| is_grouped) }
}

/// Returns whether the only point or comma of a picture is its decimal separator.
fn is_decimal(only: &Candidate, decimal_separator: char) -> bool {
    let thousands = only.run == 3 && only.before > 0 && !(only.after_zero && only.mark == decimal_separator);
    match only.mark {
        '.' => decimal_separator == '.' || !thousands,
        _ if only.before == 0 => false,
        _ if decimal_separator == ',' => !thousands,
        // `0,00` is the picture of another language than the text. `#,#0` groups thousands.
        _ => only.after_zero && only.only_zeros && matches!(only.run, 1 | 2),
    }
}
