//! The countries of ISO 3166-1. `countries.tsv` lists the alpha-2 code and the English, French and Arabic names of CLDR 48.

use std::sync::LazyLock;

use crate::fold::fold;
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    /// The alpha-2 code in upper case.
    pub code: &'static str,
    names: [&'static str; 3],
}

impl Country {
    pub fn name(&self, language: InterfaceLanguage) -> &'static str {
        self.names[language as usize]
    }
}

static COUNTRIES: LazyLock<Vec<Country>> = LazyLock::new(|| {
    let lines = include_str!("countries.tsv").lines();
    lines
        .filter_map(|line| {
            let mut cells = line.split('\t');
            Some(Country { code: cells.next()?, names: [cells.next()?, cells.next()?, cells.next()?] })
        })
        .collect()
});

/// Returns all countries, sorted by their name in `language`.
pub fn countries(language: InterfaceLanguage) -> Vec<&'static Country> {
    let mut all: Vec<&Country> = COUNTRIES.iter().collect();
    all.sort_by_cached_key(|country| {
        let name = fold(country.name(language));
        // In Arabic, the article is ignored when names are sorted.
        name.strip_prefix("ال").map_or(name.clone(), str::to_owned)
    });
    all
}

/// Returns the country with an alpha-2 code in upper or lower case.
pub fn country(code: &str) -> Result<&'static Country> {
    let known = COUNTRIES.iter().find(|country| country.code.eq_ignore_ascii_case(code));
    known.ok_or_else(|| {
        Error::new(ErrorCode::UnknownCountry, format!("{code:?} is not a country of ISO 3166."))
            .with_fields(["country"])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_has_a_name_in_each_language() {
        assert_eq!(COUNTRIES.len(), 249);
        for language in InterfaceLanguage::ALL {
            assert!(countries(language).iter().all(|country| !country.name(language).is_empty()));
        }
        assert_eq!(countries(InterfaceLanguage::French)[0].name(InterfaceLanguage::French), "Afghanistan");
        assert_eq!(country("tn").map(|country| country.name(InterfaceLanguage::Arabic)), Ok("تونس"));
        assert!(country("XX").is_err());
    }
}
