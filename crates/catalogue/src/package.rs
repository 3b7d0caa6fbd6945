//! Assembles the XML parts of a Word file into a package (ECMA-376 part 2). Dates in the package are constant, so a
//! source always gives the same bytes.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::inline::escape;
use crate::page_parts::{self, FIRST_HEADER, FOOTER, HEADER};
use crate::source::{Source, SourceHead};
use crate::{body, numbering, styles};

pub const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
pub const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
pub const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const WORD_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml";
/// The creation date in the files. The current time would change the bytes with every build.
const CREATED_AT: &str = "2026-11-01T00:00:00Z";

/// Returns the Word file of a source.
pub fn write(source: &Source) -> Result<Vec<u8>, zip::result::ZipError> {
    let head = &source.head;
    let mut parts = vec![
        ("[Content_Types].xml", content_types(head)),
        ("_rels/.rels", package_relationships()),
        ("word/document.xml", body::xml(source)),
        ("word/_rels/document.xml.rels", document_relationships(head)),
        ("word/styles.xml", styles::xml(head)),
        ("word/numbering.xml", numbering::xml(source)),
        ("word/settings.xml", settings(head)),
        ("word/fontTable.xml", font_table(head)),
        ("word/footer1.xml", page_parts::footer(head)),
        ("docProps/core.xml", core_properties(head)),
        ("docProps/app.xml", app_properties()),
    ];
    if page_parts::has_header(head) {
        parts.push(("word/header1.xml", page_parts::header(head)));
        if head.no_header_on_first_page {
            parts.push(("word/header2.xml", page_parts::first_header(head)));
        }
    }
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, xml) in parts {
        writer.start_file(name, options)?;
        writer.write_all(xml.as_bytes())?;
    }
    Ok(writer.finish()?.into_inner())
}

/// Returns the relationships of the document part. Each tuple has the id of the relationship, the last segment of its
/// type URI (such as `styles`), and the name of the target file.
fn document_parts(head: &SourceHead) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut related = vec![
        ("rIdStyles", "styles", "styles.xml"),
        ("rIdNumbering", "numbering", "numbering.xml"),
        ("rIdSettings", "settings", "settings.xml"),
        ("rIdFonts", "fontTable", "fontTable.xml"),
        (FOOTER, "footer", "footer1.xml"),
    ];
    if page_parts::has_header(head) {
        related.push((HEADER, "header", "header1.xml"));
        if head.no_header_on_first_page {
            related.push((FIRST_HEADER, "header", "header2.xml"));
        }
    }
    related
}

fn content_types(head: &SourceHead) -> String {
    let parts: String = document_parts(head)
        .iter()
        .map(|(_, kind, target)| {
            format!("<Override PartName=\"/word/{target}\" ContentType=\"{WORD_TYPE}.{kind}+xml\"/>")
        })
        .collect();
    format!(
        "{XML}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" \
         ContentType=\"application/xml\"/><Override PartName=\"/word/document.xml\" \
         ContentType=\"{WORD_TYPE}.document.main+xml\"/>{parts}<Override PartName=\"/docProps/core.xml\" \
         ContentType=\"application/vnd.openxmlformats-package.core-properties+xml\"/><Override \
         PartName=\"/docProps/app.xml\" \
         ContentType=\"application/vnd.openxmlformats-officedocument.extended-properties+xml\"/></Types>"
    )
}

fn package_relationships() -> String {
    format!(
        "{XML}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" Type=\"{R}/officeDocument\" \
         Target=\"word/document.xml\"/><Relationship Id=\"rId2\" Type=\"{PACKAGE}/relationships/metadata/core-properties\" \
         Target=\"docProps/core.xml\"/><Relationship Id=\"rId3\" Type=\"{R}/extended-properties\" \
         Target=\"docProps/app.xml\"/></Relationships>"
    )
}

fn document_relationships(head: &SourceHead) -> String {
    let items: String = document_parts(head)
        .iter()
        .map(|(id, kind, target)| format!("<Relationship Id=\"{id}\" Type=\"{R}/{kind}\" Target=\"{target}\"/>"))
        .collect();
    format!("{XML}<Relationships xmlns=\"{PACKAGE}/relationships\">{items}</Relationships>")
}

fn settings(head: &SourceHead) -> String {
    let languages = if head.language.is_right_to_left() {
        format!("w:val=\"en-US\" w:bidi=\"{}\"", head.locale)
    } else {
        format!("w:val=\"{}\"", head.locale)
    };
    let (decimal, list) = if head.locale.starts_with("fr") { (",", ";") } else { (".", ",") };
    format!(
        "{XML}<w:settings xmlns:w=\"{W}\"><w:zoom w:percent=\"100\"/><w:defaultTabStop w:val=\"709\"/>\
         <w:characterSpacingControl w:val=\"doNotCompress\"/><w:compat><w:compatSetting w:name=\"compatibilityMode\" \
         w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat><w:themeFontLang {languages}/>\
         <w:decimalSymbol w:val=\"{decimal}\"/><w:listSeparator w:val=\"{list}\"/></w:settings>"
    )
}

fn font_table(head: &SourceHead) -> String {
    let look = &head.look;
    let mut names = vec![look.font, look.heading_font, styles::complex_font(head)];
    names.sort_unstable();
    names.dedup();
    let font = |name: &&str| match alternative_font(name) {
        Some(other) => format!("<w:font w:name=\"{name}\"><w:altName w:val=\"{other}\"/></w:font>"),
        None => format!("<w:font w:name=\"{name}\"/>"),
    };
    let fonts: String = names.iter().map(font).collect();
    format!("{XML}<w:fonts xmlns:w=\"{W}\">{fonts}</w:fonts>")
}

/// Returns the Windows font that Word should use if the named font is not installed (w:altName, §17.8.3.1).
fn alternative_font(font: &str) -> Option<&'static str> {
    match font {
        "Amiri" => Some("Times New Roman"),
        "Noto Sans Arabic" => Some("Arial"),
        _ => None,
    }
}

/// Returns the core properties. They have no author, because the author of a document is the user who fills the
/// template.
fn core_properties(head: &SourceHead) -> String {
    format!(
        "{XML}<cp:coreProperties xmlns:cp=\"{PACKAGE}/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dc:title>{}</dc:title><cp:revision>1</cp:revision><dcterms:created \
         xsi:type=\"dcterms:W3CDTF\">{CREATED_AT}</dcterms:created><dcterms:modified \
         xsi:type=\"dcterms:W3CDTF\">{CREATED_AT}</dcterms:modified><dc:language>{}</dc:language></cp:coreProperties>",
        escape(head.title),
        head.locale,
    )
}

fn app_properties() -> String {
    format!(
        "{XML}<Properties xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties\">\
         <Application>Waraq</Application><AppVersion>1.0000</AppVersion></Properties>"
    )
}
