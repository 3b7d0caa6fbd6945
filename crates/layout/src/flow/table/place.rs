//! Rows into a column.

use std::rc::Rc;

use waraq_docx::tree::{RowHeight, Table};

use super::super::fill::{End, Filler};
use super::super::float::{self, Exclusion, Float, FloatContent, frame_place};
use super::super::geometry::positive;
use super::super::notes::NoteRoom;
use super::super::unit::{Content, Cut, Keep, Resume, RowPiece, Unit, Within};
use super::{TableLayout, Urgency, cut, measure};
use crate::page::Rect;

impl<'a> Filler<'_, 'a> {
    /// Sets a table from where `resume` says. `None`: it is done.
    pub fn table(&mut self, resume: &Resume, table: &'a Table, mut notes: Option<&mut NoteRoom<'a>>) -> Option<End> {
        let mut layout = self.measured(table);
        if layout.rows.is_empty() {
            return None;
        }
        let (first, mut from) = match &resume.within {
            Within::Table { row, cut, .. } => (*row, cut.clone()),
            _ => (0, None),
        };
        // One that had to be set row by row stays so.
        if first == 0 && from.is_none() && self.floats_away(&layout, notes.as_deref_mut()) {
            return None;
        }
        if first == 0 && from.is_none() {
            self.y += self.space_below;
            self.beside_floats(&mut layout);
        } else {
            self.repeat_header(&layout, resume, first);
        }
        self.space_below = 0.0;
        self.fresh = false;
        for row in first..layout.rows.len() {
            if let Some(end) = self.row(&layout, resume, row, from.take(), notes.as_deref_mut()) {
                return Some(end);
            }
        }
        let keeps = layout.rows.last().is_some_and(row_keeps_next);
        (self.above, self.row_above_keeps) = (None, keeps);
        None
    }

    /// A table is not narrowed by what floats: it is moved beside it where there is room, else it begins below, as in Word.
    fn beside_floats(&mut self, layout: &mut Rc<TableLayout<'a>>) {
        let height = layout.rows.first().map_or(0.0, |row| row.height);
        let (left, right) = (layout.x + 0.5, layout.x + layout.width - 0.5);
        for _ in 0..self.floats.len() + self.outer.len() {
            let y = self.y;
            let crosses =
                |area: &Rect| area.x < right && area.right() > left && area.y < y + height && area.bottom() > y + 0.01;
            let Some(bottom) =
                self.exclusions().map(|e| e.area).filter(crosses).map(|area| area.bottom()).reduce(f32::min)
            else {
                return;
            };
            if let Some(x) = self.room_beside(layout, height) {
                *layout = Rc::new(TableLayout { x, ..TableLayout::clone(layout) });
                return;
            }
            self.y = bottom;
        }
    }

    /// The left edge of a gap between what floats that the whole table fits into.
    fn room_beside(&self, layout: &TableLayout<'a>, height: f32) -> Option<f32> {
        let (y, slots) = float::slots(self.exclusions(), self.y, height, self.frame.width);
        if (y - self.y).abs() > 0.01 {
            return None;
        }
        // What hangs out by its cell margins may hang out here too.
        let hang = (-layout.x).max(0.0);
        let fits = slots.iter().find(|slot| slot.width + hang * 2.0 >= layout.width - 0.5)?;
        Some(layout.x.clamp(fits.left - hang, (fits.left + fits.width + hang - layout.width).max(fits.left - hang)))
    }

    pub(super) fn measured(&mut self, table: &'a Table) -> Rc<TableLayout<'a>> {
        let key = (std::ptr::from_ref(table) as usize, self.frame.width.to_bits());
        if let Some(layout) = self.memory.tables.get(&key) {
            return Rc::clone(layout);
        }
        let layout = Rc::new(measure::measure(self.setter, table, &self.frame));
        if self.bounded() {
            self.memory.tables.insert(key, Rc::clone(&layout));
        }
        layout
    }

    /// Header rows again at the top of a column (§17.4.78), if they leave room for rows.
    fn repeat_header(&mut self, layout: &Rc<TableLayout<'a>>, resume: &Resume, first: usize) {
        let height: f32 = layout.rows.iter().take(layout.header_rows).map(|row| row.height).sum();
        if first < layout.header_rows || layout.header_rows == 0 || height > self.frame.height * 0.6 {
            return;
        }
        for row in 0..layout.header_rows {
            let piece = RowPiece { table: Rc::clone(layout), row, from: None, to: None, repeated: true };
            let height = layout.rows[row].height;
            let unit = Unit {
                y: self.y,
                height,
                keep: Keep::HEAD,
                resume: resume.clone(),
                content: Content::Row(piece),
                notes: Vec::new(),
            };
            self.y += height;
            self.units.push(unit);
        }
        self.floor = self.units.len();
    }

    /// Sets a row, or what of it is left from the column before: whole, or as much as fits.
    fn row(
        &mut self,
        layout: &Rc<TableLayout<'a>>,
        resume: &Resume,
        row: usize,
        from: Option<Rc<Cut>>,
        notes: Option<&mut NoteRoom<'a>>,
    ) -> Option<End> {
        let last = row + 1 == layout.rows.len();
        let height = self
            .merged_height(layout, row, from.as_deref())
            .unwrap_or_else(|| layout.piece_height(row, from.as_deref(), None));
        let height = height + if last { layout.bottom_border } else { 0.0 };
        let within = match (row, &from) {
            (0, None) => Within::Start,
            _ => Within::Table { row, cut: from.clone(), merged: Rc::default() },
        };
        let at = Resume { block: resume.block, within, after_hard_break: row == 0 && resume.after_hard_break };
        let calls = cut::notes(layout, row, from.as_deref(), None);
        let mut piece = RowPiece { table: Rc::clone(layout), row, from, to: None, repeated: false };
        let mut unit = Unit {
            y: self.y,
            height,
            keep: self.row_keep(layout, row),
            resume: at,
            content: Content::Row(piece.clone()),
            notes: calls,
        };
        let Some(room) = notes.filter(|_| self.bounded()) else { return self.admit(unit, None) };
        let free = self.frame.height - room.height_with(self.setter, &unit.notes) - self.y;
        let part = match height > free + 0.01 {
            true => self.part(layout, row, piece.from.as_deref(), (height, room)),
            false => None,
        };
        let Some((points, height)) = part else {
            if self.must() && unit.height > free && layout.rows.get(row).is_some_and(|row| row.higher_than_content) {
                // No column has the height its rule asks for: what stands at its bottom or middle stays in this one.
                unit.height = free.max(layout.content_height(row));
            }
            return self.admit(unit, Some(room));
        };
        let points = Rc::new(points);
        unit.height = height;
        unit.notes = cut::notes(layout, row, piece.from.as_deref(), Some(&points));
        piece.to = Some(Rc::clone(&points));
        unit.content = Content::Row(piece);
        room.add(self.setter, &unit.notes);
        self.y = unit.bottom();
        self.units.push(unit);
        let merged = self.rests(layout, row, true);
        let within = Within::Table { row, cut: Some(points), merged };
        Some(End::Full(Resume { block: resume.block, within, after_hard_break: false }))
    }

    /// As much of a row, or of the rest of it, `whole` high, as fits with the footnotes called in it: where it is cut, and how
    /// high that is.
    fn part(
        &self,
        layout: &Rc<TableLayout<'a>>,
        row: usize,
        from: Option<&Cut>,
        (whole, notes): (f32, &mut NoteRoom<'a>),
    ) -> Option<(Cut, f32)> {
        let mut room_above = |calls: &[i64]| self.frame.height - notes.height_with(self.setter, calls) - self.y;
        let (mut room, mut highest) = (room_above(&[]).min(whole - 0.02), whole);
        loop {
            let points = self.split(layout, row, from, room)?;
            let height = self.merged_part(layout, row, (from, &points), (room, self.must()));
            room = room_above(&cut::notes(layout, row, from, Some(&points)));
            // Less of it calls fewer notes; what cannot be less is taken as it is.
            if height <= room + 0.01 || height >= highest {
                return Some((points, height));
            }
            highest = height;
        }
    }

    /// Whether there is nothing in this column yet, and would be no more room in the next.
    fn must(&self) -> bool {
        self.units.len() <= self.floor && self.frame.full
    }

    /// Where a row that does not fit is cut, if it may be (§17.4.6) or must be. One whose rule asks for more height than there
    /// is room goes to the next page whole, as in Word.
    fn split(&self, layout: &Rc<TableLayout<'a>>, row: usize, from: Option<&Cut>, room: f32) -> Option<Cut> {
        let properties = layout.rows.get(row)?.row;
        let must = self.must();
        let exact = matches!(properties.height, RowHeight::Exactly(_));
        let least = match properties.height {
            RowHeight::AtLeast(least) => positive(least, 0.0),
            RowHeight::Auto | RowHeight::Exactly(_) => 0.0,
        };
        let border = layout.rows.get(row)?.top_border;
        let whole = from.is_none() && least > 0.0 && least + border > room + 0.01;
        if exact || (whole && !must) || (properties.keep_together && !must) || (row < layout.header_rows && !must) {
            return None;
        }
        let urgency = if must { Urgency::Overflow } else { Urgency::None };
        cut::cut(layout, row, from, room, urgency).or_else(|| self.cut_merged(layout, row, from, room, must))
    }

    fn row_keep(&self, layout: &TableLayout<'a>, row: usize) -> Keep {
        let keeps = match row.checked_sub(1).and_then(|above| layout.rows.get(above)) {
            Some(above) => row_keeps_next(above),
            None => self.keeps_next_above(),
        };
        Keep::FREE.with(Keep::NEXT, keeps).with(Keep::HEAD, row > 0 && row <= layout.header_rows)
    }

    /// Sets a floating table (§17.4.57) beside the text.
    fn floats_away(&mut self, layout: &Rc<TableLayout<'a>>, room: Option<&mut NoteRoom<'a>>) -> bool {
        let Some(position) = layout.table.properties.position.filter(|_| !self.frame.in_cell) else { return false };
        let size = (layout.width, layout.height());
        // One that is longer than its page goes with the text, so that it can break.
        if self.bounded() && size.1 > self.frame.margin.height.min(self.frame.height) {
            return false;
        }
        let top = self.y + self.space_below;
        let anchors = (position.horizontal_anchor, position.vertical_anchor);
        let (x, y) = frame_place(anchors, (position.x, position.y), size, &self.frame, top);
        let area = Rect { x, y, width: size.0, height: size.1 };
        if self.bounded() && area.bottom() > self.frame.height && !self.units.is_empty() {
            return false;
        }
        let [left, right, above, below] =
            [position.distance_left, position.distance_right, position.distance_top, position.distance_bottom]
                .map(|distance| positive(distance, 0.0));
        let around = Rect { x: x - left, y: y - above, width: size.0 + left + right, height: size.1 + above + below };
        let wrap = waraq_docx::tree::Wrap::Square(waraq_docx::tree::WrapSides::Both);
        let notes: Vec<i64> = (0..layout.rows.len()).flat_map(|row| cut::notes(layout, row, None, None)).collect();
        if let Some(room) = room {
            room.add(self.setter, &notes);
        }
        self.floats.push(Float {
            area,
            exclusion: Some(Exclusion { area: around, wrap }),
            unit: self.units.len(),
            behind: false,
            z_order: 0,
            content: FloatContent::Table(Rc::clone(layout)),
            notes,
        });
        true
    }
}

/// Word keeps a row with the next one if the paragraphs of its first cell keep with the next.
fn row_keeps_next(row: &super::RowLayout<'_>) -> bool {
    row.cells.first().is_some_and(|cell| {
        cell.cell.blocks.first().and_then(super::super::fill::paragraph).is_some_and(|p| p.properties.keep_next)
    })
}
