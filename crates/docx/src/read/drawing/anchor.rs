//! Anchors of floating objects (§20.4.2.3).

use super::super::values::{emu, integer, on_off_if_present, parse_enum, parse_fraction};
use super::super::xml::{Element, Ns};
use crate::tree::*;

/// Reads a `wp:anchor`.
pub(crate) fn read_anchor(element: Element<'_>) -> Anchor {
    let flag = |name| on_off_if_present(element.attr(name));
    let distance = |name| element.attr(name).and_then(emu).unwrap_or(0.0).clamp(0.0, 1_000.0);
    let position = |name, otherwise| {
        let given = element.child(Ns::Wp, name);
        Position {
            relative_to: given.and_then(|given| parse_enum(given.attr("relativeFrom")?)).unwrap_or(otherwise),
            value: given.and_then(read_offset_or_alignment).unwrap_or(PositionValue::Offset(0.0)),
        }
    };
    let mut horizontal = position("positionH", RelativeTo::Column);
    let mut vertical = position("positionV", RelativeTo::Paragraph);
    if flag("simplePos") == Some(true)
        && let Some(point) = element.child(Ns::Wp, "simplePos")
    {
        let length = |name| point.attr(name).and_then(emu).unwrap_or(0.0);
        horizontal = Position { relative_to: RelativeTo::Page, value: PositionValue::Offset(length("x")) };
        vertical = Position { relative_to: RelativeTo::Page, value: PositionValue::Offset(length("y")) };
    }
    let wrap = read_wrap(element);
    Anchor {
        horizontal,
        vertical,
        wrap,
        behind_text: flag("behindDoc").unwrap_or(false) && wrap == Wrap::None,
        distance_top: distance("distT"),
        distance_bottom: distance("distB"),
        distance_left: distance("distL"),
        distance_right: distance("distR"),
        z_order: element.attr("relativeHeight").and_then(integer).unwrap_or(0),
        allow_overlap: flag("allowOverlap").unwrap_or(true),
        layout_in_cell: flag("layoutInCell").unwrap_or(true),
        relative_width: relative_size(element, "sizeRelH", "pctWidth"),
        relative_height: relative_size(element, "sizeRelV", "pctHeight"),
    }
}

fn read_offset_or_alignment(position: Element<'_>) -> Option<PositionValue> {
    position.children().find_map(|child| match (child.ns(), child.name()) {
        (Ns::Wp, "align") => parse_enum(child.text().trim()),
        (Ns::Wp, "posOffset") => emu(child.text()).map(PositionValue::Offset),
        (Ns::Wp14, "pctPosHOffset" | "pctPosVOffset") => parse_fraction(child.text()).map(PositionValue::Fraction),
        _ => None,
    })
}

fn read_wrap(element: Element<'_>) -> Wrap {
    let found = element.children().find(|child| child.ns() == Ns::Wp && child.name().starts_with("wrap"));
    let Some(found) = found else { return Wrap::None };
    let sides = found.attr("wrapText").and_then(parse_enum).unwrap_or_default();
    match found.name() {
        "wrapSquare" => Wrap::Square(sides),
        "wrapTight" | "wrapThrough" => Wrap::Tight(sides),
        "wrapTopAndBottom" => Wrap::TopAndBottom,
        _ => Wrap::None,
    }
}

fn relative_size(element: Element<'_>, name: &str, value: &str) -> Option<(RelativeTo, f32)> {
    let size = element.child(Ns::Wp14, name)?;
    let part = size.child(Ns::Wp14, value).and_then(|value| parse_fraction(value.text())).filter(|part| *part > 0.0)?;
    Some((size.attr("relativeFrom").and_then(parse_enum)?, part))
}
