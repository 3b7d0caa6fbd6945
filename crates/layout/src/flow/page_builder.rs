//! Lays out sections into pages: fills one column after the other and begins new pages where the sections require it.

use std::collections::hash_map::Entry;

use waraq_docx::tree::{Block, NoteKind, NotePosition, SectionProperties, SectionStart};

use super::areas::{self, Frame};
use super::column::{BlockCache, ColumnBuilder, ColumnEnd, ColumnInput, ColumnOutput, Cursor, TextAbove};
use super::context::LayoutContext;
use super::field_results::PageNumbering;
use super::fragment::{BreakPosition, BreakToken, Exclusion};
use super::header::{self, HeaderHeightsByKind, HeaderKey};
use super::lay_out::fill_column;
use super::notes::{NoteBuilder, Separator, WaitingNote};
use super::page_draft::{
    Band, NextColumn, PageColumn, PageDraft, PlacedSeparator, displaced_anchor_index, early_floats, float_is_at,
};
use super::spacing::{self, as_paragraph};
use crate::geometry::HorizontalSpan;
use crate::page::Rect;

/// Work units charged to the meter for each new page with its header and footer.
const PAGE_WORK: usize = 200;

/// The pages of a document during layout.
pub(super) struct PageBuilder<'s, 'a> {
    pub ctx: &'s LayoutContext<'a>,
    pub drafts: Vec<PageDraft<'a>>,
    headers: HeaderHeightsByKind,
    memory: BlockCache<'a>,
    notes: Option<NoteBuilder<'a>>,
    /// True while the blocks that are laid out are those of an endnote.
    in_endnotes: bool,
    /// The column in which the next section begins. `None` unless that section begins on the current page, beside columns that
    /// are already filled.
    next_column: Option<NextColumn>,
    max_pages: usize,
    /// True if the document has more pages than allowed, or the meter refused more work.
    pub truncated: bool,
}

impl<'s, 'a> PageBuilder<'s, 'a> {
    pub fn new(ctx: &'s LayoutContext<'a>, max_pages: usize) -> Self {
        Self {
            ctx,
            drafts: Vec::new(),
            headers: HeaderHeightsByKind::default(),
            memory: BlockCache::default(),
            notes: None,
            in_endnotes: false,
            next_column: None,
            max_pages: max_pages.max(1),
            truncated: false,
        }
    }

    /// Lays out all sections.
    pub fn lay_out_sections(&mut self) {
        for index in 0..self.ctx.document.sections.len() {
            if self.truncated {
                return;
            }
            let section = &self.ctx.document.sections[index];
            self.begin_section(index, &section.properties);
            self.lay_out_section(index, &section.blocks);
            if self.ctx.document.settings.endnotes.position == NotePosition::SectionEnd {
                self.lay_out_remaining_footnotes(index);
                self.lay_out_endnotes(index..index + 1);
            }
        }
        let sections = self.ctx.document.sections.len();
        self.lay_out_remaining_footnotes(sections.saturating_sub(1));
        if self.ctx.document.settings.endnotes.position != NotePosition::SectionEnd {
            self.lay_out_endnotes(0..sections);
        }
    }

    /// Lays out endnotes after the text of the sections that reference them (§17.11.5).
    fn lay_out_endnotes(&mut self, sections: std::ops::Range<usize>) {
        let document = self.ctx.document;
        let Some(last) = sections.end.checked_sub(1) else { return };
        let mut ids = Vec::new();
        for section in document.sections.get(sections).unwrap_or_default() {
            super::walk::visit_note_references(&section.blocks, &mut |kind, id, _| {
                if kind == NoteKind::Endnote {
                    ids.push(id);
                }
            });
        }
        let notes = ids.into_iter().filter_map(|id| Some((id, document.endnotes.get(&id)?)));
        for (index, (id, note)) in notes.enumerate() {
            self.ctx.field_results.set_current_note(NoteKind::Endnote, id);
            if index == 0 {
                self.place_endnote_separator(last, &note.blocks);
            }
            self.in_endnotes = true;
            self.lay_out_section(last, &note.blocks);
            self.in_endnotes = false;
        }
    }

    /// Adds pages for footnotes, or parts of them, that did not fit on the pages of the text.
    fn lay_out_remaining_footnotes(&mut self, section: usize) {
        while !self.truncated && self.notes.as_ref().is_some_and(|notes| !notes.waiting.is_empty()) {
            self.begin_page(section, false);
            self.lay_out_band(section, &[], BreakToken::at_block(0), false);
        }
    }

    /// Places the separator above the endnotes. `note` is the first note. The separator goes to the page on which the first two
    /// lines of that note fit.
    fn place_endnote_separator(&mut self, section: usize, note: &'a [Block]) {
        let Some(draft) = self.drafts.last() else { return };
        let Some(band) = draft.bands.last() else { return };
        let Some(frame) = band.columns.last().map(|column| column.frame) else { return };
        let separator = Separator::lay_out(self.ctx, NoteKind::Endnote, false, frame);
        let endless = Frame { height: f32::INFINITY, ..frame };
        let begun = self.ctx.field_results.without_recording(|| self.ctx.lay_out_unbounded_until(note, endless, 1.0));
        let first_lines: f32 = begun.fragments.iter().take(2).map(|fragment| fragment.height).sum();
        let fits = band.bottom + separator.height + first_lines <= draft.notes_top();
        if !fits && band.bottom > draft.body.y {
            self.begin_page(section, false);
            self.lay_out_band(section, &[], BreakToken::at_block(0), false);
        }
        let Some(band) = self.drafts.last_mut().and_then(|draft| draft.bands.last_mut()) else { return };
        let top = band.bottom;
        band.bottom += separator.height;
        band.separator = Some(PlacedSeparator { separator, top });
    }

    /// Begins a new page for a section, unless the section begins on the current page.
    fn begin_section(&mut self, index: usize, properties: &SectionProperties) {
        let Some(current) = self.drafts.last() else {
            return self.begin_first_page(index, properties);
        };
        let before = &self.ctx.document.sections[current.numbering.section.min(index)].properties;
        let same_paper = before.page_width == properties.page_width && before.page_height == properties.page_height;
        match properties.start {
            SectionStart::Continuous if same_paper => {}
            // The section begins in the next column of the current page, if the page has the same columns and an empty one is
            // left (§17.18.77).
            SectionStart::NextColumn if same_paper => match current.next_column(properties) {
                Some(next) => self.next_column = Some(next),
                None => self.begin_first_page(index, properties),
            },
            _ => self.begin_first_page(index, properties),
        }
    }

    /// Begins the first page of a section. If the number of that page must be odd or even, a blank page may come before it.
    fn begin_first_page(&mut self, index: usize, properties: &SectionProperties) {
        let next = self.next_page_number();
        let wrong = match (properties.start, properties.page_number_start) {
            // If the restarted number and the number of the previous page are both odd or both even, a blank page separates the
            // two pages. Word never lays out two odd pages in a row.
            (SectionStart::EvenPage | SectionStart::OddPage, Some(start)) => start % 2 != next % 2,
            (SectionStart::EvenPage, None) => next % 2 == 1,
            (SectionStart::OddPage, None) => next.is_multiple_of(2),
            _ => false,
        };
        if wrong && !self.drafts.is_empty() {
            self.begin_page(index, true);
            if let Some(draft) = self.drafts.last_mut() {
                draft.blank = true;
            }
        }
        self.begin_page(index, true);
    }

    fn next_page_number(&self) -> u32 {
        self.drafts.last().map_or(1, |draft| draft.numbering.number.saturating_add(1))
    }

    fn begin_page(&mut self, section: usize, first_of_section: bool) {
        let wanted = self.ctx.meter().spend(PAGE_WORK);
        if !wanted || self.drafts.len() >= self.max_pages {
            self.truncated = true;
            return;
        }
        let document = self.ctx.document;
        let Some(properties) = document.sections.get(section).map(|section| &section.properties) else { return };
        let number = match properties.page_number_start {
            Some(start) if first_of_section => start,
            _ => self.next_page_number(),
        };
        let state = PageNumbering { index: self.drafts.len(), number, format: properties.page_number_format, section };
        self.ctx.field_results.set_current_page(state);
        let areas = areas::page_areas(properties, &document.settings, number.is_multiple_of(2));
        let kind = header::header_kind(document, section, number, first_of_section);
        let measure =
            || self.ctx.field_results.without_recording(|| header::measure_headers(self.ctx, section, kind, &areas));
        let key = HeaderKey { section, kind, even_page: areas.even };
        let taken = match self.headers.entry(key) {
            Entry::Occupied(known) if !known.get().depends_on_page => known.into_mut(),
            entry => entry.insert_entry(measure()).into_mut(),
        };
        self.drafts.push(PageDraft {
            numbering: state,
            header_kind: kind,
            areas,
            body: taken.body_area(&areas),
            header_depends_on_page: taken.depends_on_page,
            first_of_section,
            blank: false,
            bands: Vec::new(),
            exclusions: taken.exclusions.clone(),
            notes_height: 0.0,
        });
    }

    /// Lays out the blocks of a section, page by page.
    fn lay_out_section(&mut self, index: usize, blocks: &'a [Block]) {
        self.memory = BlockCache::default();
        let mut resume = BreakToken::at_block(0);
        let continues = |next: usize| {
            self.ctx.document.sections.get(next).is_some_and(|s| s.properties.start == SectionStart::Continuous)
        };
        let balanced = continues(index + 1);
        loop {
            match self.lay_out_band(index, blocks, resume, balanced) {
                None | Some(ColumnEnd::Finished) => return,
                Some(ColumnEnd::Full(next) | ColumnEnd::PageBreak(next) | ColumnEnd::ColumnBreak(next)) => {
                    resume = next
                }
            }
            self.begin_page(index, false);
            if self.truncated {
                return;
            }
        }
    }

    /// Lays out blocks from `start` in a band (a group of columns side by side), below the content that is already on the page.
    /// If `balance` is true and all remaining content fits on this page, the columns get equal heights. Returns the reason why
    /// the last column ended, or `None` if the page or the section does not exist.
    fn lay_out_band(
        &mut self,
        section: usize,
        blocks: &'a [Block],
        start: BreakToken,
        balance: bool,
    ) -> Option<ColumnEnd> {
        let properties = &self.ctx.document.sections.get(section)?.properties;
        let draft = self.drafts.last()?;
        self.ctx.field_results.set_current_page(PageNumbering { section, ..draft.numbering });
        let below = draft.bands.last().map_or(draft.body.y, |band| band.bottom);
        let NextColumn { index: skipped, top } = self.next_column.take().unwrap_or(NextColumn { index: 0, top: below });
        // A section that begins within a page keeps its own left and right margins.
        let margin = areas::page_areas(properties, &self.ctx.document.settings, draft.areas.even).margin;
        let columns = areas::column_spans(properties, margin.width);
        let room = (draft.notes_top() - top).max(0.0);
        let at_page_top = draft.bands.is_empty() || (skipped > 0 && top <= draft.body.y + 0.01);
        let first_page = self.drafts.len() == 1 || draft.first_of_section;
        // A section that begins within a page keeps the space above its first paragraph.
        let fresh =
            if at_page_top { first_page } else { matches!(start.position, BreakPosition::Start) && start.block == 0 };
        let sections = &self.ctx.document.sections;
        let before = section.checked_sub(1).filter(|_| fresh).and_then(|before| sections.get(before)?.blocks.last());
        let above = match draft.bands.last().filter(|_| !at_page_top) {
            Some(band) if skipped == 0 => band.space_below(),
            None => before.and_then(as_paragraph).map_or(0.0, spacing::space_after),
            _ => 0.0,
        };
        let above = TextAbove { space: above, paragraph: before.and_then(as_paragraph).filter(|_| skipped == 0) };
        let input = ColumnInput {
            is_endnote: self.in_endnotes,
            next_section_begins_page: self.next_section_begins_page(section),
            text_above: above,
            ..ColumnInput::new(self.ctx, blocks, Frame { section, ..Frame::default() })
        };
        let early = Vec::new();
        let mut band_input = BandInput {
            column_input: input,
            column_spans: &columns,
            margin,
            skipped_columns: skipped,
            top,
            free_height: room,
            at_page_top,
            keeps_space_before: fresh,
            early_floats: early,
        };
        let carried = self.notes.as_ref().map_or_else(Vec::new, |notes| notes.waiting.clone());
        let mut filled = self.fill_columns(&band_input, start.clone(), room);
        // Text above an anchor also wraps around the anchored float. The columns are therefore filled again, with the areas of
        // these floats known in advance.
        band_input.early_floats = early_floats(&filled.columns);
        if !band_input.early_floats.is_empty() {
            self.restore_waiting_notes(&carried);
            let again = self.fill_columns(&band_input, start.clone(), room);
            if band_input.early_floats.iter().all(|early| float_is_at(&again.columns, early)) {
                filled = again;
            } else {
                // The text that wraps around the float pushes the float's anchor to the next page, and the float moves with its
                // anchor, as in Word. (If the section has several columns, the float stays in front of the text, because the
                // anchor would only move to the next column.)
                if columns.len() == 1 {
                    let anchor_index =
                        |early: &Exclusion| displaced_anchor_index(&filled.columns, &again.columns, early);
                    let displaced = band_input.early_floats.iter().filter_map(anchor_index);
                    band_input.column_input.max_fragments = displaced.min().unwrap_or(usize::MAX);
                }
                band_input.early_floats.clear();
                self.restore_waiting_notes(&carried);
                filled = self.fill_columns(&band_input, start.clone(), room);
            }
        }
        if balance && columns.len() > 1 && matches!(filled.end, ColumnEnd::Finished) {
            let (mut low, mut high) = (0.0_f32, filled.columns.iter().map(|column| column.bottom).fold(0.0, f32::max));
            for _ in 0..9 {
                let middle = (low + high) / 2.0;
                self.restore_waiting_notes(&carried);
                let attempt = self.fill_columns(&band_input, start.clone(), middle);
                let fits = attempt.columns.iter().all(|column| column.bottom <= middle + 0.1);
                if matches!(attempt.end, ColumnEnd::Finished) && fits {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            self.restore_waiting_notes(&carried);
            filled = self.fill_columns(&band_input, start, high + 0.1);
        }
        let FilledColumns { columns: set, end } = filled;
        let bottom = set.iter().map(|column| column.bottom + column.space_below).fold(0.0, f32::max) + top;
        let bottom = if skipped > 0 { bottom.max(below) } else { bottom };
        let band = Band { section, columns: set, bottom, separator: None };
        let draft = self.drafts.last_mut()?;
        draft.notes_height += band.notes_height();
        draft.exclusions.extend(band.columns.iter().flat_map(PageColumn::exclusions));
        draft.bands.push(band);
        Some(end)
    }

    /// Resets the footnotes that wait for space, before the columns are filled again. `carried` has those that waited before the
    /// columns were first filled.
    fn restore_waiting_notes(&mut self, carried: &[WaitingNote<'a>]) {
        if let Some(notes) = &mut self.notes {
            notes.waiting = carried.to_vec();
        }
    }

    /// Fills the columns of a band one after the other. Each column is at most `height` points high.
    fn fill_columns(
        &mut self,
        band_input: &BandInput<'_, 's, 'a>,
        start: BreakToken,
        height: f32,
    ) -> FilledColumns<'a> {
        let mut set: Vec<PageColumn<'a>> = Vec::with_capacity(band_input.column_spans.len());
        let mut resume = start;
        let last = band_input.column_spans.len().saturating_sub(1);
        for (index, span) in band_input.column_spans.iter().enumerate().skip(band_input.skipped_columns) {
            let Some(draft) = self.drafts.last() else { break };
            let area = Rect::new(band_input.margin.x + span.left, band_input.top, span.width, height);
            let frame = Frame {
                width: span.width,
                height,
                page: draft.areas.page.translated(-area.x, -area.y),
                margin: Rect {
                    y: draft.areas.margin.y - area.y,
                    height: draft.areas.margin.height,
                    ..band_input.margin.translated(-area.x, 0.0)
                },
                even_page: draft.areas.even,
                // If the band does not begin at the page top, text that fits in none of its columns moves to the next page.
                full_height: band_input.at_page_top,
                at_page_top: band_input.at_page_top && index == 0,
                ..band_input.column_input.frame
            };
            let mut outer = self.floats_on_page(&set, &area);
            outer.extend(band_input.early_floats.iter().map(|e| e.moved(-area.x, -area.y)));
            let mut notes = self.notes.take().unwrap_or_else(|| NoteBuilder::new(frame));
            notes.begin_column(&frame);
            notes.has_notes_above = draft.notes_height > 0.0 && last == 0;
            notes.free_height_below = (band_input.free_height - height).max(0.0);
            let input = ColumnInput { frame, outer_floats: outer, ..band_input.column_input.clone() };
            let mut builder =
                ColumnBuilder::new(input, band_input.keeps_space_before && index == 0, &mut self.memory, Some(notes));
            let end = fill_column(&mut builder, resume.clone());
            let ColumnBuilder { cursor: Cursor { y: bottom, space_below, .. }, output, notes, .. } = builder;
            self.notes = notes;
            let room = height - output.required_height(bottom);
            let notes = self.notes.as_mut().map_or_else(Default::default, |notes| notes.place_notes(self.ctx, room));
            let ColumnOutput { fragments, floats, .. } = output;
            set.push(PageColumn { area, frame, fragments, floats, notes, bottom, space_below });
            match end {
                ColumnEnd::Finished | ColumnEnd::PageBreak(_) => return FilledColumns { columns: set, end },
                ColumnEnd::Full(next) | ColumnEnd::ColumnBreak(next) if index < last => resume = next,
                end => return FilledColumns { columns: set, end },
            }
        }
        FilledColumns { columns: set, end: ColumnEnd::Full(resume) }
    }

    /// Returns true if the next section begins on a new page.
    fn next_section_begins_page(&self, section: usize) -> bool {
        let next = self.ctx.document.sections.get(section + 1);
        next.is_some_and(|next| !matches!(next.properties.start, SectionStart::Continuous | SectionStart::NextColumn))
    }

    /// Returns the areas of the floats that are already on the page and of those in the columns `set`. The areas are in the
    /// coordinates of the column at `area`.
    fn floats_on_page(&self, set: &[PageColumn<'a>], area: &Rect) -> Vec<Exclusion> {
        let Some(draft) = self.drafts.last() else { return Vec::new() };
        let on_page = draft.exclusions.iter().copied().chain(set.iter().flat_map(PageColumn::exclusions));
        on_page.map(|e| e.moved(-area.x, -area.y)).collect()
    }
}

/// The filled columns of a band.
struct FilledColumns<'a> {
    /// The columns in reading order.
    columns: Vec<PageColumn<'a>>,
    /// The reason why the last column ended.
    end: ColumnEnd,
}

/// The inputs of a band of columns. They stay the same while the columns are filled several times with different heights.
struct BandInput<'t, 's, 'a> {
    /// The input that all columns of the band share. Its frame and its floats are replaced for each column.
    column_input: ColumnInput<'s, 'a>,
    /// Left edge and width of each column, relative to the margin area.
    column_spans: &'t [HorizontalSpan],
    /// Margin area of the section on the page.
    margin: Rect,
    /// Number of columns that the previous section has filled. This band begins after them.
    skipped_columns: usize,
    /// Top of the band on the page, in points.
    top: f32,
    /// Height in points from the top of the band to the notes that are already on the page, or to the end of the body if there
    /// are no notes.
    free_height: f32,
    /// True if no text is above the band on its page.
    at_page_top: bool,
    /// True if the space before the first paragraph of the band is kept.
    keeps_space_before: bool,
    /// Areas on the page of floats that overlap text above their own anchors. This text must wrap around the floats, so the
    /// columns are filled again with these areas known in advance.
    early_floats: Vec<Exclusion>,
}
