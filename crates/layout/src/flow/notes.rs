//! Footnotes at the bottom of their page, and separators between text and notes (ECMA-376 part 1, §17.11).

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Alignment, Block, NoteKind, NotePosition, Paragraph, Rgb};

use super::areas::Frame;
use super::border::untagged;
use super::context::LayoutContext;
use super::fragment::{CellBreak, UnboundedColumn};
use super::paint::Painter;
use super::spacing::as_paragraph;
use super::table::row_break::{BreakUrgency, find_break};
use crate::page::{DisplayItem, Rect};

/// The part of a note that is in this column: the content of the note between the breaks `from` and `to`.
pub(super) struct NoteFragment<'a> {
    pub content: Rc<UnboundedColumn<'a>>,
    pub from: CellBreak,
    pub to: CellBreak,
    pub height: f32,
}

/// The notes of a column, with their separator above and their continuation notice below.
#[derive(Default)]
pub(super) struct ColumnNotes<'a> {
    pub separator: Option<Rc<Separator<'a>>>,
    pub fragments: Vec<NoteFragment<'a>>,
    /// The notice that the last note continues on the next page. `None` if the last note is complete or the document has no
    /// notice.
    pub notice: Option<Rc<UnboundedColumn<'a>>>,
    /// Total height of separator, notes and notice.
    pub height: f32,
}

/// A footnote, or the rest of one, that still needs space on this page or on a later one.
#[derive(Clone)]
pub(super) struct WaitingNote<'a> {
    /// Id of the footnote.
    id: i64,
    /// The whole laid-out note.
    content: Rc<UnboundedColumn<'a>>,
    /// The break in the content at which the note resumes.
    start: CellBreak,
}

/// The notes of a column while the column is filled.
#[derive(Default)]
pub(super) struct NoteBuilder<'a> {
    frame: Frame,
    /// Laid-out notes by id. They are valid for columns with the width and the section of `frame`.
    contents: HashMap<i64, Rc<UnboundedColumn<'a>>>,
    /// The separator above notes that begin on this page (index 0) and the one above notes continued from the previous page
    /// (index 1). `None` if not laid out yet.
    separators: [Option<Rc<Separator<'a>>>; 2],
    /// The continuation notice. `None` if not laid out yet, `Some(None)` if the document has none.
    notice: Option<Option<Rc<UnboundedColumn<'a>>>>,
    /// Notes, or parts of them, that did not fit on the previous page.
    pub waiting: Vec<WaitingNote<'a>>,
    /// Ids of the notes that the column references. `referenced_height` is their total height.
    referenced: Vec<i64>,
    referenced_height: f32,
    /// True if the page already has notes of an earlier section, above the notes of this column.
    pub has_notes_above: bool,
    /// Height of the empty part of the page below the column. Balanced columns end before the page does, and their notes may
    /// use that space.
    pub free_height_below: f32,
}

impl<'a> NoteBuilder<'a> {
    pub fn new(frame: Frame) -> Self {
        Self { frame: frame.inner(frame.width), ..Self::default() }
    }

    /// Removes the note references of the previous column, before another column is filled or the same column is filled again.
    /// Notes that wait for space are kept.
    pub fn begin_column(&mut self, frame: &Frame) {
        if (self.frame.width - frame.width).abs() > 0.01 || self.frame.section != frame.section {
            self.contents.clear();
            self.separators = [None, None];
            self.notice = None;
        }
        self.frame = frame.inner(frame.width);
        self.referenced.clear();
        self.referenced_height = 0.0;
    }

    /// Lays out the footnote with this id, unless it is already laid out, and returns its content.
    fn note_content(&mut self, ctx: &LayoutContext<'a>, id: i64) -> Rc<UnboundedColumn<'a>> {
        if let Some(content) = self.contents.get(&id) {
            return Rc::clone(content);
        }
        let content = match ctx.document.footnotes.get(&id) {
            Some(note) => {
                ctx.field_results.set_current_note(NoteKind::Footnote, id);
                ctx.lay_out_unbounded(&note.blocks, self.frame)
            }
            None => UnboundedColumn::default(),
        };
        let content = Rc::new(content);
        self.contents.insert(id, Rc::clone(&content));
        content
    }

    /// Returns the separator above the notes of this column.
    fn separator(&mut self, ctx: &LayoutContext<'a>) -> Rc<Separator<'a>> {
        let goes_on = !self.waiting.is_empty();
        let frame = self.frame;
        let slot = &mut self.separators[usize::from(goes_on)];
        Rc::clone(slot.get_or_insert_with(|| Rc::new(Separator::lay_out(ctx, NoteKind::Footnote, goes_on, frame))))
    }

    fn notice(&mut self, ctx: &LayoutContext<'a>) -> Option<Rc<UnboundedColumn<'a>>> {
        let frame = self.frame;
        let notice = self.notice.get_or_insert_with(|| {
            let blocks = ctx.document.footnote_separators.continuation_notice.as_deref()?;
            Some(Rc::new(ctx.lay_out_unbounded(blocks, frame)))
        });
        notice.clone()
    }

    /// Returns the height in points that the notes of the column need if the notes `new` are added. The last new note counts with
    /// its first line only, because the rest of it can continue on the next page.
    pub fn height_with_notes(&mut self, ctx: &LayoutContext<'a>, new: &[i64]) -> f32 {
        let mut height = self.waiting_height() + self.referenced_height;
        for (index, id) in new.iter().enumerate() {
            let content = self.note_content(ctx, *id);
            let last = index + 1 == new.len();
            height +=
                if last { content.fragments.first().map_or(0.0, |fragment| fragment.bottom()) } else { content.height };
        }
        if new.is_empty() {
            height = (height - self.space_below_last(ctx)).max(0.0);
        }
        let height = if height > 0.0 && !self.has_notes_above { height + self.separator(ctx).height } else { height };
        (height - self.free_height_below).max(0.0)
    }

    /// Returns the space after the last paragraph of the last note. At the bottom of a page, this space is not needed.
    fn space_below_last(&mut self, ctx: &LayoutContext<'a>) -> f32 {
        match self.referenced.last().copied() {
            Some(id) => space_below_content(&self.note_content(ctx, id)),
            None => self.waiting.last().map_or(0.0, |note| space_below_content(&note.content)),
        }
    }

    fn waiting_height(&self) -> f32 {
        self.waiting.iter().map(|note| height_after(&note.content, &note.start)).sum()
    }

    /// Adds the notes with these ids to the notes that the column references.
    pub fn add_references(&mut self, ctx: &LayoutContext<'a>, ids: &[i64]) {
        for id in ids {
            self.referenced_height += self.note_content(ctx, *id).height;
            self.referenced.push(*id);
        }
    }

    /// Replaces the list of referenced notes. Called after fragments were removed from the column.
    pub fn replace_references(&mut self, ctx: &LayoutContext<'a>, ids: impl Iterator<Item = i64>) {
        self.referenced.clear();
        self.referenced_height = 0.0;
        for id in ids {
            self.add_references(ctx, &[id]);
        }
    }

    /// Places the notes of a column below its text, in `room` points of the column and in the empty part of the page below the
    /// column. Notes that do not fit wait for the next page.
    pub fn place_notes(&mut self, ctx: &LayoutContext<'a>, room: f32) -> ColumnNotes<'a> {
        let room = room + self.free_height_below;
        if self.waiting.is_empty() && self.referenced.is_empty() {
            return ColumnNotes::default();
        }
        let separator = (!self.has_notes_above).then(|| self.separator(ctx));
        let mut waiting: Vec<WaitingNote<'a>> = std::mem::take(&mut self.waiting);
        for id in std::mem::take(&mut self.referenced) {
            waiting.push(WaitingNote { id, content: self.note_content(ctx, id), start: CellBreak::default() });
        }
        self.referenced_height = 0.0;
        let free = room - separator.as_ref().map_or(0.0, |separator| separator.height);
        let mut divided = divide_notes(&waiting, free);
        let mut notice = None;
        if !divided.waiting.is_empty() {
            notice = self.notice(ctx);
            if let Some(notice) = &notice {
                divided = divide_notes(&waiting, free - notice.height);
            }
        }
        let DividedNotes { placed: mut fragments, waiting } = divided;
        if let Some(last) =
            fragments.last_mut().filter(|fragment| fragment.to.fragment_index >= fragment.content.fragments.len())
        {
            last.height = (last.height - space_below_content(&last.content)).max(0.0);
        }
        self.waiting = waiting;
        let height = fragments.iter().map(|fragment| fragment.height).sum::<f32>()
            + separator.as_ref().map_or(0.0, |separator| separator.height)
            + notice.as_ref().map_or(0.0, |notice| notice.height);
        ColumnNotes { separator, fragments, notice, height }
    }
}

/// The result of dividing notes between a column and the next page.
struct DividedNotes<'a> {
    /// The parts of the notes in the column.
    placed: Vec<NoteFragment<'a>>,
    /// The notes, or parts of them, that continue on the next page.
    waiting: Vec<WaitingNote<'a>>,
}

/// Divides the waiting notes into the parts that fit in `free` points and the parts that continue on the next page.
fn divide_notes<'a>(waiting: &[WaitingNote<'a>], mut free: f32) -> DividedNotes<'a> {
    let (mut fragments, mut left) = (Vec::new(), Vec::new());
    for note in waiting {
        let WaitingNote { id, content, start: from } = note;
        if !left.is_empty() {
            left.push(note.clone());
            continue;
        }
        let mut to = find_break(content, from, free, BreakUrgency::None);
        if to.fragment_index == from.fragment_index
            && fragments.is_empty()
            && from.fragment_index < content.fragments.len()
        {
            // If not even the first line fits, it is placed anyway. Otherwise, layout could add pages without end.
            to = CellBreak { fragment_index: from.fragment_index + 1, inner: None };
        }
        let height = height_between(content, from, &to);
        free -= height;
        if to.fragment_index < content.fragments.len() {
            left.push(WaitingNote { id: *id, content: Rc::clone(content), start: to.clone() });
        }
        if to.fragment_index > from.fragment_index {
            fragments.push(NoteFragment { content: Rc::clone(content), from: from.clone(), to, height });
        }
    }
    DividedNotes { placed: fragments, waiting: left }
}

/// Returns the space between the last fragment and the end of the content.
fn space_below_content(content: &UnboundedColumn<'_>) -> f32 {
    content.fragments.last().map_or(0.0, |fragment| (content.text_height - fragment.bottom()).max(0.0))
}

/// Returns the top of the fragment that follows the break, or the height of the content if no fragment follows.
fn top_after(content: &UnboundedColumn<'_>, cell_break: &CellBreak) -> f32 {
    content.fragments.get(cell_break.fragment_index).map_or(content.height, |fragment| fragment.y)
}

/// Returns the height of the part of the content that is after a break.
fn height_after(content: &UnboundedColumn<'_>, cell_break: &CellBreak) -> f32 {
    (content.height - top_after(content, cell_break)).max(0.0)
}

/// Returns the height of the content between two breaks.
fn height_between(content: &UnboundedColumn<'_>, from: &CellBreak, to: &CellBreak) -> f32 {
    if to.fragment_index >= content.fragments.len() {
        return height_after(content, from);
    }
    (top_after(content, to) - top_after(content, from)).max(0.0)
}

/// Returns where a section has its footnotes: at the bottom of the page or directly below the text (§17.11.21).
pub(super) fn footnote_position(ctx: &LayoutContext<'_>, section: usize) -> NotePosition {
    let own = ctx.document.sections.get(section).map(|section| section.properties.footnotes.position);
    match own {
        Some(NotePosition::BeneathText) => NotePosition::BeneathText,
        _ => ctx.document.settings.footnotes.position,
    }
}

/// Height in points of the default separator, which is as high as a line of text.
const DEFAULT_SEPARATOR_HEIGHT: f32 = 13.0;
/// Length of Word's default separator line in points: two inches. `SEPARATOR_THICKNESS` is its thickness.
const SEPARATOR_LENGTH: f32 = 144.0;
const SEPARATOR_THICKNESS: f32 = 0.5;

/// The separator between text and notes: the document's own, or Word's default line (§17.11.23, §17.11.1).
pub(super) struct Separator<'a> {
    content: UnboundedColumn<'a>,
    /// Area of Word's default line, relative to the separator's top left corner. `None` if the document has its own separator.
    line: Option<Rect>,
    pub height: f32,
    width: f32,
}

impl<'a> Separator<'a> {
    /// Lays out the separator above footnotes or above endnotes. `goes_on` is true if the first note below the separator
    /// continues from the previous page.
    pub fn lay_out(ctx: &LayoutContext<'a>, kind: NoteKind, goes_on: bool, frame: Frame) -> Self {
        let document = ctx.document;
        let separators = match kind {
            NoteKind::Footnote => &document.footnote_separators,
            NoteKind::Endnote => &document.endnote_separators,
        };
        let own = if goes_on { &separators.continuation } else { &separators.separator };
        let length = if goes_on { frame.width } else { SEPARATOR_LENGTH.min(frame.width) };
        let Some(own) = own else {
            let blocks = document.sections.get(frame.section).map_or(&[][..], |section| &section.blocks);
            let left = if mostly_right_to_left(blocks) { frame.width - length } else { 0.0 };
            let line = Some(Rect::new(left, DEFAULT_SEPARATOR_HEIGHT / 2.0, length, SEPARATOR_THICKNESS));
            return Self {
                content: UnboundedColumn::default(),
                line,
                height: DEFAULT_SEPARATOR_HEIGHT,
                width: frame.width,
            };
        };
        let content = ctx.lay_out_unbounded(&own.blocks, Frame { in_cell: true, ..frame.inner(frame.width) });
        let height = content.height;
        let spare = frame.width - length;
        let aside = |paragraph: &Paragraph| match (paragraph.properties.alignment, paragraph.properties.bidi) {
            (Alignment::Center, _) => spare / 2.0,
            (Alignment::End, false) | (Alignment::Start | Alignment::Both, true) => spare,
            _ => 0.0,
        };
        let left = own.blocks.iter().find_map(as_paragraph).map_or(0.0, aside);
        let middle = content.fragments.first().map_or(height / 2.0, |fragment| fragment.y + fragment.height / 2.0);
        let line = own.line.then_some(Rect::new(left, middle, length, SEPARATOR_THICKNESS));
        Self { content, line, height, width: frame.width }
    }

    /// Paints the separator with its top left corner at (x, y).
    pub fn paint(&self, painter: &mut Painter<'_, 'a>, x: f32, y: f32) {
        let (frame, artifact) = (painter.frame, painter.artifact);
        (painter.frame, painter.artifact) = (frame.inner(self.width), true);
        painter.paint_unbounded(&self.content, x, y);
        (painter.frame, painter.artifact) = (frame, artifact);
        if let Some(line) = self.line {
            let area = line.translated(x, y);
            painter.canvas.body.push(untagged(DisplayItem::Rectangle { area, color: Rgb(0, 0, 0), opacity: 1.0 }));
        }
    }
}

/// Returns true if most of the first 50 paragraphs run from right to left. The default separator then begins at the right edge.
fn mostly_right_to_left(blocks: &[Block]) -> bool {
    let paragraphs = blocks.iter().filter_map(as_paragraph).take(50);
    let (right, left): (Vec<_>, Vec<_>) = paragraphs.partition(|paragraph| paragraph.properties.bidi);
    right.len() > left.len()
}
