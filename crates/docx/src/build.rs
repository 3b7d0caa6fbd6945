//! A builder of small `.docx` files for tests. The caller gives the parts as XML.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const WORD_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/// A document under construction. Every part can be replaced, so tests can also build broken documents.
#[derive(Debug, Clone)]
pub struct DocumentBuilder {
    parts: Vec<(String, Vec<u8>)>,
    content_types: String,
    relationships: String,
    next_id: usize,
}

/// Returns `<w:p><w:r><w:t>…</w:t></w:r></w:p>` with the escaped text.
#[must_use]
pub fn paragraph(text: &str) -> String {
    format!("<w:p>{}</w:p>", run(text))
}

/// Returns `<w:r><w:t xml:space="preserve">…</w:t></w:r>` with the escaped text.
#[must_use]
pub fn run(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<w:r><w:t xml:space=\"preserve\">{escaped}</w:t></w:r>")
}

impl DocumentBuilder {
    /// Creates a document with this content in its `w:body`.
    #[must_use]
    pub fn new(body: &str) -> Self {
        let mut document =
            Self { parts: Vec::new(), content_types: String::new(), relationships: String::new(), next_id: 1 };
        document.parts.push((
            "word/document.xml".into(),
            root_element("document", &format!("<w:body>{body}</w:body>")).into_bytes(),
        ));
        document.content_types =
            format!("<Override PartName=\"/word/document.xml\" ContentType=\"{WORD_TYPE}.document.main+xml\"/>");
        document
    }

    /// Adds a part to the folder `word`, and a relationship from the main part. Returns the id of the relationship.
    ///
    /// `kind` occurs both in the type of the relationship and in the content type. It is, for example, `header`,
    /// `footnotes` or `styles`. `content` is wrapped in the root element `root_name`.
    pub fn add_related_part(&mut self, kind: &str, root_name: &str, file: &str, content: &str) -> String {
        self.parts.push((format!("word/{file}"), root_element(root_name, content).into_bytes()));
        self.content_types
            .push_str(&format!("<Override PartName=\"/word/{file}\" ContentType=\"{WORD_TYPE}.{kind}+xml\"/>"));
        self.add_relationship(kind, file, false)
    }

    /// Adds a relationship of the main part and returns its id. An internal `target` is relative to the folder `word`.
    pub fn add_relationship(&mut self, kind: &str, target: &str, external: bool) -> String {
        let id = format!("rId{}", self.next_id);
        self.next_id += 1;
        let mode = if external { " TargetMode=\"External\"" } else { "" };
        self.relationships
            .push_str(&format!("<Relationship Id=\"{id}\" Type=\"{R}/{kind}\" Target=\"{target}\"{mode}/>"));
        id
    }

    /// Adds a part with exactly this content, or replaces the part of the same name. Adds no relationship.
    #[must_use]
    pub fn with_part(mut self, name: &str, content: impl Into<Vec<u8>>) -> Self {
        match self.parts.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = content.into(),
            None => self.parts.push((name.to_owned(), content.into())),
        }
        self
    }

    /// Returns all parts in the order in which they are written, including content types and relationships.
    #[must_use]
    pub fn parts(&self) -> Vec<(String, Vec<u8>)> {
        let package = format!(
            "<Relationships xmlns=\"{RELATIONSHIPS}\"><Relationship Id=\"rId1\" Type=\"{R}/officeDocument\" Target=\"word/document.xml\"/></Relationships>"
        );
        let types = format!(
            "<Types xmlns=\"{TYPES}\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
             <Default Extension=\"xml\" ContentType=\"application/xml\"/><Default Extension=\"png\" ContentType=\"image/png\"/>{}</Types>",
            self.content_types
        );
        let main = format!("<Relationships xmlns=\"{RELATIONSHIPS}\">{}</Relationships>", self.relationships);
        let mut all: Vec<(String, Vec<u8>)> = Vec::new();
        for (name, content) in
            [("[Content_Types].xml", types), ("_rels/.rels", package), ("word/_rels/document.xml.rels", main)]
        {
            if !self.parts.iter().any(|(known, _)| known == name) {
                all.push((name.to_owned(), content.into_bytes()));
            }
        }
        all.extend(self.parts.iter().cloned());
        all
    }

    /// Returns the document as the bytes of a `.docx` file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts = self.parts();
        zip_archive(parts.iter().map(|(name, content)| (name.as_str(), content.as_slice())))
    }
}

fn root_element(name: &str, content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:{name} xmlns:w=\"{W}\" xmlns:r=\"{R}\" \
         xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
         xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" \
         xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" \
         xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" \
         xmlns:w15=\"http://schemas.microsoft.com/office/word/2012/wordml\">{content}</w:{name}>"
    )
}

/// Returns a zip archive of these entries, compressed with deflate. Equal entries give equal bytes. Returns an empty
/// vector if the archive cannot be written (for example, if a name occurs twice).
pub fn zip_archive<'a>(entries: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        if writer.start_file(name, options).is_err() || writer.write_all(content).is_err() {
            return Vec::new();
        }
    }
    writer.finish().map(Cursor::into_inner).unwrap_or_default()
}
