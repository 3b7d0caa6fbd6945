//! The parts with visible text, and their fields in reading order.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::mail_merge::MailMerge;
use super::matching::{self, ParagraphFields};
use super::pictures::{self, PictureFrame};
use super::scan::{ContentControl, Index, KeptCells, PartScan, without_cdata};
use super::sections::Sections;
use super::{ControlInput, FieldKind, stores};
use crate::{Meter, Package, Result};
use waraq_rules::name;

/// A part with visible text and its scan result.
pub(super) struct ScannedPart<'p> {
    pub source: Cow<'p, str>,
    pub scan: PartScan,
    /// The `{{name}}` fields of each paragraph. Empty if the part was scanned without a search for fields.
    pub paragraph_fields: Vec<ParagraphFields>,
    /// The `{{name}}` fields of each text in [`PartScan::slots`]. Empty if the part was scanned without a search for
    /// fields.
    pub slot_fields: Vec<ParagraphFields>,
    /// The indices of the content controls that are fields. Such a control has a valid tag and a kind that a value can
    /// fill, and its content contains no `{{`.
    pub field_controls: Vec<Index>,
    /// The pictures whose complete alternative text is one field. Empty if the part was scanned without a search for
    /// fields.
    pub frames: Vec<PictureFrame>,
    /// The settings of the document for merge fields. They have defaults if the part was scanned without a search for
    /// fields.
    pub merge: Arc<MailMerge>,
    group: PartGroup,
}

impl<'p> ScannedPart<'p> {
    fn new(source: Cow<'p, str>, scan: PartScan, group: PartGroup) -> Self {
        let (paragraph_fields, slot_fields, field_controls, frames, merge) = Default::default();
        Self { source, scan, paragraph_fields, slot_fields, field_controls, frames, merge, group }
    }

    /// Returns `true` if the part contains no paragraphs. Such a part contains document properties, custom XML or other
    /// texts.
    pub fn is_store(&self) -> bool {
        self.group == PartGroup::Stores
    }

    /// Returns `true` if the part contains comments, which are not part of the pages.
    pub fn is_comments(&self) -> bool {
        self.group == PartGroup::Comments
    }

    /// Returns the kind of the notes in the part. Returns `None` for other parts.
    pub fn notes_kind(&self) -> Option<NotesKind> {
        match self.group {
            PartGroup::Footnotes => Some(NotesKind::Footnotes),
            PartGroup::Endnotes => Some(NotesKind::Endnotes),
            _ => None,
        }
    }

    /// Returns the byte offset in the body of the first reference to the note that contains the byte offset `at`. Returns
    /// `None` if the position is in no note, or if the body does not refer to the note.
    pub fn note_anchor(&self, at: usize, anchors: &NoteAnchors<'_>) -> Option<usize> {
        // Notes do not overlap, so only the last note that begins before the position can contain it.
        let begun = self.scan.notes.partition_point(|(_, range)| range.start <= at);
        let (id, _) = self.scan.notes.get(..begun)?.last().filter(|(_, range)| range.contains(&at))?;
        anchors.get(&(self.notes_kind()?, id.as_str())).copied()
    }

    /// Returns a part with the same place in the reading order and other text. The part is scanned again.
    ///
    /// # Errors
    /// The errors of [`PartScan::scan`].
    pub fn rescanned(&self, source: String, meter: &Meter) -> Result<ScannedPart<'static>> {
        let scan = PartScan::scan(&self.scan.part, &source, meter, KeptCells::Fields)?;
        let mut part = ScannedPart::new(Cow::Owned(source), scan, self.group);
        find_fields(&mut part, meter)?;
        part.merge = Arc::clone(&self.merge);
        Ok(part)
    }

    /// Returns the name of the field that replaces a picture.
    pub fn frame_name(&self, frame: &PictureFrame) -> Option<&str> {
        let [field] = self.slot_fields.get(frame.slot)?.matches.as_slice() else { return None };
        Some(&field.name)
    }

    pub fn into_owned(self) -> ScannedPart<'static> {
        ScannedPart { source: Cow::Owned(self.source.into_owned()), ..self }
    }
}

/// The kind of the notes in a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NotesKind {
    Footnotes,
    Endnotes,
}

/// The byte offset in the body of the first reference to each note, by the kind and the id of the note.
pub(super) type NoteAnchors<'p> = HashMap<(NotesKind, &'p str), usize>;

/// Returns the first reference to each note in the body.
pub(super) fn note_anchors<'p>(parts: &'p [ScannedPart<'_>]) -> NoteAnchors<'p> {
    let mut anchors = NoteAnchors::new();
    if let Some(body) = parts.iter().find(|part| part.group == PartGroup::Body) {
        for reference in &body.scan.note_references {
            let kind = if reference.endnote { NotesKind::Endnotes } else { NotesKind::Footnotes };
            anchors.entry((kind, reference.id.as_str())).or_insert(reference.at);
        }
    }
    anchors
}

/// The position of a part in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum PartGroup {
    Body,
    Footnotes,
    Endnotes,
    Headers,
    Footers,
    Comments,
    /// Parts without paragraphs.
    Stores,
}

/// Scans the body, notes, headers, footers, comments and the parts without paragraphs, and finds their fields. Only
/// paragraphs with fields keep their characters.
pub(super) fn scan_with_fields(package: &Package) -> Result<Vec<ScannedPart<'_>>> {
    let mut parts = scan_text_parts(package, KeptCells::Fields)?;
    let main = package.main_part();
    if let Some(comments) = package.related_parts(main, "comments").next()
        && !parts.iter().any(|part| part.scan.part.eq_ignore_ascii_case(comments))
    {
        parts.push(scan_part(package, comments, PartGroup::Comments, KeptCells::Fields)?);
    }
    for (source, scan) in stores::scan_stores(package, &parts)? {
        parts.push(ScannedPart::new(source, scan, PartGroup::Stores));
    }
    let merge = Arc::new(MailMerge::read(package)?);
    for part in &mut parts {
        find_fields(part, package.meter())?;
        part.merge = Arc::clone(&merge);
    }
    merge.name_blocks(&mut parts);
    Ok(parts)
}

/// Scans the body, notes, headers and footers.
pub(super) fn scan_text_parts(package: &Package, keep: KeptCells) -> Result<Vec<ScannedPart<'_>>> {
    let main = package.main_part();
    let mut texts = vec![scan_part(package, main, PartGroup::Body, keep)?];
    let mut known = HashSet::from([main.to_ascii_lowercase()]);
    let named: Vec<String> = texts.first().map(|body| body.scan.header_footer_ids.clone()).unwrap_or_default();
    let order: HashMap<&str, usize> = named.iter().enumerate().rev().map(|(at, id)| (id.as_str(), at)).collect();
    for (kind, group) in [
        ("footnotes", PartGroup::Footnotes),
        ("endnotes", PartGroup::Endnotes),
        ("header", PartGroup::Headers),
        ("footer", PartGroup::Footers),
    ] {
        let mut relationships: Vec<_> =
            package.relationships_of(main).iter().filter(|known| known.kind == kind && !known.external).collect();
        // Parts are in the order of the sections; unreferenced parts come last, in the order of the relationships.
        relationships.sort_by_key(|known| order.get(known.id.as_str()).copied().unwrap_or(usize::MAX));
        for relationship in relationships {
            // Several relationships may refer to the same part, which is scanned only once.
            if package.part_bytes(&relationship.target).is_some()
                && known.insert(relationship.target.to_ascii_lowercase())
            {
                texts.push(scan_part(package, &relationship.target, group, keep)?);
            }
        }
    }
    Ok(texts)
}

fn scan_part<'p>(package: &'p Package, part: &str, group: PartGroup, keep: KeptCells) -> Result<ScannedPart<'p>> {
    let source = without_cdata(package.part_text(part).unwrap_or_default());
    let story = PartScan::scan(part, &source, package.meter(), keep)?;
    Ok(ScannedPart::new(source, story, group))
}

/// Finds the fields of a part.
///
/// # Errors
/// The errors of [`Meter::outcome`].
fn find_fields(part: &mut ScannedPart<'_>, meter: &Meter) -> Result<()> {
    let story = &part.scan;
    part.field_controls = field_controls(story);
    let is_field = |at: Index| part.field_controls.binary_search(&at).is_ok();
    let in_other_field =
        |cell: &super::scan::TextCell| cell.merge_field.is_some() || story.control_chain(cell.control).any(is_field);
    part.paragraph_fields =
        story.paragraphs.iter().map(|paragraph| matching::find_fields(&paragraph.cells, in_other_field)).collect();
    part.slot_fields =
        story.slots.iter().map(|slot| matching::find_fields(&slot.text.cells, |_| false).without_tags()).collect();
    part.frames = pictures::find_frames(&part.source, &part.scan, &part.slot_fields, meter)?;
    Ok(())
}

/// Returns the content controls that contain `{{`.
pub(super) fn controls_with_braces(story: &PartScan) -> HashSet<Index> {
    let pairs = story.paragraphs.iter().flat_map(|paragraph| paragraph.cells.windows(2));
    let opened = pairs.filter(|pair| pair.iter().all(|cell| cell.character == '{')).filter_map(<[_]>::first);
    opened.flat_map(|cell| story.control_chain(cell.control)).collect()
}

fn field_controls(story: &PartScan) -> Vec<Index> {
    let with_braces = controls_with_braces(story);
    let is_outermost =
        |control: &ContentControl| !story.control_chain(control.parent).any(|outer| story.is_field(outer));
    let is_named = |control: &ContentControl| name::is_valid(&control.name());
    let controls = story.controls.iter().enumerate().filter(|(at, _)| story.is_field(*at) && !with_braces.contains(at));
    controls.filter(|(_, control)| is_outermost(control) && is_named(control)).map(|(at, _)| at).collect()
}

/// One occurrence of a field, or of a section.
pub(super) struct Occurrence {
    /// The sort key for reading order. For a field in a note: the group of the body, the index of the body, the byte offset
    /// of the reference to the note, and the byte offset of the field in the part with the note. For any other field: the
    /// group and the index of its part, its byte offset in the part, and 0.
    at: (PartGroup, usize, usize, usize),
    /// The index of the part.
    pub part: usize,
    /// The byte offset in the part.
    pub offset: usize,
    /// The byte offset in the body of the reference to the note with the field. `None`: the field is in no note, or there is
    /// no reference.
    pub anchor: Option<usize>,
    pub name: String,
    pub kind: FieldKind,
    /// The index of the section. `None` for a field.
    pub section: Option<usize>,
    /// The input that a content control asks for ([`Field::input`]).
    pub input: Option<ControlInput>,
    pub fallback: bool,
}

/// Returns the occurrences of all fields and sections in reading order.
pub(super) fn occurrences_in_reading_order(parts: &[ScannedPart<'_>], sections: &Sections) -> Vec<Occurrence> {
    let anchors = note_anchors(parts);
    let mut all: Vec<Occurrence> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let mut add = |offset, name, kind, section, fallback, input| {
            let anchor = part.note_anchor(offset, &anchors);
            let at = match anchor {
                Some(anchor) => (PartGroup::Body, 0, anchor, offset),
                None if part.group == PartGroup::Body => (PartGroup::Body, 0, offset, 0),
                None => (part.group, index, offset, 0),
            };
            all.push(Occurrence { at, part: index, offset, anchor, name, kind, section, input, fallback });
        };
        collect_occurrences(part, &mut |offset, name, kind, fallback, input| {
            add(offset, name, kind, None, fallback, input);
        });
        for (id, section) in sections.used().filter(|(_, section)| section.part == index) {
            let cells = part.scan.paragraphs.get(section.open.paragraph).map(|paragraph| &paragraph.cells);
            let tags = part.paragraph_fields.get(section.open.paragraph).map(|found| &found.tags);
            let tag = tags.and_then(|tags| tags.get(section.open.tag));
            let cell = cells.zip(tag).and_then(|(cells, tag)| cells.get(tag.cells.start));
            let offset = cell.map_or(section.range.start, |cell| cell.span.start);
            add(offset, section.name.clone(), FieldKind::Section, Some(id), section.fallback, None);
        }
    }
    all.sort_by_key(|occurrence| occurrence.at);
    all
}

/// Calls `add` for each occurrence of a field in a part. The arguments are the byte offset, the name, the kind, `true` for a
/// field that usually repeats another one, and the input that its content control asks for.
fn collect_occurrences(
    part: &ScannedPart<'_>,
    add: &mut dyn FnMut(usize, String, FieldKind, bool, Option<ControlInput>),
) {
    for (paragraph, found) in part.scan.paragraphs.iter().zip(&part.paragraph_fields) {
        for one in &found.matches {
            let at = paragraph.cells.get(one.cells.start).map_or(0, |cell| cell.span.start);
            add(at, one.name.clone(), FieldKind::Text, paragraph.fallback, None);
        }
    }
    let mut frames = part.frames.iter().peekable();
    for (slot, found) in part.scan.slots.iter().zip(&part.slot_fields) {
        for one in &found.matches {
            let at = slot.text.cells.get(one.cells.start).map_or(0, |cell| cell.span.start);
            let drawing_of = |frame: &PictureFrame| part.scan.drawings.get(frame.drawing).map(|drawing| &drawing.range);
            while frames.next_if(|frame| drawing_of(frame).is_some_and(|range| range.end <= at)).is_some() {}
            // The other texts of a picture, such as its title, often repeat its alternative text.
            let is_of_picture = frames.peek().is_some_and(|frame| {
                drawing_of(frame).is_some_and(|range| range.contains(&at))
                    && part.frame_name(frame) == Some(one.name.as_str())
            });
            let kind = if is_of_picture { FieldKind::Picture } else { FieldKind::Text };
            add(at, one.name.clone(), kind, slot.text.fallback, None);
        }
    }
    for (merge, name) in part.scan.merge_field_names() {
        add(merge.start, name, FieldKind::Merge, merge.fallback, None);
    }
    for code in &part.scan.codes {
        for one in &code.fields {
            let at = code.cells.get(one.cells.start).map_or(code.start, |cell| cell.span.start);
            add(at, one.name.clone(), FieldKind::Text, code.fallback, None);
        }
        if let Some(asked) = &code.asked {
            add(code.start, asked.name.clone(), FieldKind::Merge, code.fallback, None);
        }
    }
    for control in part.field_controls.iter().filter_map(|&at| part.scan.controls.get(at)) {
        let input = control.kind.input();
        add(control.range.start, control.name(), FieldKind::Control, control.fallback, input);
    }
}
