//! Scans the events of a part into a [`PartScan`].

mod complex;
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

use super::scan::{
    Index, KeptCells, NoteReference, OBJECT_PLACEHOLDER, PartScan, ScannedParagraph, ScannedRun, TextElement,
};
use crate::package::attribute;
use crate::package::xml::CheckedEvents;
use crate::{CountedMemory, Meter, Result};

/// The work that the meter counts for checking and reading one tag or text.
const EVENT_WORK: usize = 3;
/// The average memory in bytes that is kept for a tag or text (runs, text elements, paragraphs).
const EVENT_MEMORY: usize = 32;

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
    open_text: Option<Index>,
    /// The open `w:t` is a direct child of its run.
    text_is_direct: bool,
    controls: Vec<Index>,
    fields: Vec<OpenField>,
    /// The open simple fields that are not filled. Each has the start of the field around it, and the byte range of its
    /// start tag.
    simple_fields: Vec<(Option<usize>, Range<usize>)>,
    /// The number of `fields` whose code is still being read.
    open_codes: usize,
    open_merge_fields: Vec<Index>,
    reference: Option<OpenReference>,
    /// The indices of the bookmarks whose end was not read yet, by id.
    bookmarks: HashMap<String, Index>,
    deletion_depth: usize,
    /// The number of open elements whose content is not text: properties of content controls, field characters and
    /// field codes. Filling may delete such an element completely.
    no_text_depth: usize,
    fallback_depth: usize,
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
                self.drop_unended_merge_fields();
                self.set_controls_with_text();
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
        let element = match self.namespace(prefix) {
            Ns::W => self.open_word_element(tag, local, prefix, &span, empty),
            _ if matches!(self.parent(), ElementKind::Control(_)) => {
                self.no_text_depth += 1;
                ElementKind::NoText
            }
            Ns::W15 if local == "dataBinding" => {
                self.control_of_properties().map_or(ElementKind::Other, ElementKind::Binding)
            }
            Ns::Mc if local == "Fallback" => {
                self.fallback_depth += 1;
                ElementKind::Fallback
            }
            Ns::Mc => ElementKind::Compatibility,
            Ns::M if local == "t" => ElementKind::MathText,
            _ => ElementKind::Other,
        };
        self.open_elements.push(OpenElement { kind: element, start: span.start, bindings });
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
            _ if self.no_text_depth > 0 => return ElementKind::Other,
            _ => {}
        }
        match local {
            "p" => self.open_paragraph(span, empty),
            "pPr" => ElementKind::ParagraphProperties,
            "bidi" if self.parent() == ElementKind::ParagraphProperties => {
                let on = on_off(attribute(tag, "val").as_deref());
                if let Some(paragraph) = self.paragraphs.last().and_then(|&at| self.story.paragraphs.get_mut(at)) {
                    paragraph.bidi = on;
                }
                ElementKind::Other
            }
            "r" => {
                self.story.runs.push(ScannedRun { prefix: prefix(), start_tag: span.clone(), properties: None });
                self.runs.push(self.story.runs.len() - 1);
                ElementKind::Run(self.story.runs.len() - 1)
            }
            "rPr" => ElementKind::RunProperties,
            "t" if self.in_run() => {
                let spaces = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == "xml:space");
                let preserve = spaces.is_some_and(|spaces| spaces.value == "preserve");
                self.text_is_direct = matches!(self.parent(), ElementKind::Run(_));
                self.story.texts.push(TextElement { start_tag: span.clone(), preserve });
                self.open_text = Some(self.story.texts.len() - 1);
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
                ElementKind::Note
            }
            "txbxContent" => ElementKind::TextBox,
            "headerReference" | "footerReference" => {
                self.story.header_footer_ids.extend(attribute(tag, "id"));
                ElementKind::Other
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
            "sym" | "drawing" | "pict" | "object" => self.push_element_cell(OBJECT_PLACEHOLDER, span),
            _ => ElementKind::Other,
        }
    }

    fn open_paragraph(&mut self, span: &Range<usize>, empty: bool) -> ElementKind {
        let fallback = self.fallback_depth > 0;
        self.story.paragraphs.push(ScannedParagraph { fallback, ..ScannedParagraph::default() });
        let index = self.story.paragraphs.len() - 1;
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
        match frame.kind {
            ElementKind::Paragraph => {
                let closed = self.paragraphs.pop();
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
            ElementKind::Text => self.open_text = None,
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
            ElementKind::SimpleField(Some(at)) => {
                self.open_merge_fields.retain(|&open| open != at);
                if let Some(merge) = self.story.merge_fields.get_mut(at).filter(|_| !empty) {
                    merge.deleted_ranges.push(span);
                    merge.deleted_ranges.sort_unstable_by_key(|range| range.start);
                }
            }
            ElementKind::Note => {
                if let Some((_, range)) = self.story.notes.last_mut() {
                    range.end = span.end;
                }
            }
            _ => {}
        }
    }

    /// Records that a merge field or a content control begins in the open paragraph.
    fn mark_paragraph_with_field(&mut self) {
        if let Some(paragraph) = self.paragraphs.last().and_then(|&at| self.story.paragraphs.get_mut(at)) {
            paragraph.has_field = true;
        }
    }

    /// Drops the cells of a closed paragraph if it has no field and only paragraphs with fields keep their cells.
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
