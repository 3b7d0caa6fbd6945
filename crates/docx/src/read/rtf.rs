//! Conversion of RTF (version 1.9.1) to plain text with paragraphs and tabs. Table rows become lines, with tabs between
//! cells.

use std::collections::HashMap;

use waraq_graphics::code_page::CodePage;

/// The maximum nesting depth of groups. Deeper group braces are ignored.
const MAX_GROUP_DEPTH: usize = 500;

/// Returns the visible text of an RTF file that begins with `{\rtf`. Each paragraph is one line.
pub(crate) fn to_plain_text(mut rtf: &[u8]) -> String {
    let mut reader = RtfReader {
        text: String::new(),
        bytes: Vec::new(),
        units: Vec::new(),
        characters_to_skip: 0,
        group: Group { font: 0, replacement_count: 1, hidden: false, is_ignored: false },
        outer_groups: Vec::new(),
        code_page: CodePage::WESTERN,
        fonts: HashMap::new(),
    };
    while let Some((&byte, rest)) = rtf.split_first() {
        rtf = rest;
        match byte {
            b'{' if reader.outer_groups.len() < MAX_GROUP_DEPTH => reader.outer_groups.push(reader.group),
            b'}' => {
                reader.flush_bytes();
                reader.group = reader.outer_groups.pop().unwrap_or(reader.group);
                reader.characters_to_skip = 0;
            }
            b'\\' => rtf = reader.read_control(rest),
            b'{' | b'\r' | b'\n' => {}
            byte => reader.add_byte(byte),
        }
    }
    reader.flush_bytes();
    reader.text
}

/// The state of a group `{…}`. An inner group starts with a copy of this state. When the inner group ends, the state of
/// the outer group applies again.
#[derive(Debug, Clone, Copy)]
struct Group {
    font: i32,
    /// The number of replacement characters after each `\u`, for readers without Unicode support.
    replacement_count: usize,
    hidden: bool,
    /// The group is not part of the document text.
    is_ignored: bool,
}

struct RtfReader {
    text: String,
    /// Bytes that are not decoded yet, in the code page of the font. The UTF-16 text in `units` comes after them.
    bytes: Vec<u8>,
    units: Vec<u16>,
    /// The number of replacement characters after the last `\u` that are still to be skipped.
    characters_to_skip: usize,
    group: Group,
    outer_groups: Vec<Group>,
    code_page: CodePage,
    /// The code pages by font number.
    fonts: HashMap<i32, CodePage>,
}

impl RtfReader {
    /// Reads the control word or symbol after a backslash and returns the rest of the input.
    fn read_control<'r>(&mut self, rtf: &'r [u8]) -> &'r [u8] {
        let letters = rtf.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = rtf.split_at(letters);
        if word.is_empty() {
            return self.read_symbol(rtf);
        }
        let sign = usize::from(rest.starts_with(b"-"));
        let digits = rest.iter().skip(sign).take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = rest.split_at(sign + digits);
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        if word == b"bin" {
            return rest.get(usize::try_from(number.unwrap_or(0)).unwrap_or(0)..).unwrap_or_default();
        }
        self.apply_control_word(word, number);
        rest
    }

    fn read_symbol<'r>(&mut self, rtf: &'r [u8]) -> &'r [u8] {
        let Some((&symbol, rest)) = rtf.split_first() else { return rtf };
        match symbol {
            b'\'' => {
                let Some((digits, rest)) = rest.split_at_checked(2) else { return &[] };
                let digits = std::str::from_utf8(digits).ok();
                if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                    self.add_byte(byte);
                }
                return rest;
            }
            // `\*` marks a group that readers may ignore.
            b'*' => self.group.is_ignored = true,
            b'~' => self.add_character('\u{a0}'),
            b'_' => self.add_character('\u{2011}'),
            b'-' => self.add_character('\u{ad}'),
            b'\r' | b'\n' => self.add_character('\n'),
            symbol if symbol.is_ascii_punctuation() => self.add_byte(symbol),
            _ => {}
        }
        rest
    }

    fn apply_control_word(&mut self, word: &[u8], number: Option<i32>) {
        match word {
            b"ansicpg" => {
                self.code_page = number.and_then(CodePage::from_number).unwrap_or(CodePage::WESTERN);
            }
            b"f" => {
                self.flush_bytes();
                self.group.font = number.unwrap_or(0);
            }
            b"fcharset" => {
                let charset = number.and_then(|number| u8::try_from(number).ok()).unwrap_or(0);
                self.fonts.insert(self.group.font, CodePage::from_charset(charset));
            }
            b"uc" => self.group.replacement_count = usize::try_from(number.unwrap_or(1)).unwrap_or(0),
            // Numbers above 32,767 are written as negative numbers.
            b"u" => {
                if self.group.is_visible() {
                    self.units.push(number.unwrap_or(0) as u16);
                }
                self.characters_to_skip = self.group.replacement_count;
            }
            b"v" => self.group.hidden = number != Some(0),
            b"plain" => self.group.hidden = false,
            b"par" | b"line" | b"row" | b"nestrow" | b"sect" | b"page" => self.add_character('\n'),
            b"tab" | b"cell" | b"nestcell" => self.add_character('\t'),
            b"emdash" => self.add_character('—'),
            b"endash" => self.add_character('–'),
            b"lquote" => self.add_character('‘'),
            b"rquote" => self.add_character('’'),
            b"ldblquote" => self.add_character('“'),
            b"rdblquote" => self.add_character('”'),
            b"bullet" => self.add_character('•'),
            b"emspace" => self.add_character('\u{2003}'),
            b"enspace" => self.add_character('\u{2002}'),
            b"zwj" => self.add_character('\u{200d}'),
            b"zwnj" => self.add_character('\u{200c}'),
            b"ltrmark" => self.add_character('\u{200e}'),
            b"rtlmark" => self.add_character('\u{200f}'),
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object" | b"footnote" | b"fldinst"
            | b"nonesttables" => self.group.is_ignored = true,
            _ if word.starts_with(b"header") || word.starts_with(b"footer") => self.group.is_ignored = true,
            _ => {}
        }
    }

    /// Adds a byte of text in the code page of the font.
    fn add_byte(&mut self, byte: u8) {
        if self.characters_to_skip > 0 {
            self.characters_to_skip -= 1;
        } else if self.group.is_visible() {
            if !self.units.is_empty() {
                self.flush_bytes();
            }
            self.bytes.push(byte);
        }
    }

    fn add_character(&mut self, character: char) {
        self.flush_bytes();
        if self.group.is_visible() {
            self.text.push(character);
        }
    }

    fn flush_bytes(&mut self) {
        let code_page = self.fonts.get(&self.group.font).unwrap_or(&self.code_page);
        // In a browser, decoding is a call from WebAssembly to JavaScript. Most groups and symbols have no bytes to
        // decode.
        if !self.bytes.is_empty() {
            self.text.push_str(&code_page.decode(&self.bytes));
        }
        self.text.push_str(&String::from_utf16_lossy(&self.units));
        self.bytes.clear();
        self.units.clear();
    }
}

impl Group {
    fn is_visible(self) -> bool {
        !self.hidden && !self.is_ignored
    }
}
