//! The paragraphs of a table of contents: their styles, tab stops and text.

use std::sync::Arc;

use waraq_rules::format::FieldFormat;

use super::contents_code::ContentsOptions;
use super::part_reader::PartReader;
use super::styles::StyleKind;
use crate::tree::*;

/// The space in points below an entry if the document has no TOC style. It is the value of Word's built-in styles.
const SPACE_AFTER: f32 = 5.0;

/// The formatting of the entries of one level.
pub(crate) struct EntryStyle {
    properties: ParagraphProperties,
    run: Arc<RunProperties>,
    /// The paragraph style is in the document. If `false`, the formatting is that of Word's built-in style.
    is_defined: bool,
    /// The width of the text column in points.
    width: f32,
}

impl EntryStyle {
    /// Finds the style of a level: "toc 1" to "toc 9", or "table of figures" for captions. `width` is the width of the text
    /// column in points.
    pub(crate) fn find(reader: &mut PartReader<'_, '_>, level: u8, is_caption: bool, width: f32) -> Self {
        let name = if is_caption { "table of figures".to_owned() } else { format!("toc {level}") };
        let is_named = |style: &&super::styles::Style<'_>| {
            style.kind == StyleKind::Paragraph
                && style.name.split(',').any(|part| part.trim().eq_ignore_ascii_case(&name))
        };
        let id = reader.shared.styles.all().find(is_named).map(|style| style.id.to_owned());
        let base = reader.paragraph_base(id.as_deref());
        let run = reader.run_properties(&base, None);
        let mut properties = base.numbered.clone().resolve(run.size);
        if id.is_none() {
            properties.spacing.after = SPACE_AFTER;
            properties.indent.start += run.size * f32::from(level.saturating_sub(1));
        }
        Self { properties, run, is_defined: id.is_some(), width }
    }

    /// Returns the text of a heading as the inlines of an entry. `heading_run` is the formatting that the style of the
    /// heading defines. The entry keeps only formatting of the heading that differs from `heading_run`
    /// ([`Self::entry_run`]). Returns `None` if the heading has no visible text.
    pub(crate) fn heading_inlines(
        &self,
        heading: &Paragraph,
        heading_run: &RunProperties,
        options: &ContentsOptions,
    ) -> Option<Vec<Inline>> {
        let shown = || heading.inlines.iter().filter(|inline| !inline.run.hidden);
        let is_uniform = |differs: &dyn Fn(&RunProperties) -> bool| {
            shown().filter(|inline| matches!(inline.content, Content::Text(_))).all(|inline| differs(&inline.run))
        };
        let uniform = UniformFormat {
            bold: is_uniform(&|run| run.bold != heading_run.bold),
            italic: is_uniform(&|run| run.italic != heading_run.italic),
            color: is_uniform(&|run| run.color != heading_run.color),
            underline: is_uniform(&|run| run.underline != heading_run.underline),
        };
        let mut inlines: Vec<Inline> = Vec::new();
        for inline in shown() {
            let content = match &inline.content {
                Content::Text(text) => Content::Text(text.clone()),
                Content::Field { field, result } => Content::Field { field: field.clone(), result: result.clone() },
                Content::Math(math) => Content::Text(math.text.clone()),
                Content::Tab if options.keeps_tabs => Content::Tab,
                Content::Break(Break::Line | Break::LineClear) if options.keeps_breaks => Content::Break(Break::Line),
                Content::Tab | Content::PositionedTab(_) | Content::Break(Break::Line | Break::LineClear) => {
                    Content::Text(" ".to_owned())
                }
                _ => continue,
            };
            inlines.push(Inline { content, run: self.entry_run(&inline.run, heading_run, uniform), link: None });
        }
        let is_text = |inline: &Inline| match &inline.content {
            Content::Text(text) => !text.trim().is_empty(),
            Content::Field { .. } => true,
            _ => false,
        };
        inlines.iter().any(is_text).then_some(inlines)
    }

    /// Returns the formatting of a part of an entry. As in Word, formatting of single words is kept, but formatting of the whole
    /// heading is not.
    fn entry_run(&self, own: &RunProperties, heading: &RunProperties, uniform: UniformFormat) -> Arc<RunProperties> {
        let mut run = (*self.run).clone();
        if own.bold != heading.bold && !uniform.bold {
            (run.bold, run.bold_complex) = (own.bold, own.bold_complex);
        }
        if own.italic != heading.italic && !uniform.italic {
            (run.italic, run.italic_complex) = (own.italic, own.italic_complex);
        }
        if own.color != heading.color && !uniform.color {
            run.color = own.color;
        }
        if own.underline != heading.underline && !uniform.underline {
            run.underline = own.underline;
        }
        run.vertical_position = own.vertical_position;
        (run.right_to_left, run.complex_script) = (own.right_to_left, own.complex_script);
        run.language.clone_from(&own.language);
        if run == *self.run { self.run.clone() } else { Arc::new(run) }
    }

    /// Creates the entry of a heading: its number, its text, and the page number of the bookmark `name`.
    pub(crate) fn build_entry(
        &self,
        heading: &Paragraph,
        text: Vec<Inline>,
        name: Arc<str>,
        level: u8,
        options: &ContentsOptions,
        location: &Location,
    ) -> Paragraph {
        let mut properties = self.properties.clone();
        properties.bidi |= heading.properties.bidi;
        let direction = text.first().map_or_else(|| self.run.clone(), |inline| inline.run.clone());
        let mut inlines = Vec::with_capacity(text.len() + 4);
        let plain = |content| Inline { content, run: direction.clone(), link: None };
        let label =
            heading.label.as_ref().filter(|label| label.format != NumberFormat::Bullet && !label.text.is_empty());
        if let Some(label) = label {
            inlines.push(plain(Content::Text(label.text.clone())));
            match label.suffix {
                LabelSuffix::Tab => {
                    inlines.push(plain(Content::Tab));
                    self.add_label_tab(&mut properties, level);
                }
                LabelSuffix::Space => inlines.push(plain(Content::Text(" ".to_owned()))),
                LabelSuffix::Nothing => {}
            }
        }
        inlines.extend(text);
        if options.has_number(level) {
            match &options.separator {
                Some(separator) => inlines.push(plain(Content::Text(separator.clone()))),
                None => {
                    inlines.push(plain(Content::Tab));
                    self.add_number_tab(&mut properties);
                }
            }
            let field = ComputedField::PageReference {
                origin: FieldOrigin::default(),
                bookmark: name.clone(),
                format: FieldFormat::default(),
            };
            let run = self.run.clone();
            inlines.push(Inline { content: Content::Field { field, result: String::new() }, run, link: None });
        }
        if options.links {
            let link = Arc::new(Link::Bookmark(name.to_string()));
            inlines.iter_mut().for_each(|inline| inline.link = Some(link.clone()));
        }
        Paragraph {
            id: NodeId::default(),
            properties: Arc::new(properties),
            mark: self.run.clone(),
            label: None,
            inlines,
            location: location.clone(),
        }
    }

    /// Adds the tab stop after the number of a heading. Word adds such a stop to each entry, and moves it by 0.3 to 0.6
    /// inches for each level. Here the step is twice the font size.
    fn add_label_tab(&self, properties: &mut ParagraphProperties, level: u8) {
        let hangs = properties.indent.first_line < 0.0;
        if properties.tabs.iter().any(|tab| tab.kind == TabKind::Start) || (self.is_defined && hangs) {
            return;
        }
        let position = self.run.size * 2.0 * f32::from(level);
        add_tab(properties, TabStop { position, kind: TabKind::Start, leader: TabLeader::None });
    }

    /// Adds the tab stop before the page number, at the end of the text column. Word adds it if the style has no such stop.
    fn add_number_tab(&self, properties: &mut ParagraphProperties) {
        if !properties.tabs.iter().any(|tab| tab.kind == TabKind::End) {
            let position = (self.width - properties.indent.end).max(1.0);
            add_tab(properties, TabStop { position, kind: TabKind::End, leader: TabLeader::Dot });
        }
    }
}

/// The formatting that all text of a heading has, and that its style does not have.
#[derive(Clone, Copy)]
struct UniformFormat {
    bold: bool,
    italic: bool,
    color: bool,
    underline: bool,
}

fn add_tab(properties: &mut ParagraphProperties, stop: TabStop) {
    let at = properties.tabs.partition_point(|tab| tab.position <= stop.position);
    properties.tabs.insert(at, stop);
}

impl PartReader<'_, '_> {
    /// Returns the formatting that a paragraph style defines for its text.
    pub(crate) fn style_run(&mut self, style: Option<&str>) -> Arc<RunProperties> {
        let base = self.paragraph_base(style);
        self.run_properties(&base, None)
    }
}
