//! Text frames and drop caps (§17.3.1.11).

use super::values::{integer, twips};
use super::xml::Element;
use crate::tree::{DropCap, Frame, FrameAnchor, FramePosition};

/// `w:framePr`; `None` where it does not take the paragraph out of the flow.
pub(crate) fn read(element: Element<'_>) -> Option<Frame> {
    let length = |name| element.w(name).and_then(twips);
    let drop_cap = match element.w("dropCap") {
        Some("drop") => Some(false),
        Some("margin") => Some(true),
        _ => None,
    };
    let rule = element.w("hRule").unwrap_or("auto");
    Some(Frame {
        width: length("w").filter(|width| *width > 0.0),
        height: length("h").filter(|height| *height > 0.0),
        height_exact: rule == "exact",
        horizontal_anchor: anchor(element.w("hAnchor")),
        vertical_anchor: anchor(element.w("vAnchor")),
        x: position(element.w("xAlign"), length("x")),
        y: position(element.w("yAlign"), length("y")),
        horizontal_space: length("hSpace").unwrap_or(0.0),
        vertical_space: length("vSpace").unwrap_or(0.0),
        wrap_around: matches!(element.w("wrap"), None | Some("around" | "auto" | "tight" | "through")),
        drop_cap: drop_cap.map(|in_margin| DropCap {
            lines: element.w("lines").and_then(integer).unwrap_or(1).clamp(1, 10) as u32,
            in_margin,
        }),
    })
}

/// ST_HAnchor, ST_VAnchor: without one, a frame stands in the text.
pub(crate) fn anchor(value: Option<&str>) -> FrameAnchor {
    match value {
        Some("page") => FrameAnchor::Page,
        Some("margin") => FrameAnchor::Margin,
        _ => FrameAnchor::Text,
    }
}

/// An alignment wins over an offset.
pub(crate) fn position(alignment: Option<&str>, offset: Option<f32>) -> FramePosition {
    match alignment {
        Some("left" | "top") => FramePosition::Start,
        Some("center") => FramePosition::Center,
        Some("right" | "bottom") => FramePosition::End,
        Some("inside") => FramePosition::Inside,
        Some("outside") => FramePosition::Outside,
        _ => offset.map_or(FramePosition::Inline, FramePosition::Offset),
    }
}
