//! Writes the properties of the section (paper, margins), its header, and its footer with "Page X of Y".

use crate::inline::{TextOptions, runs};
use crate::source::{Language, Look, SourceHead};

/// The relationship ids of the header, the footer and the first page's header in the document part.
pub const HEADER: &str = "rIdHeader";
pub const FOOTER: &str = "rIdFooter";
pub const FIRST_HEADER: &str = "rIdFirstHeader";

/// Returns the width and the height of the paper in twentieths of a point.
fn paper_size(look: &Look) -> (u32, u32) {
    if look.letter { (12240, 15840) } else { (11906, 16838) }
}

/// Returns the width between the margins, in twentieths of a point.
pub fn text_width(look: &Look) -> u32 {
    paper_size(look).0.saturating_sub(2 * look.margins.1)
}

/// Returns the section properties `w:sectPr` (§17.6.17).
pub fn section(head: &SourceHead) -> String {
    let (width, height) = paper_size(&head.look);
    let (vertical, horizontal) = head.look.margins;
    let rtl = head.language.is_right_to_left();
    let mut references = String::new();
    if has_header(head) {
        references.push_str(&format!("<w:headerReference w:type=\"default\" r:id=\"{HEADER}\"/>"));
        if head.no_header_on_first_page {
            references.push_str(&format!("<w:headerReference w:type=\"first\" r:id=\"{FIRST_HEADER}\"/>"));
        }
    }
    references.push_str(&format!("<w:footerReference w:type=\"default\" r:id=\"{FOOTER}\"/>"));
    if head.no_header_on_first_page {
        references.push_str(&format!("<w:footerReference w:type=\"first\" r:id=\"{FOOTER}\"/>"));
    }
    format!(
        "<w:sectPr>{references}<w:pgSz w:w=\"{width}\" w:h=\"{height}\"/><w:pgMar w:top=\"{vertical}\" \
         w:right=\"{horizontal}\" w:bottom=\"{vertical}\" w:left=\"{horizontal}\" w:header=\"624\" w:footer=\"567\" \
         w:gutter=\"0\"/><w:cols w:space=\"708\"/>{}{}</w:sectPr>",
        if head.no_header_on_first_page { "<w:titlePg/>" } else { "" },
        if rtl { "<w:bidi/>" } else { "" },
    )
}

pub fn has_header(head: &SourceHead) -> bool {
    !(head.header.0.is_empty() && head.header.1.is_empty())
}

pub fn header(head: &SourceHead) -> String {
    let (start, end) = head.header;
    let setting = TextOptions::for_language(head.language);
    let text = if end.is_empty() { start.to_owned() } else { format!("{start}⇥{end}") };
    header_or_footer_xml("hdr", "Header", &runs(&text, setting), setting)
}

/// Returns an empty header. Word shows it on the first page instead of the header of the other pages. It contains an
/// empty paragraph, as Word writes it.
pub fn first_header(head: &SourceHead) -> String {
    header_or_footer_xml("hdr", "Normal", "", TextOptions::for_language(head.language))
}

pub fn footer(head: &SourceHead) -> String {
    let setting = TextOptions::for_language(head.language);
    let (before, between) = match head.language {
        Language::English => ("Page ", " of "),
        Language::French => ("Page ", " sur "),
        Language::Arabic => ("صفحة ", " من "),
    };
    let content = format!(
        "{}{}{}{}",
        runs(&format!("{}⇥{before}", head.footer), setting),
        field("PAGE", setting),
        runs(between, setting),
        field("NUMPAGES", setting),
    );
    header_or_footer_xml("ftr", "Footer", &content, setting)
}

fn header_or_footer_xml(element: &str, style: &str, content: &str, setting: TextOptions) -> String {
    let bidi = if setting.right_to_left { "<w:bidi/>" } else { "" };
    format!(
        "{}<w:{element} xmlns:w=\"{}\" xmlns:r=\"{}\"><w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{bidi}</w:pPr>{content}\
         </w:p></w:{element}>",
        crate::package::XML,
        crate::package::W,
        crate::package::R,
    )
}

/// Returns the XML of a field whose result Word updates itself (§17.16.5), such as `PAGE`. The field has a begin mark,
/// the instruction, a separator, the initial result 1 and an end mark.
fn field(instruction: &str, setting: TextOptions) -> String {
    let properties = if setting.right_to_left { "<w:rPr><w:rtl/></w:rPr>" } else { "" };
    let mark = |kind: &str| format!("<w:r>{properties}<w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!(
        "{}<w:r>{properties}<w:instrText xml:space=\"preserve\"> {instruction} </w:instrText></w:r>{}<w:r>{properties}\
         <w:t>1</w:t></w:r>{}",
        mark("begin"),
        mark("separate"),
        mark("end"),
    )
}
