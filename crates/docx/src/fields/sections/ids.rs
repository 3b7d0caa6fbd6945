//! Elements and attributes that identify something. A copy of them gets a new id or is removed.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use quick_xml::events::Event;

use crate::package::xml::{CheckedEvents, attribute_ranges};
use crate::{Meter, Result};

/// An element or attribute that identifies something.
#[derive(Debug)]
pub(super) struct Identity {
    /// The bytes that are removed or replaced.
    pub range: Range<usize>,
    pub kind: IdentityKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum IdentityKind {
    /// An optional id, which is removed in a copy.
    Optional,
    /// The value of a required id. A copy has a new number.
    Number,
    /// The start or end of a range, such as a bookmark. It is removed in a copy. A start without an end, or an end without a
    /// start, is removed everywhere.
    RangeEnd {
        /// The kind of the range and its id, such as `bookmark 3`.
        key: String,
        is_start: bool,
    },
    /// The value of the id in a reference to a note. The reference in a copy has a copy of the note.
    Note { endnote: bool, id: String },
}

/// The elements that begin and end a range, with the kind of the range.
const RANGES: [(&str, &str, bool); 10] = [
    ("bookmarkStart", "bookmark", true),
    ("bookmarkEnd", "bookmark", false),
    ("commentRangeStart", "comment", true),
    ("commentRangeEnd", "comment", false),
    ("permStart", "permission", true),
    ("permEnd", "permission", false),
    ("moveFromRangeStart", "moveFrom", true),
    ("moveFromRangeEnd", "moveFrom", false),
    ("moveToRangeStart", "moveTo", true),
    ("moveToRangeEnd", "moveTo", false),
];

/// The tracked changes. Each has a required id.
const CHANGES: [&str; 14] = [
    "ins",
    "del",
    "moveFrom",
    "moveTo",
    "cellIns",
    "cellDel",
    "cellMerge",
    "rPrChange",
    "pPrChange",
    "tblPrChange",
    "trPrChange",
    "tcPrChange",
    "sectPrChange",
    "numberingChange",
];

/// The identities of a part, by their start, and the numbers that are used as ids.
#[derive(Debug, Default)]
pub(super) struct Identities {
    pub all: BTreeMap<usize, Identity>,
    pub used: HashSet<u64>,
}

impl Identities {
    /// Finds the identities of a part.
    ///
    /// # Errors
    /// The errors of [`CheckedEvents::next`] and [`Meter::outcome`].
    pub(super) fn scan(part: &str, source: &str, meter: &Meter) -> Result<Self> {
        let mut found = Self::default();
        let mut events = CheckedEvents::new(part, source);
        let mut names: Vec<String> = Vec::new();
        // An identity that is a complete element, with the depth of the element.
        let mut open: Vec<(usize, usize, IdentityKind)> = Vec::new();
        loop {
            let start = events.position();
            let Some(event) = events.next()? else { return Ok(found) };
            let span = start..events.position();
            if !meter.spend(1) {
                meter.outcome()?;
            }
            match event {
                Event::Start(tag) => {
                    let local = tag.local_name().as_ref().to_owned();
                    let markup = source.get(span.clone()).unwrap_or_default();
                    if let Some(kind) = found.read_tag(&local, names.last(), markup, start) {
                        open.push((names.len(), start, kind));
                    }
                    names.push(local);
                }
                Event::Empty(tag) => {
                    let markup = source.get(span.clone()).unwrap_or_default();
                    if let Some(kind) = found.read_tag(tag.local_name().as_ref(), names.last(), markup, start) {
                        found.add(span, kind);
                    }
                }
                Event::End(_) => {
                    names.pop();
                    if let Some((_, start, kind)) = open.pop_if(|(depth, ..)| *depth == names.len()) {
                        found.add(start..span.end, kind);
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, range: Range<usize>, kind: IdentityKind) {
        self.all.insert(range.start, Identity { range, kind });
    }

    /// Records the ids in the attributes of a tag. Returns a kind if the complete element is an identity. `outer` is the name
    /// of the element around the tag, and `start` the byte offset of the tag.
    fn read_tag(&mut self, local: &str, outer: Option<&String>, markup: &str, start: usize) -> Option<IdentityKind> {
        let local_of = |key: &str| key.rsplit(':').next().unwrap_or_default().to_owned();
        let id = || {
            let (_, range) = attribute_ranges(markup).find(|(key, _)| local_of(key) == "id")?;
            Some((markup.get(range.clone())?.to_owned(), start + range.start..start + range.end))
        };
        if let Some((_, kind, is_start)) = RANGES.iter().find(|(name, ..)| *name == local) {
            let key = format!("{kind} {}", id().map(|(id, _)| id).unwrap_or_default());
            return Some(IdentityKind::RangeEnd { key, is_start: *is_start });
        }
        match local {
            "commentReference" => return Some(IdentityKind::Optional),
            "id" if outer.is_some_and(|outer| outer == "sdtPr") => return Some(IdentityKind::Optional),
            "footnoteReference" | "endnoteReference" => {
                if let Some((id, range)) = id() {
                    self.add(range, IdentityKind::Note { endnote: local == "endnoteReference", id });
                }
            }
            "docPr" => self.add_number(id()),
            _ if CHANGES.contains(&local) => self.add_number(id()),
            "p" | "tr" => {
                for (key, value) in attribute_ranges(markup) {
                    if matches!(local_of(key).as_str(), "paraId" | "textId") {
                        // The range has the white space before the name, and the quotation mark after the value.
                        let before = markup.get(..value.start).unwrap_or_default();
                        let before = before.rfind(key).and_then(|name| markup.get(..name)).unwrap_or_default();
                        let from = before.trim_end().len();
                        self.add(start + from..start + value.end + 1, IdentityKind::Optional);
                    }
                }
            }
            _ => {}
        }
        None
    }

    fn add_number(&mut self, id: Option<(String, Range<usize>)>) {
        if let Some((id, range)) = id {
            self.used.extend(id.parse::<u64>());
            self.add(range, IdentityKind::Number);
        }
    }
}
