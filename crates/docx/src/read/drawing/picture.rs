//! DrawingML pictures (§20.2).

use super::super::namespaces::Ns;
use super::super::story::Story;
use super::super::values::share;
use super::super::xml::Element;
use super::shape::turn;
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// `pic:pic`.
    pub(crate) fn picture(&mut self, element: Element<'t>) -> Graphic {
        let fill = element.local("blipFill");
        let image = fill.and_then(|fill| self.blip(fill));
        let Some(image) = image else { return Graphic::Unsupported { label: "Picture".to_owned() } };
        let crop = fill.and_then(|fill| fill.child(Ns::A, "srcRect")).map(crop).unwrap_or_default();
        let properties = element.local("spPr");
        let (rotation, flip_horizontal, flip_vertical) =
            turn(properties.and_then(|properties| properties.local("xfrm")));
        Graphic::Picture(Picture {
            image,
            metafile: self.gathered.metafiles.get(&image).cloned(),
            crop,
            rotation,
            flip_horizontal,
            flip_vertical,
            outline: self.shape_stroke(properties, element.local("style")),
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
