//! The scan of one part with text (body, header, footer, notes) for filling. It records the byte range of every
//! character, and the ranges of runs, content controls and merge fields.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::partial_escape;
use quick_xml::events::Event;

use super::external::ExternalContent;
use super::scanner::Scanner;
use crate::{CountedMemory, Meter, Result};

/// An index into one of the lists of [`PartScan`].
pub(super) type Index = usize;

/// The paragraphs whose characters (cells) are kept in the scan result. A cell needs much more memory than its
/// character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum KeptCells {
    #[default]
    All,
    /// Paragraphs with a field, or with text that looks like one.
    Fields,
}

impl ScannedParagraph {
    /// Returns `true` if the paragraph contains no field and no sign that may belong to a field, such as `{`.
    pub(super) fn is_plain(&self) -> bool {
        const SIGNS: [char; 9] = ['{', '}', '\\', '%', '$', '[', ']', '«', '»'];
        let plain =
            |cell: &TextCell| cell.control.is_none() && cell.merge_field.is_none() && !SIGNS.contains(&cell.character);
        !self.has_field && self.cells.iter().all(plain)
    }
}

/// The scan result of one part.
#[derive(Debug, Default)]
pub(super) struct PartScan {
    pub part: String,
    pub paragraphs: Vec<ScannedParagraph>,
    pub runs: Vec<ScannedRun>,
    pub texts: Vec<TextElement>,
    pub controls: Vec<ContentControl>,
    pub merge_fields: Vec<MergeField>,
    /// The fields that refer to bookmarks, in the order in which they end.
    pub references: Vec<BookmarkReference>,
    /// The bookmarks, in the order in which they start.
    pub bookmarks: Vec<Bookmark>,
    /// The references to notes.
    pub note_references: Vec<NoteReference>,
    /// The ids and byte ranges of the notes. Empty unless the part contains footnotes or endnotes.
    pub notes: Vec<(String, Range<usize>)>,
    /// The relationship ids of headers and footers, in the order of the sections.
    pub header_footer_ids: Vec<String>,
    /// Text whose fields cannot be filled.
    pub unfillable_texts: Vec<UnfillableText>,
    /// The external content of fields, with the number of the paragraph from 1.
    pub external: Vec<(Option<usize>, ExternalContent)>,
    /// The counted memory of the scan result.
    pub held: CountedMemory,
}

#[derive(Debug, Default)]
pub(super) struct ScannedParagraph {
    pub cells: Vec<TextCell>,
    /// The paragraph is inside `mc:Fallback`: the same text as in the Choice, for programs that cannot read the Choice.
    pub fallback: bool,
    pub bidi: bool,
    /// A merge field or a content control begins in the paragraph.
    pub has_field: bool,
}

/// A visible character.
#[derive(Debug, Clone)]
pub(super) struct TextCell {
    pub character: char,
    /// The byte range in the part: of the character, the reference (`&amp;`) or the element (`<w:tab/>`).
    pub span: Range<usize>,
    /// The `w:t` that contains the character. `None`: the character is an element such as `<w:tab/>`.
    pub text: Option<Index>,
    pub run: Index,
    /// The character or its `w:t` is a direct child of the run. The run can therefore be closed before it and reopened
    /// after it.
    pub is_run_child: bool,
    /// The innermost content control that contains the character.
    pub control: Option<Index>,
    /// The merge field whose result contains the character.
    pub merge_field: Option<Index>,
}

/// The placeholder for a picture, a note mark or a symbol. It cannot occur in a name.
pub(super) const OBJECT_PLACEHOLDER: char = '\u{fffc}';

#[derive(Debug)]
pub(super) struct ScannedRun {
    /// The namespace prefix of the run with its colon (`w:`), or an empty text.
    pub prefix: String,
    /// The byte range of the start tag.
    pub start_tag: Range<usize>,
    /// The byte range of the `w:rPr`.
    pub properties: Option<Range<usize>>,
}

/// A `w:t` element.
#[derive(Debug)]
pub(super) struct TextElement {
    /// The byte range of the start tag.
    pub start_tag: Range<usize>,
    /// The element has `xml:space="preserve"`.
    pub preserve: bool,
}

/// A content control (§17.5.2).
#[derive(Debug, Default)]
pub(super) struct ContentControl {
    pub parent: Option<Index>,
    pub range: Range<usize>,
    /// The byte range of the content, inside `range`.
    pub content: Range<usize>,
    pub tag: Option<String>,
    pub is_plain_text: bool,
    pub showing_placeholder: bool,
    /// The byte ranges of `w:dataBinding` (also that of Word 2013) and `w:showingPlcHdr`.
    pub bindings: Vec<Range<usize>>,
    /// The byte range of the `w:rPr` in its properties.
    pub properties: Option<Range<usize>>,
    pub prefix: String,
    /// The paragraph that contains the control. `None` for a control around paragraphs, cells or rows.
    pub paragraph: Option<Index>,
    /// The first paragraph inside the control. The range is empty and marks the end of the paragraph's content. For an
    /// empty element, it is the range of the element.
    pub first_paragraph: Option<(Index, Range<usize>)>,
    /// The control contains characters that a value can replace.
    pub has_text: bool,
    /// The control is in a deletion.
    pub deleted: bool,
    pub fallback: bool,
}

/// A simple or complex merge field (§17.16.5.35).
#[derive(Debug)]
pub(super) struct MergeField {
    /// The name as written, not normalized.
    pub name: String,
    pub start: usize,
    /// The field has an end. Without an end it is not a field, and the characters after its start are ordinary text.
    pub ended: bool,
    /// The byte ranges to delete when the field is filled: field characters, instruction, or the tags of the simple
    /// field.
    pub deleted_ranges: Vec<Range<usize>>,
    /// The run of the `begin` character. `None` for simple fields.
    pub run: Option<Index>,
    /// The `begin` character is a child of the run.
    pub is_run_child: bool,
    pub prefix: String,
    pub paragraph: Option<Index>,
    pub fallback: bool,
}

/// A PAGEREF or REF field, whose result is computed from a bookmark. It begins and ends in one paragraph. It is not in
/// a field code, in a deletion or in another such field.
#[derive(Debug)]
pub(super) struct BookmarkReference {
    pub target: ReferenceTarget,
    /// The byte range from the start of the field to the end of its result.
    pub bytes: Range<usize>,
    pub paragraph: Index,
    /// The index range of the result in the cells of the paragraph.
    pub cells: Range<Index>,
    /// The place where a result is inserted if the field has none.
    pub insert_position: InsertPosition,
}

/// The target of a [`BookmarkReference`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReferenceTarget {
    /// The page of a bookmark (PAGEREF, §17.16.5.45).
    Page(String),
    /// The text of a bookmark (REF, §17.16.5.51).
    Text(String),
}

/// The place where the result of a field without a result is inserted.
#[derive(Debug)]
pub(super) enum InsertPosition {
    /// The byte `at` in this run, before the end of the field. `separated` is `true` if the field has a `separate`
    /// character.
    Run { at: usize, run: Index, separated: bool },
    /// The byte `at` before the end tag of a simple field.
    Simple { at: usize, prefix: String },
    /// A simple field that is an empty element.
    EmptySimple { tag: Range<usize>, prefix: String },
}

/// A bookmark (§17.13.6).
#[derive(Debug)]
pub(super) struct Bookmark {
    pub name: String,
    /// The byte range from its start to its end.
    pub bytes: Range<usize>,
    /// The indices of the paragraph and of the cell where the bookmark starts.
    pub start: (Index, Index),
    /// The indices of the paragraph and of the first cell after the bookmark. `None`: the bookmark has no end.
    pub end: Option<(Index, Index)>,
}

#[derive(Debug)]
pub(super) struct NoteReference {
    pub endnote: bool,
    pub id: String,
    pub at: usize,
}

/// Text whose fields cannot be filled, such as deleted text, a formula or a field code.
#[derive(Debug)]
pub(super) struct UnfillableText {
    /// The kind of text, for the message of the diagnostic.
    pub description: &'static str,
    /// The number of the paragraph from 1.
    pub paragraph: Option<usize>,
    pub text: String,
}

impl PartScan {
    /// Scans a part.
    ///
    /// # Errors
    /// Returns `malformed_xml`, the errors of the XML limits and those of [`Meter::outcome`].
    pub(super) fn scan(part: &str, source: &str, meter: &Meter, keep: KeptCells) -> Result<Self> {
        Scanner::new(part, source, meter, keep).scan()
    }

    /// Returns `true` if a `w:t` begins in this byte range, even an empty one.
    pub(super) fn has_text(&self, bytes: &Range<usize>) -> bool {
        let next = self.texts.partition_point(|text| text.start_tag.start < bytes.start);
        self.texts.get(next).is_some_and(|text| text.start_tag.start < bytes.end)
    }

    /// Returns the merge fields that have an end and a valid name, with their normalized names.
    pub(super) fn named_merge_fields(&self) -> impl Iterator<Item = (Index, &MergeField, String)> {
        let ended = self.merge_fields.iter().enumerate().filter(|(_, merge)| merge.ended);
        ended.map(|(at, merge)| (at, merge, super::normalize(&merge.name))).filter(|(_, _, name)| super::is_valid(name))
    }

    /// Returns the control `innermost` and the controls around it, innermost first. Returns nothing for `None`.
    pub(super) fn control_chain(&self, innermost: Option<Index>) -> impl Iterator<Item = Index> {
        std::iter::successors(innermost, |&at| self.controls.get(at)?.parent.filter(|&parent| parent < at))
    }

    /// Returns `true` if the control can be a field. It is plain text, has a tag, is not deleted, and has content or a
    /// paragraph for the value.
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

/// Returns the text of a part with CDATA sections converted to escaped text. Characters in a CDATA section cannot be
/// replaced individually.
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
