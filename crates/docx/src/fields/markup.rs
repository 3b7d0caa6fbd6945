//! Conversion of a value to WordprocessingML: escaped text, breaks, tabs, and runs for its directions.

use super::bidi::{self, Direction, ValueContext};
use super::scan::ScannedRun;
use super::value_marks;
use crate::Meter;
use quick_xml::escape::partial_escape;
use std::borrow::Cow;
use waraq_graphics::xml::{Element, Tree};

/// The place in the markup where a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkupPosition {
    /// The value is written inside the text of a `w:t`.
    InsideText,
    /// The value is written between the children of a run.
    BetweenRunChildren,
    /// The value is written between two runs.
    BetweenRuns,
}

/// The run that gives a value its formatting.
#[derive(Debug, Clone, Copy)]
pub(super) struct HostRun<'s> {
    /// The namespace prefix of WordprocessingML with its colon: `w:`.
    pub prefix: &'s str,
    /// The start tag of the run.
    pub start_tag: &'s str,
    /// The `w:rPr` of the run as written. Empty if the run has no properties.
    pub properties: &'s str,
    /// The `w:rPr` that is used instead of `properties`. For example, a value must not get the formatting of the
    /// placeholder text that it replaces. `None`: `properties` is used.
    pub properties_override: Option<&'s str>,
    /// The value is written between children of the run or inside its `w:t`. The run can therefore be closed and
    /// reopened there.
    pub can_split: bool,
    pub context: ValueContext,
    /// The index of the field in the list of fields, from 0. The mark before the value contains this index. `None`: the
    /// value gets no marks.
    pub field: Option<u32>,
    /// The markup of the picture that is written instead of the text. `None`: the text is written.
    pub picture: Option<&'s str>,
}

impl<'s> HostRun<'s> {
    pub(super) fn from_run(source: &'s str, run: &'s ScannedRun, around: ValueContext) -> Self {
        Self {
            prefix: &run.prefix,
            start_tag: source.get(run.start_tag.clone()).unwrap_or_default(),
            properties: run.properties.clone().and_then(|range| source.get(range)).unwrap_or_default(),
            properties_override: None,
            can_split: true,
            context: around,
            field: None,
            picture: None,
        }
    }
}

/// Returns the value with `\n` for each line break. Line breaks are also carriage returns, vertical tabs (manual line
/// breaks in Word), and the line and paragraph separators of Unicode.
pub(super) fn with_line_breaks(value: &str) -> Cow<'_, str> {
    const BREAKS: [char; 4] = ['\r', '\u{b}', '\u{2028}', '\u{2029}'];
    if !value.contains(BREAKS) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(value.replace("\r\n", "\n").replace(BREAKS, "\n"))
}

/// Returns the markup that puts `value` at `position`.
pub(super) fn value_markup(value: &str, host: &HostRun<'_>, position: MarkupPosition) -> String {
    if let Some(picture) = host.picture {
        return picture_markup(picture, host, position);
    }
    let ValueRuns { text, formatted, all_like_host } = ValueRuns::new(value, host);
    let prefix = host.prefix;
    let runs = || -> String {
        formatted
            .iter()
            .map(|(contents, properties)| format!("{}{properties}{contents}</{prefix}r>", host.start_tag))
            .collect()
    };
    let inside = || run_children(&text, prefix);
    match position {
        MarkupPosition::BetweenRuns => runs(),
        MarkupPosition::InsideText if (all_like_host || !host.can_split) && !text.contains(['\n', '\t']) => {
            partial_escape(&text).into_owned()
        }
        MarkupPosition::InsideText if all_like_host || !host.can_split => {
            format!("</{prefix}t>{}<{prefix}t xml:space=\"preserve\">", inside())
        }
        MarkupPosition::InsideText => format!(
            "</{prefix}t></{prefix}r>{}{}{}<{prefix}t xml:space=\"preserve\">",
            runs(),
            host.start_tag,
            host.properties
        ),
        MarkupPosition::BetweenRunChildren if all_like_host || !host.can_split => inside(),
        MarkupPosition::BetweenRunChildren => format!("</{prefix}r>{}{}{}", runs(), host.start_tag, host.properties),
    }
}

/// Returns the text that a value becomes inside the `w:t` of its run, without marks. Returns `None` if the value needs other
/// markup, for example runs of its own.
pub(super) fn text_in_run(value: &str, host: &HostRun<'_>) -> Option<String> {
    let ValueRuns { text, all_like_host, .. } = ValueRuns::new(value, &HostRun { field: None, ..*host });
    ((all_like_host || !host.can_split) && !text.contains(['\n', '\t'])).then_some(text)
}

/// A value, split into the runs that its directions need.
struct ValueRuns {
    /// The text of all runs.
    text: String,
    /// The content and the properties of each run, as markup.
    formatted: Vec<(String, String)>,
    /// True if all runs have the properties of the author's run.
    all_like_host: bool,
}

impl ValueRuns {
    fn new(value: &str, host: &HostRun<'_>) -> Self {
        let value = with_line_breaks(value);
        let base = host.properties_override.unwrap_or(host.properties);
        let mut directional_runs = bidi::split_by_direction(&value, host.context);
        if let Some(field) = host.field {
            add_marks(&mut directional_runs, field);
        }
        let text = directional_runs.iter().map(|piece| piece.text.as_str()).collect();
        let formatted: Vec<(String, String)> = directional_runs
            .iter()
            .map(|piece| (run_children(&piece.text, host.prefix), run_properties(base, piece.direction, host.prefix)))
            .collect();
        let all_like_host =
            host.properties_override.is_none() && formatted.iter().all(|(_, properties)| properties == host.properties);
        Self { text, formatted, all_like_host }
    }
}

/// Returns the markup that puts a picture at `position`. A mark before and after the picture is a text of its own.
fn picture_markup(picture: &str, host: &HostRun<'_>, position: MarkupPosition) -> String {
    let prefix = host.prefix;
    let marked = match host.field {
        Some(field) => {
            let [start, end] = [value_marks::start_mark(field), value_marks::end_mark().to_string()];
            format!("<{prefix}t>{start}</{prefix}t>{picture}<{prefix}t>{end}</{prefix}t>")
        }
        None => picture.to_owned(),
    };
    match position {
        MarkupPosition::InsideText => format!("</{prefix}t>{marked}<{prefix}t xml:space=\"preserve\">"),
        MarkupPosition::BetweenRunChildren => marked,
        MarkupPosition::BetweenRuns => {
            let properties = host.properties_override.unwrap_or(host.properties);
            format!("{}{properties}{marked}</{prefix}r>", host.start_tag)
        }
    }
}

/// Adds the marks of a value before its first piece and after its last piece.
fn add_marks(runs: &mut Vec<bidi::DirectionalRun>, field: u32) {
    if runs.is_empty() {
        runs.push(bidi::DirectionalRun { text: String::new(), direction: Direction::Neutral });
    }
    if let Some(first) = runs.first_mut() {
        first.text.insert_str(0, &value_marks::start_mark(field));
    }
    if let Some(last) = runs.last_mut() {
        last.text.push(value_marks::end_mark());
    }
}

/// Returns the text as `w:t`, `w:br` and `w:tab` elements.
fn run_children(text: &str, prefix: &str) -> String {
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

/// Returns `true` if a toggle property (§17.17.4) is on. `list` contains the names and the markup of the children of a
/// `w:rPr`.
pub(super) fn has_toggle(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(known, markup)| {
        *known == name
            && !["\"0\"", "\"false\"", "\"off\"", "'0'", "'false'", "'off'"].iter().any(|off| markup.contains(off))
    })
}

/// Elements of `w:rPr` that follow `w:rtl` (§17.3.2.28, CT_RPr).
const AFTER_RTL: [&str; 7] = ["cs", "em", "lang", "eastAsianLayout", "specVanish", "oMath", "rPrChange"];
/// The run properties that have a separate element for complex scripts. Each entry is the name of the usual element and
/// the name of the separate element.
const COMPLEX_SCRIPT_ELEMENTS: [(&str, &str); 3] = [("b", "bCs"), ("i", "iCs"), ("sz", "szCs")];

/// Returns the run properties for text of one direction.
///
/// Right-to-left text gets `w:rtl` and the complex-script elements of bold, italic and size. Left-to-right text loses
/// `w:rtl`. Digits in a right-to-left run keep the complex-script formatting of the run (w:cs, §17.3.2.7).
fn run_properties(host: &str, direction: Direction, prefix: &str) -> String {
    // Most runs need no other properties, so they are not parsed.
    if direction != Direction::RightToLeft && !host.contains("rtl") {
        return host.to_owned();
    }
    let tree = Tree::parse("", host.as_bytes(), &Meter::default()).ok();
    let children = tree.iter().filter_map(Tree::root).flat_map(Element::children);
    let list: Vec<(&str, &str)> = children.map(|child| (child.name(), child.source())).collect();
    match direction {
        Direction::LeftToRight | Direction::Numbers if list.iter().any(|(name, _)| *name == "rtl") => {
            let complex = direction == Direction::Numbers && has_toggle(&list, "rtl");
            let instead = if complex { format!("<{prefix}cs/>") } else { String::new() };
            let kept = list.iter().filter(|(name, _)| !(complex && *name == "cs"));
            wrap_in_run_properties(
                &kept.map(|(name, markup)| if *name == "rtl" { &instead } else { *markup }).collect::<String>(),
                prefix,
            )
        }
        Direction::RightToLeft => {
            let is_present = |twin: &str| list.iter().any(|(name, _)| *name == twin);
            let complete = has_toggle(&list, "rtl")
                && COMPLEX_SCRIPT_ELEMENTS.iter().all(|(name, twin)| !is_present(name) || is_present(twin));
            if complete {
                host.to_owned()
            } else {
                wrap_in_run_properties(&right_to_left_properties(&list, prefix), prefix)
            }
        }
        _ => host.to_owned(),
    }
}

fn wrap_in_run_properties(children: &str, prefix: &str) -> String {
    if children.is_empty() { String::new() } else { format!("<{prefix}rPr>{children}</{prefix}rPr>") }
}

fn right_to_left_properties(list: &[(&str, &str)], prefix: &str) -> String {
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
        let complex_name =
            COMPLEX_SCRIPT_ELEMENTS.iter().find(|(known, _)| !foreign && known == name).map(|(_, twin)| *twin);
        if let Some(complex_name) = complex_name.filter(|twin| !list.iter().any(|(known, _)| known == twin)) {
            let tag = format!("<{prefix}{name}");
            if let Some(attributes) = element.strip_prefix(&tag) {
                let attributes = attributes.split('>').next().unwrap_or_default().trim_end_matches('/');
                markup.push_str(&format!("<{prefix}{complex_name}{attributes}/>"));
            }
        }
    }
    if !written {
        write_rtl(&mut markup);
    }
    markup
}
