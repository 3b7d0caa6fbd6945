//! Text frames and drop caps (§17.3.1.11).

use super::values::{integer, override_value, parse_enum, twips};
use super::xml::Element;
use crate::tree::{DropCap, Frame, FrameAnchor, PositionValue};

/// The combined attributes of the `w:framePr` elements of the styles and of the paragraph.
///
/// Each attribute is a separate property in Word's file formats ([MS-DOC] §2.6.2: sprmPDxaAbs, sprmPPc, sprmPWr …).
/// Attributes of the style apply unless the paragraph overrides them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FrameFormat {
    /// The properties of the frame, except for those in the other fields of this struct.
    frame: Frame,
    vertical_anchor: Option<FrameAnchor>,
    /// The place of the drop cap: in the margin (`true`) or in the text (`false`). `None`: the frame is not a drop cap.
    drop_cap: Option<bool>,
    lines: Option<u32>,
}

impl FrameFormat {
    /// Applies a `w:framePr` on top of this format.
    pub(crate) fn apply(&mut self, element: Element<'_>) {
        let length = |name| element.word_attribute(name).and_then(twips);
        let size = |name| length(name).map(|size| Some(size).filter(|size| *size > 0.0));
        let frame = &mut self.frame;
        override_value(&mut frame.width, size("w"));
        override_value(&mut frame.height, size("h"));
        override_value(&mut frame.height_exact, element.word_attribute("hRule").map(|rule| rule == "exact"));
        override_value(&mut frame.horizontal_anchor, element.word_attribute("hAnchor").and_then(parse_enum));
        self.vertical_anchor = element.word_attribute("vAnchor").and_then(parse_enum).or(self.vertical_anchor);
        frame.x = frame_position(element.word_attribute("xAlign"), length("x")).or(frame.x);
        frame.y = frame_position(element.word_attribute("yAlign"), length("y")).or(frame.y);
        override_value(&mut frame.horizontal_space, length("hSpace"));
        override_value(&mut frame.vertical_space, length("vSpace"));
        override_value(
            &mut frame.wrap,
            element.word_attribute("wrap").map(|wrap| parse_enum(wrap).unwrap_or_default()),
        );
        let drop_cap = element.word_attribute("dropCap").map(|drop_cap| match drop_cap {
            "drop" => Some(false),
            "margin" => Some(true),
            _ => None,
        });
        override_value(&mut self.drop_cap, drop_cap);
        let lines = element.word_attribute("lines").and_then(integer).map(|lines| lines.clamp(1, 10) as u32);
        self.lines = lines.or(self.lines);
    }

    pub(crate) fn resolve(self) -> Frame {
        let lines = self.lines.unwrap_or(1);
        Frame {
            vertical_anchor: self.vertical_anchor.unwrap_or(default_vertical_anchor(self.frame.y)),
            drop_cap: self.drop_cap.map(|in_margin| DropCap { lines, in_margin }),
            ..self.frame
        }
    }
}

/// Returns the vertical anchor of a frame that specifies no vertical anchor. Word measures the vertical position `y` of
/// such a frame from the margin (`pcVert` 0 in [MS-DOC] §2.9.187 PositionCodeOperand), although §17.3.1.11 requires the
/// page. A frame without a vertical position is anchored to the text.
pub(crate) fn default_vertical_anchor(y: Option<PositionValue>) -> FrameAnchor {
    if y.is_none() { FrameAnchor::Text } else { FrameAnchor::Margin }
}

/// Subtracts one twip from an offset in points, unless it is zero. Word stores an offset plus one twip, so that zero
/// can mean "no position" ([MS-DOC] §2.9.348 XAS_plusOne, §2.9.354 YAS_plusOne).
///
/// For example, a page number at the top of the line in a footer has `w:y="1"`. If that twip were kept, the frame would
/// reach into the second line, and the text of that line would have to flow around the frame.
fn subtract_one_twip(offset: f32) -> f32 {
    if offset == 0.0 { offset } else { (offset * 20.0 - 1.0) / 20.0 }
}

/// Returns the position of a frame. An alignment wins over an offset in points. Returns `None` if neither is specified.
pub(crate) fn frame_position(alignment: Option<&str>, offset: Option<f32>) -> Option<PositionValue> {
    alignment.and_then(parse_enum).or_else(|| offset.map(|offset| PositionValue::Offset(subtract_one_twip(offset))))
}
