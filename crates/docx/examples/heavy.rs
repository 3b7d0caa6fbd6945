//! Writes documents with about twenty megabytes of XML in files of at most two megabytes: `cargo run -p waraq-docx
//! --example heavy -- FOLDER`.
//!
//! Each document contains very many items of one kind. `cargo xtask bench budget` renders them in limited memory.

use std::path::Path;

use waraq_docx::build::{DocumentBuilder, paragraph};

/// The minimum length in bytes of a text that `repeat_to_min_size` returns.
const MIN_PART_BYTES: usize = 20_000_000;

type Heavy = (&'static str, fn() -> DocumentBuilder);

const HEAVY: &[Heavy] = &[
    ("paragraphs", || {
        DocumentBuilder::new(&repeat_to_min_size(|i| paragraph(&format!("{} {}", word(i), word(i + 1)))))
    }),
    ("long-paragraphs", || DocumentBuilder::new(&repeat_to_min_size(|i| paragraph(&words(i * 100, 100))))),
    ("one-text", || DocumentBuilder::new(&paragraph(&repeat_to_min_size(|i| word(i) + " ")))),
    ("runs", || {
        DocumentBuilder::new(&repeat_to_min_size(|i| format!("<w:p>{}</w:p>", many(20, |k| sized_run(i + k)))))
    }),
    ("one-paragraph-of-a-million-runs", || {
        DocumentBuilder::new(&format!("<w:p>{}</w:p>", many(1_000_000, |_| "<w:r><w:t>a</w:t></w:r>".into())))
    }),
    ("one-paragraph-of-sized-runs", || DocumentBuilder::new(&format!("<w:p>{}</w:p>", repeat_to_min_size(sized_run)))),
    ("nested-tables", || DocumentBuilder::new(&repeat_to_min_size(|i| nested(6, i)))),
    ("table-of-60000-cells", || {
        let row = |i: usize| format!("<w:tr>{}</w:tr>", many(10, |k| cell(&words(i * 10 + k, 2))));
        DocumentBuilder::new(&format!("<w:tbl>{}</w:tbl>", many(6_000, row)))
    }),
    ("table-of-one-row", || {
        DocumentBuilder::new(&format!(
            "<w:tbl><w:tr>{}</w:tr></w:tbl>",
            many(10, |k| format!("<w:tc>{}</w:tc>", paragraphs_of_size(k, 2_000_000)))
        ))
    }),
    ("text-boxes", || {
        let shape = |i: usize| {
            format!(
                "<w:p><w:r><w:pict><v:shape style=\"position:absolute;width:100pt;height:50pt;margin-left:{}pt\"><v:textbox>\
                 <w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>",
                i % 400,
                paragraph(&words(i, 2))
            )
        };
        DocumentBuilder::new(&many(10_000, shape))
    }),
    ("text-boxes-around-which-text-flows", || {
        let shape = |i: usize| {
            format!(
                "<w:r><w:pict><v:shape style=\"position:absolute;width:60pt;height:20pt;margin-left:{}pt;margin-top:{}pt\">\
                 <v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox><w10:wrap xmlns:w10=\"urn:schemas-microsoft-com:office:word\" \
                 type=\"square\"/></v:shape></w:pict></w:r>",
                i % 400,
                i % 700,
                paragraph(&word(i))
            )
        };
        DocumentBuilder::new(&format!(
            "<w:p>{}</w:p>{}",
            many(10_000, shape),
            many(3_000, |i| paragraph(&words(i, 60)))
        ))
    }),
    ("fields", || {
        DocumentBuilder::new(&many(20_000, |_| {
            format!("<w:p>{}{}{}</w:p>", field("PAGE"), field("NUMPAGES"), field("PAGEREF b"))
        }))
    }),
    ("names", || DocumentBuilder::new(&many(60_000, |i| paragraph(&format!("{{{{name {i} {}}}}}", word(i)))))),
    ("notes", || {
        let call =
            |i: usize| format!("<w:p><w:r><w:t>{}</w:t><w:footnoteReference w:id=\"{}\"/></w:r></w:p>", word(i), i + 1);
        let note = |i: usize| format!("<w:footnote w:id=\"{}\">{}</w:footnote>", i + 1, paragraph(&word(i)));
        let mut document = DocumentBuilder::new(&many(40_000, call));
        document.add_related_part("footnotes", "footnotes", "footnotes.xml", &many(40_000, note));
        document
    }),
    ("styles", || {
        let style = |i: usize| {
            format!(
                "<w:style w:type=\"paragraph\" w:styleId=\"s{i}\"><w:name w:val=\"{}{i}\"/><w:basedOn w:val=\"s{}\"/>\
                 <w:pPr><w:ind w:left=\"{}\"/></w:pPr><w:rPr><w:sz w:val=\"{}\"/></w:rPr></w:style>",
                word(i),
                i / 2,
                i % 900,
                i % 40 + 8
            )
        };
        let styled = |i: usize| format!("<w:p><w:pPr><w:pStyle w:val=\"s{i}\"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>");
        let mut document = DocumentBuilder::new(&many(60_000, styled));
        document.add_related_part("styles", "styles", "styles.xml", &many(60_000, style));
        document
    }),
    ("numbering", || {
        let level = |i: usize| {
            format!(
                "<w:lvl w:ilvl=\"{i}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.%{}\"/></w:lvl>",
                i + 1
            )
        };
        let list = |i: usize| format!("<w:abstractNum w:abstractNumId=\"{i}\">{}</w:abstractNum>", many(9, level));
        let number = |i: usize| format!("<w:num w:numId=\"{}\"><w:abstractNumId w:val=\"{i}\"/></w:num>", i + 1);
        let item = |i: usize| {
            format!(
                "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{}\"/><w:numId w:val=\"{}\"/></w:numPr></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>",
                i % 9,
                i % 900 + 1,
                word(i)
            )
        };
        let mut document = DocumentBuilder::new(&many(120_000, item));
        document.add_related_part("numbering", "numbering", "numbering.xml", &(many(900, list) + &many(900, number)));
        document
    }),
    ("page-breaks", || {
        DocumentBuilder::new(&many(100_000, |i| {
            format!("<w:p><w:r><w:t>{}</w:t><w:br w:type=\"page\"/></w:r></w:p>", word(i))
        }))
    }),
    ("bookmarks", || {
        let mark = |i: usize| {
            format!(
                "<w:p><w:bookmarkStart w:id=\"{i}\" w:name=\"b{i}\"/><w:r><w:t>{}</w:t></w:r><w:bookmarkEnd w:id=\"{i}\"/>{}</w:p>",
                word(i),
                field(&format!("REF b{i}"))
            )
        };
        DocumentBuilder::new(&many(40_000, mark))
    }),
    ("right-to-left", || {
        DocumentBuilder::new(&repeat_to_min_size(|i| paragraph(&format!("سلام {} عليكم {}", word(i), i % 977))))
    }),
    ("sections", || {
        DocumentBuilder::new(&many(40_000, |i| {
            format!(
                "<w:p><w:pPr><w:sectPr><w:type w:val=\"continuous\"/></w:sectPr></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>",
                word(i)
            )
        }))
    }),
];

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("heavy FOLDER");
        std::process::exit(2);
    };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for (name, make) in HEAVY {
        std::fs::write(folder.join(format!("{name}.docx")), make().to_bytes())?;
    }
    Ok(())
}

fn many(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// Returns `piece(0)`, `piece(1)` … joined, until the text has at least `MIN_PART_BYTES` bytes.
fn repeat_to_min_size(piece: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(MIN_PART_BYTES + 10_000);
    let mut i = 0;
    while text.len() < MIN_PART_BYTES {
        text.push_str(&piece(i));
        i += 1;
    }
    text
}

/// Returns paragraphs whose XML has about `bytes` bytes in total. Each `seed` gives other words.
fn paragraphs_of_size(seed: usize, bytes: usize) -> String {
    many(bytes / 100, |i| paragraph(&words(seed * 1_000_003 + i, 8)))
}

/// Returns a pseudo-random word that depends on `i`. There are many thousand words, because text of a few words would
/// compress too well.
fn word(i: usize) -> String {
    let mut state = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    state ^= state >> 29;
    let length = 2 + state as usize % 7;
    (0..length).map(|at| char::from(b'a' + (state >> (8 + 5 * at)) as u8 % 26)).collect()
}

fn words(first: usize, count: usize) -> String {
    (first..first + count).map(|i| word(i) + " ").collect()
}

fn sized_run(i: usize) -> String {
    format!("<w:r><w:rPr><w:sz w:val=\"{}\"/></w:rPr><w:t>{}</w:t></w:r>", i % 30 + 8, word(i))
}

fn cell(text: &str) -> String {
    format!("<w:tc>{}</w:tc>", paragraph(text))
}

fn nested(depth: usize, i: usize) -> String {
    match depth {
        0 => paragraph(&word(i)),
        _ => {
            let inner = |k: usize| format!("<w:tc>{}{}</w:tc>", nested(depth - 1, 2 * i + k), paragraph("x"));
            format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", inner(0), inner(1))
        }
    }
}

fn field(code: &str) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!(
        "{}<w:r><w:instrText> {code} </w:instrText></w:r>{}<w:r><w:t>1</w:t></w:r>{}",
        character("begin"),
        character("separate"),
        character("end")
    )
}
