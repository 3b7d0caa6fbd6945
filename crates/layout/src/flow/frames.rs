//! Text frames and drop caps (ECMA-376 part 1, §17.3.1.11).

use std::rc::Rc;

use waraq_docx::tree::{Block, Frame as FrameProperties, FramePosition, FrameWrap, Wrap, WrapSides};

use super::fill::{Filler, paragraph};
use super::float::{Exclusion, Float, FloatContent, frame_place};
use super::geometry::positive;
use super::notes::NoteRoom;
use super::table::content_widths;
use super::unit::Resume;
use crate::page::Rect;

impl<'a> Filler<'_, 'a> {
    /// Sets the paragraphs of a frame beside the text: those that follow each other with the same frame share it.
    pub fn text_frame(&mut self, block: usize, frame: &FrameProperties, room: Option<&mut NoteRoom<'a>>) -> Resume {
        let blocks = self.blocks;
        let count = blocks[block..]
            .iter()
            .take_while(|block| paragraph(block).is_some_and(|p| p.properties.frame.as_ref() == Some(frame)))
            .count()
            .max(1);
        let inside: &'a [Block] = &blocks[block..block + count];
        let context = self.setter;
        let natural = || content_widths(context, inside, self.frame.section, self.frame.depth).most + 0.5;
        let width = frame
            .width
            .filter(|width| *width > 0.0)
            .unwrap_or_else(natural)
            .min(self.frame.page.width.max(self.frame.width));
        let within = super::setter::Frame { in_cell: true, ..self.frame.inner(width) };
        let galley = self.setter.galley(inside, within);
        let height = match frame.height {
            Some(height) if frame.height_exact => positive(height, galley.height),
            Some(height) => galley.height.max(positive(height, 0.0)),
            None => galley.height,
        };
        let top = self.y + self.space_below;
        let (mut x, y) = frame_place(
            (frame.horizontal_anchor, frame.vertical_anchor),
            (frame.x, frame.y),
            (width, height),
            &self.frame,
            top,
        );
        let bidi = inside.first().and_then(paragraph).is_some_and(|p| p.properties.bidi);
        if bidi && frame.x == FramePosition::Inline {
            x = self.frame.width - width;
        }
        if frame.drop_cap.is_some_and(|cap| cap.in_margin) {
            x = if bidi { self.frame.width } else { -width };
        }
        let beside = positive(frame.horizontal_space, 0.0);
        let above = positive(frame.vertical_space, 0.0);
        let area = Rect { x, y, width, height };
        let around = Rect { x: x - beside, y: y - above, width: width + 2.0 * beside, height: height + 2.0 * above };
        let wrap = match frame.drop_cap {
            // Beside a drop cap even a narrow column goes on.
            Some(_) => Wrap::Tight(WrapSides::Both),
            None if frame.wrap == FrameWrap::NotBeside => Wrap::TopAndBottom,
            None => Wrap::Square(WrapSides::Both),
        };
        let notes: Vec<i64> = galley.units.iter().flat_map(|unit| unit.notes.iter().copied()).collect();
        if let Some(room) = room {
            room.add(self.setter, &notes);
        }
        let in_margin = frame.drop_cap.is_some_and(|cap| cap.in_margin);
        self.floats.push(Float {
            area,
            exclusion: (!in_margin && frame.wrap != FrameWrap::None).then_some(Exclusion { area: around, wrap }),
            unit: self.units.len(),
            behind: false,
            z_order: 0,
            content: FloatContent::Frame(Rc::new(galley)),
            notes,
        });
        Resume::at(block + count)
    }
}
