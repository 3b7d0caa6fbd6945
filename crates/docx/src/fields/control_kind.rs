//! The kinds of content controls (§17.5.2), and the text that a control shows for a value.

use serde::Serialize;
use waraq_rules::derivation::{TemplateLocale, parse_date_time};
use waraq_rules::format::{Calendar, DefaultPicture, FieldFormat, Locale};
use waraq_rules::parse_yes_no;

/// The language of the date in a date control that specifies no language (w:lid).
const DEFAULT_LANGUAGE: &str = "en-US";
/// The maximum number of choices that a control offers in the form.
const MAX_CHOICES: usize = 50;
/// The maximum number of characters of a choice that the form offers.
const MAX_CHOICE_CHARACTERS: usize = 200;

/// The kind of a content control and the settings of that kind.
#[derive(Debug, Default)]
pub(super) enum ControlKind {
    /// Formatted text. Word also uses this kind if the properties name no kind.
    #[default]
    RichText,
    /// Text with one formatting (w:text). `multiline` is `true` if the text may contain line breaks.
    PlainText { multiline: bool },
    /// A date picker (w:date).
    Date(DateControl),
    /// A drop-down list (w:dropDownList) or a combo box (w:comboBox) with its entries.
    List(Vec<ListEntry>),
    /// A check box (w14:checkbox).
    CheckBox(Box<CheckBox>),
    /// A control that a value cannot fill, such as a picture. The text names the kind, for the message of a diagnostic.
    NotFillable(&'static str),
}

/// The settings of a date picker (§17.5.2.7).
#[derive(Debug, Default)]
pub(super) struct DateControl {
    /// The date picture (w:dateFormat), such as `d MMMM yyyy`. `None`: the short date of the language is shown.
    pub picture: Option<String>,
    /// The language of the date (w:lid), a BCP 47 tag.
    pub language: Option<String>,
    pub calendar: Calendar,
}

/// An entry of a list (w:listItem, §17.5.2.21).
#[derive(Debug)]
pub(super) struct ListEntry {
    /// The text that the document shows. An entry without a display text shows its stored value.
    display_text: String,
    value: String,
    /// The entry has a display text (w:displayText).
    has_display_text: bool,
    /// The entry is not a choice but a prompt, such as “Choose an item.”.
    is_prompt: bool,
}

impl ListEntry {
    /// Creates an entry from the attributes of a `w:listItem`. Returns `None` if it has neither text nor value.
    pub(super) fn new(display_text: Option<String>, value: Option<String>) -> Option<Self> {
        let has_display_text = display_text.is_some();
        let is_prompt = value.as_deref().is_some_and(|value| value.trim().is_empty());
        let display_text = display_text.or_else(|| value.clone())?;
        let value = value.unwrap_or_else(|| display_text.clone());
        Some(Self { display_text, value, has_display_text, is_prompt })
    }

    /// Returns the memory of the entry in bytes.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.display_text.len() + self.value.len()
    }
}

/// Adds an entry to a list. In older versions of Word, the first entry is the prompt if it has no display text and the
/// other entries have one. Such a first entry is marked as a prompt.
pub(super) fn add_entry(entries: &mut Vec<ListEntry>, entry: ListEntry) {
    if let [first] = entries.as_mut_slice()
        && entry.has_display_text
        && !first.has_display_text
    {
        first.is_prompt = true;
    }
    entries.push(entry);
}

/// The symbols of a check box (w14:checkbox).
#[derive(Debug)]
pub(super) struct CheckBox {
    /// The symbol of a checked box (w14:checkedState).
    pub checked: Symbol,
    /// The symbol of an empty box (w14:uncheckedState).
    pub unchecked: Symbol,
}

impl Default for CheckBox {
    fn default() -> Self {
        let symbol = |character| Symbol { character, font: None };
        Self { checked: symbol('☒'), unchecked: symbol('☐') }
    }
}

/// A character of a font.
#[derive(Debug)]
pub(super) struct Symbol {
    pub character: char,
    /// The font of the character. `None`: the font of the run is used.
    pub font: Option<String>,
}

impl Symbol {
    /// Creates a symbol from a hexadecimal code and a font. Returns `None` if the code is not a visible character.
    pub(super) fn new(code: &str, font: Option<String>) -> Option<Self> {
        let font = font.filter(|font| !font.is_empty());
        let code = u32::from_str_radix(code, 16).ok()?;
        // Word writes the characters of a symbol font into the private use area from U+F000 on (§17.3.3.30).
        let is_symbol_font = font.as_deref().is_some_and(|font| font == "Symbol" || font.starts_with("Wingdings"));
        let code = if is_symbol_font && code <= 0xFF { 0xF000 + code } else { code };
        let character = char::from_u32(code).filter(|character| !character.is_control())?;
        Some(Self { character, font }).filter(|_| waraq_rules::is_xml_character(character))
    }
}

/// The input that a content control asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlInput {
    /// A date.
    Date,
    /// A text of several lines.
    LongText,
    /// One of these texts, or another text.
    Choice(Vec<String>),
    /// Yes or no, for a check box.
    YesNo,
}

/// The description of a picture control (w:picture), for the message of a diagnostic.
pub(super) const PICTURE_CONTROL: &str = "a picture";

impl ControlKind {
    /// Returns `true` if the control contains a picture (w:picture).
    pub(super) fn is_picture(&self) -> bool {
        matches!(self, Self::NotFillable(PICTURE_CONTROL))
    }

    /// Returns the text that the control shows for `value`. A value that does not fit the control is returned
    /// unchanged. For a check box, [`CheckBox::symbol`] returns the symbol that is shown instead of a text.
    pub(super) fn shown_text(&self, value: String) -> String {
        match self {
            Self::Date(date) => date.shown_text(&value).unwrap_or(value),
            Self::List(entries) => shown_entry(entries, &value).map(str::to_owned).unwrap_or(value),
            _ => value,
        }
    }

    /// Returns the text that is written to the data of a bound control for `value`. Returns `None` if values of this
    /// kind of control are not written to data.
    pub(super) fn stored_text(&self, value: String) -> Option<String> {
        match self {
            Self::PlainText { .. } => Some(value),
            Self::List(entries) => {
                let shown = shown_entry(entries, &value);
                let entry = shown.and_then(|shown| entries.iter().find(|entry| entry.display_text == shown));
                Some(entry.map_or(value, |entry| entry.value.clone()))
            }
            Self::Date(date) => {
                let time = date.parse(&value).map(|time| time.strftime("%Y-%m-%dT%H:%M:%S").to_string());
                Some(time.unwrap_or(value))
            }
            _ => None,
        }
    }

    /// Returns `true` if the control shows changed data as [`Self::shown_text`] returns it.
    pub(super) fn shows_data(&self) -> bool {
        matches!(self, Self::PlainText { .. } | Self::List(_) | Self::Date(_))
    }

    /// Returns the input for the form. Returns `None` if the control accepts any text.
    pub(super) fn input(&self) -> Option<ControlInput> {
        match self {
            Self::Date(_) => Some(ControlInput::Date),
            Self::PlainText { multiline: true } => Some(ControlInput::LongText),
            Self::List(entries) => Some(ControlInput::Choice(choices(entries))),
            Self::CheckBox(_) => Some(ControlInput::YesNo),
            Self::RichText | Self::PlainText { .. } | Self::NotFillable(_) => None,
        }
    }
}

impl DateControl {
    /// Returns the date in the picture and language of the control. Returns `None` if `value` is not a date.
    fn shown_text(&self, value: &str) -> Option<String> {
        let date = self.parse(value)?;
        let format =
            FieldFormat { date_picture: self.picture.clone(), calendar: self.calendar, ..FieldFormat::default() };
        Some(format.format_date(date, DefaultPicture::Date, Locale { tag: self.language_tag(), country: None }))
    }

    fn parse(&self, value: &str) -> Option<jiff::civil::DateTime> {
        let mut subtags = self.language_tag().split(['-', '_']);
        let language = subtags.next().unwrap_or_default();
        let country = subtags.find(|subtag| subtag.len() == 2);
        parse_date_time(value, &TemplateLocale { language, country }).ok()
    }

    fn language_tag(&self) -> &str {
        self.language.as_deref().unwrap_or(DEFAULT_LANGUAGE)
    }
}

/// Returns the text that a list shows for `value`, which is a display text or a stored value of the list. Exact matches
/// take precedence over matches in different case.
fn shown_entry<'e>(entries: &'e [ListEntry], value: &str) -> Option<&'e str> {
    let value = value.trim();
    let lowercase = value.to_lowercase();
    let is_choice = |entry: &&ListEntry| !entry.is_prompt;
    let find = |is_match: &dyn Fn(&ListEntry) -> bool| entries.iter().filter(is_choice).find(|entry| is_match(entry));
    find(&|entry| entry.display_text.trim() == value)
        .or_else(|| find(&|entry| entry.value == value))
        .or_else(|| find(&|entry| entry.display_text.trim().to_lowercase() == lowercase))
        .map(|entry| entry.display_text.as_str())
}

/// Returns the display texts that the form offers: unique, without the prompt.
fn choices(entries: &[ListEntry]) -> Vec<String> {
    let mut choices: Vec<String> = Vec::new();
    for entry in entries.iter().filter(|entry| !entry.is_prompt) {
        let choice = entry.display_text.trim();
        let is_short = choice.chars().nth(MAX_CHOICE_CHARACTERS).is_none();
        if choices.len() < MAX_CHOICES && is_short && !choice.is_empty() && !choices.iter().any(|known| known == choice)
        {
            choices.push(choice.to_owned());
        }
    }
    choices
}

impl CheckBox {
    /// Returns the symbol for `value`. An empty value leaves the box empty. Returns `None` if the value is neither yes
    /// nor no.
    pub(super) fn symbol(&self, value: &str) -> Option<&Symbol> {
        parse_yes_no(value).map(|checked| if checked { &self.checked } else { &self.unchecked })
    }
}
