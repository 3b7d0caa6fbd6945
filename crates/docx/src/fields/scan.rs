//! The scan of one part with text (body, header, footer, notes) for filling. It records the byte range of every
//! character, and the ranges of runs, content controls and merge fields.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::partial_escape;
use quick_xml::events::Event;

use super::attributes::TextSlot;
use super::containers::{Container, Containers};
use super::control_kind::ControlKind;
use super::external::ExternalContent;
use super::field_codes::ScannedCode;
use super::form_fields::FormField;
use super::merge::MergeContent;
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
        const SIGNS: [char; 10] = ['{', '}', '\\', '%', '$', '[', ']', '«', '»', '+'];
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
    pub containers: Containers,
    pub runs: Vec<ScannedRun>,
    pub texts: Vec<TextElement>,
    pub controls: Vec<ContentControl>,
    pub merge_fields: Vec<MergeField>,
    /// The field codes that contain fields of the template, in the order in which they end.
    pub codes: Vec<ScannedCode>,
    /// The fields of Word that may be reported when the template is checked.
    pub word_fields: Vec<WordField>,
    /// The bookmarks that SET and ASK fields define, in lower case.
    pub defined_bookmarks: Vec<String>,
    /// The fields that refer to bookmarks, in the order in which they end.
    pub references: Vec<BookmarkReference>,
    /// The byte ranges of the complex fields, in the order in which they end.
    pub complex_fields: Vec<Range<usize>>,
    /// The legacy form fields, in the order in which they end. A form field in a field code, in a deletion or across
    /// paragraphs is not recorded.
    pub form_fields: Vec<FormField>,
    /// The bookmarks, in the order in which they start.
    pub bookmarks: Vec<Bookmark>,
    /// The references to notes.
    pub note_references: Vec<NoteReference>,
    /// The ids and byte ranges of the notes. Empty unless the part contains footnotes or endnotes.
    pub notes: Vec<(String, Range<usize>)>,
    /// The relationship ids of headers and footers, in the order of the sections.
    pub header_footer_ids: Vec<String>,
    /// The texts outside paragraphs that may contain fields, in the order of their bytes.
    pub slots: Vec<TextSlot>,
    /// The drawings that are not deleted, in the order in which they begin. Drawings in text boxes are included.
    pub drawings: Vec<ScannedDrawing>,
    /// The largest number of a drawing (`id` of wp:docPr).
    pub last_drawing_id: u32,
    /// Text whose fields cannot be filled.
    pub unfillable_texts: Vec<UnfillableText>,
    /// The external content that field codes refer to, each with the number (from 1) of the paragraph that contains the
    /// field. `None`: the field is not in a paragraph.
    pub external: Vec<(Option<usize>, ExternalContent)>,
    /// The memory of the scan result. It counts against the budget until the scan result is dropped.
    pub held: CountedMemory,
}

#[derive(Debug, Default)]
pub(super) struct ScannedParagraph {
    pub cells: Vec<TextCell>,
    /// The paragraph is inside `mc:Fallback`. It repeats the text of the `mc:Choice`, for programs that cannot read the
    /// `mc:Choice`.
    pub fallback: bool,
    pub bidi: bool,
    /// The paragraph contains nothing visible but white space.
    pub is_blank: bool,
    /// The byte range of the `w:pPr`. `None`: the paragraph has no `w:pPr`.
    pub properties: Option<Range<usize>>,
    /// The paragraph contains a formula.
    pub has_formula: bool,
    /// The paragraph is an item of a list (w:numPr).
    pub is_list_item: bool,
    /// The paragraph ends a section of pages (w:sectPr).
    pub has_section_break: bool,
    /// The container of the paragraph.
    pub container: Container,
    /// The byte offset where the parent element of the paragraph starts.
    pub parent: usize,
    /// A merge field or a content control begins in the paragraph.
    pub has_field: bool,
    /// The byte range of the paragraph.
    pub range: Range<usize>,
    /// The paragraph contains something besides characters and merge fields, such as a bookmark or a section break. The
    /// value is also `true` if a field begins or ends in another paragraph. The paragraph is then never deleted as a
    /// blank line.
    pub has_other_content: bool,
    /// The sibling before the paragraph. `None`: the paragraph is the first block of its parent element.
    pub before: Option<Neighbor>,
    /// The sibling after the paragraph. `None`: the paragraph is the last block of its parent element.
    pub after: Option<Neighbor>,
}

/// A sibling of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Neighbor {
    /// The paragraph with this index.
    Paragraph(Index),
    /// A table or another block.
    Other,
}

/// A visible character.
#[derive(Debug, Clone)]
pub(super) struct TextCell {
    pub character: char,
    /// The byte range of the character in the part. If the character is written as a reference (`&amp;`) or an element
    /// (`<w:tab/>`), the range covers the complete reference or element. It is empty for pictures and other characters
    /// that must not be replaced.
    pub span: Range<usize>,
    /// The `w:t` that contains the character. `None`: the character is an element such as `<w:tab/>`.
    pub text: Option<Index>,
    pub run: Index,
    /// The character or its `w:t` is a direct child of the run. The run can therefore be closed before it and reopened
    /// after it.
    pub is_run_child: bool,
    /// The innermost content control that contains the character. `None`: no content control contains it.
    pub control: Option<Index>,
    /// The merge field whose result contains the character. `None`: the character is in no merge field.
    pub merge_field: Option<Index>,
}

impl TextCell {
    /// Creates a character that is outside the paragraphs of a part, for example in an attribute.
    pub(super) fn outside_paragraphs(character: char, span: Range<usize>) -> Self {
        Self { character, span, text: None, run: 0, is_run_child: false, control: None, merge_field: None }
    }
}

/// The placeholder for a picture, a note mark or a symbol. It cannot occur in a name.
pub(super) const OBJECT_PLACEHOLDER: char = '\u{fffc}';

#[derive(Debug)]
pub(super) struct ScannedRun {
    /// The namespace prefix of the run with its colon (`w:`), or an empty text.
    pub prefix: String,
    /// The byte range of the start tag.
    pub start_tag: Range<usize>,
    /// The byte range of the `w:rPr`. `None`: the run has no `w:rPr`.
    pub properties: Option<Range<usize>>,
    /// The innermost element between the paragraph and the run. `None`: the run is a child of its paragraph.
    pub parent: Option<Index>,
    /// The run is inside another run of the same paragraph, as in a phonetic guide.
    pub is_nested: bool,
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
    /// The title that Word shows above the control (w:alias).
    pub alias: Option<String>,
    pub kind: ControlKind,
    /// The control contains more than text: a table, a row, a picture, a formula, a field, a link, a note or another
    /// control.
    pub has_objects: bool,
    /// The control contains a table cell.
    pub has_cell: bool,
    /// The byte ranges of the paragraphs in the control. Paragraphs in an inner control or a text box are not included.
    pub paragraphs: Vec<Range<usize>>,
    pub showing_placeholder: bool,
    /// The byte ranges of `w:dataBinding`, `w15:dataBinding` and `w:showingPlcHdr`. These elements are deleted when the
    /// text of the control changes.
    pub bindings: Vec<Range<usize>>,
    /// The byte range of the `w:rPr` in the properties of the control. `None`: the properties contain no `w:rPr`.
    pub properties: Option<Range<usize>>,
    pub prefix: String,
    /// The paragraph that contains the control. `None` for a control around paragraphs, cells or rows.
    pub paragraph: Option<Index>,
    /// The index of the first paragraph inside the control, and the byte range where a value is inserted if the control
    /// has no text. The range is empty and lies at the end of the content of the paragraph. If the paragraph is an
    /// empty element (`<w:p/>`), the range covers that element. `None` if the control is inside a paragraph or contains
    /// no paragraph.
    pub first_paragraph: Option<(Index, Range<usize>)>,
    /// The control contains characters that a value can replace.
    pub has_text: bool,
    /// The control is in a deletion.
    pub deleted: bool,
    pub fallback: bool,
}

/// A simple or complex field that a value replaces: MERGEFIELD (§17.16.5.35), ADDRESSBLOCK, FILLIN and similar fields.
#[derive(Debug)]
pub(super) struct MergeField {
    /// The content that replaces the field.
    pub content: MergeContent,
    /// The field is in the code of another field ([`PartScan::codes`]).
    pub in_code: bool,
    pub start: usize,
    /// The field has an end. A merge field without an end counts as ordinary text.
    pub ended: bool,
    /// The byte ranges to delete when the field is filled. For a complex field, they contain the field characters and
    /// the instruction. For a simple field, they contain its tags.
    pub deleted_ranges: Vec<Range<usize>>,
    /// The run of the `begin` character. `None` for simple fields.
    pub run: Option<Index>,
    /// The `begin` character is a direct child of the run. The run can therefore be closed and reopened there.
    pub is_run_child: bool,
    pub prefix: String,
    pub paragraph: Option<Index>,
    pub fallback: bool,
}

/// A field of Word that may be reported when the template is checked. Either its result is not computed, or it may show
/// the data of another record.
#[derive(Debug)]
pub(super) struct WordField {
    /// The name in upper case.
    pub name: String,
    /// The index of the paragraph in which the field begins. `None`: the field is not in a paragraph.
    pub paragraph: Option<Index>,
    /// The field is locked: its result is never updated (w:fldLock).
    pub locked: bool,
    pub fallback: bool,
}

/// A field with a computed result, such as REF, PAGEREF or IF. It begins and ends in one paragraph. A field inside a
/// field code, a deletion or the result of another `BookmarkReference` is not recorded.
#[derive(Debug)]
pub(super) struct BookmarkReference {
    pub target: ReferenceTarget,
    /// The byte range from the start of the field to the end of its result.
    pub bytes: Range<usize>,
    pub paragraph: Index,
    /// The index range of the result in the cells of the paragraph.
    pub cells: Range<Index>,
    /// The place where the new result is inserted if the field has no result yet.
    pub insert_position: InsertPosition,
}

/// The target of a [`BookmarkReference`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReferenceTarget {
    /// The page of a bookmark (PAGEREF, §17.16.5.45).
    Page(String),
    /// The text of a bookmark (REF, §17.16.5.51).
    Text(String),
    /// A result that only the layout can compute, such as that of IF or of a formula.
    Computed,
}

/// The place where the result of a field without a result is inserted.
#[derive(Debug)]
pub(super) enum InsertPosition {
    /// The place in a complex field: the byte offset `at` in the run with the index `run`, directly before the `end`
    /// character. `separated` is `true` if the field has a `separate` character.
    Run { at: usize, run: Index, separated: bool },
    /// The place in a simple field: the byte offset `at`, directly before the end tag. `prefix` is the namespace prefix
    /// with its colon.
    Simple { at: usize, prefix: String },
    /// The field is a simple field without content. `tag` is the byte range of the empty element, which is replaced by
    /// an element with the result.
    EmptySimple { tag: Range<usize>, prefix: String },
}

/// A bookmark (§17.13.6).
#[derive(Debug)]
pub(super) struct Bookmark {
    pub name: String,
    /// The byte range from the start to the end of the bookmark.
    pub bytes: Range<usize>,
    /// The index of the paragraph where the bookmark starts, and the index of the first cell (character) of the
    /// bookmark in that paragraph.
    pub start: (Index, Index),
    /// The index of the paragraph where the bookmark ends, and the index of the first cell (character) after the
    /// bookmark in that paragraph. `None`: the bookmark has no end.
    pub end: Option<(Index, Index)>,
}

#[derive(Debug)]
pub(super) struct NoteReference {
    pub endnote: bool,
    pub id: String,
    pub at: usize,
}

/// A `w:drawing` or `w:pict`.
#[derive(Debug)]
pub(super) struct ScannedDrawing {
    /// The byte range of the element.
    pub range: Range<usize>,
    /// The innermost content control that contains the drawing.
    pub control: Option<Index>,
}

/// Text whose fields cannot be filled, such as deleted text, a formula or a field code.
#[derive(Debug)]
pub(super) struct UnfillableText {
    /// The kind of text, for the message of the diagnostic.
    pub description: &'static str,
    /// The number (from 1) of the paragraph that contains the text. `None`: the text is not in a paragraph.
    pub paragraph: Option<usize>,
    pub text: String,
}

impl PartScan {
    /// Scans a part.
    ///
    /// # Errors
    /// Returns `malformed_xml`, an error if the XML exceeds a limit, or an error of [`Meter::outcome`].
    pub(super) fn scan(part: &str, source: &str, meter: &Meter, keep: KeptCells) -> Result<Self> {
        Scanner::new(part, source, meter, keep).scan()
    }

    /// Returns `true` if a `w:t` begins in this byte range, even an empty one.
    pub(super) fn has_text(&self, bytes: &Range<usize>) -> bool {
        let next = self.texts.partition_point(|text| text.start_tag.start < bytes.start);
        self.texts.get(next).is_some_and(|text| text.start_tag.start < bytes.end)
    }

    /// Returns the merge fields that have an end, except those in field codes.
    pub(super) fn filled_merge_fields(&self) -> impl Iterator<Item = (Index, &MergeField)> {
        self.merge_fields.iter().enumerate().filter(|(_, merge)| merge.ended && !merge.in_code)
    }

    /// Returns the names of the template fields in merge fields, each with its merge field. Merge fields without an end
    /// are skipped. Merge fields in field codes are included.
    pub(super) fn merge_field_names(&self) -> impl Iterator<Item = (&MergeField, String)> {
        let ended = self.merge_fields.iter().filter(|merge| merge.ended);
        ended.flat_map(|merge| merge.content.names().into_iter().map(move |name| (merge, name)))
    }

    /// Returns the control `innermost` and the controls around it, innermost first. Returns nothing for `None`.
    pub(super) fn control_chain(&self, innermost: Option<Index>) -> impl Iterator<Item = Index> {
        std::iter::successors(innermost, |&at| self.controls.get(at)?.parent.filter(|&parent| parent < at))
    }

    /// Returns `true` if the control can be a field. It has a tag and a kind that a value can fill, is not deleted, and
    /// has content or a paragraph for the value. Rich text must contain only text.
    pub(super) fn is_field(&self, control: Index) -> bool {
        self.controls.get(control).is_some_and(|control| {
            control.can_be_filled()
                && control.content.start > control.range.start
                && (control.has_text || control.paragraph.is_some() || control.first_paragraph.is_some())
                && !control.deleted
                && !control.name().is_empty()
        })
    }
}

/// Tags that other programs give to rich text for their own use: Google Docs (suggestions and comments) and Mendeley
/// (citations).
const GENERATED_TAGS: [&str; 2] = ["goog_rdk_", "MENDELEY_"];

impl ContentControl {
    /// Returns the tag as a normalized field name. The name is empty if the control has no tag, or a tag that another
    /// program has generated.
    pub(super) fn name(&self) -> String {
        let tag = self.tag.as_deref().filter(|tag| !GENERATED_TAGS.iter().any(|known| tag.starts_with(known)));
        super::normalize(tag.unwrap_or_default())
    }

    /// Returns `true` if a value can replace the content of the control.
    pub(super) fn can_be_filled(&self) -> bool {
        match self.kind {
            ControlKind::RichText => !self.has_objects,
            ControlKind::NotFillable(_) => false,
            _ => true,
        }
    }

    /// Returns the number (from 1) of the paragraph that contains the control, or of the first paragraph inside it.
    pub(super) fn paragraph_number(&self) -> Option<usize> {
        self.paragraph.or(self.first_paragraph.as_ref().map(|(at, _)| *at)).map(|at| at + 1)
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
