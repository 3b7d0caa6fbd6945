//! Directions: the Unicode bidirectional algorithm (UAX #9) with the paragraph's and the runs' own say.

use std::ops::Range;

use unicode_bidi::{BidiClass, BidiInfo, Level, ParagraphBidiInfo, bidi_class};
use waraq_docx::tree::{ParagraphProperties, RunProperties};

use super::source::Source;

/// Which way a paragraph's text runs.
#[derive(Default)]
pub(super) struct Directions {
    /// The embedding level of each byte.
    pub levels: Vec<u8>,
    /// Bytes at which what stands before is placed apart from what follows, and the level around both.
    pub edges: Vec<(usize, u8)>,
}

/// `None` where everything is left to right.
pub(super) fn directions(source: &Source, properties: &ParagraphProperties) -> Option<Directions> {
    let right_to_left = properties.bidi;
    let runs = source.spans.iter().any(|span| span.run.right_to_left);
    if !right_to_left && !runs && !source.text.chars().any(is_right_to_left) {
        return None;
    }
    let levels = Vec::with_capacity(source.text.len());
    let mut directions = Directions { levels, edges: Vec::new() };
    // The label stands for itself: the paragraph's digits are no concern of its letters.
    let unmarked = properties.directions_from_letters;
    resolve(source, 0..source.label_end, right_to_left, right_to_left || unmarked, &mut directions);
    resolve(source, source.label_end..source.text.len(), right_to_left, unmarked, &mut directions);
    Some(directions)
}

fn is_right_to_left(character: char) -> bool {
    character >= '\u{590}'
        && matches!(
            bidi_class(character),
            BidiClass::R | BidiClass::AL | BidiClass::AN | BidiClass::RLE | BidiClass::RLO | BidiClass::RLI
        )
}

/// Directions of the bytes in `range`.
///
/// In Word a run has the direction it is marked with (w:rtl, §17.3.2.30, Annex I.2): runs of one direction that stand
/// side by side are ordered among themselves with that direction as base, and such a stretch is placed as a whole where
/// its direction is not the paragraph's. So the full stop of a Latin sentence in an Arabic paragraph stands on the
/// sentence's right, and Latin words in a run marked w:rtl do not join those before it. (UAX #9 would have the
/// letters decide, and so has LibreOffice.) `unmarked`: the runs have no say.
fn resolve(source: &Source, range: Range<usize>, right_to_left: bool, unmarked: bool, out: &mut Directions) {
    if range.is_empty() {
        return;
    }
    let (text, places) = (String::with_capacity(range.len() + 16), Vec::with_capacity(range.len()));
    let mut shown = Shown { text, places, edges: Vec::new(), around: vec![Some(right_to_left)], open: None };
    for span in source.spans.iter().filter(|span| span.end > range.start && span.start < range.end) {
        let Some(text) = source.text.get(span.start.max(range.start)..span.end.min(range.end)) else { continue };
        let own = (!unmarked).then_some(span.run.right_to_left);
        let arabic = own == Some(true) && counts_as_arabic(&span.run);
        for character in text.chars() {
            shown.character(character, own, arabic);
        }
    }
    shown.close();
    let base = if right_to_left { Level::rtl() } else { Level::ltr() };
    let info = ParagraphBidiInfo::new(&shown.text, Some(base));
    let level = |at: usize| info.levels.get(at).map_or(0, Level::number);
    out.edges.extend(shown.edges.into_iter().map(|(byte, at)| (range.start + byte, level(at))));
    out.levels.extend(shown.places.into_iter().map(level));
}

/// In a right-to-left run whose language writes numbers as Arabic does (all but Hebrew and Yiddish), digits are Arabic
/// numbers, and plus, minus and slash part them (Annex I.2): of 15/03/2026 the 15 stands on the right.
fn counts_as_arabic(run: &RunProperties) -> bool {
    let language = run.language.complex.as_deref().and_then(|tag| tag.split(['-', '_']).next());
    language.is_some_and(|language| !["he", "iw", "yi", "ji"].iter().any(|other| language.eq_ignore_ascii_case(other)))
}

const LEFT_TO_RIGHT_MARK: char = '\u{200e}';
const RIGHT_TO_LEFT_MARK: char = '\u{200f}';
const LEFT_TO_RIGHT_ISOLATE: char = '\u{2066}';
const RIGHT_TO_LEFT_ISOLATE: char = '\u{2067}';
const END_OF_ISOLATE: char = '\u{2069}';

/// What the algorithm is shown: the text, the runs' directions as isolates between marks of the direction around.
struct Shown {
    text: String,
    /// For each byte of the paragraph's text, where it is in what is shown: its level is there.
    places: Vec<usize>,
    /// Bytes of the paragraph's text where an isolate begins or ends, and where its mark is in what is shown.
    edges: Vec<(usize, usize)>,
    /// The direction around: the paragraph's, then those of embeddings; `None` in an override, where nothing else counts.
    around: Vec<Option<bool>>,
    /// An isolate of ours is open, and so many of the text's own in it.
    open: Option<usize>,
}

impl Shown {
    fn character(&mut self, character: char, own: Option<bool>, arabic: bool) {
        // LRE, RLE, PDF, LRO, RLO: those of w:dir and w:bdo, or the text's own.
        if matches!(character, '\u{202a}'..='\u{202e}') {
            return self.embedding(character);
        }
        match (own, self.around()) {
            (Some(own), Some(around)) if own != around => {
                if self.open.is_none() {
                    self.edge();
                    self.text.push(if own { RIGHT_TO_LEFT_ISOLATE } else { LEFT_TO_RIGHT_ISOLATE });
                    self.open = Some(0);
                }
            }
            _ => self.close(),
        }
        match (character, &mut self.open) {
            ('0'..='9', _) if arabic => return self.show(arabic_digit(character), 1),
            ('+' | '-' | '/', _) if arabic => return self.show(RIGHT_TO_LEFT_MARK, 1),
            // The text's own isolates may not end ours.
            (END_OF_ISOLATE, Some(0)) => return self.show('\u{200b}', END_OF_ISOLATE.len_utf8()),
            (END_OF_ISOLATE, Some(depth)) => *depth -= 1,
            ('\u{2066}'..='\u{2068}', Some(depth)) => *depth += 1,
            _ => {}
        }
        self.show(character, character.len_utf8());
    }

    /// A character, for so many bytes of the paragraph's text.
    fn show(&mut self, character: char, bytes: usize) {
        self.places.extend(std::iter::repeat_n(self.text.len(), bytes));
        self.text.push(character);
    }

    fn around(&self) -> Option<bool> {
        self.around.last().copied().flatten()
    }

    /// An embedding begins or ends: no isolate crosses its edge.
    fn embedding(&mut self, control: char) {
        self.close();
        self.show(control, control.len_utf8());
        let within_override = self.around().is_none();
        match control {
            '\u{202c}' => {
                if self.around.len() > 1 {
                    self.around.pop();
                }
            }
            '\u{202a}' if !within_override => self.around.push(Some(false)),
            '\u{202b}' if !within_override => self.around.push(Some(true)),
            _ => self.around.push(None),
        }
    }

    fn close(&mut self) {
        if let Some(depth) = self.open.take() {
            self.text.extend(std::iter::repeat_n(END_OF_ISOLATE, depth + 1));
            self.edge();
        }
    }

    fn edge(&mut self) {
        self.edges.push((self.places.len(), self.text.len()));
        let right_to_left = self.around().unwrap_or_default();
        self.text.push(if right_to_left { RIGHT_TO_LEFT_MARK } else { LEFT_TO_RIGHT_MARK });
    }
}

fn arabic_digit(digit: char) -> char {
    digit.to_digit(10).and_then(|value| char::from_u32(0x660 + value)).unwrap_or(digit)
}

/// The order in which pieces of these levels stand from left to right (UAX #9, L2).
pub(super) fn visual_order(levels: &[u8]) -> Vec<usize> {
    let levels: Vec<Level> = levels.iter().map(|level| Level::new(*level).unwrap_or(Level::ltr())).collect();
    BidiInfo::reorder_visual(&levels)
}
