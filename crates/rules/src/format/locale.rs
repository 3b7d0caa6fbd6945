//! Names of months and days, and default date and time pictures, of the languages that Word offers.
//!
//! The data is CLDR's, in the file `locales.tsv` (60 kB, 20 kB compressed), which `cargo xtask locales` writes. The crate
//! `icu_datetime` has the same data, but its compiled data takes several megabytes of the browser module, because it
//! includes the patterns of all calendars and lengths. The Hijri calendar itself is computed by `icu_calendar`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The file with one locale per line. Its first line names the columns.
const FILE: &str = include_str!("locales.tsv");

/// Regions where English texts have the date format of the United States.
const AMERICAN_REGIONS: [&str; 9] = ["US", "AS", "GU", "MH", "MP", "PR", "UM", "VI", "PH"];

/// The language and country that choose names of months, separators and number words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locale<'a> {
    /// A BCP 47 language tag such as `fr-MA`.
    pub tag: &'a str,
    /// The country (ISO 3166), which overrides the region of the tag. `None`: the region of the tag counts.
    pub country: Option<&'a str>,
}

impl Locale<'_> {
    /// Returns the country, in capitals: [`Self::country`], or else the region of the tag. `None` if both are missing.
    pub(crate) fn region(&self) -> Option<String> {
        let region = self.tag.split(['-', '_']).skip(1).find(|subtag| matches!(subtag.len(), 2 | 3));
        self.country.filter(|country| !country.is_empty()).or(region).map(str::to_ascii_uppercase)
    }

    /// Returns the language subtag in lower case, such as `fr`.
    pub(crate) fn language(&self) -> String {
        self.tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
    }

    /// Returns the tag of the locale as the file writes it: language, script and region. Missing parts are left out.
    /// The file may have no line with this tag.
    fn key(&self) -> String {
        let script = self.tag.split(['-', '_']).skip(1).find(|subtag| subtag.len() == 4);
        let script = script.filter(|script| script.chars().all(|c| c.is_ascii_alphabetic())).map(|script| {
            let (first, rest) = script.split_at(1);
            format!("{}{}", first.to_ascii_uppercase(), rest.to_ascii_lowercase())
        });
        let language = self.language();
        let region = self.region();
        let (language, script) = match (language.as_str(), script) {
            ("", _) => ("en", None),
            ("nb", script) => ("no", script),
            ("iw", script) => ("he", script),
            ("in", script) => ("id", script),
            ("tl", script) => ("fil", script),
            ("zh", None) if matches!(region.as_deref(), Some("TW" | "HK" | "MO")) => ("zh", Some("Hant".to_owned())),
            (language, script) => (language, script),
        };
        // The Western Sahara uses the names of Morocco.
        let region = region.map(|region| if region == "EH" { "MA".to_owned() } else { region });
        [Some(language.to_owned()), script, region].into_iter().flatten().collect::<Vec<_>>().join("-")
    }
}

/// The values of one locale.
#[derive(Debug, Clone)]
pub(crate) struct LocaleData {
    /// The names of the months in a date with a day, from January.
    pub months: [&'static str; 12],
    /// The names of the months in a date without a day. In Slavic languages, for example, they differ from `months`.
    pub months_alone: [&'static str; 12],
    /// The abbreviated names of the months in a date with a day.
    pub short_months: [&'static str; 12],
    /// The abbreviated names of the months in a date without a day.
    pub short_months_alone: [&'static str; 12],
    /// The days of the week, from Sunday.
    pub days: [&'static str; 7],
    /// The abbreviated days of the week, from Sunday.
    pub short_days: [&'static str; 7],
    /// The words for the time before noon and after noon.
    pub am_pm: [&'static str; 2],
    /// The picture of a short date.
    pub date: &'static str,
    /// The picture of a short time.
    pub time: &'static str,
    /// The months of the Hijri calendar, from Muharram.
    pub hijri_months: [&'static str; 12],
    /// The decimal separator.
    pub decimal: char,
}

// Indices of the cells of a line.
const MONTHS: usize = 0;
const MONTHS_ALONE: usize = 1;
const SHORT_MONTHS: usize = 2;
const SHORT_MONTHS_ALONE: usize = 3;
const DAYS: usize = 4;
const SHORT_DAYS: usize = 5;
const AM_PM: usize = 6;
const DATE: usize = 7;
const TIME: usize = 8;
const HIJRI_MONTHS: usize = 9;
const DECIMAL: usize = 10;

/// One line of the file: the tag of the parent locale, and the cells in which the locale differs from the parent.
struct Line {
    parent: Option<&'static str>,
    cells: &'static str,
}

impl Line {
    /// Returns a cell that is not empty.
    fn cell(&self, index: usize) -> Option<&'static str> {
        self.cells.split('\t').nth(index).filter(|cell| !cell.is_empty())
    }
}

/// The lines of the file by locale.
static LINES: LazyLock<BTreeMap<&'static str, Line>> = LazyLock::new(|| {
    let lines = FILE.lines().filter(|line| !line.starts_with('#'));
    let line = |line: &'static str| {
        let (name, cells) = line.split_once('\t').unwrap_or((line, ""));
        let (locale, other) = name.split_once(':').map_or((name, None), |(locale, other)| (locale, Some(other)));
        let parent = other.or_else(|| locale.rsplit_once('-').map(|(parent, _)| parent));
        (locale, Line { parent, cells })
    };
    lines.map(line).collect()
});

/// Returns the line of a locale, followed by the lines of its parents. The last line is always the line of English. It
/// is used for values that the other lines do not have, and for unknown languages.
fn chain(locale: Locale<'_>) -> Vec<&'static Line> {
    let mut key = locale.key();
    if key.starts_with("en-") && !LINES.contains_key(key.as_str()) {
        let american = AMERICAN_REGIONS.iter().any(|region| key.ends_with(region));
        key = if american { "en" } else { "en-001" }.to_owned();
    }
    let mut rest = Some(key.as_str());
    let mut lines = Vec::new();
    while let Some(tag) = rest {
        let line = LINES.get(tag);
        lines.extend(line);
        rest = line.map_or_else(|| tag.rsplit_once('-').map(|(parent, _)| parent), |line| line.parent);
    }
    lines.extend(LINES.get("en"));
    lines
}

/// Returns the data of a locale. A region without its own data has the data of its language. An unknown language has
/// the data of English.
pub(crate) fn data(locale: Locale<'_>) -> LocaleData {
    let lines = chain(locale);
    let cell = |index: usize| lines.iter().find_map(|line| line.cell(index)).unwrap_or_default();
    let months = cell(MONTHS);
    let short = |index: usize| match lines.iter().find_map(|line| line.cell(index)) {
        Some("=") | None => months,
        Some(names) => names,
    };
    // A locale with other names has both the names with and without a day on its own line. An empty cell without a day
    // then means that both are equal.
    let alone = |index: usize, with_day: usize| {
        let line = lines.iter().find(|line| line.cell(with_day).is_some() || line.cell(index).is_some());
        line.and_then(|line| line.cell(index))
    };
    let short_months = short(SHORT_MONTHS);
    LocaleData {
        months: names(months),
        months_alone: names(alone(MONTHS_ALONE, MONTHS).unwrap_or(months)),
        short_months: names(short_months),
        short_months_alone: names(alone(SHORT_MONTHS_ALONE, SHORT_MONTHS).unwrap_or(short_months)),
        days: names(cell(DAYS)),
        short_days: names(cell(SHORT_DAYS)),
        am_pm: names(cell(AM_PM)),
        date: cell(DATE),
        time: cell(TIME),
        hijri_months: names(cell(HIJRI_MONTHS)),
        decimal: cell(DECIMAL).chars().next().unwrap_or('.'),
    }
}

/// Splits a cell into its names. A missing name is empty.
fn names<const N: usize>(cell: &'static str) -> [&'static str; N] {
    let mut names = cell.split(';');
    std::array::from_fn(|_| names.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tag: &str) -> LocaleData {
        data(Locale { tag, country: None })
    }

    /// A damaged file, or one of another generator, would print empty names.
    #[test]
    fn the_file_fits_its_generator() {
        assert!(FILE.len() < 64_000, "{} bytes", FILE.len());
        let (_, columns) = FILE.lines().next().unwrap().split_once("Columns: ").unwrap();
        assert_eq!(columns.split(", ").count(), DECIMAL + 2, "{columns}");
        for (tag, line) in LINES.iter() {
            let cells: Vec<&str> = line.cells.split('\t').collect();
            assert!(cells.len() <= DECIMAL + 1, "{tag}: {} cells", cells.len());
            for (index, cell) in cells.into_iter().enumerate().filter(|(_, cell)| !["", "="].contains(cell)) {
                let count = match index {
                    MONTHS..=SHORT_MONTHS_ALONE | HIJRI_MONTHS => 12,
                    DAYS | SHORT_DAYS => 7,
                    AM_PM => 2,
                    _ => 1,
                };
                assert_eq!(cell.split(';').filter(|name| !name.is_empty()).count(), count, "{tag}: {cell}");
            }
            assert!(line.parent.is_none_or(|parent| LINES.contains_key(parent)), "{tag}");
            let whole = of(tag);
            assert!(!whole.date.is_empty() && !whole.time.is_empty(), "{tag}");
        }
        assert!(LINES.len() > 250, "{}", LINES.len());
    }

    #[test]
    fn regions_inherit_from_their_language() {
        assert_eq!(of("fr-MA").months[6], "juillet");
        assert_eq!(of("ar-MA").months[6], "يوليوز");
        assert_eq!(of("ar-SY").months[6], "تموز");
        assert_eq!(of("ar-SA").months[6], "يوليو");
        assert_eq!(data(Locale { tag: "ar-SA", country: Some("EH") }).months[6], "يوليوز");
        assert_eq!(of("de-AT").months[0], "Jänner");
        assert_eq!(of("nb-NO").months[0], "januar");
        assert_eq!(of("sr-Latn-RS").days[0], "nedelja");
        assert_eq!(of("zh-TW").short_days[0], "週日");
        assert_eq!(of("tlh").months[0], "January");
    }

    #[test]
    fn dates_without_a_day_have_their_own_months() {
        assert_eq!((of("ru-RU").months[8], of("ru-RU").months_alone[8]), ("сентября", "сентябрь"));
        assert_eq!((of("fr").months[8], of("fr").months_alone[8]), ("septembre", "septembre"));
    }

    #[test]
    fn default_pictures_follow_the_country() {
        for (tag, picture) in [
            ("en-US", "M/d/yyyy"),
            ("en-GB", "dd/MM/yyyy"),
            ("en-MA", "dd/MM/yyyy"),
            ("en-PR", "M/d/yyyy"),
            ("en-CA", "yyyy-MM-dd"),
            ("fr-FR", "dd/MM/yyyy"),
            ("fr-CA", "yyyy-MM-dd"),
            ("de-DE", "dd.MM.yyyy"),
            ("es-MX", "dd/MM/yyyy"),
            ("ar-EG", "dd/MM/yyyy"),
        ] {
            assert_eq!(of(tag).date, picture, "{tag}");
        }
        assert_eq!((of("en-US").time, of("en-GB").time, of("fr").time), ("h:mm AM/PM", "HH:mm", "HH:mm"));
    }
}
