//! What a shape is drawn as: presets and geometries of a document's own become the same paths (§20.1.9).

mod custom_geometry;
mod guides;
mod pen;
mod preset;

pub(crate) use guides::{Guides, share_of_box};
pub(crate) use pen::{Pen, curves};
pub use preset::geometry;

use crate::Geometry;
use crate::xml::Element;

/// What a shape is drawn as, and where in it its text stands.
pub struct Outline {
    pub geometry: Geometry,
    /// Left, top, right, bottom in shares of the box; `None`: all of it.
    pub text_area: Option<[f32; 4]>,
}

impl Outline {
    /// A geometry whose text has all of the box.
    pub fn plain(geometry: Geometry) -> Self {
        Self { geometry, text_area: None }
    }
}

/// The outline that a shape's properties (`spPr`) give, in a box of that size in points; a rectangle where they give none.
pub fn outline(properties: Option<Element<'_>>, width: f32, height: f32) -> Outline {
    if let Some(custom) = properties.and_then(|properties| properties.local("custGeom")) {
        return custom_geometry::read(custom, width, height);
    }
    let Some(preset) = properties.and_then(|properties| properties.local("prstGeom")) else {
        return Outline::plain(Geometry::Rectangle);
    };
    let adjustments = preset.local("avLst").into_iter().flat_map(Element::children).filter_map(|guide| {
        let value = guide.plain("fmla")?.strip_prefix("val ")?.trim().parse::<f64>().ok()?;
        Some((guide.plain("name")?, value))
    });
    let adjustments: Vec<(&str, f64)> = adjustments.collect();
    geometry(preset.plain("prst").unwrap_or("rect"), &adjustments, width, height)
}
