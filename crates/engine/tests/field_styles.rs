//! STYLEREF fields: headers that show the heading of each page, and references in the body.

mod page_text;
use page_text::{Template, field, page_break, page_lines, plain, styled};
use waraq_docx::build::{paragraph, run};

/// Three pages: "Alpha {{n}}" on the first, "Beta" and "Gamma" on the second, no heading on the third.
fn chapters() -> String {
    [
        styled("Heading1", &run("Alpha {{n}}")),
        page_break("x"),
        styled("Heading1", &run("Beta")),
        styled("Heading1", &run("Gamma")),
        page_break("y"),
    ]
    .concat()
}

/// Returns the first line of each page, where a header shows the field with this code.
fn headers(body: &str, code: &str) -> Vec<String> {
    let values: &[(&str, &str)] = if body.contains("{{n}}") { &[("n", "One")] } else { &[] };
    let pages = Template::new(body).with_header(plain(&field(code, "OLD"))).lines(values);
    pages.into_iter().map(|lines| lines[0].clone()).collect()
}

#[test]
fn a_header_shows_the_first_heading_of_its_page_or_the_nearest_before_it() {
    let wanted = ["Alpha One", "Beta", "Gamma"];
    for name in ["heading 1", "Heading 1", "HEADING 1", "Heading1", "1"] {
        assert_eq!(headers(&chapters(), &format!("STYLEREF \"{name}\"")), wanted, "{name}");
    }
}

#[test]
fn names_of_built_in_styles_in_other_languages_and_aliases_are_found() {
    for name in ["Überschrift 1", "Titre 1", "العنوان 1", "Título 1", "見出し 1", "العنوان ١"] {
        assert_eq!(headers(&chapters(), &format!("STYLEREF \"{name}\"")), ["Alpha One", "Beta", "Gamma"], "{name}");
    }
    let body = styled("Chapter", &run("Named {{n}}"));
    for name in ["Chapter Name", "chapter name", "Kapitel", "CHAPITRE", "Chapter"] {
        assert_eq!(headers(&body, &format!("STYLEREF \"{name}\"")), ["Named One"], "{name}");
    }
}

#[test]
fn the_switch_l_shows_the_last_heading_of_the_page() {
    assert_eq!(headers(&chapters(), "STYLEREF 1 \\l"), ["Alpha One", "Gamma", "Gamma"]);
}

#[test]
fn a_page_before_the_first_heading_shows_the_next_one() {
    let body = paragraph("cover") + &page_break("x") + &styled("Heading1", &run("Later"));
    assert_eq!(headers(&body, "STYLEREF \"heading 1\""), ["Later", "Later"]);
    assert_eq!(headers(&paragraph("no heading"), "STYLEREF \"heading 1\""), ["no heading"]);
}

#[test]
fn format_switches_apply_to_the_text() {
    assert_eq!(headers(&chapters(), "STYLEREF \"heading 1\" \\* Upper"), ["ALPHA ONE", "BETA", "GAMMA"]);
}

#[test]
fn a_footer_with_several_references_shows_the_range_of_its_page() {
    let footer = plain(&(field("STYLEREF 1", "a") + &run(" – ") + &field("STYLEREF 1 \\l", "b")));
    let pages = Template::new(chapters()).with_footer(footer).lines(&[("n", "1")]);
    let footers: Vec<&str> = pages.iter().map(|lines| lines.last().unwrap().as_str()).collect();
    assert_eq!(footers, ["Alpha 1 – Alpha 1", "Beta – Gamma", "Gamma – Gamma"]);
}

#[test]
fn a_reference_in_the_body_shows_the_heading_before_it_or_else_the_one_after_it() {
    let see = plain(&(run("see ") + &field("STYLEREF \"heading 1\"", "OLD")));
    let body = [
        see.clone(),
        styled("Heading1", &run("First {{n}}")),
        see.clone(),
        styled("Heading1", &run("Second")),
        see.clone(),
    ]
    .concat();
    let lines = Template::new(body).lines(&[("n", "A")]);
    assert_eq!(lines, [["see First A", "First A", "see First A", "Second", "see Second"]]);
}

#[test]
fn headings_in_table_cells_are_found_but_not_those_of_repeated_rows() {
    let row = |properties: &str, content: &str| {
        format!(
            "<w:tr><w:trPr>{properties}</w:trPr><w:tc><w:tcPr><w:tcW w:w=\"5000\" w:type=\"dxa\"/></w:tcPr>{content}</w:tc></w:tr>"
        )
    };
    let head = row("<w:tblHeader/>", &styled("Heading1", &run("Head")));
    let long = row("", &styled("Heading1", &run("Cell {{n}}")));
    let rest: String = (0..80).map(|number| row("", &paragraph(&format!("row {number}")))).collect();
    let table = format!("<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"5000\"/></w:tblGrid>{head}{long}{rest}</w:tbl>");
    let found = headers(&(table + &paragraph("end")), "STYLEREF \"heading 1\" \\l");
    assert!(found.len() >= 2, "{found:?}");
    assert!(found.iter().all(|header| header == "Cell One"), "{found:?}");
}

#[test]
fn text_with_a_character_style_is_found_on_the_page_on_which_it_is() {
    let entry = |word: &str| format!("<w:r><w:rPr><w:rStyle w:val=\"Entry\"/></w:rPr><w:t>{word}</w:t></w:r>");
    // One paragraph over two pages, with a word in its middle and one at its end.
    let filler = run(&"words that fill the page ".repeat(320));
    let body = plain(&(entry("aardvark") + &filler + &entry("zebra {{n}}")));
    assert_eq!(headers(&body, "STYLEREF \"Entry Word\""), ["aardvark", "zebra One"]);
    assert_eq!(headers(&body, "STYLEREF \"entry word\" \\l"), ["aardvark", "zebra One"]);
    let linked = plain(&format!(
        "<w:r><w:rPr><w:rStyle w:val=\"Heading1Char\"/></w:rPr><w:t>Run-in {{{{n}}}}.</w:t></w:r>{}",
        run(" text")
    ));
    assert_eq!(headers(&linked, "STYLEREF \"heading 1\""), ["Run-in One."]);
}

#[test]
fn bookmarks_and_hidden_text_do_not_divide_text_with_a_character_style() {
    let entry = |properties: &str, word: &str| {
        format!(
            "<w:r><w:rPr><w:rStyle w:val=\"Entry\"/>{properties}</w:rPr><w:t xml:space=\"preserve\">{word}</w:t></w:r>"
        )
    };
    let bookmark =
        format!("<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>{}<w:bookmarkEnd w:id=\"1\"/>", entry("", "{{n}}"));
    let parts =
        [entry("<w:vanish/>", "hidden "), entry("", "Zoé "), bookmark, entry("<w:vanish/>", " x"), entry("", " Ali")];
    let body = plain(&(run("by ") + &parts.concat() + &run(", author")));
    assert_eq!(headers(&body, "STYLEREF \"Entry Word\""), ["Zoé One Ali"]);
    assert_eq!(headers(&body, "STYLEREF \"Entry Word\" \\l"), ["Zoé One Ali"]);
}

#[test]
fn references_inside_other_fields_show_the_heading_of_their_page() {
    let condition = |inner: &str| {
        let code = "IF ⟦⟧ = \"Beta\" \"second\" \"other\"".to_owned();
        let inner = format!("</w:instrText></w:r>{}<w:r><w:instrText xml:space=\"preserve\">", field(inner, "OLD"));
        field(&code, "OLD").replace("⟦⟧", &inner)
    };
    for (code, wanted) in [
        ("STYLEREF \"heading 1\"", ["other", "second", "other"]),
        ("STYLEREF 1 \\* MERGEFORMAT", ["other", "second", "other"]),
        ("STYLEREF 1 \\l", ["other", "other", "other"]),
    ] {
        let pages = Template::new(chapters()).with_header(plain(&condition(code))).lines(&[("n", "One")]);
        assert_eq!(pages.into_iter().map(|lines| lines[0].clone()).collect::<Vec<_>>(), wanted, "{code}");
    }
    // In the body, where the nearest heading before the field counts.
    let body = styled("Heading1", &run("Beta")) + &plain(&condition("STYLEREF 1")) + &styled("Heading1", &run("Gamma"));
    assert_eq!(Template::new(body).lines(&[]), [["Beta", "second", "Gamma"]]);
}

#[test]
fn a_heading_that_continues_on_the_next_page_counts_on_its_first_page() {
    let many = "title words ".repeat(40);
    let filler: String = (0..48).map(|number| paragraph(&format!("line {number}"))).collect();
    let body = filler + &styled("Heading1", &run(&format!("Long {many}"))) + &styled("Heading1", &run("Short"));
    let pages = Template::new(body).with_header(plain(&field("STYLEREF 1", "OLD"))).lines(&[]);
    assert!(pages[0][0].starts_with("Long"), "{:?}", pages[0]);
    assert_eq!(pages.last().unwrap()[0], "Short");
}

const NUMBERING: &str = r#"<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading1"/><w:lvlText w:val="Section %1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading2"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>"#;

fn numbered(style: &str, level: u8, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr>{}</w:p>",
        run(text)
    )
}

#[test]
fn number_switches_show_the_number_of_the_heading() {
    let body = [numbered("Heading1", 0, "One"), numbered("Heading2", 1, "Sub"), paragraph("text")].concat();
    let header = |code: &str| {
        let template = Template::new(body.clone()).with_numbering(NUMBERING);
        template.with_header(plain(&field(code, "OLD"))).lines(&[])[0][0].clone()
    };
    assert_eq!(header("STYLEREF \"heading 1\" \\n"), "Section 1");
    assert_eq!(header("STYLEREF \"heading 1\" \\n \\t"), "1");
    assert_eq!(header("STYLEREF \"heading 2\" \\n"), "1.1");
    assert_eq!(header("STYLEREF \"heading 2\" \\w"), "1.1");
    assert_eq!(header("STYLEREF \"heading 2\" \\r"), "1.1");
    assert_eq!(header("STYLEREF \"heading 2\""), "Sub");
    // Word shows 0 for a paragraph without a number.
    assert_eq!(headers(&chapters(), "STYLEREF \"heading 1\" \\n"), ["0", "0", "0"]);
}

#[test]
fn the_switch_p_shows_the_position_of_the_heading() {
    let see = plain(&field("STYLEREF \"heading 1\" \\p", "OLD"));
    let body = see.clone() + &styled("Heading1", &run("Title")) + &see;
    assert_eq!(Template::new(body).lines(&[]), [["below", "Title", "above"]]);
}

#[test]
fn a_longer_heading_makes_the_header_of_its_page_higher() {
    let long = "a very long title of a chapter ".repeat(12);
    let body = [styled("Heading1", &run("Short")), page_break("x"), styled("Heading1", &run(&long)), paragraph("end")];
    let header = plain(&field("STYLEREF 1", "OLD")) + &plain(&run("rule"));
    let pages = Template::new(body.concat()).with_header(header).pages(&[]);
    let lines = page_lines(&pages);
    assert_eq!(lines.len(), 2);
    let rule = lines[1].iter().position(|line| line == "rule").unwrap();
    assert!(rule >= 4, "{:?}", lines[1]);
    // The body begins below the header.
    assert!(lines[1].iter().position(|line| line == "x").unwrap() > rule, "{:?}", lines[1]);
}

#[test]
fn an_unknown_style_is_reported_and_its_saved_result_stays() {
    let pages = Template::new(paragraph("text")).with_header(plain(&field("STYLEREF Nothing", "saved"))).pages(&[]);
    assert_eq!(page_lines(&pages)[0][0], "saved");
    assert!(pages.warnings.iter().any(|warning| warning.code == "field_not_computed"), "{:?}", pages.warnings);
}
