//! Text along a path (v:textpath, part 4, §19.1.2.23): WordArt before DrawingML, and the watermarks of headers.

use std::sync::Arc;

use super::super::values::given;
use super::super::xml::{Element, Ns};
use crate::tree::*;
use waraq_graphics::color::written_color;
use waraq_graphics::vml::{Style, fraction, length};

/// The text in its box, straight: which way its path bends is not followed.
pub(super) fn read(
    element: Element<'_>,
    path: Element<'_>,
    shape_type: Option<Element<'_>>,
    style: &Style<'_>,
) -> Graphic {
    let of_type = shape_type.and_then(|shape_type| shape_type.child(Ns::V, "textpath"));
    let attribute = |name: &str| path.plain(name).or_else(|| of_type?.plain(name));
    let font = Style(path.plain("style").unwrap_or(""));
    let lines = attribute("string").unwrap_or("").lines().map(str::to_owned).collect();
    let alignment = match font.get("v-text-align") {
        Some("left") => Alignment::Start,
        Some("right") => Alignment::End,
        _ => Alignment::Center,
    };
    let fitted = given(attribute("fitshape")).unwrap_or(true);
    let word_art = WordArt { lines, run: Arc::new(run(element, &font)), alignment, fitted };
    let (flip_horizontal, flip_vertical) = style.flips();
    Graphic::Shape(Box::new(Shape {
        rotation: style.rotation(),
        flip_horizontal,
        flip_vertical,
        text: Some(TextBox { word_art: Some(word_art), ..TextBox::default() }),
        ..Shape::default()
    }))
}

/// The look of the letters: the font of the path's style, the fill and the line of the shape.
fn run(element: Element<'_>, font: &Style<'_>) -> RunProperties {
    let family: Option<Arc<str>> = font.get("font-family").map(|name| Arc::from(name.trim_matches(['"', '\''])));
    let size = font.get("font-size").and_then(length).unwrap_or(36.0).clamp(1.0, 1_638.0);
    let fill = element.child(Ns::V, "fill");
    let filled = fill.and_then(|fill| given(fill.plain("on"))).or_else(|| given(element.plain("filled")));
    let outlined = filled == Some(false);
    let color = if outlined {
        element.plain("strokecolor").and_then(written_color).unwrap_or(Rgb(0, 0, 0))
    } else {
        let color = fill.and_then(|fill| fill.plain("color")).or_else(|| element.plain("fillcolor"));
        color.and_then(written_color).unwrap_or(Rgb(255, 255, 255))
    };
    let opacity = fill.and_then(|fill| fill.plain("opacity")).and_then(fraction).unwrap_or(1.0).clamp(0.0, 1.0);
    // Letters let nothing through here: their colour is what is left of it on white.
    let faded = |channel: u8| (f32::from(channel) * opacity + 255.0 * (1.0 - opacity)).round() as u8;
    let bold = font.get("font-weight") == Some("bold");
    let italic = font.get("font-style") == Some("italic");
    RunProperties {
        fonts: Fonts {
            ascii: family.clone(),
            high_ansi: family.clone(),
            east_asia: family.clone(),
            complex: family,
            hint: FontSlot::Default,
        },
        size,
        size_complex: size,
        bold,
        bold_complex: bold,
        italic,
        italic_complex: italic,
        outline: outlined,
        color: Some(Rgb(faded(color.0), faded(color.1), faded(color.2))),
        ..RunProperties::default()
    }
}
