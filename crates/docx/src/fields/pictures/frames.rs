//! Pictures in the document whose complete alternative text is one field. The value replaces the picture in its frame.

use std::ops::Range;

use waraq_graphics::vml::VmlStyle;
use waraq_graphics::xml::{Element, Ns, Tree};
use waraq_rules::name;

use super::header::PixelSize;
use super::{FieldPicture, PartPictures, ShownPicture};
use crate::fields::attributes::SlotKind;
use crate::fields::edits::Editor;
use crate::fields::matching::ParagraphFields;
use crate::fields::scan::{Index, PartScan, ScannedDrawing};
use crate::fields::value_marks;
use crate::package::xml::attribute_ranges;
use crate::{Meter, Result};

/// A picture whose complete alternative text is one field.
#[derive(Debug, Clone, Copy)]
pub(in crate::fields) struct PictureFrame {
    /// The index in [`PartScan::drawings`].
    pub drawing: Index,
    /// The index of the alternative text in [`PartScan::slots`]. The field is the only one of this slot.
    pub slot: Index,
}

/// Finds the pictures whose complete alternative text is one field. `slot_fields` are the fields of each slot of the scan.
///
/// # Errors
/// The errors of [`Meter::outcome`].
pub(in crate::fields) fn find_frames(
    source: &str,
    scan: &PartScan,
    slot_fields: &[ParagraphFields],
    meter: &Meter,
) -> Result<Vec<PictureFrame>> {
    let mut frames = Vec::new();
    for (index, drawing) in scan.drawings.iter().enumerate() {
        let mut slots =
            slots_inside(scan, &drawing.range).filter(|&slot| is_one_field(scan, slot_fields, slot)).peekable();
        let Some(markup) = slots.peek().and_then(|_| source.get(drawing.range.clone())) else { continue };
        let Ok(tree) = Tree::parse(&scan.part, markup.as_bytes(), meter) else {
            meter.outcome()?;
            continue;
        };
        let Some(picture) = tree.root().and_then(DocumentPicture::find) else { continue };
        let Some(text) = picture.alternative_text() else { continue };
        let text = drawing.range.start + text.start..drawing.range.start + text.end;
        let start_of =
            |slot: Index| scan.slots.get(slot).and_then(|slot| slot.text.cells.first()).map(|cell| cell.span.start);
        if let Some(slot) = slots.find(|&slot| start_of(slot).is_some_and(|start| text.contains(&start))) {
            frames.push(PictureFrame { drawing: index, slot });
        }
    }
    Ok(frames)
}

/// Returns the indices of the slots inside a byte range.
fn slots_inside<'s>(scan: &'s PartScan, range: &Range<usize>) -> impl Iterator<Item = Index> + use<'s> {
    let start_of =
        |index: Index| scan.slots.get(index).and_then(|slot| slot.text.cells.first()).map(|cell| cell.span.start);
    let range = range.clone();
    let first =
        scan.slots.partition_point(|slot| slot.text.cells.first().is_none_or(|cell| cell.span.start < range.start));
    (first..scan.slots.len()).take_while(move |&slot| start_of(slot).is_none_or(|start| start < range.end))
}

/// Returns `true` if the complete text of a slot is one field. White space and invisible characters are ignored.
fn is_one_field(scan: &PartScan, slot_fields: &[ParagraphFields], slot: Index) -> bool {
    let (Some(slot), Some(found)) = (scan.slots.get(slot), slot_fields.get(slot)) else { return false };
    let [field] = found.matches.as_slice() else { return false };
    let mut others = slot.text.cells.iter().enumerate().filter(|(at, _)| !field.cells.contains(at));
    slot.kind == SlotKind::Shown
        && others.all(|(_, cell)| cell.character.is_whitespace() || name::is_ignorable(cell.character))
}

/// A picture of the document that a value can replace.
enum DocumentPicture<'t> {
    /// A DrawingML picture: `wp:inline` or `wp:anchor`, and its `pic:pic`.
    Drawing { frame: Element<'t>, picture: Element<'t> },
    /// A VML shape with a `v:imagedata`.
    Vml { shape: Element<'t>, image: Element<'t> },
}

impl<'t> DocumentPicture<'t> {
    /// Finds the picture of a `w:drawing` or `w:pict`. Only the local names of elements count, because the namespaces are
    /// declared outside the element. Pictures in groups cannot be replaced.
    fn find(element: Element<'t>) -> Option<Self> {
        if element.name() == "drawing" {
            let frame = element.children().find(|child| matches!(child.name(), "inline" | "anchor"))?;
            let picture = frame.child_named("graphic")?.child_named("graphicData")?.child_named("pic")?;
            picture.child_named("blipFill")?;
            return Some(Self::Drawing { frame, picture });
        }
        let mut shapes =
            element.children().filter(|child| matches!(child.name(), "shape" | "rect" | "roundrect" | "oval"));
        shapes.find_map(|shape| Some(Self::Vml { shape, image: shape.child_named("imagedata")? }))
    }

    /// Returns the byte range of the alternative text in the markup of the drawing.
    fn alternative_text(&self) -> Option<Range<usize>> {
        match self {
            Self::Drawing { frame, .. } => attribute_range(frame.child_named("docPr")?, "descr"),
            Self::Vml { shape, .. } => attribute_range(*shape, "alt"),
        }
    }
}

/// Returns the edit that sets the alternative text of the picture in `drawing`: the byte range in the part, and the markup
/// that replaces it. Returns `None` if the drawing is no picture that a value can replace.
pub(in crate::fields) fn set_alternative_text(
    source: &str,
    drawing: &ScannedDrawing,
    text: &str,
) -> Option<(Range<usize>, String)> {
    let start = drawing.range.start;
    let markup = source.get(drawing.range.clone())?;
    let tree = Tree::parse("", markup.as_bytes(), &Meter::default()).ok()?;
    let picture = DocumentPicture::find(tree.root()?)?;
    let text = quick_xml::escape::escape(text).into_owned();
    if let Some(range) = picture.alternative_text() {
        return Some((start + range.start..start + range.end, text));
    }
    let (element, name) = match picture {
        DocumentPicture::Drawing { frame, .. } => (frame.child_named("docPr")?, "descr"),
        DocumentPicture::Vml { shape, .. } => (shape, "alt"),
    };
    let end_of_name = element.source().find([' ', '\t', '\r', '\n', '/', '>'])?;
    let at = start + element.offset() + end_of_name;
    Some((at..at, format!(" {name}=\"{text}\"")))
}

/// Fills the picture of a drawing, or removes it if the value is empty. `mark` is the index of the field if the values get
/// marks.
pub(in crate::fields) fn fill_frame(
    drawing: &ScannedDrawing,
    value: &FieldPicture,
    mark: Option<u32>,
    source: &str,
    pictures: &PartPictures<'_>,
    editor: &mut Editor<'_>,
) {
    let start = drawing.range.start;
    let Some(markup) = source.get(drawing.range.clone()) else { return };
    let Ok(tree) = Tree::parse("", markup.as_bytes(), &Meter::default()) else { return };
    let Some(root) = tree.root() else { return };
    let Some(picture) = DocumentPicture::find(root) else { return };
    if let Some(field) = mark {
        let prefix = prefix_of(root);
        let text = |mark: &str| format!("<{prefix}t>{mark}</{prefix}t>");
        editor.insert(drawing.range.start, text(&value_marks::start_mark(field)));
        editor.insert(drawing.range.end, text(&value_marks::end_mark().to_string()));
    }
    let old = match &picture {
        DocumentPicture::Drawing { picture, .. } => picture.child_named("blipFill"),
        DocumentPicture::Vml { image, .. } => Some(*image),
    };
    old.into_iter().for_each(|old| release_relationships(old, pictures));
    editor.unbind(drawing.control);
    match (value, picture) {
        (FieldPicture::Empty { .. }, _) => editor.delete(drawing.range.clone()),
        (FieldPicture::Shown(shown), DocumentPicture::Drawing { frame, picture }) => {
            replace_drawing(frame, picture, shown, start, pictures, editor);
        }
        (FieldPicture::Shown(shown), DocumentPicture::Vml { shape, image }) => {
            replace_vml(shape, image, shown, start, pictures, editor);
        }
    }
}

/// Replaces the file of a DrawingML picture, removes its crop, and fits its size into the old size.
fn replace_drawing(
    frame: Element<'_>,
    picture: Element<'_>,
    shown: &ShownPicture,
    start: usize,
    pictures: &PartPictures<'_>,
    editor: &mut Editor<'_>,
) {
    let extent = frame.child_named("extent");
    let own_extent =
        picture.child_named("spPr").and_then(|properties| properties.child_named("xfrm")?.child_named("ext"));
    let length =
        |name: &str| extent.or(own_extent)?.attr(name)?.trim().parse::<f64>().ok().filter(|length| *length > 0.0);
    if let (Some(width), Some(height)) = (length("cx"), length("cy")) {
        let fitted = fit(shown.size, width, height);
        for element in extent.into_iter().chain(own_extent) {
            for (name, length) in [("cx", fitted.0), ("cy", fitted.1)] {
                if let Some(range) = attribute_range(element, name) {
                    editor
                        .replace_range(start + range.start..start + range.end, format!("{}", length.round().max(1.0)));
                }
            }
        }
    }
    // A size relative to the page would change the aspect ratio.
    for relative in frame.children().filter(|child| matches!(child.name(), "sizeRelH" | "sizeRelV")) {
        editor.delete(bytes_of(relative, start));
    }
    let Some(fill) = picture.child_named("blipFill") else { return };
    let Some(blip) = fill.child_named("blip") else { return };
    let (relationships, id) = (pictures.namespaces.relationships, pictures.relationship(shown));
    // Effects such as greyscale stay. Extensions go, because they may contain the old picture in another format.
    let effects: String =
        blip.children().filter(|child| child.name() != "extLst").map(|child| child.source()).collect();
    let (prefix, main) = (prefix_of(fill), prefix_of(blip));
    let markup = format!(
        "{}<{main}blip xmlns:r=\"{relationships}\" r:embed=\"{id}\">{effects}</{main}blip>\
         <{main}stretch><{main}fillRect/></{main}stretch></{prefix}blipFill>",
        start_tag(fill)
    );
    editor.replace_range(bytes_of(fill, start), markup);
}

/// Replaces the file of a VML picture, removes its crop, and fits its size into the old size.
fn replace_vml(
    shape: Element<'_>,
    image: Element<'_>,
    shown: &ShownPicture,
    start: usize,
    pictures: &PartPictures<'_>,
    editor: &mut Editor<'_>,
) {
    let style = VmlStyle(shape.attr("style").unwrap_or_default());
    if let (Some(width), Some(height)) = (style.length("width"), style.length("height"))
        && width > 0.0
        && height > 0.0
        && let Some(range) = attribute_range(shape, "style")
    {
        let (width, height) = fit(shown.size, f64::from(width), f64::from(height));
        let kept = style.0.split(';').filter(|rule| {
            let property = rule.split(':').next().unwrap_or_default().trim();
            !matches!(property, "width" | "height" | "mso-width-percent" | "mso-height-percent" | "")
        });
        let mut rules: Vec<String> = kept.map(|rule| quick_xml::escape::escape(rule.trim()).into_owned()).collect();
        rules.extend([format!("width:{width:.2}pt"), format!("height:{height:.2}pt")]);
        editor.replace_range(start + range.start..start + range.end, rules.join(";"));
    }
    let (relationships, id) = (pictures.namespaces.relationships, pictures.relationship(shown));
    let markup = format!("<{}imagedata xmlns:r=\"{relationships}\" r:id=\"{id}\"/>", prefix_of(image));
    editor.replace_range(bytes_of(image, start), markup);
}

/// Returns the largest width and height with the aspect ratio of the picture that fit into `width` and `height`.
fn fit(picture: PixelSize, width: f64, height: f64) -> (f64, f64) {
    let (own_width, own_height) = (f64::from(picture.width), f64::from(picture.height));
    let scale = (width / own_width).min(height / own_height);
    (own_width * scale, own_height * scale)
}

/// Records that an element and its descendants no longer use their relationships.
fn release_relationships(element: Element<'_>, pictures: &PartPictures<'_>) {
    for name in ["embed", "link", "id", "href"] {
        // The namespace may be declared outside the drawing.
        let ids = [Ns::R, Ns::Other].into_iter().filter_map(|ns| element.attribute(ns, name));
        ids.for_each(|id| pictures.release(id));
    }
    element.children().for_each(|child| release_relationships(child, pictures));
}

fn bytes_of(element: Element<'_>, start: usize) -> Range<usize> {
    start + element.offset()..start + element.offset() + element.source().len()
}

/// Returns the start tag of an element. The tag of an empty element becomes a start tag.
fn start_tag(element: Element<'_>) -> String {
    let tag = tag_of(element);
    match tag.strip_suffix("/>") {
        Some(open) => format!("{open}>"),
        None => tag.to_owned(),
    }
}

/// Returns the start tag of an element as written, up to its `>`. A `>` in an attribute does not end the tag.
fn tag_of(element: Element<'_>) -> &str {
    let source = element.source();
    let last_value = attribute_ranges_of_tag(source).last().map_or(0, |(_, range)| range.end);
    let end = source.get(last_value..).and_then(|rest| rest.find('>')).map_or(source.len(), |at| last_value + at + 1);
    source.get(..end).unwrap_or_default()
}

/// Returns the attributes of the start tag at the beginning of `source`.
fn attribute_ranges_of_tag(source: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut end = source.find([' ', '\t', '\r', '\n', '>']).unwrap_or(0);
    attribute_ranges(source).take_while(move |(_, range)| {
        // A `>` between two values ends the tag.
        let is_inside = source.get(end..range.start.saturating_sub(1)).is_some_and(|between| !between.contains('>'));
        end = range.end + 1;
        is_inside
    })
}

/// Returns the byte range of the value of an attribute without a prefix, in the markup of the drawing.
fn attribute_range(element: Element<'_>, name: &str) -> Option<Range<usize>> {
    let (_, range) = attribute_ranges_of_tag(element.source()).find(|(key, _)| *key == name)?;
    Some(element.offset() + range.start..element.offset() + range.end)
}

/// Returns the namespace prefix of an element with its colon, or an empty text.
fn prefix_of(element: Element<'_>) -> String {
    let name = element.source().get(1..).and_then(|rest| rest.split([' ', '\t', '\r', '\n', '/', '>']).next());
    name.and_then(|name| name.split_once(':')).map_or(String::new(), |(prefix, _)| format!("{prefix}:"))
}
