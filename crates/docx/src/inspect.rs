//! What a document says of itself: properties, settings, comments, sections, parts and their relationships, as data.
//!
//! Names on the wire are those of the tree, or of the format where it has properties by name. Lengths are points.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use waraq_rules::Finding;

use crate::package::Relationship;
use crate::read::{Element, Tree, properties};
use crate::tree::{Block, Comment, Content, CoreProperties, HeaderReference, SectionProperties, Settings};
use crate::{Package, ReadOptions, Result};

/// All of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentModel {
    pub main_part: String,
    /// The names of all parts.
    pub parts: Vec<String>,
    pub core: CoreProperties,
    /// docProps/app.xml: what the program that saved the document counted. By name; values as text.
    pub extended: BTreeMap<String, String>,
    /// By name; values as text.
    pub custom: BTreeMap<String, String>,
    pub settings: Settings,
    /// The families the font table names.
    pub fonts: Vec<String>,
    pub embedded_fonts: Vec<String>,
    /// The language most of the text is in (BCP 47).
    pub language: Option<String>,
    pub comments: Vec<Comment>,
    pub sections: Vec<SectionModel>,
    /// How many.
    pub footnotes: usize,
    pub endnotes: usize,
    /// By the part they belong to; the package's own under the empty name.
    pub relationships: BTreeMap<String, Vec<Relationship>>,
    /// What cannot be set as Word would.
    pub warnings: Vec<Finding>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionModel {
    #[serde(flatten)]
    pub properties: SectionProperties,
    pub header_footer_references: Vec<HeaderReference>,
}

/// Looks a document over.
///
/// Errors: those of [`crate::read`].
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
        extended: named(package, "extended-properties", properties::extended),
        custom: named(package, "custom-properties", properties::custom),
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

/// Properties in the part that a relationship of the package leads to; a broken one is as good as none.
fn named(package: &Package, kind: &str, read: impl Fn(Element<'_>) -> Vec<(&str, &str)>) -> BTreeMap<String, String> {
    let tree = package.related("", kind).next().and_then(|part| package.tree(part).ok()?);
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

/// Text without any formatting: a line a paragraph; cells below each other.
pub(crate) fn plain_text<S: Serializer>(blocks: &[Block], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let mut lines = Vec::new();
    gather(blocks, &mut lines);
    serializer.serialize_str(&lines.join("\n"))
}

fn gather(blocks: &[Block], lines: &mut Vec<String>) {
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
                    gather(&cell.blocks, lines);
                }
            }
        }
    }
}
