//! One part that holds text (body, header, footer, notes), read once into what filling needs: for every character where
//! it stands in the part's bytes, and where the runs, content controls and merge fields around it begin and end.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::partial_escape;
use quick_xml::events::Event;

use super::external::External;
use super::scanner::Scanner;
use crate::{Held, Meter, Result};

/// An index into one of the lists of [`Story`].
pub(super) type Index = usize;

/// Whose cells are kept: each takes many times its character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Keep {
    #[default]
    All,
    /// Of paragraphs that hold a field, or something that looks like one.
    Fields,
}

impl Paragraph {
    /// Whether there is nothing in it that belongs to a field, or is a sign of one.
    pub(super) fn is_plain(&self) -> bool {
        const SIGNS: [char; 9] = ['{', '}', '\\', '%', '$', '[', ']', '«', '»'];
        let plain = |cell: &Cell| cell.control.is_none() && cell.merge.is_none() && !SIGNS.contains(&cell.character);
        !self.holds_field && self.cells.iter().all(plain)
    }
}

/// Everything of one part.
#[derive(Debug, Default)]
pub(super) struct Story {
    pub part: String,
    pub paragraphs: Vec<Paragraph>,
    pub runs: Vec<Run>,
    pub texts: Vec<TextElement>,
    pub controls: Vec<Control>,
    pub merges: Vec<Merge>,
    /// In the order of their ends.
    pub references: Vec<Reference>,
    /// In the order of their beginnings.
    pub bookmarks: Vec<Bookmark>,
    /// References to notes, with the byte they stand at.
    pub note_references: Vec<NoteReference>,
    /// The notes themselves, in a part of notes.
    pub notes: Vec<(String, Range<usize>)>,
    /// Relationship ids of headers and footers, in the order the sections name them.
    pub header_footer_ids: Vec<String>,
    /// Text that is not filled: where, in which paragraph, what.
    pub elsewhere: Vec<Elsewhere>,
    /// Fields that reach out of the document, with their paragraph.
    pub external: Vec<(Option<usize>, External)>,
    /// What all this takes.
    pub held: Held,
}

#[derive(Debug, Default)]
pub(super) struct Paragraph {
    pub cells: Vec<Cell>,
    /// Inside `mc:Fallback`: the same text as in the Choice, for programs that cannot read that.
    pub fallback: bool,
    pub bidi: bool,
    /// A merge field or a content control begins in it.
    pub holds_field: bool,
}

/// One character as the reader of the page sees it.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub character: char,
    /// Its bytes in the part: those of the character, the reference (`&amp;`) or the element (`<w:tab/>`).
    pub span: Range<usize>,
    /// The `w:t` it is in; `None` for elements.
    pub text: Option<Index>,
    pub run: Index,
    /// It, or the `w:t` it is in, is a child of its run: the run may be closed before it and opened again after it.
    pub direct: bool,
    /// The innermost content control around it.
    pub control: Option<Index>,
    /// The merge field it is the result of.
    pub merge: Option<Index>,
}

/// A character that stands for a picture, a note's mark, a symbol: no name has it.
pub(super) const OBJECT: char = '\u{fffc}';

#[derive(Debug)]
pub(super) struct Run {
    pub prefix: String,
    pub open: Range<usize>,
    /// Its `w:rPr`.
    pub properties: Option<Range<usize>>,
}

#[derive(Debug)]
pub(super) struct TextElement {
    pub open: Range<usize>,
    pub preserve: bool,
}

/// A content control (§17.5.2).
#[derive(Debug, Default)]
pub(super) struct Control {
    pub parent: Option<Index>,
    pub range: Range<usize>,
    /// What of `range` is content.
    pub content: Range<usize>,
    pub tag: Option<String>,
    pub is_plain_text: bool,
    pub showing_placeholder: bool,
    /// `w:dataBinding` (also Word 2013's) and `w:showingPlcHdr`.
    pub bindings: Vec<Range<usize>>,
    /// The `w:rPr` of its properties.
    pub properties: Option<Range<usize>>,
    pub prefix: String,
    /// Index of the paragraph it is inside of; `None` around paragraphs, cells and rows.
    pub paragraph: Option<Index>,
    /// The first paragraph inside, and where its content ends (or the whole empty element).
    pub first_paragraph: Option<(Index, Range<usize>)>,
    /// There are characters in it that a value can take the place of.
    pub has_text: bool,
    /// It is in a deletion.
    pub deleted: bool,
    pub fallback: bool,
}

/// A merge field (§17.16.5.35), simple or complex.
#[derive(Debug)]
pub(super) struct Merge {
    /// As written, not normalised.
    pub name: String,
    pub start: usize,
    /// It has an end; without one it is no field, and what follows it is text.
    pub ended: bool,
    /// Field characters, instruction, wrapping element.
    pub deletes: Vec<Range<usize>>,
    /// The run its `begin` stands in; `None` for simple fields.
    pub run: Option<Index>,
    /// That `begin` is a child of the run.
    pub direct: bool,
    pub prefix: String,
    pub paragraph: Option<Index>,
    pub fallback: bool,
}

/// A field whose result follows from the rest of the document, begun and ended in one paragraph. It is in no field's code,
/// in no deletion, and in no other such field.
#[derive(Debug)]
pub(super) struct Reference {
    pub target: Target,
    /// From its beginning to the end of its result.
    pub bytes: Range<usize>,
    pub paragraph: Index,
    /// Its result: cells of that paragraph.
    pub cells: Range<Index>,
    /// Where a result can be put, should there be none.
    pub slot: Slot,
}

/// What a [`Reference`] shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// The page a bookmark is on (PAGEREF, §17.16.5.45).
    Page(String),
    /// The text of a bookmark (REF, §17.16.5.51).
    Text(String),
}

#[derive(Debug)]
pub(super) enum Slot {
    /// In this run, before the field's end; `separated`: the field has its character of that kind.
    Run { at: usize, run: Index, separated: bool },
    /// Before the end tag of a simple field.
    Simple { at: usize, prefix: String },
    /// A simple field that is an empty element.
    EmptySimple { tag: Range<usize>, prefix: String },
}

/// A bookmark (§17.13.6).
#[derive(Debug)]
pub(super) struct Bookmark {
    pub name: String,
    /// From its start to its end.
    pub bytes: Range<usize>,
    /// Paragraph and cell.
    pub start: (Index, Index),
    /// The cell after its last; `None` if it never ends.
    pub end: Option<(Index, Index)>,
}

#[derive(Debug)]
pub(super) struct NoteReference {
    pub endnote: bool,
    pub id: String,
    pub at: usize,
}

#[derive(Debug)]
pub(super) struct Elsewhere {
    pub what: &'static str,
    pub paragraph: Option<usize>,
    pub text: String,
}

impl Story {
    /// Reads a part. `malformed_xml`, the limits on XML and those of [`Meter::outcome`] are its errors.
    pub(super) fn read(part: &str, source: &str, meter: &Meter, keep: Keep) -> Result<Self> {
        Scanner::new(part, source, meter, keep).run()
    }

    /// Whether there is a `w:t` that begins among these bytes, be it empty.
    pub(super) fn has_text(&self, bytes: &Range<usize>) -> bool {
        let next = self.texts.partition_point(|text| text.open.start < bytes.start);
        self.texts.get(next).is_some_and(|text| text.open.start < bytes.end)
    }

    /// The merge fields that have an end and a name that can be a field's, with that name.
    pub(super) fn named_merges(&self) -> impl Iterator<Item = (Index, &Merge, String)> {
        let ended = self.merges.iter().enumerate().filter(|(_, merge)| merge.ended);
        ended.map(|(at, merge)| (at, merge, super::normalize(&merge.name))).filter(|(_, _, name)| super::is_valid(name))
    }

    /// A control and those around it, from the inside out.
    pub(super) fn control_chain(&self, innermost: Option<Index>) -> impl Iterator<Item = Index> {
        std::iter::successors(innermost, |&at| self.controls.get(at)?.parent.filter(|&parent| parent < at))
    }

    /// Could this control be a field: plain text, with a tag and a place for a value, not deleted?
    pub(super) fn is_field(&self, control: Index) -> bool {
        self.controls.get(control).is_some_and(|control| {
            control.is_plain_text
                && control.content.start > control.range.start
                && (control.has_text || control.paragraph.is_some() || control.first_paragraph.is_some())
                && !control.deleted
                && control.tag.as_ref().is_some_and(|tag| !super::normalize(tag).is_empty())
        })
    }
}

/// The part's text with CDATA sections written as plain text: no Word document needs them, and a character in one has
/// no bytes of its own to replace.
pub(super) fn without_cdata(text: &str) -> Cow<'_, str> {
    if !text.contains("<![CDATA[") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut reader = Reader::from_str(text);
    loop {
        let start = reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::CData(section)) => plain.push_str(&partial_escape(section.replace('\r', ""))),
            Ok(Event::Eof) | Err(_) => {
                plain.push_str(text.get(start..).unwrap_or_default());
                return Cow::Owned(plain);
            }
            Ok(_) => plain.push_str(text.get(start..reader.buffer_position() as usize).unwrap_or_default()),
        }
    }
}
