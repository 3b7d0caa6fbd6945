//! Generates Rust tables of the font files, and of the characters that each font contains. If the font files are
//! missing, prints the command that fetches them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// The font families. Each tuple has the family's name in the file names of the npm package, its name in the font file,
/// and its available styles.
const FAMILIES: [(&str, &str, Styles); 12] = [
    ("Carlito", "Carlito", Styles::All),
    ("Caladea", "Caladea", Styles::All),
    ("Arimo", "Arimo", Styles::All),
    ("Tinos", "Tinos", Styles::All),
    ("Cousine", "Cousine", Styles::All),
    ("Amiri", "Amiri", Styles::All),
    ("NotoNaskhArabic", "Noto Naskh Arabic", Styles::Upright),
    ("NotoSansArabic", "Noto Sans Arabic", Styles::Upright),
    ("NotoSansHebrew", "Noto Sans Hebrew", Styles::Upright),
    ("NotoSansMath", "Noto Sans Math", Styles::Regular),
    ("NotoSansSymbols", "Noto Sans Symbols", Styles::Upright),
    ("NotoSansSymbols2", "Noto Sans Symbols 2", Styles::Regular),
];

#[derive(Clone, Copy, PartialEq)]
enum Styles {
    /// Regular, bold, italic and bold italic.
    All,
    /// Regular and bold.
    Upright,
    Regular,
}

/// The font styles. Each tuple has the suffix of the file name, and two flags: whether the style is bold, and whether
/// it is italic.
const STYLES: [(&str, bool, bool); 4] = [
    ("400Regular", false, false),
    ("700Bold", true, false),
    ("400Regular_Italic", false, true),
    ("700Bold_Italic", true, true),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let has_feature = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    if !has_feature("FILES") && !has_feature("COVERAGE") {
        return;
    }
    let Some(manifest) = env::var_os("CARGO_MANIFEST_DIR") else { return };
    let Some(out) = env::var_os("OUT_DIR") else { return };
    let folder = Path::new(&manifest).join("files");
    println!("cargo::rerun-if-changed={}", folder.display());

    let mut table = String::from("&[\n");
    #[cfg(feature = "coverage")]
    let mut coverage = coverage::Table::default();
    for (file, family, styles) in FAMILIES {
        for (style, bold, italic) in STYLES {
            let has_style = match styles {
                Styles::All => true,
                Styles::Upright => !italic,
                Styles::Regular => !italic && !bold,
            };
            if !has_style {
                continue;
            }
            let path = folder.join(format!("{file}_{style}.ttf"));
            if !path.is_file() {
                println!("cargo::error=the font files are not there: run `cargo xtask fonts` once");
                return;
            }
            println!("cargo::rerun-if-changed={}", path.display());
            #[cfg(feature = "coverage")]
            coverage.add_face(family, bold, italic, &path);
            let _ = writeln!(
                table,
                "FontFile {{ family: {family:?}, bold: {bold}, italic: {italic}, data: include_bytes!({path:?}) }},"
            );
        }
    }
    table.push(']');
    if let Err(error) = fs::write(Path::new(&out).join("files.rs"), table) {
        println!("cargo::error=cannot write the table of fonts: {error}");
    }
    #[cfg(feature = "coverage")]
    if let Err(error) = fs::write(Path::new(&out).join("faces.rs"), coverage.finish()) {
        println!("cargo::error=cannot write the table of what fonts cover: {error}");
    }
}

#[cfg(feature = "coverage")]
mod coverage {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Write as _;
    use std::path::Path;

    /// Generates the Rust source of the faces and their character ranges. Equal ranges are written once, because most styles of a
    /// family have the same characters.
    #[derive(Default)]
    pub struct Table {
        faces: String,
        covers: BTreeMap<String, usize>,
    }

    impl Table {
        pub fn add_face(&mut self, family: &str, bold: bool, italic: bool, path: &Path) {
            let ranges = std::fs::read(path).map(|file| ranges(&file)).unwrap_or_default();
            let count = self.covers.len();
            let covers = *self.covers.entry(format!("{ranges:?}")).or_insert(count);
            let file = path.file_name().unwrap_or_default();
            let _ = writeln!(
                self.faces,
                "Face {{ family: {family:?}, bold: {bold}, italic: {italic}, file: {file:?}, covers: COVERS_{covers} }},"
            );
        }

        pub fn finish(self) -> String {
            let mut source = format!("static FACES: &[Face] = &[\n{}];\n", self.faces);
            for (ranges, number) in self.covers {
                let _ = writeln!(source, "static COVERS_{number}: &[(u32, u32)] = &{ranges};");
            }
            source
        }
    }

    /// Returns the characters of a font as ranges with both ends included, in ascending order.
    fn ranges(file: &[u8]) -> Vec<(u32, u32)> {
        let Some(map) = ttf_parser::Face::parse(file, 0).ok().and_then(|face| face.tables().cmap) else {
            return Vec::new();
        };
        let mut characters = BTreeSet::new();
        for subtable in map.subtables.into_iter().filter(ttf_parser::cmap::Subtable::is_unicode) {
            subtable.codepoints(|character| {
                if subtable.glyph_index(character).is_some_and(|glyph| glyph.0 != 0) {
                    characters.insert(character);
                }
            });
        }
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for character in characters {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == character => *last = character,
                _ => ranges.push((character, character)),
            }
        }
        ranges
    }
}
