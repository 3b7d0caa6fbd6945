//! The styles part (§17.7), with resolution of w:basedOn chains. Cycles are cut.

use std::collections::HashMap;
use std::sync::Arc;

use super::paragraph_format::{self, ParagraphFormat};
use super::run_format::{FormatContext, RunFormat};
use super::table_style::TableStyle;
use super::values::on_off_if_present;
use super::xml::{Element, Ns};

/// The maximum length of a chain of base styles. Word's own limit is eleven.
const MAX_CHAIN_LENGTH: usize = 64;

pub(crate) struct Styles<'p> {
    pub default_paragraph: ParagraphFormat,
    pub default_run: RunFormat,
    styles: Vec<Style<'p>>,
    by_id: HashMap<&'p str, usize>,
    /// The table styles, each merged with its base styles.
    tables: HashMap<StyleIndex, TableStyle<'p>>,
    defaults: HashMap<StyleKind, StyleIndex>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum StyleKind {
    Paragraph,
    Character,
    Table,
    Numbering,
}

/// A `w:style` element.
pub(crate) struct Style<'p> {
    pub id: &'p str,
    pub name: Arc<str>,
    pub kind: StyleKind,
    pub element: Element<'p>,
}

impl<'p> Style<'p> {
    pub(crate) fn paragraph_element(&self) -> Option<Element<'p>> {
        self.element.child(Ns::W, "pPr")
    }

    pub(crate) fn run_element(&self) -> Option<Element<'p>> {
        self.element.child(Ns::W, "rPr")
    }

    /// Returns the id of the numbering (w:numId) and the level from 0 (w:ilvl). Each is `None` if the style does not
    /// specify it.
    pub(crate) fn numbering(&self) -> (Option<i64>, Option<u8>) {
        let named = self.paragraph_element().and_then(|paragraph| paragraph.child(Ns::W, "numPr"));
        named.map(paragraph_format::read_numbering).unwrap_or_default()
    }
}

/// The index of a style in the styles part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StyleIndex(usize);

impl<'p> Styles<'p> {
    /// Reads a `w:styles`. `None` means that the document has no styles.
    ///
    /// Without w:rPrDefault, the run defaults are those of Word's new documents since 2007. With an empty w:rPrDefault,
    /// they are Times New Roman, 10 pt. §17.7.5.4 leaves both to the application.
    pub(crate) fn from_element(root: Option<Element<'p>>, context: FormatContext<'_>) -> Self {
        let mut sheet = Self {
            default_paragraph: ParagraphFormat::default(),
            default_run: RunFormat::new_document_defaults(),
            styles: Vec::new(),
            by_id: HashMap::new(),
            tables: HashMap::new(),
            defaults: HashMap::new(),
        };
        let Some(root) = root else { return sheet };
        if let Some(defaults) = root.child(Ns::W, "docDefaults") {
            if let Some(element) = defaults.child(Ns::W, "pPrDefault").and_then(|outer| outer.child(Ns::W, "pPr")) {
                sheet.default_paragraph.apply(element, context);
            }
            if let Some(outer) = defaults.child(Ns::W, "rPrDefault") {
                sheet.default_run = RunFormat::from_defaults(outer.child(Ns::W, "rPr"), context);
            }
        }
        for element in root.children_with_name(Ns::W, "style") {
            if !(context.meter.spend(20) && context.meter.allocate(size_of::<Style<'_>>())) {
                break;
            }
            sheet.add_style(element);
        }
        for (index, style) in sheet.styles.iter().enumerate().filter(|(_, style)| style.kind == StyleKind::Table) {
            let mut table = TableStyle::default();
            for step in sheet.chain(style).into_iter().take_while(|_| !context.meter.must_stop()) {
                table.apply(step.element, context);
            }
            sheet.tables.insert(StyleIndex(index), table);
        }
        // Without a default paragraph style (§17.7.4.17), Word uses the style Normal. Its name is the same in all
        // languages.
        let normal =
            |style: &Style<'_>| style.kind == StyleKind::Paragraph && style.name.eq_ignore_ascii_case("Normal");
        if let Some(normal) = sheet.styles.iter().position(normal) {
            sheet.defaults.entry(StyleKind::Paragraph).or_insert(StyleIndex(normal));
        }
        sheet
    }

    fn add_style(&mut self, element: Element<'p>) {
        // Report servers write styles without an id. Word then identifies them by name.
        let name = element.child_val("name");
        let Some(id) = element.word_attribute("styleId").or(name) else { return };
        let kind = match element.word_attribute("type").unwrap_or("paragraph") {
            "character" => StyleKind::Character,
            "table" => StyleKind::Table,
            "numbering" => StyleKind::Numbering,
            _ => StyleKind::Paragraph,
        };
        let index = self.styles.len();
        if on_off_if_present(element.word_attribute("default")) == Some(true) {
            self.defaults.insert(kind, StyleIndex(index));
        }
        self.styles.push(Style { id, name: Arc::from(name.unwrap_or(id)), kind, element });
        // If two styles have the same id, the last one wins, as in Word.
        self.by_id.insert(id, index);
    }

    fn find_style(&self, id: Option<&str>, kind: StyleKind) -> Option<StyleIndex> {
        let index = *self.by_id.get(id?)?;
        (self.styles.get(index)?.kind == kind).then_some(StyleIndex(index))
    }

    /// Returns the style with this id, or the default style of the kind if `id` is `None` or unknown. Returns `None` if
    /// the document has no such default style. The default character style is usually empty.
    pub(crate) fn find_or_default(&self, id: Option<&str>, kind: StyleKind) -> Option<StyleIndex> {
        self.find_style(id, kind).or_else(|| self.defaults.get(&kind).copied())
    }

    /// Returns all styles in the order of the file.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Style<'p>> {
        self.styles.iter()
    }

    /// Returns the style of any kind with this id.
    pub(crate) fn style_with_id(&self, id: &str) -> Option<&Style<'p>> {
        self.styles.get(*self.by_id.get(id)?)
    }

    /// Returns the id of the character style with this name. Names of built-in styles are the same in all languages.
    pub(crate) fn character_style_named(&self, name: &str) -> Option<&'p str> {
        let named = |style: &&Style<'_>| style.kind == StyleKind::Character && style.name.eq_ignore_ascii_case(name);
        self.styles.iter().find(named).map(|style| style.id)
    }

    /// Returns `true` if the character style with this id has this name.
    pub(crate) fn is_character_style_named(&self, id: &str, name: &str) -> bool {
        let style = self.find_style(Some(id), StyleKind::Character).and_then(|index| self.styles.get(index.0));
        style.is_some_and(|style| style.name.eq_ignore_ascii_case(name))
    }

    /// Returns the id of the numbering of a style of any kind. `id` is the id of the style. Returns `None` if neither
    /// the style nor its base styles have a numbering.
    pub(crate) fn numbering_of(&self, id: &str) -> Option<i64> {
        let style = self.styles.get(*self.by_id.get(id)?)?;
        self.chain(style).iter().rev().find_map(|style| style.numbering().0)
    }

    /// Returns a style and its base styles, base first. The list is empty if `index` is `None`.
    pub(crate) fn style_chain(&self, index: Option<StyleIndex>) -> Vec<&Style<'p>> {
        index.and_then(|index| self.styles.get(index.0)).map(|style| self.chain(style)).unwrap_or_default()
    }

    fn chain<'s>(&'s self, style: &'s Style<'p>) -> Vec<&'s Style<'p>> {
        let mut chain = vec![style];
        let base_of = |style: &Style<'_>| self.styles.get(*self.by_id.get(style.element.child_val("basedOn")?)?);
        while let Some(base) = chain.last().and_then(|style| base_of(style)) {
            if base.kind != style.kind
                || chain.len() >= MAX_CHAIN_LENGTH
                || chain.iter().any(|known| std::ptr::eq(*known, base))
            {
                break;
            }
            chain.push(base);
        }
        chain.reverse();
        chain
    }

    /// Returns a table style, merged with its base styles. Returns `None` for styles of other kinds.
    pub(crate) fn table(&self, index: StyleIndex) -> Option<&TableStyle<'p>> {
        self.tables.get(&index)
    }
}
