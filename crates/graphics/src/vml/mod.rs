//! Converts VML (part 4, §19) to the same model as DrawingML.

mod path;
mod preset;
mod style;

pub use style::{VmlStyle, fraction, length};

use crate::color::vml_color;
use crate::fill::{FindPicture, MAX_LINE_WIDTH};
use crate::outline::{Outline, geometry};
use crate::xml::values::{integer, on_off_if_present};
use crate::xml::{Element, Ns};
use crate::{Fill, Geometry, LineHead, Orientation, PathCommand, PathFill, Rgb, ShapePath, Stroke};
use path::PathValues;

/// Returns true if VML elements with this local name are shapes that are drawn.
pub fn is_shape(name: &str) -> bool {
    matches!(name, "shape" | "rect" | "roundrect" | "oval" | "line" | "polyline" | "group" | "image" | "arc" | "curve")
}

/// Returns the width and height of a shape in points. For lines and polylines, also returns the left and top edge of
/// the box around their points.
pub fn size_and_corner(element: Element<'_>, style: &VmlStyle<'_>) -> (f32, f32, Option<(f32, f32)>) {
    let drawn = if element.name() == "line" { Some(line_ends(element).to_vec()) } else { polyline_points(element) };
    if let Some((left, top, width, height)) = drawn.and_then(|points| bounding_box(&points)) {
        return (width, height, Some((left, top)));
    }
    let length = |name| style.length(name).unwrap_or(0.0).max(0.0);
    (length("width"), length("height"), None)
}

/// Returns the rotation and flips of a shape. The flips of a line also depend on its end points.
pub fn orientation(element: Element<'_>, style: &VmlStyle<'_>) -> Orientation {
    let mut turn = style.orientation();
    if element.name() == "line" {
        let [from, to] = line_ends(element);
        turn.flip_horizontal ^= to.0 < from.0;
        turn.flip_vertical ^= to.1 < from.1;
    }
    turn
}

/// Returns true if a shape is a line, or a polyline without an explicit fill.
pub fn is_line(element: Element<'_>, geometry: &Geometry) -> bool {
    matches!(geometry, Geometry::Line)
        || (element.name() == "polyline"
            && on_off_if_present(element.attr("filled")) != Some(true)
            && element.attr("fillcolor").is_none())
}

/// Returns the end points of a line, in points.
fn line_ends(element: Element<'_>) -> [(f32, f32); 2] {
    ["from", "to"].map(|name| element.attr(name).and_then(parse_point).unwrap_or((0.0, 0.0)))
}

/// Returns the corners of a v:polyline, in points. Returns `None` for other elements, and for a polyline with fewer
/// than two corners.
fn polyline_points(element: Element<'_>) -> Option<Vec<(f32, f32)>> {
    let list = element.attr("points").filter(|_| element.name() == "polyline")?;
    let numbers: Vec<f32> = list.split([',', ' ']).filter(|word| !word.is_empty()).filter_map(length).collect();
    let (pairs, _) = numbers.as_chunks::<2>();
    let points: Vec<(f32, f32)> = pairs.iter().map(|[x, y]| (*x, *y)).collect();
    (points.len() > 1).then_some(points)
}

/// Returns the left, top, width and height of the bounding box of points.
fn bounding_box(points: &[(f32, f32)]) -> Option<(f32, f32, f32, f32)> {
    let boxes = points.iter().map(|&(x, y)| [x, y, x, y]);
    let around = |[l, t, r, b]: [f32; 4], [x, y, ..]: [f32; 4]| [l.min(x), t.min(y), r.max(x), b.max(y)];
    let [left, top, right, bottom] = boxes.reduce(around)?;
    Some((left, top, right - left, bottom - top))
}

/// Parses a point such as `from="1pt,2pt"`.
fn parse_point(value: &str) -> Option<(f32, f32)> {
    let (x, y) = value.split_once(',')?;
    let length = |value: &str| if value.trim().is_empty() { Some(0.0) } else { length(value) };
    Some((length(x)?, length(y)?))
}

/// Returns the left, top, width and height of a child of a group, in the coordinates of the group.
pub fn group_child_box(child: Element<'_>) -> (f32, f32, f32, f32) {
    if child.name() == "line" {
        let number = |value: &str| value.trim().parse::<f32>().unwrap_or(0.0);
        let ends = ["from", "to"].map(|name| child.attr(name).and_then(|value| value.split_once(',')));
        let ends = ends.map(|end| end.map_or((0.0, 0.0), |(x, y)| (number(x), number(y))));
        return bounding_box(&ends).unwrap_or_default();
    }
    let style = VmlStyle(child.attr("style").unwrap_or(""));
    let number = |name, other| style.number(name).or_else(|| style.number(other)).unwrap_or(0.0);
    (number("left", "margin-left"), number("top", "margin-top"), number("width", "width"), number("height", "height"))
}

/// Returns an attribute of a shape or, if it is missing, of its shape type.
fn attribute<'t>(element: Element<'t>, shape_type: Option<Element<'t>>, name: &str) -> Option<&'t str> {
    element.attr(name).or_else(|| shape_type?.attr(name))
}

/// Returns the fill of a shape. Missing attributes are taken from its shape type. `picture` returns the picture of a
/// `v:fill` element.
pub fn fill<'t>(element: Element<'t>, shape_type: Option<Element<'t>>, picture: FindPicture<'_, 't>) -> Option<Fill> {
    let attribute = |name| attribute(element, shape_type, name);
    let fill = element.child(Ns::V, "fill");
    let of_fill = |name| fill.and_then(|fill| fill.attr(name));
    let on = on_off_if_present(of_fill("on"))
        .or_else(|| on_off_if_present(attribute("filled")))
        .unwrap_or(!is_picture_frame(element));
    if !on {
        return None;
    }
    let color = |written: Option<&str>| written.and_then(vml_color).unwrap_or(Rgb(255, 255, 255));
    let (color, second) = (color(of_fill("color").or_else(|| attribute("fillcolor"))), color(of_fill("color2")));
    let opacity = of_fill("opacity").and_then(fraction).unwrap_or(1.0).clamp(0.0, 1.0);
    match of_fill("type") {
        Some("gradient" | "gradientRadial") => {
            let angle = of_fill("angle").and_then(|angle| angle.parse::<f32>().ok());
            // Without rotation, the gradient runs from bottom to top.
            Some(Fill::Gradient { stops: vec![(0.0, color), (1.0, second)], angle: 90.0 - angle.unwrap_or(0.0) })
        }
        Some("frame" | "tile" | "pattern") => {
            let picture = fill.and_then(picture).map(Fill::Picture);
            Some(picture.unwrap_or(Fill::Solid { color, opacity }))
        }
        _ => Some(Fill::Solid { color, opacity }),
    }
}

/// Returns the outline of a shape. The outline comes from the path of the shape or, without a path, from the path of
/// the shape type. Without both, the outline is the preset with the number of the shape type.
pub fn outline(element: Element<'_>, shape_type: Option<Element<'_>>, size: (f32, f32)) -> Outline {
    match element.name() {
        "rect" | "image" => return Outline::plain(Geometry::Rectangle),
        "roundrect" => {
            let radius = element.attr("arcsize").and_then(fraction).unwrap_or(0.2);
            return Outline::plain(Geometry::RoundedRectangle(radius.clamp(0.0, 0.5)));
        }
        "oval" => return geometry("ellipse", &[], size.0, size.1),
        "line" => return Outline::plain(Geometry::Line),
        "polyline" => {
            if let Some(commands) = polyline_points(element).and_then(|points| polyline_path(&points)) {
                let path = ShapePath { commands, fill: PathFill::Shape, stroked: true };
                return Outline::plain(Geometry::Paths(vec![path]));
            }
        }
        _ => {}
    }
    let number = element.attribute(Ns::Office, "spt");
    let number = number.or_else(|| shape_type.and_then(|shape_type| shape_type.attribute(Ns::Office, "spt")));
    // The name of a type contains its number: #_x0000_t202.
    let named = element.attr("type").and_then(|name| name.rsplit_once("_t")).map(|(_, digits)| digits);
    let name = number.or(named).and_then(integer).and_then(preset::preset_name);
    let own_path = element.attr("path").filter(|path| !path.is_empty());
    if own_path.is_none()
        && let Some(name @ ("rect" | "ellipse" | "line" | "straightConnector1")) = name
    {
        return geometry(name, &[], size.0, size.1);
    }
    let values = path_values(element, shape_type, size);
    let paths =
        own_path.or_else(|| shape_type?.attr("path")).map(|path| path::parse_paths(path, &values)).unwrap_or_default();
    if paths.is_empty() {
        return match name {
            Some(name) => geometry(name, &[], size.0, size.1),
            None => Outline::plain(Geometry::Rectangle),
        };
    }
    let area = |element: Element<'_>| values.text_area(element.child(Ns::V, "path")?.attr("textboxrect")?);
    let text_area = area(element).or_else(|| area(shape_type?));
    Outline { geometry: Geometry::Paths(paths), text_area }
}

/// Returns the values to which the numbers of a path refer: coordinates, adjust handles and formulas of the shape or
/// its type.
fn path_values(element: Element<'_>, shape_type: Option<Element<'_>>, size: (f32, f32)) -> PathValues {
    let pair = |name: &str, otherwise: f64| {
        let value = attribute(element, shape_type, name).unwrap_or("");
        let mut numbers = value.split([',', ' ']).filter_map(|number| number.trim().parse::<f64>().ok());
        (numbers.next().unwrap_or(otherwise), numbers.next().unwrap_or(otherwise))
    };
    let own = pair("coordsize", 1_000.0);
    let list = |value: &str| value.split(',').map(|number| number.trim().parse().ok()).collect::<Vec<Option<f64>>>();
    let handles =
        [list(element.attr("adj").unwrap_or("")), list(shape_type.and_then(|of| of.attr("adj")).unwrap_or(""))];
    let count = handles.iter().map(Vec::len).max().unwrap_or(0).min(32);
    let handle = |index: usize| handles.iter().find_map(|list| *list.get(index)?).unwrap_or(0.0);
    let handles: Vec<f64> = (0..count).map(handle).collect();
    let points = (f64::from(size.0), f64::from(size.1));
    let mut values =
        PathValues::new((own.0.max(1.0), own.1.max(1.0)), pair("coordorigin", 0.0).into(), points, &handles);
    let formulas = element.child(Ns::V, "formulas").or_else(|| shape_type?.child(Ns::V, "formulas"));
    let formulas = formulas.into_iter().flat_map(Element::children);
    for equation in formulas.filter_map(|formula| formula.attr("eqn")) {
        values.add_formula(equation);
    }
    values
}

/// Returns the path of a polyline in fractions of its box. The path is closed if the last point is the first.
fn polyline_path(points: &[(f32, f32)]) -> Option<Vec<PathCommand>> {
    let (left, top, width, height) = bounding_box(points)?;
    let share = |(x, y): &(f32, f32)| ((x - left) / width.max(0.01), (y - top) / height.max(0.01));
    let (first, rest) = points.split_first()?;
    let (x, y) = share(first);
    let mut path = vec![PathCommand::Move(x, y)];
    path.extend(rest.iter().map(share).map(|(x, y)| PathCommand::Line(x, y)));
    if points.last() == Some(first) {
        path.push(PathCommand::Close);
    }
    Some(path)
}

/// Returns true if the shape type is Word's picture frame (75), which has neither fill nor line. Its definition may be
/// missing in the file.
fn is_picture_frame(element: Element<'_>) -> bool {
    element.attr("type").is_some_and(|name| name.trim_start_matches('#') == "_x0000_t75")
}

/// Returns the line of a shape. Missing attributes are taken from its shape type.
pub fn stroke(element: Element<'_>, shape_type: Option<Element<'_>>) -> Option<Stroke> {
    let attribute = |name| attribute(element, shape_type, name);
    let stroke = element.child(Ns::V, "stroke");
    let of_stroke = |name| stroke.and_then(|stroke| stroke.attr(name));
    let on = on_off_if_present(of_stroke("on"))
        .or_else(|| on_off_if_present(attribute("stroked")))
        .unwrap_or(!is_picture_frame(element));
    if !on {
        return None;
    }
    let color = of_stroke("color").or_else(|| attribute("strokecolor")).and_then(vml_color).unwrap_or(Rgb(0, 0, 0));
    let width = of_stroke("weight").or_else(|| attribute("strokeweight")).and_then(length).unwrap_or(0.75);
    let head = |kind, length, width| LineHead::from_names(of_stroke(kind), of_stroke(length), of_stroke(width));
    Some(Stroke {
        color,
        width: width.clamp(0.0, MAX_LINE_WIDTH),
        dash: of_stroke("dashstyle").and_then(|dash| dash.parse().ok()).unwrap_or_default(),
        start: head("startarrow", "startarrowlength", "startarrowwidth"),
        end: head("endarrow", "endarrowlength", "endarrowwidth"),
    })
}
