//! DrawingML pictures (§20.2).

use super::super::namespaces::Ns;
use super::super::story::Story;
use super::super::values::{angle, on_off, share};
use super::super::xml::Element;
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// `pic:pic`.
    pub(crate) fn picture(&mut self, element: Element<'t>) -> Graphic {
        let fill = element.child(Ns::Pic, "blipFill").or_else(|| element.child(Ns::A, "blipFill"));
        let image = fill.and_then(|fill| self.blip(fill));
        let Some(image) = image else { return Graphic::Unsupported { label: "Picture".to_owned() } };
        let crop = fill.and_then(|fill| fill.child(Ns::A, "srcRect")).map(crop).unwrap_or_default();
        let properties = element.child(Ns::Pic, "spPr");
        let transform = properties.and_then(|properties| properties.child(Ns::A, "xfrm"));
        let flag =
            |name| transform.and_then(|transform| transform.plain(name)).is_some_and(|value| on_off(Some(value)));
        Graphic::Picture(Picture {
            image,
            crop,
            rotation: transform.and_then(|transform| transform.plain("rot")).and_then(angle).unwrap_or(0.0),
            flip_horizontal: flag("flipH"),
            flip_vertical: flag("flipV"),
            outline: None,
        })
    }

    /// The picture of a fill: its SVG where it has one, else the blip itself.
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
                self.warn("picture_missing", "a picture is named nowhere");
                None
            }
        }
    }
}

/// `a:srcRect`: left, top, right, bottom. Negative crops (the picture is set smaller than its box) are kept.
fn crop(element: Element<'_>) -> [f32; 4] {
    ["l", "t", "r", "b"].map(|side| element.plain(side).and_then(share).unwrap_or(0.0).clamp(-10.0, 0.999))
}
