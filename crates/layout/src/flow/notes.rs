//! Footnotes at the bottom of their page (ECMA-376 part 1, §17.11).

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::NoteKind;

use super::setter::{Frame, Setter};
use super::table::cut_galley;
use super::unit::{Galley, Point};

/// The room above the first note that its separator takes where the document has no separator of its own: a line of text.
const SEPARATOR_HEIGHT: f32 = 13.0;

/// A note, or the part of it that stands on this page.
pub(super) struct NotePiece<'a> {
    pub galley: Rc<Galley<'a>>,
    pub from: Point,
    pub to: Point,
    pub height: f32,
}

/// The notes of a column, while it is filled.
pub(super) struct NoteRoom<'a> {
    frame: Frame,
    galleys: HashMap<i64, Rc<Galley<'a>>>,
    /// What did not fit on the page before.
    pub carried: Vec<(i64, Rc<Galley<'a>>, Point)>,
    called: Vec<i64>,
    called_height: f32,
    /// Notes stand on the page already: of a section above on the same page.
    pub separated: bool,
}

impl<'a> NoteRoom<'a> {
    pub fn new(frame: Frame) -> Self {
        let frame = frame.inner(frame.width);
        Self {
            frame,
            galleys: HashMap::new(),
            carried: Vec::new(),
            called: Vec::new(),
            called_height: 0.0,
            separated: false,
        }
    }

    /// For another try, or another column, of the same width.
    pub fn begin(&mut self, frame: &Frame) {
        if (self.frame.width - frame.width).abs() > 0.01 || self.frame.section != frame.section {
            self.galleys.clear();
        }
        self.frame = frame.inner(frame.width);
        self.called.clear();
        self.called_height = 0.0;
    }

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

    /// The height that notes need if these are called as well: all of the earlier ones, and at least a line of the last.
    pub fn height_with(&mut self, setter: &Setter<'a>, new: &[i64]) -> f32 {
        let mut height = self.carried_height() + self.called_height;
        for (index, id) in new.iter().enumerate() {
            let galley = self.galley(setter, *id);
            let last = index + 1 == new.len();
            height += if last { galley.units.first().map_or(0.0, |unit| unit.bottom()) } else { galley.height };
        }
        if height > 0.0 && !self.separated { height + SEPARATOR_HEIGHT } else { height }
    }

    fn carried_height(&self) -> f32 {
        self.carried.iter().map(|(_, galley, point)| rest(galley, point)).sum()
    }

    pub fn add(&mut self, setter: &Setter<'a>, ids: &[i64]) {
        for id in ids {
            self.called_height += self.galley(setter, *id).height;
            self.called.push(*id);
        }
    }

    /// Starts over with the notes of the units that were kept.
    pub fn reset(&mut self, setter: &Setter<'a>, ids: impl Iterator<Item = i64>) {
        self.called.clear();
        self.called_height = 0.0;
        for id in ids {
            self.add(setter, &[id]);
        }
    }

    /// Places the notes of a column in the room below its text; what does not fit is carried over.
    pub fn place(&mut self, setter: &Setter<'a>, room: f32) -> Vec<NotePiece<'a>> {
        let mut waiting: Vec<(i64, Rc<Galley<'a>>, Point)> = std::mem::take(&mut self.carried);
        for id in std::mem::take(&mut self.called) {
            waiting.push((id, self.galley(setter, id), Point::default()));
        }
        self.called_height = 0.0;
        let mut free = room - if self.separated || waiting.is_empty() { 0.0 } else { SEPARATOR_HEIGHT };
        let mut pieces = Vec::new();
        for (id, galley, from) in waiting {
            if !self.carried.is_empty() {
                self.carried.push((id, galley, from));
                continue;
            }
            let mut to = cut_galley(&galley, &from, free, false);
            if to.unit == from.unit && pieces.is_empty() && from.unit < galley.units.len() {
                // A line that never fits is set anyway.
                to = Point { unit: from.unit + 1, inner: None };
            }
            let height = between(&galley, &from, &to);
            free -= height;
            if to.unit < galley.units.len() {
                self.carried.push((id, Rc::clone(&galley), to.clone()));
            }
            if to.unit > from.unit {
                pieces.push(NotePiece { galley, from, to, height });
            }
        }
        pieces
    }
}

fn top(galley: &Galley<'_>, point: &Point) -> f32 {
    galley.units.get(point.unit).map_or(galley.height, |unit| unit.y)
}

fn rest(galley: &Galley<'_>, point: &Point) -> f32 {
    (galley.height - top(galley, point)).max(0.0)
}

fn between(galley: &Galley<'_>, from: &Point, to: &Point) -> f32 {
    if to.unit >= galley.units.len() {
        return rest(galley, from);
    }
    (top(galley, to) - top(galley, from)).max(0.0)
}

pub(super) fn separator_height() -> f32 {
    SEPARATOR_HEIGHT
}
