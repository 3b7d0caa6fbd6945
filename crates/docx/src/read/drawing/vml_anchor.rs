//! Where VML shapes stand: what their style attribute says of it (part 4, §19.1.2.19).

use waraq_graphics::vml::Style;

use super::super::values::{integer, word};
use crate::tree::*;

pub(super) fn is_anchored(style: &Style<'_>) -> bool {
    style.get("position").is_some_and(|position| position.eq_ignore_ascii_case("absolute"))
}

/// Where an absolute shape stands. `of_wrap` is the w10:wrap element's type and side.
pub(super) fn anchor(
    style: &Style<'_>,
    of_wrap: (Option<&str>, Option<&str>),
    anchors: (Option<&str>, Option<&str>),
) -> Anchor {
    let place = |align: &str, offset: &str, percent: &str| {
        let alignment = style.get(align).and_then(word);
        let share = style.get(percent).and_then(integer).filter(|share| *share != 0);
        match (alignment, share) {
            (Some(place), _) => place,
            // Thousandths here.
            (None, Some(share)) => Place::Share(share as f32 / 1_000.0),
            (None, None) => Place::Offset(style.length(offset).unwrap_or(0.0)),
        }
    };
    let left = if style.get("margin-left").is_some() { "margin-left" } else { "left" };
    let top = if style.get("margin-top").is_some() { "margin-top" } else { "top" };
    let z_order = style.get("z-index").and_then(integer).unwrap_or(0);
    let distance = |name, otherwise| style.length(name).unwrap_or(otherwise).clamp(0.0, 1_000.0);
    let horizontal = style.get("mso-position-horizontal-relative").or(anchors.0);
    let vertical = style.get("mso-position-vertical-relative").or(anchors.1);
    Anchor {
        horizontal: Position {
            relative_to: horizontal.and_then(word).unwrap_or(RelativeTo::Column),
            place: place("mso-position-horizontal", left, "mso-left-percent"),
        },
        vertical: Position {
            relative_to: vertical.and_then(word).unwrap_or(RelativeTo::Paragraph),
            place: place("mso-position-vertical", top, "mso-top-percent"),
        },
        wrap: wrap(of_wrap),
        behind_text: z_order < 0,
        distance_top: distance("mso-wrap-distance-top", 0.0),
        distance_bottom: distance("mso-wrap-distance-bottom", 0.0),
        distance_left: distance("mso-wrap-distance-left", 9.0),
        distance_right: distance("mso-wrap-distance-right", 9.0),
        z_order,
        allow_overlap: style.get("mso-wrap-overlap") != Some("f"),
        layout_in_cell: true,
        relative_width: relative_size(style, "mso-width-percent", "mso-width-relative"),
        relative_height: relative_size(style, "mso-height-percent", "mso-height-relative"),
    }
}

fn wrap((kind, side): (Option<&str>, Option<&str>)) -> Wrap {
    let sides = side.and_then(word).unwrap_or_default();
    match kind {
        Some("square") => Wrap::Square(sides),
        Some("tight" | "through") => Wrap::Tight(sides),
        Some("topAndBottom") => Wrap::TopAndBottom,
        _ => Wrap::None,
    }
}

fn relative_size(style: &Style<'_>, share: &str, relative: &str) -> Option<(RelativeTo, f32)> {
    let share = style.get(share).and_then(integer).filter(|share| *share > 0)?;
    let relative = style.get(relative).and_then(word).unwrap_or(RelativeTo::Page);
    Some((relative, share as f32 / 1_000.0))
}
