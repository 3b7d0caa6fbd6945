//! SmartArt, shown as its saved drawing or as a list of its texts; and the text of DrawingML shapes (§21.1.2).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::super::color::color_in;
use super::super::part_reader::PartReader;
use super::super::values::{emu, integer, on_off_if_present};
use super::super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> PartReader<'t, '_> {
    /// Reads a diagram (`dgm:relIds`). `width` and `height` are the size of its box in points. Returns the drawing that
    /// was saved with the diagram. Without a usable saved drawing, returns a list of the texts of the diagram.
    pub(super) fn read_smart_art(&mut self, element: Element<'t>, width: f32, height: f32) -> Graphic {
        let data = element.relationship_attribute("dm");
        let size =
            data.and_then(|id| self.shared.package.part_bytes(self.relationship_target(id)?)).map_or(0, <[u8]>::len);
        let part = data.filter(|_| self.state.charge_repeated_bytes(size)).and_then(|id| self.saved_drawing_part(id));
        let shared = self.shared;
        let drawing = part.and_then(|part| {
            let tree = self.parse_repeatable_part(&part)?;
            let shapes = tree.root()?.child_named("spTree")?;
            let mut story = PartReader::new(shared, self.state, &part);
            story.nesting = self.nesting;
            Some(story.read_group(shapes, width, height, None))
        });
        match drawing {
            Some(Graphic::Group(group)) if !group.children.is_empty() => Graphic::Group(group),
            _ => self.read_smart_art_texts(data, height),
        }
    }

    /// Returns the texts of a diagram as a list in a box. Diagrams without a saved drawing are shown like this, because
    /// diagram layouts are not supported.
    fn read_smart_art_texts(&mut self, data: Option<&str>, height: f32) -> Graphic {
        let shared = self.shared;
        let part = data.and_then(|id| self.relationship_target(id)).map(str::to_owned);
        let blocks = part.and_then(|part| {
            let tree = self.parse_repeatable_part(&part)?;
            let mut story = PartReader::new(shared, self.state, &part);
            Some(story.read_diagram_texts(tree.root()?, height))
        });
        let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty()) else {
            return self.unsupported(DiagnosticCode::SmartArtNotDrawn, "SmartArt");
        };
        self.warn(DiagnosticCode::SmartArtNotDrawn, "SmartArt: shown as a list of its texts");
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
    fn read_diagram_texts(&mut self, model: Element<'t>, height: f32) -> Vec<Block> {
        let list = |name| model.child(Ns::Diagram, name).into_iter().flat_map(Element::children);
        let mut points: HashMap<&str, Element<'t>> = HashMap::new();
        let mut pending = Vec::new();
        for point in list("ptLst") {
            let Some(id) = point.attr("modelId") else { continue };
            if point.attr("type") == Some("doc") {
                pending.push((id, 0_u8));
            }
            points.insert(id, point);
        }
        // Connections of the default kind "parOf" connect parents and children.
        let mut children: HashMap<&str, BTreeMap<(i64, usize), &str>> = HashMap::new();
        for (index, connection) in list("cxnLst").enumerate() {
            let ends = (connection.attr("srcId"), connection.attr("destId"));
            if let ((Some(of), Some(part)), None | Some("parOf")) = (ends, connection.attr("type")) {
                let place = connection.attr("srcOrd").and_then(integer).unwrap_or(0);
                children.entry(of).or_default().insert((place, index), part);
            }
        }
        let mut found = Vec::new();
        while let Some((id, level)) = pending.pop() {
            // Points are removed when visited. Otherwise cyclic connections would never end.
            let Some(point) = points.remove(id) else { continue };
            let texts = matches!(point.attr("type"), None | Some("node" | "asst"));
            let placeholder = point.child(Ns::Diagram, "prSet").and_then(|set| set.attr("phldr"));
            let written = texts && on_off_if_present(placeholder) != Some(true);
            if let Some(text) = point.child(Ns::Diagram, "t").filter(|_| written) {
                found.push((text, level.saturating_sub(1)));
            }
            let below = children.get(id).into_iter().flat_map(|parts| parts.values().rev());
            pending.extend(below.map(|part| (*part, level.saturating_add(1))));
        }
        let mut blocks = Vec::new();
        for (text, level) in found {
            for block in self.read_drawing_text(text, None) {
                let Block::Paragraph(mut paragraph) = block else { continue };
                if paragraph.inlines.is_empty() {
                    continue;
                }
                let indent = Indent { start: 12.0 * f32::from(level.min(8)), ..Indent::default() };
                paragraph.properties = Arc::new(ParagraphProperties { indent, ..(*paragraph.properties).clone() });
                blocks.push(paragraph);
            }
        }
        let max_size = ((height - 7.2) / (1.3 * blocks.len().max(1) as f32)).clamp(6.0, 18.0);
        let smaller = |run: &Arc<RunProperties>| {
            let size = run.size.min(max_size);
            Arc::new(RunProperties { size, size_complex: size, ..(**run).clone() })
        };
        for paragraph in &mut blocks {
            paragraph.mark = smaller(&paragraph.mark);
            paragraph.inlines.iter_mut().for_each(|inline| inline.run = smaller(&inline.run));
        }
        blocks.into_iter().map(Block::Paragraph).collect()
    }

    fn saved_drawing_part(&self, data: &str) -> Option<String> {
        let part = self.relationship_target(data)?;
        let tree = self.shared.package.parse_part(part).ok()??;
        let named = tree.root()?.descendant(Ns::DiagramDrawing, "dataModelExt").and_then(|named| named.attr("relId"));
        let drawing = named.and_then(|id| self.relationship_target(id));
        let any = || {
            let drawings = self.relationships.values().filter(|relationship| relationship.kind == "diagramDrawing");
            // Without a valid reference, use the saved drawing of the part if there is exactly one.
            let mut drawings = drawings.map(|relationship| relationship.target.as_str());
            drawings.next().filter(|_| drawings.next().is_none())
        };
        drawing.or_else(any).map(str::to_owned)
    }

    /// Reads the paragraphs of an `a:txBody`. `style` is the style element of the shape, which may specify the colour
    /// of the text.
    pub(super) fn read_drawing_text(&mut self, body: Element<'t>, style: Option<Element<'t>>) -> Vec<Block> {
        let theme = &self.shared.theme;
        let font = style.and_then(|style| style.child_named("fontRef"));
        let color = font.and_then(|font| color_in(font, theme, None)).map(|(color, _)| color);
        let family = theme.font("minorHAnsi", &self.shared.settings.theme_languages);
        let paragraphs = body.children_with_name(Ns::A, "p").map(|paragraph| {
            let properties = paragraph.child(Ns::A, "pPr");
            let mut inlines = Vec::new();
            for child in paragraph.children().filter(|child| child.ns() == Ns::A) {
                let run = Arc::new(self.read_drawing_run(child.child(Ns::A, "rPr"), color, family.clone()));
                let content = match child.name() {
                    "r" | "fld" => Content::Text(
                        child.child(Ns::A, "t").map(Element::text).unwrap_or("").replace(['\t', '\n'], " "),
                    ),
                    "br" => Content::Break(Break::Line),
                    _ => continue,
                };
                inlines.push(Inline { content, run, link: None });
            }
            let mark = self.read_drawing_run(paragraph.child(Ns::A, "endParaRPr"), color, family.clone());
            let mark = Arc::new(inlines.first().map_or(mark, |inline| (*inline.run).clone()));
            Block::Paragraph(Paragraph {
                properties: Arc::new(read_paragraph_properties(properties)),
                mark,
                inlines,
                location: self.location(),
                ..Paragraph::default()
            })
        });
        paragraphs.collect()
    }

    fn read_drawing_run(
        &self,
        element: Option<Element<'t>>,
        color: Option<Rgb>,
        family: Option<Arc<str>>,
    ) -> RunProperties {
        let attribute = |name| element.and_then(|element| element.attr(name));
        let size = attribute("sz").and_then(integer).map_or(18.0, |size| (size as f32 / 100.0).clamp(1.0, 400.0));
        let own = element.and_then(|element| color_in(element.child_named("solidFill")?, &self.shared.theme, None));
        let named = element.and_then(|element| element.child_named("latin")).and_then(|latin| latin.attr("typeface"));
        let family = named.filter(|name| !name.starts_with('+')).map(Arc::from).or(family);
        let (bold, italic) =
            (on_off_if_present(attribute("b")) == Some(true), on_off_if_present(attribute("i")) == Some(true));
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

fn read_paragraph_properties(element: Option<Element<'_>>) -> ParagraphProperties {
    let attribute = |name| element.and_then(|element| element.attr(name));
    let right_to_left = on_off_if_present(attribute("rtl")) == Some(true);
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
