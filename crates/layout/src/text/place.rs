//! Segments become what is drawn: glyph runs, pictures, leaders; and what the flow must know of a line.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::tree::{
    Alignment, Geometry, Graphic, HorizontalRule, Link, Paragraph, Picture, Placement, Rgb, RunProperties, TabLeader,
};

use super::clusters::shape_key;
use super::context::Context;
use super::decorate::Decorations;
use super::height::Extent;
use super::line::Line;
use super::segments::{Segment, SegmentKind, Stretch};
use super::source::{Cluster, Clusters, Item, Marker, Source, Span, SpanKind};
use crate::page::{Glyph, GlyphRun, Item as PageItem, LinkTarget, Placed, PlacedImage, Rect, TextShadow};

/// Draws the segments of one line.
pub(super) struct Painter<'a> {
    pub context: &'a Context<'a>,
    pub paragraph: &'a Paragraph,
    pub source: &'a Source,
    pub items: &'a [Item],
    pub clusters: &'a Clusters,
    pub stretch: Stretch,
    pub baseline: f32,
    pub height: f32,
    /// Underlines end here, whatever hangs beyond: the text area from left to right.
    pub bounds: (f32, f32),
}

impl Painter<'_> {
    pub fn paint(&self, segments: &[Segment], line: &mut Line) {
        let mut decorations = Decorations::new(self.baseline, self.bounds);
        let mut foreground = Vec::new();
        let mut objects = Vec::new();
        let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut readings = self.readings(segments).into_iter().peekable();
        for (index, segment) in segments.iter().enumerate() {
            let Some((item, span)) = self.item_and_span(segment) else { continue };
            if !segment.hanging && segment.kind != SegmentKind::Break {
                left = left.min(segment.x);
                right = right.max(segment.x + segment.width);
            }
            line.changed |= span.run.revision.is_some();
            let extent = Extent::of(item);
            decorations.add(segment, item, &span.run, extent, self.context.fonts, || self.letters(segment));
            let first = foreground.len();
            self.segment(segment, item, span, &mut foreground, line);
            let object = match &span.kind {
                SpanKind::Math(piece) => Some(piece.formula),
                SpanKind::Object(drawing) => Some(drawing.id),
                _ => None,
            };
            objects.extend(object.map(|node| (first..foreground.len(), node)));
            self.link(segment, span, line);
            // Read after its base.
            while let Some(above) = readings.next_if(|above| above.after <= index) {
                above.paint(self.baseline, &mut foreground, line);
            }
        }
        (line.text_left, line.text_right) = if left <= right { (left, right) } else { (self.bounds.0, self.bounds.0) };
        let (behind, over) = decorations.finish();
        let shift = |at: std::ops::Range<usize>| at.start + behind.len()..at.end + behind.len();
        line.objects = objects.into_iter().map(|(at, node)| (shift(at), node)).collect();
        line.items =
            behind.into_iter().chain(foreground).chain(over).map(|item| Placed { item, element: None }).collect();
    }

    fn item_and_span(&self, segment: &Segment) -> Option<(&Item, &Span)> {
        let item = self.items.get(segment.item)?;
        Some((item, self.source.spans.get(item.span)?))
    }

    fn segment(&self, segment: &Segment, item: &Item, span: &Span, out: &mut Vec<PageItem>, line: &mut Line) {
        match segment.kind {
            SegmentKind::Text => out.extend(self.glyphs(segment, item, span).map(PageItem::Glyphs)),
            SegmentKind::Hyphen => out.extend(self.word("-", item, span, segment).map(PageItem::Glyphs)),
            SegmentKind::Tab(leader) => out.extend(self.leader(leader, segment, item, span).map(PageItem::Glyphs)),
            SegmentKind::Object => self.object(segment, item, span, out, line),
            SegmentKind::Break => {}
        }
    }

    fn glyphs(&self, segment: &Segment, item: &Item, span: &Span) -> Option<GlyphRun> {
        let start = self.clusters.start(segment.clusters.start);
        let end = self.clusters.start(segment.clusters.end);
        let text = self.context.fonts.meter().expect(self.source.text.get(start..end));
        let right_to_left = segment.level % 2 == 1;
        let mut glyphs = Vec::with_capacity(segment.clusters.len());
        let mut add = |index: usize| {
            let Some(cluster) = self.clusters.get(index) else { return };
            let range = (cluster.start - start as u32)..(self.clusters.start(index + 1) - start) as u32;
            let kashida = if right_to_left { self.stretch.kashida(index) } else { 0.0 };
            if kashida > 0.0 {
                glyphs.extend(self.kashida(item, &span.run, kashida, range.end));
            }
            let added = if segment.hanging { 0.0 } else { self.stretch.of(index, cluster.kind) - kashida };
            let spacing = super::measure::spacing(&span.run);
            let apart = if segment.hanging { 0.0 } else { spacing + added };
            let line = if right_to_left && apart > 0.0 && self.is_joined(index) {
                self.line(item, &span.run, apart, range.end)
            } else {
                Vec::new()
            };
            // The line takes the place of the room after the letter.
            let added = if line.is_empty() { added } else { -spacing };
            glyphs.extend(line);
            let first = glyphs.len();
            glyphs.extend(self.clusters.glyphs(index).iter().map(|glyph| Glyph {
                id: glyph.id,
                advance: glyph.advance,
                x_offset: glyph.x_offset,
                y_offset: glyph.y_offset,
                range: range.clone(),
            }));
            let own = glyphs.get_mut(first..).unwrap_or_default();
            if right_to_left && let Some(first) = own.first_mut() {
                first.x_offset += added;
                first.advance += added;
            } else if let Some(last) = own.last_mut() {
                last.advance += added;
            }
        };
        if right_to_left {
            segment.clusters.clone().rev().for_each(&mut add);
        } else {
            segment.clusters.clone().for_each(&mut add);
        }
        if glyphs.is_empty() {
            return None;
        }
        Some(self.run(item, span, segment.x, (text.into(), start), glyphs, right_to_left))
    }

    fn run(
        &self,
        item: &Item,
        span: &Span,
        x: f32,
        (text, at): (Arc<str>, usize),
        glyphs: Vec<Glyph>,
        right_to_left: bool,
    ) -> GlyphRun {
        let run = &span.run;
        let language = if super::slots::is_complex(item.script) { &run.language.complex } else { &run.language.latin };
        GlyphRun {
            font: self.context.fonts.number(item.choice.face),
            size: item.size * item.stretch.1,
            color: color(run, self.paragraph.properties.shading),
            outlined: run.outline,
            shadow: shadow(run, item.size),
            x,
            y: self.baseline - item.raise,
            text,
            at: u32::try_from(at).unwrap_or(u32::MAX),
            glyphs,
            right_to_left,
            scale_x: super::measure::scale(run) * item.stretch.0 / item.stretch.1,
            synthetic_bold: item.choice.synthetic_bold,
            synthetic_italic: item.choice.synthetic_italic,
            language: language.clone(),
        }
    }

    /// A few characters that are not the paragraph's, in the look of one of its items.
    fn word(&self, text: &str, item: &Item, span: &Span, segment: &Segment) -> Option<GlyphRun> {
        let glyphs = word_glyphs(self.context, item, &span.run, text);
        let text = (text.into(), self.clusters.start(segment.clusters.end));
        (!glyphs.is_empty()).then(|| self.run(item, span, segment.x, text, glyphs, item.level % 2 == 1))
    }

    /// Leaders stand on a grid of their own width, so that those of lines below each other are in columns.
    fn leader(&self, leader: TabLeader, segment: &Segment, item: &Item, span: &Span) -> Option<GlyphRun> {
        let character = match leader {
            TabLeader::None => return None,
            TabLeader::Dot => ".",
            TabLeader::Hyphen => "-",
            TabLeader::Underscore | TabLeader::Heavy => "_",
            TabLeader::MiddleDot => "·",
        };
        let one = word_glyphs(self.context, item, &span.run, character);
        let width: f32 = one.iter().map(|glyph| glyph.advance).sum();
        let glyph = one.first().filter(|_| width > 0.05)?;
        let continuous = matches!(leader, TabLeader::Underscore | TabLeader::Heavy);
        let (from, to) = (segment.x, segment.x + segment.width);
        let first = if continuous { from } else { (from / width).ceil() * width };
        let count = (((to - first) / width + 0.001).floor().max(0.0) as usize).min(4_000);
        if count == 0 {
            return None;
        }
        let advance = if continuous { (to - first) / count as f32 } else { width };
        let length = character.len() as u32;
        let glyphs = (0..count as u32)
            .map(|i| Glyph { advance, range: i * length..(i + 1) * length, ..glyph.clone() })
            .collect();
        let text = (character.repeat(count).into(), self.clusters.start(segment.clusters.start));
        let run = self.run(item, span, first, text, glyphs, false);
        // A heavy line is an underscore's, thickened.
        Some(GlyphRun { synthetic_bold: run.synthetic_bold || leader == TabLeader::Heavy, ..run })
    }

    fn object(&self, segment: &Segment, item: &Item, span: &Span, out: &mut Vec<PageItem>, line: &mut Line) {
        let bottom = self.baseline - item.raise;
        match &span.kind {
            SpanKind::LabelPicture(image) => {
                let area = Rect { x: segment.x, y: bottom - item.size, width: segment.width, height: item.size };
                out.push(PageItem::Image(PlacedImage::whole(*image, area)));
            }
            SpanKind::Math(piece) => {
                let (language, fonts) = (span.run.language.latin.as_ref(), self.context.fonts);
                piece.ink.paint(segment.x, bottom, language, fonts, out);
                for (number, up) in &piece.numbers {
                    let x = (self.bounds.1 - number.width).max(segment.x + segment.width);
                    number.paint(x, bottom - up, language, fonts, out);
                }
            }
            SpanKind::Object(drawing) => {
                let height = object_height(drawing.height);
                let own = Rect { x: segment.x, y: bottom - height, width: segment.width, height };
                let area = match &drawing.placement {
                    Placement::Rule(rule) => across(rule, own, self.bounds),
                    _ => own,
                };
                match (&drawing.graphic, &drawing.placement) {
                    (Graphic::Picture(picture), Placement::Inline) if is_plain(picture) => {
                        let (image, crop, description) = (picture.image, picture.crop, drawing.description.clone());
                        let image = PlacedImage { crop, description, ..PlacedImage::whole(image, area) };
                        out.push(PageItem::Image(image));
                    }
                    _ => line.inline_drawings.push((Arc::clone(drawing), area)),
                }
                if let Some(link) = &drawing.link {
                    line.links.push((area, target(link)));
                }
            }
            _ => {}
        }
    }

    fn link(&self, segment: &Segment, span: &Span, line: &mut Line) {
        let Some(link) = span.link.as_deref().filter(|_| segment.width > 0.0 && !segment.hanging) else { return };
        let target = target(link);
        let right = segment.x + segment.width;
        match line.links.last_mut() {
            Some((area, last)) if *last == target && (area.x + area.width - segment.x).abs() < 0.1 => {
                area.width = right - area.x;
            }
            _ => {
                let area = Rect { x: segment.x, y: 0.0, width: segment.width, height: self.height };
                line.links.push((area, target));
            }
        }
    }

    /// The letters of a segment, spaces left out, from left to right.
    fn letters(&self, segment: &Segment) -> Vec<(f32, f32)> {
        let mut letters: Vec<(f32, f32)> = Vec::new();
        let mut x = segment.x;
        let mut add = |index: usize| {
            let Some(cluster) = self.clusters.get(index) else { return };
            let width = cluster.advance + self.stretch.of(index, cluster.kind);
            if !is_space(self.source, cluster) {
                letters.push((x, x + width));
            }
            x += width;
        };
        if segment.level % 2 == 1 {
            segment.clusters.clone().rev().for_each(&mut add);
        } else {
            segment.clusters.clone().for_each(&mut add);
        }
        letters
    }

    /// Anchors, notes and bookmarks between the line's first and last byte.
    pub fn markers(&self, from: usize, to: usize, last: bool, segments: &[Segment], line: &mut Line) {
        let markers = &self.source.markers;
        let first = markers.partition_point(|(at, _)| *at < from);
        for (at, marker) in markers.iter().skip(first).take_while(|(at, _)| *at < to || last) {
            match marker {
                Marker::Anchor(drawing) => line.anchors.push((Arc::clone(drawing), self.x_of(*at, segments))),
                Marker::Note(kind, id) => line.notes.push((*kind, *id)),
                Marker::Comment(id) => line.comments.push((Arc::clone(id), self.x_of(*at, segments))),
                Marker::Bookmark(name) => line.bookmarks.push(Arc::clone(name)),
            }
        }
    }

    /// Where pieces of fields' values stand in the line, from its first byte to its last.
    pub fn values(&self, from: usize, to: usize, last: bool, segments: &[Segment], line: &mut Line) {
        for (value, field) in &self.source.values {
            if value.start >= value.end {
                if value.start >= from && (value.start < to || last) {
                    let x = self.x_of(value.start, segments);
                    line.values.push((Rect { x, y: 0.0, width: 0.0, height: self.height }, *field));
                }
                continue;
            }
            if value.end <= from || value.start >= to {
                continue;
            }
            for segment in segments.iter().filter(|segment| !segment.hanging) {
                let Some((left, right)) = self.extent(segment, value) else { continue };
                match line.values.last_mut() {
                    Some((area, known)) if known == field && (area.x + area.width - left).abs() < 0.1 => {
                        area.width = right - area.x;
                    }
                    _ => {
                        let area = Rect { x: left, y: 0.0, width: right - left, height: self.height };
                        line.values.push((area, *field));
                    }
                }
            }
        }
    }

    /// From where to where the part of a segment stands that is of these bytes.
    fn extent(&self, segment: &Segment, bytes: &Range<usize>) -> Option<(f32, f32)> {
        let within = |index: usize| bytes.contains(&self.clusters.start(index));
        let width = |index: usize| self.clusters.get(index).map_or(0.0, |c| c.advance + self.stretch.of(index, c.kind));
        let first = segment.clusters.clone().find(|&index| within(index))?;
        let before: f32 = (segment.clusters.start..first).map(width).sum();
        let inside: f32 = (first..segment.clusters.end).take_while(|&index| within(index)).map(width).sum();
        let left =
            if segment.level % 2 == 1 { segment.x + segment.width - before - inside } else { segment.x + before };
        Some((left, left + inside))
    }

    /// Where the character at this byte stands.
    fn x_of(&self, byte: usize, segments: &[Segment]) -> f32 {
        for segment in segments {
            let inside =
                self.clusters.start(segment.clusters.start) <= byte && byte < self.clusters.start(segment.clusters.end);
            if inside {
                let before: f32 = segment
                    .clusters
                    .clone()
                    .take_while(|&index| self.clusters.start(index) < byte)
                    .filter_map(|index| self.clusters.get(index).map(|c| c.advance + self.stretch.of(index, c.kind)))
                    .sum();
                return if segment.level % 2 == 1 { segment.x + segment.width - before } else { segment.x + before };
            }
        }
        let ends = segments
            .iter()
            .map(|segment| if self.paragraph.properties.bidi { segment.x } else { segment.x + segment.width });
        if self.paragraph.properties.bidi {
            ends.fold(self.bounds.1, f32::min)
        } else {
            ends.fold(self.bounds.0, f32::max)
        }
    }
}

fn is_space(source: &Source, cluster: &Cluster) -> bool {
    source.text.get(cluster.start as usize..).and_then(|rest| rest.chars().next()).is_some_and(char::is_whitespace)
}

/// Where a rule stands between the indents of its line.
fn across(rule: &HorizontalRule, own: Rect, (left, right): (f32, f32)) -> Rect {
    let room = (right - left).max(0.0);
    let width = rule.share_of_width.map_or(own.width, |share| room * share);
    let before = match rule.alignment {
        Alignment::Center => (room - width) / 2.0,
        Alignment::End => room - width,
        _ => 0.0,
    };
    Rect { x: left + before, width, ..own }
}

/// Whether the line itself draws it; the flow draws what is turned, framed, or drawn rather than shown.
fn is_plain(picture: &Picture) -> bool {
    let turned = picture.rotation != 0.0 || picture.flip_horizontal || picture.flip_vertical;
    let whole = matches!(picture.geometry, Geometry::Rectangle) && picture.opacity >= 1.0;
    !turned && whole && picture.metafile.is_none() && picture.outline.is_none()
}

pub(super) fn object_height(height: f32) -> f32 {
    if height.is_finite() { height.clamp(0.0, 20_000.0) } else { 0.0 }
}

/// Glyphs of a short text in the look of an item, in visual order.
pub(super) fn word_glyphs(context: &Context<'_>, item: &Item, run: &RunProperties, text: &str) -> Vec<Glyph> {
    let Some(face) = context.fonts.parsed(item.choice.face) else { return Vec::new() };
    let measure = super::measure::Measure::new(item, run, face.metrics.units_per_em);
    let shaped = context.fonts.shapes().borrow_mut().word(shape_key(item, run), face, text);
    let length = text.len() as u32;
    shaped
        .glyphs
        .iter()
        .map(|glyph| Glyph {
            id: glyph.id,
            advance: measure.advance(glyph.advance),
            x_offset: measure.advance(glyph.x_offset),
            y_offset: 0.0,
            range: 0..length,
        })
        .collect()
}

fn target(link: &Link) -> LinkTarget {
    match link {
        Link::Uri(uri) => LinkTarget::Uri(uri.clone()),
        Link::Bookmark(name) => LinkTarget::Destination(name.clone()),
    }
}

/// §17.3.2.13 w:emboss, §17.3.2.18 w:imprint, §17.3.2.31 w:shadow. Word and LibreOffice let it fall by a 24th of the size.
fn shadow(run: &RunProperties, size: f32) -> Option<TextShadow> {
    let far = size / 24.0;
    let (distance, color) = match (run.emboss, run.imprint, run.shadow) {
        (true, ..) => (far, Rgb(128, 128, 128)),
        (_, true, _) => (-far, Rgb(128, 128, 128)),
        (_, _, true) => (far, Rgb(192, 192, 192)),
        _ => return None,
    };
    Some(TextShadow { right: distance, down: distance, color })
}

/// Automatic colour is black, or white on what is dark (§17.3.2.6).
pub(crate) fn color(run: &RunProperties, paragraph: Option<Rgb>) -> Rgb {
    let behind = run.highlight.or(run.shading).or(paragraph);
    let automatic = || {
        let dark =
            behind.is_some_and(|Rgb(r, g, b)| 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) < 60_000);
        if dark { Rgb(255, 255, 255) } else { Rgb(0, 0, 0) }
    };
    match (run.color, super::decorate::colored(run)) {
        (_, Some(color)) | (Some(color), _) => color,
        // Embossed and engraved letters are of the paper's colour: only their edges show.
        (None, None) if run.emboss || run.imprint => behind.unwrap_or(Rgb(255, 255, 255)),
        (None, None) => automatic(),
    }
}
