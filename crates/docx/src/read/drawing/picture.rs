//! DrawingML pictures (§20.2).

use super::super::story::Story;
use super::super::values::share;
use super::super::xml::{Element, Ns};
use super::shape::turn;
use crate::tree::*;
use waraq_graphics::fill::shape_stroke;
use waraq_graphics::outline::outline;
use waraq_rules::FindingCode;

impl<'t> Story<'t, '_> {
    /// Reads a `pic:pic` for a box of this size.
    pub(crate) fn picture(&mut self, element: Element<'t>, width: f32, height: f32) -> Graphic {
        let fill = element.local("blipFill");
        let image = fill.and_then(|fill| self.blip(fill));
        let Some(image) = image else { return Graphic::Unsupported { label: "Picture".to_owned() } };
        let crop = fill.and_then(|fill| fill.child(Ns::A, "srcRect")).map(crop).unwrap_or_default();
        let properties = element.local("spPr");
        Graphic::Picture(Picture {
            image,
            metafile: self.gathered.metafiles.get(&image).cloned(),
            crop,
            turn: turn(properties.and_then(|properties| properties.local("xfrm"))),
            outline: shape_stroke(properties, element.local("style"), &self.shared.theme),
            geometry: outline(properties, width, height).geometry,
            opacity: fill.and_then(|fill| fill.child(Ns::A, "blip")).map_or(1.0, opacity),
        })
    }

    /// Returns the image of a fill: the SVG if there is one, or else the blip itself.
    pub(crate) fn blip(&mut self, fill: Element<'t>) -> Option<ImageId> {
        let blip = fill.child(Ns::A, "blip")?;
        if let Some(id) = blip.descendant(Ns::Svg, "svgBlip").and_then(|svg| svg.r("embed"))
            && let Some(image) = self.image(id)
        {
            return Some(image);
        }
        match blip.r("embed").or_else(|| blip.r("link")) {
            Some(id) => self.image(id),
            None => {
                self.warn(FindingCode::PictureMissing, "a picture is named nowhere");
                None
            }
        }
    }
}

/// Reads an `a:srcRect`: left, top, right, bottom. Negative crops (a picture smaller than its box) are kept.
fn crop(element: Element<'_>) -> [f32; 4] {
    ["l", "t", "r", "b"].map(|side| element.plain(side).and_then(share).unwrap_or(0.0).clamp(-10.0, 0.999))
}

/// Returns the opacity of a blip from a:alphaModFix (§20.1.8.6), and from a:lum (§20.1.8.42) if it washes out the
/// picture.
fn opacity(blip: Element<'_>) -> f32 {
    let share_of = |effect: &str, name: &str| blip.child(Ns::A, effect)?.plain(name).and_then(share);
    let alpha = share_of("alphaModFix", "amt").unwrap_or(1.0);
    let brightness = share_of("lum", "bright").unwrap_or(0.0);
    let contrast = share_of("lum", "contrast").unwrap_or(0.0);
    // A VML blacklevel of 0.35 corresponds to a brightness of 70 % here.
    (alpha * washed(if contrast < 0.0 { 1.0 + contrast } else { 1.0 }, brightness / 2.0)).clamp(0.0, 1.0)
}

/// Returns the opacity that approximates the washout effect of watermarks on a white page.
///
/// Colours are contracted by `gain` about their middle and moved towards white by `lighter`. Other adjustments (darker,
/// higher contrast) give 1.
pub(super) fn washed(gain: f32, lighter: f32) -> f32 {
    let black = 0.5 - gain / 2.0 + lighter;
    let white = 0.5 + gain / 2.0 + lighter;
    if black > 0.05 && white > 0.9 { (1.0 - black).clamp(0.05, 1.0) } else { 1.0 }
}
