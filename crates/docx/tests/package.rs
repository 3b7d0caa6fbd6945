//! Tests of opening, refusing and saving packages through the public interface.

mod random;

mod refused;

use std::fmt::Write as _;

use refused::{CENTRAL, END, LOCAL, letter, patched, record, zipped};
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::package::limits;
use waraq_docx::{Error, Package, fields};

use random::Random;

fn refusal(bytes: &[u8]) -> Error {
    match Package::open(bytes).and_then(|package| package.validate()) {
        Ok(()) => panic!("opened"),
        Err(error) => error,
    }
}

#[test]
fn each_refusal_has_its_code() {
    for (code, bytes) in refused::files() {
        let read = Package::open(&bytes).and_then(|package| {
            fields::list(&package)?;
            waraq_docx::read(&package, &Default::default())
        });
        assert_eq!(read.unwrap_err().code.as_str(), code);
        assert!(bytes.len() <= 4_000_000, "{code}: more than may be uploaded");
    }
}

#[test]
fn non_zip_files_are_refused_with_the_specified_message() {
    for bytes in [&b""[..], b"PK", b"%PDF-1.7 and so on", &[0; 4096], b"{\\rtf1 }"] {
        let error = refusal(bytes);
        assert_eq!(
            (error.code.as_str(), error.message.as_str()),
            ("not_a_zip", "Can't find end of central directory : is this a zip file ?")
        );
    }
    let whole = letter().to_bytes();
    assert_eq!(refusal(&whole[..whole.len() - 30]).code, "truncated_zip");
    let mut ole = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    ole.resize(1024, 0);
    assert_eq!(refusal(&ole).code, "encrypted_document");
    let name: Vec<u8> = "WordDocument".encode_utf16().flat_map(u16::to_le_bytes).collect();
    ole[512..512 + name.len()].copy_from_slice(&name);
    assert_eq!(refusal(&ole).code, "old_word_document");
}

#[test]
fn each_kind_of_zip_damage_has_its_error() {
    let whole = letter().to_bytes();
    let end = record(&whole, END, 0);
    let error = refusal(&patched(&whole, end + 4, &[1]));
    assert_eq!((error.code.as_str(), error.message.as_str()), ("multi_volume", "Multi-volumes zip are not supported"));
    let size = u32::from_le_bytes(whole[end + 12..end + 16].try_into().unwrap()) + 1_234;
    let error = refusal(&patched(&whole, end + 12, &size.to_le_bytes()));
    assert_eq!((error.code.as_str(), error.message.as_str()), ("corrupted_zip", "Corrupted zip: missing 1234 bytes"));
    let error = refusal(&patched(&whole, record(&whole, CENTRAL, 0), b"XX"));
    assert_eq!(error.code.as_str(), "corrupted_zip");
    assert_eq!(error.message, "Corrupted zip or bug: unexpected signature (in the central directory)");
    let error = refusal(&patched(&whole, record(&whole, LOCAL, 1), b"XX"));
    assert!(error.message.starts_with("Corrupted zip or bug: unexpected signature"), "{error}");
    let central = record(&whole, CENTRAL, 1);
    let error = refusal(&patched(&patched(&whole, central + 8, &[1]), record(&whole, LOCAL, 1) + 6, &[1]));
    assert_eq!((error.code.as_str(), error.message.as_str()), ("encrypted_zip", "Encrypted zip are not supported"));
    let error = refusal(&patched(&patched(&whole, central + 10, &[99]), record(&whole, LOCAL, 1) + 8, &[99]));
    assert!(["unsupported_compression", "encrypted_zip"].contains(&error.code.as_str()), "{error}");
    let error = refusal(&patched(&patched(&whole, central + 10, &[12]), record(&whole, LOCAL, 1) + 8, &[12]));
    assert_eq!(error.code.as_str(), "unsupported_compression");
    assert!(error.message.starts_with("Corrupted zip : compression unknown"), "{error}");
    let error = refusal(&patched(&whole, central + 16, &[0xAA; 4]));
    assert_eq!(error.code.as_str(), "corrupted_zip", "a wrong checksum: {error}");
    assert!(error.message.contains("incorrect data check"), "{error}");
    let data = record(&whole, LOCAL, 0) + 30 + "[Content_Types].xml".len();
    // The first three bits are the kind of the deflate block (RFC 1951 §3.2.3): 3 is no kind, 2 has a header of code lengths.
    for (bytes, problem) in [([0xFF; 8], "invalid block type"), ([0xFD; 8], "incorrect header check")] {
        let error = refusal(&patched(&whole, data, &bytes));
        assert_eq!(error.code, "corrupted_zip");
        assert!(error.message.contains(problem), "{error}");
    }
    let central = record(&whole, CENTRAL, 0);
    let size = u32::from_le_bytes(whole[central + 24..central + 28].try_into().unwrap()) + 1;
    let error = refusal(&patched(&whole, central + 24, &size.to_le_bytes()));
    assert!(error.message.contains("incorrect length check"), "{error}");
}

#[test]
fn non_word_documents_are_refused() {
    let parts = letter().parts();
    let without =
        |name: &str| -> Vec<(String, Vec<u8>)> { parts.iter().filter(|(known, _)| known != name).cloned().collect() };
    assert_eq!(refusal(&zipped(&without("[Content_Types].xml"))).code, "missing_content_types");
    assert_eq!(refusal(&zipped(&without("_rels/.rels"))).code, "missing_main_part");
    assert_eq!(refusal(&zipped(&without("word/document.xml"))).code, "missing_main_part");
    let types = String::from_utf8(parts[0].1.clone()).unwrap();
    let workbook = types.replace("wordprocessingml.document.main", "spreadsheetml.sheet.main");
    let error = refusal(&letter().with_part("[Content_Types].xml", workbook).to_bytes());
    assert_eq!(
        (error.code.as_str(), error.message.as_str()),
        ("not_a_word_document", "This is not a Word document but an Excel workbook.")
    );
    let odt = waraq_docx::build::zip_archive([
        ("mimetype", &b"application/vnd.oasis.opendocument.text"[..]),
        ("META-INF/manifest.xml", b"<m/>"),
    ]);
    assert_eq!(refusal(&odt).code, "not_a_word_document");
}

#[test]
fn malformed_parts_are_named() {
    let bad = [
        "<a><b></a>",
        "<a",
        "<a/><b/>",
        "",
        "text",
        "<a>&nope;</a>",
        "<a>&#1;</a>",
        "<a x=\"1\" x=\"2\"/>",
        "<!DOCTYPE a><a/>",
        "<a>\u{1}</a>",
        "<a>",
    ];
    for xml in bad {
        let error = refusal(&letter().with_part("word/styles.xml", xml).to_bytes());
        assert_eq!(
            (error.code.as_str(), error.part.as_deref()),
            ("malformed_xml", Some("word/styles.xml")),
            "{xml:?}: {error}"
        );
    }
    for bytes in [&b"\xFF\xFE<\0a\0/\0>"[..], b"\xFF\xFE<\0a\0>\0\0\xD8<\0/\0a\0>\0", b"<a>\xFF\xFE</a>"] {
        assert_eq!(refusal(&letter().with_part("word/styles.xml", bytes).to_bytes()).code, "malformed_xml");
    }
}

#[test]
fn unreadable_parts_that_pages_do_not_need_are_skipped() {
    let huge = vec![b' '; usize::try_from(limits::RATIO_FREE_BYTES).unwrap() + 1];
    for (name, content, code) in [
        ("docProps/app.xml", huge.clone(), "suspicious_compression"),
        ("docProps/thumbnail.jpeg", huge, "suspicious_compression"),
        ("customXml/item1.xml", b"<a>\xFF\xFE</a>".to_vec(), "malformed_xml"),
        ("customXml/_rels/item1.xml.rels", b"<Relationships".to_vec(), "malformed_xml"),
    ] {
        let bytes = letter().with_part(name, content).to_bytes();
        let package = Package::open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        package.validate().unwrap();
        let reported: Vec<_> =
            package.skipped_part_errors().iter().map(|error| (error.part.as_deref(), error.code.as_str())).collect();
        assert_eq!(reported, [(Some(name), code)]);
        let document = waraq_docx::read(&package, &Default::default()).unwrap();
        assert!(
            document
                .warnings
                .iter()
                .any(|warning| warning.code == "part_left_out" && warning.part.as_deref() == Some(name))
        );
        assert_eq!(package.to_bytes().unwrap(), bytes, "kept when saved");
    }
    assert_eq!(
        refusal(&letter().with_part("word/_rels/document.xml.rels", "<Relationships").to_bytes()).code,
        "malformed_xml"
    );
}

#[test]
fn packages_over_a_limit_are_refused() {
    let deep = "<a>".repeat(limits::MAX_XML_DEPTH + 1) + &"</a>".repeat(limits::MAX_XML_DEPTH + 1);
    assert_eq!(refusal(&letter().with_part("word/styles.xml", deep).to_bytes()).code, "xml_too_deep");
    let bomb = vec![b' '; limits::RATIO_FREE_BYTES as usize + 1];
    let mut shown = letter();
    shown.add_relationship("image", "media/a.bin", false);
    assert_eq!(refusal(&shown.with_part("word/media/a.bin", bomb).to_bytes()).code, "suspicious_compression");
    let whole = letter().to_bytes();
    let central = record(&whole, CENTRAL, 1);
    let huge = u32::try_from(limits::MAX_XML_PART_BYTES + 1).unwrap().to_le_bytes();
    assert_eq!(refusal(&patched(&whole, central + 24, &huge)).code, "part_too_large");
    // The end record contains too many entries, so nothing is read.
    let mut many = Vec::new();
    for _ in 0..=limits::MAX_ENTRIES {
        many.extend_from_slice(CENTRAL);
        many.extend_from_slice(&[0; 42]);
    }
    let size = u32::try_from(many.len()).unwrap();
    many.extend_from_slice(END);
    many.extend_from_slice(&[0; 4]);
    many.extend_from_slice(&u16::try_from(limits::MAX_ENTRIES + 1).unwrap().to_le_bytes().repeat(2));
    many.extend_from_slice(&size.to_le_bytes());
    many.extend_from_slice(&[0; 6]);
    assert_eq!(refusal(&many).code, "too_many_entries");
}

#[test]
fn unsafe_duplicate_and_overlapping_entries_are_refused() {
    let mut parts = letter().parts();
    parts.push(("word/../../etc/passwd".into(), b"x".to_vec()));
    assert_eq!(refusal(&zipped(&parts)).code, "unsafe_part_name");
    let mut parts = letter().parts();
    parts.push(("WORD/Styles.XML".into(), b"<a/>".to_vec()));
    assert_eq!(refusal(&zipped(&parts)).code, "duplicate_part");
    let mut parts = letter().parts();
    parts.push(("word/stylez.xml".into(), b"<a/>".to_vec()));
    let twice = zipped(&parts);
    let renamed: Vec<u8> = twice.clone();
    let mut renamed = renamed;
    while let Some(at) = renamed.windows(15).position(|window| window == b"word/stylez.xml") {
        renamed[at..at + 15].copy_from_slice(b"word/styles.xml");
    }
    assert_eq!(refusal(&renamed).code, "duplicate_part");
    // The second entry points to the data of the first.
    let whole = letter().to_bytes();
    let first = whole[record(&whole, CENTRAL, 0) + 42..][..4].to_vec();
    assert_eq!(refusal(&patched(&whole, record(&whole, CENTRAL, 1) + 42, &first)).code, "overlapping_entries");
}

#[test]
fn documents_of_other_producers_open() {
    let backslashes: Vec<(String, Vec<u8>)> =
        letter().parts().into_iter().map(|(name, content)| (name.replace('/', "\\"), content)).collect();
    let package = Package::open(&zipped(&backslashes)).unwrap();
    assert!(package.part_bytes("word/styles.xml").is_some());
    let saved = package.to_bytes().unwrap();
    assert!(!saved.windows(8).any(|window| window == b"word\\doc"), "handed out with slashes");

    let upper: Vec<(String, Vec<u8>)> = letter()
        .parts()
        .into_iter()
        .map(|(name, content)| (if name.starts_with("word/") { name.to_uppercase() } else { name }, content))
        .collect();
    assert_eq!(fields::list(&Package::open(&zipped(&upper)).unwrap()).unwrap().len(), 1);

    let mut prefixed = b"#!/bin/sh\n".to_vec();
    prefixed.extend(letter().to_bytes());
    assert!(Package::open(&prefixed).is_ok(), "something before the zip");

    for (big, mark) in [(false, true), (true, true), (false, false), (true, false)] {
        let text =
            String::from_utf8(letter().parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1)
                .unwrap();
        let text = text.replace("UTF-8", "UTF-16").replace("Dear", "سيد");
        let marked = if mark { format!("\u{feff}{text}") } else { text };
        let bytes: Vec<u8> =
            marked.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
        let package = Package::open(&letter().with_part("word/document.xml", bytes.clone()).to_bytes()).unwrap();
        package.validate().unwrap();
        assert!(package.part_text("word/document.xml").unwrap().contains("سيد {{name}}"));
        assert!(
            package.part_text("word/document.xml").unwrap().starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"")
        );
    }
}

#[test]
fn a_renamed_main_part_is_found_by_its_relationship() {
    let strict = "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument";
    let rels = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"a\" Type=\"{strict}\" Target=\"/word/./x/../document2.xml\"/></Relationships>"
    );
    let parts: Vec<(String, Vec<u8>)> = letter()
        .with_part("_rels/.rels", rels)
        .parts()
        .into_iter()
        .map(|(name, content)| match name.as_str() {
            "[Content_Types].xml" => {
                (name, String::from_utf8(content).unwrap().replace("document.xml", "document2.xml").into_bytes())
            }
            _ => (name.replace("document.xml", "document2.xml"), content),
        })
        .collect();
    let package = Package::open(&zipped(&parts)).unwrap();
    assert_eq!(package.main_part(), "word/document2.xml");
    assert_eq!(package.related_parts("word/document2.xml", "styles").collect::<Vec<_>>(), ["word/styles.xml"]);
}

#[test]
fn saving_copies_unchanged_parts() {
    let bytes = letter().to_bytes();
    let package = Package::open(&bytes).unwrap();
    let same = package.to_bytes().unwrap();
    assert_eq!(
        package.part_names().collect::<Vec<_>>(),
        Package::open(&same).unwrap().part_names().collect::<Vec<_>>()
    );
    assert_eq!(bytes, same);
    let changed = package.with_part("word/styles.xml", b"<x/>".to_vec());
    let again = Package::open(&changed.to_bytes().unwrap()).unwrap();
    assert_eq!(again.part_bytes("word/styles.xml").unwrap(), b"<x/>");
    assert_eq!(again.part_bytes("word/media/image1.png").unwrap(), [9; 4_000]);
}

/// Pictures are usually stored without compression, and are then not copied out of the file.
#[test]
fn stored_parts_are_read_and_checked() {
    let picture: Vec<u8> = (0..4_000_u32).map(|at| ((at * at) >> 5) as u8).collect();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in letter().with_part("word/media/image1.png", picture.clone()).parts() {
        writer.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut writer, &content).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    for package in [
        Package::open(&bytes).unwrap(),
        Package::open_with_budget(bytes.clone(), &waraq_docx::Budget::default()).unwrap(),
    ] {
        package.validate().unwrap();
        assert!(package.part_bytes("word/media/image1.png") == Some(&picture));
        assert!(package.part_text("word/document.xml").unwrap().contains("Dear {{name}}"));
        assert!(
            Package::open(&package.to_bytes().unwrap()).unwrap().part_bytes("word/media/image1.png") == Some(&picture)
        );
    }
    let inside = bytes.windows(20).position(|window| *window == picture[100..120]).unwrap();
    let package = Package::open(&patched(&bytes, inside, b"\x00\x01\x02\x03")).unwrap();
    assert_eq!(package.read_part("word/media/image1.png").unwrap_err().code, "corrupted_zip");
    assert_eq!(package.part_bytes("word/media/image1.png"), None);
}

fn exercise(bytes: &[u8]) {
    let Ok(package) = Package::open(bytes) else { return };
    let _ = package.validate();
    let _ = fields::check(&package);
    if let Ok(found) = fields::list(&package) {
        let values = fields::Values::from_pairs(found.iter().map(|field| (&field.name, "x\nم y"))).unwrap();
        let filled = fields::fill(&package, &values, Default::default()).unwrap();
        filled.validate().or_else(|_| package.validate()).unwrap_or(());
        if package.validate().is_ok() {
            filled.validate().unwrap();
        }
        let _ = filled.to_bytes();
    }
}

#[test]
fn damaged_documents_cause_no_panic() {
    let body = paragraph("a {{x}} \\{{ b")
        + "<w:p><w:sdt><w:sdtPr><w:tag w:val=\"t\"/><w:text/></w:sdtPr><w:sdtContent><w:r><w:t>c</w:t></w:r></w:sdtContent></w:sdt>\
           <w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>MERGEFIELD y</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    let document = DocumentBuilder::new(&body);
    let whole = document.to_bytes();
    let mut random = Random(0x5EED);
    for _ in 0..600 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        exercise(&bytes);
        exercise(&whole[..random.below(whole.len())]);
    }
    // Damage in the XML itself, which checksums do not detect.
    let xml = String::from_utf8(document.parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1)
        .unwrap();
    let tags: Vec<usize> = xml.match_indices('<').map(|(at, _)| at).chain([xml.len()]).collect();
    for _ in 0..600 {
        let (from, to) = (random.below(tags.len() - 1), random.below(tags.len() - 1));
        let piece = &xml[tags[from]..tags[from + 1]];
        let mut spliced = xml.clone();
        match random.below(3) {
            0 => spliced.insert_str(tags[to], piece),
            1 => spliced.replace_range(tags[to]..tags[to + 1], piece),
            _ => spliced.replace_range(tags[to]..tags[to + 1], ""),
        }
        exercise(&document.clone().with_part("word/document.xml", spliced).to_bytes());
    }
}

#[test]
fn any_value_keeps_the_part_well_formed_and_is_written_completely() {
    let alphabet: Vec<char> = "ab {}<>&\"'\\]%$\n\tمحל12(/.é😀\u{200f}".chars().collect();
    let mut random = Random(77);
    for _ in 0..300 {
        let value: String = (0..random.below(24)).map(|_| alphabet[random.below(alphabet.len())]).collect();
        let mut body = String::from("<w:p>");
        let text: Vec<char> = "<1> {{a}} {{b}}{{a}}.".chars().collect();
        let mut at = 0;
        while at < text.len() {
            let end = (at + 1 + random.below(5)).min(text.len());
            let look = ["", "<w:rPr><w:b/></w:rPr>", "<w:rPr><w:rtl/></w:rPr>"][random.below(3)];
            let piece: String = text[at..end].iter().collect();
            let piece = piece.replace('<', "&lt;").replace('>', "&gt;");
            write!(body, "<w:r>{look}<w:t xml:space=\"preserve\">{piece}</w:t></w:r>").unwrap();
            at = end;
        }
        body.push_str("</w:p>");
        let package = Package::open(&DocumentBuilder::new(&body).to_bytes()).unwrap();
        let values = fields::Values::from_pairs([("a", value.as_str()), ("b", "{{a}}")]).unwrap();
        let filled = fields::fill(&package, &values, Default::default()).unwrap();
        filled.validate().unwrap();
        let xml = filled.part_text("word/document.xml").unwrap();
        let marked = xml.replace("<w:br/>", "\n").replace("<w:tab/>", "\t");
        let body = &marked[marked.find("<w:body>").unwrap()..];
        let mut shown = String::new();
        let mut rest = body;
        while let Some((words, after)) = rest.split_once('<') {
            shown.push_str(words);
            rest = after.split_once('>').unwrap().1;
        }
        let shown = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        // Direction marks are added where programs would otherwise reorder a piece.
        let plain = |text: &str| text.replace(['\u{200e}', '\u{200f}'], "");
        let value = if waraq_rules::is_empty(&value) { "" } else { &value };
        assert_eq!(plain(&shown), plain(&format!("<1> {value} {{{{a}}}}{value}.")));
    }
}
