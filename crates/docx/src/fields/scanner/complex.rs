//! Fields in the text (§17.16): complex ones between their characters, and `w:fldSimple`.

use std::ops::Range;

use quick_xml::events::BytesStart;

use super::Scanner;
use super::frames::Element;
use crate::fields::scan::{Elsewhere, Index, Merge};
use crate::package::attribute;

/// A complex field between its `begin` and its `end`.
pub(super) struct OpenField {
    pub start: usize,
    pub spans: Vec<Range<usize>>,
    pub instruction: String,
    pub in_result: bool,
    pub run: Option<Index>,
    pub paragraph: Option<Index>,
    pub merge: Option<Index>,
}

impl Scanner<'_> {
    pub(super) fn fields_are_text(&self) -> bool {
        self.deletions == 0 && self.fields.iter().all(|field| field.in_result)
    }

    pub(super) fn field_character(&mut self, tag: &BytesStart<'_>, span: &Range<usize>, empty: bool) -> Element {
        // With children (form field data) it goes from its start to its end.
        let span = &self.whole(span, "fldChar", empty);
        match attribute(tag, "fldCharType").as_deref() {
            Some("begin") => self.fields.push(OpenField {
                start: span.start,
                spans: vec![span.clone()],
                instruction: String::new(),
                in_result: false,
                run: self.runs.last().copied(),
                paragraph: self.paragraphs.last().copied(),
                merge: None,
            }),
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    field.spans.push(span.clone());
                }
                self.begin_merge();
                if let Some(field) = self.fields.last_mut() {
                    field.in_result = true;
                }
            }
            Some("end") => {
                if self.fields.last().is_some_and(|field| !field.in_result) {
                    self.begin_merge();
                }
                if let Some(mut field) = self.fields.pop() {
                    field.spans.push(span.clone());
                    self.end_field(field);
                }
            }
            _ => {}
        }
        Element::Other
    }


    /// The instruction of the innermost field is whole: if it is a merge field's, and nothing around it is, it is one.
    fn begin_merge(&mut self) {
        let nested = self.fields.iter().rev().skip(1).any(|outer| !outer.in_result) || !self.merges.is_empty();
        let prefix = self.fields.last().and_then(|field| self.story.runs.get(field.run?)).map(|run| run.prefix.clone());
        let Some(field) = self.fields.last_mut() else { return };
        let Some(name) = merge_field_name(&field.instruction) else { return };
        if nested {
            let paragraph = field.paragraph.map(|at| at + 1);
            self.story.elsewhere.push(Elsewhere { what: "another field's code", paragraph, text: format!("{{{{{name}}}}}") });
            return;
        }
        let at = self.story.merges.len();
        field.merge = Some(at);
        self.story.merges.push(Merge {
            name,
            start: field.start,
            deletes: Vec::new(),
            run: field.run,
            prefix: prefix.unwrap_or_default(),
            paragraph: field.paragraph,
            fallback: self.fallbacks > 0,
        });
        self.merges.push(at);
    }

    fn end_field(&mut self, field: OpenField) {
        if let Some(at) = field.merge {
            self.merges.retain(|&open| open != at);
            if let Some(merge) = self.story.merges.get_mut(at) {
                merge.deletes.extend(field.spans);
            }
        } else if let Some(outer) = self.fields.last_mut() {
            // What an inner field is made of goes when the outer one becomes plain text.
            outer.spans.extend(field.spans);
        }
    }

    pub(super) fn open_simple_field(&mut self, tag: &BytesStart<'_>, span: &Range<usize>, prefix: String) -> Element {
        let name = attribute(tag, "instr").and_then(|instruction| merge_field_name(&instruction));
        let Some(name) = name.filter(|_| self.fields_are_text() && self.merges.is_empty()) else {
            return Element::SimpleField(None);
        };
        let at = self.story.merges.len();
        self.story.merges.push(Merge {
            name,
            start: span.start,
            deletes: vec![span.clone()],
            run: None,
            prefix,
            paragraph: self.paragraphs.last().copied(),
            fallback: self.fallbacks > 0,
        });
        self.merges.push(at);
        Element::SimpleField(Some(at))
    }
}

/// The name in ` MERGEFIELD  "Nom du client"  \* MERGEFORMAT `; `None` for other fields.
fn merge_field_name(instruction: &str) -> Option<String> {
    let instruction = instruction.trim_start();
    let (word, rest) = instruction.split_once(char::is_whitespace)?;
    if !word.eq_ignore_ascii_case("MERGEFIELD") {
        return None;
    }
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '“' | '”'));
    let name = match quote {
        Some(quote) => rest.get(quote.len_utf8()..)?.split(['"', '“', '”']).next()?,
        None => rest.split_whitespace().next().unwrap_or_default(),
    };
    Some(name.to_owned())
}
