//! Documents with sections, and a short form of their content.

#![allow(dead_code, reason = "each test file uses a part of these functions")]

#[path = "../reopened/mod.rs"]
mod reopened;

use reopened::reopened;
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{self, FillOptions, Values};
use waraq_docx::tree::{Block, Break, Content, Paragraph, Table};
use waraq_docx::{Package, ReadOptions};

/// Returns a paragraph with this text in one run.
pub fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

/// Returns an item of a list with this text.
pub fn item(text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t \
         xml:space=\"preserve\">{text}</w:t></w:r></w:p>"
    )
}

/// Returns a row with these cells. A cell without markup becomes a paragraph.
pub fn row(cells: &[&str]) -> String {
    let cell = |text: &&str| {
        let content = if text.starts_with('<') { (*text).to_owned() } else { p(text) };
        format!("<w:tc><w:tcPr><w:tcW w:w=\"2000\" w:type=\"dxa\"/></w:tcPr>{content}</w:tc>")
    };
    format!("<w:tr>{}</w:tr>", cells.iter().map(cell).collect::<String>())
}

pub fn table(rows: &[String]) -> String {
    format!("<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"2000\"/></w:tblGrid>{}</w:tbl>", rows.concat())
}

pub fn open(body: &str) -> Package {
    Package::open(&DocumentBuilder::new(body).to_bytes()).unwrap()
}

pub fn values(json: &str) -> Values {
    Values::from_json(json.as_bytes()).unwrap()
}

/// Fills a document, saves it and opens it again.
pub fn filled(package: &Package, json: &str) -> Package {
    let filled = fields::fill(package, &values(json), FillOptions::default()).unwrap();
    reopened(package, &filled)
}

/// Returns the content of the filled body in a short form. See [`shown`].
pub fn fill(body: &str, json: &str) -> String {
    shown(&filled(&open(body), json))
}

/// Returns the content of the body: each paragraph with its text, separated by `/`. A table is written as `[a; b | c; d]`,
/// where `;` separates cells and `|` separates rows.
pub fn shown(package: &Package) -> String {
    let document = waraq_docx::read(package, &ReadOptions::default()).unwrap();
    let blocks: Vec<&Block> = document.sections.iter().flat_map(|section| &section.blocks).collect();
    shown_blocks(blocks.into_iter())
}

pub fn shown_blocks<'b>(blocks: impl Iterator<Item = &'b Block>) -> String {
    let shown = blocks.map(|block| match block {
        Block::Paragraph(paragraph) => text(paragraph),
        Block::Table(table) => shown_table(table),
    });
    shown.collect::<Vec<_>>().join(" / ")
}

fn shown_table(table: &Table) -> String {
    let row = |row: &waraq_docx::tree::Row| {
        row.cells.iter().map(|cell| shown_blocks(cell.blocks.iter())).collect::<Vec<_>>().join("; ")
    };
    format!("[{}]", table.rows.iter().map(row).collect::<Vec<_>>().join(" | "))
}

pub fn text(paragraph: &Paragraph) -> String {
    let piece = |content: &Content| match content {
        Content::Text(text) => text.clone(),
        Content::Field { result, .. } => result.clone(),
        Content::Tab => "\t".to_owned(),
        Content::Break(Break::Line) => "\n".to_owned(),
        Content::Break(_) => "⏎".to_owned(),
        _ => String::new(),
    };
    paragraph.inlines.iter().map(|inline| piece(&inline.content)).collect()
}

/// Returns the codes of the diagnostics of a document.
pub fn codes(body: &str) -> Vec<String> {
    fields::check(&open(body)).unwrap().findings.into_iter().map(|finding| finding.code.to_string()).collect()
}

/// Returns the structure of a document as text: `name`, `name?` for yes/no and `name[column, …]` for lists.
pub fn structure(body: &str) -> String {
    shown_fields(&fields::structure(&open(body), &fields::DeclaredTypes::new()).unwrap().0)
}

pub fn shown_fields(all: &[waraq_rules::StructuredField]) -> String {
    let shown = all.iter().map(|field| match field.field_type {
        waraq_rules::FieldType::List => format!("{}[{}]", field.name, shown_fields(&field.columns)),
        waraq_rules::FieldType::YesNo => format!("{}?", field.name),
        _ => field.name.clone(),
    });
    shown.collect::<Vec<_>>().join(", ")
}
