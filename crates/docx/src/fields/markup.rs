//! Conversion of a value to WordprocessingML: escaped text, breaks, tabs, and runs for its directions.

use super::bidi::{self, Around, Direction};
use super::marks;
use super::scan::Run;
use crate::Meter;
use quick_xml::escape::partial_escape;
use waraq_graphics::xml::{Element, Tree};

/// The position of the value in the markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Inside the text of a `w:t`.
    Text,
    /// Between the children of a run.
    Run,
    /// Between runs.
    Paragraph,
}

/// The run that gives a value its formatting.
#[derive(Debug, Clone, Copy)]
pub(super) struct Host<'s> {
    /// The namespace prefix of WordprocessingML with its colon: `w:`.
    pub prefix: &'s str,
    /// The start tag of the run.
    pub open: &'s str,
    /// The `w:rPr` of the run as written. Empty if the run has no properties.
    pub properties: &'s str,
    /// The `w:rPr` that replaces the run's properties, for example those of a placeholder.
    pub instead: Option<&'s str>,
    /// The position is between children of the run or inside its `w:t`, so the run can be closed and reopened there.
    pub splits: bool,
    pub around: Around,
    /// The number of the field, if its position is to be marked.
    pub field: Option<u32>,
}

impl<'s> Host<'s> {
    pub(super) fn of(source: &'s str, run: &'s Run, around: Around) -> Self {
        Self {
            prefix: &run.prefix,
            open: source.get(run.open.clone()).unwrap_or_default(),
            properties: run.properties.clone().and_then(|range| source.get(range)).unwrap_or_default(),
            instead: None,
            splits: true,
            around,
            field: None,
        }
    }
}

/// Returns the markup that puts `value` at `place`.
pub(super) fn of_value(value: &str, host: &Host<'_>, place: Place) -> String {
    let value = value.replace("\r\n", "\n").replace('\r', "\n");
    let base = host.instead.unwrap_or(host.properties);
    let mut split = bidi::split(&value, host.around);
    if let Some(field) = host.field {
        mark(&mut split, field);
    }
    let value: String = split.iter().map(|piece| piece.text.as_str()).collect();
    let pieces: Vec<(String, String)> = split
        .iter()
        .map(|piece| (contents(&piece.text, host.prefix), properties(base, piece.direction, host.prefix)))
        .collect();
    let as_host = host.instead.is_none() && pieces.iter().all(|(_, properties)| properties == host.properties);
    let prefix = host.prefix;
    let runs = || -> String {
        pieces.iter().map(|(contents, properties)| format!("{}{properties}{contents}</{prefix}r>", host.open)).collect()
    };
    let inside = || contents(&value, prefix);
    match place {
        Place::Paragraph => runs(),
        Place::Text if (as_host || !host.splits) && !value.contains(['\n', '\t']) => {
            partial_escape(&value).into_owned()
        }
        Place::Text if as_host || !host.splits => {
            format!("</{prefix}t>{}<{prefix}t xml:space=\"preserve\">", inside())
        }
        Place::Text => format!(
            "</{prefix}t></{prefix}r>{}{}{}<{prefix}t xml:space=\"preserve\">",
            runs(),
            host.open,
            host.properties
        ),
        Place::Run if as_host || !host.splits => inside(),
        Place::Run => format!("</{prefix}r>{}{}{}", runs(), host.open, host.properties),
    }
}

/// Adds the marks of a value before its first piece and after its last piece.
fn mark(pieces: &mut Vec<bidi::Piece>, field: u32) {
    if pieces.is_empty() {
        pieces.push(bidi::Piece { text: String::new(), direction: Direction::Any });
    }
    if let Some(first) = pieces.first_mut() {
        first.text.insert_str(0, &marks::start(field));
    }
    if let Some(last) = pieces.last_mut() {
        last.text.push(marks::end());
    }
}

/// Returns the text as `w:t`, `w:br` and `w:tab` elements.
fn contents(text: &str, prefix: &str) -> String {
    let mut markup = String::with_capacity(text.len() + 32);
    let mut rest = text;
    loop {
        let stop = rest.find(['\n', '\t']).unwrap_or(rest.len());
        let (words, after) = rest.split_at(stop);
        if !words.is_empty() {
            markup.push_str(&format!("<{prefix}t xml:space=\"preserve\">{}</{prefix}t>", partial_escape(words)));
        }
        match after.chars().next() {
            Some('\n') => markup.push_str(&format!("<{prefix}br/>")),
            Some(_) => markup.push_str(&format!("<{prefix}tab/>")),
            None => return markup,
        }
        rest = after.get(1..).unwrap_or_default();
    }
}

/// Returns `true` if a toggle property (§17.17.4) is in the list and on.
fn has(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(known, markup)| {
        *known == name
            && !["\"0\"", "\"false\"", "\"off\"", "'0'", "'false'", "'off'"].iter().any(|off| markup.contains(off))
    })
}

/// Elements of `w:rPr` that follow `w:rtl` (§17.3.2.28, CT_RPr).
const AFTER_RTL: [&str; 7] = ["cs", "em", "lang", "eastAsianLayout", "specVanish", "oMath", "rPrChange"];
/// Run properties with a separate element for complex scripts: the names of both elements.
const TWINS: [(&str, &str); 3] = [("b", "bCs"), ("i", "iCs"), ("sz", "szCs")];

/// Returns the run properties for text of one direction.
///
/// Right-to-left text gets `w:rtl` and the complex-script elements of bold, italic and size. Left-to-right text loses
/// `w:rtl`. Digits of a right-to-left run keep its complex-script formatting (w:cs, §17.3.2.7).
fn properties(host: &str, direction: Direction, prefix: &str) -> String {
    let tree = Tree::parse("", host.as_bytes(), &Meter::default()).ok();
    let children = tree.iter().filter_map(Tree::root).flat_map(Element::children);
    let list: Vec<(&str, &str)> = children.map(|child| (child.name(), child.source())).collect();
    match direction {
        Direction::LeftToRight | Direction::Numbers if list.iter().any(|(name, _)| *name == "rtl") => {
            let complex = direction == Direction::Numbers && has(&list, "rtl");
            let instead = if complex { format!("<{prefix}cs/>") } else { String::new() };
            let kept = list.iter().filter(|(name, _)| !(complex && *name == "cs"));
            wrap(
                &kept.map(|(name, markup)| if *name == "rtl" { &instead } else { *markup }).collect::<String>(),
                prefix,
            )
        }
        Direction::RightToLeft => {
            let twinned = |twin: &str| list.iter().any(|(name, _)| *name == twin);
            let complete = has(&list, "rtl") && TWINS.iter().all(|(name, twin)| !twinned(name) || twinned(twin));
            if complete { host.to_owned() } else { wrap(&right_to_left(&list, prefix), prefix) }
        }
        _ => host.to_owned(),
    }
}

fn wrap(children: &str, prefix: &str) -> String {
    if children.is_empty() { String::new() } else { format!("<{prefix}rPr>{children}</{prefix}rPr>") }
}

fn right_to_left(list: &[(&str, &str)], prefix: &str) -> String {
    let mut markup = String::new();
    let mut written = false;
    let write_rtl = |markup: &mut String| markup.push_str(&format!("<{prefix}rtl/>"));
    for (name, element) in list {
        if *name == "rtl" {
            continue;
        }
        // Elements of later Word versions (w14:…) also come last. Their prefix is not that of WordprocessingML.
        let foreign = !element.get(1..).unwrap_or_default().starts_with(prefix);
        if !written && (AFTER_RTL.contains(name) || foreign) {
            write_rtl(&mut markup);
            written = true;
        }
        markup.push_str(element);
        let twin = TWINS.iter().find(|(known, _)| !foreign && known == name).map(|(_, twin)| *twin);
        if let Some(twin) = twin.filter(|twin| !list.iter().any(|(known, _)| known == twin)) {
            let tag = format!("<{prefix}{name}");
            if let Some(attributes) = element.strip_prefix(&tag) {
                let attributes = attributes.split('>').next().unwrap_or_default().trim_end_matches('/');
                markup.push_str(&format!("<{prefix}{twin}{attributes}/>"));
            }
        }
    }
    if !written {
        write_rtl(&mut markup);
    }
    markup
}
