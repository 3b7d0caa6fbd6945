//! A minimal reader of Word files for the tests of the catalogue, independent of the product's own reader.
#![allow(clippy::unwrap_used)] // this module is used in tests only

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

pub struct WordFile {
    /// The parts as text, by name.
    pub parts: BTreeMap<String, String>,
}

#[derive(Debug, Default)]
pub struct Run {
    pub text: String,
    pub bold: bool,
    pub complex_bold: bool,
    pub right_to_left: bool,
}

impl WordFile {
    pub fn open(bytes: &[u8]) -> Self {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut parts = BTreeMap::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let name = entry.name().unwrap().into_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            parts.insert(name, text);
        }
        Self { parts }
    }

    /// Returns the values of an attribute of all elements with this name in a part, in order.
    pub fn attribute_values(&self, part: &str, element: &str, attribute: &str) -> Vec<String> {
        let mut values = Vec::new();
        for_each_event(&self.parts[part], |event| {
            if let Event::Start(start) | Event::Empty(start) = event
                && start.name().as_ref() == element
            {
                values.extend(value(start, attribute));
            }
        });
        values
    }

    /// Returns the text of the body's paragraphs that are not empty. Fields appear as `{{name}}`.
    pub fn paragraphs(&self) -> Vec<String> {
        texts(&self.parts["word/document.xml"])
    }

    /// Returns the distinct fields of body, header and footer.
    pub fn fields(&self) -> Vec<String> {
        let mut names = Vec::new();
        for part in ["word/document.xml", "word/header1.xml", "word/footer1.xml"] {
            let Some(text) = self.parts.get(part) else { continue };
            for paragraph in texts(text) {
                for piece in paragraph.split("{{").skip(1) {
                    let (name, _) = piece.split_once("}}").expect("a field is closed in its paragraph");
                    let name = name.trim_start_matches(['#', '^', '/']);
                    if !names.iter().any(|known| known == name) {
                        names.push(name.to_owned());
                    }
                }
            }
        }
        names
    }

    pub fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut run = None;
        for_each_event(&self.parts["word/document.xml"], |event| match event {
            Event::Start(start) if start.name().as_ref() == "w:r" => run = Some(Run::default()),
            Event::End(end) if end.name().as_ref() == "w:r" => runs.extend(run.take()),
            Event::Empty(start) => {
                if let Some(run) = &mut run {
                    match start.name().as_ref() {
                        "w:b" => run.bold = true,
                        "w:bCs" => run.complex_bold = true,
                        "w:rtl" => run.right_to_left = true,
                        _ => {}
                    }
                }
            }
            Event::Text(text) => {
                if let Some(run) = &mut run {
                    run.text.push_str(text);
                }
            }
            _ => {}
        });
        runs
    }
}

fn texts(part: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for_each_event(part, |event| match event {
        Event::End(end) if end.name().as_ref() == "w:p" => paragraphs.push(String::new()),
        Event::Text(text) => {
            if let Some(last) = paragraphs.last_mut() {
                last.push_str(text);
            }
        }
        _ => {}
    });
    paragraphs.retain(|text| !text.trim().is_empty());
    paragraphs
}

fn value(start: &BytesStart, attribute: &str) -> Option<String> {
    let found = start.try_get_attribute(attribute).unwrap()?;
    Some(found.value.into_owned())
}

fn for_each_event(text: &str, mut take: impl FnMut(&Event)) {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return,
            event => take(&event),
        }
    }
}

/// Checks that a part has one root and that its elements are closed in order.
pub fn well_formed(text: &str) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|fault| fault.to_string())? {
            Event::Start(start) => {
                depth += 1;
                for attribute in start.attributes() {
                    attribute.map_err(|fault| fault.to_string())?;
                }
            }
            Event::End(_) => depth -= 1,
            Event::Eof if depth == 0 => return Ok(()),
            Event::Eof => return Err("an element is not closed".to_owned()),
            _ => {}
        }
    }
}
