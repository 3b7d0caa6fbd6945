//! All fields of Word (ECMA-376 part 1, §17.16.5, and the fields that Word adds), and how the engine treats each.

/// How the engine treats a kind of field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FieldTreatment {
    /// The result is computed when the document is read, laid out or filled.
    Computed,
    /// The field is a field of the template. Filling replaces it with a value.
    Filled,
    /// The field chooses or counts the records of a mail merge. A template is filled with one record, so the field is
    /// reported as an error.
    OtherRecords,
    /// The stored result does not depend on other content, and is shown.
    Constant,
    /// The field loads a file or starts another program. It is reported as external content.
    External,
    /// The stored result is shown, and may be out of date. The field is reported.
    NotComputed,
}

use FieldTreatment::{Computed, Constant, External, Filled, NotComputed, OtherRecords};

/// The fields by name, in alphabetical order. A formula has the name `=`.
const CATALOGUE: [(&str, FieldTreatment); 97] = [
    ("=", Computed),
    ("ADDIN", Constant),
    ("ADDRESSBLOCK", Filled),
    ("ADVANCE", NotComputed),
    ("ASK", Filled),
    ("AUTHOR", Computed),
    ("AUTONUM", NotComputed),
    ("AUTONUMLGL", NotComputed),
    ("AUTONUMOUT", NotComputed),
    ("AUTOTEXT", NotComputed),
    ("AUTOTEXTLIST", NotComputed),
    ("BARCODE", NotComputed),
    ("BIBLIOGRAPHY", NotComputed),
    ("BIDIOUTLINE", NotComputed),
    ("CITATION", NotComputed),
    ("COMMENTS", Computed),
    ("COMPARE", Computed),
    ("CONTROL", Constant),
    ("CREATEDATE", Computed),
    ("DATA", Constant),
    ("DATABASE", NotComputed),
    ("DATE", Computed),
    ("DDE", External),
    ("DDEAUTO", External),
    ("DISPLAYBARCODE", NotComputed),
    ("DOCPROPERTY", Computed),
    ("DOCVARIABLE", Computed),
    ("EDITTIME", Computed),
    ("EMBED", Constant),
    ("EQ", NotComputed),
    ("FILENAME", Computed),
    ("FILESIZE", NotComputed),
    ("FILLIN", Filled),
    ("FOOTNOTEREF", Computed),
    ("FORMCHECKBOX", Computed),
    ("FORMDROPDOWN", Constant),
    ("FORMTEXT", Constant),
    ("FTNREF", Computed),
    ("GLOSSARY", NotComputed),
    ("GOTOBUTTON", Computed),
    ("GREETINGLINE", Filled),
    ("HTMLACTIVEX", Constant),
    ("HTMLCONTROL", Constant),
    ("HYPERLINK", Constant),
    ("IF", Computed),
    ("IMPORT", External),
    ("INCLUDE", External),
    ("INCLUDEPICTURE", External),
    ("INCLUDETEXT", External),
    ("INDEX", NotComputed),
    ("INFO", Computed),
    ("KEYWORDS", Computed),
    ("LASTSAVEDBY", Computed),
    ("LINK", External),
    ("LISTNUM", NotComputed),
    ("MACROBUTTON", Computed),
    ("MERGEBARCODE", NotComputed),
    ("MERGEFIELD", Filled),
    ("MERGEREC", OtherRecords),
    ("MERGESEQ", OtherRecords),
    ("NEXT", OtherRecords),
    ("NEXTIF", OtherRecords),
    ("NOTEREF", Computed),
    ("NUMCHARS", Computed),
    ("NUMPAGES", Computed),
    ("NUMWORDS", Computed),
    ("PAGE", Computed),
    ("PAGEREF", Computed),
    ("PRINT", Constant),
    ("PRINTDATE", Computed),
    ("PRIVATE", Constant),
    ("QUOTE", Computed),
    ("RD", Constant),
    ("REF", Computed),
    ("REVNUM", Computed),
    ("SAVEDATE", Computed),
    ("SECTION", Computed),
    ("SECTIONPAGES", Computed),
    ("SEQ", Computed),
    ("SET", Computed),
    ("SHAPE", Constant),
    ("SKIPIF", OtherRecords),
    ("STYLEREF", Computed),
    ("SUBJECT", Computed),
    ("SUBSCRIBER", NotComputed),
    ("SYMBOL", Computed),
    ("TA", Constant),
    ("TC", Constant),
    ("TEMPLATE", NotComputed),
    ("TIME", Computed),
    ("TITLE", Computed),
    ("TOA", NotComputed),
    ("TOC", Computed),
    ("USERADDRESS", NotComputed),
    ("USERINITIALS", NotComputed),
    ("USERNAME", NotComputed),
    ("XE", Constant),
];

/// Returns how the engine treats the field with this name in upper case. Returns `None` for a name that Word does not
/// know: the name of a bookmark, or a mistake.
pub(crate) fn treatment(name: &str) -> Option<FieldTreatment> {
    let at = CATALOGUE.binary_search_by_key(&name, |(known, _)| *known).ok()?;
    CATALOGUE.get(at).map(|(_, treatment)| *treatment)
}

/// Returns the name of a field in upper case, from the start of its code. The name of a formula is `=`. Returns an empty
/// text if the code has no name.
pub(crate) fn field_name(code: &str) -> String {
    // The name of a field is the name of a bookmark at most, which has 40 characters in Word.
    const MAX_NAME_CHARACTERS: usize = 250;
    let code = code.trim_start();
    if code.starts_with('=') {
        return "=".to_owned();
    }
    let is_end = |character: &char| character.is_whitespace() || matches!(character, '"' | '“' | '”' | '\\');
    let name: String = code.chars().take(MAX_NAME_CHARACTERS).take_while(|character| !is_end(character)).collect();
    name.to_uppercase()
}

/// Returns the message of a diagnostic about a field that is not computed. `name` is the name of the field in upper case.
pub(crate) fn not_computed_message(name: &str) -> String {
    format!("the field {name} is shown as it last was")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of ECMA-376 part 1, §17.16.5.
    const STANDARD: &str = "ADDRESSBLOCK ADVANCE ASK AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT AUTOTEXT AUTOTEXTLIST BIBLIOGRAPHY \
        CITATION COMMENTS COMPARE CREATEDATE DATABASE DATE DOCPROPERTY DOCVARIABLE EDITTIME EQ FILENAME FILESIZE FILLIN \
        FORMCHECKBOX FORMDROPDOWN FORMTEXT GOTOBUTTON GREETINGLINE HYPERLINK IF INCLUDEPICTURE INCLUDETEXT INDEX KEYWORDS \
        LASTSAVEDBY LINK LISTNUM MACROBUTTON MERGEFIELD MERGEREC MERGESEQ NEXT NEXTIF NOTEREF NUMCHARS NUMPAGES NUMWORDS PAGE \
        PAGEREF PRINT PRINTDATE PRIVATE QUOTE RD REF REVNUM SAVEDATE SECTION SECTIONPAGES SEQ SET SKIPIF STYLEREF SUBJECT SYMBOL \
        TA TC TEMPLATE TIME TITLE TOA TOC USERADDRESS USERINITIALS USERNAME XE";

    #[test]
    fn the_catalogue_contains_every_field_of_the_standard() {
        assert!(CATALOGUE.is_sorted_by_key(|(name, _)| *name));
        for name in STANDARD.split_whitespace() {
            assert!(treatment(name).is_some(), "{name}");
        }
        assert_eq!((treatment("Price"), treatment("")), (None, None));
    }

    /// A field shows its saved result only if the result is constant, or if the author is told.
    #[test]
    fn no_field_shows_its_saved_result_silently() {
        let mut silent = Vec::new();
        // The field TOC is reported only if one of its switches is not supported.
        for (name, _) in CATALOGUE.into_iter().filter(|(name, treatment)| *treatment != Constant && *name != "TOC") {
            let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
            // With an argument, these fields set a property of the document.
            let sets_property = ["AUTHOR", "COMMENTS", "KEYWORDS", "LASTSAVEDBY", "REVNUM", "SUBJECT", "TITLE"];
            let argument = if sets_property.contains(&name) { "" } else { "x" };
            let body = format!(
                "<w:p>{}<w:r><w:instrText xml:space=\"preserve\"> {name} {argument} </w:instrText></w:r>{}{}{}</w:p>",
                character("begin"),
                character("separate"),
                crate::build::run("OLD RESULT"),
                character("end"),
            );
            let package = crate::Package::open(&crate::build::DocumentBuilder::new(&body).to_bytes()).unwrap();
            let document = crate::read(&package, &crate::ReadOptions::default()).unwrap();
            let crate::tree::Block::Paragraph(paragraph) = &document.sections[0].blocks[0] else { panic!("{name}") };
            let is_saved = |content: &crate::tree::Content| matches!(content, crate::tree::Content::Text(text) if text == "OLD RESULT");
            let shows_saved = paragraph.inlines.iter().any(|inline| is_saved(&inline.content));
            let check = crate::fields::check(&package).unwrap();
            let is_field = !check.fields.is_empty();
            if shows_saved && !is_field && check.findings.is_empty() && document.warnings.is_empty() {
                silent.push(name);
            }
        }
        assert_eq!(silent, [""; 0]);
    }

    #[test]
    fn the_name_of_a_field_is_its_first_word() {
        assert_eq!(field_name("  mergefield\u{a0}x"), "MERGEFIELD");
        assert_eq!((field_name("=1+2"), field_name("IF\"a\"")), ("=".to_owned(), "IF".to_owned()));
        assert_eq!(field_name(" "), "");
    }
}
