//! Which family stands for which: Word's families have metric twins with free licences, so that lines break where Word breaks
//! them.

use waraq_docx::tree::{FontFamily, FontHint};

/// What stands for a family the book does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Substitute {
    pub family: &'static str,
    /// Same advance widths: nothing to warn of.
    pub twin: bool,
}

/// Lower-case names, the family that stands for them, and whether it has their widths.
const SUBSTITUTES: &[(&str, &[&str], &[&str])] = &[
    // (family, metric twins, look-alikes)
    (
        "Carlito",
        &["calibri"],
        &["calibri light", "candara", "corbel", "segoe ui", "aptos", "aptos display", "aptos narrow"],
    ),
    ("Caladea", &["cambria"], &["constantia"]),
    (
        "Arimo",
        &["arial", "helvetica", "liberation sans"],
        &[
            "verdana",
            "tahoma",
            "trebuchet ms",
            "microsoft sans serif",
            "dejavu sans",
            "arial unicode ms",
            "ms sans serif",
        ],
    ),
    (
        "Tinos",
        &["times new roman", "times", "liberation serif", "timesnewromanpsmt", "timesnewroman"],
        &["georgia", "garamond", "book antiqua", "palatino linotype", "dejavu serif"],
    ),
    ("Cousine", &["courier new", "liberation mono"], &["courier", "consolas", "lucida console", "dejavu sans mono"]),
    (
        "Amiri",
        &[],
        &["traditional arabic", "simplified arabic", "arabic typesetting", "sakkal majalla", "arabic transparent"],
    ),
    ("Noto Sans Math", &[], &["cambria math"]),
];

/// Style words at the end of a name that is a face's full name rather than a family's (Windows finds those too).
const STYLE_WORDS: &[&str] =
    &[" bold italic", " bold", " italic", " regular", "-boldmt", "-italicmt", "-bold", "ps-boldmt"];

/// What stands for `name` (any case), by the table alone.
pub(super) fn substitute(name: &str) -> Option<Substitute> {
    let name = name.trim().to_lowercase();
    find(&name).or_else(|| STYLE_WORDS.iter().filter_map(|word| name.strip_suffix(word)).find_map(find))
}

fn find(name: &str) -> Option<Substitute> {
    SUBSTITUTES.iter().find_map(|&(family, twins, alike)| {
        let twin = twins.contains(&name);
        (twin || alike.contains(&name)).then_some(Substitute { family, twin })
    })
}

/// Families to try, in order, for a name nobody knows.
pub(super) fn by_hint(hint: Option<&FontHint>) -> &'static [&'static str] {
    match hint {
        Some(hint) if hint.fixed_pitch && hint.family == FontFamily::Modern => &["Cousine"],
        // LibreOffice takes this face, whose Latin letters are Noto Sans, for any family it does not know. The hint "roman" is
        // no reason for another: producers write it for Century Gothic and Roboto Condensed too.
        _ => &["Noto Sans Hebrew", "Carlito", "Arimo"],
    }
}

/// What Word takes where a document names no font at all.
pub(super) const DEFAULT_FAMILY: &str = "Times New Roman";

/// Families for characters that a run's own family lacks, in order.
pub(super) fn fallback(family: &str, script: unicode_script::Script) -> &'static [&'static str] {
    use unicode_script::Script;
    let serif = matches!(family, "Tinos" | "Caladea" | "Cousine" | "Amiri");
    match script {
        Script::Arabic if serif => &["Noto Naskh Arabic", "Amiri", "Noto Sans Arabic"],
        Script::Arabic => &["Noto Sans Arabic", "Noto Naskh Arabic", "Amiri"],
        Script::Hebrew if serif => &["Tinos", "Noto Sans Hebrew"],
        Script::Hebrew => &["Noto Sans Hebrew", "Arimo", "Tinos"],
        _ if family == "Noto Sans Math" => &["Tinos", "Noto Sans Symbols", "Noto Sans Symbols 2"],
        _ if serif => &["Tinos", "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math", "Arimo", "Carlito"],
        _ => &["Arimo", "Carlito", "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math", "Tinos"],
    }
}
