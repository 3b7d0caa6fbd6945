//! The categories the product starts with, and what each language calls them.

/// A category of templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Category {
    /// The name on the wire, the same in every language: `housing`.
    pub name: &'static str,
    /// What an English, French and Arabic interface shows.
    pub en: &'static str,
    pub fr: &'static str,
    pub ar: &'static str,
}

impl Category {
    /// The name in a language of the interface; English where it is not one of the three.
    pub fn label(&self, language: &str) -> &'static str {
        match language {
            "fr" => self.fr,
            "ar" => self.ar,
            _ => self.en,
        }
    }
}

const CATEGORIES: [Category; 7] = [
    Category { name: "general", en: "General", fr: "Général", ar: "عام" },
    Category { name: "employment", en: "Employment", fr: "Emploi", ar: "العمل والتوظيف" },
    Category { name: "housing", en: "Housing", fr: "Logement", ar: "السكن" },
    Category { name: "business", en: "Business", fr: "Entreprise", ar: "الأعمال" },
    Category { name: "legal", en: "Legal", fr: "Juridique", ar: "قانوني" },
    Category { name: "finance", en: "Finance", fr: "Finance", ar: "المالية" },
    Category { name: "personal", en: "Personal", fr: "Personnel", ar: "شخصي" },
];

/// All categories, `general` (the default of a new template) first.
pub fn categories() -> &'static [Category] {
    &CATEGORIES
}
