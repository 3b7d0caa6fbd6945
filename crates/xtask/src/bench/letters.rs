//! Compares our PDF with the reference, as [`super::fidelity`] does, but by letters instead of words.
//!
//! The comparison script compares words as Poppler splits them. LibreOffice 7.4 draws dots and vowel signs of Arabic
//! letters as separate glyphs, and Poppler splits words there: it reads `وثيقة` as `وث ي ق ة`. Poppler finds 0 to 87 %
//! of the corpus' Arabic words whole in the reference, and 87 to 100 % in our PDFs. List bullets and leaders of
//! LibreOffice join the words beside them. Words that are whole in our PDFs then match nothing.
//!
//! The same lines are therefore compared again without spaces, as sequences of letters and digits. They are normalized
//! to NFKC without marks, tatweels, punctuation and private-use characters:
//!
//! - `letters`: percentage of the reference's letters that our PDF contains in the same order;
//! - `lines`: percentage of equal line breaks. It counts the matched letters that begin a line in at least one PDF, and
//!   gives the share that begins a line in both PDFs;
//! - `median`: median distance in points between matched letters that begin a word in both PDFs, on the same page.
//!
//! The differences that remain are real: deleted text that the reference shows (rp051-arabic prints its tracked
//! deletions), charts, and different page breaks.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_normalization::UnicodeNormalization;

use super::measure;

pub struct LetterComparison {
    pub letters: f64,
    pub lines: f64,
    pub median: f64,
    pub right_to_left: bool,
}

#[derive(Debug, Clone)]
struct Word {
    text: String,
    page: usize,
    /// The left, top, right and bottom of the word on its page, in points.
    area: [f64; 4],
}

struct Letter {
    letter: char,
    page: usize,
    starts_line: bool,
    /// The position of the word if this is its first letter, otherwise `None`.
    starts_word: Option<(f64, f64)>,
}

pub fn compare(ours: &Path, reference: &Path) -> Result<LetterComparison> {
    let (ours, theirs) = (words(ours)?, words(reference)?);
    let right_to_left = 2 * theirs.iter().filter(|word| is_right_to_left(&word.text)).count() > theirs.len();
    let (ours, theirs) = (letters(&ours), letters(&theirs));
    let sequence = |letters: &[Letter]| letters.iter().map(|letter| letter.letter).collect::<Vec<_>>();
    let (mut matched, mut both, mut either, mut distances) = (0, 0, 0, Vec::new());
    for operation in capture_diff_slices(Algorithm::Myers, &sequence(&ours), &sequence(&theirs)) {
        let DiffOp::Equal { old_index, new_index, len } = operation else { continue };
        matched += len;
        for (a, b) in ours.iter().skip(old_index).zip(theirs.iter().skip(new_index)).take(len) {
            both += usize::from(a.starts_line && b.starts_line);
            either += usize::from(a.starts_line || b.starts_line);
            if let (Some(a_at), Some(b_at), true) = (a.starts_word, b.starts_word, a.page == b.page) {
                distances.push((a_at.0 - b_at.0).hypot(a_at.1 - b_at.1));
            }
        }
    }
    let share = |part: usize, all: usize| if all == 0 { 100.0 } else { 100.0 * part as f64 / all as f64 };
    Ok(LetterComparison {
        letters: share(matched, theirs.len()),
        lines: share(both, either),
        median: median(&mut distances).unwrap_or(if theirs.is_empty() { 0.0 } else { 999.0 }),
        right_to_left,
    })
}

pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values.get(middle).copied()
    } else {
        Some((values.get(middle.checked_sub(1)?)? + values.get(middle)?) / 2.0)
    }
}

fn words(pdf: &Path) -> Result<Vec<Word>> {
    let outcome = measure::run(Command::new("pdftotext").arg("-bbox-layout").arg(pdf).arg("-"))?;
    if !outcome.status.success() {
        bail!("{}: {}", pdf.display(), outcome.stderr.trim());
    }
    let mut pages = 0;
    let mut words = Vec::new();
    for line in outcome.stdout.lines().map(str::trim_start) {
        if line.starts_with("<page ") {
            pages += 1;
        } else if let Some(word) = line.strip_prefix("<word ").and_then(|rest| word(rest, pages)) {
            words.push(word);
        }
    }
    Ok(words)
}

/// Parses the rest of a line of `pdftotext` that describes a word: `xMin="1" yMin="2" xMax="3" yMax="4">text</word>`.
fn word(rest: &str, pages: usize) -> Option<Word> {
    let (attributes, text) = rest.split_once('>')?;
    let text = text.strip_suffix("</word>")?;
    let number = |name: &str| {
        let (_, value) = attributes.split_once(&format!("{name}=\""))?;
        value.split('"').next()?.parse::<f64>().ok()
    };
    let area = [number("xMin")?, number("yMin")?, number("xMax")?, number("yMax")?];
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    Some(Word { text, page: pages, area })
}

fn is_right_to_left(text: &str) -> bool {
    text.chars().any(|c| ('\u{590}'..='\u{8ff}').contains(&c))
}

/// Returns the letters and digits of `words`, in reading order.
fn letters(words: &[Word]) -> Vec<Letter> {
    let mut letters = Vec::new();
    for page in words.chunk_by(|a, b| a.page == b.page) {
        for line in lines(page) {
            let mut first = true;
            for word in line {
                let corner = if is_right_to_left(&word.text) { word.area[2] } else { word.area[0] };
                let mut begin = Some((corner, word.area[3]));
                for letter in word.text.nfkc().filter(|c| c.is_alphanumeric() && !is_mark(*c)) {
                    let starts_line = std::mem::take(&mut first);
                    letters.push(Letter { letter, page: word.page, starts_line, starts_word: begin.take() });
                }
            }
        }
    }
    letters
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{e000}'..='\u{f8ff}')
}

/// Returns the words of a page line by line, in reading order, with the method of the comparison script.
fn lines(page: &[Word]) -> Vec<Vec<&Word>> {
    struct Line<'w> {
        centre: f64,
        height: f64,
        words: Vec<&'w Word>,
    }
    let mut sorted: Vec<&Word> = page.iter().collect();
    sorted.sort_by(|a, b| {
        (a.area[1] + a.area[3]).total_cmp(&(b.area[1] + b.area[3])).then(a.area[0].total_cmp(&b.area[0]))
    });
    let mut lines: Vec<Line<'_>> = Vec::new();
    for word in sorted {
        let (centre, height) = ((word.area[1] + word.area[3]) / 2.0, (word.area[3] - word.area[1]).max(1.0));
        let near = lines.len().saturating_sub(6);
        let same = |line: &&mut Line<'_>| (line.centre - centre).abs() < 0.35 * height.min(line.height);
        match lines.iter_mut().skip(near).find(same) {
            Some(line) => line.words.push(word),
            None => lines.push(Line { centre, height, words: vec![word] }),
        }
    }
    lines.sort_by(|a, b| a.centre.total_cmp(&b.centre));
    let ordered = lines.into_iter().map(|mut line| {
        let count = |words: &[&Word], of: &dyn Fn(&str) -> bool| -> usize {
            words.iter().filter(|word| of(&word.text)).map(|word| word.text.chars().count()).sum()
        };
        if 2 * count(&line.words, &is_right_to_left) > count(&line.words, &|_| true) {
            line.words.sort_by(|a, b| b.area[2].total_cmp(&a.area[2]));
        } else {
            line.words.sort_by(|a, b| a.area[0].total_cmp(&b.area[0]));
        }
        line.words
    });
    ordered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, x: f64, y: f64) -> Word {
        let width = 6.0 * text.chars().count() as f64;
        Word { text: text.into(), page: 1, area: [x, y, x + width, y + 12.0] }
    }

    #[test]
    fn poppler_words_are_parsed() {
        let found = word("xMin=\"72.5\" yMin=\"10\" xMax=\"90\" yMax=\"22\">R&amp;D</word>", 3).unwrap();
        assert_eq!((found.text.as_str(), found.page, found.area), ("R&D", 3, [72.5, 10.0, 90.0, 22.0]));
    }

    #[test]
    fn letters_are_in_reading_order_line_by_line() {
        let words = [at("ثيقة", 60.0, 100.5), at("و", 90.0, 100.0), at("Two", 10.0, 130.0), at("3-a", 40.0, 130.0)];
        let letters = letters(&words);
        assert_eq!(letters.iter().map(|letter| letter.letter).collect::<String>(), "وثيقةTwo3a");
        let starts: Vec<usize> = (0..letters.len()).filter(|&i| letters[i].starts_line).collect();
        assert_eq!(starts, [0, 5]);
        assert_eq!(letters[0].starts_word, Some((96.0, 112.0)));
        assert_eq!(letters[6].starts_word, None);
    }

    #[test]
    fn median_of_an_even_count_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&mut [5.0]), Some(5.0));
        assert_eq!(median(&mut []), None);
    }
}
