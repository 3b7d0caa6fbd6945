//! Reads the fills and lines of DrawingML shapes (§20.1.8), including the fills and lines of their theme styles
//! (§20.1.4.2).

use crate::color::color_in;
use crate::theme::Theme;
use crate::xml::Element;
use crate::xml::values::{angle, emu, integer, parse_fraction};
use crate::{Fill, ImageId, LineHead, Rgb, Stroke};

/// The maximum line width (§20.1.10.35), in points.
pub(crate) const MAX_LINE_WIDTH: f32 = 1_584.0;

/// A function that returns the picture to which a `blipFill` or `v:fill` element refers. `None` means that the picture
/// is missing.
pub type FindPicture<'f, 't> = &'f mut dyn FnMut(Element<'t>) -> Option<ImageId>;

/// Returns the fill that the children of an element specify. `group` is the fill of the group that contains the shape,
/// and `a:grpFill` refers to it. The result is `None` if no child specifies a fill, and `Some(None)` for an explicit
/// `a:noFill`.
pub fn read_fill<'t>(
    properties: Element<'t>,
    theme: &Theme,
    group: Option<&Fill>,
    picture: FindPicture<'_, 't>,
) -> Option<Option<Fill>> {
    for child in properties.children() {
        match child.name() {
            "noFill" => return Some(None),
            "solidFill" => {
                let (color, opacity) = color_in(child, theme, None)?;
                return Some(Some(Fill::Solid { color, opacity }));
            }
            "gradFill" => return Some(read_gradient(child, theme)),
            "pattFill" => {
                let side =
                    |name| child.child_named(name).and_then(|side| color_in(side, theme, None)).map(|(color, _)| color);
                let color = side("fgClr").or_else(|| side("bgClr"))?;
                let back = side("bgClr").unwrap_or(Rgb(255, 255, 255));
                let half = |a: u8, b: u8| ((u16::from(a) + u16::from(b)) / 2) as u8;
                let color = Rgb(half(color.0, back.0), half(color.1, back.1), half(color.2, back.2));
                return Some(Some(Fill::Solid { color, opacity: 1.0 }));
            }
            "blipFill" => return Some(picture(child).map(Fill::Picture)),
            "grpFill" => return Some(group.cloned()),
            _ => {}
        }
    }
    None
}

/// Returns the fill of a shape: the fill in its properties or, if they have none, the fill of its style. Returns `None`
/// if the shape is not filled.
pub fn shape_fill<'t>(
    properties: Option<Element<'t>>,
    style: Option<Element<'t>>,
    theme: &Theme,
    group: Option<&Fill>,
    picture: FindPicture<'_, 't>,
) -> Option<Fill> {
    if let Some(given) = properties.and_then(|properties| read_fill(properties, theme, group, picture)) {
        return given;
    }
    let reference = style.and_then(|style| style.child_named("fillRef"))?;
    let index = reference.attr("idx").and_then(integer).unwrap_or(0);
    // 0 and 1000 mean no fill; larger numbers are background fills.
    if matches!(index, 0 | 1000) {
        return None;
    }
    color_in(reference, theme, None).map(|(color, opacity)| theme.fill(index, color, opacity))
}

/// Returns the line of a shape. Missing properties come from the style of the shape. Returns `None` if the shape has no
/// line.
pub fn shape_stroke(properties: Option<Element<'_>>, style: Option<Element<'_>>, theme: &Theme) -> Option<Stroke> {
    let line = properties.and_then(|properties| properties.child_named("ln"));
    let reference = style.and_then(|style| style.child_named("lnRef"));
    let index = reference.and_then(|reference| reference.attr("idx")).and_then(integer).unwrap_or(0);
    let mut color = None;
    let mut none = false;
    for child in line.into_iter().flat_map(Element::children) {
        match child.name() {
            "noFill" => none = true,
            "solidFill" | "pattFill" => color = color_in(child, theme, None),
            "gradFill" => color = descendant_color(child, theme),
            _ => {}
        }
    }
    if none {
        return None;
    }
    let color = color.or_else(|| color_in(reference.filter(|_| index > 0)?, theme, None));
    let (color, _) = color?;
    let styled = usize::try_from(index - 1).ok().and_then(|index| theme.line_widths.get(index)).copied();
    let width = line.and_then(|line| line.attr("w")).and_then(emu).or(styled).unwrap_or(0.75);
    let end = |name| {
        let end = line.and_then(|line| line.child_named(name))?;
        LineHead::from_names(end.attr("type"), end.attr("len"), end.attr("w"))
    };
    let dash = line.and_then(|line| line.child_named("prstDash")).and_then(|dash| dash.attr("val"));
    Some(Stroke {
        color,
        width: width.clamp(0.0, MAX_LINE_WIDTH),
        dash: dash.and_then(|dash| dash.parse().ok()).unwrap_or_default(),
        start: end("headEnd"),
        end: end("tailEnd"),
    })
}

/// Returns the first colour among all descendants of an element, and its opacity.
pub(crate) fn descendant_color(element: Element<'_>, theme: &Theme) -> Option<(Rgb, f32)> {
    element.children().find_map(|child| color_in(child, theme, None).or_else(|| descendant_color(child, theme)))
}

/// Returns a gradient fill. A gradient with one stop is a solid fill.
fn read_gradient(element: Element<'_>, theme: &Theme) -> Option<Fill> {
    let list = element.child_named("gsLst")?;
    let mut stops: Vec<(f32, Rgb)> = list
        .children()
        .filter_map(|stop| {
            Some((stop.attr("pos").and_then(parse_fraction)?.clamp(0.0, 1.0), color_in(stop, theme, None)?.0))
        })
        .collect();
    stops.sort_by(|a, b| a.0.total_cmp(&b.0));
    let angle = element.child_named("lin").and_then(|line| line.attr("ang")).and_then(angle).unwrap_or(0.0);
    match stops.as_slice() {
        [] => None,
        [(_, color)] => Some(Fill::Solid { color: *color, opacity: 1.0 }),
        _ => Some(Fill::Gradient { stops, angle }),
    }
}
