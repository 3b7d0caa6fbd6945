//! Groups and canvases: children with coordinates of their own, scaled into the group's box (§20.1.7.5).

use super::super::story::Story;
use super::super::values::emu;
use super::super::xml::Element;
use super::shape::turn;
use crate::tree::*;
use waraq_rules::FindingCode;

/// From the coordinates of a group's children to points from its top left corner.
#[derive(Clone, Copy)]
struct Scale {
    x: f32,
    y: f32,
    left: f32,
    top: f32,
}

impl<'t> Story<'t, '_> {
    /// A group or canvas in a box of that size; `outer` is the fill of the group around it.
    pub(super) fn group(&mut self, element: Element<'t>, width: f32, height: f32, outer: Option<&Fill>) -> Graphic {
        let properties = element.local("grpSpPr");
        let transform = properties.and_then(|properties| properties.local("xfrm"));
        let scale = transform.map_or(Scale { x: 1.0, y: 1.0, left: 0.0, top: 0.0 }, |t| scale(t, width, height));
        let (rotation, flip_horizontal, flip_vertical) = turn(transform);
        self.nested(|story| {
            let fill = properties.and_then(|properties| story.fill(properties, outer)).flatten();
            let children = element.children().filter_map(|child| story.group_child(child, scale, fill.as_ref()));
            let children = children.collect();
            Group { rotation, flip_horizontal, flip_vertical, children }
        })
    }

    fn group_child(&mut self, child: Element<'t>, scale: Scale, fill: Option<&Fill>) -> Option<GroupChild> {
        let name = child.name();
        let transform = match name {
            "wsp" | "sp" | "cxnSp" | "pic" => child.local("spPr")?.local("xfrm"),
            "grpSp" | "wgp" => child.local("grpSpPr")?.local("xfrm"),
            "graphicFrame" | "contentPart" => child.local("xfrm"),
            _ => return None,
        };
        let value = |inner: &str, name: &str| {
            transform.and_then(|transform| transform.local(inner)?.plain(name)).and_then(emu).unwrap_or(0.0)
        };
        let (width, height) = (value("ext", "cx") * scale.x, value("ext", "cy") * scale.y);
        let graphic = match name {
            "pic" => self.picture(child, width, height),
            "grpSp" | "wgp" => self.group(child, width, height, fill),
            "graphicFrame" => {
                let object = child.local("graphic")?.local("graphicData")?.children().next()?;
                self.graphic_object(object, width, height)
            }
            "contentPart" => {
                self.warn(FindingCode::InkLeftOut, "handwriting is not shown");
                return None;
            }
            _ => self.shape(child, width, height, fill),
        };
        Some(GroupChild {
            x: (value("off", "x") - scale.left) * scale.x,
            y: (value("off", "y") - scale.top) * scale.y,
            width,
            height,
            graphic,
        })
    }
}

fn scale(transform: Element<'_>, width: f32, height: f32) -> Scale {
    let value = |inner: &str, name: &str| transform.local(inner).and_then(|inner| inner.plain(name)).and_then(emu);
    let ratio = |size: f32, own: Option<f32>| own.filter(|own| *own > 0.01).map_or(1.0, |own| size / own);
    Scale {
        x: ratio(width, value("chExt", "cx")),
        y: ratio(height, value("chExt", "cy")),
        left: value("chOff", "x").unwrap_or(0.0),
        top: value("chOff", "y").unwrap_or(0.0),
    }
}
