//! The cascade (§17.7.2): document defaults, table style, numbering, paragraph style, character style, direct formatting.
//! Outcomes are kept by what they came from, since a document repeats itself.

use std::rc::Rc;
use std::sync::Arc;

use super::paragraph_format::ParagraphFormat;
use super::run_format::{RunCascade, RunFormat};
use super::story::Story;
use super::styles::StyleIndex;
use super::xml::{Element, Ns};
use crate::tree::*;

/// What a table gives the text of its cells.
#[derive(Debug)]
pub(crate) struct TableText {
    /// Never 0.
    pub id: usize,
    pub paragraph: ParagraphFormat,
    pub run: RunFormat,
}

/// What a paragraph inherits before its own formatting.
#[derive(Debug)]
pub(crate) struct ParagraphBase {
    pub id: usize,
    pub style_id: Option<Arc<str>>,
    pub style_name: Option<Arc<str>>,
    pub numbered: ParagraphFormat,
    pub plain: ParagraphFormat,
    pub run: RunCascade,
}

/// The outcome for one paragraph.
#[derive(Clone)]
pub(crate) struct ResolvedParagraph {
    pub base: Rc<ParagraphBase>,
    pub properties: Arc<ParagraphProperties>,
    pub mark: Arc<RunProperties>,
    /// w:numId, w:ilvl
    pub numbering: Option<(i64, u8)>,
}

impl<'t> Story<'t, '_> {
    /// What a paragraph of that style inherits here.
    pub(crate) fn base(&mut self, style: Option<&str>) -> Rc<ParagraphBase> {
        let index = self.shared.styles.paragraph_style(style);
        let table = self.table_text.clone();
        let key = (index, table.as_ref().map_or(0, |table| table.id));
        if let Some(base) = self.gathered.bases.get(&key) {
            return base.clone();
        }
        self.takes(20, size_of::<ParagraphBase>());
        let base = Rc::new(self.make_base(index, table.as_deref()));
        self.gathered.bases.insert(key, base.clone());
        base
    }

    /// What a paragraph without style inherits outside tables.
    pub(crate) fn default_base(&self) -> Rc<ParagraphBase> {
        let index = self.shared.styles.paragraph_style(None);
        let known = self.gathered.bases.get(&(index, 0));
        known.cloned().unwrap_or_else(|| Rc::new(self.make_base(index, None)))
    }

    fn make_base(&self, index: Option<StyleIndex>, table: Option<&TableText>) -> ParagraphBase {
        let styles = &self.shared.styles;
        let mut plain = styles.default_paragraph.clone();
        let mut run = RunCascade::new(&styles.default_run);
        if let Some(table) = table {
            plain.over(&table.paragraph);
            run.style(&table.run);
        }
        let mut numbered = plain.clone();
        if let Some(style) = index.and_then(|index| styles.paragraph(index, &self.shared.numbering)) {
            let from_table = (plain.alignment, run.size());
            plain.over(&style.plain);
            numbered.over(&style.numbered);
            run.style(&style.run);
            // Without w:overrideTableStyleFontSizeAndJustification a table style's size and alignment outlast a paragraph
            // style that only repeats Word's old defaults: 10 points, left (§17.15.3.4, as Word reads it).
            if let Some(table) = table.filter(|_| !self.shared.settings.paragraph_style_beats_table_style) {
                if table.paragraph.alignment.is_some() && style.plain.alignment == Some(Alignment::Start) {
                    (plain.alignment, numbered.alignment) = (from_table.0, from_table.0);
                }
                if let (Some(_), Some(10.0), Some(size)) = (table.run.size, style.run.size, from_table.1) {
                    run.set_size(size);
                }
            }
        }
        ParagraphBase {
            id: self.gathered.bases.len(),
            style_id: index.and_then(|index| styles.id(index)),
            style_name: index.and_then(|index| styles.name(index)),
            numbered,
            plain,
            run,
        }
    }

    /// The look of line numbers: that of the style made for them, else of plain text.
    pub(crate) fn line_number_run(&self) -> RunProperties {
        let style = self.shared.styles.character_style_named("line number");
        self.resolve_run(&self.default_base(), &[&RunFormat { style, ..RunFormat::default() }])
    }

    /// Everything about a paragraph but its text.
    pub(crate) fn resolve_paragraph(&mut self, properties: Option<Element<'t>>) -> ResolvedParagraph {
        let style = properties.and_then(|element| element.child_val("pStyle"));
        let base = self.base(style);
        let key = (base.id, properties.map_or("", Element::source));
        if let Some(resolved) = self.paragraph_cache.get(&key) {
            return resolved.clone();
        }
        self.takes(40, size_of::<ParagraphProperties>() + size_of::<ResolvedParagraph>());
        let context = self.shared.format_context();
        let direct = properties.map(|element| ParagraphFormat::read(element, &context)).unwrap_or_default();
        let (format, numbering) = self.number(&base, &direct);
        // Characters as wide as the text is high, lines of 12 points: what Word assumes without a grid.
        let character = base.run.size().unwrap_or(10.0);
        let mut outcome = format.resolve(base.style_name.clone(), character, 12.0);
        outcome.style_id.clone_from(&base.style_id);
        outcome.numbering = numbering;
        let mark = self.run_properties(&base, properties.and_then(|element| element.child(Ns::W, "rPr")));
        let resolved = ResolvedParagraph { base, properties: Arc::new(outcome), mark, numbering };
        self.paragraph_cache.insert(key, resolved.clone());
        resolved
    }

    /// Lays a paragraph's own formatting over what it inherits, its numbering's indents between them.
    fn number(&self, base: &ParagraphBase, direct: &ParagraphFormat) -> (ParagraphFormat, Option<(i64, u8)>) {
        let numbering = &self.shared.numbering;
        let style = (base.numbered.numbering_id, base.numbered.numbering_level.unwrap_or(0));
        let (id, level) = match (direct.numbering_id, style.0) {
            (Some(id), _) => (id, direct.numbering_level.unwrap_or(0)),
            (None, Some(id)) => (id, direct.numbering_level.unwrap_or(style.1)),
            (None, None) => (0, 0),
        };
        let from_style = direct.numbering_id.is_none() && level == style.1;
        let definition = numbering.level(id, level);
        let mut format = if from_style && definition.is_some() { base.numbered.clone() } else { base.plain.clone() };
        if let Some(definition) = definition.filter(|_| !from_style) {
            format.over(&definition.paragraph);
        }
        format.over(direct);
        (format, definition.map(|_| (id, level)))
    }

    /// The outcome for a run with that `w:rPr`, in a paragraph with that base.
    pub(crate) fn run_properties(&mut self, base: &ParagraphBase, element: Option<Element<'t>>) -> Arc<RunProperties> {
        let in_contents = self.in_contents();
        let key = (base.id, in_contents, element.map_or("", Element::source));
        if let Some(known) = self.run_cache.get(&key) {
            return known.clone();
        }
        self.takes(20, size_of::<RunProperties>() + 64);
        let context = self.shared.format_context();
        let mut direct = element.map(|element| RunFormat::read(element, &context)).unwrap_or_default();
        // Word marks the entries of a table of contents with the style of links, and shows them in the paragraph's alone.
        let styles = &self.shared.styles;
        direct.style =
            direct.style.filter(|style| !(in_contents && styles.is_character_style_named(style, "Hyperlink")));
        let outcome = Arc::new(self.resolve_run(base, &[&direct]));
        self.run_cache.insert(key, outcome.clone());
        outcome
    }

    /// Direct formats laid over each other, with their character styles under them.
    pub(crate) fn resolve_run(&self, base: &ParagraphBase, direct: &[&RunFormat]) -> RunProperties {
        let styles = &self.shared.styles;
        let mut cascade = base.run.clone();
        let mut together = RunFormat::default();
        let mut name = None;
        for format in direct {
            together.over(format);
            if format.style.is_none() && direct.len() > 1 {
                continue;
            }
            let Some(index) = styles.character_style(format.style.as_deref()) else { continue };
            if let Some(style) = styles.character(index) {
                cascade.style(style);
            }
            if format.style.is_some() {
                name = styles.name(index);
            }
        }
        cascade.resolve(&together, name)
    }
}
