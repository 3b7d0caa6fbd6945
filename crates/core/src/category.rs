//! What templates are about. A category is a name; those the product knows have it in every interface language.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

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
    /// Names that templates may carry instead, since they were merged into it.
    pub merged: Vec<String>,
    /// Active templates that carry it.
    pub count: u32,
}

/// Categories that admins have given names to, at most, and names that were merged into others: the record of both is read whole.
pub const MOST_RECORDED: usize = 500;

/// What admins have made of categories. Templates keep the names they were published with; what those count as is said here, so a merge is
/// one write, however many templates there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Categories {
    /// One more with each change.
    pub revision: u32,
    /// By canonical name: what it is called, by the code of an interface language.
    names: BTreeMap<String, BTreeMap<String, String>>,
    /// Canonical names that count as another.
    merged: BTreeMap<String, String>,
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidCategory, message)
}

impl Categories {
    /// The name a template carries for what somebody typed: the category's that is called so in whichever language, else the text itself, in
    /// lower case.
    pub fn canonical(&self, typed: &str) -> String {
        let folded = fold(typed);
        let called = |names: &BTreeMap<String, String>| names.values().any(|name| fold(name) == folded);
        let recorded = self.names.iter().find(|(name, names)| fold(name) == folded || called(names));
        let name = recorded.map_or_else(|| canonical(typed), |(name, _)| name.clone());
        self.counts_as(&name).to_owned()
    }

    /// What a name that templates carry counts as.
    pub fn counts_as<'a>(&'a self, name: &'a str) -> &'a str {
        self.merged.get(name).map_or(name, String::as_str)
    }

    /// Every name that templates may carry for a category.
    pub fn all_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let merged = self.merged.iter().filter(move |(_, into)| *into == name).map(|(from, _)| from.as_str());
        std::iter::once(name).chain(merged)
    }

    /// `"Contrats, logement,"` → `contracts`, `housing`; nothing → the default.
    ///
    /// # Errors
    /// `invalid_category`.
    pub fn parse_list(&self, typed: &str) -> Result<Vec<String>> {
        parse_list(typed, |piece| self.canonical(piece))
    }

    /// The known categories, those with names of their own and those in use, with how many active templates carry each; by name.
    pub fn list<'a>(&self, in_use: impl IntoIterator<Item = &'a [String]>) -> Vec<Category> {
        let codes = InterfaceLanguage::ALL.map(InterfaceLanguage::code);
        let mut all: BTreeMap<String, Category> = BTreeMap::new();
        let category = |name: &str| Category {
            name: name.to_owned(),
            names: BTreeMap::new(),
            merged: self.all_of(name).skip(1).map(str::to_owned).collect(),
            count: 0,
        };
        for [name, shown @ ..] in KNOWN.iter().filter(|[name, ..]| !self.merged.contains_key(*name)) {
            let names = codes.into_iter().zip(shown.iter().map(|name| (*name).to_owned())).collect();
            all.insert(fold(name), Category { names, ..category(name) });
        }
        for (name, names) in self.names.iter().filter(|(name, _)| !self.merged.contains_key(*name)) {
            let entry = all.entry(fold(name)).or_insert_with(|| category(name));
            for code in codes {
                if let Some(shown) = names.get(code) {
                    entry.names.insert(code, shown.clone());
                }
            }
        }
        for names in in_use {
            let carried: BTreeSet<&str> = names.iter().map(|name| self.counts_as(name)).collect();
            for name in carried {
                all.entry(fold(name)).or_insert_with(|| category(name)).count += 1;
            }
        }
        all.into_values().collect()
    }

    /// Gives a category its names, by the codes of interface languages; an empty one is taken away, a language that is left out stays.
    ///
    /// # Errors
    /// `invalid_category`; `category_name_taken` where another category is called so.
    pub fn rename(&mut self, name: &str, names: &BTreeMap<String, String>, others: &[Category]) -> Result<()> {
        let mut own = self.names.get(name).cloned().unwrap_or_default();
        for (code, shown) in names {
            if InterfaceLanguage::from_code(code).is_none_or(|known| known.code() != code.as_str()) {
                return Err(refused("Categories have names in en, fr and ar.").with_fields([code]));
            }
            if shown.trim().is_empty() {
                own.remove(code);
                continue;
            }
            let shown = one_line(shown, LONGEST_NAME).ok().filter(|shown| !shown.contains([',', '،']));
            let message = format!("A name has at most {LONGEST_NAME} characters, on one line, without commas.");
            let shown = shown.ok_or_else(|| refused(message).with_limit(LONGEST_NAME as u64).with_fields([code]))?;
            let folded = fold(&shown);
            let taken =
                |other: &Category| fold(&other.name) == folded || other.names.values().any(|name| fold(name) == folded);
            if others.iter().any(|other| other.name != name && taken(other)) {
                let message = "Another category is called so. Merge the two instead.";
                return Err(Error::new(ErrorCode::CategoryNameTaken, message).with_fields([code]));
            }
            own.insert(code.clone(), shown);
        }
        self.names.insert(name.to_owned(), own);
        self.bounded()
    }

    /// Templates of one category count as those of another from now on; what it was called leads there.
    ///
    /// # Errors
    /// `invalid_category` where it is the default, or the same.
    pub fn merge(&mut self, from: &Category, into: &Category) -> Result<()> {
        if from.name == DEFAULT_CATEGORY || from.name == into.name {
            return Err(refused("The default category is not merged into others, nor one into itself."));
        }
        for name in self.merged.values_mut().filter(|name| **name == from.name) {
            name.clone_from(&into.name);
        }
        self.merged.insert(from.name.clone(), into.name.clone());
        self.bounded()
    }

    fn bounded(&self) -> Result<()> {
        if self.names.len() <= MOST_RECORDED && self.merged.len() <= MOST_RECORDED {
            return Ok(());
        }
        let message = format!("At most {MOST_RECORDED} categories have names of their own.");
        Err(refused(message).with_limit(MOST_RECORDED as u64))
    }
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
fn canonical(typed: &str) -> String {
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

fn parse_list(typed: &str, canonical: impl Fn(&str) -> String) -> Result<Vec<String>> {
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

    fn names(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(code, name)| ((*code).to_owned(), (*name).to_owned())).collect()
    }

    #[test]
    fn lists() {
        let none = Categories::default();
        let parse = |typed| none.parse_list(typed).unwrap().join("|");
        assert_eq!(parse(""), "general");
        assert_eq!(parse(" , ,"), "general");
        assert_eq!(parse("Emploi،  LOGEMENT ,housing, Sports  nautiques,"), "employment|housing|sports nautiques");
        let refused = |typed: &str| none.parse_list(typed).unwrap_err().code;
        assert_eq!(refused(&"x".repeat(61)), "invalid_category");
        assert_eq!(refused(&vec!["x"; 21].join(",")), "invalid_category");
        assert_eq!(refused(&"x,".repeat(1_000_000)), "invalid_category");
        assert_eq!(parse(&",".repeat(1_000_000)), "general");
    }

    #[test]
    fn those_in_use_are_counted() {
        let in_use = [vec!["housing".to_owned(), "sports nautiques".to_owned()], vec!["housing".to_owned()]];
        let all = Categories::default().list(in_use.iter().map(Vec::as_slice));
        let count = |name: &str| all.iter().find(|category| category.name == name).map(|category| category.count);
        assert_eq!((count("housing"), count("sports nautiques"), count("general")), (Some(2), Some(1), Some(0)));
        assert!(all.iter().filter(|category| category.count == 0).all(|category| category.names.len() == 3));
    }

    #[test]
    fn names_and_merges() {
        let mut categories = Categories::default();
        let carried = [vec!["sports nautiques".to_owned()], vec!["boats".to_owned(), "sports nautiques".to_owned()]];
        let list = |categories: &Categories| categories.list(carried.iter().map(Vec::as_slice));
        let find = |all: &[Category], name: &str| all.iter().find(|one| one.name == name).cloned();
        let all = list(&categories);
        categories.rename("boats", &names(&[("fr", "Bateaux"), ("ar", "قوارب")]), &all).unwrap();
        assert_eq!(categories.canonical("BATEAUX"), "boats");
        let taken = categories.rename("boats", &names(&[("en", "housing")]), &all).unwrap_err();
        assert_eq!(taken.code, "category_name_taken");
        for wrong in [[("fr", "a,b")], [("fr", "a\u{200b}b")], [("de", "Boote")]] {
            assert_eq!(categories.rename("boats", &names(&wrong), &all).unwrap_err().code, "invalid_category");
        }
        let (sports, boats) = (find(&all, "sports nautiques").unwrap(), find(&all, "boats").unwrap());
        categories.merge(&sports, &boats).unwrap();
        let all = list(&categories);
        assert_eq!(find(&all, "sports nautiques"), None);
        let boats = find(&all, "boats").unwrap();
        assert_eq!((boats.count, boats.merged.as_slice()), (2, &["sports nautiques".to_owned()][..]));
        assert_eq!(categories.canonical("Sports nautiques"), "boats");
        // Merged once more, both count as the third.
        let housing = find(&all, "housing").unwrap();
        categories.merge(&boats, &housing).unwrap();
        assert_eq!(
            (categories.counts_as("sports nautiques"), categories.canonical("bateaux")),
            ("housing", "housing".to_owned())
        );
        assert_eq!(categories.all_of("housing").count(), 3);
        let general = find(&all, "general").unwrap();
        assert_eq!(categories.merge(&general, &housing).unwrap_err().code, "invalid_category");
        assert_eq!(categories.merge(&housing, &housing).unwrap_err().code, "invalid_category");
    }
}
