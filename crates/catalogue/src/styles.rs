//! `word/styles.xml` (ECMA-376 part 1, §17.7): a style for each kind of paragraph.

use crate::source::{SourceHead, Style};

/// Returns the `w:styleId` of a paragraph style.
pub fn style_id(style: Style) -> &'static str {
    match style {
        Style::Title => "Title",
        Style::Subtitle => "Subtitle",
        Style::Heading1 => "Heading1",
        Style::Heading2 => "Heading2",
        Style::Clause1 => "ClauseHeading",
        Style::Clause2 => "Clause",
        Style::Clause3 => "ClausePoint",
        Style::Bullet => "ListBullet",
        Style::Note => "Note",
        Style::TrailingAligned => "FarEdge",
        Style::Centred => "Centred",
        Style::Block => "BlockText",
        Style::Body => "BodyText",
    }
}

/// Light grey-blue background of table heads and labels.
pub const TINT: &str = "EEF2F6";
/// Colour of hairlines and table borders.
pub const RULE: &str = "A6B0BC";

/// A paragraph style.
struct ParagraphStyle {
    id: &'static str,
    name: &'static str,
    base: &'static str,
    properties: String,
    runs: String,
}

pub fn xml(head: &SourceHead) -> String {
    let look = &head.look;
    let lang = if head.language.is_right_to_left() {
        format!("<w:lang w:val=\"en-US\" w:eastAsia=\"en-US\" w:bidi=\"{}\"/>", head.locale)
    } else {
        format!("<w:lang w:val=\"{}\" w:eastAsia=\"en-US\" w:bidi=\"ar-SA\"/>", head.locale)
    };
    let mut out = format!(
        "{}<w:styles xmlns:w=\"{}\"><w:docDefaults><w:rPrDefault><w:rPr>\
         <w:rFonts w:ascii=\"{font}\" w:hAnsi=\"{font}\" w:eastAsia=\"{font}\" w:cs=\"{cs}\"/>\
         <w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/>{lang}</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>\
         <w:spacing w:after=\"120\" w:line=\"{}\" w:lineRule=\"auto\"/></w:pPr></w:pPrDefault></w:docDefaults>",
        crate::package::XML,
        crate::package::W,
        look.line,
        size = look.size,
        font = look.font,
        cs = complex_font(head),
    );
    out.push_str(
        "<w:style w:type=\"character\" w:default=\"1\" w:styleId=\"DefaultParagraphFont\"><w:name w:val=\"Default \
         Paragraph Font\"/><w:uiPriority w:val=\"1\"/><w:semiHidden/></w:style>\
         <w:style w:type=\"numbering\" w:default=\"1\" w:styleId=\"NoList\"><w:name w:val=\"No List\"/></w:style>\
         <w:style w:type=\"table\" w:default=\"1\" w:styleId=\"TableNormal\"><w:name w:val=\"Normal Table\"/><w:tblPr>\
         <w:tblInd w:w=\"0\" w:type=\"dxa\"/><w:tblCellMar><w:top w:w=\"0\" w:type=\"dxa\"/><w:left w:w=\"108\" \
         w:type=\"dxa\"/><w:bottom w:w=\"0\" w:type=\"dxa\"/><w:right w:w=\"108\" w:type=\"dxa\"/></w:tblCellMar>\
         </w:tblPr></w:style>",
    );
    out.push_str(&format!(
        "<w:style w:type=\"table\" w:customStyle=\"1\" w:styleId=\"TableLabels\"><w:name w:val=\"Table Labels\"/>\
         <w:basedOn w:val=\"TableNormal\"/><w:tblStylePr w:type=\"firstCol\"><w:tcPr><w:shd w:val=\"clear\" w:color=\"auto\" \
         w:fill=\"{TINT}\"/></w:tcPr></w:tblStylePr></w:style>",
    ));
    for style in paragraph_styles(head) {
        out.push_str(&style_xml(&style));
    }
    out.push_str("</w:styles>");
    out
}

/// Returns the font for complex scripts (`w:cs`). In an Arabic template, all text has this font.
pub fn complex_font(head: &SourceHead) -> &'static str {
    if head.language.is_right_to_left() { head.look.font } else { "Times New Roman" }
}

fn style_xml(style: &ParagraphStyle) -> String {
    let (default, based) = if style.id == "Normal" {
        (" w:default=\"1\"", String::new())
    } else {
        ("", format!("<w:basedOn w:val=\"{}\"/>", style.base))
    };
    let next = if style.name.starts_with("heading") || matches!(style.id, "Title" | "Subtitle") {
        "<w:next w:val=\"BodyText\"/>"
    } else {
        ""
    };
    let wrapped = |tag: &str, inner: &str| {
        if inner.is_empty() { String::new() } else { format!("<w:{tag}>{inner}</w:{tag}>") }
    };
    format!(
        "<w:style w:type=\"paragraph\"{default} w:styleId=\"{}\"><w:name w:val=\"{}\"/>{based}{next}<w:qFormat/>{}{}\
         </w:style>",
        style.id,
        style.name,
        wrapped("pPr", &style.properties),
        wrapped("rPr", &style.runs),
    )
}

/// Returns all paragraph styles. The children of `w:pPr` and `w:rPr` are in the order of the schema.
fn paragraph_styles(head: &SourceHead) -> Vec<ParagraphStyle> {
    let look = &head.look;
    let rtl = head.language.is_right_to_left();
    let bidi = if rtl { "<w:bidi/>" } else { "" };
    let jc = if look.justified { "<w:jc w:val=\"both\"/>" } else { "" };
    let sizes = |more: i64| {
        let size = i64::from(look.size) + more;
        format!("<w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/>")
    };
    let fonts = if look.heading_font == look.font {
        String::new()
    } else {
        format!("<w:rFonts w:ascii=\"{0}\" w:hAnsi=\"{0}\" w:eastAsia=\"{0}\"/>", look.heading_font)
    };
    let accent = format!("<w:color w:val=\"{}\"/>", look.accent);
    let bold = "<w:b/><w:bCs/>";
    let heading = |more: i64| format!("{fonts}{bold}{accent}{}", sizes(more));
    let spacing = |before: u32, after: u32| format!("<w:spacing w:before=\"{before}\" w:after=\"{after}\"/>");
    let tight = "<w:spacing w:before=\"40\" w:after=\"40\" w:line=\"240\" w:lineRule=\"auto\"/>";
    let new = |style_id, name, base, properties: String, runs: String| ParagraphStyle {
        id: style_id,
        name,
        base,
        properties,
        runs,
    };
    let under =
        format!("<w:pBdr><w:bottom w:val=\"single\" w:sz=\"8\" w:space=\"2\" w:color=\"{}\"/></w:pBdr>", look.accent);
    let tabs = format!("<w:tabs><w:tab w:val=\"right\" w:pos=\"{}\"/></w:tabs>", crate::page_parts::text_width(look));
    let grey = "<w:color w:val=\"595959\"/>";
    let hairline = |side: &str| {
        format!("<w:pBdr><w:{side} w:val=\"single\" w:sz=\"4\" w:space=\"4\" w:color=\"{RULE}\"/></w:pBdr>")
    };
    vec![
        new("Normal", "Normal", "", format!("<w:widowControl/>{bidi}"), String::new()),
        new("BodyText", "Body Text", "Normal", jc.to_owned(), String::new()),
        new(
            "Title",
            "Title",
            "Normal",
            format!("<w:keepNext/>{}<w:jc w:val=\"center\"/>", spacing(120, 120)),
            heading(13),
        ),
        new(
            "Subtitle",
            "Subtitle",
            "Normal",
            format!("<w:keepNext/>{}<w:jc w:val=\"center\"/>", spacing(0, 240)),
            format!("{grey}{}", sizes(1)),
        ),
        new(
            "Heading1",
            "heading 1",
            "Normal",
            format!("<w:keepNext/><w:keepLines/>{under}{}<w:outlineLvl w:val=\"0\"/>", spacing(280, 120)),
            heading(4),
        ),
        new(
            "Heading2",
            "heading 2",
            "Normal",
            format!("<w:keepNext/><w:keepLines/>{}<w:outlineLvl w:val=\"1\"/>", spacing(180, 60)),
            heading(1),
        ),
        new(
            "ClauseHeading",
            "Clause Heading",
            "Normal",
            format!(
                "<w:keepNext/><w:keepLines/><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>{}<w:outlineLvl w:val=\"0\"/>",
                spacing(220, 80)
            ),
            heading(2),
        ),
        new(
            "Clause",
            "Clause",
            "Normal",
            format!("<w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"1\"/></w:numPr>{jc}"),
            String::new(),
        ),
        new(
            "ClausePoint",
            "Clause Point",
            "Normal",
            format!("<w:numPr><w:ilvl w:val=\"2\"/><w:numId w:val=\"1\"/></w:numPr>{}{jc}", spacing(0, 60)),
            String::new(),
        ),
        new(
            "ListBullet",
            "List Bullet",
            "Normal",
            format!("<w:numPr><w:numId w:val=\"2\"/></w:numPr>{}<w:contextualSpacing/>", spacing(0, 80)),
            String::new(),
        ),
        new("BlockText", "Block Text", "Normal", format!("<w:ind w:left=\"567\" w:right=\"567\"/>{jc}"), String::new()),
        new("Centred", "Centred", "Normal", "<w:jc w:val=\"center\"/>".to_owned(), String::new()),
        new("FarEdge", "Far Edge", "Normal", "<w:jc w:val=\"right\"/>".to_owned(), String::new()),
        new("Note", "Note", "Normal", spacing(60, 60), format!("{grey}{}", sizes(-3))),
        new("TableText", "Table Text", "Normal", tight.to_owned(), sizes(-1)),
        new("TableHead", "Table Head", "TableText", "<w:keepNext/>".to_owned(), bold.to_owned()),
        new("TableAmount", "Table Amount", "TableText", "<w:jc w:val=\"right\"/>".to_owned(), String::new()),
        new("SignatureText", "Signature Text", "TableText", "<w:keepNext/><w:keepLines/>".to_owned(), String::new()),
        new(
            "Header",
            "header",
            "Normal",
            format!("{}{tabs}<w:spacing w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/>", hairline("bottom")),
            format!("{grey}{}", sizes(-4)),
        ),
        new(
            "Footer",
            "footer",
            "Normal",
            format!("{}{tabs}<w:spacing w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/>", hairline("top")),
            format!("{grey}{}", sizes(-4)),
        ),
    ]
}
