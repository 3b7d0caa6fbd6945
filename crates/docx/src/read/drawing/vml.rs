//! VML in runs: `w:pict` and `w:object` (part 4, §9.1, §19).

use std::sync::Arc;
use waraq_rules::FindingCode;

use super::super::namespaces::Ns;
use super::super::story::Story;
use super::super::values::on_off;
use super::super::xml::Element;
use super::vml_style::Style;
use crate::tree::*;

/// Yes and no in VML: `t`, `true`, `1`, `on`.
pub(super) fn truth(value: Option<&str>) -> Option<bool> {
    value.map(|value| matches!(value, "t" | "true" | "1" | "on" | ""))
}

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
            let drawing =
                Drawing { width, height, placement: Placement::Inline, graphic, description: None, link: None };
            self.emit(Content::Drawing(Box::new(drawing)), run);
        }
    }

    /// A shape that stands in the text by itself.
    fn vml_drawing(&mut self, element: Element<'t>, types: &[Element<'t>], run: &Arc<RunProperties>) -> bool {
        let style = Style::parse(element.plain("style").unwrap_or(""));
        let hidden = style.get("visibility") == Some("hidden") || style.get("display") == Some("none");
        if hidden {
            return false;
        }
        let (width, height, offset) = box_of(element, &style);
        // A rule that Word took from its gallery is a picture, as wide as it says.
        let pictured = element.child(Ns::V, "imagedata").is_some() && width > 0.0;
        let graphic = if truth(element.attribute(Ns::Office, "hr")) == Some(true) && !pictured {
            rule(element, &style)
        } else {
            self.vml_graphic(element, types, (width, height))
        };
        let placement = if style.is_anchored() || offset.is_some() {
            let wrap = element.child(Ns::W10, "wrap");
            let of_wrap = |name| wrap.and_then(|wrap| wrap.plain(name));
            let mut anchor = style.anchor((of_wrap("type"), of_wrap("side")), (of_wrap("anchorx"), of_wrap("anchory")));
            anchor.layout_in_cell =
                element.attribute(Ns::Office, "allowincell").is_none_or(|value| on_off(Some(value)));
            anchor.allow_overlap &=
                element.attribute(Ns::Office, "allowoverlap").is_none_or(|value| on_off(Some(value)));
            if let Some((x, y)) = offset {
                shift(&mut anchor, x, y);
            }
            Placement::Anchored(Box::new(anchor))
        } else {
            Placement::Inline
        };
        let text = |name| element.plain(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let link = element.plain("href").filter(|target| !target.is_empty());
        let link = link.map(|target| match target.strip_prefix('#') {
            Some(bookmark) => Link::Bookmark(bookmark.to_owned()),
            None => Link::Uri(target.to_owned()),
        });
        let drawing = Drawing { width, height, placement, graphic, description: text("alt"), link };
        self.emit(Content::Drawing(Box::new(drawing)), run);
        true
    }
}

pub(super) fn is_shape(name: &str) -> bool {
    matches!(name, "shape" | "rect" | "roundrect" | "oval" | "line" | "polyline" | "group" | "image" | "arc" | "curve")
}

/// Width and height; for lines, whose ends say it all, also where their box begins.
fn box_of(element: Element<'_>, style: &Style<'_>) -> (f32, f32, Option<(f32, f32)>) {
    if element.name() == "line" {
        let ends = ["from", "to"].map(|name| element.plain(name).and_then(point).unwrap_or((0.0, 0.0)));
        let [from, to] = ends;
        let size = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        return (size.0, size.1, Some((from.0.min(to.0), from.1.min(to.1))));
    }
    if let Some(bounds) = polyline(element).and_then(|points| bounds(&points)) {
        return (bounds.2, bounds.3, Some((bounds.0, bounds.1)));
    }
    let length = |name| style.length(name).unwrap_or(0.0).max(0.0);
    (length("width"), length("height"), None)
}

/// The corners of a v:polyline, in points.
pub(super) fn polyline(element: Element<'_>) -> Option<Vec<(f32, f32)>> {
    let list = element.plain("points").filter(|_| element.name() == "polyline")?;
    let numbers: Vec<f32> =
        list.split([',', ' ']).filter(|word| !word.is_empty()).filter_map(super::vml_style::length).collect();
    let points: Vec<(f32, f32)> =
        numbers.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect();
    (points.len() > 1).then_some(points)
}

/// Left, top, width and height around points.
pub(super) fn bounds(points: &[(f32, f32)]) -> Option<(f32, f32, f32, f32)> {
    let (first, rest) = points.split_first()?;
    let (mut left, mut top, mut right, mut bottom) = (first.0, first.1, first.0, first.1);
    for (x, y) in rest {
        (left, right) = (left.min(*x), right.max(*x));
        (top, bottom) = (top.min(*y), bottom.max(*y));
    }
    Some((left, top, right - left, bottom - top))
}

/// `from="1pt,2pt"`
pub(super) fn point(value: &str) -> Option<(f32, f32)> {
    let (x, y) = value.split_once(',')?;
    let length = |value: &str| if value.trim().is_empty() { Some(0.0) } else { super::vml_style::length(value) };
    Some((length(x)?, length(y)?))
}

fn shift(anchor: &mut Anchor, x: f32, y: f32) {
    if let Place::Offset(offset) = &mut anchor.horizontal.place {
        *offset += x;
    }
    if let Place::Offset(offset) = &mut anchor.vertical.place {
        *offset += y;
    }
}

/// A horizontal rule (o:hr).
fn rule(element: Element<'_>, style: &Style<'_>) -> Graphic {
    let share = element.attribute(Ns::Office, "hrpct").and_then(|value| value.parse::<f32>().ok());
    let share = share.filter(|share| *share > 0.0).map(|share| share / 1_000.0);
    let has_width = style.length("width").is_some_and(|width| width > 0.0);
    Graphic::Rule {
        color: element.plain("fillcolor").and_then(super::vml_shape::color_of).or(Some(Rgb(160, 160, 160))),
        share_of_width: share.unwrap_or(if has_width { 0.0 } else { 1.0 }).clamp(0.0, 1.0),
    }
}
