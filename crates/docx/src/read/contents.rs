//! Tables of contents (TOC fields, §17.16.5.68) that are built from the headings of the document.
//!
//! Word builds a table of contents when the document is opened, if the field is marked as outdated (w:dirty) or if the settings
//! request an update of all fields (w:updateFields). The pages must show the same table. The reader therefore replaces the saved
//! result with one paragraph for each heading. The page numbers are PAGEREF fields, so the layout computes them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::contents_code::ContentsOptions;
use super::contents_entry::EntryStyle;
use super::field_code::FieldCode;
use super::part_reader::{DocumentState, PartReader, SharedContext};
use crate::tree::*;

/// The maximum depth of nested tables in which headings are found.
const MAX_DEPTH: usize = 40;
/// The number of work units that each TOC field costs for each paragraph of the body.
const WORK_PER_PARAGRAPH: usize = 4;

/// A TOC field of the body.
pub(crate) struct ContentsField {
    code: FieldCode,
    /// The field is marked as outdated (w:dirty).
    is_dirty: bool,
    /// The paragraphs of the field, in order.
    paragraphs: Vec<NodeId>,
    /// The index of the first inline of the result. The inline is in the first paragraph of the field.
    start: usize,
    /// The index of the first inline after the result. The inline is in the last paragraph of the field. `None`: the
    /// end of the field was not read.
    end: Option<usize>,
    location: Location,
}

impl PartReader<'_, '_> {
    /// Records the start of the result of a TOC field. Returns the number of the field.
    pub(crate) fn begin_contents(&mut self, code: FieldCode, is_dirty: bool) -> Option<usize> {
        if self.state.import_depth > 0 || !self.charge(20, size_of::<ContentsField>()) {
            return None;
        }
        let (start, location) = (self.open_paragraph.inlines.len(), self.location());
        let field = ContentsField { code, is_dirty, paragraphs: Vec::new(), start, end: None, location };
        self.state.contents.push(field);
        self.state.contents.len().checked_sub(1)
    }

    /// Records that the open paragraph belongs to a TOC field.
    pub(crate) fn add_contents_paragraph(&mut self, number: usize) {
        let id = self.open_paragraph.id;
        self.charge(1, size_of::<NodeId>());
        if let Some(field) = self.state.contents.get_mut(number) {
            field.paragraphs.push(id);
        }
    }

    /// Records the end of a TOC field.
    pub(crate) fn end_contents(&mut self, number: usize) {
        self.add_contents_paragraph(number);
        let end = self.open_paragraph.inlines.len();
        if let Some(field) = self.state.contents.get_mut(number) {
            field.end = Some(end);
        }
    }
}

/// Replaces the saved results of outdated tables of contents.
pub(crate) fn build_outdated_contents(
    shared: &SharedContext<'_>,
    state: &mut DocumentState,
    main: &str,
    sections: &mut [Section],
) {
    let fields = std::mem::take(&mut state.contents);
    if fields.is_empty() {
        return;
    }
    let mut bookmarks = HeadingBookmarks::default();
    let own: HashSet<NodeId> = fields.iter().flat_map(|field| field.paragraphs.iter().copied()).collect();
    let captions = std::mem::take(&mut state.captions);
    let paragraphs = body_paragraph_count(sections);
    for field in &fields {
        // Each field searches the body for its own paragraphs and for the headings.
        let lookups = field.code.switch_value('t').map_or(0, |list| list.len() / 2) * shared.styles.all().count();
        if !shared.package.meter().spend((WORK_PER_PARAGRAPH * paragraphs).saturating_add(lookups)) {
            break;
        }
        let Some(place) = FieldPlace::find(sections, field) else { continue };
        let stored = place.stored_result(sections, field);
        let is_outdated = field.is_dirty || shared.settings.update_fields || stored.is_placeholder();
        if !is_outdated || field.end.is_none() {
            continue;
        }
        let Some(options) = ContentsOptions::parse(&field.code, &shared.styles) else {
            let message = "the field TOC is shown as it last was, because a switch of it is not supported";
            state.warnings.push(field.location.finding(DiagnosticCode::FieldNotComputed, message).with_context("TOC"));
            continue;
        };
        let mut builder = EntryBuilder {
            reader: PartReader::new(shared, state, main),
            options: &options,
            own: &own,
            captions: &captions,
            width: sections.get(place.section).map_or(0.0, |section| column_width(&section.properties)),
            styles: HashMap::new(),
        };
        let Some(entries) = builder.build_entries(sections, &mut bookmarks, &field.location) else { continue };
        // Word asks for no update here, so its own text "No table of contents entries found." stays.
        if entries.is_empty() && !field.is_dirty && !shared.settings.update_fields {
            continue;
        }
        // With w:updateFields alone, the saved result stays if it lists the same headings, because it may contain formatting by
        // the author. Its page numbers are PAGEREF fields, which the layout computes anyway.
        if !field.is_dirty && !stored.is_placeholder() && stored.lists(&entries) {
            continue;
        }
        place.replace_result(sections, field, entries);
    }
    for section in sections {
        bookmarks.insert_into(&mut section.blocks, 0);
    }
}

/// Returns the number of paragraphs in the body and its tables.
fn body_paragraph_count(sections: &[Section]) -> usize {
    let mut count = 0;
    for section in sections {
        visit_body_paragraphs(&section.blocks, 0, &mut |_| count += 1);
    }
    count
}

/// Returns the width in points of the first text column of a section.
fn column_width(properties: &SectionProperties) -> f32 {
    let PageMargins { left, right, gutter, .. } = properties.margins;
    let width = (properties.page_width - left - right - gutter).max(0.0);
    let columns = &properties.columns;
    match columns.unequal.first() {
        Some((first, _)) => *first,
        None => {
            let count = columns.count.max(1) as f32;
            ((width - columns.space * (count - 1.0)) / count).max(0.0)
        }
    }
}

/// The bookmarks to which the entries refer, by the paragraph of the heading.
#[derive(Default)]
struct HeadingBookmarks {
    names: HashMap<NodeId, Arc<str>>,
    /// The names of the bookmarks that are already used for a heading.
    used: HashSet<Arc<str>>,
    /// The paragraphs that get a new bookmark.
    new: HashMap<NodeId, Arc<str>>,
}

impl HeadingBookmarks {
    /// Returns the name of the bookmark to which the entry of a heading refers. This is a bookmark in the heading whose
    /// name begins with `_Toc`, or a new one.
    fn name_of(&mut self, heading: &Paragraph) -> Arc<str> {
        if let Some(known) = self.names.get(&heading.id) {
            return known.clone();
        }
        let own = heading.inlines.iter().find_map(|inline| match &inline.content {
            Content::BookmarkStart(name) if name.starts_with("_Toc") && !self.used.contains(name) => Some(name.clone()),
            _ => None,
        });
        let name = own.unwrap_or_else(|| {
            let name: Arc<str> = Arc::from(format!("_TocHeading{}", self.new.len() + 1));
            self.new.insert(heading.id, name.clone());
            name
        });
        self.used.insert(name.clone());
        self.names.insert(heading.id, name.clone());
        name
    }

    /// Inserts the new bookmarks at the start of their headings.
    fn insert_into(&self, blocks: &mut [Block], depth: usize) {
        if self.new.is_empty() || depth > MAX_DEPTH {
            return;
        }
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => {
                    if let Some(name) = self.new.get(&paragraph.id) {
                        let mark = |content| Inline { content, run: paragraph.mark.clone(), link: None };
                        let marks =
                            [Content::BookmarkStart(name.clone()), Content::BookmarkEnd(name.clone())].map(mark);
                        paragraph.inlines.splice(0..0, marks);
                    }
                }
                Block::Table(table) => {
                    for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
                        self.insert_into(&mut cell.blocks, depth + 1);
                    }
                }
            }
        }
    }
}

/// Builds the entries of one table of contents.
struct EntryBuilder<'o, 't, 's> {
    reader: PartReader<'t, 's>,
    options: &'o ContentsOptions,
    /// The paragraphs of all tables of contents. They are never listed as headings.
    own: &'o HashSet<NodeId>,
    /// The identifiers of the SEQ fields in lower case, by paragraph.
    captions: &'o HashMap<NodeId, Vec<String>>,
    /// The width of the text column in points.
    width: f32,
    styles: HashMap<u8, EntryStyle>,
}

impl EntryBuilder<'_, '_, '_> {
    /// Returns a paragraph for each heading. Returns `None` if the document lists its headings so often that the budget is
    /// exceeded.
    fn build_entries(
        &mut self,
        sections: &[Section],
        bookmarks: &mut HeadingBookmarks,
        location: &Location,
    ) -> Option<Vec<Paragraph>> {
        let mut listed = Vec::new();
        let mut is_inside = self.options.bookmark.is_none();
        for section in sections {
            visit_body_paragraphs(&section.blocks, 0, &mut |paragraph| {
                let before = is_inside;
                self.update_range(paragraph, &mut is_inside);
                if (before || is_inside)
                    && !self.own.contains(&paragraph.id)
                    && let Some(level) = self.level_of(paragraph)
                {
                    listed.push((level, paragraph));
                }
            });
        }
        let mut entries = Vec::with_capacity(listed.len());
        for (level, heading) in listed {
            let bytes = size_of::<Paragraph>() + heading.inlines.len() * size_of::<Inline>() + text_bytes(heading);
            if !self.reader.charge(20, bytes) || !self.reader.state.charge_repeated_bytes(bytes) {
                return None;
            }
            let style = match self.styles.get(&level) {
                Some(style) => style,
                None => {
                    let is_caption = self.options.sequence.is_some();
                    let style = EntryStyle::find(&mut self.reader, level, is_caption, self.width);
                    self.styles.entry(level).or_insert(style)
                }
            };
            let heading_run = self.reader.style_run(heading.properties.style_id.as_deref());
            let Some(text) = style.heading_inlines(heading, &heading_run, self.options) else { continue };
            let name = bookmarks.name_of(heading);
            entries.push(style.build_entry(heading, text, name, level, self.options, location));
        }
        Some(entries)
    }

    fn level_of(&self, paragraph: &Paragraph) -> Option<u8> {
        let is_caption = || {
            let sequence = self.options.sequence.as_ref()?;
            self.captions.get(&paragraph.id)?.contains(sequence).then_some(1)
        };
        self.options.level_of(&paragraph.properties).or_else(is_caption)
    }

    /// Sets `is_inside` to `true` at the start of the bookmark in the switch \b, and to `false` at its end. Only the
    /// bookmarks in this paragraph are read.
    fn update_range(&self, paragraph: &Paragraph, is_inside: &mut bool) {
        let Some(bookmark) = &self.options.bookmark else { return };
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::BookmarkStart(name) if name.eq_ignore_ascii_case(bookmark) => *is_inside = true,
                Content::BookmarkEnd(name) if name.eq_ignore_ascii_case(bookmark) => *is_inside = false,
                _ => {}
            }
        }
    }
}

fn text_bytes(paragraph: &Paragraph) -> usize {
    let bytes = |inline: &Inline| if let Content::Text(text) = &inline.content { text.len() } else { 0 };
    paragraph.inlines.iter().map(bytes).sum()
}

/// Visits the paragraphs of the body and of table cells. As in Word, headings in text boxes are not listed.
fn visit_body_paragraphs<'d>(blocks: &'d [Block], depth: usize, visit: &mut dyn FnMut(&'d Paragraph)) {
    if depth > MAX_DEPTH {
        return;
    }
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => visit(paragraph),
            Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    visit_body_paragraphs(&cell.blocks, depth + 1, visit);
                }
            }
        }
    }
}

/// The blocks that contain the result of a TOC field. All of them are in one list of blocks.
struct FieldPlace {
    /// The index of the section.
    section: usize,
    /// For each table around the field, outermost first: the indices of the block, the row and the cell.
    cells: Vec<[usize; 3]>,
    /// The index of the first block of the field.
    first: usize,
    /// The index of the last block of the field.
    last: usize,
}

/// The saved result of a TOC field.
struct StoredResult {
    /// The text of each non-empty paragraph, without page numbers.
    entries: Vec<String>,
    has_entries: bool,
    /// All entries with a page number show it with a PAGEREF field.
    computes_numbers: bool,
}

impl StoredResult {
    /// Returns `true` if the result is empty, or a text such as "Right-click to update".
    fn is_placeholder(&self) -> bool {
        !self.has_entries
    }

    /// Returns `true` if the saved result lists the same headings as the new entries, with page numbers that are computed.
    fn lists(&self, entries: &[Paragraph]) -> bool {
        let texts = entries.iter().map(|entry| entry_text(&entry.inlines));
        self.computes_numbers && texts.eq(self.entries.iter().cloned())
    }
}

/// Returns the text of an entry before its page number. White space is normalized to single spaces.
fn entry_text(inlines: &[Inline]) -> String {
    let end = inlines.iter().rposition(|inline| matches!(inline.content, Content::Tab)).unwrap_or(inlines.len());
    let end = if is_number(inlines.get(end + 1..).unwrap_or_default()) { end } else { inlines.len() };
    let mut text = String::new();
    for inline in inlines.get(..end).unwrap_or_default() {
        match &inline.content {
            Content::Text(piece) | Content::Field { result: piece, .. } => text.push_str(piece),
            content if content.is_mark() => {}
            _ => text.push(' '),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns `true` if the inlines after the last tab are a page number.
fn is_number(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match &inline.content {
        Content::Field { .. } => true,
        Content::Text(text) => text.trim().chars().any(char::is_alphanumeric) && text.trim().len() <= 12,
        _ => false,
    })
}

impl FieldPlace {
    /// Finds the blocks of a field. Returns `None` if the field is not in the body, or if its result is split over tables or
    /// sections.
    fn find(sections: &[Section], field: &ContentsField) -> Option<Self> {
        let (first, last) = (field.paragraphs.first()?, field.paragraphs.last()?);
        sections.iter().enumerate().find_map(|(section, found)| {
            let mut place = Self { section, cells: Vec::new(), first: 0, last: 0 };
            place.find_in(&found.blocks, *first, *last).then_some(place)
        })
    }

    fn find_in(&mut self, blocks: &[Block], first: NodeId, last: NodeId) -> bool {
        if self.cells.len() > MAX_DEPTH {
            return false;
        }
        for (index, block) in blocks.iter().enumerate() {
            match block {
                Block::Paragraph(paragraph) if paragraph.id == first => {
                    let is_last = |block: &Block| matches!(block, Block::Paragraph(paragraph) if paragraph.id == last);
                    let Some(count) = blocks.iter().skip(index).position(is_last) else { return false };
                    (self.first, self.last) = (index, index + count);
                    return true;
                }
                Block::Paragraph(_) => {}
                Block::Table(table) => {
                    for (row_index, row) in table.rows.iter().enumerate() {
                        for (cell_index, cell) in row.cells.iter().enumerate() {
                            self.cells.push([index, row_index, cell_index]);
                            if self.find_in(&cell.blocks, first, last) {
                                return true;
                            }
                            self.cells.pop();
                        }
                    }
                }
            }
        }
        false
    }

    fn stored_result(&self, sections: &[Section], field: &ContentsField) -> StoredResult {
        let mut stored = StoredResult { entries: Vec::new(), has_entries: false, computes_numbers: true };
        let mut blocks = sections.get(self.section).map(|section| section.blocks.as_slice());
        for [block, row, cell] in &self.cells {
            blocks = blocks.and_then(|blocks| match blocks.get(*block)? {
                Block::Table(table) => Some(table.rows.get(*row)?.cells.get(*cell)?.blocks.as_slice()),
                Block::Paragraph(_) => None,
            });
        }
        let own = blocks.and_then(|blocks| blocks.get(self.first..=self.last)).unwrap_or_default();
        for (index, block) in own.iter().enumerate() {
            let Block::Paragraph(paragraph) = block else { continue };
            let start = if index == 0 { field.start } else { 0 };
            let end = if index + 1 == own.len() { field.end } else { None }.unwrap_or(paragraph.inlines.len());
            let inlines = paragraph.inlines.get(start..end).unwrap_or_default();
            let text = entry_text(inlines);
            if text.is_empty() {
                continue;
            }
            let is_field = |inline: &Inline| matches!(inline.content, Content::Field { .. });
            let has_tab = inlines.iter().any(|inline| matches!(inline.content, Content::Tab));
            stored.has_entries |= has_tab || inlines.iter().any(|inline| inline.link.is_some() || is_field(inline));
            stored.computes_numbers &= !has_tab || inlines.iter().any(is_field);
            stored.entries.push(text);
        }
        stored
    }

    /// Replaces the result of the field with new entries. Text before the field in its first paragraph stays, and so
    /// does text after the field in its last paragraph.
    fn replace_result(&self, sections: &mut [Section], field: &ContentsField, entries: Vec<Paragraph>) {
        let Some(section) = sections.get_mut(self.section) else { return };
        let mut blocks = &mut section.blocks;
        for [block, row, cell] in &self.cells {
            let Some(Block::Table(table)) = blocks.get_mut(*block) else { return };
            let Some(cell) = table.rows.get_mut(*row).and_then(|row| row.cells.get_mut(*cell)) else { return };
            blocks = &mut cell.blocks;
        }
        if self.last >= blocks.len() {
            return;
        }
        let removed: Vec<Block> = blocks.splice(self.first..=self.last, []).collect();
        let new = replaced_blocks(removed, field, entries);
        blocks.splice(self.first..self.first, new);
    }
}

/// Returns the blocks of a field after its result is replaced with `entries`. `removed` contains the blocks with the
/// old result.
fn replaced_blocks(removed: Vec<Block>, field: &ContentsField, mut entries: Vec<Paragraph>) -> Vec<Block> {
    let mut paragraphs = removed.into_iter().filter_map(|block| match block {
        Block::Paragraph(paragraph) => Some(paragraph),
        Block::Table(_) => None,
    });
    let Some(mut first) = paragraphs.next() else { return entries.into_iter().map(Block::Paragraph).collect() };
    let mut rest = first.inlines.split_off(field.start.min(first.inlines.len()));
    let mut last = paragraphs.next_back();
    // Marks such as bookmarks stay, because links may lead there.
    let mut marks: Vec<Inline> = Vec::new();
    let ending = last.as_mut().map_or(&mut rest, |last| &mut last.inlines);
    let end = field.end.unwrap_or(ending.len());
    let end = if last_is_first(field) { end.saturating_sub(field.start) } else { end };
    let after = ending.split_off(end.min(ending.len()));
    let ends_alone = last.as_ref().is_some_and(|last| !last.inlines.iter().any(is_visible));
    let inside = paragraphs.flat_map(|paragraph| paragraph.inlines);
    let inside = rest.into_iter().chain(inside).chain(last.iter_mut().flat_map(|last| last.inlines.drain(..)));
    marks.extend(inside.filter(|inline| inline.content.is_mark()));
    let mut tail = last.unwrap_or_else(|| Paragraph { inlines: Vec::new(), ..first.clone() });
    tail.inlines = after;
    let has_head = first.inlines.iter().any(is_visible);
    let has_tail = ends_alone || tail.inlines.iter().any(is_visible) || (entries.is_empty() && !has_head);
    if let Some(entry) = entries.first_mut()
        && !has_head
        && first.properties.page_break_before
    {
        entry.properties = Arc::new(ParagraphProperties { page_break_before: true, ..(*entry.properties).clone() });
    }
    if !has_head {
        marks.splice(0..0, std::mem::take(&mut first.inlines));
    }
    if !has_tail {
        marks.append(&mut tail.inlines);
    }
    let holder = match entries.first_mut() {
        Some(entry) => &mut entry.inlines,
        None if has_head => &mut first.inlines,
        None => &mut tail.inlines,
    };
    holder.splice(0..0, marks);
    let mut blocks = Vec::with_capacity(entries.len() + 2);
    blocks.extend(has_head.then_some(first));
    blocks.append(&mut entries);
    blocks.extend(has_tail.then_some(tail));
    blocks.into_iter().map(Block::Paragraph).collect()
}

/// Returns `true` if the field begins and ends in the same paragraph.
fn last_is_first(field: &ContentsField) -> bool {
    field.paragraphs.first() == field.paragraphs.last()
}

fn is_visible(inline: &Inline) -> bool {
    match &inline.content {
        Content::Text(text) => !text.is_empty() && !inline.run.hidden,
        content => !content.is_mark(),
    }
}
