//! Results of fields (ECMA-376 part 1, §17.16.5) and marks of notes (§17.11.17).

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use waraq_docx::tree::{
    ComputedField, Content, Document, NodeId, NoteKind, NumberContext, NumberFormat, NumberRestart, Paragraph,
};

use super::dates;
use super::spacing::as_paragraph;
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
    /// The printed number of each bookmark's page.
    pub bookmark_pages: HashMap<Arc<str>, String>,
    /// The index of the page with the mark of each footnote, by the footnote's id.
    pub note_pages: HashMap<i64, usize>,
}

/// Records which page numbers fields have shown in this layout pass. If one of them turns out to be wrong, another pass is
/// needed.
#[derive(Debug, Clone, Default)]
struct ShownValues {
    page_count: bool,
    section_page_counts: bool,
    bookmark_pages: HashSet<Arc<str>>,
}

/// The number of a page, its number format, and the index of its section.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PageNumbering {
    pub number: u32,
    pub format: NumberFormat,
    pub section: usize,
}

/// Computes the results of all fields and the marks of all notes. Some results depend on the page that is being laid out.
pub(super) struct FieldResults<'a> {
    document: &'a Document,
    options: &'a LayoutOptions,
    /// The page that is being laid out.
    page: Cell<PageNumbering>,
    /// The mark of the note whose content is being laid out.
    current_note_mark: RefCell<String>,
    pagination: RefCell<Pagination>,
    /// The values that fields have shown in this pass, but that are certain only after it.
    shown_values: RefCell<ShownValues>,
    /// Text of each bookmark that a field refers to, by name.
    bookmark_texts: HashMap<Arc<str>, String>,
    /// Text of the first paragraph of each style. A style has two entries: under its id and under its name.
    style_texts: HashMap<Arc<str>, String>,
    /// Text of each reference to a paragraph number, by the id of the field.
    reference_numbers: HashMap<NodeId, String>,
    /// The mark of each note.
    note_marks: RefCell<HashMap<NoteKey, String>>,
}

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
            page: Cell::default(),
            current_note_mark: RefCell::default(),
            pagination: RefCell::new(saved_pagination(document)),
            shown_values: RefCell::default(),
            bookmark_texts: bookmark_texts(document),
            style_texts: style_texts(document),
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
        let notes_changed = before != *self.note_marks.borrow();
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

    /// Runs `measure`, but does not record the values that fields show while it runs. Used for content that is laid out again
    /// when all values are known, such as headers.
    pub fn without_recording<T>(&self, measure: impl FnOnce() -> T) -> T {
        let asked = self.shown_values.borrow().clone();
        let measured = measure();
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

fn page_count_as_i64(pages: usize) -> i64 {
    i64::try_from(pages).unwrap_or(i64::MAX)
}

/// Writes a number in the format `field_format` that the field requests, or else in the format `page_format` of the page's
/// number. Number words are in lower case if the field requests them (§17.16.4.3.1, `\* CardText`). If the page's format
/// requests them, they begin with a capital letter.
fn format_number(
    value: i64,
    field_format: Option<NumberFormat>,
    page_format: NumberFormat,
    language: Option<&str>,
) -> String {
    match field_format {
        Some(words @ (NumberFormat::CardinalText | NumberFormat::OrdinalText)) => {
            words.format_number(value, language).to_lowercase()
        }
        asked => asked.unwrap_or(page_format).format_number(value, language),
    }
}

impl FieldText for FieldResults<'_> {
    fn field_text(&self, field: &ComputedField, language: Option<&str>) -> Option<String> {
        let page = self.page.get();
        let language = language.or(self.document.language.as_deref());
        match field {
            ComputedField::Page(format) => Some(format_number(i64::from(page.number), *format, page.format, language)),
            ComputedField::Pages(format) => {
                self.shown_values.borrow_mut().page_count = true;
                let count = |pages| format_number(page_count_as_i64(pages), *format, NumberFormat::Decimal, language);
                self.pagination.borrow().page_count.map(count)
            }
            ComputedField::SectionPages(format) => {
                self.shown_values.borrow_mut().section_page_counts = true;
                let known = self.pagination.borrow();
                let count =
                    |pages: &usize| format_number(page_count_as_i64(*pages), *format, NumberFormat::Decimal, language);
                known.section_page_counts.get(page.section).map(count)
            }
            ComputedField::Section => Some((page.section + 1).to_string()),
            ComputedField::PageReference(bookmark) => {
                self.shown_values.borrow_mut().bookmark_pages.insert(Arc::clone(bookmark));
                self.pagination.borrow().bookmark_pages.get(bookmark).cloned()
            }
            ComputedField::Reference(bookmark) => self.bookmark_texts.get(bookmark).cloned(),
            ComputedField::ReferenceNumber { id, .. } => self.reference_numbers.get(id).cloned(),
            ComputedField::StyleReference(style) => self.style_texts.get(style).cloned(),
            ComputedField::Date(picture) => {
                Some(dates::format_now(self.options, picture.as_deref(), dates::SHORT_DATE, language))
            }
            ComputedField::Time(picture) => {
                Some(dates::format_now(self.options, picture.as_deref(), dates::SHORT_TIME, language))
            }
        }
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
                Content::Field { field: ComputedField::PageReference(bookmark), result } => {
                    known.bookmark_pages.entry(Arc::clone(bookmark)).or_insert_with(|| result.trim().to_owned());
                }
                Content::Field { field: ComputedField::Pages(None), result } => {
                    known.page_count = known.page_count.or(result.trim().parse().ok());
                }
                _ => {}
            }
        }
    });
    known
}

/// Returns the text of each bookmark that a field refers to, by name. A bookmark may span several paragraphs.
fn bookmark_texts(document: &Document) -> HashMap<Arc<str>, String> {
    let mut open: Vec<(Arc<str>, String)> = Vec::new();
    let mut texts = HashMap::new();
    let mut wanted = HashSet::new();
    walk::visit_document_paragraphs(document, &mut |paragraph| {
        for inline in &paragraph.inlines {
            if let Content::Field { field: ComputedField::Reference(bookmark), .. } = &inline.content {
                wanted.insert(Arc::clone(bookmark));
            }
        }
    });
    if wanted.is_empty() {
        return texts;
    }
    walk::visit_document_paragraphs(document, &mut |paragraph: &Paragraph| {
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::BookmarkStart(name) if wanted.contains(name) => open.push((Arc::clone(name), String::new())),
                Content::BookmarkEnd(name) => {
                    if let Some(at) = open.iter().position(|(known, _)| known == name) {
                        let (name, text) = open.swap_remove(at);
                        texts.entry(name).or_insert(text);
                    }
                }
                content => {
                    let text = walk::inline_text(content);
                    open.iter_mut().for_each(|(_, known)| known.push_str(text));
                }
            }
        }
        open.iter_mut().filter(|(_, text)| !text.is_empty()).for_each(|(_, text)| text.push(' '));
    });
    texts.into_iter().map(|(name, text)| (name, text.trim_end().to_owned())).collect()
}

/// Returns the text of the first paragraph of each style, for STYLEREF.
fn style_texts(document: &Document) -> HashMap<Arc<str>, String> {
    let mut texts: HashMap<Arc<str>, String> = HashMap::new();
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    for paragraph in blocks.filter_map(as_paragraph) {
        for name in [&paragraph.properties.style_id, &paragraph.properties.style_name].into_iter().flatten() {
            if !texts.contains_key(name) {
                let text = walk::paragraph_text(paragraph);
                if !text.is_empty() {
                    texts.insert(Arc::clone(name), text);
                }
            }
        }
    }
    texts
}

/// The position of a paragraph: its index in the document, its list, and the numbers of that list from the top level down to
/// the paragraph's level.
#[derive(Debug, Clone, Default)]
struct ListPosition {
    paragraph_index: usize,
    list: Option<i64>,
    numbers: Vec<LevelNumber>,
}

/// The number of a list paragraph, as it is printed before the paragraph.
#[derive(Debug, Clone, Default, PartialEq)]
struct LevelNumber {
    text: String,
    /// The highest list level whose number is included in `text`, where 0 is the top level. In "2.1", this is the level of the
    /// 2. `None` if `text` has only the number of its own level.
    first_level: Option<u8>,
}

/// Returns the text of each reference to a paragraph number, by the id of the field (§17.16.5.50: REF with \\n, \\r, \\w, \\p).
/// References without a target, or to a paragraph without a number, are omitted.
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
                Content::Field { field: field @ ComputedField::ReferenceNumber { .. }, .. } => {
                    references.push(Reference { field, from: position.clone() });
                }
                _ => {}
            }
        }
    });
    let language = document.language.as_deref();
    let reference_text = |Reference { field, from }| {
        let ComputedField::ReferenceNumber { id, bookmark, number, with_position: place } = field else { return None };
        let to = bookmarks.get(bookmark)?;
        let mut text = match number {
            Some(context) => Some(number_in_context(*context, &from, to)).filter(|text| !text.is_empty())?,
            None => String::new(),
        };
        if *place {
            let gap = if text.is_empty() { "" } else { " " };
            text = format!("{text}{gap}{}", above_or_below(to.paragraph_index <= from.paragraph_index, language));
        }
        Some((*id, text))
    };
    references.into_iter().filter_map(reference_text).collect()
}

/// Updates the current numbers of a paragraph's list, and returns the position of the paragraph. `count` is the number of
/// paragraphs before it.
fn advance_list(paragraph: &Paragraph, lists: &mut HashMap<i64, Vec<LevelNumber>>, count: usize) -> ListPosition {
    let mut position = ListPosition { paragraph_index: count, ..ListPosition::default() };
    if let (Some((list, level)), Some(label)) = (paragraph.properties.numbering, &paragraph.label) {
        let numbers = lists.entry(list).or_default();
        numbers.resize(usize::from(level).min(8), LevelNumber::default());
        numbers.push(LevelNumber { text: label.text.trim().to_owned(), first_level: label.first_number_level });
        (position.list, position.numbers) = (Some(list), numbers.clone());
    }
    position
}

/// Returns the number of the paragraph `to`, in the form in which a reference in the paragraph `from` shows it. In relative
/// context, the levels whose numbers both paragraphs share are omitted.
fn number_in_context(context: NumberContext, from: &ListPosition, to: &ListPosition) -> String {
    let shared = match context {
        NumberContext::Relative if from.list == to.list => {
            let alike = from.numbers.iter().zip(&to.numbers).take_while(|(a, b)| a == b).count();
            alike.min(to.numbers.len().saturating_sub(1))
        }
        NumberContext::Own => to.numbers.len().saturating_sub(1),
        NumberContext::Relative | NumberContext::Full => 0,
    };
    let mut text = String::new();
    // Prepend the numbers of higher levels that are missing, starting at the paragraph's own level. A number such as 2.1
    // already includes a higher level (w:lvlText, §17.9.11).
    let mut missing = to.numbers.len();
    while missing > shared {
        missing -= 1;
        let Some(number) = to.numbers.get(missing) else { break };
        text.insert_str(0, &number.text);
        missing = number.first_level.map_or(missing, |first| missing.min(usize::from(first)));
    }
    text.trim_end_matches('.').to_owned()
}

/// Returns the word "above" or "below" in the language of the document, for a reference that shows the position of its target.
fn above_or_below(above: bool, language: Option<&str>) -> &'static str {
    match (language.and_then(|language| language.split('-').next()), above) {
        (Some("fr"), true) => "ci-dessus",
        (Some("fr"), false) => "ci-dessous",
        (Some("ar"), true) => "أعلاه",
        (Some("ar"), false) => "أدناه",
        (_, true) => "above",
        (_, false) => "below",
    }
}
