//! Splitting of a value into pieces of one direction, one for each run.
//!
//! Word lays out a run in its marked direction (w:rtl, ECMA-376 part 1, §17.3.2.30). LibreOffice, browsers and mail
//! programs only use the characters (UAX #9). Both must show a value in the order in which it was typed. The runs give
//! Word the direction. Invisible direction marks are added for the other programs if the characters alone give another
//! order.

use unicode_bidi::BidiClass::{self, AL, AN, EN, ET, L, R};
use unicode_bidi::{BidiInfo, Level, ParagraphBidiInfo};

/// The text around a value, as far as it affects the direction of the value.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueContext {
    /// The paragraph that contains the value is right-to-left.
    pub right_to_left: bool,
    /// The paragraph is right-to-left or contains right-to-left letters.
    pub has_right_to_left: bool,
    /// The next letter or digit after the value is a digit. Without a mark, that digit would take the direction of the
    /// value.
    pub digit_follows: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Text without a direction (white space or a row of dots). It keeps the formatting of the author's run.
    Neutral,
    LeftToRight,
    /// Digits and signs without letters, which are left-to-right. They keep the formatting of the author's run.
    Numbers,
    RightToLeft,
}

/// A part of a value that has only one direction. `text` includes the direction marks that were added to the part.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DirectionalRun {
    pub text: String,
    pub direction: Direction,
}

/// Returns the bidirectional class of a character. Latin letters and digits are not looked up, because most text consists of
/// them.
fn bidi_class(character: char) -> BidiClass {
    match character {
        'a'..='z' | 'A'..='Z' => L,
        '0'..='9' => EN,
        _ => unicode_bidi::bidi_class(character),
    }
}

/// Returns `true` if the text contains a right-to-left letter.
pub(super) fn has_right_to_left(mut text: impl Iterator<Item = char>) -> bool {
    text.any(|character| matches!(bidi_class(character), R | AL))
}

/// Returns `true` for the characters that only control the order of other characters (UAX #9, section 2).
pub(super) fn is_direction_control(character: char) -> bool {
    is_direction_mark(character) || is_direction_formatting(character)
}

/// Returns `true` for the left-to-right, right-to-left and Arabic letter marks. They act like an invisible letter.
/// [`split_by_direction`] inserts only the first two.
fn is_direction_mark(character: char) -> bool {
    matches!(character, LEFT_TO_RIGHT_MARK | RIGHT_TO_LEFT_MARK | ARABIC_LETTER_MARK)
}

/// Returns `true` for the control characters that begin or end an embedding, an override or an isolate.
fn is_direction_formatting(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns `true` if the first letter or digit of the text is a digit.
pub(super) fn begins_with_digit(mut text: impl Iterator<Item = char>) -> bool {
    let first = text.find_map(|character| match bidi_class(character) {
        EN | AN => Some(true),
        L | R | AL => Some(false),
        _ => None,
    });
    first.unwrap_or_default()
}

/// Removes the control characters of a value that could change the order of the text around it.
///
/// The characters that begin or end embeddings, overrides and isolates are removed. Otherwise a value could begin an
/// embedding without ending it, or end an embedding of the template. An override could also show the characters in
/// another order than they are stored. Direction marks are removed only at both ends of each line, and of each part
/// between tabs. A mark inside a line affects only that line, because [`split_by_direction`] separates the line from
/// the text around it.
pub(super) fn remove_direction_controls(value: &str) -> String {
    const SEPARATORS: [char; 3] = ['\n', '\r', '\t'];
    let value: String = value.chars().filter(|character| !is_direction_formatting(*character)).collect();
    let line = |segment: &str| {
        let line = segment.trim_end_matches(SEPARATORS);
        format!("{}{}", line.trim_matches(is_direction_mark), segment.get(line.len()..).unwrap_or_default())
    };
    if value.contains(is_direction_mark) { value.split_inclusive(SEPARATORS).map(line).collect() } else { value }
}

/// Splits a value where its direction changes. Each line, and each part between tabs, is treated separately.
///
/// Direction marks that the value already contains are used for the split. They are then removed, because each piece
/// has its own direction.
pub(super) fn split_by_direction(value: &str, around: ValueContext) -> Vec<DirectionalRun> {
    let mut runs: Vec<DirectionalRun> = Vec::new();
    let mut push = |text: String, direction: Direction| match runs.last_mut() {
        Some(last) if direction == Direction::Neutral || last.direction == direction => last.text.push_str(&text),
        Some(last) if last.direction == Direction::Neutral => {
            last.text.push_str(&text);
            last.direction = direction;
        }
        _ => runs.push(DirectionalRun { text, direction }),
    };
    for segment in value.split_inclusive(['\n', '\t']) {
        let text = segment.trim_end_matches(['\n', '\t']);
        let plain = without_marks(text);
        let letters = has_right_to_left(plain.chars());
        // Direction marks are used only if the text has letters of both directions.
        let mixed = letters && plain.chars().any(|character| bidi_class(character) == L);
        for (piece, direction) in split_line(if mixed { text } else { &plain }, around.right_to_left) {
            let piece = without_marks(piece);
            if !piece.is_empty() {
                push(with_direction_marks(&piece, direction, around, letters), direction);
            }
        }
        push(segment.get(text.len()..).unwrap_or_default().to_owned(), Direction::Neutral);
    }
    if around.digit_follows
        && let Some(last) = runs.last_mut()
    {
        let right_to_left = last.direction == Direction::RightToLeft;
        let letters = right_to_left || last.direction == Direction::LeftToRight;
        let base = direction_mark(around.right_to_left);
        if letters && right_to_left != around.right_to_left && !last.text.ends_with(base) {
            last.text.push(base);
        }
    }
    runs
}

fn without_marks(text: &str) -> String {
    text.chars().filter(|character| !is_direction_mark(*character)).collect()
}

/// Splits one line into parts of one direction. `base_is_right_to_left` is the direction of the paragraph.
fn split_line(line: &str, base_is_right_to_left: bool) -> Vec<(&str, Direction)> {
    let characters: Vec<(usize, char)> = line.char_indices().collect();
    let directions = character_directions(line, &characters, base_is_right_to_left);
    let mut found = Vec::new();
    let mut start = 0;
    for (index, &(at, _)) in characters.iter().enumerate().skip(1) {
        if directions.get(index) != directions.get(index - 1) {
            found.extend(line.get(start..at).zip(directions.get(index - 1).copied()));
            start = at;
        }
    }
    found.extend(line.get(start..).zip(directions.last().copied()));
    found
}

/// Returns the direction of each character of a line.
fn character_directions(line: &str, characters: &[(usize, char)], base_is_right_to_left: bool) -> Vec<Direction> {
    let letters: Vec<(usize, bool)> = characters
        .iter()
        .enumerate()
        .filter_map(|(index, &(_, character))| match bidi_class(character) {
            L => Some((index, false)),
            R | AL => Some((index, true)),
            _ => None,
        })
        .collect();
    let all = |direction| vec![direction; characters.len()];
    let Some(&(first_letter, first)) = letters.first() else {
        // White space or one repeated sign (a dotted line) has no direction.
        let is_repeated_sign =
            |first: char| !is_digit(first) && characters.iter().all(|(_, character)| *character == first);
        let nothing = line.trim().is_empty() || line.chars().next().is_some_and(is_repeated_sign);
        return all(if nothing { Direction::Neutral } else { Direction::Numbers });
    };
    if letters.iter().all(|(_, right_to_left)| !right_to_left) {
        return all(Direction::LeftToRight);
    }
    let mut directions = if letters.iter().all(|(_, right_to_left)| *right_to_left) {
        all(Direction::RightToLeft)
    } else {
        mixed_directions(line, characters, base_is_right_to_left, (first_letter, first))
    };
    for number in find_reordered_numbers(characters, &directions) {
        // In a left-to-right paragraph, the spaces around a number are left-to-right like the number.
        let wide = if base_is_right_to_left { number } else { with_adjacent_spaces(characters, number) };
        directions.get_mut(wide).unwrap_or_default().fill(Direction::Numbers);
    }
    directions
}

/// Returns the direction of each character in a line with letters of both directions. The function applies UAX #9 with
/// the direction of the paragraph. Rule N0 of UAX #9 gives both brackets of a pair the same direction. Characters
/// before the first letter, such as a house number, have the direction of that letter.
fn mixed_directions(
    line: &str,
    characters: &[(usize, char)],
    base_is_right_to_left: bool,
    first: (usize, bool),
) -> Vec<Direction> {
    let info = ParagraphBidiInfo::new(line, Some(base_level(base_is_right_to_left)));
    let level_at = |at: usize| info.levels.get(at).copied().unwrap_or(base_level(base_is_right_to_left));
    let mut directions = Vec::with_capacity(characters.len());
    for stretch in characters.chunk_by(|(a, _), (b, _)| level_at(*a) == level_at(*b)) {
        // A level of 2 or another even number above 0 has two causes: left-to-right letters, or a number among
        // right-to-left letters.
        let level = stretch.first().map_or(0, |(at, _)| level_at(*at).number());
        let letters = stretch.iter().any(|(_, character)| bidi_class(*character) == L);
        let left_to_right = level == 0 || level % 2 == 0 && letters;
        let direction = if left_to_right { Direction::LeftToRight } else { Direction::RightToLeft };
        directions.extend(std::iter::repeat_n(direction, stretch.len()));
    }
    let leading = characters.get(..first.0).unwrap_or_default();
    if !leading.iter().any(|(_, character)| is_bracket(*character)) {
        let direction = if first.1 { Direction::RightToLeft } else { Direction::LeftToRight };
        directions.get_mut(..first.0).unwrap_or_default().fill(direction);
    }
    directions
}

fn base_level(right_to_left: bool) -> Level {
    if right_to_left { Level::rtl() } else { Level::ltr() }
}

fn is_bracket(character: char) -> bool {
    matches!(character, '(' | ')' | '[' | ']' | '{' | '}')
}

fn is_digit(character: char) -> bool {
    bidi_class(character) == EN
}

type Indices = std::ops::Range<usize>;

/// Returns the ranges of numbers among right-to-left letters that UAX #9 would reorder. These are numbers of several
/// groups (`01 23 45`, `2026-11-22`, `1 250,00`) and numbers after a sign (`+213…`).
fn find_reordered_numbers(characters: &[(usize, char)], directions: &[Direction]) -> Vec<Indices> {
    let character = |index: usize| characters.get(index).map(|(_, character)| *character);
    let inside = |index: usize| directions.get(index) == Some(&Direction::RightToLeft);
    let digit = |index: usize| inside(index) && character(index).is_some_and(is_digit);
    let sign = |index: usize| inside(index) && character(index).is_some_and(|c| matches!(c, '+' | '-' | '−'));
    let currency = |index: usize| inside(index) && character(index).is_some_and(|c| bidi_class(c) == ET);
    let space = |index: usize| character(index).is_some_and(char::is_whitespace);
    let mut found: Vec<Indices> = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let (mut start, mut end, mut turned) = (at, at, false);
        let mut groups: Vec<Indices> = Vec::new();
        while digit(end) {
            let group = end;
            end = (end..characters.len()).find(|&index| !digit(index)).unwrap_or(characters.len());
            groups.push(group..end);
            let next =
                (end..characters.len()).find(|&index| !inside(index) || digit(index) || is_letter(character(index)));
            let between: String = next.into_iter().flat_map(|next| end..next).filter_map(character).collect();
            let Some(next) = next.filter(|&next| digit(next) && joins_groups(&between)) else { break };
            turned |= !matches!(between.as_str(), "." | "," | ":" | "\u{a0}" | "\u{202f}");
            end = next;
        }
        at = end;
        if are_two_numbers(characters, &groups) {
            turned = false;
        }
        let free = |index: Option<usize>| index.is_none_or(|index| !is_letter(character(index)) && !digit(index));
        if let Some(before) = start.checked_sub(1).filter(|&before| sign(before) && free(before.checked_sub(1))) {
            (start, turned) = (before, true);
        }
        if !turned {
            continue;
        }
        match start.checked_sub(1) {
            Some(before) if currency(before) => start = before,
            Some(before) if space(before) && before > 0 && currency(before - 1) => start = before - 1,
            _ => {}
        }
        if currency(end) {
            end += 1;
        } else if space(end) && currency(end + 1) {
            end += 2;
        }
        let number = with_balanced_brackets(characters, start..end);
        at = at.max(number.end);
        found.push(number);
    }
    found
}

/// Returns `true` if two groups of digits with a space between them are two numbers, such as a house number and a flat
/// number (`63 2`). Two numbers are ordered like two words.
///
/// The groups are one number in these cases:
/// - The first group is a prefix that begins with zero (`021 234567`).
/// - The second group has three digits, so the space may separate thousands (`1 250`).
/// - Both groups have at least three digits, and seven or more in total (`555 1234`).
fn are_two_numbers(characters: &[(usize, char)], groups: &[Indices]) -> bool {
    let [one, other] = groups else { return false };
    let mut between = characters.get(one.end..other.start).unwrap_or_default().iter();
    let starts_with_zero = characters.get(one.start).is_some_and(|(_, first)| *first == '0');
    let long = one.len() >= 3 && other.len() >= 3 && one.len() + other.len() >= 7;
    between.all(|(_, character)| *character == ' ') && !starts_with_zero && other.len() != 3 && !long
}

fn is_letter(character: Option<char>) -> bool {
    character.is_some_and(|character| matches!(bidi_class(character), L | R | AL))
}

/// Returns `true` if the text between two groups of digits joins them into one number. A list separator, such as a
/// comma and a space, does not join them.
fn joins_groups(between: &str) -> bool {
    let is_list_separator = between.contains([',', ';', ':', '،', '؛']) && between.chars().count() > 1;
    let signs = |c: char| c.is_whitespace() || is_bracket(c) || "+-−–—‑./\\:,'’_·*#".contains(c);
    !is_list_separator && between.chars().all(signs)
}

/// Changes the range of a number so that its brackets are paired. If the partner of a bracket is directly beside the
/// number, the partner is added to the range. Otherwise the number ends before the unpaired bracket.
fn with_balanced_brackets(characters: &[(usize, char)], number: Indices) -> Indices {
    let character = |index: usize| characters.get(index).map_or(' ', |(_, character)| *character);
    let mut open: Vec<usize> = Vec::new();
    let mut start = number.start;
    for index in number.clone() {
        match character(index) {
            '(' | '[' | '{' => open.push(index),
            ')' | ']' | '}' if open.pop().is_none() => {
                if start == number.start && start > 0 && is_bracket(character(start - 1)) {
                    start -= 1;
                } else {
                    return start..index;
                }
            }
            _ => {}
        }
    }
    match open.first() {
        None => start..number.end,
        Some(_) if open.len() == 1 && is_bracket(character(number.end)) => start..number.end + 1,
        Some(&first) => start..first,
    }
}

fn with_adjacent_spaces(characters: &[(usize, char)], number: Indices) -> Indices {
    let space = |index: usize| characters.get(index).is_some_and(|(_, character)| character.is_whitespace());
    let before = (0..number.start).rev().take_while(|&index| space(index)).count();
    let after = (number.end..characters.len()).take_while(|&index| space(index)).count();
    number.start - before..number.end + after
}

const LEFT_TO_RIGHT_MARK: char = '\u{200e}';
const RIGHT_TO_LEFT_MARK: char = '\u{200f}';
const ARABIC_LETTER_MARK: char = '\u{61c}';

fn direction_mark(right_to_left: bool) -> char {
    if right_to_left { RIGHT_TO_LEFT_MARK } else { LEFT_TO_RIGHT_MARK }
}

/// Adds direction marks at the ends of the piece if they are needed. With the marks, programs that ignore w:rtl show
/// the piece in the right order. Without the marks, such programs may also mix the piece with a neighbouring value if
/// only a neutral sign is between them.
fn with_direction_marks(run_text: &str, direction: Direction, around: ValueContext, mixed: bool) -> String {
    let right_to_left = match direction {
        Direction::Neutral => return run_text.to_owned(),
        Direction::LeftToRight | Direction::Numbers => false,
        Direction::RightToLeft => true,
    };
    let against = right_to_left != around.right_to_left;
    let numbers_after_letters = !right_to_left && (around.has_right_to_left || mixed);
    if !(against || numbers_after_letters) || keeps_order(run_text, right_to_left, around.right_to_left) {
        return run_text.to_owned();
    }
    let needs = |end: Option<char>| {
        end.is_some_and(|end| match bidi_class(end) {
            L => right_to_left,
            R | AL => !right_to_left,
            _ => true,
        })
    };
    let mut text = String::with_capacity(run_text.len() + 12);
    if needs(run_text.chars().next()) {
        text.extend(against.then(|| direction_mark(around.right_to_left)));
        text.push(direction_mark(right_to_left));
    }
    text.push_str(run_text);
    if needs(run_text.chars().next_back()) {
        text.push(direction_mark(right_to_left));
        text.extend(against.then(|| direction_mark(around.right_to_left)));
    }
    text
}

/// Returns `true` if the characters of a piece keep their order (UAX #9) between letters of the other direction. The
/// order is compared with the order of the piece alone. `right_to_left` is `true` for a right-to-left piece, and
/// `base_is_right_to_left` for a right-to-left paragraph.
fn keeps_order(piece: &str, right_to_left: bool, base_is_right_to_left: bool) -> bool {
    let other = if right_to_left { 'a' } else { 'ا' };
    let levels_of = |text: &str, base: bool| -> Vec<Level> {
        let info = ParagraphBidiInfo::new(text, Some(base_level(base)));
        text.char_indices().map(|(at, _)| info.levels.get(at).copied().unwrap_or(base_level(base))).collect()
    };
    let alone = levels_of(piece, right_to_left);
    let among = levels_of(&format!("{other}{piece}{other}"), base_is_right_to_left);
    let order = BidiInfo::reorder_visual(&among).into_iter().filter(|&index| (1..=alone.len()).contains(&index));
    let inner = among.get(1..=alone.len()).unwrap_or_default();
    order.eq(BidiInfo::reorder_visual(&alone).into_iter().map(|index| index + 1))
        && alone.iter().zip(inner).all(|(alone, among)| alone.is_rtl() == among.is_rtl())
}
