//! Custom geometries (§20.1.9.8): guides with formulas, and paths of lines, arcs and curves.

use super::Outline;
use super::guides::Guides;
use super::pen::OutlinePen;
use crate::xml::Element;
use crate::xml::values::on_off;
use crate::{Geometry, PathFill, ShapePath};

/// Maximum number of paths in an outline.
const PATH_LIMIT: usize = 1_000;

/// Reads the outline of an `a:custGeom`. `width` and `height` are the size of its box in points. The formulas of the
/// geometry are calculated in EMU, the unit of DrawingML.
pub(super) fn read(element: Element<'_>, width: f32, height: f32) -> Outline {
    let mut guides = Guides::for_box(f64::from(width) * 12_700.0, f64::from(height) * 12_700.0);
    for list in ["avLst", "gdLst"] {
        for guide in element.child_named(list).into_iter().flat_map(Element::children) {
            if let (Some(name), Some(formula)) = (guide.attr("name"), guide.attr("fmla")) {
                guides.set(name, guides.evaluate_formula(formula));
            }
        }
    }
    let paths = element.child_named("pathLst").into_iter().flat_map(Element::children).take(PATH_LIMIT);
    let paths: Vec<ShapePath> = paths.map(|path| read_path(path, &guides)).collect();
    let geometry =
        if paths.iter().all(|path| path.commands.is_empty()) { Geometry::Rectangle } else { Geometry::Paths(paths) };
    let sides =
        element.child_named("rect").map(|rect| ["l", "t", "r", "b"].map(|side| rect.attr(side).unwrap_or(side)));
    Outline { geometry, text_area: sides.and_then(|sides| super::preset::text_area(&guides, sides)) }
}

/// Reads a path of a custom geometry from its element `a:path` (§20.1.9.15).
fn read_path(path: Element<'_>, guides: &Guides<'_>) -> ShapePath {
    let size = |name| path.attr(name).and_then(|value| value.parse::<f64>().ok()).filter(|size| *size > 0.0);
    let (width, height) = (size("w").unwrap_or(guides.get("w")), size("h").unwrap_or(guides.get("h")));
    let mut pen = OutlinePen::new(width, height);
    for each in path.children() {
        draw_step(&mut pen, each, guides);
    }
    ShapePath {
        commands: pen.finish(),
        fill: PathFill::from_name(path.attr("fill").unwrap_or("norm")),
        stroked: on_off(path.attr("stroke")),
    }
}

/// Draws a child of an `a:path`.
fn draw_step(pen: &mut OutlinePen, step: Element<'_>, guides: &Guides<'_>) {
    let value = |element: Element<'_>, name| element.attr(name).map_or(0.0, |value| guides.get(value));
    let letter = match step.name() {
        "moveTo" => "M",
        "lnTo" => "L",
        "cubicBezTo" => "C",
        "quadBezTo" => "Q",
        "arcTo" => return pen.draw_step("A", &["wR", "hR", "stAng", "swAng"].map(|name| value(step, name))),
        "close" => "Z",
        _ => return,
    };
    let points = step.children().filter(|child| child.name() == "pt");
    let numbers: Vec<f64> = points.flat_map(|point| [value(point, "x"), value(point, "y")]).collect();
    pen.draw_step(letter, &numbers);
}
