//! Fuzz target for layout: documents of valid XML with unusual structure. The input's bytes select the elements and
//! their sizes.

use std::fmt::Write as _;

use waraq_docx::build::DocumentBuilder;
use waraq_engine::LayoutOptions;

use crate::bytes::Choices;
use crate::documents::{PIXEL, field, open_valid, part};
use crate::mutate::EXTREMES;
use crate::{checks, memory};

const MEGABYTES: usize = 256;
/// Maximum nesting of tables, text boxes and content controls.
const MAX_DEPTH: usize = 6;

/// Builds a document from the decisions, lays it out, and renders it as PDF and picture.
pub fn layout(data: &[u8]) {
    let mut writer = Writer { bytes: Choices::new(data), text: String::new(), depth: 0 };
    while !writer.bytes.is_empty() && writer.text.len() < 1 << 16 {
        writer.block();
    }
    writer.section();
    let body = std::mem::take(&mut writer.text);
    let package = open_valid(&package(&body));
    memory::with_limit(MEGABYTES, || {
        if let Some(pages) = checks::lay_out(&package, body.as_bytes(), &LayoutOptions::default())
            && let Err(error) = waraq_engine::first_page_picture(&pages)
        {
            checks::assert_has_message(&error);
        }
    });
}

fn package(body: &str) -> Vec<u8> {
    let text = "<w:p><w:r><w:t>of every page</w:t></w:r></w:p>";
    let mut document = DocumentBuilder::new("");
    document.add_related_part("header", "hdr", "header1.xml", text);
    document.add_related_part("footer", "ftr", "footer1.xml", &format!("<w:p>{}</w:p>", field("NUMPAGES", "1")));
    let notes: String =
        (1..4).map(|id| format!("<w:footnote w:id=\"{id}\">{}</w:footnote>", text.repeat(id * id))).collect();
    document.add_related_part("footnotes", "footnotes", "footnotes.xml", &notes);
    document.add_related_part("endnotes", "endnotes", "endnotes.xml", &notes.replace("footnote", "endnote"));
    document.add_relationship("image", "media/image1.png", false);
    document
        .with_part("word/document.xml", part("w:document", &format!("<w:body>{body}</w:body>")))
        .with_part("word/media/image1.png", PIXEL)
        .to_bytes()
}

struct Writer<'a> {
    bytes: Choices<'a>,
    text: String,
    depth: usize,
}

impl Writer<'_> {
    fn put(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// Returns a length in twentieths of a point, usually a common one.
    fn length(&mut self) -> &'static str {
        const LIKELY: [&str; 8] = ["0", "20", "120", "240", "720", "1440", "2880", "-240"];
        if self.bytes.once_in(4) { self.bytes.one_of(&EXTREMES) } else { self.bytes.one_of(&LIKELY) }
    }

    fn valued(&mut self, elements: &[(&str, &str, &[&str])]) {
        let (element, attribute, values) = elements[self.bytes.below(elements.len())];
        let value = if values.is_empty() { self.length() } else { self.bytes.one_of(values) };
        let _ = write!(self.text, "<w:{element} w:{attribute}=\"{value}\"/>");
    }

    fn block(&mut self) {
        match self.bytes.below(8) {
            6 if self.depth < MAX_DEPTH => self.table(),
            7 if self.depth == 0 => {
                self.put("<w:p><w:pPr>");
                self.section();
                self.put("</w:pPr></w:p>");
            }
            _ => self.paragraph(),
        }
    }

    fn paragraph(&mut self) {
        self.put("<w:p><w:pPr>");
        for _ in 0..self.bytes.below(4) {
            self.valued(&[
                ("spacing", "before", &[]),
                ("spacing", "after", &[]),
                ("spacing", "line", &[]),
                ("ind", "start", &[]),
                ("ind", "end", &[]),
                ("ind", "firstLine", &[]),
                ("ind", "hanging", &[]),
                ("jc", "val", &["both", "center", "end", "distribute", "mediumKashida"]),
                ("keepNext", "val", &["1"]),
                ("keepLines", "val", &["1"]),
                ("pageBreakBefore", "val", &["1"]),
                ("widowControl", "val", &["0"]),
                ("bidi", "val", &["1"]),
                ("contextualSpacing", "val", &["1"]),
                ("framePr", "dropCap", &["drop", "margin"]),
                ("framePr", "w", &[]),
                ("textDirection", "val", &["tbRl"]),
                ("outlineLvl", "val", &["0", "3", "9"]),
            ]);
        }
        if self.bytes.once_in(6) {
            let (at, kind) =
                (self.length(), self.bytes.one_of(&["left", "center", "right", "decimal", "bar", "clear"]));
            let _ = write!(self.text, "<w:tabs><w:tab w:val=\"{kind}\" w:pos=\"{at}\" w:leader=\"dot\"/></w:tabs>");
        }
        self.put("</w:pPr>");
        for _ in 0..self.bytes.below(5) {
            self.run();
        }
        self.put("</w:p>");
    }

    fn run(&mut self) {
        self.put("<w:r><w:rPr>");
        for _ in 0..self.bytes.below(3) {
            self.valued(&[
                ("sz", "val", &[]),
                ("szCs", "val", &[]),
                ("spacing", "val", &[]),
                ("w", "val", &[]),
                ("position", "val", &[]),
                ("kern", "val", &[]),
                ("b", "val", &["1"]),
                ("rtl", "val", &["1"]),
                ("smallCaps", "val", &["1"]),
                ("u", "val", &["double", "wave", "dotted", "words"]),
                ("vanish", "val", &["1"]),
                ("vertAlign", "val", &["superscript", "subscript"]),
                ("em", "val", &["dot"]),
            ]);
        }
        self.put("</w:rPr>");
        self.content();
        self.put("</w:r>");
    }

    fn content(&mut self) {
        const WORDS: [&str; 10] = [
            "word ",
            "two words ",
            "نص عربي ",
            "لا إله إلا الله ",
            "(12.5%) ",
            "a-b\u{ad}c ",
            "日本語 ",
            "e\u{301}\u{323} ",
            "\u{202e}x\u{202c} ",
            "unbreakable\u{a0}unbreakable\u{a0}unbreakable\u{a0}unbreakable\u{a0}unbreakable\u{a0}unbreakable",
        ];
        let id = self.bytes.below(5).to_string();
        match self.bytes.below(16) {
            8 => self.put("<w:tab/>"),
            9 => self.put("<w:br/>"),
            10 => self.put("<w:br w:type=\"page\"/>"),
            11 => self.put("<w:br w:type=\"column\"/>"),
            12 => self.put(&format!("<w:footnoteReference w:id=\"{id}\"/>")),
            13 => self.put(&format!("<w:endnoteReference w:id=\"{id}\"/>")),
            14 if self.depth < MAX_DEPTH => self.drawing(),
            15 => {
                let code = self.bytes.one_of(&[
                    "PAGE",
                    "NUMPAGES",
                    "SECTIONPAGES",
                    "SEQ a",
                    "REF b",
                    "DATE \\@ \"dddd\"",
                    "= 1",
                ]);
                let field = field(code, "result");
                self.put(&format!("</w:r>{field}<w:r>"));
            }
            _ => {
                let word = self.bytes.one_of(&WORDS).repeat([1, 1, 3, 30][self.bytes.below(4)]);
                self.put(&format!("<w:t xml:space=\"preserve\">{word}</w:t>"));
            }
        }
    }

    fn drawing(&mut self) {
        let (x, y, cx, cy) = (self.emu(), self.emu(), self.emu(), self.emu());
        let from = self.bytes.one_of(&["page", "margin", "column", "paragraph", "line", "character"]);
        let wrap = self.bytes.one_of(&[
            "wrapNone",
            "wrapSquare wrapText=\"bothSides\"",
            "wrapSquare wrapText=\"largest\"",
            "wrapTopAndBottom",
            "wrapTight wrapText=\"left\"",
        ]);
        let behind = self.bytes.below(2);
        let anchored = self.bytes.below(3) > 0;
        let extent = format!("<wp:extent cx=\"{cx}\" cy=\"{cy}\"/>");
        self.put("<w:drawing>");
        if anchored {
            self.put(&format!(
                "<wp:anchor behindDoc=\"{behind}\" relativeHeight=\"1\" distL=\"{x}\"><wp:positionH relativeFrom=\"{from}\"><wp:posOffset>{x}</wp:posOffset></wp:positionH>\
                 <wp:positionV relativeFrom=\"{from}\"><wp:posOffset>{y}</wp:posOffset></wp:positionV>{extent}<wp:{wrap}/>"
            ));
        } else {
            self.put(&format!("<wp:inline>{extent}"));
        }
        self.put("<a:graphic><a:graphicData>");
        if self.bytes.below(2) == 0 {
            self.put("<pic:pic><pic:blipFill><a:blip r:embed=\"rId5\"/></pic:blipFill><pic:spPr/></pic:pic>");
        } else {
            self.put("<wps:wsp><wps:spPr><a:prstGeom prst=\"roundRect\"/><a:ln w=\"12700\"/></wps:spPr><wps:txbx><w:txbxContent>");
            self.depth += 1;
            for _ in 0..self.bytes.below(3) {
                self.block();
            }
            self.depth -= 1;
            self.put("</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>");
        }
        self.put("</a:graphicData></a:graphic>");
        self.put(if anchored { "</wp:anchor></w:drawing>" } else { "</wp:inline></w:drawing>" });
    }

    /// Returns a length in EMU (12,700ths of a point), usually a common one.
    fn emu(&mut self) -> &'static str {
        const LIKELY: [&str; 6] = ["0", "127000", "635000", "1270000", "5080000", "-127000"];
        if self.bytes.once_in(5) { self.bytes.one_of(&EXTREMES) } else { self.bytes.one_of(&LIKELY) }
    }

    fn table(&mut self) {
        self.put("<w:tbl><w:tblPr>");
        for _ in 0..self.bytes.below(4) {
            self.valued(&[
                ("tblW", "w", &[]),
                ("tblLayout", "type", &["fixed"]),
                ("tblInd", "w", &[]),
                ("bidiVisual", "val", &["1"]),
                ("tblpPr", "tblpX", &[]),
                ("tblpPr", "vertAnchor", &["page", "margin", "text"]),
                ("tblCellSpacing", "w", &[]),
                ("jc", "val", &["center", "end"]),
            ]);
        }
        self.put("</w:tblPr><w:tblGrid>");
        for _ in 0..self.bytes.below(4) {
            let width = self.length();
            let _ = write!(self.text, "<w:gridCol w:w=\"{width}\"/>");
        }
        self.put("</w:tblGrid>");
        self.depth += 1;
        for _ in 0..=self.bytes.below(4) {
            self.row();
        }
        self.depth -= 1;
        self.put("</w:tbl>");
    }

    fn row(&mut self) {
        self.put("<w:tr><w:trPr>");
        for _ in 0..self.bytes.below(3) {
            self.valued(&[
                ("trHeight", "val", &[]),
                ("cantSplit", "val", &["1"]),
                ("tblHeader", "val", &["1"]),
                ("gridBefore", "val", &[]),
                ("gridAfter", "val", &[]),
            ]);
        }
        self.put("</w:trPr>");
        for _ in 0..=self.bytes.below(3) {
            self.put("<w:tc><w:tcPr>");
            for _ in 0..self.bytes.below(3) {
                self.valued(&[
                    ("tcW", "w", &[]),
                    ("gridSpan", "val", &[]),
                    ("vMerge", "val", &["restart", "continue"]),
                    ("vAlign", "val", &["center", "bottom"]),
                    ("textDirection", "val", &["btLr", "tbRl"]),
                    ("noWrap", "val", &["1"]),
                ]);
            }
            self.put("</w:tcPr>");
            for _ in 0..=self.bytes.below(2) {
                self.block();
            }
            self.put("</w:tc>");
        }
        self.put("</w:tr>");
    }

    fn section(&mut self) {
        self.put("<w:sectPr>");
        if self.bytes.below(2) == 1 {
            self.put("<w:headerReference w:type=\"default\" r:id=\"rId1\"/><w:footerReference w:type=\"default\" r:id=\"rId2\"/>");
        }
        for _ in 0..self.bytes.below(5) {
            self.valued(&[
                ("type", "val", &["continuous", "evenPage", "oddPage", "nextColumn"]),
                ("cols", "num", &[]),
                ("cols", "space", &[]),
                ("pgSz", "w", &[]),
                ("pgSz", "h", &[]),
                ("pgMar", "top", &[]),
                ("pgMar", "left", &[]),
                ("pgMar", "bottom", &[]),
                ("pgMar", "header", &[]),
                ("pgNumType", "start", &[]),
                ("pgNumType", "fmt", &["lowerRoman", "arabicAbjad", "cardinalText", "chicago"]),
                ("lnNumType", "countBy", &[]),
                ("vAlign", "val", &["center", "bottom", "both"]),
                ("titlePg", "val", &["1"]),
                ("docGrid", "linePitch", &[]),
                ("bidi", "val", &["1"]),
            ]);
        }
        self.put("</w:sectPr>");
    }
}
