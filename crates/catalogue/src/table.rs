//! Tables and signature blocks (ECMA-376 part 1, §17.4). In a right-to-left document they are mirrored (`bidiVisual`).

use crate::body::aligned_paragraph;
use crate::inline::TextOptions;
use crate::page_parts::text_width;
use crate::source::{Look, SignatureRow, Table, TableLook};
use crate::styles::{RULE, TINT};

/// Space between the two sides of a signature block, in twentieths of a point.
const GAP: u32 = 567;

pub fn xml(table: &Table, look: &Look, setting: TextOptions) -> String {
    let total = text_width(look);
    let total_share: u32 = table.widths.iter().sum::<u32>().max(1);
    let columns: Vec<u32> = table.widths.iter().map(|width| width * total / total_share).collect();
    let mut out = opening(&columns, table.look, table.labels.contains(&1), setting);
    for (index, row) in table.rows.iter().enumerate() {
        let is_head = index < table.header_rows;
        let is_total = index + table.total_rows >= table.rows.len();
        let header = if is_head { "<w:tblHeader/>" } else { "" };
        out.push_str(&format!("<w:tr><w:trPr><w:cantSplit/>{header}</w:trPr>"));
        let mut column = 0;
        for cell in row {
            let width: u32 = columns.iter().skip(column).take(cell.span).sum();
            let label = table.labels.contains(&(column + 1));
            // In a total row, a cell that spans columns is the label of the amount, and is aligned towards the amount.
            let align = if cell.span > 1 && is_total { Some('r') } else { table.align.get(column).copied() };
            let style = if is_head || label {
                "TableHead"
            } else if align == Some('r') {
                "TableAmount"
            } else {
                "TableText"
            };
            let jc = match (align, style) {
                (Some('c'), _) => "center",
                (Some('r'), "TableHead") => "right",
                _ => "",
            };
            let mut text = cell.text.clone();
            if is_total && !text.is_empty() {
                text = format!("**{}**", text.replace("**", ""));
            }
            let keep = if table.total_rows > 0
                && index + table.total_rows + 1 >= table.rows.len()
                && index + 1 < table.rows.len()
            {
                "<w:keepNext/>"
            } else {
                ""
            };
            out.push_str(&cell_opening(width, cell.span, &cell_shading(table.look, look, is_head, is_total, label)));
            let content = aligned_paragraph(style, keep, jc, &text, setting);
            out.push_str(&if is_head && table.look == TableLook::Ledger { whiten(&content) } else { content });
            out.push_str("</w:tc>");
            column += cell.span;
        }
        out.push_str("</w:tr>");
    }
    out.push_str("</w:tbl>");
    out
}

/// Returns a signature block: two columns of names and lines for signatures, kept on one page.
pub fn signatures(rows: &[SignatureRow], look: &Look, setting: TextOptions) -> String {
    let side = (text_width(look) - GAP) / 2;
    let columns = [side, GAP, side];
    let mut out = opening(&columns, TableLook::Plain, false, setting);
    let keep_to = rows.len().saturating_sub(1);
    for (index, row) in rows.iter().enumerate() {
        if row.has_signature_line {
            out.push_str("<w:tr><w:trPr><w:cantSplit/><w:trHeight w:val=\"680\" w:hRule=\"atLeast\"/></w:trPr>");
            let fields = row.signature_fields.iter().map(Some).intersperse_gap();
            for ((text, field), width) in row.sides.iter().map(Some).intersperse_gap().zip(fields).zip(columns) {
                let field = field.map_or("", String::as_str);
                // The text of an empty signature field is a dotted line, so the cell needs no line of its own.
                let border = match text {
                    _ if !field.is_empty() => "<w:vAlign w:val=\"bottom\"/>",
                    Some(caption) if !caption.is_empty() => {
                        "<w:tcBorders><w:bottom w:val=\"single\" w:sz=\"6\" w:space=\"0\" w:color=\"404040\"/></w:tcBorders>"
                    }
                    _ => "",
                };
                out.push_str(&cell_opening(width, 1, border));
                out.push_str(&aligned_paragraph("SignatureText", "", "", field, setting));
                out.push_str("</w:tc>");
            }
            out.push_str("</w:tr>");
        }
        out.push_str("<w:tr><w:trPr><w:cantSplit/></w:trPr>");
        for (text, width) in row.sides.iter().map(Some).intersperse_gap().zip(columns) {
            let style = if row.has_signature_line { "Note" } else { "SignatureText" };
            let keep = if index < keep_to && row.has_signature_line { "<w:keepNext/>" } else { "" };
            out.push_str(&cell_opening(width, 1, ""));
            out.push_str(&aligned_paragraph(style, keep, "", text.map_or("", String::as_str), setting));
            out.push_str("</w:tc>");
        }
        out.push_str("</w:tr>");
    }
    out.push_str("</w:tbl>");
    out
}

/// Inserts `None` between the two sides of a signature row. `None` marks the empty column there.
trait IntersperseGap<'a> {
    fn intersperse_gap(self) -> std::vec::IntoIter<Option<&'a String>>;
}

impl<'a, I: Iterator<Item = Option<&'a String>>> IntersperseGap<'a> for I {
    fn intersperse_gap(self) -> std::vec::IntoIter<Option<&'a String>> {
        let mut sides: Vec<_> = self.collect();
        sides.insert(1.min(sides.len()), None);
        sides.into_iter()
    }
}

/// Returns the XML of the start of a table, up to its first row. `labels` is true if the first column labels the cells
/// next to it. Screen readers then announce the label of each cell.
fn opening(columns: &[u32], look: TableLook, labels: bool, setting: TextOptions) -> String {
    let (style, conditions) = if labels {
        ("TableLabels", "<w:tblLook w:val=\"0080\" w:firstColumn=\"1\"/>")
    } else {
        ("TableNormal", "<w:tblLook w:val=\"0000\"/>")
    };
    let mirrored = if setting.right_to_left { "<w:bidiVisual/>" } else { "" };
    let borders = borders(look);
    // A table without borders is aligned with the text around it.
    let margins = if look == TableLook::Plain {
        "<w:tblCellMar><w:left w:w=\"0\" w:type=\"dxa\"/><w:right w:w=\"0\" w:type=\"dxa\"/></w:tblCellMar>"
    } else {
        ""
    };
    let grid: String = columns.iter().map(|width| format!("<w:gridCol w:w=\"{width}\"/>")).collect();
    format!(
        "<w:tbl><w:tblPr><w:tblStyle w:val=\"{style}\"/>{mirrored}<w:tblW w:w=\"{}\" w:type=\"dxa\"/>{borders}\
         <w:tblLayout w:type=\"fixed\"/>{margins}{conditions}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>",
        columns.iter().sum::<u32>()
    )
}

fn cell_opening(width: u32, span: usize, dress: &str) -> String {
    let span = if span > 1 { format!("<w:gridSpan w:val=\"{span}\"/>") } else { String::new() };
    format!("<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/>{span}{dress}</w:tcPr>")
}

fn borders(look: TableLook) -> String {
    let sides: &[&str] = match look {
        TableLook::Grid => &["top", "left", "bottom", "right", "insideH", "insideV"],
        TableLook::Ledger | TableLook::Facts => &["top", "bottom", "insideH"],
        TableLook::Plain => return String::new(),
    };
    let lines: String = sides
        .iter()
        .map(|side| format!("<w:{side} w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"{RULE}\"/>"))
        .collect();
    format!("<w:tblBorders>{lines}</w:tblBorders>")
}

fn cell_shading(table: TableLook, look: &Look, is_head: bool, is_total: bool, label: bool) -> String {
    let fill = match table {
        TableLook::Ledger if is_head => look.accent,
        _ if is_head || is_total || label => TINT,
        _ => return String::new(),
    };
    if table == TableLook::Plain {
        return String::new();
    }
    format!("<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"{fill}\"/><w:vAlign w:val=\"center\"/>")
}

/// Returns the XML of a paragraph with white text, for cells whose background has the accent colour.
fn whiten(paragraph: &str) -> String {
    const WHITE: &str = "<w:color w:val=\"FFFFFF\"/>";
    paragraph
        .replace("<w:r><w:t", &format!("<w:r><w:rPr>{WHITE}</w:rPr><w:t"))
        .replace("<w:r><w:rPr><w:rtl/>", &format!("<w:r><w:rPr>{WHITE}<w:rtl/>"))
}
