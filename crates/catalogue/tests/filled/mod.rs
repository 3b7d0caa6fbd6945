//! Fills templates of the starting catalogue, as the server does, and returns the text of their pages.
#![allow(clippy::unwrap_used, dead_code)] // this module is used in tests only

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};
use waraq_catalogue::Template;
use waraq_engine::derivation::{TemplateLocale, fill_derived_values};
use waraq_engine::{
    EmptyValue, FieldSettings, FillOptions, LayoutOptions, Package, Structure, StructuredField, Values,
};
use waraq_layout::DisplayItem;
use waraq_rules::FieldType;
use waraq_rules::field_settings::{TemplateFieldSettings, ValueKind};

/// A picture of one pixel.
const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";

/// A template with its structure.
pub struct OpenTemplate {
    pub template: Template,
    pub package: Package,
    pub structure: Structure,
    pub settings: TemplateFieldSettings,
}

/// A filled template.
pub struct Filled {
    /// The values with the derived ones.
    pub values: Values,
    /// The XML of the body.
    pub body: String,
    /// The text of each page.
    pub pages: Vec<String>,
    /// The headings in reading order, with their numbers.
    pub headings: Vec<String>,
}

/// The entries that a test fills in.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    /// The number of rows of each list outside lists.
    pub rows: usize,
    /// Returns the answer to a yes/no field.
    pub answer: &'a dyn Fn(&str) -> bool,
    /// Returns the number for a field of the kind number or amount in a row, counted from 0.
    pub number: &'a dyn Fn(&str, usize) -> String,
}

impl OpenTemplate {
    pub fn new(template: Template) -> Self {
        let package = waraq_engine::open(&template.docx).unwrap();
        let structure = waraq_engine::structure(&package, &template.declared_types()).unwrap();
        let settings = TemplateFieldSettings { overridden: template.settings.clone(), detected: Vec::new() };
        Self { template, package, structure, settings }
    }

    pub fn all() -> Vec<Self> {
        waraq_catalogue::templates().into_iter().map(Self::new).collect()
    }

    /// Returns the names of the fields outside lists with a type.
    pub fn of_type(&self, field_type: FieldType) -> Vec<&str> {
        self.structure.0.iter().filter(|field| field.field_type == field_type).map(|field| &*field.name).collect()
    }

    pub fn fill(&self, entries: Entries) -> Filled {
        let derivations = self.settings.derivations();
        let is_derived = |path: &str| derivations.contains_key(path);
        let typed = row(&self.structure.0, &self.template.settings, &is_derived, entries, "", 0);
        let mut values = Values::from_json(typed.to_string().as_bytes()).unwrap();
        let Template { language, country, .. } = self.template;
        let derived = fill_derived_values(&mut values, &derivations, &TemplateLocale { language, country });
        if entries.rows > 0 {
            let missing: Vec<_> = derived.iter().filter(|(_, result)| result.is_err()).collect();
            assert!(missing.is_empty(), "{}: {missing:?}", self.template.slug);
        }
        let sizes = self.settings.picture_sizes();
        let options = FillOptions {
            empty: EmptyValue::DottedLine,
            structure: Some(&self.structure),
            picture_sizes: Some(&sizes),
            ..FillOptions::default()
        };
        let filled = waraq_engine::fill(&self.package, &values, options).unwrap();
        for part in filled.part_names().filter(|name| name.ends_with(".xml")) {
            assert!(!filled.part_text(part).unwrap().contains("{{"), "{} {part}: a tag is left", self.template.slug);
        }
        let pages = waraq_engine::lay_out(&filled, &LayoutOptions::default()).unwrap();
        assert_eq!(pages.warnings, [], "{}", self.template.slug);
        let text = |page: &waraq_layout::Page| {
            let runs = page.items.iter().filter_map(|item| match &item.item {
                DisplayItem::Glyphs(run) => Some(&*run.text),
                _ => None,
            });
            runs.collect::<Vec<_>>().join("\n")
        };
        Filled {
            values,
            body: filled.part_text("word/document.xml").unwrap().to_owned(),
            pages: pages.pages.iter().map(text).collect(),
            headings: pages.outline.into_iter().map(|entry| entry.title).collect(),
        }
    }
}

/// Returns the values of the fields of a template, or of one row of a list.
fn row(
    fields: &[StructuredField],
    settings: &[FieldSettings],
    is_derived: &dyn Fn(&str) -> bool,
    entries: Entries,
    path: &str,
    number: usize,
) -> Json {
    let settings: BTreeMap<&str, &FieldSettings> = settings.iter().map(|one| (one.field.as_str(), one)).collect();
    let mut values = Map::new();
    for field in fields {
        let own = settings.get(field.name.as_str());
        let kind = own.and_then(|own| own.kind).unwrap_or_default();
        let path = format!("{path}{}", field.name);
        let value = match field.field_type {
            FieldType::List => {
                let columns = own.and_then(|own| own.columns.as_deref()).unwrap_or_default();
                let inner = Entries { rows: entries.rows.min(2), ..entries };
                let one = |number| row(&field.columns, columns, is_derived, inner, &format!("{path}[]."), number);
                (0..entries.rows).map(one).collect()
            }
            FieldType::YesNo => (entries.answer)(&field.name).into(),
            FieldType::Picture | FieldType::Signature => json!({ "image": PIXEL }),
            FieldType::Text | FieldType::QrCode if is_derived(&path) => "".into(),
            _ if matches!(kind, ValueKind::Number | ValueKind::Amount) => (entries.number)(&path, number).into(),
            _ => format!("{}-{number}", field.name).into(),
        };
        values.insert(field.name.clone(), value);
    }
    values.into()
}

/// Returns the numbers of the clauses among headings such as `3. Rent`, `Article 3 – Loyer` and `المادة (3): الأجر`.
pub fn clause_numbers(headings: &[String]) -> Vec<usize> {
    let number = |heading: &String| {
        let words = ["Article ", "المادة (", "البند ("];
        let rest = words.iter().find_map(|word| heading.strip_prefix(word)).unwrap_or(heading);
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    headings.iter().filter_map(number).collect()
}
