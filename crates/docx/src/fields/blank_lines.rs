//! Lines that contain only empty merge fields. They are left out, as in a mail merge of Word.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::fill::PartFiller;
use super::scan::{Index, Neighbor, ScannedParagraph};

/// The merge fields of a paragraph: the byte offset where each starts, and whether its text is empty.
type FieldsOfParagraph = Vec<(usize, bool)>;

impl PartFiller<'_, '_> {
    /// Deletes the paragraphs and lines that contain only white space and merge fields without text.
    ///
    /// A paragraph stays if it contains anything else, such as a picture, a bookmark or a section break. It also stays
    /// where Word needs a paragraph, for example as the only paragraph of a table cell. The settings of the document
    /// may keep all lines (w:doNotSuppressBlankLines).
    pub(super) fn delete_blank_lines(&mut self) {
        if self.part.merge.keeps_blank_lines {
            return;
        }
        let mut by_paragraph: BTreeMap<Index, FieldsOfParagraph> = BTreeMap::new();
        let mut empty = HashMap::new();
        for (index, merge) in self.story.filled_merge_fields() {
            let Some(paragraph) = merge.paragraph else { continue };
            let is_single_line =
                self.story.paragraphs.get(paragraph).is_some_and(|paragraph| lines(paragraph).len() == 1);
            let is_blank = self.is_blank_merge(merge, is_single_line);
            by_paragraph.entry(paragraph).or_default().push((merge.start, is_blank));
            empty.insert(index, is_blank);
        }
        let mut deleted = HashSet::new();
        for (index, fields) in by_paragraph {
            let Some(paragraph) = self.story.paragraphs.get(index).filter(|paragraph| !paragraph.has_other_content)
            else {
                continue;
            };
            let lines = lines(paragraph);
            let blank: Vec<bool> = lines.iter().map(|line| is_blank(paragraph, line, &fields, &empty)).collect();
            if blank.iter().all(|blank| *blank) && self.can_delete(paragraph, &deleted) {
                deleted.insert(index);
                self.editor.delete(paragraph.range.clone());
                continue;
            }
            // A line is deleted with the break after it. A line that no other line follows is deleted with the break
            // before it.
            let last_kept = blank.iter().rposition(|blank| !blank);
            for (at, line) in lines.into_iter().enumerate().filter(|(at, _)| blank.get(*at) == Some(&true)) {
                let line_break = if Some(at) < last_kept { Some(line.end) } else { line.start.checked_sub(1) };
                let line_break = line_break.and_then(|at| paragraph.cells.get(at));
                let spaces =
                    paragraph.cells.get(line).unwrap_or_default().iter().filter(|cell| cell.merge_field.is_none());
                for cell in spaces.chain(line_break) {
                    self.editor.delete(cell.span.clone());
                }
            }
        }
    }

    /// Returns `true` if the paragraph can be deleted. `deleted` contains the indices of the paragraphs that are
    /// already deleted.
    ///
    /// A table cell, header or note must end with a paragraph. The only paragraph between two tables also stays,
    /// because the tables would otherwise become one table.
    fn can_delete(&self, paragraph: &ScannedParagraph, deleted: &HashSet<Index>) -> bool {
        if matches!(paragraph.after, Some(Neighbor::Paragraph(_))) {
            return true;
        }
        let mut before = paragraph.before;
        while let Some(Neighbor::Paragraph(at)) = before
            && deleted.contains(&at)
        {
            before = self.story.paragraphs.get(at).and_then(|paragraph| paragraph.before);
        }
        match paragraph.after {
            Some(_) => !matches!(before, Some(Neighbor::Other)),
            None => matches!(before, Some(Neighbor::Paragraph(_))),
        }
    }
}

/// Returns the lines of a paragraph as ranges of its cells, without the line breaks. Only line breaks outside merge
/// fields end a line, because the result of a merge field is replaced.
fn lines(paragraph: &ScannedParagraph) -> Vec<Range<Index>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, cell) in paragraph.cells.iter().enumerate() {
        if cell.character == '\n' && cell.merge_field.is_none() {
            lines.push(start..at);
            start = at + 1;
        }
    }
    lines.push(start..paragraph.cells.len());
    lines
}

/// Returns `true` if the line contains at least one merge field, only merge fields without text, and no other characters
/// except white space. `empty` tells for each merge field of the part whether its text is empty.
fn is_blank(
    paragraph: &ScannedParagraph,
    line: &Range<Index>,
    fields: &[(usize, bool)],
    empty: &HashMap<Index, bool>,
) -> bool {
    let from = line.start.checked_sub(1).and_then(|at| paragraph.cells.get(at)).map_or(0, |cell| cell.span.end);
    let to = paragraph.cells.get(line.end).map_or(usize::MAX, |cell| cell.span.start);
    // A merge field without a result has no cells.
    let mut inside = fields.iter().filter(|(start, _)| (from..to).contains(start)).peekable();
    let cells = paragraph.cells.get(line.clone()).unwrap_or_default();
    inside.peek().is_some()
        && inside.all(|(_, is_empty)| *is_empty)
        && cells.iter().all(|cell| match cell.merge_field {
            Some(merge) => empty.get(&merge) == Some(&true),
            None => cell.character.is_whitespace() && cell.control.is_none(),
        })
}
