//! SmartArt, shown as its saved drawing or as a list of its texts; and the text of DrawingML shapes (§21.1.2).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use waraq_rules::FindingCode;

use super::super::color::color_in;
use super::super::story::Story;
use super::super::values::{emu, given, integer};
use super::super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// Reads a `dgm:relIds`. The data part of the diagram refers to its saved drawing.
    pub(super) fn smart_art(&mut self, element: Element<'t>, width: f32, height: f32) -> Graphic {
        let data = element.r("dm");
        let size = data.and_then(|id| self.shared.package.part(self.target(id)?)).map_or(0, <[u8]>::len);
        let part = data.filter(|_| self.gathered.may_repeat(size)).and_then(|id| self.diagram_drawing(id));
        let shared = self.shared;
        let drawing = part.and_then(|part| {
            let tree = self.repeated_tree(&part)?;
            let shapes = tree.root()?.local("spTree")?;
            let mut story = Story::new(shared, self.gathered, &part);
            story.nesting = self.nesting;
            Some(story.group(shapes, width, height, None))
        });
        match drawing {
            Some(Graphic::Group(group)) if !group.children.is_empty() => Graphic::Group(group),
            _ => self.smart_art_texts(data, height),
        }
    }

    /// Returns the texts of a diagram as a list in a box. Diagrams without a saved drawing are shown like this, because
    /// diagram layouts are not supported.
    fn smart_art_texts(&mut self, data: Option<&str>, height: f32) -> Graphic {
        let shared = self.shared;
        let part = data.and_then(|id| self.target(id)).map(str::to_owned);
        let blocks = part.and_then(|part| {
            let tree = self.repeated_tree(&part)?;
            let mut story = Story::new(shared, self.gathered, &part);
            Some(story.diagram_texts(tree.root()?, height))
        });
        let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty()) else {
            return self.unsupported(FindingCode::SmartArtNotDrawn, "SmartArt");
        };
        self.warn(FindingCode::SmartArtNotDrawn, "SmartArt: shown as a list of its texts");
        let grey = Rgb(0x80, 0x80, 0x80);
        let stroke = Stroke { color: grey, width: 0.5, dash: Dash::Dash, start: None, end: None };
        Graphic::Shape(Box::new(Shape {
            stroke: Some(stroke),
            text: Some(TextBox { blocks, insets: [7.2, 3.6, 7.2, 3.6], ..TextBox::default() }),
            ..Shape::default()
        }))
    }

    /// Returns the texts of the diagram's points (§21.4.3.1 dgm:dataModel) as an indented list, parents before
    /// children. The font size is chosen to fit the height.
    fn diagram_texts(&mut self, model: Element<'t>, height: f32) -> Vec<Block> {
        let list = |name| model.child(Ns::Diagram, name).into_iter().flat_map(Element::children);
        let mut points: HashMap<&str, Element<'t>> = HashMap::new();
        let mut waiting = Vec::new();
        for point in list("ptLst") {
            let Some(id) = point.plain("modelId") else { continue };
            if point.plain("type") == Some("doc") {
                waiting.push((id, 0_u8));
            }
            points.insert(id, point);
        }
        // Connections of the default kind "parOf" connect parents and children.
        let mut parts: HashMap<&str, BTreeMap<(i64, usize), &str>> = HashMap::new();
        for (index, connection) in list("cxnLst").enumerate() {
            let ends = (connection.plain("srcId"), connection.plain("destId"));
            if let ((Some(of), Some(part)), None | Some("parOf")) = (ends, connection.plain("type")) {
                let place = connection.plain("srcOrd").and_then(integer).unwrap_or(0);
                parts.entry(of).or_default().insert((place, index), part);
            }
        }
        let mut found = Vec::new();
        while let Some((id, level)) = waiting.pop() {
            // Points are removed when visited, so that cyclic connections end.
            let Some(point) = points.remove(id) else { continue };
            let texts = matches!(point.plain("type"), None | Some("node" | "asst"));
            let placeholder = point.child(Ns::Diagram, "prSet").and_then(|set| set.plain("phldr"));
            let written = texts && given(placeholder) != Some(true);
            if let Some(text) = point.child(Ns::Diagram, "t").filter(|_| written) {
                found.push((text, level.saturating_sub(1)));
            }
            let below = parts.get(id).into_iter().flat_map(|parts| parts.values().rev());
            waiting.extend(below.map(|part| (*part, level.saturating_add(1))));
        }
        let mut blocks = Vec::new();
        for (text, level) in found {
            for block in self.drawing_text(text, None) {
                let Block::Paragraph(mut paragraph) = block else { continue };
                if paragraph.inlines.is_empty() {
                    continue;
                }
                let indent = Indent { start: 12.0 * f32::from(level.min(8)), ..Indent::default() };
                paragraph.properties = Arc::new(ParagraphProperties { indent, ..(*paragraph.properties).clone() });
                blocks.push(paragraph);
            }
        }
        let most = ((height - 7.2) / (1.3 * blocks.len().max(1) as f32)).clamp(6.0, 18.0);
        let smaller = |run: &Arc<RunProperties>| {
            let size = run.size.min(most);
            Arc::new(RunProperties { size, size_complex: size, ..(**run).clone() })
        };
        for paragraph in &mut blocks {
            paragraph.mark = smaller(&paragraph.mark);
            paragraph.inlines.iter_mut().for_each(|inline| inline.run = smaller(&inline.run));
        }
        blocks.into_iter().map(Block::Paragraph).collect()
    }

    fn diagram_drawing(&self, data: &str) -> Option<String> {
        let part = self.target(data)?;
        let tree = self.shared.package.tree(part).ok()??;
        let named = tree.root()?.descendant(Ns::DiagramDrawing, "dataModelExt").and_then(|named| named.plain("relId"));
        let drawing = named.and_then(|id| self.target(id));
        let any = || {
            let drawings = self.relationships.values().filter(|relationship| relationship.kind == "diagramDrawing");
            // Use another drawing only if it is the only one.
            let mut drawings = drawings.map(|relationship| relationship.target.as_str());
            drawings.next().filter(|_| drawings.next().is_none())
        };
        drawing.or_else(any).map(str::to_owned)
    }

    /// Reads the paragraphs of an `a:txBody`.
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
                inlines,
                location: self.location(),
                ..Paragraph::default()
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
        let (bold, italic) = (given(attribute("b")) == Some(true), given(attribute("i")) == Some(true));
        RunProperties {
            fonts: Fonts { ascii: family.clone(), high_ansi: family.clone(), complex: family, ..Fonts::default() },
            size,
            size_complex: size,
            bold,
            bold_complex: bold,
            italic,
            italic_complex: italic,
            color: own.map(|(color, _)| color).or(color),
            ..RunProperties::default()
        }
    }
}

fn paragraph_properties(element: Option<Element<'_>>) -> ParagraphProperties {
    let attribute = |name| element.and_then(|element| element.plain(name));
    let right_to_left = given(attribute("rtl")) == Some(true);
    // In DrawingML, left and right do not depend on the direction of the text.
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
    ParagraphProperties {
        bidi: right_to_left,
        directions_from_letters: true,
        alignment,
        indent,
        ..ParagraphProperties::default()
    }
}
