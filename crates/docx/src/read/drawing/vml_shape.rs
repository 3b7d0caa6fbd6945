//! VML shapes, groups, pictures and text boxes (part 4, §19.1).

use std::sync::Arc;

use super::super::part_reader::PartReader;
use super::super::values::on_off_if_present;
use super::super::xml::{Element, Ns};
use super::picture::washout_opacity;
use super::text_box_chains::{self, TextBoxLink};
use crate::tree::*;
use waraq_graphics::color::vml_color;
use waraq_graphics::outline::Outline;
use waraq_graphics::vml::{self, VmlStyle, fraction, group_child_box, is_shape, length};
use waraq_rules::DiagnosticCode;

impl<'t> PartReader<'t, '_> {
    /// Reads a VML shape or group. `size` is the width and height of its box in points. `types` are the `v:shapetype`
    /// elements that were read before.
    pub(super) fn read_vml_graphic(
        &mut self,
        element: Element<'t>,
        types: &[Element<'t>],
        size: (f32, f32),
    ) -> Graphic {
        if element.name() == "group" {
            return self.read_vml_group(element, types, size);
        }
        let style = VmlStyle(element.attr("style").unwrap_or(""));
        let shape_type = element.attr("type").map(|name| name.trim_start_matches('#'));
        let shape_type = shape_type.and_then(|name| types.iter().find(|known| known.attr("id") == Some(name)).copied());
        if let Some(data) = element.child(Ns::V, "imagedata") {
            return self.read_vml_picture(element, data, &style);
        }
        if let Some(path) =
            element.child(Ns::V, "textpath").filter(|path| on_off_if_present(path.attr("on")) != Some(false))
        {
            // Plain text (type 136), which watermarks use, is not bent.
            if element.attr("type").is_none_or(|name| name != "#_x0000_t136") {
                self.warn(DiagnosticCode::WordArtStraight, "WordArt: text that is bent to a shape is set straight");
            }
            return read_vml_word_art(element, path, shape_type, &style);
        }
        let Outline { geometry, text_area } = vml::outline(element, shape_type, size);
        let is_line = vml::is_line(element, &geometry);
        Graphic::Shape(Box::new(Shape {
            fill: if is_line { None } else { vml::fill(element, shape_type, &mut |fill| self.read_vml_image(fill)) },
            stroke: vml::stroke(element, shape_type),
            geometry,
            turn: vml::orientation(element, &style),
            text: self.read_vml_text(element, &style),
            text_area,
        }))
    }

    fn read_vml_group(&mut self, element: Element<'t>, types: &[Element<'t>], size: (f32, f32)) -> Graphic {
        let pair = |name: &str, otherwise: f32| {
            let value = element.attr(name).unwrap_or("");
            let mut numbers = value.split([',', ' ']).map(|number| number.trim().parse::<f32>().unwrap_or(otherwise));
            (numbers.next().unwrap_or(otherwise), numbers.next().unwrap_or(otherwise))
        };
        let (own, origin) = (pair("coordsize", 1_000.0), pair("coordorigin", 0.0));
        let scale = (size.0 / own.0.abs().max(0.01), size.1 / own.1.abs().max(0.01));
        let style = VmlStyle(element.attr("style").unwrap_or(""));
        let mut types = types.to_vec();
        self.read_nested_group(|story| {
            let mut children = Vec::new();
            for child in element.children().filter(|child| child.ns() == Ns::V) {
                if child.name() == "shapetype" {
                    types.push(child);
                }
                if !is_shape(child.name()) {
                    continue;
                }
                let place = group_child_box(child);
                let (width, height) = (place.2 * scale.0, place.3 * scale.1);
                let graphic = story.read_vml_graphic(child, &types, (width, height));
                let (x, y) = ((place.0 - origin.0) * scale.0, (place.1 - origin.1) * scale.1);
                children.push(GroupChild { x, y, width, height, graphic });
            }
            Group { turn: style.orientation(), children }
        })
    }

    fn read_vml_picture(&mut self, element: Element<'t>, data: Element<'t>, style: &VmlStyle<'_>) -> Graphic {
        let image = self.read_vml_image(data);
        let Some(image) = image else { return Graphic::Unsupported { label: "Picture".to_owned() } };
        let crop = ["cropleft", "croptop", "cropright", "cropbottom"]
            .map(|side| data.attr(side).and_then(fraction).unwrap_or(0.0).clamp(-10.0, 0.999));
        // A picture has an outline only if it is explicitly stroked.
        let outline =
            if on_off_if_present(element.attr("stroked")) == Some(true) { vml::stroke(element, None) } else { None };
        // Watermarks are washed out (§19.1.2.11).
        let share = |name: &str| data.attr(name).and_then(fraction);
        let opacity = washout_opacity(share("gain").unwrap_or(1.0), share("blacklevel").unwrap_or(0.0));
        Graphic::Picture(Picture {
            image,
            metafile: self.state.metafiles.get(&image).cloned(),
            crop,
            orientation: style.orientation(),
            outline,
            geometry: Geometry::Rectangle,
            opacity,
        })
    }

    /// Returns the image of a v:imagedata or a v:fill.
    fn read_vml_image(&mut self, element: Element<'t>) -> Option<ImageId> {
        let relationship = element.relationship_attribute("id").or_else(|| element.attribute(Ns::Office, "relid"));
        self.related_image(relationship.or_else(|| element.relationship_attribute("pict"))?)
    }

    fn read_vml_text(&mut self, element: Element<'t>, style: &VmlStyle<'_>) -> Option<TextBox> {
        let text_box = element.child(Ns::V, "textbox")?;
        let content = text_box.child(Ns::W, "txbxContent")?;
        let inner = VmlStyle(text_box.attr("style").unwrap_or(""));
        let mut insets = [7.2, 3.6, 7.2, 3.6];
        let sides = text_box.attr("inset").unwrap_or("");
        for (inset, value) in insets.iter_mut().zip(sides.split(',')) {
            *inset = length(value).unwrap_or(*inset);
        }
        let vertical = inner.get("layout-flow").is_some_and(|flow| flow.starts_with("vertical"));
        let upwards = inner.get("mso-layout-flow-alt") == Some("bottom-to-top");
        let blocks = self.read_text_box_blocks(content, None);
        let bytes = if text_box_chains::is_blank(&blocks) { 0 } else { text_box_chains::longest_block_bytes(content) };
        let next = inner.get("mso-next-textbox").map(|next| next.trim_start_matches('#').to_owned());
        let names = [element.attr("id"), element.attribute(Ns::Office, "spid")].map(|name| name.map(str::to_owned));
        Some(TextBox {
            id: self.register_text_box(bytes, TextBoxLink::Named { names, next }),
            blocks,
            insets,
            vertical_alignment: match style.get("v-text-anchor") {
                Some(anchor) if anchor.starts_with("middle") => VerticalAlignment::Center,
                Some(anchor) if anchor.starts_with("bottom") => VerticalAlignment::Bottom,
                _ => VerticalAlignment::Top,
            },
            text_direction: match (vertical, upwards) {
                (true, true) => TextDirection::Up,
                (true, false) => TextDirection::Down,
                _ => TextDirection::Horizontal,
            },
            auto_fit: on_off_if_present(inner.get("mso-fit-shape-to-text")) == Some(true),
            no_wrap: style.get("mso-wrap-style") == Some("none"),
            word_art: None,
        })
    }
}

/// Reads text on a path (§19.1.2.23): older WordArt and watermarks of headers. The text is drawn straight in its box;
/// the path is ignored.
fn read_vml_word_art(
    element: Element<'_>,
    path: Element<'_>,
    shape_type: Option<Element<'_>>,
    style: &VmlStyle<'_>,
) -> Graphic {
    let of_type = shape_type.and_then(|shape_type| shape_type.child(Ns::V, "textpath"));
    let attribute = |name: &str| path.attr(name).or_else(|| of_type?.attr(name));
    let font = VmlStyle(path.attr("style").unwrap_or(""));
    let lines = attribute("string").unwrap_or("").lines().map(str::to_owned).collect();
    let alignment = match font.get("v-text-align") {
        Some("left") => Alignment::Start,
        Some("right") => Alignment::End,
        _ => Alignment::Center,
    };
    let fitted = on_off_if_present(attribute("fitshape")).unwrap_or(true);
    let word_art = WordArt { lines, run: Arc::new(word_art_run(element, &font)), alignment, fitted };
    Graphic::Shape(Box::new(Shape {
        turn: style.orientation(),
        text: Some(TextBox { word_art: Some(word_art), ..TextBox::default() }),
        ..Shape::default()
    }))
}

/// Returns the formatting of the letters of a WordArt. The font comes from `font`, the style of the text path. The
/// colour comes from the fill or stroke of the shape `element`.
fn word_art_run(element: Element<'_>, font: &VmlStyle<'_>) -> RunProperties {
    let family: Option<Arc<str>> = font.get("font-family").map(|name| Arc::from(name.trim_matches(['"', '\''])));
    let size = font.get("font-size").and_then(length).unwrap_or(36.0).clamp(1.0, 1_638.0);
    let fill = element.child(Ns::V, "fill");
    let filled =
        fill.and_then(|fill| on_off_if_present(fill.attr("on"))).or_else(|| on_off_if_present(element.attr("filled")));
    let outlined = filled == Some(false);
    let color = if outlined {
        element.attr("strokecolor").and_then(vml_color).unwrap_or(Rgb(0, 0, 0))
    } else {
        let color = fill.and_then(|fill| fill.attr("color")).or_else(|| element.attr("fillcolor"));
        color.and_then(vml_color).unwrap_or(Rgb(255, 255, 255))
    };
    let opacity = fill.and_then(|fill| fill.attr("opacity")).and_then(fraction).unwrap_or(1.0).clamp(0.0, 1.0);
    // Runs have no opacity, so the colour is blended with white.
    let faded = |channel: u8| (f32::from(channel) * opacity + 255.0 * (1.0 - opacity)).round() as u8;
    let bold = font.get("font-weight") == Some("bold");
    let italic = font.get("font-style") == Some("italic");
    RunProperties {
        fonts: Fonts::all(family),
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
