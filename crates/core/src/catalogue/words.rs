//! Words as compared by searches: folded, without articles and stop words.

use crate::fold::fold;

/// Stop words, folded. Searches ignore them.
const STOP_WORDS: [&str; 46] = [
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "my", "of", "on", "or", "the", "to",
    "with", // English
    "au", "aux", "avec", "d", "dans", "de", "des", "du", "en", "et", "l", "la", "le", "les", "mon", "ou", "par",
    "pour", "sa", "son", "sur", "un", "une", // French
    "او", "عن", "على", "في", "من", "مع", // Arabic
];

/// Arabic articles, some of them joined to a preposition or conjunction. They are written together with the noun: "the", "and the",
/// "with the", "for the" and similar. The longest come first, so that the whole prefix is removed.
const ARTICLES: [&str; 6] = ["وال", "بال", "كال", "فال", "ال", "لل"];

/// Minimum number of letters that must be left after a prefix or an ending is removed.
const FEWEST_LETTERS: usize = 3;

pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// Returns the folded words of a text. Punctuation and elisions separate words: `l’employé` is `l`, `employe`.
pub fn words(text: &str) -> Vec<String> {
    words_in(&fold(text)).map(str::to_owned).collect()
}

/// Returns the words of a folded text.
pub fn words_in(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Splits a folded text into words and runs of punctuation. White space separates tokens and is left out.
pub fn tokens(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(' ').flat_map(|between_spaces| {
        let mut rest = between_spaces;
        std::iter::from_fn(move || {
            let of_words = rest.chars().next()?.is_alphanumeric();
            let end = rest.find(|letter: char| letter.is_alphanumeric() != of_words).unwrap_or(rest.len());
            let (token, left) = rest.split_at(end);
            rest = left;
            Some(token)
        })
    })
}

/// Returns the stem of a folded word: without its article, and without an English, French or Arabic plural ending. `leases` →
/// `lease`, `الإيجار` → `ايجار`, `شهادات` → `شهاد`.
pub fn stem(word: &str) -> &str {
    let word = without_article(word);
    if word.ends_with("ss") {
        return word;
    }
    shortened(word, |word| word.strip_suffix('s').or_else(|| word.strip_suffix("ات")))
}

/// Returns a folded word without its article.
pub fn without_article(word: &str) -> &str {
    shortened(word, |word| ARTICLES.iter().find_map(|article| word.strip_prefix(article)))
}

fn shortened<'a>(word: &'a str, shorten: impl Fn(&'a str) -> Option<&'a str>) -> &'a str {
    shorten(word).filter(|left| left.chars().count() >= FEWEST_LETTERS).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_into_words() {
        assert_eq!(words("Contrat de l’employé (non-cadre)"), ["contrat", "de", "l", "employe", "non", "cadre"]);
        assert_eq!(words("عَقْدُ الإيجارِ، سكنيّ"), ["عقد", "الايجار", "سكني"]);
        assert!(words(" – ").is_empty());
    }

    #[test]
    fn tokens_are_words_and_signs() {
        let all: Vec<&str> = tokens("c++ de l'employe (non-cadre) &").collect();
        assert_eq!(all, ["c", "++", "de", "l", "'", "employe", "(", "non", "-", "cadre", ")", "&"]);
        assert_eq!(tokens("").count(), 0);
    }

    #[test]
    fn stems_drop_plural_endings_and_arabic_prefixes() {
        for (word, begins) in [
            ("leases", "lease"),
            ("baux", "baux"),
            ("business", "business"),
            ("gas", "gas"),
            ("الايجار", "ايجار"),
            ("للايجار", "ايجار"),
            ("والفواتير", "فواتير"),
            ("شهادات", "شهاد"),
            ("الان", "الان"),
        ] {
            assert_eq!(stem(word), begins, "{word}");
        }
    }
}
