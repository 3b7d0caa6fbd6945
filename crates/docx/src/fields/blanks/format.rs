//! The formatting that matters for blanks: underlines, highlights, placeholder styles, symbol fonts, tab leaders and
//! headings. Styles are resolved along their chains, without the rest of the cascade.

use std::collections::HashMap;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use waraq_graphics::xml::values::{integer, on_off};

use crate::fields::scan::{ScannedParagraph, ScannedRun};
use crate::package::attribute;
use crate::package::xml::for_each_tag;
use crate::{Meter, Package, Result};

/// The deepest outline level (from 0) that counts as a heading.
const MAX_HEADING_LEVEL: i64 = 2;
/// The maximum length of a chain of styles.
const MAX_STYLE_CHAIN: usize = 12;
/// The fonts whose letters are drawn as symbols.
const SYMBOL_FONTS: [&str; 4] = ["wingdings", "webdings", "zapfdingbats", "symbol"];
/// The fills of shaded text that count as a highlight.
const HIGHLIGHT_FILLS: [&str; 12] = [
    "FFFF00", "FFFF99", "FFFFCC", "FFFF66", "FFF200", "00FF00", "00FFFF", "FFC000", "FFE599", "FFF2CC", "FFD966",
    "FFEB9C",
];

/// The formatting of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RunFormat {
    pub underlined: bool,
    pub highlighted: bool,
    /// The run has the style *Placeholder Text*.
    pub placeholder: bool,
    /// The letters of the run are symbols.
    pub symbols: bool,
    /// The run is not shown (w:vanish).
    pub hidden: bool,
    pub bold: bool,
}

/// The formatting of a paragraph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ParagraphFormat {
    pub is_heading: bool,
    /// The paragraph is an entry of a table of contents or of an index.
    pub is_contents: bool,
    /// For each tab stop in the order of positions, `true` if the tab is drawn as a line or as dots.
    pub leaders: Vec<bool>,
}

/// A style of the document.
#[derive(Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline_level: Option<i64>,
    /// The tab stops: position, and `true` if the tab is drawn. `None` removes the tab stop at the position.
    tabs: Vec<(i64, Option<bool>)>,
    underlined: Option<bool>,
    highlighted: bool,
    bold: bool,
}

/// The styles of a document, by id.
#[derive(Debug, Default)]
pub(super) struct StyleTable {
    styles: HashMap<String, Style>,
}

impl StyleTable {
    /// Reads the styles. A document without a style part has no styles.
    ///
    /// # Errors
    /// The errors of [`Meter::outcome`]. Malformed styles are ignored from the first error on.
    pub(super) fn read(package: &Package) -> Result<Self> {
        let mut table = Self::default();
        let Some(part) = package.related_parts(package.main_part(), "styles").next() else { return Ok(table) };
        let text = package.part_text(part).unwrap_or_default();
        let mut open: Option<(String, Style)> = None;
        let read = for_each_tag(part, text, package.meter(), |tag| {
            let value = || attribute(tag, "val");
            let local = tag.local_name();
            if local.as_ref() == "style" {
                if let Some((id, style)) = open.take() {
                    table.styles.insert(id, style);
                }
                open = attribute(tag, "styleId").map(|id| (id, Style::default()));
                return Ok(());
            }
            let Some((_, style)) = &mut open else { return Ok(()) };
            match local.as_ref() {
                "name" => style.name = value().unwrap_or_default().to_lowercase(),
                "basedOn" => style.based_on = value(),
                "outlineLvl" => style.outline_level = value().and_then(|level| integer(&level)),
                "tab" => style.tabs.extend(tab_stop(tag)),
                "u" => style.underlined = Some(is_underline(value().as_deref())),
                "highlight" => style.highlighted |= is_highlight(value().as_deref()),
                "b" => style.bold = on_off(value().as_deref()),
                _ => {}
            }
            Ok(())
        });
        if read.is_err() {
            package.meter().outcome()?;
        }
        if let Some((id, style)) = open.take() {
            table.styles.insert(id, style);
        }
        Ok(table)
    }

    /// Returns a style and the styles that it is based on.
    fn chain<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s Style> {
        let first = self.styles.get(id);
        let next = |style: &&'s Style| self.styles.get(style.based_on.as_deref()?);
        std::iter::successors(first, next).take(MAX_STYLE_CHAIN)
    }
}

/// Reads the formatting of runs and paragraphs of one part. Equal properties are read once.
pub(super) struct Formats<'s> {
    source: &'s str,
    styles: &'s StyleTable,
    meter: &'s Meter,
    runs: HashMap<&'s str, RunFormat>,
    paragraphs: HashMap<&'s str, ParagraphFormat>,
}

impl<'s> Formats<'s> {
    pub(super) fn new(source: &'s str, styles: &'s StyleTable, meter: &'s Meter) -> Self {
        Self { source, styles, meter, runs: HashMap::new(), paragraphs: HashMap::new() }
    }

    /// Returns the formatting of a run.
    pub(super) fn run(&mut self, run: &ScannedRun) -> RunFormat {
        let source = self.source;
        let markup = run.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
        if markup.is_empty() {
            return RunFormat::default();
        }
        if let Some(known) = self.runs.get(markup) {
            return *known;
        }
        self.meter.spend(markup.len() / 8 + 1);
        let format = self.read_run(markup);
        self.runs.insert(markup, format);
        format
    }

    fn read_run(&self, markup: &str) -> RunFormat {
        let mut format = RunFormat::default();
        let mut underline = None;
        for_each_property(markup, |local, tag, _| {
            let value = attribute(tag, "val");
            match local {
                "u" => underline = Some(is_underline(value.as_deref())),
                "highlight" => format.highlighted |= is_highlight(value.as_deref()),
                "shd" => format.highlighted |= is_highlight_fill(tag),
                "vanish" => format.hidden = on_off(value.as_deref()),
                "b" => format.bold = on_off(value.as_deref()),
                "rFonts" => {
                    let font = attribute(tag, "ascii").or_else(|| attribute(tag, "hAnsi")).unwrap_or_default();
                    let font = font.to_lowercase();
                    format.symbols = SYMBOL_FONTS.iter().any(|known| font.starts_with(known));
                }
                "rStyle" => {
                    for style in self.styles.chain(value.as_deref().unwrap_or_default()) {
                        format.placeholder |= style.name == "placeholder text";
                        format.highlighted |= style.highlighted;
                        underline = underline.or(style.underlined);
                    }
                }
                _ => {}
            }
        });
        format.underlined = underline.unwrap_or(false);
        format
    }

    /// Returns the formatting of a paragraph.
    pub(super) fn paragraph(&mut self, paragraph: &ScannedParagraph) -> ParagraphFormat {
        let source = self.source;
        let markup = paragraph.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
        if markup.is_empty() {
            return ParagraphFormat::default();
        }
        if let Some(known) = self.paragraphs.get(markup) {
            return known.clone();
        }
        self.meter.spend(markup.len() / 8 + 1);
        let format = self.read_paragraph(markup);
        self.paragraphs.insert(markup, format.clone());
        format
    }

    fn read_paragraph(&self, markup: &str) -> ParagraphFormat {
        let mut format = ParagraphFormat::default();
        let (mut level, mut tabs, mut style_id) = (None, Vec::new(), None);
        for_each_property(markup, |local, tag, _| match local {
            "pStyle" => style_id = attribute(tag, "val"),
            "outlineLvl" => level = attribute(tag, "val").and_then(|level| integer(&level)),
            "tab" => tabs.extend(tab_stop(tag)),
            _ => {}
        });
        let chain: Vec<&Style> = style_id.iter().flat_map(|id| self.styles.chain(id)).collect();
        let level = level.or_else(|| chain.iter().find_map(|style| style.outline_level));
        format.is_heading = level.is_some_and(|level| level <= MAX_HEADING_LEVEL)
            || chain.iter().any(|style| style.name == "title" || style.name.starts_with("heading "));
        format.is_contents = chain
            .iter()
            .any(|style| ["toc ", "index ", "table of figures"].iter().any(|name| style.name.starts_with(name)));
        // Tab stops of the paragraph take precedence over those of its style, and those over the styles below.
        let mut stops: Vec<(i64, Option<bool>)> = tabs;
        for (position, leader) in chain.iter().flat_map(|style| style.tabs.iter().copied()) {
            if stops.len() < 64 && !stops.iter().any(|(known, _)| *known == position) {
                stops.push((position, leader));
            }
        }
        stops.sort_by_key(|(position, _)| *position);
        format.leaders = stops.into_iter().filter_map(|(_, leader)| leader).collect();
        format
    }
}

/// Returns the position of a tab stop, and `true` if the tab is drawn. The second value is `None` for a removed tab stop.
/// Returns `None` for a `w:tab` without a position, which is a tab character.
fn tab_stop(tag: &BytesStart<'_>) -> Option<(i64, Option<bool>)> {
    let position = integer(&attribute(tag, "pos")?)?;
    if attribute(tag, "val").as_deref() == Some("clear") {
        return Some((position, None));
    }
    let leader = attribute(tag, "leader");
    Some((position, Some(leader.is_some_and(|leader| leader != "none"))))
}

fn is_underline(value: Option<&str>) -> bool {
    value.is_none_or(|value| value != "none")
}

fn is_highlight(value: Option<&str>) -> bool {
    value.is_some_and(|value| !matches!(value, "none" | "white" | "black"))
}

fn is_highlight_fill(tag: &BytesStart<'_>) -> bool {
    attribute(tag, "fill").is_some_and(|fill| HIGHLIGHT_FILLS.contains(&fill.to_ascii_uppercase().as_str()))
}

/// Calls `visit` for the elements in properties (`w:rPr`, `w:pPr`), also for those of inner lists such as `w:tabs`. Elements
/// in `w:rPrChange`, `w:pPrChange` and the properties of the paragraph mark are left out. The arguments are the local name,
/// the start tag and the byte range of the start tag in `markup`.
pub(super) fn for_each_property(markup: &str, mut visit: impl FnMut(&str, &BytesStart<'_>, Range<usize>)) {
    let mut reader = Reader::from_str(markup);
    let (mut depth, mut skipped_depth) = (0_usize, None);
    loop {
        let start = reader.buffer_position() as usize;
        let Ok(event) = reader.read_event() else { return };
        let range = start..reader.buffer_position() as usize;
        match event {
            Event::Start(tag) => {
                depth += 1;
                let local = tag.local_name();
                let local = local.as_ref();
                if depth > 1 && matches!(local, "rPrChange" | "pPrChange" | "rPr") {
                    skipped_depth = skipped_depth.or(Some(depth));
                } else if depth > 1 && skipped_depth.is_none() {
                    visit(local, &tag, range);
                }
            }
            Event::Empty(tag) if depth > 0 && skipped_depth.is_none() => {
                visit(tag.local_name().as_ref(), &tag, range);
            }
            Event::End(_) => {
                if skipped_depth == Some(depth) {
                    skipped_depth = None;
                }
                depth = depth.saturating_sub(1);
            }
            Event::Eof => return,
            _ => {}
        }
    }
}

/// Returns the byte ranges in `markup` (a `w:rPr`) of the elements that show the run as a blank: its highlight and its
/// placeholder style. With `symbols`, the symbol font of a check box is included.
pub(super) fn emphasis_ranges(markup: &str, format: RunFormat, symbols: bool) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for_each_property(markup, |local, tag, range| {
        let is_removed = match local {
            "highlight" => format.highlighted,
            "shd" => is_highlight_fill(tag),
            "rStyle" => format.placeholder,
            "rFonts" => symbols && format.symbols,
            _ => false,
        };
        if !is_removed {
            return;
        }
        // Other writers may close the element with an end tag of its own. An element with content stays.
        let is_empty = markup.get(range.clone()).is_some_and(|tag| tag.ends_with("/>"));
        let rest = markup.get(range.end..).unwrap_or_default();
        if is_empty {
            ranges.push(range);
        } else if rest.trim_ascii_start().starts_with("</")
            && let Some(length) = rest.find('>')
        {
            ranges.push(range.start..range.end + length + 1);
        }
    });
    ranges
}
