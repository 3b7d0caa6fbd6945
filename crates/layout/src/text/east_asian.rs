//! Spacing between East Asian letters and adjacent Latin letters or digits (§17.3.1.2, §17.3.1.3), and between East Asian
//! punctuation marks.

use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::EastAsianSpacing;

use super::font_slots;
use super::source::{Cluster, Clusters, ParagraphSource, TextItem, WidthChange};

/// Width of the added space, as a fraction of the font size of the East Asian letter next to it.
const SPACING_FRACTION: f32 = 0.25;

/// Punctuation marks whose glyph is blank in one half. The marks in `CLOSING` have the blank half after the mark, the marks in
/// `OPENING` before it. (Question and exclamation marks are in neither list, because they are centred.)
pub(super) const CLOSING: &str = "、。，．：；」』】）〉》〕］｝〗”’";
pub(super) const OPENING: &str = "（「『【〈《〔［｛〖“‘";

#[derive(Clone, Copy, PartialEq)]
enum CharacterKind {
    EastAsian,
    Letter,
    Digit,
    Other,
}

/// Returns the spaces to add between East Asian letters and adjacent Latin letters or digits. Each entry has the byte offset at
/// which the character before the space ends, and the width of the space in points.
pub(super) fn extra_spacing(
    source: &ParagraphSource,
    items: &[TextItem],
    setting: EastAsianSpacing,
) -> Vec<WidthChange> {
    let mut rooms = Vec::new();
    // The first bytes that East Asian letters can have in UTF-8.
    let may_be = |byte: u8| (0xe3..=0xe9).contains(&byte) || matches!(byte, 0xef | 0xf0);
    if !(setting.latin || setting.digits) || !source.text.bytes().any(may_be) {
        return rooms;
    }
    let (mut before, mut start) = (CharacterKind::Other, 0);
    for (at, character) in source.text.char_indices() {
        let kind = character_kind(character);
        let wants = match (before, kind) {
            (CharacterKind::EastAsian, CharacterKind::Letter) | (CharacterKind::Letter, CharacterKind::EastAsian) => {
                setting.latin
            }
            (CharacterKind::EastAsian, CharacterKind::Digit) | (CharacterKind::Digit, CharacterKind::EastAsian) => {
                setting.digits
            }
            _ => false,
        };
        if wants {
            let letter = if kind == CharacterKind::EastAsian { at } else { start };
            let item = items.partition_point(|item| item.start <= letter).checked_sub(1).and_then(|i| items.get(i));
            rooms.extend(item.map(|item| WidthChange { end_byte: at, width: item.size * SPACING_FRACTION }));
        }
        (before, start) = (kind, at);
    }
    rooms
}

/// Returns the changes in width for pairs of adjacent punctuation marks (§17.18.7 ST_CharacterSpacing, compressPunctuation). The
/// marks of a pair are half an em closer together than normal, at every position in a line. The first mark of each pair becomes
/// narrower. (These rules follow from the number of characters on three pages of a book laid out by Word.)
pub(super) fn punctuation_compression(source: &ParagraphSource, clusters: &Clusters) -> Vec<WidthChange> {
    let mark = |cluster: &Cluster| {
        let square = clusters.item(cluster)?.size;
        let character = source.text.get(cluster.start as usize..)?.chars().next()?;
        (cluster.advance > square * 0.9).then_some((character, square))
    };
    let pair = |(first, second): (&Cluster, &Cluster)| {
        let ((before, square), (after, _)) = (mark(first)?, mark(second)?);
        let closes = CLOSING.contains(before) && (CLOSING.contains(after) || OPENING.contains(after));
        let opens = OPENING.contains(before) && OPENING.contains(after);
        (closes || opens).then_some(WidthChange { end_byte: second.start as usize, width: -square / 2.0 })
    };
    clusters.list.iter().zip(clusters.list.iter().skip(1)).filter_map(pair).collect()
}

fn character_kind(character: char) -> CharacterKind {
    if character.is_ascii() {
        return match character {
            'a'..='z' | 'A'..='Z' => CharacterKind::Letter,
            '0'..='9' => CharacterKind::Digit,
            _ => CharacterKind::Other,
        };
    }
    match character.script() {
        Script::Han | Script::Hiragana | Script::Katakana | Script::Bopomofo => CharacterKind::EastAsian,
        // The prolonged sound mark of kana counts as an East Asian letter.
        _ if character == '\u{30fc}' => CharacterKind::EastAsian,
        script if character.is_alphabetic() && script != Script::Hangul && !font_slots::is_complex_script(script) => {
            CharacterKind::Letter
        }
        _ => CharacterKind::Other,
    }
}
