//! A value never changes the order of the text around it, whatever direction controls it contains (UAX #9).

use unicode_bidi::{BidiInfo, Level, ParagraphBidiInfo};
use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, run};
use waraq_docx::fields::{self, FillOptions, Values};

/// Embeddings, overrides and isolates, and their ends.
const FORMATTING: [char; 9] =
    ['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}'];
const MARKS: [char; 3] = ['\u{200e}', '\u{200f}', '\u{61c}'];

/// Values of Latin letters, Arabic letters, digits, and letters of both directions. No character occurs in [`PARAGRAPHS`].
const VALUES: [&str; 4] = ["zoé-sm", "محمد-سعيد", "34-56", "zoé-محمد"];

/// A paragraph with a field: the name, the direction (`true` is right-to-left), and the text before and after the field.
const PARAGRAPHS: [(&str, bool, &str, &str); 3] = [
    ("left-to-right", false, "BEFORE (1), ", ", 22 AFTER (2)."),
    ("right-to-left", true, "قبل (1)، ", "، 22 بكر (2)."),
    ("both directions", false, "BEFORE قبل (1), ", ", 22 بكر AFTER (2)."),
];

fn is_control(character: char) -> bool {
    FORMATTING.contains(&character) || MARKS.contains(&character)
}

fn paragraph((_, right_to_left, before, after): (&str, bool, &str, &str)) -> String {
    let text = run(&format!("{before}{{{{a}}}}{after}"));
    if !right_to_left {
        return format!("<w:p>{text}</w:p>");
    }
    format!("<w:p><w:pPr><w:bidi/></w:pPr>{}</w:p>", text.replace("<w:r>", "<w:r><w:rPr><w:rtl/></w:rPr>"))
}

fn fill(document: &DocumentBuilder, value: &str) -> Package {
    let package = Package::open(&document.to_bytes()).unwrap();
    fields::fill(&package, &Values::from_pairs([("a", value)]).unwrap(), FillOptions::default()).unwrap()
}

/// Returns the characters of the `w:t` elements.
fn text(xml: &str) -> String {
    xml.split("<w:t").skip(1).filter_map(|text| Some(text.split_once('>')?.1.split_once("</w:t>")?.0)).collect()
}

/// Returns the characters in visual order, as programs show them that only use the characters. The value becomes `_`.
fn shown(text: &str, right_to_left: bool, value: &str) -> String {
    let base = if right_to_left { Level::rtl() } else { Level::ltr() };
    let info = ParagraphBidiInfo::new(text, Some(base));
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let levels: Vec<Level> = characters.iter().map(|(at, _)| info.levels[*at]).collect();
    let order = BidiInfo::reorder_visual(&levels).into_iter().map(|index| characters[index].1);
    let marked = order.filter(|character| !is_control(*character));
    let mut shown: Vec<char> =
        marked.map(|character| if value.contains(character) { '_' } else { character }).collect();
    shown.dedup_by(|a, b| *a == '_' && *b == '_');
    shown.into_iter().collect()
}

/// Returns values with these controls at each position.
fn with(value: &str, controls: &str) -> Vec<String> {
    let ends = value.char_indices().map(|(at, _)| at).chain([value.len()]);
    let mut values: Vec<String> = ends.map(|at| format!("{}{controls}{}", &value[..at], &value[at..])).collect();
    values.push(format!("{controls}{value}{controls}"));
    values
}

#[test]
fn every_control_at_every_position_leaves_the_text_around_it() {
    let singles: Vec<String> = FORMATTING.iter().chain(&MARKS).map(char::to_string).collect();
    let pairs = [
        "\u{202e}\u{202c}",
        "\u{2069}\u{2067}",
        "\u{202c}\u{202c}",
        "\u{2069}\u{2069}",
        "\u{202d}\u{2068}",
        "\u{202b}\u{200f}",
        "\u{200f}\u{202c}",
        "\u{61c}\u{200e}",
        "\u{200f}\u{200e}\u{200f}",
    ];
    let controls: Vec<&str> = singles.iter().map(String::as_str).chain(pairs).collect();
    for place in PARAGRAPHS {
        let (name, right_to_left, before, after) = place;
        let document = DocumentBuilder::new(&paragraph(place));
        for value in VALUES {
            let plain = fill(&document, value);
            let plain = plain.part_text("word/document.xml").unwrap();
            let expected = shown(&text(plain), right_to_left, value);
            for controls in &controls {
                for typed in with(value, controls) {
                    let filled = fill(&document, &typed);
                    let filled = filled.part_text("word/document.xml").unwrap();
                    let what = format!("{name}: {}", typed.escape_unicode());
                    assert!(!filled.contains(FORMATTING), "{what}");
                    let text = text(filled);
                    assert!(text.starts_with(before) && text.ends_with(after), "{what}: {text}");
                    let words: String =
                        text[before.len()..text.len() - after.len()].chars().filter(|c| !is_control(*c)).collect();
                    assert_eq!(words, value, "{what}");
                    assert_eq!(shown(&text, right_to_left, value), expected, "{what}");
                    if !typed.trim_matches(is_control).contains(MARKS) {
                        assert_eq!(filled, plain, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn each_line_and_each_part_between_tabs_is_cleaned() {
    let document = DocumentBuilder::new(&paragraph(PARAGRAPHS[0]));
    let filled = fill(&document, "\u{202e}one\u{200f}\r\n\u{61c}two\u{202c}\t\u{2067}three\u{200e}");
    let expected = fill(&document, "one\r\ntwo\tthree");
    assert_eq!(filled.part_text("word/document.xml"), expected.part_text("word/document.xml"));
}

#[test]
fn a_mark_inside_a_value_orders_the_value() {
    let filled = fill(&DocumentBuilder::new(&paragraph(PARAGRAPHS[1])), "محمد (C++\u{200e}) سعيد");
    assert!(text(filled.part_text("word/document.xml").unwrap()).contains("C++\u{200e}"));
}

/// Every kind of field, in every part that can have fields.
#[test]
fn values_are_cleaned_wherever_they_are_inserted() {
    let typed = "\u{202e}zoé\u{2067}-\u{202c}sm\u{200f}\u{2069}";
    let control = |inside: &str| {
        format!("<w:sdt><w:sdtPr><w:tag w:val=\"a\"/><w:text/></w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>")
    };
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code = "<w:r><w:instrText> MERGEFIELD a </w:instrText></w:r>";
    let merge = |result: &str| {
        let (begin, separate, end) = (character("begin"), character("separate"), character("end"));
        format!("{begin}{code}{separate}{result}{end}")
    };
    let in_paragraph = |content: &str| format!("<w:p>{content}</w:p>");
    let field = in_paragraph(&run("B {{a}} A"));
    let places = [
        ("text", field.clone()),
        ("inline control", in_paragraph(&control(&run("old")))),
        ("empty inline control", in_paragraph(&control(""))),
        ("block control", control(&in_paragraph(&run("old")))),
        ("block control without a run", control("<w:p/>")),
        ("merge field", in_paragraph(&merge(&run("old")))),
        ("merge field without a result", in_paragraph(&merge(""))),
        ("simple merge field", "<w:p><w:fldSimple w:instr=\" MERGEFIELD a \"/></w:p>".to_owned()),
        ("cell", format!("<w:tbl><w:tr><w:tc>{field}</w:tc></w:tr></w:tbl>")),
        ("link", in_paragraph(&format!("<w:hyperlink w:anchor=\"x\">{}</w:hyperlink>", run("{{a}}")))),
        ("insertion", in_paragraph(&format!("<w:ins w:id=\"1\" w:author=\"x\">{}</w:ins>", run("{{a}}")))),
    ];
    for (name, body) in places {
        let (filled, plain) = (fill(&DocumentBuilder::new(&body), typed), fill(&DocumentBuilder::new(&body), "zoé-sm"));
        let filled = filled.part_text("word/document.xml").unwrap();
        assert_eq!(filled, plain.part_text("word/document.xml").unwrap(), "{name}");
        assert!(text(filled).contains("zoé-sm"), "{name}: {filled}");
    }
    for (kind, root) in [("header", "hdr"), ("footer", "ftr"), ("footnotes", "footnotes"), ("endnotes", "endnotes")] {
        let mut document = DocumentBuilder::new("");
        let content = match kind {
            "footnotes" => format!("<w:footnote w:id=\"1\">{field}</w:footnote>"),
            "endnotes" => format!("<w:endnote w:id=\"1\">{field}</w:endnote>"),
            _ => field.clone(),
        };
        let id = document.add_related_part(kind, root, "part.xml", &content);
        let body = match kind {
            "footnotes" => "<w:p><w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p>".to_owned(),
            "endnotes" => "<w:p><w:r><w:endnoteReference w:id=\"1\"/></w:r></w:p>".to_owned(),
            _ => format!("<w:p/><w:sectPr><w:{kind}Reference w:type=\"default\" r:id=\"{id}\"/></w:sectPr>"),
        };
        let main = document.parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1;
        let main = String::from_utf8(main).unwrap().replace("<w:body>", &format!("<w:body>{body}"));
        let filled = fill(&document.clone().with_part("word/document.xml", main), typed);
        assert_eq!(text(filled.part_text("word/part.xml").unwrap()), "B zoé-sm A", "{kind}");
    }
}

/// A bookmark around a value is shown again by a REF field.
#[test]
fn a_field_that_repeats_a_value_repeats_no_control() {
    let reference = "<w:p><w:fldSimple w:instr=\" REF b \"><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>";
    let marked = |text: &str| {
        let start = "<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>";
        format!("<w:p>{start}{}<w:bookmarkEnd w:id=\"1\"/></w:p>{reference}", run(text))
    };
    // the controls of the author belong to the paragraph of the bookmark
    let filled = fill(&DocumentBuilder::new(&marked("\u{202b}x {{a}}\u{202c}")), "\u{202e}zoé");
    let renewed =
        fields::update_field_results(&filled, &fields::LaidOutResults { page_label: &|_| None, field_text: None })
            .unwrap();
    let renewed = renewed.part_text("word/document.xml").unwrap();
    assert_eq!(text(renewed), "\u{202b}x zoé\u{202c}x zoé");
}
