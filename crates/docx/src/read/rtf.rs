//! Conversion of RTF (version 1.9.1) to plain text with paragraphs and tabs. Table rows become lines, with tabs between
//! cells.

use std::collections::HashMap;

use waraq_graphics::code_page::CodePage;

/// The maximum nesting depth of groups. Deeper group braces are ignored.
const DEPTH_LIMIT: usize = 500;

/// Returns the visible text of an RTF file that begins with `{\rtf`. Each paragraph is one line.
pub(crate) fn text(mut rtf: &[u8]) -> String {
    let mut reader = Reader {
        text: String::new(),
        bytes: Vec::new(),
        units: Vec::new(),
        replaced: 0,
        group: Group { font: 0, replacement: 1, hidden: false, left_out: false },
        outer: Vec::new(),
        code_page: CodePage::WESTERN,
        fonts: HashMap::new(),
    };
    while let Some((&byte, rest)) = rtf.split_first() {
        rtf = rest;
        match byte {
            b'{' if reader.outer.len() < DEPTH_LIMIT => reader.outer.push(reader.group),
            b'}' => {
                reader.decode();
                reader.group = reader.outer.pop().unwrap_or(reader.group);
                reader.replaced = 0;
            }
            b'\\' => rtf = reader.control(rest),
            b'{' | b'\r' | b'\n' => {}
            byte => reader.byte(byte),
        }
    }
    reader.decode();
    reader.text
}

/// State that is inherited by inner groups and restored at the end of a group.
#[derive(Debug, Clone, Copy)]
struct Group {
    font: i32,
    /// The number of replacement characters after each `\u`, for readers without Unicode support.
    replacement: usize,
    hidden: bool,
    /// The group is not part of the document text.
    left_out: bool,
}

struct Reader {
    text: String,
    /// Bytes that are not decoded yet, in the code page of the font; `units` follow them in UTF-16.
    bytes: Vec<u8>,
    units: Vec<u16>,
    /// The number of next characters to skip after the last `\u`.
    replaced: usize,
    group: Group,
    outer: Vec<Group>,
    code_page: CodePage,
    /// The code pages by font number.
    fonts: HashMap<i32, CodePage>,
}

impl Reader {
    /// Reads the control word or symbol after a backslash and returns the rest of the input.
    fn control<'r>(&mut self, rtf: &'r [u8]) -> &'r [u8] {
        let letters = rtf.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = rtf.split_at(letters);
        if word.is_empty() {
            return self.symbol(rtf);
        }
        let sign = usize::from(rest.starts_with(b"-"));
        let digits = rest.iter().skip(sign).take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = rest.split_at(sign + digits);
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        if word == b"bin" {
            return rest.get(usize::try_from(number.unwrap_or(0)).unwrap_or(0)..).unwrap_or_default();
        }
        self.word(word, number);
        rest
    }

    fn symbol<'r>(&mut self, rtf: &'r [u8]) -> &'r [u8] {
        let Some((&symbol, rest)) = rtf.split_first() else { return rtf };
        match symbol {
            b'\'' => {
                let Some((digits, rest)) = rest.split_at_checked(2) else { return &[] };
                let digits = std::str::from_utf8(digits).ok();
                if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                    self.byte(byte);
                }
                return rest;
            }
            // A destination that readers may ignore.
            b'*' => self.group.left_out = true,
            b'~' => self.character('\u{a0}'),
            b'_' => self.character('\u{2011}'),
            b'-' => self.character('\u{ad}'),
            b'\r' | b'\n' => self.character('\n'),
            symbol if symbol.is_ascii_punctuation() => self.byte(symbol),
            _ => {}
        }
        rest
    }

    fn word(&mut self, word: &[u8], number: Option<i32>) {
        match word {
            b"ansicpg" => {
                self.code_page = number.and_then(CodePage::of_number).unwrap_or(CodePage::WESTERN);
            }
            b"f" => {
                self.decode();
                self.group.font = number.unwrap_or(0);
            }
            b"fcharset" => {
                let charset = number.and_then(|number| u8::try_from(number).ok()).unwrap_or(0);
                self.fonts.insert(self.group.font, CodePage::of_charset(charset));
            }
            b"uc" => self.group.replacement = usize::try_from(number.unwrap_or(1)).unwrap_or(0),
            // Numbers above 32,767 are written as negative numbers.
            b"u" => {
                if self.group.shown() {
                    self.units.push(number.unwrap_or(0) as u16);
                }
                self.replaced = self.group.replacement;
            }
            b"v" => self.group.hidden = number != Some(0),
            b"plain" => self.group.hidden = false,
            b"par" | b"line" | b"row" | b"nestrow" | b"sect" | b"page" => self.character('\n'),
            b"tab" | b"cell" | b"nestcell" => self.character('\t'),
            b"emdash" => self.character('—'),
            b"endash" => self.character('–'),
            b"lquote" => self.character('‘'),
            b"rquote" => self.character('’'),
            b"ldblquote" => self.character('“'),
            b"rdblquote" => self.character('”'),
            b"bullet" => self.character('•'),
            b"emspace" => self.character('\u{2003}'),
            b"enspace" => self.character('\u{2002}'),
            b"zwj" => self.character('\u{200d}'),
            b"zwnj" => self.character('\u{200c}'),
            b"ltrmark" => self.character('\u{200e}'),
            b"rtlmark" => self.character('\u{200f}'),
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object" | b"footnote" | b"fldinst"
            | b"nonesttables" => self.group.left_out = true,
            _ if word.starts_with(b"header") || word.starts_with(b"footer") => self.group.left_out = true,
            _ => {}
        }
    }

    /// Adds a byte of text in the code page of the font.
    fn byte(&mut self, byte: u8) {
        if self.replaced > 0 {
            self.replaced -= 1;
        } else if self.group.shown() {
            if !self.units.is_empty() {
                self.decode();
            }
            self.bytes.push(byte);
        }
    }

    fn character(&mut self, character: char) {
        self.decode();
        if self.group.shown() {
            self.text.push(character);
        }
    }

    fn decode(&mut self) {
        let code_page = self.fonts.get(&self.group.font).unwrap_or(&self.code_page);
        // In a browser, decoding calls out of the engine. Most groups and symbols have no bytes to decode.
        if !self.bytes.is_empty() {
            self.text.push_str(&code_page.decode(&self.bytes));
        }
        self.text.push_str(&String::from_utf16_lossy(&self.units));
        self.bytes.clear();
        self.units.clear();
    }
}

impl Group {
    fn shown(self) -> bool {
        !self.hidden && !self.left_out
    }
}
