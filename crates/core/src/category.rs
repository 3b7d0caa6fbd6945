//! Categories of templates. A category is identified by its canonical name. Built-in categories have a displayed name in every
//! interface language.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::fold::fold;
use crate::one_line::one_line;
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

/// The category that a template gets if the admin chooses none.
pub const DEFAULT_CATEGORY: &str = "general";

/// Maximum number of characters in a category name.
pub const LONGEST_NAME: usize = 60;
/// Maximum number of categories of one template.
pub const MOST_PER_TEMPLATE: usize = 20;

/// The built-in categories: the canonical name, then the English, French and Arabic displayed names.
const BUILT_IN: [[&str; 4]; 7] = [
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
    /// The canonical name, which templates store.
    pub name: String,
    /// The displayed names by interface language code. A language without a name is missing.
    pub names: BTreeMap<&'static str, String>,
    /// The canonical names of categories that were merged into this one. Templates may still store them.
    pub merged: Vec<String>,
    /// The number of active templates with this category.
    pub count: u32,
}

/// Maximum number of categories to which admins have given names. The number of merged categories has the same maximum. The names and
/// the merges are in one record, which is always read as a whole, so the record must stay small.
pub const MOST_RECORDED: usize = 500;

/// The changes that admins made to categories. Templates keep the category names with which they were published. A merge is
/// recorded only here, so it is one write, however many templates there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Categories {
    /// The number of times this record was changed.
    pub revision: u32,
    /// Displayed names by canonical name and interface language code.
    names: BTreeMap<String, BTreeMap<String, String>>,
    /// Merged categories: canonical name → canonical name of the category it was merged into.
    merged: BTreeMap<String, String>,
}

impl Category {
    /// Returns whether the category has this folded name in any language.
    fn has_name(&self, folded: &str) -> bool {
        fold(&self.name) == folded || self.names.values().any(|name| fold(name) == folded)
    }
}

fn name_taken() -> Error {
    Error::new(ErrorCode::CategoryNameTaken, "This name is already used. Merge the two categories instead.")
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidCategory, message)
}

impl Categories {
    /// Returns the canonical name of the category that a user means by `typed`. If no category has this name in any language,
    /// returns the text itself in lower case.
    pub fn canonical(&self, typed: &str) -> String {
        let folded = fold(typed);
        let called = |names: &BTreeMap<String, String>| names.values().any(|name| fold(name) == folded);
        let recorded = self.names.iter().find(|(name, names)| fold(name) == folded || called(names));
        let name = recorded.map_or_else(|| canonical(typed), |(name, _)| name.clone());
        self.counts_as(&name).to_owned()
    }

    /// Returns the canonical name of the category to which a name stored in a template belongs. If the category with this name was
    /// merged into another one, returns the name of the other category.
    pub fn counts_as<'a>(&'a self, name: &'a str) -> &'a str {
        self.merged.get(name).map_or(name, String::as_str)
    }

    /// Returns every name that templates of a category may store: its own name and the names of categories that were merged into
    /// it.
    pub fn stored_names<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let merged = self.merged.iter().filter(move |(_, into)| *into == name).map(|(from, _)| from.as_str());
        std::iter::once(name).chain(merged)
    }

    /// Returns every name by which a search finds the category that a template stores as `name`. These are `name`, the category
    /// it was merged into, and the displayed names of both in every interface language.
    pub fn searchable_names<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let mut all = Vec::new();
        for name in [name, self.counts_as(name)] {
            all.push(name);
            all.extend(BUILT_IN.iter().filter(|known| known[0] == name).flatten());
            all.extend(self.names.get(name).into_iter().flat_map(BTreeMap::values).map(String::as_str));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Parses a list of category names and returns their canonical names: `"Emploi, logement,"` → `employment`, `housing`. An empty
    /// list becomes the default category.
    ///
    /// # Errors
    /// `invalid_category` if there are too many names, or if one of them is too long or has invisible characters.
    pub fn parse_list(&self, typed: &str) -> Result<Vec<String>> {
        parse_list(typed, |piece| self.canonical(piece))
    }

    /// Returns all categories, sorted by name: the built-in ones, those to which admins have given names, and those in use.
    /// `in_use` has the lists of names that templates store, each with the number of templates. [`Category::count`] is computed
    /// from these numbers.
    pub fn list(&self, in_use: &[(Vec<String>, u32)]) -> Vec<Category> {
        let codes = InterfaceLanguage::ALL.map(InterfaceLanguage::code);
        let mut all: BTreeMap<String, Category> = BTreeMap::new();
        let category = |name: &str| Category {
            name: name.to_owned(),
            names: BTreeMap::new(),
            merged: self.stored_names(name).skip(1).map(str::to_owned).collect(),
            count: 0,
        };
        for [name, shown @ ..] in BUILT_IN.iter().filter(|[name, ..]| !self.merged.contains_key(*name)) {
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
        for (names, count) in in_use {
            let carried: BTreeSet<&str> = names.iter().map(|name| self.counts_as(name)).collect();
            for name in carried {
                all.entry(fold(name)).or_insert_with(|| category(name)).count += count;
            }
        }
        all.into_values().collect()
    }

    /// Sets the displayed names of a category, given by interface language code. An empty name removes the stored one. Languages
    /// that are not in `names` stay unchanged.
    ///
    /// # Errors
    /// `invalid_category`; `category_name_taken` if another category has one of the names.
    pub fn rename(&mut self, name: &str, names: &BTreeMap<String, String>, others: &[Category]) -> Result<()> {
        let mut own = self.names.get(name).cloned().unwrap_or_default();
        for (code, shown) in names {
            if InterfaceLanguage::from_code(code).is_none_or(|known| known.code() != code.as_str()) {
                return Err(refused("Category names must be in en, fr or ar.").with_fields([code]));
            }
            if shown.trim().is_empty() {
                own.remove(code);
                continue;
            }
            let shown = one_line(shown, LONGEST_NAME).ok().filter(|shown| !shown.contains([',', '،']));
            let message = format!("A name has at most {LONGEST_NAME} characters, on one line, without commas.");
            let shown = shown.ok_or_else(|| refused(message).with_limit(LONGEST_NAME as u64).with_fields([code]))?;
            let folded = fold(&shown);
            if others.iter().any(|other| other.name != name && other.has_name(&folded)) {
                return Err(name_taken().with_fields([code]));
            }
            own.insert(code.clone(), shown);
        }
        self.names.insert(name.to_owned(), own);
        self.check_size()
    }

    /// Merges the category `from` into the category `into`. From then on, the templates of `from` count as templates of `into`, and
    /// every name of `from` means `into`.
    ///
    /// # Errors
    /// `invalid_category` for the default category, or if both are the same.
    pub fn merge(&mut self, from: &Category, into: &Category) -> Result<()> {
        if from.name == DEFAULT_CATEGORY || from.name == into.name {
            return Err(refused("The default category cannot be merged into another, and no category into itself."));
        }
        for name in self.merged.values_mut().filter(|name| **name == from.name) {
            name.clone_from(&into.name);
        }
        self.merged.insert(from.name.clone(), into.name.clone());
        self.check_size()
    }

    /// Undoes the merge of the category `name`, and returns the name of the category into which it was merged. Other categories may
    /// have been merged into `name` earlier. They stay merged into the returned category, because the merge of `name` changed their
    /// entries too.
    ///
    /// # Errors
    /// `category_not_found` if the category is not merged; `category_name_taken` if a name of the separated category now belongs to
    /// another category.
    pub fn separate(&mut self, name: &str, others: &[Category]) -> Result<String> {
        let missing = || Error::new(ErrorCode::CategoryNotFound, "There is no merged category with this name.");
        let from = self.merged.remove(name).ok_or_else(missing)?;
        let called: Vec<String> =
            self.display_names(name).values().map(|shown| fold(shown)).chain([fold(name)]).collect();
        if others.iter().any(|other| called.iter().any(|folded| other.has_name(folded))) {
            return Err(name_taken());
        }
        Ok(from)
    }

    /// Returns the displayed names of a category by interface language code. A language without a name is missing.
    pub fn display_names(&self, name: &str) -> BTreeMap<String, String> {
        let codes = InterfaceLanguage::ALL.map(InterfaceLanguage::code);
        let known = BUILT_IN.iter().find(|known| known[0] == name);
        let known = known.into_iter().flat_map(|[_, shown @ ..]| codes.into_iter().zip(shown));
        let mut names: BTreeMap<String, String> =
            known.map(|(code, name)| (code.to_owned(), (*name).to_owned())).collect();
        let own = self.names.get(name).into_iter().flatten().filter(|(code, _)| codes.contains(&code.as_str()));
        names.extend(own.map(|(code, name)| (code.clone(), name.clone())));
        names
    }

    fn check_size(&self) -> Result<()> {
        if self.names.len() <= MOST_RECORDED && self.merged.len() <= MOST_RECORDED {
            return Ok(());
        }
        let message = format!("At most {MOST_RECORDED} categories can have custom names.");
        Err(refused(message).with_limit(MOST_RECORDED as u64))
    }
}

/// Returns whether a built-in category has exactly this name.
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|known| known[0] == name)
}

/// Returns the canonical name of the built-in category with this name in any language, or else the text itself in lower case.
fn canonical(typed: &str) -> String {
    let folded = fold(typed);
    let known = BUILT_IN.iter().find(|names| names.iter().any(|name| fold(name) == folded));
    known.map_or_else(
        || typed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
        |names| names[0].to_owned(),
    )
}

/// Splits a list at commas, including ،, the comma of Arabic keyboards.
pub fn split_list(typed: &str) -> impl Iterator<Item = &str> {
    typed.split([',', '،']).map(str::trim).filter(|piece| !piece.is_empty())
}

fn parse_list(typed: &str, canonical: impl Fn(&str) -> String) -> Result<Vec<String>> {
    let invalid = |message: String, limit: usize| {
        Error::new(ErrorCode::InvalidCategory, message).with_limit(limit as u64).with_fields(["categories"])
    };
    // The names are counted before they are checked, so that a very long list takes no time.
    if split_list(typed).nth(MOST_PER_TEMPLATE).is_some() {
        return Err(invalid(format!("A template has at most {MOST_PER_TEMPLATE} categories."), MOST_PER_TEMPLATE));
    }
    let mut names: Vec<String> = Vec::new();
    for piece in split_list(typed) {
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
    fn category_lists_are_parsed_and_limited() {
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
    fn categories_have_the_counts_of_their_templates() {
        let in_use = [(vec!["housing".to_owned(), "sports nautiques".to_owned()], 1), (vec!["housing".to_owned()], 1)];
        let all = Categories::default().list(&in_use);
        let count = |name: &str| all.iter().find(|category| category.name == name).map(|category| category.count);
        assert_eq!((count("housing"), count("sports nautiques"), count("general")), (Some(2), Some(1), Some(0)));
        assert!(all.iter().filter(|category| category.count == 0).all(|category| category.names.len() == 3));
    }

    #[test]
    fn categories_are_renamed_and_merged() {
        let mut categories = Categories::default();
        let both = vec!["boats".to_owned(), "sports nautiques".to_owned()];
        let carried = [(vec!["sports nautiques".to_owned()], 1), (both, 1)];
        let list = |categories: &Categories| categories.list(&carried);
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
        // After a second merge, both count as the third category.
        let housing = find(&all, "housing").unwrap();
        categories.merge(&boats, &housing).unwrap();
        assert_eq!(
            (categories.counts_as("sports nautiques"), categories.canonical("bateaux")),
            ("housing", "housing".to_owned())
        );
        assert_eq!(categories.stored_names("housing").count(), 3);
        // A search for any current or earlier name of a category finds its templates.
        let names = categories.searchable_names("sports nautiques");
        assert!(names.contains(&"sports nautiques") && names.contains(&"Logement"), "{names:?}");
        assert_eq!(
            categories.searchable_names("boats"),
            ["Bateaux", "Housing", "Logement", "boats", "housing", "السكن", "قوارب"]
        );
        let general = find(&all, "general").unwrap();
        assert_eq!(categories.merge(&general, &housing).unwrap_err().code, "invalid_category");
        assert_eq!(categories.merge(&housing, &housing).unwrap_err().code, "invalid_category");
    }
}
