//! Writes documents that are small but expensive to read: `cargo run -p waraq-docx --example hostile -- FOLDER`.
//!
//! Each document is written as `<name>.1.docx` and `<name>.2.docx`. The second has twice as many of the tested items,
//! so that superlinear time is visible. A document without a number of items is written only once, as `<name>.1.docx`.
//! `cargo xtask bench hostile` renders them.

mod drawings;
mod package;
mod pages;
mod references;
mod tables;
mod text;

use std::path::Path;

/// The name of a document, the number of its items (0: the document is written once), and the function that builds it.
type Bomb = (&'static str, usize, fn(usize) -> Vec<u8>);

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("hostile FOLDER");
        std::process::exit(2);
    };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let lists = [text::BOMBS, tables::BOMBS, pages::BOMBS, references::BOMBS, drawings::BOMBS, package::BOMBS];
    for (name, size, make) in lists.into_iter().flatten() {
        std::fs::write(folder.join(format!("{name}.1.docx")), make(*size))?;
        if *size > 0 {
            std::fs::write(folder.join(format!("{name}.2.docx")), make(size * 2))?;
        }
    }
    Ok(())
}

/// Returns `piece(0)` to `piece(count - 1)`, joined.
fn many(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// Returns `count` pseudo-random letters, which do not compress well. A package that becomes too large when it is
/// decompressed would be refused before it is read.
fn letters(count: usize, seed: usize) -> String {
    let mut state = seed as u64 * 2 + 0x9E37_79B9_7F4A_7C15;
    let letter = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'a' + (state >> 32) as u8 % 26)
    };
    (0..count).map(letter).collect()
}

/// Returns `text` inside `count` nested tags.
fn nested(count: usize, open: &str, text: &str, close: &str) -> String {
    format!("{}{text}{}", open.repeat(count), close.repeat(count))
}

/// Builds a document that contains only `body`, without headers, notes or other parts.
fn simple(body: &str) -> Vec<u8> {
    waraq_docx::build::DocumentBuilder::new(body).to_bytes()
}

/// Returns a complex field (§17.16.18).
fn field(code: &str, result: &str) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code = format!("<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>");
    let result = waraq_docx::build::run(result);
    format!("{}{code}{}{result}{}", character("begin"), character("separate"), character("end"))
}
