//! The data that the fields of a document show, seen from the position of one field.

use std::sync::Arc;

use jiff::civil::DateTime;
use waraq_docx::tree::{
    CellSelection, ComputedField, Content, FieldContext, FieldNumber, LengthUnit, NoteKind, PageNumber, StyleReference,
};
use waraq_rules::format::Locale;

use super::dates;
use super::field_index::{CellPosition, FieldPosition, Item};
use super::field_results::FieldResults;
use super::walk;
use crate::text::FieldText;

/// Maximum length in bytes of the text of a bookmark or table cell. Fields do not repeat a longer text, because such a
/// text is not a name or heading.
const MAX_BOOKMARK_BYTES: usize = 50_000;
/// Maximum number of bookmarks and cells whose texts are computed inside each other.
const MAX_NESTED_TEXTS: usize = 16;

/// The context of one field.
pub(super) struct FieldScope<'r, 'a> {
    pub results: &'r FieldResults<'a>,
    pub position: FieldPosition,
    pub language: Option<&'r str>,
    /// True if the field has no page, because its result is stored in the document.
    pub without_page: bool,
}

/// Identifies a text that is being computed. The identifier is used to detect a text that contains itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OpenText {
    Bookmark(String),
    Cell(CellPosition),
    /// The text of a style, for a STYLEREF field.
    Style,
}

impl FieldScope<'_, '_> {
    /// Runs `compute` for a text that may contain fields. Returns `None` if this text is already being computed, or if
    /// too many texts are being computed inside each other.
    fn compute<T>(&self, open: OpenText, compute: impl FnOnce() -> Option<T>) -> Option<T> {
        let state = &self.results.open_texts;
        if state.borrow().len() >= MAX_NESTED_TEXTS || state.borrow().contains(&open) {
            return None;
        }
        state.borrow_mut().push(open);
        let computed = compute();
        state.borrow_mut().pop();
        computed
    }

    /// Returns the visible text of the items, with a space between paragraphs. Returns `None` if the text is too long.
    fn text_of(&self, items: &[Item<'_>]) -> Option<String> {
        let mut text = String::new();
        for item in items {
            match item {
                Item::ParagraphEnd if text.is_empty() => {}
                Item::ParagraphEnd => text.push(' '),
                // Hidden text of a bookmark is not shown in the field either.
                Item::Hidden(_) => {}
                Item::Inline(content @ Content::Field { field, .. }) => {
                    let computed = self.results.text_at(field, self.language, self.without_page);
                    text.push_str(computed.as_deref().unwrap_or_else(|| walk::inline_text(content)));
                }
                Item::Inline(Content::NoteReference { kind, id, custom: false }) => {
                    text.push_str(&self.results.note_mark_text(*kind, *id));
                }
                Item::Inline(content) => text.push_str(walk::inline_text(content)),
            }
            if text.len() > MAX_BOOKMARK_BYTES {
                return None;
            }
        }
        self.spend(1 + items.len());
        text.truncate(text.trim_end().len());
        Some(text)
    }

    fn cell_number(&self, cell: CellPosition) -> Option<FieldNumber> {
        if let Some(known) = self.results.computed.borrow().cell_numbers.get(&cell) {
            return *known;
        }
        let text = self.compute(OpenText::Cell(cell), || self.text_of(self.results.index.cell_items(cell)));
        let number = text.and_then(|text| FieldNumber::from_text(&text, self.locale()));
        self.results.computed.borrow_mut().cell_numbers.insert(cell, number);
        number
    }
}

impl FieldContext for FieldScope<'_, '_> {
    fn spend(&self, work: usize) -> bool {
        self.results.document.meter.spend(work)
    }

    fn locale(&self) -> Locale<'_> {
        let tag = self.language.or(self.results.document.language.as_deref()).unwrap_or("en");
        Locale { tag, country: self.results.options.country.as_deref() }
    }

    fn page(&self) -> Option<PageNumber> {
        let page = self.results.page.get();
        (!self.without_page).then(|| PageNumber::new(page.number, page.format, Some(self.locale().tag)))
    }

    fn page_count(&self) -> Option<usize> {
        self.results.shown_values.borrow_mut().page_count = true;
        self.results.pagination.borrow().page_count
    }

    fn section_page_count(&self) -> Option<usize> {
        self.results.shown_values.borrow_mut().section_page_counts = true;
        let count = self.results.pagination.borrow().section_page_counts.get(self.results.page.get().section).copied();
        count.filter(|_| !self.without_page)
    }

    fn section_number(&self) -> Option<usize> {
        (!self.without_page).then(|| self.results.page.get().section + 1)
    }

    fn bookmark_page(&self, bookmark: &str) -> Option<PageNumber> {
        let name: Arc<str> = Arc::from(bookmark);
        let page = self.results.pagination.borrow().bookmark_pages.get(&name).cloned();
        self.results.shown_values.borrow_mut().bookmark_pages.insert(name);
        page
    }

    fn bookmark_text(&self, bookmark: &str) -> Option<Arc<str>> {
        let index = &self.results.index;
        let assignment = index.assignment(bookmark, self.position.item);
        let key = (bookmark.to_lowercase(), assignment.map(|field| field.origin.id));
        if let Some(known) = self.results.computed.borrow().bookmark_texts.get(&key) {
            return known.clone();
        }
        let text = self.compute(OpenText::Bookmark(key.0.clone()), || match assignment {
            Some(field) => {
                let position = index.position(field.origin.id);
                let language = self.language;
                field.assigned_text(&FieldScope { results: self.results, position, language, without_page: true })
            }
            None => self.text_of(index.bookmark_items(bookmark)?),
        });
        let text: Option<Arc<str>> = text.map(Arc::from);
        self.results.computed.borrow_mut().bookmark_texts.insert(key, text.clone());
        text
    }

    fn paragraph_number(&self, field: &ComputedField) -> Option<String> {
        self.results.reference_numbers.get(&field.origin()?.id).cloned()
    }

    fn note_mark(&self, bookmark: &str) -> Option<String> {
        let (kind, id): (NoteKind, i64) = self.results.index.note_in_bookmark(bookmark)?;
        Some(self.results.note_mark_text(kind, id))
    }

    fn style_text(&self, reference: &StyleReference) -> Option<String> {
        let text = || Some(self.results.style_text(reference, self.locale()));
        if self.without_page { None } else { self.compute(OpenText::Style, text) }
    }

    fn cell_numbers(&self, table: Option<&str>, cells: CellSelection) -> Option<Vec<Option<FieldNumber>>> {
        let positions = self.results.index.cells(table, cells, self.position.cell)?;
        self.spend(positions.len());
        let is_relative = !matches!(cells, CellSelection::Rectangle { .. });
        let numbers = positions.into_iter().map(|cell| self.cell_number(cell));
        // Word stops at the first cell without a number when it reads ABOVE, BELOW, LEFT or RIGHT.
        Some(if is_relative { numbers.take_while(Option::is_some).collect() } else { numbers.collect() })
    }

    fn now(&self) -> Option<DateTime> {
        Some(dates::local_now(self.results.options))
    }

    fn local_time(&self, utc: DateTime) -> DateTime {
        dates::local_time(self.results.options, utc)
    }

    fn text_length(&self, unit: LengthUnit) -> Option<usize> {
        Some(self.results.index.text_length(unit))
    }

    fn file_name(&self) -> Option<&str> {
        self.results.options.file_name.as_deref()
    }
}
