//! Expansion: each section is replaced by one copy of its content for each row of its list.
//!
//! The result is a list of pieces of the original part. [`super::render`] writes them as text, with new ids in copies.

use std::ops::Range;

use waraq_rules::{ErrorCode, Value, Values};

use super::rename::{FlatName, Renamer};
use super::render::{Notes, PartRenderer};
use super::scopes::{Scope, Scopes};
use super::{Extent, Section, Sections, TextEnd};
use crate::fields::scan::Index;
use crate::fields::text_parts::{NotesKind, ScannedPart};
use crate::package::limits::MAX_XML_PART_BYTES;
use crate::package::xml::attribute_ranges;
use crate::{CountedMemory, Error, Meter, Package, Result};

/// The bytes of memory that are counted for each copy besides its text.
const COPY_MEMORY: usize = 256;

/// A template whose sections are replaced by the copies of their content.
pub(in crate::fields) struct Expanded {
    /// The package with the expanded parts.
    pub package: Package,
    /// The expanded parts, each with its index in the parts of the template, in ascending order.
    pub parts: Vec<(usize, ScannedPart<'static>)>,
    /// The fields in rows. Each has a name of its own in the expanded parts.
    pub names: Vec<FlatName>,
    /// The rows that are printed.
    pub scopes: Vec<Scope>,
}

impl Expanded {
    /// Returns `values` and the values of the fields in rows. The lists in `values` must have as many rows as those with which
    /// the template was expanded.
    pub(in crate::fields) fn flat_values(&self, values: &Values) -> Values {
        let scopes = Scopes::with_values(&self.scopes, values);
        let mut flat = values.clone();
        for one in &self.names {
            if let Some(value) = scopes.value_in(one.scope, &one.column) {
                flat.set(&one.name, value.clone());
            }
        }
        flat
    }

    /// Returns the parts of a template, with the expanded parts in the places of the original ones.
    pub(in crate::fields) fn all_parts<'p>(&'p self, parts: &'p [ScannedPart<'p>]) -> Vec<&'p ScannedPart<'p>> {
        let mut all: Vec<&'p ScannedPart<'p>> = parts.iter().collect();
        for (index, part) in &self.parts {
            if let Some(place) = all.get_mut(*index) {
                *place = part;
            }
        }
        all
    }
}

/// A piece of an expanded part.
pub(super) struct Piece {
    pub content: PieceContent,
    /// The scope of the fields in the piece.
    pub scope: usize,
    /// The same bytes are also in an earlier piece.
    pub is_copy: bool,
}

pub(super) enum PieceContent {
    /// Bytes of the template.
    Source(Range<usize>),
    Markup(String),
}

/// Expands the sections of a template. The values must fit the structure of the template.
///
/// # Errors
/// `too_complex` if an expanded part is too large, and the errors of the scan.
pub(in crate::fields) fn expand(
    package: &Package,
    parts: &[ScannedPart<'_>],
    sections: &Sections,
    values: &Values,
) -> Result<Expanded> {
    let mut scopes = Scopes::new(values);
    let mut notes = Notes::read(parts);
    let mut expanded = package.clone();
    let (mut changed, mut names) = (Vec::new(), Vec::new());
    for (index, part) in parts.iter().enumerate() {
        let roots = sections.roots.get(index).map_or(&[][..], Vec::as_slice);
        let kind = part.notes_kind();
        if roots.is_empty() && !kind.is_some_and(|kind| notes.concern(kind)) {
            continue;
        }
        let mut expander = Expander::new(part, sections, &mut scopes, package.meter());
        match kind {
            Some(kind) => expander.add_notes(kind, roots, &notes)?,
            None => expander.add(0..part.source.len(), roots, Place::default())?,
        }
        let (pieces, memory) = (expander.pieces, expander.memory);
        let (text, starts) = PartRenderer::new(part, index, sections, package)?.render(&pieces, &mut notes)?;
        drop((pieces, memory));
        expanded = expanded.with_part(&part.scan.part, text.clone().into_bytes());
        package.meter().outcome()?;
        let mut scanned = part.rescanned(text, package.meter())?;
        part.merge.name_blocks_like(parts, &mut scanned);
        let mut renamer = Renamer::new(&scopes, std::mem::take(&mut names));
        renamer.rename(&mut scanned, &starts);
        names = renamer.names;
        changed.push((index, scanned));
    }
    Ok(Expanded { package: expanded, parts: changed, names, scopes: scopes.into_scopes() })
}

/// The target of copied content.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    scope: usize,
    is_copy: bool,
}

struct Expander<'t, 'v> {
    part: &'t ScannedPart<'t>,
    sections: &'t Sections,
    scopes: &'t mut Scopes<'v>,
    pieces: Vec<Piece>,
    /// The size of the expanded part so far, in bytes.
    bytes: usize,
    meter: Meter,
    memory: CountedMemory,
}

impl<'t, 'v> Expander<'t, 'v> {
    fn new(part: &'t ScannedPart<'t>, sections: &'t Sections, scopes: &'t mut Scopes<'v>, meter: &Meter) -> Self {
        let (meter, memory) = (meter.clone(), CountedMemory::empty(meter));
        Self { part, sections, scopes, pieces: Vec::new(), bytes: part.source.len(), meter, memory }
    }

    /// Adds the bytes of `range` with the expanded sections `children`.
    fn add(&mut self, range: Range<usize>, children: &[usize], place: Place) -> Result<()> {
        let mut at = range.start;
        let mut rest = children;
        while let Some((&first, others)) = rest.split_first() {
            let Some(section) = self.section(first) else { return Ok(()) };
            let table = self.table_of(section).filter(|table| table.start >= at && table.end <= range.end);
            if let Some(table) = table.filter(|table| *table != range) {
                let inside = rest.iter().take_while(|id| self.starts_before(**id, table.end)).count();
                let (inside, after) = rest.split_at(inside.max(1));
                self.push_source(at..table.start, place);
                self.add_table(&table, inside, place)?;
                (at, rest) = (table.end, after);
                continue;
            }
            self.push_source(at..section.range.start, place);
            self.add_section(section, place)?;
            (at, rest) = (section.range.end, others);
        }
        self.push_source(at..range.end, place);
        Ok(())
    }

    fn section(&self, id: usize) -> Option<&'t Section> {
        self.sections.all.get(id)
    }

    fn starts_before(&self, id: usize, at: usize) -> bool {
        self.section(id).is_some_and(|section| section.range.start < at)
    }

    /// Returns the byte range of the table whose rows a section repeats.
    fn table_of(&self, section: &Section) -> Option<Range<usize>> {
        let Extent::Rows { table } = section.extent else { return None };
        Some(self.part.scan.containers.tables.get(table)?.range.clone())
    }

    /// Adds a table that contains the sections `children`. A table without rows is left out.
    fn add_table(&mut self, table: &Range<usize>, children: &[usize], place: Place) -> Result<()> {
        let before = self.pieces.len();
        self.add(table.clone(), children, place)?;
        let has_rows = self.pieces.get(before..).unwrap_or_default().iter().any(|piece| self.has_row(piece));
        if !has_rows {
            self.pieces.truncate(before);
        }
        Ok(())
    }

    fn has_row(&self, piece: &Piece) -> bool {
        let PieceContent::Source(range) = &piece.content else { return false };
        let rows = &self.part.scan.containers.rows;
        let next = rows.partition_point(|row| row.range.start < range.start);
        rows.get(next).is_some_and(|row| row.range.start < range.end)
    }

    fn add_section(&mut self, section: &'t Section, place: Place) -> Result<()> {
        if let Extent::Text(ends) = &section.extent {
            let [first, _, _, _] = &**ends;
            self.push_markup(self.closed(first), place);
        }
        let value = self.scopes.value(place.scope, &section.name);
        match value {
            Some((owner, Value::List(rows))) if !section.inverted => {
                self.charge(section, rows.len())?;
                for (number, row) in rows.iter().enumerate() {
                    let scope = self.scopes.add_row(place.scope, owner, &section.name, number, row);
                    let is_copy = place.is_copy || number > 0;
                    self.add_body(section, Place { scope, is_copy })?;
                }
            }
            value => {
                let is_kept = value.is_some_and(|(_, value)| !value.is_empty());
                if is_kept != section.inverted {
                    self.charge(section, 1)?;
                    self.add_body(section, place)?;
                }
            }
        }
        match &section.extent {
            Extent::Text(ends) => {
                let [_, _, _, last] = &**ends;
                self.push_opened(last, place);
            }
            Extent::Paragraphs { last } => self.add_missing_paragraph(section, *last, place),
            Extent::Rows { .. } => {}
        }
        Ok(())
    }

    fn add_body(&mut self, section: &'t Section, place: Place) -> Result<()> {
        match &section.extent {
            Extent::Text(ends) => {
                let [_, first, last, _] = &**ends;
                self.push_opened(first, place);
                self.add(section.body.clone(), &section.children, place)?;
                self.push_markup(self.closed(last), place);
            }
            Extent::Paragraphs { last } => {
                // Word joins tables that follow each other directly.
                if self.ends_with_table() && self.starts_with_table(section.body.start) {
                    self.push_markup(self.empty_paragraph(*last), place);
                }
                self.add(section.body.clone(), &section.children, place)?;
            }
            Extent::Rows { .. } => self.add(section.body.clone(), &section.children, place)?,
        }
        Ok(())
    }

    /// Adds an empty paragraph after a section if its container would otherwise not end with a paragraph, or if two tables
    /// would follow each other.
    fn add_missing_paragraph(&mut self, section: &Section, last: Index, place: Place) {
        let is_last = self.part.scan.paragraphs.get(last).is_some_and(|paragraph| paragraph.after.is_none());
        let is_missing = is_last && !self.ends_with(|tag| local_name(tag) == "p");
        if is_missing || (self.ends_with_table() && self.starts_with_table(section.range.end)) {
            self.push_markup(self.empty_paragraph(last), place);
        }
    }

    /// Adds all notes. A note gets the scope of its first reference, and one copy for each other reference.
    fn add_notes(&mut self, kind: NotesKind, roots: &[usize], notes: &Notes) -> Result<()> {
        let mut at = 0;
        for (id, range) in &self.part.scan.notes {
            if range.start < at || range.end > self.part.source.len() {
                continue;
            }
            let first = roots.partition_point(|root| self.starts_before(*root, range.start));
            let end = roots.partition_point(|root| self.starts_before(*root, range.end));
            let children = roots.get(first..end).unwrap_or_default();
            self.push_source(at..range.start, Place::default());
            let place = Place { scope: notes.scope_of(kind, id), is_copy: false };
            self.add(range.clone(), children, place)?;
            let source: &'t str = &self.part.source;
            let tag = source.get(range.clone()).and_then(|note| note.get(..note.find('>')?)).unwrap_or_default();
            let value = attribute_ranges(tag).find(|(key, _)| key.rsplit(':').next() == Some("id"));
            let Some((_, value)) = value else { continue };
            let value = range.start + value.start..range.start + value.end;
            for copy in notes.copies_of(kind, id) {
                self.charge_bytes(range.len(), 1)?;
                let place = Place { scope: copy.scope, is_copy: true };
                self.push_source(range.start..value.start, place);
                self.push_markup(copy.new_id.to_string(), place);
                self.add(value.end..range.end, children, place)?;
            }
            at = range.end;
        }
        self.push_source(at..self.part.source.len(), Place::default());
        Ok(())
    }

    /// Counts the copies of a section before they are made.
    ///
    /// # Errors
    /// `too_complex` if the part would become too large, and the errors of the budget.
    fn charge(&mut self, section: &Section, copies: usize) -> Result<()> {
        self.charge_bytes(section.body.len(), copies)
    }

    fn charge_bytes(&mut self, bytes: usize, copies: usize) -> Result<()> {
        let added = bytes.saturating_add(COPY_MEMORY).saturating_mul(copies);
        self.bytes = self.bytes.saturating_add(added);
        if self.bytes as u64 > MAX_XML_PART_BYTES {
            let message = "The document has too many rows: its text would exceed the size of a Word document.";
            return Err(Error::new(ErrorCode::TooComplex, message).in_part(&*self.part.scan.part));
        }
        if !(self.memory.grow(added) && self.meter.spend(added / 64)) {
            self.meter.outcome()?;
        }
        Ok(())
    }

    fn push_source(&mut self, range: Range<usize>, place: Place) {
        if !range.is_empty() {
            self.pieces.push(Piece {
                content: PieceContent::Source(range),
                scope: place.scope,
                is_copy: place.is_copy,
            });
        }
    }

    fn push_markup(&mut self, markup: String, place: Place) {
        self.pieces.push(Piece { content: PieceContent::Markup(markup), scope: place.scope, is_copy: place.is_copy });
    }

    /// Returns the markup that closes the run and the elements around it at a tag.
    fn closed(&self, end: &TextEnd) -> String {
        let scan = &self.part.scan;
        let prefix = scan.runs.get(end.run).map_or("", |run| run.prefix.as_str());
        let mut markup = format!("</{prefix}t></{prefix}r>");
        for element in end.elements.iter().filter_map(|&at| scan.containers.inline_elements.get(at)) {
            markup.push_str(&format!("</{}>", self.element_name(element.start_tag.start)));
        }
        markup
    }

    /// Opens the run and the elements around it again at a tag. The elements are copies, so they get new ids.
    fn push_opened(&mut self, end: &TextEnd, place: Place) {
        let (scan, source) = (&self.part.scan, &self.part.source);
        for element in end.elements.iter().rev().filter_map(|&at| scan.containers.inline_elements.get(at)) {
            self.push_source(element.start_tag.clone(), Place { is_copy: true, ..place });
        }
        if let Some(run) = scan.runs.get(end.run) {
            let properties = run.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
            let start_tag = source.get(run.start_tag.clone()).unwrap_or_default();
            let markup = format!("{start_tag}{properties}<{}t xml:space=\"preserve\">", run.prefix);
            self.push_markup(markup, place);
        }
    }

    /// Returns an empty paragraph with the properties of the paragraph with this index.
    fn empty_paragraph(&self, paragraph: Index) -> String {
        let Some(paragraph) = self.part.scan.paragraphs.get(paragraph) else { return String::new() };
        let name = self.element_name(paragraph.range.start);
        let properties = paragraph.properties.clone().filter(|_| !paragraph.has_section_break);
        let properties = properties.and_then(|range| self.part.source.get(range)).unwrap_or_default();
        format!("<{name}>{properties}</{name}>")
    }

    /// Returns the name, with its prefix, of the element that starts at a byte offset.
    fn element_name(&self, start: usize) -> &'t str {
        let source: &'t str = &self.part.source;
        let tag = source.get(start..).unwrap_or_default().trim_start_matches('<');
        tag.split(|character: char| character.is_whitespace() || matches!(character, '/' | '>'))
            .next()
            .unwrap_or_default()
    }

    fn ends_with_table(&self) -> bool {
        self.ends_with(|tag| local_name(tag) == "tbl")
    }

    fn starts_with_table(&self, at: usize) -> bool {
        let next = self.part.source.get(at..).unwrap_or_default();
        let start = at + (next.len() - next.trim_start().len());
        self.element_name(start).rsplit(':').next() == Some("tbl")
    }

    /// Returns `true` if the last tag so far ends an element and fits `is_expected`.
    fn ends_with(&self, is_expected: impl Fn(&str) -> bool) -> bool {
        let last = self.pieces.iter().rev().find_map(|piece| {
            let text = match &piece.content {
                PieceContent::Markup(markup) => markup.as_str(),
                PieceContent::Source(range) => self.part.source.get(range.clone()).unwrap_or_default(),
            };
            Some(text.trim_end()).filter(|text| !text.is_empty())
        });
        let tag = last.and_then(|text| text.get(text.rfind('<')?..)).unwrap_or_default();
        (tag.starts_with("</") || tag.ends_with("/>")) && is_expected(tag)
    }
}

/// Returns the local name in a tag such as `</w:p>`.
fn local_name(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    let name = name.split(|character: char| character.is_whitespace() || matches!(character, '/' | '>')).next();
    name.and_then(|name| name.rsplit(':').next()).unwrap_or_default()
}
