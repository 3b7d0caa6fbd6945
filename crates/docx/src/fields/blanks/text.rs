//! The forms of blanks in the characters of a paragraph: lines, dots, dates, brackets, letters and check boxes.

use std::ops::Range;

use waraq_rules::field_settings::ValueKind;

use super::words;
use super::{BlankForm, Confidence};

/// The maximum number of characters between brackets.
const MAX_BRACKET_CHARACTERS: usize = 120;
/// The maximum number of characters and words of a bracketed text that is a name. A longer text is an optional clause or a note.
const MAX_OWN_CHARACTERS: usize = 60;
const MAX_OWN_WORDS: usize = 8;

/// A form of a blank in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub range: Range<usize>,
    pub form: BlankForm,
    /// The words between brackets. `None`: the blank shows only a gap.
    pub own_words: Option<String>,
    pub kind: Option<ValueKind>,
    pub choices: Vec<String>,
    pub confidence: Confidence,
}

impl Token {
    fn gap(range: Range<usize>, form: BlankForm, confidence: Confidence) -> Self {
        Self { range, form, own_words: None, kind: None, choices: Vec::new(), confidence }
    }

    fn date(range: Range<usize>, confidence: Confidence) -> Self {
        Self { kind: Some(ValueKind::Date), ..Self::gap(range, BlankForm::DatePattern, confidence) }
    }

    fn check_box(range: Range<usize>) -> Self {
        Self { kind: Some(ValueKind::YesNo), ..Self::gap(range, BlankForm::CheckBox, Confidence::High) }
    }
}

/// Returns the blanks in a text, in order and without overlaps. `text` has the character U+FFFC in place of characters that
/// cannot belong to a blank, such as those of a field.
pub(super) fn find_tokens(text: &[char]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some(token) = token_at(text, at) else {
            at += 1;
            continue;
        };
        // A token has at least one character, so the search always continues.
        at = token.range.end.max(at + 1);
        tokens.push(token);
    }
    tokens
}

fn token_at(text: &[char], at: usize) -> Option<Token> {
    let character = *text.get(at)?;
    if !character.is_alphanumeric() && !character.is_whitespace() && is_check_box(character) {
        return Some(Token::check_box(at..at + 1));
    }
    date_at(text, at)
        .or_else(|| match character {
            '_' | '＿' => line_at(text, at),
            '.' | '…' | '‥' | '·' | '․' => dots_at(text, at),
            'X' | 'x' => letters_at(text, at),
            '1' | '2' => year_at(text, at),
            '[' | '<' | '«' | '{' | '$' | '(' => bracket_at(text, at),
            _ => None,
        })
        .filter(|token| !token.range.is_empty())
}

/// Returns `true` for characters that are drawn as an empty box.
pub(super) fn is_check_box(character: char) -> bool {
    matches!(character, '☐' | '□' | '❏' | '❑' | '❒' | '❐' | '⬜' | '◻' | '▢' | '\u{1f532}' | '\u{1f78f}' | '\u{1f5c6}')
}

/// Returns `true` for letters that a symbol font draws as an empty box: `o`, `q` and `¨` of Wingdings, also in the private
/// use area.
pub(super) fn is_symbol_box(code: u32) -> bool {
    matches!(code & 0xFF, 0x6F | 0x71 | 0xA8 | 0xA3 | 0x72 | 0x78) && (code <= 0xFF || code >> 8 == 0xF0)
}

fn get(text: &[char], at: usize) -> Option<char> {
    text.get(at).copied()
}

fn before(text: &[char], at: usize) -> Option<char> {
    at.checked_sub(1).and_then(|before| get(text, before))
}

fn is_letter(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphabetic)
}

fn is_dot(character: char) -> bool {
    matches!(character, '.' | '…' | '‥' | '·' | '․')
}

/// Returns the end of a run of characters that `is_filler` accepts. The run may contain single spaces between fillers.
/// Also returns the number of fillers, where an ellipsis counts three.
fn run_at(text: &[char], at: usize, is_filler: impl Fn(char) -> bool) -> (usize, usize) {
    let (mut end, mut weight) = (at, 0);
    loop {
        match get(text, end) {
            Some(character) if is_filler(character) => {
                weight += match character {
                    '…' => 3,
                    '‥' => 2,
                    _ => 1,
                };
                end += 1;
            }
            Some(' ' | '\u{a0}') if end > at && get(text, end + 1).is_some_and(&is_filler) => end += 1,
            _ => return (end, weight),
        }
    }
}

fn line_at(text: &[char], at: usize) -> Option<Token> {
    let (end, weight) = run_at(text, at, |character| matches!(character, '_' | '＿'));
    let between_letters = is_letter(before(text, at)) && is_letter(get(text, end));
    let form = BlankForm::Underscores;
    match weight {
        // The words of an identifier are joined with underscores.
        0 | 1 => None,
        2 if is_letter(before(text, at)) || is_letter(get(text, end)) => None,
        2 => Some(Token::gap(at..end, form, Confidence::Low)),
        3 | 4 if between_letters => None,
        3 | 4 => Some(Token::gap(at..end, form, Confidence::Medium)),
        _ => Some(Token::gap(at..end, form, Confidence::High)),
    }
}

fn dots_at(text: &[char], at: usize) -> Option<Token> {
    let (end, weight) = run_at(text, at, is_dot);
    let (previous, next) = (before(text, at), get(text, end));
    let form = BlankForm::Dots;
    let is_free = previous.is_none_or(|previous| previous.is_whitespace() || matches!(previous, ':' | '(' | '°' | '/'));
    // Three dots at the end of a word or sentence are an ellipsis. Between brackets, they mark left-out text.
    let in_brackets = matches!(previous, Some('(' | '[')) && matches!(next, Some(')' | ']'));
    let continues = next.is_some_and(char::is_whitespace) && {
        let word = text.get(end..).unwrap_or_default().iter().find(|character| !character.is_whitespace());
        word.is_some_and(|word| word.is_lowercase() || is_unit_sign(*word) || words::is_arabic_letter(*word))
    };
    match weight {
        0..=2 => None,
        3 if is_free && !in_brackets && (continues || previous == Some(':') || ends_with_colon(text, at)) => {
            Some(Token::gap(at..end, form, Confidence::Low))
        }
        3 => None,
        // In Chinese and Japanese, two ellipses are one.
        6 if end - at == 2 && (is_ideograph(previous) || is_ideograph(next)) => None,
        4 if is_letter(previous) || in_brackets => None,
        4 | 5 => Some(Token::gap(at..end, form, Confidence::Medium)),
        _ => Some(Token::gap(at..end, form, Confidence::High)),
    }
}

fn is_ideograph(character: Option<char>) -> bool {
    character.is_some_and(
        |character| matches!(character, '\u{3000}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}'),
    )
}

fn is_unit_sign(character: char) -> bool {
    matches!(character, '€' | '$' | '£' | '%' | '²' | '(' | ',')
}

fn ends_with_colon(text: &[char], at: usize) -> bool {
    let words = text.get(..at).unwrap_or_default();
    words.iter().rev().take(4).find(|character| !character.is_whitespace()) == Some(&':')
}

/// Finds a run of the letter X that is a word of its own. `XXX` in upper case may be the number thirty.
fn letters_at(text: &[char], at: usize) -> Option<Token> {
    let letter = get(text, at)?;
    let is_word = |character: Option<char>| character.is_some_and(|character| character.is_alphanumeric());
    // Checked before the run is measured, so that a long run inside a word is measured once. A dash joins numbers: `xi–xxx`.
    if is_word(before(text, at)) || matches!(before(text, at), Some('-' | '–')) {
        return None;
    }
    let length = text.get(at..).unwrap_or_default().iter().take_while(|&&character| character == letter).count();
    let end = at + length;
    if is_word(get(text, end)) {
        return None;
    }
    let least = if letter == 'X' { 4 } else { 3 };
    (length >= least).then(|| Token::gap(at..end, BlankForm::Letters, Confidence::Medium))
}

/// Finds a year to complete, such as `20__`.
fn year_at(text: &[char], at: usize) -> Option<Token> {
    let end = year_piece(text, at, 2)?;
    let is_start = !before(text, at).is_some_and(|before| before.is_alphanumeric() || before == '_' || is_dot(before));
    let digit_follows = get(text, end).is_some_and(char::is_numeric);
    (is_start && !digit_follows).then(|| Token::gap(at..end, BlankForm::DatePattern, Confidence::High))
}

/// Returns the end of a century with at least `least` fillers after it.
fn year_piece(text: &[char], at: usize, least: usize) -> Option<usize> {
    let century: String = text.get(at..at + 2)?.iter().collect();
    if !["19", "20", "14"].contains(&century.as_str()) {
        return None;
    }
    let (end, weight) = match get(text, at + 2) {
        Some('_') => run_at(text, at + 2, |character| character == '_'),
        Some(character) if is_dot(character) => run_at(text, at + 2, is_dot),
        _ => return None,
    };
    // A space after the line does not belong to the year.
    (weight >= least && weight <= 12).then_some(end)
}

/// Finds a date to complete: three pieces with separators between them, such as `__/__/____`, `…/…/20…` or `DD/MM/YYYY`.
fn date_at(text: &[char], at: usize) -> Option<Token> {
    let first = get(text, at)?;
    if before(text, at).is_some_and(|before| before.is_alphanumeric() || before == '/') {
        return None;
    }
    let mut shape = DateShape::default();
    let day_end = shape.piece(text, at, false)?;
    let (separator, month) = shape.separator(text, day_end, None)?;
    let month_end = shape.piece(text, month, false)?;
    let (_, year) = shape.separator(text, month_end, Some(separator))?;
    let mut end = shape.piece(text, year, true).or_else(|| (shape.spaces >= 2).then_some(year))?;
    if shape.letters > 0 && shape.letters < 3 || shape.spaces > 0 && first.is_whitespace() && shape.dots > 0 {
        return None;
    }
    // Dots as separators cannot be told from dots as fillers.
    if separator == '.' && shape.dots > 0 || is_letter(get(text, end)) && shape.letters > 0 {
        return None;
    }
    // The spaces around a date of gaps are its first and last piece.
    if shape.spaces > 0 {
        let is_gap = |at: usize| get(text, at).is_some_and(|character| matches!(character, ' ' | '\u{a0}'));
        while is_gap(end) && is_gap(end + 1) {
            end += 1;
        }
    }
    let confidence = if shape.spaces > 0 { Confidence::Medium } else { Confidence::High };
    let start = if shape.spaces > 0 { at + leading_spaces(text, at, day_end) } else { at };
    Some(Token::date(start..end, confidence))
}

/// Returns the number of spaces at the start of a date of gaps that separate it from the word before.
fn leading_spaces(text: &[char], at: usize, end: usize) -> usize {
    usize::from(end - at > 1 && get(text, at).is_some_and(char::is_whitespace))
}

/// The pieces of a date to complete.
#[derive(Debug, Default)]
struct DateShape {
    /// The number of pieces that are letters, such as `DD`.
    letters: usize,
    /// The number of pieces that are spaces.
    spaces: usize,
    /// The number of pieces that contain dots.
    dots: usize,
}

impl DateShape {
    /// Returns the end of the piece that starts at `at`.
    fn piece(&mut self, text: &[char], at: usize, is_year: bool) -> Option<usize> {
        let character = get(text, at)?;
        if is_year && let Some(end) = year_piece(text, at, 1) {
            return Some(end);
        }
        let length_of = |is: &dyn Fn(char) -> bool| {
            text.get(at..).unwrap_or_default().iter().take(30).take_while(|&&character| is(character)).count()
        };
        match character {
            '_' | '＿' => {
                let length = length_of(&|character| character == '_' || character == '＿');
                (length >= 1).then_some(at + length)
            }
            'x' | 'X' => {
                let length = length_of(&|character| character.eq_ignore_ascii_case(&'x'));
                let is_piece = (2..=4).contains(&length);
                self.letters += usize::from(is_piece);
                is_piece.then_some(at + length)
            }
            _ if is_dot(character) => {
                let length = length_of(&is_dot);
                self.dots += 1;
                (length >= 2 || character == '…').then_some(at + length)
            }
            ' ' | '\u{a0}' => {
                let length = length_of(&|character| matches!(character, ' ' | '\u{a0}'));
                let least = if is_year { 3 } else { 2 };
                self.spaces += 1;
                (length >= least).then_some(at + length)
            }
            _ => {
                let length = length_of(&|character| character.is_alphabetic());
                let piece: String = text.get(at..at + length)?.iter().collect::<String>().to_lowercase();
                let known: &[&str] = if is_year {
                    &["yyyy", "yy", "aaaa", "aa", "annee", "année", "year", "سنة", "السنة"]
                } else {
                    &["dd", "d", "mm", "m", "jj", "j", "day", "month", "jour", "mois", "يوم", "شهر", "اليوم", "الشهر"]
                };
                let is_piece = known.contains(&piece.as_str());
                self.letters += usize::from(is_piece);
                is_piece.then_some(at + length)
            }
        }
    }

    /// Returns the separator after a piece and the start of the next piece.
    fn separator(&self, text: &[char], at: usize, known: Option<char>) -> Option<(char, usize)> {
        let is_space = |at: usize| matches!(get(text, at), Some(' ' | '\u{a0}'));
        let at = if self.spaces == 0 && is_space(at) { at + 1 } else { at };
        let separator = get(text, at)
            .filter(|character| matches!(character, '/' | '-' | '.' | '\\' | '／'))
            .filter(|separator| known.is_none_or(|known| known == *separator))
            .filter(|separator| self.spaces == 0 || *separator == '/')?;
        let next = at + 1;
        let is_single_space = is_space(next) && !is_space(next + 1) && get(text, next + 1) != Some(separator);
        Some((separator, if is_single_space { next + 1 } else { next }))
    }
}

/// Finds a text or a gap in brackets.
fn bracket_at(text: &[char], at: usize) -> Option<Token> {
    let pair = |first: char, second: char| get(text, at) == Some(first) && get(text, at + 1) == Some(second);
    let (open, close, form): (usize, &[char], BlankForm) = if pair('[', '[') {
        (2, &[']', ']'], BlankForm::Brackets)
    } else if pair('<', '<') {
        (2, &['>', '>'], BlankForm::Brackets)
    } else if pair('$', '{') {
        (2, &['}'], BlankForm::Braces)
    } else if pair('{', '{') {
        return None;
    } else {
        match get(text, at)? {
            '[' => (1, &[']'], BlankForm::Brackets),
            '<' => (1, &['>'], BlankForm::Brackets),
            '«' => (1, &['»'], BlankForm::Brackets),
            '{' => (1, &['}'], BlankForm::Braces),
            '(' => (1, &[')'], BlankForm::Brackets),
            _ => return None,
        }
    };
    let start = at + open;
    let inner_end = close_of(text, start, get(text, at)?, close)?;
    let end = inner_end + close.len();
    let inner: String = text.get(start..inner_end)?.iter().collect();
    // A bracket directly after a letter belongs to the word: `party[s]`. Arabic writes “and”, “to” and the like as one letter
    // that is joined to the next word.
    let is_prefix = before(text, at).is_some_and(|letter| matches!(letter, 'و' | 'ف' | 'ب' | 'ل' | 'ك'))
        && !is_letter(at.checked_sub(1).and_then(|prefix| before(text, prefix)));
    if is_letter(before(text, at)) && !is_prefix && get(text, at) != Some('«') {
        return None;
    }
    if matches!(inner.as_str(), "X" | "x") && is_in_sentence(text, at) {
        return Some(Token::gap(at..end, form, Confidence::High));
    }
    let is_single_brace = get(text, at) == Some('{') && open == 1;
    if is_single_brace && (before(text, at) == Some('{') || get(text, end) == Some('}')) {
        return None;
    }
    if inner.trim().is_empty() {
        return empty_bracket(text, at..end, inner.chars().count());
    }
    // Signs of a comparison have spaces beside them.
    let is_comparison = get(text, at) == Some('<') && inner.trim() != inner;
    if get(text, at) == Some('(') || is_comparison {
        return None;
    }
    if let Some(token) = whole_date(text, start..inner_end) {
        return Some(Token { range: at..end, ..token });
    }
    let classified = classify_inner(inner.trim(), get(text, at)?, open)?;
    Some(Token { range: at..end, form, ..classified })
}

/// Returns `true` if the bracket is one space after a word in lower case. At other places, `[X]` is a ticked check box.
fn is_in_sentence(text: &[char], at: usize) -> bool {
    let word = at.checked_sub(2).and_then(|before| get(text, before));
    before(text, at).is_some_and(char::is_whitespace)
        && word.is_some_and(|letter| letter.is_lowercase() || words::is_arabic_letter(letter))
}

/// Returns the index of the closing bracket.
fn close_of(text: &[char], start: usize, open: char, close: &[char]) -> Option<usize> {
    let last = text.len().min(start + MAX_BRACKET_CHARACTERS);
    for at in start..last {
        if text.get(at..)?.starts_with(close) {
            return Some(at);
        }
        let character = get(text, at)?;
        if character == open || character == '\u{fffc}' {
            return None;
        }
    }
    None
}

/// Returns `true` if no text, a tab or a line break is before the character.
fn starts_item(text: &[char], at: usize) -> bool {
    let previous = text.get(..at).unwrap_or_default().iter().rev().find(|c| !matches!(c, ' ' | '\u{a0}'));
    previous.is_none_or(|previous| matches!(previous, '\t' | '\n'))
}

/// Returns the blank of brackets around spaces. A narrow gap before a word is a check box.
fn empty_bracket(text: &[char], range: Range<usize>, width: usize) -> Option<Token> {
    let rest = text.get(range.end..).unwrap_or_default();
    let word_follows = rest.iter().take(3).find(|character| !character.is_whitespace());
    let word_follows = word_follows.is_some_and(|character| character.is_alphanumeric());
    let open = get(text, range.start)?;
    // Empty brackets in a sentence are a function or a formula: `main( )`, `the tag ( )`, `x[].`.
    let is_joined = before(text, range.start).is_some_and(|before| !before.is_whitespace());
    if open == '[' && width == 0 && is_joined || open == '(' && width <= 3 && is_in_sentence(text, range.start) {
        return None;
    }
    match open {
        '[' | '(' if width <= 3 && width > 0 && word_follows => Some(Token::check_box(range)),
        // A wider gap is a check box only at the start of an item.
        '[' if width <= 8 && word_follows && starts_item(text, range.start) => Some(Token::check_box(range)),
        '[' if width == 0 && word_follows => Some(Token::check_box(range)),
        '[' => Some(Token::gap(range, BlankForm::Brackets, Confidence::High)),
        '(' if width >= 3 => Some(Token::gap(range, BlankForm::Brackets, Confidence::Medium)),
        '«' | '<' | '{' if width >= 3 => Some(Token::gap(range, BlankForm::Brackets, Confidence::Medium)),
        _ => None,
    }
}

/// Returns the blank of a bracketed text that is a date to complete.
fn whole_date(text: &[char], inner: Range<usize>) -> Option<Token> {
    let inside = text.get(inner)?;
    let start = inside.iter().position(|character| !character.is_whitespace())?;
    let token = date_at(inside.get(start..)?, 0)?;
    let rest = inside.get(start + token.range.end..)?;
    rest.iter().all(|character| character.is_whitespace()).then_some(token)
}

/// Returns the blank of a text in brackets. `bracket` is the opening bracket and `width` its number of characters. The range
/// of the result is not set.
fn classify_inner(inner: &str, bracket: char, width: usize) -> Option<Token> {
    let has_letter = inner.chars().any(char::is_alphabetic);
    let letters_only_x = has_letter && inner.chars().all(|c| !c.is_alphabetic() || matches!(c, 'x' | 'X'));
    let is_gap = |c: char| {
        c.is_whitespace()
            || is_dot(c)
            || matches!(c, '_' | '#' | '●' | '•' | '■' | '▪' | '*' | '-' | '–' | '/' | '⚫' | '?')
    };
    if inner.chars().all(|c| is_gap(c) || matches!(c, 'x' | 'X')) && (!has_letter || letters_only_x && inner.len() > 1)
    {
        let left_out = inner == "..." || inner == "…";
        let confidence = if left_out { Confidence::Medium } else { Confidence::High };
        return Some(Token::gap(0..0, BlankForm::Brackets, confidence));
    }
    let word_count = inner.split_whitespace().count();
    let is_long = word_count > MAX_OWN_WORDS || inner.chars().count() > MAX_OWN_CHARACTERS;
    if !has_letter || inner.chars().count() < 2 || is_reference(inner) {
        return None;
    }
    if is_long {
        let is_instruction = words::starts_with_instruction(inner) && bracket != '(';
        return is_instruction.then(|| Token {
            own_words: words::own_words(inner),
            ..Token::gap(0..0, BlankForm::Brackets, Confidence::Medium)
        });
    }
    let own = Token { own_words: Some(inner.to_owned()), ..Token::gap(0..0, BlankForm::Brackets, Confidence::High) };
    match bracket {
        '<' if inner.starts_with(['/', '!', '?', '%']) || inner.contains(['=', '@']) || inner.contains("://") => None,
        '<' | '$' => Some(own),
        '{' if inner.starts_with(['#', '^', '/', '%', '@', '\\', '!']) || inner.contains([';', '=', ',']) => None,
        '{' if is_command(inner) || is_uuid(inner) => None,
        '{' => Some(own),
        '«' => is_guillemet_name(inner).then_some(own),
        // An end tag, or a list of strings in a program.
        '[' if inner.starts_with('/') || inner.contains('"') => None,
        _ => match words::alternatives(inner) {
            Some(choices) => Some(Token { kind: Some(ValueKind::Choice), choices, ..own }),
            None if width == 2 => Some(own),
            None => {
                let is_clear = word_count > 1 || inner.chars().next().is_some_and(|first| !first.is_lowercase());
                let confidence = if is_clear { Confidence::High } else { Confidence::Medium };
                Some(Token { confidence, ..own })
            }
        },
    }
}

/// Returns `true` for a command of another program's template: `IF bonus`, `END-IF`.
fn is_command(inner: &str) -> bool {
    const COMMANDS: [&str; 12] =
        ["if", "else", "elif", "elseif", "for", "foreach", "each", "loop", "end", "endif", "endfor", "unless"];
    let first = inner.split(|c: char| c.is_whitespace() || c == '-' || c == ':').next().unwrap_or_default();
    let is_alone = inner.len() == first.len() || inner.contains(char::is_whitespace) || inner.contains('-');
    is_alone && COMMANDS.contains(&first.to_lowercase().as_str())
}

/// Returns `true` for a UUID.
fn is_uuid(inner: &str) -> bool {
    inner.len() == 36 && inner.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

/// Returns `true` for a text in brackets that refers to something or comments on the text: `[sic]`, `[fig. 3]`, `[12]`.
fn is_reference(inner: &str) -> bool {
    let folded = inner.to_lowercase();
    let is_roman = folded.chars().all(|c| matches!(c, 'i' | 'v' | 'x')) && folded.chars().count() < 6;
    is_roman
        || ["sic", "ibid", "emphasis added", "intentionally", "reserved", "omitted", "note:", "nota", "drafting note"]
            .iter()
            .any(|known| folded.starts_with(known))
        || folded.contains("://")
        || folded.starts_with("www.")
}

/// Returns `true` if a text in guillemets is a name and not a quotation. A quotation in French has spaces inside, and a
/// quotation in Arabic has no underscore.
fn is_guillemet_name(inner: &str) -> bool {
    let is_identifier = inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let has_case_change =
        inner.chars().zip(inner.chars().skip(1)).any(|(a, b)| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    is_identifier && (inner.contains('_') || has_case_change)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        let shown = |token: &Token| characters[token.range.clone()].iter().collect::<String>();
        find_tokens(&characters).iter().map(shown).collect()
    }

    #[test]
    fn gaps_are_found_with_their_ends() {
        for (text, expected) in [
            ("Name: ________ Date: ____", &["________", "____"][..]),
            ("Name: _ _ _ _ _.", &["_ _ _ _ _"]),
            ("le ……… à …………", &["………", "…………"]),
            ("Nom.......... Prénom..........", &["..........", ".........."]),
            ("the __/__/____.", &["__/__/____"]),
            ("le ../../....", &["../../...."]),
            ("le … / … / 20…", &["… / … / 20…"]),
            ("on DD/MM/YYYY at", &["DD/MM/YYYY"]),
            ("le JJ/MM/AAAA", &["JJ/MM/AAAA"]),
            ("in 20__.", &["20__"]),
            ("[●] and [  ] Yes", &["[●]", "[  ]"]),
            ("{name} ${city} [[x_y]] <Your name>", &["{name}", "${city}", "[[x_y]]", "<Your name>"]),
            ("«Nom_Client»", &["«Nom_Client»"]),
            ("XXXX euros", &["XXXX"]),
            ("for [X] days", &["[X]"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn ordinary_text_has_no_gaps() {
        for text in [
            "And so on...",
            "etc....",
            "He said [sic] that [12] of them",
            "party[s] and snake_case_name",
            "Article XXX",
            "« Le Bailleur » et «المؤجر»",
            "a < b and c > d",
            "see <https://example.org/x>",
            "3.14 or 1/2/2024",
            "{{name}} {#items}",
            "(a) the (b) other",
            "{IF bonus} {END-IF} {else} {A79C9582-19D1-11D1-91C7-C4252BDEA3A4}",
            "[X] Yes",
            "the anchor ( ) tag and OR:[].95",
            "[\"A\", \"B\"] [/java] [ Drafting note: select one ]",
            "pp xi–xxx, «ОмскВодоканалу»",
            "他说……走了",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
