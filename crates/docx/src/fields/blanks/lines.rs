//! The blanks in the text of paragraphs.

use std::ops::Range;

use waraq_rules::field_settings::ValueKind;

use super::candidates::{Candidate, Collector};
use super::format::{Formats, ParagraphFormat, RunFormat, StyleTable};
use super::text::{Token, find_tokens, is_symbol_box};
use super::{BlankForm, Confidence, objects, tables, words};
use crate::fields::matching;
use crate::fields::scan::{Index, Neighbor, OBJECT_PLACEHOLDER, PartScan, ScannedParagraph, TextCell};
use crate::fields::text_parts::ScannedPart;
use crate::package::attribute;
use quick_xml::Reader;
use quick_xml::events::Event;

/// The maximum number of characters and words of a highlighted text that is a blank. A longer one is a note.
const MAX_EMPHASIS_CHARACTERS: usize = 80;
const MAX_EMPHASIS_WORDS: usize = 10;
/// The minimum number of underlined spaces.
const MIN_UNDERLINED_SPACES: usize = 3;
/// If more than this share of the characters of a part is highlighted (in percent), highlights mean something else.
const MAX_HIGHLIGHTED_PERCENT: usize = 40;

/// The characters of a paragraph that may be blanks, and their formatting.
struct Line<'p> {
    cells: &'p [TextCell],
    /// The characters. U+FFFC replaces those that belong to a field or to another object.
    text: Vec<char>,
    formats: Vec<RunFormat>,
}

/// Finds the blanks of a part.
pub(super) fn find_in_part((index, part): (usize, &ScannedPart<'_>), styles: &StyleTable, found: &mut Collector<'_>) {
    let mut formats = Formats::new(&part.source, styles, found.meter);
    let taken = objects::find_objects((index, part), found);
    let uses_highlights = !is_mostly_highlighted(&part.scan, &mut formats);
    let has_markup = part.scan.paragraphs.iter().any(|paragraph| has_end_tag(&paragraph.cells));
    // The last candidate, if its line may continue in the next paragraph.
    let mut open_line: Option<(Index, usize)> = None;
    for (at, paragraph) in part.scan.paragraphs.iter().enumerate() {
        if !found.meter.spend(paragraph.cells.len() * 4 + 4) {
            return;
        }
        if paragraph.fallback || paragraph.cells.is_empty() {
            continue;
        }
        let format = formats.paragraph(paragraph);
        if format.is_contents {
            continue;
        }
        let line = read_line(part, paragraph, &taken, &mut formats);
        let mut tokens = find_tokens(&line.text);
        if has_markup {
            tokens.retain(|token| !is_tag(&line.text, token));
        }
        add_symbol_boxes(part, &line, &mut tokens);
        add_underlined_spaces(&line, &mut tokens);
        add_leaders(&line, &format, &mut tokens);
        let emphasis = add_emphasis(&line, uses_highlights, &mut tokens);
        tokens.sort_by_key(|token| token.range.start);
        if let [only] = tokens.as_slice()
            && continues_line(&line, only, paragraph, open_line)
            && let Some((_, candidate)) = open_line
            && let Some(candidate) = found.candidates.get_mut(candidate)
        {
            candidate.continuation.push(at);
            candidate.kind = candidate.kind.or(Some(ValueKind::LongText));
            open_line = Some((at, open_line.map_or(0, |(_, candidate)| candidate)));
            continue;
        }
        open_line = None;
        let last_end = tokens.last().map(|token| token.range.end);
        for token in tokens {
            let emphasized =
                emphasis.iter().any(|range| range.start <= token.range.start && token.range.end <= range.end);
            found.push(candidate_of((index, at), token, emphasized));
        }
        let is_last = |end: usize| line.text.get(end..).unwrap_or_default().iter().all(|c| c.is_whitespace());
        if last_end.is_some_and(is_last)
            && found.candidates.last().is_some_and(|last| last.is_line() && (last.part, last.paragraph) == (index, at))
        {
            open_line = Some((at, found.candidates.len() - 1));
        }
    }
    tables::find_empty_cells((index, part), &taken, found);
}

/// Returns `true` if a text has an end tag of XML or HTML. Angle brackets in such a document are tags and not blanks.
fn has_end_tag(cells: &[TextCell]) -> bool {
    cells.windows(3).any(|three| match three {
        [open, slash, letter] => open.character == '<' && slash.character == '/' && letter.character.is_alphabetic(),
        _ => false,
    })
}

/// Returns `true` for a word in angle brackets.
fn is_tag(text: &[char], token: &Token) -> bool {
    let token = text.get(token.range.clone()).unwrap_or_default();
    token.starts_with(&['<']) && !token.iter().any(|character| character.is_whitespace())
}

fn candidate_of((part, paragraph): (usize, Index), token: Token, emphasized: bool) -> Candidate {
    let Token { range, form, own_words, kind, choices, confidence } = token;
    let confidence = if emphasized { confidence.raised() } else { confidence };
    Candidate { own_words, kind, choices, confidence, ..Candidate::new(part, paragraph, range, form) }
}

/// Returns `true` if the paragraph is only a line, and the paragraph before it ends with a line.
fn continues_line(line: &Line<'_>, only: &Token, paragraph: &ScannedParagraph, open: Option<(Index, usize)>) -> bool {
    let is_line = matches!(
        only.form,
        BlankForm::Underscores | BlankForm::Dots | BlankForm::TabLeader | BlankForm::UnderlinedSpace
    );
    let is_rest = |(at, character): (usize, &char)| {
        only.range.contains(&at) || character.is_whitespace() || matches!(character, '.' | ';')
    };
    let is_next = open.is_some_and(|(previous, _)| paragraph.before == Some(Neighbor::Paragraph(previous)));
    is_line && is_next && line.text.iter().enumerate().all(is_rest)
}

/// Reads the characters of a paragraph. `taken` are the byte ranges of objects, in order.
fn read_line<'p>(
    part: &'p ScannedPart<'_>,
    paragraph: &'p ScannedParagraph,
    taken: &[Range<usize>],
    formats: &mut Formats<'_>,
) -> Line<'p> {
    let cells = paragraph.cells.as_slice();
    let mut text: Vec<char> = cells.iter().map(|cell| cell.character).collect();
    let found = matching::find_fields(cells, |_| false);
    let fields = found.matches.iter().map(|one| &one.cells).chain(found.tags.iter().map(|tag| &tag.cells));
    let is_braced = |range: &&Range<usize>| {
        let start: String = text.get((*range).clone()).unwrap_or_default().iter().take(2).collect();
        start == "{{" || start == "}}"
    };
    let invalid: Vec<Range<usize>> =
        found.invalid_fields.iter().map(|one| &one.cells).filter(is_braced).cloned().collect();
    for range in fields.cloned().chain(invalid) {
        text.get_mut(range).unwrap_or_default().fill(OBJECT_PLACEHOLDER);
    }
    let mut run_formats = Vec::with_capacity(cells.len());
    let mut last: Option<(Index, RunFormat)> = None;
    for (at, cell) in cells.iter().enumerate() {
        let format = match last {
            Some((run, format)) if run == cell.run => format,
            _ => part.scan.runs.get(cell.run).map(|run| formats.run(run)).unwrap_or_default(),
        };
        last = Some((cell.run, format));
        run_formats.push(format);
        let is_taken = cell.merge_field.is_some() || format.hidden || is_inside(taken, cell.span.start);
        if is_taken && let Some(character) = text.get_mut(at) {
            *character = OBJECT_PLACEHOLDER;
        }
    }
    Line { cells, text, formats: run_formats }
}

/// Returns `true` if a byte offset is in one of the ranges, which are in order and do not overlap.
pub(super) fn is_inside(ranges: &[Range<usize>], at: usize) -> bool {
    let begun = ranges.partition_point(|range| range.start <= at);
    begun.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|range| at < range.end)
}

fn is_mostly_highlighted(scan: &PartScan, formats: &mut Formats<'_>) -> bool {
    let (mut all, mut highlighted) = (0_usize, 0_usize);
    let mut last: Option<(Index, bool)> = None;
    for cell in scan.paragraphs.iter().flat_map(|paragraph| &paragraph.cells) {
        let is = match last {
            Some((run, is)) if run == cell.run => is,
            _ => scan.runs.get(cell.run).is_some_and(|run| formats.run(run).highlighted),
        };
        last = Some((cell.run, is));
        all += 1;
        highlighted += usize::from(is);
    }
    all > 200 && highlighted * 100 > all * MAX_HIGHLIGHTED_PERCENT
}

/// Returns `true` if a token shares characters with the range. The tokens are in order.
fn overlaps(tokens: &[Token], range: &Range<usize>) -> bool {
    let begun = tokens.partition_point(|token| token.range.start < range.end);
    begun.checked_sub(1).and_then(|last| tokens.get(last)).is_some_and(|token| range.start < token.range.end)
}

/// Adds the check boxes that are letters of a symbol font.
fn add_symbol_boxes(part: &ScannedPart<'_>, line: &Line<'_>, tokens: &mut Vec<Token>) {
    let mut boxes = Vec::new();
    for (at, (cell, format)) in line.cells.iter().zip(&line.formats).enumerate() {
        let is_box = if cell.text.is_none() && cell.character == OBJECT_PLACEHOLDER && !cell.span.is_empty() {
            let markup = part.source.get(cell.span.clone()).unwrap_or_default();
            symbol_code(markup).is_some_and(is_symbol_box)
        } else {
            format.symbols && line.text.get(at) != Some(&OBJECT_PLACEHOLDER) && is_symbol_box(u32::from(cell.character))
        };
        // A word in a symbol font is an ornament.
        let next_is_letter = line.formats.get(at + 1).is_some_and(|next| next.symbols)
            && line.text.get(at + 1).is_some_and(|next| next.is_alphabetic());
        if is_box && !next_is_letter && !is_covered(tokens, at) {
            boxes.push(Token {
                range: at..at + 1,
                form: BlankForm::CheckBox,
                own_words: None,
                kind: Some(ValueKind::YesNo),
                choices: Vec::new(),
                confidence: Confidence::High,
            });
        }
    }
    tokens.extend(boxes);
}

/// Returns `true` if a token contains the character. The tokens are in order.
fn is_covered(tokens: &[Token], at: usize) -> bool {
    let begun = tokens.partition_point(|token| token.range.start <= at);
    begun.checked_sub(1).and_then(|last| tokens.get(last)).is_some_and(|token| at < token.range.end)
}

/// Returns the code of a `w:sym` in a symbol font.
fn symbol_code(markup: &str) -> Option<u32> {
    match Reader::from_str(markup).read_event().ok()? {
        Event::Empty(tag) | Event::Start(tag) if tag.local_name().as_ref() == "sym" => {
            let font = attribute(&tag, "font")?.to_lowercase();
            font.starts_with("wingdings").then_some(())?;
            u32::from_str_radix(&attribute(&tag, "char")?, 16).ok()
        }
        _ => None,
    }
}

/// Returns the runs of neighbouring characters for which `is` returns `true`.
fn ranges_where(length: usize, is: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = None;
    for at in 0..=length {
        match (at < length && is(at), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                ranges.push(begin..at);
                start = None;
            }
            _ => {}
        }
    }
    ranges
}

fn add_underlined_spaces(line: &Line<'_>, tokens: &mut Vec<Token>) {
    let is_gap = |at: usize| {
        line.formats.get(at).is_some_and(|format| format.underlined)
            && line.text.get(at).is_some_and(|c| c.is_whitespace() && *c != '\n')
            && !is_covered(tokens, at)
    };
    let mut gaps = Vec::new();
    for range in ranges_where(line.text.len(), is_gap) {
        let has_tab = line.text.get(range.clone()).unwrap_or_default().contains(&'\t');
        let is_underlined = |at: Option<usize>| {
            at.and_then(|at| line.formats.get(at).zip(line.text.get(at)))
                .is_some_and(|(format, c)| format.underlined && (c.is_alphanumeric() || matches!(c, '.' | ')' | '(')))
        };
        // A space or a tab between two underlined words is part of a heading.
        let between_words = is_underlined(range.start.checked_sub(1)) && is_underlined(Some(range.end));
        if (has_tab || range.len() >= MIN_UNDERLINED_SPACES) && !between_words {
            let confidence = if range.len() > 5 || has_tab { Confidence::High } else { Confidence::Medium };
            gaps.push(gap(range, BlankForm::UnderlinedSpace, confidence));
        }
    }
    tokens.extend(gaps);
    tokens.sort_by_key(|token| token.range.start);
}

fn gap(range: Range<usize>, form: BlankForm, confidence: Confidence) -> Token {
    Token { range, form, own_words: None, kind: None, choices: Vec::new(), confidence }
}

/// Adds the tabs that are drawn as a line or as dots. A tab before a number is skipped, because the number is a page number
/// or a price.
fn add_leaders(line: &Line<'_>, format: &ParagraphFormat, tokens: &mut Vec<Token>) {
    if !format.leaders.contains(&true) {
        return;
    }
    let mut stop = 0;
    let mut gaps = Vec::new();
    for (at, character) in line.text.iter().enumerate() {
        match character {
            '\n' => stop = 0,
            '\t' => {
                let is_drawn = format.leaders.get(stop).copied().unwrap_or(false);
                stop += 1;
                let after: String = line
                    .text
                    .get(at + 1..)
                    .unwrap_or_default()
                    .iter()
                    .take(40)
                    .take_while(|c| !matches!(c, '\t' | '\n'))
                    .collect();
                let after = after.trim();
                let is_number = after.chars().next().is_some_and(|c| c.is_numeric() || matches!(c, '$' | '€' | '£'));
                let is_roman = !after.is_empty() && after.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
                // A tab before the text of an entry is an indent.
                let is_indent = at == 0 && after.split_whitespace().count() > 4;
                if is_drawn && !is_number && !is_roman && !is_indent && !is_covered(tokens, at) {
                    gaps.push(gap(at..at + 1, BlankForm::TabLeader, Confidence::High));
                }
            }
            _ => {}
        }
    }
    tokens.extend(gaps);
    tokens.sort_by_key(|token| token.range.start);
}

/// Adds the texts that are highlighted or have the placeholder style. Returns the ranges of all such texts.
fn add_emphasis(line: &Line<'_>, uses_highlights: bool, tokens: &mut Vec<Token>) -> Vec<Range<usize>> {
    let is_emphasized = |at: usize| {
        let format = line.formats.get(at).copied().unwrap_or_default();
        (uses_highlights && format.highlighted || format.placeholder)
            && line.text.get(at).is_some_and(|c| !matches!(c, '\n' | '\u{fffc}'))
    };
    let all = ranges_where(line.text.len(), is_emphasized);
    let mut added = Vec::new();
    for whole in &all {
        let text = line.text.get(whole.clone()).unwrap_or_default();
        let is_edge = |c: &char| c.is_whitespace() || matches!(c, ',' | ';' | '.' | ':');
        let is_only_space = text.iter().all(|c| c.is_whitespace());
        let skipped = text.iter().take_while(|c| is_edge(c)).count();
        let kept = text.len() - text.iter().rev().take_while(|c| is_edge(c)).count();
        if is_only_space && text.len() >= MIN_UNDERLINED_SPACES && !overlaps(tokens, whole) {
            added.push(gap(whole.clone(), BlankForm::Highlight, Confidence::Medium));
            continue;
        }
        if skipped >= kept || overlaps(tokens, whole) {
            continue;
        }
        let range = whole.start + skipped..whole.start + kept;
        let words: String = line.text.get(range.clone()).unwrap_or_default().iter().collect();
        let is_short =
            words.chars().count() <= MAX_EMPHASIS_CHARACTERS && words.split_whitespace().count() <= MAX_EMPHASIS_WORDS;
        if !is_short || !words.chars().any(char::is_alphanumeric) {
            continue;
        }
        let is_placeholder = line.formats.get(range.start).is_some_and(|format| format.placeholder);
        let (form, confidence) = if is_placeholder {
            (BlankForm::Placeholder, Confidence::High)
        } else {
            (BlankForm::Highlight, Confidence::Medium)
        };
        let choices = words::alternatives(&words).unwrap_or_default();
        let kind = (!choices.is_empty()).then_some(ValueKind::Choice);
        added.push(Token { range, form, own_words: Some(words), kind, choices, confidence });
    }
    tokens.extend(added);
    all
}
