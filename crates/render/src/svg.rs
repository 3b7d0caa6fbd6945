//! Converts SVG pictures to paths.
//!
//! Text, embedded pictures, masks, filters and patterns are left out, and the picture is reported as incomplete. (Text would
//! need fonts that are selected by the rules of CSS.)

use krilla::geom::Path;
use krilla::paint::{Fill, Stroke};
use usvg::tiny_skia_path::{PathSegment, Point};
use usvg::{ImageHrefResolver, Node, Tree};
use waraq_layout::{Image, Paint, PathCommand, Rect, Rgb, StrokePath, Transform};
use waraq_rules::DiagnosticCode;

use crate::pdf::paint;
use crate::picture::Unreadable;
use waraq_layout::geometry;

/// Maximum length of an SVG file in bytes.
const MAX_BYTES: usize = 8 << 20;
/// Maximum nesting depth of elements. It is limited because usvg parses recursively.
const MAX_DEPTH: usize = 200;
/// Maximum number of `use` elements. It is limited because usvg copies the elements that `use` refers to.
const MAX_USES: usize = 24;

/// A parsed SVG picture. Width and height are in user units of the SVG.
pub(crate) struct Svg {
    width: f32,
    height: f32,
    pub shapes: Vec<SvgPath>,
    /// `true` if some part of the picture cannot be drawn and is left out.
    pub incomplete: bool,
}

/// A path in user units of the SVG.
pub(crate) struct SvgPath {
    pub path: Path,
    pub fill: Option<Fill>,
    pub stroke: Option<Stroke>,
}

impl Svg {
    pub(crate) fn parse(image: &Image) -> Result<Self, Unreadable> {
        let refuse = |why: &str| Unreadable {
            code: DiagnosticCode::PictureUnreadable,
            message: format!("the picture {} cannot be read: {why}", image.part),
        };
        let text = std::str::from_utf8(&image.data).map_err(|_| refuse("it is not UTF-8"))?;
        if text.len() > MAX_BYTES || max_nesting(text) > MAX_DEPTH || text.matches("<use").count() > MAX_USES {
            return Err(refuse("it is too large or too deep"));
        }
        let options = usvg::Options {
            // a picture must not read files
            image_href_resolver: ImageHrefResolver {
                resolve_data: Box::new(|_, _, _| None),
                resolve_string: Box::new(|_, _| None),
            },
            ..usvg::Options::default()
        };
        let tree = Tree::from_str(text, &options).map_err(|error| refuse(&error.to_string()))?;
        let mut svg = Self {
            width: tree.size().width(),
            height: tree.size().height(),
            shapes: Vec::new(),
            incomplete: text.contains("<text") || text.contains("<image"),
        };
        svg.add_group(tree.root(), 1.0);
        Ok(svg)
    }

    /// Returns the transform from user units to an area of the page.
    pub(crate) fn transform_to(&self, area: &Rect) -> Transform {
        let (a, d) = (area.width / self.width.max(0.001), area.height / self.height.max(0.001));
        Transform { a, b: 0.0, c: 0.0, d, e: area.x, f: area.y }
    }

    /// Returns `true` if width and height are finite and small enough for a page.
    pub(crate) fn is_drawable(&self) -> bool {
        geometry::is_finite_area(&Rect { x: 0.0, y: 0.0, width: self.width, height: self.height })
    }

    fn add_group(&mut self, group: &usvg::Group, parent_opacity: f32) {
        let opacity = parent_opacity * group.opacity().get();
        self.incomplete |= group.mask().is_some() || group.clip_path().is_some() || !group.filters().is_empty();
        for node in group.children() {
            match node {
                Node::Group(inner) => self.add_group(inner, opacity),
                Node::Path(path) if path.is_visible() => self.add_path(path, opacity),
                Node::Path(_) => {}
                Node::Image(_) | Node::Text(_) => self.incomplete = true,
            }
        }
    }

    fn add_path(&mut self, path: &usvg::Path, opacity: f32) {
        let placed = path.abs_transform();
        let Some(outline) = path.data().clone().transform(placed) else { return };
        let scale = (placed.sx.hypot(placed.ky) * placed.kx.hypot(placed.sy)).sqrt();
        let commands = commands(&outline);
        let fill = path.fill().and_then(|fill| {
            let (share, rule) = (fill.opacity().get(), paint::fill_rule(fill.rule() == usvg::FillRule::EvenOdd));
            let fill = paint::krilla_fill(&self.convert_paint(fill.paint(), placed)?)?;
            Some(Fill { opacity: paint::opacity(opacity * share), rule, ..fill })
        });
        let stroke = path.stroke().and_then(|stroke| {
            let color = match self.convert_paint(stroke.paint(), placed)? {
                Paint::Solid { color, .. } => color,
                Paint::Gradient { stops, .. } => stops.first()?.1,
            };
            let opacity = paint::opacity(opacity * stroke.opacity().get());
            let line = StrokePath {
                path: commands.clone(),
                color,
                width: stroke.width().get() * scale,
                dashes: stroke.dasharray().unwrap_or(&[]).iter().map(|length| length * scale).collect(),
                round_caps: stroke.linecap() == usvg::LineCap::Round,
            };
            Some(Stroke { opacity, ..paint::krilla_stroke(&line)? })
        });
        self.shapes.extend(paint::krilla_path(&commands).map(|path| SvgPath { path, fill, stroke }));
    }

    fn convert_paint(&mut self, paint: &usvg::Paint, placed: usvg::Transform) -> Option<Paint> {
        match paint {
            usvg::Paint::Color(color) => Some(Paint::Solid { color: rgb(*color), opacity: 1.0 }),
            usvg::Paint::LinearGradient(gradient) => {
                let through = placed.pre_concat(gradient.transform());
                let mut ends =
                    [Point::from_xy(gradient.x1(), gradient.y1()), Point::from_xy(gradient.x2(), gradient.y2())];
                through.map_points(&mut ends);
                let [from, to] = ends.map(|point| waraq_layout::Point { x: point.x, y: point.y });
                Some(Paint::Gradient { stops: stops(gradient.stops()), from, to })
            }
            usvg::Paint::RadialGradient(gradient) => {
                // The page model has no radial gradients, so the middle colour replaces the gradient.
                let stops = stops(gradient.stops());
                let (_, color) = *stops.get(stops.len() / 2)?;
                self.incomplete = true;
                Some(Paint::Solid { color, opacity: 1.0 })
            }
            usvg::Paint::Pattern(_) => {
                self.incomplete = true;
                None
            }
        }
    }
}

fn rgb(color: usvg::Color) -> Rgb {
    Rgb(color.red, color.green, color.blue)
}

fn stops(stops: &[usvg::Stop]) -> Vec<(f32, Rgb)> {
    stops.iter().map(|stop| (stop.offset().get(), rgb(stop.color()))).collect()
}

fn commands(path: &usvg::tiny_skia_path::Path) -> Vec<PathCommand> {
    let mut at = Point::default();
    let command = |segment| {
        let (command, end) = match segment {
            PathSegment::MoveTo(to) => (PathCommand::Move(to.x, to.y), to),
            PathSegment::LineTo(to) => (PathCommand::Line(to.x, to.y), to),
            PathSegment::QuadTo(by, to) => {
                let third = |end: f32, control: f32| end + (control - end) * 2.0 / 3.0;
                let (x1, y1) = (third(at.x, by.x), third(at.y, by.y));
                (PathCommand::Cubic(x1, y1, third(to.x, by.x), third(to.y, by.y), to.x, to.y), to)
            }
            PathSegment::CubicTo(a, b, to) => (PathCommand::Cubic(a.x, a.y, b.x, b.y, to.x, to.y), to),
            PathSegment::Close => (PathCommand::Close, at),
        };
        at = end;
        command
    };
    path.segments().map(command).collect()
}

/// Returns an estimate of the maximum nesting depth of elements, without parsing the text. For well-formed text, the
/// estimate is never smaller than the depth.
fn max_nesting(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    // each tag end is searched for once: for input like `<<<<` a search from every `<` would take quadratic time
    let mut ends = text.match_indices('>').map(|(end, _)| end).peekable();
    for (at, _) in text.match_indices('<') {
        match text.as_bytes().get(at + 1) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => {
                while ends.next_if(|end| *end < at).is_some() {}
                let empty = ends.peek().is_some_and(|end| text.get(..*end).is_some_and(|tag| tag.ends_with('/')));
                // a self-closing element adds no depth
                depth += usize::from(!empty);
                most = most.max(depth);
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use waraq_layout::{ImageFormat, Location};

    use super::*;

    fn read(text: &str) -> Result<Svg, Unreadable> {
        Svg::parse(&Image {
            part: "a.svg".into(),
            data: text.as_bytes().to_vec().into(),
            format: ImageFormat::Svg,
            location: Location::default(),
        })
    }

    #[test]
    fn shapes_gradients_and_opacity_are_read() {
        let svg = read(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
            <linearGradient id="g"><stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>
            <g opacity="0.5"><rect width="20" height="20" fill="#0f0"/></g>
            <circle cx="30" cy="10" r="5" fill="url(#g)" stroke="#000" stroke-width="2"/></svg>"##,
        );
        let svg = svg.unwrap_or_else(|unreadable| panic!("{}", unreadable.message));
        assert_eq!((svg.width, svg.height, svg.shapes.len(), svg.incomplete), (40.0, 20.0, 2, false));
        assert_eq!(svg.shapes[0].fill.as_ref().map(|fill| fill.opacity), Some(paint::opacity(0.5)));
        let gradient = format!("{:?}", svg.shapes[1].fill);
        assert!(gradient.contains("LinearGradient") && gradient.matches("Stop {").count() == 2, "{gradient}");
        assert_eq!(svg.shapes[1].stroke.as_ref().map(|stroke| stroke.width), Some(2.0));
    }

    #[test]
    fn oversized_and_invalid_files_are_refused() {
        let deep =
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}{}</svg>", "<g>".repeat(5000), "</g>".repeat(5000));
        let many = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>", "<use href=\"#a\"/>".repeat(100));
        // takes minutes if the end of each tag is searched for through the whole text
        let open = "<a ".repeat(1_000_000);
        for text in [deep.as_str(), many.as_str(), open.as_str(), "<svg", "no picture"] {
            assert!(read(text).is_err());
        }
    }
}
