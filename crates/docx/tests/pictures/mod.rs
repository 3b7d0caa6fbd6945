//! Documents with pictures, values that are pictures, and what is found in a filled document.

#![allow(dead_code, reason = "each test file uses a part of these functions")]

#[path = "../reopened/mod.rs"]
mod reopened;

use reopened::reopened;
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{self, FillOptions, Values};
use waraq_docx::{Package, ReadOptions, read, tree};
use waraq_rules::{FieldType, Picture, PictureFormat, Structure, StructuredField, Value};

const A: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
const WP: &str = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing";
const PIC: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";

/// The number of English Metric Units in a millimetre.
pub const EMU_PER_MILLIMETRE: f64 = 36_000.0;

/// Returns a PNG of one grey.
pub fn png(width: u32, height: u32, grey: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&vec![grey; (width * height) as usize]).unwrap();
    bytes
}

/// Returns a picture as a value.
pub fn picture(width: u32, height: u32, grey: u8, alternative_text: &str) -> Value {
    let (bytes, format) = (png(width, height, grey).into(), PictureFormat::Png);
    Value::Picture(Picture { format, bytes, alternative_text: alternative_text.to_owned() })
}

/// Returns a `w:drawing` with the picture of a relationship. The size is 2,000,000 × 1,000,000 EMU, and the picture is
/// cropped.
pub fn frame(id: u32, relationship: &str, description: &str, is_floating: bool) -> String {
    let (open, close, relative) = if is_floating {
        (
            format!(
                "<wp:anchor xmlns:wp=\"{WP}\" distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\" simplePos=\"0\" relativeHeight=\"1\" \
                 behindDoc=\"0\" locked=\"0\" layoutInCell=\"1\" allowOverlap=\"1\"><wp:simplePos x=\"0\" y=\"0\"/>\
                 <wp:positionH relativeFrom=\"page\"><wp:posOffset>0</wp:posOffset></wp:positionH>\
                 <wp:positionV relativeFrom=\"page\"><wp:posOffset>0</wp:posOffset></wp:positionV>"
            ),
            "</wp:anchor>",
            "<wp14:sizeRelH xmlns:wp14=\"http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing\" \
             relativeFrom=\"page\"><wp14:pctWidth>50000</wp14:pctWidth></wp14:sizeRelH>",
        )
    } else {
        (format!("<wp:inline xmlns:wp=\"{WP}\">"), "</wp:inline>", "")
    };
    let wrap = if is_floating { "<wp:wrapNone/>" } else { "" };
    format!(
        "<w:drawing>{open}<wp:extent cx=\"2000000\" cy=\"1000000\"/>{wrap}<wp:docPr id=\"{id}\" name=\"Picture\" descr=\"{description}\"/>\
         <a:graphic xmlns:a=\"{A}\"><a:graphicData uri=\"{PIC}\"><pic:pic xmlns:pic=\"{PIC}\"><pic:nvPicPr>\
         <pic:cNvPr id=\"{id}\" name=\"old.png\" descr=\"{description}\"/><pic:cNvPicPr/></pic:nvPicPr>\
         <pic:blipFill><a:blip r:embed=\"{relationship}\" cstate=\"print\"><a:grayscl/><a:extLst><a:ext uri=\"x\">\
         <asvg:svgBlip xmlns:asvg=\"http://schemas.microsoft.com/office/drawing/2016/SVG/main\" r:embed=\"{relationship}\"/></a:ext></a:extLst></a:blip>\
         <a:srcRect l=\"10000\" r=\"20000\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
         <pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"2000000\" cy=\"1000000\"/></a:xfrm>\
         <a:prstGeom prst=\"ellipse\"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>{relative}{close}</w:drawing>"
    )
}

/// Returns a paragraph with this content in one run.
pub fn in_paragraph(content: &str) -> String {
    format!("<w:p><w:r>{content}</w:r></w:p>")
}

/// Adds the author's picture `word/media/old.png` and returns the id of its relationship.
pub fn with_old_picture(builder: &mut DocumentBuilder) -> String {
    let id = builder.add_relationship("image", "media/old.png", false);
    *builder = std::mem::replace(builder, DocumentBuilder::new("")).with_part("word/media/old.png", png(3, 3, 9));
    id
}

/// Returns a structure with these fields.
pub fn structure(fields: &[(&str, FieldType)]) -> Structure {
    let typed = |(name, field_type): &(&str, FieldType)| StructuredField {
        field_type: *field_type,
        ..StructuredField::text(*name)
    };
    Structure(fields.iter().map(typed).collect())
}

/// Fills a document, and opens the saved file again, as Word would do.
pub fn fill_with(document: &DocumentBuilder, values: &[(&str, Value)], options: FillOptions<'_>) -> Package {
    let package = Package::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().cloned()).unwrap();
    let filled = fields::fill(&package, &values, options).unwrap();
    reopened(&package, &filled)
}

/// Fills a document whose fields have these types.
pub fn fill(document: &DocumentBuilder, values: &[(&str, FieldType, Value)]) -> Package {
    let types: Vec<(&str, FieldType)> = values.iter().map(|(name, kind, _)| (*name, *kind)).collect();
    let values: Vec<(&str, Value)> = values.iter().map(|(name, _, value)| (*name, value.clone())).collect();
    let structure = structure(&types);
    fill_with(document, &values, FillOptions { structure: Some(&structure), ..FillOptions::default() })
}

/// A picture of a filled document as the reader sees it.
#[derive(Debug, PartialEq)]
pub struct Shown {
    pub bytes: Vec<u8>,
    /// The width and height in points.
    pub size: (f32, f32),
    pub crop: [f32; 4],
    pub description: String,
}

/// Returns the pictures of the body in reading order. Panics if a picture cannot be shown.
pub fn shown_pictures(package: &Package) -> Vec<Shown> {
    let document = read(package, &ReadOptions::default()).unwrap();
    assert_eq!(document.warnings, []);
    let mut shown = Vec::new();
    for section in &document.sections {
        collect(&section.blocks, &document, &mut shown);
    }
    shown
}

/// Returns the pictures of the headers in reading order.
pub fn header_pictures(package: &Package) -> Vec<Shown> {
    let document = read(package, &ReadOptions::default()).unwrap();
    assert_eq!(document.warnings, []);
    let mut shown = Vec::new();
    for header in document.sections.iter().flat_map(|section| section.headers.default.iter()) {
        collect(header, &document, &mut shown);
    }
    shown
}

pub fn collect(blocks: &[tree::Block], document: &tree::Document, shown: &mut Vec<Shown>) {
    for block in blocks {
        match block {
            tree::Block::Paragraph(paragraph) => {
                for inline in &paragraph.inlines {
                    let tree::Content::Drawing(drawing) = &inline.content else { continue };
                    match &drawing.graphic {
                        tree::Graphic::Picture(picture) => shown.push(Shown {
                            bytes: document.images[picture.image.0].data.to_vec(),
                            size: (drawing.width, drawing.height),
                            crop: picture.crop,
                            description: drawing.description.as_deref().unwrap_or_default().to_owned(),
                        }),
                        tree::Graphic::Shape(shape) => {
                            if let Some(text) = &shape.text {
                                collect(&text.blocks, document, shown);
                            }
                        }
                        _ => {}
                    }
                }
            }
            tree::Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    collect(&cell.blocks, document, shown);
                }
            }
        }
    }
}

/// Returns the text of a part.
pub fn text<'p>(package: &'p Package, part: &str) -> &'p str {
    package.part_text(part).unwrap_or_default()
}

/// Returns the names of the parts in `word/media`.
pub fn media(package: &Package) -> Vec<&str> {
    package.part_names().filter(|name| name.starts_with("word/media/")).collect()
}

/// Returns the numbers of all drawings of a part.
pub fn drawing_ids(text: &str) -> Vec<u32> {
    let tags = text.split("docPr id=\"").skip(1);
    tags.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}
