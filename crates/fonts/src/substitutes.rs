//! The table of substitutes for fonts whose licence does not allow shipping them with the product.

/// A shipped family (`family`) and the families that it replaces. The families in `metric_compatible` have the same
/// advance widths; those in `look_alikes` only look similar.
struct SubstituteEntry {
    family: &'static str,
    metric_compatible: &'static [&'static str],
    look_alikes: &'static [&'static str],
}

/// The substitutes. Names of replaced families are in lower case. Wide serif fonts (Bookman Old Style, Century Schoolbook) have
/// no substitute: Tinos is so much narrower that a report of three pages becomes two pages.
const SUBSTITUTES: &[SubstituteEntry] = &[
    SubstituteEntry {
        family: "Carlito",
        metric_compatible: &["calibri"],
        look_alikes: &[
            "calibri light",
            "candara",
            "corbel",
            "segoe ui",
            "segoe ui light",
            "segoe ui semibold",
            "segoe ui semilight",
            "aptos",
            "aptos display",
            "aptos narrow",
            "aptos light",
            "gill sans mt",
            "open sans",
            "lato",
        ],
    },
    SubstituteEntry { family: "Caladea", metric_compatible: &["cambria"], look_alikes: &["constantia", "aptos serif"] },
    SubstituteEntry {
        family: "Arimo",
        metric_compatible: &["arial", "arial mt", "arialmt", "helvetica", "liberation sans", "nimbus sans"],
        look_alikes: &[
            "helvetica neue",
            "verdana",
            "tahoma",
            "trebuchet ms",
            "microsoft sans serif",
            "ms sans serif",
            "dejavu sans",
            "arial unicode ms",
            "arial black",
            "arial narrow",
            "arial rounded mt bold",
            "century gothic",
            "franklin gothic book",
            "franklin gothic medium",
            "lucida sans",
            "lucida sans unicode",
            "geneva",
            "roboto",
            "noto sans",
            "swiss",
            "univers",
            "futura",
            "impact",
            "comic sans ms",
        ],
    },
    SubstituteEntry {
        family: "Tinos",
        metric_compatible: &[
            "times new roman",
            "times",
            "liberation serif",
            "nimbus roman",
            "timesnewromanpsmt",
            "timesnewroman",
        ],
        look_alikes: &[
            "georgia",
            "garamond",
            "eb garamond",
            "adobe garamond pro",
            "book antiqua",
            "palatino linotype",
            "palatino",
            "dejavu serif",
            "baskerville old face",
            "noto serif",
            "roman",
            "tms rmn",
        ],
    },
    SubstituteEntry {
        family: "Cousine",
        metric_compatible: &["courier new", "courier", "liberation mono"],
        look_alikes: &[
            "consolas",
            "lucida console",
            "dejavu sans mono",
            "menlo",
            "monaco",
            "cascadia code",
            "cascadia mono",
            "aptos mono",
            "source code pro",
            "lucida sans typewriter",
        ],
    },
    SubstituteEntry {
        family: "Amiri",
        metric_compatible: &[],
        look_alikes: &[
            "traditional arabic",
            "simplified arabic",
            "simplified arabic fixed",
            "arabic typesetting",
            "sakkal majalla",
            "arabic transparent",
            "scheherazade",
            "scheherazade new",
            "decotype naskh",
            "diwani letter",
            "andalus",
            "aldhabi",
            "urdu typesetting",
            "lateef",
            "arabtype",
            "majalla ui",
            "adobe arabic",
            // Naskh fonts for Persian: the B, IR and XB series, and the older fonts after which they are named
            "b nazanin",
            "b lotus",
            "b mitra",
            "b zar",
            "b badr",
            "b compset",
            "b yagut",
            "b yaghut",
            "b davat",
            "nazanin",
            "lotus",
            "mitra",
            "zar",
            "2  nazanin",
            "2  lotus",
            "2  mitra",
            "2  zar",
            "2  badr",
            "2  compset",
            "irnazanin",
            "irlotus",
            "irmitra",
            "irzar",
            "irbadr",
            "ircompset",
            "iryagut",
            "xb niloofar",
            "xb zar",
            "xb yagut",
            "xb yas",
            "xb riyaz",
            "xb shafigh",
            "xb kayhan",
        ],
    },
    SubstituteEntry {
        family: "Noto Sans Arabic",
        metric_compatible: &[],
        look_alikes: &[
            "dubai",
            "dubai light",
            "dubai medium",
            "cairo",
            "tajawal",
            "almarai",
            "droid arabic kufi",
            "geeza pro",
        ],
    },
    SubstituteEntry {
        family: "Noto Naskh Arabic",
        metric_compatible: &[],
        look_alikes: &["droid arabic naskh", "al bayan", "mudir mt"],
    },
    SubstituteEntry {
        family: "Noto Sans Hebrew",
        metric_compatible: &[],
        look_alikes: &[
            "david",
            "david libre",
            "miriam",
            "miriam fixed",
            "frankruehl",
            "narkisim",
            "gisha",
            "levenim mt",
            "rod",
            "aharoni",
        ],
    },
    SubstituteEntry {
        family: "Noto Sans Math",
        metric_compatible: &[],
        look_alikes: &["cambria math", "stix two math", "latin modern math", "xits math"],
    },
    SubstituteEntry {
        family: "Noto Sans Symbols 2",
        metric_compatible: &[],
        look_alikes: &[
            "segoe ui symbol",
            "segoe ui emoji",
            "apple color emoji",
            "noto color emoji",
            "symbol",
            "wingdings",
            "wingdings 2",
            "wingdings 3",
            "webdings",
        ],
    },
    SubstituteEntry { family: "Noto Sans Symbols", metric_compatible: &[], look_alikes: &[] },
];

/// The substitute of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Substitute {
    /// The shipped family.
    pub family: &'static str,
    /// `true` if both families have the same advance widths, so that lines break where they do in Word.
    pub metric_compatible: bool,
}

/// Endings that turn a family name into a full font name, such as “Calibri Bold”. Documents may use a full name instead
/// of a family name; Windows accepts both.
const STYLE_WORDS: &[&str] =
    &[" bold italic", " bold", " italic", " regular", "-boldmt", "-italicmt", "-bold", "ps-boldmt"];

/// Returns the substitute for a family. The name may be in any case. A shipped family is its own metric-compatible
/// substitute. Returns `None` for unknown families. Layout then chooses a font by the document's font table or by the script
/// of the text.
pub fn substitution(family: &str) -> Option<Substitute> {
    // "@SimSun" is SimSun rotated for vertical text; the table has only ASCII names
    let name = family.trim().trim_start_matches('@').to_ascii_lowercase();
    find_substitute(&name)
        .or_else(|| STYLE_WORDS.iter().filter_map(|word| name.strip_suffix(word)).find_map(find_substitute))
}

/// Returns the name of the shipped family that replaces `family`, or `None` if the family is unknown. The rules are
/// those of [`substitution`].
pub fn substitute(family: &str) -> Option<&'static str> {
    substitution(family).map(|found| found.family)
}

/// Returns the shipped families to use for Arabic letters that the family `ours` lacks. Families with the same style as
/// `ours` (serif or sans) come first.
pub fn arabic_companions(ours: &str) -> &'static [&'static str] {
    match ours {
        "Caladea" | "Tinos" | "Cousine" | "Amiri" => &["Noto Naskh Arabic", "Amiri", "Noto Sans Arabic"],
        _ => &["Noto Sans Arabic", "Noto Naskh Arabic", "Amiri"],
    }
}

fn find_substitute(name: &str) -> Option<Substitute> {
    SUBSTITUTES.iter().find_map(|entry| {
        let family = entry.family;
        let twin = family.eq_ignore_ascii_case(name) || entry.metric_compatible.contains(&name);
        (twin || entry.look_alikes.contains(&name)).then_some(Substitute { family, metric_compatible: twin })
    })
}

#[cfg(all(test, feature = "files"))]
pub(crate) fn families() -> impl Iterator<Item = &'static str> {
    SUBSTITUTES.iter().map(|entry| entry.family)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_metric_compatible(family: &str) -> bool {
        substitution(family).is_some_and(|found| found.metric_compatible)
    }

    #[test]
    fn names_in_any_case_have_metric_compatible_or_similar_substitutes() {
        assert_eq!(substitute("TIMES NEW ROMAN"), Some("Tinos"));
        assert!(is_metric_compatible(" Arial "));
        assert_eq!(substitute("Aptos"), Some("Carlito"));
        assert!(!is_metric_compatible("Aptos"));
        assert_eq!(substitute("Sakkal Majalla"), Some("Amiri"));
        assert!(!is_metric_compatible("Sakkal Majalla"));
        for naskh in ["B Nazanin", "B Lotus", "B Mitra", "IRNazanin", "XB Niloofar", "B Zar Bold", "2  Nazanin"] {
            assert_eq!(substitute(naskh), Some("Amiri"), "{naskh}");
        }
        assert_eq!(substitute("No Such Font"), None);
        assert_eq!(substitute("Century Schoolbook"), None);
        assert!(is_metric_compatible("carlito"));
    }

    #[test]
    fn full_face_names_are_found_by_their_family() {
        assert_eq!(substitution("Times New Roman Bold"), Some(Substitute { family: "Tinos", metric_compatible: true }));
        assert_eq!(substitution("Verdana Bold Italic"), Some(Substitute { family: "Arimo", metric_compatible: false }));
        assert_eq!(substitution("@Arial"), substitution("Arial"));
        assert_eq!(substitute("Bold"), None);
    }

    #[test]
    fn names_are_unique_and_in_lower_case() {
        let mut seen = std::collections::BTreeSet::new();
        for name in SUBSTITUTES.iter().flat_map(|entry| entry.metric_compatible.iter().chain(entry.look_alikes)) {
            assert!(seen.insert(*name), "{name} stands twice");
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }
}
