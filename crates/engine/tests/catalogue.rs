//! Runs the starting catalogue, which new users see first, through the whole engine.

use std::collections::{BTreeMap, BTreeSet};

use waraq_engine::{FillOptions, LayoutOptions, PdfOptions, StandardClaim, StructuredField, Values};
use waraq_rules::{FieldType, Row, Value};

#[test]
fn every_template_is_rendered_without_warnings() {
    let mut longest: BTreeMap<&str, usize> = BTreeMap::new();
    for template in waraq_catalogue::templates() {
        let slug = template.slug;
        let package = waraq_engine::open(&template.docx).unwrap();
        let pages = waraq_engine::lay_out(&package, &LayoutOptions::default()).unwrap();
        assert_eq!(waraq_engine::check(&package).unwrap(), [], "{slug}");
        assert_eq!(pages.warnings, [], "{slug}");
        assert_eq!(pages.metadata.title.as_deref(), Some(template.title), "{slug}");
        assert!(pages.metadata.language.as_deref().is_some_and(|tag| tag.starts_with(template.language)), "{slug}");
        let most = longest.entry(template.language).or_default();
        *most = (*most).max(pages.pages.len());
        let claimed = PdfOptions { pdf_ua: StandardClaim::IfPossibleOrWarn, ..PdfOptions::default() };
        assert_eq!(waraq_engine::pdf(&pages, &claimed).unwrap().warnings, [], "{slug}: PDF/UA-1 holds");
        assert!(waraq_engine::first_page_picture(&pages).is_ok(), "{slug}");
    }
    for language in ["en", "fr", "ar"] {
        assert!(longest.get(language).is_some_and(|pages| *pages >= 4), "one of four pages: {longest:?}");
    }
}

/// Returns a row in which each text is in two scripts, each list has one row, and each answer is yes.
fn row_of_texts(fields: &[StructuredField]) -> Row {
    let value = |field: &StructuredField| match field.field_type {
        FieldType::List => Value::List(vec![row_of_texts(&field.columns)]),
        FieldType::YesNo => Value::YesNo(true),
        FieldType::Picture | FieldType::Signature => Value::from(""),
        FieldType::Text | FieldType::QrCode => Value::from("شركة ABC, 01 23 45 – n° 7"),
    };
    fields.iter().map(|field| (field.name.clone(), value(field))).collect()
}

// In an Arabic template, Latin letters and digits must have the same font family as the Arabic letters next to them.
#[test]
fn latin_values_in_arabic_templates_have_the_arabic_font() {
    for template in waraq_catalogue::templates().into_iter().filter(|template| template.language == "ar") {
        let package = waraq_engine::open(&template.docx).unwrap();
        let structure = waraq_engine::structure(&package, &template.declared_types()).unwrap();
        let values = Values::from_pairs(row_of_texts(&structure.0)).unwrap();
        let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
        let filled = waraq_engine::fill(&package, &values, options).unwrap();
        let pages = waraq_engine::lay_out(&filled, &LayoutOptions::default()).unwrap();
        assert_eq!(pages.warnings, [], "{}", template.slug);
        let families: BTreeSet<&str> = pages.fonts.iter().map(|font| &*font.family).collect();
        assert_eq!(families.len(), 1, "{}: {families:?}", template.slug);
    }
}
