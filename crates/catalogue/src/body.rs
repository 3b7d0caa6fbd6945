//! Writes `word/document.xml`: the blocks in order, followed by the properties of the section.

use crate::inline::{TextOptions, runs};
use crate::source::{Block, Source, Style};
use crate::{numbering, page_parts, styles, table};

pub fn xml(source: &Source) -> String {
    let head = &source.head;
    let setting = TextOptions::for_language(head.language);
    let mut out = format!(
        "{}<w:document xmlns:w=\"{}\" xmlns:r=\"{}\"><w:body>",
        crate::package::XML,
        crate::package::W,
        crate::package::R
    );
    let (mut restarts, mut page_break) = (0, false);
    for (index, block) in source.blocks.iter().enumerate() {
        match block {
            Block::PageBreak => page_break = true,
            Block::RestartClauses => restarts += 1,
            Block::Paragraph { style, text } => {
                let mut more = String::new();
                if keeps_with_next(*style, source.blocks.get(index + 1)) {
                    more.push_str("<w:keepNext/>");
                }
                if std::mem::take(&mut page_break) {
                    more.push_str("<w:pageBreakBefore/>");
                }
                if restarts > 0 && matches!(style, Style::Clause1 | Style::Clause2 | Style::Clause3) {
                    let level = *style as usize - Style::Clause1 as usize;
                    let list = numbering::clause_list_id(restarts);
                    more.push_str(&format!(
                        "<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>"
                    ));
                }
                out.push_str(&paragraph(styles::style_id(*style), &more, text, setting));
            }
            Block::Table(content) => {
                out.push_str(&table::xml(content, &head.look, setting));
                out.push_str(&spacer(setting));
            }
            Block::Signatures(rows) => out.push_str(&table::signatures(rows, &head.look, setting)),
        }
    }
    if !matches!(source.blocks.last(), Some(Block::Paragraph { .. } | Block::Table(_))) {
        out.push_str(&spacer(setting)); // Word requires a paragraph at the end of the body
    }
    out.push_str(&page_parts::section(head));
    out.push_str("</w:body></w:document>");
    out
}

/// Returns whether a paragraph must stay on the page of the next block, because it introduces a table or a signature block.
fn keeps_with_next(style: Style, next: Option<&Block>) -> bool {
    matches!(next, Some(Block::Table(_) | Block::Signatures(_)))
        && !matches!(style, Style::Title | Style::Heading1 | Style::Heading2 | Style::Clause1)
}

/// Returns the XML of a paragraph. `more` is XML that is inserted into `w:pPr` directly after the style. The schema
/// fixes the order of the elements, so `more` may contain only elements from `w:keepNext` to `w:numPr`.
pub fn paragraph(style: &str, more: &str, text: &str, setting: TextOptions) -> String {
    aligned_paragraph(style, more, "", text, setting)
}

/// Returns the XML of a paragraph with the alignment `jc`, a value of `w:jc`. If `jc` is empty, the style determines
/// the alignment. `more` is XML for `w:pPr`, and is inserted directly after the style. `more` may contain only the
/// elements that [`paragraph`] allows.
pub fn aligned_paragraph(style: &str, more: &str, jc: &str, text: &str, setting: TextOptions) -> String {
    let bidi = if setting.right_to_left { "<w:bidi/>" } else { "" };
    let mark = if setting.right_to_left { "<w:rPr><w:rtl/></w:rPr>" } else { "" };
    let jc = if jc.is_empty() { String::new() } else { format!("<w:jc w:val=\"{jc}\"/>") };
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{more}{bidi}{jc}{mark}</w:pPr>{}</w:p>", runs(text, setting))
}

/// Returns an empty paragraph to leave space below a table, because tables in Word have no spacing.
fn spacer(setting: TextOptions) -> String {
    let bidi = if setting.right_to_left { "<w:bidi/>" } else { "" };
    format!(
        "<w:p><w:pPr><w:pStyle w:val=\"BodyText\"/>{bidi}<w:spacing w:before=\"0\" w:after=\"0\" w:line=\"160\" \
         w:lineRule=\"exact\"/></w:pPr></w:p>"
    )
}
