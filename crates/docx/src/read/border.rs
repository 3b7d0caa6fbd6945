//! Border lines (§17.3.4, §17.18.2).

use super::color;
use super::theme::Theme;
use super::values::on_off;
use super::xml::Element;
use crate::tree::{Border, BorderStyle};

/// A border element. `nil` and `none` are a border of [`BorderStyle::None`]: they win over what is inherited.
pub(crate) fn read(element: Element<'_>, theme: &Theme) -> Option<Border> {
    let name = element.val()?;
    let number = |name| element.w(name).and_then(super::values::integer);
    // Lines are measured in eighths of a point, pictures of art borders in points.
    let (style, unit) = match style(name) {
        Some(style) => (style, 8.0),
        None => (BorderStyle::Single, 4.0),
    };
    Some(Border {
        style,
        width: (number("sz").unwrap_or(4) as f32 / unit).clamp(0.25, 12.0),
        color: color::word_color(element, theme, &color::COLOR).flatten(),
        space: (number("space").unwrap_or(0) as f32).clamp(0.0, 31.0),
        shadow: element.w("shadow").is_some_and(|value| on_off(Some(value))),
    })
}

fn style(name: &str) -> Option<BorderStyle> {
    use BorderStyle::*;
    Some(match name {
        "nil" | "none" => None,
        "single" => Single,
        "thick" => Thick,
        "double" => Double,
        "triple" => Triple,
        "dotted" => Dotted,
        "dashed" => Dashed,
        "dashSmallGap" => DashSmallGap,
        "dotDash" | "dashDotStroked" => DotDash,
        "dotDotDash" => DotDotDash,
        "thinThickSmallGap" => ThinThickSmallGap,
        "thickThinSmallGap" => ThickThinSmallGap,
        "thinThickThinSmallGap" => ThinThickThinSmallGap,
        "thinThickMediumGap" => ThinThickMediumGap,
        "thickThinMediumGap" => ThickThinMediumGap,
        "thinThickThinMediumGap" => ThinThickThinMediumGap,
        "thinThickLargeGap" => ThinThickLargeGap,
        "thickThinLargeGap" => ThickThinLargeGap,
        "thinThickThinLargeGap" => ThinThickThinLargeGap,
        "wave" => Wave,
        "doubleWave" => DoubleWave,
        "threeDEmboss" => Emboss3D,
        "threeDEngrave" => Engrave3D,
        "outset" => Outset,
        "inset" => Inset,
        _ => return Option::None,
    })
}
