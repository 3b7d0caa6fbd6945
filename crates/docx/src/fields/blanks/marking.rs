//! The edits that turn places of one part into fields.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::{escape, partial_escape};
use quick_xml::events::Event;
use waraq_rules::field_settings::ValueKind;

use super::BlankForm;
use super::format::{Formats, StyleTable, emphasis_ranges};
use super::mark::{FieldMark, SkipReason};
use super::objects::cells_inside;
use super::text::is_check_box;
use super::unmark::MarkChange;
use crate::fields::edits::Editor;
use crate::fields::form_fields::FormFieldKind;
use crate::fields::merge::MergeContent;
use crate::fields::pictures;
use crate::fields::scan::{Index, OBJECT_PLACEHOLDER, PartScan, ScannedParagraph, TextCell};
use crate::fields::text_parts::ScannedPart;
use crate::package::xml::attribute_ranges;
use crate::{Meter, Result};

/// The number of paragraphs after a text box in which its copy for older programs is searched.
const MAX_COPY_DISTANCE: usize = 400;

type Outcome = std::result::Result<(), SkipReason>;

/// Collects the edits of one part.
pub(super) struct PartMarker<'p> {
    source: &'p str,
    scan: &'p PartScan,
    editor: Editor<'p>,
    formats: Formats<'p>,
    meter: &'p Meter,
    /// The byte ranges that marks replace, by their start.
    used: BTreeMap<usize, usize>,
    /// The sections around paragraphs: their byte ranges and names.
    sections: Vec<(Range<usize>, String)>,
    /// The texts for paragraphs without characters, by paragraph: their order in the paragraph, and the text.
    new_texts: BTreeMap<Index, Vec<(u8, String)>>,
    /// The copies of text boxes (mc:Fallback) that were marked together with their originals.
    marked_copies: HashSet<Index>,
    tagged_controls: HashSet<Index>,
    deleted_paragraphs: HashSet<Index>,
    repeated_rows: HashSet<Index>,
}

impl<'p> PartMarker<'p> {
    pub(super) fn new(part: &'p ScannedPart<'_>, styles: &'p StyleTable, meter: &'p Meter) -> Self {
        Self {
            source: &part.source,
            scan: &part.scan,
            editor: Editor::new(&part.source, &part.scan),
            formats: Formats::new(&part.source, styles, meter),
            meter,
            used: BTreeMap::new(),
            sections: Vec::new(),
            new_texts: BTreeMap::new(),
            marked_copies: HashSet::new(),
            tagged_controls: HashSet::new(),
            deleted_paragraphs: HashSet::new(),
            repeated_rows: HashSet::new(),
        }
    }

    /// Returns the order in which the marks of a part are written.
    pub(super) fn order_of(mark: &FieldMark) -> u8 {
        match (mark.kind, mark.start == mark.end) {
            (ValueKind::List, _) => 2,
            (ValueKind::YesNo, _) if mark.form.is_none() => 1,
            (_, true) if mark.object.is_none() => 1,
            _ => 0,
        }
    }

    /// Writes one mark.
    ///
    /// # Errors
    /// The reason why the place cannot become a field. Nothing is changed then.
    pub(super) fn mark(&mut self, mark: &FieldMark, name: &str) -> Outcome {
        self.meter.spend(64);
        match (mark.form, mark.object) {
            (Some(BlankForm::ContentControl), Some(object)) => return self.tag_control(object, name),
            (Some(BlankForm::FormField), Some(object)) => return self.replace_form_field(object, name),
            (Some(BlankForm::MergeField), Some(object)) => return self.replace_merge_field(object, name),
            _ => {}
        }
        let at = mark.paragraph.checked_sub(1).ok_or(SkipReason::NotFound)?;
        let paragraph = self.scan.paragraphs.get(at).ok_or(SkipReason::NotFound)?;
        let cells = paragraph.cells.get(mark.start..mark.end).ok_or(SkipReason::NotFound)?;
        match mark.kind {
            ValueKind::List => return self.repeat_row(paragraph, name),
            ValueKind::YesNo if mark.form == Some(BlankForm::CheckBox) => {
                let shown = cells.first().map(|cell| cell.character).filter(|c| is_check_box(*c) && cells.len() == 1);
                return self.replace_text(at, mark.start..mark.end, &check_box_text(name, shown), true);
            }
            ValueKind::YesNo => return self.mark_optional(at, mark, name),
            ValueKind::Picture | ValueKind::Signature | ValueKind::QrCode => {
                if let [cell] = cells
                    && cell.character == OBJECT_PLACEHOLDER
                {
                    return self.mark_picture(cell, name);
                }
            }
            _ => {}
        }
        self.replace_text(at, mark.start..mark.end, &format!("{{{{{name}}}}}"), false)?;
        for &number in &mark.continuation {
            self.remove_continuation(number, at);
        }
        Ok(())
    }

    /// Reserves a byte range. Returns `Overlap` if another mark has a part of it.
    fn claim(&mut self, range: &Range<usize>) -> Outcome {
        let before = self.used.range(..range.end.max(range.start + 1)).next_back();
        if before.is_some_and(|(start, end)| *end > range.start || *start == range.start && range.is_empty()) {
            return Err(SkipReason::Overlap);
        }
        if !range.is_empty() {
            self.used.insert(range.start, range.end);
        }
        Ok(())
    }

    /// Replaces characters with text, or inserts the text if the range is empty. `symbols` is `true` if a symbol font must be
    /// removed from the text.
    fn replace_text(&mut self, at: Index, range: Range<usize>, text: &str, symbols: bool) -> Outcome {
        let paragraph = self.scan.paragraphs.get(at).ok_or(SkipReason::NotFound)?;
        let cells = paragraph.cells.get(range.clone()).ok_or(SkipReason::NotFound)?;
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else {
            return self.insert_text(at, range.start, text);
        };
        let is_fixed = |cell: &TextCell| cell.span.is_empty() || cell.merge_field.is_some();
        let in_tagged = |cell: &TextCell| {
            self.scan.control_chain(cell.control).any(|control| self.tagged_controls.contains(&control))
        };
        if cells.iter().any(|cell| is_fixed(cell) || in_tagged(cell)) || self.deleted_paragraphs.contains(&at) {
            return Err(SkipReason::NotReplaceable);
        }
        if first.text.is_none() && !first.is_run_child {
            return Err(SkipReason::NotReplaceable);
        }
        self.claim(&(first.span.start..last.span.end))?;
        self.put_text(paragraph, range.clone(), text, symbols);
        if !paragraph.fallback
            && let Some((copy, copied)) = self.copy_of(at, paragraph)
        {
            self.marked_copies.insert(copy);
            self.put_text(copied, range, text, symbols);
        }
        Ok(())
    }

    /// Returns the copy of a paragraph of a text box for older programs (mc:Fallback).
    fn copy_of(&self, at: Index, paragraph: &ScannedParagraph) -> Option<(Index, &'p ScannedParagraph)> {
        if paragraph.container.story == 0 {
            return None;
        }
        let characters = |one: &'p ScannedParagraph| one.cells.iter().map(|cell| cell.character);
        let own = self.scan.paragraphs.get(at)?;
        let after = self.scan.paragraphs.iter().enumerate().skip(at + 1).take(MAX_COPY_DISTANCE);
        after
            .filter(|(_, one)| one.fallback && one.cells.len() == own.cells.len() && self.meter.spend(one.cells.len()))
            .find(|(index, one)| !self.marked_copies.contains(index) && characters(one).eq(characters(own)))
    }

    /// Writes the edits that replace characters of a paragraph with text. The first character must have bytes.
    fn put_text(&mut self, paragraph: &'p ScannedParagraph, range: Range<usize>, text: &str, symbols: bool) {
        let Some(cells) = paragraph.cells.get(range.clone()) else { return };
        let Some((host, rest)) = cells.split_first() else { return };
        let Some(run) = self.scan.runs.get(host.run) else { return };
        // The characters of a run are neighbours, so only the first and the last run can have other characters.
        let before = range.start.checked_sub(1).and_then(|before| paragraph.cells.get(before));
        let shared: HashSet<Index> =
            [before, paragraph.cells.get(range.end)].into_iter().flatten().map(|cell| cell.run).collect();
        let mut seen = HashSet::new();
        for cell in cells.iter().filter(|cell| !shared.contains(&cell.run)) {
            if seen.insert(cell.run) {
                self.remove_emphasis(cell.run, symbols);
            }
        }
        let prefix = &run.prefix;
        let escaped = partial_escape(text);
        let source = self.source;
        let properties = run.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
        let removed = emphasis_ranges(properties, self.formats.run(run), symbols);
        let splits = shared.contains(&host.run) && !removed.is_empty() && !run.is_nested && self.can_close_run(host);
        let start_tag = self.source.get(run.start_tag.clone()).unwrap_or_default();
        let element = format!("<{prefix}t xml:space=\"preserve\">{escaped}</{prefix}t>");
        let own_run = format!("{start_tag}{}{element}</{prefix}r>", without_ranges(properties, &removed));
        let markup = match (host.text.is_some(), splits) {
            (true, false) => escaped.into_owned(),
            (false, false) => element,
            (true, true) => {
                format!("</{prefix}t></{prefix}r>{own_run}{start_tag}{properties}<{prefix}t xml:space=\"preserve\">")
            }
            (false, true) => format!("</{prefix}r>{own_run}{start_tag}{properties}"),
        };
        self.editor.replace_range(host.span.clone(), markup);
        self.editor.record_changed_cell(host);
        for cell in rest {
            self.editor.delete(cell.span.clone());
            self.editor.record_changed_cell(cell);
        }
    }

    /// Returns `true` if the run of a character can be closed before it and reopened after it: only the run and its `w:t` are
    /// open there. Hostile documents have other elements in a `w:t`, or a `w:t` in the properties of a run.
    fn can_close_run(&self, cell: &TextCell) -> bool {
        let Some(run) = self.scan.runs.get(cell.run) else { return false };
        let is_after_properties = run.properties.as_ref().is_none_or(|range| range.end <= cell.span.start);
        let text = cell.text.and_then(|text| self.scan.texts.get(text));
        let only_text = text.is_none_or(|text| {
            let before = self.source.get(text.start_tag.end..cell.span.start);
            before.is_some_and(|before| self.meter.spend(before.len() / 8) && !before.contains('<'))
        });
        cell.is_run_child && is_after_properties && only_text
    }

    /// Deletes the highlight and the placeholder style of a run.
    fn remove_emphasis(&mut self, run: Index, symbols: bool) {
        let Some(run) = self.scan.runs.get(run) else { return };
        let Some(properties) = run.properties.clone() else { return };
        let markup = self.source.get(properties.clone()).unwrap_or_default();
        for range in emphasis_ranges(markup, self.formats.run(run), symbols) {
            self.editor.delete(properties.start + range.start..properties.start + range.end);
        }
    }

    /// Inserts text before the character with the index `position`.
    fn insert_text(&mut self, at: Index, position: usize, text: &str) -> Outcome {
        let paragraph = self.scan.paragraphs.get(at).ok_or(SkipReason::NotFound)?;
        if paragraph.cells.is_empty() && position == 0 {
            let texts = self.new_texts.entry(at).or_default();
            if paragraph.has_field || texts.iter().any(|(order, _)| *order == 1) {
                return Err(SkipReason::Overlap);
            }
            texts.push((1, text.to_owned()));
            return Ok(());
        }
        let (cell, byte, markup) = self.find_insertion(paragraph, position, text)?;
        self.editor.insert_before(byte, &markup);
        self.editor.record_changed_cell(cell);
        Ok(())
    }

    /// Returns where and how text is inserted before the character with the index `position`: the character beside it, the
    /// byte offset, and the markup.
    fn find_insertion(
        &self,
        paragraph: &'p ScannedParagraph,
        position: usize,
        text: &str,
    ) -> std::result::Result<(&'p TextCell, usize, String), SkipReason> {
        let before = position.checked_sub(1).and_then(|before| paragraph.cells.get(before));
        let (next, before) = (paragraph.cells.get(position), before);
        let is_free = |cell: &&TextCell| cell.merge_field.is_none();
        let element = |cell: &TextCell| {
            let prefix = self.scan.runs.get(cell.run).map_or("", |run| run.prefix.as_str());
            format!("<{prefix}t xml:space=\"preserve\">{}</{prefix}t>", partial_escape(text))
        };
        let (cell, byte, markup) = if let Some(cell) = before.filter(|cell| cell.text.is_some()).filter(is_free) {
            (cell, cell.span.end, partial_escape(text).into_owned())
        } else if let Some(cell) = next.filter(|cell| cell.text.is_some()).filter(is_free) {
            (cell, cell.span.start, partial_escape(text).into_owned())
        } else if let Some(cell) = next.filter(|cell| cell.is_run_child).filter(is_free) {
            (cell, cell.span.start, element(cell))
        } else if let Some(cell) = before.filter(|cell| cell.is_run_child && !cell.span.is_empty()).filter(is_free) {
            (cell, cell.span.end, element(cell))
        } else {
            return Err(SkipReason::NotReplaceable);
        };
        let inside = self.used.range(..byte).next_back().is_some_and(|(_, end)| *end > byte);
        if inside { Err(SkipReason::Overlap) } else { Ok((cell, byte, markup)) }
    }

    /// Removes a paragraph that continues the line of a blank. A paragraph with other content only loses its characters.
    fn remove_continuation(&mut self, number: usize, first: Index) {
        let Some(at) = number.checked_sub(1).filter(|at| *at > first) else { return };
        let Some(paragraph) = self.scan.paragraphs.get(at) else { return };
        let is_line = |cell: &TextCell| !cell.character.is_alphanumeric() && cell.character != OBJECT_PLACEHOLDER;
        if !paragraph.cells.iter().all(is_line) || self.claim(&paragraph.range.clone()).is_err() {
            return;
        }
        let same_parent = self.scan.paragraphs.get(first).is_some_and(|one| one.parent == paragraph.parent);
        if same_parent && !paragraph.has_other_content && !paragraph.has_section_break && !paragraph.has_field {
            self.editor.delete(paragraph.range.clone());
            self.deleted_paragraphs.insert(at);
            return;
        }
        for cell in &paragraph.cells {
            self.editor.delete(cell.span.clone());
            self.editor.record_changed_cell(cell);
        }
    }

    /// Marks optional text: paragraphs, or a part of one paragraph.
    fn mark_optional(&mut self, at: Index, mark: &FieldMark, name: &str) -> Outcome {
        let paragraph = self.scan.paragraphs.get(at).ok_or(SkipReason::NotFound)?;
        let is_part = mark.start < mark.end && mark.end - mark.start < paragraph.cells.len();
        if is_part && mark.last_paragraph.is_none_or(|last| last == mark.paragraph) {
            let close = self.find_insertion(paragraph, mark.end, &format!("{{{{/{name}}}}}"))?;
            let open = self.find_insertion(paragraph, mark.start, &format!("{{{{#{name}}}}}"))?;
            for (cell, byte, markup) in [close, open] {
                self.editor.insert_before(byte, &markup);
                self.editor.record_changed_cell(cell);
            }
            return Ok(());
        }
        let last = mark.last_paragraph.unwrap_or(mark.paragraph).checked_sub(1).ok_or(SkipReason::NotFound)?;
        let end = self.scan.paragraphs.get(last).ok_or(SkipReason::NotFound)?;
        if last < at {
            return Err(SkipReason::NotFound);
        }
        if end.parent != paragraph.parent || end.container != paragraph.container || end.fallback || paragraph.fallback
        {
            return Err(SkipReason::NotReplaceable);
        }
        let range = paragraph.range.start..end.range.end;
        let crosses = |(other, _): &(Range<usize>, String)| {
            other.start < range.start && range.start < other.end && other.end < range.end
                || range.start < other.start && other.start < range.end && range.end < other.end
                || *other == range
        };
        if self.sections.iter().any(crosses) {
            return Err(SkipReason::Overlap);
        }
        self.sections.push((range, name.to_owned()));
        Ok(())
    }

    /// Marks the row around a paragraph as repeated.
    fn repeat_row(&mut self, paragraph: &ScannedParagraph, name: &str) -> Outcome {
        let (row, _) = self.scan.containers.row_of(paragraph.container).ok_or(SkipReason::NotReplaceable)?;
        let range = self.scan.containers.rows.get(row).map(|row| row.range.clone()).ok_or(SkipReason::NotFound)?;
        let start = self.scan.paragraphs.partition_point(|one| one.range.start < range.start);
        let inside =
            self.scan.paragraphs.iter().enumerate().skip(start).take_while(|(_, one)| one.range.start < range.end);
        let own: Vec<Index> = inside
            .filter(|(_, one)| {
                !one.fallback && self.scan.containers.row_of(one.container).is_some_and(|(at, _)| at == row)
            })
            .map(|(at, _)| at)
            .collect();
        let cell_of = |at: &Index| self.scan.paragraphs.get(*at).and_then(|one| one.container.cell);
        let (Some(first), Some(last)) = (own.first(), own.last()) else { return Err(SkipReason::NotReplaceable) };
        if cell_of(first) == cell_of(last) {
            return Err(SkipReason::NotReplaceable);
        }
        if !self.repeated_rows.insert(row) {
            return Err(SkipReason::Overlap);
        }
        self.add_run(*first, 0, format!("{{{{#{name}}}}}"));
        self.add_run(*last, 2, format!("{{{{/{name}}}}}"));
        Ok(())
    }

    /// Adds text at the start (order 0) or at the end (order 2) of a paragraph, in a run of its own.
    fn add_run(&mut self, at: Index, order: u8, text: String) {
        let Some(paragraph) = self.scan.paragraphs.get(at) else { return };
        if paragraph.cells.is_empty() {
            self.new_texts.entry(at).or_default().push((order, text));
            return;
        }
        let (prefix, start, end) = self.inside_of(paragraph);
        let markup = format!("<{prefix}r><{prefix}t>{}</{prefix}t></{prefix}r>", partial_escape(&text));
        self.editor.insert(if order == 0 { start } else { end }, markup);
    }

    /// Returns the namespace prefix of a paragraph with its colon, and the byte offsets where its content starts and ends.
    fn inside_of(&self, paragraph: &ScannedParagraph) -> (&'p str, usize, usize) {
        let markup = self.source.get(paragraph.range.clone()).unwrap_or_default();
        let element = markup.get(1..).and_then(|rest| rest.split([' ', '\t', '\r', '\n', '/', '>']).next());
        let prefix = element.and_then(|element| element.strip_suffix('p')).unwrap_or_default();
        let end = paragraph.range.start + markup.rfind("</").unwrap_or(markup.len());
        let values =
            attribute_ranges(markup.split('<').nth(1).unwrap_or_default()).last().map_or(0, |(_, range)| range.end + 1);
        let tag_end = markup.get(values..).and_then(|rest| rest.find('>')).map_or(0, |at| values + at + 1);
        let start = paragraph.properties.as_ref().map_or(paragraph.range.start + tag_end, |properties| properties.end);
        (prefix, start, end)
    }

    /// Sets the alternative text of a picture.
    fn mark_picture(&mut self, cell: &TextCell, name: &str) -> Outcome {
        let at = self.scan.drawings.partition_point(|drawing| drawing.range.start < cell.span.start);
        let drawing = self.scan.drawings.get(at).filter(|drawing| drawing.range.start == cell.span.start);
        let drawing = drawing.ok_or(SkipReason::NotReplaceable)?;
        let (range, markup) = pictures::set_alternative_text(self.source, drawing, &format!("{{{{{name}}}}}"))
            .ok_or(SkipReason::NotReplaceable)?;
        self.claim(&drawing.range)?;
        self.editor.replace_range(range, markup);
        Ok(())
    }

    /// Gives a content control the name as its tag.
    fn tag_control(&mut self, object: Index, name: &str) -> Outcome {
        let control = self.scan.controls.get(object).ok_or(SkipReason::NotFound)?;
        let head = self.source.get(control.range.start..control.content.start).ok_or(SkipReason::NotReplaceable)?;
        if !control.can_be_filled() || control.deleted || !self.tagged_controls.insert(object) {
            return Err(SkipReason::NotReplaceable);
        }
        let (range, markup) = tag_edit(head, &control.prefix, name).ok_or(SkipReason::NotReplaceable)?;
        let start = control.range.start;
        self.claim(&(start..control.content.start)).inspect_err(|_| {
            self.tagged_controls.remove(&object);
        })?;
        self.editor.replace_range(start + range.start..start + range.end, markup);
        Ok(())
    }

    /// Replaces a legacy form field by text, in the run where the field begins.
    fn replace_form_field(&mut self, object: Index, name: &str) -> Outcome {
        let field = self.scan.form_fields.get(object).ok_or(SkipReason::NotFound)?;
        let paragraph = self.scan.paragraphs.get(field.paragraph).ok_or(SkipReason::NotFound)?;
        let text = match field.kind {
            FormFieldKind::CheckBox => check_box_text(name, None),
            _ => format!("{{{{{name}}}}}"),
        };
        self.claim(&field.range)?;
        let prefix = &field.prefix;
        let element = format!("<{prefix}t xml:space=\"preserve\">{}</{prefix}t>", partial_escape(&text));
        self.replace_field(&field.deleted_ranges, element, paragraph, &field.range);
        Ok(())
    }

    /// Replaces the field characters and the result of a field by markup at the start of the field.
    fn replace_field(
        &mut self,
        deleted: &[Range<usize>],
        markup: String,
        paragraph: &'p ScannedParagraph,
        range: &Range<usize>,
    ) {
        for cell in paragraph.cells.get(cells_inside(paragraph, range)).unwrap_or_default() {
            self.editor.delete(cell.span.clone());
            self.editor.record_changed_cell(cell);
        }
        for range in deleted {
            self.editor.delete(range.clone());
        }
        if let Some(first) = deleted.iter().min_by_key(|range| range.start) {
            self.editor.replace_range(first.clone(), markup);
        }
    }

    /// Replaces a merge field by text, unless the merge field already has this name.
    fn replace_merge_field(&mut self, object: Index, name: &str) -> Outcome {
        let merge = self.scan.merge_fields.get(object).ok_or(SkipReason::NotFound)?;
        let MergeContent::Value(value) = &merge.content else { return Err(SkipReason::NotReplaceable) };
        let paragraph =
            merge.paragraph.and_then(|at| self.scan.paragraphs.get(at)).ok_or(SkipReason::NotReplaceable)?;
        if value.field_name().as_deref() == Some(name) {
            return Ok(());
        }
        let end = merge.deleted_ranges.iter().map(|range| range.end).max().unwrap_or(merge.start);
        if merge.in_code || !merge.ended || merge.run.is_some() && !merge.is_run_child || end > paragraph.range.end {
            return Err(SkipReason::NotReplaceable);
        }
        let range = merge.start..end;
        self.claim(&range)?;
        let prefix = &merge.prefix;
        let element =
            format!("<{prefix}t xml:space=\"preserve\">{}</{prefix}t>", partial_escape(format!("{{{{{name}}}}}")));
        let first = paragraph.cells.get(cells_inside(paragraph, &range)).and_then(<[TextCell]>::first);
        let run = first.and_then(|cell| self.scan.runs.get(cell.run));
        let properties = run.and_then(|run| self.source.get(run.properties.clone()?)).unwrap_or_default();
        let markup =
            if merge.run.is_some() { element } else { format!("<{prefix}r>{properties}{element}</{prefix}r>") };
        self.replace_field(&merge.deleted_ranges, markup, paragraph, &range);
        Ok(())
    }

    /// Returns the text of the marked part and its changes. The text is `None` if nothing changes. `original` is the part
    /// before CDATA sections were converted.
    ///
    /// # Errors
    /// `internal` if an edit is outside the part.
    pub(super) fn finish(mut self, original: &str) -> Result<(Option<String>, Vec<MarkChange>)> {
        self.write_sections();
        self.write_new_texts();
        let (source, part) = (self.source, self.scan.part.clone());
        let edits = self.editor.into_edits();
        if edits.is_empty() {
            return Ok((None, Vec::new()));
        }
        let (text, changes) = apply_with_changes(source, edits, &part)?;
        if source == original {
            return Ok((Some(text), changes));
        }
        let whole = MarkChange { part, start: 0, inserted: text.clone(), removed: original.to_owned() };
        Ok((Some(text), vec![whole]))
    }

    /// Writes the tags of optional paragraphs. At one position, ends come before starts. Of two ends, that of the inner
    /// section comes first; of two starts, that of the outer section.
    fn write_sections(&mut self) {
        let mut tags: Vec<(usize, u8, isize, String)> = Vec::new();
        for (range, name) in &self.sections {
            let size = isize::try_from(range.len()).unwrap_or(isize::MAX);
            tags.push((range.end, 0, size, format!("{{{{/{name}}}}}")));
            tags.push((range.start, 1, -size, format!("{{{{#{name}}}}}")));
        }
        tags.sort();
        for (at, _, _, tag) in tags {
            let prefix = self.prefix_near(at);
            let text = partial_escape(&tag);
            let markup = format!("<{prefix}p><{prefix}r><{prefix}t>{text}</{prefix}t></{prefix}r></{prefix}p>");
            self.editor.insert(at, markup);
        }
    }

    /// Returns the namespace prefix of the paragraph that starts or ends at a byte offset.
    fn prefix_near(&self, at: usize) -> &'p str {
        let next = self.scan.paragraphs.partition_point(|one| one.range.start < at);
        let found = self.scan.paragraphs.get(next).filter(|one| one.range.start == at);
        let found = found.or_else(|| self.scan.paragraphs.get(next.checked_sub(1)?));
        found.map_or("w:", |paragraph| self.inside_of(paragraph).0)
    }

    /// Writes the texts of paragraphs without characters. A text has the formatting of the paragraph mark.
    fn write_new_texts(&mut self) {
        for (at, mut texts) in std::mem::take(&mut self.new_texts) {
            let Some(paragraph) = self.scan.paragraphs.get(at) else { continue };
            texts.sort_by_key(|(order, _)| *order);
            let text: String = texts.into_iter().map(|(_, text)| text).collect();
            let (prefix, _, end) = self.inside_of(paragraph);
            let markup = self.source.get(paragraph.range.clone()).unwrap_or_default();
            let properties = self.mark_properties(paragraph);
            let run = format!("<{prefix}r>{properties}<{prefix}t>{}</{prefix}t></{prefix}r>", partial_escape(&text));
            match markup.strip_suffix("/>").filter(|_| !markup.contains("</")) {
                Some(tag) => {
                    let close = paragraph.range.start + tag.len()..paragraph.range.end;
                    self.editor.replace_range(close, format!(">{run}</{prefix}p>"));
                }
                None => self.editor.insert(end, run),
            }
        }
    }

    /// Returns the `w:rPr` of a paragraph mark as the properties of a run.
    fn mark_properties(&self, paragraph: &ScannedParagraph) -> String {
        const NOT_IN_RUNS: [&str; 5] = ["<w:ins ", "<w:del ", "<w:moveFrom", "<w:moveTo", "rPrChange"];
        let source = self.source;
        let markup = paragraph.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
        let found = markup.find("<w:rPr>").and_then(|start| {
            let end = markup.get(start..)?.find("</w:rPr>")?;
            markup.get(start..start + end + "</w:rPr>".len())
        });
        let found = found.filter(|found| !NOT_IN_RUNS.iter().any(|tag| found.contains(tag)));
        found.unwrap_or_default().to_owned()
    }
}

/// Returns the text of a check box as a yes/no field. `shown` is the character of the empty box in the document.
fn check_box_text(name: &str, shown: Option<char>) -> String {
    let empty = shown.unwrap_or('☐');
    format!("{{{{#{name}}}}}☒{{{{/{name}}}}}{{{{^{name}}}}}{empty}{{{{/{name}}}}}")
}

/// Returns `text` without some byte ranges, which are in order.
fn without_ranges(text: &str, ranges: &[Range<usize>]) -> String {
    let (mut kept, mut at) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        kept.push_str(text.get(at..range.start).unwrap_or_default());
        at = range.end.max(at);
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    kept
}

/// Returns the edit that sets the tag of a content control: a byte range in `head`, and the markup that replaces it. `head`
/// is the markup from the start of the control to the start of its content. Returns `None` if `head` is not as expected.
fn tag_edit(head: &str, prefix: &str, name: &str) -> Option<(Range<usize>, String)> {
    let value = escape(name);
    let element = format!("<{prefix}tag {prefix}val=\"{value}\"/>");
    let mut reader = Reader::from_str(head);
    let mut depth = 0;
    // The position after the elements that come before the tag in the schema: w:rPr and w:alias.
    let mut insert_at = None;
    let mut after_control = 0;
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().ok()?;
        let end = reader.buffer_position() as usize;
        let (tag, is_empty) = match &event {
            Event::Start(tag) => (tag, false),
            Event::Empty(tag) => (tag, true),
            Event::End(tag) => {
                depth -= 1;
                if depth == 2 && matches!(tag.local_name().as_ref(), "rPr" | "alias") {
                    insert_at = Some(end);
                }
                if depth == 1 && tag.local_name().as_ref() == "sdtPr" {
                    break;
                }
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let local = tag.local_name();
        match (depth, local.as_ref()) {
            (0, "sdt") => after_control = end,
            (1, "sdtPr") if is_empty => {
                return Some((start..end, format!("<{prefix}sdtPr>{element}</{prefix}sdtPr>")));
            }
            (1, "sdtPr") => insert_at = Some(end),
            (1, _) => break,
            (2, "tag") if is_empty => return Some((start..end, element)),
            (2, "tag") => return Some((start..end, element.replace("/>", ">"))),
            (2, "alias") if is_empty => insert_at = Some(end),
            (2, "rPr") if is_empty => insert_at = Some(end),
            _ => {}
        }
        depth += i32::from(!is_empty);
    }
    match insert_at {
        Some(at) => Some((at..at, element)),
        None => (after_control > 0)
            .then(|| (after_control..after_control, format!("<{prefix}sdtPr>{element}</{prefix}sdtPr>"))),
    }
}

/// Returns the text after the edits, and the edits as changes. Neighbouring edits are one change.
fn apply_with_changes(
    source: &str,
    edits: BTreeMap<usize, (usize, String)>,
    part: &str,
) -> Result<(String, Vec<MarkChange>)> {
    let mut changes: Vec<MarkChange> = Vec::new();
    let (mut at, mut length) = (0_usize, 0_usize);
    for (start, (end, replacement)) in &edits {
        if *start < at {
            continue;
        }
        let end = (*end).max(*start);
        length += start - at;
        let removed = source.get(*start..end).unwrap_or_default();
        match changes.last_mut() {
            Some(last) if *start == at && at > 0 => {
                last.inserted.push_str(replacement);
                last.removed.push_str(removed);
            }
            _ => changes.push(MarkChange {
                part: part.to_owned(),
                start: length,
                inserted: replacement.clone(),
                removed: removed.to_owned(),
            }),
        }
        length += replacement.len();
        at = end;
    }
    let text = crate::fields::edits::apply_edits(source, edits)?;
    Ok((text, changes))
}
