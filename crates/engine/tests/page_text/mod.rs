//! Helpers for tests of fields: builders for WordprocessingML, and the text of laid-out pages.
#![allow(dead_code)]

use waraq_docx::build::{DocumentBuilder, run};
use waraq_engine::{FillOptions, LayoutOptions, Pages, Values};
use waraq_layout::{DisplayItem, TaggedItem};

/// The styles of the test documents: headings, a style with aliases, and character styles.
pub const STYLES: &str = r#"<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Arial"/><w:sz w:val="22"/><w:szCs w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:link w:val="Heading1Char"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="Chapter Name"/><w:aliases w:val="Kapitel,Chapitre"/><w:basedOn w:val="Normal"/></w:style>
<w:style w:type="character" w:styleId="Heading1Char"><w:name w:val="Heading 1 Char"/></w:style>
<w:style w:type="character" w:styleId="Entry"><w:name w:val="Entry Word"/></w:style>"#;

/// Returns a complex field with a saved result.
pub fn field(code: &str, result: &str) -> String {
    marked_field("", code, &run(result))
}

/// Returns a complex field. `attributes` are those of its first `w:fldChar`, and `result` is WordprocessingML.
pub fn marked_field(attributes: &str, code: &str, result: &str) -> String {
    format!(
        "<w:r><w:fldChar w:fldCharType=\"begin\"{attributes}/></w:r>\
         <w:r><w:instrText xml:space=\"preserve\"> {} </w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{result}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
        code.replace('&', "&amp;").replace('"', "&quot;")
    )
}

/// Returns a paragraph with a style and this content.
pub fn styled(style: &str, content: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{content}</w:p>")
}

/// Returns a paragraph with this content.
pub fn plain(content: &str) -> String {
    format!("<w:p>{content}</w:p>")
}

/// Returns a paragraph with a page break, followed by text.
pub fn page_break(text: &str) -> String {
    format!("<w:p><w:r><w:br w:type=\"page\"/></w:r>{}</w:p>", run(text))
}

/// A document with styles, and optionally a header and a footer.
pub struct Template {
    pub body: String,
    pub header: String,
    pub footer: String,
    pub styles: String,
    pub settings: String,
    pub numbering: String,
}

impl Template {
    pub fn new(body: impl Into<String>) -> Self {
        let empty = String::new;
        Self {
            body: body.into(),
            header: empty(),
            footer: empty(),
            styles: STYLES.to_owned(),
            settings: empty(),
            numbering: empty(),
        }
    }

    pub fn with_header(self, header: impl Into<String>) -> Self {
        Self { header: header.into(), ..self }
    }

    pub fn with_footer(self, footer: impl Into<String>) -> Self {
        Self { footer: footer.into(), ..self }
    }

    pub fn with_settings(self, settings: &str) -> Self {
        Self { settings: settings.to_owned(), ..self }
    }

    pub fn with_styles(self, styles: &str) -> Self {
        Self { styles: format!("{STYLES}{styles}"), ..self }
    }

    pub fn with_numbering(self, numbering: &str) -> Self {
        Self { numbering: numbering.to_owned(), ..self }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut builder = DocumentBuilder::new("");
        let mut references = String::new();
        for (kind, root, content) in [("header", "hdr", &self.header), ("footer", "ftr", &self.footer)] {
            if !content.is_empty() {
                let id = builder.add_related_part(kind, root, &format!("{kind}1.xml"), content);
                references.push_str(&format!("<w:{kind}Reference w:type=\"default\" r:id=\"{id}\"/>"));
            }
        }
        builder.add_related_part("styles", "styles", "styles.xml", &self.styles);
        if !self.settings.is_empty() {
            builder.add_related_part("settings", "settings", "settings.xml", &self.settings);
        }
        if !self.numbering.is_empty() {
            builder.add_related_part("numbering", "numbering", "numbering.xml", &self.numbering);
        }
        let section = format!(
            "<w:sectPr>{references}<w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1134\" w:right=\"1134\" \
             w:bottom=\"1134\" w:left=\"1134\" w:header=\"567\" w:footer=\"567\" w:gutter=\"0\"/></w:sectPr>"
        );
        let content = format!("{}{section}", self.body);
        let main = DocumentBuilder::new(&content).parts().into_iter().find(|(name, _)| name == "word/document.xml");
        builder.with_part("word/document.xml", main.unwrap().1).to_bytes()
    }

    /// Fills the template and lays out the result.
    pub fn pages(&self, values: &[(&str, &str)]) -> Pages {
        let template = waraq_engine::open(&self.to_bytes()).unwrap();
        let values = Values::from_pairs(values.iter().copied()).unwrap();
        let filled = waraq_engine::fill(&template, &values, FillOptions::default()).unwrap();
        waraq_engine::lay_out(&filled, &LayoutOptions::default()).unwrap()
    }

    /// Returns the lines of each page of the filled template, from top to bottom.
    pub fn lines(&self, values: &[(&str, &str)]) -> Vec<Vec<String>> {
        page_lines(&self.pages(values))
    }
}

/// Returns the lines of each page, from top to bottom. The parts of a line are in the order of their x coordinates.
pub fn page_lines(pages: &Pages) -> Vec<Vec<String>> {
    pages.pages.iter().map(|page| lines_of(&page.items)).collect()
}

fn lines_of(items: &[TaggedItem]) -> Vec<String> {
    let mut parts: Vec<(i64, f32, String)> = Vec::new();
    collect(items, &mut parts);
    parts.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let lines = parts.chunk_by(|a, b| a.0 == b.0);
    lines.map(|line| line.iter().map(|(_, _, text)| text.as_str()).collect::<String>().trim().to_owned()).collect()
}

fn collect(items: &[TaggedItem], parts: &mut Vec<(i64, f32, String)>) {
    for placed in items {
        match &placed.item {
            DisplayItem::Glyphs(run) => parts.push(((run.y * 2.0).round() as i64, run.x, run.text.to_string())),
            DisplayItem::Group { items, .. } => collect(items, parts),
            DisplayItem::Repeated { items, .. } => collect(items, parts),
            _ => {}
        }
    }
}
