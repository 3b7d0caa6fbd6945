//! Text direction: the Unicode bidirectional algorithm (UAX #9) with the directions of the paragraph and its runs.

use std::ops::Range;

use unicode_bidi::{BidiClass, BidiInfo, Level, ParagraphBidiInfo, bidi_class};
use waraq_docx::tree::{ParagraphProperties, RunProperties};

use super::source::ParagraphSource;

/// The directions of a paragraph's text.
#[derive(Default)]
pub(super) struct Directions {
    /// The bidirectional embedding level of each byte of the text.
    pub levels: Vec<u8>,
    /// The start and end positions of text whose direction differs from that of its surroundings, sorted by offset.
    pub edges: Vec<DirectionEdge>,
}

/// The start or the end of a part of the text whose direction differs from that of its surroundings. Text before the edge and
/// text after it are ordered separately.
#[derive(Debug, Clone, Copy)]
pub(super) struct DirectionEdge {
    /// Byte offset in the text of the paragraph.
    pub byte: usize,
    /// Bidirectional embedding level of the surrounding text.
    pub level: u8,
}

/// Returns the directions of the paragraph, or `None` if all text runs from left to right.
pub(super) fn resolve_directions(source: &ParagraphSource, properties: &ParagraphProperties) -> Option<Directions> {
    let right_to_left = properties.bidi;
    let runs = source.spans.iter().any(|span| span.run.right_to_left);
    if !right_to_left && !runs && !source.text.chars().any(is_right_to_left) {
        return None;
    }
    let levels = Vec::with_capacity(source.text.len());
    let mut directions = Directions { levels, edges: Vec::new() };
    // The numbering label is resolved separately from the text after it, so that neither affects the directions of the other.
    let unmarked = properties.directions_from_letters;
    resolve_range(source, 0..source.label_end, right_to_left, right_to_left || unmarked, &mut directions);
    resolve_range(source, source.label_end..source.text.len(), right_to_left, unmarked, &mut directions);
    Some(directions)
}

fn is_right_to_left(character: char) -> bool {
    character >= '\u{590}'
        && matches!(
            bidi_class(character),
            BidiClass::R | BidiClass::AL | BidiClass::AN | BidiClass::RLE | BidiClass::RLO | BidiClass::RLI
        )
}

/// Resolves the directions of the bytes in `range`, and adds them to `out`.
///
/// In Word, w:rtl gives the direction of a run (§17.3.2.30, Annex I.2). Adjacent runs of the same direction are ordered as one
/// text, whose base direction is that direction. If it differs from the direction of the paragraph, the text is isolated from its
/// surroundings. For example, the full stop of a Latin sentence in an Arabic paragraph stays on the right of the sentence. Latin
/// words in a run marked w:rtl are not ordered together with the Latin words before the run.
///
/// In UAX #9 and LibreOffice, only the letters determine the directions. If `ignore_run_directions` is true, w:rtl is ignored and
/// the letters determine the directions here too.
fn resolve_range(
    source: &ParagraphSource,
    range: Range<usize>,
    right_to_left: bool,
    ignore_run_directions: bool,
    out: &mut Directions,
) {
    if range.is_empty() {
        return;
    }
    let (text, places) = (String::with_capacity(range.len() + 16), Vec::with_capacity(range.len()));
    let mut shown = BidiInput {
        text,
        offsets: places,
        edges: Vec::new(),
        surrounding: vec![Some(right_to_left)],
        open_isolate: None,
    };
    for span in source.spans.iter().filter(|span| span.end > range.start && span.start < range.end) {
        let Some(text) = source.text.get(span.start.max(range.start)..span.end.min(range.end)) else { continue };
        let own = (!ignore_run_directions).then_some(span.run.right_to_left);
        let arabic = own == Some(true) && has_arabic_numbers(&span.run);
        for character in text.chars() {
            shown.push_character(character, own, arabic);
        }
    }
    shown.close_isolate();
    let base = if right_to_left { Level::rtl() } else { Level::ltr() };
    let info = ParagraphBidiInfo::new(&shown.text, Some(base));
    let level = |at: usize| info.levels.get(at).map_or(0, Level::number);
    let edge = |edge: IsolateEdge| DirectionEdge { byte: range.start + edge.byte, level: level(edge.mark_offset) };
    out.edges.extend(shown.edges.into_iter().map(edge));
    out.levels.extend(shown.offsets.into_iter().map(level));
}

/// Returns true if the digits of a right-to-left run are treated as Arabic numbers (Annex I.2). The run must have a
/// complex-script language other than Hebrew and Yiddish. Plus, minus and slash separate Arabic numbers, so that in 15/03/2026
/// the 15 is on the right.
fn has_arabic_numbers(run: &RunProperties) -> bool {
    let language = run.language.complex.as_deref().and_then(|tag| tag.split(['-', '_']).next());
    language.is_some_and(|language| !["he", "iw", "yi", "ji"].iter().any(|other| language.eq_ignore_ascii_case(other)))
}

const LEFT_TO_RIGHT_MARK: char = '\u{200e}';
const RIGHT_TO_LEFT_MARK: char = '\u{200f}';
const LEFT_TO_RIGHT_ISOLATE: char = '\u{2066}';
const RIGHT_TO_LEFT_ISOLATE: char = '\u{2067}';
const END_OF_ISOLATE: char = '\u{2069}';

/// The input of the bidirectional algorithm: the text of the paragraph with additional characters. Runs with a direction are
/// enclosed in isolates, and direction marks are at the edges of these isolates.
struct BidiInput {
    text: String,
    /// A byte offset in `text` for each byte of the paragraph's text. The character at this offset gives the byte its level.
    offsets: Vec<usize>,
    /// The edges of the isolates that were added for runs.
    edges: Vec<IsolateEdge>,
    /// A stack of directions: the direction of the paragraph, then those of the open embeddings. `Some(true)` is right to left.
    /// `None` is an override, inside which all other directions are ignored.
    surrounding: Vec<Option<bool>>,
    /// Number of open isolates that come from the paragraph's own text and began inside the current isolate for a run. `None` if
    /// no isolate for a run is open.
    open_isolate: Option<usize>,
}

/// The start or the end of an isolate that was added for a run.
struct IsolateEdge {
    /// Byte offset of the edge in the paragraph's text, relative to the start of the range that is resolved.
    byte: usize,
    /// Byte offset of the edge's direction mark in [`BidiInput::text`].
    mark_offset: usize,
}

impl BidiInput {
    /// Adds a character. `own` is the direction of the run that contains the character: `Some(true)` is right to left, `None`
    /// means that run directions are ignored. `arabic` is true if the digits of the run are treated as Arabic numbers.
    fn push_character(&mut self, character: char, own: Option<bool>, arabic: bool) {
        // The controls LRE, RLE, PDF, LRO and RLO come from w:dir, from w:bdo or from the text itself.
        if matches!(character, '\u{202a}'..='\u{202e}') {
            return self.push_embedding(character);
        }
        match (own, self.surrounding_direction()) {
            (Some(own), Some(around)) if own != around => {
                if self.open_isolate.is_none() {
                    self.push_edge();
                    self.text.push(if own { RIGHT_TO_LEFT_ISOLATE } else { LEFT_TO_RIGHT_ISOLATE });
                    self.open_isolate = Some(0);
                }
            }
            _ => self.close_isolate(),
        }
        match (character, &mut self.open_isolate) {
            ('0'..='9', _) if arabic => return self.push_mapped(arabic_digit(character), 1),
            ('+' | '-' | '/', _) if arabic => return self.push_mapped(RIGHT_TO_LEFT_MARK, 1),
            // An end mark that is part of the text must not end an isolate that was added for a run.
            (END_OF_ISOLATE, Some(0)) => return self.push_mapped('\u{200b}', END_OF_ISOLATE.len_utf8()),
            (END_OF_ISOLATE, Some(depth)) => *depth -= 1,
            ('\u{2066}'..='\u{2068}', Some(depth)) => *depth += 1,
            _ => {}
        }
        self.push_mapped(character, character.len_utf8());
    }

    /// Adds a character to `text` that represents the given number of bytes of the paragraph's text.
    fn push_mapped(&mut self, character: char, bytes: usize) {
        self.offsets.extend(std::iter::repeat_n(self.text.len(), bytes));
        self.text.push(character);
    }

    /// Returns the innermost surrounding direction: `Some(true)` is right to left. Returns `None` inside an override.
    fn surrounding_direction(&self) -> Option<bool> {
        self.surrounding.last().copied().flatten()
    }

    /// Begins or ends an embedding or override. First ends the isolate for a run, because it must not cross the edge of an
    /// embedding.
    fn push_embedding(&mut self, control: char) {
        self.close_isolate();
        self.push_mapped(control, control.len_utf8());
        let within_override = self.surrounding_direction().is_none();
        match control {
            '\u{202c}' => {
                if self.surrounding.len() > 1 {
                    self.surrounding.pop();
                }
            }
            '\u{202a}' if !within_override => self.surrounding.push(Some(false)),
            '\u{202b}' if !within_override => self.surrounding.push(Some(true)),
            _ => self.surrounding.push(None),
        }
    }

    /// Ends the isolate for a run, if one is open.
    fn close_isolate(&mut self) {
        if let Some(depth) = self.open_isolate.take() {
            self.text.extend(std::iter::repeat_n(END_OF_ISOLATE, depth + 1));
            self.push_edge();
        }
    }

    /// Adds a direction mark, and records its position as an edge of an isolate.
    fn push_edge(&mut self) {
        self.edges.push(IsolateEdge { byte: self.offsets.len(), mark_offset: self.text.len() });
        let right_to_left = self.surrounding_direction().unwrap_or_default();
        self.text.push(if right_to_left { RIGHT_TO_LEFT_MARK } else { LEFT_TO_RIGHT_MARK });
    }
}

fn arabic_digit(digit: char) -> char {
    digit.to_digit(10).and_then(|value| char::from_u32(0x660 + value)).unwrap_or(digit)
}

/// Returns the indices of `levels` in visual order, from left to right (UAX #9, L2).
pub(super) fn visual_order(levels: &[u8]) -> Vec<usize> {
    let levels: Vec<Level> = levels.iter().map(|level| Level::new(*level).unwrap_or(Level::ltr())).collect();
    BidiInfo::reorder_visual(&levels)
}
