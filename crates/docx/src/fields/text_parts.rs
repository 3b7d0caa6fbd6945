//! The parts with visible text, and their fields in reading order.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::mail_merge::MailMerge;
use super::matching::{self, ParagraphFields};
use super::scan::{ContentControl, Index, KeptCells, PartScan, without_cdata};
use super::{ControlInput, Field, FieldKind, stores};
use crate::{Package, Result};
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
    /// The settings of the document for merge fields. They have defaults if the part was scanned without a search for
    /// fields.
    pub merge: Arc<MailMerge>,
    group: PartGroup,
}

impl<'p> ScannedPart<'p> {
    fn new(source: Cow<'p, str>, scan: PartScan, group: PartGroup) -> Self {
        let (paragraph_fields, slot_fields, field_controls, merge) = Default::default();
        Self { source, scan, paragraph_fields, slot_fields, field_controls, merge, group }
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

    pub fn into_owned(self) -> ScannedPart<'static> {
        ScannedPart { source: Cow::Owned(self.source.into_owned()), ..self }
    }
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
        find_fields(part);
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

fn find_fields(part: &mut ScannedPart<'_>) {
    let story = &part.scan;
    part.field_controls = field_controls(story);
    let is_field = |at: Index| part.field_controls.binary_search(&at).is_ok();
    let in_other_field =
        |cell: &super::scan::TextCell| cell.merge_field.is_some() || story.control_chain(cell.control).any(is_field);
    part.paragraph_fields =
        story.paragraphs.iter().map(|paragraph| matching::find_fields(&paragraph.cells, in_other_field)).collect();
    part.slot_fields = story.slots.iter().map(|slot| matching::find_fields(&slot.text.cells, |_| false)).collect();
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

/// One occurrence of a field.
struct Occurrence {
    /// The sort key for reading order. For a field in a note: the group of the body, the index of the body, the byte offset
    /// of the reference to the note, and the byte offset of the field in the part with the note. For any other field: the
    /// group and the index of its part, its byte offset in the part, and 0.
    at: (PartGroup, usize, usize, usize),
    name: String,
    kind: FieldKind,
    /// The input that a content control asks for ([`Field::input`]).
    input: Option<ControlInput>,
    fallback: bool,
}

/// Returns every field once, in reading order.
pub(super) fn fields_in_reading_order(parts: &[ScannedPart<'_>]) -> Vec<Field> {
    let mut anchors: HashMap<(PartGroup, &str), usize> = HashMap::new();
    if let Some(body) = parts.iter().find(|part| part.group == PartGroup::Body) {
        for reference in &body.scan.note_references {
            let group = if reference.endnote { PartGroup::Endnotes } else { PartGroup::Footnotes };
            anchors.entry((group, reference.id.as_str())).or_insert(reference.at);
        }
    }
    let mut all: Vec<Occurrence> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let position_of = |at: usize| {
            // Notes do not overlap, so only the last note that begins before the position can contain it.
            let begun = part.scan.notes.partition_point(|(_, range)| range.start <= at);
            let note = part.scan.notes.get(..begun).and_then(<[_]>::last).filter(|(_, range)| range.contains(&at));
            match note.and_then(|(id, _)| anchors.get(&(part.group, id.as_str()))) {
                Some(&anchor) => (PartGroup::Body, 0, anchor, at),
                None if part.group == PartGroup::Body => (PartGroup::Body, 0, at, 0),
                None => (part.group, index, at, 0),
            }
        };
        collect_occurrences(part, &position_of, &mut all);
    }
    all.sort_by_key(|occurrence| occurrence.at);
    let mut fields: Vec<Field> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for Occurrence { name, kind, input, fallback, .. } in all {
        let at = *known.entry(name.clone()).or_insert_with(|| {
            fields.push(Field { name, kind, occurrences: 0, input: None });
            fields.len() - 1
        });
        if let Some(field) = fields.get_mut(at) {
            field.occurrences += usize::from(!fallback);
            field.input = field.input.take().or(input);
        }
    }
    for field in &mut fields {
        field.occurrences = field.occurrences.max(1);
    }
    fields
}

fn collect_occurrences(
    part: &ScannedPart<'_>,
    position_of: &impl Fn(usize) -> (PartGroup, usize, usize, usize),
    all: &mut Vec<Occurrence>,
) {
    let mut add = |at: usize, name: String, kind: FieldKind, fallback: bool| {
        all.push(Occurrence { at: position_of(at), name, kind, input: None, fallback });
    };
    for (paragraph, found) in part.scan.paragraphs.iter().zip(&part.paragraph_fields) {
        for one in &found.matches {
            let at = paragraph.cells.get(one.cells.start).map_or(0, |cell| cell.span.start);
            add(at, one.name.clone(), FieldKind::Text, paragraph.fallback);
        }
    }
    for (slot, found) in part.scan.slots.iter().zip(&part.slot_fields) {
        for one in &found.matches {
            let at = slot.text.cells.get(one.cells.start).map_or(0, |cell| cell.span.start);
            add(at, one.name.clone(), FieldKind::Text, slot.text.fallback);
        }
    }
    for (merge, name) in part.scan.merge_field_names() {
        add(merge.start, name, FieldKind::Merge, merge.fallback);
    }
    for code in &part.scan.codes {
        for one in &code.fields {
            let at = code.cells.get(one.cells.start).map_or(code.start, |cell| cell.span.start);
            add(at, one.name.clone(), FieldKind::Text, code.fallback);
        }
        if let Some(asked) = &code.asked {
            add(code.start, asked.name.clone(), FieldKind::Merge, code.fallback);
        }
    }
    for control in part.field_controls.iter().filter_map(|&at| part.scan.controls.get(at)) {
        all.push(Occurrence {
            at: position_of(control.range.start),
            name: control.name(),
            kind: FieldKind::Control,
            input: control.kind.input(),
            fallback: control.fallback,
        });
    }
}
