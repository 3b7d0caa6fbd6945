//! Randomly generated documents on small pages with oversized content: every word appears exactly once, and nothing else
//! appears.

mod book;
mod flow_common;
use std::collections::BTreeMap;

use flow_common::*;
use waraq_docx::tree::*;

const DOCUMENTS: u64 = 300;
/// Width in points below which words are broken.
const NARROW: f32 = 60.0;

/// Random generator of document content. (SplitMix64, with the same results on every machine.)
struct DocumentGenerator {
    state: u64,
    words: usize,
    notes: Vec<Note>,
}

impl DocumentGenerator {
    fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.number().is_multiple_of(chances)
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.number() as usize % choices.len()]
    }

    fn word(&mut self) -> String {
        self.words += 1;
        format!("w{}", self.words)
    }

    fn paragraph(&mut self, notes: bool) -> Block {
        let count = self.one_of(&[1, 1, 1, 2, 3, 5, 14]);
        let lines: Vec<String> = (0..count).map(|_| self.word()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let (next, together, page, widows) = (self.one_in(8), self.one_in(8), self.one_in(25), self.one_in(2));
        let (before, after) = (self.one_of(&[0.0, 0.0, 10.0, 30.0]), self.one_of(&[0.0, 0.0, 10.0, 30.0]));
        let paragraph = text(&lines).with_properties(|p| {
            (p.keep_next, p.keep_lines, p.page_break_before, p.widow_control) = (next, together, page, widows);
            (p.spacing.before, p.spacing.after) = (before, after);
        });
        if !notes || !self.one_in(10) {
            return paragraph.into_block();
        }
        let blocks = (0..self.one_of(&[1, 1, 2, 5])).map(|_| self.paragraph(false)).collect();
        self.notes.push(Note { blocks });
        let id = self.notes.len() as i64;
        paragraph.with_content(Content::NoteReference { kind: NoteKind::Footnote, id, custom: true }).into_block()
    }

    /// Creates the blocks of a section (`depth` 0) or of a cell in `depth` nested tables. `room` is the available width.
    fn blocks(&mut self, depth: usize, room: f32) -> Vec<Block> {
        let count = self.one_of(if depth == 0 { &[3, 6, 10] } else { &[1, 1, 2, 4] });
        let mut blocks = Vec::new();
        for _ in 0..count {
            if depth < 3 && room > NARROW && self.one_in(if depth == 0 { 3 } else { 8 }) {
                blocks.push(Block::Table(self.table(depth, room)));
            }
            blocks.push(self.paragraph(true));
        }
        blocks
    }

    fn table(&mut self, depth: usize, room: f32) -> Table {
        let columns = self.one_of(&[1, 2, 3]).min((room / NARROW) as usize);
        let (width, rows) = (room / columns as f32, self.one_of(&[1, 2, 3, 8, 15]));
        let headers = if rows > 3 { self.one_of(&[0, 0, 1, 2]) } else { 0 };
        // Number of rows that the merged cell of each column still covers.
        let mut covered = vec![0; columns];
        let mut made = Vec::new();
        for index in 0..rows {
            let cells = (0..columns).map(|column| {
                if covered[column] > 0 {
                    covered[column] -= 1;
                    return Cell { vertical_merge: VerticalMerge::Continue, ..cell(&[""]) };
                }
                if index < headers {
                    return cell(&["head"]);
                }
                let mut cell = cell(&[""]);
                if depth == 0 && index + 1 < rows && self.one_in(5) {
                    cell.vertical_merge = VerticalMerge::Restart;
                    covered[column] = 1 + self.number() as usize % (rows - index - 1);
                }
                cell.vertical_alignment =
                    self.one_of(&[VerticalAlignment::Top, VerticalAlignment::Center, VerticalAlignment::Bottom]);
                cell.blocks = self.blocks(depth + 1, width - 10.0);
                cell
            });
            let cells = cells.collect();
            let height =
                self.one_of(&[RowHeight::Auto, RowHeight::Auto, RowHeight::AtLeast(30.0), RowHeight::AtLeast(90.0)]);
            made.push(Row { height, header: index < headers, keep_together: self.one_in(5), ..row(cells) });
        }
        let mut table = table(&vec![width; columns], made);
        if depth == 0 && self.one_in(10) {
            table.properties.position = Some(TablePosition {
                horizontal_anchor: FrameAnchor::Text,
                vertical_anchor: FrameAnchor::Text,
                x: Some(PositionValue::Offset(10.0)),
                y: Some(PositionValue::Offset(5.0)),
                distance_left: 0.0,
                distance_right: 10.0,
                distance_top: 0.0,
                distance_bottom: 0.0,
                allow_overlap: true,
            });
        }
        table
    }

    fn document(&mut self) -> Document {
        let sections = (0..self.one_of(&[1, 2, 3])).map(|_| {
            let columns = Columns { count: self.one_of(&[1, 1, 2]), space: 20.0, ..Columns::default() };
            let start = self.one_of(&[SectionStart::NextPage, SectionStart::Continuous, SectionStart::OddPage]);
            let page_height = self.one_of(&[300.0, 800.0]);
            let properties = SectionProperties { start, columns, page_height, page_width: 700.0, ..small_page() };
            Section { properties, blocks: self.blocks(0, 280.0), ..Section::default() }
        });
        let sections = sections.collect();
        let footnotes = self.notes.drain(..).enumerate().map(|(index, note)| (index as i64 + 1, note)).collect();
        Document { sections, footnotes, settings: settings(), ..Document::default() }
    }
}

#[test]
fn every_word_is_on_the_pages_once() {
    let mut wrong = Vec::new();
    for seed in 0..DOCUMENTS {
        let mut maker = DocumentGenerator { state: seed, words: 0, notes: Vec::new() };
        let document = maker.document();
        let pages = lay_out(&document);
        let mut times: BTreeMap<String, usize> = (1..=maker.words).map(|number| (format!("w{number}"), 0)).collect();
        for found in placed_texts(&pages) {
            let height = pages.pages[found.page].height;
            if found.y > 0.0 && found.y < height {
                times.entry(found.text).and_modify(|times| *times += 1);
            }
        }
        let (lost, twice) =
            (times.values().filter(|times| **times == 0).count(), times.values().filter(|times| **times > 1).count());
        if lost + twice > 0 {
            wrong.push(format!("{seed}: {lost} lost, {twice} twice of {} on {} pages", maker.words, pages.pages.len()));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
