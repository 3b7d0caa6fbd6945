//! DrawingML shapes with their text (wps:wsp, and the same vocabulary in groups and diagrams).

use std::rc::Rc;

use super::super::cascade::TableText;
use super::super::color::color_in;
use super::super::namespaces::Ns;
use super::super::paragraph_format::ParagraphFormat;
use super::super::run_format::RunFormat;
use super::super::story::Story;
use super::super::values::{angle, emu, on_off};
use super::super::xml::Element;
use super::custom_geometry;
use super::preset;
use crate::tree::*;

/// Rotation in degrees and flips of an `a:xfrm`.
pub(super) fn turn(transform: Option<Element<'_>>) -> (f32, bool, bool) {
    let flag = |name| transform.and_then(|transform| transform.plain(name)).is_some_and(|value| on_off(Some(value)));
    let rotation = transform.and_then(|transform| transform.plain("rot")).and_then(angle).unwrap_or(0.0);
    (rotation, flag("flipH"), flag("flipV"))
}

impl<'t> Story<'t, '_> {
    /// A shape in a box of that size.
    pub(super) fn shape(&mut self, element: Element<'t>, width: f32, height: f32) -> Graphic {
        self.shape_in_group(element, width, height, None)
    }

    pub(super) fn shape_in_group(
        &mut self,
        element: Element<'t>,
        width: f32,
        height: f32,
        group: Option<&Fill>,
    ) -> Graphic {
        let properties = element.local("spPr");
        let style = element.local("style");
        let (rotation, flip_horizontal, flip_vertical) =
            turn(properties.and_then(|properties| properties.local("xfrm")));
        let geometry = properties.map_or(Geometry::Rectangle, |properties| geometry(properties, width, height));
        let is_line = matches!(geometry, Geometry::Line);
        let fill = if is_line { None } else { self.shape_fill(properties, style, group) };
        let stroke = self.shape_stroke(properties, style);
        Graphic::Shape(Box::new(Shape {
            geometry,
            rotation,
            flip_horizontal,
            flip_vertical,
            fill,
            stroke,
            text: self.shape_text(element, style),
        }))
    }

    fn shape_text(&mut self, element: Element<'t>, style: Option<Element<'t>>) -> Option<TextBox> {
        let body = element.local("bodyPr");
        let warp = body.or_else(|| element.local("txBody")?.local("bodyPr")).and_then(|body| body.local("prstTxWarp"));
        if warp.is_some_and(|warp| !matches!(warp.plain("prst"), None | Some("textNoShape" | "textPlain"))) {
            self.warn("word_art_straight", "WordArt: text that is bent to a shape is set straight");
        }
        let mut text_box = body.map(body_properties).unwrap_or_else(default_text_box);
        if let Some(content) = element.local("txbx").and_then(|text| text.child(Ns::W, "txbxContent")) {
            let font = style.and_then(|style| style.local("fontRef"));
            let color = font.and_then(|font| color_in(font, &self.shared.theme, None)).map(|(color, _)| color);
            text_box.blocks = self.text_box_blocks(content, color);
            return Some(text_box);
        }
        if element.local("linkedTxbx").is_some() {
            self.warn("linked_text_box", "text that flows on from another text box is all in the first");
        }
        let text = element.local("txBody")?;
        if let Some(body) = text.local("bodyPr") {
            text_box = body_properties(body);
        }
        text_box.blocks = self.drawing_text(text, style);
        (!text_box.blocks.is_empty()).then_some(text_box)
    }

    /// The blocks of a text box: a story of its own, whose text takes the shape's colour where it has none.
    pub(super) fn text_box_blocks(&mut self, content: Element<'t>, color: Option<Rgb>) -> Vec<Block> {
        let around = color.map(|color| {
            // The colour is part of the identity: what is inherited is kept by it.
            let id = (1 << 24) | (usize::from(color.0) << 16) | (usize::from(color.1) << 8) | usize::from(color.2);
            let run = RunFormat { color: Some(Some(color)), ..RunFormat::default() };
            Rc::new(TableText { id, paragraph: ParagraphFormat::default(), run })
        });
        let outer = std::mem::replace(&mut self.table_text, around);
        std::mem::swap(&mut self.counters, &mut self.gathered.text_box_counters);
        let blocks = self.blocks_apart(content);
        std::mem::swap(&mut self.counters, &mut self.gathered.text_box_counters);
        self.table_text = outer;
        blocks
    }
}

fn geometry(properties: Element<'_>, width: f32, height: f32) -> Geometry {
    if let Some(custom) = properties.local("custGeom") {
        let commands = custom_geometry::read(custom, width, height);
        return if commands.is_empty() { Geometry::Rectangle } else { Geometry::Path(commands) };
    }
    let Some(preset) = properties.local("prstGeom") else { return Geometry::Rectangle };
    let adjustments = preset.local("avLst").into_iter().flat_map(Element::children).filter_map(|guide| {
        let value = guide.plain("fmla")?.strip_prefix("val ")?.trim().parse::<f32>().ok()?;
        Some((guide.plain("name")?, value / 100_000.0))
    });
    let adjustments: Vec<(&str, f32)> = adjustments.collect();
    preset::geometry(preset.plain("prst").unwrap_or("rect"), &preset::Adjustments(&adjustments), width, height)
}

fn default_text_box() -> TextBox {
    TextBox { insets: [7.2, 3.6, 7.2, 3.6], ..TextBox::default() }
}

/// `a:bodyPr` (§21.1.2.1.1).
fn body_properties(element: Element<'_>) -> TextBox {
    let inset = |name, otherwise| element.plain(name).and_then(emu).unwrap_or(otherwise);
    TextBox {
        blocks: Vec::new(),
        insets: [inset("lIns", 7.2), inset("tIns", 3.6), inset("rIns", 7.2), inset("bIns", 3.6)],
        vertical_alignment: match element.plain("anchor") {
            Some("ctr") => VerticalAlignment::Center,
            Some("b") => VerticalAlignment::Bottom,
            _ => VerticalAlignment::Top,
        },
        text_direction: match element.plain("vert") {
            Some("vert" | "eaVert" | "wordArtVert") => TextDirection::Down,
            Some("vert270") => TextDirection::Up,
            _ => TextDirection::Horizontal,
        },
        auto_fit: element.local("spAutoFit").is_some(),
        no_wrap: element.plain("wrap") == Some("none"),
    }
}
