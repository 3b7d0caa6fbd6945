//! VML in runs: `w:pict` and `w:object` (part 4, §9.1, §19).

use std::sync::Arc;
use waraq_rules::FindingCode;

use super::super::story::Story;
use super::super::values::{given, on_off};
use super::super::xml::{Element, Ns};
use super::vml_anchor::{anchor, is_anchored};
use crate::tree::*;
use waraq_graphics::color::written_color;
use waraq_graphics::vml::{Style, box_of, is_shape};

impl<'t> Story<'t, '_> {
    /// `w:pict`, `w:object`: shapes, or the preview of an embedded object.
    pub(crate) fn legacy_drawing(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        if !self.takes(40, size_of::<Drawing>() + 2 * element.source().len()) {
            return;
        }
        let mut types = Vec::new();
        let mut shown = false;
        for child in element.children() {
            match (child.ns(), child.name()) {
                (Ns::V, "shapetype") => types.push(child),
                (Ns::V, name) if is_shape(name) => shown |= self.vml_drawing(child, &types, run),
                // A picture that DrawingML shows in the old element.
                (Ns::W, "drawing") => {
                    self.drawing(child, run);
                    shown = true;
                }
                _ => {}
            }
        }
        if element.name() == "object" && !shown {
            let size = |name| element.w(name).and_then(super::super::values::twips).unwrap_or(72.0);
            let (width, height) = (size("dxaOrig"), size("dyaOrig"));
            let graphic = self.unsupported(FindingCode::EmbeddedObjectNotDrawn, "Embedded object");
            let drawing = Drawing {
                id: NodeId::default(),
                width,
                height,
                placement: Placement::Inline,
                graphic,
                description: None,
                link: None,
            };
            self.emit(Content::Drawing(Arc::new(drawing)), run);
        }
    }

    /// A shape that stands in the text by itself.
    fn vml_drawing(&mut self, element: Element<'t>, types: &[Element<'t>], run: &Arc<RunProperties>) -> bool {
        let style = Style(element.plain("style").unwrap_or(""));
        let hidden = style.get("visibility") == Some("hidden") || style.get("display") == Some("none");
        if hidden {
            return false;
        }
        let (width, height, offset) = box_of(element, &style);
        let rule = (given(element.attribute(Ns::Office, "hr")) == Some(true)).then(|| rule(element, &style));
        // A rule from Word's gallery is a picture, any other a bar.
        let graphic = if rule.is_some() && element.child(Ns::V, "imagedata").is_none() {
            bar(element)
        } else {
            self.vml_graphic(element, types, (width, height))
        };
        let placement = if let Some(rule) = rule {
            Placement::Rule(rule)
        } else if is_anchored(&style) || offset.is_some() {
            let wrap = element.child(Ns::W10, "wrap");
            let of_wrap = |name| wrap.and_then(|wrap| wrap.plain(name));
            let mut anchor =
                anchor(&style, (of_wrap("type"), of_wrap("side")), (of_wrap("anchorx"), of_wrap("anchory")));
            anchor.layout_in_cell = on_off(element.attribute(Ns::Office, "allowincell"));
            anchor.allow_overlap &= on_off(element.attribute(Ns::Office, "allowoverlap"));
            if let Some((x, y)) = offset {
                shift(&mut anchor, x, y);
            }
            Placement::Anchored(Box::new(anchor))
        } else {
            Placement::Inline
        };
        let text = |name| element.plain(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let link = element.plain("href").filter(|target| !target.is_empty()).map(super::link_to);
        let drawing =
            Drawing { id: NodeId::default(), width, height, placement, graphic, description: text("alt"), link };
        self.emit(Content::Drawing(Arc::new(drawing)), run);
        true
    }
}

fn shift(anchor: &mut Anchor, x: f32, y: f32) {
    if let Place::Offset(offset) = &mut anchor.horizontal.place {
        *offset += x;
    }
    if let Place::Offset(offset) = &mut anchor.vertical.place {
        *offset += y;
    }
}

fn rule(element: Element<'_>, style: &Style<'_>) -> HorizontalRule {
    let office = |name| element.attribute(Ns::Office, name);
    let share = office("hrpct").and_then(|value| value.parse::<f32>().ok()).filter(|share| *share > 0.0);
    let has_width = style.length("width").is_some_and(|width| width > 0.0);
    let share_of_width = match share {
        Some(thousandths) => Some((thousandths / 1_000.0).min(1.0)),
        None => (!has_width).then_some(1.0),
    };
    let alignment = match office("hralign") {
        Some("center") => Alignment::Center,
        Some("right") => Alignment::End,
        _ => Alignment::Start,
    };
    HorizontalRule { share_of_width, alignment }
}

fn bar(element: Element<'_>) -> Graphic {
    let color = element.plain("fillcolor").and_then(written_color).unwrap_or(Rgb(160, 160, 160));
    Graphic::Shape(Box::new(Shape { fill: Some(Fill::Solid { color, opacity: 1.0 }), ..Shape::default() }))
}
