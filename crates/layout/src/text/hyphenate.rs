//! Automatic hyphenation (§17.15.1.10 w:autoHyphenation) with Liang's patterns for the language of the run.

use hypher::Lang;
use waraq_docx::tree::{RunProperties, Settings};

use super::source::{ParagraphSource, Span, SpanKind};

/// Minimum number of letters of a word. Shorter words are not hyphenated, as in Word.
const MIN_WORD_LETTERS: usize = 5;
/// Maximum number of letters of a word. Longer words are not hyphenated; words of real languages are shorter.
const MAX_WORD_LETTERS: usize = 64;

/// Returns the byte offsets in the text at which an automatic hyphen may be inserted, in ascending order.
pub(super) fn hyphenation_points(source: &ParagraphSource, settings: &Settings) -> Vec<usize> {
    let mut points = Vec::new();
    if !settings.auto_hyphenation {
        return points;
    }
    let ends_word = |c: char| !(c.is_alphabetic() || is_word_internal(c));
    let mut end = 0;
    for chunk in source.text.split_inclusive(ends_word) {
        let (start, word) = (end, chunk.trim_end_matches(ends_word));
        end += chunk.len();
        let span = source.spans.partition_point(|span| span.end <= start);
        if let Some(language) = source.spans.get(span).filter(|_| !word.is_empty()).and_then(hyphenation_language) {
            points.extend(word_hyphenation_points(word, language, settings).map(|place| start + place));
        }
    }
    points
}

/// Returns true for characters that are not letters but do not end a word: combining marks and soft hyphens.
fn is_word_internal(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{300}'..='\u{36f}')
}

/// Returns the byte offsets in a word at which it may be hyphenated. A word with a soft hyphen (U+00AD) gets no automatic
/// hyphens.
fn word_hyphenation_points(word: &str, language: Lang, settings: &Settings) -> impl Iterator<Item = usize> {
    let letters = word.chars().count();
    let capitals = settings.do_not_hyphenate_caps && word.chars().all(|c| !c.is_lowercase());
    let is_excluded = !(MIN_WORD_LETTERS..=MAX_WORD_LETTERS).contains(&letters) || capitals || word.contains('\u{ad}');
    let mut at = 0;
    let last = word.len();
    (!is_excluded).then(|| hypher::hyphenate(word, language)).into_iter().flatten().filter_map(move |syllable| {
        at += syllable.len();
        (at < last).then_some(at)
    })
}

/// Returns the language whose hyphenation rules apply to a span, or `None` if the span is not hyphenated.
fn hyphenation_language(span: &Span) -> Option<Lang> {
    let run: &RunProperties = &span.run;
    // Text that is excluded from proofing is not hyphenated, as in Word.
    if !matches!(span.kind, SpanKind::Text | SpanKind::SmallCapitals) || run.no_proof || run.right_to_left {
        return None;
    }
    let tag = run.language.latin.as_deref()?.split(['-', '_']).next()?.to_ascii_lowercase();
    Lang::from_iso(tag.as_bytes().try_into().ok()?)
}
