//! Fuzz target for pictures of every format: inline, and anchored with crop and rotation.

use waraq_docx::build::paragraph;
use waraq_engine::LayoutOptions;

use crate::documents::{complete_document, part};
use crate::{checks, memory};

/// Memory limit in megabytes: a picture may have eighty million pixels, and the decoder needs memory as well.
const MEGABYTES: usize = 640;

/// Lays out a picture. Its format is detected from its bytes.
pub fn pictures(data: &[u8]) {
    let graphic = "<a:graphic><a:graphicData uri=\"x\"><pic:pic><pic:blipFill><a:blip r:embed=\"rId11\"/><a:srcRect l=\"10000\" b=\"25000\"/></pic:blipFill>\
        <pic:spPr><a:xfrm rot=\"2700000\"/></pic:spPr></pic:pic></a:graphicData></a:graphic>";
    let plain = graphic.replace("<a:srcRect l=\"10000\" b=\"25000\"/>", "").replace(" rot=\"2700000\"", "");
    let run = |inner: &str| format!("<w:r><w:drawing>{inner}</w:drawing></w:r>");
    let inline = run(&format!("<wp:inline><wp:extent cx=\"1270000\" cy=\"635000\"/>{plain}</wp:inline>"));
    let anchored = run(&format!(
        "<wp:anchor behindDoc=\"0\" relativeHeight=\"1\"><wp:positionH relativeFrom=\"page\"><wp:align>center</wp:align></wp:positionH>\
         <wp:positionV relativeFrom=\"paragraph\"><wp:posOffset>12700</wp:posOffset></wp:positionV><wp:extent cx=\"635000\" cy=\"635000\"/><wp:wrapSquare wrapText=\"bothSides\"/>{graphic}</wp:anchor>"
    ));
    let main = part("w:document", &format!("<w:body><w:p>{inline}{anchored}</w:p>{}</w:body>", paragraph("below")));
    let package = complete_document()
        .with_budget(&waraq_engine::Budget::default())
        .with_part("word/document.xml", main)
        .with_part("word/media/image1.png", data.to_vec());
    memory::with_limit(MEGABYTES, || {
        if let Some(pages) = checks::lay_out(&package, data, &LayoutOptions::default())
            && let Err(error) = waraq_engine::first_page_picture(&pages)
        {
            checks::assert_has_message(&error);
        }
    });
}
