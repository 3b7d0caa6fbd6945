//! Writes documents that are cheap to make and dear to read: `cargo run -p waraq-docx --example hostile -- FOLDER`.
//!
//! Each is made twice, `<name>.1.docx` and `<name>.2.docx`, the second with twice as much of what it is about, so that time
//! that grows faster than the document shows; what is about one number is made once. `cargo xtask bench hostile` sets them.

mod drawings;
mod package;
mod pages;
mod references;
mod tables;
mod text;

use std::path::Path;

/// A document's name, how much of it there is (0: it is made once), and the making.
type Bomb = (&'static str, usize, fn(usize) -> Vec<u8>);

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("hostile FOLDER");
        std::process::exit(2);
    };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let rooms = [text::BOMBS, tables::BOMBS, pages::BOMBS, references::BOMBS, drawings::BOMBS, package::BOMBS];
    for (name, size, make) in rooms.into_iter().flatten() {
        std::fs::write(folder.join(format!("{name}.1.docx")), make(*size))?;
        if *size > 0 {
            std::fs::write(folder.join(format!("{name}.2.docx")), make(size * 2))?;
        }
    }
    Ok(())
}

/// `count` pieces, each made from its number.
fn many(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// Letters that do not compress to nothing: a package that grows too much is refused before it is read.
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

/// `text` inside the tag `count` times, one in the other.
fn nested(count: usize, open: &str, text: &str, close: &str) -> String {
    format!("{}{text}{}", open.repeat(count), close.repeat(count))
}

/// A document of that body alone.
fn simple(body: &str) -> Vec<u8> {
    waraq_docx::build::Document::new(body).to_bytes()
}

/// A complex field (§17.16.18).
fn field(code: &str, result: &str) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code = format!("<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>");
    let result = waraq_docx::build::run(result);
    format!("{}{code}{}{result}{}", character("begin"), character("separate"), character("end"))
}
