//! Geometry of rectangles and transformations, shared by layout and renderers.

use std::collections::HashMap;

use crate::page::{
    DisplayItem, GlyphRun, ImageId, Page, Paint, PathCommand, Point, Rect, Rgb, Size, StrokePath, TaggedItem,
    TextShadow, Transform,
};

/// The left and the right edge of an object, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HorizontalExtent {
    /// The left edge.
    pub left: f32,
    /// The right edge.
    pub right: f32,
}

/// The left edge and the width of an object, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HorizontalSpan {
    /// The left edge.
    pub left: f32,
    /// The width.
    pub width: f32,
}

/// The top and the bottom edge of an object, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct VerticalExtent {
    /// The top edge.
    pub top: f32,
    /// The bottom edge.
    pub bottom: f32,
}

/// Maximum depth of nested groups. Deeper groups are not drawn, which limits the recursion. Real documents are far below
/// this limit.
pub const MAX_DEPTH: usize = 48;

/// Width of the stroke with which renderers draw glyphs to make them bold if the font has no bold face. It is a fraction of the
/// font size.
pub const SYNTHETIC_BOLD: f32 = 0.034;
/// Width of the stroke with which outlined text is drawn, as a fraction of the font size.
pub const OUTLINE_WIDTH: f32 = 0.02;
/// Slant with which text is drawn if the font has no italic face: tan 12°.
const SYNTHETIC_ITALIC: f32 = 0.2126;

/// The identity transformation.
pub const IDENTITY: Transform = Transform { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };

/// Returns the transformation that applies `inner` first and then `outer`.
pub fn concatenate(outer: &Transform, inner: &Transform) -> Transform {
    Transform {
        a: outer.a * inner.a + outer.c * inner.b,
        b: outer.b * inner.a + outer.d * inner.b,
        c: outer.a * inner.c + outer.c * inner.d,
        d: outer.b * inner.c + outer.d * inner.d,
        e: outer.a * inner.e + outer.c * inner.f + outer.e,
        f: outer.b * inner.e + outer.d * inner.f + outer.f,
    }
}

impl Rect {
    pub(crate) fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    pub(crate) fn right(&self) -> f32 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f32 {
        self.y + self.height
    }

    pub(crate) fn translated(&self, x: f32, y: f32) -> Self {
        Self { x: self.x + x, y: self.y + y, ..*self }
    }
}

impl GlyphRun {
    pub(crate) fn translated(self, x: f32, y: f32) -> Self {
        Self { x: self.x + x, y: self.y + y, ..self }
    }
}

impl StrokePath {
    /// Creates a stroke without dashes.
    pub(crate) fn solid(path: Vec<PathCommand>, color: Rgb, width: f32) -> Self {
        Self { path, color, width, dashes: Vec::new(), round_caps: false }
    }
}

/// Returns the command with all its points mapped by `map`.
pub(crate) fn map_points(command: PathCommand, map: impl Fn(Point) -> Point) -> PathCommand {
    let map = |x: f32, y: f32| map(Point { x, y });
    match command {
        PathCommand::Move(x, y) => move_to(map(x, y)),
        PathCommand::Line(x, y) => line_to(map(x, y)),
        PathCommand::Cubic(a, b, c, d, e, f) => cubic_to(map(a, b), map(c, d), map(e, f)),
        PathCommand::Close => PathCommand::Close,
    }
}

/// Creates the command that begins a path at a point.
pub(crate) fn move_to(point: Point) -> PathCommand {
    PathCommand::Move(point.x, point.y)
}

/// Creates the command that draws a straight line to a point.
pub(crate) fn line_to(point: Point) -> PathCommand {
    PathCommand::Line(point.x, point.y)
}

/// Creates the command that draws a Bézier curve to `end` with two control points.
pub(crate) fn cubic_to(first_control: Point, second_control: Point, end: Point) -> PathCommand {
    PathCommand::Cubic(first_control.x, first_control.y, second_control.x, second_control.y, end.x, end.y)
}

/// Moves an item `x` points to the right and `y` points down.
pub(crate) fn move_item(item: &mut DisplayItem, x: f32, y: f32) {
    let moved = |point: Point| Point { x: point.x + x, y: point.y + y };
    let move_path =
        |path: &mut [PathCommand]| path.iter_mut().for_each(|command| *command = map_points(*command, moved));
    match item {
        DisplayItem::Glyphs(run) => (run.x, run.y) = (run.x + x, run.y + y),
        DisplayItem::Rectangle { area, .. } | DisplayItem::Link { area, .. } | DisplayItem::Value { area, .. } => {
            *area = area.translated(x, y)
        }
        DisplayItem::Stroke(stroke) => move_path(&mut stroke.path),
        DisplayItem::FilledPath { path, paint, .. } => {
            move_path(path);
            if let Paint::Gradient { from, to, .. } = paint {
                (*from, *to) = (moved(*from), moved(*to));
            }
        }
        DisplayItem::Image(image) => image.area = image.area.translated(x, y),
        DisplayItem::Group { transform, .. } => (transform.e, transform.f) = (transform.e + x, transform.f + y),
        // Items that several pages share already have their final positions.
        DisplayItem::Repeated { .. } => {}
    }
}

/// Returns true if all coefficients are finite and their absolute values are below 1,000,000, which is enough for any page.
pub fn is_finite(transform: &Transform) -> bool {
    let Transform { a, b, c, d, e, f } = *transform;
    [a, b, c, d, e, f].iter().all(|value| value.is_finite() && value.abs() < 1e6)
}

/// Returns the rectangle as a closed path.
pub fn rectangle_path(area: Rect) -> Vec<PathCommand> {
    vec![
        PathCommand::Move(area.x, area.y),
        PathCommand::Line(area.right(), area.y),
        PathCommand::Line(area.right(), area.bottom()),
        PathCommand::Line(area.x, area.bottom()),
        PathCommand::Close,
    ]
}

/// Returns the bounding box of a transformed rectangle.
pub fn transformed_bounds(transform: &Transform, area: &Rect) -> Rect {
    let corner = |x: f32, y: f32| Point {
        x: transform.a * x + transform.c * y + transform.e,
        y: transform.b * x + transform.d * y + transform.f,
    };
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    let corners = [corner(area.x, area.y), corner(right, area.y), corner(area.x, bottom), corner(right, bottom)];
    let least = |pick: fn(&Point) -> f32| corners.iter().map(pick).fold(f32::INFINITY, f32::min);
    let most = |pick: fn(&Point) -> f32| corners.iter().map(pick).fold(f32::NEG_INFINITY, f32::max);
    let (x, y) = (least(|c| c.x), least(|c| c.y));
    Rect { x, y, width: most(|c| c.x) - x, height: most(|c| c.y) - y }
}

/// Returns the largest size in points at which each picture is drawn on any page. The size is that of the whole picture,
/// including its cropped parts. Renderers use it to choose the number of pixels of the picture.
pub fn drawn_sizes(pages: &[Page]) -> HashMap<ImageId, Size> {
    let mut sizes = HashMap::new();
    for page in pages {
        collect_sizes(&page.items, &IDENTITY, 0, &mut sizes);
    }
    sizes
}

fn collect_sizes(items: &[TaggedItem], through: &Transform, depth: usize, sizes: &mut HashMap<ImageId, Size>) {
    for placed in items {
        match &placed.item {
            DisplayItem::Image(image) => {
                let whole = uncropped(&image.area, &image.crop);
                let stretch_x = through.a.hypot(through.b);
                let stretch_y = through.c.hypot(through.d);
                let size = sizes.entry(image.image).or_default();
                size.width = size.width.max(whole.width * stretch_x);
                size.height = size.height.max(whole.height * stretch_y);
            }
            DisplayItem::Group { transform, items, .. } if depth < MAX_DEPTH => {
                collect_sizes(items, &concatenate(through, transform), depth + 1, sizes);
            }
            _ => {}
        }
    }
}

/// Returns the area of the whole picture. `area` is the area of the part that remains after cropping. `crop` has the cropped
/// fraction of each side: left, top, right, bottom.
pub fn uncropped(area: &Rect, crop: &[f32; 4]) -> Rect {
    let [left, top, right, bottom] = crop.map(|share| if share.is_finite() { share.clamp(-10.0, 0.999) } else { 0.0 });
    // Ignore a crop that leaves less than 0.1 % of the picture.
    let seen_x = 1.0 - left - right;
    let seen_y = 1.0 - top - bottom;
    if seen_x < 0.001 || seen_y < 0.001 {
        return *area;
    }
    let (width, height) = (area.width / seen_x, area.height / seen_y);
    Rect { x: area.x - left * width, y: area.y - top * height, width, height }
}

/// Returns true if the rectangle is not empty and all its numbers are finite and below 1,000,000 points.
pub fn is_finite_area(area: &Rect) -> bool {
    let Rect { x, y, width, height } = *area;
    [x, y, width, height].iter().all(|value| value.is_finite() && value.abs() < 1e6) && width > 0.0 && height > 0.0
}

/// Returns the transformation that scales and slants a glyph run. The origin of the run, (`run.x`, `run.y`), stays in its
/// place. Returns `None` if the run is neither scaled nor slanted.
pub fn run_transform(run: &GlyphRun) -> Option<Transform> {
    let scale = if run.scale_x.is_finite() && run.scale_x > 0.0 { run.scale_x } else { 1.0 };
    let slant = if run.synthetic_italic { SYNTHETIC_ITALIC } else { 0.0 };
    if scale == 1.0 && slant == 0.0 {
        return None;
    }
    // x' = x0 + (x - x0)·scale - (y - y0)·slant
    Some(Transform { a: scale, b: 0.0, c: -slant, d: 1.0, e: run.x * (1.0 - scale) + run.y * slant, f: 0.0 })
}

/// Returns the shadow of a run: a copy of the run with the position and the colour of the shadow. Renderers draw the copy
/// behind the run. Returns `None` if the run has no shadow.
pub fn shadow_run(run: &GlyphRun) -> Option<GlyphRun> {
    let TextShadow { right, down, color } = run.shadow?;
    let moved = |from: f32, by: f32| from + if by.is_finite() { by } else { 0.0 };
    let (x, y) = (moved(run.x, right), moved(run.y, down));
    Some(GlyphRun { x, y, color, shadow: None, outlined: false, ..run.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cropping_a_quarter_of_each_side_doubles_the_picture_area() {
        let area = Rect { x: 100.0, y: 50.0, width: 40.0, height: 20.0 };
        let whole = uncropped(&area, &[0.25, 0.25, 0.25, 0.25]);
        assert_eq!(whole, Rect { x: 80.0, y: 40.0, width: 80.0, height: 40.0 });
        assert_eq!(uncropped(&area, &[0.6, 0.0, 0.6, 0.0]), area);
    }

    #[test]
    fn a_quarter_turn_swaps_width_and_height() {
        let turn = Transform { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: 10.0, f: 0.0 };
        let area = transformed_bounds(&turn, &Rect { x: 0.0, y: 0.0, width: 4.0, height: 2.0 });
        assert_eq!(area, Rect { x: 8.0, y: 0.0, width: 2.0, height: 4.0 });
    }
}
