//! Pictures, shapes, groups and text boxes become items (ECMA-376 part 1, §20.1, §20.4).

use waraq_docx::tree::{
    Dash, Drawing, Fill, Geometry, Graphic, Link, Picture, Place, Rgb, RunProperties, Shape, Stroke, TextBox,
    TextDirection, VerticalAlignment,
};

use super::border::plain;
use super::geometry::{positive, rectangle_path, turn};
use super::paint::Painter;
use super::setter::{Frame, Setter};
use crate::page::{ElementId, Item, LinkTarget, Paint, PathCommand, Placed, PlacedImage, Rect, StrokePath, Transform};
use crate::text::single_line;

/// Groups in groups deeper than this are not drawn.
const DEEPEST: u8 = 24;
/// Text that is longer than its box by less than this is no line too long.
const CUT_OFF: f32 = 2.0;
/// Letters may stand out of a box sideways.
const WIDE: f32 = 1_000.0;
/// A circle's quarter as a Bézier curve.
const ROUND: f32 = 0.552_284_8;

/// What every part of a drawing shares.
struct Setting<'s, 'b> {
    setter: &'s Setter<'b>,
    frame: Frame,
    element: Option<ElementId>,
    description: Option<String>,
    artifact: bool,
}

/// Draws into a box on the canvas.
pub(super) fn items<'b>(
    setter: &Setter<'b>,
    drawing: &'b Drawing,
    area: Rect,
    frame: &Frame,
    artifact: bool,
) -> Vec<Placed> {
    let element = if artifact { None } else { setter.marks.get(drawing) };
    let setting = Setting { setter, frame: *frame, element, description: drawing.description.clone(), artifact };
    let mut items = Vec::new();
    setting.graphic(&mut items, &drawing.graphic, area, 0);
    if let Some(link) = &drawing.link {
        let target = match link {
            Link::Uri(uri) => LinkTarget::Uri(uri.clone()),
            Link::Bookmark(name) => LinkTarget::Destination(name.clone()),
        };
        items.push(Placed { item: Item::Link { area, target }, element });
    }
    items
}

/// The box of an anchored drawing that fits itself to its text. A rectangle shrinks to it as well: the size beside the
/// relative one (wp14:sizeRelV) of Word's own text boxes is that of the box before anything was written into it.
pub(super) fn grown<'b>(setter: &Setter<'b>, drawing: &'b Drawing, area: Rect, frame: &Frame) -> Rect {
    let fitted = fitted(setter, drawing, area, frame);
    let taller = fitted.height - area.height;
    let y = match super::float::anchor_of(drawing).map(|anchor| anchor.vertical.place) {
        Some(Place::Center) => fitted.y - taller / 2.0,
        Some(Place::End) => fitted.y - taller,
        _ => fitted.y,
    };
    Rect { y, ..fitted }
}

fn fitted<'b>(setter: &Setter<'b>, drawing: &'b Drawing, area: Rect, frame: &Frame) -> Rect {
    match &drawing.graphic {
        Graphic::Shape(shape) => {
            let setting = Setting { setter, frame: *frame, element: None, description: None, artifact: false };
            let Some(text) = &shape.text else { return area };
            match (setting.height_of_text(text, area), &shape.geometry) {
                (Some(height), Geometry::Rectangle) if shape.rotation == 0.0 => Rect { height, ..area },
                (Some(height), _) => Rect { height: area.height.max(height), ..area },
                (None, _) => area,
            }
        }
        _ => area,
    }
}

impl<'b> Setting<'_, 'b> {
    fn placed(&self, item: Item) -> Placed {
        Placed { item, element: self.element }
    }

    fn graphic(&self, items: &mut Vec<Placed>, graphic: &'b Graphic, area: Rect, depth: u8) {
        match graphic {
            Graphic::Picture(picture) => self.picture(items, picture, area),
            Graphic::Shape(shape) => self.shape(items, shape, area),
            Graphic::Group(group) if depth < DEEPEST => {
                let mut inside = Vec::new();
                for child in &group.children {
                    let [x, y, width, height] = [child.x, child.y, child.width, child.height];
                    let child_area = Rect::new(area.x + x, area.y + y, positive(width, 0.0), positive(height, 0.0));
                    self.graphic(&mut inside, &child.graphic, child_area, depth + 1);
                }
                let mirrored = (group.flip_horizontal, group.flip_vertical);
                turned(items, inside, area, group.rotation, mirrored);
            }
            Graphic::Group(_) => {}
            Graphic::Rule { color, share_of_width } => {
                let share = if *share_of_width > 0.0 { share_of_width.min(1.0) } else { 1.0 };
                let width = if area.width > 0.0 { area.width } else { self.frame.width * share };
                let height = area.height.clamp(0.5, 12.0);
                let area = Rect::new(area.x, area.y + (area.height - height) / 2.0, width, height);
                let color = color.unwrap_or(Rgb(0xA0, 0xA0, 0xA0));
                items.push(plain(Item::Rectangle { area, color, opacity: 1.0 }));
            }
            Graphic::Chart(chart) => {
                let drawn = super::chart::draw(self.setter, &self.frame, chart, area);
                items.extend(drawn.into_iter().map(|item| self.placed(item)));
            }
            Graphic::Unsupported { label } => self.labelled_box(items, label, area),
        }
    }

    /// A picture's own description belongs to its element.
    fn image(&self, image: waraq_docx::tree::ImageId, area: Rect, crop: [f32; 4]) -> Placed {
        let description = self.description.clone();
        self.placed(Item::Image(PlacedImage { image, area, crop, description }))
    }

    fn picture(&self, items: &mut Vec<Placed>, picture: &Picture, area: Rect) {
        let metafile = picture.metafile.as_ref().and_then(|metafile| {
            super::metafile::draw(self.setter, self.frame.section, metafile, area, picture.crop, self.element)
        });
        let mut inside = vec![metafile.unwrap_or_else(|| self.image(picture.image, area, picture.crop))];
        if let Some(stroke) = &picture.outline {
            inside.push(self.stroke(stroke, rectangle_path(area)));
        }
        turned(items, inside, area, picture.rotation, (picture.flip_horizontal, picture.flip_vertical));
    }

    fn shape(&self, items: &mut Vec<Placed>, shape: &'b Shape, area: Rect) {
        let area = shape.text.as_ref().map_or(area, |text| self.fitted(text, area));
        let mut inside = Vec::new();
        let path = outline(&shape.geometry, area);
        let open = matches!(shape.geometry, Geometry::Line);
        match &shape.fill {
            Some(Fill::Picture(image)) => inside.push(self.image(*image, area, [0.0; 4])),
            Some(fill) if !open => {
                if let Some(paint) = paint(fill, area) {
                    inside.push(self.placed(Item::FilledPath { path: path.clone(), paint, even_odd: false }));
                }
            }
            _ => {}
        }
        if let Some(stroke) = &shape.stroke {
            arrows(&mut inside, stroke, &path);
            inside.push(self.stroke(stroke, path));
        }
        // Word keeps text upright that a mirrored shape holds; only its turn goes with the shape.
        let mut drawn = Vec::new();
        turned(&mut drawn, inside, area, 0.0, (shape.flip_horizontal, shape.flip_vertical));
        if let Some(text) = &shape.text {
            // A shape around text is decoration; the text has its own elements.
            drawn.iter_mut().for_each(|placed| placed.element = None);
            self.text_box(&mut drawn, text, area);
        }
        turned(items, drawn, area, shape.rotation, (false, false));
    }

    fn text_box(&self, items: &mut Vec<Placed>, text: &'b TextBox, area: Rect) {
        if text.blocks.is_empty() {
            return;
        }
        let [left, top, right, bottom] = text.insets.map(|inset| positive(inset, 0.0));
        let upright = text.text_direction == TextDirection::Horizontal;
        let (across, along) = if upright { (area.width, area.height) } else { (area.height, area.width) };
        let width = (across - left - right).max(1.0);
        let room = (along - top - bottom).max(0.0);
        let width = if text.no_wrap { width.max(2_000.0) } else { width };
        let frame = self.frame.inner(width);
        let galley = self.setter.galley(&text.blocks, frame);
        let spare = (room - galley.height).max(0.0);
        let shift = match text.vertical_alignment {
            VerticalAlignment::Center => spare / 2.0,
            VerticalAlignment::Bottom => spare,
            VerticalAlignment::Top | VerticalAlignment::Justified => 0.0,
        };
        let mut painter = Painter::new(self.setter, frame);
        painter.artifact = self.artifact;
        let origin = if upright { (area.x, area.y) } else { (0.0, 0.0) };
        painter.galley(&galley, origin.0 + left, origin.1 + top + shift);
        let (inside, _) = painter.canvas.flatten();
        // Word shows of a box that does not grow with its text only what fits.
        let cut = !text.auto_fit && galley.height > room + CUT_OFF && room > 0.0;
        if cut {
            self.setter.warn("text_cut_off", "A text box is too small for its text: what does not fit is not seen.");
        }
        if upright {
            if cut {
                let transform = Transform { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };
                let clip = Some(Rect { x: area.x - WIDE, width: area.width + 2.0 * WIDE, ..area });
                items.push(plain(Item::Group { transform, clip, items: inside }));
            } else {
                items.extend(inside);
            }
            return;
        }
        let transform = match text.text_direction {
            TextDirection::Up => Transform { a: 0.0, b: -1.0, c: 1.0, d: 0.0, e: area.x, f: area.bottom() },
            _ => Transform { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: area.right(), f: area.y },
        };
        items.push(plain(Item::Group { transform, clip: None, items: inside }));
    }

    /// A shape that fits itself to its text grows downwards.
    fn fitted(&self, text: &'b TextBox, area: Rect) -> Rect {
        Rect { height: area.height.max(self.height_of_text(text, area).unwrap_or(0.0)), ..area }
    }

    /// With its insets; `None` where the box does not go by its text.
    fn height_of_text(&self, text: &'b TextBox, area: Rect) -> Option<f32> {
        if !text.auto_fit || text.blocks.is_empty() || text.text_direction != TextDirection::Horizontal {
            return None;
        }
        let [left, top, right, bottom] = text.insets.map(|inset| positive(inset, 0.0));
        let width = (area.width - left - right).max(1.0);
        let galley = self.setter.galley(&text.blocks, self.frame.inner(width));
        Some(galley.height + top + bottom)
    }

    fn stroke(&self, stroke: &Stroke, path: Vec<PathCommand>) -> Placed {
        let width = positive(stroke.width, 0.75).min(200.0);
        let dashes = dashes(stroke.dash, width);
        self.placed(Item::Stroke(StrokePath { path, color: stroke.color, width, dashes, round_caps: false }))
    }

    /// What cannot be set: a box with a word on what it is.
    fn labelled_box(&self, items: &mut Vec<Placed>, label: &str, area: Rect) {
        let grey = Rgb(0x80, 0x80, 0x80);
        let stroke = StrokePath {
            path: rectangle_path(area),
            color: grey,
            width: 0.5,
            dashes: vec![3.0, 2.0],
            round_caps: false,
        };
        items.push(self.placed(Item::Stroke(stroke)));
        let run = RunProperties { size: 8.0, size_complex: 8.0, color: Some(grey), ..RunProperties::default() };
        let (runs, width) = single_line(self.setter.context(self.frame.section), label, &run);
        if width > area.width || area.height < 10.0 {
            return;
        }
        for mut run in runs {
            run.x += area.x + (area.width - width) / 2.0;
            run.y += area.y + area.height / 2.0 + 3.0;
            items.push(self.placed(Item::Glyphs(run)));
        }
    }
}

/// Lengths of dashes and gaps of a line of this width.
pub(super) fn dashes(dash: Dash, width: f32) -> Vec<f32> {
    let unit = width.max(0.5);
    match dash {
        Dash::Solid => Vec::new(),
        Dash::Dot => vec![unit, unit * 3.0],
        Dash::DenseDot => vec![unit, unit],
        Dash::DenseDash => vec![unit * 3.0, unit],
        Dash::Dash => vec![unit * 4.0, unit * 3.0],
        Dash::LongDash => vec![unit * 8.0, unit * 3.0],
        Dash::DashDot => vec![unit * 4.0, unit * 3.0, unit, unit * 3.0],
    }
}

/// Adds items, turned and mirrored about the middle of their box if need be.
fn turned(items: &mut Vec<Placed>, inside: Vec<Placed>, area: Rect, degrees: f32, mirrored: (bool, bool)) {
    let degrees = if degrees.is_finite() { degrees % 360.0 } else { 0.0 };
    if degrees == 0.0 && mirrored == (false, false) {
        items.extend(inside);
        return;
    }
    let middle = (area.x + area.width / 2.0, area.y + area.height / 2.0);
    let element = inside.first().and_then(|placed| placed.element);
    let transform = turn(middle, degrees, mirrored.0, mirrored.1);
    items.push(Placed { item: Item::Group { transform, clip: None, items: inside }, element });
}

fn paint(fill: &Fill, area: Rect) -> Option<Paint> {
    match fill {
        Fill::Solid { color, opacity } => Some(Paint::Solid { color: *color, opacity: opacity.clamp(0.0, 1.0) }),
        Fill::Gradient { stops, angle } => {
            let (sin, cos) = angle.to_radians().sin_cos();
            let middle = (area.x + area.width / 2.0, area.y + area.height / 2.0);
            let reach = (area.width * cos.abs() + area.height * sin.abs()) / 2.0;
            let from = (middle.0 - cos * reach, middle.1 - sin * reach);
            let to = (middle.0 + cos * reach, middle.1 + sin * reach);
            match stops.as_slice() {
                [] => None,
                [(_, color)] => Some(Paint::Solid { color: *color, opacity: 1.0 }),
                _ => Some(Paint::Gradient { stops: stops.clone(), from, to }),
            }
        }
        Fill::Picture(_) => None,
    }
}

/// A shape's outline in its box.
fn outline(geometry: &Geometry, area: Rect) -> Vec<PathCommand> {
    let at = |x: f32, y: f32| (area.x + x * area.width, area.y + y * area.height);
    match geometry {
        Geometry::Rectangle | Geometry::Preset(_) => rectangle_path(area),
        Geometry::Line => vec![PathCommand::Move(area.x, area.y), PathCommand::Line(area.right(), area.bottom())],
        Geometry::Ellipse => rounded(area, area.width / 2.0, area.height / 2.0),
        Geometry::RoundedRectangle(share) => {
            let radius = area.width.min(area.height) * share.clamp(0.0, 0.5);
            rounded(area, radius, radius)
        }
        Geometry::Path(path) => path
            .iter()
            .map(|command| match *command {
                PathCommand::Move(x, y) => PathCommand::Move(at(x, y).0, at(x, y).1),
                PathCommand::Line(x, y) => PathCommand::Line(at(x, y).0, at(x, y).1),
                PathCommand::Cubic(a, b, c, d, e, f) => {
                    let (p, q, r) = (at(a, b), at(c, d), at(e, f));
                    PathCommand::Cubic(p.0, p.1, q.0, q.1, r.0, r.1)
                }
                PathCommand::Close => PathCommand::Close,
            })
            .collect(),
    }
}

/// A box with elliptic corners.
fn rounded(area: Rect, rx: f32, ry: f32) -> Vec<PathCommand> {
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    let (kx, ky) = (rx * (1.0 - ROUND), ry * (1.0 - ROUND));
    vec![
        PathCommand::Move(left + rx, top),
        PathCommand::Line(right - rx, top),
        PathCommand::Cubic(right - kx, top, right, top + ky, right, top + ry),
        PathCommand::Line(right, bottom - ry),
        PathCommand::Cubic(right, bottom - ky, right - kx, bottom, right - rx, bottom),
        PathCommand::Line(left + rx, bottom),
        PathCommand::Cubic(left + kx, bottom, left, bottom - ky, left, bottom - ry),
        PathCommand::Line(left, top + ry),
        PathCommand::Cubic(left, top + ky, left + kx, top, left + rx, top),
        PathCommand::Close,
    ]
}

/// Heads at the ends of a line.
fn arrows(items: &mut Vec<Placed>, stroke: &Stroke, path: &[PathCommand]) {
    let points: Vec<(f32, f32)> = path
        .iter()
        .filter_map(|command| match *command {
            PathCommand::Move(x, y) | PathCommand::Line(x, y) | PathCommand::Cubic(_, _, _, _, x, y) => Some((x, y)),
            PathCommand::Close => None,
        })
        .collect();
    let mut head = |tip: (f32, f32), from: (f32, f32)| {
        let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
        let length = dx.hypot(dy);
        if length <= 0.0 || !length.is_finite() {
            return;
        }
        // Three times as long and wide as the line; thin lines get the heads of one of two points.
        let size = (positive(stroke.width, 1.0) * 3.0).clamp(6.0, 30.0);
        let (ux, uy) = (dx / length * size, dy / length * size);
        let base = (tip.0 - ux, tip.1 - uy);
        let path = vec![
            PathCommand::Move(tip.0, tip.1),
            PathCommand::Line(base.0 - uy / 2.0, base.1 + ux / 2.0),
            PathCommand::Line(base.0 + uy / 2.0, base.1 - ux / 2.0),
            PathCommand::Close,
        ];
        let paint = Paint::Solid { color: stroke.color, opacity: 1.0 };
        items.push(plain(Item::FilledPath { path, paint, even_odd: false }));
    };
    if let [first, second, ..] = points.as_slice()
        && stroke.arrow_start
    {
        head(*first, *second);
    }
    if let [.., before, last] = points.as_slice()
        && stroke.arrow_end
    {
        head(*last, *before);
    }
}
