//! A test case as written in XML, and the `.docx` built from it.
//!
//! The root is `<document>`; each of its children becomes a part. Word's namespaces need not be declared.
//!
//! | child | part |
//! |---|---|
//! | `w:body` | the main part; without a `w:sectPr` at its end it gets a page of A6 |
//! | `w:styles` `w:numbering` `w:settings` `w:footnotes` `w:endnotes` `w:comments` `w:fonts` `a:theme` | the part of that name |
//! | `w:hdr` `w:ftr` | a header or footer; `r:id` is its relationship |
//! | `picture` | a generated picture ([`picture`]): `r:id`, `format` (png, jpeg, gif, bmp, tiff, or photograph: a large PNG that is transparent towards its edge); `of`: the part that shows it, if not the main one |
//! | `chunk` | `r:id`, `type` (html, plain); a CDATA section with the content embedded by `w:altChunk` |
//! | `c:chartSpace` | a chart; `r:id` |
//! | `metafile` | `r:id`, `format` (emf, wmf), `width`, `height`; its records, line by line ([`crate::metafile`]) |
//! | `svg` | `r:id`; the picture itself |
//! | `link` | `r:id`, `target` |
//!
//! Without `w:styles` the text is in Calibri (Amiri for complex scripts), 10 points, without space between paragraphs.
//! With `comments="on"` on the root, the pages show comments and tracked changes.

use std::collections::BTreeMap;
use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use quick_xml::events::{BytesStart, Event};

use crate::metafile;

const RELATIONSHIP: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const NAMESPACES: &str = concat!(
    "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" ",
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" ",
    "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" ",
    "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" ",
    "xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" ",
    "xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" ",
    "xmlns:wpg=\"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup\" ",
    "xmlns:wp14=\"http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing\" ",
    "xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" ",
    "xmlns:w15=\"http://schemas.microsoft.com/office/word/2012/wordml\" ",
    "xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" ",
    "xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" ",
    "xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\" ",
    "xmlns:w10=\"urn:schemas-microsoft-com:office:word\" mc:Ignorable=\"w14 w15 wp14\""
);

/// A section of A6 pages with margins of 8.8 mm.
const SECTION: &str = "<w:sectPr><w:pgSz w:w=\"5953\" w:h=\"8391\"/><w:pgMar w:top=\"500\" w:right=\"500\" w:bottom=\"500\" \
                       w:left=\"500\" w:header=\"250\" w:footer=\"250\" w:gutter=\"0\"/></w:sectPr>";

const STYLES: &str = "<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii=\"Calibri\" w:hAnsi=\"Calibri\" w:cs=\"Amiri\"/>\
                      <w:sz w:val=\"20\"/><w:szCs w:val=\"20\"/><w:lang w:val=\"en-GB\" w:bidi=\"ar-EG\"/></w:rPr></w:rPrDefault>\
                      <w:pPrDefault/></w:docDefaults>";

/// Settings that Word writes by default. Without them Word 2007 compatibility applies.
const SETTINGS: &str = "<w:compat><w:compatSetting w:name=\"compatibilityMode\" \
                        w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>";

/// A test document, part by part.
#[derive(Default)]
pub struct Case {
    /// Show comments and tracked changes.
    pub comments: bool,
    parts: Vec<(String, Vec<u8>)>,
    types: String,
    /// The relationships of each part as XML, by the name of the part without its extension.
    relationships: BTreeMap<String, String>,
}

impl Case {
    /// Reads a case. Panics if it is not well-formed XML or has an element that is not in the table above.
    pub fn parse(xml: &str) -> Self {
        let mut case = Self::default();
        let mut reader = quick_xml::Reader::from_str(xml);
        let mut seen = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(root) if root.name().as_ref() == "document" => {
                    case.comments = attribute(&root, "comments").as_deref() == Some("on");
                }
                Event::Start(child) => {
                    let child = child.into_owned();
                    let inside = reader.read_to_end(child.to_end().name()).unwrap();
                    let inside = &xml[inside.start as usize..inside.end as usize];
                    seen.push(child.name().as_ref().to_owned());
                    case.add_child(&child, inside);
                }
                Event::Empty(child) => case.add_child(&child, ""),
                Event::Eof => break,
                _ => {}
            }
        }
        for (name, kind, content) in [("w:styles", "styles", STYLES), ("w:settings", "settings", SETTINGS)] {
            if !seen.iter().any(|known| known == name) {
                case.add_word_part(kind, kind, name, content);
            }
        }
        case
    }

    fn add_child(&mut self, child: &BytesStart<'_>, inside: &str) {
        let id = attribute(child, "r:id");
        let id = id.as_deref().unwrap_or_default();
        let name = child.name();
        let name = name.as_ref();
        match name {
            "w:body" => self.add_body(inside),
            "w:styles" | "w:numbering" | "w:settings" | "w:footnotes" | "w:endnotes" | "w:comments" => {
                let kind = name.trim_start_matches("w:");
                self.add_word_part(kind, kind, name, inside);
            }
            "w:fonts" => self.add_word_part("fontTable", "fontTable", name, inside),
            "w:hdr" => self.add_word_part("header", id, name, inside),
            "w:ftr" => self.add_word_part("footer", id, name, inside),
            "a:theme" => {
                let xml = format!("<a:theme {NAMESPACES} name=\"Case\">{inside}</a:theme>");
                let content_type = "application/vnd.openxmlformats-officedocument.theme+xml";
                self.add_related_part("document", "theme", "theme", "theme.xml", content_type, xml.into_bytes());
            }
            "picture" => {
                let format = attribute(child, "format").unwrap();
                let file = format!("{id}.{format}");
                let of = attribute(child, "of").unwrap_or_else(|| "document".to_owned());
                let kind = if format == "photograph" { "png" } else { &format };
                self.add_related_part(&of, "image", id, &file, &format!("image/{kind}"), test_picture(&format));
            }
            "c:chartSpace" => {
                let drawing = "http://schemas.openxmlformats.org/drawingml/2006/chart";
                let xml = format!("<c:chartSpace xmlns:c=\"{drawing}\" {NAMESPACES}>{inside}</c:chartSpace>");
                let content_type = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml";
                self.add_related_part("document", "chart", id, &format!("{id}.xml"), content_type, xml.into_bytes());
            }
            "metafile" => {
                let number = |name| attribute(child, name).unwrap().parse().unwrap();
                let format = attribute(child, "format").unwrap();
                let make = if format == "emf" { metafile::enhanced } else { metafile::old };
                let data = make(number("width"), number("height"), inside);
                self.add_related_part(
                    "document",
                    "image",
                    id,
                    &format!("{id}.{format}"),
                    &format!("image/x-{format}"),
                    data,
                );
            }
            "svg" => {
                let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 48 32\">{inside}</svg>");
                self.add_related_part("document", "image", id, &format!("{id}.svg"), "image/svg+xml", svg.into_bytes());
            }
            "chunk" => {
                let kind = attribute(child, "type").unwrap();
                let content = inside.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
                self.add_related_part(
                    "document",
                    "aFChunk",
                    id,
                    &format!("{id}.{kind}"),
                    &format!("text/{kind}"),
                    content.into(),
                );
            }
            "link" => {
                let target = attribute(child, "target").unwrap();
                *self.relationships.entry("document".to_owned()).or_default() += &format!(
                    "<Relationship Id=\"{id}\" Type=\"{RELATIONSHIP}/hyperlink\" Target=\"{target}\" TargetMode=\"External\"/>"
                );
            }
            other => panic!("<{other}> is no part of a case"),
        }
    }

    fn add_body(&mut self, inside: &str) {
        let section = if inside.trim_end().ends_with("</w:sectPr>") { "" } else { SECTION };
        let xml = format!("<w:document {NAMESPACES}><w:body>{inside}{section}</w:body></w:document>");
        self.add_part("document.xml", &content_type_of("document.main"), xml.into_bytes());
    }

    fn add_word_part(&mut self, kind: &str, id: &str, root: &str, inside: &str) {
        let xml = format!("<{root} {NAMESPACES}>{inside}</{root}>");
        self.add_related_part("document", kind, id, &format!("{id}.xml"), &content_type_of(kind), xml.into_bytes());
    }

    fn add_related_part(&mut self, of: &str, kind: &str, id: &str, file: &str, content_type: &str, content: Vec<u8>) {
        *self.relationships.entry(of.to_owned()).or_default() +=
            &format!("<Relationship Id=\"{id}\" Type=\"{RELATIONSHIP}/{kind}\" Target=\"{file}\"/>");
        self.add_part(file, content_type, content);
    }

    fn add_part(&mut self, file: &str, content_type: &str, content: Vec<u8>) {
        self.types += &format!("<Override PartName=\"/word/{file}\" ContentType=\"{content_type}\"/>");
        self.parts.push((format!("word/{file}"), content));
    }

    pub fn to_docx(&self) -> Vec<u8> {
        let package = "http://schemas.openxmlformats.org/package/2006";
        let types = format!(
            "<Types xmlns=\"{package}/content-types\"><Default Extension=\"rels\" \
             ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>{}</Types>",
            self.types
        );
        let list = |inside: &str| format!("<Relationships xmlns=\"{package}/relationships\">{inside}</Relationships>");
        let main =
            format!("<Relationship Id=\"main\" Type=\"{RELATIONSHIP}/officeDocument\" Target=\"word/document.xml\"/>");
        let mut entries = vec![
            ("[Content_Types].xml".to_owned(), types.into_bytes()),
            ("_rels/.rels".to_owned(), list(&main).into_bytes()),
        ];
        for (of, relationships) in &self.relationships {
            entries.push((format!("word/_rels/{of}.xml.rels"), list(relationships).into_bytes()));
        }
        entries.extend(self.parts.iter().cloned());
        waraq_docx::build::zip_archive(entries.iter().map(|(name, content)| (name.as_str(), content.as_slice())))
    }
}

fn content_type_of(kind: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml")
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    Some(element.try_get_attribute(name).unwrap()?.value.into_owned())
}

/// Generates a picture of 48 by 32 pixels that shows rotation and cropping: a colour in each corner, an F in the middle.
fn test_picture(format: &str) -> Vec<u8> {
    if format == "photograph" {
        return test_photograph();
    }
    let corners = [[(200, 60, 50), (240, 200, 60)], [(60, 110, 190), (90, 160, 90)]];
    let picture = RgbImage::from_fn(48, 32, |x, y| {
        let stem = (20..24).contains(&x) && (6..26).contains(&y);
        let arms = (20..31).contains(&x) && ((6..10).contains(&y) || (14..18).contains(&y));
        let (r, g, b) = if stem || arms { (255, 255, 255) } else { corners[y as usize / 16][x as usize / 24] };
        Rgb([r, g, b])
    });
    let format = match format {
        "png" => ImageFormat::Png,
        "jpeg" => ImageFormat::Jpeg,
        "gif" => ImageFormat::Gif,
        "bmp" => ImageFormat::Bmp,
        "tiff" => ImageFormat::Tiff,
        other => panic!("no picture is made as {other:?}"),
    };
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Generates 320 by 240 pixels of sky and sand with noise, in an oval that fades out.
fn test_photograph() -> Vec<u8> {
    let picture = RgbaImage::from_fn(320, 240, |x, y| {
        let grain = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(2_246_822_519) >> 28;
        let sand = y > 150 + (x / 8) % 30;
        let (r, g, b) = if sand { (180 + x / 11, 150 + x / 13, 90 + y / 8) } else { (60 + y / 2, 110 + y / 2, 190) };
        let from_middle = ((x as f32 - 160.0) / 160.0).hypot((y as f32 - 120.0) / 120.0);
        let channel = |value: u32| u8::try_from(value + grain).unwrap_or(255);
        Rgba([channel(r), channel(g), channel(b), ((1.0 - from_middle) * 1_000.0).clamp(0.0, 255.0) as u8])
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}
