//! The commands as a user runs them: their output, the files they write and their exit codes.

use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const CONTENT_TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;

const RELATIONSHIPS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>"#;

/// Returns a document of paragraphs, each given as the texts of its runs.
fn docx(paragraphs: &[&[&str]]) -> Vec<u8> {
    let run = |text: &&str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let paragraph = |runs: &&[&str]| format!("<w:p>{}</w:p>", runs.iter().map(run).collect::<String>());
    docx_of_body(&paragraphs.iter().map(paragraph).collect::<String>())
}

fn docx_of_body(body: &str) -> Vec<u8> {
    let document = format!(
        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>{body}</w:body></w:document>"
    );
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let parts = [
        ("[Content_Types].xml", CONTENT_TYPES),
        ("_rels/.rels", RELATIONSHIPS),
        ("word/document.xml", document.as_str()),
    ];
    for (name, content) in parts {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn letter() -> Vec<u8> {
    docx(&[&["Dear {{cli", "ent name}},"], &["العميل: ", "{{اسم العميل}}"]])
}

const VALUES: &str = r#"{"client name": "Zoé & fils <SARL>", "اسم العميل": "شركة الأمل"}"#;

/// Creates a folder for one test.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("letter.docx"), letter()).unwrap();
    std::fs::write(folder.join("values.json"), VALUES).unwrap();
    folder
}

fn waraq(folder: &PathBuf, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_waraq"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // a command that does not read standard input may have closed it
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn success_output(output: &Output) -> &[u8] {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    &output.stdout
}

fn text_of(pdf: &[u8]) -> String {
    let mut child =
        Command::new("pdftotext").args(["-", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(pdf).unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    text.replace(['\u{202A}', '\u{202B}', '\u{202C}', '\u{200E}', '\u{200F}'], "")
}

#[test]
fn fields_prints_one_name_per_line_in_reading_order() {
    let output = waraq(&folder("fields"), &["fields", "letter.docx"], b"");
    assert_eq!(String::from_utf8_lossy(success_output(&output)), "client name\nاسم العميل\n");
}

#[test]
fn a_filled_document_becomes_a_pdf_with_the_values() {
    let folder = folder("fill");
    success_output(&waraq(&folder, &["fill", "letter.docx", "--values", "values.json", "-o", "filled.docx"], b""));
    success_output(&waraq(&folder, &["pdf", "filled.docx", "-o", "filled.pdf"], b""));
    success_output(&waraq(&folder, &["pdf", "letter.docx", "--values", "values.json", "-o", "at-once.pdf"], b""));
    for name in ["filled.pdf", "at-once.pdf"] {
        let text = text_of(&std::fs::read(folder.join(name)).unwrap());
        assert!(text.contains("Dear Zoé & fils <SARL>,"), "{text}");
        assert!(text.contains("شركة الأمل"), "{text}");
        assert!(!text.contains("{{"), "{text}");
    }
    let fields = waraq(&folder, &["fields", "filled.docx"], b"");
    assert!(success_output(&fields).is_empty());
}

#[test]
fn derive_fills_values_from_other_values() {
    let folder = folder("derive");
    std::fs::write(folder.join("sale.docx"), docx(&[&["{{price}} ({{price in words}}), {{day}}, {{day in words}}"]]))
        .unwrap();
    std::fs::write(folder.join("values.json"), r#"{"price": "1 580,50 DH", "day": "some day"}"#).unwrap();
    let derivations = r#"{
        "price in words": { "kind": "amount_in_words", "of": "price", "currency": "MAD" },
        "day in words": { "kind": "date_in_words", "of": "day" }
    }"#;
    std::fs::write(folder.join("made.json"), derivations).unwrap();
    let common = ["pdf", "sale.docx", "--values", "values.json", "--derive", "made.json", "-o", "-"];
    let all = [&common[..], &["--language", "fr", "--country", "MA", "--verbose"]].concat();
    let output = waraq(&folder, &all, b"");
    assert_eq!(output.status.code(), Some(0));
    let text = text_of(&output.stdout).replace('\n', " ");
    assert!(text.contains("(mille-cinq-cent-quatre-vingts dirhams et cinquante centimes), some day, ....."), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no_date: day in words"));
    assert_eq!(waraq(&folder, &common, b"").status.code(), Some(2));
    std::fs::write(folder.join("made.json"), r#"{"day": { "kind": "sum", "of": ["day"] }}"#).unwrap();
    let refused = waraq(&folder, &all, b"");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).starts_with("derivation_cycle: "));
}

#[test]
fn derive_fills_columns_and_sums_of_lists() {
    let folder = folder("derive-lists");
    let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let cell = paragraph("{{#items}}{{quantity}} × {{price}} = {{total}};{{/items}}");
    let table = format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"6000\"/></w:tblGrid><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>"
    );
    std::fs::write(folder.join("bill.docx"), docx_of_body(&(table + &paragraph("Sum {{sum}}")))).unwrap();
    let values = r#"{"items": [{"quantity": "2", "price": "1,50"}, {"quantity": "3", "price": "2"}]}"#;
    std::fs::write(folder.join("values.json"), values).unwrap();
    let derivations = |list: &str| {
        format!(
            r#"{{
                "items[].total": {{ "kind": "product", "of": ["quantity", "price"], "currency": "EUR" }},
                "sum": {{ "kind": "list_sum", "list": "{list}", "column": "total", "currency": "EUR" }}
            }}"#
        )
    };
    std::fs::write(folder.join("made.json"), derivations("items")).unwrap();
    let all = ["pdf", "bill.docx", "--values", "values.json", "--derive", "made.json", "--language", "en", "-o", "-"];
    let text = text_of(success_output(&waraq(&folder, &all, b""))).replace('\n', " ");
    assert!(text.contains("3.00;") && text.contains("6.00;") && text.contains("Sum 9.00"), "{text}");
    std::fs::write(folder.join("made.json"), derivations("sum")).unwrap();
    assert_eq!(waraq(&folder, &all, b"").status.code(), Some(1));
}

#[test]
fn an_empty_value_is_a_dotted_line_or_nothing() {
    let folder = folder("empty");
    std::fs::write(folder.join("values.json"), r#"{"client name": "", "اسم العميل": ""}"#).unwrap();
    let dotted = waraq(&folder, &["pdf", "letter.docx", "--values", "values.json", "-o", "-"], b"");
    assert!(text_of(success_output(&dotted)).contains("Dear ....."));
    let blank = waraq(&folder, &["pdf", "letter.docx", "--values", "values.json", "--blank", "-o", "-"], b"");
    assert!(text_of(success_output(&blank)).contains("Dear ,"));
}

#[test]
fn a_dash_means_standard_input_or_output() {
    let folder = folder("streams");
    let pdf = waraq(&folder, &["pdf", "-", "-o", "-"], &letter());
    assert!(success_output(&pdf).starts_with(b"%PDF-"));
    let fields = waraq(&folder, &["fields", "-"], &letter());
    assert_eq!(success_output(&fields), success_output(&waraq(&folder, &["fields", "letter.docx"], b"")));
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let folder = folder("same");
    let make = || success_output(&waraq(&folder, &["pdf", "letter.docx", "-o", "-"], b"")).to_vec();
    assert_eq!(make(), make());
}

#[test]
fn each_page_becomes_a_picture() {
    let folder = folder("png");
    success_output(&waraq(&folder, &["png", "letter.docx", "-o", "out/pictures", "--scale", "1"], b""));
    let png = std::fs::read(folder.join("out/pictures/page-1.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(std::fs::read_dir(folder.join("out/pictures")).unwrap().count(), 1);
}

#[test]
fn check_prints_diagnostics_as_json() {
    let folder = folder("check");
    std::fs::write(folder.join("wrong.docx"), docx(&[&["{{open and never closed"], &["{{}}"]])).unwrap();
    let output = waraq(&folder, &["check", "wrong.docx"], b"");
    let findings: serde_json::Value = serde_json::from_slice(success_output(&output)).unwrap();
    let codes: Vec<&str> = findings.as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"unclosed_field") && codes.contains(&"empty_field"), "{codes:?}");
    assert!(findings[0]["severity"].is_string() && findings[0]["message"].is_string(), "{findings}");
}

#[test]
fn inspect_prints_json() {
    let output = waraq(&folder("inspect"), &["inspect", "letter.docx"], b"");
    let model: serde_json::Value = serde_json::from_slice(success_output(&output)).unwrap();
    assert!(model.is_object());
}

#[test]
fn numbers_in_values_are_printed_as_written() {
    let folder = folder("numbers");
    std::fs::write(folder.join("sums.docx"), docx(&[&["[{{a}}] [{{b}}] [{{c}}] [{{d}}] [{{e}}]"]])).unwrap();
    let object = r#"{"a":1234567.10,"b":12345678901234567890123,"c":true,"d":0.1,"e":1e3}"#;
    let list = r#"[{"a":1234567.10},{"b":12345678901234567890123},{"c":true},{"d":0.1},{"e":1e3}]"#;
    for values in [object, list] {
        std::fs::write(folder.join("sums.json"), values).unwrap();
        success_output(&waraq(&folder, &["fill", "sums.docx", "--values", "sums.json", "-o", "out.docx"], b""));
        let mut zip = zip::ZipArchive::new(std::fs::File::open(folder.join("out.docx")).unwrap()).unwrap();
        let text = std::io::read_to_string(zip.by_name("word/document.xml").unwrap()).unwrap();
        assert!(text.contains("[1234567.10] [12345678901234567890123] [true] [0.1] [1e3]"), "{text}");
    }
}

#[test]
fn refused_documents_exit_with_1_and_one_line_that_starts_with_the_code() {
    let folder = folder("refused");
    std::fs::write(folder.join("no.docx"), b"this is no zip").unwrap();
    std::fs::write(folder.join("few.json"), r#"{"client name": "Zoé"}"#).unwrap();
    std::fs::write(folder.join("odd.json"), r#"{"client nam": "Zoé", "client name": "a", "اسم العميل": "b"}"#).unwrap();
    std::fs::write(folder.join("not.json"), "{").unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["pdf", "no.docx", "-o", "-"], "not_a_zip: "),
        (&["fields", "no.docx"], "not_a_zip: "),
        (&["check", "no.docx"], "not_a_zip: "),
        (&["fill", "letter.docx", "--values", "few.json", "-o", "-"], "missing_fields: "),
        (&["fill", "letter.docx", "--values", "odd.json", "-o", "-"], "unknown_field: "),
        (&["pdf", "letter.docx", "--values", "not.json", "-o", "-"], "invalid_values: "),
    ];
    for (arguments, begins) in cases {
        let output = waraq(&folder, arguments, b"");
        let line = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {line}");
        assert!(line.starts_with(begins) && line.lines().count() == 1, "{arguments:?}: {line}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn wrong_usage_and_missing_files_exit_with_2() {
    let folder = folder("usage");
    let cases: [&[&str]; 9] = [
        &[],
        &["print", "letter.docx"],
        &["pdf", "letter.docx"],
        &["pdf", "-o", "out.pdf"],
        &["fill", "letter.docx", "-o", "out.docx"],
        &["pdf", "letter.docx", "-o"],
        &["fields", "letter.docx", "another.docx"],
        &["png", "letter.docx", "-o", "out", "--scale", "-1"],
        &["fields", "nowhere.docx"],
    ];
    for arguments in cases {
        let output = waraq(&folder, arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
    let help = waraq(&folder, &["--help"], b"");
    assert!(String::from_utf8_lossy(success_output(&help)).contains("waraq fields IN"));
}

#[test]
fn detect_mark_and_unmark_turn_blanks_into_fields_and_back() {
    let folder = folder("mark");
    let original = docx(&[&["Name: __", "______"], &["[City], ", "20__"]]);
    std::fs::write(folder.join("contract.docx"), &original).unwrap();
    let output = waraq(&folder, &["detect", "contract.docx"], b"");
    let found: serde_json::Value = serde_json::from_slice(success_output(&output)).unwrap();
    let names: Vec<&str> =
        found["blanks"].as_array().unwrap().iter().filter_map(|blank| blank["name"].as_str()).collect();
    assert_eq!(names, ["Name", "City", "Year"]);
    std::fs::write(folder.join("blanks.json"), &output.stdout).unwrap();

    let output = waraq(&folder, &["mark", "contract.docx", "--fields", "blanks.json", "-o", "marked.docx"], b"");
    let report: serde_json::Value = serde_json::from_slice(success_output(&output)).unwrap();
    assert_eq!((&report["marked"], &report["skipped"]), (&3.into(), &serde_json::json!([])));
    std::fs::write(folder.join("report.json"), &output.stdout).unwrap();
    assert_eq!(success_output(&waraq(&folder, &["fields", "marked.docx"], b"")), b"Name\nCity\nYear\n");

    let output = waraq(&folder, &["unmark", "marked.docx", "--fields", "report.json", "-o", "back.docx"], b"");
    let report: serde_json::Value = serde_json::from_slice(success_output(&output)).unwrap();
    assert_eq!(&report["kept"], &0);
    let inspected = |file: &str| success_output(&waraq(&folder, &["inspect", file], b"")).to_vec();
    assert_eq!(inspected("back.docx"), inspected("contract.docx"));

    // A list of chosen places, and nothing to mark.
    let fields = r#"[{"name": "Label", "paragraph": 1, "start": 0, "end": 4}]"#;
    let output = waraq(&folder, &["mark", "contract.docx", "--fields", "-", "-o", "label.docx"], fields.as_bytes());
    success_output(&output);
    assert_eq!(success_output(&waraq(&folder, &["fields", "label.docx"], b"")), b"Label\n");
    success_output(&waraq(&folder, &["mark", "contract.docx", "--fields", "-", "-o", "same.docx"], b"[]"));
    assert_eq!(std::fs::read(folder.join("same.docx")).unwrap(), original);
    let wrong = waraq(&folder, &["mark", "contract.docx", "--fields", "-", "-o", "same.docx"], b"{}");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn convert_rewrites_a_template_for_another_program() {
    let folder = folder("convert");
    let template = docx(&[&["{#items}{na", "me}: {price | euro}{/items}"]]);
    std::fs::write(folder.join("other.docx"), template).unwrap();
    let output = waraq(&folder, &["convert", "other.docx", "-o", "converted.docx"], b"");
    assert!(output.status.success(), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["program"], &report["converted"]), (&"docxtemplater".into(), &3.into()));
    assert_eq!(report["remaining"][0]["mark"], "{price | euro}");
    assert_eq!(report["remaining"][0]["paragraph"], 1);
    let fields = waraq(&folder, &["fields", "converted.docx"], b"");
    assert_eq!(String::from_utf8(fields.stdout).unwrap(), "items\tyes_no\nname\n");
    // A file without marks of another program is copied, also through standard output.
    let output = waraq(&folder, &["convert", "letter.docx", "-o", "-"], b"");
    assert_eq!(output.stdout, letter());
    let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&report["program"], &report["converted"]), (&serde_json::Value::Null, &0.into()));
}
