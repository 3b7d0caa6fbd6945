//! Lays out a document again after every edit. Its pages must equal those of a new document, glyph for glyph.

use std::collections::BTreeMap;

use waraq_docx::build::DocumentBuilder;
use waraq_preview::{Engine, LayoutOutcome, LayoutRequest};
use waraq_rules::{FieldType, StructuredField, Value};

/// A deterministic random number generator (SplitMix64).
struct RandomNumbers(u64);

impl RandomNumbers {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.number().is_multiple_of(chances)
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.number() as usize % choices.len()]
    }
}

const WORDS: [&str; 16] = [
    "a",
    "letter",
    "internationalisation",
    "office",
    "العقد",
    "المتعاقدين",
    "بين",
    "السلام",
    "للإيجار",
    "12,50",
    "2026-11-22",
    "(x)",
    "لا",
    "fi",
    "Zoé",
    "+966 50 123",
];

fn words(chance: &mut RandomNumbers, most: u64) -> String {
    let count = chance.number() % (most + 1);
    let words: Vec<&str> = (0..count).map(|_| chance.one_of(&WORDS)).collect();
    words.join(" ")
}

/// Returns a value that a user may type or paste.
fn value(chance: &mut RandomNumbers) -> String {
    match chance.number() % 8 {
        0 => String::new(),
        1 => words(chance, 60),
        2 => format!("{}\n{}\t{}", words(chance, 4), words(chance, 4), words(chance, 2)),
        3 => "كلمةطويلةبلامسافاتتملأالسطركلهوماوراءهمنالأسطر".repeat(chance.one_of(&[1, 3])),
        4 => "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(chance.one_of(&[1, 4])),
        _ => words(chance, 5),
    }
}

const FIELDS: u64 = 12;

fn run(text: &str, properties: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn inlines(chance: &mut RandomNumbers, number: usize) -> String {
    let mut all = String::new();
    for _ in 0..chance.one_of(&[1, 2, 3, 6, 14]) {
        let looks = [
            "",
            "<w:b/>",
            "<w:rtl/>",
            "<w:sz w:val=\"31\"/>",
            "<w:smallCaps/>",
            "<w:u w:val=\"single\"/>",
            "<w:spacing w:val=\"20\"/>",
        ];
        let looks = chance.one_of(&looks);
        all += &match chance.number() % 12 {
            0..=3 => run(&format!("{{{{f{}}}}} ", chance.number() % FIELDS), looks),
            4 => format!(
                "<w:bookmarkStart w:id=\"{number}\" w:name=\"b{number}\"/>{}<w:bookmarkEnd w:id=\"{number}\"/>",
                run("marked ", looks)
            ),
            5 => format!(
                "<w:fldSimple w:instr=\" {} \">{}</w:fldSimple>",
                chance.one_of(&["PAGE", "NUMPAGES", "PAGEREF b3", "REF b5"]),
                run("1", looks)
            ),
            6 => "<w:r><w:tab/></w:r>".into(),
            7 if chance.one_in(4) => "<w:r><w:br w:type=\"page\"/></w:r>".into(),
            8 if chance.one_in(2) => "<w:r><w:footnoteReference w:id=\"2\"/></w:r>".into(),
            _ => run(&(words(chance, 12) + " "), looks),
        };
    }
    all
}

fn paragraph(chance: &mut RandomNumbers, number: usize) -> String {
    let mut properties = String::new();
    for (chances, property) in [(6, "<w:keepNext/>"), (9, "<w:keepLines/>"), (30, "<w:pageBreakBefore/>")] {
        if chance.one_in(chances) {
            properties += property;
        }
    }
    if chance.one_in(4) {
        properties += "<w:tabs><w:tab w:val=\"right\" w:leader=\"dot\" w:pos=\"5000\"/></w:tabs>";
    }
    if chance.one_in(2) {
        properties += "<w:bidi/>";
    }
    properties += chance.one_of(&["", "", "<w:ind w:start=\"700\" w:hanging=\"300\"/>"]);
    properties += chance.one_of(&[
        "",
        "<w:jc w:val=\"both\"/>",
        "<w:jc w:val=\"both\"/>",
        "<w:jc w:val=\"center\"/>",
        "<w:jc w:val=\"highKashida\"/>",
    ]);
    format!("<w:p><w:pPr>{properties}</w:pPr>{}</w:p>", inlines(chance, number))
}

fn table(chance: &mut RandomNumbers, number: usize, floats: bool) -> String {
    let place = if floats {
        "<w:tblpPr w:leftFromText=\"100\" w:rightFromText=\"100\" w:vertAnchor=\"text\" w:tblpX=\"2000\" w:tblpY=\"10\"/>"
    } else {
        ""
    };
    let layout = chance.one_of(&["", "<w:tblLayout w:type=\"fixed\"/>"]);
    let mut rows = String::new();
    for row in 0..chance.one_of(&[1, 2, 4]) {
        let cells: String = (0..2).map(|_| format!("<w:tc>{}</w:tc>", paragraph(chance, number))).collect();
        rows += &format!("<w:tr>{}{cells}</w:tr>", if row == 0 { "<w:trPr><w:tblHeader/></w:trPr>" } else { "" });
    }
    let grid = "<w:gridCol w:w=\"1500\"/><w:gridCol w:w=\"2500\"/>";
    format!("<w:tbl><w:tblPr>{place}{layout}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>")
}

/// Returns a template with many small pages and with all features that influence lines besides their own text.
fn template(chance: &mut RandomNumbers) -> Vec<u8> {
    let mut body = String::new();
    for number in 0..chance.one_of(&[4, 9, 25]) {
        body += &match chance.number() % 8 {
            0 => table(chance, number, false) + "<w:p/>",
            1 => table(chance, number, true),
            _ => paragraph(chance, number),
        };
    }
    let columns = chance.one_of(&["", "<w:cols w:num=\"2\" w:space=\"300\"/>"]);
    let hyphens = chance.one_in(2);
    let header = with_parts(&mut DocumentBuilder::new(""), hyphens);
    body += &format!(
        "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{header}\"/><w:pgSz w:w=\"6000\" w:h=\"6000\"/>\
         <w:pgMar w:top=\"700\" w:right=\"500\" w:bottom=\"500\" w:left=\"500\" w:header=\"200\" w:footer=\"200\" w:gutter=\"0\"/>{columns}</w:sectPr>"
    );
    let mut document = DocumentBuilder::new(&body);
    with_parts(&mut document, hyphens);
    document.to_bytes()
}

/// Adds footnotes, settings and a header. Returns the relationship id of the header.
fn with_parts(document: &mut DocumentBuilder, hyphens: bool) -> String {
    let note = format!("<w:footnote w:id=\"2\"><w:p>{}</w:p></w:footnote>", run("see {{f3}} and {{f4}}", ""));
    document.add_related_part("footnotes", "footnotes", "footnotes.xml", &note);
    document.add_related_part(
        "settings",
        "settings",
        "settings.xml",
        if hyphens { "<w:autoHyphenation/>" } else { "" },
    );
    let count = "<w:fldSimple w:instr=\" NUMPAGES \"><w:r><w:t>1</w:t></w:r></w:fldSimple>";
    document.add_related_part("header", "hdr", "header1.xml", &format!("<w:p>{}{count}</w:p>", run("{{f0}} of ", "")))
}

fn engine() -> Engine {
    let mut engine = Engine::default();
    for (face, file) in waraq_fonts::faces().iter().zip(waraq_fonts::files()) {
        engine.add_font(face.file, file.data.to_vec());
    }
    engine
}

/// Returns everything that a browser receives for a document.
fn laid_out(
    engine: &mut Engine,
    document: u32,
    request: &LayoutRequest,
) -> (LayoutOutcome, Vec<Vec<f32>>, Vec<String>) {
    let outcome = engine.lay_out(document, request).unwrap();
    let LayoutOutcome::Pages { pages, .. } = &outcome else { panic!("every font is here") };
    let count = pages.len();
    let drawings = (0..count).map(|page| engine.drawing(document, page).unwrap()).collect();
    let texts = (0..count).map(|page| serde_json::to_string(&engine.text(document, page).unwrap()).unwrap());
    (outcome, drawings, texts.collect())
}

fn assert_equal_to_new_layout(
    again: &mut Engine,
    document: u32,
    whole: &mut Engine,
    docx: &[u8],
    request: &LayoutRequest,
    what: &str,
) -> usize {
    let afresh = whole.open(docx.to_vec()).unwrap();
    let (outcome, drawings, texts) = laid_out(whole, afresh, request);
    whole.close(afresh);
    let known = laid_out(again, document, request);
    assert_eq!(known.0, outcome, "{what}");
    for (page, (one, other)) in known.1.iter().zip(&drawings).enumerate() {
        let first = one.iter().zip(other).position(|(one, other)| one.to_bits() != other.to_bits());
        assert!(first.is_none() && one.len() == other.len(), "{what}: page {}, number {first:?}", page + 1);
    }
    assert!(known.2 == texts, "{what}: text");
    drawings.len()
}

fn as_values(texts: &BTreeMap<String, String>) -> BTreeMap<String, Value> {
    texts.iter().map(|(name, text)| (name.clone(), text.into())).collect()
}

#[test]
fn pages_after_random_edits_equal_those_of_a_new_layout() {
    let (mut again, mut whole) = (engine(), engine());
    let documents: u64 = std::env::var("WARAQ_DOCUMENTS").map_or(40, |count| count.parse().unwrap());
    let mut pages = 0;
    for seed in 0..documents {
        let mut chance = RandomNumbers(seed);
        let docx = template(&mut chance);
        let document = again.open(docx.clone()).unwrap();
        let fields = again.fields(document).to_vec();
        let mut values: BTreeMap<String, String> =
            fields.iter().map(|field| (field.clone(), value(&mut chance))).collect();
        for edit in 0..6 {
            let request = LayoutRequest {
                values: Some(as_values(&values)),
                now: 1_790_000_000,
                blank: seed % 2 == 0,
                ..LayoutRequest::default()
            };
            pages += assert_equal_to_new_layout(
                &mut again,
                document,
                &mut whole,
                &docx,
                &request,
                &format!("document {seed}, edit {edit}"),
            );
            if fields.is_empty() {
                break;
            }
            let field = &fields[chance.number() as usize % fields.len()];
            // add one letter, or replace the value
            let now = values[field].clone();
            values.insert(field.clone(), if chance.one_in(2) { now + "x" } else { value(&mut chance) });
        }
        again.close(document);
    }
    assert!(pages > 300, "{pages} pages");
}

#[test]
fn pages_of_the_catalogue_after_each_key_equal_those_of_a_new_layout() {
    let (mut again, mut whole) = (engine(), engine());
    for template in waraq_catalogue::templates() {
        let document = again.open(template.docx.clone()).unwrap();
        let is_text = |field: &&StructuredField| field.field_type == FieldType::Text;
        let structure = again.structure(document);
        let fields: Vec<String> = structure.0.iter().filter(is_text).map(|field| field.name.clone()).collect();
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        let typed = if template.language == "ar" { "شركة 12" } else { "Zoé 12" };
        for (field, end) in [(0, 2), (0, typed.chars().count()), (fields.len() / 2, 1), (fields.len() - 1, 6)] {
            values.insert(fields[field].clone(), typed.chars().take(end).collect());
            let request =
                LayoutRequest { values: Some(as_values(&values)), now: 1_790_000_000, ..LayoutRequest::default() };
            assert_equal_to_new_layout(&mut again, document, &mut whole, &template.docx, &request, template.slug);
        }
        again.close(document);
    }
}

/// The rows of the lists of a template. Each column of a text has a value.
fn rows(fields: &[StructuredField], count: usize, value: &str) -> BTreeMap<String, Value> {
    let lists = fields.iter().filter(|field| field.field_type == FieldType::List);
    let row = |field: &StructuredField| {
        let texts = field.columns.iter().filter(|column| column.field_type == FieldType::Text);
        texts.map(|column| (column.name.clone(), Value::from(value))).collect()
    };
    lists.map(|list| (list.name.clone(), Value::List(vec![row(list); count]))).collect()
}

#[test]
fn lists_of_the_catalogue_after_each_key_equal_those_of_a_new_layout() {
    let (mut again, mut whole) = (engine(), engine());
    let mut lists = 0;
    for template in waraq_catalogue::templates() {
        let document = again.open(template.docx.clone()).unwrap();
        let fields = again.structure(document).0;
        let mut values = rows(&fields, 4, "7");
        lists += values.len();
        let typed = ["7", "71", "شركة", "شركة 7", "", "Zoé", "Zoé (x)", "شركة Zoé"];
        for (key, text) in typed.iter().enumerate().take(if values.is_empty() { 0 } else { typed.len() }) {
            for value in values.values_mut() {
                let Value::List(rows) = value else { panic!("only lists are filled") };
                rows[key % 4].values_mut().for_each(|column| *column = Value::from(*text));
            }
            let request =
                LayoutRequest { values: Some(values.clone()), now: 1_790_000_000, ..LayoutRequest::default() };
            assert_equal_to_new_layout(&mut again, document, &mut whole, &template.docx, &request, template.slug);
        }
        again.close(document);
    }
    assert!(lists > 10, "{lists} lists");
}

/// Most real documents have no fields, so a second layout can reuse everything from the first.
#[test]
#[ignore = "needs documents: WARAQ_CORPUS=FOLDER cargo test -p waraq-preview --test relayout -- --ignored"]
fn a_second_layout_of_corpus_documents_equals_the_first() {
    let folder = std::env::var_os("WARAQ_CORPUS").expect("WARAQ_CORPUS: a folder of documents");
    let (mut again, mut whole) = (engine(), engine());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let docx = std::fs::read(&path).unwrap();
        let Ok(document) = again.open(docx.clone()) else { continue };
        let request = LayoutRequest { values: Some(BTreeMap::new()), now: 1_790_000_000, ..LayoutRequest::default() };
        if again.lay_out(document, &request).is_ok() {
            assert_equal_to_new_layout(&mut again, document, &mut whole, &docx, &request, &path.display().to_string());
        }
        again.close(document);
    }
}
