//! Custom geometries (§20.1.9.8): guides with formulas, and paths of lines, arcs and curves.

use super::Outline;
use super::guides::Guides;
use super::pen::Pen;
use crate::xml::Element;
use crate::xml::values::on_off;
use crate::{Geometry, PathFill, ShapePath};

/// Maximum number of paths in an outline.
const PATH_LIMIT: usize = 1_000;

/// Reads the outline of an `a:custGeom`. `width` and `height` are the size of its box in points; the guides are
/// calculated in EMU.
pub(super) fn read(element: Element<'_>, width: f32, height: f32) -> Outline {
    let mut guides = Guides::of_box(f64::from(width) * 12_700.0, f64::from(height) * 12_700.0);
    for list in ["avLst", "gdLst"] {
        for guide in element.local(list).into_iter().flat_map(Element::children) {
            if let (Some(name), Some(formula)) = (guide.plain("name"), guide.plain("fmla")) {
                guides.set(name, guides.formula(formula));
            }
        }
    }
    let paths = element.local("pathLst").into_iter().flat_map(Element::children).take(PATH_LIMIT);
    let paths: Vec<ShapePath> = paths.map(|path| outline(path, &guides)).collect();
    let geometry =
        if paths.iter().all(|path| path.commands.is_empty()) { Geometry::Rectangle } else { Geometry::Paths(paths) };
    let sides = element.local("rect").map(|rect| ["l", "t", "r", "b"].map(|side| rect.plain(side).unwrap_or(side)));
    Outline { geometry, text_area: sides.and_then(|sides| super::preset::text_area(&guides, sides)) }
}

/// Reads an `a:path` (§20.1.9.15).
fn outline(path: Element<'_>, guides: &Guides<'_>) -> ShapePath {
    let size = |name| path.plain(name).and_then(|value| value.parse::<f64>().ok()).filter(|size| *size > 0.0);
    let (width, height) = (size("w").unwrap_or(guides.get("w")), size("h").unwrap_or(guides.get("h")));
    let mut pen = Pen::new(width, height);
    for each in path.children() {
        step(&mut pen, each, guides);
    }
    ShapePath {
        commands: pen.finish(),
        fill: PathFill::of_word(path.plain("fill").unwrap_or("norm")),
        stroked: on_off(path.plain("stroke")),
    }
}

/// Draws a child of an `a:path`.
fn step(pen: &mut Pen, step: Element<'_>, guides: &Guides<'_>) {
    let value = |element: Element<'_>, name| element.plain(name).map_or(0.0, |value| guides.get(value));
    let letter = match step.name() {
        "moveTo" => "M",
        "lnTo" => "L",
        "cubicBezTo" => "C",
        "quadBezTo" => "Q",
        "arcTo" => return pen.step("A", &["wR", "hR", "stAng", "swAng"].map(|name| value(step, name))),
        "close" => "Z",
        _ => return,
    };
    let points = step.children().filter(|child| child.name() == "pt");
    let numbers: Vec<f64> = points.flat_map(|point| [value(point, "x"), value(point, "y")]).collect();
    pen.step(letter, &numbers);
}
