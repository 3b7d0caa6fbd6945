//! Metadata of the PDF: title, authors, language, page labels, outline.

use std::num::NonZeroU32;

use krilla::metadata::{DateTime, Metadata, TextDirection};
use krilla::outline::{Outline, OutlineNode};
use krilla::page::{NumberingStyle, PageLabel};
use waraq_layout::Pages;

use super::links::page_destination;

/// Maximum outline level, counted from 0. Word has nine levels. Entries with a higher level get this level.
const MAX_LEVEL: u8 = 8;

pub(super) fn pdf_metadata(pages: &Pages) -> Metadata {
    let from = &pages.metadata;
    let mut metadata = Metadata::new().producer("Waraq".into());
    if let Some(title) = title(pages) {
        metadata = metadata.title(title);
    }
    if let Some(author) = non_empty_text(&from.creator) {
        // Word separates authors with semicolons
        let authors = author.split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        metadata = metadata.authors(authors.collect());
    }
    if let Some(subject) = non_empty_text(&from.subject) {
        metadata = metadata.description(subject);
    }
    if let Some(keywords) = non_empty_text(&from.keywords) {
        let words = keywords.split([',', ';', '،', '؛']).map(str::trim).filter(|word| !word.is_empty());
        metadata = metadata.keywords(words.map(str::to_owned).collect());
    }
    if let Some(language) = non_empty_text(&from.language) {
        metadata = metadata.language(language);
    }
    if let Some(created) = from.created.as_deref().and_then(parse_date) {
        metadata = metadata.creation_date(created);
    }
    if pages.right_to_left {
        metadata = metadata.text_direction(TextDirection::RightToLeft);
    }
    metadata
}

/// Returns the document's title, or else the text of the first outline entry. Returns `None` if the document has
/// neither. PDF readers show the title, and PDF/UA requires a title.
fn title(pages: &Pages) -> Option<String> {
    non_empty_text(&pages.metadata.title)
        .or_else(|| pages.outline.iter().find_map(|entry| non_empty_text(&Some(entry.title.clone()))))
}

fn non_empty_text(value: &Option<String>) -> Option<String> {
    // cut to the length that a PDF string may have (ISO 32000-1, annex C)
    value.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(|text| text.chars().take(8_000).collect())
}

/// Parses a date such as `2024-03-01T09:30:00Z`. Parts at the end may be missing, as in `2024-03`. Returns `None` if
/// the year is missing.
fn parse_date(iso: &str) -> Option<DateTime> {
    let mut numbers = iso.split(|c: char| !c.is_ascii_digit()).map(|digits| digits.parse::<u16>().ok());
    let year = numbers.next().flatten()?;
    let small = numbers.map_while(|number| number.and_then(|number| u8::try_from(number).ok()));
    let parts: [fn(DateTime, u8) -> DateTime; 5] = [
        DateTime::month,
        DateTime::day,
        |date, hour| date.hour(hour).utc_offset_hour(0),
        DateTime::minute,
        DateTime::second,
    ];
    Some(parts.into_iter().zip(small).fold(DateTime::new(year), |date, (part, number)| part(date, number)))
}

/// Converts a page label to krilla's type. A label such as "4" becomes a number, so that PDF readers can sort by it. A
/// label such as "iv" becomes a prefix without a number.
pub(super) fn page_label(label: &str) -> PageLabel {
    match label.parse::<NonZeroU32>() {
        Ok(number) if number.to_string() == label => PageLabel::new(Some(NumberingStyle::Arabic), None, Some(number)),
        _ => PageLabel::new(None, Some(label.to_owned()), None),
    }
}

/// Builds the outline. Returns `None` if the document has no headings and `required` is not set. If `required` is set,
/// the outline of such a document has one entry with the title, because krilla requires an outline for PDF/UA.
pub(super) fn outline(pages: &Pages, required: bool) -> Option<Outline> {
    let mut outline = Outline::new();
    if required
        && pages.outline.is_empty()
        && let (Some(title), Some(first)) = (title(pages), page_destination(pages, 0, 0.0, 0.0))
    {
        outline.push_child(OutlineNode::new(title, first));
        return Some(outline);
    }
    // the path from the root to the entry that was added last
    let mut open: Vec<(u8, OutlineNode)> = Vec::new();
    for entry in &pages.outline {
        let title = entry.title.trim();
        let Some(place) = page_destination(pages, entry.page, 0.0, entry.y) else { continue };
        if title.is_empty() {
            continue;
        }
        let level = entry.level.min(MAX_LEVEL);
        close_entries(level, &mut open, &mut outline);
        open.push((level, OutlineNode::new(title.to_owned(), place)));
    }
    close_entries(0, &mut open, &mut outline);
    (!pages.outline.is_empty()).then_some(outline)
}

/// Closes the open entries at `level` or deeper. Each of these entries is moved from `open` to its parent entry, or to
/// the outline if it has no parent.
fn close_entries(level: u8, open: &mut Vec<(u8, OutlineNode)>, outline: &mut Outline) {
    while let Some((_, node)) = open.pop_if(|(opened, _)| *opened >= level) {
        match open.last_mut() {
            Some((_, parent)) => parent.push_child(node),
            None => outline.push_child(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_may_be_incomplete() {
        assert_eq!(parse_date("2024-03-01T09:30:05Z"), {
            Some(DateTime::new(2024).month(3).day(1).hour(9).utc_offset_hour(0).minute(30).second(5))
        });
        assert_eq!(parse_date("2024"), Some(DateTime::new(2024)));
        assert_eq!(parse_date("yesterday"), None);
    }
}
