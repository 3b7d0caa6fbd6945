//! DrawingML pictures (§20.2).

use super::super::part_reader::PartReader;
use super::super::values::parse_fraction;
use super::super::xml::{Element, Ns};
use super::shape::read_turn;
use crate::tree::*;
use waraq_graphics::fill::shape_stroke;
use waraq_graphics::outline::outline;
use waraq_rules::DiagnosticCode;

impl<'t> PartReader<'t, '_> {
    /// Reads a `pic:pic`. `width` and `height` are the size of the box of the picture in points.
    pub(crate) fn read_picture(&mut self, element: Element<'t>, width: f32, height: f32) -> Graphic {
        let fill = element.child_named("blipFill");
        let image = fill.and_then(|fill| self.blip_image(fill));
        let Some(image) = image else { return Graphic::Unsupported { label: "Picture".to_owned() } };
        let crop = fill.and_then(|fill| fill.child(Ns::A, "srcRect")).map(read_crop).unwrap_or_default();
        let properties = element.child_named("spPr");
        Graphic::Picture(Picture {
            image,
            metafile: self.state.metafiles.get(&image).cloned(),
            crop,
            orientation: read_turn(properties.and_then(|properties| properties.child_named("xfrm"))),
            outline: shape_stroke(properties, element.child_named("style"), &self.shared.theme),
            geometry: outline(properties, width, height).geometry,
            opacity: fill.and_then(|fill| fill.child(Ns::A, "blip")).map_or(1.0, opacity),
        })
    }

    /// Returns the image of a picture fill. A blip may refer to a bitmap and to an SVG of the same picture; the SVG is
    /// preferred. Returns `None` if neither can be read.
    pub(crate) fn blip_image(&mut self, fill: Element<'t>) -> Option<ImageId> {
        let blip = fill.child(Ns::A, "blip")?;
        if let Some(id) = blip.descendant(Ns::Svg, "svgBlip").and_then(|svg| svg.relationship_attribute("embed"))
            && let Some(image) = self.related_image(id)
        {
            return Some(image);
        }
        match blip.relationship_attribute("embed").or_else(|| blip.relationship_attribute("link")) {
            Some(id) => self.related_image(id),
            None => {
                self.warn(DiagnosticCode::PictureMissing, "a picture is named nowhere");
                None
            }
        }
    }
}

/// Reads the cropped fractions of an `a:srcRect`: left, top, right, bottom. Negative crops (a picture smaller than its
/// box) are kept.
fn read_crop(element: Element<'_>) -> [f32; 4] {
    ["l", "t", "r", "b"].map(|side| element.attr(side).and_then(parse_fraction).unwrap_or(0.0).clamp(-10.0, 0.999))
}

/// Returns the opacity of a blip from a:alphaModFix (§20.1.8.6), and from a:lum (§20.1.8.42) if it washes out the
/// picture.
fn opacity(blip: Element<'_>) -> f32 {
    let fraction_of = |effect: &str, name: &str| blip.child(Ns::A, effect)?.attr(name).and_then(parse_fraction);
    let alpha = fraction_of("alphaModFix", "amt").unwrap_or(1.0);
    let brightness = fraction_of("lum", "bright").unwrap_or(0.0);
    let contrast = fraction_of("lum", "contrast").unwrap_or(0.0);
    // A VML blacklevel of 0.35 corresponds to a brightness of 70 % here.
    (alpha * washout_opacity(if contrast < 0.0 { 1.0 + contrast } else { 1.0 }, brightness / 2.0)).clamp(0.0, 1.0)
}

/// Returns the opacity that approximates the washout effect of watermarks on a white page.
///
/// `gain` is the factor by which the contrast is reduced. `lighter` is the amount by which colours are moved towards
/// white. Other adjustments (darker, higher contrast) give 1.
pub(super) fn washout_opacity(gain: f32, lighter: f32) -> f32 {
    let black = 0.5 - gain / 2.0 + lighter;
    let white = 0.5 + gain / 2.0 + lighter;
    if black > 0.05 && white > 0.9 { (1.0 - black).clamp(0.05, 1.0) } else { 1.0 }
}
