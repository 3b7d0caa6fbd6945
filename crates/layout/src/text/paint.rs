//! Converts the segments of a line to page items (glyph runs, pictures, leaders) and collects the data that `flow` needs
//! about the line.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::tree::{
    Alignment, Geometry, Graphic, HorizontalRule, Orientation, Paragraph, Picture, Placement, Rgb, RunProperties,
    TabLeader,
};

use super::Context;
use super::clusters::shape_key;
use super::decorate::{DecorationItems, Decorations};
use super::joining;
use super::line::{InlineDrawing, Line, LineAnchor, LineComment, LineLink, NoteReference, ObjectItems, ValueArea};
use super::segments::{AddedWidths, Segment, SegmentKind};
use super::shape::TATWEEL;
use super::source::{Clusters, Marker, ParagraphSource, Span, SpanKind, TextItem};
use crate::geometry::{HorizontalExtent, HorizontalSpan};
use crate::page::{DisplayItem as PageItem, Glyph, GlyphRun, PlacedImage, Rect, TaggedItem, TextShadow};

/// Paints the segments of one line.
pub(super) struct Painter<'a> {
    pub context: &'a Context<'a>,
    pub paragraph: &'a Paragraph,
    pub source: &'a ParagraphSource,
    pub clusters: &'a Clusters,
    pub added_widths: AddedWidths,
    pub baseline: f32,
    pub height: f32,
    /// Left and right edge of the text area. Underlines end at these edges, even if spaces hang beyond them.
    pub text_edges: HorizontalExtent,
}

impl Painter<'_> {
    /// Paints the segments, and stores the painted items and other data in `line`.
    pub fn paint(&self, segments: &[Segment], line: &mut Line) {
        let mut decorations = Decorations::new(self.context.fonts, self.baseline, self.text_edges);
        let mut foreground = Vec::new();
        let mut objects = Vec::new();
        let mut label: Option<Range<usize>> = None;
        let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut readings = self.placed_rubies(segments).into_iter().peekable();
        for (index, segment) in segments.iter().enumerate() {
            let Some((item, span)) = self.item_and_span(segment) else { continue };
            if !segment.hanging && segment.kind != SegmentKind::Break {
                left = left.min(segment.x);
                right = right.max(segment.x + segment.width);
            }
            line.has_tracked_change |= span.run.revision.is_some();
            decorations.add_segment(segment, item, &span.run, &|| self.letter_edges(segment));
            let first = foreground.len();
            self.paint_segment(segment, item, span, &mut foreground, line);
            if span.end <= self.source.label_text_end {
                let start = label.as_ref().map_or(first, |label| label.start);
                label = Some(start..foreground.len());
            }
            let object = match &span.kind {
                SpanKind::Formula(piece) => Some(piece.formula),
                SpanKind::Object(drawing) => Some(drawing.id),
                _ => None,
            };
            objects.extend(object.map(|node| ObjectItems { items: first..foreground.len(), node }));
            if let Some(link) = span.link.as_ref().filter(|_| segment.width > 0.0 && !segment.hanging) {
                let area = Rect::new(segment.x, 0.0, segment.width, self.height);
                add_link(&mut line.links, LineLink { area, target: link.clone() });
            }
            // In the reading order, the ruby text follows its base.
            while let Some(above) = readings.next_if(|above| above.after_segment <= index) {
                above.paint(&mut foreground, line);
            }
        }
        (line.text_left, line.text_right) =
            if left <= right { (left, right) } else { (self.text_edges.left, self.text_edges.left) };
        let DecorationItems { behind, over } = decorations.into_items();
        let shift = |items: Range<usize>| items.start + behind.len()..items.end + behind.len();
        line.objects = objects.into_iter().map(|object| ObjectItems { items: shift(object.items), ..object }).collect();
        line.label_items = label.map_or_else(Range::default, shift);
        line.items =
            behind.into_iter().chain(foreground).chain(over).map(|item| TaggedItem { item, element: None }).collect();
    }

    pub fn item_and_span(&self, segment: &Segment) -> Option<(&TextItem, &Span)> {
        let item = self.clusters.items.get(segment.item)?;
        Some((item, self.source.spans.get(item.span)?))
    }

    fn paint_segment(&self, segment: &Segment, item: &TextItem, span: &Span, out: &mut Vec<PageItem>, line: &mut Line) {
        match segment.kind {
            SegmentKind::Text => out.extend(self.text_run(segment, item, span).map(PageItem::Glyphs)),
            SegmentKind::Hyphen => out.extend(self.generated_run("-", item, span, segment).map(PageItem::Glyphs)),
            SegmentKind::Tab(leader) => out.extend(self.leader_run(leader, segment, item, span).map(PageItem::Glyphs)),
            SegmentKind::Object => self.paint_object(segment, item, span, out, line),
            SegmentKind::Break => {}
        }
    }

    /// Returns the glyphs of a text segment, including the width that justification adds. Returns `None` if there are no
    /// glyphs.
    fn text_run(&self, segment: &Segment, item: &TextItem, span: &Span) -> Option<GlyphRun> {
        let start = self.clusters.start(segment.clusters.start);
        let end = self.clusters.start(segment.clusters.end);
        let text = self.context.fonts.meter().expect_text(self.source.text.get(start..end));
        let right_to_left = segment.level % 2 == 1;
        let mut glyphs = Vec::with_capacity(segment.clusters.len());
        for index in clusters_left_to_right(segment) {
            let Some(cluster) = self.clusters.get(index) else { continue };
            let range = (cluster.start - start as u32)..(self.clusters.start(index + 1) - start) as u32;
            let kashida = if right_to_left { self.added_widths.kashida_width(index) } else { 0.0 };
            if kashida > 0.0 {
                glyphs.extend(self.kashida_glyphs(item, &span.run, kashida, range.end));
            }
            let added = if segment.hanging { 0.0 } else { self.added_widths.width_of(index) - kashida };
            let spacing = super::measure::letter_spacing(&span.run);
            let gap = if segment.hanging { 0.0 } else { spacing + added };
            let line = if right_to_left && gap > 0.0 && self.is_joined(index) {
                self.connecting_tatweels(item, &span.run, gap, range.end)
            } else {
                Vec::new()
            };
            // The connecting tatweels take the place of the space after the letter.
            let added = if line.is_empty() { added } else { -spacing };
            glyphs.extend(line);
            let first = glyphs.len();
            glyphs.extend(self.clusters.glyphs(index).iter().map(|glyph| glyph.to_page_glyph(range.clone())));
            let own = glyphs.get_mut(first..).unwrap_or_default();
            if right_to_left && let Some(first) = own.first_mut() {
                first.x_offset += added;
                first.advance += added;
            } else if let Some(last) = own.last_mut() {
                last.advance += added;
            }
        }
        if glyphs.is_empty() {
            return None;
        }
        Some(GlyphRun { right_to_left, ..self.glyph_run(item, span, segment.x, text.into(), start, glyphs) })
    }

    /// Returns true if the last letter of a cluster is joined to the first letter of the next cluster. If space is added
    /// between such letters (w:spacing, distributed lines), tatweels connect them, as in Word and LibreOffice.
    fn is_joined(&self, index: usize) -> bool {
        let (from, to) = (self.clusters.start(index), self.clusters.start(index + 1));
        let last = self.source.text.get(from..to).and_then(joining::last_base_character);
        let next = self.source.text.get(to..).and_then(joining::first_base_character);
        last.is_some_and(joining::joins_next) && next.is_some_and(joining::joins_previous)
    }

    /// Returns tatweels that connect two joined letters with space between them. Their total width is exactly `width` points;
    /// they overlap if necessary. They represent no characters of the text: their byte range is `end..end`. The result is empty
    /// if the font has no tatweel.
    fn connecting_tatweels(&self, item: &TextItem, run: &RunProperties, width: f32, end: u32) -> Vec<Glyph> {
        let one = short_text_glyphs(self.context, item, run, TATWEEL);
        let Some(glyph) = one.first().filter(|glyph| one.len() == 1 && glyph.id != 0 && glyph.advance > 0.1) else {
            return Vec::new();
        };
        let count = (width / glyph.advance).ceil().clamp(1.0, 1_000.0);
        let advance = width / count;
        let x_offset = glyph.x_offset - (glyph.advance - advance) / 2.0;
        let plain = |_| Glyph { advance, x_offset, range: end..end, ..glyph.clone() };
        (0..count as usize).map(plain).collect()
    }

    /// Returns the tatweels of a kashida that is `width` points wide. They represent no characters of the text: their byte
    /// range is `end..end`.
    fn kashida_glyphs(&self, item: &TextItem, run: &RunProperties, width: f32, end: u32) -> Vec<Glyph> {
        let one = short_text_glyphs(self.context, item, run, TATWEEL);
        let own: f32 = one.iter().map(|glyph| glyph.advance).sum();
        let count = if own > 0.1 { (width / own).round().clamp(1.0, 4_000.0) as usize } else { 0 };
        let plain = |glyph: &Glyph| Glyph { range: end..end, ..glyph.clone() };
        (0..count).flat_map(|_| one.iter().map(plain)).collect()
    }

    /// Returns a glyph run in the formatting of an item. `at` is the byte offset of `text` in the paragraph.
    fn glyph_run(
        &self,
        item: &TextItem,
        span: &Span,
        x: f32,
        text: Arc<str>,
        at: usize,
        glyphs: Vec<Glyph>,
    ) -> GlyphRun {
        let run = &span.run;
        let language =
            if super::font_slots::is_complex_script(item.script) { &run.language.complex } else { &run.language.latin };
        GlyphRun {
            font: self.context.fonts.font_id(item.face_choice.face),
            size: item.size * item.glyph_stretch.y,
            color: text_color(run, self.paragraph.properties.shading),
            outlined: run.outline,
            shadow: text_shadow(run, item.size),
            x,
            y: self.baseline - item.raise,
            text,
            text_offset: u32::try_from(at).unwrap_or(u32::MAX),
            glyphs,
            right_to_left: false,
            scale_x: super::measure::horizontal_scale(run) * item.glyph_stretch.x / item.glyph_stretch.y,
            synthetic_bold: item.face_choice.synthetic_bold,
            synthetic_italic: item.face_choice.synthetic_italic,
            language: language.clone(),
        }
    }

    /// Returns a glyph run in the formatting of an item, for text that is not part of the paragraph, such as a hyphen. Returns
    /// `None` if there are no glyphs.
    fn generated_run(&self, text: &str, item: &TextItem, span: &Span, segment: &Segment) -> Option<GlyphRun> {
        let glyphs = short_text_glyphs(self.context, item, &span.run, text);
        let (at, right_to_left) = (self.clusters.start(segment.clusters.end), item.level % 2 == 1);
        let run = |glyphs| GlyphRun { right_to_left, ..self.glyph_run(item, span, segment.x, text.into(), at, glyphs) };
        (!glyphs.is_empty()).then(|| run(glyphs))
    }

    /// Returns the glyphs that fill a tab with its leader, for example dots. Their positions are multiples of their width, so
    /// that the dots of consecutive lines are aligned.
    fn leader_run(&self, leader: TabLeader, segment: &Segment, item: &TextItem, span: &Span) -> Option<GlyphRun> {
        let character = match leader {
            TabLeader::None => return None,
            TabLeader::Dot => ".",
            TabLeader::Hyphen => "-",
            TabLeader::Underscore | TabLeader::Heavy => "_",
            TabLeader::MiddleDot => "·",
        };
        let one = short_text_glyphs(self.context, item, &span.run, character);
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
        let (text, at) = (character.repeat(count).into(), self.clusters.start(segment.clusters.start));
        let run = self.glyph_run(item, span, first, text, at, glyphs);
        // A heavy leader is drawn as a thickened underscore.
        Some(GlyphRun { synthetic_bold: run.synthetic_bold || leader == TabLeader::Heavy, ..run })
    }

    /// Paints an object: a picture bullet, a part of a formula or a drawing. A drawing that `flow` must paint is not painted
    /// here, but added to the drawings of the line.
    fn paint_object(&self, segment: &Segment, item: &TextItem, span: &Span, out: &mut Vec<PageItem>, line: &mut Line) {
        let bottom = self.baseline - item.raise;
        match &span.kind {
            SpanKind::LabelPicture(image) => {
                let area = Rect::new(segment.x, bottom - item.size, segment.width, item.size);
                out.push(PageItem::Image(PlacedImage::whole(*image, area)));
            }
            SpanKind::Formula(piece) => {
                let (language, fonts) = (span.run.language.latin.as_ref(), self.context.fonts);
                piece.content.paint(segment.x, bottom, language, fonts, out);
                for number in &piece.numbers {
                    let x = (self.text_edges.right - number.content.width).max(segment.x + segment.width);
                    number.content.paint(x, bottom - number.baseline, language, fonts, out);
                }
            }
            SpanKind::Object(drawing) => {
                let height = super::measure::clamp_size(drawing.height);
                let own = Rect { x: segment.x, y: bottom - height, width: segment.width, height };
                let area = match &drawing.placement {
                    Placement::Rule(rule) => rule_area(rule, own, self.text_edges),
                    _ => own,
                };
                match (&drawing.graphic, &drawing.placement) {
                    (Graphic::Picture(picture), Placement::Inline) if is_plain_picture(picture) => {
                        let (image, crop, description) = (picture.image, picture.crop, drawing.description.clone());
                        let image = PlacedImage { crop, description, ..PlacedImage::whole(image, area) };
                        out.push(PageItem::Image(image));
                    }
                    _ => line.inline_drawings.push(InlineDrawing { drawing: Arc::clone(drawing), area }),
                }
                if let Some(link) = &drawing.link {
                    line.links.push(LineLink { area, target: link.clone() });
                }
            }
            _ => {}
        }
    }

    /// Returns the left and right edge of each letter of a segment, from left to right, without spaces.
    fn letter_edges(&self, segment: &Segment) -> Vec<HorizontalExtent> {
        let mut letters = Vec::new();
        let mut x = segment.x;
        for index in clusters_left_to_right(segment) {
            let width = self.cluster_width(index);
            let text = self.source.text.get(self.clusters.start(index)..).unwrap_or_default();
            if !text.starts_with(char::is_whitespace) {
                letters.push(HorizontalExtent { left: x, right: x + width });
            }
            x += width;
        }
        letters
    }

    /// Returns the width of a cluster, including the width that justification adds.
    fn cluster_width(&self, index: usize) -> f32 {
        self.clusters.get(index).map_or(0.0, |cluster| cluster.advance + self.added_widths.width_of(index))
    }

    /// Adds the anchors, notes, comments, bookmarks and styled texts of a byte range of the text to the line.
    pub fn add_markers(&self, bytes: Range<usize>, segments: &[Segment], line: &mut Line) {
        let markers = &self.source.markers;
        let first = markers.partition_point(|placed| placed.byte < bytes.start);
        for placed in markers.iter().skip(first).take_while(|placed| placed.byte < bytes.end) {
            let x = || self.x_at_byte(placed.byte, segments);
            match &placed.marker {
                Marker::Anchor(drawing) => line.anchors.push(LineAnchor { drawing: Arc::clone(drawing), x: x() }),
                Marker::Note(kind, id) => line.notes.push(NoteReference { kind: *kind, id: *id }),
                Marker::Comment(id) => line.comments.push(LineComment { id: Arc::clone(id), x: x() }),
                Marker::Bookmark(name) => line.bookmarks.push(Arc::clone(name)),
                Marker::StyledText(inline) => line.styled_texts.push(*inline),
            }
        }
    }

    /// Adds areas of field values to the line. Values outside `bytes`, a byte range of the paragraph's text, are skipped.
    pub fn add_value_areas(&self, bytes: Range<usize>, segments: &[Segment], line: &mut Line) {
        for range in &self.source.value_ranges {
            let (value, field) = (&range.bytes, range.field);
            if value.start >= value.end && bytes.contains(&value.start) {
                let x = self.x_at_byte(value.start, segments);
                line.value_areas.push(ValueArea { area: Rect::new(x, 0.0, 0.0, self.height), field });
            }
            if value.start >= value.end || value.end <= bytes.start || value.start >= bytes.end {
                continue;
            }
            for segment in segments.iter().filter(|segment| !segment.hanging) {
                let Some(HorizontalSpan { left, width }) = self.byte_range_span(segment, value) else { continue };
                let area = Rect::new(left, 0.0, width, self.height);
                add_value_area(&mut line.value_areas, ValueArea { area, field });
            }
        }
    }

    /// Returns the left edge and the width of those clusters of a segment that are in a byte range of the text. Returns `None`
    /// if the segment has no such clusters.
    fn byte_range_span(&self, segment: &Segment, bytes: &Range<usize>) -> Option<HorizontalSpan> {
        let within = |index: usize| bytes.contains(&self.clusters.start(index));
        let first = segment.clusters.clone().find(|&index| within(index))?;
        let before: f32 = (segment.clusters.start..first).map(|index| self.cluster_width(index)).sum();
        let inside = (first..segment.clusters.end).take_while(|&index| within(index));
        let inside: f32 = inside.map(|index| self.cluster_width(index)).sum();
        let left =
            if segment.level % 2 == 1 { segment.x + segment.width - before - inside } else { segment.x + before };
        Some(HorizontalSpan { left, width: inside })
    }

    /// Returns the x position of the character at this byte offset, or of the end of the line if no segment contains the
    /// character.
    fn x_at_byte(&self, byte: usize, segments: &[Segment]) -> f32 {
        for segment in segments {
            let starts = |index: usize| self.clusters.start(index);
            let Range { start, end } = segment.clusters;
            if (starts(start)..starts(end)).contains(&byte) {
                let before: f32 =
                    (start..end).take_while(|&at| starts(at) < byte).map(|at| self.cluster_width(at)).sum();
                return if segment.level % 2 == 1 { segment.x + segment.width - before } else { segment.x + before };
            }
        }
        if self.paragraph.properties.bidi {
            segments.iter().map(|segment| segment.x).fold(self.text_edges.right, f32::min)
        } else {
            segments.iter().map(|segment| segment.x + segment.width).fold(self.text_edges.left, f32::max)
        }
    }
}

/// Returns the clusters of a segment from left to right.
fn clusters_left_to_right(segment: &Segment) -> impl Iterator<Item = usize> {
    let Range { start, end } = segment.clusters;
    let reversed = segment.level % 2 == 1;
    (start..end).map(move |index| if reversed { start + end - 1 - index } else { index })
}

/// Adds a link. Links are added from left to right. If a link touches the previous one and has the same target, the previous
/// link is extended instead.
fn add_link(links: &mut Vec<LineLink>, link: LineLink) {
    match links.last_mut() {
        Some(last) if last.target == link.target && touches(last.area, link.area) => {
            last.area.width = link.area.right() - last.area.x;
        }
        _ => links.push(link),
    }
}

/// Adds the area of a value. Areas are added from left to right. If an area touches the previous one and belongs to the same
/// field, the previous area is extended instead.
fn add_value_area(areas: &mut Vec<ValueArea>, value: ValueArea) {
    match areas.last_mut() {
        Some(last) if last.field == value.field && touches(last.area, value.area) => {
            last.area.width = value.area.right() - last.area.x;
        }
        _ => areas.push(value),
    }
}

/// Returns true if the area `right` begins where the area `left` ends.
fn touches(left: Rect, right: Rect) -> bool {
    (left.right() - right.x).abs() < 0.1
}

/// Returns the area of a horizontal rule. `own` is the area that the rule takes in the text. `line` has the left and right edge
/// of the line, between which the rule is aligned.
fn rule_area(rule: &HorizontalRule, own: Rect, line: HorizontalExtent) -> Rect {
    let room = (line.right - line.left).max(0.0);
    let width = rule.width_fraction.map_or(own.width, |share| room * share);
    let before = match rule.alignment {
        Alignment::Center => (room - width) / 2.0,
        Alignment::End => room - width,
        _ => 0.0,
    };
    Rect { x: line.left + before, width, ..own }
}

/// Returns true if the picture is painted together with the line. All other pictures (rotated, shaped, translucent, framed or
/// vector pictures) are painted by `flow`.
fn is_plain_picture(picture: &Picture) -> bool {
    let whole = matches!(picture.geometry, Geometry::Rectangle) && picture.opacity >= 1.0;
    picture.orientation == Orientation::default() && whole && picture.metafile.is_none() && picture.outline.is_none()
}

/// Returns the glyphs of a short text in the formatting of an item, in visual order.
pub(super) fn short_text_glyphs(context: &Context<'_>, item: &TextItem, run: &RunProperties, text: &str) -> Vec<Glyph> {
    let Some(face) = context.fonts.parsed(item.face_choice.face) else { return Vec::new() };
    let measure = super::measure::GlyphScale::new(item, run, face.metrics.units_per_em);
    let shaped = context.fonts.shapes.borrow_mut().shape_word(shape_key(item, run), face, text);
    shaped.glyphs.iter().map(|glyph| measure.scale_glyph(glyph).to_page_glyph(0..text.len() as u32)).collect()
}

/// Returns the shadow of a run (§17.3.2.13 w:emboss, §17.3.2.18 w:imprint, §17.3.2.31 w:shadow), or `None` if the run has none.
/// Word and LibreOffice offset the shadow by 1/24 of the font size.
fn text_shadow(run: &RunProperties, size: f32) -> Option<TextShadow> {
    let far = size / 24.0;
    let (distance, color) = match (run.emboss, run.imprint, run.shadow) {
        (true, ..) => (far, Rgb(128, 128, 128)),
        (_, true, _) => (-far, Rgb(128, 128, 128)),
        (_, _, true) => (far, Rgb(192, 192, 192)),
        _ => return None,
    };
    Some(TextShadow { right: distance, down: distance, color })
}

/// Returns the text colour of a run. `paragraph` is the background colour of the paragraph, or `None` without a background. The
/// automatic colour is black, or white on a dark background (§17.3.2.6).
pub(crate) fn text_color(run: &RunProperties, paragraph: Option<Rgb>) -> Rgb {
    let behind = run.highlight.or(run.shading).or(paragraph);
    match (run.color, super::decorate::tracked_change_color(run)) {
        (_, Some(color)) | (Some(color), _) => color,
        // Embossed and engraved letters have the background colour, so that only their edges are visible.
        (None, None) if run.emboss || run.imprint => behind.unwrap_or(Rgb(255, 255, 255)),
        (None, None) if behind.is_some_and(is_dark) => Rgb(255, 255, 255),
        (None, None) => Rgb(0, 0, 0),
    }
}

/// Returns true if this background colour is so dark that Word uses white for text in the automatic colour.
pub(crate) fn is_dark(Rgb(red, green, blue): Rgb) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) < 60_000
}
