//! Preset shapes (§20.1.9.18, §20.1.10.56). The file `presets.txt` has their definitions, which are evaluated like
//! custom geometries.

use super::Outline;
use super::guides::{Guides, fractions_of_box};
use super::pen::OutlinePen;
use crate::{Geometry, PathFill, ShapePath};

const PRESETS: &str = include_str!("presets.txt");

/// The adjust values that a document specifies for a preset: pairs of name and value. As in `presets.txt`, angles are
/// in 60,000ths of a degree, and other values are fractions in 100,000ths.
pub type Adjustments<'a> = [(&'a str, f64)];

/// Returns the adjust value with this name, if the document has one.
fn adjust_value(adjustments: &Adjustments<'_>, name: &str) -> Option<f64> {
    // A preset with a single adjust value names it adj or adj1.
    let same = |known: &str| known == name || (name == "adj" && known == "adj1") || (name == "adj1" && known == "adj");
    adjustments.iter().find(|(known, _)| same(known)).map(|(_, value)| *value)
}

/// Returns the outline of a preset in a box of `width` by `height` points. An unknown preset is a rectangle.
pub fn geometry(name: &str, adjust: &Adjustments<'_>, width: f32, height: f32) -> Outline {
    let Some(definition) = definition(name) else { return Outline::plain(Geometry::Rectangle) };
    let mut outline =
        evaluate_definition(definition, adjust, f64::from(width) * 12_700.0, f64::from(height) * 12_700.0);
    // Renderers can draw these shapes directly.
    outline.geometry = match name {
        "rect" | "flowChartProcess" => Geometry::Rectangle,
        "roundRect" => {
            let radius = adjust_value(adjust, "adj").unwrap_or(16_667.0) / 1e5;
            Geometry::RoundedRectangle(radius.clamp(0.0, 0.5) as f32)
        }
        "ellipse" | "flowChartConnector" => Geometry::Ellipse,
        "line" | "straightConnector1" => Geometry::Line,
        _ => outline.geometry,
    };
    outline
}

/// Returns the lines of `presets.txt` that define a preset.
fn definition(name: &str) -> Option<std::str::Lines<'static>> {
    let head = format!("\n={name}\n");
    let at = memchr::memmem::find(PRESETS.as_bytes(), head.as_bytes())? + head.len();
    let rest = PRESETS.get(at..)?;
    Some(rest.get(..memchr::memmem::find(rest.as_bytes(), b"\n=").unwrap_or(rest.len()))?.lines())
}

/// Evaluates the definition of a preset in a box of this size in EMU.
fn evaluate_definition(
    mut lines: std::str::Lines<'static>,
    adjust: &Adjustments<'_>,
    width: f64,
    height: f64,
) -> Outline {
    let mut guides = Guides::for_box(width, height);
    let mut paths = Vec::new();
    let mut area = None;
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix('>') {
            paths.push(evaluate_path(head, lines.next().unwrap_or(""), &guides));
        } else if let Some(sides) = line.strip_prefix("@ ") {
            let mut sides = sides.split(' ');
            let sides = ["l", "t", "r", "b"].map(|side| sides.next().unwrap_or(side));
            area = text_area(&guides, sides);
        } else if let Some((name, formula)) = line.split_once(' ') {
            let given = if name.starts_with("adj") { adjust_value(adjust, name) } else { None };
            guides.set(name, given.unwrap_or_else(|| guides.evaluate_formula(formula)));
        }
    }
    Outline { geometry: Geometry::Paths(paths), text_area: area }
}

/// Evaluates a path of a definition. `head` is its first line, with the fill mode and the size. `steps` is the line
/// with its steps.
fn evaluate_path(head: &str, steps: &str, guides: &Guides<'_>) -> ShapePath {
    let (mut fill, mut stroked) = (PathFill::Shape, true);
    let mut size = Vec::new();
    for word in head.split_whitespace() {
        match word {
            "unstroked" => stroked = false,
            "none" | "lighten" | "lightenLess" | "darken" | "darkenLess" => fill = PathFill::from_name(word),
            number => size.push(guides.get(number)),
        }
    }
    let (width, height) = match size.as_slice() {
        [width, height] => (*width, *height),
        _ => (guides.get("w"), guides.get("h")),
    };
    let mut pen = OutlinePen::new(width, height);
    let mut words = steps.split(' ').peekable();
    while let Some(letter) = words.next() {
        let mut numbers = Vec::with_capacity(6);
        while let Some(word) = words.next_if(|word| !matches!(*word, "M" | "L" | "C" | "Q" | "A" | "Z")) {
            numbers.push(guides.get(word));
        }
        pen.draw_step(letter, &numbers);
    }
    ShapePath { commands: pen.finish(), fill, stroked }
}

/// Returns the text area as fractions of the box. `sides` are the names of the guides for its left, top, right and
/// bottom edge. Returns `None` if the area is the whole box or empty.
pub(super) fn text_area(guides: &Guides<'_>, sides: [&str; 4]) -> Option<[f32; 4]> {
    let (width, height) = (guides.get("w"), guides.get("h"));
    if width <= 0.0 || height <= 0.0 || sides == ["l", "t", "r", "b"] {
        return None;
    }
    fractions_of_box(sides.map(|side| guides.get(side)), (width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_an_outline() {
        let names: Vec<&str> = PRESETS.lines().filter_map(|line| line.strip_prefix('=')).collect();
        assert_eq!(names.len(), 187);
        for name in names {
            let outline = geometry(name, &[], 90.0, 60.0);
            let Geometry::Paths(paths) = outline.geometry else { continue };
            let drawn = paths.iter().filter(|path| path.commands.len() > 1).count();
            assert!(drawn == paths.len() && drawn > 0, "{name}");
        }
    }

    #[test]
    fn adjust_values_change_the_outline_and_its_text_area() {
        let triangle = |adj| geometry("triangle", &[("adj", adj)], 100.0, 50.0);
        let tip = |outline: &Outline| match &outline.geometry {
            Geometry::Paths(paths) => paths[0].commands[1],
            other => panic!("{other:?}"),
        };
        let (middle, left) = (triangle(50_000.0), triangle(0.0));
        assert_eq!(tip(&middle), crate::PathCommand::Line(0.5, 0.0));
        assert_eq!(tip(&left), crate::PathCommand::Line(0.0, 0.0));
        assert_eq!(middle.text_area, Some([0.25, 0.5, 0.75, 1.0]));
        assert_eq!(left.text_area, Some([0.0, 0.5, 0.5, 1.0]));
    }
}
