//! Writes the table of the font files that are linked in, or says how to fetch them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// The families, as npm's packages name their files, as the fonts name themselves, and whether there is an italic and a bold.
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
    /// regular, bold, italic, bold italic
    All,
    /// regular, bold
    Upright,
    Regular,
}

/// The suffix of the file's name, bold, italic.
const STYLES: [(&str, bool, bool); 4] = [
    ("400Regular", false, false),
    ("700Bold", true, false),
    ("400Regular_Italic", false, true),
    ("700Bold_Italic", true, true),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_FILES").is_none() {
        return;
    }
    let Some(manifest) = env::var_os("CARGO_MANIFEST_DIR") else { return };
    let Some(out) = env::var_os("OUT_DIR") else { return };
    let folder = Path::new(&manifest).join("files");
    println!("cargo::rerun-if-changed={}", folder.display());

    let mut table = String::from("&[\n");
    for (file, family, styles) in FAMILIES {
        for (style, bold, italic) in STYLES {
            let there_is_one = match styles {
                Styles::All => true,
                Styles::Upright => !italic,
                Styles::Regular => !italic && !bold,
            };
            if !there_is_one {
                continue;
            }
            let path = folder.join(format!("{file}_{style}.ttf"));
            if !path.is_file() {
                println!("cargo::error=the font files are not there: run `cargo xtask fonts` once");
                return;
            }
            println!("cargo::rerun-if-changed={}", path.display());
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
}
