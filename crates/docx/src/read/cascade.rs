//! The cascade (§17.7.2): document defaults, table style, numbering, paragraph style, character style, direct
//! formatting.
//!
//! Results are cached by their inputs, because documents repeat the same formatting.

use std::rc::Rc;
use std::sync::Arc;

use super::paragraph_format::{ParagraphFormat, read_numbering};
use super::part_reader::PartReader;
use super::run_format::RunFormat;
use super::styles::{StyleIndex, StyleKind};
use super::values::{half_points, parse_enum};
use super::xml::{Element, Ns};
use crate::tree::*;

/// A container of text that affects the formatting that the text inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TextContainer {
    /// A table cell: the style of the table, and a bit mask of the [`Condition`](super::table_style::Condition)s that
    /// apply to the cell.
    Table(StyleIndex, u16),
    /// A shape that defines the colour of its text.
    Shape(Rgb),
}

/// The properties that a paragraph inherits. The direct formatting of the paragraph is applied on top of them.
#[derive(Debug)]
pub(crate) struct ParagraphBase {
    /// The number that identifies this base in the keys of the caches.
    pub id: usize,
    /// The paragraph format including the numbering of the style. Indents and tabs of the style override those of its
    /// numbering.
    pub numbered: ParagraphFormat,
    /// The paragraph format without the numbering of the style. It is used for paragraphs that have another numbering
    /// or none.
    pub plain: ParagraphFormat,
    pub run: RunFormat,
}

/// The resolved properties of a paragraph.
#[derive(Clone)]
pub(crate) struct ResolvedParagraph {
    pub base: Rc<ParagraphBase>,
    pub properties: Arc<ParagraphProperties>,
    pub mark: Arc<RunProperties>,
    /// The id of the numbering (w:numId) and the level from 0 (w:ilvl). `None`: the paragraph is not numbered.
    pub numbering: Option<(i64, u8)>,
}

impl<'t> PartReader<'t, '_> {
    /// Returns the properties that a paragraph inherits at the current position, for example in a table cell. `style`
    /// is the id of the paragraph style. `None`: the default paragraph style.
    pub(crate) fn paragraph_base(&mut self, style: Option<&str>) -> Rc<ParagraphBase> {
        let index = self.shared.styles.find_or_default(style, StyleKind::Paragraph);
        let key = (index, self.text_container);
        if let Some(base) = self.state.paragraph_bases.get(&key) {
            return base.clone();
        }
        self.charge(20, size_of::<ParagraphBase>());
        let base = Rc::new(self.resolve_base(index, self.text_container));
        self.state.paragraph_bases.insert(key, base.clone());
        base
    }

    /// Returns the properties that a paragraph without style inherits outside tables.
    pub(crate) fn default_base(&self) -> Rc<ParagraphBase> {
        let index = self.shared.styles.find_or_default(None, StyleKind::Paragraph);
        let known = self.state.paragraph_bases.get(&(index, None));
        known.cloned().unwrap_or_else(|| Rc::new(self.resolve_base(index, None)))
    }

    fn resolve_base(&self, index: Option<StyleIndex>, container: Option<TextContainer>) -> ParagraphBase {
        let (styles, context) = (&self.shared.styles, self.shared.format_context());
        let mut plain = styles.default_paragraph.clone();
        let mut run = styles.default_run.clone();
        let (mut table_paragraphs, mut table_runs) = (Vec::new(), Vec::new());
        match container {
            Some(TextContainer::Table(table, mask)) => {
                let table = styles.table(table);
                table_paragraphs.extend(table.into_iter().flat_map(|table| table.child_elements(mask, "pPr")));
                table_runs.extend(table.into_iter().flat_map(|table| table.child_elements(mask, "rPr")));
            }
            Some(TextContainer::Shape(color)) => run.set_color(color),
            None => {}
        }
        table_paragraphs.iter().for_each(|element| plain.apply(*element, context));
        run.apply_style(&table_runs, context);
        let steps = styles.style_chain(index);
        plain.properties.style_id = steps.last().map(|style| Arc::from(style.id));
        plain.properties.style_name = steps.last().map(|style| style.name.clone());
        let from_table = (plain.properties.alignment, run.size());
        let mut numbered = plain.clone();
        let mut numbering = None;
        for step in &steps {
            // The `w:numPr` of a style may contain only the level. The numbering is then that of the base style
            // (§17.7.4.3).
            let (id, level) = step.numbering();
            numbering = id.or(numbering);
            let id = numbering.filter(|_| id.is_some() || level.is_some());
            if let Some(level) = id.and_then(|id| {
                let named = self.shared.numbering.level_of_style(id, step.id).or(level);
                self.shared.numbering.level(id, named.unwrap_or(0))
            }) {
                // This level replaces the level of the base style, so the indents of that level are removed.
                numbered = plain.clone();
                level.paragraph.into_iter().for_each(|element| numbered.apply(element, context));
            }
            if let Some(element) = step.paragraph_element() {
                numbered.apply(element, context);
                plain.apply(element, context);
            }
        }
        let runs: Vec<Element<'_>> = steps.iter().filter_map(|step| step.run_element()).collect();
        run.apply_style(&runs, context);
        // A paragraph style may specify 10 points or left alignment, which are old defaults of Word. Without
        // w:overrideTableStyleFontSizeAndJustification, the size and alignment of the table style override them
        // (§17.15.3.4, as implemented in Word).
        if !self.shared.settings.paragraph_style_beats_table_style {
            let paragraphs: Vec<Element<'_>> = steps.iter().filter_map(|step| step.paragraph_element()).collect();
            let alignment = |elements: &[Element<'_>]| last_value::<Alignment>(elements, "jc", parse_enum);
            if alignment(&table_paragraphs).is_some() && alignment(&paragraphs) == Some(Alignment::Start) {
                (plain.properties.alignment, numbered.properties.alignment) = (from_table.0, from_table.0);
            }
            let size = |elements: &[Element<'_>]| last_value(elements, "sz", half_points);
            if size(&table_runs).is_some() && size(&runs) == Some(10.0) {
                run.set_size(from_table.1);
            }
        }
        ParagraphBase { id: self.state.paragraph_bases.len(), numbered, plain, run }
    }

    /// Returns the formatting of line numbers. It is the formatting of the style "line number", or the default
    /// formatting if the document does not have this style.
    pub(crate) fn line_number_run(&self) -> RunProperties {
        let style = self.shared.styles.character_style_named("line number");
        self.resolve_run(&self.default_base(), &[style], &[])
    }

    /// Resolves the paragraph properties, the formatting of the paragraph mark, and the numbering from a `w:pPr`.
    /// `None`: the paragraph has no `w:pPr`.
    pub(crate) fn resolve_paragraph(&mut self, properties: Option<Element<'t>>) -> ResolvedParagraph {
        let style = properties.and_then(|element| element.child_val("pStyle"));
        let base = self.paragraph_base(style);
        let key = (base.id, properties.map_or("", Element::source));
        if let Some(resolved) = self.paragraph_cache.get(&key) {
            return resolved.clone();
        }
        self.charge(40, size_of::<ParagraphProperties>() + size_of::<ResolvedParagraph>());
        let (format, numbering) = self.apply_numbering(&base, properties);
        // Without a document grid, Word takes the font size as the width of a character.
        let mut outcome = format.resolve(base.run.size());
        outcome.numbering = numbering;
        let mark = self.run_properties(&base, properties.and_then(|element| element.child(Ns::W, "rPr")));
        let resolved = ResolvedParagraph { base, properties: Arc::new(outcome), mark, numbering };
        self.paragraph_cache.insert(key, resolved.clone());
        resolved
    }

    /// Applies first the indents of the numbering and then the direct formatting (`direct`) to the inherited format.
    /// Also returns the id of the numbering and the level from 0. `None`: the paragraph is not numbered.
    fn apply_numbering(
        &self,
        base: &ParagraphBase,
        direct: Option<Element<'t>>,
    ) -> (ParagraphFormat, Option<(i64, u8)>) {
        let context = self.shared.format_context();
        let own = direct.and_then(|direct| direct.child(Ns::W, "numPr")).map(read_numbering).unwrap_or_default();
        let style = (base.numbered.numbering_id, base.numbered.numbering_level.unwrap_or(0));
        let (id, level) = match (own.0, style.0) {
            (Some(id), _) => (id, own.1.unwrap_or(0)),
            (None, Some(id)) => (id, own.1.unwrap_or(style.1)),
            (None, None) => (0, 0),
        };
        let from_style = own.0.is_none() && level == style.1;
        let definition = self.shared.numbering.level(id, level);
        let mut format = if from_style && definition.is_some() { base.numbered.clone() } else { base.plain.clone() };
        if let Some(element) = definition.filter(|_| !from_style).and_then(|level| level.paragraph) {
            format.apply(element, context);
        }
        if let Some(direct) = direct {
            format.apply(direct, context);
        }
        (format, definition.map(|_| (id, level)))
    }

    /// Returns the resolved properties of a run. `base` contains the properties that the paragraph inherits. `element`
    /// is the `w:rPr` of the run, or `None` if the run has no `w:rPr`.
    pub(crate) fn run_properties(&mut self, base: &ParagraphBase, element: Option<Element<'t>>) -> Arc<RunProperties> {
        let in_contents = self.is_in_table_of_contents();
        let key = (base.id, in_contents, element.map_or("", Element::source));
        if let Some(known) = self.run_cache.get(&key) {
            return known.clone();
        }
        self.charge(20, size_of::<RunProperties>() + 64);
        // Word writes the Hyperlink style on entries of a table of contents, but shows them in the style of the
        // paragraph.
        let styles = &self.shared.styles;
        let style = element.and_then(|element| element.child_val("rStyle"));
        let style = style.filter(|style| !(in_contents && styles.is_character_style_named(style, "Hyperlink")));
        let outcome = Arc::new(self.resolve_run(base, &[style], element.as_slice()));
        self.run_cache.insert(key, outcome.clone());
        outcome
    }

    /// Resolves the properties of a run. Applies the character styles with the ids in `styles` to `base`, and then the
    /// `w:rPr` elements in `direct`. A `None` in `styles` applies the default character style, but does not set the
    /// style name of the run.
    pub(crate) fn resolve_run(
        &self,
        base: &ParagraphBase,
        styles: &[Option<&str>],
        direct: &[Element<'_>],
    ) -> RunProperties {
        let (sheet, context) = (&self.shared.styles, self.shared.format_context());
        let mut run = base.run.clone();
        let mut name = None;
        for style in styles {
            let steps = sheet.style_chain(sheet.find_or_default(*style, StyleKind::Character));
            run.apply_style(&steps.iter().filter_map(|step| step.run_element()).collect::<Vec<_>>(), context);
            name = steps.last().filter(|_| style.is_some()).map(|style| style.name.clone()).or(name);
        }
        direct.iter().for_each(|element| run.apply(*element, context));
        run.resolve(name)
    }
}

/// Returns the value of the child `name` in the last element that has such a child with a valid value.
fn last_value<T>(elements: &[Element<'_>], name: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    elements.iter().rev().find_map(|element| parse(element.child_val(name)?))
}
