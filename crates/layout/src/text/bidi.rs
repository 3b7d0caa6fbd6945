//! Directions: the Unicode bidirectional algorithm (UAX #9) with the paragraph's and the runs' own say.

use unicode_bidi::{BidiClass, Level, ParagraphBidiInfo, bidi_class};

use super::prepare::Source;

/// The embedding level of each byte; `None` where everything is left to right.
pub(super) fn levels(source: &Source, right_to_left: bool) -> Option<Vec<u8>> {
    let runs = source.spans.iter().any(|span| span.run.right_to_left);
    if !right_to_left && !runs && !source.text.chars().any(is_right_to_left) {
        return None;
    }
    let mut levels = Vec::with_capacity(source.text.len());
    // The label stands for itself: the paragraph's digits are no concern of its letters.
    resolve(source, 0, source.label_end, right_to_left, &mut levels);
    resolve(source, source.label_end, source.text.len(), right_to_left, &mut levels);
    Some(levels)
}

fn is_right_to_left(character: char) -> bool {
    character >= '\u{590}'
        && matches!(
            bidi_class(character),
            BidiClass::R | BidiClass::AL | BidiClass::AN | BidiClass::RLE | BidiClass::RLO | BidiClass::RLI
        )
}

/// Levels of the bytes from `from` to `to`.
///
/// A run marked w:rtl (§17.3.2.30) stands as if between right-to-left marks: the neutral characters at its ends are
/// right-to-left ones, as in Word, so that the full stop of an Arabic run in an English paragraph stands on its left.
fn resolve(source: &Source, from: usize, to: usize, right_to_left: bool, levels: &mut Vec<u8>) {
    let Some(text) = source.text.get(from..to).filter(|text| !text.is_empty()) else { return };
    let mut shown = String::with_capacity(text.len() + 16);
    // Where each span of the text begins in what is shown to the algorithm, with its marks.
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut within = false;
    for span in source.spans.iter().filter(|span| span.end > from && span.start < to) {
        if span.run.right_to_left != within {
            within = !within;
            shown.push(MARK);
        }
        let Some(part) = source.text.get(span.start.max(from)..span.end.min(to)) else { continue };
        parts.push((shown.len(), part.len()));
        shown.push_str(part);
    }
    if within {
        shown.push(MARK);
    }
    let base = if right_to_left { Level::rtl() } else { Level::ltr() };
    let info = ParagraphBidiInfo::new(&shown, Some(base));
    for (start, length) in parts {
        let part = info.levels.get(start..start + length).unwrap_or_default();
        levels.extend(part.iter().map(Level::number));
    }
}

const MARK: char = '\u{200f}';

/// The order in which pieces of these levels stand from left to right (UAX #9, L2).
pub(super) fn visual_order(levels: &[u8]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..levels.len()).collect();
    let highest = levels.iter().copied().max().unwrap_or(0);
    let Some(lowest_odd) = levels.iter().copied().filter(|level| level % 2 == 1).min() else { return order };
    for level in (lowest_odd..=highest).rev() {
        let mut start = 0;
        while start < order.len() {
            let at_least = |at: usize| order.get(at).and_then(|&i| levels.get(i)).is_some_and(|&l| l >= level);
            if !at_least(start) {
                start += 1;
                continue;
            }
            let end = (start..order.len()).find(|&at| !at_least(at)).unwrap_or(order.len());
            if let Some(part) = order.get_mut(start..end) {
                part.reverse();
            }
            start = end;
        }
    }
    order
}
