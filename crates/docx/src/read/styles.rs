//! The style sheet (§17.7): chains of w:basedOn folded on demand, cycles cut.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::numbering::Numbering;
use super::paragraph_format::ParagraphFormat;
use super::run_format::{FormatContext, RunFormat};
use super::table_style::{ConditionalFormat, TableStyle, TableStyleParts};
use super::values::given;
use super::xml::{Element, Ns, Tree};
use crate::Meter;

/// Chains longer than this are cut: Word's own limit is eleven.
const CHAIN_LIMIT: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Styles {
    pub default_paragraph: ParagraphFormat,
    pub default_run: RunFormat,
    styles: Vec<Style>,
    by_id: HashMap<Arc<str>, usize>,
    default_paragraph_style: Option<usize>,
    default_character_style: Option<usize>,
    default_table_style: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Paragraph,
    Character,
    Table,
    Numbering,
}

#[derive(Debug)]
struct Style {
    id: Arc<str>,
    name: Arc<str>,
    kind: Kind,
    based_on: Option<Arc<str>>,
    paragraph: ParagraphFormat,
    run: RunFormat,
    table: Option<Box<TableStyleParts>>,
    folded_paragraph: OnceCell<FoldedParagraphStyle>,
    folded_run: OnceCell<RunFormat>,
    folded_table: OnceCell<TableStyle>,
}

/// A paragraph style with all it is based on.
#[derive(Debug)]
pub(crate) struct FoldedParagraphStyle {
    /// Indents and tabs of the style's numbering lie under those of the style that names it.
    pub numbered: ParagraphFormat,
    /// The same without its numbering: for paragraphs that take another or none.
    pub plain: ParagraphFormat,
    pub run: RunFormat,
}

/// A style of the sheet, by its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StyleIndex(usize);

impl Styles {
    /// Of a document without styles. Where nothing is said of runs at all Word takes what its own new documents had since 2007
    /// (Calibri, 11 pt); a w:rPrDefault that is there and empty leaves them at Times New Roman, 10 pt. (§17.7.5.4 leaves both
    /// to the application.)
    pub(crate) fn absent() -> Self {
        let calibri: Arc<str> = "Calibri".into();
        let default_run = RunFormat {
            ascii: Some(calibri.clone()),
            high_ansi: Some(calibri),
            size: Some(11.0),
            size_complex: Some(11.0),
            ..RunFormat::default()
        };
        Self { default_run, ..Self::default() }
    }

    pub(crate) fn read(tree: &Tree<'_>, context: &FormatContext<'_>, meter: &Meter) -> Self {
        let mut sheet = Self::absent();
        let Some(root) = tree.root() else { return sheet };
        if let Some(defaults) = root.child(Ns::W, "docDefaults") {
            if let Some(element) = defaults.child(Ns::W, "pPrDefault").and_then(|outer| outer.child(Ns::W, "pPr")) {
                sheet.default_paragraph = ParagraphFormat::read(element, context);
            }
            if let Some(outer) = defaults.child(Ns::W, "rPrDefault") {
                let element = outer.child(Ns::W, "rPr");
                sheet.default_run = element.map(|element| RunFormat::read(element, context)).unwrap_or_default();
            }
        }
        for element in root.all(Ns::W, "style") {
            if !(meter.spend(20) && meter.hold(size_of::<Style>())) {
                break;
            }
            sheet.add(element, context);
        }
        // Where no style says it is the default (§17.7.4.17) Word's Normal is: its name is the same in all languages.
        let normal = |style: &Style| style.kind == Kind::Paragraph && style.name.eq_ignore_ascii_case("Normal");
        sheet.default_paragraph_style = sheet.default_paragraph_style.or_else(|| sheet.styles.iter().position(normal));
        sheet
    }

    fn add(&mut self, element: Element<'_>, context: &FormatContext<'_>) {
        // Report servers write styles without an id: they are called by their name, in Word too.
        let name = element.child_val("name");
        let Some(id) = element.w("styleId").or(name).map(Arc::<str>::from) else { return };
        let kind = match element.w("type").unwrap_or("paragraph") {
            "character" => Kind::Character,
            "table" => Kind::Table,
            "numbering" => Kind::Numbering,
            _ => Kind::Paragraph,
        };
        let index = self.styles.len();
        if given(element.w("default")) == Some(true) {
            match kind {
                Kind::Paragraph => self.default_paragraph_style = Some(index),
                Kind::Character => self.default_character_style = Some(index),
                Kind::Table => self.default_table_style = Some(index),
                Kind::Numbering => {}
            }
        }
        let (mut paragraph, mut run) = ConditionalFormat::read_text(element, context);
        // A style's formats cannot name another style, and frames of styles are read like any other.
        (paragraph.style, run.style) = (None, None);
        self.styles.push(Style {
            name: name.map_or_else(|| id.clone(), Arc::from),
            id: id.clone(),
            kind,
            based_on: element.child_val("basedOn").map(Arc::from),
            paragraph,
            run,
            table: (kind == Kind::Table).then(|| Box::new(TableStyleParts::read(element, context))),
            folded_paragraph: OnceCell::new(),
            folded_run: OnceCell::new(),
            folded_table: OnceCell::new(),
        });
        // Of two styles with one id the last wins, as in Word.
        self.by_id.insert(id, index);
    }

    fn get(&self, index: StyleIndex) -> Option<&Style> {
        self.styles.get(index.0)
    }

    pub(crate) fn name(&self, index: StyleIndex) -> Option<Arc<str>> {
        self.get(index).map(|style| style.name.clone())
    }

    pub(crate) fn id(&self, index: StyleIndex) -> Option<Arc<str>> {
        self.get(index).map(|style| style.id.clone())
    }

    fn find(&self, id: Option<&str>, kind: Kind) -> Option<StyleIndex> {
        let index = *self.by_id.get(id?)?;
        (self.styles.get(index)?.kind == kind).then_some(StyleIndex(index))
    }

    /// The paragraph style of that id, or the default one.
    pub(crate) fn paragraph_style(&self, id: Option<&str>) -> Option<StyleIndex> {
        self.find(id, Kind::Paragraph).or(self.default_paragraph_style.map(StyleIndex))
    }

    /// The character style of that id; without one, the default one, which rarely says anything.
    pub(crate) fn character_style(&self, id: Option<&str>) -> Option<StyleIndex> {
        self.find(id, Kind::Character).or(self.default_character_style.map(StyleIndex))
    }

    /// The id of the character style of that name, which is the same in all languages.
    pub(crate) fn character_style_named(&self, name: &str) -> Option<Arc<str>> {
        let named = |style: &&Style| style.kind == Kind::Character && style.name.eq_ignore_ascii_case(name);
        self.styles.iter().find(named).map(|style| style.id.clone())
    }

    /// Whether the character style of that id has that name.
    pub(crate) fn is_character_style_named(&self, id: &str, name: &str) -> bool {
        let style = self.find(Some(id), Kind::Character).and_then(|index| self.get(index));
        style.is_some_and(|style| style.name.eq_ignore_ascii_case(name))
    }

    pub(crate) fn table_style(&self, id: Option<&str>) -> Option<StyleIndex> {
        self.find(id, Kind::Table).or(self.default_table_style.map(StyleIndex))
    }

    /// The numbering a style of any kind refers to.
    pub(crate) fn numbering_of(&self, id: &str) -> Option<i64> {
        let style = self.styles.get(*self.by_id.get(id)?)?;
        self.chain(style).iter().rev().find_map(|style| style.paragraph.numbering_id)
    }

    /// The style and what it is based on, the base first.
    fn chain<'s>(&'s self, style: &'s Style) -> Vec<&'s Style> {
        let mut chain = vec![style];
        let mut current = style;
        while let Some(base) = current.based_on.as_ref().and_then(|id| self.styles.get(*self.by_id.get(id)?)) {
            if base.kind != style.kind
                || chain.len() >= CHAIN_LIMIT
                || chain.iter().any(|known| std::ptr::eq(*known, base))
            {
                break;
            }
            chain.push(base);
            current = base;
        }
        chain.reverse();
        chain
    }

    /// A paragraph style folded over its bases (document defaults not included).
    pub(crate) fn paragraph(&self, index: StyleIndex, numbering: &Numbering) -> Option<&FoldedParagraphStyle> {
        let style = self.get(index)?;
        Some(style.folded_paragraph.get_or_init(|| {
            let mut folded = FoldedParagraphStyle {
                numbered: ParagraphFormat::default(),
                plain: ParagraphFormat::default(),
                run: RunFormat::default(),
            };
            for step in self.chain(style) {
                // w:numPr may name the level alone: its numbering is then that of the style it is based on (§17.7.4.3).
                let names = step.paragraph.numbering_id.is_some() || step.paragraph.numbering_level.is_some();
                let id = step.paragraph.numbering_id.or(folded.plain.numbering_id).filter(|_| names);
                if let Some(level) = id.and_then(|id| {
                    let named = numbering.level_of_style(id, &step.id).or(step.paragraph.numbering_level);
                    numbering.level(id, named.unwrap_or(0))
                }) {
                    // Of the level that the base names nothing is left.
                    folded.numbered = folded.plain.clone();
                    folded.numbered.over(&level.paragraph);
                }
                folded.numbered.over(&step.paragraph);
                folded.plain.over(&step.paragraph);
                folded.run.over(&step.run);
            }
            folded
        }))
    }

    /// A character style folded over its bases.
    pub(crate) fn character(&self, index: StyleIndex) -> Option<&RunFormat> {
        let style = self.get(index)?;
        Some(style.folded_run.get_or_init(|| {
            let mut folded = RunFormat::default();
            for step in self.chain(style) {
                folded.over(&step.run);
            }
            folded
        }))
    }

    /// A table style folded over its bases.
    pub(crate) fn table(&self, index: StyleIndex) -> Option<&TableStyle> {
        let style = self.get(index)?;
        Some(style.folded_table.get_or_init(|| {
            let mut folded = TableStyle { name: style.name.clone(), ..TableStyle::default() };
            for step in self.chain(style) {
                let Some(parts) = &step.table else { continue };
                folded.over(parts, &step.paragraph, &step.run);
            }
            folded
        }))
    }
}

impl ConditionalFormat {
    /// Reads `w:style` or `w:tblStylePr`.
    pub(crate) fn read_text(element: Element<'_>, context: &FormatContext<'_>) -> (ParagraphFormat, RunFormat) {
        let paragraph = element.child(Ns::W, "pPr").map(|child| ParagraphFormat::read(child, context));
        let run = element.child(Ns::W, "rPr").map(|child| RunFormat::read(child, context));
        (paragraph.unwrap_or_default(), run.unwrap_or_default())
    }
}
