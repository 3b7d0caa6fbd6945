//! Numbering definitions (§17.9) and the counting of labels.

use std::collections::{HashMap, HashSet};

use super::values::{integer, parse_enum, toggle_value, twips};
use super::xml::{Element, Ns};
use crate::package::Relationship;
use crate::tree::{Justification, LabelSuffix, NumberFormat};

pub(crate) const LEVEL_COUNT: usize = 9;
/// The maximum number of characters of a label text, as in Word.
const MAX_LABEL_CHARACTERS: usize = 255;

#[derive(Default)]
pub(crate) struct Numbering<'p> {
    abstracts: HashMap<i64, AbstractNumbering<'p>>,
    instances: HashMap<i64, NumberingInstance<'p>>,
    /// The names of the parts with the pictures of bullets, by `w:numPicBulletId`.
    pub pictures: HashMap<i64, &'p str>,
}

#[derive(Default)]
struct AbstractNumbering<'p> {
    levels: [Option<NumberingLevel<'p>>; LEVEL_COUNT],
    /// The id of the numbering style that defines the levels (§17.9.21). `None`: `levels` contains the levels.
    style_link: Option<&'p str>,
}

struct NumberingInstance<'p> {
    abstract_id: i64,
    overrides: [LevelOverride<'p>; LEVEL_COUNT],
}

#[derive(Default)]
struct LevelOverride<'p> {
    start: Option<i64>,
    level: Option<NumberingLevel<'p>>,
}

/// One level of a numbering.
pub(crate) struct NumberingLevel<'p> {
    pub start: i64,
    pub format: LabelFormat,
    /// The text of the label. `%1` to `%9` are replaced with the numbers of the levels.
    pub text: String,
    pub suffix: LabelSuffix,
    pub alignment: Justification,
    /// The numbers of all levels are written in decimal (w:isLgl).
    pub legal: bool,
    /// The count of this level restarts after a paragraph of the level `restart`, counted from 1, or of a level above
    /// it. 0: the count never restarts. `None`: the count restarts after a paragraph of any level above this one.
    pub restart: Option<u8>,
    pub paragraph_style: Option<&'p str>,
    /// The `w:pPr` of the level, which formats the paragraphs.
    pub paragraph: Option<Element<'p>>,
    /// The `w:rPr` of the level, which formats the labels.
    pub run: Option<Element<'p>>,
    /// The position of the tab stop after the label, in points. `None`: the level specifies no tab stop.
    pub tab: Option<f32>,
    pub picture: Option<i64>,
}

/// The number format of a level: a named format, or digits padded to a width (`001, 002, 003, ...`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LabelFormat {
    Named(NumberFormat),
    Padded(usize),
}

impl LabelFormat {
    /// Returns the named format, or `Decimal` for padded digits.
    pub(crate) fn number_format(self) -> NumberFormat {
        match self {
            Self::Named(format) => format,
            Self::Padded(_) => NumberFormat::Decimal,
        }
    }

    fn format_number(self, value: i64, language: Option<&str>) -> String {
        match self {
            Self::Named(format) => format.format_number(value, language),
            Self::Padded(width) => format!("{value:0width$}"),
        }
    }
}

impl<'p> Numbering<'p> {
    /// Reads a `w:numbering`. Pictures of bullets are found through `relationships`.
    pub(crate) fn read(root: Element<'p>, relationships: &'p [Relationship]) -> Self {
        let mut numbering = Self::default();
        let internal = relationships.iter().filter(|known| !known.external);
        let targets: HashMap<_, _> = internal.map(|known| (known.id.as_str(), known.target.as_str())).collect();
        for element in root.children().filter(|child| child.ns() == Ns::W) {
            match element.name() {
                "abstractNum" => {
                    let Some(id) = element.word_attribute("abstractNumId").and_then(integer) else { continue };
                    let mut definition = AbstractNumbering {
                        style_link: element.child_val("numStyleLink"),
                        ..AbstractNumbering::default()
                    };
                    for level in element.children_with_name(Ns::W, "lvl") {
                        let index = level.word_attribute("ilvl").and_then(integer).unwrap_or(0);
                        let slot = usize::try_from(index).ok().and_then(|index| definition.levels.get_mut(index));
                        if let Some(slot) = slot {
                            *slot = Some(NumberingLevel::read(level));
                        }
                    }
                    numbering.abstracts.insert(id, definition);
                }
                "num" => {
                    let Some(id) = element.word_attribute("numId").and_then(integer) else { continue };
                    let Some(abstract_id) = element.child_val("abstractNumId").and_then(integer) else { continue };
                    numbering
                        .instances
                        .insert(id, NumberingInstance { abstract_id, overrides: read_overrides(element) });
                }
                "numPicBullet" => {
                    let Some(id) = element.word_attribute("numPicBulletId").and_then(integer) else { continue };
                    let data =
                        element.descendant(Ns::V, "imagedata").and_then(|image| image.relationship_attribute("id"));
                    let blip =
                        element.descendant(Ns::A, "blip").and_then(|image| image.relationship_attribute("embed"));
                    if let Some(target) = data.or(blip).and_then(|relationship| targets.get(relationship)) {
                        numbering.pictures.insert(id, target);
                    }
                }
                _ => {}
            }
        }
        numbering
    }

    /// Resolves links to numbering styles. `numbering_of` takes the id of a style, and returns the id of the numbering
    /// of that style.
    pub(crate) fn link_styles(&mut self, numbering_of: impl Fn(&str) -> Option<i64>) {
        let links: HashMap<i64, i64> = self
            .abstracts
            .iter()
            .filter_map(|(id, definition)| {
                let target = numbering_of(definition.style_link?)?;
                let target = self.instances.get(&target)?.abstract_id;
                // A link to a link or to itself is ignored.
                self.abstracts.get(&target)?.style_link.is_none().then_some((*id, target))
            })
            .collect();
        for instance in self.instances.values_mut() {
            if let Some(target) = links.get(&instance.abstract_id) {
                instance.abstract_id = *target;
            }
        }
    }

    /// Returns a level (from 0) of a numbering. Returns `None` if it is not defined, and for numbering 0, which means
    /// "no numbering".
    pub(crate) fn level(&self, id: i64, level: u8) -> Option<&NumberingLevel<'p>> {
        let instance = self.instances.get(&id).filter(|_| id != 0)?;
        if let Some(level) = instance.overrides.get(usize::from(level)).and_then(|over| over.level.as_ref()) {
            return Some(level);
        }
        self.abstracts.get(&instance.abstract_id)?.levels.get(usize::from(level))?.as_ref()
    }

    /// Returns the level (from 0) of the numbering that is linked to this paragraph style. Returns `None` if no level
    /// is linked to the style.
    pub(crate) fn level_of_style(&self, id: i64, style: &str) -> Option<u8> {
        (0..LEVEL_COUNT as u8)
            .find(|index| self.level(id, *index).is_some_and(|level| level.paragraph_style == Some(style)))
    }
}

fn read_overrides(element: Element<'_>) -> [LevelOverride<'_>; LEVEL_COUNT] {
    let mut overrides: [LevelOverride<'_>; LEVEL_COUNT] = Default::default();
    for over in element.children_with_name(Ns::W, "lvlOverride") {
        let index = over.word_attribute("ilvl").and_then(integer).and_then(|index| usize::try_from(index).ok());
        if let Some(slot) = index.and_then(|index| overrides.get_mut(index)) {
            slot.start = over.child_val("startOverride").and_then(integer);
            slot.level = over.child(Ns::W, "lvl").map(NumberingLevel::read);
        }
    }
    overrides
}

impl<'p> NumberingLevel<'p> {
    /// Returns the topmost level whose number occurs in the label text (§17.9.11). The top level is 0. Returns `None`
    /// if the text contains no number.
    pub(crate) fn first_number_level(&self) -> Option<u8> {
        let places = self.text.split('%').skip(1).filter_map(|after| after.chars().next()?.to_digit(10));
        places.filter(|place| *place >= 1).min().map(|place| (place - 1) as u8)
    }

    fn read(element: Element<'p>) -> Self {
        let child = |name| element.child(Ns::W, name);
        let format = child("numFmt").map_or(LabelFormat::Named(NumberFormat::Decimal), read_format);
        let tabs = child("pPr").and_then(|paragraph| paragraph.child(Ns::W, "tabs"));
        let stops = tabs
            .into_iter()
            .flat_map(|tabs| tabs.children_with_name(Ns::W, "tab"))
            .filter(|tab| tab.val() != Some("clear"));
        let bullet = format == LabelFormat::Named(NumberFormat::Bullet);
        Self {
            start: element.child_val("start").and_then(integer).unwrap_or(0).clamp(0, i64::from(i32::MAX)),
            format,
            // Word shows a soft hyphen in a label.
            text: element
                .child_val("lvlText")
                .unwrap_or("")
                .replace('\u{AD}', "-")
                .chars()
                .take(MAX_LABEL_CHARACTERS)
                .collect(),
            suffix: element.child_val("suff").and_then(parse_enum).unwrap_or_default(),
            alignment: element.child_val("lvlJc").and_then(parse_enum).unwrap_or_default(),
            legal: toggle_value(element, "isLgl").unwrap_or(false),
            restart: element.child_val("lvlRestart").and_then(integer).map(|level| level.clamp(0, 9) as u8),
            paragraph_style: element.child_val("pStyle"),
            paragraph: child("pPr"),
            run: child("rPr"),
            tab: stops.filter_map(|stop| twips(stop.word_attribute("pos")?)).next(),
            picture: element.child_val("lvlPicBulletId").and_then(integer).filter(|_| bullet),
        }
    }
}

/// Reads a `w:numFmt`, including the custom formats of Word 2010.
fn read_format(element: Element<'_>) -> LabelFormat {
    let name = element.val().unwrap_or("decimal");
    if name == "custom" {
        let first = element.word_attribute("format").and_then(|format| format.split(',').next()).unwrap_or("").trim();
        return LabelFormat::Padded(first.len().clamp(1, 8));
    }
    // Unknown formats are written in decimal.
    LabelFormat::Named(parse_enum(name).unwrap_or_default())
}

/// The current list numbers of one story: the body, the notes, a header or the text boxes.
#[derive(Debug, Default)]
pub(crate) struct ListCounters {
    /// The current numbers of all levels, by the id of the abstract numbering. All instances of an abstract numbering
    /// share these numbers. `None`: the next paragraph of the level gets the start number.
    counts: HashMap<i64, [Option<i64>; LEVEL_COUNT]>,
    /// The instances and levels whose start override was applied.
    started: HashSet<(i64, u8)>,
}

impl ListCounters {
    /// Counts a paragraph of this numbering and level, and returns the text of its label. Returns `None` if the level
    /// is not defined.
    pub(crate) fn next_label(
        &mut self,
        numbering: &Numbering<'_>,
        id: i64,
        level: u8,
        language: Option<&str>,
    ) -> Option<String> {
        let instance = numbering.instances.get(&id).filter(|_| id != 0)?;
        let definition = numbering.level(id, level)?;
        let counts = self.counts.entry(instance.abstract_id).or_default();
        let start_of = |index: u8| {
            let over = instance.overrides.get(usize::from(index)).and_then(|over| over.start);
            over.or_else(|| numbering.level(id, index).map(|level| level.start)).unwrap_or(1)
        };
        // A start override restarts the count once, at the first paragraph of the instance.
        let overridden = instance.overrides.get(usize::from(level)).is_some_and(|over| over.start.is_some());
        let restarted = overridden && self.started.insert((id, level));
        let count = counts.get_mut(usize::from(level))?;
        *count = Some(match *count {
            Some(count) if !restarted => count.saturating_add(1),
            _ => start_of(level),
        });
        // A skipped level counts as started. For example, the labels 1 and 1.1.1 are followed by 1.2.
        for index in 0..level {
            if let Some(count) = counts.get_mut(usize::from(index)) {
                count.get_or_insert_with(|| start_of(index));
            }
        }
        restart_deeper(numbering, id, level, counts);
        let value = |index: u8| counts.get(usize::from(index)).copied().flatten().unwrap_or_else(|| start_of(index));
        Some(label_text(
            definition,
            level,
            value,
            |index| numbering.level(id, index).map(|level| level.format),
            language,
        ))
    }
}

/// Restarts the levels below `level`, except those that `w:lvlRestart` excludes (§17.9.10).
fn restart_deeper(numbering: &Numbering<'_>, id: i64, level: u8, counts: &mut [Option<i64>; LEVEL_COUNT]) {
    for (index, count) in counts.iter_mut().enumerate().skip(usize::from(level) + 1) {
        let restarts = match numbering.level(id, index as u8).and_then(|deeper| deeper.restart) {
            Some(0) => false,
            Some(after) if usize::from(after) <= index => level < after,
            _ => true,
        };
        if restarts {
            *count = None;
        }
    }
}

/// Replaces `%1` to `%9` in a level text with numbers.
fn label_text(
    definition: &NumberingLevel<'_>,
    level: u8,
    value: impl Fn(u8) -> i64,
    format: impl Fn(u8) -> Option<LabelFormat>,
    language: Option<&str>,
) -> String {
    let mut text = String::with_capacity(definition.text.len() + 4);
    let mut characters = definition.text.chars().peekable();
    while let Some(character) = characters.next() {
        let place = if character == '%' { characters.peek().and_then(|next| next.to_digit(10)) } else { None };
        let Some(place @ 1..=9) = place else {
            text.push(character);
            continue;
        };
        characters.next();
        let index = (place - 1) as u8;
        if index > level {
            continue;
        }
        let decimal = LabelFormat::Named(NumberFormat::Decimal);
        let format = match format(index).unwrap_or(decimal) {
            // Legal numbering writes all numbers in decimal, but keeps leading zeros.
            LabelFormat::Named(name) if definition.legal && name != NumberFormat::DecimalZero => decimal,
            format => format,
        };
        text.push_str(&format.format_number(value(index), language));
    }
    text
}
