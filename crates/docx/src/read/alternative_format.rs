//! Content in other formats, imported through w:altChunk (§17.17.2).

use std::borrow::Cow;
use std::sync::Arc;

use waraq_graphics::code_page::CodePage;

use super::document;
use super::html;
use super::part_reader::{DocumentState, PartReader};
use super::rtf;
use super::xml::Element;
use crate::package::{Relationship, utf16};
use crate::tree::*;
use waraq_rules::DiagnosticCode;

/// The maximum nesting depth of imported Word documents.
const MAX_IMPORT_DEPTH: usize = 3;
/// The factor by which the XML size of an imported document is multiplied before it is counted against
/// `MAX_REPEATED_BYTES`. The factor is used because the tree in memory is several times larger than the XML.
const COST_OF_XML: usize = 3;

impl<'t> PartReader<'t, '_> {
    pub(crate) fn read_alternative_format(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        let found = element.relationship_attribute("id").and_then(|id| self.relationships.get(id)).cloned();
        let Some(Relationship { target, external: false, .. }) = found else {
            self.warn(DiagnosticCode::AlternativeContentMissing, "content in another format is not in the document");
            return;
        };
        let Some(bytes) = self.shared.package.part_bytes(&target) else {
            self.warn(DiagnosticCode::AlternativeContentMissing, format!("{target} is not in the document"));
            return;
        };
        if !self.state.charge_repeated_bytes(bytes.len()) {
            self.warn(
                DiagnosticCode::AlternativeContentLeftOut,
                format!("{target}: too much content in other formats"),
            );
            return;
        }
        let imported = match detect_format(bytes) {
            ChunkFormat::Word => self.read_inner_document(bytes),
            ChunkFormat::Html => Some(html::read_html(self, &decode(bytes))),
            ChunkFormat::RichText => {
                let message = format!("{target}: of rich text, only the text is shown");
                self.warn(DiagnosticCode::AlternativeContentAsText, message);
                Some(self.plain_text_blocks(&rtf::to_plain_text(bytes)))
            }
            ChunkFormat::Text => Some(self.plain_text_blocks(&decode(bytes))),
            ChunkFormat::Other => None,
        };
        match imported {
            Some(read) => blocks.extend(read),
            None => {
                self.warn(
                    DiagnosticCode::AlternativeContentLeftOut,
                    format!("{target}: content in this format is not shown"),
                );
                blocks.push(self.plain_paragraph("[…]"));
            }
        }
    }

    /// Reads an imported Word document. Its text keeps the styles of that document. Returns `None` if the document is
    /// nested too deeply, too large or broken.
    fn read_inner_document(&mut self, bytes: &[u8]) -> Option<Vec<Block>> {
        if self.state.import_depth >= MAX_IMPORT_DEPTH {
            return None;
        }
        let package = crate::Package::open(bytes).ok()?;
        // The compressed size was checked above; the inflated size is checked too.
        if !self.state.charge_repeated_bytes(package.xml_bytes().saturating_mul(COST_OF_XML)) {
            return None;
        }
        // The imported document continues the image and text box numbers of this document.
        let mut inner = DocumentState {
            images: std::mem::take(&mut self.state.images),
            metafiles: std::mem::take(&mut self.state.metafiles),
            import_depth: self.state.import_depth + 1,
            text_box_links: std::mem::take(&mut self.state.text_box_links),
            repeated_bytes: self.state.repeated_bytes,
            ..DocumentState::default()
        };
        let body = document::read_body(&package, &self.shared.options, &mut inner);
        self.state.images = inner.images;
        self.state.metafiles = inner.metafiles;
        self.state.text_box_links = inner.text_box_links;
        self.state.repeated_bytes = inner.repeated_bytes;
        let sections = body.ok()?;
        for warning in inner.warnings {
            self.warn(warning.code, warning.message);
        }
        Some(sections.into_iter().flat_map(|section| section.blocks).collect())
    }

    fn plain_text_blocks(&mut self, text: &str) -> Vec<Block> {
        text.lines().map(|line| self.plain_paragraph(line)).collect()
    }

    /// Creates a paragraph from text without formatting. The paragraph has the direction of the first strong character
    /// of the text (UAX #9).
    fn plain_paragraph(&mut self, text: &str) -> Block {
        let mut resolved = self.resolve_paragraph(None);
        let properties = Arc::make_mut(&mut resolved.properties);
        properties.bidi = unicode_bidi::get_base_direction(text) == unicode_bidi::Direction::Rtl;
        properties.directions_from_letters = true;
        self.emit_text(text, &resolved.mark.clone());
        let inlines = std::mem::take(&mut self.open_paragraph.inlines);
        Block::Paragraph(Paragraph {
            properties: resolved.properties,
            mark: resolved.mark,
            inlines,
            ..Paragraph::default()
        })
    }
}

enum ChunkFormat {
    Word,
    Html,
    RichText,
    Text,
    Other,
}

fn detect_format(bytes: &[u8]) -> ChunkFormat {
    if bytes.starts_with(b"PK") {
        return ChunkFormat::Word;
    }
    let head = decode(bytes.get(..bytes.len().min(4_096)).unwrap_or_default()).to_ascii_lowercase();
    let head = head.trim_start();
    if head.starts_with("{\\rtf") {
        return ChunkFormat::RichText;
    }
    // MHTML wraps its HTML in mail headers.
    if head.starts_with("mime-version") || head.starts_with("<?mso") || head.contains('\0') {
        return ChunkFormat::Other;
    }
    let html = ["<html", "<!doctype html", "<body", "<p", "<div", "<table", "<h1", "<ul", "<ol", "<span", "<b>"];
    if html.iter().any(|tag| head.contains(tag)) { ChunkFormat::Html } else { ChunkFormat::Text }
}

/// Decodes bytes with a UTF-16 byte order mark as UTF-16, other bytes as UTF-8, and bytes that are not valid UTF-8 as
/// Windows-1252.
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
