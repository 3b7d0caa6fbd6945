//! Reading of pictures, shapes and groups. DrawingML (§20) and VML (part 4, §19) are read into one model.

mod anchor;
mod chain;
mod picture;
mod shape;
mod smart_art;
mod vml;
mod vml_shape;

pub(super) use chain::Links;

use std::sync::Arc;
use waraq_rules::FindingCode;

use super::story::{NESTING_LIMIT, Story};
use super::values::{emu, given};
use super::xml::{Element, Ns, Tree};
use crate::tree::*;
use waraq_graphics::{chart, fill};

impl<'t, 's> Story<'t, 's> {
    /// Reads a `w:drawing` with one or more inline or anchored objects.
    pub(crate) fn drawing(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        if !self.takes(40, size_of::<Drawing>() + 2 * element.source().len()) {
            return;
        }
        for child in element.children().filter(|child| child.ns() == Ns::Wp) {
            let placement = match child.name() {
                "inline" => Placement::Inline,
                "anchor" => Placement::Anchored(Box::new(anchor::read(child))),
                _ => continue,
            };
            let extent = child.child(Ns::Wp, "extent");
            let length = |name| extent.and_then(|extent| extent.plain(name)).and_then(emu).unwrap_or(0.0).max(0.0);
            let (width, height) = (length("cx"), length("cy"));
            let properties = child.child(Ns::Wp, "docPr");
            let hidden = properties.and_then(|properties| properties.plain("hidden"));
            if given(hidden) == Some(true) {
                continue;
            }
            let Some(mut graphic) = self.graphic(child, width, height) else { continue };
            let (mut width, mut height) = (width, height);
            if matches!(placement, Placement::Inline) {
                (graphic, width, height) = with_effects(child, graphic, width, height);
            }
            let drawing = Drawing {
                id: NodeId::default(),
                width,
                height,
                placement,
                graphic,
                description: properties.and_then(description),
                link: properties.and_then(|properties| self.drawing_link(properties)),
            };
            self.emit(Content::Drawing(Arc::new(drawing)), run);
        }
    }

    fn drawing_link(&self, properties: Element<'t>) -> Option<Arc<Link>> {
        let click = properties.child(Ns::A, "hlinkClick")?;
        let target = self.link_target(click.r("id")?)?;
        self.counted(link_to(target))
    }

    fn graphic(&mut self, element: Element<'t>, width: f32, height: f32) -> Option<Graphic> {
        let data = element.child(Ns::A, "graphic")?.child(Ns::A, "graphicData")?;
        let object = data.children().next()?;
        Some(self.graphic_object(object, width, height))
    }

    /// Reads the content of an `a:graphicData` for a box of this size.
    fn graphic_object(&mut self, object: Element<'t>, width: f32, height: f32) -> Graphic {
        match (object.ns(), object.name()) {
            (_, "pic") => self.picture(object, width, height),
            (_, "wsp" | "sp" | "cxnSp") => self.shape(object, width, height, None),
            (_, "wgp" | "wpc" | "lockedCanvas") => self.group(object, width, height, None),
            (Ns::Diagram, "relIds") => self.smart_art(object, width, height),
            (Ns::Chart, "chart") => self.chart(object),
            _ => self.unsupported(FindingCode::DrawingNotDrawn, "Drawing"),
        }
    }

    /// Reads the chart part of a `c:chart`.
    fn chart(&mut self, element: Element<'t>) -> Graphic {
        let shared = self.shared;
        let part = element.r("id").and_then(|id| self.target(id)).map(str::to_owned);
        let tree = part.and_then(|part| self.repeated_tree(&part));
        let space = tree.as_ref().and_then(Tree::root);
        let chart = space.and_then(|space| chart::read(space, &shared.theme));
        if chart.is_some() && space.is_some_and(chart::is_deep) {
            self.warn(FindingCode::ChartSimplified, "Chart: drawn without its depth");
        }
        match chart {
            Some(chart) => Graphic::Chart(Box::new(chart)),
            None => self.unsupported(FindingCode::ChartNotDrawn, "Chart"),
        }
    }

    /// Parses a part that many drawings may refer to. Returns `None` if it is missing, broken or over the limit for
    /// such parts.
    fn repeated_tree(&mut self, part: &str) -> Option<Tree<'s>> {
        let package = self.shared.package;
        let bytes = package.part(part).filter(|bytes| self.gathered.may_repeat(bytes.len()))?;
        Tree::parse(part, bytes, package.meter()).ok()
    }

    /// Returns the fill of an element. `group` is the fill for a:grpFill. Returns `Some(None)` for explicitly no fill,
    /// and `None` if the element specifies no fill.
    fn fill(&mut self, properties: Element<'t>, group: Option<&Fill>) -> Option<Option<Fill>> {
        let shared = self.shared;
        fill::fill(properties, &shared.theme, group, &mut |blip| self.blip(blip))
    }

    /// Reads a group with `read`. A group that is nested too deeply becomes a labelled box.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Group) -> Graphic {
        if self.nesting >= NESTING_LIMIT {
            return self.unsupported(FindingCode::NestedTooDeeply, "Group");
        }
        self.nesting += 1;
        let group = read(self);
        self.nesting -= 1;
        Graphic::Group(group)
    }

    pub(crate) fn unsupported(&mut self, code: FindingCode, label: &str) -> Graphic {
        self.warn(code, format!("{label}: shown as a labelled box"));
        Graphic::Unsupported { label: label.to_owned() }
    }
}

/// Returns the link of a drawing.
fn link_to(target: &str) -> Option<Link> {
    match target.strip_prefix('#') {
        Some(bookmark) => Link::to(None, Some(bookmark)),
        None => Link::to(Some(target), None),
    }
}

/// Returns the drawing in a box enlarged by wp:effectExtent (§20.4.2.6), and the size of that box. A rotated inline
/// drawing also needs space for its corners.
fn with_effects(element: Element<'_>, graphic: Graphic, width: f32, height: f32) -> (Graphic, f32, f32) {
    let rotation = match &graphic {
        Graphic::Picture(picture) => picture.turn.rotation,
        Graphic::Shape(shape) => shape.turn.rotation,
        Graphic::Group(group) => group.turn.rotation,
        _ => 0.0,
    };
    let effects = element.child(Ns::Wp, "effectExtent").filter(|_| rotation % 180.0 != 0.0);
    let side = |name| effects.and_then(|e| e.plain(name)).and_then(emu).unwrap_or(0.0).clamp(0.0, 1_000.0);
    let [left, top, right, bottom] = ["l", "t", "r", "b"].map(side);
    if left + top + right + bottom < 0.05 {
        return (graphic, width, height);
    }
    let child = GroupChild { x: left, y: top, width, height, graphic };
    let group = Group { children: vec![child], ..Group::default() };
    (Graphic::Group(group), width + left + right, height + top + bottom)
}

/// Returns the alternative text: the description, or else the title. Text that only repeats a file name is kept.
fn description(properties: Element<'_>) -> Option<Arc<str>> {
    let text = |name| properties.plain(name).map(str::trim).filter(|text| !text.is_empty());
    text("descr").or_else(|| text("title")).map(Arc::from)
}
