//! VML in runs: `w:pict` and `w:object` (part 4, §9.1, §19), with the position from the style attribute (§19.1.2.19).

use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::super::part_reader::PartReader;
use super::super::values::{integer, on_off, on_off_if_present, parse_enum, twips};
use super::super::xml::{Element, Ns};
use crate::tree::*;
use waraq_graphics::color::vml_color;
use waraq_graphics::vml::{VmlStyle, is_shape, size_and_corner};

impl<'t> PartReader<'t, '_> {
    /// Reads a `w:pict` or `w:object`: shapes, or the preview of an embedded object.
    pub(crate) fn read_vml_drawings(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        if !self.charge(40, size_of::<Drawing>() + 2 * element.source().len()) {
            return;
        }
        let mut types = Vec::new();
        let mut shown = false;
        for child in element.children() {
            match (child.ns(), child.name()) {
                (Ns::V, "shapetype") => types.push(child),
                (Ns::V, name) if is_shape(name) => shown |= self.read_vml_drawing(child, &types, run),
                // A DrawingML picture may be inside the older `w:pict` element.
                (Ns::W, "drawing") => {
                    self.read_drawing(child, run);
                    shown = true;
                }
                _ => {}
            }
        }
        if element.name() == "object" && !shown {
            let size = |name| element.word_attribute(name).and_then(twips).unwrap_or(72.0);
            let (width, height) = (size("dxaOrig"), size("dyaOrig"));
            let graphic = self.unsupported(DiagnosticCode::EmbeddedObjectNotDrawn, "Embedded object");
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

    /// Reads a top-level shape. Returns `false` if it is hidden.
    fn read_vml_drawing(&mut self, element: Element<'t>, types: &[Element<'t>], run: &Arc<RunProperties>) -> bool {
        let style = VmlStyle(element.attr("style").unwrap_or(""));
        let hidden = style.get("visibility") == Some("hidden") || style.get("display") == Some("none");
        if hidden {
            return false;
        }
        let (width, height, offset) = size_and_corner(element, &style);
        let rule =
            (on_off_if_present(element.attribute(Ns::Office, "hr")) == Some(true)).then(|| read_rule(element, &style));
        // Horizontal rules from Word's gallery are pictures; other horizontal rules are bars.
        let graphic = if rule.is_some() && element.child(Ns::V, "imagedata").is_none() {
            rule_shape(element)
        } else {
            self.read_vml_graphic(element, types, (width, height))
        };
        let placement = if let Some(rule) = rule {
            Placement::Rule(rule)
        } else if is_anchored(&style) || offset.is_some() {
            Placement::Anchored(Box::new(read_vml_anchor(element, &style, offset.unwrap_or_default())))
        } else {
            Placement::Inline
        };
        let text = |name| element.attr(name).map(str::trim).filter(|text| !text.is_empty()).map(Arc::from);
        let link = element.attr("href").filter(|target| !target.is_empty());
        let link = link.and_then(|target| self.charge_link(super::link_to(target)));
        let description = text("alt").or_else(|| text("title"));
        let drawing = Drawing { id: NodeId::default(), width, height, placement, graphic, description, link };
        self.emit(Content::Drawing(Arc::new(drawing)), run);
        true
    }
}

fn read_rule(element: Element<'_>, style: &VmlStyle<'_>) -> HorizontalRule {
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
    HorizontalRule { width_fraction: share_of_width, alignment }
}

fn rule_shape(element: Element<'_>) -> Graphic {
    let color = element.attr("fillcolor").and_then(vml_color).unwrap_or(Rgb(160, 160, 160));
    Graphic::Shape(Box::new(Shape { fill: Some(Fill::Solid { color, opacity: 1.0 }), ..Shape::default() }))
}

fn is_anchored(style: &VmlStyle<'_>) -> bool {
    style.get("position").is_some_and(|position| position.eq_ignore_ascii_case("absolute"))
}

/// Returns the anchor of a floating shape, moved by `offset` (x, y) in points.
fn read_vml_anchor(element: Element<'_>, style: &VmlStyle<'_>, offset: (f32, f32)) -> Anchor {
    let of_wrap = |name| element.child(Ns::W10, "wrap")?.attr(name);
    let place = |align: &str, names: [&str; 2], percent: &str, offset: f32| {
        let alignment = style.get(align).and_then(parse_enum);
        let share = style.get(percent).and_then(integer).filter(|share| *share != 0);
        // The percentage of VML is in thousandths (1,000 is 100 %).
        let share = share.map(|share| PositionValue::Fraction(share as f32 / 1_000.0));
        let name = names.into_iter().find(|name| style.get(name).is_some());
        let length = || name.and_then(|name| style.length(name)).unwrap_or(0.0);
        alignment.or(share).unwrap_or_else(|| PositionValue::Offset(length() + offset))
    };
    let relative_to = |name, attribute| style.get(name).or_else(|| of_wrap(attribute)).and_then(parse_enum);
    let z_order = style.get("z-index").and_then(integer).unwrap_or(0);
    let distance = |name, otherwise| style.length(name).unwrap_or(otherwise).clamp(0.0, 1_000.0);
    let sides = of_wrap("side").and_then(parse_enum).unwrap_or_default();
    let may_overlap = on_off(element.attribute(Ns::Office, "allowoverlap"));
    Anchor {
        horizontal: Position {
            relative_to: relative_to("mso-position-horizontal-relative", "anchorx").unwrap_or(RelativeTo::Column),
            value: place("mso-position-horizontal", ["margin-left", "left"], "mso-left-percent", offset.0),
        },
        vertical: Position {
            relative_to: relative_to("mso-position-vertical-relative", "anchory").unwrap_or(RelativeTo::Paragraph),
            value: place("mso-position-vertical", ["margin-top", "top"], "mso-top-percent", offset.1),
        },
        wrap: match of_wrap("type") {
            Some("square") => Wrap::Square(sides),
            Some("tight" | "through") => Wrap::Tight(sides),
            Some("topAndBottom") => Wrap::TopAndBottom,
            _ => Wrap::None,
        },
        behind_text: z_order < 0,
        distance_top: distance("mso-wrap-distance-top", 0.0),
        distance_bottom: distance("mso-wrap-distance-bottom", 0.0),
        distance_left: distance("mso-wrap-distance-left", 9.0),
        distance_right: distance("mso-wrap-distance-right", 9.0),
        z_order,
        allow_overlap: may_overlap && style.get("mso-wrap-overlap") != Some("f"),
        layout_in_cell: on_off(element.attribute(Ns::Office, "allowincell")),
        relative_width: relative_size(style, "mso-width-percent", "mso-width-relative"),
        relative_height: relative_size(style, "mso-height-percent", "mso-height-relative"),
    }
}

fn relative_size(style: &VmlStyle<'_>, share: &str, relative: &str) -> Option<(RelativeTo, f32)> {
    let share = style.get(share).and_then(integer).filter(|share| *share > 0)?;
    let relative = style.get(relative).and_then(parse_enum).unwrap_or(RelativeTo::Page);
    Some((relative, share as f32 / 1_000.0))
}
