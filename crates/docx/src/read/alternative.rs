//! Content in other formats, imported through w:altChunk (§17.17.2).

use std::borrow::Cow;
use std::sync::Arc;

use waraq_graphics::code_page::CodePage;

use super::document;
use super::html;
use super::rtf;
use super::story::{Gathered, Story};
use super::xml::Element;
use crate::package::{Relationship, utf16};
use crate::tree::*;
use waraq_rules::FindingCode;

/// The maximum nesting depth of imported Word documents.
const DEPTH_LIMIT: usize = 3;
/// The cost of one byte of an imported document's XML. Its tree is several times larger than the XML.
const COST_OF_XML: usize = 3;

impl<'t> Story<'t, '_> {
    pub(crate) fn alternative_format(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        let found = element.r("id").and_then(|id| self.relationships.get(id)).cloned();
        let Some(Relationship { target, external: false, .. }) = found else {
            self.warn(FindingCode::AlternativeContentMissing, "content in another format is not in the document");
            return;
        };
        let Some(bytes) = self.shared.package.part(&target) else {
            self.warn(FindingCode::AlternativeContentMissing, format!("{target} is not in the document"));
            return;
        };
        if !self.gathered.may_repeat(bytes.len()) {
            self.warn(FindingCode::AlternativeContentLeftOut, format!("{target}: too much content in other formats"));
            return;
        }
        let read = match kind_of(bytes) {
            Kind::Word => self.word_inside(bytes),
            Kind::Html => Some(html::read(self, &decode(bytes))),
            Kind::Rich => {
                let message = format!("{target}: of rich text, only the text is shown");
                self.warn(FindingCode::AlternativeContentAsText, message);
                Some(self.plain_text(&rtf::text(bytes)))
            }
            Kind::Text => Some(self.plain_text(&decode(bytes))),
            Kind::Other => None,
        };
        match read {
            Some(read) => blocks.extend(read),
            None => {
                self.warn(
                    FindingCode::AlternativeContentLeftOut,
                    format!("{target}: content in this format is not shown"),
                );
                blocks.push(self.plain_paragraph("[…]"));
            }
        }
    }

    /// Reads an imported Word document. Its text keeps the styles of that document. Returns `None` if the document is
    /// nested too deeply, over the limit or broken.
    fn word_inside(&mut self, bytes: &[u8]) -> Option<Vec<Block>> {
        if self.gathered.inner_documents >= DEPTH_LIMIT {
            return None;
        }
        let package = crate::Package::open(bytes).ok()?;
        // The compressed size was checked above; the inflated size is checked too.
        if !self.gathered.may_repeat(package.xml_bytes().saturating_mul(COST_OF_XML)) {
            return None;
        }
        // The imported document continues the image and text box numbers of this document.
        let mut inner = Gathered {
            images: std::mem::take(&mut self.gathered.images),
            metafiles: std::mem::take(&mut self.gathered.metafiles),
            inner_documents: self.gathered.inner_documents + 1,
            links: std::mem::take(&mut self.gathered.links),
            repeated: self.gathered.repeated,
            ..Gathered::default()
        };
        let body = document::read_body(&package, &self.shared.options, &mut inner);
        self.gathered.images = inner.images;
        self.gathered.metafiles = inner.metafiles;
        self.gathered.links = inner.links;
        self.gathered.repeated = inner.repeated;
        let sections = body.ok()?;
        for warning in inner.warnings {
            self.warn(warning.code, warning.message);
        }
        Some(sections.into_iter().flat_map(|section| section.blocks).collect())
    }

    fn plain_text(&mut self, text: &str) -> Vec<Block> {
        text.lines().map(|line| self.plain_paragraph(line)).collect()
    }

    /// Creates a paragraph whose direction is that of its first strong character.
    fn plain_paragraph(&mut self, text: &str) -> Block {
        let mut resolved = self.resolve_paragraph(None);
        let properties = Arc::make_mut(&mut resolved.properties);
        properties.bidi = unicode_bidi::get_base_direction(text) == unicode_bidi::Direction::Rtl;
        properties.directions_from_letters = true;
        self.emit_text(text, &resolved.mark.clone());
        let inlines = std::mem::take(&mut self.line.inlines);
        Block::Paragraph(Paragraph {
            properties: resolved.properties,
            mark: resolved.mark,
            inlines,
            ..Paragraph::default()
        })
    }
}

enum Kind {
    Word,
    Html,
    Rich,
    Text,
    Other,
}

fn kind_of(bytes: &[u8]) -> Kind {
    if bytes.starts_with(b"PK") {
        return Kind::Word;
    }
    let head = decode(bytes.get(..bytes.len().min(4_096)).unwrap_or_default()).to_ascii_lowercase();
    let head = head.trim_start();
    if head.starts_with("{\\rtf") {
        return Kind::Rich;
    }
    // MHTML wraps its HTML in mail headers.
    if head.starts_with("mime-version") || head.starts_with("<?mso") || head.contains('\0') {
        return Kind::Other;
    }
    let html = ["<html", "<!doctype html", "<body", "<p", "<div", "<table", "<h1", "<ul", "<ol", "<span", "<b>"];
    if html.iter().any(|tag| head.contains(tag)) { Kind::Html } else { Kind::Text }
}

/// Decodes UTF-8, UTF-16 with a byte order mark, or else Windows-1252.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |unit| utf16(bytes, unit).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    match bytes {
        [0xFF, 0xFE, ..] => Cow::Owned(wide(u16::from_le_bytes)),
        [0xFE, 0xFF, ..] => Cow::Owned(wide(u16::from_be_bytes)),
        [0xEF, 0xBB, 0xBF, text @ ..] | text => match std::str::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(CodePage::WESTERN.decode(bytes)),
        },
    }
}
