//! Small Word documents built from pieces of XML, for the tests of the reader.
#![allow(dead_code)]

use std::io::{Cursor, Write};
use std::sync::Arc;

use waraq_docx::tree::*;
use waraq_docx::{Package, ReadOptions, Result, read};

pub const NAMESPACES: &str = concat!(
    "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" ",
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" ",
    "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" ",
    "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" ",
    "xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" ",
    "xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" ",
    "xmlns:wpg=\"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup\" ",
    "xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" ",
    "xmlns:w15=\"http://schemas.microsoft.com/office/word/2012/wordml\" ",
    "xmlns:wp14=\"http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing\" ",
    "xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" ",
    "xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" ",
    "xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\" ",
    "xmlns:w10=\"urn:schemas-microsoft-com:office:word\" xmlns:unknown=\"urn:unknown\""
);

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";

/// A document under construction for a test.
#[derive(Clone)]
pub struct Word {
    body: String,
    parts: Vec<(String, Vec<u8>)>,
    /// The relationships: id, kind, target, external.
    relationships: Vec<(String, String, String, bool)>,
    namespaces: String,
}

impl Word {
    /// Creates a document with this content in its w:body.
    pub fn new(body: &str) -> Self {
        Self { body: body.to_owned(), parts: Vec::new(), relationships: Vec::new(), namespaces: NAMESPACES.to_owned() }
    }

    /// Replaces the namespace declarations.
    pub fn namespaces(mut self, namespaces: &str) -> Self {
        self.namespaces = namespaces.to_owned();
        self
    }

    /// Adds a part with a relationship of this kind. The id is the kind, or the text after a `=`.
    pub fn part(mut self, kind: &str, name: &str, data: &[u8]) -> Self {
        let (kind, id) = kind.split_once('=').unwrap_or((kind, kind));
        self.relationships.push((id.to_owned(), kind.to_owned(), name.to_owned(), false));
        self.parts.push((format!("word/{name}"), data.to_vec()));
        self
    }

    fn xml(self, kind: &str, name: &str, root: &str, inner: &str) -> Self {
        let xml = format!("<w:{root} {}>{inner}</w:{root}>", self.namespaces);
        self.part(kind, name, xml.as_bytes())
    }

    pub fn styles(self, inner: &str) -> Self {
        self.xml("styles", "styles.xml", "styles", inner)
    }

    pub fn numbering(self, inner: &str) -> Self {
        self.xml("numbering", "numbering.xml", "numbering", inner)
    }

    pub fn settings(self, inner: &str) -> Self {
        self.xml("settings", "settings.xml", "settings", inner)
    }

    pub fn header(self, id: &str, inner: &str) -> Self {
        self.xml(&format!("header={id}"), &format!("{id}.xml"), "hdr", inner)
    }

    pub fn footnotes(self, inner: &str) -> Self {
        self.xml("footnotes", "footnotes.xml", "footnotes", inner)
    }

    pub fn comments(self, inner: &str) -> Self {
        self.xml("comments", "comments.xml", "comments", inner)
    }

    pub fn link(mut self, id: &str, target: &str) -> Self {
        self.relationships.push((id.to_owned(), "hyperlink".to_owned(), target.to_owned(), true));
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |name: &str, data: &[u8]| {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(data).unwrap();
        };
        add(
            "[Content_Types].xml",
            b"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
              <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
              <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
              <Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/>\
              </Types>",
        );
        let list = |relationships: &[(String, String, String, bool)]| {
            let mut xml =
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">".to_owned();
            for (id, kind, target, external) in relationships {
                let mode = if *external { " TargetMode=\"External\"" } else { "" };
                xml += &format!("<Relationship Id=\"{id}\" Type=\"{RELATIONSHIPS}{kind}\" Target=\"{target}\"{mode}/>");
            }
            xml + "</Relationships>"
        };
        let main = ("main".to_owned(), "officeDocument".to_owned(), "word/document.xml".to_owned(), false);
        let core = ("core".to_owned(), "core-properties".to_owned(), "docProps/core.xml".to_owned(), false);
        let package = list(&[main, core]).replace(
            &format!("{RELATIONSHIPS}core-properties"),
            "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
        );
        add("_rels/.rels", package.as_bytes());
        add(
            "docProps/core.xml",
            "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
             xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>The title</dc:title></cp:coreProperties>"
                .as_bytes(),
        );
        add("word/_rels/document.xml.rels", list(&self.relationships).as_bytes());
        let document = format!("<w:document {}><w:body>{}</w:body></w:document>", self.namespaces, self.body);
        add("word/document.xml", document.as_bytes());
        for (name, data) in &self.parts {
            add(name, data);
        }
        zip.finish().unwrap().into_inner()
    }

    pub fn try_read(&self, options: &ReadOptions) -> Result<Document> {
        read(&Package::open(&self.bytes())?, options)
    }

    pub fn read(&self) -> Document {
        self.try_read(&ReadOptions::default()).unwrap()
    }
}

/// Returns a paragraph with this text.
pub fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub fn paragraphs(blocks: &[Block]) -> Vec<&Paragraph> {
    blocks
        .iter()
        .filter_map(|block| if let Block::Paragraph(paragraph) = block { Some(paragraph) } else { None })
        .collect()
}

pub fn body(document: &Document) -> Vec<&Paragraph> {
    document.sections.iter().flat_map(|section| paragraphs(&section.blocks)).collect()
}

pub fn table(document: &Document) -> &Table {
    let found = document.sections.iter().flat_map(|section| &section.blocks).find_map(|block| match block {
        Block::Table(table) => Some(table),
        Block::Paragraph(_) => None,
    });
    found.expect("a table")
}

/// Returns the kind of a field, with its bookmark, its value and its format switches.
fn field_kind(field: &ComputedField) -> String {
    let debug = format!("{field:?}");
    let kind = debug.split([' ', '(', '{']).next().unwrap_or_default();
    let detail = match field {
        ComputedField::Page(format) | ComputedField::Pages(format) => format.general.join(" "),
        ComputedField::PageReference { bookmark, .. } | ComputedField::Reference { bookmark, .. } => {
            bookmark.to_string()
        }
        ComputedField::Date(format) => format.date_picture.clone().unwrap_or_default(),
        ComputedField::Property { value: PropertyValue::Text(text), format, .. } => {
            format!("{text} {}", format.general.join(" "))
        }
        ComputedField::Expression(expression) => expression.name().to_owned(),
        _ => String::new(),
    };
    format!("{kind} {detail}").trim().to_owned()
}

/// Returns the text of a paragraph. Fields are shown with their kind and result.
pub fn text(paragraph: &Paragraph) -> String {
    let pieces = paragraph.inlines.iter().map(|inline| match &inline.content {
        Content::Text(text) => text.clone(),
        Content::Tab => "\t".to_owned(),
        Content::Break(_) => "\n".to_owned(),
        Content::Field { field, result } => format!("[{}={result}]", field_kind(field)),
        Content::Math(math) => math.text.clone(),
        _ => String::new(),
    });
    pieces.collect()
}

pub fn texts(blocks: &[Block]) -> Vec<String> {
    paragraphs(blocks).into_iter().map(text).collect()
}

pub fn labels(document: &Document) -> Vec<String> {
    body(document)
        .into_iter()
        .map(|paragraph| paragraph.label.as_ref().map_or(String::new(), |label| label.text.clone()))
        .collect()
}

/// Returns the formatting of the first text of a paragraph.
pub fn run(paragraph: &Paragraph) -> &Arc<RunProperties> {
    let found =
        paragraph.inlines.iter().find(|inline| matches!(inline.content, Content::Text(_) | Content::Field { .. }));
    &found.expect("text").run
}

pub fn drawing(document: &Document) -> &Drawing {
    let mut inlines = body(document).into_iter().flat_map(|paragraph| &paragraph.inlines);
    let found = inlines.find_map(|inline| match &inline.content {
        Content::Drawing(drawing) => Some(drawing.as_ref()),
        _ => None,
    });
    found.expect("a drawing")
}
