//! Lists in tagged PDFs: labels, bodies, nesting and the kind of numbering.

mod page_text;
use std::fmt::Write;
use std::process::Command;

use page_text::{Template, styled};
use waraq_docx::build::{paragraph, run};
use waraq_engine::{Pages, PdfOptions};
use waraq_layout::{DisplayItem, ElementKind, ListNumbering};

fn level(index: u8, format: &str, text: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{index}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/><w:lvlText w:val=\"{text}\"/></w:lvl>"
    )
}

/// Returns a numbering part with one list for each pair of a format and a label text. The id of the first list is 1.
fn numbering(lists: &[(&str, &str)]) -> String {
    let mut definitions = String::new();
    let mut instances = String::new();
    for (index, (format, text)) in lists.iter().enumerate() {
        let levels = level(0, format, text) + &level(1, "lowerLetter", "%2)");
        write!(definitions, "<w:abstractNum w:abstractNumId=\"{index}\">{levels}</w:abstractNum>").unwrap();
        write!(instances, "<w:num w:numId=\"{}\"><w:abstractNumId w:val=\"{index}\"/></w:num>", index + 1).unwrap();
    }
    definitions + &instances
}

fn item(list: usize, level: u8, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr>{}</w:p>",
        run(text)
    )
}

fn pages(body: &str, lists: &[(&str, &str)]) -> Pages {
    Template::new(body).with_numbering(&numbering(lists)).pages(&[])
}

/// Returns the structure elements with their texts, one line for each element, indented by depth.
fn structure(pages: &Pages) -> String {
    let mut texts = vec![String::new(); pages.structure.len()];
    for placed in pages.pages.iter().flat_map(|page| &page.items) {
        if let (DisplayItem::Glyphs(run), Some(element)) = (&placed.item, placed.element) {
            texts[element.0 as usize].push_str(&run.text);
        }
    }
    let mut lines = String::new();
    for (element, text) in pages.structure.iter().zip(&texts) {
        let mut depth = 0;
        let mut parent = element.parent;
        while let Some(above) = parent {
            depth += 1;
            parent = pages.structure[above.0 as usize].parent;
        }
        let name = match &element.kind {
            ElementKind::List(kind) => format!("L {kind:?}"),
            ElementKind::ListItem => "LI".to_owned(),
            ElementKind::Label => "Lbl".to_owned(),
            ElementKind::ListBody => "LBody".to_owned(),
            ElementKind::Paragraph => "P".to_owned(),
            ElementKind::Heading(_) => "H".to_owned(),
            other => format!("{other:?}"),
        };
        writeln!(lines, "{}{name} {text}", " ".repeat(depth)).unwrap();
    }
    lines.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn list_items_have_a_label_and_a_body() {
    let body = item(1, 0, "one") + &item(1, 0, "two") + &paragraph("end");
    let wanted = "L Decimal\n LI\n  Lbl 1.\n  LBody\n   P one\n LI\n  Lbl 2.\n  LBody\n   P two\nP end";
    assert_eq!(structure(&pages(&body, &[("decimal", "%1.")])), wanted);
}

#[test]
fn nested_lists_are_in_the_body_of_their_item() {
    let body = item(1, 0, "one") + &item(1, 1, "inner") + &item(1, 0, "two");
    let wanted = "L UpperRoman\n LI\n  Lbl I.\n  LBody\n   P one\n   L LowerAlpha\n    LI\n     Lbl a)\n     LBody\n      P inner\n \
                  LI\n  Lbl II.\n  LBody\n   P two";
    assert_eq!(structure(&pages(&body, &[("upperRoman", "%1.")])), wanted);
}

#[test]
fn different_lists_are_different_elements() {
    let body = item(1, 0, "one") + &item(2, 0, "point");
    let found = structure(&pages(&body, &[("decimal", "%1."), ("bullet", "•")]));
    assert!(found.starts_with("L Decimal\n") && found.contains("\nL Disc\n LI\n  Lbl •\n"), "{found}");
}

#[test]
fn the_numbering_follows_the_format_of_the_label() {
    for (format, text, wanted) in [
        ("decimalZero", "%1", ListNumbering::Decimal),
        ("upperRoman", "%1", ListNumbering::UpperRoman),
        ("lowerRoman", "%1", ListNumbering::LowerRoman),
        ("upperLetter", "%1", ListNumbering::UpperAlpha),
        ("lowerLetter", "%1", ListNumbering::LowerAlpha),
        ("arabicAbjad", "%1", ListNumbering::LowerAlpha),
        ("hindiNumbers", "%1", ListNumbering::Decimal),
        ("bullet", "•", ListNumbering::Disc),
        ("bullet", "o", ListNumbering::Circle),
        ("bullet", "▪", ListNumbering::Square),
        ("bullet", "–", ListNumbering::Disc),
    ] {
        let pages = pages(&item(1, 0, "text"), &[(format, text)]);
        let kinds = pages.structure.iter().filter_map(|element| match element.kind {
            ElementKind::List(kind) => Some(kind),
            _ => None,
        });
        assert_eq!(kinds.collect::<Vec<_>>(), [wanted], "{format} {text}");
    }
}

#[test]
fn labels_of_arabic_items_and_of_items_in_cells_are_tagged() {
    let arabic = "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>بند</w:t></w:r></w:p>";
    let found = structure(&pages(arabic, &[("decimal", "%1-")]));
    assert!(found.contains("Lbl 1-\n") || found.contains("Lbl -1\n"), "{found}");
    assert!(found.contains("P بند"), "{found}");
    let cell = format!(
        "<w:tbl><w:tblPr><w:tblBorders><w:top w:val=\"single\" w:sz=\"4\"/></w:tblBorders></w:tblPr><w:tblGrid><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/></w:tblGrid>\
         <w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>{}",
        item(1, 0, "in a cell"),
        paragraph("beside"),
        paragraph("end")
    );
    let found = structure(&pages(&cell, &[("decimal", "%1.")]));
    assert!(found.contains("   L Decimal\n    LI\n     Lbl 1.\n     LBody\n      P in a cell"), "{found}");
}

#[test]
fn numbered_headings_are_headings_and_not_list_items() {
    let heading = styled("Heading1", &run("Title"))
        .replace("</w:pPr>", "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr>");
    assert_eq!(structure(&pages(&heading, &[("decimal", "%1.")])), "H 1.Title");
}

#[test]
fn the_pdf_contains_the_labels_and_the_numbering() {
    let body = item(1, 0, "one") + &item(1, 1, "inner") + &item(2, 0, "square");
    let pages = pages(&body, &[("decimal", "%1."), ("bullet", "▪")]);
    let pdf = waraq_engine::pdf(&pages, &PdfOptions::default()).unwrap();
    let path = std::env::temp_dir().join(format!("waraq-tagged-lists-{}.pdf", std::process::id()));
    std::fs::write(&path, &pdf.bytes).unwrap();
    let output = Command::new("qpdf").args(["--qdf", "--object-streams=disable"]).arg(&path).arg("-").output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let plain = String::from_utf8_lossy(&output.stdout).into_owned();
    for wanted in
        ["/S /Lbl", "/S /LBody", "/ListNumbering /Decimal", "/ListNumbering /LowerAlpha", "/ListNumbering /Square"]
    {
        assert!(plain.contains(wanted), "{wanted}");
    }
}
