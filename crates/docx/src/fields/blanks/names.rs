//! Suggested names for blanks. The first lines of the module `blanks` list the sources in their order.

use std::collections::{HashMap, HashSet};

use waraq_rules::derivation::Language;
use waraq_rules::field_settings::{FieldContext, FieldSettings, MAX_CONTEXT_CHARACTERS, ValueKind, detect_settings};
use waraq_rules::name;

use super::candidates::Candidate;
use super::format::{Formats, StyleTable};
use super::parties::{self, PartyIndex};
use super::phrases::{self, PlainName, plain_name};
use super::tables::clean_label;
use super::words::{self, Word, split_words};
use super::{Blank, BlankForm, MAX_TEXT_CHARACTERS};
use crate::Meter;
use crate::fields::matching::{self, surrounding_text};
use crate::fields::scan::{Index, Neighbor, OBJECT_PLACEHOLDER, PartScan};
use crate::fields::text_parts::ScannedPart;

/// The maximum number of characters before and after a blank that are read for its name.
const MAX_AROUND: usize = 200;
/// The maximum number of characters of a suggested name.
const MAX_SUGGESTED_CHARACTERS: usize = 60;
/// The maximum number of words of a label before a colon. Of a longer text, only the last noun phrase is used.
const MAX_LABEL_WORDS: usize = 8;
/// The maximum number of nouns and adjectives of a noun phrase.
const MAX_PHRASE_WORDS: usize = 5;
/// The maximum number of characters of a paragraph that names the party of the blanks below it.
const MAX_PARTY_CHARACTERS: usize = 100;

/// The texts around a blank.
#[derive(Debug, Default)]
struct Around {
    /// The text before the blank, from the previous blank or line break on.
    before: String,
    /// The text after the blank, up to the next blank or line break.
    after: String,
    /// The text after the blank up to the end of the paragraph.
    rest: String,
    /// The text of the paragraph before the blank.
    from_start: String,
    /// The text before the first check box of the group that the blank belongs to.
    question: String,
    /// The label on the line below, if the blank is alone on its line.
    below: Option<String>,
    /// The label on the line above, if the blank is alone on its line.
    above: Option<String>,
    heading: String,
    /// The party that the heading or an earlier paragraph names.
    party_above: Option<PartyIndex>,
    language: Option<Language>,
}

/// A blank with its suggested name, before equal names are distinguished.
struct Named {
    candidate: Candidate,
    name: String,
    /// The name comes from words of the document.
    is_from_text: bool,
    /// The words of the blank itself, folded. Empty: the blank shows only a gap.
    own_key: String,
    party: Option<PartyIndex>,
    language: Language,
    around: Around,
}

/// Returns the blanks with their names, kinds and keys, in the order of the document.
pub(super) fn name_candidates(
    parts: &[ScannedPart<'_>],
    styles: &StyleTable,
    mut candidates: Vec<Candidate>,
    language: Language,
    meter: &Meter,
) -> Vec<Blank> {
    candidates.sort_by_key(|one| (one.part, one.paragraph, one.cells.start, one.object));
    let mut named: Vec<Named> = Vec::with_capacity(candidates.len());
    let mut rest = candidates.as_slice();
    for (index, part) in parts.iter().enumerate() {
        let count = rest.iter().take_while(|one| one.part == index).count();
        let (own, others) = rest.split_at(count);
        rest = others;
        name_in_part(part, styles, own, language, meter, &mut named);
    }
    add_parties(&mut named);
    let keys = distinguish(&mut named, existing_names(parts));
    let settings = kinds_of(&named);
    named.into_iter().zip(keys).filter_map(|(one, key)| blank_of(parts, one, key, &settings)).collect()
}

fn name_in_part(
    part: &ScannedPart<'_>,
    styles: &StyleTable,
    candidates: &[Candidate],
    language: Language,
    meter: &Meter,
    named: &mut Vec<Named>,
) {
    let mut formats = Formats::new(&part.source, styles, meter);
    let (mut heading, mut party) = (String::new(), None);
    let mut rest = candidates;
    let mut start_of_pair = false;
    for (at, paragraph) in part.scan.paragraphs.iter().enumerate() {
        if rest.is_empty() || !meter.spend(1) {
            return;
        }
        let count = rest.iter().take_while(|one| one.paragraph == at).count();
        let (own, others) = rest.split_at(count);
        rest = others;
        let is_heading = formats.paragraph(paragraph).is_heading;
        if is_heading || own.is_empty() && paragraph.cells.len() <= MAX_PARTY_CHARACTERS {
            let text = text_of(&part.scan, at, 0..paragraph.cells.len());
            if is_heading {
                heading.clone_from(&text);
                party = None;
            }
            party = parties::party_in(&text).or(party);
        }
        for (ordinal, candidate) in own.iter().enumerate() {
            meter.spend(2 * MAX_AROUND);
            let mut around = around(&part.scan, at, own, ordinal);
            around.heading.clone_from(&heading);
            around.party_above = party;
            around.language = words::language_of(&format!("{} {}", around.before, around.after));
            let previous = named.last().filter(|_| ordinal > 0);
            let one = name_one(candidate, around, previous, language, &mut start_of_pair);
            party = one.party.or(party);
            named.push(one);
        }
    }
}

fn text_of(scan: &PartScan, paragraph: Index, cells: std::ops::Range<usize>) -> String {
    let cells = scan.paragraphs.get(paragraph).and_then(|paragraph| paragraph.cells.get(cells));
    cells.unwrap_or_default().iter().map(|cell| cell.character).filter(|c| *c != OBJECT_PLACEHOLDER).collect()
}

/// Returns the texts around a blank. `own` are the blanks of its paragraph, and `ordinal` is its index in them.
fn around(scan: &PartScan, at: Index, own: &[Candidate], ordinal: usize) -> Around {
    let Some((candidate, paragraph)) = own.get(ordinal).zip(scan.paragraphs.get(at)) else { return Around::default() };
    let length = paragraph.cells.len();
    let (start, end) = (candidate.cells.start.min(length), candidate.cells.end.min(length));
    let previous = ordinal.checked_sub(1).and_then(|before| own.get(before)).map_or(0, |one| one.cells.end.min(start));
    let next = own.get(ordinal + 1).map_or(length, |one| one.cells.start.clamp(end, length));
    let after_line = |text: String| text.rsplit('\n').next().unwrap_or_default().to_owned();
    let to_line = |text: String| text.split('\n').next().unwrap_or_default().to_owned();
    // A field in the text separates it like a blank.
    let after_field = |text: String| text.rsplit("}}").next().unwrap_or_default().to_owned();
    let to_field = |text: String| text.split("{{").next().unwrap_or_default().to_owned();
    let before = after_field(after_line(text_of(scan, at, previous.max(start.saturating_sub(MAX_AROUND))..start)));
    let after = to_field(to_line(text_of(scan, at, end..next.min(end + MAX_AROUND))));
    let is_alone = paragraph
        .cells
        .get(previous..start)
        .is_some_and(|cells| cells.iter().all(|cell| cell.character.is_whitespace()));
    let is_line = is_alone && !before.contains(char::is_alphanumeric) && !after.contains(char::is_alphanumeric);
    let sibling = |neighbor: Option<Neighbor>| match neighbor {
        Some(Neighbor::Paragraph(sibling)) => {
            let cells = scan.paragraphs.get(sibling).map_or(0, |paragraph| paragraph.cells.len());
            (cells > 0 && cells <= 2 * MAX_SUGGESTED_CHARACTERS).then(|| text_of(scan, sibling, 0..cells))
        }
        _ => None,
    };
    let group = own.get(..=ordinal).unwrap_or_default().iter().rposition(|one| !one.is_check_box);
    let (group_start, group_end) = match group {
        Some(last) => (own.get(last), own.get(last + 1)),
        None => (None, own.first()),
    };
    let question_end = group_end.map_or(start, |one| one.cells.start.min(start));
    let question_start = group_start.map_or(0, |one| one.cells.end).max(question_end.saturating_sub(MAX_AROUND));
    Around {
        before,
        after,
        question: text_of(scan, at, question_start..question_end),
        rest: text_of(scan, at, end..length.min(end + 2 * MAX_AROUND)),
        from_start: text_of(scan, at, start.saturating_sub(2 * MAX_AROUND)..start),
        below: sibling(paragraph.after).filter(|_| is_line).and_then(|text| label_below(&text, ordinal, own.len())),
        above: sibling(paragraph.before).filter(|text| is_line && text.trim_end().ends_with([':', '：'])),
        ..Around::default()
    }
}

/// Returns the label below a blank. A line may have one label for each blank, with tabs or spaces between them.
fn label_below(text: &str, ordinal: usize, count: usize) -> Option<String> {
    let spaced = text.replace("   ", "\t");
    let labels: Vec<&str> = spaced.split('\t').map(str::trim).filter(|label| !label.is_empty()).collect();
    let label = match labels.as_slice() {
        [only] if count == 1 => only,
        several if several.len() == count => several.get(ordinal)?,
        _ => return None,
    };
    let label = label.trim_matches(['(', ')']);
    let is_label = label.split_whitespace().count() <= 6 && label.chars().any(char::is_alphabetic);
    let is_gap = label.contains("__") || label.contains("....");
    (is_label && !is_gap && !label.ends_with('.')).then(|| label.to_owned())
}

/// Suggests a name for one blank. `start_of_pair` is `true` if the previous blank is the start of a period.
/// `previous` is the blank before it in the paragraph.
fn name_one(
    candidate: &Candidate,
    around: Around,
    previous: Option<&Named>,
    document: Language,
    start_of_pair: &mut bool,
) -> Named {
    let language = around.language.unwrap_or(document);
    let own = candidate.own_words.as_deref().and_then(|text| match candidate.form {
        BlankForm::MergeField => Some(text.to_owned()),
        _ if candidate.kind == Some(ValueKind::Choice)
            && !candidate.choices.is_empty()
            && is_list_of(text, candidate) =>
        {
            None
        }
        _ => words::own_words(text),
    });
    let definition = definition_in(&around.rest);
    let party = party_of(candidate, &around, definition.as_deref());
    let before = split_words(&around.before);
    let was_start = std::mem::take(start_of_pair);
    let text = if candidate.form == BlankForm::CheckBox { None } else { own.clone() };
    let text = text.or_else(|| match candidate.is_check_box {
        true => check_box_name(candidate, &around, document),
        false => period_name(&before, &around, language, was_start, start_of_pair),
    });
    let text = text
        .or_else(|| previous.and_then(|previous| name_after_previous(previous, &around.before, &before, language)))
        .or_else(|| colon_label(&around.before).map(|label| label_or_phrase(label, language)))
        .or_else(|| candidate.cell_label.clone().filter(|_| before.len() < 2))
        .or_else(|| parenthesis_after(&around.after))
        .or_else(|| phrases::name_before(&before, language).map(str::to_owned))
        .or_else(|| {
            let defined = defined_name(definition.as_deref(), &around, language);
            defined.filter(|name| previous.is_none_or(|previous| previous.name != *name))
        })
        .or_else(|| year_or_date(candidate, &around, language))
        .or_else(|| around.below.clone())
        .or_else(|| around.above.as_deref().and_then(|text| colon_label(text.trim_end())))
        .or_else(|| noun_or_unit(&around, &before, language))
        .or_else(|| candidate.cell_label.clone());
    let name = text.as_deref().map(valid_name).filter(|name| !name.is_empty());
    let plain = match (candidate.kind, candidate.form) {
        (Some(ValueKind::Date), _) => PlainName::Date,
        (Some(ValueKind::Picture), _) => PlainName::Picture,
        (Some(ValueKind::YesNo | ValueKind::Choice), _) => PlainName::Answer,
        _ => PlainName::Field,
    };
    let is_from_text = name.is_some();
    let name = name.unwrap_or_else(|| plain_name(plain, language).to_owned());
    let own_key = own.as_deref().filter(|_| candidate.form != BlankForm::CheckBox).map(name::fold).unwrap_or_default();
    let name = match (candidate.form, candidate.kind) {
        // A merge field keeps its name, so that its formatting is not lost.
        (BlankForm::MergeField, _) => own.clone().unwrap_or(name),
        (_, Some(ValueKind::Choice | ValueKind::YesNo)) => name,
        _ => party_name(&name, language),
    };
    Named { candidate: candidate.clone(), name, is_from_text, own_key, party, language, around }
}

/// Returns the name of a blank that belongs to the previous blank in its paragraph: the amount in words after an amount, the
/// address after a name, the place after a date of birth.
fn name_after_previous(previous: &Named, before: &str, words: &[Word], language: Language) -> Option<String> {
    let name = name::fold(&previous.name);
    let only = match words {
        [only] => only.folded.as_str(),
        _ => "",
    };
    let is_unit = |word: &Word| {
        phrases::name_after(&word.folded, language).is_some() || ["say", "soit", "فقط"].contains(&word.folded.as_str())
    };
    if before.trim_end().ends_with('(') && words.len() <= 2 && words.iter().all(is_unit) {
        return Some(phrases::in_words(&previous.name, language));
    }
    let is_birth = ["birth", "naissance", "ميلاد"].iter().any(|word| name.contains(word)) && name.contains(['d', 'ت']);
    if is_birth && ["in", "at", "a", "في", "ب"].contains(&only) {
        return Some(plain_name(PlainName::PlaceOfBirth, language).to_owned());
    }
    (only == "of" && name.ends_with("name")).then(|| plain_name(PlainName::Address, language).to_owned())
}

/// Returns the last noun phrase before a blank, or the name that the unit after it suggests.
fn noun_or_unit(around: &Around, before: &[Word], language: Language) -> Option<String> {
    let noun = noun_phrase(&around.before, before);
    match unit_name(&around.after, language) {
        Some((unit, true)) => Some(noun.filter(|noun| words::has_quantity(noun)).unwrap_or(unit)),
        Some((unit, false)) => Some(noun.unwrap_or(unit)),
        None => noun,
    }
}

/// Returns `true` if the words of a blank are only its choices.
fn is_list_of(text: &str, candidate: &Candidate) -> bool {
    words::alternatives(text).is_some_and(|choices| choices == candidate.choices)
}

/// Returns the name `Tenant name` for a name that is only a party, such as `The Tenant`.
fn party_name(text: &str, language: Language) -> String {
    let words = split_words(text);
    let is_party = words.iter().filter(|word| !words::is_determiner(&word.folded)).count() <= 2
        && parties::party_in(text).is_some_and(|party| parties::is_only_party(&words, party));
    match parties::party_in(text).filter(|_| is_party) {
        Some(party) => parties::with_party(plain_name(PlainName::Name, language), party, language),
        None => text.to_owned(),
    }
}

/// Returns the party of a blank: the next definition, the column, the last party before it in the paragraph, or the party
/// of the heading.
fn party_of(candidate: &Candidate, around: &Around, definition: Option<&str>) -> Option<PartyIndex> {
    let label = candidate.cell_label.as_deref().and_then(parties::party_in);
    let own = candidate.own_words.as_deref().and_then(parties::party_in);
    own.or_else(|| definition.and_then(parties::party_in))
        .or(label)
        .or_else(|| parties::party_in(&around.before))
        .or_else(|| parties::party_in(&around.from_start))
        .or(around.party_above)
}

/// Returns the term that the text after a blank defines: `(the “Tenant”)`, `ci-après dénommé « le Bailleur »`, `(المؤجر)`.
fn definition_in(rest: &str) -> Option<String> {
    let mut from = 0;
    while let Some(open) = rest.get(from..)?.find('(').map(|at| from + at) {
        let inside = rest.get(open + 1..)?;
        let Some(close) = inside.find(')') else { break };
        let inner = inside.get(..close)?;
        if inner.chars().count() <= 2 * MAX_SUGGESTED_CHARACTERS {
            if let Some(term) = quoted(inner) {
                return Some(term);
            }
            if inner.split_whitespace().count() <= 4 && parties::party_in(inner).is_some() {
                return Some(inner.to_owned());
            }
        }
        from = open + 1 + close;
    }
    const HINTS: [&str; 9] =
        ["hereinafter", "referred to as", "hereafter", "ci-après", "dénommé", "désigné", "يشار", "المسمى", "فيما بعد"];
    let hint = HINTS.iter().filter_map(|hint| rest.find(hint).map(|at| at + hint.len())).min()?;
    rest.get(hint..).and_then(quoted)
}

/// Returns the first text in quotation marks, with at most four words.
fn quoted(text: &str) -> Option<String> {
    const QUOTES: [(char, char); 4] = [('“', '”'), ('«', '»'), ('"', '"'), ('„', '“')];
    let (start, open) = text.char_indices().find(|(_, c)| QUOTES.iter().any(|(open, _)| open == c))?;
    let close = QUOTES.iter().find(|(known, _)| *known == open).map(|(_, close)| *close)?;
    let inside = text.get(start + open.len_utf8()..)?;
    let term = inside.get(..inside.find(close)?)?.trim();
    (!term.is_empty() && term.split_whitespace().count() <= 4).then(|| term.to_owned())
}

/// Returns the name of a party that is defined after the blank: `Tenant name`.
fn defined_name(definition: Option<&str>, around: &Around, language: Language) -> Option<String> {
    const INTRODUCTIONS: [&str; 14] =
        ["between", "and", "by", "entre", "et", "de", "part", "بين", "و", "اولا", "ثانيا", "من", "السيد", "السيده"];
    let term = definition?;
    let words = split_words(&around.before);
    let last = words.last().map(|word| word.folded.as_str()).unwrap_or_default();
    let is_number = last.chars().all(|c| c.is_numeric()) || last.chars().count() == 1;
    let introduces = last.is_empty() || is_number || INTRODUCTIONS.contains(&last);
    // The definition directly after the blank belongs to it, whatever is before.
    let is_next = around.after.trim_start_matches([',', ' ', '\u{a0}']).starts_with('(');
    if !introduces && !is_next {
        return None;
    }
    let plain = plain_name(PlainName::Name, language);
    if let Some(party) = parties::party_in(term) {
        return Some(parties::with_party(plain, party, language));
    }
    let words = split_words(term);
    let start = words.iter().find(|word| !words::is_determiner(&word.folded)).map_or(0, |word| word.at);
    let term = term.get(start..).unwrap_or(term);
    Some(match language {
        Language::English => format!("{term} name"),
        Language::French => format!("Nom – {term}"),
        Language::Arabic => format!("اسم {term}"),
    })
}

/// Returns the name that a label of verbs and prepositions has: `Date de naissance` for `Né(e) le`.
fn label_or_phrase(label: String, language: Language) -> String {
    const NAMES: [&str; 10] = [
        "Date of birth",
        "Place of birth",
        "Address",
        "Date de naissance",
        "Lieu de naissance",
        "Adresse",
        "تاريخ الميلاد",
        "مكان الميلاد",
        "العنوان",
        "المقر",
    ];
    let words = split_words(&label);
    let name = phrases::name_before(&words, language).filter(|name| NAMES.contains(name) && words.len() <= 3);
    name.map_or(label, str::to_owned)
}

/// Returns the label before a colon that is directly before the blank.
fn colon_label(before: &str) -> Option<String> {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '€' | '$' | '£' | '(' | '-'));
    let text = before.strip_suffix([':', '：'])?.trim_end();
    // A point inside a number, such as `2.1`, ends no sentence.
    let ends_sentence = |(at, character): &(usize, char)| {
        let next = text.get(at + character.len_utf8()..).and_then(|rest| rest.chars().next());
        matches!(character, ';' | '!' | '?' | '\t' | ':' | '؛' | '•' | '|')
            || *character == '.' && next.is_none_or(char::is_whitespace)
    };
    let from = text.char_indices().rfind(ends_sentence).map_or(0, |(at, character)| at + character.len_utf8());
    let mut label = without_numbering(text.get(from..).unwrap_or(text));
    // An abbreviation ends with a point too: `Tel. no.:`.
    if label.split_whitespace().count() < 2 && from > 0 && text.chars().count() <= 30 {
        label = without_numbering(text);
    }
    let label = label.trim();
    const CONJUNCTIONS: [&str; 4] = ["and", "or", "et", "ou"];
    const INTRODUCTIONS: [&str; 8] = ["between", "and", "by", "entre", "et", "par", "بين", "و"];
    let label = match label.split_once(' ') {
        Some((first, rest)) if CONJUNCTIONS.contains(&first) => rest.trim_start(),
        _ => label,
    };
    if INTRODUCTIONS.contains(&name::fold(label).as_str()) {
        return None;
    }
    let words = split_words(label);
    let is_sentence = words.len() > 4 && words.iter().any(|word| words::is_modal(&word.folded));
    if words.len() <= MAX_LABEL_WORDS && !is_sentence && label.chars().any(char::is_alphabetic) {
        return Some(label.to_owned());
    }
    noun_phrase(label, &words)
}

/// Removes the number of an item at the start of a label: `1.`, `a)`, `(ii)`, `-`.
fn without_numbering(text: &str) -> &str {
    let text =
        text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '•' | '*' | '.' | ',' | '،'));
    let Some((first, rest)) = text.split_once(char::is_whitespace) else { return text };
    let is_number = first.ends_with([')', '.', '-'])
        && first.chars().filter(|c| c.is_alphanumeric()).count() <= 3
        && first
            .chars()
            .filter(|c| c.is_alphanumeric())
            .all(|c| c.is_numeric() || matches!(c, 'a'..='z' | 'A'..='H' | 'I' | 'V' | 'X'))
        && !first.ends_with("o.")
        || first.contains('.') && first.chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_number { rest.trim_start() } else { text }
}

/// Returns the text in parentheses directly after the blank: `____ (full name)`.
fn parenthesis_after(after: &str) -> Option<String> {
    let inside = after.trim_start().strip_prefix('(')?;
    let inner = inside.get(..inside.find(')')?)?.trim();
    // The designation of a party belongs to the text before the blank.
    const DESIGNATIONS: [&str; 9] = ["طرف", "الطرف", "the", "party", "partie", "hereinafter", "ci", "first", "second"];
    let words = split_words(inner);
    let first = words.first().map(|word| word.folded.as_str()).unwrap_or_default();
    let is_label = words.len() <= 7
        && !DESIGNATIONS.contains(&first)
        && inner.chars().filter(|c| c.is_alphabetic()).count() > 2
        && !inner.contains(['“', '"', '«', '_', '…'])
        && parties::party_in(inner).is_none_or(|_| inner.split_whitespace().count() > 2)
        && words::alternatives(inner).is_none();
    is_label.then(|| inner.to_owned())
}

/// Returns the names of the two blanks of a period: `from ____ to ____`.
fn period_name(
    before: &[Word],
    around: &Around,
    language: Language,
    was_start: bool,
    start_of_pair: &mut bool,
) -> Option<String> {
    let last = before.last()?.folded.as_str();
    let next = split_words(&around.after).first().map(|word| word.folded.clone()).unwrap_or_default();
    if ["from", "du", "من"].contains(&last) && ["to", "until", "till", "au", "الي", "حتي"].contains(&next.as_str())
    {
        *start_of_pair = true;
        return Some(plain_name(PlainName::Start, language).to_owned());
    }
    (was_start && ["to", "until", "till", "au", "الي", "حتي"].contains(&last) && before.len() <= 2)
        .then(|| plain_name(PlainName::End, language).to_owned())
}

/// Returns a name for a date pattern without a label.
fn year_or_date(candidate: &Candidate, around: &Around, language: Language) -> Option<String> {
    if candidate.form != BlankForm::DatePattern {
        return None;
    }
    if candidate.kind.is_none() {
        return Some(plain_name(PlainName::Year, language).to_owned());
    }
    let words = split_words(&around.before);
    let labelled = noun_phrase(&around.before, &words).filter(|label| name::fold(label).contains("date"));
    Some(labelled.unwrap_or_else(|| plain_name(PlainName::Date, language).to_owned()))
}

/// Returns the last noun phrase of the text before a blank: *monthly rent* in `the monthly rent is fixed at`.
fn noun_phrase(text: &str, words: &[Word]) -> Option<String> {
    let is_skipped = |word: &Word| words::is_stop_word(&word.folded) || words::is_connector(&word.folded);
    let end = words.iter().rposition(|word| !is_skipped(word))? + 1;
    // A sign between the noun and the blank ends the clause, unless it is an abbreviation such as `No.`.
    let is_cut = words.get(end - 1).is_some_and(|word| word.ends_clause && word.text.chars().count() > 4);
    if is_cut && end < words.len() {
        return None;
    }
    let points = |folded: &str| words::is_determiner(folded) || words::is_demonstrative(folded);
    let (mut start, mut count) = (end, 0);
    while start > 0 && count < MAX_PHRASE_WORDS {
        let Some(word) = words.get(start - 1) else { break };
        if start < end && word.ends_clause {
            break;
        }
        let before = start.checked_sub(2).and_then(|at| words.get(at));
        let before_that = start.checked_sub(3).and_then(|at| words.get(at));
        let joins = |word: Option<&Word>| word.is_some_and(|word| words::is_connector(&word.folded));
        let is_noun = |word: Option<&Word>| word.is_some_and(|word| !is_skipped(word) && !word.ends_clause);
        if start < end
            && (words::is_connector(&word.folded) || words::is_demonstrative(&word.folded))
            && is_noun(before)
        {
            start -= 1;
        } else if start < end && points(&word.folded) && joins(before) && is_noun(before_that) {
            start -= 2;
        } else if is_skipped(word) {
            break;
        } else {
            start -= 1;
            count += 1;
        }
    }
    let mut start = start + parties::after_party(words.get(start..end)?);
    if words.get(start).is_some_and(|word| words::is_holder(&word.folded)) {
        start += 1;
        let is_joined = |word: &Word| words::is_connector(&word.folded) || words::is_determiner(&word.folded);
        start += words.get(start..end)?.iter().take_while(|word| is_joined(word)).count();
    }
    let phrase_words = words.get(start..end)?;
    if phrase_words.iter().all(|word| phrases::name_after(&word.folded, Language::English).is_some()) {
        return None;
    }
    let (first, last) = (phrase_words.first()?, phrase_words.last()?);
    let phrase = text.get(first.at..last.at + last.text.len())?;
    let phrase = without_numbering(phrase);
    let phrase =
        if phrase.contains(words::is_arabic_letter) { words::without_arabic_joins(phrase) } else { phrase.to_owned() };
    (phrase.chars().filter(|c| c.is_alphabetic()).count() >= 2).then_some(phrase)
}

/// Returns the name that the unit after a blank suggests, and `true` if the unit is counted.
fn unit_name(after: &str, language: Language) -> Option<(String, bool)> {
    let after = after.trim_start();
    let first = after.split_whitespace().next().unwrap_or_default();
    let folded = name::fold(first);
    let sign = first.chars().next().map(String::from).unwrap_or_default();
    let found = phrases::name_after(&folded, language).or_else(|| phrases::name_after(&sign, language));
    found.map(|(name, is_counted)| (name.to_owned(), is_counted))
}

/// Returns the name of a check box: the text after it. A box for *yes* or *no* is named after its question.
fn check_box_name(candidate: &Candidate, around: &Around, document: Language) -> Option<String> {
    let after = around.after.trim_start().split(['\t', ';']).next().unwrap_or_default();
    let after = after.split(" / ").next().unwrap_or_default();
    let label = after.trim().trim_end_matches([',', '.', ':', '/', '،', ' ']);
    let label: String = label.split_whitespace().take(MAX_LABEL_WORDS).collect::<Vec<_>>().join(" ");
    let folded = name::fold(&label);
    let is_answer = ["yes", "no", "oui", "non", "نعم", "لا", "na"].contains(&folded.as_str());
    if !is_answer && label.chars().any(char::is_alphabetic) {
        return Some(label);
    }
    let question = around.question.trim().trim_end_matches([':', '?', '؟', '：', ' ', '\u{a0}']);
    let question = if question.is_empty() { candidate.cell_label.clone() } else { Some(question.to_owned()) };
    let question = question.map(|text| clean_label(&text)).filter(|text| text.chars().any(char::is_alphabetic));
    let question = question.map(|text| {
        let kept: Vec<char> = text.chars().collect();
        let start = kept.len().saturating_sub(MAX_SUGGESTED_CHARACTERS - 12);
        kept.get(start..).unwrap_or_default().iter().collect::<String>()
    });
    match (question, is_answer) {
        (Some(question), true) => Some(format!("{question} – {}", words::lower_first(&label))),
        (Some(question), false) => Some(question),
        (None, true) => Some(format!("{} – {label}", plain_name(PlainName::Answer, document))),
        (None, false) => None,
    }
}

/// Returns a valid name: without characters that names cannot have, not too long, with a capital first letter.
fn valid_name(text: &str) -> String {
    let text = text.replace(['–', '—'], "-").replace(['“', '”', '"', '«', '»', '?', '؟', '*'], "");
    let normalized = name::normalize(&text);
    let mut valid = String::new();
    for character in normalized.chars() {
        let is_valid = name::is_valid(character.encode_utf8(&mut [0; 4]));
        valid.push(if is_valid { character } else { ' ' });
    }
    let valid = name::normalize(&valid);
    let trimmed = valid.trim_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, ')' | '°' | '%') && !matches!(c, '\u{64b}'..='\u{65f}')
    });
    let trimmed = if trimmed.contains('(') { trimmed } else { trimmed.trim_end_matches(')') };
    let is_shouted = trimmed.split_whitespace().count() > 1
        && trimmed.chars().any(char::is_uppercase)
        && !trimmed.chars().any(char::is_lowercase);
    let cased = if is_shouted { trimmed.to_lowercase() } else { trimmed.to_owned() };
    let mut short = String::new();
    for word in cased.split(' ') {
        let length = short.chars().count() + word.chars().count() + 1;
        if length > MAX_SUGGESTED_CHARACTERS {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    if short.is_empty() {
        short = cased.chars().take(MAX_SUGGESTED_CHARACTERS).collect();
    }
    let short = words::upper_first(short.trim_end_matches([' ', ',', '-', '(', ':']));
    if short.chars().any(char::is_alphanumeric) && name::is_valid(&short) { short } else { String::new() }
}

/// Gives general names that several blanks have the name of their party.
fn add_parties(named: &mut [Named]) {
    let mut parties: HashMap<String, HashSet<Option<PartyIndex>>> = HashMap::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for one in named.iter() {
        let folded = name::fold(&one.name);
        parties.entry(folded.clone()).or_default().insert(one.party);
        *counts.entry(folded).or_default() += 1;
    }
    for one in named.iter_mut() {
        let folded = name::fold(&one.name);
        let is_several = counts.get(&folded).is_some_and(|count| *count > 1)
            && parties.get(&folded).is_some_and(|parties| parties.len() > 1);
        if let Some(party) = one.party.filter(|party| {
            is_several
                && parties::party_in(&one.name) != Some(*party)
                && parties::is_general(&one.name)
                && one.candidate.form != BlankForm::MergeField
        }) {
            one.name = valid_name(&parties::with_party(&one.name, party, one.language));
            if !one.own_key.is_empty() {
                one.own_key = name::fold(&one.name);
            }
        }
    }
}

/// Returns the folded names of the fields that the document already has.
fn existing_names(parts: &[ScannedPart<'_>]) -> HashSet<String> {
    let mut names = HashSet::new();
    for scan in parts.iter().map(|part| &part.scan) {
        for paragraph in &scan.paragraphs {
            if paragraph.cells.windows(2).any(|pair| pair.iter().all(|cell| cell.character == '{')) {
                let found = matching::find_fields(&paragraph.cells, |_| false);
                names.extend(found.matches.iter().map(|one| name::fold(&one.name)));
                names.extend(found.tags.iter().map(|tag| name::fold(&tag.name)));
            }
        }
        names.extend(scan.controls.iter().map(|control| name::fold(&control.name())));
    }
    names
}

/// Gives blanks with different keys different names. Returns the keys of the blanks.
fn distinguish(named: &mut [Named], existing: HashSet<String>) -> Vec<String> {
    // The key that uses a folded name. An empty key is that of a field in the document.
    let mut used: HashMap<String, String> = existing.into_iter().map(|name| (name, String::new())).collect();
    let mut last_numbers: HashMap<String, usize> = HashMap::new();
    let mut names_of_keys: HashMap<String, String> = HashMap::new();
    let mut keys = Vec::with_capacity(named.len());
    for (at, one) in named.iter_mut().enumerate() {
        let key = if one.own_key.is_empty() { format!("#{}", at + 1) } else { one.own_key.clone() };
        if let Some(known) = names_of_keys.get(&key) {
            one.name.clone_from(known);
            keys.push(key);
            continue;
        }
        let folded = name::fold(&one.name);
        let is_free = |folded: &str, used: &HashMap<String, String>| {
            used.get(folded).is_none_or(|owner| owner.is_empty() && !one.own_key.is_empty())
        };
        if !is_free(&folded, &used) {
            let number = last_numbers.entry(folded.clone()).or_insert(1);
            let base: String = one.name.chars().take(name::MAX_NAME_CHARACTERS - 8).collect();
            let separator = if base.ends_with(|c: char| c.is_numeric()) { "-" } else { " " };
            // Each number is tried once, so the loop ends after at most as many steps as there are names.
            loop {
                *number += 1;
                let candidate = format!("{base}{separator}{number}");
                if !used.contains_key(&name::fold(&candidate)) {
                    one.name = candidate;
                    break;
                }
            }
        }
        used.insert(name::fold(&one.name), key.clone());
        names_of_keys.insert(key.clone(), one.name.clone());
        keys.push(key);
    }
    keys
}

/// Returns the settings that the names and the text around the blanks show, by name.
fn kinds_of(named: &[Named]) -> HashMap<String, FieldSettings> {
    let mut fields = Vec::new();
    let mut contexts = Vec::new();
    let mut known = HashSet::new();
    for one in named.iter().filter(|one| known.insert(one.name.as_str())) {
        let skipped = one.around.before.chars().count().saturating_sub(MAX_CONTEXT_CHARACTERS);
        fields.push(one.name.clone());
        contexts.push(FieldContext {
            field: one.name.clone(),
            before: one.around.before.chars().skip(skipped).collect(),
            after: one.around.after.chars().take(MAX_CONTEXT_CHARACTERS).collect(),
            cell_label: one.candidate.cell_label.clone().unwrap_or_default(),
            heading: one.around.heading.chars().take(MAX_CONTEXT_CHARACTERS).collect(),
            ..FieldContext::default()
        });
    }
    detect_settings(&fields, &contexts).into_iter().map(|help| (help.field.clone(), help)).collect()
}

/// Returns whether a name asks for a signature, and not for something about it, such as *Place of signature*.
fn is_signature(name: &str) -> bool {
    const SIGNATURES: [&str; 8] = ["signature", "signatures", "sign", "signed", "توقيع", "التوقيع", "الامضاء", "امضاء"];
    const OTHER_THINGS: [&str; 22] = [
        "date",
        "day",
        "place",
        "city",
        "town",
        "name",
        "title",
        "number",
        "jour",
        "lieu",
        "ville",
        "nom",
        "qualite",
        "nombre",
        "تاريخ",
        "يوم",
        "مكان",
        "محل",
        "مدينه",
        "اسم",
        "صفه",
        "عدد",
    ];
    let words = split_words(name);
    let has_any = |known: &[&str]| words.iter().any(|word| known.contains(&word.folded.as_str()));
    has_any(&SIGNATURES) && !has_any(&OTHER_THINGS)
}

fn blank_of(
    parts: &[ScannedPart<'_>],
    one: Named,
    key: String,
    settings: &HashMap<String, FieldSettings>,
) -> Option<Blank> {
    let Named { candidate, name, is_from_text, .. } = one;
    let scan = &parts.get(candidate.part)?.scan;
    let paragraph = scan.paragraphs.get(candidate.paragraph)?;
    let found = settings.get(&name);
    let detected = found.and_then(|help| help.kind);
    let is_line = candidate.is_line() || candidate.form == BlankForm::EmptyCell;
    let mut confidence = candidate.confidence;
    let kind = match candidate.kind {
        Some(kind) => kind,
        None if is_line && is_signature(&name) => {
            confidence = confidence.lowered();
            ValueKind::Signature
        }
        None => detected.unwrap_or(ValueKind::Text),
    };
    if !is_from_text {
        confidence = confidence.lowered();
    }
    let choices = match (kind, candidate.choices.is_empty()) {
        (ValueKind::Choice, false) => candidate.choices,
        (ValueKind::Choice, true) => found.and_then(|help| help.choices.clone()).unwrap_or_default(),
        _ => Vec::new(),
    };
    // A list without choices is a text.
    let kind = if kind == ValueKind::Choice && choices.is_empty() { ValueKind::Text } else { kind };
    let cells = paragraph.cells.get(candidate.cells.clone()).unwrap_or_default();
    Some(Blank {
        name,
        key,
        text: cells
            .iter()
            .map(|cell| cell.character)
            .filter(|c| *c != OBJECT_PLACEHOLDER)
            .take(MAX_TEXT_CHARACTERS)
            .collect(),
        form: candidate.form,
        kind,
        choices,
        part: scan.part.clone(),
        paragraph: candidate.paragraph + 1,
        start: candidate.cells.start,
        end: candidate.cells.end,
        object: candidate.object,
        continuation: candidate.continuation.iter().map(|at| at + 1).collect(),
        confidence,
        context: surrounding_text(&paragraph.cells, &candidate.cells),
    })
}
