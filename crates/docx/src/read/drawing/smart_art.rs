//! SmartArt by the drawing it was last shown as, and the text of DrawingML shapes (§21.1.2).

use std::sync::Arc;
use waraq_rules::FindingCode;

use super::super::color::color_in;
use super::super::run_format::{RunCascade, RunFormat, Toggles};
use super::super::story::Story;
use super::super::values::{emu, integer, on_off};
use super::super::xml::Ns;
use super::super::xml::{Element, Tree};
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// `dgm:relIds`: the diagram's data names the drawing made of it.
    pub(super) fn smart_art(&mut self, element: Element<'t>, width: f32, height: f32) -> Graphic {
        let data = element.r("dm");
        let size = data.and_then(|id| self.shared.package.part(self.target(id)?)).map_or(0, <[u8]>::len);
        let part = data.filter(|_| self.gathered.may_repeat(size)).and_then(|id| self.diagram_drawing(id));
        let shared = self.shared;
        let drawing = part.and_then(|part| {
            let bytes = shared.package.part(&part).filter(|bytes| self.gathered.may_repeat(bytes.len()))?;
            let tree = Tree::parse(&part, bytes, shared.package.meter()).ok()?;
            let shapes = tree.root()?.local("spTree")?;
            let mut story = Story::new(shared, self.gathered, &part);
            story.nesting = self.nesting;
            Some(story.group(shapes, width, height))
        });
        match drawing {
            Some(Graphic::Group(group)) if !group.children.is_empty() => Graphic::Group(group),
            _ => self.unsupported(FindingCode::SmartArtNotDrawn, "SmartArt"),
        }
    }

    fn diagram_drawing(&self, data: &str) -> Option<String> {
        let part = self.target(data)?;
        let tree = Tree::parse(part, self.shared.package.part(part)?, self.shared.package.meter()).ok()?;
        let named = tree.root()?.descendant(Ns::DiagramDrawing, "dataModelExt").and_then(|named| named.plain("relId"));
        let drawing = named.and_then(|id| self.target(id));
        let any = || {
            let drawings = self.relationships.values().filter(|relationship| relationship.kind == "diagramDrawing");
            // Only where there is no choice to get wrong.
            let mut drawings = drawings.map(|relationship| relationship.target.as_str());
            drawings.next().filter(|_| drawings.next().is_none())
        };
        drawing.or_else(any).map(str::to_owned)
    }

    /// The paragraphs of an `a:txBody`.
    pub(super) fn drawing_text(&mut self, body: Element<'t>, style: Option<Element<'t>>) -> Vec<Block> {
        let theme = &self.shared.theme;
        let font = style.and_then(|style| style.local("fontRef"));
        let color = font.and_then(|font| color_in(font, theme, None)).map(|(color, _)| color);
        let family = theme.font("minorHAnsi", &self.shared.settings.theme_languages);
        let paragraphs = body.all(Ns::A, "p").map(|paragraph| {
            let properties = paragraph.child(Ns::A, "pPr");
            let mut inlines = Vec::new();
            for child in paragraph.children().filter(|child| child.ns() == Ns::A) {
                let run = Arc::new(self.drawing_run(child.child(Ns::A, "rPr"), color, family.clone()));
                let content = match child.name() {
                    "r" | "fld" => Content::Text(
                        child.child(Ns::A, "t").map(Element::text).unwrap_or("").replace(['\t', '\n'], " "),
                    ),
                    "br" => Content::Break(Break::Line),
                    _ => continue,
                };
                inlines.push(Inline { content, run, link: None });
            }
            let mark = self.drawing_run(paragraph.child(Ns::A, "endParaRPr"), color, family.clone());
            let mark = Arc::new(inlines.first().map_or(mark, |inline| (*inline.run).clone()));
            Block::Paragraph(Paragraph {
                properties: Arc::new(paragraph_properties(properties)),
                mark,
                label: None,
                inlines,
                location: self.location(),
            })
        });
        paragraphs.collect()
    }

    fn drawing_run(&self, element: Option<Element<'t>>, color: Option<Rgb>, family: Option<Arc<str>>) -> RunProperties {
        let attribute = |name| element.and_then(|element| element.plain(name));
        let size = attribute("sz").and_then(integer).map_or(18.0, |size| (size as f32 / 100.0).clamp(1.0, 400.0));
        let own = element.and_then(|element| color_in(element.local("solidFill")?, &self.shared.theme, None));
        let named = element.and_then(|element| element.local("latin")).and_then(|latin| latin.plain("typeface"));
        let family = named.filter(|name| !name.starts_with('+')).map(Arc::from).or(family);
        let mut on = 0;
        for (name, bits) in [("b", 0b11), ("i", 0b1100)] {
            if attribute(name).is_some_and(|value| on_off(Some(value))) {
                on |= bits;
            }
        }
        let format = RunFormat {
            size: Some(size),
            size_complex: Some(size),
            color: own.map(|(color, _)| color).or(color).map(Some),
            ascii: family.clone(),
            high_ansi: family.clone(),
            complex: family,
            toggles: Toggles { given: on, on },
            ..RunFormat::default()
        };
        RunCascade::default().resolve(&format, None)
    }
}

fn paragraph_properties(element: Option<Element<'_>>) -> ParagraphProperties {
    let attribute = |name| element.and_then(|element| element.plain(name));
    let right_to_left = attribute("rtl").is_some_and(|value| on_off(Some(value)));
    // Left and right are sides here, whatever the direction.
    let alignment = match attribute("algn") {
        Some("ctr") => Alignment::Center,
        Some("r") if right_to_left => Alignment::Start,
        Some("r") => Alignment::End,
        Some("l") if right_to_left => Alignment::End,
        Some("just") => Alignment::Both,
        _ => Alignment::Start,
    };
    let start = attribute("marL").and_then(emu).unwrap_or(0.0);
    let first_line = attribute("indent").and_then(emu).unwrap_or(0.0);
    let indent = Indent { start, end: 0.0, first_line };
    let directions_from_letters = true;
    ParagraphProperties {
        bidi: right_to_left,
        directions_from_letters,
        alignment,
        indent,
        ..ParagraphProperties::default()
    }
}
