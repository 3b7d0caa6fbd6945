//! A value cut into pieces of one direction, for the runs they go into (rule 5 of the design).

use unicode_bidi::BidiClass::{AL, L, R};
use unicode_bidi::bidi_class;

/// A stretch of a value. `rtl` is `None` where nothing in the whole value has a direction (digits, signs, spaces): such a
/// value is the author's run's business.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'v> {
    pub text: &'v str,
    pub rtl: Option<bool>,
}

/// Cuts where the direction of letters changes. Digits and signs go with the letters before them when those after agree or
/// are none; between letters of two directions, with `base`; at the beginning, with the first letters.
pub(super) fn split(value: &str, base_rtl: bool) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut current: Option<bool> = None;
    let mut start = 0;
    // Where the neutral characters since the last letter begin.
    let mut neutral = 0;
    for (at, character) in value.char_indices() {
        let direction = match bidi_class(character) {
            L => false,
            R | AL => true,
            _ => continue,
        };
        if let Some(before) = current.filter(|&before| before != direction) {
            let cut = if before == base_rtl { at } else { neutral };
            let Some(text) = value.get(start..cut) else { continue };
            pieces.push(Piece { text, rtl: Some(before) });
            start = cut;
        }
        current = Some(direction);
        neutral = at + character.len_utf8();
    }
    if let Some(text) = value.get(start..).filter(|text| !text.is_empty()) {
        pieces.push(Piece { text, rtl: current });
    }
    pieces
}
