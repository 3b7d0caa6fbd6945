//! The markup of a picture in text (wp:inline, §20.4.2.8).

use quick_xml::escape::escape;

use super::ShownPicture;

/// The number of English Metric Units (EMU) in a point.
const EMU_PER_POINT: f32 = 12_700.0;

/// The namespaces of one part. Strict documents have other URIs than Transitional ones (ISO/IEC 29500-1, annex A).
#[derive(Debug, Clone, Copy)]
pub(super) struct Namespaces {
    pub wordprocessing: &'static str,
    pub drawing: &'static str,
    pub main: &'static str,
    pub picture: &'static str,
    pub relationships: &'static str,
    /// The type of the relationship to a picture.
    pub image_relationship: &'static str,
}

impl Namespaces {
    const TRANSITIONAL: Self = Self {
        wordprocessing: "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        drawing: "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        main: "http://schemas.openxmlformats.org/drawingml/2006/main",
        picture: "http://schemas.openxmlformats.org/drawingml/2006/picture",
        relationships: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        image_relationship: "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image",
    };
    const STRICT: Self = Self {
        wordprocessing: "http://purl.oclc.org/ooxml/wordprocessingml/main",
        drawing: "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
        main: "http://purl.oclc.org/ooxml/drawingml/main",
        picture: "http://purl.oclc.org/ooxml/drawingml/picture",
        relationships: "http://purl.oclc.org/ooxml/officeDocument/relationships",
        image_relationship: "http://purl.oclc.org/ooxml/officeDocument/relationships/image",
    };

    /// Returns the namespaces of a part with this text.
    pub(super) fn of_part(source: &str) -> Self {
        if source.contains(Self::STRICT.wordprocessing) { Self::STRICT } else { Self::TRANSITIONAL }
    }
}

/// Returns the size of a picture in text, in EMU. `available` is the available width in points. `None`: it is not known.
/// The picture keeps its aspect ratio and is never enlarged.
pub(super) fn inline_size(picture: &ShownPicture, available: Option<f32>) -> (u64, u64) {
    let (width, height) = picture.natural;
    let (max_width, max_height) = picture.maximum;
    let max_width = available.map_or(max_width, |available| available.min(max_width));
    let scale = (max_width / width).min(max_height / height).min(1.0);
    // At least one EMU: a size of 0 would hide the picture.
    (((width * scale * EMU_PER_POINT).round() as u64).max(1), ((height * scale * EMU_PER_POINT).round() as u64).max(1))
}

/// Returns the `w:drawing` with a picture. It declares its own namespaces, so that it can be in any part.
///
/// `name` is the name of the field. `relationship` is the id of the relationship to the file. `id` is the number of the
/// drawing, which no other drawing of the document has. `size` is the width and height in EMU.
pub(super) fn inline_markup(
    namespaces: &Namespaces,
    picture: &ShownPicture,
    name: &str,
    relationship: &str,
    id: u32,
    (width, height): (u64, u64),
) -> String {
    let Namespaces { wordprocessing, drawing, main, picture: pic, relationships, .. } = namespaces;
    let description = escape(&*picture.description).replace('\n', "&#10;").replace('\t', "&#9;");
    let name = escape(name);
    format!(
        "<w:drawing xmlns:w=\"{wordprocessing}\"><wp:inline xmlns:wp=\"{drawing}\" distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\">\
         <wp:extent cx=\"{width}\" cy=\"{height}\"/><wp:effectExtent l=\"0\" t=\"0\" r=\"0\" b=\"0\"/>\
         <wp:docPr id=\"{id}\" name=\"{name}\" descr=\"{description}\"/><wp:cNvGraphicFramePr>\
         <a:graphicFrameLocks xmlns:a=\"{main}\" noChangeAspect=\"1\"/></wp:cNvGraphicFramePr>\
         <a:graphic xmlns:a=\"{main}\"><a:graphicData uri=\"{pic}\"><pic:pic xmlns:pic=\"{pic}\"><pic:nvPicPr>\
         <pic:cNvPr id=\"{id}\" name=\"{name}\" descr=\"{description}\"/><pic:cNvPicPr/></pic:nvPicPr>\
         <pic:blipFill><a:blip xmlns:r=\"{relationships}\" r:embed=\"{relationship}\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
         <pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm>\
         <a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
}
