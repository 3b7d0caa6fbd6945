//! Marking of blanks and other places, and its reverse.

mod random;
mod sections;

use random::Random;
use sections::{fill, open, p, row, shown, table, values};
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{
    self, BlankForm, FieldMark, FillOptions, MAX_MARKS, Marked, SkipReason, detect_blanks, mark_fields, unmark_fields,
};
use waraq_docx::{Budget, Package};
use waraq_rules::field_settings::ValueKind;

const MAIN: &str = "word/document.xml";

fn body_of(package: &Package) -> String {
    let text = package.part_text(MAIN).unwrap();
    let start = text.find("<w:body>").unwrap() + "<w:body>".len();
    text[start..text.find("</w:body>").unwrap()].to_owned()
}

/// Marks all detected blanks.
fn mark_all(package: &Package) -> Marked {
    let marks: Vec<FieldMark> = detect_blanks(package).unwrap().blanks.iter().map(FieldMark::from).collect();
    mark_fields(package, &marks).unwrap()
}

/// Marks all detected blanks, checks the reverse, and returns the new body.
fn marked(body: &str) -> String {
    let package = open(body);
    let marked = mark_all(&package);
    assert_eq!(marked.skipped, [], "{body}");
    let saved = Package::open(&marked.package.to_bytes().unwrap()).unwrap();
    saved.validate().unwrap();
    assert_undone(&package, &saved, &marked);
    body_of(&saved)
}

/// Checks that undoing gives the original bytes of all parts.
fn assert_undone(package: &Package, saved: &Package, marked: &Marked) {
    let undone = unmark_fields(saved, &marked.changes).unwrap();
    assert_eq!((undone.undone, undone.kept), (marked.changes.len(), 0));
    for part in package.part_names() {
        assert_eq!(undone.package.part_text(part), package.part_text(part), "{part}");
    }
}

fn place(name: &str, paragraph: usize, start: usize, end: usize) -> FieldMark {
    FieldMark { name: name.into(), paragraph, start, end, ..FieldMark::default() }
}

fn reasons(marked: &Marked) -> Vec<SkipReason> {
    marked.skipped.iter().map(|skipped| skipped.reason).collect()
}

fn t(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn styled(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

#[test]
fn the_formatting_stays_and_the_highlight_goes() {
    let bold = "<w:b/>";
    let yellow = "<w:b/><w:highlight w:val=\"yellow\"/>";
    for (body, expected) in [
        (p("Name: ______ end"), p("Name: {{Name}} end")),
        (p("A &amp; B: [R&amp;D head]"), p("A &amp; B: {{R&amp;D head}}")),
        (
            format!("<w:p>{}{}{}</w:p>", styled(bold, "Name: __"), t("____"), styled(bold, "__ end")),
            format!("<w:p>{}{}{}</w:p>", styled(bold, "Name: {{Name}}"), t(""), styled(bold, " end")),
        ),
        // The whole run is the blank.
        (
            format!("<w:p>{}{}</w:p>", t("Name: "), styled(yellow, "______")),
            format!("<w:p>{}{}</w:p>", t("Name: "), styled(bold, "{{Name}}")),
        ),
        // The run has other text too.
        (
            format!("<w:p>{}</w:p>", styled(yellow, "Name: ______ end")),
            format!(
                "<w:p>{}{}{}</w:p>",
                styled(yellow, "Name: "),
                styled(bold, "{{Name}}"),
                styled(yellow, " end")
            ),
        ),
        (
            format!("<w:p>{}<w:r><w:rPr><w:u w:val=\"single\"/></w:rPr><w:tab/></w:r></w:p>", t("Name: ")),
            format!(
                "<w:p>{}<w:r><w:rPr><w:u w:val=\"single\"/></w:rPr><w:t xml:space=\"preserve\">{{{{Name}}}}</w:t></w:r></w:p>",
                t("Name: ")
            ),
        ),
        (
            format!("<w:p><w:r><w:sym w:font=\"Wingdings\" w:char=\"F0A8\"/></w:r>{}</w:p>", t(" Paid")),
            format!(
                "<w:p><w:r><w:t xml:space=\"preserve\">{{{{#Paid}}}}☒{{{{/Paid}}}}{{{{^Paid}}}}☐{{{{/Paid}}}}</w:t></w:r>{}</w:p>",
                t(" Paid")
            ),
        ),
        (p("□ Paid"), p("{{#Paid}}☒{{/Paid}}{{^Paid}}□{{/Paid}} Paid")),
        (
            "<w:p><w:r><w:t>Name ______</w:t></w:r><w:r><w:t>____ end</w:t></w:r></w:p>".to_owned(),
            "<w:p><w:r><w:t xml:space=\"preserve\">Name {{Name}}</w:t></w:r><w:r><w:t xml:space=\"preserve\"> end</w:t></w:r></w:p>".to_owned(),
        ),
        // The lines of one blank.
        (p("Remarks: ________") + &p("________") + &p("________") + &p("end"), p("Remarks: {{Remarks}}") + &p("end")),
    ] {
        assert_eq!(marked(&body), expected);
    }
}

#[test]
fn marked_documents_can_be_filled() {
    for (body, values, expected) in [
        (p("Name: ______, [City]"), r#"{"Name": "Zoé", "City": "Fès"}"#, "Name: Zoé, Fès"),
        (p("☐ Paid ☐ Open"), r#"{"Paid": true, "Open": false}"#, "☒ Paid ☐ Open"),
        (p("الاسم: ............"), r#"{"الاسم": "ليلى"}"#, "الاسم: ليلى"),
    ] {
        let marked = mark_all(&open(&body)).package;
        let filled = fields::fill(&marked, &self::values(values), FillOptions::default()).unwrap();
        assert_eq!(shown(&filled), expected);
    }
    let cells = table(&[row(&["Name", ""]), row(&["Phone", ""])]) + &p("end");
    assert_eq!(
        fill(&body_of(&mark_all(&open(&cells)).package), r#"{"Name": "Zoé", "Phone": "1"}"#),
        fill(&(table(&[row(&["Name", "Zoé"]), row(&["Phone", "1"])]) + &p("end")), "{}")
    );
}

#[test]
fn empty_cells_get_a_run_with_the_formatting_of_the_paragraph() {
    let cell = |paragraph: &str| {
        table(&[format!("<w:tr><w:tc>{}</w:tc><w:tc>{paragraph}</w:tc></w:tr>", p("Name"))]) + &p("end")
    };
    for (before, after) in [
        ("<w:p/>", "<w:p><w:r><w:t>{{Name}}</w:t></w:r></w:p>"),
        ("<w:p w:rsidR=\"1>2\"/>", "<w:p w:rsidR=\"1>2\"><w:r><w:t>{{Name}}</w:t></w:r></w:p>"),
        ("<w:p></w:p>", "<w:p><w:r><w:t>{{Name}}</w:t></w:r></w:p>"),
        (
            "<w:p><w:pPr><w:jc w:val=\"end\"/><w:rPr><w:b/></w:rPr></w:pPr></w:p>",
            "<w:p><w:pPr><w:jc w:val=\"end\"/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>{{Name}}</w:t></w:r></w:p>",
        ),
    ] {
        assert_eq!(marked(&cell(before)), cell(after));
    }
}

#[test]
fn controls_get_a_tag_and_form_fields_become_text() {
    let control = |properties: &str| {
        format!("<w:p>{}<w:sdt>{properties}<w:sdtContent>{}</w:sdtContent></w:sdt></w:p>", t("Town: "), t("Click here"))
    };
    for (before, after) in [
        ("<w:sdtPr><w:showingPlcHdr/></w:sdtPr>", "<w:sdtPr><w:tag w:val=\"Town\"/><w:showingPlcHdr/></w:sdtPr>"),
        (
            "<w:sdtPr><w:rPr><w:b/></w:rPr><w:alias w:val=\"Town\"/><w:id w:val=\"1\"/><w:showingPlcHdr/></w:sdtPr>",
            "<w:sdtPr><w:rPr><w:b/></w:rPr><w:alias w:val=\"Town\"/><w:tag w:val=\"Town\"/><w:id w:val=\"1\"/><w:showingPlcHdr/></w:sdtPr>",
        ),
        (
            "<w:sdtPr><w:tag w:val=\"\"/><w:showingPlcHdr/></w:sdtPr>",
            "<w:sdtPr><w:tag w:val=\"Town\"/><w:showingPlcHdr/></w:sdtPr>",
        ),
    ] {
        assert_eq!(marked(&control(before)), control(after));
    }
    let empty = |properties: &str| format!("<w:p>{}<w:sdt>{properties}<w:sdtContent/></w:sdt></w:p>", t("Town: "));
    assert_eq!(marked(&empty("<w:sdtPr/>")), empty("<w:sdtPr><w:tag w:val=\"Town\"/></w:sdtPr>"));
    assert_eq!(marked(&empty("")), empty("<w:sdtPr><w:tag w:val=\"Town\"/></w:sdtPr>"));

    let form = |code: &str, result: &str| {
        format!(
            "<w:p>{}<w:r><w:rPr><w:i/></w:rPr><w:fldChar w:fldCharType=\"begin\"><w:ffData/></w:fldChar></w:r><w:r><w:instrText>{code}</w:instrText></w:r>\
             <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{result}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>{}</w:p>",
            t("Town: "),
            t(" end")
        )
    };
    let text = marked(&form("FORMTEXT", &t("     ")));
    assert!(text.contains("<w:r><w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">{{Town}}</w:t></w:r>"), "{text}");
    assert!(!text.contains("fldChar") && !text.contains("FORMTEXT"), "{text}");
    assert_eq!(fill(&text, r#"{"Town": "Fès"}"#), "Town: Fès end");
    let check = marked(&form("FORMCHECKBOX", ""));
    assert_eq!(fill(&check, r#"{"End": true}"#), "Town: ☒ end");

    // A merge field is a field already. It is replaced only if its name changes.
    let merge =
        format!("<w:p><w:fldSimple w:instr=\" MERGEFIELD City \\* Upper \">{}</w:fldSimple></w:p>", t("«City»"));
    assert_eq!(marked(&merge), merge);
    let package = open(&merge);
    let mark = FieldMark { name: "Town".into(), ..FieldMark::from(&detect_blanks(&package).unwrap().blanks[0]) };
    let renamed = mark_fields(&package, &[mark]).unwrap();
    assert_eq!(fill(&body_of(&renamed.package), r#"{"Town": "Fès"}"#), "Fès");
    assert_undone(&package, &renamed.package, &renamed);
}

#[test]
fn chosen_places_become_fields() {
    let body = p("Dear Zoé,") + &p("") + &p("Paragraph two.") + &p("Paragraph three.");
    let mark = |marks: &[FieldMark]| {
        let package = open(&body);
        let marked = mark_fields(&package, marks).unwrap();
        assert_eq!(marked.skipped, []);
        assert_undone(&package, &marked.package, &marked);
        body_of(&marked.package)
    };
    let optional = |name: &str, paragraph: usize, last: usize| FieldMark {
        last_paragraph: Some(last),
        kind: ValueKind::YesNo,
        ..place(name, paragraph, 0, 0)
    };
    let tag = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    assert!(mark(&[place("name", 1, 5, 8)]).starts_with(&p("Dear {{name}},")));
    assert!(mark(&[place("title", 1, 5, 5)]).starts_with(&p("Dear {{title}}Zoé,")));
    assert!(mark(&[place("title", 1, 5, 5), place("name", 1, 5, 8)]).starts_with(&p("Dear {{title}}{{name}},")));
    assert!(mark(&[place("end", 1, 9, 9)]).starts_with(&p("Dear Zoé,{{end}}")));
    let part = FieldMark { kind: ValueKind::YesNo, ..place("kind", 1, 0, 4) };
    assert!(mark(&[part]).starts_with(&p("{{#kind}}Dear{{/kind}} Zoé,")));
    assert_eq!(
        mark(&[optional("outer", 3, 4), optional("inner", 3, 3)]),
        p("Dear Zoé,")
            + &p("")
            + &tag("{{#outer}}")
            + &tag("{{#inner}}")
            + &p("Paragraph two.")
            + &tag("{{/inner}}")
            + &p("Paragraph three.")
            + &tag("{{/outer}}")
    );
    let both = mark(&[optional("b", 4, 4), optional("a", 3, 3)]);
    assert_eq!(fill(&both, r#"{"a": false, "b": true}"#), "Dear Zoé, /  / Paragraph three.");
}

#[test]
fn elements_in_unexpected_places_stay_well_formed() {
    let highlight = "<w:highlight w:val=\"yellow\"/>";
    for body in [
        format!("<w:p><w:r><w:rPr>{highlight}<w:t>[x] Name: [Town] end</w:t></w:rPr></w:r></w:p>"),
        format!("<w:p><w:r><w:rPr>{highlight}</w:rPr><w:t>a <w:x>[Town] b</w:x> c</w:t></w:r></w:p>"),
        format!("<w:p><w:r><w:rPr>{highlight}</w:rPr><w:t>a <w:t>[Town] b</w:t> c</w:t></w:r></w:p>"),
        "<w:p><w:r><w:rPr><w:highlight w:val=\"red\"><w:x/></w:highlight></w:rPr><w:t>a [Town] b</w:t></w:r></w:p>"
            .to_owned(),
    ] {
        let package = open(&body);
        let marked = mark_all(&package);
        let saved = Package::open(&marked.package.to_bytes().unwrap()).unwrap();
        saved.validate().unwrap_or_else(|error| panic!("{body}: {error}"));
        assert_undone(&package, &saved, &marked);
    }
}

#[test]
fn rows_become_lists() {
    let body = table(&[row(&["Item", "Price"]), row(&["", ""])]) + &p("end");
    let package = open(&body);
    let mut marks: Vec<FieldMark> = detect_blanks(&package).unwrap().blanks.iter().map(FieldMark::from).collect();
    marks.insert(0, FieldMark { kind: ValueKind::List, ..place("items", 3, 0, 0) });
    let marked = mark_fields(&package, &marks).unwrap();
    assert_eq!((marked.marked, marked.skipped.len()), (3, 0));
    assert_undone(&package, &marked.package, &marked);
    let rows = r#"{"items": [{"Item": "a", "Price": "1"}, {"Item": "b", "Price": "2"}]}"#;
    let expected = table(&[row(&["Item", "Price"]), row(&["a", "1"]), row(&["b", "2"])]) + &p("end");
    assert_eq!(fill(&body_of(&marked.package), rows), fill(&expected, "{}"));
    let outside = mark_fields(&package, &[FieldMark { kind: ValueKind::List, ..place("items", 5, 0, 0) }]).unwrap();
    assert_eq!(reasons(&outside), [SkipReason::NotReplaceable]);
}

#[test]
fn pictures_get_an_alternative_text() {
    let namespaces = "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
                      xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
                      xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"";
    let picture = |attributes: &str| {
        format!(
            "<w:p>{}<w:r><w:drawing {namespaces}><wp:inline><wp:extent cx=\"9000\" cy=\"9000\"/><wp:docPr id=\"1\" name=\"P\"{attributes}/>\
             <a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>",
            t("Logo: ")
        )
    };
    for before in ["", " descr=\"A logo\""] {
        let package = open(&picture(before));
        let mark = FieldMark { kind: ValueKind::Picture, ..place("Logo", 1, 6, 7) };
        let marked = mark_fields(&package, &[mark]).unwrap();
        assert_eq!(marked.skipped, []);
        assert_eq!(fields::list(&marked.package).unwrap()[0].kind, fields::FieldKind::Picture);
        assert_undone(&package, &marked.package, &marked);
    }
    let text = mark_fields(&open(&picture("")), &[place("Logo", 1, 0, 7)]).unwrap();
    assert_eq!(reasons(&text), [SkipReason::NotReplaceable]);
}

#[test]
fn the_copy_of_a_text_box_is_marked_too() {
    let text_box = |text: &str| format!("<w:txbxContent>{}</w:txbxContent>", p(text));
    let body = format!(
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:wsp>{}</wps:wsp></w:drawing></mc:Choice>\
         <mc:Fallback><w:pict>{}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
        text_box("Name: ______"),
        text_box("Name: ______")
    );
    let after = marked(&body);
    assert_eq!(after.matches("{{Name}}").count(), 2, "{after}");
}

#[test]
fn bound_controls_lose_their_binding() {
    let body = format!(
        "<w:p><w:sdt><w:sdtPr><w:dataBinding w:xpath=\"/a\"/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt></w:p>",
        t("Name: ______ of the client")
    );
    assert!(!marked(&body).contains("dataBinding"));
}

#[test]
fn wrong_marks_are_skipped_with_a_reason() {
    let body = p("Name: ______") + &table(&[row(&["a", "b"])]) + &p("end");
    let package = open(&body);
    let optional = |paragraph, last| FieldMark {
        last_paragraph: Some(last),
        kind: ValueKind::YesNo,
        ..place("x", paragraph, 0, 0)
    };
    let object = |form, object| FieldMark { form: Some(form), object: Some(object), ..place("x", 1, 0, 0) };
    for (mark, reason) in [
        (place("", 1, 0, 1), SkipReason::InvalidName),
        (place("a{b", 1, 0, 1), SkipReason::InvalidName),
        (place("#x", 1, 0, 1), SkipReason::InvalidName),
        (place("x", 0, 0, 1), SkipReason::NotFound),
        (place("x", 99, 0, 1), SkipReason::NotFound),
        (place("x", 1, 5, 99), SkipReason::NotFound),
        (place("x", 1, 5, 2), SkipReason::NotFound),
        (place("x", 1, usize::MAX, usize::MAX), SkipReason::NotFound),
        (FieldMark { part: "word/none.xml".into(), ..place("x", 1, 0, 1) }, SkipReason::NotFound),
        (optional(1, 2), SkipReason::NotReplaceable),
        (optional(4, 1), SkipReason::NotFound),
        (optional(1, 99), SkipReason::NotFound),
        (object(BlankForm::ContentControl, 0), SkipReason::NotFound),
        (object(BlankForm::FormField, 7), SkipReason::NotFound),
        (object(BlankForm::MergeField, usize::MAX), SkipReason::NotFound),
    ] {
        let marked = mark_fields(&package, std::slice::from_ref(&mark)).unwrap();
        assert_eq!(reasons(&marked), [reason], "{mark:?}");
        assert_eq!(marked.package.part_text(MAIN), package.part_text(MAIN));
    }
    let twice = mark_fields(&package, &[place("a", 1, 6, 12), place("b", 1, 8, 10)]).unwrap();
    assert_eq!((twice.marked, reasons(&twice)), (1, vec![SkipReason::Overlap]));
    let many = mark_fields(&package, &vec![place("a", 1, 6, 12); MAX_MARKS + 5]).unwrap();
    assert_eq!(many.skipped.iter().filter(|skipped| skipped.reason == SkipReason::TooMany).count(), 5);
    let mut budget = Budget::default();
    budget.work = 10;
    assert_eq!(mark_fields(&package.with_budget(&budget), &[]).unwrap_err().code.as_str(), "too_complex");
}

#[test]
fn other_parts_stay_as_they_were_and_changes_elsewhere_are_kept() {
    let mut document = DocumentBuilder::new(&p("Name: ______"));
    document.add_related_part("header", "hdr", "header1.xml", &p("Ref: ______"));
    let document = document.with_part("word/other.xml", "<a/>");
    let package = Package::open(&document.to_bytes()).unwrap();
    let header = FieldMark { part: "word/header1.xml".into(), ..place("ref", 1, 5, 11) };
    let marked = mark_fields(&package, &[header]).unwrap();
    for part in package.part_names().filter(|part| *part != "word/header1.xml") {
        assert_eq!(package.part_bytes(part), marked.package.part_bytes(part));
    }
    // The header was changed afterwards.
    let text = marked.package.part_text("word/header1.xml").unwrap().replace("{{ref}}", "{{reference}}");
    let changed = marked.package.clone().with_part("word/header1.xml", text.clone().into_bytes());
    let undone = unmark_fields(&changed, &marked.changes).unwrap();
    assert_eq!((undone.undone, undone.kept), (0, marked.changes.len()));
    assert_eq!(undone.package.part_text("word/header1.xml"), Some(text.as_str()));
}

#[test]
fn character_data_sections_come_back() {
    let body = "<w:p><w:r><w:t><![CDATA[A & B: ______]]></w:t></w:r></w:p>";
    let package = open(body);
    let marked = mark_all(&package);
    assert_eq!(marked.marked, 1);
    assert_undone(&package, &marked.package, &marked);
}

/// Returns a random piece of a paragraph.
fn piece(random: &mut Random) -> String {
    const TEXTS: [&str; 22] = [
        "Name: ",
        "______",
        "....",
        "[Client]",
        "the sum of ",
        " euros",
        "__/__/____",
        "☐ Yes ",
        "{{field}}",
        " ",
        "Adresse : ",
        "………",
        "العنوان: ",
        "{x}",
        "{{",
        "}}",
        "&amp;",
        "20__",
        "[ ] No",
        "&lt;Town&gt;",
        "\u{200f}",
        "XXXX",
    ];
    const FORMATS: [&str; 7] = [
        "",
        "<w:b/>",
        "<w:highlight w:val=\"yellow\"/>",
        "<w:u w:val=\"single\"/>",
        "<w:rFonts w:ascii=\"Wingdings\"/>",
        "<w:b/><w:highlight w:val=\"green\"></w:highlight><w:rtl/>",
        "<w:highlight w:val=\"red\"><w:x/></w:highlight><w:rtl/>",
    ];
    let text = TEXTS[random.below(TEXTS.len())];
    let format = FORMATS[random.below(FORMATS.len())];
    match random.below(14) {
        0 => "<w:r><w:tab/><w:br/></w:r>".to_owned(),
        1 => format!("<w:r><w:t>{text}</w:t><w:tab/><w:t>{text}</w:t></w:r>"),
        2 => format!("<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>", t(text)),
        3 => format!("<w:ins w:id=\"1\">{}</w:ins><w:bookmarkStart w:id=\"2\" w:name=\"b\"/>", t(text)),
        4 => format!("<w:fldSimple w:instr=\" MERGEFIELD City \">{}</w:fldSimple>", t("«City»")),
        5 => format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>FORMTEXT</w:instrText></w:r><w:r><w:fldChar \
             w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
            t(text)
        ),
        6 => "<w:r><w:sym w:font=\"Wingdings\" w:char=\"F06F\"/><w:drawing/></w:r>".to_owned(),
        7 => "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>".to_owned(),
        _ => styled(format, text),
    }
}

#[test]
fn marking_and_unmarking_gives_the_same_bytes() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut blanks, mut marks_written) = (0, 0);
    for round in 0..1_500 {
        let mut body = String::new();
        for _ in 0..=random.below(4) {
            let pieces: String = (0..random.below(6)).map(|_| piece(&mut random)).collect();
            body += &match random.below(5) {
                0 => table(&[row(&["Name", ""]), row(&[&format!("<w:p>{pieces}</w:p>"), ""])]) + &p(""),
                1 => "<w:p/>".to_owned(),
                _ => format!("<w:p>{pieces}</w:p>"),
            };
        }
        let package = open(&body);
        let found = detect_blanks(&package).unwrap().blanks;
        blanks += found.len();
        let mut marks: Vec<FieldMark> = found.iter().map(FieldMark::from).collect();
        for number in 0..random.below(4) {
            let start = random.below(12);
            let kinds = [ValueKind::Text, ValueKind::YesNo, ValueKind::List, ValueKind::Picture];
            let paragraph = random.below(6);
            let last = (random.below(2) == 0).then(|| paragraph + random.below(3));
            marks.push(FieldMark {
                kind: kinds[random.below(4)],
                last_paragraph: last,
                ..place(&format!("f{number}"), paragraph, start, start + random.below(4))
            });
        }
        let marked = mark_fields(&package, &marks).unwrap();
        marks_written += marked.marked;
        assert_eq!(marked.marked + marked.skipped.len(), marks.len());
        let saved = Package::open(&marked.package.to_bytes().unwrap()).unwrap();
        saved
            .validate()
            .unwrap_or_else(|error| panic!("round {round}: {error:?}\n{body}\n{}", body_of(&marked.package)));
        assert_undone(&package, &saved, &marked);
        // The report survives as JSON.
        let json = serde_json::to_string(&marked.changes).unwrap();
        let again: Vec<fields::MarkChange> = serde_json::from_str(&json).unwrap();
        assert_eq!(again, marked.changes);
    }
    assert!(blanks > 2_000 && marks_written > 2_000, "{blanks} blanks, {marks_written} marks");
}

/// No program writes a paragraph inside a `w:t`. The text after it must still count as text of the outer `w:t`.
#[test]
fn text_after_a_paragraph_inside_a_text_stays_well_formed() {
    let nested = |after: &str| {
        let look = "<w:rPr><w:b/><w:highlight w:val=\"yellow\"/></w:rPr>";
        format!("<w:p><w:r>{look}<w:t><w:p><w:r><w:t>x</w:t></w:r></w:p>{after}</w:t></w:r></w:p>")
    };
    for after in [" T", " a", "[Name]", "____ b"] {
        let package = open(&nested(after));
        let marks: Vec<FieldMark> = (1..4)
            .flat_map(|at| (0..4).map(move |start| (at, start)))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|(at, start)| place("name", at, start, start + 1))
            .collect();
        for mark in marks {
            let marked = mark_fields(&package, std::slice::from_ref(&mark)).unwrap();
            let saved = Package::open(&marked.package.to_bytes().unwrap()).unwrap();
            saved.validate().unwrap_or_else(|error| panic!("{after}, {mark:?}: {error}"));
            assert_undone(&package, &saved, &marked);
        }
    }
    let values = waraq_rules::Values::from_json(br#"{"Name": "\u0632 Zo\u00e9\nMartin"}"#).unwrap();
    let filled = waraq_docx::fields::fill(&open(&nested(" {{Name}} b")), &values, Default::default()).unwrap();
    Package::open(&filled.to_bytes().unwrap()).unwrap().validate().unwrap();
}
