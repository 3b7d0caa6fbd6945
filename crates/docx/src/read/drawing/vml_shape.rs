//! VML shapes, groups, pictures and text boxes (part 4, §19.1).

use super::super::color::preset_color;
use super::super::namespaces::Ns;
use super::super::story::{NESTING_LIMIT, Story};
use super::super::values::{hex_color, integer};
use super::super::xml::Element;
use super::chain::{self, Tie};
use super::fill::dash_kind;
use super::picture::washed;
use super::preset::{self, Outline};
use super::vml::{bounds, is_shape, point, polyline, truth};
use super::vml_path::{self, Values};
use super::vml_preset;
use super::vml_style::{Style, fraction, length};
use super::vml_word_art;
use crate::tree::*;
use waraq_rules::FindingCode;

impl<'t> Story<'t, '_> {
    /// A VML shape in a box of that size; `types` are the shape types declared so far.
    pub(super) fn vml_graphic(&mut self, element: Element<'t>, types: &[Element<'t>], size: (f32, f32)) -> Graphic {
        if element.name() == "group" {
            return self.vml_group(element, types, size);
        }
        let style = Style::parse(element.plain("style").unwrap_or(""));
        let shape_type = element.plain("type").map(|name| name.trim_start_matches('#'));
        let shape_type =
            shape_type.and_then(|name| types.iter().find(|known| known.plain("id") == Some(name)).copied());
        let (flip_horizontal, flip_vertical) = style.flips();
        if let Some(data) = element.child(Ns::V, "imagedata") {
            return self.vml_picture(element, data, &style);
        }
        if let Some(path) = element.child(Ns::V, "textpath").filter(|path| truth(path.plain("on")) != Some(false)) {
            // Plain text (136), which watermarks are, is not bent.
            if element.plain("type").is_none_or(|name| name != "#_x0000_t136") {
                self.warn(FindingCode::WordArtStraight, "WordArt: text that is bent to a shape is set straight");
            }
            return vml_word_art::read(element, path, shape_type, &style);
        }
        let Outline { geometry, text_area } = outline(element, shape_type, size);
        let mut flips = (flip_horizontal, flip_vertical);
        if element.name() == "line" {
            let ends = ["from", "to"].map(|name| element.plain(name).and_then(point).unwrap_or((0.0, 0.0)));
            let [from, to] = ends;
            flips = (flips.0 != (to.0 < from.0), flips.1 != (to.1 < from.1));
        }
        // Polylines are filled only where they say so.
        let is_line = matches!(geometry, Geometry::Line)
            || (element.name() == "polyline"
                && truth(element.plain("filled")) != Some(true)
                && element.plain("fillcolor").is_none());
        Graphic::Shape(Box::new(Shape {
            fill: if is_line { None } else { self.vml_fill(element, shape_type) },
            stroke: vml_stroke(element, shape_type),
            geometry,
            rotation: style.rotation(),
            flip_horizontal: flips.0,
            flip_vertical: flips.1,
            text: self.vml_text(element, &style),
            text_area,
        }))
    }

    fn vml_group(&mut self, element: Element<'t>, types: &[Element<'t>], size: (f32, f32)) -> Graphic {
        if self.nesting >= NESTING_LIMIT {
            return self.unsupported(FindingCode::NestedTooDeeply, "Group");
        }
        self.nesting += 1;
        let pair = |name: &str, otherwise: f32| {
            let value = element.plain(name).unwrap_or("");
            let mut numbers = value.split([',', ' ']).map(|number| number.trim().parse::<f32>().unwrap_or(otherwise));
            (numbers.next().unwrap_or(otherwise), numbers.next().unwrap_or(otherwise))
        };
        let (own, origin) = (pair("coordsize", 1_000.0), pair("coordorigin", 0.0));
        let scale = (size.0 / own.0.abs().max(0.01), size.1 / own.1.abs().max(0.01));
        let style = Style::parse(element.plain("style").unwrap_or(""));
        let (flip_horizontal, flip_vertical) = style.flips();
        let mut types = types.to_vec();
        let mut children = Vec::new();
        for child in element.children().filter(|child| child.ns() == Ns::V) {
            if child.name() == "shapetype" {
                types.push(child);
            }
            if !is_shape(child.name()) {
                continue;
            }
            let place = group_place(child);
            let (width, height) = (place.2 * scale.0, place.3 * scale.1);
            let graphic = self.vml_graphic(child, &types, (width, height));
            let (x, y) = ((place.0 - origin.0) * scale.0, (place.1 - origin.1) * scale.1);
            children.push(GroupChild { x, y, width, height, graphic });
        }
        self.nesting -= 1;
        Graphic::Group(Group { rotation: style.rotation(), flip_horizontal, flip_vertical, children })
    }

    fn vml_picture(&mut self, element: Element<'t>, data: Element<'t>, style: &Style<'_>) -> Graphic {
        let relationship = data.r("id").or_else(|| data.attribute(Ns::Office, "relid")).or_else(|| data.r("pict"));
        let image = relationship.and_then(|id| self.image(id));
        let Some(image) = image else { return Graphic::Unsupported { label: "Picture".to_owned() } };
        let crop = ["cropleft", "croptop", "cropright", "cropbottom"]
            .map(|side| data.plain(side).and_then(fraction).unwrap_or(0.0).clamp(-10.0, 0.999));
        let (flip_horizontal, flip_vertical) = style.flips();
        // A picture has a line only where it says so.
        let outline = if truth(element.plain("stroked")) == Some(true) { vml_stroke(element, None) } else { None };
        let metafile = self.gathered.metafiles.get(&image).cloned();
        let rotation = style.rotation();
        // Washed out, as watermarks are (§19.1.2.11).
        let share = |name: &str| data.plain(name).and_then(fraction);
        let opacity = washed(share("gain").unwrap_or(1.0), share("blacklevel").unwrap_or(0.0));
        let geometry = Geometry::Rectangle;
        Graphic::Picture(Picture {
            image,
            metafile,
            crop,
            rotation,
            flip_horizontal,
            flip_vertical,
            outline,
            geometry,
            opacity,
        })
    }

    fn vml_fill(&mut self, element: Element<'t>, shape_type: Option<Element<'t>>) -> Option<Fill> {
        let attribute = |name| element.plain(name).or_else(|| shape_type.and_then(|shape_type| shape_type.plain(name)));
        let fill = element.child(Ns::V, "fill");
        let on = fill.and_then(|fill| truth(fill.plain("on"))).or_else(|| truth(attribute("filled")));
        let on = on.unwrap_or(!is_picture_frame(element));
        if !on {
            return None;
        }
        let color = fill.and_then(|fill| fill.plain("color")).or_else(|| attribute("fillcolor"));
        let color = color.and_then(color_of).unwrap_or(Rgb(255, 255, 255));
        let opacity = fill.and_then(|fill| fill.plain("opacity")).and_then(fraction).unwrap_or(1.0).clamp(0.0, 1.0);
        match fill.and_then(|fill| fill.plain("type")) {
            Some("gradient" | "gradientRadial") => {
                let second =
                    fill.and_then(|fill| fill.plain("color2")).and_then(color_of).unwrap_or(Rgb(255, 255, 255));
                let angle = fill.and_then(|fill| fill.plain("angle")).and_then(|angle| angle.parse::<f32>().ok());
                // From the bottom up unless turned.
                Some(Fill::Gradient { stops: vec![(0.0, color), (1.0, second)], angle: 90.0 - angle.unwrap_or(0.0) })
            }
            Some("frame" | "tile" | "pattern") => {
                let id = fill.and_then(|fill| fill.r("id").or_else(|| fill.attribute(Ns::Office, "relid")));
                let picture = id.and_then(|id| self.image(id)).map(Fill::Picture);
                Some(picture.unwrap_or(Fill::Solid { color, opacity }))
            }
            _ => Some(Fill::Solid { color, opacity }),
        }
    }

    fn vml_text(&mut self, element: Element<'t>, style: &Style<'_>) -> Option<TextBox> {
        let text_box = element.child(Ns::V, "textbox")?;
        let content = text_box.child(Ns::W, "txbxContent")?;
        let inner = Style::parse(text_box.plain("style").unwrap_or(""));
        let mut insets = [7.2, 3.6, 7.2, 3.6];
        let given = text_box.plain("inset").unwrap_or("");
        for (inset, value) in insets.iter_mut().zip(given.split(',')) {
            *inset = length(value).unwrap_or(*inset);
        }
        let vertical = inner.get("layout-flow").is_some_and(|flow| flow.starts_with("vertical"));
        let upwards = inner.get("mso-layout-flow-alt") == Some("bottom-to-top");
        let blocks = self.text_box_blocks(content, None);
        let bytes = if chain::is_blank(&blocks) { 0 } else { chain::longest(content) };
        let next = inner.get("mso-next-textbox").map(|next| next.trim_start_matches('#').to_owned());
        let names = [element.plain("id"), element.attribute(Ns::Office, "spid")].map(|name| name.map(str::to_owned));
        Some(TextBox {
            id: self.linked(bytes, Tie::Named { names, next }),
            blocks,
            insets,
            vertical_alignment: match style.get("v-text-anchor") {
                Some(anchor) if anchor.starts_with("middle") => VerticalAlignment::Center,
                Some(anchor) if anchor.starts_with("bottom") => VerticalAlignment::Bottom,
                _ => VerticalAlignment::Top,
            },
            text_direction: match (vertical, upwards) {
                (true, true) => TextDirection::Up,
                (true, false) => TextDirection::Down,
                _ => TextDirection::Horizontal,
            },
            auto_fit: truth(inner.get("mso-fit-shape-to-text")) == Some(true),
            no_wrap: style.get("mso-wrap-style") == Some("none"),
            word_art: None,
        })
    }
}

/// Left, top, width and height of a group's child, in the group's units.
fn group_place(child: Element<'_>) -> (f32, f32, f32, f32) {
    if child.name() == "line" {
        let numbers = |name: &str| {
            let (x, y) = child.plain(name).and_then(|value| value.split_once(',')).unwrap_or(("0", "0"));
            (x.trim().parse::<f32>().unwrap_or(0.0), y.trim().parse::<f32>().unwrap_or(0.0))
        };
        let (from, to) = (numbers("from"), numbers("to"));
        return (from.0.min(to.0), from.1.min(to.1), (to.0 - from.0).abs(), (to.1 - from.1).abs());
    }
    let style = Style::parse(child.plain("style").unwrap_or(""));
    let number = |name, other| style.number(name).or_else(|| style.number(other)).unwrap_or(0.0);
    (number("left", "margin-left"), number("top", "margin-top"), number("width", "width"), number("height", "height"))
}

fn outline(element: Element<'_>, shape_type: Option<Element<'_>>, size: (f32, f32)) -> Outline {
    let plain = |geometry| Outline { geometry, text_area: None };
    match element.name() {
        "rect" | "image" => return plain(Geometry::Rectangle),
        "roundrect" => {
            let radius = element.plain("arcsize").and_then(fraction).unwrap_or(0.2);
            return plain(Geometry::RoundedRectangle(radius.clamp(0.0, 0.5)));
        }
        "oval" => return preset::geometry("ellipse", &preset::Adjustments(&[]), size.0, size.1),
        "line" => return plain(Geometry::Line),
        "polyline" => {
            if let Some(commands) = polyline(element).and_then(|points| polyline_path(&points)) {
                let path = ShapePath { commands, fill: PathFill::Shape, stroked: true };
                return plain(Geometry::Paths(vec![path]));
            }
        }
        _ => {}
    }
    let number = element.attribute(Ns::Office, "spt");
    let number = number.or_else(|| shape_type.and_then(|shape_type| shape_type.attribute(Ns::Office, "spt")));
    // A type's own number is part of its name: #_x0000_t202.
    let named = element.plain("type").and_then(|name| name.rsplit_once("_t")).map(|(_, digits)| digits);
    let name = number.or(named).and_then(integer).and_then(vml_preset::of_number);
    let own_path = element.plain("path").filter(|path| !path.is_empty());
    if own_path.is_none()
        && let Some(name @ ("rect" | "ellipse" | "line" | "straightConnector1")) = name
    {
        return preset::geometry(name, &preset::Adjustments(&[]), size.0, size.1);
    }
    let of_type = |name: &str| shape_type.and_then(|shape_type| shape_type.plain(name));
    let values = path_values(element, shape_type, size);
    let paths = own_path.or_else(|| of_type("path")).map(|path| vml_path::read(path, &values)).unwrap_or_default();
    if paths.is_empty() {
        return match name {
            Some(name) => preset::geometry(name, &preset::Adjustments(&[]), size.0, size.1),
            None => plain(Geometry::Rectangle),
        };
    }
    let area = |element: Element<'_>| values.area(element.child(Ns::V, "path")?.plain("textboxrect")?);
    let text_area = area(element).or_else(|| area(shape_type?));
    Outline { geometry: Geometry::Paths(paths), text_area }
}

/// What the numbers of a shape's path are reckoned from: its coordinates, handles and formulas, or its type's.
fn path_values(element: Element<'_>, shape_type: Option<Element<'_>>, size: (f32, f32)) -> Values {
    let of_type = |name: &str| shape_type.and_then(|shape_type| shape_type.plain(name));
    let pair = |name: &str, otherwise: f64| {
        let value = element.plain(name).or_else(|| of_type(name)).unwrap_or("");
        let mut numbers = value.split([',', ' ']).filter_map(|number| number.trim().parse::<f64>().ok());
        (numbers.next().unwrap_or(otherwise), numbers.next().unwrap_or(otherwise))
    };
    let own = pair("coordsize", 1_000.0);
    let list = |value: &str| value.split(',').map(|number| number.trim().parse().ok()).collect::<Vec<Option<f64>>>();
    let (own_handles, handles) = (list(element.plain("adj").unwrap_or("")), list(of_type("adj").unwrap_or("")));
    let count = own_handles.len().max(handles.len()).min(32);
    let handle =
        |index: usize| own_handles.get(index).copied().flatten().or_else(|| handles.get(index).copied().flatten());
    let handles = (0..count).map(|index| handle(index).unwrap_or(0.0)).collect();
    let points = (f64::from(size.0), f64::from(size.1));
    let mut values = Values::new((own.0.max(1.0), own.1.max(1.0)), pair("coordorigin", 0.0), points, handles);
    let formulas = element.child(Ns::V, "formulas").or_else(|| shape_type?.child(Ns::V, "formulas"));
    let formulas = formulas.into_iter().flat_map(Element::children);
    for equation in formulas.filter_map(|formula| formula.plain("eqn")) {
        values.formula(equation);
    }
    values
}

/// A polyline in shares of its box; closed where it ends as it began.
fn polyline_path(points: &[(f32, f32)]) -> Option<Vec<PathCommand>> {
    let (left, top, width, height) = bounds(points)?;
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

/// Word's type of pictures (75) says that it has neither fill nor line; files leave it out where it was defined before.
fn is_picture_frame(element: Element<'_>) -> bool {
    element.plain("type").is_some_and(|name| name.trim_start_matches('#') == "_x0000_t75")
}

fn vml_stroke(element: Element<'_>, shape_type: Option<Element<'_>>) -> Option<Stroke> {
    let attribute = |name| element.plain(name).or_else(|| shape_type.and_then(|shape_type| shape_type.plain(name)));
    let stroke = element.child(Ns::V, "stroke");
    let of_stroke = |name| stroke.and_then(|stroke| stroke.plain(name));
    let on = truth(of_stroke("on")).or_else(|| truth(attribute("stroked"))).unwrap_or(!is_picture_frame(element));
    if !on {
        return None;
    }
    let color = of_stroke("color").or_else(|| attribute("strokecolor")).and_then(color_of).unwrap_or(Rgb(0, 0, 0));
    let width = of_stroke("weight").or_else(|| attribute("strokeweight")).and_then(length).unwrap_or(0.75);
    let head = |kind, length, width| LineHead::of_words(of_stroke(kind), of_stroke(length), of_stroke(width));
    Some(Stroke {
        color,
        width: width.clamp(0.0, 1_584.0),
        dash: of_stroke("dashstyle").map(dash_kind).unwrap_or_default(),
        start: head("startarrow", "startarrowlength", "startarrowwidth"),
        end: head("endarrow", "endarrowlength", "endarrowwidth"),
    })
}

/// `red`, `#f00`, `#ff0000 [3204]`.
pub(super) fn color_of(value: &str) -> Option<Rgb> {
    let word = value.split([' ', '[']).next()?.trim();
    let Some(digits) = word.strip_prefix('#') else {
        return preset_color(word).or(match word {
            "window" => Some(Rgb(255, 255, 255)),
            "windowText" | "this" => Some(Rgb(0, 0, 0)),
            _ => None,
        });
    };
    if digits.len() == 3 && digits.is_ascii() {
        let doubled: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
        return hex_color(&doubled);
    }
    hex_color(digits)
}
