//! Properties, settings, comments, sections, parts and relationships of a document, as data.
//!
//! The output has the field names of [`crate::tree`] in camel case. Extended and custom properties have the names that
//! the document uses. Lengths are in points.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use waraq_rules::Diagnostic;

use crate::package::Relationship;
use crate::read::{Element, Tree, properties};
use crate::tree::{Block, Comment, Content, CoreProperties, HeaderReference, SectionProperties, Settings};
use crate::{Package, ReadOptions, Result};

/// The data of one document, as [`inspect()`] returns it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentModel {
    /// The name of the main document part, usually `word/document.xml`.
    pub main_part: String,
    /// The names of all parts.
    pub parts: Vec<String>,
    /// The core properties (`docProps/core.xml`).
    pub core: CoreProperties,
    /// The properties in `docProps/app.xml` by name, such as the number of pages that the saving program counted.
    /// Values are text.
    pub extended: BTreeMap<String, String>,
    /// The custom properties (`docProps/custom.xml`) by name. Values are text.
    pub custom: BTreeMap<String, String>,
    /// The settings that affect pages (`word/settings.xml`).
    pub settings: Settings,
    /// The font families in the font table.
    pub fonts: Vec<String>,
    /// The font families of the embedded fonts. A family with several styles occurs several times.
    pub embedded_fonts: Vec<String>,
    /// The language of most of the text (BCP 47). `None`: the document does not specify a language.
    pub language: Option<String>,
    /// The comments in the order of `word/comments.xml`.
    pub comments: Vec<Comment>,
    /// The sections in the order of the document.
    pub sections: Vec<SectionModel>,
    /// The number of footnotes.
    pub footnotes: usize,
    /// The number of endnotes.
    pub endnotes: usize,
    /// The relationships by the name of their source part. Relationships of the package have the empty name.
    pub relationships: BTreeMap<String, Vec<Relationship>>,
    /// Diagnostics for content that is left out or that looks different from Word.
    pub warnings: Vec<Diagnostic>,
}

/// The data of one section.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionModel {
    /// The page size, margins, columns and other properties. Serialized as fields of the section itself.
    #[serde(flatten)]
    pub properties: SectionProperties,
    /// The headers and footers that the section itself refers to, without inherited ones.
    pub header_footer_references: Vec<HeaderReference>,
}

/// Returns the data of a document.
///
/// # Errors
/// Returns the errors of [`crate::read()`].
pub fn inspect(package: &Package) -> Result<DocumentModel> {
    let document = crate::read(package, &ReadOptions { comments: true, ..ReadOptions::default() })?;
    let sections = document.sections.into_iter().map(|section| SectionModel {
        properties: section.properties,
        header_footer_references: section.header_references,
    });
    Ok(DocumentModel {
        main_part: package.main_part().to_owned(),
        parts: package.part_names().map(str::to_owned).collect(),
        core: document.properties,
        extended: read_properties(package, "extended-properties", properties::read_extended),
        custom: read_properties(package, "custom-properties", properties::read_custom),
        settings: document.settings,
        fonts: document.font_table.into_keys().collect(),
        embedded_fonts: document.embedded_fonts.into_iter().map(|font| font.family).collect(),
        language: document.language,
        comments: document.comments,
        sections: sections.collect(),
        footnotes: document.footnotes.len(),
        endnotes: document.endnotes.len(),
        relationships: relationships(package),
        warnings: document.warnings,
    })
}

/// Reads the names and values of the properties in a property part. `kind` is the kind of the relationship from the
/// package to that part. Returns an empty map if the part is missing or broken.
fn read_properties(
    package: &Package,
    kind: &str,
    read: impl Fn(Element<'_>) -> Vec<(&str, &str)>,
) -> BTreeMap<String, String> {
    let tree = package.related_parts("", kind).next().and_then(|part| package.parse_part(part).ok()?);
    let properties = tree.as_ref().and_then(Tree::root).map(read).unwrap_or_default();
    properties.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn relationships(package: &Package) -> BTreeMap<String, Vec<Relationship>> {
    let sources = std::iter::once("").chain(package.part_names());
    let lists = sources.filter_map(|source| {
        let list = package.relationships_of(source);
        (!list.is_empty()).then(|| (source.to_owned(), list.to_vec()))
    });
    lists.collect()
}

/// Serializes the text of blocks without formatting. Each paragraph is one line, also in table cells.
pub(crate) fn plain_text<S: Serializer>(blocks: &[Block], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let mut lines = Vec::new();
    collect_lines(blocks, &mut lines);
    serializer.serialize_str(&lines.join("\n"))
}

fn collect_lines(blocks: &[Block], lines: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => {
                let pieces = paragraph.inlines.iter().map(|inline| match &inline.content {
                    Content::Text(text) | Content::Field { result: text, .. } => text.as_str(),
                    Content::Math(math) => math.text.as_str(),
                    Content::Tab | Content::PositionedTab(_) => "\t",
                    Content::Break(_) => "\n",
                    _ => "",
                });
                lines.push(pieces.collect());
            }
            Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    collect_lines(&cell.blocks, lines);
                }
            }
        }
    }
}
