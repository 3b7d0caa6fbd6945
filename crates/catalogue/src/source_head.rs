//! The head of a source: `key: value` lines. `slug`, `title`, `locale` and `categories` are required; the other keys
//! have defaults that depend on the language.

use waraq_rules::derivation::Currency;

use super::{Language, Level, Look, Mistake, SourceHead};

const A4_MARGINS: (u32, u32) = (1304, 1304);

pub fn parse(text: &'static str) -> Result<SourceHead, Mistake> {
    let mut head = defaults(locale_of(text)?);
    for (index, line) in text.lines().enumerate() {
        let Some((key, value)) = line.split_once(':') else {
            return Err(Mistake::new(index + 1, format!("not `key: value`: {line}")));
        };
        set_value(&mut head, key.trim(), value.trim()).map_err(|message| Mistake::new(index + 1, message))?;
    }
    for (key, missing) in
        [("slug", head.slug.is_empty()), ("title", head.title.is_empty()), ("categories", head.categories.is_empty())]
    {
        if missing {
            return Err(Mistake::new(1, format!("no {key}")));
        }
    }
    Ok(head)
}

/// Returns the locale and its language. They are parsed before all other keys, because the defaults depend on the language.
fn locale_of(text: &'static str) -> Result<(&'static str, Language), Mistake> {
    let locale = text.lines().find_map(|line| line.strip_prefix("locale:")).map(str::trim).unwrap_or_default();
    let language = match locale.split('-').next() {
        Some("en") => Language::English,
        Some("fr") => Language::French,
        Some("ar") => Language::Arabic,
        _ => return Err(Mistake::new(1, "no locale of English, French or Arabic")),
    };
    Ok((locale, language))
}

fn defaults((locale, language): (&'static str, Language)) -> SourceHead {
    let levels = match language {
        Language::English => [("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")],
        Language::French => [("decimal", "Article %1 –"), ("decimal", "%1.%2"), ("lowerLetter", "%3)")],
        Language::Arabic => [("decimal", "المادة (%1):"), ("decimal", "%2-"), ("arabicAbjad", "%3)")],
    };
    let font = if language.is_right_to_left() { "Amiri" } else { "Calibri" };
    let look = Look {
        font,
        heading_font: font,
        size: if language.is_right_to_left() { 27 } else { 21 },
        accent: "1F3A5F",
        justified: false,
        letter: false,
        margins: A4_MARGINS,
        line: if language.is_right_to_left() { 240 } else { 264 },
    };
    SourceHead {
        slug: "",
        title: "",
        language,
        locale,
        country: None,
        categories: Vec::new(),
        keywords: Vec::new(),
        currency: None,
        look,
        header: ("", ""),
        footer: "",
        no_header_on_first_page: false,
        levels: levels.map(|(format, text)| Level { format, text }),
    }
}

fn set_value(head: &mut SourceHead, key: &str, value: &'static str) -> Result<(), String> {
    let number = || value.parse::<u32>().map_err(|_| format!("{key}: not a number: {value}"));
    let look = &mut head.look;
    match key {
        "locale" => {}
        "slug" => head.slug = value,
        "title" => head.title = value,
        "country" => head.country = Some(value),
        "categories" => head.categories = value.split(',').map(str::trim).collect(),
        "keywords" => head.keywords = value.split(',').map(str::trim).collect(),
        "currency" => head.currency = Some(currency(value).ok_or_else(|| format!("unknown currency {value}"))?),
        "header" => head.header = value.split_once('|').map_or((value, ""), |(a, b)| (a.trim(), b.trim())),
        "footer" => head.footer = value,
        "first-page" => head.no_header_on_first_page = value == "bare",
        "font" => (look.font, look.heading_font) = (value, value),
        "heading-font" => look.heading_font = value,
        "half-points" => look.size = number()?,
        "accent" => look.accent = value,
        "justified" => look.justified = value == "yes",
        "paper" => look.letter = value == "Letter",
        "margins" => {
            let (vertical, horizontal) = value.split_once(',').ok_or("margins: two numbers")?;
            let parse = |text: &str| text.trim().parse().map_err(|_| format!("margins: {value}"));
            look.margins = (parse(vertical)?, parse(horizontal)?);
        }
        "line" => look.line = number()?,
        "level-1" => head.levels[0] = parse_level(value),
        "level-2" => head.levels[1] = parse_level(value),
        "level-3" => head.levels[2] = parse_level(value),
        _ => return Err(format!("unknown key {key}")),
    }
    Ok(())
}

/// Returns the currency with an ISO 4217 code.
fn currency(code: &str) -> Option<Currency> {
    Currency::ALL.iter().copied().find(|currency| currency.code() == code)
}

/// Parses the numbering of a level from `format text`, such as `decimal %1.%2`. Without a text, the level is counted
/// but shows no number. Templates use this for headings that contain the number in words ("البند الأول").
fn parse_level(value: &'static str) -> Level {
    let (format, text) = value.split_once(' ').unwrap_or((value, ""));
    Level { format, text: text.trim() }
}
