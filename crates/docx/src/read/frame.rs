//! Text frames and drop caps (§17.3.1.11).

use super::values::{integer, twips, word};
use super::xml::Element;
use crate::tree::{DropCap, Frame, FrameAnchor, FrameWrap, Place};

/// `w:framePr` as the document writes it. Each attribute is a property of its own in Word's file formats ([MS-DOC]
/// §2.6.2: sprmPDxaAbs, sprmPPc, sprmPWr …), so what a style says holds where the paragraph says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct FrameFormat {
    width: Option<f32>,
    height: Option<f32>,
    height_exact: Option<bool>,
    horizontal_anchor: Option<FrameAnchor>,
    vertical_anchor: Option<FrameAnchor>,
    x: Option<Place>,
    y: Option<Place>,
    horizontal_space: Option<f32>,
    vertical_space: Option<f32>,
    wrap: Option<FrameWrap>,
    drop_cap: Option<Option<bool>>,
    lines: Option<u32>,
}

impl FrameFormat {
    pub(crate) fn read(element: Element<'_>) -> Self {
        let length = |name| element.w(name).and_then(twips);
        Self {
            width: length("w"),
            height: length("h"),
            height_exact: element.w("hRule").map(|rule| rule == "exact"),
            horizontal_anchor: element.w("hAnchor").and_then(word),
            vertical_anchor: element.w("vAnchor").and_then(word),
            x: position(element.w("xAlign"), length("x")),
            y: position(element.w("yAlign"), length("y")),
            horizontal_space: length("hSpace"),
            vertical_space: length("vSpace"),
            wrap: element.w("wrap").map(|wrap| word(wrap).unwrap_or_default()),
            drop_cap: element.w("dropCap").map(|drop_cap| match drop_cap {
                "drop" => Some(false),
                "margin" => Some(true),
                _ => None,
            }),
            lines: element.w("lines").and_then(integer).map(|lines| lines.clamp(1, 10) as u32),
        }
    }

    pub(crate) fn over(&mut self, above: &Self) {
        lay_over!(self, above:
            width height height_exact horizontal_anchor vertical_anchor x y horizontal_space vertical_space wrap
            drop_cap lines
        );
    }

    pub(crate) fn resolve(&self) -> Frame {
        let lines = self.lines.unwrap_or(1);
        Frame {
            width: self.width.filter(|width| *width > 0.0),
            height: self.height.filter(|height| *height > 0.0),
            height_exact: self.height_exact.unwrap_or(false),
            horizontal_anchor: self.horizontal_anchor.unwrap_or(FrameAnchor::Text),
            vertical_anchor: self.vertical_anchor.unwrap_or(vertical_anchor(self.y)),
            x: self.x,
            y: self.y,
            horizontal_space: self.horizontal_space.unwrap_or(0.0),
            vertical_space: self.vertical_space.unwrap_or(0.0),
            wrap: self.wrap.unwrap_or_default(),
            drop_cap: self.drop_cap.flatten().map(|in_margin| DropCap { lines, in_margin }),
        }
    }
}

/// What a place is measured from where the document does not say: the margin ([MS-DOC] §2.9.187 PositionCodeOperand,
/// whose `pcVert` is 0 then; §17.3.1.11 names the page, which Word does not follow). What has no place stands in the text.
pub(crate) fn vertical_anchor(y: Option<Place>) -> FrameAnchor {
    if y.is_none() { FrameAnchor::Text } else { FrameAnchor::Margin }
}

/// Word writes an offset as one twip more than it is, so that nothing can stand for no place ([MS-DOC] §2.9.348 XAS_plusOne, §2.9.354
/// YAS_plusOne): a page number in a footer has `w:y="1"` where it stands at the top of the line, and pushes the second line aside otherwise.
fn without_the_one(offset: f32) -> f32 {
    if offset == 0.0 { offset } else { (offset * 20.0 - 1.0) / 20.0 }
}

/// An alignment wins over an offset.
pub(crate) fn position(alignment: Option<&str>, offset: Option<f32>) -> Option<Place> {
    alignment.and_then(word).or_else(|| offset.map(|offset| Place::Offset(without_the_one(offset))))
}
