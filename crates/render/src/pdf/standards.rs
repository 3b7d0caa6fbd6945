//! Decides which of the standards PDF/UA-1 and PDF/A-2a the file can claim.

use std::collections::BTreeSet;
use std::iter::successors;

use krilla::configure::{Accessibility, Archival, Configuration, ConfigurationBuilder, ValidationError, Validators};
use waraq_layout::{ElementKind, Pages};
use waraq_rules::{Finding, FindingCode};

use crate::{Claim, PdfOptions};

const NO_ALTERNATIVE_TEXT: &str = "a picture or formula has no alternative text";

/// The claims that have not been given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Claims {
    ua: Claim,
    a: Claim,
}

impl Claims {
    /// Returns the requested claims, without those that the pages rule out. Checks only what krilla does not check, or
    /// would check too late.
    pub(super) fn wanted(pages: &Pages, options: &PdfOptions, warnings: &mut Vec<Finding>) -> Self {
        let mut claims = Self { ua: options.pdf_ua, a: options.pdf_a };
        if pages.structure.is_empty() {
            claims.give_up_ua("the pages have no structure", warnings);
            claims.give_up_a("the pages have no structure", warnings);
        }
        if has_table_without_header(pages) {
            claims.give_up_ua("a table has no header cells", warnings);
        }
        // krilla reports this too, but only after it has written the whole file
        if has_undescribed_figure(pages) {
            claims.give_up_ua(NO_ALTERNATIVE_TEXT, warnings);
        }
        claims
    }

    fn give_up_ua(&mut self, why: &str, warnings: &mut Vec<Finding>) {
        give_up(&mut self.ua, "PDF/UA-1", why, warnings);
    }

    fn give_up_a(&mut self, why: &str, warnings: &mut Vec<Finding>) {
        give_up(&mut self.a, "PDF/A-2a", why, warnings);
    }

    pub(super) fn ua(self) -> bool {
        self.ua != Claim::No
    }

    pub(super) fn any(self) -> bool {
        self.ua() || self.a != Claim::No
    }

    pub(super) fn configuration(self) -> Configuration {
        let mut builder = ConfigurationBuilder::new();
        if self.ua() {
            builder = builder.with_accessibility_validator(Accessibility::UA1);
        }
        if self.a != Claim::No {
            builder = builder.with_archival_validator(Archival::A2_A);
        }
        builder.finish().unwrap_or_default()
    }

    /// Gives up the claims that the errors contradict, and warns with the reason.
    pub(super) fn withdraw(&mut self, errors: &[(ValidationError, Validators)], warnings: &mut Vec<Finding>) {
        let against = |speaks: fn(&Validators) -> bool| {
            let speaking = errors.iter().filter(|(_, validators)| speaks(validators));
            // a missing title also causes a missing outline: report the title
            speaking.min_by_key(|(error, _)| matches!(error, ValidationError::MissingDocumentOutline))
        };
        let before = *self;
        if let Some((error, _)) = against(|validators| validators.accessibility().is_some()) {
            self.give_up_ua(&reason(error), warnings);
        }
        if let Some((error, _)) = against(|validators| validators.archival().is_some()) {
            self.give_up_a(&reason(error), warnings);
        }
        if *self == before {
            self.give_up_ua("the writer refuses it", warnings);
            self.give_up_a("the writer refuses it", warnings);
        }
    }
}

fn has_undescribed_figure(pages: &Pages) -> bool {
    pages.structure.iter().any(|element| matches!(element.kind, ElementKind::Figure { alternative_text: None }))
}

fn has_table_without_header(pages: &Pages) -> bool {
    let all = &pages.structure;
    let is_table = |id: &usize| all.get(*id).is_some_and(|element| element.kind == ElementKind::Table);
    // a parent has a smaller index than its children, so this ends
    let above = |id: &usize| Some(all.get(*id)?.parent?.0 as usize).filter(|parent| parent < id);
    let headers = (0..all.len()).filter(|id| matches!(all[*id].kind, ElementKind::TableHeader { .. }));
    let tables: BTreeSet<usize> = headers.filter_map(|id| successors(Some(id), above).find(is_table)).collect();
    (0..all.len()).any(|id| is_table(&id) && !tables.contains(&id))
}

/// Gives up a claim. Warns if the claim was [`Wanted`](Claim::Wanted).
fn give_up(claim: &mut Claim, standard: &str, why: &str, warnings: &mut Vec<Finding>) {
    if std::mem::take(claim) == Claim::Wanted {
        let message = format!("the PDF does not claim {standard}: {why}");
        warnings.push(Finding::new(FindingCode::StandardNotClaimed, message).around(standard));
    }
}

fn reason(error: &ValidationError) -> String {
    let text = match error {
        ValidationError::MissingAltText(_) => NO_ALTERNATIVE_TEXT,
        ValidationError::MissingAnnotationAltText(_) => "a link has no description",
        ValidationError::NoDocumentTitle => "the document has no title",
        ValidationError::NoDocumentLanguage => "the document names no language",
        ValidationError::MissingDocumentOutline => "the document has no headings",
        ValidationError::MissingDocumentDate => "the document has no date",
        ValidationError::MissingHeadingTitle => "a heading is empty",
        ValidationError::ContainsNotDefGlyph(..) => "a character is in none of the fonts",
        ValidationError::NoCodepointMapping(..) => "a glyph stands for no character",
        ValidationError::UnicodePrivateArea(..) => "a character is of the private use area",
        ValidationError::RestrictedLicense(_) => "a font may not be embedded",
        ValidationError::MissingCMYKProfile => "a picture has CMYK colours without a profile",
        ValidationError::TooHighQNestingLevel => "drawings are nested too deeply",
        other => return format!("{other:?}"),
    };
    text.to_owned()
}
