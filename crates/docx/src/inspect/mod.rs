//! What a document says of itself: properties, settings, comments, sections, parts and their relationships, as data.
//!
//! Names on the wire are those of the format. Lengths are points.

mod model;

use std::collections::BTreeMap;

pub use model::*;

use crate::package::Relationship;
use crate::read::{Element, Ns, Tree};
use crate::tree::{Block, Border, Content, SectionProperties, Settings};
use crate::{Package, ReadOptions, Result};

/// Looks a document over.
///
/// Errors: those of [`crate::read`].
pub fn inspect(package: &Package) -> Result<DocumentModel> {
    let main = package.main_part();
    let document = crate::read(package, &ReadOptions { comments: true, ..ReadOptions::default() })?;
    let part = |kind: &str| package.related(main, kind).next().map(str::to_owned);
    let parts = |kind: &str| package.related(main, kind).map(str::to_owned).collect::<Vec<_>>();
    let references = header_references(package)?;
    let sections =
        document.sections.iter().enumerate().map(|(index, section)| {
            section_model(&section.properties, references.get(index).cloned().unwrap_or_default())
        });
    Ok(DocumentModel {
        parts: Parts {
            main: main.to_owned(),
            fonts: part("fontTable"),
            numbering: part("numbering"),
            styles: part("styles"),
            settings: part("settings"),
            theme: part("theme"),
            footnotes: part("footnotes"),
            endnotes: part("endnotes"),
            comments: part("comments"),
            headers: parts("header"),
            footers: parts("footer"),
            all: package.part_names().map(str::to_owned).collect(),
        },
        core: document.properties,
        extended: extended(package),
        custom: custom(package),
        settings: settings_model(&document.settings),
        fonts: document.font_table.keys().cloned().collect(),
        embedded_fonts: document.embedded_fonts.iter().map(|font| font.family.clone()).collect(),
        language: document.language.clone(),
        comments: document.comments.iter().map(comment_model).collect(),
        sections: sections.collect(),
        footnotes: document.footnotes.len(),
        endnotes: document.endnotes.len(),
        relationships: relationships(package),
        warnings: document.warnings,
    })
}

/// The part and tree a relationship of the package leads to; a broken one is as good as none.
fn property_text(
    package: &Package,
    kinds: &[&str],
    read: impl Fn(Element<'_>) -> BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let part = kinds.iter().find_map(|kind| package.related("", kind).next());
    let tree = part.and_then(|part| package.tree(part).ok()?);
    tree.as_ref().and_then(Tree::root).map(read).unwrap_or_default()
}

fn extended(package: &Package) -> ExtendedProperties {
    let values = property_text(package, &["extended-properties", "extendedProperties"], |root| {
        let values =
            root.children().filter(|child| child.ns() == Ns::ExtendedProperties && !child.text().trim().is_empty());
        values.map(|child| (child.name().to_owned(), child.text().trim().to_owned())).collect()
    });
    let text = |name: &str| values.get(name).cloned();
    let count = |name: &str| values.get(name).and_then(|value| value.parse().ok());
    ExtendedProperties {
        template: text("Template"),
        pages: count("Pages"),
        words: count("Words"),
        characters: count("Characters"),
        application: text("Application"),
        lines: count("Lines"),
        paragraphs: count("Paragraphs"),
        company: text("Company"),
        app_version: text("AppVersion"),
    }
}

fn custom(package: &Package) -> BTreeMap<String, String> {
    property_text(package, &["custom-properties", "customProperties"], |root| {
        let properties = root.children().filter(|child| child.is(Ns::CustomProperties, "property"));
        let values = properties.filter_map(|property| {
            let value = property.children().find(|value| value.ns() == Ns::VariantTypes)?;
            Some((property.plain("name")?.to_owned(), value.text().to_owned()))
        });
        values.collect()
    })
}

fn settings_model(settings: &Settings) -> SettingsModel {
    SettingsModel {
        default_tab_stop: settings.default_tab_stop,
        auto_hyphenation: settings.auto_hyphenation,
        even_and_odd_headers: settings.even_and_odd_headers,
        mirror_margins: settings.mirror_margins,
        track_revisions: settings.track_revisions,
        compatibility_mode: settings.compatibility_mode,
        footnotes: settings.footnotes,
        endnotes: settings.endnotes,
    }
}

fn comment_model(comment: &crate::tree::Comment) -> CommentModel {
    CommentModel {
        id: comment.id.clone(),
        author: comment.author.clone(),
        initials: comment.initials.clone(),
        date: comment.date.clone(),
        content: plain_text(&comment.blocks),
        parent: comment.parent.clone(),
        done: comment.done,
    }
}

fn section_model(section: &SectionProperties, references: Vec<HeaderReference>) -> SectionModel {
    let border = |border: Option<Border>| {
        border.map(|border| BorderModel {
            style: border.style,
            width: border.width,
            space: border.space,
            color: border.color.map(|color| format!("#{:02x}{:02x}{:02x}", color.0, color.1, color.2)),
        })
    };
    let columns = &section.columns;
    let unequal = columns.unequal.iter().map(|(width, space)| ColumnModel { width: *width, space: *space });
    SectionModel {
        start: section.start,
        page_size: PageSize {
            width: section.page_width,
            height: section.page_height,
            orientation: if section.landscape { "landscape" } else { "portrait" },
        },
        margins: section.margins,
        columns: ColumnsModel {
            count: columns.count,
            space: columns.space,
            separator: columns.separator,
            columns: unequal.collect(),
        },
        header_footer_references: references,
        title_page: section.title_page,
        right_to_left: section.bidi,
        page_borders: PageBordersModel {
            top: border(section.page_borders.top),
            bottom: border(section.page_borders.bottom),
            left: border(section.page_borders.left),
            right: border(section.page_borders.right),
        },
        page_number: PageNumberModel { format: section.page_number_format, start: section.page_number_start },
    }
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
        let list = package.relationships(source);
        (!list.is_empty()).then(|| (source.to_owned(), list))
    });
    lists.collect()
}

/// Text without any formatting: a line a paragraph; cells below each other.
fn plain_text(blocks: &[Block]) -> String {
    let mut lines = Vec::new();
    gather(blocks, &mut lines);
    lines.join("\n")
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
