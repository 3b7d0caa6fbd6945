//! What stands between text and notes: the document's own separator, or Word's line (ECMA-376 part 1, §17.11.23, §17.11.1).

use waraq_docx::tree::{Alignment, Block, NoteKind, Rgb};

use super::areas::Frame;
use super::border::plain;
use super::paint::Painter;
use super::setter::Setter;
use super::spacing::as_paragraph;
use super::unit::Galley;
use crate::page::{Item, Rect};

/// The room of Word's line where the document says nothing of it: a line of text.
const HEIGHT: f32 = 13.0;
/// Word's line above notes: two inches, half a point.
const LENGTH: f32 = 144.0;
const THICKNESS: f32 = 0.5;

pub(super) struct Separator<'a> {
    galley: Galley<'a>,
    line: Option<RuleLine>,
    pub height: f32,
    width: f32,
}

#[derive(Debug, Clone, Copy)]
struct RuleLine {
    left: f32,
    /// From the separator's top.
    middle: f32,
    length: f32,
}

impl<'a> Separator<'a> {
    /// The separator above notes of that kind; `goes_on`: they began on the page before.
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
            let line = Some(RuleLine { left, middle: HEIGHT / 2.0, length });
            return Self { galley: Galley::default(), line, height: HEIGHT, width: frame.width };
        };
        let galley = setter.galley(&own.blocks, Frame { in_cell: true, ..frame.inner(frame.width) });
        let height = galley.height;
        let line = own.line.then(|| RuleLine {
            left: own.blocks.iter().find_map(as_paragraph).map_or(0.0, |p| {
                let spare = frame.width - length;
                match (p.properties.alignment, p.properties.bidi) {
                    (Alignment::Center, _) => spare / 2.0,
                    (Alignment::End, false) | (Alignment::Start | Alignment::Both, true) => spare,
                    _ => 0.0,
                }
            }),
            middle: galley.units.first().map_or(height / 2.0, |unit| unit.y + unit.height / 2.0),
            length,
        });
        Self { galley, line, height, width: frame.width }
    }

    /// Paints it with its top left corner at (x, y).
    pub fn paint(&self, painter: &mut Painter<'_, 'a>, x: f32, y: f32) {
        let (frame, artifact) = (painter.frame, painter.artifact);
        (painter.frame, painter.artifact) = (frame.inner(self.width), true);
        painter.galley(&self.galley, x, y);
        (painter.frame, painter.artifact) = (frame, artifact);
        if let Some(line) = self.line {
            let area = Rect::new(x + line.left, y + line.middle, line.length, THICKNESS);
            painter.canvas.body.push(plain(Item::Rectangle { area, color: Rgb(0, 0, 0), opacity: 1.0 }));
        }
    }
}

/// Without a separator of its own the document's language decides on which side the line begins.
fn mostly_right_to_left(blocks: &[Block]) -> bool {
    let bidi = blocks.iter().filter_map(as_paragraph).take(50).map(|p| p.properties.bidi);
    let (mut right, mut all) = (0, 0);
    bidi.for_each(|bidi| {
        right += usize::from(bidi);
        all += 1;
    });
    right * 2 > all
}
