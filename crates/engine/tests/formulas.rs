//! Formulas in a PDF are searched and read aloud in spoken order, not in painting order.

use std::process::Command;

use waraq_docx::build::{DocumentBuilder, run};
use waraq_engine::{LayoutOptions, PdfOptions};

fn letters(text: &str) -> String {
    format!("<m:r><m:t>{text}</m:t></m:r>")
}

fn element(name: &str, inside: &str) -> String {
    format!("<m:{name}>{inside}</m:{name}>")
}

fn fraction(above: &str, below: &str) -> String {
    element("f", &(element("num", above) + &element("den", below)))
}

fn document() -> Vec<u8> {
    let root = element("rad", &format!("<m:radPr><m:degHide/></m:radPr>{}", element("e", &letters("D"))));
    let quadratic = letters("x=") + &fraction(&(letters("-b±") + &root), &letters("2a"));
    let power = element(
        "sSubSup",
        &(element("e", &letters("y")) + &element("sub", &letters("i")) + &element("sup", &letters("k"))),
    );
    let limits = "<m:naryPr><m:chr m:val=\"∑\"/><m:limLoc m:val=\"undOvr\"/></m:naryPr>";
    let sum = element(
        "nary",
        &(limits.to_owned()
            + &element("sub", &letters("i=1"))
            + &element("sup", &letters("n"))
            + &element("e", &power)),
    );
    let row = |cells: [&str; 2]| element("mr", &cells.map(|cell| element("e", &letters(cell))).concat());
    let matrix = element("d", &element("e", &element("m", &(row(["p", "q"]) + &row(["r", "s"])))));
    let lines: String = [quadratic, sum, matrix]
        .iter()
        .map(|formula| format!("<w:p>{}</w:p>", element("oMathPara", &element("oMath", formula))))
        .collect();
    let inline = format!(
        "<w:p>{}{}{}</w:p>",
        run("Before "),
        element("oMath", &fraction("<m:r><m:t>u</m:t></m:r>", "<m:r><m:t>v</m:t></m:r>")),
        run(" after.")
    );
    DocumentBuilder::new(&(lines + &inline)).to_bytes()
}

/// Returns the text in the order of the file, in which screen readers and searches read it.
fn text_in_file_order(pdf: &[u8]) -> String {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("formulas.pdf");
    std::fs::write(&file, pdf).unwrap();
    let output = Command::new("pdftotext").arg("-raw").arg(&file).arg("-").output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().split_whitespace().collect()
}

#[test]
fn formulas_are_read_in_spoken_order() {
    let package = waraq_engine::open(&document()).unwrap();
    let pages = waraq_engine::lay_out(&package, &LayoutOptions::default()).unwrap();
    for tagged in [false, true] {
        let made = waraq_engine::pdf(&pages, &PdfOptions { tagged, ..PdfOptions::plain() }).unwrap();
        let text = text_in_file_order(&made.bytes);
        // Spoken order: numerator before denominator, a radicand after its root, lower limit before upper limit,
        // matrices row by row.
        for part in ["x=-b±√D2a", "∑i=1nyik", "(pqrs)", "Beforeuvafter."] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
