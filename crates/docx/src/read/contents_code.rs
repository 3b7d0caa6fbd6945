//! Switches of TOC fields (§17.16.5.68).

use std::ops::RangeInclusive;

use super::field_code::FieldCode;
use super::style_names::named_styles;
use super::styles::Styles;
use crate::tree::ParagraphProperties;

/// All levels of headings.
const ALL_LEVELS: RangeInclusive<u8> = 1..=9;

/// The switches of a TOC field. Levels are from 1 to 9.
#[derive(Debug, PartialEq)]
pub(crate) struct ContentsOptions {
    /// The levels of the built-in heading styles that are listed (\o). `None`: these styles are not listed.
    heading_levels: Option<RangeInclusive<u8>>,
    /// Paragraphs with an outline level are listed (\u).
    outline_levels: bool,
    /// Other paragraph styles that are listed, by name, with their levels (\t).
    styles: Vec<(String, u8)>,
    /// The identifier of the SEQ fields whose paragraphs are listed, in lower case (\c). `None`: no captions are listed.
    pub sequence: Option<String>,
    /// The name of the bookmark that contains the listed paragraphs (\b). `None`: the whole document.
    pub bookmark: Option<String>,
    /// Entries are links to their headings (\h).
    pub links: bool,
    /// The levels whose entries have no page number (\n). `None`: all entries have one.
    without_numbers: Option<RangeInclusive<u8>>,
    /// The text between the heading and the page number (\p). `None`: a tab.
    pub separator: Option<String>,
    /// Tabs of headings are kept (\w). If `false`, they become spaces.
    pub keeps_tabs: bool,
    /// Line breaks of headings are kept (\x). If `false`, they become spaces.
    pub keeps_breaks: bool,
}

impl ContentsOptions {
    /// Parses the switches of a TOC field. Returns `None` if a switch is not supported: TC fields (\f, \l), captions without
    /// labels (\a), and numbers of other sequences before the page numbers (\s, \d).
    pub(crate) fn parse(code: &FieldCode, styles: &Styles<'_>) -> Option<Self> {
        if ['f', 'l', 'a', 's', 'd'].into_iter().any(|letter| code.has_switch(letter)) {
            return None;
        }
        let levels =
            |letter| code.has_switch(letter).then(|| code.switch_value(letter).map_or(ALL_LEVELS, parse_levels));
        let named = code.switch_value('t').map(|list| parse_styles(list, styles)).unwrap_or_default();
        let sequence = code.switch_value('c').map(|name| name.trim().to_lowercase());
        let is_default = !['o', 'u', 't', 'c'].into_iter().any(|letter| code.has_switch(letter));
        Some(Self {
            heading_levels: if is_default { Some(ALL_LEVELS) } else { levels('o') },
            outline_levels: code.has_switch('u'),
            styles: named,
            sequence,
            bookmark: code.switch_value('b').map(str::to_owned),
            links: code.has_switch('h'),
            without_numbers: levels('n'),
            separator: code.switch_value('p').map(str::to_owned),
            keeps_tabs: code.has_switch('w'),
            keeps_breaks: code.has_switch('x'),
        })
    }

    /// Returns the level of the entry for a paragraph with these properties. Returns `None` if the paragraph is not listed.
    pub(crate) fn level_of(&self, properties: &ParagraphProperties) -> Option<u8> {
        let name = properties.style_name.as_deref().unwrap_or_default().to_lowercase();
        let is_named = |style: &&(String, u8)| style.0 == name;
        if let Some((_, level)) = self.styles.iter().find(is_named) {
            return Some(*level);
        }
        let heading =
            heading_level(&name).filter(|level| self.heading_levels.as_ref().is_some_and(|all| all.contains(level)));
        let outline = properties
            .outline_level
            .map(|level| level.saturating_add(1))
            .filter(|level| self.outline_levels && self.heading_levels.as_ref().unwrap_or(&ALL_LEVELS).contains(level));
        heading.or(outline)
    }

    /// Returns `true` if entries of this level have a page number.
    pub(crate) fn has_number(&self, level: u8) -> bool {
        !self.without_numbers.as_ref().is_some_and(|levels| levels.contains(&level))
    }
}

/// Returns the level of a built-in heading style from its name in lower case: 2 for "heading 2" and for "heading 2,chapter".
fn heading_level(name: &str) -> Option<u8> {
    let name = name.split(',').next().unwrap_or_default();
    name.strip_prefix("heading ")?.trim().parse().ok().filter(|level| ALL_LEVELS.contains(level))
}

/// Parses a range of levels such as `1-3` or `2`. Anything else gives all levels.
fn parse_levels(text: &str) -> RangeInclusive<u8> {
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) => first..=last,
        _ => ALL_LEVELS,
    }
}

/// Parses a list of style names and levels such as `Chapter,1,Part,2`. The separator is a comma or a semicolon,
/// depending on the language of Word. Returns the names of the paragraph styles in lower case.
fn parse_styles(list: &str, styles: &Styles<'_>) -> Vec<(String, u8)> {
    let parts: Vec<&str> = list.split([',', ';']).map(str::trim).collect();
    let named = |pair: &[&str]| {
        let (name, level) = (pair.first()?, pair.get(1).and_then(|level| level.parse().ok()).unwrap_or(1));
        let name = named_styles(styles, name)?.paragraph?;
        Some((name.to_lowercase(), level)).filter(|(_, level)| ALL_LEVELS.contains(level))
    };
    parts.chunks(2).filter_map(named).collect()
}
