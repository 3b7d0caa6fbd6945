//! Writes `word/numbering.xml` (ECMA-376 part 1, §17.9): the numbering of the three levels of clauses, and the bullets.

use crate::inline::escape;
use crate::source::{Block, Level, Source, SourceHead};

const INDENT: u32 = 624;
/// The `w:numId` of the bullets. The first list of clauses has the `w:numId` 1, and the lists after restarts have 3, 4 and so on.
const BULLETS: usize = 2;

/// Returns the `w:numId` of the list of clauses after `restarts` restarts of the numbering. 0 returns the first list.
pub fn clause_list_id(restarts: usize) -> usize {
    if restarts == 0 { 1 } else { BULLETS + restarts }
}

pub fn xml(source: &Source) -> String {
    let head = &source.head;
    let mut out = format!(
        "{}<w:numbering xmlns:w=\"{}\"><w:abstractNum w:abstractNumId=\"0\"><w:multiLevelType w:val=\"multilevel\"/>",
        crate::package::XML,
        crate::package::W
    );
    for (index, (level, style)) in head.levels.iter().zip(["ClauseHeading", "Clause", "ClausePoint"]).enumerate() {
        out.push_str(&level_xml(head, index, level, style));
    }
    out.push_str("</w:abstractNum><w:abstractNum w:abstractNumId=\"1\"><w:multiLevelType w:val=\"hybridMultilevel\"/>");
    out.push_str(&format!(
        "<w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"bullet\"/><w:pStyle w:val=\"ListBullet\"/>\
         <w:lvlText w:val=\"•\"/><w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"425\" w:hanging=\"283\"/></w:pPr>\
         <w:rPr><w:color w:val=\"{}\"/></w:rPr></w:lvl></w:abstractNum>",
        head.look.accent
    ));
    out.push_str("<w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>");
    out.push_str(&format!("<w:num w:numId=\"{BULLETS}\"><w:abstractNumId w:val=\"1\"/></w:num>"));
    let restarts = source.blocks.iter().filter(|block| matches!(block, Block::RestartClauses)).count();
    for restart in 1..=restarts {
        out.push_str(&format!(
            "<w:num w:numId=\"{}\"><w:abstractNumId w:val=\"0\"/><w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"1\"/>\
             </w:lvlOverride></w:num>",
            clause_list_id(restart)
        ));
    }
    out.push_str("</w:numbering>");
    out
}

fn level_xml(head: &SourceHead, index: usize, level: &Level, style: &str) -> String {
    // In right-to-left text, the number starts at the indent in Word and ends there in LibreOffice. With a small indent, the
    // number is within the margins in both programs.
    let inset = if head.language.is_right_to_left() { 397 } else { 0 };
    // A number with a word ("Article 1 –", "المادة (1):") is followed by a space. A number alone is in a column before the text.
    let worded = level.text.chars().any(char::is_alphabetic);
    let (suffix, left, hanging) = match index {
        0 if level.text.is_empty() => ("nothing", 0, 0),
        0 if worded => ("space", 0, 0),
        0 | 1 => ("tab", inset + INDENT, INDENT),
        _ => ("tab", inset + INDENT + 454, 454),
    };
    let rtl = if head.language.is_right_to_left() { "<w:rtl/>" } else { "" };
    let bold = if index == 0 { "<w:b/><w:bCs/>" } else { "" };
    let colour = if index == 0 { format!("<w:color w:val=\"{}\"/>", head.look.accent) } else { String::new() };
    format!(
        "<w:lvl w:ilvl=\"{index}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{}\"/><w:pStyle w:val=\"{style}\"/><w:suff \
         w:val=\"{suffix}\"/><w:lvlText w:val=\"{}\"/><w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"{left}\" \
         w:hanging=\"{hanging}\"/></w:pPr><w:rPr>{bold}{colour}{rtl}</w:rPr></w:lvl>",
        level.format,
        escape(level.text),
    )
}
