//! The table of substitutes for fonts whose licence does not allow shipping them with the product.

/// A shipped family (`ours`) and the families that it replaces. The families in `twins` have the same advance widths; those in
/// `resembles` only look similar.
struct Entry {
    ours: &'static str,
    twins: &'static [&'static str],
    resembles: &'static [&'static str],
}

/// The substitutes. Names of replaced families are in lower case. Wide serif fonts (Bookman Old Style, Century Schoolbook) have
/// no substitute: Tinos is so much narrower that a report of three pages becomes two pages.
const TABLE: &[Entry] = &[
    Entry {
        ours: "Carlito",
        twins: &["calibri"],
        resembles: &[
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
    Entry { ours: "Caladea", twins: &["cambria"], resembles: &["constantia", "aptos serif"] },
    Entry {
        ours: "Arimo",
        twins: &["arial", "arial mt", "arialmt", "helvetica", "liberation sans", "nimbus sans"],
        resembles: &[
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
    Entry {
        ours: "Tinos",
        twins: &["times new roman", "times", "liberation serif", "nimbus roman", "timesnewromanpsmt", "timesnewroman"],
        resembles: &[
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
    Entry {
        ours: "Cousine",
        twins: &["courier new", "courier", "liberation mono"],
        resembles: &[
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
    Entry {
        ours: "Amiri",
        twins: &[],
        resembles: &[
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
            // Naskh fonts for Persian: the B, IR and XB series, and the older fonts from which these series have their names
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
    Entry {
        ours: "Noto Sans Arabic",
        twins: &[],
        resembles: &[
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
    Entry { ours: "Noto Naskh Arabic", twins: &[], resembles: &["droid arabic naskh", "al bayan", "mudir mt"] },
    Entry {
        ours: "Noto Sans Hebrew",
        twins: &[],
        resembles: &[
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
    Entry {
        ours: "Noto Sans Math",
        twins: &[],
        resembles: &["cambria math", "stix two math", "latin modern math", "xits math"],
    },
    Entry {
        ours: "Noto Sans Symbols 2",
        twins: &[],
        resembles: &[
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
    Entry { ours: "Noto Sans Symbols", twins: &[], resembles: &[] },
];

/// The substitute of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Substitute {
    /// The shipped family.
    pub family: &'static str,
    /// `true` if both families have the same advance widths, so that lines break where they do in Word.
    pub twin: bool,
}

/// Style suffixes of full font names. Documents may use a full name instead of a family name; Windows accepts both.
const STYLE_WORDS: &[&str] =
    &[" bold italic", " bold", " italic", " regular", "-boldmt", "-italicmt", "-bold", "ps-boldmt"];

/// Returns the substitute for a family. The name may be in any case. A shipped family is its own metric-compatible
/// substitute. Returns `None` for unknown families. Layout then chooses a font by the document's font table or by the script
/// of the text.
pub fn substitution(family: &str) -> Option<Substitute> {
    // "@SimSun" is SimSun rotated for vertical text; the table has only ASCII names
    let name = family.trim().trim_start_matches('@').to_ascii_lowercase();
    find(&name).or_else(|| STYLE_WORDS.iter().filter_map(|word| name.strip_suffix(word)).find_map(find))
}

/// Returns only the family name of the [`substitution`].
pub fn substitute(family: &str) -> Option<&'static str> {
    substitution(family).map(|found| found.family)
}

/// Returns families with the Arabic letters that a shipped family lacks. Families with the same style (serif or sans) come first.
pub fn arabic_companions(ours: &str) -> &'static [&'static str] {
    match ours {
        "Caladea" | "Tinos" | "Cousine" | "Amiri" => &["Noto Naskh Arabic", "Amiri", "Noto Sans Arabic"],
        _ => &["Noto Sans Arabic", "Noto Naskh Arabic", "Amiri"],
    }
}

fn find(name: &str) -> Option<Substitute> {
    TABLE.iter().find_map(|entry| {
        let family = entry.ours;
        let twin = family.eq_ignore_ascii_case(name) || entry.twins.contains(&name);
        (twin || entry.resembles.contains(&name)).then_some(Substitute { family, twin })
    })
}

#[cfg(all(test, feature = "files"))]
pub(crate) fn families() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|entry| entry.ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_metric_twin(family: &str) -> bool {
        substitution(family).is_some_and(|found| found.twin)
    }

    #[test]
    fn names_are_found_in_any_case_and_twins_are_told_from_look_alikes() {
        assert_eq!(substitute("TIMES NEW ROMAN"), Some("Tinos"));
        assert!(is_metric_twin(" Arial "));
        assert_eq!(substitute("Aptos"), Some("Carlito"));
        assert!(!is_metric_twin("Aptos"));
        assert_eq!(substitute("Sakkal Majalla"), Some("Amiri"));
        assert!(!is_metric_twin("Sakkal Majalla"));
        for naskh in ["B Nazanin", "B Lotus", "B Mitra", "IRNazanin", "XB Niloofar", "B Zar Bold", "2  Nazanin"] {
            assert_eq!(substitute(naskh), Some("Amiri"), "{naskh}");
        }
        assert_eq!(substitute("No Such Font"), None);
        assert_eq!(substitute("Century Schoolbook"), None);
        assert!(is_metric_twin("carlito"));
    }

    #[test]
    fn a_face_s_full_name_is_found_by_its_family() {
        assert_eq!(substitution("Times New Roman Bold"), Some(Substitute { family: "Tinos", twin: true }));
        assert_eq!(substitution("Verdana Bold Italic"), Some(Substitute { family: "Arimo", twin: false }));
        assert_eq!(substitution("@Arial"), substitution("Arial"));
        assert_eq!(substitute("Bold"), None);
    }

    #[test]
    fn no_name_stands_twice_and_all_are_lower_case() {
        let mut seen = std::collections::BTreeSet::new();
        for name in TABLE.iter().flat_map(|entry| entry.twins.iter().chain(entry.resembles)) {
            assert!(seen.insert(*name), "{name} stands twice");
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }
}
