//! Lists of choices for fields with known names. There are only few lists, because a wrong list is worse than no list.

use super::words::NameWords;

/// Each entry has the names of fields, split into folded words, and the choices of these fields in the language of the names.
const CHOICE_LISTS: &[(&[&[&str]], &[&str])] = &[
    (&[&["full", "time", "or", "part", "time"], &["full", "time", "part", "time"]], &["Full-time", "Part-time"]),
    (&[&["permanent", "or", "fixed", "term"], &["fixed", "term", "or", "permanent"]], &["Permanent", "Fixed-term"]),
    (&[&["yes", "or", "no"], &["yes", "no"]], &["Yes", "No"]),
    (&[&["gender"], &["sex"]], &["Female", "Male"]),
    (&[&["marital", "status"]], &["Single", "Married", "Divorced", "Widowed"]),
    (&[&["mr", "or", "mrs"], &["mr", "mrs"], &["mr", "mrs", "ms"], &["salutation"]], &["Mr", "Mrs", "Ms"]),
    (
        &[
            &["madame", "ou", "monsieur"],
            &["monsieur", "ou", "madame"],
            &["madame", "monsieur"],
            &["m", "ou", "mme"],
            &["m", "mme"],
            &["civilite"],
        ],
        &["Madame", "Monsieur"],
    ),
    (&[&["sexe"]], &["Femme", "Homme"]),
    (&[&["oui", "ou", "non"], &["oui", "non"]], &["Oui", "Non"]),
    (&[&["cdi", "ou", "cdd"], &["cdi", "cdd"]], &["CDI", "CDD"]),
    (
        &[&["temps", "plein", "ou", "partiel"], &["temps", "plein", "ou", "temps", "partiel"]],
        &["Temps plein", "Temps partiel"],
    ),
    (
        &[&["situation", "familiale"], &["etat", "civil"]],
        &["Célibataire", "Marié(e)", "Pacsé(e)", "Divorcé(e)", "Veuf(ve)"],
    ),
    (&[&["نعم", "او", "لا"], &["نعم", "لا"]], &["نعم", "لا"]),
    (&[&["جنس"], &["ذكر", "انثي"], &["ذكر", "او", "انثي"]], &["ذكر", "أنثى"]),
    (&[&["حاله", "اجتماعيه"]], &["أعزب", "متزوج", "مطلق", "أرمل"]),
    (&[&["دوام", "كامل", "او", "جزئي"]], &["دوام كامل", "دوام جزئي"]),
];

/// Returns the choices of a field. [`CHOICE_LISTS`] is searched for the name of the field, then for text in parentheses
/// in the name, then for text in parentheses directly after the field. `after` is the text after the field in the
/// document, for example `(yes / no)`. Returns `None` if no list is found.
pub(super) fn detect_choices(name: &str, after: &str) -> Option<Vec<String>> {
    let listed = |text: &str| {
        let words = NameWords::split(text);
        let is = |all: &&[&str]| words.as_slice().iter().map(String::as_str).eq(all.iter().copied());
        let found = CHOICE_LISTS.iter().find(|(said, _)| said.iter().any(is))?;
        Some(found.1.iter().map(|choice| (*choice).to_owned()).collect())
    };
    // The choices may be in parentheses in the name, as in `Conjoint (oui/non)`, or directly after the field.
    let bracketed = |text: &str| {
        let (_, rest) = text.split_once('(')?;
        let (inside, _) = rest.split_once(')')?;
        listed(inside)
    };
    let right_after = Some(after.trim_start()).filter(|after| after.starts_with('('));
    listed(name).or_else(|| bracketed(name)).or_else(|| right_after.and_then(bracketed))
}
