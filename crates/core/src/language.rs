//! Interface languages and template languages.

use crate::{Error, ErrorCode, Result};

/// A language of the user interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum InterfaceLanguage {
    /// English, the default language.
    #[default]
    English,
    French,
    Arabic,
}

impl InterfaceLanguage {
    pub const ALL: [Self; 3] = [Self::English, Self::French, Self::Arabic];

    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
            Self::Arabic => "ar",
        }
    }

    /// Returns the interface language of a language tag, such as French for `fr`, `fr-FR` or `FR`. `None` if the interface has no
    /// such language.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next().unwrap_or(code).trim();
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(primary))
    }

    /// Returns the preferred interface language of an Accept-Language header (RFC 9110 §12.5.4), or English if none matches.
    pub fn preferred(accept_language: &str) -> Self {
        let mut best = (0.0, Self::default());
        for entry in accept_language.split(',').take(32) {
            let mut pieces = entry.split(';');
            let Some(language) = pieces.next().and_then(Self::from_code) else { continue };
            let quality = pieces.find_map(|piece| piece.trim().strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
            if quality > best.0 {
                best = (quality, language);
            }
        }
        best.1
    }
}

/// A language in which templates can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateLanguage {
    /// The BCP 47 code.
    pub code: &'static str,
    /// The name of the language in the language itself.
    pub native_name: &'static str,
    /// The names in English, French and Arabic (CLDR).
    names: [&'static str; 3],
}

impl TemplateLanguage {
    pub fn name(&self, language: InterfaceLanguage) -> &'static str {
        self.names[language as usize]
    }
}

/// All template languages.
pub const TEMPLATE_LANGUAGES: [TemplateLanguage; 3] = [
    TemplateLanguage { code: "en", native_name: "English", names: ["English", "anglais", "الإنجليزية"] },
    TemplateLanguage { code: "fr", native_name: "Français", names: ["French", "français", "الفرنسية"] },
    TemplateLanguage { code: "ar", native_name: "العربية", names: ["Arabic", "arabe", "العربية"] },
];

/// The language of a template whose upload does not specify one.
pub const DEFAULT_TEMPLATE_LANGUAGE: &str = "en";

pub fn template_language(code: &str) -> Result<&'static TemplateLanguage> {
    let known = TEMPLATE_LANGUAGES.iter().find(|language| language.code == code);
    known.ok_or_else(|| {
        Error::new(ErrorCode::UnknownLanguage, format!("The template language {code:?} is not supported."))
            .with_fields(["language"])
    })
}

/// Returns the template language of a BCP 47 language tag, such as French for `fr-CA`. `None` if templates cannot be in this
/// language.
pub fn template_language_of(tag: &str) -> Option<&'static TemplateLanguage> {
    let primary = tag.split('-').next().unwrap_or(tag);
    TEMPLATE_LANGUAGES.iter().find(|language| language.code.eq_ignore_ascii_case(primary))
}

#[cfg(test)]
mod tests {
    use super::InterfaceLanguage::{self, *};

    #[test]
    fn accept_language() {
        for (header, language) in [
            ("", English),
            ("de", English),
            ("fr-FR,fr;q=0.9,en;q=0.8", French),
            ("de, en;q=0.5, ar;q=0.9", Arabic),
            ("ar;q=0, fr;q=junk", French),
        ] {
            assert_eq!(InterfaceLanguage::preferred(header), language, "{header}");
        }
    }
}
