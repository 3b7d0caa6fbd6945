//! Scans the events of a part into a [`Story`].

mod complex;
mod controls;
mod frames;
mod references;
mod text;

use std::collections::HashMap;
use std::ops::Range;

use quick_xml::events::{BytesStart, Event};

use self::complex::OpenField;
use self::frames::{Element, Frame};
use self::references::OpenReference;
use waraq_graphics::xml::Ns;
use waraq_graphics::xml::values::on_off;

use super::scan::{Index, Keep, NoteReference, OBJECT, Paragraph, Run, Story, TextElement};
use crate::package::attribute;
use crate::package::xml::Checked;
use crate::{Held, Meter, Result};

/// The cost of checking and reading a tag or text.
const EVENT_WORK: usize = 3;
/// The average memory in bytes that is kept for a tag or text (runs, text elements, paragraphs).
const EVENT_MEMORY: usize = 32;

#[derive(Default)]
pub(super) struct Scanner<'s> {
    source: &'s str,
    meter: Meter,
    keep: Keep,
    story: Story,
    frames: Vec<Frame>,
    namespaces: Vec<(String, Ns)>,
    /// The open paragraphs and runs. Text boxes nest paragraphs and runs inside a run.
    paragraphs: Vec<Index>,
    runs: Vec<Index>,
    texts: Option<Index>,
    /// The open `w:t` is a child of its run.
    text_is_direct: bool,
    controls: Vec<Index>,
    fields: Vec<OpenField>,
    /// The open simple fields that are not filled: the start of the surrounding field, and the start tag.
    simple_fields: Vec<(Option<usize>, Range<usize>)>,
    /// The number of `fields` whose code is still being read.
    codes: usize,
    merges: Vec<Index>,
    reference: Option<OpenReference>,
    /// The open bookmarks by id.
    bookmarks: HashMap<String, Index>,
    deletions: usize,
    /// The number of open elements whose content is not text: properties of content controls, field characters and
    /// field codes. Filling may delete such an element completely.
    no_text: usize,
    fallbacks: usize,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(part: &str, source: &'s str, meter: &Meter, keep: Keep) -> Self {
        let story = Story { part: part.to_owned(), held: Held::of(meter), ..Story::default() };
        Self { source, meter: meter.clone(), keep, story, ..Self::default() }
    }

    pub(super) fn run(mut self) -> Result<Story> {
        let part = self.story.part.clone();
        let mut events = Checked::new(&part, self.source);
        loop {
            let start = events.position();
            let Some(event) = events.next()? else {
                self.forget_open_merges();
                self.tell_controls_of_text();
                return Ok(self.story);
            };
            let span = start..events.position();
            if !(self.meter.spend(EVENT_WORK) && self.story.held.more(EVENT_MEMORY)) {
                self.meter.outcome()?;
            }
            match event {
                Event::Start(tag) => self.open(&tag, span, false),
                Event::Empty(tag) => {
                    self.open(&tag, span.clone(), true);
                    self.close(span);
                }
                Event::End(_) => self.close(span),
                Event::Text(_) => self.text(span),
                Event::GeneralRef(reference) => {
                    let character = match reference.as_ref() {
                        "amp" => '&',
                        "lt" => '<',
                        "gt" => '>',
                        "quot" => '"',
                        "apos" => '\'',
                        _ => reference.resolve_char_ref().ok().flatten().unwrap_or(OBJECT),
                    };
                    self.characters(std::iter::once((span.clone(), character)), span);
                }
                _ => {}
            }
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>, span: Range<usize>, empty: bool) {
        let bindings = self.namespaces.len();
        if self.source.get(span.clone()).is_some_and(|markup| markup.contains("xmlns")) {
            self.bind(tag);
        }
        let name = tag.name();
        let (prefix, local) = name.as_ref().split_once(':').unwrap_or(("", name.as_ref()));
        let element = match self.namespace(prefix) {
            Ns::W => self.word(tag, local, prefix, &span, empty),
            _ if matches!(self.parent(), Element::Control(_)) => {
                self.no_text += 1;
                Element::NoText
            }
            Ns::W15 if local == "dataBinding" => self.control_of_properties().map_or(Element::Other, Element::Binding),
            Ns::Mc if local == "Fallback" => {
                self.fallbacks += 1;
                Element::Fallback
            }
            Ns::Mc => Element::Compatibility,
            Ns::M if local == "t" => Element::MathText,
            _ => Element::Other,
        };
        self.frames.push(Frame { element, start: span.start, bindings });
    }

    fn word(&mut self, tag: &BytesStart<'_>, local: &str, prefix: &str, span: &Range<usize>, empty: bool) -> Element {
        let prefix = || if prefix.is_empty() { String::new() } else { format!("{prefix}:") };
        match (self.parent(), local) {
            (Element::Control(at), _) => return self.control_child(at, local, span),
            (Element::ControlProperties, _) => return self.control_property(tag, local),
            _ if self.no_text > 0 => return Element::Other,
            _ => {}
        }
        match local {
            "p" => self.open_paragraph(span, empty),
            "pPr" => Element::ParagraphProperties,
            "bidi" if self.parent() == Element::ParagraphProperties => {
                let on = on_off(attribute(tag, "val").as_deref());
                if let Some(paragraph) = self.paragraphs.last().and_then(|&at| self.story.paragraphs.get_mut(at)) {
                    paragraph.bidi = on;
                }
                Element::Other
            }
            "r" => {
                self.story.runs.push(Run { prefix: prefix(), open: span.clone(), properties: None });
                self.runs.push(self.story.runs.len() - 1);
                Element::Run(self.story.runs.len() - 1)
            }
            "rPr" => Element::RunProperties,
            "t" if self.in_run() => {
                let spaces = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == "xml:space");
                let preserve = spaces.is_some_and(|spaces| spaces.value == "preserve");
                self.text_is_direct = matches!(self.parent(), Element::Run(_));
                self.story.texts.push(TextElement { open: span.clone(), preserve });
                self.texts = Some(self.story.texts.len() - 1);
                Element::Text
            }
            "instrText" => {
                self.no_text += 1;
                Element::Instruction
            }
            "delText" | "delInstrText" => Element::DeletedText,
            "fldChar" if self.deletions == 0 => {
                self.no_text += 1;
                Self::open_field_character(tag)
            }
            "fldSimple" => self.open_simple_field(tag, span, prefix()),
            "del" | "moveFrom" if self.parent() != Element::RunProperties => {
                self.deletions += 1;
                Element::Deletion
            }
            "bookmarkStart" => self.begin_bookmark(tag, span),
            "bookmarkEnd" => self.end_bookmark(tag, span),
            "sdt" => self.open_control(span, prefix()),
            "footnoteReference" | "endnoteReference" => {
                if self.deletions == 0 {
                    let id = attribute(tag, "id").unwrap_or_default();
                    self.story.note_references.push(NoteReference {
                        endnote: local == "endnoteReference",
                        id,
                        at: span.start,
                    });
                }
                self.element_cell(OBJECT, span)
            }
            "footnote" | "endnote" => {
                self.story.notes.push((attribute(tag, "id").unwrap_or_default(), span.start..usize::MAX));
                Element::Note
            }
            "txbxContent" => Element::TextBox,
            "headerReference" | "footerReference" => {
                self.story.header_footer_ids.extend(attribute(tag, "id"));
                Element::Other
            }
            "tab" | "ptab" => self.element_cell('\t', span),
            "cr" => self.element_cell('\n', span),
            "br" => {
                let kind = attribute(tag, "type");
                let is_line = kind.is_none_or(|kind| kind == "textWrapping");
                self.element_cell(if is_line { '\n' } else { OBJECT }, span)
            }
            "noBreakHyphen" => self.element_cell('-', span),
            "softHyphen" => self.element_cell('\u{ad}', span),
            "sym" | "drawing" | "pict" | "object" => self.element_cell(OBJECT, span),
            _ => Element::Other,
        }
    }

    fn open_paragraph(&mut self, span: &Range<usize>, empty: bool) -> Element {
        let fallback = self.fallbacks > 0;
        self.story.paragraphs.push(Paragraph { fallback, ..Paragraph::default() });
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
        Element::Paragraph
    }

    fn close(&mut self, span: Range<usize>) {
        let Some(frame) = self.frames.pop() else { return };
        self.namespaces.truncate(frame.bindings);
        let whole = frame.start..span.end;
        let empty = span.start == frame.start;
        match frame.element {
            Element::Paragraph => {
                let closed = self.paragraphs.pop();
                self.forget_reference_of(closed);
                self.forget_cells_of(closed);
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
            Element::Run(_) => {
                self.runs.pop();
            }
            Element::RunProperties => self.close_run_properties(whole),
            Element::Text => self.texts = None,
            Element::Cell(paragraph, cell) => {
                let paragraph = self.story.paragraphs.get_mut(paragraph);
                if let Some(cell) = paragraph.and_then(|paragraph| paragraph.cells.get_mut(cell)) {
                    cell.span = whole;
                }
            }
            Element::Instruction => {
                self.no_text -= 1;
                if let Some(field) = self.fields.last_mut() {
                    field.spans.push(whole);
                }
            }
            Element::Deletion => self.deletions -= 1,
            Element::FieldCharacter(character, locked) => {
                self.no_text -= 1;
                self.field_character(character, locked, &whole);
            }
            Element::ControlProperties | Element::NoText => self.no_text -= 1,
            Element::Binding(at) => {
                if let Some(control) = self.story.controls.get_mut(at) {
                    control.bindings.push(whole);
                }
            }
            Element::Fallback => self.fallbacks -= 1,
            Element::Control(at) => {
                if let Some(control) = self.story.controls.get_mut(at) {
                    control.range = whole;
                }
            }
            Element::ControlContent => {
                if let Element::Control(at) = self.parent()
                    && let Some(control) = self.story.controls.get_mut(at)
                {
                    control.content = if empty { span.end..span.end } else { control.content.start..span.start };
                    self.controls.pop();
                }
            }
            Element::SimpleField(None) => {
                self.close_simple_field(Some(span.clone()).filter(|_| !empty));
                self.end_simple_reference(frame.start, span);
            }
            Element::SimpleField(Some(at)) => {
                self.merges.retain(|&open| open != at);
                if let Some(merge) = self.story.merges.get_mut(at).filter(|_| !empty) {
                    merge.deletes.push(span);
                    merge.deletes.sort_unstable_by_key(|range| range.start);
                }
            }
            Element::Note => {
                if let Some((_, range)) = self.story.notes.last_mut() {
                    range.end = span.end;
                }
            }
            _ => {}
        }
    }

    /// Records that a merge field or a content control begins in the open paragraph.
    fn note_field(&mut self) {
        if let Some(paragraph) = self.paragraphs.last().and_then(|&at| self.story.paragraphs.get_mut(at)) {
            paragraph.holds_field = true;
        }
    }

    /// Drops the cells of a closed paragraph if only paragraphs with fields are kept and it has none.
    fn forget_cells_of(&mut self, closed: Option<Index>) {
        let paragraph = closed.and_then(|at| self.story.paragraphs.get_mut(at));
        if let Some(paragraph) = paragraph.filter(|paragraph| self.keep == Keep::Fields && paragraph.is_plain()) {
            let cells = std::mem::take(&mut paragraph.cells);
            self.story.held.less(size_of_val(&*cells));
        }
    }

    fn close_run_properties(&mut self, whole: Range<usize>) {
        match self.parent() {
            Element::Run(at) => {
                if let Some(run) = self.story.runs.get_mut(at) {
                    run.properties = Some(whole);
                }
            }
            Element::ControlProperties => {
                if let Some(control) = self.control_of_properties().and_then(|at| self.story.controls.get_mut(at)) {
                    control.properties = Some(whole);
                }
            }
            _ => {}
        }
    }
}
