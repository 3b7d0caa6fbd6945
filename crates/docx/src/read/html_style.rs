//! Formatting from HTML attributes and inline styles. Only a small part of CSS is supported.

use std::borrow::Cow;

use html5gum::StartTag;
use waraq_graphics::color::css_color;

use crate::tree::{Alignment, Rgb};

/// The formatting of one element. `None` means that the value is inherited.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ElementStyle {
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub underline: Option<bool>,
    pub color: Option<Rgb>,
    /// The font size in points.
    pub size: Option<f32>,
    /// The alignment. `Start` is left and `End` is right.
    pub alignment: Option<Alignment>,
    pub right_to_left: Option<bool>,
    /// The number of columns that a cell spans (colspan).
    pub span: usize,
}

impl ElementStyle {
    pub(crate) fn from_tag(name: &str, tag: &StartTag<()>) -> Self {
        let mut looks = Self {
            alignment: attribute(tag, "align").and_then(|value| parse_alignment(&value)),
            right_to_left: attribute(tag, "dir").map(|value| value.eq_ignore_ascii_case("rtl")),
            span: attribute(tag, "colspan").and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, 63),
            ..Self::default()
        };
        match name {
            "center" => looks.alignment = Some(Alignment::Center),
            "th" => looks.alignment = looks.alignment.or(Some(Alignment::Center)),
            "font" => looks.color = attribute(tag, "color").and_then(|value| css_color(&value)),
            _ => {}
        }
        for declaration in attribute(tag, "style").unwrap_or_default().split(';') {
            if let Some((property, value)) = declaration.split_once(':') {
                looks.apply_declaration(&property.trim().to_ascii_lowercase(), &value.trim().to_ascii_lowercase());
            }
        }
        looks
    }

    fn apply_declaration(&mut self, property: &str, value: &str) {
        match property {
            "font-weight" => {
                self.bold = Some(value.starts_with("bold") || value.parse::<u16>().is_ok_and(|weight| weight >= 600));
            }
            "font-style" => self.italic = Some(matches!(value, "italic" | "oblique")),
            "text-decoration" | "text-decoration-line" => self.underline = Some(value.contains("underline")),
            "color" => self.color = css_color(value).or(self.color),
            "font-size" => self.size = parse_font_size(value).or(self.size),
            "text-align" => self.alignment = parse_alignment(value).or(self.alignment),
            "direction" => self.right_to_left = Some(value == "rtl"),
            _ => {}
        }
    }
}

fn parse_alignment(value: &str) -> Option<Alignment> {
    Some(match value.trim().to_ascii_lowercase().as_str() {
        "left" => Alignment::Start,
        "center" => Alignment::Center,
        "right" => Alignment::End,
        "justify" => Alignment::Both,
        _ => return None,
    })
}

/// Parses a font size in points or pixels, and returns it in points. Returns `None` for relative sizes.
fn parse_font_size(value: &str) -> Option<f32> {
    let (number, factor) = match value.strip_suffix("pt") {
        Some(number) => (number, 1.0),
        None => (value.strip_suffix("px")?, 0.75),
    };
    number.trim().parse::<f32>().ok().map(|number| number * factor).filter(|size| (1.0..=1_638.0).contains(size))
}

pub(crate) fn attribute<'t>(tag: &'t StartTag<()>, name: &str) -> Option<Cow<'t, str>> {
    tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value))
}
