//! Values of many kinds, alone in a cell and in an Arabic, a French and an English sentence. Checks their order on the
//! page, the text extracted from the PDF and, if LibreOffice is installed, how it shows the `.docx`.

use std::path::{Path, PathBuf};
use std::process::Command;

use waraq_docx::build::{DocumentBuilder, run};
use waraq_engine::{FillOptions, FilledDocument, LayoutOptions, Pages, PdfOptions, Values};
use waraq_layout::DisplayItem;

/// Returns the letters of a right-to-left word in visual order, listed from left to right.
fn reversed(word: &str) -> String {
    word.chars().rev().collect()
}

/// Values without right-to-left letters. Every paragraph shows them as typed.
const LEFT_TO_RIGHT: [&str; 38] = [
    // telephone numbers
    "01 23 45 67 89",
    "+962 6 123 4567",
    "+33 (0)1 23 45 67 89",
    "(021) 23-45-67",
    "00213-661-23-45-67",
    // national identity and social security numbers
    "2 90 01 01 12 34567",
    "1 85 12 75 108 042 / 36",
    "784-1985-1234567-1",
    "29001011234567",
    // accounts
    "FR76 3000 6000 0112 3456 7890 189",
    "DZ58 0002 1000 0111 3000 0000 57",
    "SA03 8000 0000 6080 1016 7519",
    "4111-1111-1111-1111",
    // dates and times
    "2026-11-22",
    "22/11/2026",
    "22.11.2026",
    "22 - 11 - 2026",
    "2026-11-22 14:30",
    "Sunday, 22 November 2026",
    "22 décembre 2026",
    // amounts
    "1 250,00 €",
    "€1,250.00",
    "$ 12.50",
    "-12,5 %",
    "12 500,00 DA",
    "DA 12 500,00",
    "SAR 1,250.50",
    "1\u{202f}250,00\u{a0}EUR",
    // addresses, e-mail addresses and URLs
    "jean.dupont+bail@example.com",
    "https://example.com/a?b=1&c=2",
    "12 rue Didouche Mourad, 16000 Alger",
    "221B Baker Street, London NW1 6XE",
    "Apt. 4/B (2nd floor), 15",
    // punctuation at the ends
    "n° 12",
    "ABC.",
    "(ABC)",
    "\"ABC\" – 12!",
    "[1] (2)",
];

/// Values with right-to-left letters. Each has its visual order in a right-to-left and in a left-to-right paragraph.
fn right_to_left_values() -> Vec<(&'static str, String, String)> {
    let t = reversed;
    let both = |value, shown: String| (value, shown.clone(), shown);
    vec![
        ("1 250,00 د.ج", format!("{} 1 250,00", t("د.ج")), format!("1 250,00 {}", t("د.ج"))),
        ("د.ج 1 250,00", format!("1 250,00 {}", t("د.ج")), format!("{} 1 250,00", t("د.ج"))),
        both("1250 ر.س", format!("{} 1250", t("ر.س"))),
        both("1,250.50 ر.س", format!("{} 1,250.50", t("ر.س"))),
        both(
            "12 شارع ديدوش مراد، 16000 الجزائر",
            format!("{} 16000 ،{} {} {} 12", t("الجزائر"), t("مراد"), t("ديدوش"), t("شارع")),
        ),
        ("حي 12-14", format!("12-14 {}", t("حي")), format!("{} 12-14", t("حي"))),
        ("هاتف: +962 6 123 4567", format!("+962 6 123 4567 :{}", t("هاتف")), format!(":{} +962 6 123 4567", t("هاتف"))),
        ("هاتف (021) 23-45-67", format!("(021) 23-45-67 {}", t("هاتف")), format!("{} (021) 23-45-67", t("هاتف"))),
        // A telephone prefix and the number, or thousands and hundreds, are one number. Other neighbouring numbers are ordered
        // like words.
        ("هاتف 021 234567", format!("021 234567 {}", t("هاتف")), format!("{} 021 234567", t("هاتف"))),
        ("السعر 1 250", format!("1 250 {}", t("السعر")), format!("{} 1 250", t("السعر"))),
        both("شارع الحرية 63 2", format!("2 63 {} {}", t("الحرية"), t("شارع"))),
        both("عمارة 12 16000 الجزائر", format!("{} 16000 12 {}", t("الجزائر"), t("عمارة"))),
        ("يوم 2026-11-22", format!("2026-11-22 {}", t("يوم")), format!("{} 2026-11-22", t("يوم"))),
        // A pair of brackets has one direction (UAX #9, N0).
        (
            "12 rue X, Alger (الجزائر)",
            format!("({}) 12 rue X, Alger", t("الجزائر")),
            format!("12 rue X, Alger ({})", t("الجزائر")),
        ),
        ("شركة (ABC)", format!("(ABC) {}", t("شركة")), format!("{} (ABC)", t("شركة"))),
        ("(الجزائر)", format!("({})", t("الجزائر")), format!("({})", t("الجزائر"))),
        ("ABC (شركة) 12", format!("12 ({}) ABC", t("شركة")), format!("ABC ({}) 12", t("شركة"))),
        ("محمد 12 Smith", format!("Smith 12 {}", t("محمد")), format!("12 {} Smith", t("محمد"))),
    ]
}

/// Fills a template with a field for each value, alone in a cell and in a sentence of each language.
fn fill_template(values: &[&str], right_to_left: bool) -> FilledDocument {
    let mark = if right_to_left { "<w:rPr><w:rtl/></w:rPr>" } else { "" };
    let marked = |text: &str| run(text).replace("<w:r>", &format!("<w:r>{mark}"));
    let paragraph = |inside: &str| {
        let bidi = if right_to_left { "<w:pPr><w:bidi/></w:pPr>" } else { "" };
        format!("<w:p>{bidi}{}</w:p>", marked(inside))
    };
    let sentences: &[(&str, &str)] =
        if right_to_left { &[("رقم ", " سنة")] } else { &[("Votre n° : ", " svp"), ("Yours is ", " now")] };
    let mut body = String::new();
    let direction = if right_to_left { "<w:bidiVisual/>" } else { "" };
    for at in 0..values.len() {
        let field = format!("{{{{v{at}}}}}");
        body.push_str(&format!(
            "<w:tbl><w:tblPr>{direction}<w:tblW w:w=\"9000\" w:type=\"dxa\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"9000\"/></w:tblGrid>\
             <w:tr><w:tc><w:tcPr><w:tcW w:w=\"9000\" w:type=\"dxa\"/></w:tcPr>{}</w:tc></w:tr></w:tbl>",
            paragraph(&field)
        ));
        for (before, after) in sentences {
            body.push_str(&paragraph(&format!("{before}{field}{after}")));
        }
    }
    let mut document = DocumentBuilder::new(&body);
    let fonts = "<w:rFonts w:ascii=\"Times New Roman\" w:hAnsi=\"Times New Roman\" w:cs=\"Amiri\"/>";
    let defaults = format!(
        "<w:rPrDefault><w:rPr>{fonts}<w:sz w:val=\"22\"/><w:szCs w:val=\"22\"/><w:lang w:bidi=\"ar-EG\"/></w:rPr></w:rPrDefault>"
    );
    document.add_related_part("styles", "styles", "styles.xml", &format!("<w:docDefaults>{defaults}</w:docDefaults>"));
    let template = waraq_engine::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().enumerate().map(|(at, value)| (format!("v{at}"), *value))).unwrap();
    waraq_engine::fill_and_render(
        &template,
        &values,
        FillOptions::default(),
        &LayoutOptions::default(),
        &PdfOptions::default(),
    )
    .unwrap()
}

/// Returns the expected lines of [`fill_template`] in visual order, from left to right.
fn expected_lines(shown: &[String], right_to_left: bool) -> Vec<String> {
    shown
        .iter()
        .flat_map(|value| {
            if right_to_left {
                vec![value.clone(), format!("{} {value} {}", reversed("سنة"), reversed("رقم"))]
            } else {
                vec![value.clone(), format!("Votre n° : {value} svp"), format!("Yours is {value} now")]
            }
        })
        .collect()
}

/// Returns the lines of the pages, each in the visual order of its glyphs from left to right.
fn visual_lines(pages: &Pages) -> Vec<String> {
    let mut lines = Vec::new();
    for page in &pages.pages {
        let mut runs: Vec<_> = page
            .items
            .iter()
            .filter_map(|placed| if let DisplayItem::Glyphs(run) = &placed.item { Some(run) } else { None })
            .collect();
        runs.sort_by(|a, b| (a.y, a.x).partial_cmp(&(b.y, b.x)).unwrap());
        for line in runs.chunk_by(|a, b| (a.y - b.y).abs() < 0.5) {
            let mut shown = String::new();
            for run in line {
                let mut last = None;
                for glyph in &run.glyphs {
                    let range = glyph.range.start as usize..glyph.range.end as usize;
                    if last.as_ref() != Some(&range) {
                        let characters = without_marks(&run.text[range.clone()]);
                        shown.push_str(if run.right_to_left { mirrored(&characters) } else { &characters });
                    }
                    last = Some(range);
                }
            }
            lines.push(shown.trim().to_owned());
        }
    }
    lines
}

fn mirrored(character: &str) -> &str {
    match character {
        "(" => ")",
        ")" => "(",
        other => other,
    }
}

fn without_marks(text: &str) -> String {
    let marks = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|c| !marks(*c)).collect()
}

fn pdf_text(arguments: &[&str], pdf: &Path) -> String {
    let output = Command::new("pdftotext").args(arguments).arg(pdf).arg("-").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Creates a temporary folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("waraq-directions-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn assert_shown_and_read(name: &str, values: &[&str], shown: &[String], right_to_left: bool) {
    let finished = fill_template(values, right_to_left);
    let expected = expected_lines(shown, right_to_left);
    let lines = visual_lines(&finished.rendered.pages);
    let wrong: Vec<_> = lines.iter().zip(&expected).filter(|(line, expected)| line != expected).collect();
    assert!(wrong.is_empty() && lines.len() == expected.len(), "{}, {wrong:#?}", lines.len());

    let folder = folder(name);
    let pdf = folder.join("page.pdf");
    std::fs::write(&pdf, waraq_engine::pdf(&finished.rendered.pages, &PdfOptions::default()).unwrap().bytes).unwrap();
    let text = pdf_text(&["-enc", "UTF-8", "-nopgbrk"], &pdf);
    // Poppler adds its own marks around text whose order it has reversed.
    let plain = |text: &str| without_marks(text).replace(['\u{a0}', '\u{202f}'], " ").trim().to_owned();
    let read: Vec<String> = text.lines().map(plain).collect();
    for value in values.iter().filter(|value| !value.chars().any(|c| ('\u{590}'..='\u{6ff}').contains(&c))) {
        // Poppler guesses the order of lines from their content: in Arabic text it misplaces signs at the ends of a value.
        let value = plain(value);
        let value = if right_to_left { value.trim_matches(|c: char| !c.is_alphanumeric()) } else { &value };
        let times = read.iter().filter(|line| line.contains(value)).count();
        assert!(times >= if right_to_left { 2 } else { 3 }, "{value:?} is read {times} times: {read:#?}");
    }
    // Direction marks order the text but must not be part of the searchable text.
    let objects = Command::new("qpdf").args(["--qdf", "--object-streams=disable"]).arg(&pdf).arg("-").output().unwrap();
    let objects = String::from_utf8_lossy(&objects.stdout).to_lowercase();
    let unicode = objects.lines().filter_map(|line| line.strip_prefix('<')?.split_once("> <")).map(|(_, text)| text);
    for text in unicode {
        let units: Vec<&[u8]> = text.trim_end_matches('>').as_bytes().chunks(4).collect();
        assert!(!units.iter().any(|unit| [b"200e", b"200f"].iter().any(|mark| unit == mark)), "{text}");
    }
    assert_order_in_libreoffice(&folder, &finished.docx, &expected);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Checks a document in LibreOffice. Like many other programs, LibreOffice derives directions from the characters, not from the
/// properties of the runs.
fn assert_order_in_libreoffice(folder: &Path, docx: &[u8], expected: &[String]) {
    let Ok(version) = Command::new("soffice").arg("--version").output() else {
        eprintln!("skipped: what LibreOffice shows (no soffice here)");
        return;
    };
    std::fs::write(folder.join("shown.docx"), docx).unwrap();
    let profile = format!("-env:UserInstallation=file://{}/profile", folder.display());
    let converted = Command::new("soffice")
        .args([&profile, "--headless", "--convert-to", "pdf", "--outdir"])
        .args([folder, &folder.join("shown.docx")])
        .output()
        .unwrap();
    assert!(converted.status.success(), "{}", String::from_utf8_lossy(&converted.stderr));
    let rows = lines_of_words(&pdf_text(&["-enc", "UTF-8", "-bbox"], &folder.join("shown.pdf")));
    // Poppler reverses right-to-left words, and its output does not tell the direction of brackets. So the letters of such words
    // are compared in sorted order, and brackets are ignored.
    let words =
        |line: &str| -> Vec<String> {
            let letters =
                |word: &str| word.chars().filter(|c| c.is_alphanumeric() || "+-/.,".contains(*c)).collect::<String>();
            let words = line.split([' ', '\u{a0}', '\u{202f}']).map(letters).filter(|word| !word.is_empty());
            words
                .map(|word| {
                    if word.chars().any(|c| ('\u{5d0}'..='\u{6ff}').contains(&c)) {
                        sorted_letters(&word)
                    } else {
                        word
                    }
                })
                .collect()
        };
    let wrong: Vec<_> = rows
        .iter()
        .zip(expected)
        .map(|(row, expected)| (words(row), words(expected)))
        .filter(|(row, expected)| row != expected)
        .collect();
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    eprintln!("{version}: {} of {} lines as typed", expected.len() - wrong.len(), expected.len());
    assert!(wrong.is_empty() && rows.len() == expected.len(), "{version}, {} lines: {wrong:#?}", rows.len());
}

fn sorted_letters(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// Returns the lines of words in Poppler's `-bbox` output, from top to bottom and from left to right.
fn lines_of_words(boxes: &str) -> Vec<String> {
    let mut rows = Vec::new();
    for page in boxes.split("<page ").skip(1) {
        let mut words: Vec<(f32, f32, String)> = page
            .lines()
            .filter_map(|line| line.trim().strip_prefix("<word "))
            .map(|line| {
                let number = |name: &str| -> f32 {
                    let after = line.split_once(&format!("{name}=\"")).unwrap().1;
                    after.split_once('"').unwrap().0.parse().unwrap()
                };
                let text = line.split_once('>').unwrap().1.trim_end_matches("</word>");
                let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
                ((number("yMin") + number("yMax")) / 2.0, number("xMin"), text)
            })
            .collect();
        words.sort_by(|a, b| a.0.total_cmp(&b.0));
        for row in words.chunk_by_mut(|a, b| b.0 - a.0 < 5.0) {
            row.sort_by(|a, b| a.1.total_cmp(&b.1));
            rows.push(row.iter().map(|(_, _, text)| without_marks(text)).collect::<Vec<_>>().join(" "));
        }
    }
    rows
}

#[test]
fn left_to_right_values_are_shown_as_typed_in_arabic() {
    let shown = LEFT_TO_RIGHT.map(str::to_owned);
    assert_shown_and_read("ltr-ar", &LEFT_TO_RIGHT, &shown, true);
}

#[test]
fn left_to_right_values_are_shown_as_typed_in_french_and_english() {
    let shown = LEFT_TO_RIGHT.map(str::to_owned);
    assert_shown_and_read("ltr-fr", &LEFT_TO_RIGHT, &shown, false);
}

#[test]
fn arabic_values_keep_their_numbers_and_brackets_in_arabic() {
    let table = right_to_left_values();
    let values: Vec<&str> = table.iter().map(|(value, ..)| *value).collect();
    let shown: Vec<String> = table.iter().map(|(_, shown, _)| shown.clone()).collect();
    assert_shown_and_read("rtl-ar", &values, &shown, true);
}

#[test]
fn arabic_values_keep_their_numbers_and_brackets_in_french_and_english() {
    let table = right_to_left_values();
    let values: Vec<&str> = table.iter().map(|(value, ..)| *value).collect();
    let shown: Vec<String> = table.iter().map(|(_, _, shown)| shown.clone()).collect();
    assert_shown_and_read("rtl-fr", &values, &shown, false);
}

/// All direction controls: marks, embeddings, overrides, isolates and their ends (UAX #9).
const CONTROLS: [char; 12] = [
    '\u{200e}', '\u{200f}', '\u{61c}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}',
    '\u{2067}', '\u{2068}', '\u{2069}',
];

/// Fills one field for each value in a left-to-right, a right-to-left and a mixed paragraph, and in the footer.
fn in_three_directions(values: &[String]) -> FilledDocument {
    let paragraph = |right_to_left: bool, text: &str| {
        let (bidi, rtl) = if right_to_left { ("<w:bidi/>", "<w:rPr><w:rtl/></w:rPr>") } else { ("", "") };
        format!("<w:p><w:pPr>{bidi}</w:pPr>{}</w:p>", run(text).replace("<w:r>", &format!("<w:r>{rtl}")))
    };
    let mut body = String::new();
    for at in 0..values.len() {
        body.push_str(&paragraph(false, &format!("The tenant (1), {{{{v{at}}}}}, 22 pays.")));
        body.push_str(&paragraph(true, &format!("قبل (1)، {{{{v{at}}}}}، 22 بكر.")));
        body.push_str(&paragraph(false, &format!("Tenant قبل, {{{{v{at}}}}}, 22 pays.")));
    }
    let mut document = DocumentBuilder::new("");
    let footer =
        document.add_related_part("footer", "ftr", "footer1.xml", &paragraph(false, "Lease of {{v0}}, page 1 of 2"));
    let section = format!("<w:sectPr><w:footerReference w:type=\"default\" r:id=\"{footer}\"/></w:sectPr>");
    let (_, main) = document.parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap();
    let main = String::from_utf8(main).unwrap().replace("</w:body>", &format!("{body}{section}</w:body>"));
    let template = waraq_engine::open(&document.with_part("word/document.xml", main).to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().enumerate().map(|(at, value)| (format!("v{at}"), value.clone())));
    let (setting, options) = (LayoutOptions::default(), PdfOptions::default());
    waraq_engine::fill_and_render(&template, &values.unwrap(), FillOptions::default(), &setting, &options).unwrap()
}

#[test]
fn direction_controls_in_a_value_leave_the_words_around_it() {
    let (before, after) = (reversed("قبل"), reversed("بكر"));
    let arabic = reversed("محمد سعيد");
    // each value with its visual order in the three paragraphs and in the footer
    let cases = [
        (
            "Zoé Smith",
            [
                "The tenant (1), Zoé Smith, 22 pays.".to_owned(),
                format!(".{after} 22 ،Zoé Smith ،(1) {before}"),
                format!("Tenant {before}, Zoé Smith, 22 pays."),
            ],
            "Lease of Zoé Smith, page 1 of 2".to_owned(),
        ),
        (
            "محمد سعيد",
            [
                format!("The tenant (1), {arabic}, 22 pays."),
                format!(".{after} 22 ،{arabic} ،(1) {before}"),
                format!("Tenant {before}, {arabic}, 22 pays."),
            ],
            format!("Lease of {arabic}, page 1 of 2"),
        ),
    ];
    for (value, shown, footer) in cases {
        let middle = value.find(' ').unwrap();
        let with = |control: char| {
            let (first, last) = value.split_at(middle);
            [
                format!("{control}{value}"),
                format!("{first}{control}{last}"),
                format!("{value}{control}"),
                format!("{control}{value}{control}"),
            ]
        };
        let typed: Vec<String> = CONTROLS.into_iter().flat_map(with).collect();
        let finished = in_three_directions(&typed);
        let lines = visual_lines(&finished.rendered.pages);
        let (footers, body): (Vec<&String>, Vec<&String>) = lines.iter().partition(|line| line.starts_with("Lease"));
        assert!(!footers.is_empty() && footers.iter().all(|line| **line == footer), "{footers:?}");
        assert_eq!(body.len(), 3 * typed.len());
        for (at, line) in body.into_iter().enumerate() {
            assert_eq!(*line, shown[at % 3], "{}", typed[at / 3].escape_unicode());
        }

        // the PDF and the .docx have the words in the order of the text
        let plain = in_three_directions(&vec![value.to_owned(); typed.len()]);
        let folder = folder("controls");
        let read = |name: &str, finished: &FilledDocument| {
            let path = folder.join(name);
            std::fs::write(&path, &finished.rendered.pdf.bytes).unwrap();
            pdf_text(&["-enc", "UTF-8", "-nopgbrk"], &path)
        };
        let text = read("typed.pdf", &finished);
        assert!(text.contains(value.split(' ').next().unwrap()), "{text}");
        assert_eq!(text, read("plain.pdf", &plain));
        std::fs::remove_dir_all(folder).unwrap();
        assert_eq!(finished.docx, plain.docx);
    }
}
