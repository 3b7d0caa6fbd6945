//! The starting catalogue through the whole engine: what visitors meet first.

use std::collections::BTreeMap;

use waraq_engine::{PdfOptions, Setting, Warning};

#[test]
fn every_template_is_set_and_nothing_of_it_is_lost() {
    let mut longest: BTreeMap<&str, usize> = BTreeMap::new();
    for template in waraq_catalogue::templates() {
        let slug = template.slug;
        let package = waraq_engine::open(&template.docx).unwrap();
        let pages = waraq_engine::pages(&package, &Setting::default()).unwrap();
        // Nobody makes a font of Traditional Arabic's widths; Amiri is its drawing's nearest kin.
        let expected = |warning: &Warning| {
            warning.code == "font_substituted" && warning.message.contains("\"Traditional Arabic\"")
        };
        assert!(pages.warnings.iter().all(expected), "{slug}: {:?}", pages.warnings);
        assert_eq!(pages.metadata.title.as_deref(), Some(template.title), "{slug}");
        assert!(pages.metadata.language.as_deref().is_some_and(|tag| tag.starts_with(template.language)), "{slug}");
        let most = longest.entry(template.language).or_default();
        *most = (*most).max(pages.pages.len());
        assert!(waraq_engine::pdf(&pages, &PdfOptions::default()).is_ok(), "{slug}");
        assert!(waraq_engine::first_page_picture(&pages).is_ok(), "{slug}");
    }
    for language in ["en", "fr", "ar"] {
        assert!(longest.get(language).is_some_and(|pages| *pages >= 4), "one of four pages: {longest:?}");
    }
}
