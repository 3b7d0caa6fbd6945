//! `cargo xtask locales`: writes `crates/rules/src/format/locales.tsv`. This file has the names of months and days, and
//! the default date and time pictures of Word fields.
//!
//! The source is CLDR, in the JSON packages of Unicode on npm. A line of the file has only the values in which a locale
//! differs from its parent. The parent of `ar-MA` is `ar`. If a locale has a different parent, the tag of the parent
//! follows a colon, as in `en-GB:en-001`. For some locales, the file has the values of Windows instead of CLDR, because
//! Word uses those of Windows: see [`WINDOWS_DATES`] and [`as_windows`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::steps::{check, command, root, target_dir};

/// The packages of CLDR. All have the same version.
const PACKAGES: [&str; 4] =
    ["cldr-core@48.2.0", "cldr-dates-full@48.2.0", "cldr-cal-islamic-full@48.2.0", "cldr-numbers-full@48.2.0"];

/// Short date pictures of Windows that differ from CLDR.
const WINDOWS_DATES: [(&str, &str); 8] = [
    ("da", "dd-MM-yyyy"),
    ("en-AU", "d/MM/yyyy"),
    ("es", "dd/MM/yyyy"),
    ("he", "dd/MM/yyyy"),
    ("hi", "dd-MM-yyyy"),
    ("ko", "yyyy-MM-dd"),
    ("nl", "d-M-yyyy"),
    ("pl", "dd.MM.yyyy"),
];

/// The columns of the file. The generator and the parser in `waraq_rules::format` must have the same ones.
const COLUMNS: [&str; 12] = [
    "locale",
    "months",
    "months without a day",
    "short months",
    "short months without a day",
    "days",
    "short days",
    "am and pm",
    "date",
    "time",
    "months of the Hijri calendar",
    "decimal separator",
];
const CELLS: usize = COLUMNS.len() - 1;

// Indices of the cells of a row.
const MONTHS: usize = 0;
const MONTHS_ALONE: usize = 1;
const SHORT_MONTHS: usize = 2;
const SHORT_MONTHS_ALONE: usize = 3;
const AM_PM: usize = 6;
const DATE: usize = 7;
const TIME: usize = 8;
const HIJRI: usize = 9;

/// Pairs of cells whose second cell is empty if it equals the first one.
const STANDALONE: [(usize, usize); 2] = [(MONTHS, MONTHS_ALONE), (SHORT_MONTHS, SHORT_MONTHS_ALONE)];

/// The values of a locale, in the order of [`COLUMNS`] without the first one.
type Row = [String; CELLS];

/// Locales that Word does not offer as a language of text.
const NOT_IN_WORD: [&str; 6] = ["hi-Latn", "kk-Arab", "pcm", "shn", "yue", "yue-Hans"];

/// Fetches CLDR from npm and writes the file.
pub fn run() -> Result<()> {
    let folder = target_dir().join("locales");
    fs::create_dir_all(&folder)?;
    let quiet = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--prefix"];
    check(command("npm", &quiet).arg(&folder).args(PACKAGES)).context("CLDR could not be fetched from npm")?;
    let packages = folder.join("node_modules");
    let parents = json(packages.join("cldr-core/supplemental/parentLocales.json"))?;
    let parents = parents.pointer("/supplemental/parentLocales/parentLocale").and_then(Value::as_object);
    let parents = parents.context("parents of locales")?;
    let mut rows = BTreeMap::new();
    for locale in locales(&packages)? {
        rows.insert(locale.clone(), as_windows(&locale, row(&packages, &locale)?));
    }
    let english = rows.get("en").context("no English")?;
    let mut file = format!("# CLDR 48.2, written by `cargo xtask locales`. Columns: {}\n", COLUMNS.join(", "));
    for (locale, row) in &rows {
        let other = parents.get(locale).and_then(Value::as_str).filter(|parent| rows.contains_key(*parent));
        let inherited = other.or(shortened(locale)).and_then(|parent| rows.get(parent));
        let mut cells = without_inherited(row, inherited);
        if locale != "en" && same_words(row, english, HIJRI) {
            cells[HIJRI].clear();
        }
        if other.is_some() || cells.iter().any(|cell| !cell.is_empty()) {
            let parent = other.map(|parent| format!(":{parent}")).unwrap_or_default();
            file.push_str(format!("{locale}{parent}\t{}", cells.join("\t")).trim_end());
            file.push('\n');
        }
    }
    fs::write(root().join("crates/rules/src/format/locales.tsv"), file)?;
    Ok(())
}

/// Returns the locales of all languages that CLDR covers at the level “modern”.
fn locales(packages: &Path) -> Result<Vec<String>> {
    let levels = json(packages.join("cldr-core/coverageLevels.json"))?;
    let levels = levels.pointer("/coverageLevels").and_then(Value::as_object).context("coverage levels")?;
    let is_modern = |locale: &str| levels.get(locale).is_some_and(|level| level == "modern");
    let mut found = Vec::new();
    for entry in fs::read_dir(packages.join("cldr-dates-full/main"))? {
        let locale = entry?.file_name().to_string_lossy().into_owned();
        // Regions of a language, but no scripts that CLDR covers at a lower level.
        let is_region = locale.rsplit('-').next().is_some_and(|subtag| subtag.len() < 4);
        let is_left_out = |locale: &str| NOT_IN_WORD.contains(&locale);
        if is_left_out(&locale) || shortened(&locale).is_some_and(is_left_out) {
            continue;
        }
        if is_modern(&locale) || (is_region && shortened(&locale).is_some_and(is_modern)) {
            found.push(locale);
        }
    }
    Ok(found)
}

/// Returns the tag without its last subtag, or `None` for a language.
fn shortened(locale: &str) -> Option<&str> {
    locale.rsplit_once('-').map(|(parent, _)| parent)
}

fn json(path: PathBuf) -> Result<Value> {
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_str(&text)?)
}

fn row(packages: &Path, locale: &str) -> Result<Row> {
    let file = |package: &str, name: &str| json(packages.join(package).join("main").join(locale).join(name));
    let (gregorian, hijri, numbers) = (
        file("cldr-dates-full", "ca-gregorian.json")?,
        file("cldr-cal-islamic-full", "ca-islamic.json")?,
        file("cldr-numbers-full", "numbers.json")?,
    );
    let dates = format!("/main/{locale}/dates/calendars");
    let calendar = gregorian.pointer(&format!("{dates}/gregorian")).context("no Gregorian calendar")?;
    let hijri = hijri.pointer(&format!("{dates}/islamic")).context("no Hijri calendar")?;
    let decimal = format!("/main/{locale}/numbers/symbols-numberSystem-latn/decimal");
    let months: Vec<String> = (1..=12).map(|month| month.to_string()).collect();
    let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].map(str::to_owned);
    let names = |calendar: &Value, path: &str, keys: &[String]| -> Result<String> {
        let list: Option<Vec<&str>> =
            keys.iter().map(|key| calendar.pointer(&format!("/{path}/{key}")).and_then(Value::as_str)).collect();
        let list = list.with_context(|| format!("{locale} has no {path}"))?;
        ensure!(list.iter().all(|name| !name.contains([';', '\t', '\n'])), "{locale}: a separator in {path}");
        Ok(list.iter().map(|name| plain(name)).collect::<Vec<_>>().join(";"))
    };
    let picture = |path: &str| -> Result<String> {
        let pattern = calendar.pointer(path);
        let pattern = pattern.and_then(|pattern| pattern.get("_value").unwrap_or(pattern).as_str());
        Ok(word_picture(pattern.with_context(|| format!("{locale} has no {path}"))?))
    };
    Ok([
        names(calendar, "months/format/wide", &months)?,
        names(calendar, "months/stand-alone/wide", &months)?,
        names(calendar, "months/format/abbreviated", &months)?,
        names(calendar, "months/stand-alone/abbreviated", &months)?,
        names(calendar, "days/format/wide", &days)?,
        names(calendar, "days/format/abbreviated", &days)?,
        names(calendar, "dayPeriods/format/abbreviated", &["am".to_owned(), "pm".to_owned()])?,
        picture("/dateFormats/short")?,
        picture("/timeFormats/short")?,
        names(hijri, "months/format/wide", &months)?,
        numbers.pointer(&decimal).and_then(Value::as_str).with_context(|| format!("{locale}: decimal"))?.to_owned(),
    ])
}

/// Replaces CLDR values of a locale by those of Windows, if the two differ. This is done only for the languages of most
/// templates.
fn as_windows(locale: &str, mut row: Row) -> Row {
    let (language, region) = locale.split_once('-').unwrap_or((locale, ""));
    if let Some((_, picture)) = WINDOWS_DATES.iter().find(|(tag, _)| *tag == locale) {
        row[DATE] = (*picture).to_owned();
    }
    match (language, region) {
        ("en", _) => {
            // CLDR has “Sept” and “am” in most English regions, and “Jan.” in Canada.
            row[SHORT_MONTHS] = "Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sep;Oct;Nov;Dec".to_owned();
            row[SHORT_MONTHS_ALONE] = row[SHORT_MONTHS].clone();
            row[AM_PM] = "AM;PM".to_owned();
        }
        // CLDR gives the Maghreb and Syria the 12-hour clock of Arabic, and Morocco other short months.
        ("fr", region) if region != "CA" => {
            row[TIME] = "HH:mm".to_owned();
            row[SHORT_MONTHS] = "janv.;févr.;mars;avr.;mai;juin;juil.;août;sept.;oct.;nov.;déc.".to_owned();
            row[SHORT_MONTHS_ALONE] = row[SHORT_MONTHS].clone();
        }
        ("ar", _) => row[DATE] = "dd/MM/yyyy".to_owned(),
        _ => {}
    }
    row
}

/// Returns a name without marks of direction, and with plain apostrophes instead of the half ring ʻ.
fn plain(name: &str) -> String {
    let name: String = name.chars().filter(|c| !matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}')).collect();
    let name = name.replace(['\u{a0}', '\u{202f}'], " ");
    name.replace("ʻ ", " ").replace(['ʻ', '`'], "’")
}

/// Translates a pattern of CLDR into a picture of Word (ECMA-376 part 1, §17.16.4.1). The year always has four digits.
fn word_picture(pattern: &str) -> String {
    let mut picture = String::new();
    let mut quoted = false;
    let mut previous = None;
    for c in plain(pattern).chars() {
        quoted ^= c == '\'';
        match c {
            _ if quoted || c == '\'' => picture.push(c),
            'y' if previous == Some('y') => {}
            'y' => picture.push_str("yyyy"),
            'a' | 'b' | 'B' => picture.push_str("AM/PM"),
            'L' => picture.push('M'),
            'K' => picture.push('h'),
            'k' => picture.push('H'),
            _ => picture.push(c),
        }
        previous = Some(c);
    }
    picture
}

/// Returns the cells of a line. A cell is empty if the locale inherits the value from its parent. A cell with names for
/// dates without a day is also empty if it equals the cell for dates with a day. The cell of short month names is `=`
/// if it equals the cell of long month names.
fn without_inherited(row: &Row, parent: Option<&Row>) -> Row {
    let mut cells = row.clone();
    let inherits = |cell: usize| parent.is_some_and(|parent| same_words(row, parent, cell));
    for (index, cell) in cells.iter_mut().enumerate() {
        let pair = STANDALONE.iter().find(|(plain, alone)| *plain == index || *alone == index);
        let inherited = match pair {
            Some((plain, alone)) => {
                (inherits(*plain) && inherits(*alone)) || (*alone == index && row[*plain] == row[*alone])
            }
            None => inherits(index),
        };
        if inherited {
            cell.clear();
        } else if index == SHORT_MONTHS && row[SHORT_MONTHS] == row[MONTHS] {
            "=".clone_into(cell);
        }
    }
    cells
}

/// Compares one cell of two rows. Names of the Hijri calendar are equal if they differ only in capitals.
fn same_words(one: &Row, other: &Row, cell: usize) -> bool {
    if cell == HIJRI { one[cell].to_lowercase() == other[cell].to_lowercase() } else { one[cell] == other[cell] }
}
