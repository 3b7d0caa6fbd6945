//! Prints the tree of a document: `cargo run -p waraq-docx --example tree -- IN.docx [--text | --time]`.
//!
//! `--text` prints only the text, one paragraph per line. `--time` prints the time for opening and reading. `--all`
//! reads all tracked changes, `--comments` reads comments.

use std::time::Instant;

use waraq_docx::tree::{Block, Content, Document, Graphic, Paragraph};
use waraq_docx::{Package, ReadOptions, TrackedChanges, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let paths = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let tracked_changes = if has("--all") { TrackedChanges::All } else { TrackedChanges::Final };
    let options = ReadOptions { tracked_changes, comments: has("--comments"), values: false };
    for path in paths {
        let bytes = std::fs::read(path)?;
        let begin = Instant::now();
        let package = Package::open(&bytes)?;
        let opened = begin.elapsed();
        let document = read(&package, &options)?;
        let total = begin.elapsed();
        if has("--time") {
            println!(
                "{path}: opened in {opened:?}, read in {:?}, {} warnings",
                total - opened,
                document.warnings.len()
            );
        } else if has("--text") {
            print!("{}", text(&document));
        } else {
            println!("{document:#?}");
        }
        for warning in &document.warnings {
            let part = warning.part.as_deref().unwrap_or_default();
            eprintln!("{path}: {} {part}:{:?} {}", warning.code, warning.paragraph, warning.message);
        }
    }
    Ok(())
}

fn text(document: &Document) -> String {
    let mut out = String::new();
    for section in &document.sections {
        let headers = [&section.headers, &section.footers];
        for blocks in headers.iter().flat_map(|set| [&set.default, &set.first, &set.even]).flatten() {
            blocks_text(blocks, &mut out);
        }
        blocks_text(&section.blocks, &mut out);
    }
    for note in document.footnotes.values().chain(document.endnotes.values()) {
        blocks_text(&note.blocks, &mut out);
    }
    out
}

fn blocks_text(blocks: &[Block], out: &mut String) {
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => paragraph_text(paragraph, out),
            Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    blocks_text(&cell.blocks, out);
                }
            }
        }
    }
}

fn paragraph_text(paragraph: &Paragraph, out: &mut String) {
    if let Some(label) = &paragraph.label {
        out.push_str(&label.text);
        out.push('\t');
    }
    let mut after = String::new();
    for inline in &paragraph.inlines {
        if inline.run.hidden {
            continue;
        }
        match &inline.content {
            Content::Text(text) if inline.run.caps => out.push_str(&text.to_uppercase()),
            Content::Text(text) => out.push_str(text),
            Content::Tab | Content::PositionedTab(_) => out.push('\t'),
            Content::Break(_) => out.push('\n'),
            Content::Field { result, .. } => out.push_str(result),
            Content::Math(math) => out.push_str(&math.text),
            Content::Drawing(drawing) => graphic_text(&drawing.graphic, &mut after),
            _ => {}
        }
    }
    out.push('\n');
    out.push_str(&after);
}

fn graphic_text(graphic: &Graphic, out: &mut String) {
    match graphic {
        Graphic::Shape(shape) => {
            if let Some(text) = &shape.text {
                blocks_text(&text.blocks, out);
            }
        }
        Graphic::Group(group) => group.children.iter().for_each(|child| graphic_text(&child.graphic, out)),
        _ => {}
    }
}
