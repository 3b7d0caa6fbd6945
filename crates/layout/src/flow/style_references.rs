//! STYLEREF fields (ECMA-376 part 1, §17.16.5.59). Such a field shows the nearest text that has a style.
//!
//! In a header or footer, a field shows the first text with the style on the page. With the switch `\l`, it shows the
//! last one. If the page has no such text, the field shows the nearest text on the pages before, or else on the pages
//! after. In the body, a field shows the nearest text before the field, or else the nearest text after the field. As in
//! Word, text in text boxes, notes, headers and footers is never shown. A paragraph that continues on the next page
//! belongs to the page on which it begins.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use waraq_docx::tree::{
    Block, ComputedField, Content, Document, Inline, NodeId, NoteKind, NumberContext, Paragraph, StyleReference,
};
use waraq_rules::format::Locale;

use super::field_index::headers_and_footers;
use super::header::PageEdge;
use super::paragraph_numbers::{LevelNumber, ListPosition, above_or_below, advance_list, number_in_context};
use super::spacing::is_hidden;
use super::walk;

/// Maximum depth of nested blocks. Deeper blocks are not searched.
const MAX_DEPTH: u8 = 40;

/// The number that a reference shows for a paragraph without a number, as in Word.
const NO_NUMBER: &str = "0";

/// Identifies a text with a style: a whole paragraph, or a part of a paragraph with a character style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StyledTextKey {
    /// The paragraph.
    pub paragraph: NodeId,
    /// Index of the first inline of the part of the paragraph. `None` for a whole paragraph.
    pub inline: Option<u32>,
}

/// A text whose style a STYLEREF field refers to.
struct StyledText<'a> {
    key: StyledTextKey,
    paragraph: &'a Paragraph,
    /// The inlines of the text within the paragraph.
    inlines: Range<usize>,
    position: ListPosition,
}

/// The names of the paragraph style and of the character style that a field refers to. Fields with equal targets share
/// one list of texts.
type Target = (Option<Arc<str>>, Option<Arc<str>>);

/// The position of a STYLEREF field.
enum FieldPlace {
    /// The field is in a header or footer.
    Header { is_footer: bool },
    /// The field is in a paragraph of the body, or in a note or text box of such a paragraph.
    Body {
        /// Number of styled texts that begin before the paragraph of the field.
        texts_before: usize,
        /// Number of styled texts that begin before the end of the paragraph of the field.
        texts_until_end: usize,
        position: ListPosition,
    },
}

/// The text that a STYLEREF field refers to.
struct Found<'s, 'a> {
    text: &'s StyledText<'a>,
    /// True if the text is above the field: earlier in the document or higher on the page.
    is_above: bool,
}

/// All texts with a style that a STYLEREF field refers to, and the positions of these fields.
#[derive(Default)]
pub(super) struct StyleReferences<'a> {
    /// The texts in document order.
    texts: Vec<StyledText<'a>>,
    keys: HashSet<StyledTextKey>,
    /// The texts that each target finds, as indices in `texts`, in document order.
    by_target: HashMap<Target, Vec<usize>>,
    /// The targets that contain a style. The key is `true` for a character style or `false` for a paragraph style, and
    /// the name of the style.
    targets: HashMap<(bool, Arc<str>), Vec<Target>>,
    /// The character styles that fields refer to.
    character_styles: HashSet<Arc<str>>,
    fields: HashMap<NodeId, FieldPlace>,
    /// The texts of each target in the order of their pages, after the first layout pass.
    pages: RefCell<HashMap<Target, Vec<TextOnPage>>>,
}

/// A text with the page on which the text begins.
#[derive(Clone, Copy)]
struct TextOnPage {
    /// Index of the page.
    page: usize,
    /// Index of the text among all styled texts.
    text: usize,
}

impl<'a> StyleReferences<'a> {
    pub fn from_document(document: &'a Document) -> Self {
        let mut references = Self::default();
        references.find_fields_in_headers(document);
        for section in &document.sections {
            walk::visit_paragraphs(&section.blocks, 0, &mut |paragraph| references.add_targets(paragraph));
        }
        for note in document.footnotes.values().chain(document.endnotes.values()) {
            walk::visit_paragraphs(&note.blocks, 0, &mut |paragraph| references.add_targets(paragraph));
        }
        if references.targets.is_empty() {
            return references;
        }
        let mut search = Search { document, lists: HashMap::new(), paragraphs: 0, notes: HashSet::new() };
        for section in &document.sections {
            search.search_blocks(&mut references, &section.blocks, 0);
        }
        document.meter.spend(search.paragraphs);
        document.meter.allocate(references.texts.len().saturating_mul(2 * size_of::<StyledText<'_>>()));
        references
    }

    /// Returns true if fields refer to this character style.
    pub fn refers_to_character_style(&self, name: &str) -> bool {
        self.character_styles.contains(name)
    }

    /// Returns true if fields may show the text with this key.
    pub fn contains(&self, key: &StyledTextKey) -> bool {
        self.keys.contains(key)
    }

    /// Stores the index of the page of each styled text, as the last layout pass computed it.
    pub fn set_pages(&self, pages: &HashMap<StyledTextKey, usize>) {
        let on_page =
            |index: &usize| Some(TextOnPage { page: *pages.get(&self.texts.get(*index)?.key)?, text: *index });
        let sorted = |indices: &Vec<usize>| {
            let mut texts: Vec<TextOnPage> = indices.iter().filter_map(on_page).collect();
            texts.sort_by_key(|text| text.page);
            texts
        };
        let by_target = self.by_target.iter().map(|(target, indices)| (target.clone(), sorted(indices)));
        self.pages.replace(by_target.collect());
    }

    /// Returns the text that a field shows on the page with this index. `text_of` returns the text of inlines. The result is
    /// empty if no text has the style.
    pub fn field_text(
        &self,
        reference: &StyleReference,
        page: usize,
        locale: Locale<'_>,
        text_of: impl Fn(&[Inline]) -> String,
    ) -> String {
        let place = self.fields.get(&reference.id);
        let Some(Found { text, is_above }) = self.find(reference, place, page) else { return String::new() };
        let from = match place {
            Some(FieldPlace::Body { position, .. }) => position.clone(),
            _ => ListPosition::default(),
        };
        let mut shown = match reference.number {
            Some(context) => paragraph_number(context, &from, &text.position, reference.digits_only),
            None if reference.with_position => String::new(),
            None => text_of(text.paragraph.inlines.get(text.inlines.clone()).unwrap_or_default()),
        };
        if reference.with_position {
            let gap = if shown.is_empty() { "" } else { " " };
            shown = format!("{shown}{gap}{}", above_or_below(is_above, Some(locale.tag)));
        }
        reference.format.format_text(&shown, locale)
    }

    fn find(&self, reference: &StyleReference, place: Option<&FieldPlace>, page: usize) -> Option<Found<'_, 'a>> {
        let target = (reference.paragraph_style.clone(), reference.character_style.clone());
        let found = |index: usize, is_above| Some(Found { text: self.texts.get(index)?, is_above });
        match place {
            Some(FieldPlace::Body { texts_before, texts_until_end, .. }) => {
                let indices = self.by_target.get(&target)?;
                let before = indices.partition_point(|index| index < texts_before);
                let after = indices.partition_point(|index| index < texts_until_end);
                match before.checked_sub(1).and_then(|last| indices.get(last)) {
                    Some(index) => found(*index, true),
                    None => found(*indices.get(after)?, false),
                }
            }
            Some(FieldPlace::Header { is_footer }) => {
                let pages = self.pages.borrow();
                let Some(texts) = pages.get(&target).filter(|texts| !texts.is_empty()) else {
                    return found(*self.by_target.get(&target)?.first()?, false);
                };
                let first = texts.partition_point(|text| text.page < page);
                let end = texts.partition_point(|text| text.page <= page);
                let on_page = texts.get(first..end).unwrap_or_default();
                let on_page = if reference.last_on_page { on_page.last() } else { on_page.first() };
                if let Some(text) = on_page {
                    return found(text.text, *is_footer);
                }
                match first.checked_sub(1).and_then(|last| texts.get(last)) {
                    Some(text) => found(text.text, true),
                    None => found(texts.get(end)?.text, false),
                }
            }
            None => found(*self.by_target.get(&target)?.first()?, false),
        }
    }

    fn find_fields_in_headers(&mut self, document: &Document) {
        for (blocks, edge) in headers_and_footers(document) {
            walk::visit_paragraphs(blocks, 0, &mut |paragraph| {
                self.add_targets(paragraph);
                for reference in style_references(paragraph) {
                    self.fields.insert(reference.id, FieldPlace::Header { is_footer: edge == PageEdge::Bottom });
                }
            });
        }
    }

    /// Records the styles that the fields of a paragraph refer to.
    fn add_targets(&mut self, paragraph: &Paragraph) {
        for reference in style_references(paragraph) {
            let target: Target = (reference.paragraph_style.clone(), reference.character_style.clone());
            if self.by_target.insert(target.clone(), Vec::new()).is_some() {
                continue;
            }
            self.character_styles.extend(target.1.clone());
            for (is_character, name) in [(false, &target.0), (true, &target.1)] {
                if let Some(name) = name {
                    self.targets.entry((is_character, Arc::clone(name))).or_default().push(target.clone());
                }
            }
        }
    }

    /// Adds a text if fields refer to its style. `is_character` is true for a character style.
    fn add_text(&mut self, is_character: bool, style: &Arc<str>, text: StyledText<'a>) {
        let Some(targets) = self.targets.get(&(is_character, Arc::clone(style))) else { return };
        for target in targets {
            self.by_target.entry(target.clone()).or_default().push(self.texts.len());
        }
        self.keys.insert(text.key);
        self.texts.push(text);
    }
}

/// The state of the search for styled texts.
struct Search<'a> {
    document: &'a Document,
    lists: HashMap<i64, Vec<LevelNumber>>,
    /// Number of paragraphs before the current one.
    paragraphs: usize,
    /// Ids of the notes that were already searched for fields. The first element of a pair is true for a footnote.
    notes: HashSet<(bool, i64)>,
}

impl<'a> Search<'a> {
    fn search_blocks(&mut self, references: &mut StyleReferences<'a>, blocks: &'a [Block], depth: u8) {
        if depth > MAX_DEPTH {
            return;
        }
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => self.search_paragraph(references, paragraph),
                Block::Table(table) => {
                    for cell in table.rows.iter().flat_map(|row| &row.cells) {
                        self.search_blocks(references, &cell.blocks, depth + 1);
                    }
                }
            }
        }
    }

    fn search_paragraph(&mut self, references: &mut StyleReferences<'a>, paragraph: &'a Paragraph) {
        let position = advance_list(paragraph, &mut self.lists, self.paragraphs);
        self.paragraphs += 1;
        let texts_before = references.texts.len();
        let whole = 0..paragraph.inlines.len();
        if let Some(style) = &paragraph.properties.style_name
            && !is_hidden(paragraph)
            && has_text(&paragraph.inlines)
        {
            let key = StyledTextKey { paragraph: paragraph.id, inline: None };
            let text = StyledText { key, paragraph, inlines: whole, position: position.clone() };
            references.add_text(false, style, text);
        }
        for (style, inlines) in styled_parts(&paragraph.inlines) {
            if paragraph.inlines.get(inlines.clone()).is_some_and(has_text) {
                let key = StyledTextKey { paragraph: paragraph.id, inline: u32::try_from(inlines.start).ok() };
                references.add_text(true, style, StyledText { key, paragraph, inlines, position: position.clone() });
            }
        }
        let texts_until_end = references.texts.len();
        self.place_fields(references, paragraph, || FieldPlace::Body {
            texts_before,
            texts_until_end,
            position: position.clone(),
        });
    }

    /// Records the position of the fields in a paragraph, in its text boxes and in its notes.
    fn place_fields(
        &mut self,
        references: &mut StyleReferences<'a>,
        paragraph: &'a Paragraph,
        place: impl Fn() -> FieldPlace,
    ) {
        let fields = &mut references.fields;
        let mut place_all = |paragraph: &Paragraph| {
            for reference in style_references(paragraph) {
                fields.insert(reference.id, place());
            }
        };
        place_all(paragraph);
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::Drawing(drawing) => walk::visit_text_boxes(drawing, &mut |blocks| {
                    walk::visit_paragraphs(blocks, 0, &mut |paragraph| place_all(paragraph));
                }),
                Content::NoteReference { kind, id, .. } => {
                    let is_footnote = *kind == NoteKind::Footnote;
                    let notes = if is_footnote { &self.document.footnotes } else { &self.document.endnotes };
                    if let Some(note) = notes.get(id)
                        && self.notes.insert((is_footnote, *id))
                    {
                        walk::visit_paragraphs(&note.blocks, 0, &mut |paragraph| place_all(paragraph));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the STYLEREF fields of a paragraph, also those inside other fields.
fn style_references(paragraph: &Paragraph) -> Vec<&StyleReference> {
    let mut found = Vec::new();
    for inline in &paragraph.inlines {
        if let Content::Field { field, .. } = &inline.content {
            walk::visit_fields(field, &mut |field| {
                if let ComputedField::StyleReference(reference) = field {
                    found.push(&**reference);
                }
            });
        }
    }
    found
}

/// Returns the character styles of inlines, each with the range of adjacent inlines that have the style. Bookmarks, other marks
/// and hidden text do not end a range.
fn styled_parts(inlines: &[Inline]) -> Vec<(&Arc<str>, Range<usize>)> {
    let mut parts: Vec<(&Arc<str>, Range<usize>)> = Vec::new();
    let mut open = false;
    for (index, inline) in inlines.iter().enumerate() {
        if inline.content.is_mark() || inline.run.hidden {
            continue;
        }
        match (&inline.run.style, parts.last_mut().filter(|_| open)) {
            (Some(style), Some((known, range))) if style == *known => range.end = index + 1,
            (Some(style), _) => parts.push((style, index..index + 1)),
            (None, _) => {}
        }
        open = inline.run.style.is_some();
    }
    parts
}

/// Returns true if the inlines contain visible text or a field.
fn has_text(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| {
        let is_text = match &inline.content {
            Content::Text(text) => !text.trim().is_empty(),
            Content::Field { .. } | Content::Math(_) => true,
            _ => false,
        };
        is_text && !inline.run.hidden
    })
}

/// Returns the number of the paragraph at `to`, as a reference at `from` shows it. If `digits_only` is true, the letters around
/// the digits are removed.
fn paragraph_number(context: NumberContext, from: &ListPosition, to: &ListPosition, digits_only: bool) -> String {
    let mut number = number_in_context(context, from, to);
    if digits_only {
        number.retain(|c| c.is_numeric() || (!c.is_alphabetic() && !c.is_whitespace()));
        number = number.trim_matches(|c: char| !c.is_numeric()).to_owned();
    }
    if number.is_empty() { NO_NUMBER.to_owned() } else { number }
}
