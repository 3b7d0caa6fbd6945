//! Lays out sections into pages: fills one column after the other and begins new pages where the sections require it.

use waraq_docx::tree::{Block, NoteKind, NotePosition, SectionProperties, SectionStart};

use super::answers::PageState;
use super::areas::{self, Frame};
use super::column::{Cursor, End, Filled, Filler, Given, Memory, TextAbove};
use super::draft::{Band, Column, Draft, driven_out, early_floats, stands};
use super::fill::fill;
use super::header::{self, Headers};
use super::notes::{NoteRoom, Separator, Waiting};
use super::setter::Setter;
use super::spacing::{self, as_paragraph};
use super::unit::{Exclusion, Resume, Within};
use crate::page::Rect;

/// Work units charged to the meter for each new page with its header and footer.
const PAGE_WORK: usize = 200;
/// Minimum distance in points between the body and a header or footer that extends beyond its margin, as in Word. The value is
/// not documented. It was measured with seven documents of two templates: 0.41 to 0.45 give 67 more page starts that match Word
/// than 0. One other document then has one matching page start less.
const APART: f32 = 0.45;

/// The pages of a document during layout.
pub(super) struct Book<'s, 'a> {
    pub setter: &'s Setter<'a>,
    pub drafts: Vec<Draft<'a>>,
    headers: Headers,
    memory: Memory<'a>,
    notes: Option<NoteRoom<'a>>,
    /// True while endnotes are laid out.
    in_endnotes: bool,
    /// Index and top of the column in which the next section begins, if it begins on the current page beside filled columns.
    next_column: Option<(usize, f32)>,
    max_pages: usize,
    /// True if the document has more pages than allowed, or the meter refused more work.
    pub truncated: bool,
}

impl<'s, 'a> Book<'s, 'a> {
    pub fn new(setter: &'s Setter<'a>, max_pages: usize) -> Self {
        Self {
            setter,
            drafts: Vec::new(),
            headers: Headers::default(),
            memory: Memory::default(),
            notes: None,
            in_endnotes: false,
            next_column: None,
            max_pages: max_pages.max(1),
            truncated: false,
        }
    }

    /// Lays out all sections.
    pub fn fill(&mut self) {
        for index in 0..self.setter.document.sections.len() {
            if self.truncated {
                return;
            }
            let section = &self.setter.document.sections[index];
            self.begin_section(index, &section.properties);
            self.section(index, &section.blocks);
            if self.setter.document.settings.endnotes.position == NotePosition::SectionEnd {
                self.rest_of_notes(index);
                self.endnotes(index..index + 1);
            }
        }
        let sections = self.setter.document.sections.len();
        self.rest_of_notes(sections.saturating_sub(1));
        if self.setter.document.settings.endnotes.position != NotePosition::SectionEnd {
            self.endnotes(0..sections);
        }
    }

    /// Lays out endnotes after the text of the sections that reference them (§17.11.5).
    fn endnotes(&mut self, sections: std::ops::Range<usize>) {
        let document = self.setter.document;
        let Some(last) = sections.end.checked_sub(1) else { return };
        let mut ids = Vec::new();
        for section in document.sections.get(sections).unwrap_or_default() {
            super::walk::notes(&section.blocks, &mut |kind, id, _| {
                if kind == NoteKind::Endnote {
                    ids.push(id);
                }
            });
        }
        let notes = ids.into_iter().filter_map(|id| Some((id, document.endnotes.get(&id)?)));
        for (index, (id, note)) in notes.enumerate() {
            self.setter.answers.set_note(NoteKind::Endnote, id);
            if index == 0 {
                self.separator_above_endnotes(last, &note.blocks);
            }
            self.in_endnotes = true;
            self.section(last, &note.blocks);
            self.in_endnotes = false;
        }
    }

    /// Adds pages for the rest of footnotes that did not fit on the pages of the text.
    fn rest_of_notes(&mut self, section: usize) {
        while !self.truncated && self.notes.as_ref().is_some_and(|notes| !notes.carried.is_empty()) {
            self.new_page(section, false);
            self.band(section, &[], Resume::at(0), false);
        }
    }

    /// Places the separator above the endnotes, on the page where the first two lines of the first note `note` fit.
    fn separator_above_endnotes(&mut self, section: usize, note: &'a [Block]) {
        let Some(draft) = self.drafts.last() else { return };
        let Some(band) = draft.bands.last() else { return };
        let Some(frame) = band.columns.last().map(|column| column.frame) else { return };
        let separator = Separator::of(self.setter, NoteKind::Endnote, false, frame);
        let endless = Frame { height: f32::INFINITY, ..frame };
        let begun = self.setter.answers.provisionally(|| self.setter.galley_until(note, endless, 1.0));
        let first_lines: f32 = begun.units.iter().take(2).map(|unit| unit.height).sum();
        let fits = band.bottom + separator.height + first_lines <= draft.notes_top();
        if !fits && band.bottom > draft.body.y {
            self.new_page(section, false);
            self.band(section, &[], Resume::at(0), false);
        }
        let Some(band) = self.drafts.last_mut().and_then(|draft| draft.bands.last_mut()) else { return };
        let top = band.bottom;
        band.bottom += separator.height;
        band.separator = Some((separator, top));
    }

    /// Begins a page for a section, unless the section begins on the current page.
    fn begin_section(&mut self, index: usize, properties: &SectionProperties) {
        let Some(current) = self.drafts.last() else {
            return self.first_page_of(index, properties);
        };
        let before = &self.setter.document.sections[current.state.section.min(index)].properties;
        let same_paper = before.page_width == properties.page_width && before.page_height == properties.page_height;
        match properties.start {
            SectionStart::Continuous if same_paper => {}
            // The section begins in the next column of the current page, if the page has the same columns and an empty one is
            // left (§17.18.77).
            SectionStart::NextColumn if same_paper => match current.next_column(properties) {
                Some(next) => self.next_column = Some(next),
                None => self.first_page_of(index, properties),
            },
            _ => self.first_page_of(index, properties),
        }
    }

    /// Begins the first page of a section. If its number must be odd or even, a blank page may come before it.
    fn first_page_of(&mut self, index: usize, properties: &SectionProperties) {
        let next = self.next_number();
        let wrong = match (properties.start, properties.page_number_start) {
            // If the restarted number and the number of the previous page are both odd or both even, a blank page separates
            // them. Word never lays out two odd pages in a row.
            (SectionStart::EvenPage | SectionStart::OddPage, Some(start)) => start % 2 != next % 2,
            (SectionStart::EvenPage, None) => next % 2 == 1,
            (SectionStart::OddPage, None) => next.is_multiple_of(2),
            _ => false,
        };
        if wrong && !self.drafts.is_empty() {
            self.new_page(index, true);
            if let Some(draft) = self.drafts.last_mut() {
                draft.blank = true;
            }
        }
        self.new_page(index, true);
    }

    fn next_number(&self) -> u32 {
        self.drafts.last().map_or(1, |draft| draft.state.number.saturating_add(1))
    }

    fn new_page(&mut self, section: usize, first_of_section: bool) {
        let wanted = self.setter.meter().spend(PAGE_WORK);
        if !wanted || self.drafts.len() >= self.max_pages {
            self.truncated = true;
            return;
        }
        let document = self.setter.document;
        let Some(properties) = document.sections.get(section).map(|section| &section.properties) else { return };
        let number = match properties.page_number_start {
            Some(start) if first_of_section => start,
            _ => self.next_number(),
        };
        let state = PageState { number, format: properties.page_number_format, section };
        self.setter.answers.set_page(state);
        let areas = areas::of_page(properties, &document.settings, number.is_multiple_of(2));
        let mut body = areas.margin;
        let kind = header::kind(document, section, number, first_of_section);
        let measure = || self.setter.answers.provisionally(|| header::measure(self.setter, section, kind, &areas));
        let taken = self.headers.entry((section, kind, areas.even)).or_insert_with(measure);
        if !areas.exact_top {
            let pushed = areas.header_top + taken.header + APART;
            if taken.header > 0.0 && pushed > body.y {
                body.height -= pushed - body.y;
                body.y = pushed;
            }
        }
        if !areas.exact_bottom && taken.footer > 0.0 {
            body.height = body.height.min(areas.footer_bottom - taken.footer - APART - body.y);
        }
        // If header and footer leave less than an eighth of the page height for the body, the body gets a third of it.
        if body.height < areas.page.height / 8.0 {
            body.y = body.y.min(areas.page.height * 0.6);
            body.height = areas.page.height / 3.0;
        }
        self.drafts.push(Draft {
            state,
            header: kind,
            areas,
            body,
            first_of_section,
            blank: false,
            bands: Vec::new(),
            exclusions: taken.exclusions.clone(),
            notes_height: 0.0,
        });
    }

    /// Lays out the blocks of a section, page by page.
    fn section(&mut self, index: usize, blocks: &'a [Block]) {
        self.memory = Memory::default();
        let mut resume = Resume::at(0);
        let continues = |next: usize| {
            self.setter.document.sections.get(next).is_some_and(|s| s.properties.start == SectionStart::Continuous)
        };
        let balanced = continues(index + 1);
        loop {
            match self.band(index, blocks, resume, balanced) {
                None | Some(End::Finished) => return,
                Some(End::Full(next) | End::PageBreak(next) | End::ColumnBreak(next)) => resume = next,
            }
            self.new_page(index, false);
            if self.truncated {
                return;
            }
        }
    }

    /// Lays out blocks from `start` in a band of columns below the content of the page. With `balance`, the columns get equal
    /// heights if all remaining content fits on this page. Returns the reason why the last column ended, or `None` without a
    /// page or a section.
    fn band(&mut self, section: usize, blocks: &'a [Block], start: Resume, balance: bool) -> Option<End> {
        let properties = &self.setter.document.sections.get(section)?.properties;
        let draft = self.drafts.last()?;
        self.setter.answers.set_page(PageState { section, ..draft.state });
        let below = draft.bands.last().map_or(draft.body.y, |band| band.bottom);
        let (skipped, top) = self.next_column.take().unwrap_or((0, below));
        // A section that begins within a page keeps its own left and right margins.
        let margin = areas::of_page(properties, &self.setter.document.settings, draft.areas.even).margin;
        let columns = areas::columns(properties, margin.width);
        let room = (draft.notes_top() - top).max(0.0);
        let at_page_top = draft.bands.is_empty() || (skipped > 0 && top <= draft.body.y + 0.01);
        let first_page = self.drafts.len() == 1 || draft.first_of_section;
        // A section that begins within a page keeps the space above its first paragraph.
        let fresh = if at_page_top { first_page } else { matches!(start.within, Within::Start) && start.block == 0 };
        let sections = &self.setter.document.sections;
        let before = section.checked_sub(1).filter(|_| fresh).and_then(|before| sections.get(before)?.blocks.last());
        let above = match draft.bands.last().filter(|_| !at_page_top) {
            Some(band) if skipped == 0 => band.space_below(),
            None => before.and_then(as_paragraph).map_or(0.0, spacing::below),
            _ => 0.0,
        };
        let above = TextAbove { space: above, paragraph: before.and_then(as_paragraph).filter(|_| skipped == 0) };
        let given = Given {
            in_endnote: self.in_endnotes,
            page_follows: self.page_follows(section),
            text_above: above,
            ..Given::new(self.setter, blocks, Frame { section, ..Frame::default() })
        };
        let early = Vec::new();
        let mut tries = Tries { given, columns: &columns, margin, skipped, top, room, at_page_top, fresh, early };
        let carried = self.notes.as_ref().map_or_else(Vec::new, |notes| notes.carried.clone());
        let (mut set, mut end) = self.columns(&tries, start.clone(), room);
        // Text above an anchor also wraps around the anchored float. The columns are therefore filled again, with the areas of
        // these floats known in advance.
        tries.early = early_floats(&set);
        if !tries.early.is_empty() {
            self.restore(&carried);
            let (again, again_end) = self.columns(&tries, start.clone(), room);
            if tries.early.iter().all(|early| stands(&again, early)) {
                (set, end) = (again, again_end);
            } else {
                // The text that wraps around the float pushes the float's anchor to the next page, and the float moves with its
                // anchor, as in Word. (If the section has several columns, the float stays in front of the text, because the
                // anchor would only move to the next column.)
                if columns.len() == 1 {
                    let driven_out = tries.early.iter().filter_map(|early| driven_out(&set, &again, early));
                    tries.given.most_units = driven_out.min().unwrap_or(usize::MAX);
                }
                tries.early.clear();
                self.restore(&carried);
                (set, end) = self.columns(&tries, start.clone(), room);
            }
        }
        if balance && columns.len() > 1 && matches!(end, End::Finished) {
            let (mut low, mut high) = (0.0_f32, set.iter().map(|column| column.bottom).fold(0.0, f32::max));
            for _ in 0..9 {
                let middle = (low + high) / 2.0;
                self.restore(&carried);
                let (columns, middle_end) = self.columns(&tries, start.clone(), middle);
                let fits = columns.iter().all(|column| column.bottom <= middle + 0.1);
                if matches!(middle_end, End::Finished) && fits {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            self.restore(&carried);
            (set, end) = self.columns(&tries, start, high + 0.1);
        }
        let bottom = set.iter().map(|column| column.bottom + column.space_below).fold(0.0, f32::max) + top;
        let bottom = if skipped > 0 { bottom.max(below) } else { bottom };
        let band = Band { section, columns: set, bottom, separator: None };
        let draft = self.drafts.last_mut()?;
        draft.notes_height += band.notes_height();
        draft.exclusions.extend(band.columns.iter().flat_map(Column::exclusions));
        draft.bands.push(band);
        Some(end)
    }

    /// Resets the footnotes that wait for space, before the columns are filled again.
    fn restore(&mut self, carried: &[Waiting<'a>]) {
        if let Some(notes) = &mut self.notes {
            notes.carried = carried.to_vec();
        }
    }

    /// Fills one column after the other up to the given height. Returns the columns and the reason why the last one ended.
    fn columns(&mut self, tries: &Tries<'_, 's, 'a>, start: Resume, height: f32) -> (Vec<Column<'a>>, End) {
        let mut set: Vec<Column<'a>> = Vec::with_capacity(tries.columns.len());
        let mut resume = start;
        let last = tries.columns.len().saturating_sub(1);
        for (index, (x, width)) in tries.columns.iter().enumerate().skip(tries.skipped) {
            let Some(draft) = self.drafts.last() else { break };
            let area = Rect::new(tries.margin.x + x, tries.top, *width, height);
            let frame = Frame {
                width: *width,
                height,
                page: draft.areas.page.moved(-area.x, -area.y),
                margin: Rect {
                    y: draft.areas.margin.y - area.y,
                    height: draft.areas.margin.height,
                    ..tries.margin.moved(-area.x, 0.0)
                },
                even_page: draft.areas.even,
                // In a band further down the page, text that fits in no column moves to the next page.
                full: tries.at_page_top,
                page_start: tries.at_page_top && index == 0,
                ..tries.given.frame
            };
            let mut outer = self.outer(&set, &area);
            outer.extend(tries.early.iter().map(|e| e.moved(-area.x, -area.y)));
            let mut notes = self.notes.take().unwrap_or_else(|| NoteRoom::new(frame));
            notes.begin(&frame);
            notes.separated = draft.notes_height > 0.0 && last == 0;
            notes.below = (tries.room - height).max(0.0);
            let given = Given { frame, outer, ..tries.given.clone() };
            let mut filler = Filler::new(given, tries.fresh && index == 0, &mut self.memory, Some(notes));
            let end = fill(&mut filler, resume.clone());
            let Filler { cursor: Cursor { y: bottom, space_below, .. }, filled, notes, .. } = filler;
            self.notes = notes;
            let room = height - filled.room_bottom(bottom);
            let notes = self.notes.as_mut().map_or_else(Default::default, |notes| notes.place(self.setter, room));
            let Filled { units, floats, .. } = filled;
            set.push(Column { area, frame, units, floats, notes, bottom, space_below });
            match end {
                End::Finished | End::PageBreak(_) => return (set, end),
                End::Full(next) | End::ColumnBreak(next) if index < last => resume = next,
                end => return (set, end),
            }
        }
        (set, End::Full(resume))
    }

    /// Returns true if the next section begins on its own page.
    fn page_follows(&self, section: usize) -> bool {
        let next = self.setter.document.sections.get(section + 1);
        next.is_some_and(|next| !matches!(next.properties.start, SectionStart::Continuous | SectionStart::NextColumn))
    }

    /// Returns the areas of the floats that are already on the page, including the columns `set`, in the coordinates of the
    /// column at `area`.
    fn outer(&self, set: &[Column<'a>], area: &Rect) -> Vec<Exclusion> {
        let Some(draft) = self.drafts.last() else { return Vec::new() };
        let on_page = draft.exclusions.iter().copied().chain(set.iter().flat_map(Column::exclusions));
        on_page.map(|e| e.moved(-area.x, -area.y)).collect()
    }
}

/// The inputs of a band of columns. They stay the same while the columns are filled several times with different heights.
struct Tries<'t, 's, 'a> {
    /// Input of every column. Its frame and its floats are replaced for each column.
    given: Given<'s, 'a>,
    /// Left edge and width of each column, relative to the margin area.
    columns: &'t [(f32, f32)],
    /// Margin area of the section on the page.
    margin: Rect,
    /// Number of columns that the previous section has filled.
    skipped: usize,
    /// Top of the band on the page.
    top: f32,
    /// Distance from the top to the notes that are already on the page, or to the end of the body.
    room: f32,
    /// True if no text is above the band on its page.
    at_page_top: bool,
    /// True if the first paragraph keeps its space before.
    fresh: bool,
    /// Areas on the page of floats that are known in advance, because text above their anchors wraps around them.
    early: Vec<Exclusion>,
}
