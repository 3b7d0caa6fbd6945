//! DrawingML shapes with their text (wps:wsp and the same elements in diagrams), and groups of shapes (§20.1.7.5).

use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::super::cascade::TextContainer;
use super::super::color::color_in;
use super::super::part_reader::PartReader;
use super::super::values::{angle, emu, integer, on_off_if_present};
use super::super::xml::{Element, Ns};
use super::text_box_chains::{self, TextBoxLink};
use crate::tree::*;
use waraq_graphics::fill;
use waraq_graphics::outline::{Outline, outline};

/// Reads the rotation and flips of an `a:xfrm`.
pub(super) fn read_turn(transform: Option<Element<'_>>) -> Orientation {
    let flag = |name| on_off_if_present(transform.and_then(|transform| transform.attr(name))) == Some(true);
    let rotation = transform.and_then(|transform| transform.attr("rot")).and_then(angle).unwrap_or(0.0);
    Orientation { rotation, flip_horizontal: flag("flipH"), flip_vertical: flag("flipV") }
}

/// The factors and offsets that convert the coordinates of a group's children to points. The points are measured from
/// the top left corner of the group.
#[derive(Clone, Copy)]
struct GroupScale {
    x: f32,
    y: f32,
    left: f32,
    top: f32,
}

impl<'t> PartReader<'t, '_> {
    /// Reads a shape. `width` and `height` are the size of its box in points. `group` is the fill of the surrounding
    /// group.
    pub(super) fn read_shape(
        &mut self,
        element: Element<'t>,
        width: f32,
        height: f32,
        group: Option<&Fill>,
    ) -> Graphic {
        let shared = self.shared;
        let properties = element.child_named("spPr");
        let style = element.child_named("style");
        let Outline { geometry, text_area } = outline(properties, width, height);
        let is_line = matches!(geometry, Geometry::Line);
        let fill = if is_line {
            None
        } else {
            fill::shape_fill(properties, style, &shared.theme, group, &mut |blip| self.blip_image(blip))
        };
        let stroke = fill::shape_stroke(properties, style, &shared.theme);
        Graphic::Shape(Box::new(Shape {
            geometry,
            turn: read_turn(properties.and_then(|properties| properties.child_named("xfrm"))),
            fill,
            stroke,
            text: self.read_shape_text(element, style),
            text_area,
        }))
    }

    /// Reads a group or canvas. `width` and `height` are the size of its box in points. `outer` is the fill of the
    /// surrounding group.
    pub(super) fn read_group(
        &mut self,
        element: Element<'t>,
        width: f32,
        height: f32,
        outer: Option<&Fill>,
    ) -> Graphic {
        let properties = element.child_named("grpSpPr");
        let transform = properties.and_then(|properties| properties.child_named("xfrm"));
        let scale =
            transform.map_or(GroupScale { x: 1.0, y: 1.0, left: 0.0, top: 0.0 }, |t| group_scale(t, width, height));
        self.read_nested_group(|story| {
            let fill = properties.and_then(|properties| story.read_fill(properties, outer)).flatten();
            let children = element.children().filter_map(|child| story.read_group_child(child, scale, fill.as_ref()));
            let children = children.collect();
            Group { turn: read_turn(transform), children }
        })
    }

    fn read_group_child(&mut self, child: Element<'t>, scale: GroupScale, fill: Option<&Fill>) -> Option<GroupChild> {
        let name = child.name();
        let transform = match name {
            "wsp" | "sp" | "cxnSp" | "pic" => child.child_named("spPr")?.child_named("xfrm"),
            "grpSp" | "wgp" => child.child_named("grpSpPr")?.child_named("xfrm"),
            "graphicFrame" | "contentPart" => child.child_named("xfrm"),
            _ => return None,
        };
        let value = |inner: &str, name: &str| {
            transform.and_then(|transform| transform.child_named(inner)?.attr(name)).and_then(emu).unwrap_or(0.0)
        };
        let (width, height) = (value("ext", "cx") * scale.x, value("ext", "cy") * scale.y);
        let graphic = match name {
            "pic" => self.read_picture(child, width, height),
            "grpSp" | "wgp" => self.read_group(child, width, height, fill),
            "graphicFrame" => {
                let object = child.child_named("graphic")?.child_named("graphicData")?.children().next()?;
                self.read_graphic_object(object, width, height)
            }
            "contentPart" => {
                self.warn(DiagnosticCode::InkLeftOut, "handwriting is not shown");
                return None;
            }
            _ => self.read_shape(child, width, height, fill),
        };
        Some(GroupChild {
            x: (value("off", "x") - scale.left) * scale.x,
            y: (value("off", "y") - scale.top) * scale.y,
            width,
            height,
            graphic,
        })
    }

    fn read_shape_text(&mut self, element: Element<'t>, style: Option<Element<'t>>) -> Option<TextBox> {
        let body = element.child_named("bodyPr");
        // Shapes in a locked canvas have their text in an inner element (a:txSp, §20.1.2.2.42).
        let own = element.child_named("txBody").or_else(|| element.child_named("txSp")?.child_named("txBody"));
        let warp = body.or_else(|| own?.child_named("bodyPr")).and_then(|body| body.child_named("prstTxWarp"));
        let warp = warp.and_then(|warp| warp.attr("prst")).filter(|name| *name != "textNoShape");
        if warp.is_some_and(|name| name != "textPlain") {
            self.warn(DiagnosticCode::WordArtStraight, "WordArt: text that is bent to a shape is set straight");
        }
        let mut text_box = body.map(read_body_properties).unwrap_or_else(default_text_box);
        if let Some(content) = element.child_named("txbx").and_then(|text| text.child(Ns::W, "txbxContent")) {
            let font = style.and_then(|style| style.child_named("fontRef"));
            let color = font.and_then(|font| color_in(font, &self.shared.theme, None)).map(|(color, _)| color);
            text_box.blocks = self.read_text_box_blocks(content, color);
            if warp.is_some() {
                return Some(into_word_art(text_box));
            }
            // Word writes an id only if other boxes continue the story.
            let id = element.child_named("txbx").and_then(|text| text.attr("id")).and_then(integer);
            text_box.id = id.and_then(|id| {
                self.register_text_box(text_box_chains::longest_block_bytes(content), TextBoxLink::Story(id))
            });
            return Some(text_box);
        }
        if let Some(link) = element.child_named("linkedTxbx") {
            let number = |name| link.attr(name).and_then(integer);
            let tie = TextBoxLink::Continues(number("id").unwrap_or(0), number("seq").unwrap_or(0));
            text_box.id = self.register_text_box(0, tie);
            return Some(text_box);
        }
        let text = own?;
        if let Some(body) = text.child_named("bodyPr") {
            text_box = read_body_properties(body);
        }
        text_box.blocks = self.read_drawing_text(text, style);
        let some = !text_box.blocks.is_empty();
        some.then(|| if warp.is_some() { into_word_art(text_box) } else { text_box })
    }

    /// Reads the blocks of a text box. They are independent of the surrounding paragraph. Text without a colour gets
    /// `color`, the text colour of the shape.
    pub(super) fn read_text_box_blocks(&mut self, content: Element<'t>, color: Option<Rgb>) -> Vec<Block> {
        let outer = std::mem::replace(&mut self.text_container, color.map(TextContainer::Shape));
        std::mem::swap(&mut self.counters, &mut self.state.text_box_counters);
        self.state.text_box_links.text_box_depth += 1;
        let blocks = self.read_separate_blocks(content);
        self.state.text_box_links.text_box_depth -= 1;
        std::mem::swap(&mut self.counters, &mut self.state.text_box_counters);
        self.text_container = outer;
        blocks
    }
}

/// Converts a text box with warped text to WordArt. Each paragraph is one line, and all lines use the first run's
/// formatting. A box with more than text is returned unchanged.
fn into_word_art(mut text_box: TextBox) -> TextBox {
    let mut lines = Vec::new();
    let mut first = None;
    for block in &text_box.blocks {
        let Block::Paragraph(paragraph) = block else { return text_box };
        let mut line = String::new();
        for inline in &paragraph.inlines {
            if let Content::Text(text) = &inline.content {
                line.push_str(text);
                first.get_or_insert_with(|| (Arc::clone(&inline.run), paragraph.properties.alignment));
            }
        }
        lines.push(line);
    }
    if let Some((run, alignment)) = first {
        lines.retain(|line| !line.trim().is_empty());
        text_box.word_art = Some(WordArt { lines, run, alignment, fitted: true });
        text_box.blocks.clear();
    }
    text_box
}

fn default_text_box() -> TextBox {
    TextBox { insets: [7.2, 3.6, 7.2, 3.6], ..TextBox::default() }
}

/// Reads an `a:bodyPr` (§21.1.2.1.1).
fn read_body_properties(element: Element<'_>) -> TextBox {
    let inset = |name, otherwise| element.attr(name).and_then(emu).unwrap_or(otherwise);
    TextBox {
        insets: [inset("lIns", 7.2), inset("tIns", 3.6), inset("rIns", 7.2), inset("bIns", 3.6)],
        vertical_alignment: match element.attr("anchor") {
            Some("ctr") => VerticalAlignment::Center,
            Some("b") => VerticalAlignment::Bottom,
            _ => VerticalAlignment::Top,
        },
        text_direction: match element.attr("vert") {
            Some("vert" | "eaVert" | "wordArtVert") => TextDirection::Down,
            Some("vert270") => TextDirection::Up,
            _ => TextDirection::Horizontal,
        },
        auto_fit: element.child_named("spAutoFit").is_some(),
        no_wrap: element.attr("wrap") == Some("none"),
        ..TextBox::default()
    }
}

fn group_scale(transform: Element<'_>, width: f32, height: f32) -> GroupScale {
    let value = |inner: &str, name: &str| transform.child_named(inner).and_then(|inner| inner.attr(name)).and_then(emu);
    let ratio = |size: f32, own: Option<f32>| own.filter(|own| *own > 0.01).map_or(1.0, |own| size / own);
    GroupScale {
        x: ratio(width, value("chExt", "cx")),
        y: ratio(height, value("chExt", "cy")),
        left: value("chOff", "x").unwrap_or(0.0),
        top: value("chOff", "y").unwrap_or(0.0),
    }
}
