//! Windows metafiles, valid and damaged, are drawn from their records ([MS-EMF], [MS-WMF]).

#[path = "pictures/metafile.rs"]
mod metafile;

use std::process::Command;

use waraq_engine::{LayoutOptions, Pages, PdfOptions};

const EMF_PROGRAM: &str = "
    ground 1
    pen 1 0 4 #C00000
    brush 2 0 #0070C0
    select 1
    select 2
    rectangle 0 0 100 100
    ellipse 100 0 200 100
    font 3 20 0 400 0 \"Arial\"
    select 3
    align 24
    text 10 160 \"Words in a drawing\"
";
const WMF_PROGRAM: &str = "
    window 200 200
    pen 0 4 #C00000
    brush 0 #0070C0
    select 0
    select 1
    rectangle 0 0 100 100
    polygon 100 0 200 0 150 100
    font 20 0 400 0 \"Arial\"
    select 2
    text 10 160 \"Words in a drawing\"
";

/// Returns a document with the picture alone on a page of 100 by 100 points without margins.
fn document(kind: &str, picture: &[u8]) -> Vec<u8> {
    let relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let body = format!(
        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" xmlns:r=\"{relationships}\" \
         xmlns:v=\"urn:schemas-microsoft-com:vml\"><w:body><w:p><w:r><w:pict><v:shape style=\"width:100pt;height:100pt\">\
         <v:imagedata r:id=\"picture\"/></v:shape></w:pict></w:r></w:p><w:sectPr><w:pgSz w:w=\"2400\" w:h=\"2400\"/>\
         <w:pgMar w:top=\"0\" w:right=\"0\" w:bottom=\"0\" w:left=\"0\"/></w:sectPr></w:body></w:document>"
    );
    let related = |inside: String| format!("<Relationships xmlns=\"{package}/relationships\">{inside}</Relationships>");
    let one = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{relationships}/{kind}\" Target=\"{target}\"/>")
    };
    let types = format!(
        "<Types xmlns=\"{package}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" \
         ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>"
    );
    let (main, picture_of) = (
        related(one("main", "officeDocument", "word/document.xml")),
        related(one("picture", "image", &format!("a.{kind}"))),
    );
    let name = format!("word/a.{kind}");
    waraq_docx::build::zip_archive([
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", main.as_bytes()),
        ("word/document.xml", body.as_bytes()),
        ("word/_rels/document.xml.rels", picture_of.as_bytes()),
        (name.as_str(), picture),
    ])
}

fn pages(kind: &str, picture: &[u8]) -> Pages {
    let package = waraq_engine::open(&document(kind, picture)).unwrap();
    waraq_engine::lay_out(&package, &LayoutOptions::default()).unwrap()
}

fn pixel_at(pages: &Pages, x: u32, y: u32) -> [u8; 3] {
    let png = waraq_engine::png(pages, 0, 1.0).unwrap();
    image::load_from_memory(&png.bytes).unwrap().into_rgb8().get_pixel(x, y).0
}

/// Colours of the brush and the paper as red, green, blue.
const BLUE: [u8; 3] = [0x00, 0x70, 0xC0];
const WHITE: [u8; 3] = [255; 3];

#[test]
fn shapes_are_filled_and_text_can_be_searched() {
    for (kind, picture) in
        [("emf", metafile::enhanced(200, 200, EMF_PROGRAM)), ("wmf", metafile::old(200, 200, WMF_PROGRAM))]
    {
        let pages = pages(kind, &picture);
        assert!(pages.warnings.is_empty(), "{kind}: {:?}", pages.warnings);
        assert_eq!(pixel_at(&pages, 25, 25), BLUE, "{kind}: in the box");
        assert_eq!(pixel_at(&pages, 75, 20), BLUE, "{kind}: in the ellipse, or polygon");
        assert_eq!(pixel_at(&pages, 53, 47), WHITE, "{kind}: at its corner");
        let made = waraq_engine::pdf(&pages, &PdfOptions::default()).unwrap();
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("metafile-{kind}.pdf"));
        std::fs::write(&file, &made.bytes).unwrap();
        let output = Command::new("pdftotext").arg(&file).arg("-").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("Words in a drawing"), "{kind}: {text}");
    }
}

/// Returns a record that draws a bitmap of two pixels, black and another colour, into a box with a raster operation.
fn bitmap(colors: [[u8; 3]; 2], operation: u32) -> Vec<u8> {
    let longs = |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
    let mut record =
        longs(&[81, 80 + 40 + 8, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 80, 40, 120, 8, 0, operation as i32, 200, 200]);
    record.extend(longs(&[40, 2, 1, 1 | 24 << 16, 0, 8, 0, 0, 0, 0]));
    record.extend(colors.into_iter().flat_map(|[red, green, blue]| [blue, green, red]).chain([0, 0]));
    record
}

#[test]
fn a_mask_makes_pixels_transparent() {
    const AND: u32 = 0x0088_00C6;
    const INVERT: u32 = 0x0066_0046;
    let mut picture = metafile::enhanced(200, 200, "brush 1 0 #FFC000\nselect 1\nrectangle 0 0 200 200");
    let end = picture.len() - 20;
    let masked = [bitmap([[0; 3], [255; 3]], AND), bitmap([BLUE, [0; 3]], INVERT)].concat();
    picture.splice(end..end, masked);
    let pages = pages("emf", &picture);
    assert_eq!(pixel_at(&pages, 20, 50), BLUE, "where the mask is black");
    assert_eq!(pixel_at(&pages, 80, 50), [0xFF, 0xC0, 0x00], "where the mask is white");
}

#[test]
fn missing_content_gives_a_warning() {
    let mut picture = metafile::enhanced(200, 200, EMF_PROGRAM);
    let end = picture.len() - 20;
    // EMR_GRADIENTFILL
    picture.splice(end..end, [118_u32.to_le_bytes(), 12_u32.to_le_bytes(), [0; 4]].concat());
    let codes: Vec<_> = pages("emf", &picture).warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["picture_incomplete"]);
}

#[test]
fn damaged_and_hostile_metafiles_do_not_fail() {
    for (kind, file) in
        [("emf", metafile::enhanced(200, 200, EMF_PROGRAM)), ("wmf", metafile::old(200, 200, WMF_PROGRAM))]
    {
        for end in (0..file.len()).step_by(11) {
            pages(kind, &file[..end]);
        }
        for at in (0..file.len()).step_by(7) {
            for value in [0, 0x7F, 0xFF] {
                let mut changed = file.clone();
                let end = (at + 4).min(file.len());
                changed[at..end].fill(value);
                pages(kind, &changed);
            }
        }
    }
    // More records than any page shows: drawing stops, and a warning reports the rest.
    let many = metafile::enhanced(200, 200, &"ellipse 0 0 200 200\nsave\n".repeat(60_000));
    let codes: Vec<_> = pages("emf", &many).warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["picture_incomplete"]);
}
