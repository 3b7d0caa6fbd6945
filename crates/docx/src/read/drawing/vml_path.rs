//! Outlines of VML shapes (part 4, §19.1.2.14), and the presets their types stand for.

use crate::tree::PathCommand;

const COMMAND_LIMIT: usize = 20_000;

/// A path attribute in shares of the box. `None` where it uses formulas: those of the known types are presets.
pub(super) fn read(path: &str, size: (f32, f32), origin: (f32, f32)) -> Option<Vec<PathCommand>> {
    if path.contains('@') {
        return None;
    }
    let mut commands = Vec::new();
    let mut at = (0.0, 0.0);
    for (letter, numbers) in (Steps { rest: path }) {
        if commands.len() > COMMAND_LIMIT {
            break;
        }
        let share = |(x, y): (f32, f32)| ((x - origin.0) / size.0, (y - origin.1) / size.1);
        let pairs =
            numbers.chunks(2).map(|pair| (pair.first().copied().unwrap_or(0.0), pair.get(1).copied().unwrap_or(0.0)));
        let pairs: Vec<(f32, f32)> = pairs.collect();
        match letter {
            "m" | "l" | "t" | "r" => {
                let relative = matches!(letter, "t" | "r");
                for pair in pairs {
                    at = if relative { (at.0 + pair.0, at.1 + pair.1) } else { pair };
                    let (x, y) = share(at);
                    let moves = matches!(letter, "m" | "t");
                    commands.push(if moves { PathCommand::Move(x, y) } else { PathCommand::Line(x, y) });
                }
            }
            "c" | "v" => {
                for curve in pairs.chunks(3) {
                    let [a, b, to] = curve else { break };
                    let base = if letter == "v" { at } else { (0.0, 0.0) };
                    let moved = |point: &(f32, f32)| (base.0 + point.0, base.1 + point.1);
                    let (a, b, to) = (moved(a), moved(b), moved(to));
                    let ((ax, ay), (bx, by), (x, y)) = (share(a), share(b), share(to));
                    commands.push(PathCommand::Cubic(ax, ay, bx, by, x, y));
                    at = to;
                }
            }
            "x" => commands.push(PathCommand::Close),
            "e" | "nf" | "ns" => {}
            // Arcs and quadrants are left to the shape's box.
            _ => return None,
        }
    }
    (!commands.is_empty()).then_some(commands)
}

/// Letters with the numbers that follow; a missing number is zero.
struct Steps<'p> {
    rest: &'p str,
}

impl<'p> Iterator for Steps<'p> {
    type Item = (&'p str, Vec<f32>);

    fn next(&mut self) -> Option<(&'p str, Vec<f32>)> {
        let start = self.rest.find(|c: char| c.is_ascii_alphabetic())?;
        let rest = self.rest.get(start..)?;
        let first = rest.get(..1)?;
        // Two letters where the first begins a pair.
        let length = if matches!(first, "n" | "a" | "w" | "q" | "h") { 2 } else { 1 };
        let letter = rest.get(..length).unwrap_or(first);
        let rest = rest.get(letter.len()..)?;
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (numbers, rest) = rest.split_at(end);
        self.rest = rest;
        let numbers = if numbers.trim().is_empty() {
            Vec::new()
        } else {
            numbers.replace(' ', ",").split(',').map(|number| number.trim().parse().unwrap_or(0.0)).collect()
        };
        Some((letter, numbers))
    }
}

/// The preset a shape type's number stands for (o:spt, part 4, §19.2.2.…).
pub(super) fn preset_of(number: i64) -> Option<&'static str> {
    Some(match number {
        1 | 75 | 202 => "rect",
        2 => "roundRect",
        3 => "ellipse",
        4 => "diamond",
        5 => "triangle",
        6 => "rtTriangle",
        7 => "parallelogram",
        8 => "trapezoid",
        9 => "hexagon",
        10 => "octagon",
        11 => "plus",
        12 => "star5",
        13 => "rightArrow",
        15 => "homePlate",
        20 | 32 => "line",
        33 => "bentConnector2",
        34 => "bentConnector3",
        37 => "curvedConnector2",
        38 => "curvedConnector3",
        22 => "can",
        23 => "donut",
        55 => "chevron",
        56 => "pentagon",
        61 => "wedgeRectCallout",
        62 => "wedgeRoundRectCallout",
        63 => "wedgeEllipseCallout",
        66 => "leftArrow",
        67 => "downArrow",
        68 => "upArrow",
        69 => "leftRightArrow",
        70 => "upDownArrow",
        85 => "leftBracket",
        86 => "rightBracket",
        87 => "leftBrace",
        88 => "rightBrace",
        109 => "flowChartProcess",
        110 => "flowChartDecision",
        111 => "flowChartInputOutput",
        114 => "flowChartDocument",
        116 => "flowChartTerminator",
        120 => "flowChartConnector",
        127 => "flowChartExtract",
        128 => "flowChartMerge",
        176 => "flowChartAlternateProcess",
        184 => "moon",
        185 => "bracketPair",
        186 => "bracePair",
        187 => "star4",
        _ => return None,
    })
}
