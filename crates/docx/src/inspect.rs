//! What a document says of itself: properties, settings, comments, sections, parts and their relationships, as data.
//!
//! Names on the wire are those of the tree, or of the format where it has properties by name. Lengths are points.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use waraq_rules::Finding;

use crate::package::Relationship;
use crate::read::{Element, Ns, Tree};
use crate::tree::{Block, Comment, Content, CoreProperties, SectionProperties, Settings};
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

/// A header or footer a section names itself.
#[derive(Debug, Clone, Serialize)]
pub struct HeaderReference {
    /// `header` or `footer`.
    pub kind: &'static str,
    /// `default`, `first` or `even`.
    pub page: String,
    pub id: String,
    pub target: Option<String>,
}

/// Looks a document over.
///
/// Errors: those of [`crate::read`].
pub fn inspect(package: &Package) -> Result<DocumentModel> {
    let document = crate::read(package, &ReadOptions { comments: true, ..ReadOptions::default() })?;
    let mut references = header_references(package)?.into_iter();
    let sections = document.sections.into_iter().map(|section| SectionModel {
        properties: section.properties,
        header_footer_references: references.next().unwrap_or_default(),
    });
    Ok(DocumentModel {
        main_part: package.main_part().to_owned(),
        parts: package.part_names().map(str::to_owned).collect(),
        core: document.properties,
        extended: extended(package),
        custom: custom(package),
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

/// What is read from the part that a relationship of the package leads to; a broken one is as good as none.
fn property_text(
    package: &Package,
    kind: &str,
    read: impl Fn(Element<'_>) -> BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let tree = package.related("", kind).next().and_then(|part| package.tree(part).ok()?);
    tree.as_ref().and_then(Tree::root).map(read).unwrap_or_default()
}

fn extended(package: &Package) -> BTreeMap<String, String> {
    property_text(package, "extended-properties", |root| {
        let values =
            root.children().filter(|child| child.ns() == Ns::ExtendedProperties && !child.text().trim().is_empty());
        values.map(|child| (child.name().to_owned(), child.text().trim().to_owned())).collect()
    })
}

fn custom(package: &Package) -> BTreeMap<String, String> {
    property_text(package, "custom-properties", |root| {
        let properties = root.children().filter(|child| child.is(Ns::CustomProperties, "property"));
        let values = properties.filter_map(|property| {
            let value = property.children().find(|value| value.ns() == Ns::VariantTypes)?;
            Some((property.plain("name")?.to_owned(), value.text().to_owned()))
        });
        values.collect()
    })
}

/// The header and footer references of each section, in order; sections without any have an empty list.
fn header_references(package: &Package) -> Result<Vec<Vec<HeaderReference>>> {
    let main = package.main_part();
    let tree = Tree::parse(main, package.part(main).unwrap_or_default(), package.meter())?;
    let mut sections = Vec::new();
    if let Some(root) = tree.root() {
        gather_sections(root, package.relationships_of(main), &mut sections);
    }
    Ok(sections)
}

fn gather_sections(element: Element<'_>, relationships: &[Relationship], found: &mut Vec<Vec<HeaderReference>>) {
    for child in element.children().filter(|child| child.ns() == Ns::W) {
        match child.name() {
            "sectPr" => found.push(references_of(child, relationships)),
            // Text holds no section of its own, nor do tables and text boxes.
            "r" | "tbl" | "sectPrChange" => {}
            _ => gather_sections(child, relationships, found),
        }
    }
}

fn references_of(element: Element<'_>, relationships: &[Relationship]) -> Vec<HeaderReference> {
    let references = element.children().filter_map(|child| {
        let kind = match child.name() {
            "headerReference" => "header",
            "footerReference" => "footer",
            _ => return None,
        };
        let id = child.r("id")?;
        let target = relationships.iter().find(|known| known.id == id).map(|known| known.target.clone());
        Some(HeaderReference { kind, page: child.w("type").unwrap_or("default").to_owned(), id: id.to_owned(), target })
    });
    references.collect()
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
