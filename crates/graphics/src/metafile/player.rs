//! The drawing state of a metafile, and the drawing operations that EMF and WMF files share ([MS-EMF] 3.1.1, [MS-WMF]
//! 3.1.4).

use std::collections::HashMap;

use kurbo::{Affine, Point, Rect, Vec2};

use super::bitmap::Mask;
use super::mapping::{Mapping, is_upright, mean_scale};
use super::marks::{MarkContent, MetafileMark, MetafileText, TextEdge};
use super::objects::{Brush, Font, GraphicsObject, Pen, WHITE};
use super::shapes::{self, ArcKind, PathStep};
use crate::{ImageId, PathCommand, Rgb};

/// Maximum number of path steps of all outlines together. A page cannot show more.
const MAX_STEPS: usize = 400_000;
const MAX_MARKS: usize = 20_000;
const MAX_SAVED_STATES: usize = 256;
const MAX_OBJECTS: usize = 10_000;
/// Maximum number of letters of one text.
const MAX_LETTERS: usize = 2_000;
/// Maximum number of bitmaps.
pub(super) const MAX_BITMAPS: usize = 64;
/// Maximum size of all bitmaps together, in bytes.
const MAX_BITMAP_BYTES: usize = 40 << 20;
/// Maximum coordinate in points. Marks beyond it are left out.
const MAX_COORDINATE: f64 = 1e6;
/// The minimum line width, in points.
const HAIRLINE: f64 = 0.25;

/// The drawing state, which records can save and restore.
#[derive(Debug, Clone, Default)]
pub(super) struct DeviceContext {
    pub mapping: Mapping,
    pub pen: Pen,
    pub brush: Brush,
    pub font: Font,
    pub text_color: Rgb,
    /// The background colour of text.
    pub background_color: Rgb,
    /// True if text has a background.
    pub has_text_background: bool,
    /// The text alignment flags ([MS-WMF] 2.1.2.3).
    pub text_align: u32,
    pub fills_even_odd: bool,
    pub draws_arcs_clockwise: bool,
    /// The current position, in logical units.
    pub position: Point,
    /// The box to which new marks are clipped, in points. `None` means that they are not clipped.
    pub clip: Option<Rect>,
}

/// Plays the records of a metafile and collects the marks: lines, fills, text and bitmaps.
#[derive(Default)]
pub(super) struct Player<'d> {
    pub device: DeviceContext,
    saved_devices: Vec<DeviceContext>,
    /// The mask that applies to the next bitmap. `None` if the last bitmap was not a mask.
    pub pending_mask: Option<Mask<'d>>,
    objects: HashMap<u32, GraphicsObject>,
    /// A lower bound of the free object numbers: all smaller numbers are in use.
    lowest_free: u32,
    pub marks: Vec<MetafileMark>,
    /// The picture files of the bitmaps, by [`ImageId`].
    pub bitmaps: Vec<Vec<u8>>,
    /// Size of all bitmaps in bytes.
    bitmap_bytes: usize,
    /// Number of path steps of all outlines so far.
    step_count: usize,
    /// The last complete path. It is kept until a record draws it.
    pub finished_path: Vec<PathStep>,
    /// The path that is being built. `None` outside the records that begin and end a path.
    pub path: Option<Vec<PathStep>>,
    /// True if something was not drawn, because it is not supported or exceeds a limit.
    pub incomplete: bool,
    /// True if marks other than bitmaps were drawn.
    pub has_vector_marks: bool,
}

impl<'d> Player<'d> {
    pub fn new(mapping: Mapping) -> Self {
        let (pen, brush, ground) = (Pen::BLACK, Some(WHITE), WHITE);
        let device = DeviceContext {
            mapping,
            pen,
            brush,
            background_color: ground,
            has_text_background: true,
            fills_even_odd: true,
            ..DeviceContext::default()
        };
        Self { device, ..Self::default() }
    }

    /// Plays all records with the function `record`. A record that is truncated, or that draws something unsupported,
    /// makes the result incomplete.
    pub fn play<Kind>(
        mut self,
        records: impl Iterator<Item = (Kind, &'d [u8])>,
        record: fn(&mut Self, Kind, &'d [u8]) -> Option<()>,
    ) -> Self {
        for (kind, data) in records {
            let played = record(&mut self, kind, data);
            self.incomplete |= played.is_none();
        }
        self
    }

    pub fn save(&mut self) {
        if self.saved_devices.len() < MAX_SAVED_STATES {
            self.saved_devices.push(self.device.clone());
        }
    }

    /// Restores a saved state. A negative number counts back from the last saved state, which is -1. A positive number
    /// counts from the first saved state, which is 1. Any other number is ignored.
    pub fn restore(&mut self, which: i32) {
        let depth = self.saved_devices.len();
        let place =
            if which < 0 { depth.checked_sub(which.unsigned_abs() as usize) } else { (which as usize).checked_sub(1) };
        if let Some(device) =
            place.filter(|place| *place < depth).and_then(|place| self.saved_devices.drain(place..).next())
        {
            self.device = device;
        }
    }

    /// Stores an object under an object number. An object that already has this number is replaced.
    pub fn store_object(&mut self, number: u32, object: GraphicsObject) {
        if self.objects.len() < MAX_OBJECTS {
            self.objects.insert(number, object);
        }
    }

    /// Stores an object at the first free number ([MS-WMF] 3.1.4.1).
    pub fn store_at_free_number(&mut self, object: GraphicsObject) {
        while self.objects.contains_key(&self.lowest_free) {
            self.lowest_free += 1;
        }
        self.store_object(self.lowest_free, object);
    }

    pub fn delete_object(&mut self, number: u32) {
        self.objects.remove(&number);
        self.lowest_free = self.lowest_free.min(number);
    }

    /// Makes a stored object the current pen, brush or font.
    pub fn select_object(&mut self, number: u32) {
        match self.objects.get(&number) {
            Some(GraphicsObject::Pen(pen)) => self.device.pen = *pen,
            Some(GraphicsObject::Brush(brush)) => self.device.brush = *brush,
            Some(GraphicsObject::Font(font)) => self.device.font = font.clone(),
            _ => {}
        }
    }

    /// Adds an outline to the current path. Without a current path, draws it with the pen and, if `filled` is true,
    /// with the brush.
    pub fn add_outline(&mut self, steps: Vec<PathStep>, filled: bool) {
        if let Some(path) = &mut self.path {
            self.step_count = self.step_count.saturating_add(steps.len());
            if self.step_count <= MAX_STEPS {
                path.extend(steps);
            }
            return;
        }
        self.draw_outline(&steps, filled, true);
    }

    /// Fills an outline with the brush if `filled` is true, and strokes it with the pen if `stroked` is true.
    pub fn draw_outline(&mut self, steps: &[PathStep], filled: bool, stroked: bool) {
        self.step_count = self.step_count.saturating_add(steps.len());
        if steps.is_empty() {
            return;
        }
        let matrix = self.device.mapping.logical_to_points();
        let steps = Some(steps).filter(|_| self.step_count <= MAX_STEPS);
        let path =
            steps.and_then(|steps| steps.iter().map(|step| to_path_command(*step, matrix)).collect::<Option<Vec<_>>>());
        let Some(path) = path else {
            self.incomplete = true;
            return;
        };
        if let Some(color) = self.device.brush.filter(|_| filled) {
            self.push_mark(MarkContent::Filled { path: path.clone(), color, even_odd: self.device.fills_even_odd });
        }
        let pen = self.device.pen;
        if let Some(dash) = pen.dash.filter(|_| stroked) {
            let unit = if pen.has_device_width {
                mean_scale(self.device.mapping.device_to_points)
            } else {
                mean_scale(matrix)
            };
            let width = (pen.width * unit).clamp(HAIRLINE, 1_000.0) as f32;
            self.push_mark(MarkContent::Stroked {
                path,
                color: pen.color,
                width,
                dash,
                round_caps: pen.has_round_caps,
            });
        }
    }

    /// Adds a mark that is clipped to the current clip.
    fn push_mark(&mut self, drawn: MarkContent) {
        if self.marks.len() >= MAX_MARKS {
            self.incomplete = true;
            return;
        }
        self.has_vector_marks |= !matches!(drawn, MarkContent::Picture { .. });
        let clip = self.device.clip.map(|clip| [clip.x0, clip.y0, clip.x1, clip.y1].map(|side| side as f32));
        self.marks.push(MetafileMark { content: drawn, clip });
    }

    /// Draws a line from the current position.
    pub fn line_to(&mut self, to: Point) {
        let from = std::mem::replace(&mut self.device.position, to);
        self.continue_outline(from, vec![PathStep::Line(to)]);
    }

    /// Draws steps that start at the end of the current path or, if no path is open, at the point `from`.
    pub fn continue_outline(&mut self, from: Point, steps: Vec<PathStep>) {
        let begun = self
            .path
            .as_ref()
            .is_some_and(|path| matches!(path.last(), Some(last) if !matches!(last, PathStep::Close)));
        let first = (!begun).then_some(PathStep::Move(from));
        self.add_outline(first.into_iter().chain(steps).collect(), false);
    }

    pub fn draw_arc(&mut self, bounds: Rect, start: Point, end: Point, kind: ArcKind) {
        let steps = shapes::arc(bounds, start, end, self.device.draws_arcs_clockwise, kind);
        self.add_outline(steps, matches!(kind, ArcKind::Chord | ArcKind::Pie));
    }

    /// Intersects the clip with a box in logical units. If the box is rotated, its bounding box is used instead, and
    /// the metafile is marked as incomplete.
    pub fn intersect_clip(&mut self, bounds: Rect) {
        let matrix = self.device.mapping.logical_to_points();
        self.incomplete |= !is_upright(matrix);
        let before =
            self.device.clip.unwrap_or(Rect::new(-MAX_COORDINATE, -MAX_COORDINATE, MAX_COORDINATE, MAX_COORDINATE));
        self.device.clip = Some(before.intersect(matrix.transform_rect_bbox(bounds)));
    }

    /// Fills a box with one colour.
    pub fn fill_box(&mut self, bounds: Rect, color: Rgb) {
        let brush = self.device.brush.replace(color);
        self.draw_outline(&shapes::rectangle(bounds), true, false);
        self.device.brush = brush;
    }

    /// Draws text at a point in logical units. `advance` is the total width of the letters, if the record specifies it.
    /// If `opaque` is false, no background is drawn, because the record has already drawn it.
    pub fn draw_text(&mut self, text: &str, at: Point, advance: Option<f64>, opaque: bool) {
        let device = &self.device;
        // With this flag, the text starts at the current position and changes that position.
        let updates = device.text_align & 1 != 0;
        let at = if updates { device.position } else { at };
        let text: String = text.chars().filter(|c| !c.is_control()).take(MAX_LETTERS).collect();
        let matrix = device.mapping.logical_to_points();
        let Point { x, y } = matrix * at;
        let turn = (device.font.escapement / 10.0).to_radians();
        let directions = matrix.with_translation(Vec2::ZERO);
        let line = (directions * Point::new(turn.cos(), -turn.sin())).to_vec2();
        let along = line.hypot();
        let across = (directions * Point::new(turn.sin(), turn.cos())).to_vec2().hypot();
        let height = if device.font.height == 0.0 { 12.0 / across.max(1e-6) } else { device.font.height };
        let size = height.abs() * across;
        if text.trim().is_empty() || ![x, y, size, along].iter().all(|n| n.is_finite() && n.abs() < MAX_COORDINATE) {
            return;
        }
        let mark = MetafileText {
            text,
            x: x as f32,
            y: y as f32,
            horizontal: text_edge(device.text_align >> 1),
            vertical: text_edge(device.text_align >> 3),
            rotation: line.atan2().to_degrees() as f32,
            size: size.clamp(0.1, 2_000.0) as f32,
            size_is_line_height: height > 0.0,
            width: advance.map(|advance| (advance * along).abs() as f32).filter(|width| *width > 0.0),
            family: device.font.family.clone(),
            bold: device.font.bold,
            italic: device.font.italic,
            underline: device.font.underline,
            strike: device.font.strike,
            color: device.text_color,
            background: (opaque && device.has_text_background).then_some(device.background_color),
        };
        self.push_mark(MarkContent::Text(Box::new(mark)));
        if let Some(advance) = advance.filter(|_| updates) {
            self.device.position = at + advance * Vec2::new(turn.cos(), -turn.sin());
        }
    }

    /// Draws a picture file into a box in logical units. `crop` has the cropped fraction of each side. A box of
    /// negative size mirrors the picture.
    pub fn draw_bitmap(&mut self, file: Vec<u8>, crop: [f32; 4], area: Rect) {
        let matrix = self.device.mapping.logical_to_points();
        let (from, to) = (matrix * area.origin(), matrix * Point::new(area.x1, area.y1));
        let seen = Rect::from_points(from, to);
        let room = self.bitmaps.len() < MAX_BITMAPS && self.bitmap_bytes.saturating_add(file.len()) <= MAX_BITMAP_BYTES;
        if !room || ![from.x, from.y, to.x, to.y].iter().all(|side| side.abs() < MAX_COORDINATE) {
            self.incomplete = true;
            return;
        }
        self.incomplete |= !is_upright(matrix);
        self.bitmap_bytes += file.len();
        let image = ImageId(self.bitmaps.len());
        self.bitmaps.push(file);
        self.push_mark(MarkContent::Picture {
            image,
            area: [seen.x0, seen.y0, seen.width(), seen.height()].map(|n| n as f32),
            crop,
            flip_horizontal: to.x < from.x,
            flip_vertical: to.y < from.y,
        });
    }
}

/// Returns the edge of the text that two alignment bits specify ([MS-WMF] 2.1.2.3).
fn text_edge(bits: u32) -> TextEdge {
    match bits & 3 {
        1 => TextEdge::End,
        3 => TextEdge::Base,
        _ => TextEdge::Start,
    }
}

/// Converts a step from logical units to points with `matrix`. Returns `None` if a coordinate exceeds the maximum.
fn to_path_command(step: PathStep, matrix: Affine) -> Option<PathCommand> {
    let at = |point: Point| {
        let Point { x, y } = matrix * point;
        (x.abs() < MAX_COORDINATE && y.abs() < MAX_COORDINATE).then_some((x as f32, y as f32))
    };
    Some(match step {
        PathStep::Move(point) => at(point).map(|(x, y)| PathCommand::Move(x, y))?,
        PathStep::Line(point) => at(point).map(|(x, y)| PathCommand::Line(x, y))?,
        PathStep::Cubic(a, b, c) => {
            let ((ax, ay), (bx, by), (cx, cy)) = (at(a)?, at(b)?, at(c)?);
            PathCommand::Cubic(ax, ay, bx, by, cx, cy)
        }
        PathStep::Close => PathCommand::Close,
    })
}
