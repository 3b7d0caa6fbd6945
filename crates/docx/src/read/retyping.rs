//! Changes of values in a document that was read with [`ReadOptions::values`](super::ReadOptions).

use std::collections::HashMap;

use super::document::most_used_language;
use super::inline::map_symbol_fonts;
use crate::fields::TextChange;
use crate::tree::{Block, Content, Document, Inline};

impl Document {
    /// Replaces the texts of values in the body. The document then equals one that is read from the template with the new
    /// values, except for the work and memory that were counted. Returns false and changes nothing if a value is also printed
    /// elsewhere, for example in a header, or if it is not a single text.
    pub fn replace_values(&mut self, changes: &[TextChange]) -> bool {
        let by_mark: HashMap<u32, &TextChange> = changes.iter().map(|change| (change.mark, change)).collect();
        let mut found: HashMap<u32, usize> = HashMap::new();
        let mut is_replaceable = true;
        self.visit_values(&mut |mark, value| {
            let Some(change) = by_mark.get(&mark) else { return };
            *found.entry(mark).or_default() += 1;
            is_replaceable &= matches!(value, Some(value) if is_text(value, &change.before)
                && map_symbol_fonts(&change.after, &value.run) == change.after);
        });
        let is_complete = |change: &&TextChange| found.get(&change.mark) == Some(&change.occurrences);
        if !is_replaceable || !changes.iter().all(|change| is_complete(&change)) {
            return false;
        }
        let mut lengths = std::mem::take(&mut self.language_lengths);
        self.visit_values(&mut |mark, value| {
            let (Some(change), Some(value)) = (by_mark.get(&mark), value) else { return };
            if let Some(length) = value.run.main_language().and_then(|language| lengths.get_mut(language)) {
                *length = (*length + change.after.len()).saturating_sub(change.before.len());
            }
            value.content = Content::Text(change.after.clone());
        });
        self.language = most_used_language(&lengths).or(self.language.take());
        self.language_lengths = lengths;
        true
    }

    /// Calls `each` for each value in the body, with the number in its marks and the only inline between them. The inline is
    /// `None` if there are several inlines, or none.
    fn visit_values(&mut self, each: &mut dyn FnMut(u32, Option<&mut Inline>)) {
        for section in &mut self.sections {
            visit_values_in_blocks(&mut section.blocks, each);
        }
    }
}

fn visit_values_in_blocks(blocks: &mut [Block], each: &mut dyn FnMut(u32, Option<&mut Inline>)) {
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => visit_values_in_paragraph(&mut paragraph.inlines, each),
            Block::Table(table) => {
                for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
                    visit_values_in_blocks(&mut cell.blocks, each);
                }
            }
        }
    }
}

fn visit_values_in_paragraph(inlines: &mut [Inline], each: &mut dyn FnMut(u32, Option<&mut Inline>)) {
    for start in 0..inlines.len() {
        let (Some(from), after) = inlines.get_mut(start..).unwrap_or_default().split_first_mut().unzip() else {
            continue;
        };
        let Content::ValueStart(mark) = from.content else { continue };
        match after.unwrap_or_default() {
            [value, end, ..] if matches!(end.content, Content::ValueEnd) => each(mark, Some(value)),
            _ => each(mark, None),
        }
    }
}

fn is_text(inline: &Inline, text: &str) -> bool {
    matches!(&inline.content, Content::Text(known) if known == text)
}
