//! Footnotes at the bottom of their page, and separators between text and notes (ECMA-376 part 1, §17.11).

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Alignment, Block, NoteKind, NotePosition, Paragraph, Rgb};

use super::areas::Frame;
use super::border::plain;
use super::paint::Painter;
use super::setter::Setter;
use super::spacing::as_paragraph;
use super::table::cut::{Urgency, cut_galley};
use super::unit::{Galley, Point};
use crate::page::{Item, Rect};

/// The part of a note in this column: its content between the breaks `from` and `to`.
pub(super) struct NotePiece<'a> {
    pub galley: Rc<Galley<'a>>,
    pub from: Point,
    pub to: Point,
    pub height: f32,
}

/// The notes of a column, with their separator above and their continuation notice below.
#[derive(Default)]
pub(super) struct ColumnNotes<'a> {
    pub separator: Option<Rc<Separator<'a>>>,
    pub pieces: Vec<NotePiece<'a>>,
    /// The notice that the last note continues on the next page.
    pub notice: Option<Rc<Galley<'a>>>,
    /// Total height of separator, notes and notice.
    pub height: f32,
}

/// A note that waits for space: its id, its content and the break where it resumes.
pub(super) type Waiting<'a> = (i64, Rc<Galley<'a>>, Point);

/// The notes of a column while the column is filled.
#[derive(Default)]
pub(super) struct NoteRoom<'a> {
    frame: Frame,
    /// Laid-out notes by id, for columns of the same width and section.
    galleys: HashMap<i64, Rc<Galley<'a>>>,
    /// The separator above notes that begin on this page (index 0) and the one above notes continued from the previous page
    /// (index 1), once laid out.
    separators: [Option<Rc<Separator<'a>>>; 2],
    /// The continuation notice, once laid out. `Some(None)` if the document has none.
    notice: Option<Option<Rc<Galley<'a>>>>,
    /// Notes, or parts of them, that did not fit on the previous page.
    pub carried: Vec<Waiting<'a>>,
    /// Ids of the notes that the column references. `called_height` is their total height.
    called: Vec<i64>,
    called_height: f32,
    /// True if the page already has notes of a section above.
    pub separated: bool,
    /// Height of the free page below the column. Balanced columns end before the page does, and their notes may use that space.
    pub below: f32,
}

impl<'a> NoteRoom<'a> {
    pub fn new(frame: Frame) -> Self {
        Self { frame: frame.inner(frame.width), ..Self::default() }
    }

    /// Prepares the notes for another column, or for another attempt to fill a column.
    pub fn begin(&mut self, frame: &Frame) {
        if (self.frame.width - frame.width).abs() > 0.01 || self.frame.section != frame.section {
            self.galleys.clear();
            self.separators = [None, None];
            self.notice = None;
        }
        self.frame = frame.inner(frame.width);
        self.called.clear();
        self.called_height = 0.0;
    }

    /// Lays out the footnote with this id, or returns the kept result.
    fn galley(&mut self, setter: &Setter<'a>, id: i64) -> Rc<Galley<'a>> {
        if let Some(galley) = self.galleys.get(&id) {
            return Rc::clone(galley);
        }
        let galley = match setter.document.footnotes.get(&id) {
            Some(note) => {
                setter.answers.set_note(NoteKind::Footnote, id);
                setter.galley(&note.blocks, self.frame)
            }
            None => Galley::default(),
        };
        let galley = Rc::new(galley);
        self.galleys.insert(id, Rc::clone(&galley));
        galley
    }

    /// Returns the separator above the notes of this column.
    fn separator(&mut self, setter: &Setter<'a>) -> Rc<Separator<'a>> {
        let goes_on = !self.carried.is_empty();
        let frame = self.frame;
        let slot = &mut self.separators[usize::from(goes_on)];
        Rc::clone(slot.get_or_insert_with(|| Rc::new(Separator::of(setter, NoteKind::Footnote, goes_on, frame))))
    }

    fn notice(&mut self, setter: &Setter<'a>) -> Option<Rc<Galley<'a>>> {
        let frame = self.frame;
        let notice = self.notice.get_or_insert_with(|| {
            let blocks = setter.document.footnote_separators.continuation_notice.as_deref()?;
            Some(Rc::new(setter.galley(blocks, frame)))
        });
        notice.clone()
    }

    /// Returns the height in points that the notes take from the column if the notes `new` are added: all earlier notes, and at
    /// least one line of the last new one.
    pub fn height_with(&mut self, setter: &Setter<'a>, new: &[i64]) -> f32 {
        let mut height = self.carried_height() + self.called_height;
        for (index, id) in new.iter().enumerate() {
            let galley = self.galley(setter, *id);
            let last = index + 1 == new.len();
            height += if last { galley.units.first().map_or(0.0, |unit| unit.bottom()) } else { galley.height };
        }
        if new.is_empty() {
            height = (height - self.space_below_last(setter)).max(0.0);
        }
        let height = if height > 0.0 && !self.separated { height + self.separator(setter).height } else { height };
        (height - self.below).max(0.0)
    }

    /// Returns the space below the last note, which is not needed at the bottom of a page.
    fn space_below_last(&mut self, setter: &Setter<'a>) -> f32 {
        match self.called.last().copied() {
            Some(id) => space_below(&self.galley(setter, id)),
            None => self.carried.last().map_or(0.0, |(_, galley, _)| space_below(galley)),
        }
    }

    fn carried_height(&self) -> f32 {
        self.carried.iter().map(|(_, galley, point)| rest(galley, point)).sum()
    }

    /// Adds notes that the column references.
    pub fn add(&mut self, setter: &Setter<'a>, ids: &[i64]) {
        for id in ids {
            self.called_height += self.galley(setter, *id).height;
            self.called.push(*id);
        }
    }

    /// Replaces the referenced notes, after fragments were removed from the column.
    pub fn reset(&mut self, setter: &Setter<'a>, ids: impl Iterator<Item = i64>) {
        self.called.clear();
        self.called_height = 0.0;
        for id in ids {
            self.add(setter, &[id]);
        }
    }

    /// Places the notes of a column below its text, in `room` points of the column and in the free page below the column. Notes
    /// that do not fit wait for the next page.
    pub fn place(&mut self, setter: &Setter<'a>, room: f32) -> ColumnNotes<'a> {
        let room = room + self.below;
        if self.carried.is_empty() && self.called.is_empty() {
            return ColumnNotes::default();
        }
        let separator = (!self.separated).then(|| self.separator(setter));
        let mut waiting: Vec<Waiting<'a>> = std::mem::take(&mut self.carried);
        for id in std::mem::take(&mut self.called) {
            waiting.push((id, self.galley(setter, id), Point::default()));
        }
        self.called_height = 0.0;
        let free = room - separator.as_ref().map_or(0.0, |separator| separator.height);
        let (mut pieces, mut left) = cut_notes(&waiting, free);
        let mut notice = None;
        if !left.is_empty() {
            notice = self.notice(setter);
            if let Some(notice) = &notice {
                (pieces, left) = cut_notes(&waiting, free - notice.height);
            }
        }
        if let Some(last) = pieces.last_mut().filter(|piece| piece.to.unit >= piece.galley.units.len()) {
            last.height = (last.height - space_below(&last.galley)).max(0.0);
        }
        self.carried = left;
        let height = pieces.iter().map(|piece| piece.height).sum::<f32>()
            + separator.as_ref().map_or(0.0, |separator| separator.height)
            + notice.as_ref().map_or(0.0, |notice| notice.height);
        ColumnNotes { separator, pieces, notice, height }
    }
}

/// Divides the waiting notes into the parts that fit in `free` points and the parts that continue on the next page.
fn cut_notes<'a>(waiting: &[Waiting<'a>], mut free: f32) -> (Vec<NotePiece<'a>>, Vec<Waiting<'a>>) {
    let (mut pieces, mut left) = (Vec::new(), Vec::new());
    for (id, galley, from) in waiting {
        if !left.is_empty() {
            left.push((*id, Rc::clone(galley), from.clone()));
            continue;
        }
        let mut to = cut_galley(galley, from, free, Urgency::None);
        if to.unit == from.unit && pieces.is_empty() && from.unit < galley.units.len() {
            // If not even the first line fits, it is placed anyway, so that every page has some progress.
            to = Point { unit: from.unit + 1, inner: None };
        }
        let height = between(galley, from, &to);
        free -= height;
        if to.unit < galley.units.len() {
            left.push((*id, Rc::clone(galley), to.clone()));
        }
        if to.unit > from.unit {
            pieces.push(NotePiece { galley: Rc::clone(galley), from: from.clone(), to, height });
        }
    }
    (pieces, left)
}

/// Returns the space below the last fragment.
fn space_below(galley: &Galley<'_>) -> f32 {
    galley.units.last().map_or(0.0, |unit| (galley.text_height - unit.bottom()).max(0.0))
}

/// Returns the top of the fragment after a break.
fn top(galley: &Galley<'_>, point: &Point) -> f32 {
    galley.units.get(point.unit).map_or(galley.height, |unit| unit.y)
}

/// Returns the height of the content after a break.
fn rest(galley: &Galley<'_>, point: &Point) -> f32 {
    (galley.height - top(galley, point)).max(0.0)
}

/// Returns the height of the content between two breaks.
fn between(galley: &Galley<'_>, from: &Point, to: &Point) -> f32 {
    if to.unit >= galley.units.len() {
        return rest(galley, from);
    }
    (top(galley, to) - top(galley, from)).max(0.0)
}

/// Returns the position of a section's footnotes (§17.11.21).
pub(super) fn position(setter: &Setter<'_>, section: usize) -> NotePosition {
    let own = setter.document.sections.get(section).map(|section| section.properties.footnotes.position);
    match own {
        Some(NotePosition::BeneathText) => NotePosition::BeneathText,
        _ => setter.document.settings.footnotes.position,
    }
}

/// Height of the default separator in points: a line of text.
const HEIGHT: f32 = 13.0;
/// Length of Word's separator line in points: two inches. `THICKNESS` is its thickness.
const LENGTH: f32 = 144.0;
const THICKNESS: f32 = 0.5;

/// The separator between text and notes: the document's own, or Word's default line (§17.11.23, §17.11.1).
pub(super) struct Separator<'a> {
    galley: Galley<'a>,
    /// Area of the line, relative to the separator's top left corner.
    line: Option<Rect>,
    pub height: f32,
    width: f32,
}

impl<'a> Separator<'a> {
    /// Lays out the separator above notes of this kind. `goes_on` is true if the notes continue from the previous page.
    pub fn of(setter: &Setter<'a>, kind: NoteKind, goes_on: bool, frame: Frame) -> Self {
        let document = setter.document;
        let separators = match kind {
            NoteKind::Footnote => &document.footnote_separators,
            NoteKind::Endnote => &document.endnote_separators,
        };
        let own = if goes_on { &separators.continuation } else { &separators.separator };
        let length = if goes_on { frame.width } else { LENGTH.min(frame.width) };
        let Some(own) = own else {
            let blocks = document.sections.get(frame.section).map_or(&[][..], |section| &section.blocks);
            let left = if mostly_right_to_left(blocks) { frame.width - length } else { 0.0 };
            let line = Some(Rect::new(left, HEIGHT / 2.0, length, THICKNESS));
            return Self { galley: Galley::default(), line, height: HEIGHT, width: frame.width };
        };
        let galley = setter.galley(&own.blocks, Frame { in_cell: true, ..frame.inner(frame.width) });
        let height = galley.height;
        let spare = frame.width - length;
        let aside = |paragraph: &Paragraph| match (paragraph.properties.alignment, paragraph.properties.bidi) {
            (Alignment::Center, _) => spare / 2.0,
            (Alignment::End, false) | (Alignment::Start | Alignment::Both, true) => spare,
            _ => 0.0,
        };
        let left = own.blocks.iter().find_map(as_paragraph).map_or(0.0, aside);
        let middle = galley.units.first().map_or(height / 2.0, |unit| unit.y + unit.height / 2.0);
        let line = own.line.then_some(Rect::new(left, middle, length, THICKNESS));
        Self { galley, line, height, width: frame.width }
    }

    /// Paints the separator with its top left corner at (x, y).
    pub fn paint(&self, painter: &mut Painter<'_, 'a>, x: f32, y: f32) {
        let (frame, artifact) = (painter.frame, painter.artifact);
        (painter.frame, painter.artifact) = (frame.inner(self.width), true);
        painter.galley(&self.galley, x, y);
        (painter.frame, painter.artifact) = (frame, artifact);
        if let Some(line) = self.line {
            let area = line.moved(x, y);
            painter.canvas.body.push(plain(Item::Rectangle { area, color: Rgb(0, 0, 0), opacity: 1.0 }));
        }
    }
}

/// Returns true if most of the first 50 paragraphs run from right to left. The default separator then begins at the right edge.
fn mostly_right_to_left(blocks: &[Block]) -> bool {
    let paragraphs = blocks.iter().filter_map(as_paragraph).take(50);
    let (right, left): (Vec<_>, Vec<_>) = paragraphs.partition(|paragraph| paragraph.properties.bidi);
    right.len() > left.len()
}
