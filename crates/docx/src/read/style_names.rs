//! Names of styles as authors write them in field codes: the name in any letter case, the id, an alias, the number of a heading
//! level, or the name that Word shows in another language.

use std::sync::Arc;

use super::field_code::FieldCode;
use super::part_reader::PartReader;
use super::styles::{Style, StyleKind, Styles};
use crate::tree::{NodeId, NumberContext, StyleReference};

/// The styles that a name in a field code refers to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct NamedStyles {
    /// The name of the paragraph style. `None`: the name refers to a character style only.
    pub paragraph: Option<Arc<str>>,
    /// The name of the character style. In a paragraph style, this is the linked style (w:link), if there is one.
    pub character: Option<Arc<str>>,
}

/// The first word of the names "heading 1" to "heading 9" in Word's interface languages, in lower case.
const HEADING_WORDS: [&str; 30] = [
    "heading",
    "titre",
    "überschrift",
    "العنوان",
    "عنوان",
    "título",
    "titulo",
    "titolo",
    "kop",
    "başlık",
    "כותרת",
    "заголовок",
    "nagłówek",
    "rubrik",
    "overskrift",
    "otsikko",
    "nadpis",
    "címsor",
    "titlu",
    "επικεφαλίδα",
    "naslov",
    "virsraksts",
    "antraštė",
    "títol",
    "見出し",
    "标题",
    "標題",
    "제목",
    "शीर्षक",
    "tiêu đề",
];

/// The names of other built-in styles in lower case. Each entry is the name that files contain, and the names that Word
/// shows in other languages.
const LOCALIZED_NAMES: [(&str, &[&str]); 5] = [
    ("title", &["titre", "titel", "العنوان", "título", "titolo", "konu başlığı", "כותרת טקסט", "название", "tytuł"]),
    ("subtitle", &["sous-titre", "untertitel", "العنوان الفرعي", "عنوان فرعي", "subtítulo", "sottotitolo", "altyazı"]),
    ("caption", &["légende", "beschriftung", "تسمية توضيحية", "epígrafe", "didascalia", "legenda", "descripción"]),
    ("normal", &["standard", "عادي", "normale", "standaard", "обычный"]),
    ("quote", &["citation", "zitat", "اقتباس", "cita", "citazione", "citação"]),
];

/// Returns the styles that `name` refers to. Returns `None` if the document has no such style.
pub(crate) fn named_styles(styles: &Styles<'_>, name: &str) -> Option<NamedStyles> {
    let name = name.trim().to_lowercase();
    let english = english_name(&name);
    let style = find(styles, &name).or_else(|| find(styles, &english?))?;
    if style.kind == StyleKind::Character {
        return Some(NamedStyles { paragraph: None, character: Some(style.name.clone()) });
    }
    let linked = style.element.child_val("link").and_then(|id| styles.style_with_id(id));
    let linked = linked.filter(|linked| linked.kind == StyleKind::Character).map(|linked| linked.name.clone());
    Some(NamedStyles { paragraph: Some(style.name.clone()), character: linked })
}

/// Returns the paragraph or character style with this name, alias or id in lower case. A name has precedence over an alias, and
/// an alias over an id.
fn find<'s, 'p>(styles: &'s Styles<'p>, name: &str) -> Option<&'s Style<'p>> {
    let is_alias = |style: &Style<'_>| {
        let aliases = style.element.child_val("aliases").unwrap_or("");
        aliases.split([',', ';']).any(|alias| alias.trim().to_lowercase() == name)
    };
    // Word writes the aliases of a built-in style into its name: "heading 1,Chapter".
    let is_name = |style: &Style<'_>| {
        style.name.to_lowercase() == name || style.name.split(',').any(|part| part.trim().to_lowercase() == name)
    };
    let of_text = || styles.all().filter(|style| matches!(style.kind, StyleKind::Paragraph | StyleKind::Character));
    of_text()
        .find(|style| is_name(style))
        .or_else(|| of_text().find(|style| is_alias(style)))
        .or_else(|| of_text().find(|style| style.id.to_lowercase() == name))
}

/// Returns the name that files contain for a built-in style: "heading 1" for "1", "Überschrift 1" and "العنوان 1". `name` is in
/// lower case. Returns `None` if the name is not known.
fn english_name(name: &str) -> Option<String> {
    let (word, level) = match name.char_indices().last()? {
        (at, digit) if digit.is_numeric() => (name.get(..at)?.trim_end(), digit_value(digit)),
        _ => (name, None),
    };
    if let Some(level) = level.filter(|level| (1..=9).contains(level))
        && (word.is_empty() || HEADING_WORDS.contains(&word))
    {
        return Some(format!("heading {level}"));
    }
    let (english, _) = LOCALIZED_NAMES.iter().find(|(_, names)| names.contains(&name))?;
    Some((*english).to_owned())
}

/// Returns the value of a European, Arabic or Persian digit.
fn digit_value(digit: char) -> Option<u32> {
    let from = |zero: char| u32::from(digit).checked_sub(u32::from(zero)).filter(|value| *value <= 9);
    ['0', '٠', '۰'].into_iter().find_map(from)
}

impl PartReader<'_, '_> {
    /// Parses a STYLEREF field. Returns `None` if the document has no style with the name in the field.
    pub(crate) fn style_reference(&self, code: &FieldCode) -> Option<StyleReference> {
        let styles = &self.shared.styles;
        self.charge(styles.all().count(), 0).then(|| style_reference(styles, code))?
    }
}

fn style_reference(styles: &Styles<'_>, code: &FieldCode) -> Option<StyleReference> {
    let whole = code.arguments.join(" ");
    let named = named_styles(styles, code.first_argument()?).or_else(|| named_styles(styles, &whole))?;
    let levels = [('w', NumberContext::Full), ('r', NumberContext::Relative), ('n', NumberContext::Own)];
    Some(StyleReference {
        id: NodeId::default(),
        paragraph_style: named.paragraph,
        character_style: named.character,
        last_on_page: code.has_switch('l'),
        number: levels.into_iter().find(|(letter, _)| code.has_switch(*letter)).map(|(_, context)| context),
        digits_only: code.has_switch('t'),
        with_position: code.has_switch('p'),
        format: code.format(),
    })
}
