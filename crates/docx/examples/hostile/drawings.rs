//! Pictures, shapes, text boxes and floating objects.

use waraq_docx::build::{DocumentBuilder, paragraph, run};

use super::{Bomb, letters, many, nested};

const NAMESPACES: &str = "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
    xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
    xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"";

fn extent(points: usize) -> String {
    format!("<wp:extent cx=\"{0}\" cy=\"{0}\"/>", points * 12_700)
}

fn inline(graphic: &str) -> String {
    format!(
        "<w:r><w:drawing {NAMESPACES}><wp:inline>{}<a:graphic><a:graphicData>{graphic}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>",
        extent(50)
    )
}

fn anchored(graphic: &str, wrap: &str, at: usize) -> String {
    format!(
        "<w:r><w:drawing {NAMESPACES}><wp:anchor behindDoc=\"0\"><wp:positionH relativeFrom=\"column\"><wp:posOffset>{0}</wp:posOffset></wp:positionH>\
         <wp:positionV relativeFrom=\"paragraph\"><wp:posOffset>{0}</wp:posOffset></wp:positionV>{1}<wp:{wrap}/><a:graphic><a:graphicData>{graphic}</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>",
        at * 1_000,
        extent(20)
    )
}

const PICTURE: &str = "<pic:pic><pic:blipFill><a:blip r:embed=\"rId1\"/></pic:blipFill><pic:spPr/></pic:pic>";
const SQUARE: &str = "wrapSquare wrapText=\"bothSides\"";

fn shape(inside: &str) -> String {
    format!(
        "<wps:wsp><wps:spPr><a:prstGeom prst=\"rect\"/><a:ln w=\"9525\"/></wps:spPr><wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>"
    )
}

fn with_picture(body: &str, picture: Vec<u8>) -> Vec<u8> {
    let mut document = DocumentBuilder::new(body);
    document.add_relationship("image", "media/image1.png", false);
    document.with_part("word/media/image1.png", picture).to_bytes()
}

fn one_picture(picture: Vec<u8>) -> Vec<u8> {
    with_picture(&format!("<w:p>{}</w:p>", inline(PICTURE)), picture)
}

fn document(body: &str) -> Vec<u8> {
    DocumentBuilder::new(body).to_bytes()
}

/// Returns a BMP file that consists only of its header. The header declares `width` × `height` pixels, but there are no
/// pixels.
fn bmp(width: i32, height: i32) -> Vec<u8> {
    let mut bytes = b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend(b"\x01\0\x18\0\0\0\0\0\0\0\0\0\x13\x0b\0\0\x13\x0b\0\0\0\0\0\0\0\0\0\0");
    bytes
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend(b"\xf0\0\0\0\0\0\xff\xff\xff,\0\0\0\0");
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend(b"\0\x02\x02D\x01\0;");
    bytes
}

/// Returns a grey PNG of `width` × `height` pixels. All pixels are zero, so that the file is as small as possible.
fn png(width: u32, height: u32) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        !bytes.iter().fold(!0_u32, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 })
        })
    };
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let named = [kind.as_slice(), data].concat();
        [&(data.len() as u32).to_be_bytes()[..], &named, &crc(&named).to_be_bytes()].concat()
    };
    // The deflated data is copied from a zip archive of the document builder.
    let rows = vec![0_u8; (width as usize / 8 + 2) * height as usize];
    let zip = waraq_docx::build::zip_archive([("z", rows.as_slice())]);
    let size = u32::from_le_bytes([zip[18], zip[19], zip[20], zip[21]]) as usize;
    let deflated = if size > 0 { &zip[31..31 + size] } else { &[] };
    let adler = (rows.len() as u64 % 65_521) as u32 * 65_536 + 1;
    let data = [b"\x78\x9c".as_slice(), deflated, &adler.to_be_bytes()].concat();
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[1, 0, 0, 0, 0]].concat();
    [b"\x89PNG\r\n\x1a\n".as_slice(), &chunk(b"IHDR", &head), &chunk(b"IDAT", &data), &chunk(b"IEND", b"")].concat()
}

fn svg(content: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"40\" height=\"20\">{content}</svg>").into_bytes()
}

pub const BOMBS: &[Bomb] = &[
    ("floats-of-one-paragraph", 3_000, |n| {
        document(&format!("<w:p>{}</w:p>", many(n, |i| anchored(&shape("<w:p/>"), SQUARE, i))))
    }),
    ("floats", 2_000, |n| {
        document(&many(n, |i| format!("<w:p>{}{}</w:p>", anchored(&shape("<w:p/>"), SQUARE, i % 50), run("beside it"))))
    }),
    ("floats-above-and-below", 2_000, |n| {
        document(&many(n, |i| {
            format!("<w:p>{}{}</w:p>", anchored(&shape("<w:p/>"), "wrapTopAndBottom", i % 50), run("beside it"))
        }))
    }),
    ("nested-text-boxes", 20, |n| {
        let mut inside = paragraph("deep");
        for _ in 0..n {
            inside = format!("<w:p>{}</w:p>", inline(&shape(&inside)));
        }
        document(&inside)
    }),
    ("nested-text-boxes-twice", 0, |_| {
        let mut inside = paragraph("deep");
        for _ in 0..8 {
            inside = format!("<w:p>{0}{0}</w:p>", anchored(&shape(&inside), SQUARE, 1));
        }
        document(&inside)
    }),
    ("long-text-box", 10_000, |n| {
        document(&format!("<w:p>{}</w:p>", inline(&shape(&many(n, |i| paragraph(&letters(5, i)))))))
    }),
    ("groups", 20, |n| {
        let group = nested(n, "<wpg:grpSp><wpg:grpSpPr/>", &shape("<w:p/>"), "</wpg:grpSp>");
        let wgp = format!(
            "<wpg:wgp xmlns:wpg=\"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup\"><wpg:grpSpPr/>{group}</wpg:wgp>"
        );
        document(&format!("<w:p>{}</w:p>", inline(&wgp)))
    }),
    ("guides", 2_000, |n| {
        let guides = many(n, |i| format!("<a:gd name=\"g{}\" fmla=\"+- g{i} g{i} 0\"/>", i + 1));
        let points = many(n, |i| format!("<a:lnTo><a:pt x=\"g{i}\" y=\"{i}\"/></a:lnTo>"));
        let shape = format!(
            "<wps:wsp><wps:spPr><a:custGeom><a:gdLst><a:gd name=\"g0\" fmla=\"val 1\"/>{guides}</a:gdLst><a:pathLst><a:path w=\"100\" h=\"100\"><a:moveTo><a:pt x=\"0\" y=\"0\"/></a:moveTo>{points}</a:path></a:pathLst></a:custGeom><a:ln w=\"1\"/></wps:spPr><wps:bodyPr/></wps:wsp>"
        );
        document(&format!("<w:p>{}</w:p>", inline(&shape)))
    }),
    ("vml-formulas", 2_000, |n| {
        let formulas = many(n, |i| format!("<v:f eqn=\"sum @{} @{} 0\"/>", i.saturating_sub(1), i.saturating_sub(1)));
        document(&format!(
            "<w:p><w:r><w:pict xmlns:v=\"urn:schemas-microsoft-com:vml\"><v:shape style=\"width:50pt;height:50pt\" coordsize=\"100,100\" path=\"m0,0{}xe\"><v:formulas>{formulas}</v:formulas></v:shape></w:pict></w:r></w:p>",
            many(n, |i| format!("l@{i},{i}"))
        ))
    }),
    ("one-picture-drawn-again", 3_000, |n| {
        with_picture(&format!("<w:p>{}</w:p>", inline(PICTURE).repeat(n)), png(2_000, 2_000))
    }),
    // The second document has twice as many drawings, but each drawing has the same number of shapes.
    ("one-svg-drawn-again", 500, |n| {
        with_picture(
            &format!("<w:p>{}</w:p>", inline(PICTURE).repeat(n)),
            svg(&many(1_000, |i| format!("<rect x=\"{i}\" width=\"3\" height=\"3\"/>"))),
        )
    }),
    ("png-within-the-limit", 0, |_| one_picture(png(29_000, 2_700))),
    ("png-past-the-limit", 0, |_| one_picture(png(29_000, 29_000))),
    ("bmp-of-nothing", 0, |_| one_picture(bmp(20_000, 3_900))),
    ("bmp-of-minus", 0, |_| one_picture(bmp(i32::MAX, i32::MIN))),
    ("gif-of-nothing", 0, |_| one_picture(gif(20_000, 3_900))),
    ("svg-uses", 12, |n| {
        let use_twice =
            |i: usize| format!("<g id=\"g{}\"><use xlink:href=\"#g{i}\"/><use xlink:href=\"#g{i}\"/></g>", i + 1);
        one_picture(svg(&format!(
            "<defs><g id=\"g0\"><rect width=\"1\" height=\"1\"/></g>{}</defs><use xlink:href=\"#g{n}\"/>",
            many(n, use_twice)
        )))
    }),
    ("svg-entities", 0, |_| {
        let entity = |i: usize| format!("<!ENTITY e{} \"{}\">", i + 1, format!("&e{i};").repeat(10));
        let text = format!(
            "<!DOCTYPE svg [<!ENTITY e0 \"<rect width='1' height='1'/>\">{}]><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">&e9;</svg>",
            many(9, entity)
        );
        one_picture(text.into_bytes())
    }),
    ("svg-open-tags", 200_000, |n| one_picture(svg(&"<a ".repeat(n)))),
    ("svg-shapes", 20_000, |n| {
        one_picture(svg(&many(n, |i| format!("<path d=\"M{i} 0 L1 1\" stroke=\"red\" stroke-dasharray=\"0.001\"/>"))))
    }),
    ("svg-styles", 1_000, |n| {
        let rules = many(n, |i| format!(".c{i} rect{{fill:red}}"));
        one_picture(svg(&format!(
            "<style>{rules}</style>{}",
            many(n, |i| format!("<g class=\"c{i}\"><rect width=\"1\" height=\"1\"/></g>"))
        )))
    }),
    ("svg-dashes", 0, |_| {
        one_picture(svg(
            "<path d=\"M0 0 L1000000000 1000000000\" stroke=\"red\" stroke-width=\"0.0001\" stroke-dasharray=\"0.0001\"/>",
        ))
    }),
];
