//! Colours of WordprocessingML: theme tints and shades (§17.18.97), shading patterns (§17.18.78), highlights, and
//! border lines (§17.3.4).

use waraq_graphics::color::scale_luminance;

use super::theme::Theme;
use super::values::{hex_color, integer, on_off_if_present};
use super::xml::Element;
use crate::tree::{Border, BorderStyle, Rgb};

pub(crate) use waraq_graphics::color::color_in;

/// Returns the colour of `w:color`, `w:shd`, a border and similar elements. A theme colour wins over a plain colour.
///
/// Returns `Some(None)` for the automatic colour and `None` if no colour is specified.
pub(crate) fn word_color(
    element: Element<'_>,
    theme: &Theme,
    [plain, of_theme, tint, shade]: ColorNames,
) -> Option<Option<Rgb>> {
    if let Some(mut color) = element.word_attribute(of_theme).and_then(|name| theme.color(name)) {
        if let Some(tint) = element.word_attribute(tint).and_then(hex_byte) {
            color = scale_luminance(color, tint, 1.0 - tint);
        }
        if let Some(shade) = element.word_attribute(shade).and_then(hex_byte) {
            color = scale_luminance(color, shade, 0.0);
        }
        return Some(Some(color));
    }
    element.word_attribute(plain).map(hex_color)
}

/// The names of the attributes that specify one colour: the plain colour, the theme colour, its tint and its shade.
pub(crate) type ColorNames = [&'static str; 4];

pub(crate) const VAL: ColorNames = ["val", "themeColor", "themeTint", "themeShade"];
pub(crate) const COLOR: ColorNames = ["color", "themeColor", "themeTint", "themeShade"];
const FILL: ColorNames = ["fill", "themeFill", "themeFillTint", "themeFillShade"];

fn hex_byte(value: &str) -> Option<f32> {
    u8::from_str_radix(value.trim(), 16).ok().map(|byte| f32::from(byte) / 255.0)
}

/// Returns the colour of a `w:shd`. Returns `None` for no shading. Patterns are blended to one colour.
pub(crate) fn shading_color(element: Element<'_>, theme: &Theme) -> Option<Rgb> {
    let fill = word_color(element, theme, FILL).flatten();
    let coverage = match element.val().unwrap_or("clear") {
        "clear" | "nil" => return fill,
        "solid" => 1.0,
        name => pattern_coverage(name),
    };
    let fore = word_color(element, theme, COLOR).flatten().unwrap_or(Rgb(0, 0, 0));
    Some(blend(fore, fill.unwrap_or(Rgb(255, 255, 255)), coverage))
}

/// Returns the fraction (0 to 1) of the area that the pattern of this name fills with the foreground colour.
fn pattern_coverage(name: &str) -> f32 {
    if let Some(percent) = name.strip_prefix("pct").and_then(|digits| digits.parse::<f32>().ok()) {
        // pct12, pct37, pct62 and pct87 are rounded-down values of 12.5, 37.5, 62.5 and 87.5.
        let half = if matches!(percent as i32, 12 | 37 | 62 | 87) { 0.5 } else { 0.0 };
        return ((percent + half) / 100.0).clamp(0.0, 1.0);
    }
    match name {
        "horzStripe" | "vertStripe" | "reverseDiagStripe" | "diagStripe" => 0.5,
        "horzCross" | "diagCross" => 0.75,
        "thinHorzStripe" | "thinVertStripe" | "thinReverseDiagStripe" | "thinDiagStripe" => 0.25,
        "thinHorzCross" | "thinDiagCross" => 0.44,
        _ => 0.0,
    }
}

fn blend(fore: Rgb, back: Rgb, coverage: f32) -> Rgb {
    let mix = |f: u8, b: u8| (f32::from(f) * coverage + f32::from(b) * (1.0 - coverage)).round() as u8;
    Rgb(mix(fore.0, back.0), mix(fore.1, back.1), mix(fore.2, back.2))
}

/// Returns the colour of this name in a `w:highlight` (§17.18.40). Returns `None` for no highlight and unknown names.
pub(crate) fn highlight_color(name: &str) -> Option<Rgb> {
    Some(match name {
        "black" => Rgb(0, 0, 0),
        "blue" => Rgb(0, 0, 255),
        "cyan" => Rgb(0, 255, 255),
        "green" => Rgb(0, 255, 0),
        "magenta" => Rgb(255, 0, 255),
        "red" => Rgb(255, 0, 0),
        "yellow" => Rgb(255, 255, 0),
        "white" => Rgb(255, 255, 255),
        "darkBlue" => Rgb(0, 0, 128),
        "darkCyan" => Rgb(0, 128, 128),
        "darkGreen" => Rgb(0, 128, 0),
        "darkMagenta" => Rgb(128, 0, 128),
        "darkRed" => Rgb(128, 0, 0),
        "darkYellow" => Rgb(128, 128, 0),
        "darkGray" => Rgb(128, 128, 128),
        "lightGray" => Rgb(192, 192, 192),
        _ => return None,
    })
}

/// Reads a border element. `nil` and `none` give a border of [`BorderStyle::None`], which overrides an inherited
/// border.
pub(crate) fn read_border(element: Element<'_>, theme: &Theme) -> Option<Border> {
    let name = element.val()?;
    let number = |name| element.word_attribute(name).and_then(integer);
    // Line widths are in eighths of a point. Art borders are measured in points; a quarter of their size is used as
    // line width.
    let (style, unit) = name.parse().map_or((BorderStyle::Single, 4.0), |style| (style, 8.0));
    Some(Border {
        style,
        width: (number("sz").unwrap_or(4) as f32 / unit).clamp(0.25, 12.0),
        color: word_color(element, theme, COLOR).flatten(),
        space: (number("space").unwrap_or(0) as f32).clamp(0.0, 31.0),
        shadow: on_off_if_present(element.word_attribute("shadow")) == Some(true),
    })
}
