//! Spacing between East Asian letters and adjacent letters or digits (§17.3.1.2, §17.3.1.3), and between East Asian punctuation
//! marks.

use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::EastAsianSpacing;

use super::slots;
use super::source::{Cluster, Clusters, Item, Source};

/// Width of the spacing, as a share of the East Asian letter's size.
const SHARE: f32 = 0.25;

/// Punctuation marks with a blank half: `CLOSING` after the mark, `OPENING` before it. (Question and exclamation marks are
/// centred.)
pub(super) const CLOSING: &str = "、。，．：；」』】）〉》〕］｝〗”’";
pub(super) const OPENING: &str = "（「『【〈《〔［｛〖“‘";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    EastAsian,
    Letter,
    Digit,
    Other,
}

/// Returns the positions that need extra space, as the byte where the letter before it ends, with the width in points.
pub(super) fn rooms(source: &Source, items: &[Item], wanted: EastAsianSpacing) -> Vec<(usize, f32)> {
    let mut rooms = Vec::new();
    // Lead bytes of East Asian letters in UTF-8.
    let may_be = |byte: u8| (0xe3..=0xe9).contains(&byte) || matches!(byte, 0xef | 0xf0);
    if !(wanted.latin || wanted.digits) || !source.text.bytes().any(may_be) {
        return rooms;
    }
    let (mut before, mut start) = (Kind::Other, 0);
    for (at, character) in source.text.char_indices() {
        let kind = kind(character);
        let wants = match (before, kind) {
            (Kind::EastAsian, Kind::Letter) | (Kind::Letter, Kind::EastAsian) => wanted.latin,
            (Kind::EastAsian, Kind::Digit) | (Kind::Digit, Kind::EastAsian) => wanted.digits,
            _ => false,
        };
        if wants {
            let letter = if kind == Kind::EastAsian { at } else { start };
            let item = items.partition_point(|item| item.start <= letter).checked_sub(1).and_then(|i| items.get(i));
            rooms.extend(item.map(|item| (at, item.size * SHARE)));
        }
        (before, start) = (kind, at);
    }
    rooms
}

/// Returns the width changes of adjacent punctuation marks, which move together by half an em anywhere in a line (§17.18.7
/// ST_CharacterSpacing, compressPunctuation). Each entry is the byte where the first mark ends and its change in width.
/// (Derived from the characters per page on three pages of a book laid out by Word.)
pub(super) fn closed_up(source: &Source, clusters: &Clusters) -> Vec<(usize, f32)> {
    let mark = |cluster: &Cluster| {
        let square = clusters.item(cluster)?.size;
        let character = source.text.get(cluster.start as usize..)?.chars().next()?;
        (cluster.advance > square * 0.9).then_some((character, square))
    };
    let pair = |(first, second): (&Cluster, &Cluster)| {
        let ((before, square), (after, _)) = (mark(first)?, mark(second)?);
        let closes = CLOSING.contains(before) && (CLOSING.contains(after) || OPENING.contains(after));
        let opens = OPENING.contains(before) && OPENING.contains(after);
        (closes || opens).then_some((second.start as usize, -square / 2.0))
    };
    clusters.list.iter().zip(clusters.list.iter().skip(1)).filter_map(pair).collect()
}

fn kind(character: char) -> Kind {
    if character.is_ascii() {
        return match character {
            'a'..='z' | 'A'..='Z' => Kind::Letter,
            '0'..='9' => Kind::Digit,
            _ => Kind::Other,
        };
    }
    match character.script() {
        Script::Han | Script::Hiragana | Script::Katakana | Script::Bopomofo => Kind::EastAsian,
        // The prolonged sound mark of kana.
        _ if character == '\u{30fc}' => Kind::EastAsian,
        script if character.is_alphabetic() && script != Script::Hangul && !slots::is_complex(script) => Kind::Letter,
        _ => Kind::Other,
    }
}
