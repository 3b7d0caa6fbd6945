//! Tests of content controls with a tag: dates, lists, check boxes, rich text, and the controls that cannot be filled.

mod word;

use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_docx::fields::{self, ControlInput, EmptyValue, Field, FillOptions, Values};
use waraq_docx::tree::{Block, Document};
use waraq_docx::{Package, ReadOptions, read};
use waraq_rules::field_settings::ValueKind;

/// Returns the markup of a control with a tag.
fn control(tag: &str, properties: &str, content: &str) -> String {
    let tag = format!("<w:tag w:val=\"{tag}\"/>");
    format!("<w:sdt><w:sdtPr>{tag}{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>")
}

/// Returns a control with placeholder text inside a paragraph.
fn prompt(tag: &str, properties: &str) -> String {
    let placeholder = "<w:r><w:rPr><w:color w:val=\"808080\"/></w:rPr><w:t>Click or tap here.</w:t></w:r>";
    control(tag, &format!("<w:showingPlcHdr/>{properties}"), placeholder)
}

fn in_paragraph(inlines: &str) -> String {
    format!("<w:p>{inlines}</w:p>")
}

fn open(body: &str) -> Package {
    Package::open(&DocumentBuilder::new(body).to_bytes()).unwrap()
}

fn fill_with(package: &Package, values: &[(&str, &str)], options: FillOptions<'_>) -> Package {
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let filled = fields::fill(package, &values, options).unwrap();
    // The saved file is opened again, as Word would do.
    let again = Package::open(&filled.to_bytes().unwrap()).unwrap();
    again.validate().unwrap();
    again
}

fn fill(body: &str, values: &[(&str, &str)]) -> Package {
    fill_with(&open(body), values, FillOptions::default())
}

fn xml(package: &Package) -> String {
    let text = package.part_text("word/document.xml").unwrap();
    let start = text.find("<w:body>").unwrap() + "<w:body>".len();
    text[start..text.find("</w:body>").unwrap()].to_owned()
}

fn document(package: &Package) -> Document {
    read(package, &ReadOptions::default()).unwrap()
}

/// Returns the text of each paragraph of the body, as the reader shows it.
fn shown(package: &Package) -> Vec<String> {
    word::body(&document(package)).into_iter().map(word::text).collect()
}

/// Returns the text of each paragraph of the body and of its tables.
fn all_texts(document: &Document) -> Vec<String> {
    fn add(blocks: &[Block], texts: &mut Vec<String>) {
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => texts.push(word::text(paragraph)),
                Block::Table(table) => {
                    table.rows.iter().flat_map(|row| &row.cells).for_each(|cell| add(&cell.blocks, texts));
                }
            }
        }
    }
    let mut texts = Vec::new();
    document.sections.iter().for_each(|section| add(&section.blocks, &mut texts));
    texts
}

fn field(body: &str, name: &str) -> Option<Field> {
    fields::list(&open(body)).unwrap().into_iter().find(|field| field.name == name)
}

fn names(body: &str) -> Vec<String> {
    fields::list(&open(body)).unwrap().into_iter().map(|field| field.name).collect()
}

/// Returns code, paragraph and context of each diagnostic.
fn diagnostics(body: &str) -> Vec<(String, Option<u32>, String)> {
    let found = fields::check(&open(body)).unwrap().findings;
    found
        .into_iter()
        .map(|one| (one.code.as_str().to_owned(), one.paragraph, one.context.unwrap_or_default()))
        .collect()
}

fn date(picture: &str, language: &str) -> String {
    format!(
        "<w:date><w:dateFormat w:val=\"{picture}\"/><w:lid w:val=\"{language}\"/><w:calendar w:val=\"gregorian\"/></w:date>"
    )
}

#[test]
fn a_date_is_written_in_the_format_of_its_control() {
    let shown_date = |properties: &str, value: &str| {
        let body = in_paragraph(&(run("On ") + &prompt("day", properties) + &run(".")));
        let text = shown(&fill(&body, &[("day", value)])).concat();
        text.strip_prefix("On ").and_then(|text| text.strip_suffix('.')).unwrap().to_owned()
    };
    let french = date("d MMMM yyyy", "fr-FR");
    for value in
        ["2026-07-14", "14/07/2026", "14 juillet 2026", "July 14, 2026", "2026-07-14T00:00:00Z", "١٤ يوليو ٢٠٢٦"]
    {
        assert_eq!(shown_date(&french, value), "14 juillet 2026", "{value}");
        assert_eq!(shown_date(&date("dd/MM/yyyy", "fr-FR"), value), "14/07/2026", "{value}");
    }
    assert_eq!(shown_date(&date("MMMM d, yyyy", "en-US"), "03/04/2026"), "March 4, 2026");
    assert_eq!(shown_date(&date("d MMMM yyyy", "en-GB"), "03/04/2026"), "3 April 2026");
    assert_eq!(shown_date(&date("dddd d MMMM yyyy", "ar-MA"), "2026-07-14"), "الثلاثاء 14 يوليوز 2026");
    assert_eq!(shown_date(&date("M/d/yyyy h:mm", "en-US"), "2026-07-14T15:05:00"), "7/14/2026 3:05");
    // A text that cannot be read as a date stays as it is. An empty text removes the prompt.
    for value in ["soon", "14/07", "31/02/2026", ""] {
        assert_eq!(shown_date(&french, value), value);
    }
    let body = in_paragraph(&prompt("day", &french));
    assert_eq!(field(&body, "day").unwrap().input, Some(ControlInput::Date));
    // The value does not have the formatting of the prompt.
    assert!(xml(&fill(&body, &[("day", "2026-07-14")])).contains(&run("14 juillet 2026")));
    let dotted = fill_with(
        &open(&body),
        &[("day", "")],
        FillOptions { empty: EmptyValue::DottedLine, ..FillOptions::default() },
    );
    assert_eq!(shown(&dotted), ["........................"]);
}

const ENTRIES: &str = "<w:listItem w:displayText=\"Choose an item.\" w:value=\"\"/><w:listItem w:displayText=\"Cash\" w:value=\"c\"/>\
     <w:listItem w:displayText=\"Bank &amp; card\" w:value=\"b\"/><w:listItem w:value=\"Other\"/>";

#[test]
fn a_list_shows_the_display_text_of_the_value() {
    for kind in ["dropDownList", "comboBox"] {
        let body = in_paragraph(&prompt("pay", &format!("<w:{kind} w:lastValue=\"c\">{ENTRIES}</w:{kind}>")));
        for (value, text) in [
            ("c", "Cash"),
            ("Cash", "Cash"),
            (" cash ", "Cash"),
            ("b", "Bank & card"),
            ("Other", "Other"),
            ("Cheque", "Cheque"),
            ("Choose an item.", "Choose an item."),
            ("", ""),
        ] {
            assert_eq!(shown(&fill(&body, &[("pay", value)])), [text], "{value}");
        }
        let choices = ["Cash", "Bank & card", "Other"].map(str::to_owned).to_vec();
        assert_eq!(field(&body, "pay").unwrap().input, Some(ControlInput::Choice(choices)));
    }
    // Older versions of Word write the prompt as an entry without a display text.
    let old = "<w:dropDownList><w:listItem w:value=\"Choose an item.\"/><w:listItem w:displayText=\"نقدًا\" w:value=\"1\"/></w:dropDownList>";
    let body = in_paragraph(&prompt("pay", old));
    assert_eq!(field(&body, "pay").unwrap().input, Some(ControlInput::Choice(vec!["نقدًا".to_owned()])));
    assert_eq!(shown(&fill(&body, &[("pay", "1")])), ["نقدًا"]);
}

fn check_box(tag: &str, states: &str, content: &str) -> String {
    control(tag, &format!("<w14:checkbox><w14:checked w14:val=\"1\"/>{states}</w14:checkbox>"), content)
}

#[test]
fn a_check_box_shows_the_symbol_of_its_state() {
    let states = "<w14:checkedState w14:val=\"2612\" w14:font=\"MS Gothic\"/><w14:uncheckedState w14:val=\"2610\" w14:font=\"MS Gothic\"/>";
    let empty = "<w:r><w:rPr><w:rFonts w:ascii=\"Arial\"/><w:b/></w:rPr><w:t>☐</w:t></w:r>";
    let body = in_paragraph(&(check_box("agree", states, empty) + &run(" I agree")));
    for (value, text) in [("yes", "☒"), ("Oui", "☒"), ("نعم", "☒"), ("true", "☒"), ("1", "☒"), ("x", "☒")]
    {
        assert_eq!(shown(&fill(&body, &[("agree", value)])), [format!("{text} I agree")], "{value}");
    }
    for value in ["no", "Non", "لا", "false", "0", "", " "] {
        let filled = fill_with(
            &open(&body),
            &[("agree", value)],
            FillOptions { empty: EmptyValue::DottedLine, ..FillOptions::default() },
        );
        assert_eq!(shown(&filled), ["☐ I agree"], "{value}");
    }
    assert_eq!(shown(&fill(&body, &[("agree", "perhaps")])), ["perhaps I agree"]);
    let filled = xml(&fill(&body, &[("agree", "yes")]));
    let of_symbol = filled.split("<w:r>").find(|run| run.contains('☒')).unwrap();
    assert!(of_symbol.contains("w:ascii=\"MS Gothic\"") && of_symbol.contains("<w:b/>"), "{filled}");
    assert_eq!(field(&body, "agree").unwrap().input, Some(ControlInput::YesNo));
}

#[test]
fn a_check_box_has_symbols_of_its_own() {
    // Word writes the symbols of Wingdings as `w:sym`.
    let states = "<w14:checkedState w14:val=\"00FE\" w14:font=\"Wingdings\"/><w14:uncheckedState w14:val=\"00A8\" w14:font=\"Wingdings\"/>";
    let symbol = "<w:r><w:sym w:font=\"Wingdings\" w:char=\"F0A8\"/></w:r>";
    let body = in_paragraph(&check_box("a", states, symbol));
    assert_eq!(shown(&fill(&body, &[("a", "yes")])), ["☑"]);
    assert_eq!(shown(&fill(&body, &[("a", "")])).concat(), shown(&open(&in_paragraph(symbol))).concat());
    // Without states, and with states that are no characters, the box has the usual symbols.
    for states in ["", "<w14:checkedState w14:val=\"0\"/><w14:uncheckedState w14:val=\"zz\"/>"] {
        let body = in_paragraph(&check_box("a", states, &run("☐")));
        assert_eq!(
            (shown(&fill(&body, &[("a", "x")])), shown(&fill(&body, &[("a", "")]))),
            (vec!["☒".into()], vec!["☐".into()])
        );
    }
    // A box around a paragraph, and an empty box.
    let block = check_box("a", "", &in_paragraph(&run("☐")))
        + &check_box("b", "", "<w:p/>")
        + &in_paragraph(&check_box("c", "", ""));
    assert_eq!(shown(&fill(&block, &[("a", "1"), ("b", "1"), ("c", "0")])), ["☒", "☒", "☐"]);
}

#[test]
fn rich_text_with_only_text_is_a_field() {
    let bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>Old</w:t></w:r><w:r><w:t xml:space=\"preserve\"> text</w:t></w:r>";
    let inline = in_paragraph(&(run("a ") + &control("x", "<w:richText/>", bold) + &run(" z")));
    let filled = fill(&inline, &[("x", "new & two\nlines")]);
    assert_eq!(shown(&filled), ["a new & two\nlines z"]);
    assert!(!xml(&filled).contains("sdt") && xml(&filled).matches("<w:b/>").count() == 1, "{}", xml(&filled));
    // The paragraphs of a block become one paragraph, that of the first text.
    let block = control("x", "", &(paragraph("one") + &paragraph("two") + &paragraph("three"))) + &paragraph("after");
    assert_eq!(shown(&fill(&block, &[("x", "value")])), ["value", "after"]);
    assert_eq!(shown(&fill(&block, &[("x", "")])), ["", "after"]);
    let empty_first = control("x", "", &("<w:p/>".to_owned() + &paragraph("two"))) + &paragraph("after");
    assert_eq!(shown(&fill(&empty_first, &[("x", "value")])), ["value", "after"]);
    let without_text = control("x", "", "<w:p/><w:p/>");
    assert_eq!(shown(&fill(&without_text, &[("x", "value")])), ["value"]);
    for body in [&inline, &block, &empty_first, &without_text] {
        assert_eq!((names(body), diagnostics(body)), (vec!["x".to_owned()], vec![]));
    }
}

#[test]
fn controls_in_cells_rows_headers_and_text_boxes_are_filled() {
    let cell = |inner: &str| format!("<w:tc><w:tcPr/>{inner}</w:tc>");
    let row = |cells: &str| format!("<w:tr>{cells}</w:tr>");
    let table = format!(
        "<w:tbl>{}{}</w:tbl>",
        row(&(control("name", "", &cell(&(paragraph("a") + &paragraph("b")))) + &cell(&paragraph("fixed")))),
        control("line", "", &row(&cell(&in_paragraph(&prompt("day", &date("d/M/yyyy", "ar-EG")))))),
    );
    let filled = fill(&table, &[("name", "زينب"), ("day", "2026-02-01")]);
    assert_eq!(all_texts(&document(&filled)), ["زينب", "fixed", "1/2/2026"]);
    // The control around the row cannot be filled, because it contains a cell and another control.
    assert_eq!(diagnostics(&table), [("control_not_fillable".to_owned(), Some(4), "line".to_owned())]);

    let mut builder = DocumentBuilder::new("");
    let id =
        builder.add_related_part("header", "hdr", "header1.xml", &in_paragraph(&prompt("day", &date("yyyy", "fr-FR"))));
    let package = Package::open(&builder.to_bytes()).unwrap();
    assert_eq!(fields::list(&package).unwrap().len(), 1, "{id}");
    let filled = fill_with(&package, &[("day", "2026-02-01")], FillOptions::default());
    assert!(filled.part_text("word/header1.xml").unwrap().contains(">2026</w:t>"));

    let inside = in_paragraph(&check_box("agree", "", &run("☐")));
    let text_box = format!(
        "<w:p><w:r><w:pict><v:shape xmlns:v=\"urn:schemas-microsoft-com:vml\"><v:textbox><w:txbxContent>{inside}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
    );
    assert!(xml(&fill(&text_box, &[("agree", "yes")])).contains(">☒</w:t>"));
}

#[test]
fn controls_that_cannot_be_filled_are_reported() {
    let picture = "<w:r><w:drawing/></w:r>";
    let table = "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p/>";
    let link = "<w:hyperlink w:anchor=\"a\"><w:r><w:t>link</w:t></w:r></w:hyperlink>";
    let page = "<w:fldSimple w:instr=\"PAGE\"><w:r><w:t>1</w:t></w:r></w:fldSimple>";
    let two_cells = "<w:tc><w:p/></w:tc><w:tc><w:p/></w:tc>";
    for body in [
        in_paragraph(&control("x", "<w:picture/>", picture)),
        in_paragraph(&control("x", "", &(run("text") + picture))),
        in_paragraph(&control("x", "", link)),
        in_paragraph(&control("x", "", page)),
        control("x", "", table),
        control("x", "<w:group/>", &paragraph("text")),
        control("x", "<w:docPartObj><w:docPartGallery w:val=\"Cover Pages\"/></w:docPartObj>", &paragraph("text")),
        control("x", "<w15:repeatingSection/>", &control("", "<w15:repeatingSectionItem/>", &paragraph("text"))),
        in_paragraph(&control("x", "", &(run("text") + &control("", "", &run("inner"))))),
        format!("<w:tbl><w:tr>{}</w:tr></w:tbl><w:p/>", control("x", "", two_cells)),
    ] {
        let expected = ("control_not_fillable".to_owned(), Some(1), "x".to_owned());
        assert_eq!((names(&body), diagnostics(&body)), (vec![], vec![expected]), "{body}");
        assert_eq!(xml(&fill(&body, &[])), body);
    }
    // A control inside another one is a field of its own.
    let nested = in_paragraph(&control("outer", "", &(run("Mr ") + &prompt("inner", "<w:text/>"))));
    assert_eq!(names(&nested), ["inner"]);
    assert_eq!(shown(&fill(&nested, &[("inner", "Ali")])), ["Mr Ali"]);
    // The fields inside a control are filled, so the control is not reported.
    let braces = control("outer", "", &(paragraph("{{name}}") + table));
    assert_eq!((names(&braces), diagnostics(&braces)), (vec!["name".to_owned()], vec![]));
}

#[test]
fn tags_of_other_programs_and_controls_without_a_tag_are_left_alone() {
    for tag in ["goog_rdk_12", "MENDELEY_CITATION_v3_abc", "", " "] {
        let body = in_paragraph(&control(tag, "", &run("text")));
        assert_eq!((names(&body), diagnostics(&body)), (vec![], vec![]), "{tag}");
        assert_eq!(xml(&fill(&body, &[])), body);
    }
    let invalid = in_paragraph(&control("a{b}", "<w:date/>", &run("text")));
    assert_eq!(diagnostics(&invalid), [("invalid_tag".to_owned(), Some(1), "a{b}".to_owned())]);
}

#[test]
fn filling_replaces_the_prompts_of_fields_and_keeps_all_others() {
    let prompts = |tag: &str| {
        let inline = control(tag, "<w:showingPlcHdr/><w:text/>", &run("Click or tap here to enter text."));
        in_paragraph(&(run("Name: ") + &inline + &run(".")))
            + &control(tag, "<w:showingPlcHdr/>", &paragraph("Enter any content."))
            + &format!(
                "<w:tbl><w:tr>{}<w:tc><w:p/></w:tc></w:tr></w:tbl>",
                control(tag, "<w:showingPlcHdr/>", &format!("<w:tc>{}</w:tc>", paragraph("Prompt")))
            )
            + &in_paragraph(&control("", "<w:showingPlcHdr/>", &(run("{{name}}"))))
    };
    // Word prints the prompts of controls that are not fields.
    for (field, printed) in [
        ("", ["Name: Click or tap here to enter text..", "Enter any content.", "Prompt", "", "Ali"]),
        ("field", ["Name: A.", "A", "A", "", "Ali"]),
    ] {
        let values = [("name", "Ali"), ("field", "A")];
        let values = if field.is_empty() { &values[..1] } else { &values };
        let filled = fill_with(&open(&prompts(field)), values, FillOptions::default());
        assert_eq!(all_texts(&document(&filled)), printed, "{field}");
    }
    let blank = fill_with(&open(&prompts("field")), &[("name", "Ali"), ("field", "")], FillOptions::default());
    assert_eq!(all_texts(&document(&blank))[0], "Name: .");
}

#[test]
fn controls_prescribe_the_settings_of_their_fields() {
    let body = in_paragraph(&prompt("when", &date("d/M/yyyy", "fr-FR")))
        + &in_paragraph(&prompt("pay", &format!("<w:comboBox>{ENTRIES}</w:comboBox>")))
        + &in_paragraph(&check_box("agree", "", &run("☐")))
        + &in_paragraph(&prompt("notes", "<w:text w:multiLine=\"1\"/>"))
        + &in_paragraph(&prompt("Date", "<w:text/>"))
        + &in_paragraph("<w:r><w:rPr><w:lang w:val=\"fr-FR\"/></w:rPr><w:t>Bonjour à tous, {{name}}</w:t></w:r>");
    let package = open(&body);
    let fields = fields::list(&package).unwrap();
    let around = fields::surroundings(&document(&package), &fields);
    let names: Vec<String> = fields.into_iter().map(|field| field.name).collect();
    let detected = waraq_rules::field_settings::detect_settings(&names, &around);
    let found: Vec<_> =
        detected.into_iter().map(|one| (one.field, one.kind, one.choices.unwrap_or_default().join("|"))).collect();
    let expected = [
        ("when", ValueKind::Date, ""),
        ("pay", ValueKind::Choice, "Cash|Bank & card|Other"),
        ("agree", ValueKind::Choice, "Oui|Non"),
        ("notes", ValueKind::LongText, ""),
        ("Date", ValueKind::Date, ""),
    ];
    assert_eq!(found, expected.map(|(name, kind, choices)| (name.to_owned(), Some(kind), choices.to_owned())));
}
