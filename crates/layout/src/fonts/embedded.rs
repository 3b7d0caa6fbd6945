//! What a document's own font must hold to besides being readable, for all that works on it later.

use skrifa::raw::types::Tag;
use skrifa::raw::{FontRef, TableProvider};

/// A `name` table has a head of this many bytes, and records of as many as that.
const HEAD: usize = 6;
const RECORD: usize = 12;

/// Whether the names of a font lie where its `name` table can say they do (OpenType, `name`, version 0), and would also if
/// each were kept by itself: what makes subsets counts their bytes in sixteen bits.
pub(super) fn names_are_sound(font: &[u8]) -> bool {
    let Some(table) = FontRef::new(font).ok().and_then(|font| font.data_for_tag(Tag::new(b"name"))) else {
        return true;
    };
    let table = table.as_bytes();
    let number = |at: usize| table.get(at..at + 2).map(|pair| usize::from(u16::from_be_bytes([pair[0], pair[1]])));
    let Some(count) = number(2) else { return false };
    let length = |record: usize| {
        let at = HEAD + record * RECORD;
        let (length, offset) = (number(at + 8)?, number(at + 10)?);
        (offset + length <= usize::from(u16::MAX)).then_some(length)
    };
    let lengths = (0..count).try_fold(0, |sum: usize, record| Some(sum + length(record)?));
    HEAD + count * RECORD <= usize::from(u16::MAX) && lengths.is_some_and(|sum| sum <= usize::from(u16::MAX))
}
