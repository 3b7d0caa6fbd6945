//! Colours of DrawingML and their transformations (§20.1.2.3), and the colour names of VML.

use color::{AlphaColor, ColorSpace, Hsl, LinearSrgb, Srgb, parse_color};

use crate::Rgb;
use crate::theme::Theme;
use crate::xml::values::{angle, hex_color, parse_fraction};
use crate::xml::{Element, Ns};

/// Returns the colour of a DrawingML colour element, and its opacity from 0 to 1. The transformations of the element
/// are already applied. `placeholder` is the colour that replaces `phClr`. Returns `None` for other elements and
/// unknown colours.
pub(crate) fn drawing_color(element: Element<'_>, theme: &Theme, placeholder: Option<Rgb>) -> Option<(Rgb, f32)> {
    let color = match element.name() {
        "srgbClr" => hex_color(element.attr("val")?),
        "scrgbClr" => linear_rgb_color(element),
        "sysClr" => element.attr("lastClr").and_then(hex_color).or_else(|| system_color(element.attr("val")?)),
        "prstClr" => preset_color(element.attr("val")?),
        "hslClr" => {
            let percent = |name| element.attr(name).and_then(parse_fraction).map(|share| share.clamp(0.0, 1.0) * 100.0);
            Some(from_color_space::<Hsl>([element.attr("hue").and_then(angle)?, percent("sat")?, percent("lum")?]))
        }
        "schemeClr" => match element.attr("val")? {
            "phClr" => placeholder,
            name => theme.color(name),
        },
        _ => None,
    }?;
    Some(apply_transformations(element, color))
}

/// Returns the first colour among the children of a fill or line, and its opacity from 0 to 1. `placeholder` is the
/// colour that replaces `phClr`.
pub fn color_in(element: Element<'_>, theme: &Theme, placeholder: Option<Rgb>) -> Option<(Rgb, f32)> {
    element.children().filter(|child| child.ns() == Ns::A).find_map(|child| drawing_color(child, theme, placeholder))
}

/// Returns the sRGB colour of an `a:scrgbClr` element, whose attributes are linear RGB channels.
fn linear_rgb_color(element: Element<'_>) -> Option<Rgb> {
    let channel = |name| element.attr(name).and_then(parse_fraction);
    Some(from_color_space::<LinearSrgb>([channel("r")?, channel("g")?, channel("b")?]))
}

/// Converts the components of a colour from another colour space to sRGB.
fn from_color_space<Space: ColorSpace>([x, y, z]: [f32; 3]) -> Rgb {
    let [red, green, blue, _] = AlphaColor::<Space>::new([x, y, z, 1.0]).to_rgba8().to_u8_array();
    Rgb(red, green, blue)
}

/// Applies the transformations that are the children of a colour element (lumMod, tint, alpha …) in order (§20.1.2.3).
/// Returns the new colour and its opacity.
fn apply_transformations(element: Element<'_>, color: Rgb) -> (Rgb, f32) {
    let steps = element.children().map(|child| (child.name(), transformation_value(child)));
    steps.fold((color, 1.0), |(color, opacity), (name, value)| apply_transformation(name, value, color, opacity))
}

/// Returns the value of a transformation as a fraction. For a:hueOff it is a fraction of the full circle.
pub(crate) fn transformation_value(step: Element<'_>) -> Option<f32> {
    let value = step.attr("val")?;
    if step.name() == "hueOff" { angle(value).map(|degrees| degrees / 360.0) } else { parse_fraction(value) }
}

/// Applies one transformation to a colour and its opacity. `name` is the element name of the transformation. `value` is
/// its value as a fraction, or `None` if the transformation has no value.
pub(crate) fn apply_transformation(name: &str, value: Option<f32>, color: Rgb, opacity: f32) -> (Rgb, f32) {
    let Some(value) = value else {
        let level = luminance_byte(color);
        return match name {
            "gray" => (Rgb(level, level, level), opacity),
            "inv" => (Rgb(255 - color.0, 255 - color.1, 255 - color.2), opacity),
            _ => (color, opacity),
        };
    };
    let color = match name {
        "lumMod" => scale_luminance(color, value, 0.0),
        "lumOff" => scale_luminance(color, 1.0, value),
        "satMod" => map_hsl(color, |h, s, l| (h, s * value, l)),
        "satOff" => map_hsl(color, |h, s, l| (h, s + value * 100.0, l)),
        "hueMod" => map_hsl(color, |h, s, l| (h * value, s, l)),
        // The value is a fraction of the full circle.
        "hueOff" => map_hsl(color, |h, s, l| (h + value * 360.0, s, l)),
        "tint" => {
            map_in_color_space::<LinearSrgb>(color, |channels| channels.map(|channel| channel * value + (1.0 - value)))
        }
        "shade" => map_in_color_space::<LinearSrgb>(color, |channels| channels.map(|channel| channel * value)),
        "alpha" => return (color, value.clamp(0.0, 1.0)),
        "alphaOff" => return (color, (opacity + value).clamp(0.0, 1.0)),
        "alphaMod" => return (color, (opacity * value).clamp(0.0, 1.0)),
        _ => color,
    };
    (color, opacity)
}

/// Returns the grey level of a colour, from 0 to 255.
fn luminance_byte(color: Rgb) -> u8 {
    (0.299 * f32::from(color.0) + 0.587 * f32::from(color.1) + 0.114 * f32::from(color.2)).round() as u8
}

/// Returns the colour with its HSL luminance multiplied by `factor`, plus `offset`. The offset is a fraction of the
/// maximum luminance.
pub fn scale_luminance(color: Rgb, factor: f32, offset: f32) -> Rgb {
    map_hsl(color, |h, s, l| (h, s, l * factor + offset * 100.0))
}

/// Converts a colour to HSL, changes it with `map_to` and converts it back. `map_to` gets and returns the hue in
/// degrees, and the saturation and luminance in percent. Saturation and luminance are clamped to 0 to 100.
fn map_hsl(color: Rgb, map_to: impl Fn(f32, f32, f32) -> (f32, f32, f32)) -> Rgb {
    map_in_color_space::<Hsl>(color, |[h, s, l]| {
        let (h, s, l) = map_to(h, s, l);
        [h, s.clamp(0.0, 100.0), l.clamp(0.0, 100.0)]
    })
}

/// Converts a colour to another colour space, changes its components with `change` and converts it back.
fn map_in_color_space<Space: ColorSpace>(Rgb(red, green, blue): Rgb, change: impl Fn([f32; 3]) -> [f32; 3]) -> Rgb {
    let [x, y, z, _] = AlphaColor::<Srgb>::from_rgba8(red, green, blue, 255).convert::<Space>().components;
    from_color_space::<Space>(change([x, y, z]))
}

/// Returns a system colour by its name in Windows.
fn system_color(name: &str) -> Option<Rgb> {
    Some(match name {
        "window" | "btnHighlight" | "highlightText" => Rgb(255, 255, 255),
        "windowText" | "btnText" | "menuText" => Rgb(0, 0, 0),
        "btnFace" | "3dLight" => Rgb(240, 240, 240),
        "grayText" => Rgb(109, 109, 109),
        _ => return None,
    })
}

/// Returns a preset colour (§20.1.10.48). The names are those of CSS, some of them abbreviated.
fn preset_color(name: &str) -> Option<Rgb> {
    let long = [("dk", "dark"), ("lt", "light"), ("med", "medium")];
    let long = long.iter().find_map(|(short, long)| Some((long, name.strip_prefix(short)?)));
    let long = long.filter(|(_, rest)| rest.starts_with(|letter: char| letter.is_ascii_uppercase()));
    css_color(&long.map_or(name.to_owned(), |(long, rest)| format!("{long}{rest}")))
}

/// Parses a CSS colour: a name, hexadecimal digits or `rgb(…)`. Returns `None` if the colour is not opaque.
pub fn css_color(value: &str) -> Option<Rgb> {
    let color = parse_color(value).ok()?.to_alpha_color::<Srgb>().to_rgba8();
    (color.a == 255).then_some(Rgb(color.r, color.g, color.b))
}

/// Parses a VML colour, such as `red`, `#f00` or `#ff0000 [3204]`. The number in brackets is ignored.
pub fn vml_color(value: &str) -> Option<Rgb> {
    let word = value.split([' ', '[']).next()?.trim();
    if word == "this" { Some(Rgb(0, 0, 0)) } else { css_color(word).or_else(|| system_color(word)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preset_and_vml_colours_are_parsed() {
        for (name, color) in [
            ("red", Rgb(255, 0, 0)),
            ("dkBlue", Rgb(0, 0, 139)),
            ("darkBlue", Rgb(0, 0, 139)),
            ("ltGray", Rgb(211, 211, 211)),
            ("medSeaGreen", Rgb(60, 179, 113)),
            ("lightgray", Rgb(211, 211, 211)),
        ] {
            assert_eq!(preset_color(name), Some(color), "{name}");
        }
        for (written, color) in [
            ("#f00", Some(Rgb(255, 0, 0))),
            ("#ff8000 [3204]", Some(Rgb(255, 128, 0))),
            ("blue", Some(Rgb(0, 0, 255))),
            ("window", Some(Rgb(255, 255, 255))),
            ("transparent", None),
            ("auto", None),
            ("", None),
        ] {
            assert_eq!(vml_color(written), color, "{written}");
        }
    }

    #[test]
    fn a_theme_shade_darkens_as_word_does() {
        // Word shows accent1 4F81BD with themeShade BF as 365F91.
        let Rgb(r, g, b) = scale_luminance(Rgb(0x4F, 0x81, 0xBD), f32::from(0xBFu8) / 255.0, 0.0);
        for (is, word) in [(r, 0x36), (g, 0x5F), (b, 0x91)] {
            assert!((i32::from(is) - word).abs() <= 2, "{r:x} {g:x} {b:x}");
        }
    }
}
