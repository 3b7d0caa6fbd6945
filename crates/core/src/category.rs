//! What templates are about. A category is a name; those the product knows have it in every interface language.

use std::collections::BTreeMap;

use crate::fold::fold;
use crate::one_line::one_line;
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

/// The category of a template that names none.
pub const DEFAULT_CATEGORY: &str = "general";

/// Characters of a name.
pub const LONGEST_NAME: usize = 60;
/// Categories of one template.
pub const MOST_PER_TEMPLATE: usize = 20;

/// The name, and what an English, French and Arabic interface shows.
const KNOWN: [[&str; 4]; 7] = [
    ["general", "General", "Général", "عام"],
    ["employment", "Employment", "Emploi", "العمل والتوظيف"],
    ["housing", "Housing", "Logement", "السكن"],
    ["business", "Business", "Entreprise", "الأعمال"],
    ["legal", "Legal", "Juridique", "قانوني"],
    ["finance", "Finance", "Finance", "المالية"],
    ["personal", "Personal", "Personnel", "شخصي"],
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// What templates carry.
    pub name: String,
    /// By interface language; missing where it is not known.
    pub names: BTreeMap<&'static str, String>,
    /// Active templates that carry it.
    pub count: u32,
}

/// The known categories and those in use, with how many active templates carry each; by name.
pub fn categories<'a>(in_use: impl IntoIterator<Item = &'a str>) -> Vec<Category> {
    let mut all: BTreeMap<String, Category> = BTreeMap::new();
    for [name, shown @ ..] in KNOWN {
        let names = InterfaceLanguage::ALL.map(InterfaceLanguage::code).into_iter().zip(shown);
        let names = names.map(|(code, name)| (code, name.to_owned())).collect();
        all.insert(fold(name), Category { name: name.to_owned(), names, count: 0 });
    }
    for name in in_use {
        let category = all.entry(fold(name)).or_insert_with(|| Category {
            name: name.to_owned(),
            names: BTreeMap::new(),
            count: 0,
        });
        category.count += 1;
    }
    all.into_values().collect()
}

/// Whether the product knows a category of this very name.
pub fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known[0] == name)
}

/// What a category is called in every interface language; one the product does not know has its one name.
pub fn names_of(name: &str) -> Vec<&str> {
    KNOWN.iter().find(|known| known[0] == name).map_or_else(|| vec![name], |names| names.to_vec())
}

/// The name a template carries for what somebody typed: the known category's, in whichever language it was typed, else the
/// text itself, in lower case.
pub fn canonical(typed: &str) -> String {
    let folded = fold(typed);
    let known = KNOWN.iter().find(|names| names.iter().any(|name| fold(name) == folded));
    known.map_or_else(
        || typed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
        |names| names[0].to_owned(),
    )
}

/// The names of a list joined by commas; ، is the comma of Arabic keyboards.
pub fn pieces(typed: &str) -> impl Iterator<Item = &str> {
    typed.split([',', '،']).map(str::trim).filter(|piece| !piece.is_empty())
}

/// `"Contrats, logement,"` → `contracts`, `housing`; nothing → the default.
pub fn parse_list(typed: &str) -> Result<Vec<String>> {
    let invalid = |message: String, limit: usize| {
        Error::new(ErrorCode::InvalidCategory, message).with_limit(limit as u64).with_fields(["categories"])
    };
    // Counted before anything is done with them.
    if pieces(typed).nth(MOST_PER_TEMPLATE).is_some() {
        return Err(invalid(format!("A template has at most {MOST_PER_TEMPLATE} categories."), MOST_PER_TEMPLATE));
    }
    let mut names: Vec<String> = Vec::new();
    for piece in pieces(typed) {
        let message = format!("A category has at most {LONGEST_NAME} characters, on one line, none of them invisible.");
        if piece.chars().count() > LONGEST_NAME {
            return Err(invalid(message, LONGEST_NAME));
        }
        let name = canonical(piece);
        if one_line(&name, LONGEST_NAME).is_err() {
            return Err(invalid(message, LONGEST_NAME));
        }
        if !names.iter().any(|known| fold(known) == fold(&name)) {
            names.push(name);
        }
    }
    if names.is_empty() {
        names.push(DEFAULT_CATEGORY.to_owned());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let parse = |typed| parse_list(typed).unwrap().join("|");
        assert_eq!(parse(""), "general");
        assert_eq!(parse(" , ,"), "general");
        assert_eq!(parse("Emploi،  LOGEMENT ,housing, Sports  nautiques,"), "employment|housing|sports nautiques");
        let refused = |typed: &str| parse_list(typed).unwrap_err().code;
        assert_eq!(refused(&"x".repeat(61)), "invalid_category");
        assert_eq!(refused(&vec!["x"; 21].join(",")), "invalid_category");
        assert_eq!(refused(&"x,".repeat(1_000_000)), "invalid_category");
        assert_eq!(parse(&",".repeat(1_000_000)), "general");
    }

    #[test]
    fn those_in_use_are_counted() {
        let all = categories(["housing", "sports nautiques", "housing"]);
        let count = |name: &str| all.iter().find(|category| category.name == name).map(|category| category.count);
        assert_eq!((count("housing"), count("sports nautiques"), count("general")), (Some(2), Some(1), Some(0)));
        assert!(all.iter().filter(|category| category.count == 0).all(|category| category.names.len() == 3));
    }
}
