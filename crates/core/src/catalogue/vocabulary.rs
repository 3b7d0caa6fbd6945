//! The words of all titles and keywords. Each word is stored once, however many templates contain it.

use std::collections::HashMap;

use memchr::memmem::Finder;

/// A list of words with a number for each word. The number of a word never changes. Unused words stay until the catalogue is
/// loaded again.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    numbers: HashMap<Box<str>, u32>,
    /// All words, each after a line feed, so that one search goes through all of them.
    text: String,
    /// The byte position of each word in `text`.
    starts: Vec<u32>,
}

/// A set of words of a vocabulary.
#[derive(Debug, Clone, Default)]
pub struct WordSet {
    /// One bit for each word; the index of the bit is the number of the word.
    bits: Vec<u64>,
    any: bool,
}

impl WordSet {
    pub fn contains(&self, number: u32) -> bool {
        self.bits.get(number as usize / 64).is_some_and(|bits| bits & (1 << (number % 64)) != 0)
    }

    pub fn is_empty(&self) -> bool {
        !self.any
    }

    fn insert(&mut self, number: usize) {
        let place = number / 64;
        if self.bits.len() <= place {
            self.bits.resize(place + 1, 0);
        }
        if let Some(bits) = self.bits.get_mut(place) {
            *bits |= 1 << (number % 64);
        }
        self.any = true;
    }

    /// Creates a set of the words with these numbers.
    pub fn from_numbers(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::default();
        numbers.into_iter().for_each(|number| set.insert(number as usize));
        set
    }
}

impl Vocabulary {
    /// Returns the number of a word. Adds the word if it is unknown.
    pub fn number_or_insert(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = u32::try_from(self.starts.len()).unwrap_or(u32::MAX);
        self.text.push('\n');
        self.starts.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        self.text.push_str(word);
        self.numbers.insert(word.into(), number);
        number
    }

    /// Returns the number of a word, or `None` if the word is unknown.
    pub fn number_of(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// Returns all words with their numbers.
    pub fn words(&self) -> impl Iterator<Item = (u32, &str)> {
        self.text.split('\n').skip(1).zip(0..).map(|(word, number)| (number, word))
    }

    /// Returns the words that contain `piece`, which must be a single-line text.
    pub fn words_containing(&self, piece: &str) -> WordSet {
        self.words_matching(piece, 0)
    }

    /// Returns the words that start with `piece`.
    pub fn words_starting_with(&self, piece: &str) -> WordSet {
        self.words_matching(&format!("\n{piece}"), 1)
    }

    /// Searches the vocabulary for `sought` and returns the words found. `sought` may begin with text that is not part of the word,
    /// such as the line feed in front of it. `before` is the length of this text in bytes.
    fn words_matching(&self, sought: &str, before: usize) -> WordSet {
        let (mut set, finder, text) = (WordSet::default(), Finder::new(sought), self.text.as_bytes());
        let (mut from, mut number) = (0, 0);
        while let Some(found) = text.get(from..).and_then(|rest| finder.find(rest)) {
            let at = from + found + before;
            let rest = self.starts.get(number..).unwrap_or_default();
            number += rest.partition_point(|start| *start as usize <= at);
            set.insert(number.saturating_sub(1));
            // The search continues at the line feed in front of the next word.
            let Some(next) = self.starts.get(number) else { break };
            from = (*next as usize).saturating_sub(1);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_substring_and_prefix() {
        let mut vocabulary = Vocabulary::default();
        let words = ["lease", "release", "le", "عقد", "l", "lease"];
        let numbers: Vec<u32> = words.iter().map(|word| vocabulary.number_or_insert(word)).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 0]);
        let those = |set: &WordSet| -> Vec<u32> { (0..6).filter(|number| set.contains(*number)).collect() };
        assert_eq!(those(&vocabulary.words_containing("lease")), [0, 1]);
        assert_eq!(those(&vocabulary.words_containing("l")), [0, 1, 2, 4]);
        assert_eq!(those(&vocabulary.words_starting_with("le")), [0, 2]);
        assert_eq!(those(&vocabulary.words_starting_with("l")), [0, 2, 4]);
        assert_eq!(those(&vocabulary.words_containing("قد")), [3]);
        assert!(vocabulary.words_containing("x").is_empty() && vocabulary.words_starting_with("ease").is_empty());
        assert!(!vocabulary.words_starting_with("lease").is_empty());
        assert_eq!(vocabulary.words().nth(1), Some((1, "release")));
        assert_eq!(vocabulary.number_of("عقد"), Some(3));
        assert!(Vocabulary::default().words_containing("a").is_empty());
    }

    #[test]
    fn word_set_contains_its_numbers() {
        let set = WordSet::from_numbers([3, 64, 200]);
        assert_eq!((0..300).filter(|number| set.contains(*number)).collect::<Vec<_>>(), [3, 64, 200]);
    }
}
