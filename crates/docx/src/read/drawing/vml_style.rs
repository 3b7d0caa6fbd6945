//! The style attribute of VML shapes (part 4, §19.1.2.19): positions, sizes, wrapping in the manner of CSS.

use super::super::values::integer;
use crate::tree::*;

/// The declarations of a style attribute, names in lower case.
pub(super) struct Style<'t> {
    declarations: Vec<(String, &'t str)>,
}

impl<'t> Style<'t> {
    pub(super) fn parse(text: &'t str) -> Self {
        let declarations = text.split(';').filter_map(|declaration| {
            let (name, value) = declaration.split_once(':')?;
            Some((name.trim().to_ascii_lowercase(), value.trim()))
        });
        Self { declarations: declarations.collect() }
    }

    pub(super) fn get(&self, name: &str) -> Option<&'t str> {
        self.declarations.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    pub(super) fn length(&self, name: &str) -> Option<f32> {
        self.get(name).and_then(length)
    }

    /// A bare number, as the children of groups have them.
    pub(super) fn number(&self, name: &str) -> Option<f32> {
        let value = self.get(name)?;
        value.parse::<f32>().ok().filter(|number| number.is_finite()).or_else(|| length(value))
    }

    /// Degrees, or 65536ths of one.
    pub(super) fn rotation(&self) -> f32 {
        let Some(value) = self.get("rotation") else { return 0.0 };
        match value.strip_suffix("fd") {
            Some(value) => value.parse::<f32>().map_or(0.0, |value| value / 65_536.0),
            None => value.trim_end_matches("deg").parse().unwrap_or(0.0),
        }
    }

    /// Flips by x and by y.
    pub(super) fn flips(&self) -> (bool, bool) {
        let flip = self.get("flip").unwrap_or("").to_ascii_lowercase();
        (flip.contains('x'), flip.contains('y'))
    }

    pub(super) fn is_anchored(&self) -> bool {
        self.get("position").is_some_and(|position| position.eq_ignore_ascii_case("absolute"))
    }

    /// Where an absolute shape stands. `wrap` is the w10:wrap element's type and side.
    pub(super) fn anchor(&self, wrap: (Option<&str>, Option<&str>), anchors: (Option<&str>, Option<&str>)) -> Anchor {
        let place = |align: &str, offset: &str, percent: &str| {
            let alignment = self.get(align).and_then(super::anchor::alignment);
            let share = self.get(percent).and_then(integer).filter(|share| *share != 0);
            match (alignment, share) {
                (Some(place), _) => place,
                // Thousandths here.
                (None, Some(share)) => Place::Share(share as f32 / 1_000.0),
                (None, None) => Place::Offset(self.length(offset).unwrap_or(0.0)),
            }
        };
        let left = if self.get("margin-left").is_some() { "margin-left" } else { "left" };
        let top = if self.get("margin-top").is_some() { "margin-top" } else { "top" };
        let z_order = self.get("z-index").and_then(integer).unwrap_or(0);
        let distance = |name, otherwise| self.length(name).unwrap_or(otherwise).clamp(0.0, 1_000.0);
        let horizontal = self.get("mso-position-horizontal-relative").or(anchors.0);
        let vertical = self.get("mso-position-vertical-relative").or(anchors.1);
        Anchor {
            horizontal: HorizontalPosition {
                relative_to: horizontal.and_then(relative_to).unwrap_or(RelativeTo::Column),
                place: place("mso-position-horizontal", left, "mso-left-percent"),
            },
            vertical: VerticalPositionInPage {
                relative_to: vertical.and_then(relative_to).unwrap_or(RelativeTo::Paragraph),
                place: place("mso-position-vertical", top, "mso-top-percent"),
            },
            wrap: self.wrap(wrap),
            behind_text: z_order < 0,
            distance_top: distance("mso-wrap-distance-top", 0.0),
            distance_bottom: distance("mso-wrap-distance-bottom", 0.0),
            distance_left: distance("mso-wrap-distance-left", 9.0),
            distance_right: distance("mso-wrap-distance-right", 9.0),
            z_order,
            allow_overlap: self.get("mso-wrap-overlap") != Some("f"),
            layout_in_cell: true,
            relative_width: self.relative_size("mso-width-percent", "mso-width-relative"),
            relative_height: self.relative_size("mso-height-percent", "mso-height-relative"),
        }
    }

    fn wrap(&self, (kind, side): (Option<&str>, Option<&str>)) -> Wrap {
        let sides = match side {
            Some("left") => WrapSides::Left,
            Some("right") => WrapSides::Right,
            Some("largest") => WrapSides::Largest,
            _ => WrapSides::Both,
        };
        match kind {
            Some("square") => Wrap::Square(sides),
            Some("tight" | "through") => Wrap::Tight(sides),
            Some("topAndBottom") => Wrap::TopAndBottom,
            _ => Wrap::None,
        }
    }

    fn relative_size(&self, share: &str, relative: &str) -> Option<(RelativeTo, f32)> {
        let share = self.get(share).and_then(integer).filter(|share| *share > 0)?;
        let relative = self.get(relative).and_then(relative_to).unwrap_or(RelativeTo::Page);
        Some((relative, share as f32 / 1_000.0))
    }
}

fn relative_to(name: &str) -> Option<RelativeTo> {
    Some(match name {
        "page" => RelativeTo::Page,
        "margin" => RelativeTo::Margin,
        "text" => return None,
        "char" => RelativeTo::Character,
        "line" => RelativeTo::Line,
        "left-margin-area" => RelativeTo::LeftMargin,
        "right-margin-area" => RelativeTo::RightMargin,
        "top-margin-area" => RelativeTo::TopMargin,
        "bottom-margin-area" => RelativeTo::BottomMargin,
        "inner-margin-area" => RelativeTo::InsideMargin,
        "outer-margin-area" => RelativeTo::OutsideMargin,
        _ => return None,
    })
}

/// A CSS length in points; bare numbers are pixels, as VML has them.
pub(super) fn length(value: &str) -> Option<f32> {
    let value = value.trim();
    let split = value.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(value.len());
    let (digits, unit) = value.split_at(split);
    let number: f32 = digits.trim().parse().ok().filter(|number: &f32| number.is_finite())?;
    let points = match unit {
        "pt" => 1.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "pc" => 12.0,
        "px" | "" => 0.75,
        "emu" => 1.0 / 12_700.0,
        _ => return None,
    };
    Some((number * points).clamp(-100_000.0, 100_000.0))
}

/// A share: `.5`, `50%`, or 65536ths with an f.
pub(super) fn fraction(value: &str) -> Option<f32> {
    let value = value.trim();
    let scaled = |digits: &str, scale: f32| digits.parse::<f32>().ok().map(|number| number / scale);
    let share = match (value.strip_suffix('f'), value.strip_suffix('%')) {
        (Some(digits), _) => scaled(digits, 65_536.0),
        (None, Some(digits)) => scaled(digits, 100.0),
        (None, None) => scaled(value, 1.0),
    };
    share.filter(|share| share.is_finite())
}
