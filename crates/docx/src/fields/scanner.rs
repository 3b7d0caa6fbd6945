//! Reads the events of a part into a [`Story`].

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::scan::{Cell, Control, Elsewhere, Index, Merge, NoteReference, OBJECT, Paragraph, Run, Story, TextElement};
use crate::package::attribute;
use crate::{Error, Result};

const W_TRANSITIONAL: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const W_STRICT: &str = "http://purl.oclc.org/ooxml/wordprocessingml/main";
const W15: &str = "http://schemas.microsoft.com/office/word/2012/wordml";
const MC: &str = "http://schemas.openxmlformats.org/markup-compatibility/2006";
const M_TRANSITIONAL: &str = "http://schemas.openxmlformats.org/officeDocument/2006/math";
const M_STRICT: &str = "http://purl.oclc.org/ooxml/officeDocument/math";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ns {
    Word,
    Word15,
    Compatibility,
    Math,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    Paragraph,
    ParagraphProperties,
    Run(Index),
    RunProperties,
    Text,
    Instruction,
    DeletedText,
    MathText,
    Deletion,
    Fallback,
    Control(Index),
    ControlProperties,
    ControlContent,
    SimpleField(Option<Index>),
    Note,
    Compatibility,
    /// A tab, a break, a hyphen: paragraph and cell it is.
    Cell(Index, Index),
    Other,
}

struct Frame {
    element: Element,
    start: usize,
    /// Namespace bindings in force outside of it.
    bindings: usize,
}

/// A complex field between its `begin` and its `end`.
struct OpenField {
    start: usize,
    spans: Vec<Range<usize>>,
    instruction: String,
    in_result: bool,
    run: Option<Index>,
    paragraph: Option<Index>,
    merge: Option<Index>,
}

pub(super) struct Scanner<'s> {
    source: &'s str,
    story: Story,
    frames: Vec<Frame>,
    namespaces: Vec<(String, Ns)>,
    /// Open paragraphs and runs: a text box opens them anew inside of a run.
    paragraphs: Vec<Index>,
    runs: Vec<Index>,
    texts: Option<Index>,
    controls: Vec<Index>,
    fields: Vec<OpenField>,
    merges: Vec<Index>,
    deletions: usize,
    fallbacks: usize,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(part: &str, source: &'s str) -> Self {
        Self {
            source,
            story: Story { part: part.to_owned(), ..Story::default() },
            frames: Vec::new(),
            namespaces: Vec::new(),
            paragraphs: Vec::new(),
            runs: Vec::new(),
            texts: None,
            controls: Vec::new(),
            fields: Vec::new(),
            merges: Vec::new(),
            deletions: 0,
            fallbacks: 0,
        }
    }

    pub(super) fn run(mut self) -> Result<Story> {
        let mut reader = Reader::from_str(self.source);
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|error| {
                Error::new("malformed_xml", format!("{}: {error}", self.story.part)).in_part(self.story.part.clone())
            })?;
            let span = start..reader.buffer_position() as usize;
            match event {
                Event::Eof => return Ok(self.story),
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
                    self.character(character, span);
                }
                _ => {}
            }
        }
    }

    fn parent(&self) -> Element {
        self.frames.last().map_or(Element::Other, |frame| frame.element)
    }

    fn bind(&mut self, tag: &BytesStart<'_>) {
        for attribute in tag.attributes().flatten() {
            let prefix = match attribute.key.as_ref() {
                "xmlns" => "",
                other => match other.strip_prefix("xmlns:") {
                    Some(prefix) => prefix,
                    None => continue,
                },
            };
            let ns = match attribute.value.as_ref() {
                W_TRANSITIONAL | W_STRICT => Ns::Word,
                W15 => Ns::Word15,
                MC => Ns::Compatibility,
                M_TRANSITIONAL | M_STRICT => Ns::Math,
                _ => Ns::Other,
            };
            self.namespaces.push((prefix.to_owned(), ns));
        }
    }

    fn namespace(&self, prefix: &str) -> Ns {
        self.namespaces.iter().rev().find(|(known, _)| known == prefix).map_or(Ns::Other, |(_, ns)| *ns)
    }

    fn open(&mut self, tag: &BytesStart<'_>, span: Range<usize>, empty: bool) {
        let bindings = self.namespaces.len();
        if self.source.get(span.clone()).is_some_and(|markup| markup.contains("xmlns")) {
            self.bind(tag);
        }
        let name = tag.name();
        let (prefix, local) = name.as_ref().split_once(':').unwrap_or(("", name.as_ref()));
        let element = match self.namespace(prefix) {
            Ns::Word => self.word(tag, local, prefix, &span, empty),
            Ns::Word15 => {
                if local == "dataBinding" {
                    self.binding(self.whole(&span, local, empty));
                }
                Element::Other
            }
            Ns::Compatibility if local == "Fallback" => {
                self.fallbacks += 1;
                Element::Fallback
            }
            Ns::Compatibility => Element::Compatibility,
            Ns::Math if local == "t" => Element::MathText,
            _ => Element::Other,
        };
        self.frames.push(Frame { element, start: span.start, bindings });
    }

    fn word(&mut self, tag: &BytesStart<'_>, local: &str, prefix: &str, span: &Range<usize>, empty: bool) -> Element {
        let prefix = || if prefix.is_empty() { String::new() } else { format!("{prefix}:") };
        match local {
            "p" => self.open_paragraph(span, empty),
            "pPr" => Element::ParagraphProperties,
            "bidi" if self.parent() == Element::ParagraphProperties => {
                let on = attribute(tag, "val").is_none_or(|value| !matches!(value.as_str(), "0" | "false" | "off"));
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
                let preserve = attribute(tag, "space").is_some_and(|space| space == "preserve");
                let direct = matches!(self.parent(), Element::Run(_));
                self.story.texts.push(TextElement { open: span.clone(), preserve, direct });
                self.texts = Some(self.story.texts.len() - 1);
                Element::Text
            }
            "instrText" => Element::Instruction,
            "delText" | "delInstrText" => Element::DeletedText,
            "fldChar" if self.deletions == 0 => self.field_character(tag, span, empty),
            "fldSimple" => self.open_simple_field(tag, span, prefix()),
            "del" | "moveFrom" if self.parent() != Element::RunProperties => {
                self.deletions += 1;
                Element::Deletion
            }
            "sdt" => self.open_control(span, prefix()),
            "sdtPr" => Element::ControlProperties,
            "sdtContent" => {
                if let Element::Control(at) = self.parent()
                    && let Some(control) = self.story.controls.get_mut(at)
                {
                    control.content = span.end..span.end;
                    self.controls.push(at);
                }
                Element::ControlContent
            }
            "tag" | "text" | "dataBinding" | "showingPlcHdr" if self.parent() == Element::ControlProperties => {
                self.control_property(tag, local, &self.whole(span, local, empty));
                Element::Other
            }
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

    /// From an element's start tag to its end; it holds none of its own name.
    fn whole(&self, span: &Range<usize>, local: &str, empty: bool) -> Range<usize> {
        let end =
            if empty { None } else { self.source.get(span.end..).and_then(|rest| rest.find(&format!("{local}>"))) };
        span.start..end.map_or(span.end, |at| span.end + at + local.len() + 1)
    }

    fn in_run(&self) -> bool {
        self.paragraphs.len() <= self.runs.len() && !self.runs.is_empty() && !self.paragraphs.is_empty()
    }

    fn open_paragraph(&mut self, span: &Range<usize>, empty: bool) -> Element {
        let number = self.story.paragraphs.len() + 1;
        let fallback = self.fallbacks > 0;
        self.story.paragraphs.push(Paragraph { number, cells: Vec::new(), fallback, bidi: false });
        let index = self.story.paragraphs.len() - 1;
        self.paragraphs.push(index);
        for &at in &self.controls {
            if let Some(control) = self.story.controls.get_mut(at)
                && control.paragraph.is_none()
                && control.first_paragraph.is_none()
            {
                // Where its content ends is known when it closes; an empty element is known whole.
                control.first_paragraph = Some((index, if empty { span.clone() } else { span.end..span.end }));
            }
        }
        Element::Paragraph
    }

    fn open_control(&mut self, span: &Range<usize>, prefix: String) -> Element {
        self.story.controls.push(Control {
            parent: self.controls.last().copied(),
            range: span.clone(),
            prefix,
            paragraph: if matches!(self.innermost_text_holder(), Element::Paragraph) {
                self.paragraphs.last().copied()
            } else {
                None
            },
            deleted: self.deletions > 0,
            fallback: self.fallbacks > 0,
            ..Control::default()
        });
        Element::Control(self.story.controls.len() - 1)
    }

    /// A paragraph, or what stands between it and what is inside of a text box.
    fn innermost_text_holder(&self) -> Element {
        let holder = |frame: &&Frame| matches!(frame.element, Element::Paragraph | Element::Run(_));
        self.frames.iter().rev().find(holder).map_or(Element::Other, |frame| frame.element)
    }

    fn control_property(&mut self, tag: &BytesStart<'_>, local: &str, span: &Range<usize>) {
        let control = self.frames.iter().rev().find_map(|frame| match frame.element {
            Element::Control(at) => Some(at),
            _ => None,
        });
        let Some(control) = control.and_then(|at| self.story.controls.get_mut(at)) else { return };
        match local {
            "tag" => control.tag = attribute(tag, "val"),
            "text" => control.is_plain_text = true,
            _ => {
                control.showing_placeholder |= local == "showingPlcHdr";
                control.bindings.push(span.clone());
            }
        }
    }

    fn binding(&mut self, span: Range<usize>) {
        if self.parent() == Element::ControlProperties
            && let Some(Frame { element: Element::Control(at), .. }) = self.frames.iter().rev().nth(1)
            && let Some(control) = self.story.controls.get_mut(*at)
        {
            control.bindings.push(span);
        }
    }

    fn element_cell(&mut self, character: char, span: &Range<usize>) -> Element {
        // A `w:tab` among `w:tabs` is no tab character.
        if !matches!(self.parent(), Element::Run(_) | Element::Compatibility | Element::Fallback)
            || !self.fields_are_text()
        {
            return Element::Other;
        }
        // What holds a picture or a note is never taken out with the text around it: no bytes are given for it.
        self.push_cell(character, span.start..span.start, None);
        let Some(&paragraph) = self.paragraphs.last().filter(|_| character != OBJECT) else { return Element::Other };
        let cells = self.story.paragraphs.get(paragraph).map_or(0, |paragraph| paragraph.cells.len());
        Element::Cell(paragraph, cells.saturating_sub(1))
    }

    fn fields_are_text(&self) -> bool {
        self.deletions == 0 && self.fields.iter().all(|field| field.in_result)
    }

    fn push_cell(&mut self, character: char, span: Range<usize>, text: Option<Index>) {
        let (Some(&run), Some(&paragraph)) = (self.runs.last(), self.paragraphs.last()) else { return };
        let control = self.controls.last().copied();
        let merge = self.merges.last().copied();
        if let Some(paragraph) = self.story.paragraphs.get_mut(paragraph) {
            paragraph.cells.push(Cell { character, span, text, run, control, merge });
        }
    }

    fn text(&mut self, span: Range<usize>) {
        let source = self.source;
        let Some(text) = source.get(span.clone()) else { return };
        if self.parent() == Element::Text && self.fields_are_text() {
            for (at, character) in text.char_indices() {
                let start = span.start + at;
                self.push_cell(character, start..start + character.len_utf8(), self.texts);
            }
        } else {
            text.chars().for_each(|character| self.character_elsewhere(character));
        }
    }

    fn character(&mut self, character: char, span: Range<usize>) {
        if self.parent() == Element::Text && self.fields_are_text() {
            self.push_cell(character, span, self.texts);
        } else {
            self.character_elsewhere(character);
        }
    }

    fn character_elsewhere(&mut self, character: char) {
        let what = match self.parent() {
            Element::Instruction => {
                if let Some(field) = self.fields.last_mut().filter(|field| !field.in_result) {
                    field.instruction.push(character);
                }
                "a field code"
            }
            Element::DeletedText => "deleted text",
            Element::Text if self.deletions > 0 => "deleted text",
            Element::Text => "a field code",
            Element::MathText => "a formula",
            _ => return,
        };
        let paragraph = self.paragraphs.last().map(|&at| at + 1);
        match self.story.elsewhere.last_mut() {
            Some(last) if last.what == what && last.paragraph == paragraph => last.text.push(character),
            _ => self.story.elsewhere.push(Elsewhere { what, paragraph, text: character.to_string() }),
        }
    }

    fn field_character(&mut self, tag: &BytesStart<'_>, span: &Range<usize>, empty: bool) -> Element {
        // With children (form field data) it goes from its start to its end.
        let span = &self.whole(span, "fldChar", empty);
        match attribute(tag, "fldCharType").as_deref() {
            Some("begin") => self.fields.push(OpenField {
                start: span.start,
                spans: vec![span.clone()],
                instruction: String::new(),
                in_result: false,
                run: self.runs.last().copied(),
                paragraph: self.paragraphs.last().copied(),
                merge: None,
            }),
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    field.spans.push(span.clone());
                }
                self.begin_merge();
                if let Some(field) = self.fields.last_mut() {
                    field.in_result = true;
                }
            }
            Some("end") => {
                if self.fields.last().is_some_and(|field| !field.in_result) {
                    self.begin_merge();
                }
                if let Some(mut field) = self.fields.pop() {
                    field.spans.push(span.clone());
                    self.end_field(field);
                }
            }
            _ => {}
        }
        Element::Other
    }

    /// The instruction of the innermost field is whole: if it is a merge field's, and nothing around it is, it is one.
    fn begin_merge(&mut self) {
        let nested = self.fields.iter().rev().skip(1).any(|outer| !outer.in_result) || !self.merges.is_empty();
        let prefix = self.fields.last().and_then(|field| self.story.runs.get(field.run?)).map(|run| run.prefix.clone());
        let Some(field) = self.fields.last_mut() else { return };
        let Some(name) = merge_field_name(&field.instruction) else { return };
        if nested {
            let paragraph = field.paragraph.map(|at| at + 1);
            self.story.elsewhere.push(Elsewhere {
                what: "another field's code",
                paragraph,
                text: format!("{{{{{name}}}}}"),
            });
            return;
        }
        let at = self.story.merges.len();
        field.merge = Some(at);
        self.story.merges.push(Merge {
            name,
            start: field.start,
            deletes: Vec::new(),
            run: field.run,
            prefix: prefix.unwrap_or_default(),
            paragraph: field.paragraph,
            fallback: self.fallbacks > 0,
        });
        self.merges.push(at);
    }

    fn end_field(&mut self, field: OpenField) {
        if let Some(at) = field.merge {
            self.merges.retain(|&open| open != at);
            if let Some(merge) = self.story.merges.get_mut(at) {
                merge.deletes.extend(field.spans);
            }
        } else if let Some(outer) = self.fields.last_mut() {
            // What an inner field is made of goes when the outer one becomes plain text.
            outer.spans.extend(field.spans);
        }
    }

    fn open_simple_field(&mut self, tag: &BytesStart<'_>, span: &Range<usize>, prefix: String) -> Element {
        let name = attribute(tag, "instr").and_then(|instruction| merge_field_name(&instruction));
        let Some(name) = name.filter(|_| self.fields_are_text() && self.merges.is_empty()) else {
            return Element::SimpleField(None);
        };
        let at = self.story.merges.len();
        self.story.merges.push(Merge {
            name,
            start: span.start,
            deletes: vec![span.clone()],
            run: None,
            prefix,
            paragraph: self.paragraphs.last().copied(),
            fallback: self.fallbacks > 0,
        });
        self.merges.push(at);
        Element::SimpleField(Some(at))
    }

    fn close(&mut self, span: Range<usize>) {
        let Some(frame) = self.frames.pop() else { return };
        self.namespaces.truncate(frame.bindings);
        let whole = frame.start..span.end;
        let empty = span.start == frame.start;
        match frame.element {
            Element::Paragraph => {
                let closed = self.paragraphs.pop();
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
                if let Some(field) = self.fields.last_mut() {
                    field.spans.push(whole);
                }
            }
            Element::Deletion => self.deletions -= 1,
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
            Element::SimpleField(Some(at)) => {
                self.merges.retain(|&open| open != at);
                if let Some(merge) = self.story.merges.get_mut(at).filter(|_| !empty) {
                    merge.deletes.push(span);
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

    fn close_run_properties(&mut self, whole: Range<usize>) {
        match self.parent() {
            Element::Run(at) => {
                if let Some(run) = self.story.runs.get_mut(at) {
                    run.properties = Some(whole);
                }
            }
            Element::ControlProperties => {
                if let Some(Frame { element: Element::Control(at), .. }) = self.frames.iter().rev().nth(1)
                    && let Some(control) = self.story.controls.get_mut(*at)
                {
                    control.properties = Some(whole);
                }
            }
            _ => {}
        }
    }
}

/// The name in ` MERGEFIELD  "Nom du client"  \* MERGEFORMAT `; `None` for other fields.
fn merge_field_name(instruction: &str) -> Option<String> {
    let instruction = instruction.trim_start();
    let (word, rest) = instruction.split_once(char::is_whitespace)?;
    if !word.eq_ignore_ascii_case("MERGEFIELD") {
        return None;
    }
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '“' | '”'));
    let name = match quote {
        Some(quote) => rest.get(quote.len_utf8()..)?.split(['"', '“', '”']).next()?,
        None => rest.split_whitespace().next().unwrap_or_default(),
    };
    Some(name.to_owned())
}
