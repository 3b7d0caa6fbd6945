//! Scans the events of a part into a [`PartScan`].

mod codes;
mod complex;
mod containers;
mod controls;
mod open_elements;
mod references;
mod text;

use std::collections::HashMap;
use std::ops::Range;

use quick_xml::events::{BytesStart, Event};

use self::complex::OpenField;
use self::open_elements::{ElementKind, OpenElement};
use self::references::OpenReference;
use waraq_graphics::xml::Ns;
use waraq_graphics::xml::values::on_off;

use super::attributes;
use super::containers::Container;
use super::scan::{
    Index, KeptCells, Neighbor, NoteReference, OBJECT_PLACEHOLDER, PartScan, ScannedDrawing, ScannedParagraph,
    ScannedRun, TextElement, UnfillableText,
};
use crate::package::attribute;
use crate::package::xml::CheckedEvents;
use crate::{CountedMemory, Meter, Result};

/// The work that the meter counts for checking and reading one tag or text.
const EVENT_WORK: usize = 3;
/// The average memory in bytes that is kept for a tag or text (runs, text elements, paragraphs).
const EVENT_MEMORY: usize = 32;
/// The elements that make the content of a content control more than text.
const OBJECT_ELEMENTS: [&str; 13] = [
    "tbl",
    "tr",
    "drawing",
    "pict",
    "object",
    "fldChar",
    "fldSimple",
    "hyperlink",
    "footnoteReference",
    "endnoteReference",
    "altChunk",
    "sectPr",
    "ruby",
];

/// Elements in a paragraph that are neither characters nor fields. A paragraph with one of them is never deleted as a
/// blank line.
const OTHER_CONTENT: [&str; 18] = [
    "bookmarkStart",
    "bookmarkEnd",
    "commentRangeStart",
    "commentRangeEnd",
    "commentReference",
    "permStart",
    "permEnd",
    "sectPr",
    "pageBreakBefore",
    "pgNum",
    "annotationRef",
    "footnoteRef",
    "endnoteRef",
    "separator",
    "continuationSeparator",
    "contentPart",
    "sdt",
    "delText",
];

#[derive(Default)]
pub(super) struct Scanner<'s> {
    source: &'s str,
    meter: Meter,
    keep: KeptCells,
    story: PartScan,
    open_elements: Vec<OpenElement>,
    namespaces: Vec<(String, Ns)>,
    /// The open paragraphs and runs. Text boxes nest paragraphs and runs inside a run.
    paragraphs: Vec<Index>,
    runs: Vec<Index>,
    /// The open `w:t` elements, innermost last. Each entry has the index in [`PartScan::texts`], and is `true` if the element is
    /// a child of a run. Hostile documents have paragraphs with texts inside a `w:t`.
    open_texts: Vec<(Index, bool)>,
    controls: Vec<Index>,
    fields: Vec<OpenField>,
    /// The open simple fields that are not filled. Each entry has the byte offset where the field around the simple
    /// field starts, and the byte range of the start tag. The offset is `None` if the simple field is not inside
    /// another field.
    simple_fields: Vec<(Option<usize>, Range<usize>)>,
    /// The number of `fields` whose code is still being read.
    open_codes: usize,
    open_merge_fields: Vec<Index>,
    /// The number of open simple fields that are in the code of another field.
    simple_fields_in_codes: usize,
    reference: Option<OpenReference>,
    /// The bookmarks whose end was not read yet. The key is the id of the bookmark, and the value is its index.
    bookmarks: HashMap<String, Index>,
    deletion_depth: usize,
    /// The number of open elements whose content is not text: properties of content controls, field characters and
    /// field codes. Filling may delete such an element completely.
    no_text_depth: usize,
    fallback_depth: usize,
    /// The container of the current position.
    container: Container,
    /// The containers to which the open tables, rows, cells and text containers return when they end.
    outer_containers: Vec<Container>,
    /// The indices of the open drawings.
    open_drawings: Vec<Index>,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(part: &str, source: &'s str, meter: &Meter, keep: KeptCells) -> Self {
        let story = PartScan { part: part.to_owned(), held: CountedMemory::empty(meter), ..PartScan::default() };
        Self { source, meter: meter.clone(), keep, story, ..Self::default() }
    }

    pub(super) fn scan(mut self) -> Result<PartScan> {
        let part = self.story.part.clone();
        let mut events = CheckedEvents::new(&part, self.source);
        loop {
            let start = events.position();
            let Some(event) = events.next()? else {
                self.drop_unended_codes();
                self.drop_unended_merge_fields();
                self.set_control_contents();
                return Ok(self.story);
            };
            let span = start..events.position();
            if !(self.meter.spend(EVENT_WORK) && self.story.held.grow(EVENT_MEMORY)) {
                self.meter.outcome()?;
            }
            match event {
                Event::Start(tag) => self.open_element(&tag, span, false),
                Event::Empty(tag) => {
                    self.open_element(&tag, span.clone(), true);
                    self.close_element(span);
                }
                Event::End(_) => self.close_element(span),
                Event::Text(_) => self.push_text(span),
                Event::GeneralRef(reference) => {
                    let character = match reference.as_ref() {
                        "amp" => '&',
                        "lt" => '<',
                        "gt" => '>',
                        "quot" => '"',
                        "apos" => '\'',
                        _ => reference.resolve_char_ref().ok().flatten().unwrap_or(OBJECT_PLACEHOLDER),
                    };
                    self.push_characters(std::iter::once((span.clone(), character)), span);
                }
                _ => {}
            }
        }
    }

    fn open_element(&mut self, tag: &BytesStart<'_>, span: Range<usize>, empty: bool) {
        let bindings = self.namespaces.len();
        if self.source.get(span.clone()).is_some_and(|markup| markup.contains("xmlns")) {
            self.push_namespaces(tag);
        }
        let name = tag.name();
        let (prefix, local) = name.as_ref().split_once(':').unwrap_or(("", name.as_ref()));
        let ns = self.namespace(prefix);
        self.record_slots(ns, local, &span);
        if ns == Ns::Wp && local == "docPr" {
            let id = attribute(tag, "id").and_then(|id| id.trim().parse().ok()).unwrap_or(0);
            self.story.last_drawing_id = self.story.last_drawing_id.max(id);
        }
        let element = match ns {
            Ns::W => self.open_word_element(tag, local, prefix, &span, empty),
            _ if matches!(self.parent(), ElementKind::Control(_)) => {
                self.no_text_depth += 1;
                ElementKind::NoText
            }
            Ns::W14 | Ns::W15 if self.parent() == ElementKind::ControlProperties => self.open_extended_property(local),
            Ns::W14 => match self.parent() {
                ElementKind::ControlKind(at) => self.open_kind_setting(at, tag, local),
                _ => ElementKind::Other,
            },
            Ns::Mc if local == "Fallback" => {
                self.fallback_depth += 1;
                ElementKind::Fallback
            }
            Ns::Mc => ElementKind::Compatibility,
            Ns::M if local == "t" => ElementKind::MathText,
            Ns::M if local == "oMath" => {
                self.mark_other_content();
                self.mark_control_with_object();
                self.change_paragraph(|paragraph| paragraph.has_formula = true);
                ElementKind::Other
            }
            _ => ElementKind::Other,
        };
        let inline_element = if empty { None } else { self.open_inline_element(element, local, &span) };
        let start = span.start;
        self.open_elements.push(OpenElement { kind: element, start, bindings, last_block: None, inline_element });
    }

    /// Records the texts in the attributes of a start tag if they may contain fields. Fields in attributes without text
    /// are recorded as text that cannot be filled.
    fn record_slots(&mut self, ns: Ns, local: &str, tag: &Range<usize>) {
        if self.deletion_depth > 0 || self.no_text_depth > 0 {
            return;
        }
        let texts = attributes::text_attributes(ns, local);
        let paragraph = self.paragraphs.last().copied();
        let markup = self.source.get(tag.clone()).unwrap_or_default();
        if markup.contains("{{") {
            for text in attributes::other_attributes_with_braces(markup, texts) {
                let (description, paragraph) = ("a setting", paragraph.map(|at| at + 1));
                self.story.unfillable_texts.push(UnfillableText { description, paragraph, text });
            }
        }
        if texts.is_empty() {
            return;
        }
        // A picture or shape usually repeats the alternative text of its drawing (wp:docPr).
        let fallback = self.fallback_depth > 0 || local == "cNvPr";
        let kind_of = |name: &str| attributes::kind_of(texts, name);
        for mut slot in attributes::slots_of_tag(self.source, tag, &kind_of, &mut self.story.held) {
            slot.text.fallback = fallback;
            slot.paragraph = paragraph;
            self.story.slots.push(slot);
        }
    }

    fn open_word_element(
        &mut self,
        tag: &BytesStart<'_>,
        local: &str,
        prefix: &str,
        span: &Range<usize>,
        empty: bool,
    ) -> ElementKind {
        let prefix = || if prefix.is_empty() { String::new() } else { format!("{prefix}:") };
        match (self.parent(), local) {
            (ElementKind::Control(at), _) => return self.open_control_child(at, local, span),
            (ElementKind::ControlProperties, _) => return self.open_control_property(tag, local),
            (ElementKind::ControlKind(at), _) => return self.open_kind_setting(at, tag, local),
            _ if self.no_text_depth > 0 => return ElementKind::Other,
            _ => {}
        }
        if OTHER_CONTENT.contains(&local) {
            self.mark_other_content();
        }
        if matches!(local, "tbl" | "sdt" | "altChunk") {
            self.record_block(Neighbor::Other);
        }
        if OBJECT_ELEMENTS.contains(&local) {
            self.mark_control_with_object();
        }
        match local {
            "p" => self.open_paragraph(span, empty),
            "tbl" => self.open_table(span),
            "tr" => self.open_row(span),
            "tc" => {
                self.mark_control_with_cell();
                self.open_cell()
            }
            "numPr" if self.parent() == ElementKind::ParagraphProperties => {
                self.change_paragraph(|paragraph| paragraph.is_list_item = true);
                ElementKind::Other
            }
            "sectPr" if self.parent() == ElementKind::ParagraphProperties => {
                self.change_paragraph(|paragraph| paragraph.has_section_break = true);
                ElementKind::Other
            }
            "pPr" => ElementKind::ParagraphProperties,
            "bidi" if self.parent() == ElementKind::ParagraphProperties => {
                let on = on_off(attribute(tag, "val").as_deref());
                self.change_paragraph(|paragraph| paragraph.bidi = on);
                ElementKind::Other
            }
            "r" => {
                let (parent, is_nested) = self.place_of_run();
                let (prefix, start_tag) = (prefix(), span.clone());
                self.story.runs.push(ScannedRun { prefix, start_tag, properties: None, parent, is_nested });
                self.runs.push(self.story.runs.len() - 1);
                ElementKind::Run(self.story.runs.len() - 1)
            }
            "rPr" => ElementKind::RunProperties,
            "t" if self.in_run() => {
                let spaces = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == "xml:space");
                let preserve = spaces.is_some_and(|spaces| spaces.value == "preserve");
                let is_run_child = matches!(self.parent(), ElementKind::Run(_));
                self.open_texts.push((self.story.texts.len(), is_run_child));
                self.story.texts.push(TextElement { start_tag: span.clone(), preserve });
                ElementKind::Text
            }
            "instrText" => {
                self.no_text_depth += 1;
                ElementKind::Instruction
            }
            "delText" | "delInstrText" => ElementKind::DeletedText,
            "fldChar" if self.deletion_depth == 0 => {
                self.no_text_depth += 1;
                Self::open_field_character(tag)
            }
            "fldSimple" => self.open_simple_field(tag, span, prefix()),
            "del" | "moveFrom" if self.parent() != ElementKind::RunProperties => {
                self.deletion_depth += 1;
                ElementKind::Deletion
            }
            "bookmarkStart" => self.begin_bookmark(tag, span),
            "bookmarkEnd" => self.end_bookmark(tag, span),
            "sdt" => self.open_control(span, prefix()),
            "footnoteReference" | "endnoteReference" => {
                if self.deletion_depth == 0 {
                    let id = attribute(tag, "id").unwrap_or_default();
                    self.story.note_references.push(NoteReference {
                        endnote: local == "endnoteReference",
                        id,
                        at: span.start,
                    });
                }
                self.push_element_cell(OBJECT_PLACEHOLDER, span)
            }
            "footnote" | "endnote" => {
                self.story.notes.push((attribute(tag, "id").unwrap_or_default(), span.start..usize::MAX));
                self.open_story();
                ElementKind::Note
            }
            "comment" => {
                self.open_story();
                ElementKind::Comment
            }
            "txbxContent" => {
                self.open_story();
                ElementKind::TextBox
            }
            "headerReference" | "footerReference" => {
                self.story.header_footer_ids.extend(attribute(tag, "id"));
                ElementKind::Other
            }
            "tab" | "ptab" | "cr" | "br" if self.open_codes > 0 => {
                let character = if local.ends_with("tab") { '\t' } else { '\n' };
                self.open_code_break(character, span.start).unwrap_or(ElementKind::Other)
            }
            "tab" | "ptab" => self.push_element_cell('\t', span),
            "cr" => self.push_element_cell('\n', span),
            "br" => {
                let kind = attribute(tag, "type");
                let is_line = kind.is_none_or(|kind| kind == "textWrapping");
                self.push_element_cell(if is_line { '\n' } else { OBJECT_PLACEHOLDER }, span)
            }
            "noBreakHyphen" => self.push_element_cell('-', span),
            "softHyphen" => self.push_element_cell('\u{ad}', span),
            "sym" => self.push_symbol_cell(span),
            "drawing" | "pict" => {
                self.open_drawing(span.start);
                self.push_element_cell(OBJECT_PLACEHOLDER, span)
            }
            "object" => self.push_element_cell(OBJECT_PLACEHOLDER, span),
            _ => ElementKind::Other,
        }
    }

    fn open_drawing(&mut self, start: usize) {
        if self.deletion_depth == 0 {
            self.open_drawings.push(self.story.drawings.len());
            self.story.held.grow(size_of::<ScannedDrawing>());
            let control = self.controls.last().copied();
            self.story.drawings.push(ScannedDrawing { range: start..usize::MAX, control });
        }
    }

    /// Records the end of the innermost open drawing if it is the element that begins at `start`.
    fn close_drawing(&mut self, start: usize, end: usize) {
        let open = self.open_drawings.last().and_then(|&at| self.story.drawings.get_mut(at));
        if let Some(drawing) = open.filter(|drawing| drawing.range.start == start) {
            drawing.range.end = end;
            self.open_drawings.pop();
        }
    }

    fn open_paragraph(&mut self, span: &Range<usize>, empty: bool) -> ElementKind {
        let fallback = self.fallback_depth > 0;
        let index = self.story.paragraphs.len();
        let before = self.record_block(Neighbor::Paragraph(index));
        self.story.paragraphs.push(ScannedParagraph {
            fallback,
            has_other_content: self.deletion_depth > 0 || !self.fields.is_empty(),
            container: self.container,
            parent: self.open_elements.last().map_or(0, |frame| frame.start),
            range: span.clone(),
            before,
            ..ScannedParagraph::default()
        });
        self.push_code_separator(span.start);
        self.paragraphs.push(index);
        for &at in &self.controls {
            if let Some(control) = self.story.controls.get_mut(at)
                && control.paragraph.is_none()
                && control.first_paragraph.is_none()
            {
                // The end of the content is known when the paragraph closes; an empty element is already complete.
                control.first_paragraph = Some((index, if empty { span.clone() } else { span.end..span.end }));
            }
        }
        ElementKind::Paragraph
    }

    fn close_element(&mut self, span: Range<usize>) {
        let Some(frame) = self.open_elements.pop() else { return };
        self.namespaces.truncate(frame.bindings);
        let whole = frame.start..span.end;
        let empty = span.start == frame.start;
        self.close_drawing(whole.start, whole.end);
        match frame.kind {
            ElementKind::Paragraph => {
                let closed = self.paragraphs.pop();
                self.end_paragraph(closed, whole.clone());
                self.add_paragraph_to_control(closed, whole);
                self.drop_reference_of(closed);
                self.drop_cells_if_plain(closed);
                for &open in &self.controls {
                    let Some(control) = self.story.controls.get_mut(open) else { continue };
                    if let Some((index, range)) = &mut control.first_paragraph
                        && Some(*index) == closed
                        && !empty
                    {
                        *range = span.start..span.start;
                    }
                }
            }
            ElementKind::Run(_) => {
                self.runs.pop();
            }
            ElementKind::RunProperties => self.close_run_properties(whole),
            ElementKind::ParagraphProperties if self.parent() == ElementKind::Paragraph => {
                self.change_paragraph(|paragraph| paragraph.properties = Some(whole));
            }
            ElementKind::Text => {
                self.open_texts.pop();
            }
            ElementKind::CharacterElement(paragraph, cell) => {
                let paragraph = self.story.paragraphs.get_mut(paragraph);
                if let Some(cell) = paragraph.and_then(|paragraph| paragraph.cells.get_mut(cell)) {
                    cell.span = whole;
                }
            }
            ElementKind::Instruction => {
                self.no_text_depth -= 1;
                if let Some(field) = self.fields.last_mut() {
                    field.deleted_ranges.push(whole);
                }
            }
            ElementKind::Deletion => self.deletion_depth -= 1,
            ElementKind::FieldCharacter(character, locked) => {
                self.no_text_depth -= 1;
                self.close_field_character(character, locked, &whole);
            }
            ElementKind::ControlProperties | ElementKind::NoText => self.no_text_depth -= 1,
            ElementKind::Binding(at) => {
                if let Some(control) = self.story.controls.get_mut(at) {
                    control.bindings.push(whole);
                }
            }
            ElementKind::Fallback => self.fallback_depth -= 1,
            ElementKind::Control(at) => {
                if let Some(control) = self.story.controls.get_mut(at) {
                    control.range = whole;
                }
            }
            ElementKind::ControlContent => {
                if let ElementKind::Control(at) = self.parent()
                    && let Some(control) = self.story.controls.get_mut(at)
                {
                    control.content = if empty { span.end..span.end } else { control.content.start..span.start };
                    self.controls.pop();
                }
            }
            ElementKind::SimpleField(None) => {
                self.close_simple_field(Some(span.clone()).filter(|_| !empty));
                self.end_simple_reference(frame.start, span);
            }
            ElementKind::SimpleFieldInCode(merge) => self.close_simple_field_in_code(merge, span, &whole),
            ElementKind::CodeBreak => self.close_code_break(whole),
            ElementKind::SimpleField(Some(at)) => {
                self.open_merge_fields.retain(|&open| open != at);
                if let Some(merge) = self.story.merge_fields.get_mut(at).filter(|_| !empty) {
                    merge.deleted_ranges.push(span);
                    merge.deleted_ranges.sort_unstable_by_key(|range| range.start);
                }
            }
            ElementKind::Note => {
                self.close_container();
                if let Some((_, range)) = self.story.notes.last_mut() {
                    range.end = span.end;
                }
            }
            ElementKind::Table(at) => self.close_table(at, whole),
            ElementKind::Row(at) => self.close_row(at, whole),
            ElementKind::Cell | ElementKind::Comment | ElementKind::TextBox => self.close_container(),
            _ => {}
        }
    }

    /// Records a paragraph or another block as the last child of the open element. Returns the block before it.
    fn record_block(&mut self, block: Neighbor) -> Option<Neighbor> {
        let before = self.open_elements.last_mut()?.last_block.replace(block);
        if let Some(Neighbor::Paragraph(before)) = before
            && let Some(paragraph) = self.story.paragraphs.get_mut(before)
        {
            paragraph.after = Some(block);
        }
        before
    }

    fn end_paragraph(&mut self, closed: Option<Index>, range: Range<usize>) {
        let is_open = !self.fields.is_empty();
        if let Some(paragraph) = closed.and_then(|at| self.story.paragraphs.get_mut(at)) {
            paragraph.range = range;
            paragraph.has_other_content |= is_open;
            let is_space = paragraph.cells.iter().all(|cell| cell.character.is_whitespace());
            paragraph.is_blank = is_space && !paragraph.has_field && !paragraph.has_formula;
        }
    }

    /// Records that the open paragraph contains something besides characters and merge fields.
    fn mark_other_content(&mut self) {
        self.change_paragraph(|paragraph| paragraph.has_other_content = true);
    }

    /// Records that a merge field or a content control begins in the open paragraph.
    fn mark_paragraph_with_field(&mut self) {
        self.change_paragraph(|paragraph| paragraph.has_field = true);
    }

    /// Calls `change` for the open paragraph. Does nothing outside paragraphs.
    fn change_paragraph(&mut self, change: impl FnOnce(&mut ScannedParagraph)) {
        if let Some(paragraph) = self.paragraphs.last().and_then(|&at| self.story.paragraphs.get_mut(at)) {
            change(paragraph);
        }
    }

    /// Drops the cells of a closed paragraph that contains no field. Does nothing if all paragraphs keep their cells
    /// ([`KeptCells::All`]).
    fn drop_cells_if_plain(&mut self, closed: Option<Index>) {
        let paragraph = closed.and_then(|at| self.story.paragraphs.get_mut(at));
        if let Some(paragraph) = paragraph.filter(|paragraph| self.keep == KeptCells::Fields && paragraph.is_plain()) {
            let cells = std::mem::take(&mut paragraph.cells);
            self.story.held.shrink(size_of_val(&*cells));
        }
    }

    fn close_run_properties(&mut self, whole: Range<usize>) {
        match self.parent() {
            ElementKind::Run(at) => {
                if let Some(run) = self.story.runs.get_mut(at) {
                    run.properties = Some(whole);
                }
            }
            ElementKind::ControlProperties => {
                if let Some(control) = self.control_of_properties().and_then(|at| self.story.controls.get_mut(at)) {
                    control.properties = Some(whole);
                }
            }
            _ => {}
        }
    }
}
