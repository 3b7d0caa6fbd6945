//! Writes the pieces of an expanded part as text. Copies get new ids, and the tags are removed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::expand::{Piece, PieceContent};
use super::extents::ExtentFinder;
use super::ids::{Identities, Identity, IdentityKind};
use super::{Extent, Sections};
use crate::fields::scan::{Index, Neighbor};
use crate::fields::text_parts::{NotesKind, ScannedPart};
use crate::package::xml::attribute_ranges;
use crate::{Error, Package, Result};

/// The byte offset in an expanded part where the text of a scope starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScopeStart {
    pub at: usize,
    pub scope: usize,
}

/// The notes whose references are in sections.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The scope of the first reference to each note.
    scopes: HashMap<(NotesKind, String), usize>,
    /// The copies of each note.
    copies: HashMap<(NotesKind, String), Vec<NoteCopy>>,
    /// The largest id of the notes of each kind so far.
    last_ids: HashMap<NotesKind, i64>,
}

/// A copy of a note.
#[derive(Debug)]
pub(super) struct NoteCopy {
    pub new_id: i64,
    pub scope: usize,
}

impl Notes {
    /// Reads the ids of the notes in the parts.
    pub(super) fn read(parts: &[ScannedPart<'_>]) -> Self {
        let mut notes = Self::default();
        for part in parts {
            let Some(kind) = part.notes_kind() else { continue };
            let last = part.scan.notes.iter().filter_map(|(id, _)| id.parse::<i64>().ok()).max();
            let known = notes.last_ids.entry(kind).or_default();
            *known = last.unwrap_or(0).max(*known);
        }
        notes
    }

    /// Returns `true` if a note of this kind is in a row or is copied.
    pub(super) fn concern(&self, kind: NotesKind) -> bool {
        self.scopes.iter().any(|((known, _), scope)| *known == kind && *scope > 0)
            || self.copies.keys().any(|(known, _)| *known == kind)
    }

    pub(super) fn scope_of(&self, kind: NotesKind, id: &str) -> usize {
        self.scopes.get(&(kind, id.to_owned())).copied().unwrap_or(0)
    }

    /// Returns the copies of a note.
    pub(super) fn copies_of(&self, kind: NotesKind, id: &str) -> &[NoteCopy] {
        self.copies.get(&(kind, id.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// Adds a copy of a note and returns its id.
    fn copy(&mut self, kind: NotesKind, id: &str, scope: usize) -> i64 {
        let last = self.last_ids.entry(kind).or_default();
        *last = last.saturating_add(1);
        let new_id = *last;
        self.copies.entry((kind, id.to_owned())).or_default().push(NoteCopy { new_id, scope });
        new_id
    }
}

/// Writes the pieces of one part.
pub(super) struct PartRenderer<'t> {
    part: &'t ScannedPart<'t>,
    /// The edits of all pieces: the removal of tags. The key is the start of the replaced range. The value is its end and the
    /// new text.
    edits: BTreeMap<usize, (usize, String)>,
    identities: Identities,
    next_number: u64,
}

impl<'t> PartRenderer<'t> {
    /// Prepares the part with this index.
    ///
    /// # Errors
    /// The errors of [`Identities::scan`].
    pub(super) fn new(part: &'t ScannedPart<'t>, index: usize, sections: &Sections, package: &Package) -> Result<Self> {
        /// The distance between the first new ids of two parts.
        const NUMBERS_PER_PART: u64 = 10_000_000;
        const MAX_NUMBERED_PARTS: usize = 200;
        let identities = Identities::scan(&part.scan.part, &part.source, package.meter())?;
        // An id must fit into 31 bits.
        let next_number = NUMBERS_PER_PART * (index % MAX_NUMBERED_PARTS + 1) as u64;
        Ok(Self { part, edits: tag_edits(part, index, sections), identities, next_number })
    }

    /// Returns the text of the pieces, and the scopes of its bytes.
    ///
    /// # Errors
    /// `internal` if a piece starts or ends inside a character.
    pub(super) fn render(mut self, pieces: &[Piece], notes: &mut Notes) -> Result<(String, Vec<ScopeStart>)> {
        let broken = self.broken_ranges(pieces);
        let size = pieces.iter().map(|piece| match &piece.content {
            PieceContent::Source(range) => range.len(),
            PieceContent::Markup(markup) => markup.len(),
        });
        let mut text = String::with_capacity(size.sum());
        let mut starts: Vec<ScopeStart> = Vec::new();
        for piece in pieces {
            if starts.last().map_or(0, |last| last.scope) != piece.scope {
                starts.push(ScopeStart { at: text.len(), scope: piece.scope });
            }
            match &piece.content {
                PieceContent::Source(range) => self.write(range, piece, &broken, notes, &mut text)?,
                PieceContent::Markup(markup) => text.push_str(markup),
            }
        }
        Ok((text, starts))
    }

    fn write(
        &mut self,
        range: &Range<usize>,
        piece: &Piece,
        broken: &HashSet<String>,
        notes: &mut Notes,
        text: &mut String,
    ) -> Result<()> {
        let source: &'t str = &self.part.source;
        let mut at = range.start;
        let copy = |from: usize, to: usize, text: &mut String| {
            let outside = || Error::internal(format!("a section at byte {from} of {}", source.len()));
            text.push_str(source.get(from..to).ok_or_else(outside)?);
            Ok::<(), Error>(())
        };
        let edits = std::mem::take(&mut self.edits);
        let identities = std::mem::take(&mut self.identities);
        let mut next_edits = edits.range(range.clone()).peekable();
        let mut next_ids = identities.all.range(range.clone()).peekable();
        let result = loop {
            let edit_at = next_edits.peek().map_or(usize::MAX, |(start, _)| **start);
            let id_at = next_ids.peek().map_or(usize::MAX, |(start, _)| **start);
            let start = edit_at.min(id_at);
            if start == usize::MAX {
                break copy(at.min(range.end), range.end, text);
            }
            let (end, replacement) = if edit_at <= id_at {
                let Some((_, (end, replacement))) = next_edits.next() else { break Ok(()) };
                (*end, Some(replacement.clone()))
            } else {
                let Some((_, identity)) = next_ids.next() else { break Ok(()) };
                // An identity in a deleted range is not copied, so it needs no new id.
                let is_deleted = identity.range.start < at;
                let new =
                    if is_deleted { None } else { self.replacement(identity, piece, broken, notes, &identities.used) };
                (identity.range.end, new)
            };
            let Some(replacement) = replacement.filter(|_| start >= at) else { continue };
            if let Err(error) = copy(at, start, text) {
                break Err(error);
            }
            text.push_str(&replacement);
            at = end.max(start);
        };
        (self.edits, self.identities) = (edits, identities);
        result
    }

    /// Returns the text that replaces an identity in a piece, or `None` if it stays as it is.
    fn replacement(
        &mut self,
        identity: &Identity,
        piece: &Piece,
        broken: &HashSet<String>,
        notes: &mut Notes,
        used: &HashSet<u64>,
    ) -> Option<String> {
        match &identity.kind {
            IdentityKind::Optional => piece.is_copy.then(String::new),
            IdentityKind::RangeEnd { key, .. } => (piece.is_copy || broken.contains(key)).then(String::new),
            IdentityKind::Number if piece.is_copy => {
                while used.contains(&self.next_number) {
                    self.next_number += 1;
                }
                self.next_number += 1;
                Some((self.next_number - 1).to_string())
            }
            IdentityKind::Number => None,
            IdentityKind::Note { endnote, id } => {
                let kind = if *endnote { NotesKind::Endnotes } else { NotesKind::Footnotes };
                if piece.is_copy {
                    return Some(notes.copy(kind, id, piece.scope).to_string());
                }
                notes.scopes.entry((kind, id.clone())).or_insert(piece.scope);
                None
            }
        }
    }

    /// Returns the keys of the ranges, such as bookmarks, of which the pieces contain only the start or only the end.
    fn broken_ranges(&self, pieces: &[Piece]) -> HashSet<String> {
        let (mut starts, mut ends) = (HashSet::new(), HashSet::new());
        for piece in pieces.iter().filter(|piece| !piece.is_copy) {
            let PieceContent::Source(range) = &piece.content else { continue };
            for identity in self.identities.all.range(range.clone()).map(|(_, identity)| identity) {
                if let IdentityKind::RangeEnd { key, is_start } = &identity.kind {
                    let deleted = self.edits.range(..=identity.range.start).next_back();
                    if deleted.is_none_or(|(_, (end, _))| *end <= identity.range.start) {
                        if *is_start { &mut starts } else { &mut ends }.insert(key.as_str());
                    }
                }
            }
        }
        starts.symmetric_difference(&ends).map(|key| (*key).to_owned()).collect()
    }
}

/// Returns the edits that remove the tags of the sections of a part.
fn tag_edits(part: &ScannedPart<'_>, index: usize, sections: &Sections) -> BTreeMap<usize, (usize, String)> {
    let mut edits = BTreeMap::new();
    // The paragraphs with tags whose rows are repeated.
    let mut in_rows: BTreeMap<Index, usize> = BTreeMap::new();
    for (_, section) in sections.used().filter(|(_, section)| section.part == index) {
        for place in [section.open, section.close] {
            let Some(paragraph) = part.scan.paragraphs.get(place.paragraph) else { continue };
            let tags = part.paragraph_fields.get(place.paragraph).map(|found| &found.tags);
            let Some(tag) = tags.and_then(|tags| tags.get(place.tag)) else { continue };
            for cell in paragraph.cells.get(tag.cells.clone()).unwrap_or_default() {
                if !cell.span.is_empty() {
                    edits.insert(cell.span.start, (cell.span.end, String::new()));
                }
                if let Some(text) = cell.text.and_then(|text| part.scan.texts.get(text)) {
                    preserve_spaces(part, text.start_tag.clone(), text.preserve, &mut edits);
                }
            }
            if matches!(section.extent, Extent::Rows { .. }) {
                *in_rows.entry(place.paragraph).or_default() += 1;
            }
        }
    }
    let finder = ExtentFinder::new(part);
    let vanishes = |at: Index, tags: usize| {
        let all = part.paragraph_fields.get(at).is_some_and(|found| found.tags.len() == tags);
        all && finder.has_only_tags(at)
    };
    for (&at, &tags) in &in_rows {
        let Some(paragraph) = part.scan.paragraphs.get(at) else { continue };
        // A cell ends with a paragraph, so its last paragraph stays.
        let stays_before = |before: Index| in_rows.get(&before).is_none_or(|tags| !vanishes(before, *tags));
        let can_vanish = paragraph.after.is_some()
            || matches!(paragraph.before, Some(Neighbor::Paragraph(before)) if stays_before(before));
        if vanishes(at, tags) && can_vanish && !paragraph.has_section_break {
            edits.insert(paragraph.range.start, (paragraph.range.end, String::new()));
        }
    }
    edits
}

/// Adds the edit that gives a `w:t` the attribute `xml:space="preserve"`, because its text may begin or end with a space
/// without the tag.
fn preserve_spaces(
    part: &ScannedPart<'_>,
    tag: Range<usize>,
    preserves: bool,
    edits: &mut BTreeMap<usize, (usize, String)>,
) {
    if preserves {
        return;
    }
    let markup = part.source.get(tag.clone()).unwrap_or_default();
    match attribute_ranges(markup).find(|(name, _)| *name == "xml:space").map(|(_, value)| value) {
        Some(value) => edits.insert(tag.start + value.start, (tag.start + value.end, "preserve".to_owned())),
        None => edits.insert(tag.end - 1, (tag.end - 1, " xml:space=\"preserve\"".to_owned())),
    };
}
