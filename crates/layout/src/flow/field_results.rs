//! Results of fields (ECMA-376 part 1, §17.16.5) and marks of notes (§17.11.17).

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use waraq_docx::tree::{
    ComputedField, Content, Document, FieldNumber, Inline, NodeId, NoteKind, NumberFormat, NumberRestart, PageNumber,
    StyleReference,
};
use waraq_rules::format::Locale;

use super::field_index::{CellPosition, FieldIndex};
use super::field_scope::{FieldScope, OpenText};
use super::paragraph_numbers::{LevelNumber, ListPosition, above_or_below, advance_list, number_in_context};
use super::style_references::{StyleReferences, StyledTextKey};
use super::walk;
use crate::LayoutOptions;
use crate::text::FieldText;

/// Page counts, and the pages of bookmarks and notes, as the last layout pass computed them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Pagination {
    /// Number of pages of the document. `None` before the first pass if the document does not store the number.
    pub page_count: Option<usize>,
    /// Number of pages of each section.
    pub section_page_counts: Vec<usize>,
    /// The page number of each bookmark as it is printed, by the name of the bookmark.
    pub bookmark_pages: HashMap<Arc<str>, PageNumber>,
    /// The index of the page with the mark of each footnote, by the footnote's id.
    pub note_pages: HashMap<i64, usize>,
    /// The index of the page on which each text begins. Only texts that a STYLEREF field may show are listed.
    pub styled_text_pages: HashMap<StyledTextKey, usize>,
}

/// Records which page numbers fields have shown in this layout pass. If one of them turns out to be wrong, another pass is
/// needed.
#[derive(Debug, Clone, Default)]
pub(super) struct ShownValues {
    pub page_count: bool,
    pub section_page_counts: bool,
    pub bookmark_pages: HashSet<Arc<str>>,
}

/// The number of a page, its number format, and the index of its section.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PageNumbering {
    /// Index of the page in the document, from 0.
    pub index: usize,
    pub number: u32,
    pub format: NumberFormat,
    pub section: usize,
}

/// Computes the results of all fields and the marks of all notes. Some results depend on the page that is being laid out.
pub(super) struct FieldResults<'a> {
    pub document: &'a Document,
    pub options: &'a LayoutOptions,
    /// The places to which fields refer.
    pub index: FieldIndex<'a>,
    /// The page that is being laid out.
    pub page: Cell<PageNumbering>,
    /// The mark of the note whose content is being laid out.
    current_note_mark: RefCell<String>,
    pub pagination: RefCell<Pagination>,
    /// The page numbers that fields have shown in this pass. They are checked at the end of the pass.
    pub shown_values: RefCell<ShownValues>,
    /// The texts that were computed in this pass.
    pub computed: RefCell<ComputedTexts>,
    /// The texts that were computed in this pass while shown values were not recorded. They are kept apart: text of the body
    /// that used one of them would not record the values in it.
    computed_without_recording: RefCell<ComputedTexts>,
    /// The texts that are being computed, outermost first. This list is used to detect a text that contains itself.
    pub open_texts: RefCell<Vec<OpenText>>,
    style_references: StyleReferences<'a>,
    /// Text of each reference to a paragraph number, by the id of the field.
    pub reference_numbers: HashMap<NodeId, String>,
    /// The mark of each note, such as its number.
    note_marks: RefCell<HashMap<NoteKey, String>>,
}

/// A cache of the texts to which fields refer. Each text may contain fields.
#[derive(Default)]
pub(super) struct ComputedTexts {
    /// The texts of bookmarks. `None`: the text is not known.
    pub bookmark_texts: HashMap<BookmarkKey, Option<Arc<str>>>,
    /// The numbers of table cells. `None`: the cell has no number.
    pub cell_numbers: HashMap<CellPosition, Option<FieldNumber>>,
}

/// The name of a bookmark in lower case, and the SET field that defines its text, if there is one.
pub(super) type BookmarkKey = (String, Option<NodeId>);

/// A footnote or endnote. Footnotes and endnotes have separate ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct NoteKey {
    /// True for a footnote, false for an endnote.
    is_footnote: bool,
    /// The id of the note.
    id: i64,
}

impl NoteKey {
    fn new(kind: NoteKind, id: i64) -> Self {
        Self { is_footnote: kind == NoteKind::Footnote, id }
    }
}

impl<'a> FieldResults<'a> {
    pub fn new(document: &'a Document, options: &'a LayoutOptions) -> Self {
        let results = Self {
            document,
            options,
            index: FieldIndex::from_document(document),
            page: Cell::default(),
            current_note_mark: RefCell::default(),
            pagination: RefCell::new(saved_pagination(document)),
            shown_values: RefCell::default(),
            computed: RefCell::default(),
            computed_without_recording: RefCell::default(),
            open_texts: RefCell::default(),
            style_references: StyleReferences::from_document(document),
            reference_numbers: reference_numbers(document),
            note_marks: RefCell::default(),
        };
        results.number_notes(&Pagination::default());
        results
    }

    pub fn set_current_page(&self, page: PageNumbering) {
        self.page.set(page);
    }

    /// Sets the note that is being laid out. A note mark inside the note then shows the number of this note.
    pub fn set_current_note(&self, kind: NoteKind, id: i64) {
        self.current_note_mark.replace(self.note_mark_text(kind, id));
    }

    /// Stores the page numbers after a pass has laid out all pages. Headers, footers and the next pass use them. Returns true
    /// if the laid-out text shows outdated values, so that another pass is needed.
    pub fn update_pagination(&self, known: Pagination) -> bool {
        let restarts = self.document.sections.iter().any(|s| s.properties.footnotes.restart == NumberRestart::EachPage)
            || self.document.settings.footnotes.restart == NumberRestart::EachPage;
        let before = self.note_marks.borrow().clone();
        if restarts {
            self.number_notes(&known);
        }
        self.style_references.set_pages(&known.styled_text_pages);
        let notes_changed = before != *self.note_marks.borrow();
        self.computed.take();
        self.computed_without_recording.take();
        let mut old = self.pagination.borrow_mut();
        let asked = self.shown_values.take();
        let stale = (asked.page_count && old.page_count != known.page_count)
            || (asked.section_page_counts && old.section_page_counts != known.section_page_counts)
            || asked.bookmark_pages.iter().any(|name| {
                let now = known.bookmark_pages.get(name);
                now.is_some() && now != old.bookmark_pages.get(name)
            });
        *old = known;
        notes_changed || stale
    }

    /// Returns true if STYLEREF fields may show the text with this key.
    pub fn is_styled_text(&self, key: &StyledTextKey) -> bool {
        self.style_references.contains(key)
    }

    /// Returns the visible text of inlines in a single line. Fields in the text are computed, except STYLEREF fields, which could
    /// refer to each other without end.
    fn text_of_inlines(&self, inlines: &[Inline], language: Option<&str>) -> String {
        let mut text = String::new();
        for inline in inlines.iter().filter(|inline| !inline.run.hidden) {
            let computed = match &inline.content {
                Content::Field { field: ComputedField::StyleReference(_), .. } => None,
                Content::Field { field, .. } => self.field_text(field, language),
                _ => None,
            };
            text.push_str(computed.as_deref().unwrap_or_else(|| walk::inline_text(&inline.content)));
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\u{ad}', "")
    }

    /// Returns the text of a field. Returns `None` if the field must show the result that the document stores. `without_page` is
    /// true if the text will be stored in the document, where the field has no page.
    pub fn text_at(&self, field: &ComputedField, language: Option<&str>, without_page: bool) -> Option<String> {
        let position = field.origin().map(|origin| self.index.position(origin.id)).unwrap_or_default();
        field.text(&FieldScope { results: self, position, language, without_page })
    }

    /// Returns the text that a STYLEREF field shows on the current page.
    pub fn style_text(&self, reference: &StyleReference, locale: Locale<'_>) -> String {
        let text_of = |inlines: &[Inline]| self.text_of_inlines(inlines, Some(locale.tag));
        self.style_references.field_text(reference, self.page.get().index, locale, text_of)
    }

    /// Runs `measure`, but does not record the values that fields show while it runs. Used for content that is laid out again
    /// when all values are known, such as headers.
    pub fn without_recording<T>(&self, measure: impl FnOnce() -> T) -> T {
        let asked = self.shown_values.borrow().clone();
        self.computed.swap(&self.computed_without_recording);
        let measured = measure();
        self.computed.swap(&self.computed_without_recording);
        self.shown_values.replace(asked);
        measured
    }

    /// Assigns numbers to footnotes and endnotes in the order of their marks in the text.
    fn number_notes(&self, known: &Pagination) {
        let mut marks = HashMap::new();
        for kind in [NoteKind::Footnote, NoteKind::Endnote] {
            let mut next = None;
            let mut last_page = None;
            for (index, section) in self.document.sections.iter().enumerate() {
                let (properties, settings) = (&section.properties, &self.document.settings);
                let (own, common, usual) = match kind {
                    NoteKind::Footnote => (&properties.footnotes, &settings.footnotes, NumberFormat::Decimal),
                    NoteKind::Endnote => (&properties.endnotes, &settings.endnotes, NumberFormat::LowerRoman),
                };
                let format = own.format.or(common.format).unwrap_or(usual);
                let start = own.start.or(common.start).unwrap_or(1);
                let restart = if own.restart == NumberRestart::Continuous { common.restart } else { own.restart };
                if restart == NumberRestart::EachSection && index > 0 {
                    next = None;
                }
                walk::visit_note_references(&section.blocks, &mut |found, id, custom| {
                    if found != kind || custom {
                        return;
                    }
                    let page = known.note_pages.get(&id).copied();
                    if restart == NumberRestart::EachPage && page != last_page {
                        next = None;
                    }
                    last_page = page;
                    let number = next.unwrap_or(start);
                    next = Some(number.saturating_add(1));
                    marks.insert(NoteKey::new(kind, id), format.format_number(i64::from(number), None));
                });
            }
        }
        *self.note_marks.borrow_mut() = marks;
    }
}

impl FieldText for FieldResults<'_> {
    fn field_text(&self, field: &ComputedField, language: Option<&str>) -> Option<String> {
        self.text_at(field, language, false)
    }

    fn locates_style(&self, style: &str) -> bool {
        self.style_references.refers_to_character_style(style)
    }

    fn note_mark_text(&self, kind: NoteKind, id: i64) -> String {
        self.note_marks.borrow().get(&NoteKey::new(kind, id)).cloned().unwrap_or_default()
    }

    fn current_note_mark(&self) -> String {
        self.current_note_mark.borrow().clone()
    }
}

/// Returns the page numbers that the document's fields showed when it was saved. The first pass uses them, since they are
/// usually correct.
fn saved_pagination(document: &Document) -> Pagination {
    let mut known = Pagination::default();
    walk::visit_document_paragraphs(document, &mut |paragraph| {
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::Field { field: ComputedField::PageReference { bookmark, .. }, result } => {
                    let label = result.trim().to_owned();
                    let page = PageNumber { number: label.parse().ok(), label };
                    known.bookmark_pages.entry(Arc::clone(bookmark)).or_insert(page);
                }
                Content::Field { field: ComputedField::Pages(_), result } => {
                    known.page_count = known.page_count.or(result.trim().parse().ok());
                }
                _ => {}
            }
        }
    });
    known
}

/// Returns the text of each REF field that shows a paragraph number or a position, by the id of the field (§17.16.5.50:
/// switches `\n`, `\r`, `\w`, `\p`). A field is omitted if its bookmark does not exist, or if it should show a number
/// and the paragraph has none.
fn reference_numbers(document: &Document) -> HashMap<NodeId, String> {
    struct Reference<'a> {
        field: &'a ComputedField,
        from: ListPosition,
    }
    let mut references: Vec<Reference<'_>> = Vec::new();
    let mut bookmarks: HashMap<&Arc<str>, ListPosition> = HashMap::new();
    let mut lists: HashMap<i64, Vec<LevelNumber>> = HashMap::new();
    let mut count = 0;
    walk::visit_document_paragraphs(document, &mut |paragraph| {
        let position = advance_list(paragraph, &mut lists, count);
        count += 1;
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::BookmarkStart(name) => {
                    bookmarks.entry(name).or_insert_with(|| position.clone());
                }
                Content::Field { field, .. } => walk::visit_fields(field, &mut |field| {
                    if matches!(field, ComputedField::ReferenceNumber { .. }) {
                        references.push(Reference { field, from: position.clone() });
                    }
                }),
                _ => {}
            }
        }
    });
    let language = document.language.as_deref();
    let reference_text = |Reference { field, from }| {
        let ComputedField::ReferenceNumber { origin, bookmark, number, with_position: place } = field else {
            return None;
        };
        let to = bookmarks.get(bookmark)?;
        let mut text = match number {
            Some(context) => Some(number_in_context(*context, &from, to)).filter(|text| !text.is_empty())?,
            None => String::new(),
        };
        if *place {
            let gap = if text.is_empty() { "" } else { " " };
            text = format!("{text}{gap}{}", above_or_below(to.paragraph_index <= from.paragraph_index, language));
        }
        Some((origin.id, text))
    };
    references.into_iter().filter_map(reference_text).collect()
}
