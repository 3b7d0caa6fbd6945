//! One file for each reason to refuse a document. The engine's tests open the files; the API's tests upload them. Each
//! file is smaller than the size limit of a template.

use std::fmt::Write as _;

use waraq_docx::build::{DocumentBuilder, paragraph, zip_archive};
use waraq_docx::package::limits;

pub const LOCAL: &[u8; 4] = b"PK\x03\x04";
pub const CENTRAL: &[u8; 4] = b"PK\x01\x02";
pub const END: &[u8; 4] = b"PK\x05\x06";

/// Returns a letter with styles and a picture that is not shown.
pub fn letter() -> DocumentBuilder {
    let mut document = DocumentBuilder::new(&paragraph("Dear {{name}}"));
    document.add_related_part("styles", "styles", "styles.xml", "");
    document.with_part("word/media/image1.png", vec![9; 4_000])
}

pub fn zipped(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    zip_archive(parts.iter().map(|(name, content)| (name.as_str(), content.as_slice())))
}

/// Returns the position of the nth record with this signature.
pub fn record(bytes: &[u8], signature: &[u8; 4], nth: usize) -> usize {
    bytes.windows(4).enumerate().filter(|(_, window)| window == signature).map(|(at, _)| at).nth(nth).unwrap()
}

pub fn patched(bytes: &[u8], at: usize, with: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + with.len()].copy_from_slice(with);
    bytes
}

/// Changes a byte at the given offsets in both records of the second entry.
fn second_entry(central: usize, local: usize, value: u8) -> Vec<u8> {
    let whole = letter().to_bytes();
    let changed = patched(&whole, record(&whole, CENTRAL, 1) + central, &[value]);
    patched(&changed, record(&whole, LOCAL, 1) + local, &[value])
}

fn ole(name: &str) -> Vec<u8> {
    let mut ole = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    ole.resize(1024, 0);
    let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    ole[512..512 + name.len()].copy_from_slice(&name);
    ole
}

fn without(name: &str) -> Vec<u8> {
    zipped(&letter().parts().into_iter().filter(|(known, _)| known != name).collect::<Vec<_>>())
}

fn with(name: &str, content: &[u8]) -> Vec<u8> {
    let mut parts = letter().parts();
    parts.push((name.to_owned(), content.to_vec()));
    zipped(&parts)
}

fn workbook() -> Vec<u8> {
    let types = String::from_utf8(letter().parts()[0].1.clone()).unwrap();
    let types = types.replace("wordprocessingml.document.main", "spreadsheetml.sheet.main");
    letter().with_part("[Content_Types].xml", types).to_bytes()
}

fn too_many_entries() -> Vec<u8> {
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
    many
}

/// Returns a package with many parts that each claim the largest size without a ratio check.
fn too_large_together() -> Vec<u8> {
    let mut parts = letter().parts();
    let (claimed, known) = (limits::RATIO_FREE_BYTES, parts.len());
    let most = usize::try_from(limits::MAX_TOTAL_BYTES / claimed).unwrap() + 1;
    parts.extend((0..most).map(|number| (format!("word/media/{number}.bin"), vec![7; 100])));
    let mut bytes = zipped(&parts);
    for number in 0..most {
        let at = record(&bytes, CENTRAL, known + number) + 24;
        bytes = patched(&bytes, at, &u32::try_from(claimed).unwrap().to_le_bytes());
    }
    bytes
}

fn too_many_relationships() -> Vec<u8> {
    let mut xml =
        String::from("<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">");
    for number in 0..=limits::MAX_RELATIONSHIPS {
        let _ = write!(xml, "<Relationship Id=\"r{number}\" Type=\"a\" Target=\"{number}.xml\"/>");
    }
    xml.push_str("</Relationships>");
    letter().with_part("word/_rels/styles.xml.rels", xml).to_bytes()
}

/// Returns each error code with a file that is refused with it.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let whole = letter().to_bytes();
    let (central, end) = (record(&whole, CENTRAL, 1), record(&whole, END, 0));
    let shown = |content: Vec<u8>| {
        let mut document = letter();
        document.add_relationship("image", "media/a.bin", false);
        document.with_part("word/media/a.bin", content).to_bytes()
    };
    let deep = "<a>".repeat(limits::MAX_XML_DEPTH + 1) + &"</a>".repeat(limits::MAX_XML_DEPTH + 1);
    let huge = u32::try_from(limits::MAX_XML_PART_BYTES + 1).unwrap().to_le_bytes();
    vec![
        ("not_a_zip", b"%PDF-1.7 and so on".to_vec()),
        ("truncated_zip", whole[..whole.len() - 30].to_vec()),
        ("old_word_document", ole("WordDocument")),
        ("encrypted_document", ole("EncryptedPackage")),
        ("multi_volume", patched(&whole, end + 4, &[1])),
        ("corrupted_zip", patched(&whole, record(&whole, CENTRAL, 0), b"XX")),
        ("encrypted_zip", second_entry(8, 6, 1)),
        ("unsupported_compression", second_entry(10, 8, 12)),
        ("missing_content_types", without("[Content_Types].xml")),
        ("missing_main_part", without("_rels/.rels")),
        ("not_a_word_document", workbook()),
        ("no_document_body", letter().with_part("word/document.xml", "<a/>").to_bytes()),
        ("malformed_xml", letter().with_part("word/styles.xml", "<a><b></a>").to_bytes()),
        ("xml_too_deep", letter().with_part("word/document.xml", deep).to_bytes()),
        ("suspicious_compression", shown(vec![b' '; usize::try_from(limits::RATIO_FREE_BYTES).unwrap() + 1])),
        ("part_too_large", patched(&whole, central + 24, &huge)),
        ("package_too_large", too_large_together()),
        ("too_many_entries", too_many_entries()),
        ("too_many_relationships", too_many_relationships()),
        ("unsafe_part_name", with("word/../../etc/passwd", b"x")),
        ("duplicate_part", with("WORD/Styles.XML", b"<a/>")),
        ("overlapping_entries", patched(&whole, central + 42, &whole[record(&whole, CENTRAL, 0) + 42..][..4])),
    ]
}
