//! Rules that every template of the starting catalogue follows.

mod word_file;

use std::collections::{BTreeMap, BTreeSet};

use waraq_catalogue::{Template, mistakes, templates};
use word_file::WordFile;

/// Fonts that the product contains, or for which it has a metric-compatible substitute.
const FAMILIES: [&str; 6] = ["Amiri", "Arial", "Calibri", "Cambria", "Noto Sans Arabic", "Times New Roman"];

fn templates_and_files() -> Vec<(Template, WordFile)> {
    templates()
        .into_iter()
        .map(|template| {
            let file = WordFile::open(&template.docx);
            (template, file)
        })
        .collect()
}

fn is_arabic(letter: char) -> bool {
    ('\u{600}'..='\u{6ff}').contains(&letter)
}

#[test]
fn template_sources_have_no_mistakes() {
    assert_eq!(mistakes(), Vec::<String>::new());
}

#[test]
fn each_language_has_six_templates_with_unique_slugs() {
    let templates = templates();
    let slugs: BTreeSet<_> = templates.iter().map(|template| template.slug).collect();
    assert_eq!(slugs.len(), templates.len(), "a slug is used twice");
    for language in ["en", "fr", "ar"] {
        let of_language: Vec<_> = templates.iter().filter(|template| template.language == language).collect();
        assert!(of_language.len() >= 6, "{language}: {}", of_language.len());
        let titles: BTreeSet<_> = of_language.iter().map(|template| template.title).collect();
        assert_eq!(titles.len(), of_language.len(), "{language}: a title is used twice");
    }
    for template in &templates {
        let plain = |slug: &str| slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        assert!(
            plain(template.slug) && template.slug.starts_with(&format!("{}-", template.language)),
            "{}",
            template.slug
        );
    }
}

#[test]
fn categories_and_countries_are_known_and_keywords_may_be_published() {
    for template in templates() {
        assert!(!template.categories.is_empty(), "{}", template.slug);
        for name in &template.categories {
            assert!(waraq_core::category::is_built_in(name), "{}: {name}", template.slug);
        }
        let keywords = waraq_core::keyword::parse_list(&template.keywords.join(",")).unwrap();
        assert!(!keywords.is_empty() && keywords.len() == template.keywords.len(), "{}: {keywords:?}", template.slug);
        if let Some(country) = template.country {
            assert!(country.len() == 2 && country.chars().all(|c| c.is_ascii_uppercase()), "{}", template.slug);
        }
    }
}

#[test]
fn templates_always_have_the_same_bytes() {
    assert!(templates() == templates());
}

#[test]
fn every_part_is_well_formed_and_every_relationship_has_a_target() {
    for (template, file) in templates_and_files() {
        for (name, text) in &file.parts {
            if let Err(fault) = word_file::well_formed(text) {
                panic!("{} {name}: {fault}", template.slug);
            }
        }
        for target in file.attribute_values("word/_rels/document.xml.rels", "Relationship", "Target") {
            assert!(file.parts.contains_key(&format!("word/{target}")), "{}: {target}", template.slug);
        }
        for name in file.parts.keys().filter(|name| name.starts_with("word/") && !name.ends_with(".rels")) {
            let known = file.attribute_values("[Content_Types].xml", "Override", "PartName");
            assert!(known.contains(&format!("/{name}")), "{}: {name} has no content type", template.slug);
        }
    }
}

#[test]
fn every_used_style_list_and_font_exists() {
    for (template, file) in templates_and_files() {
        let styles = file.attribute_values("word/styles.xml", "w:style", "w:styleId");
        let lists = file.attribute_values("word/numbering.xml", "w:num", "w:numId");
        for part in ["word/document.xml", "word/footer1.xml"] {
            for style in file.attribute_values(part, "w:pStyle", "w:val") {
                assert!(styles.contains(&style), "{}: no style {style}", template.slug);
            }
            for list in file.attribute_values(part, "w:numId", "w:val") {
                assert!(lists.contains(&list), "{}: no list {list}", template.slug);
            }
        }
        let mut families = BTreeSet::new();
        for slot in ["w:ascii", "w:hAnsi", "w:cs"] {
            for font in file.attribute_values("word/styles.xml", "w:rFonts", slot) {
                assert!(FAMILIES.contains(&font.as_str()), "{}: {font} is not one the product has", template.slug);
                families.insert(font);
            }
        }
        assert!(template.language != "ar" || families.len() == 1, "{}: {families:?}", template.slug);
        for part in file.parts.values() {
            let sizes = |name: &str| part.matches(&format!("<w:{name} w:val=")).count();
            assert_eq!(sizes("sz"), sizes("szCs"), "{}", template.slug);
            for (at, after) in part.match_indices("<w:sz w:val=\"").map(|(at, found)| (at, &part[at + found.len()..])) {
                let size = after.split('"').next().unwrap();
                let twin = format!("<w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/>");
                assert!(part[at..].starts_with(&twin), "{}: one size for all letters", template.slug);
            }
        }
    }
}

#[test]
fn templates_have_eight_fields_with_names_in_their_language() {
    for (template, file) in templates_and_files() {
        let names = file.fields();
        assert!(names.len() >= 8, "{}: {} fields", template.slug, names.len());
        assert!(names.iter().any(|name| name.contains(' ')), "{}: no name with spaces", template.slug);
        for name in &names {
            let allowed = |c: char| c.is_alphanumeric() || is_arabic(c) || " _-.'’/():,&#%°".contains(c);
            assert!((1..=100).contains(&name.chars().count()), "{}: {name}", template.slug);
            assert!(name.chars().all(allowed), "{}: {name}", template.slug);
            let own = if template.language == "ar" {
                name.chars().all(|c| !c.is_ascii_alphabetic())
            } else {
                !name.chars().any(is_arabic)
            };
            assert!(own, "{}: {name} is of another language", template.slug);
            assert_eq!(name.trim(), name, "{}", template.slug);
        }
    }
}

#[test]
fn language_and_title_are_in_the_document_properties() {
    for (template, file) in templates_and_files() {
        let core = &file.parts["docProps/core.xml"];
        assert!(core.contains(&format!("<dc:title>{}</dc:title>", template.title)), "{}", template.slug);
        assert!(core.contains(&format!("<dc:language>{}-", template.language)), "{}", template.slug);
        let slot = if template.language == "ar" { "w:bidi" } else { "w:val" };
        let set = file.attribute_values("word/styles.xml", "w:lang", slot);
        assert!(set.iter().all(|tag| tag.starts_with(template.language)), "{}: {set:?}", template.slug);
    }
}

#[test]
fn arabic_runs_from_right_to_left_throughout() {
    for (template, file) in templates_and_files() {
        let arabic = template.language == "ar";
        for (name, text) in file.parts.iter().filter(|(_, text)| text.contains("<w:p>")) {
            let paragraphs = text.matches("<w:p>").count();
            let expected = if arabic { paragraphs } else { 0 };
            let in_paragraphs = text.matches("<w:bidi/>").count() - text.matches("<w:bidi/></w:sectPr>").count();
            assert_eq!(in_paragraphs, expected, "{} {name}: bidi paragraphs", template.slug);
            let tables = if arabic { text.matches("<w:tbl>").count() } else { 0 };
            assert_eq!(text.matches("<w:bidiVisual/>").count(), tables, "{} {name}: mirrored tables", template.slug);
        }
        for run in file.runs() {
            assert_eq!(
                run.right_to_left,
                arabic && (run.text.is_empty() || !run.text.chars().all(|c| c.is_ascii_alphabetic())),
                "{}: {run:?}",
                template.slug
            );
            assert_eq!(run.bold, run.complex_bold, "{}: {run:?}", template.slug);
        }
    }
}

#[test]
fn every_footer_has_page_numbers() {
    for (template, file) in templates_and_files() {
        let footer = &file.parts["word/footer1.xml"];
        let words = match template.language {
            "fr" => ["Page ", " sur "],
            "ar" => ["صفحة ", " من "],
            _ => ["Page ", " of "],
        };
        for needed in [" PAGE ", " NUMPAGES ", words[0], words[1]] {
            assert!(footer.contains(needed), "{}: no {needed}", template.slug);
        }
    }
}

#[test]
fn two_templates_share_less_than_a_third_of_their_paragraphs() {
    let paragraphs: Vec<(&str, BTreeSet<String>)> = templates_and_files()
        .iter()
        .map(|(template, file)| (template.slug, file.paragraphs().into_iter().collect()))
        .collect();
    for (index, (slug, own)) in paragraphs.iter().enumerate() {
        for (other_slug, other) in &paragraphs[index + 1..] {
            let shared = own.intersection(other).count();
            let smaller = own.len().min(other.len());
            assert!(shared * 3 < smaller, "{slug} and {other_slug} share {shared} of {smaller}");
        }
    }
}

#[test]
fn each_language_has_a_long_contract_with_three_levels_of_clauses() {
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    for (template, file) in templates_and_files() {
        let styles = file.attribute_values("word/document.xml", "w:pStyle", "w:val");
        if ["ClauseHeading", "Clause", "ClausePoint"].iter().all(|style| styles.iter().any(|used| used == style)) {
            let count = file.paragraphs().iter().map(|text| text.split_whitespace().count()).sum();
            words.entry(template.language).and_modify(|most| *most = (*most).max(count)).or_insert(count);
        }
    }
    for language in ["en", "fr", "ar"] {
        assert!(words.get(language).is_some_and(|most| *most > 1000), "{language}: {words:?}");
    }
}
