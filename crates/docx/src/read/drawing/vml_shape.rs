//! VML shapes, groups, pictures and text boxes (part 4, §19.1).

use super::super::story::Story;
use super::super::values::given;
use super::super::xml::{Element, Ns};
use super::chain::{self, Tie};
use super::picture::washed;
use super::vml_word_art;
use crate::tree::*;
use waraq_graphics::outline::Outline;
use waraq_graphics::vml::{self, Style, fraction, group_place, is_shape, length};
use waraq_rules::FindingCode;

impl<'t> Story<'t, '_> {
    /// A VML shape in a box of that size; `types` are the shape types declared so far.
    pub(super) fn vml_graphic(&mut self, element: Element<'t>, types: &[Element<'t>], size: (f32, f32)) -> Graphic {
        if element.name() == "group" {
            return self.vml_group(element, types, size);
        }
        let style = Style(element.plain("style").unwrap_or(""));
        let shape_type = element.plain("type").map(|name| name.trim_start_matches('#'));
        let shape_type =
            shape_type.and_then(|name| types.iter().find(|known| known.plain("id") == Some(name)).copied());
        if let Some(data) = element.child(Ns::V, "imagedata") {
            return self.vml_picture(element, data, &style);
        }
        if let Some(path) = element.child(Ns::V, "textpath").filter(|path| given(path.plain("on")) != Some(false)) {
            // Plain text (136), which watermarks are, is not bent.
            if element.plain("type").is_none_or(|name| name != "#_x0000_t136") {
                self.warn(FindingCode::WordArtStraight, "WordArt: text that is bent to a shape is set straight");
            }
            return vml_word_art::read(element, path, shape_type, &style);
        }
        let Outline { geometry, text_area } = vml::outline(element, shape_type, size);
        let (flip_horizontal, flip_vertical) = vml::flips(element, &style);
        let is_line = vml::is_line(element, &geometry);
        Graphic::Shape(Box::new(Shape {
            fill: if is_line { None } else { vml::fill(element, shape_type, &mut |fill| self.vml_image(fill)) },
            stroke: vml::stroke(element, shape_type),
            geometry,
            rotation: style.rotation(),
            flip_horizontal,
            flip_vertical,
            text: self.vml_text(element, &style),
            text_area,
        }))
    }

    fn vml_group(&mut self, element: Element<'t>, types: &[Element<'t>], size: (f32, f32)) -> Graphic {
        let pair = |name: &str, otherwise: f32| {
            let value = element.plain(name).unwrap_or("");
            let mut numbers = value.split([',', ' ']).map(|number| number.trim().parse::<f32>().unwrap_or(otherwise));
            (numbers.next().unwrap_or(otherwise), numbers.next().unwrap_or(otherwise))
        };
        let (own, origin) = (pair("coordsize", 1_000.0), pair("coordorigin", 0.0));
        let scale = (size.0 / own.0.abs().max(0.01), size.1 / own.1.abs().max(0.01));
        let style = Style(element.plain("style").unwrap_or(""));
        let (flip_horizontal, flip_vertical) = style.flips();
        let mut types = types.to_vec();
        self.nested(|story| {
            let mut children = Vec::new();
            for child in element.children().filter(|child| child.ns() == Ns::V) {
                if child.name() == "shapetype" {
                    types.push(child);
                }
                if !is_shape(child.name()) {
                    continue;
                }
                let place = group_place(child);
                let (width, height) = (place.2 * scale.0, place.3 * scale.1);
                let graphic = story.vml_graphic(child, &types, (width, height));
                let (x, y) = ((place.0 - origin.0) * scale.0, (place.1 - origin.1) * scale.1);
                children.push(GroupChild { x, y, width, height, graphic });
            }
            Group { rotation: style.rotation(), flip_horizontal, flip_vertical, children }
        })
    }

    fn vml_picture(&mut self, element: Element<'t>, data: Element<'t>, style: &Style<'_>) -> Graphic {
        let image = self.vml_image(data);
        let Some(image) = image else { return Graphic::Unsupported { label: "Picture".to_owned() } };
        let crop = ["cropleft", "croptop", "cropright", "cropbottom"]
            .map(|side| data.plain(side).and_then(fraction).unwrap_or(0.0).clamp(-10.0, 0.999));
        let (flip_horizontal, flip_vertical) = style.flips();
        // A picture has a line only where it says so.
        let outline = if given(element.plain("stroked")) == Some(true) { vml::stroke(element, None) } else { None };
        let metafile = self.gathered.metafiles.get(&image).cloned();
        let rotation = style.rotation();
        // Washed out, as watermarks are (§19.1.2.11).
        let share = |name: &str| data.plain(name).and_then(fraction);
        let opacity = washed(share("gain").unwrap_or(1.0), share("blacklevel").unwrap_or(0.0));
        let geometry = Geometry::Rectangle;
        Graphic::Picture(Picture {
            image,
            metafile,
            crop,
            rotation,
            flip_horizontal,
            flip_vertical,
            outline,
            geometry,
            opacity,
        })
    }

    /// The picture of a v:imagedata or a v:fill.
    fn vml_image(&mut self, element: Element<'t>) -> Option<ImageId> {
        let relationship = element.r("id").or_else(|| element.attribute(Ns::Office, "relid"));
        self.image(relationship.or_else(|| element.r("pict"))?)
    }

    fn vml_text(&mut self, element: Element<'t>, style: &Style<'_>) -> Option<TextBox> {
        let text_box = element.child(Ns::V, "textbox")?;
        let content = text_box.child(Ns::W, "txbxContent")?;
        let inner = Style(text_box.plain("style").unwrap_or(""));
        let mut insets = [7.2, 3.6, 7.2, 3.6];
        let sides = text_box.plain("inset").unwrap_or("");
        for (inset, value) in insets.iter_mut().zip(sides.split(',')) {
            *inset = length(value).unwrap_or(*inset);
        }
        let vertical = inner.get("layout-flow").is_some_and(|flow| flow.starts_with("vertical"));
        let upwards = inner.get("mso-layout-flow-alt") == Some("bottom-to-top");
        let blocks = self.text_box_blocks(content, None);
        let bytes = if chain::is_blank(&blocks) { 0 } else { chain::longest(content) };
        let next = inner.get("mso-next-textbox").map(|next| next.trim_start_matches('#').to_owned());
        let names = [element.plain("id"), element.attribute(Ns::Office, "spid")].map(|name| name.map(str::to_owned));
        Some(TextBox {
            id: self.linked(bytes, Tie::Named { names, next }),
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
            auto_fit: given(inner.get("mso-fit-shape-to-text")) == Some(true),
            no_wrap: style.get("mso-wrap-style") == Some("none"),
            word_art: None,
        })
    }
}
