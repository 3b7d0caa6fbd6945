//! Fields that are computed from other fields and texts: IF, COMPARE, QUOTE, SET, REF and formulas, on the pages and in the
//! filled `.docx`.

mod page_text;
use page_text::{Template, page_break, page_lines, plain};
use waraq_docx::build::{paragraph, run};
use waraq_engine::{EmptyValue, FillOptions, LayoutOptions, PdfOptions, Values};

/// Returns a complex field. Fields in its code are written as `⟦CODE⟧`, and have the saved result `?`.
fn field(code: &str) -> String {
    field_with_result(code, &run("OLD"))
}

fn field_with_result(code: &str, result: &str) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let mut text = character("begin");
    let mut instruction = String::new();
    let flush = |instruction: &mut String, text: &mut String| {
        let escaped = instruction.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        text.push_str(&format!("<w:r><w:instrText xml:space=\"preserve\">{escaped}</w:instrText></w:r>"));
        instruction.clear();
    };
    for letter in format!(" {code} ").chars() {
        match letter {
            '⟦' => {
                flush(&mut instruction, &mut text);
                text.push_str(&character("begin"));
            }
            '⟧' => {
                flush(&mut instruction, &mut text);
                text.push_str(&format!("{}{}{}", character("separate"), run("?"), character("end")));
            }
            letter => instruction.push(letter),
        }
    }
    flush(&mut instruction, &mut text);
    format!("{text}{}{result}{}", character("separate"), character("end"))
}

fn bookmark(id: usize, name: &str, content: &str) -> String {
    format!("<w:bookmarkStart w:id=\"{id}\" w:name=\"{name}\"/>{content}<w:bookmarkEnd w:id=\"{id}\"/>")
}

/// Returns a table. Each cell is the content of a paragraph.
fn table(rows: &[&[String]]) -> String {
    let row = |cells: &&[String]| {
        let cells: String = cells.iter().map(|cell| format!("<w:tc>{}</w:tc>", plain(cell))).collect();
        format!("<w:tr>{cells}</w:tr>")
    };
    format!("<w:tbl><w:tblPr/>{}</w:tbl>", rows.iter().map(row).collect::<String>())
}

fn cell(text: &str) -> String {
    run(text)
}

/// The default language of the texts of a document.
fn language(tag: &str) -> String {
    format!(
        "<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val=\"{tag}\" w:bidi=\"{tag}\"/></w:rPr></w:rPrDefault></w:docDefaults>"
    )
}

/// Fills a template. Returns the lines of each page, and the markup of the body of the filled `.docx`.
fn fill(template: &Template, values: &[(&str, &str)]) -> (Vec<Vec<String>>, String) {
    let package = waraq_engine::open(&template.to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let options = FillOptions { empty: EmptyValue::Blank, ..FillOptions::default() };
    let (layout, pdf) = (LayoutOptions::default(), PdfOptions::default());
    let filled = waraq_engine::fill_and_render(&package, &values, options, &layout, &pdf).unwrap();
    let again = waraq_engine::open(&filled.docx).unwrap();
    let pages = waraq_engine::lay_out(&again, &layout).unwrap();
    (page_lines(&pages), again.part_text("word/document.xml").unwrap().to_owned())
}

/// Returns the visible text of markup, without field codes.
fn visible(xml: &str) -> String {
    let pieces = xml.split("<w:t").skip(1).filter(|piece| piece.starts_with([' ', '>']));
    pieces.filter_map(|piece| piece.split_once('>')?.1.split_once("</w:t>")).map(|(text, _)| text).collect()
}

/// Returns the text of a field in a document of one paragraph, and asserts that the filled `.docx` stores the same text.
fn result_with(code: &str, values: &[(&str, &str)]) -> String {
    let (pages, docx) = fill(&Template::new(plain(&(run("[") + &field(code) + &run("]")))), values);
    let line = pages[0].concat();
    let shown = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or_else(|| panic!("{line}"));
    let stored = docx.rfind("\"separate\"").map(|at| visible(&docx[at..])).unwrap();
    assert_eq!(stored.replace("&lt;", "<").replace("&gt;", ">"), format!("{shown}]"), "{code}");
    shown.to_owned()
}

fn result(code: &str) -> String {
    result_with(code, &[])
}

#[test]
fn conditions_choose_between_two_texts() {
    for (code, shown) in [
        (r#"IF 1 = 1 "yes" "no""#, "yes"),
        (r#"IF 1=2 "yes" "no""#, "no"),
        (r#"IF "10" > "9" "yes" "no""#, "yes"),
        (r#"IF "b" > "a" "yes" "no""#, "yes"),
        (r#"IF 2 >= 3 "yes" no"#, "no"),
        (r#"IF 2 <= 3 yes no"#, "yes"),
        (r#"IF "x" <> "x" "yes" "no""#, "no"),
        (r#"IF "1,000" = "1000.00" "yes" "no""#, "yes"),
        (r#"IF "Casablanca" = "Casa*" "yes" "no""#, "yes"),
        (r#"IF "Fes" = "F?s" "yes" "no""#, "yes"),
        (r#"IF "Rabat" <> "F*" "yes" "no""#, "yes"),
        (r#"IF "ab" = "a*c*" "yes" "no""#, "no"),
        (r#"IF "" = "" "yes" "no""#, "yes"),
        (r#"IF "a" = "b" "yes""#, ""),
        ("IF \"x\"=“x” “yes” “no”", "yes"),
        (r#"IF "a" = "a" "say \"hi\"" "no""#, "say \"hi\""),
        (r#"IF 1 = 1 "yes" "no" \* Upper"#, "YES"),
        (r#"IF "نعم" = "نعم" "أهلا" "وداعا""#, "أهلا"),
        (r#"COMPARE 5 > 3"#, "1"),
        (r#"COMPARE "a" = "b""#, "0"),
        (r#"IF ⟦COMPARE 5 > 3⟧ = 1 "nested" "no""#, "nested"),
        (r#"IF 1 = 1 "⟦IF 2 = 3 "a" "⟦QUOTE deep⟧ b"⟧" "no""#, "deep b"),
        (r#"IF ⟦= 2 + 3⟧ > 4 "big: ⟦= 2 * 3⟧" "small""#, "big: 6"),
    ] {
        assert_eq!(result(code), shown, "{code}");
    }
}

#[test]
fn conditions_see_the_values_of_the_fields_inside_them() {
    let code = r#"IF "{{sex}}" = "F" "Madam" "Sir""#;
    assert_eq!(result_with(code, &[("sex", "F")]), "Madam");
    assert_eq!(result_with(code, &[("sex", "M")]), "Sir");
    let code = r#"IF ⟦MERGEFIELD Total⟧ > 100 "⟦MERGEFIELD Total⟧ is due" "nothing is due""#;
    assert_eq!(result_with(code, &[("Total", "1,250")]), "1,250 is due");
    assert_eq!(result_with(code, &[("Total", "99")]), "nothing is due");
    assert_eq!(result_with("IF “{{sex}}”=“F” “Madam” “Sir”", &[("sex", "F")]), "Madam");
    assert_eq!(result_with("IF “F”=“{{sex}}” “Madam” “Sir”", &[("sex", "M")]), "Sir");
    assert_eq!(result_with(r#"IF "{{town}}" = "El \"Jadida\"" "a" "b""#, &[("town", "El \"Jadida\"")]), "a");
    assert_eq!(result_with(r#"IF ⟦MERGEFIELD note⟧ = "" "none" "some""#, &[("note", "")]), "none");
}

#[test]
fn headers_and_footers_are_computed_on_each_page() {
    let body = paragraph("One") + &page_break("Two") + &page_break("Three") + &page_break("Four");
    let footer = plain(&field(r#"IF ⟦PAGE⟧ = ⟦NUMPAGES⟧ "End" "continued on page ⟦= ⟦PAGE⟧ + 1⟧/⟦NUMPAGES⟧""#));
    let pages = Template::new(body.clone()).with_footer(footer).lines(&[]);
    let shown: Vec<&str> = pages.iter().map(|lines| lines.last().unwrap().as_str()).collect();
    assert_eq!(shown, ["continued on page 2/4", "continued on page 3/4", "continued on page 4/4", "End"]);
    // The same text on the first two pages must not be repeated on the others.
    let header = plain(&field(r#"IF ⟦PAGE⟧ <= 2 "begin" "later ⟦SECTION⟧""#));
    let pages = Template::new(body.clone()).with_header(header).lines(&[]);
    assert_eq!(
        pages.iter().map(|lines| lines[0].as_str()).collect::<Vec<_>>(),
        ["begin", "begin", "later 1", "later 1"]
    );
    let footer = table(&[&[field("= ⟦PAGE⟧ - 1"), run("of"), field("= ⟦NUMPAGES⟧-1")]]) + &plain("");
    let pages = Template::new(body).with_footer(footer).lines(&[]);
    assert_eq!(pages[3].iter().map(String::as_str).filter(|line| line.contains("of")).collect::<Vec<_>>(), ["3of3"]);
}

#[test]
fn the_body_is_computed_with_the_number_of_pages() {
    let body =
        plain(&(run("Pages: ") + &field(r#"IF ⟦NUMPAGES⟧ > 2 "many" "few""#))) + &page_break("2") + &page_break("3");
    let (pages, docx) = fill(&Template::new(body), &[]);
    assert_eq!(pages[0][0], "Pages: many");
    // The saved result of the inner field stays in the code.
    assert!(visible(&docx).contains("Pages: ?many"), "{}", visible(&docx));
    let (pages, _) = fill(&Template::new(page_break("x") + &plain(&field(r#"IF ⟦PAGE⟧ = 2 "second" "other""#))), &[]);
    assert_eq!(pages[1].last().unwrap(), "second");
}

#[test]
fn formulas_are_computed_with_decimal_numbers() {
    for (code, shown) in [
        ("= 1 + 2 * 3", "7"),
        ("=(1+2)*3", "9"),
        ("= 0.1 + 0.2", "0.3"),
        ("= 10 / 4", "2.5"),
        ("= 1 / 3", "0.33"),
        ("= 2 ^ 10", "1024"),
        ("= 4 ^ 0.5", "2"),
        ("= 50% * 8", "4"),
        ("= -3 + 5", "2"),
        ("= 3 > 2", "1"),
        ("= 3 <> 3", "0"),
        ("= 12345678901234567890 + 1", "12345678901234567891"),
        ("= SUM(1, 2, 3.5)", "6.5"),
        ("= SUM(1;2;3)", "6"),
        ("= AVERAGE(2,4)", "3"),
        ("= MAX(3, 9, 4) - MIN(3, 9, 4)", "6"),
        ("= PRODUCT(2,3,4)", "24"),
        ("= COUNT(2,3,4)", "3"),
        ("= ROUND(2.345, 2)", "2.35"),
        ("= ROUND(1234, -2)", "1200"),
        ("= INT(5.9)", "5"),
        ("= ABS(-5)", "5"),
        ("= SIGN(-5)", "-1"),
        ("= MOD(7, 3)", "1"),
        ("= IF(2 > 1, 10, 20)", "10"),
        ("= AND(1, 0)", "0"),
        ("= OR(1, 0)", "1"),
        ("= NOT(0)", "1"),
        ("= TRUE", "1"),
        ("= DEFINED(nothing)", "0"),
        ("= DEFINED(1)", "1"),
        ("= 1/0", "!Zero Divide"),
        ("= 1 + ", "!Unexpected End of Formula"),
        ("= 2 * / 3", "!Syntax Error, /"),
        ("= nothing + 1", "!Undefined Bookmark, NOTHING"),
        (r##"= 1234.5 \# "#,##0.00""##, "1,234.50"),
        (r#"= 7 \# 000"#, "007"),
        (r"= 4 \* roman", "iv"),
        (r"= 2 + 1 \*CardText", "three"),
        ("= ⟦= 2 + 3⟧ * 2", "10"),
        (r##"= ⟦QUOTE "1,000.50"⟧ + 1"##, "1,001.50"),
    ] {
        assert_eq!(result(code), shown, "{code}");
    }
    assert_eq!(result_with("= {{quantity}} * {{price}}", &[("quantity", "3"), ("price", "19.99")]), "59.97");
}

#[test]
fn formulas_use_the_separators_of_their_language() {
    let french = |code: &str| {
        let template = Template { styles: language("fr-FR"), ..Template::new(plain(&field(code))) };
        template.lines(&[])[0].concat()
    };
    assert_eq!(french("= 1,5 + 1"), "2,5");
    assert_eq!(french("= SUM(1,5;2)"), "3,5");
    assert_eq!(french("= ⟦QUOTE \"1 234,50 €\"⟧ * 2"), "2 469,00\u{a0}€");
}

#[test]
fn table_formulas_add_the_numbers_of_their_cells() {
    let rows: [&[String]; 5] = [
        &[cell("Item"), cell("Price"), cell("Tax")],
        &[cell("A"), cell("$1,200.50"), cell("{{tax}}")],
        &[cell("B"), cell("$99.50"), cell("2")],
        &[cell("C"), cell("($100.00)"), cell("3")],
        &[cell("Sum"), field("=SUM(ABOVE)"), field("= SUM(ABOVE)")],
    ];
    let after = plain(&field("= SUM(Prices B2:B3)"));
    let before = "<w:bookmarkStart w:id=\"1\" w:name=\"Prices\"/><w:bookmarkEnd w:id=\"1\"/>";
    let body = table(&rows).replacen("<w:r>", &format!("{before}<w:r>"), 1) + &after;
    let (pages, docx) = fill(&Template::new(body), &[("tax", "7")]);
    let lines = pages[0].join("|");
    assert!(lines.contains("Sum$1,200.0012"), "{lines}");
    assert!(lines.ends_with("$1,300.00"), "{lines}");
    assert!(visible(&docx).contains("$1,200.0012"), "{docx}");
}

#[test]
fn table_formulas_refer_to_cells_in_all_directions() {
    for (code, shown) in [
        ("= SUM(A1:B2)", "10"),
        ("= A1 + B2", "5"),
        ("= SUM(LEFT)", "11"),
        ("= SUM(A:A)", "9"),
        ("= SUM(2:2)", "7"),
        ("= AVERAGE(A1,B1)", "1.5"),
        ("= MAX(A1:B2) \\# 00", "04"),
        ("= COUNT(A1:C2)", "4"),
        ("= PRODUCT(LEFT)", "30"),
        ("= IF(A1 > B1, 1, 2)", "2"),
        ("= SUM(ABOVE)", "0"),
    ] {
        let rows: [&[String]; 3] = [
            &[cell("1"), cell("2"), cell("text")],
            &[cell("3"), cell("4"), cell("")],
            &[cell("5"), cell("6"), run("<") + &field(code) + &run(">")],
        ];
        let lines = Template::new(table(&rows) + &plain("")).lines(&[])[0].join("");
        assert!(lines.contains(&format!("<{shown}>")), "{code}: {lines}");
    }
}

#[test]
fn table_formulas_follow_merged_cells_and_other_formulas() {
    let span = "<w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>".to_owned() + &plain(&run("Total")) + "</w:tc>";
    let row = |cells: &str| format!("<w:tr>{cells}</w:tr>");
    let tc = |content: &str| format!("<w:tc>{}</w:tc>", plain(content));
    let rows = row(&(tc(&run("2")) + &tc(&run("10")) + &tc(&field("= PRODUCT(LEFT)"))))
        + &row(&(tc(&run("3")) + &tc(&run("5")) + &tc(&field("= PRODUCT(LEFT)"))))
        + &row(&(span + &tc(&field("= SUM(ABOVE)"))));
    let lines = Template::new(format!("<w:tbl><w:tblPr/>{rows}</w:tbl>{}", plain(""))).lines(&[])[0].clone();
    assert_eq!(lines[..3], ["21020", "3515", "Total35"]);
    // A formula that adds itself has no result of its own.
    let own = table(&[&[field("= SUM(A1:B1)"), cell("4")]]) + &plain("");
    assert!(Template::new(own).lines(&[])[0][0].ends_with('4'));
}

#[test]
fn texts_that_are_set_appear_in_references_that_follow() {
    let body = [
        plain(&(field(r#"SET town "{{town}}""#) + &run("In ") + &field("REF town") + &run(", ") + &field("Town"))),
        plain(&(field(r#"SET town "Fes""#) + &field("REF town \\* Upper"))),
        plain(&field(r#"IF town = "Fes" "last" "first""#)),
        plain(&(field(r#"SET price "19,50""#) + &field(r##"= price * 2 \# "0.00""##))),
    ];
    let (pages, docx) = fill(&Template::new(body.concat()), &[("town", "Oran")]);
    assert_eq!(pages[0][..3], ["In Oran, Oran", "FES", "last"]);
    assert!(visible(&docx).contains("In Oran, OranOLDFES"), "{}", visible(&docx));
}

#[test]
fn references_to_bookmarks_have_their_switches() {
    let body = [
        plain(&(bookmark(1, "party", &run("{{party}}")) + &run(" and ") + &bookmark(2, "amount", &run("1234.5")))),
        plain(
            &(field("REF party \\h") + &run(" / ") + &field("REF Party \\* Upper \\h") + &run(" / ") + &field("party")),
        ),
        plain(&(field("REF amount \\# \"#,##0.00\"") + &run(" / ") + &field("REF party \\* MERGEFORMAT"))),
        plain(&(run("= ") + &field("= amount * 2"))),
    ];
    let (pages, docx) = fill(&Template::new(body.concat()), &[("party", "Mme Sara Lahlou")]);
    let wanted = "Mme Sara Lahlou / MME SARA LAHLOU / Mme Sara Lahlou";
    assert_eq!(pages[0][1..], [wanted, "1,234.50 / Mme Sara Lahlou", "= 2469"]);
    assert!(visible(&docx).contains(wanted), "{}", visible(&docx));
}

#[test]
fn the_text_of_a_bookmark_contains_the_new_results_of_its_fields() {
    let body = plain(&bookmark(1, "greeting", &(run("Dear ") + &field(r#"IF "{{sex}}" = F "Madam" "Sir""#))))
        + &plain(&(run("Again: ") + &field("REF greeting")));
    let (pages, docx) = fill(&Template::new(body), &[("sex", "F")]);
    assert_eq!(pages[0], ["Dear Madam", "Again: Dear Madam"]);
    assert!(visible(&docx).ends_with("Again: Dear Madam"), "{}", visible(&docx));
}

#[test]
fn hidden_text_of_a_bookmark_is_not_repeated() {
    let hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret </w:t></w:r>";
    let body = plain(&bookmark(1, "b", &(run("open ") + hidden + &run("text"))))
        + &plain(&(run("Again: ") + &field("REF b") + &run(" / ") + &field("REF b \\* Upper")));
    let (pages, _) = fill(&Template::new(body), &[]);
    assert_eq!(pages.concat(), ["open text", "Again: open text / OPEN TEXT"]);
}

#[test]
fn numbers_of_pages_and_items_have_their_pictures() {
    for (code, shown) in [
        ("PAGE \\# \"000\"", "001"),
        ("NUMPAGES \\# \"00\"", "01"),
        ("PAGE \\* Ordinal", "1st"),
        ("PAGE \\* CardText \\* Upper", "ONE"),
        ("PAGE \\*roman", "i"),
        ("SECTIONPAGES \\# 00", "01"),
        ("SECTION \\* Roman", "I"),
        ("SEQ x \\# \"000\"", "001"),
        ("SEQ x \\* ALPHABETIC", "A"),
    ] {
        let template = Template::new(plain(&field(code)));
        assert_eq!(template.lines(&[])[0], [shown], "{code}");
    }
    let body = plain(&(bookmark(1, "b", "") + &field("PAGEREF b \\# \"00\"") + &field("PAGEREF b")));
    let (pages, docx) = fill(&Template::new(body), &[]);
    assert_eq!((pages[0].concat(), visible(&docx)), ("011".to_owned(), "011".to_owned()));
}

#[test]
fn a_saved_result_in_several_paragraphs_is_replaced() {
    let saved = format!("{}</w:p><w:p>{}", run("Sir"), run("and company"));
    let body = plain(&(run("Dear ") + &field_with_result(r#"IF "{{sex}}" = "F" "Madam" "Sir""#, &saved) + &run(",")));
    let pages = Template::new(body).lines(&[("sex", "F")]);
    assert_eq!(pages[0].concat(), "Dear Madam,");
    let code = "IF 1 = 1 \"first".to_owned();
    let body = plain(
        &field(&(code + "\" \"no\"")).replace("first", "first</w:instrText></w:r></w:p><w:p><w:r><w:instrText>second"),
    );
    assert_eq!(Template::new(body).lines(&[])[0], ["first", "second"]);
}

/// Returns a field whose code contains content that is not text, at the place of `⟨⟩`.
fn field_around(code: &str, content: &str) -> String {
    let content = format!("</w:instrText></w:r>{content}<w:r><w:instrText xml:space=\"preserve\">");
    field(code).replace("⟨⟩", &content)
}

/// A page break or a table cannot be shown as text. The other text of the condition is still correct, and the author is told.
#[test]
fn breaks_and_tables_in_conditions_are_reported_and_never_replace_another_operand() {
    let page_break = "<w:r><w:br w:type=\"page\"/></w:r>".to_owned();
    let cells = format!("</w:p>{}<w:p>", table(&[&[cell("in a table")]]));
    let inner = field_with_result("INCLUDETEXT x", &page_break);
    for content in [page_break, cells, inner] {
        for (code, shown) in [
            (r#"IF 1 = 2 "a⟨⟩" "no""#, vec!["no"]),
            (r#"IF 1 = 2 ⟨⟩ "no""#, vec!["no"]),
            (r#"IF 1 = 1 "yes" "⟨⟩""#, vec!["yes"]),
            (r#"IF 1 = 1 "⟨⟩" "no""#, vec!["OLD"]),
        ] {
            let body = plain(&field_around(code, &content));
            let pages = Template::new(body).pages(&[]);
            assert_eq!(page_lines(&pages).concat(), shown, "{code} {content}");
            let told = pages.warnings.iter().any(|found| found.code.as_str() == "field_not_computed");
            assert!(told, "{code} {content}: {:?}", pages.warnings);
        }
    }
    let saved = format!("{}</w:p>{}<w:p>", run("OLD"), table(&[&[cell("old table")]]));
    let body = plain(&field_with_result(r#"IF 1 = 2 "yes" "no""#, &saved));
    assert_eq!(Template::new(body).lines(&[]).concat(), ["no"]);
}

#[test]
fn a_bookmark_name_alone_is_found_in_any_letter_case() {
    for (name, code) in [("Price", "PRICE"), ("Größe", "Größe"), ("Straße", "STRAßE"), ("Işık", "Işık")] {
        let body = plain(&bookmark(1, name, &run("12"))) + &plain(&field(code));
        let template = Template::new(body);
        assert_eq!(template.lines(&[])[0], ["12", "12"], "{name}");
        let package = waraq_engine::open(&template.to_bytes()).unwrap();
        let told = waraq_docx::fields::check(&package).unwrap().findings;
        assert!(told.is_empty(), "{name}: {told:?}");
    }
}

#[test]
fn locked_fields_keep_their_result() {
    let locked = field(r#"IF 1 = 1 "new" "no""#).replacen("\"begin\"", "\"begin\" w:fldLock=\"1\"", 1);
    assert_eq!(Template::new(plain(&locked)).lines(&[])[0], ["OLD"]);
    let locked = field("SEQ Figure").replacen("\"begin\"", "\"begin\" w:fldLock=\"1\"", 1);
    assert_eq!(Template::new(plain(&locked) + &plain(&field("SEQ Figure"))).lines(&[])[0], ["OLD", "2"]);
}

#[test]
fn fields_that_cannot_be_computed_are_reported() {
    for (code, is_reported) in [
        (r#"IF 1 = 1 "yes" "no""#, false),
        ("IF", true),
        ("REF nowhere", true),
        ("Nowhere", true),
        (r#"IF ⟦MERGEFIELD x⟧ = 1 "yes" "no""#, false),
        (r#"IF ⟦STYLEREF 1⟧ = "a" "yes" "no""#, false),
        ("SEQ Figure nowhere", true),
    ] {
        let package = waraq_engine::open(&Template::new(plain(&field(code))).to_bytes()).unwrap();
        let pages = waraq_engine::lay_out(&package, &LayoutOptions::default()).unwrap();
        let reported = pages.warnings.iter().any(|found| found.code.as_str() == "field_not_computed");
        assert_eq!(reported, is_reported, "{code}: {:?}", pages.warnings);
    }
}

#[test]
fn layout_is_repeatable() {
    let body = paragraph("a")
        + &page_break("b")
        + &plain(&(bookmark(1, "b", &field("= ⟦PAGE⟧ + ⟦NUMPAGES⟧")) + &field("REF b")));
    let template = Template::new(body).with_header(plain(&field(r#"IF ⟦PAGE⟧ = 1 "" "page ⟦PAGE⟧""#)));
    assert_eq!(template.lines(&[]), template.lines(&[]));
}

#[test]
fn deeply_nested_and_circular_fields_end() {
    let mut nested = "QUOTE end".to_owned();
    for _ in 0..1_000 {
        nested = format!("IF 1 = 1 \"⟦{nested}⟧\" \"no\"");
    }
    Template::new(plain(&field(&nested))).lines(&[]);
    let circular = bookmark(1, "a", &(run("a") + &field("REF b"))) + &bookmark(2, "b", &(run("b") + &field("= a + 1")));
    Template::new(plain(&circular) + &plain(&field("REF a"))).lines(&[]);
    // Each bookmark shows the next one twice.
    let doubling: String = (0..60)
        .map(|at| {
            let next = field(&format!("REF b{}", at + 1));
            plain(&bookmark(at, &format!("b{at}"), &(run("t") + &next + &next)))
        })
        .collect();
    Template::new(doubling).lines(&[]);
    let parentheses = format!("= {}1{}", "(".repeat(4_000), ")".repeat(4_000));
    assert!(result(&parentheses).starts_with("!Syntax Error"));
    Template::new(plain(&field(&format!("= 1{}", " + 1".repeat(250_000))))).lines(&[]);
    Template::new(plain(&field(&format!("= 9 ^ {}", "9".repeat(20))))).lines(&[]);
}

#[test]
fn sums_of_many_cells_are_bounded() {
    let values: Vec<String> = (0..2_000).map(|number| cell(&number.to_string())).collect();
    let formulas: Vec<String> = (0..200).map(|_| field("= SUM(1:1)")).collect();
    let body = table(&[&values, &formulas]) + &plain("");
    let package = waraq_engine::open(&Template::new(body).to_bytes()).unwrap();
    let started = std::time::Instant::now();
    let outcome = waraq_engine::lay_out(&package, &LayoutOptions::default());
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    drop(outcome);
}

#[test]
fn references_show_the_marks_of_notes_and_the_length_of_the_text() {
    let note = "<w:r><w:footnoteReference w:id=\"2\"/></w:r>";
    let body = plain(&(run("one two") + "<w:r><w:footnoteReference w:id=\"1\"/></w:r>"))
        + &plain(&(run("three") + &bookmark(1, "note", note)))
        + &plain(&(run("see ") + &field("NOTEREF note \\h") + &run(" of ") + &field("NUMWORDS")));
    let notes: String = (1..=2)
        .map(|id| format!("<w:footnote w:id=\"{id}\">{}</w:footnote>", plain(&(run("note ") + &field("REF note")))))
        .collect();
    let mut builder = waraq_docx::build::DocumentBuilder::new(&body);
    builder.add_related_part("footnotes", "footnotes", "footnotes.xml", &notes);
    let package = waraq_engine::open(&builder.to_bytes()).unwrap();
    let pages = page_lines(&waraq_engine::lay_out(&package, &LayoutOptions::default()).unwrap());
    let text = pages[0].join("|");
    // The saved result of NUMWORDS counts as a word.
    assert!(text.contains("see 2 of 7"), "{text}");
    assert!(text.contains("note 2"), "{text}");
}

#[test]
fn text_boxes_and_cells_are_computed() {
    let text_box = "<w:r><w:pict><v:rect xmlns:v=\"urn:schemas-microsoft-com:vml\" style=\"width:200pt;height:40pt\">\
        <v:textbox><w:txbxContent>BOX</w:txbxContent></v:textbox></v:rect></w:pict></w:r>";
    let inside = plain(&field(r#"IF "{{n}}" > 2 "many" "few""#));
    let body = plain(&text_box.replace("BOX", &inside))
        + &table(&[&[field(r#"IF "{{n}}" < 2 "one" "several""#)]])
        + &plain("");
    let lines = Template::new(body).lines(&[("n", "3")])[0].join("|");
    assert!(lines.contains("many") && lines.contains("several"), "{lines}");
}

#[test]
fn dates_of_the_document_and_its_file_name_are_shown() {
    let core = "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
        xmlns:dcterms=\"http://purl.org/dc/terms/\"><dcterms:created>2026-03-07T09:30:00Z</dcterms:created></cp:coreProperties>";
    let relationships = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
        <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/>\
        <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>\
        </Relationships>";
    let body = plain(&field("CREATEDATE \\@ \"d MMMM yyyy HH:mm\"")) + &plain(&field("FILENAME \\* Upper"));
    let document = waraq_docx::build::DocumentBuilder::new(&body)
        .with_part("docProps/core.xml", core)
        .with_part("_rels/.rels", relationships);
    let package = waraq_engine::open(&document.to_bytes()).unwrap();
    let options = LayoutOptions { time_zone: 60, file_name: Some("offer.docx".to_owned()), ..LayoutOptions::default() };
    let pages = page_lines(&waraq_engine::lay_out(&package, &options).unwrap());
    assert_eq!(pages[0], ["7 March 2026 10:30", "OFFER.DOCX"]);
}

/// The header is measured before the body is laid out. The body must still be laid out again when the number of pages is known.
#[test]
fn a_number_of_pages_in_a_bookmark_is_current_in_header_and_body() {
    let total = field("SET total ⟦NUMPAGES⟧");
    let shown = |text: &str| plain(&(run(text) + &field("REF total")));
    let body = plain(&total) + &shown("body ") + &page_break("two") + &page_break("three");
    let pages = Template::new(body.clone()).with_header(shown("header ")).lines(&[]);
    assert_eq!(pages.len(), 3);
    assert!(pages.iter().all(|lines| lines[0] == "header 3"), "{pages:?}");
    assert_eq!(pages[0][1], "body 3");
    let sum = |text: &str| plain(&(run(text) + &field("= total * 2")));
    let pages = Template::new(body + &sum("sum ")).with_header(sum("header ")).lines(&[]);
    assert_eq!((pages[0][0].as_str(), pages[2].last().unwrap().as_str()), ("header 6", "sum 6"));
}

#[test]
fn words_are_counted_for_each_field() {
    let body = plain(&run("two words")) + &plain(&(field("NUMWORDS \\* Roman") + &run(" ") + &field("NUMCHARS")));
    let header = plain(&field("NUMWORDS"));
    let lines = Template::new(body).with_header(header).lines(&[]);
    assert_eq!(lines[0][0], "4");
    assert!(lines[0][2].starts_with("IV "), "{lines:?}");
}
