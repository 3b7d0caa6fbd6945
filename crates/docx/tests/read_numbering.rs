//! Tests of numbering: labels are counted in document order (§17.9).

mod word;

use waraq_docx::tree::*;
use word::*;

fn level(index: usize, format: &str, text: &str, more: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{index}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>{more}<w:lvlText w:val=\"{text}\"/><w:lvlJc w:val=\"left\"/>\
         <w:pPr><w:ind w:left=\"{}\" w:hanging=\"360\"/></w:pPr></w:lvl>",
        720 * (index + 1)
    )
}

fn abstract_number(id: usize, levels: &str) -> String {
    format!("<w:abstractNum w:abstractNumId=\"{id}\">{levels}</w:abstractNum>")
}

fn number(id: usize, abstract_id: usize, more: &str) -> String {
    format!("<w:num w:numId=\"{id}\"><w:abstractNumId w:val=\"{abstract_id}\"/>{more}</w:num>")
}

fn item(id: usize, level: usize) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{id}\"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>"
    )
}

fn items(list: &[(usize, usize)]) -> String {
    list.iter().map(|(id, level)| item(*id, *level)).collect()
}

fn three_levels() -> String {
    abstract_number(
        0,
        &[level(0, "decimal", "%1.", ""), level(1, "lowerLetter", "%1.%2)", ""), level(2, "upperRoman", "%3", "")]
            .concat(),
    )
}

#[test]
fn levels_count_and_restart() {
    let document = Word::new(&items(&[(1, 0), (1, 1), (1, 1), (1, 2), (1, 0), (1, 1), (1, 2), (1, 2)]))
        .numbering(&[three_levels(), number(1, 0, "")].concat())
        .read();
    assert_eq!(labels(&document), ["1.", "1.a)", "1.b)", "I", "2.", "2.a)", "I", "II"]);
    let holds: Vec<_> =
        body(&document).iter().take(4).map(|p| p.label.as_ref().and_then(|l| l.first_number_level)).collect();
    assert_eq!(holds, [Some(0), Some(0), Some(0), Some(2)], "the highest level whose number a label holds");
    let first = body(&document)[1];
    assert_eq!(first.properties.indent, Indent { start: 72.0, end: 0.0, first_line: -18.0 });
    assert_eq!(first.properties.numbering, Some((1, 1)));
}

#[test]
fn instances_share_a_count_unless_one_overrides_the_start() {
    let start = "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"5\"/></w:lvlOverride>";
    let document = Word::new(&items(&[(1, 0), (2, 0), (3, 0), (3, 0), (1, 0)]))
        .numbering(&[three_levels(), number(1, 0, ""), number(2, 0, ""), number(3, 0, start)].concat())
        .read();
    assert_eq!(labels(&document), ["1.", "2.", "5.", "6.", "7."]);
}

#[test]
fn a_level_may_be_replaced_or_never_restart() {
    let levels = [level(0, "decimal", "%1", ""), level(1, "decimal", "%2", "<w:lvlRestart w:val=\"0\"/>")].concat();
    let over = format!("<w:lvlOverride w:ilvl=\"0\">{}</w:lvlOverride>", level(0, "upperLetter", "(%1)", ""));
    let document = Word::new(&items(&[(1, 0), (1, 1), (1, 0), (1, 1), (2, 0)]))
        .numbering(&[abstract_number(0, &levels), number(1, 0, ""), number(2, 0, &over)].concat())
        .read();
    assert_eq!(labels(&document), ["1", "1", "2", "2", "(C)"]);
}

#[test]
fn legal_numbering_is_decimal_throughout() {
    let levels = [level(0, "upperRoman", "Article %1", ""), level(1, "decimal", "%1.%2", "<w:isLgl/>")].concat();
    let document = Word::new(&items(&[(1, 0), (1, 0), (1, 1)]))
        .numbering(&[abstract_number(0, &levels), number(1, 0, "")].concat())
        .read();
    assert_eq!(labels(&document), ["Article I", "Article II", "2.1"]);
}

#[test]
fn arabic_and_other_formats() {
    for (format, wanted) in [
        ("arabicAbjad", ["أ", "ب", "ج"]),
        ("arabicAlpha", ["أ", "ب", "ت"]),
        ("hebrew1", ["א", "ב", "ג"]),
        ("ordinal", ["1st", "2nd", "3rd"]),
    ] {
        let document = Word::new(&items(&[(1, 0), (1, 0), (1, 0)]))
            .numbering(&[abstract_number(0, &level(0, format, "%1", "")), number(1, 0, "")].concat())
            .read();
        assert_eq!(labels(&document), wanted, "{format}");
    }
    let custom = "<w:lvl w:ilvl=\"0\"><w:start w:val=\"9\"/><mc:AlternateContent><mc:Choice Requires=\"w14\">\
        <w:numFmt w:val=\"custom\" w:format=\"001, 002, 003, ...\"/></mc:Choice><mc:Fallback><w:numFmt w:val=\"decimal\"/></mc:Fallback>\
        </mc:AlternateContent><w:lvlText w:val=\"%1\"/></w:lvl>";
    let document =
        Word::new(&items(&[(1, 0), (1, 0)])).numbering(&[abstract_number(0, custom), number(1, 0, "")].concat()).read();
    assert_eq!(labels(&document), ["009", "010"]);
}

#[test]
fn bullets_become_real_characters() {
    let bullet = "<w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/><w:suff w:val=\"space\"/><w:lvlText w:val=\"\u{F0B7}\"/>\
        <w:rPr><w:rFonts w:ascii=\"Symbol\" w:hAnsi=\"Symbol\"/><w:color w:val=\"FF0000\"/></w:rPr></w:lvl>";
    let document =
        Word::new(&items(&[(1, 0)])).numbering(&[abstract_number(0, bullet), number(1, 0, "")].concat()).read();
    let label = body(&document)[0].label.clone().unwrap();
    assert_eq!((label.text.as_str(), label.suffix, label.run.color), ("•", LabelSuffix::Space, Some(Rgb(255, 0, 0))));
}

#[test]
fn a_style_has_a_level_and_a_paragraph_can_turn_numbering_off() {
    let levels = [
        level(0, "decimal", "%1", "<w:pStyle w:val=\"H1\"/>"),
        level(1, "decimal", "%1.%2", "<w:pStyle w:val=\"H2\"/>"),
    ]
    .concat();
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr><w:outlineLvl w:val=\"0\"/></w:pPr></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"H2\"><w:name w:val=\"heading 2\"/><w:basedOn w:val=\"H1\"/><w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"1\"/></w:numPr><w:ind w:left=\"100\"/></w:pPr></w:style>";
    let paragraph = |style: &str, more: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{more}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>")
    };
    let body_xml = [
        paragraph("H1", ""),
        paragraph("H2", ""),
        paragraph("H2", "<w:numPr><w:numId w:val=\"0\"/></w:numPr>"),
        paragraph("H2", ""),
    ]
    .concat();
    let document =
        Word::new(&body_xml).styles(styles).numbering(&[abstract_number(0, &levels), number(1, 0, "")].concat()).read();
    assert_eq!(labels(&document), ["1", "1.1", "", "1.2"]);
    let paragraphs = body(&document);
    assert_eq!(paragraphs[0].properties.indent.start, 36.0, "the level's indent");
    assert_eq!(
        paragraphs[1].properties.indent,
        Indent { start: 5.0, end: 0.0, first_line: -18.0 },
        "the style's over the level's"
    );
    assert_eq!(paragraphs[2].properties.indent, Indent { start: 5.0, end: 0.0, first_line: 0.0 }, "only the style's");
    assert_eq!(paragraphs[0].properties.outline_level, Some(0));
}

/// A style with only w:ilvl in its w:numPr inherits the numbering. Level, indents and tabs are its own.
#[test]
fn a_style_with_only_a_level_inherits_the_numbering() {
    let with_tab = |index: usize, format: &str, text: &str| {
        level(index, format, text, "").replace(
            "<w:pPr>",
            &format!("<w:pPr><w:tabs><w:tab w:val=\"num\" w:pos=\"{}\"/></w:tabs>", 1000 * (index + 1)),
        )
    };
    let levels = [with_tab(0, "decimal", "%1."), with_tab(1, "lowerLetter", "%2)")].concat();
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"One\"><w:name w:val=\"One\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"Two\"><w:name w:val=\"Two\"/><w:basedOn w:val=\"One\"/><w:pPr><w:numPr><w:ilvl w:val=\"1\"/></w:numPr></w:pPr></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"Three\"><w:name w:val=\"Three\"/><w:basedOn w:val=\"Two\"/></w:style>";
    let paragraph =
        |style: &str| format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>");
    let document = Word::new(&["One", "Two", "Three"].map(paragraph).concat())
        .styles(styles)
        .numbering(&[abstract_number(0, &levels), number(1, 0, "")].concat())
        .read();
    assert_eq!(labels(&document), ["1.", "a)", "b)"]);
    let paragraphs = body(&document);
    assert_eq!(paragraphs.iter().map(|p| p.properties.indent.start).collect::<Vec<_>>(), [36.0, 72.0, 72.0]);
    let tabs = |at: usize| paragraphs[at].properties.tabs.iter().map(|tab| tab.position).collect::<Vec<_>>();
    assert_eq!((tabs(0), tabs(1), tabs(2)), (vec![50.0], vec![100.0], vec![100.0]));
}

#[test]
fn numbering_styles_are_resolved_and_stories_have_separate_counts() {
    let linked = "<w:abstractNum w:abstractNumId=\"1\"><w:numStyleLink w:val=\"List\"/></w:abstractNum>";
    let styles = "<w:style w:type=\"numbering\" w:styleId=\"List\"><w:name w:val=\"List\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>";
    let note = format!("<w:footnote w:id=\"2\">{}</w:footnote>", item(2, 0));
    let document = Word::new(&items(&[(2, 0), (1, 0)]))
        .styles(styles)
        .numbering(&[three_levels(), linked.to_owned(), number(1, 0, ""), number(2, 1, "")].concat())
        .footnotes(&note)
        .read();
    assert_eq!(labels(&document), ["1.", "2."]);
    let note = paragraphs(&document.footnotes[&2].blocks)[0].label.clone().unwrap();
    assert_eq!(note.text, "1.");
}

#[test]
fn a_skipped_level_counts_as_started() {
    let levels = [level(0, "decimal", "%1", ""), level(1, "decimal", "%1.%2", ""), level(2, "decimal", "%1.%2.%3", "")];
    let document = Word::new(&items(&[(1, 0), (1, 2), (1, 2), (1, 1), (1, 2), (1, 0), (1, 1)]))
        .numbering(&[abstract_number(0, &levels.concat()), number(1, 0, "")].concat())
        .read();
    assert_eq!(labels(&document), ["1", "1.1.1", "1.1.2", "1.2", "1.2.1", "2", "2.1"]);
}

#[test]
fn a_soft_hyphen_shows_in_a_label_and_east_asian_formats_have_their_signs() {
    let levels = [
        level(0, "bullet", "\u{AD}", ""),
        level(1, "ideographTraditional", "%2.", ""),
        level(2, "ideographLegalTraditional", "%3.", ""),
        level(3, "aiueo", "%4.", ""),
    ];
    let document = Word::new(&items(&[(1, 0), (1, 1), (1, 2), (1, 3)]))
        .numbering(&[abstract_number(0, &levels.concat()), number(1, 0, "")].concat())
        .read();
    assert_eq!(labels(&document), ["-", "甲.", "壹.", "ｱ."]);
}
