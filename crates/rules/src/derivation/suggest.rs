//! Suggests derivations from the names of fields and columns and from the headings of columns, in English, French or Arabic:
//! the total of a row, the sum of a list, a tax, the total with tax, an amount in words.

use std::collections::{BTreeSet, HashMap};

use super::path::path_in;
use super::{Case, Currency, Derivation, Derivations, MAX_DERIVATIONS, Percent, Rate, check_structure};
use crate::field_settings::{AmountRole, FieldContext, IN_WORDS, NameWords, amount_role, readable_name};
use crate::{FieldType, MAX_LIST_DEPTH, Structure, StructuredField};

/// Suggests derivations for the fields and columns of a template, in reading order, each with the path of the derived
/// field. `contexts` contains the text around some or all fields; a column has its name or its path there. The currency is
/// the one that the contexts name. If they name none, it is the currency of `country` (ISO 3166), if known.
///
/// All suggestions together are valid ([`check_structure`]).
pub fn suggest_derivations(
    structure: &Structure,
    contexts: &[FieldContext],
    country: Option<&str>,
) -> Vec<(String, Derivation)> {
    let contexts: HashMap<&str, &FieldContext> = contexts.iter().map(|one| (one.field.as_str(), one)).collect();
    let currency = named_currency(contexts.values().copied()).or_else(|| country.and_then(Currency::of_country));
    let mut suggester = Suggester { contexts, currency, found: Vec::new() };
    suggester.suggest_level(&structure.0, &mut Vec::new());
    let mut accepted = Derivations::new();
    suggester.found.retain(|(path, derivation)| {
        if accepted.len() >= MAX_DERIVATIONS || accepted.contains_key(path) {
            return false;
        }
        accepted.insert(path.clone(), derivation.clone());
        let is_valid = check_structure(&accepted, structure).is_ok();
        if !is_valid {
            accepted.remove(path);
        }
        is_valid
    });
    suggester.found
}

/// Returns the only currency whose ISO 4217 code, or the sign `€`, is in the contexts. Returns `None` if there is no such
/// currency, or several.
fn named_currency<'a>(contexts: impl Iterator<Item = &'a FieldContext>) -> Option<Currency> {
    let mut found: BTreeSet<Currency> = BTreeSet::new();
    for text in contexts.flat_map(|one| [&one.before, &one.after, &one.cell_label]) {
        if text.contains('€') {
            found.insert(Currency::Eur);
        }
        let words: BTreeSet<&str> = text.split(|letter: char| !letter.is_alphabetic()).collect();
        found.extend(Currency::ALL.iter().filter(|currency| words.contains(currency.code())));
    }
    let only = found.pop_first()?;
    found.is_empty().then_some(only)
}

struct Suggester<'a> {
    /// The text around fields and columns, by their name or path.
    contexts: HashMap<&'a str, &'a FieldContext>,
    currency: Option<Currency>,
    found: Vec<(String, Derivation)>,
}

/// A field or column with its role.
struct RoleField<'s> {
    /// The position in the fields of its level.
    at: usize,
    name: &'s str,
    role: AmountRole,
}

impl<'a> Suggester<'a> {
    /// Suggests derivations of the fields on one level, and of the columns of its lists. `lists` are the lists around.
    fn suggest_level<'s>(&mut self, fields: &'s [StructuredField], lists: &mut Vec<&'s str>) {
        let mut columns_of_lists: Vec<(usize, &'s str, Vec<RoleField<'s>>)> = Vec::new();
        for (at, field) in fields.iter().enumerate().filter(|(_, field)| field.field_type == FieldType::List) {
            if lists.len() >= MAX_LIST_DEPTH {
                break;
            }
            lists.push(&field.name);
            self.suggest_level(&field.columns, lists);
            columns_of_lists.push((at, &field.name, self.roles(&field.columns, lists)));
            lists.pop();
        }
        let roles = self.roles(fields, lists);
        if !lists.is_empty() {
            self.suggest_row(&roles, lists);
        }
        for (index, (at, list, columns)) in columns_of_lists.iter().enumerate() {
            let next = columns_of_lists.get(index + 1).map_or(fields.len(), |(at, ..)| *at);
            let after: Vec<&RoleField> = roles.iter().filter(|field| *at < field.at && field.at < next).collect();
            self.suggest_totals(list, columns, &after, &roles, lists);
        }
        self.suggest_words(fields, &roles, lists);
    }

    /// Returns the fields with a role. A role in the name takes precedence over one in the heading.
    fn roles<'s>(&self, fields: &'s [StructuredField], lists: &[&str]) -> Vec<RoleField<'s>> {
        let role = |field: &StructuredField| {
            let heading = self.context(&field.name, lists).map(|one| one.cell_label.as_str()).unwrap_or_default();
            amount_role(&readable_name(&field.name)).or_else(|| amount_role(heading))
        };
        let texts = fields.iter().enumerate().filter(|(_, field)| field.field_type == FieldType::Text);
        texts.filter_map(|(at, field)| Some(RoleField { at, name: &field.name, role: role(field)? })).collect()
    }

    fn context(&self, name: &str, lists: &[&str]) -> Option<&'a FieldContext> {
        let path = path_in(lists.iter().copied(), name);
        self.contexts.get(path.as_str()).or_else(|| self.contexts.get(name)).copied()
    }

    fn add(&mut self, lists: &[&str], name: &str, derivation: Derivation) {
        self.found.push((path_in(lists.iter().copied(), name), derivation));
    }

    /// Suggests the total of a row, which follows the quantity and the unit price, and the tax of a row. In a row with a
    /// discount, the total is not only the product.
    fn suggest_row(&mut self, columns: &[RoleField], lists: &[&str]) {
        let currency = self.currency;
        let has_discount = columns.iter().any(|column| column.role == AmountRole::Discount);
        let is_total = |column: &&RoleField| matches!(column.role, AmountRole::Total | AmountRole::Subtotal);
        let Some(total) = columns.iter().find(is_total) else { return };
        let before = |role| columns.iter().find(|column| column.role == role && column.at < total.at);
        if let (Some(quantity), Some(price), false) =
            (before(AmountRole::Quantity), before(AmountRole::UnitPrice), has_discount)
        {
            let mut factors = [quantity, price];
            factors.sort_by_key(|column| column.at);
            let of = factors.iter().map(|column| column.name.to_owned()).collect();
            self.add(lists, total.name, Derivation::Product { of, currency });
        }
        let of_role = |role| columns.iter().find(|column| column.role == role);
        if let (Some(tax), Some(rate)) = (of_role(AmountRole::Tax), of_role(AmountRole::TaxRate)) {
            let rate = Rate::Field(rate.name.to_owned());
            self.add(lists, tax.name, Derivation::Percentage { of: total.name.to_owned(), rate, currency });
            if let Some(grand) = of_role(AmountRole::GrandTotal) {
                let of = vec![total.name.to_owned(), tax.name.to_owned()];
                self.add(lists, grand.name, Derivation::Sum { of, currency });
            }
        }
    }

    /// Suggests the totals that follow a list: its sum, the tax, and the total with tax. `after` are the fields between this
    /// list and the next, and `level` are all fields of the level.
    fn suggest_totals(
        &mut self,
        list: &str,
        columns: &[RoleField],
        after: &[&RoleField],
        level: &[RoleField],
        lists: &[&str],
    ) {
        let currency = self.currency;
        let column = [AmountRole::Total, AmountRole::Subtotal, AmountRole::UnitPrice]
            .into_iter()
            .find_map(|role| columns.iter().find(|column| column.role == role));
        let list_sum = |column: &RoleField, currency| Derivation::ListSum {
            list: list.to_owned(),
            column: column.name.to_owned(),
            currency,
        };
        // A total of hours is the sum of a column of hours.
        for total in after.iter().filter(|field| field.role == AmountRole::Quantity) {
            let words = NameWords::split(&readable_name(total.name));
            let is_total = words.contains_any(&["total", "totals", "sum", "اجمالي", "مجموع"]);
            let same = columns.iter().find(|column| {
                let of = NameWords::split(&readable_name(column.name));
                column.role == AmountRole::Quantity && of.as_slice().iter().any(|word| words.contains_any(&[word]))
            });
            if let (Some(column), true) = (same, is_total) {
                self.add(lists, total.name, list_sum(column, None));
            }
        }
        let Some(column) = column else { return };
        let first = |role| after.iter().find(|field| field.role == role);
        let (subtotal, total, tax) = (first(AmountRole::Subtotal), first(AmountRole::Total), first(AmountRole::Tax));
        let Some(base) = subtotal.or(total) else {
            // The only total of a list without tax may be called a grand total.
            if let (Some(grand), None) = (first(AmountRole::GrandTotal), tax) {
                self.add(lists, grand.name, list_sum(column, currency));
            }
            return;
        };
        self.add(lists, base.name, list_sum(column, currency));
        let Some(tax) = tax else { return };
        let rate_field = after.iter().copied().chain(level).find(|field| field.role == AmountRole::TaxRate);
        let rate =
            rate_field.map(|rate| Rate::Field(rate.name.to_owned())).or_else(|| self.fixed_rate(tax.name, lists));
        if let Some(rate) = rate {
            self.add(lists, tax.name, Derivation::Percentage { of: base.name.to_owned(), rate, currency });
        }
        // With a subtotal, a plain total is the total with tax.
        if let Some(grand) = first(AmountRole::GrandTotal).or_else(|| subtotal.and(total)) {
            let of = vec![base.name.to_owned(), tax.name.to_owned()];
            self.add(lists, grand.name, Derivation::Sum { of, currency });
        }
    }

    /// Returns the percentage in the name of a tax, in the label of its table cell or in the text before it.
    fn fixed_rate(&self, tax: &str, lists: &[&str]) -> Option<Rate> {
        let context = self.context(tax, lists);
        let around = context.iter().flat_map(|one| [one.cell_label.as_str(), one.before.as_str()]);
        [tax].into_iter().chain(around).find_map(percent_in).map(Rate::Number)
    }

    /// Suggests amounts in words: `Total in words` for `Total`. If no name fits, the last total before the field is used.
    fn suggest_words(&mut self, fields: &[StructuredField], roles: &[RoleField], lists: &[&str]) {
        for words_field in roles.iter().filter(|field| field.role == AmountRole::InWords) {
            let wanted = words_without(words_field.name, IN_WORDS);
            let texts = || fields.iter().filter(|field| field.field_type == FieldType::Text);
            let same_name = texts().find(|field| words_without(&field.name, &[]) == wanted && !wanted.is_empty());
            let is_total = |field: &&RoleField| {
                matches!(field.role, AmountRole::Total | AmountRole::GrandTotal) && field.at < words_field.at
            };
            let of = same_name
                .map(|field| field.name.clone())
                .or_else(|| roles.iter().rfind(is_total).map(|field| field.name.to_owned()));
            if let Some(of) = of {
                let derivation = Derivation::AmountInWords { of, currency: self.currency, case: Case::default() };
                self.add(lists, words_field.name, derivation);
            }
        }
    }
}

/// Returns the words of a name except `without` and words that only join others.
fn words_without(name: &str, without: &[&str]) -> Vec<String> {
    const JOINING: [&str; 9] = ["in", "as", "en", "toutes", "de", "du", "the", "ب", "of"];
    let words = NameWords::split(&readable_name(name));
    let is_kept = |word: &&String| !without.contains(&word.as_str()) && !JOINING.contains(&word.as_str());
    words.as_slice().iter().filter(is_kept).cloned().collect()
}

/// Returns the number directly before or after the first percent sign in a text.
fn percent_in(text: &str) -> Option<Percent> {
    let (before, after) = text.split_once(['%', '٪'])?;
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '٫' | '٠'..='٩');
    let before = before.trim_end();
    let start = before.char_indices().rev().take_while(|(_, letter)| is_number(*letter)).last();
    let number = match start {
        Some((at, _)) => before.get(at..)?.to_owned(),
        None => after.trim_start().chars().take_while(|letter| is_number(*letter)).collect(),
    };
    let western: String = number
        .trim_matches([',', '.', '٫'])
        .chars()
        .map(|letter| super::amount::western_digit(letter).unwrap_or('.'))
        .collect();
    western.parse().ok()
}
