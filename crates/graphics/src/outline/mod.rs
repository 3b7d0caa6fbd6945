//! Outlines of shapes: presets and custom geometries are converted to the same paths (§20.1.9).

mod custom_geometry;
mod guides;
mod pen;
mod preset;

pub(crate) use guides::{Guides, fractions_of_box};
pub(crate) use pen::{OutlinePen, curves};
pub(crate) use preset::geometry;

use crate::Geometry;
use crate::xml::Element;

/// The outline of a shape, and the area of its text.
pub struct Outline {
    /// The outline, with coordinates from 0 to 1.
    pub geometry: Geometry,
    /// The text area as fractions of the box: left, top, right, bottom. `None` is the whole box.
    pub text_area: Option<[f32; 4]>,
}

impl Outline {
    /// Creates an outline whose text area is the whole box.
    pub(crate) fn plain(geometry: Geometry) -> Self {
        Self { geometry, text_area: None }
    }
}

/// Returns the outline of a shape with these properties (`spPr`), in a box of `width` by `height` points. Without a
/// geometry it is a rectangle.
pub fn outline(properties: Option<Element<'_>>, width: f32, height: f32) -> Outline {
    if let Some(custom) = properties.and_then(|properties| properties.child_named("custGeom")) {
        return custom_geometry::read(custom, width, height);
    }
    let Some(preset) = properties.and_then(|properties| properties.child_named("prstGeom")) else {
        return Outline::plain(Geometry::Rectangle);
    };
    let adjustments = preset.child_named("avLst").into_iter().flat_map(Element::children).filter_map(|guide| {
        let value = guide.attr("fmla")?.strip_prefix("val ")?.trim().parse::<f64>().ok()?;
        Some((guide.attr("name")?, value))
    });
    let adjustments: Vec<(&str, f64)> = adjustments.collect();
    geometry(preset.attr("prst").unwrap_or("rect"), &adjustments, width, height)
}
