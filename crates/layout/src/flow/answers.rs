//! Results of fields (ECMA-376 part 1, §17.16.5) and marks of notes (§17.11.17).

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use waraq_docx::tree::{
    Content, Document, Field, NodeId, NoteKind, NumberContext, NumberFormat, NumberRestart, Paragraph,
};

use super::dates;
use super::spacing::as_paragraph;
use super::walk;
use crate::Options;
use crate::text::FieldText;

/// Numbers of pages, and pages of bookmarks and notes, as the last pass computed them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Known {
    /// Number of pages. `None` before the first pass if the document does not store it.
    pub pages: Option<usize>,
    /// Number of pages of each section.
    pub section_pages: Vec<usize>,
    /// The printed number of each bookmark's page.
    pub bookmarks: HashMap<Arc<str>, String>,
    /// The index of the page with the mark of each footnote, by the footnote's id.
    pub note_pages: HashMap<i64, usize>,
}

/// The page numbers that fields have shown in this pass. If one of them turns out to be wrong, another pass is needed.
#[derive(Debug, Clone, Default)]
struct Asked {
    pages: bool,
    section_pages: bool,
    bookmarks: HashSet<Arc<str>>,
}

/// The number of a page, its number format, and the index of its section.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PageState {
    pub number: u32,
    pub format: NumberFormat,
    pub section: usize,
}

/// The results of all fields, which depend on the page that is being laid out, and the marks of all notes.
pub(super) struct Answers<'a> {
    document: &'a Document,
    options: &'a Options,
    /// The page that is being laid out.
    page: Cell<PageState>,
    /// The mark of the note that is being laid out.
    note: RefCell<String>,
    known: RefCell<Known>,
    /// The values that fields have shown in this pass and that depend on the result of the pass.
    asked: RefCell<Asked>,
    /// Text of each bookmark that a field refers to, by name.
    texts: HashMap<Arc<str>, String>,
    /// Text of the first paragraph of each style, by id and name of the style.
    styles: HashMap<Arc<str>, String>,
    /// Text of each reference to a paragraph number, by the id of the field.
    numbers: HashMap<NodeId, String>,
    /// Marks of notes by kind (true for footnotes) and id.
    notes: RefCell<HashMap<(bool, i64), String>>,
}

impl<'a> Answers<'a> {
    pub fn new(document: &'a Document, options: &'a Options) -> Self {
        let answers = Self {
            document,
            options,
            page: Cell::default(),
            note: RefCell::default(),
            known: RefCell::new(as_last_shown(document)),
            asked: RefCell::default(),
            texts: bookmark_texts(document),
            styles: style_texts(document),
            numbers: reference_numbers(document),
            notes: RefCell::default(),
        };
        answers.number_notes(&Known::default());
        answers
    }

    pub fn set_page(&self, page: PageState) {
        self.page.set(page);
    }

    /// Sets the note that is being laid out. A note mark inside the note shows its number.
    pub fn set_note(&self, kind: NoteKind, id: i64) {
        self.note.replace(self.note(kind, id));
    }

    /// Stores the page numbers after all pages are laid out. Headers, footers and the next pass use them. Returns true if the
    /// text shows outdated values, so that another pass is needed.
    pub fn learn(&self, known: Known) -> bool {
        let restarts = self.document.sections.iter().any(|s| s.properties.footnotes.restart == NumberRestart::EachPage)
            || self.document.settings.footnotes.restart == NumberRestart::EachPage;
        let before = self.notes.borrow().clone();
        if restarts {
            self.number_notes(&known);
        }
        let notes_changed = before != *self.notes.borrow();
        let mut old = self.known.borrow_mut();
        let asked = self.asked.take();
        let stale = (asked.pages && old.pages != known.pages)
            || (asked.section_pages && old.section_pages != known.section_pages)
            || asked.bookmarks.iter().any(|name| {
                let now = known.bookmarks.get(name);
                now.is_some() && now != old.bookmarks.get(name)
            });
        *old = known;
        notes_changed || stale
    }

    /// Runs `measure`, but does not record the values that fields show meanwhile. Used for content that is laid out again when
    /// all values are known, such as headers.
    pub fn provisionally<T>(&self, measure: impl FnOnce() -> T) -> T {
        let asked = self.asked.borrow().clone();
        let measured = measure();
        self.asked.replace(asked);
        measured
    }

    /// Numbers footnotes and endnotes in the order of their marks in the text.
    fn number_notes(&self, known: &Known) {
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
                walk::notes(&section.blocks, &mut |found, id, custom| {
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
                    marks.insert((kind == NoteKind::Footnote, id), format.write(i64::from(number), None));
                });
            }
        }
        *self.notes.borrow_mut() = marks;
    }
}

fn counted(pages: usize) -> i64 {
    i64::try_from(pages).unwrap_or(i64::MAX)
}

/// Writes a number in the format `asked` that the field requests, or else in the page's format `own`. Number words are in lower
/// case if the field requests them (§17.16.4.3.1, `\* CardText`), and begin with a capital letter in the page's format.
fn number(value: i64, asked: Option<NumberFormat>, own: NumberFormat, language: Option<&str>) -> String {
    match asked {
        Some(words @ (NumberFormat::CardinalText | NumberFormat::OrdinalText)) => {
            words.write(value, language).to_lowercase()
        }
        asked => asked.unwrap_or(own).write(value, language),
    }
}

impl FieldText for Answers<'_> {
    fn text(&self, field: &Field, language: Option<&str>) -> Option<String> {
        let page = self.page.get();
        let language = language.or(self.document.language.as_deref());
        match field {
            Field::Page(format) => Some(number(i64::from(page.number), *format, page.format, language)),
            Field::Pages(format) => {
                self.asked.borrow_mut().pages = true;
                let count = |pages| number(counted(pages), *format, NumberFormat::Decimal, language);
                self.known.borrow().pages.map(count)
            }
            Field::SectionPages(format) => {
                self.asked.borrow_mut().section_pages = true;
                let known = self.known.borrow();
                let count = |pages: &usize| number(counted(*pages), *format, NumberFormat::Decimal, language);
                known.section_pages.get(page.section).map(count)
            }
            Field::Section => Some((page.section + 1).to_string()),
            Field::PageReference(bookmark) => {
                self.asked.borrow_mut().bookmarks.insert(Arc::clone(bookmark));
                self.known.borrow().bookmarks.get(bookmark).cloned()
            }
            Field::Reference(bookmark) => self.texts.get(bookmark).cloned(),
            Field::ReferenceNumber { id, .. } => self.numbers.get(id).cloned(),
            Field::StyleReference(style) => self.styles.get(style).cloned(),
            Field::Date(picture) => Some(dates::write(self.options, picture.as_deref(), dates::SHORT_DATE, language)),
            Field::Time(picture) => Some(dates::write(self.options, picture.as_deref(), dates::SHORT_TIME, language)),
        }
    }

    fn note(&self, kind: NoteKind, id: i64) -> String {
        self.notes.borrow().get(&(kind == NoteKind::Footnote, id)).cloned().unwrap_or_default()
    }

    fn note_mark(&self) -> String {
        self.note.borrow().clone()
    }
}

/// Returns the page numbers that the document's fields showed when it was saved. The first pass uses them, since they are
/// usually correct.
fn as_last_shown(document: &Document) -> Known {
    let mut known = Known::default();
    walk::paragraphs_of(document, &mut |paragraph| {
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::Field { field: Field::PageReference(bookmark), result } => {
                    known.bookmarks.entry(Arc::clone(bookmark)).or_insert_with(|| result.trim().to_owned());
                }
                Content::Field { field: Field::Pages(None), result } => {
                    known.pages = known.pages.or(result.trim().parse().ok());
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
    walk::paragraphs_of(document, &mut |paragraph| {
        for inline in &paragraph.inlines {
            if let Content::Field { field: Field::Reference(bookmark), .. } = &inline.content {
                wanted.insert(Arc::clone(bookmark));
            }
        }
    });
    if wanted.is_empty() {
        return texts;
    }
    walk::paragraphs_of(document, &mut |paragraph: &Paragraph| {
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
                    let text = walk::text_of(content);
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
                let text = walk::text_of_paragraph(paragraph);
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
struct Position {
    paragraph: usize,
    list: Option<i64>,
    numbers: Vec<Number>,
}

/// The number before a list paragraph.
#[derive(Debug, Clone, Default, PartialEq)]
struct Number {
    text: String,
    /// The first list level whose number is part of `text`, where 0 is the top level. `None` if `text` has the number of its
    /// own level only.
    holds_from: Option<u8>,
}

/// Returns the text of each reference to a paragraph number, by the id of the field (§17.16.5.50: REF with \\n, \\r, \\w, \\p).
/// References without a target, or to a paragraph without a number, are omitted.
fn reference_numbers(document: &Document) -> HashMap<NodeId, String> {
    let mut asked: Vec<(&Field, Position)> = Vec::new();
    let mut bookmarks: HashMap<&Arc<str>, Position> = HashMap::new();
    let mut lists: HashMap<i64, Vec<Number>> = HashMap::new();
    let mut count = 0;
    walk::paragraphs_of(document, &mut |paragraph| {
        let position = position(paragraph, &mut lists, count);
        count += 1;
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::BookmarkStart(name) => {
                    bookmarks.entry(name).or_insert_with(|| position.clone());
                }
                Content::Field { field: field @ Field::ReferenceNumber { .. }, .. } => {
                    asked.push((field, position.clone()));
                }
                _ => {}
            }
        }
    });
    let language = document.language.as_deref();
    let answer = |(field, from): (&Field, Position)| {
        let Field::ReferenceNumber { id, bookmark, number, place } = field else { return None };
        let to = bookmarks.get(bookmark)?;
        let mut text = match number {
            Some(context) => Some(written(*context, &from, to)).filter(|text| !text.is_empty())?,
            None => String::new(),
        };
        if *place {
            let gap = if text.is_empty() { "" } else { " " };
            text = format!("{text}{gap}{}", above_or_below(to.paragraph <= from.paragraph, language));
        }
        Some((*id, text))
    };
    asked.into_iter().filter_map(answer).collect()
}

/// Adds a paragraph to the current numbers of its list and returns its position. `count` is the number of paragraphs before it.
fn position(paragraph: &Paragraph, lists: &mut HashMap<i64, Vec<Number>>, count: usize) -> Position {
    let mut position = Position { paragraph: count, ..Position::default() };
    if let (Some((list, level)), Some(label)) = (paragraph.properties.numbering, &paragraph.label) {
        let numbers = lists.entry(list).or_default();
        numbers.resize(usize::from(level).min(8), Number::default());
        numbers.push(Number { text: label.text.trim().to_owned(), holds_from: label.holds_from });
        (position.list, position.numbers) = (Some(list), numbers.clone());
    }
    position
}

/// Returns the number of the paragraph `to` as the paragraph `from` refers to it. In relative context, levels whose numbers
/// both paragraphs share are omitted.
fn written(context: NumberContext, from: &Position, to: &Position) -> String {
    let shared = match context {
        NumberContext::Relative if from.list == to.list => {
            let alike = from.numbers.iter().zip(&to.numbers).take_while(|(a, b)| a == b).count();
            alike.min(to.numbers.len().saturating_sub(1))
        }
        NumberContext::Own => to.numbers.len().saturating_sub(1),
        NumberContext::Relative | NumberContext::Full => 0,
    };
    let mut text = String::new();
    // Prepend the numbers of the levels, from the paragraph's own level upwards. A number such as 2.1 already includes a higher
    // level (w:lvlText, §17.9.11).
    let mut missing = to.numbers.len();
    while missing > shared {
        missing -= 1;
        let Some(number) = to.numbers.get(missing) else { break };
        text.insert_str(0, &number.text);
        missing = number.holds_from.map_or(missing, |first| missing.min(usize::from(first)));
    }
    text.trim_end_matches('.').to_owned()
}

/// Returns the word for the position of the target of a reference, in the language of the document.
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
