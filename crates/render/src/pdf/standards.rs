//! Decides which of the standards PDF/UA-1 and PDF/A-2a the file can claim.

use std::collections::BTreeSet;
use std::iter::successors;

use krilla::configure::{Accessibility, Archival, Configuration, ConfigurationBuilder, ValidationError, Validators};
use skrifa::MetadataProvider;
use skrifa::string::StringId;
use waraq_layout::geometry::MAX_DEPTH;
use waraq_layout::{DisplayItem, ElementKind, Pages, TaggedItem};
use waraq_rules::{Diagnostic, DiagnosticCode};

use crate::{PdfOptions, StandardClaim};

const NO_ALTERNATIVE_TEXT: &str = "a picture or formula has no alternative text";
const MISSING_CHARACTER: &str = "a character is in none of the fonts";
/// A font that shows a placeholder for every character. krilla treats its glyphs like missing glyphs.
const LAST_RESORT: &str = "LastResort";

/// The standards that the file will claim. A claim that cannot be satisfied is set to [`StandardClaim::No`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StandardClaims {
    ua: StandardClaim,
    a: StandardClaim,
}

impl StandardClaims {
    /// Returns the requested claims without those that the pages cannot satisfy. This function does not check all
    /// rules. It checks rules that krilla ignores, and rules that krilla checks only at the end of the file.
    pub(super) fn requested(pages: &Pages, options: &PdfOptions, warnings: &mut Vec<Diagnostic>) -> Self {
        let mut claims = Self { ua: options.pdf_ua, a: options.pdf_a };
        if pages.structure.is_empty() {
            claims.give_up_ua("the pages have no structure", warnings);
            claims.give_up_a("the pages have no structure", warnings);
        }
        if has_table_without_header(pages) {
            claims.give_up_ua("a table has no header cells", warnings);
        }
        // krilla reports this only at the end of the file, and then the file would have to be written twice
        if has_undescribed_figure(pages) {
            claims.give_up_ua(NO_ALTERNATIVE_TEXT, warnings);
        }
        // krilla stores an error with a copy of the text for each missing glyph
        if claims.claims_any() && has_missing_glyph(pages) {
            claims.give_up_ua(MISSING_CHARACTER, warnings);
            claims.give_up_a(MISSING_CHARACTER, warnings);
        }
        claims
    }

    fn give_up_ua(&mut self, why: &str, warnings: &mut Vec<Diagnostic>) {
        give_up(&mut self.ua, "PDF/UA-1", why, warnings);
    }

    fn give_up_a(&mut self, why: &str, warnings: &mut Vec<Diagnostic>) {
        give_up(&mut self.a, "PDF/A-2a", why, warnings);
    }

    pub(super) fn claims_ua(self) -> bool {
        self.ua != StandardClaim::No
    }

    pub(super) fn claims_any(self) -> bool {
        self.claims_ua() || self.a != StandardClaim::No
    }

    pub(super) fn configuration(self) -> Configuration {
        let mut builder = ConfigurationBuilder::new();
        if self.claims_ua() {
            builder = builder.with_accessibility_validator(Accessibility::UA1);
        }
        if self.a != StandardClaim::No {
            builder = builder.with_archival_validator(Archival::A2_A);
        }
        builder.finish().unwrap_or_default()
    }

    /// Gives up each claim that one of the `errors` contradicts. If the `errors` contradict no claim, gives up all
    /// claims, because krilla would refuse the file again. For claims that are
    /// [`IfPossibleOrWarn`](StandardClaim::IfPossibleOrWarn), adds the reason to `warnings`.
    pub(super) fn give_up_refuted(&mut self, errors: &[(ValidationError, Validators)], warnings: &mut Vec<Diagnostic>) {
        let against = |speaks: fn(&Validators) -> bool| {
            let speaking = errors.iter().filter(|(_, validators)| speaks(validators));
            // a missing title also causes a missing outline: report the title
            speaking.min_by_key(|(error, _)| matches!(error, ValidationError::MissingDocumentOutline))
        };
        let before = *self;
        if let Some((error, _)) = against(|validators| validators.accessibility().is_some()) {
            self.give_up_ua(&refusal_reason(error), warnings);
        }
        if let Some((error, _)) = against(|validators| validators.archival().is_some()) {
            self.give_up_a(&refusal_reason(error), warnings);
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

fn has_missing_glyph(pages: &Pages) -> bool {
    let is_last_resort = |font: &waraq_layout::Font| {
        let parsed = skrifa::FontRef::from_index((*font.data).as_ref(), font.index).ok();
        let names = parsed.as_ref().map(|font| font.localized_strings(StringId::POSTSCRIPT_NAME));
        names.into_iter().flatten().any(|name| name.chars().eq(LAST_RESORT.chars()))
    };
    pages.fonts.iter().any(is_last_resort) || pages.pages.iter().any(|page| are_missing(&page.items, 0))
}

/// Returns `true` if one of the items has a missing glyph.
fn are_missing(items: &[TaggedItem], depth: usize) -> bool {
    items.iter().any(|placed| match &placed.item {
        DisplayItem::Glyphs(run) => run.glyphs.iter().any(|glyph| glyph.id == 0),
        DisplayItem::Repeated { items, .. } if depth < MAX_DEPTH => are_missing(items, depth + 1),
        DisplayItem::Group { items, .. } if depth < MAX_DEPTH => are_missing(items, depth + 1),
        _ => false,
    })
}

fn has_table_without_header(pages: &Pages) -> bool {
    let all = &pages.structure;
    let is_table = |id: &usize| all.get(*id).is_some_and(|element| element.kind == ElementKind::Table);
    // a parent has a smaller index than its children, so this loop ends
    let above = |id: &usize| Some(all.get(*id)?.parent?.0 as usize).filter(|parent| parent < id);
    let headers = (0..all.len()).filter(|id| matches!(all[*id].kind, ElementKind::TableHeader { .. }));
    let tables: BTreeSet<usize> = headers.filter_map(|id| successors(Some(id), above).find(is_table)).collect();
    (0..all.len()).any(|id| is_table(&id) && !tables.contains(&id))
}

/// Gives up a claim. Warns if the claim was [`IfPossibleOrWarn`](StandardClaim::IfPossibleOrWarn).
fn give_up(claim: &mut StandardClaim, standard: &str, why: &str, warnings: &mut Vec<Diagnostic>) {
    if std::mem::take(claim) == StandardClaim::IfPossibleOrWarn {
        let message = format!("the PDF does not claim {standard}: {why}");
        warnings.push(Diagnostic::new(DiagnosticCode::StandardNotClaimed, message).with_context(standard));
    }
}

fn refusal_reason(error: &ValidationError) -> String {
    let text = match error {
        ValidationError::MissingAltText(_) => NO_ALTERNATIVE_TEXT,
        ValidationError::MissingAnnotationAltText(_) => "a link has no description",
        ValidationError::NoDocumentTitle => "the document has no title",
        ValidationError::NoDocumentLanguage => "the document names no language",
        ValidationError::MissingDocumentOutline => "the document has no headings",
        ValidationError::MissingDocumentDate => "the document has no date",
        ValidationError::MissingHeadingTitle => "a heading is empty",
        ValidationError::ContainsNotDefGlyph(..) => MISSING_CHARACTER,
        ValidationError::NoCodepointMapping(..) => "a glyph stands for no character",
        ValidationError::UnicodePrivateArea(..) => "a character is of the private use area",
        ValidationError::RestrictedLicense(_) => "a font may not be embedded",
        ValidationError::MissingCMYKProfile => "a picture has CMYK colours without a profile",
        ValidationError::TooHighQNestingLevel => "drawings are nested too deeply",
        other => return format!("{other:?}"),
    };
    text.to_owned()
}
