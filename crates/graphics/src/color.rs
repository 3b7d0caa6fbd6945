//! Colours of DrawingML and their transformations (§20.1.2.3), and the names that VML shares with it.

use crate::Rgb;
use crate::theme::Theme;
use crate::xml::values::{angle, hex_color, share};
use crate::xml::{Element, Ns};

/// A colour of DrawingML with its transformations, and its opacity. `placeholder` stands for `phClr`.
pub fn drawing_color(element: Element<'_>, theme: &Theme, placeholder: Option<Rgb>) -> Option<(Rgb, f32)> {
    let color = match element.name() {
        "srgbClr" => hex_color(element.plain("val")?),
        "scrgbClr" => scrgb(element),
        "sysClr" => element.plain("lastClr").and_then(hex_color).or_else(|| system_color(element.plain("val")?)),
        "prstClr" => preset_color(element.plain("val")?),
        "hslClr" => {
            let hue = element.plain("hue").and_then(angle)? / 360.0;
            let saturation = element.plain("sat").and_then(share)?;
            Some(from_hsl(hue, saturation, element.plain("lum").and_then(share)?))
        }
        "schemeClr" => match element.plain("val")? {
            "phClr" => placeholder,
            name => theme.color(name),
        },
        _ => None,
    }?;
    Some(transform(element, color))
}

/// The first colour among the children of a fill or line.
pub fn color_in(element: Element<'_>, theme: &Theme, placeholder: Option<Rgb>) -> Option<(Rgb, f32)> {
    element.children().filter(|child| child.ns() == Ns::A).find_map(|child| drawing_color(child, theme, placeholder))
}

fn scrgb(element: Element<'_>) -> Option<Rgb> {
    let channel =
        |name| element.plain(name).and_then(share).map(|linear| (linear_to_srgb(linear) * 255.0).round() as u8);
    Some(Rgb(channel("r")?, channel("g")?, channel("b")?))
}

fn linear_to_srgb(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

fn srgb_to_linear(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Applies a colour's children (lumMod, tint, alpha …) in order (§20.1.2.3).
fn transform(element: Element<'_>, color: Rgb) -> (Rgb, f32) {
    let steps = element.children().map(|child| (child.name(), step_value(child)));
    steps.fold((color, 1.0), |(color, opacity), (name, value)| transform_step(name, value, color, opacity))
}

/// The value of a transformation: a share, for a:hueOff (an angle) of the circle.
pub fn step_value(step: Element<'_>) -> Option<f32> {
    let value = step.plain("val")?;
    if step.name() == "hueOff" { angle(value).map(|degrees| degrees / 360.0) } else { share(value) }
}

/// One transformation of a colour and its opacity.
pub fn transform_step(name: &str, value: Option<f32>, color: Rgb, opacity: f32) -> (Rgb, f32) {
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
        "satOff" => map_hsl(color, |h, s, l| (h, s + value, l)),
        "hueMod" => map_hsl(color, |h, s, l| (h * value, s, l)),
        // A share of the circle.
        "hueOff" => map_hsl(color, |h, s, l| (h + value, s, l)),
        "tint" => map_linear(color, |c| c * value + (1.0 - value)),
        "shade" => map_linear(color, |c| c * value),
        "alpha" => return (color, value.clamp(0.0, 1.0)),
        "alphaOff" => return (color, (opacity + value).clamp(0.0, 1.0)),
        "alphaMod" => return (color, (opacity * value).clamp(0.0, 1.0)),
        _ => color,
    };
    (color, opacity)
}

fn luminance_byte(color: Rgb) -> u8 {
    (0.299 * f32::from(color.0) + 0.587 * f32::from(color.1) + 0.114 * f32::from(color.2)).round() as u8
}

fn map_linear(color: Rgb, map: impl Fn(f32) -> f32) -> Rgb {
    let channel = |c: u8| (linear_to_srgb(map(srgb_to_linear(f32::from(c) / 255.0))) * 255.0).round() as u8;
    Rgb(channel(color.0), channel(color.1), channel(color.2))
}

/// Luminance times `factor` plus `offset`, in HSL.
pub fn scale_luminance(color: Rgb, factor: f32, offset: f32) -> Rgb {
    map_hsl(color, |h, s, l| (h, s, l * factor + offset))
}

fn map_hsl(color: Rgb, map: impl Fn(f32, f32, f32) -> (f32, f32, f32)) -> Rgb {
    let (h, s, l) = to_hsl(color);
    let (h, s, l) = map(h, s, l);
    from_hsl(h, s, l)
}

fn to_hsl(Rgb(r, g, b): Rgb) -> (f32, f32, f32) {
    let (r, g, b) = (f32::from(r) / 255.0, f32::from(g) / 255.0, f32::from(b) / 255.0);
    let (max, min) = (r.max(g).max(b), r.min(g).min(b));
    let lightness = (max + min) / 2.0;
    let delta = max - min;
    if delta < f32::EPSILON {
        return (0.0, 0.0, lightness);
    }
    let saturation = delta / (1.0 - (2.0 * lightness - 1.0).abs()).max(f32::EPSILON);
    let hue = if max == r {
        ((g - b) / delta).rem_euclid(6.0)
    } else if max == g {
        (b - r) / delta + 2.0
    } else {
        (r - g) / delta + 4.0
    };
    (hue / 6.0, saturation.min(1.0), lightness)
}

fn from_hsl(hue: f32, saturation: f32, lightness: f32) -> Rgb {
    let (s, l) = (saturation.clamp(0.0, 1.0), lightness.clamp(0.0, 1.0));
    let chroma = (1.0 - (2.0 * l - 1.0).abs()) * s;
    let sector = hue.rem_euclid(1.0) * 6.0;
    let second = chroma * (1.0 - (sector % 2.0 - 1.0).abs());
    let (r, g, b) = match sector as u32 {
        0 => (chroma, second, 0.0),
        1 => (second, chroma, 0.0),
        2 => (0.0, chroma, second),
        3 => (0.0, second, chroma),
        4 => (second, 0.0, chroma),
        _ => (chroma, 0.0, second),
    };
    let base = l - chroma / 2.0;
    let channel = |c: f32| ((c + base) * 255.0).round() as u8;
    Rgb(channel(r), channel(g), channel(b))
}

fn system_color(name: &str) -> Option<Rgb> {
    Some(match name {
        "window" | "btnHighlight" | "highlightText" => Rgb(255, 255, 255),
        "windowText" | "btnText" | "menuText" => Rgb(0, 0, 0),
        "btnFace" | "3dLight" => Rgb(240, 240, 240),
        "grayText" => Rgb(109, 109, 109),
        _ => return None,
    })
}

/// Names of colours that DrawingML and VML share with HTML.
pub fn preset_color(name: &str) -> Option<Rgb> {
    Some(match name {
        "black" => Rgb(0, 0, 0),
        "white" => Rgb(255, 255, 255),
        "red" => Rgb(255, 0, 0),
        "green" => Rgb(0, 128, 0),
        "lime" => Rgb(0, 255, 0),
        "blue" => Rgb(0, 0, 255),
        "yellow" => Rgb(255, 255, 0),
        "aqua" | "cyan" => Rgb(0, 255, 255),
        "fuchsia" | "magenta" => Rgb(255, 0, 255),
        "gray" | "grey" => Rgb(128, 128, 128),
        "silver" => Rgb(192, 192, 192),
        "maroon" => Rgb(128, 0, 0),
        "navy" => Rgb(0, 0, 128),
        "olive" => Rgb(128, 128, 0),
        "purple" => Rgb(128, 0, 128),
        "teal" => Rgb(0, 128, 128),
        "orange" => Rgb(255, 165, 0),
        "pink" => Rgb(255, 192, 203),
        "brown" => Rgb(165, 42, 42),
        "ltGray" | "lightGray" | "lightgray" => Rgb(211, 211, 211),
        "dkGray" | "darkGray" | "darkgray" => Rgb(169, 169, 169),
        "dkBlue" | "darkBlue" => Rgb(0, 0, 139),
        "dkRed" | "darkRed" => Rgb(139, 0, 0),
        "dkGreen" | "darkGreen" => Rgb(0, 100, 0),
        "gold" => Rgb(255, 215, 0),
        "skyBlue" => Rgb(135, 206, 235),
        "steelBlue" => Rgb(70, 130, 180),
        "white smoke" | "whiteSmoke" => Rgb(245, 245, 245),
        _ => return None,
    })
}

/// A colour as VML and HTML write it: `red`, `#f00`, `#ff0000 [3204]`.
pub fn written_color(value: &str) -> Option<Rgb> {
    let word = value.split([' ', '[']).next()?.trim();
    let Some(digits) = word.strip_prefix('#') else {
        return preset_color(word).or(match word {
            "window" => Some(Rgb(255, 255, 255)),
            "windowText" | "this" => Some(Rgb(0, 0, 0)),
            _ => None,
        });
    };
    if digits.len() == 3 && digits.is_ascii() {
        let doubled: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
        return hex_color(&doubled);
    }
    hex_color(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hsl_there_and_back() {
        for color in [Rgb(79, 129, 189), Rgb(0, 0, 0), Rgb(255, 255, 255), Rgb(200, 30, 30), Rgb(12, 200, 99)] {
            let (h, s, l) = to_hsl(color);
            assert_eq!(from_hsl(h, s, l), color);
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
