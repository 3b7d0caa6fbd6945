//! RTF reduced to its text: paragraphs with their alignment, bold, italic, underline, size, tabs and line breaks.
//!
//! Rows of tables become lines, their cells parted by tabs. Pictures, objects, notes and headers are left out.

use std::collections::HashMap;
use std::sync::Arc;

use super::code_page::CodePage;
use super::run_format::{BOLD, BOLD_COMPLEX, ITALIC, ITALIC_COMPLEX, RunFormat, Toggles};
use super::story::Story;
use crate::tree::*;

/// Groups nested deeper are read as if they were not.
const DEPTH_LIMIT: usize = 500;

/// Reads a text that begins with `{\rtf`; it takes the document's default formatting beneath its own.
pub(crate) fn read(story: &mut Story<'_, '_>, bytes: &[u8]) -> Vec<Block> {
    let mut reader = Reader {
        story,
        state: State { unicode_skip: 1, ..State::default() },
        outer: Vec::new(),
        code_pages: HashMap::new(),
        default_page: CodePage::Western,
        skip: 0,
        text: String::new(),
        inlines: Vec::new(),
        blocks: Vec::new(),
    };
    reader.read(bytes);
    if !reader.text.is_empty() || !reader.inlines.is_empty() {
        reader.end_paragraph();
    }
    reader.blocks
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Destination {
    #[default]
    Text,
    FontTable,
    /// What is no text of the document.
    Ignored,
}

/// What a group inherits and gives back at its end.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    destination: Destination,
    bold: bool,
    italic: bool,
    underline: bool,
    hidden: bool,
    /// In half-points; 0 is the document's own.
    size: i32,
    font: i32,
    alignment: Alignment,
    right_to_left: bool,
    /// Characters that stand in for one of \u where it is not understood.
    unicode_skip: i32,
    /// A `\*` stood before: what follows may be ignored if it is not known.
    optional: bool,
}

struct Reader<'p, 't, 's> {
    story: &'p mut Story<'t, 's>,
    state: State,
    outer: Vec<State>,
    /// Code pages by the fonts they belong to.
    code_pages: HashMap<i32, CodePage>,
    default_page: CodePage,
    /// Characters still to be left out after a \u.
    skip: i32,
    text: String,
    inlines: Vec<Inline>,
    blocks: Vec<Block>,
}

impl Reader<'_, '_, '_> {
    fn read(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'{' => {
                    if self.outer.len() < DEPTH_LIMIT {
                        self.outer.push(self.state);
                    }
                    self.skip = 0;
                }
                b'}' => {
                    // The last paragraph may end with the document, without a mark of its own.
                    if self.outer.len() == 1 && (!self.text.is_empty() || !self.inlines.is_empty()) {
                        self.end_paragraph();
                    }
                    if let Some(state) = self.outer.pop() {
                        self.change(|own| *own = state);
                    }
                    self.skip = 0;
                }
                b'\\' => at = self.control(bytes, at),
                b'\r' | b'\n' => {}
                byte => self.byte(byte),
            }
        }
    }

    /// A control word or symbol behind a backslash; gives where reading goes on.
    fn control(&mut self, bytes: &[u8], mut at: usize) -> usize {
        let Some(&first) = bytes.get(at) else { return at };
        if !first.is_ascii_alphabetic() {
            at += 1;
            match first {
                b'\'' => {
                    let digits = bytes.get(at..at + 2).and_then(|digits| std::str::from_utf8(digits).ok());
                    let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    if let Some(value) = value {
                        self.byte(value);
                    }
                    return at + 2;
                }
                b'*' => self.state.optional = true,
                b'~' => self.character('\u{a0}'),
                b'_' => self.character('\u{2011}'),
                b'-' => self.character('\u{ad}'),
                b'\r' | b'\n' => self.word("par", None),
                b'\\' | b'{' | b'}' => self.character(char::from(first)),
                _ => {}
            }
            return at;
        }
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) && at - start < 32 {
            at += 1;
        }
        let name = bytes.get(start..at).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or("");
        let number = at;
        if bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        while bytes.get(at).is_some_and(u8::is_ascii_digit) && at - number < 11 {
            at += 1;
        }
        let value = bytes.get(number..at).and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<i32>().ok());
        if bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        if name == "bin" {
            return at.saturating_add(usize::try_from(value.unwrap_or(0)).unwrap_or(0)).min(bytes.len());
        }
        self.word(name, value);
        at
    }

    fn word(&mut self, name: &str, value: Option<i32>) {
        let optional = std::mem::take(&mut self.state.optional);
        let on = value != Some(0);
        match name {
            "ansicpg" => self.default_page = if value == Some(1256) { CodePage::Arabic } else { CodePage::Western },
            "fonttbl" => self.state.destination = Destination::FontTable,
            "f" => self.change(|state| state.font = value.unwrap_or(0)),
            "fcharset" if self.state.destination == Destination::FontTable => {
                let page = if value == Some(178) { CodePage::Arabic } else { CodePage::Western };
                self.code_pages.insert(self.state.font, page);
            }
            "colortbl" | "stylesheet" | "info" | "pict" | "object" | "header" | "headerl" | "headerr" | "headerf"
            | "footer" | "footerl" | "footerr" | "footerf" | "footnote" | "annotation" | "atnid" | "atnauthor"
            | "fldinst" | "listtable" | "listoverridetable" | "revtbl" | "rsidtbl" | "generator" | "xmlnstbl"
            | "themedata" | "colorschememapping" | "latentstyles" | "datastore" | "listtext" | "pntext" => {
                self.state.destination = Destination::Ignored;
            }
            "uc" => self.state.unicode_skip = value.unwrap_or(1).clamp(0, 20),
            "u" => {
                self.skip = 0;
                // Negative values stand for those above 32,767; surrogates come in pairs.
                let unit = (value.unwrap_or(0) & 0xFFFF) as u16;
                self.code_unit(unit);
                self.skip = self.state.unicode_skip;
            }
            "par" | "row" | "sect" | "page" => self.paragraph_mark(),
            "line" => self.atom(Content::Break(Break::Line)),
            "tab" | "cell" => self.atom(Content::Tab),
            "emdash" => self.character('—'),
            "endash" => self.character('–'),
            "lquote" => self.character('‘'),
            "rquote" => self.character('’'),
            "ldblquote" => self.character('“'),
            "rdblquote" => self.character('”'),
            "bullet" => self.character('•'),
            "emspace" => self.character('\u{2003}'),
            "enspace" => self.character('\u{2002}'),
            "zwj" => self.character('\u{200d}'),
            "zwnj" => self.character('\u{200c}'),
            "ltrmark" => self.character('\u{200e}'),
            "rtlmark" => self.character('\u{200f}'),
            "plain" => self.change(|state| {
                (state.bold, state.italic, state.underline, state.hidden, state.size) = (false, false, false, false, 0);
            }),
            "pard" => (self.state.alignment, self.state.right_to_left) = (Alignment::Start, false),
            "b" => self.change(|state| state.bold = on),
            "i" => self.change(|state| state.italic = on),
            "ul" => self.change(|state| state.underline = on),
            "ulnone" => self.change(|state| state.underline = false),
            "v" => self.change(|state| state.hidden = on),
            "fs" => self.change(|state| state.size = value.unwrap_or(0).clamp(0, 3_276)),
            "ql" | "qr" if self.state.right_to_left == (name == "qr") => self.state.alignment = Alignment::Start,
            "ql" | "qr" => self.state.alignment = Alignment::End,
            "qc" => self.state.alignment = Alignment::Center,
            "qj" => self.state.alignment = Alignment::Both,
            "rtlpar" => self.state.right_to_left = true,
            "ltrpar" => self.state.right_to_left = false,
            _ if optional => self.state.destination = Destination::Ignored,
            _ => {}
        }
    }

    /// A character of the code page of the font it is in.
    fn byte(&mut self, byte: u8) {
        let page = self.code_pages.get(&self.state.font).copied().unwrap_or(self.default_page);
        self.character(page.character(byte));
    }

    fn character(&mut self, character: char) {
        self.state.optional = false;
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.shown() && !character.is_control() {
            self.text.push(character);
        }
    }

    /// A unit of UTF-16: the second of a pair replaces what the first left.
    fn code_unit(&mut self, unit: u16) {
        if !self.shown() {
            return;
        }
        match unit {
            0xD800..=0xDBFF => self.text.extend(char::from_u32(0xF_0000 + u32::from(unit - 0xD800))),
            0xDC00..=0xDFFF => {
                let high =
                    self.text.chars().next_back().map(u32::from).filter(|high| (0xF_0000..0xF_0400).contains(high));
                if let Some(high) = high {
                    self.text.pop();
                    let both = 0x1_0000 + ((high - 0xF_0000) << 10) + u32::from(unit - 0xDC00);
                    self.text.extend(char::from_u32(both));
                }
            }
            unit => self.text.extend(char::from_u32(u32::from(unit)).filter(|character| !character.is_control())),
        }
    }

    fn shown(&self) -> bool {
        self.state.destination == Destination::Text && !self.state.hidden
    }

    /// Formatting changes: the text so far keeps what it had.
    fn change(&mut self, change: impl FnOnce(&mut State)) {
        self.end_run();
        change(&mut self.state);
    }

    fn end_run(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            let run = self.run();
            self.inlines.push(Inline { content: Content::Text(text), run, link: None });
        }
    }

    fn atom(&mut self, content: Content) {
        if self.shown() {
            self.end_run();
            let run = self.run();
            self.inlines.push(Inline { content, run, link: None });
        }
    }

    fn run(&self) -> Arc<RunProperties> {
        let mut toggles = Toggles::default();
        for (on, bits) in [(self.state.bold, BOLD | BOLD_COMPLEX), (self.state.italic, ITALIC | ITALIC_COMPLEX)] {
            if on {
                toggles.given |= bits;
                toggles.on |= bits;
            }
        }
        let size = (self.state.size > 1).then(|| self.state.size as f32 / 2.0);
        let line = Underline { kind: UnderlineKind::Single, color: None };
        let format = RunFormat {
            toggles,
            underline: self.state.underline.then_some(Some(line)),
            size,
            size_complex: size,
            ..RunFormat::default()
        };
        Arc::new(self.story.resolve_run(&self.story.default_base(), &[&format]))
    }

    fn paragraph_mark(&mut self) {
        if self.state.destination == Destination::Text {
            self.end_paragraph();
        }
    }

    fn end_paragraph(&mut self) {
        self.end_run();
        let inlines = std::mem::take(&mut self.inlines);
        let properties = ParagraphProperties {
            alignment: self.state.alignment,
            bidi: self.state.right_to_left,
            directions_from_letters: true,
            ..ParagraphProperties::default()
        };
        let mark = self.run();
        self.blocks.push(Block::Paragraph(Paragraph {
            properties: Arc::new(properties),
            mark,
            label: None,
            inlines,
            ..Paragraph::default()
        }));
    }
}
