//! Which families help out: for a name nobody knows, and for characters a family lacks. (Which family stands for which of
//! Word's is the table of `waraq_fonts`.)

use unicode_script::Script;
use waraq_docx::tree::{FontFamily, FontHint};

/// Families to try, in order, for a name nobody knows.
pub(super) fn by_hint(hint: Option<&FontHint>) -> &'static [&'static str] {
    match hint {
        Some(hint) if hint.fixed_pitch && hint.family == FontFamily::Modern => &["Cousine"],
        // LibreOffice takes this face, whose Latin letters are Noto Sans, for any family it does not know. The hint "roman" is
        // no reason for another: producers write it for Century Gothic and Roboto Condensed too.
        _ => &["Noto Sans Hebrew", "Arimo", "Carlito"],
    }
}

/// What Word takes where a document names no font at all.
pub(super) const DEFAULT_FAMILY: &str = "Times New Roman";

/// Families for characters that a run's own family lacks, in order.
pub(super) fn fallback(family: &str, script: Script) -> &'static [&'static str] {
    let serif = matches!(family, "Tinos" | "Caladea" | "Cousine" | "Amiri");
    match script {
        Script::Arabic => waraq_fonts::arabic_companions(family),
        Script::Hebrew if serif => &["Tinos", "Noto Sans Hebrew"],
        Script::Hebrew => &["Noto Sans Hebrew", "Arimo", "Tinos"],
        // The letters of the Symbol font have serifs.
        Script::Greek if family == "Noto Sans Symbols 2" => &["Tinos"],
        _ if family == "Noto Sans Math" => &["Tinos", "Noto Sans Symbols", "Noto Sans Symbols 2"],
        _ if serif => &["Tinos", "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math", "Arimo", "Carlito"],
        _ => &["Arimo", "Carlito", "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math", "Tinos"],
    }
}
