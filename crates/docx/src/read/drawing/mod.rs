//! Reading of pictures, shapes and groups. DrawingML (§20) and VML (part 4, §19) are read into one model.

mod anchor;
mod picture;
mod shape;
mod smart_art;
mod text_box_chains;
mod vml;
mod vml_shape;

pub(super) use text_box_chains::TextBoxLinks;

use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::part_reader::{NESTING_LIMIT, PartReader};
use super::values::{emu, on_off_if_present};
use super::xml::{Element, Ns, Tree};
use crate::tree::*;
use waraq_graphics::{chart, fill};

impl<'t, 's> PartReader<'t, 's> {
    /// Reads a `w:drawing` with one or more inline or anchored objects.
    pub(crate) fn read_drawing(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        if !self.charge(40, size_of::<Drawing>() + 2 * element.source().len()) {
            return;
        }
        for child in element.children().filter(|child| child.ns() == Ns::Wp) {
            let placement = match child.name() {
                "inline" => Placement::Inline,
                "anchor" => Placement::Anchored(Box::new(anchor::read_anchor(child))),
                _ => continue,
            };
            let extent = child.child(Ns::Wp, "extent");
            let length = |name| extent.and_then(|extent| extent.attr(name)).and_then(emu).unwrap_or(0.0).max(0.0);
            let (width, height) = (length("cx"), length("cy"));
            let properties = child.child(Ns::Wp, "docPr");
            let hidden = properties.and_then(|properties| properties.attr("hidden"));
            if on_off_if_present(hidden) == Some(true) {
                continue;
            }
            let Some(mut graphic) = self.read_graphic(child, width, height) else { continue };
            let (mut width, mut height) = (width, height);
            if matches!(placement, Placement::Inline) {
                (graphic, width, height) = with_effect_extent(child, graphic, width, height);
            }
            let drawing = Drawing {
                id: NodeId::default(),
                width,
                height,
                placement,
                graphic,
                description: properties.and_then(alternative_text),
                link: properties.and_then(|properties| self.read_drawing_link(properties)),
            };
            self.emit(Content::Drawing(Arc::new(drawing)), run);
        }
    }

    fn read_drawing_link(&self, properties: Element<'t>) -> Option<Arc<Link>> {
        let click = properties.child(Ns::A, "hlinkClick")?;
        let target = self.link_target(click.relationship_attribute("id")?)?;
        self.charge_link(link_to(target))
    }

    fn read_graphic(&mut self, element: Element<'t>, width: f32, height: f32) -> Option<Graphic> {
        let data = element.child(Ns::A, "graphic")?.child(Ns::A, "graphicData")?;
        let object = data.children().next()?;
        Some(self.read_graphic_object(object, width, height))
    }

    /// Reads the content of an `a:graphicData` for a box of this size in points.
    fn read_graphic_object(&mut self, object: Element<'t>, width: f32, height: f32) -> Graphic {
        match (object.ns(), object.name()) {
            (_, "pic") => self.read_picture(object, width, height),
            (_, "wsp" | "sp" | "cxnSp") => self.read_shape(object, width, height, None),
            (_, "wgp" | "wpc" | "lockedCanvas") => self.read_group(object, width, height, None),
            (Ns::Diagram, "relIds") => self.read_smart_art(object, width, height),
            (Ns::Chart, "chart") => self.read_chart(object),
            _ => self.unsupported(DiagnosticCode::DrawingNotDrawn, "Drawing"),
        }
    }

    /// Reads the chart part of a `c:chart`.
    fn read_chart(&mut self, element: Element<'t>) -> Graphic {
        let shared = self.shared;
        let part = element.relationship_attribute("id").and_then(|id| self.relationship_target(id)).map(str::to_owned);
        let tree = part.and_then(|part| self.parse_repeatable_part(&part));
        let space = tree.as_ref().and_then(Tree::root);
        let chart = space.and_then(|space| chart::read_chart(space, &shared.theme));
        if chart.is_some() && space.is_some_and(chart::is_three_dimensional) {
            self.warn(DiagnosticCode::ChartSimplified, "Chart: drawn without its depth");
        }
        match chart {
            Some(chart) => Graphic::Chart(Box::new(chart)),
            None => self.unsupported(DiagnosticCode::ChartNotDrawn, "Chart"),
        }
    }

    /// Parses a part that many drawings may refer to. Returns `None` if the part is missing or broken, or if the
    /// document exceeds the limit for content that is read repeatedly.
    fn parse_repeatable_part(&mut self, part: &str) -> Option<Tree<'s>> {
        let package = self.shared.package;
        let bytes = package.part_bytes(part).filter(|bytes| self.state.charge_repeated_bytes(bytes.len()))?;
        Tree::parse(part, bytes, package.meter()).ok()
    }

    /// Returns the fill of an element. `group` is the fill of the surrounding group, which the element uses if it
    /// contains a:grpFill. Returns `Some(None)` for explicitly no fill, and `None` if the element specifies no fill.
    fn read_fill(&mut self, properties: Element<'t>, group: Option<&Fill>) -> Option<Option<Fill>> {
        let shared = self.shared;
        fill::read_fill(properties, &shared.theme, group, &mut |blip| self.blip_image(blip))
    }

    /// Reads a group by calling `read`, with the nesting depth increased by one. A group that is nested too deeply is
    /// not read. It becomes a labelled box.
    fn read_nested_group(&mut self, read: impl FnOnce(&mut Self) -> Group) -> Graphic {
        if self.nesting >= NESTING_LIMIT {
            return self.unsupported(DiagnosticCode::NestedTooDeeply, "Group");
        }
        self.nesting += 1;
        let group = read(self);
        self.nesting -= 1;
        Graphic::Group(group)
    }

    pub(crate) fn unsupported(&mut self, code: DiagnosticCode, label: &str) -> Graphic {
        self.warn(code, format!("{label}: shown as a labelled box"));
        Graphic::Unsupported { label: label.to_owned() }
    }
}

/// Returns the link of a drawing. A target that begins with `#` is a bookmark. Returns `None` for targets that are too
/// long.
fn link_to(target: &str) -> Option<Link> {
    match target.strip_prefix('#') {
        Some(bookmark) => Link::from_target(None, Some(bookmark)),
        None => Link::from_target(Some(target), None),
    }
}

/// Adds the space of wp:effectExtent (§20.4.2.6) around an inline drawing, for the corners of a rotated drawing. A
/// drawing without rotation, or with a rotation of 180 degrees, gets no space. Returns the drawing with the space
/// around it, and the new width and height in points.
fn with_effect_extent(element: Element<'_>, graphic: Graphic, width: f32, height: f32) -> (Graphic, f32, f32) {
    let rotation = match &graphic {
        Graphic::Picture(picture) => picture.orientation.rotation,
        Graphic::Shape(shape) => shape.turn.rotation,
        Graphic::Group(group) => group.turn.rotation,
        _ => 0.0,
    };
    let effects = element.child(Ns::Wp, "effectExtent").filter(|_| rotation % 180.0 != 0.0);
    let side = |name| effects.and_then(|e| e.attr(name)).and_then(emu).unwrap_or(0.0).clamp(0.0, 1_000.0);
    let [left, top, right, bottom] = ["l", "t", "r", "b"].map(side);
    if left + top + right + bottom < 0.05 {
        return (graphic, width, height);
    }
    let child = GroupChild { x: left, y: top, width, height, graphic };
    let group = Group { children: vec![child], ..Group::default() };
    (Graphic::Group(group), width + left + right, height + top + bottom)
}

/// Returns the alternative text. It is the description, or else the title. The text is not checked, so it may be only a
/// file name. Returns `None` if description and title are empty.
fn alternative_text(properties: Element<'_>) -> Option<Arc<str>> {
    let text = |name| properties.attr(name).map(str::trim).filter(|text| !text.is_empty());
    text("descr").or_else(|| text("title")).map(Arc::from)
}
