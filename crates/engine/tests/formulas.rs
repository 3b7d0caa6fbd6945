//! Formulas in a PDF are searched and read aloud in spoken order, not in painting order.

use std::process::Command;

use waraq_docx::build::{Document, run};
use waraq_engine::{PdfOptions, Setting};

fn letters(text: &str) -> String {
    format!("<m:r><m:t>{text}</m:t></m:r>")
}

fn part(name: &str, inside: &str) -> String {
    format!("<m:{name}>{inside}</m:{name}>")
}

fn fraction(above: &str, below: &str) -> String {
    part("f", &(part("num", above) + &part("den", below)))
}

fn document() -> Vec<u8> {
    let root = part("rad", &format!("<m:radPr><m:degHide/></m:radPr>{}", part("e", &letters("D"))));
    let quadratic = letters("x=") + &fraction(&(letters("-b±") + &root), &letters("2a"));
    let power =
        part("sSubSup", &(part("e", &letters("y")) + &part("sub", &letters("i")) + &part("sup", &letters("k"))));
    let limits = "<m:naryPr><m:chr m:val=\"∑\"/><m:limLoc m:val=\"undOvr\"/></m:naryPr>";
    let sum = part(
        "nary",
        &(limits.to_owned() + &part("sub", &letters("i=1")) + &part("sup", &letters("n")) + &part("e", &power)),
    );
    let row = |cells: [&str; 2]| part("mr", &cells.map(|cell| part("e", &letters(cell))).concat());
    let matrix = part("d", &part("e", &part("m", &(row(["p", "q"]) + &row(["r", "s"])))));
    let lines: String = [quadratic, sum, matrix]
        .iter()
        .map(|formula| format!("<w:p>{}</w:p>", part("oMathPara", &part("oMath", formula))))
        .collect();
    let inline = format!(
        "<w:p>{}{}{}</w:p>",
        run("Before "),
        part("oMath", &fraction("<m:r><m:t>u</m:t></m:r>", "<m:r><m:t>v</m:t></m:r>")),
        run(" after.")
    );
    Document::new(&(lines + &inline)).to_bytes()
}

/// Returns the text in the order of the file, in which screen readers and searches read it.
fn in_order(pdf: &[u8]) -> String {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("formulas.pdf");
    std::fs::write(&file, pdf).unwrap();
    let output = Command::new("pdftotext").arg("-raw").arg(&file).arg("-").output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().split_whitespace().collect()
}

#[test]
fn formulas_are_read_in_their_own_order() {
    let package = waraq_engine::open(&document()).unwrap();
    let pages = waraq_engine::pages(&package, &Setting::default()).unwrap();
    for tagged in [false, true] {
        let made = waraq_engine::pdf(&pages, &PdfOptions { tagged, ..PdfOptions::plain() }).unwrap();
        let text = in_order(&made.bytes);
        // Spoken order: numerator before denominator, a radicand after its root, lower limit before upper limit,
        // matrices row by row.
        for part in ["x=-b±√D2a", "∑i=1nyik", "(pqrs)", "Beforeuvafter."] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
