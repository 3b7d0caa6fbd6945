//! Fuzz targets for one or more parts of an otherwise valid document.

use std::borrow::Cow;

use waraq_docx::Package;
use waraq_docx::build::{paragraph, run};
use waraq_engine::{Budget, LayoutOptions};

use crate::documents::{body, complete_document, part};
use crate::{checks, memory, mend};

/// Memory limit in megabytes for the layout of a document of a few kilobytes. Most of it is used by the fonts' tables.
const MEGABYTES: usize = 192;
/// Separator between the pieces of an input for several parts.
const BETWEEN: &str = "\n==\n";

fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// Returns a part with repaired content. Text that begins with `<?` is the whole part, unchanged.
fn content(root: &str, text: &str) -> Vec<u8> {
    if text.starts_with("<?") { text.as_bytes().to_vec() } else { part(root, &mend(text)) }
}

fn run_with(data: &[u8], package: &Package, options: &LayoutOptions) {
    memory::with_limit(MEGABYTES, || {
        checks::check_fields(package);
        checks::lay_out(package, data, options);
    });
}

fn with(data: &[u8], parts: &[(&str, Vec<u8>)]) {
    let package = parts.iter().fold(complete_document().with_budget(&Budget::default()), |package, (name, content)| {
        package.with_part(name, content.clone())
    });
    run_with(data, &package, &LayoutOptions::default());
}

fn main_part(content: &str) -> Vec<u8> {
    part("w:document", &format!("<w:body>{content}</w:body>"))
}

/// The body: paragraphs, runs, tables, fields and sections.
pub fn document(data: &[u8]) {
    let text = text(data);
    let main = if text.starts_with("<?") { text.as_bytes().to_vec() } else { main_part(&mend(&text)) };
    with(data, &[("word/document.xml", main)]);
}

/// Styles, for text that uses A, B, C and T.
pub fn styles(data: &[u8]) {
    with(data, &[("word/styles.xml", content("w:styles", &text(data)))]);
}

/// Numbering, for lists 1 to 3.
pub fn numbering(data: &[u8]) {
    with(data, &[("word/numbering.xml", content("w:numbering", &text(data)))]);
}

/// A header and, after a line of `==`, a footer.
pub fn headers(data: &[u8]) {
    let text = text(data);
    let (header, footer) = text.split_once(BETWEEN).unwrap_or((&text, ""));
    let main = main_part(&format!("{}<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>{}", paragraph("one"), body()));
    with(
        data,
        &[
            ("word/document.xml", main),
            ("word/header1.xml", content("w:hdr", header)),
            ("word/footer1.xml", content("w:ftr", footer)),
        ],
    );
}

/// Footnotes and, after a line of `==`, endnotes. The body refers to 1 to 4 of each.
pub fn notes(data: &[u8]) {
    let text = text(data);
    let (footnotes, endnotes) = text.split_once(BETWEEN).unwrap_or((&text, ""));
    let calls: String = (1..=4)
        .map(|id| {
            format!("<w:p>{}<w:r><w:footnoteReference w:id=\"{id}\"/></w:r><w:r><w:endnoteReference w:id=\"{id}\"/></w:r></w:p>", run("text"))
        })
        .collect();
    with(
        data,
        &[
            ("word/document.xml", main_part(&(calls + &body()))),
            ("word/footnotes.xml", content("w:footnotes", footnotes)),
            ("word/endnotes.xml", content("w:endnotes", endnotes)),
        ],
    );
}

/// Comments, which are shown.
pub fn comments(data: &[u8]) {
    let package = complete_document()
        .with_budget(&Budget::default())
        .with_part("word/comments.xml", content("w:comments", &text(data)));
    run_with(data, &package, &LayoutOptions { show_comments: true, ..LayoutOptions::default() });
}

/// Settings and, after lines of `==`, the core, extended and custom properties and the font table.
pub fn settings(data: &[u8]) {
    let text = text(data);
    let mut pieces = text.split(BETWEEN);
    let mut piece = |root: &str| content(root, pieces.next().unwrap_or_default());
    with(
        data,
        &[
            ("word/settings.xml", piece("w:settings")),
            ("docProps/core.xml", piece("cp:coreProperties")),
            ("docProps/app.xml", piece("ep:Properties")),
            ("docProps/custom.xml", piece("op:Properties")),
            ("word/fontTable.xml", piece("w:fonts")),
        ],
    );
}

/// The theme, for styles that use its fonts and colours.
pub fn theme(data: &[u8]) {
    let styles = "<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:asciiTheme=\"minorHAnsi\" w:hAnsiTheme=\"minorHAnsi\" w:cstheme=\"minorBidi\"/>\
        <w:color w:val=\"auto\" w:themeColor=\"accent1\" w:themeTint=\"80\"/></w:rPr></w:rPrDefault></w:docDefaults>\
        <w:style w:type=\"paragraph\" w:styleId=\"A\"><w:name w:val=\"A\"/><w:pPr><w:shd w:val=\"clear\" w:themeFill=\"dark2\" w:themeFillShade=\"40\"/></w:pPr></w:style>";
    with(data, &[("word/styles.xml", part("w:styles", styles)), ("word/theme1.xml", content("a:theme", &text(data)))]);
}

/// The content of a run: w:drawing, w:pict, w:object. `rId11` is a picture.
pub fn drawing(data: &[u8]) {
    let runs = mend(&text(data));
    let main = main_part(&format!("<w:p><w:r>{runs}</w:r>{}</w:p>{}", run("text beside it"), paragraph("below")));
    with(data, &[("word/document.xml", main)]);
}

/// The content of m:oMath, inline and as display.
pub fn math(data: &[u8]) {
    let math = mend(&text(data));
    let main = main_part(&format!(
        "<w:p>{}<m:oMath>{math}</m:oMath></w:p><w:p><m:oMathPara><m:oMath>{math}</m:oMath></m:oMathPara></w:p>",
        run("let ")
    ));
    with(data, &[("word/document.xml", main)]);
}

/// HTML in an altChunk. It is not repaired, because HTML need not be well-formed.
pub fn html(data: &[u8]) {
    let main = main_part(&format!("{}<w:altChunk r:id=\"rId12\"/>{}", paragraph("above"), paragraph("below")));
    with(data, &[("word/document.xml", main), ("word/chunk.html", data.to_vec())]);
}
