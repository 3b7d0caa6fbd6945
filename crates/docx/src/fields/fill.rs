//! Values into their places: edits of byte ranges of a part, everything else of it untouched.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::markup::{self, Host, Place};
use super::scan::{Cell, Control, Index, Merge, Story};
use super::stories::{self, Told};
use super::{Values, name};
use crate::{Package, Result};

/// What an empty value leaves in its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EmptyValue {
    /// Nothing.
    #[default]
    Blank,
    /// A dotted line, to be filled by hand.
    DottedLine,
}

/// How a document is filled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FillOptions {
    pub empty: EmptyValue,
}

/// Twenty-four dots, in any font and either direction.
const DOTTED_LINE: &str = "........................";

/// The document with `values` in its fields. Parts without fields are those of `package`, byte for byte.
///
/// # Errors
/// `unknown_field` (with the nearest real names in `suggestions`), `missing_values`, `illegal_character`,
/// `value_too_long`, `values_too_large`, each naming its fields; those of [`super::list`].
pub fn fill(package: &Package, values: &Values, options: FillOptions) -> Result<Package> {
    let told = stories::read(package)?;
    let fields = stories::fields(&told);
    values.check(&fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>())?;
    let mut filled = package.clone();
    for part in &told {
        let edits = Filler::new(part, values, options).edits();
        if !edits.is_empty() {
            filled = filled.with_part(&part.story.part, apply(&part.source, edits).into_bytes());
        }
    }
    Ok(filled)
}

/// Start → end and what stands there instead.
type Edits = BTreeMap<usize, (usize, String)>;

fn apply(source: &str, edits: Edits) -> String {
    let mut text = String::with_capacity(source.len() + 1024);
    let mut at = 0;
    for (start, (end, replacement)) in edits {
        // Edits do not overlap; one that did would be inside what is deleted, and is left out with it.
        if start < at {
            continue;
        }
        text.push_str(source.get(at..start).unwrap_or_default());
        text.push_str(&replacement);
        at = end.max(start);
    }
    text.push_str(source.get(at..).unwrap_or_default());
    text
}

struct Filler<'t, 'p> {
    part: &'t Told<'p>,
    story: &'t Story,
    values: &'t Values,
    options: FillOptions,
    edits: Edits,
    texts: BTreeSet<Index>,
    unbound: BTreeSet<Index>,
}

impl<'t, 'p> Filler<'t, 'p> {
    fn new(part: &'t Told<'p>, values: &'t Values, options: FillOptions) -> Self {
        let (edits, texts, unbound) = Default::default();
        Self { part, story: &part.story, values, options, edits, texts, unbound }
    }

    fn edits(mut self) -> Edits {
        for (index, found) in self.part.found.iter().enumerate() {
            let Some(paragraph) = self.story.paragraphs.get(index) else { continue };
            for &escape in &found.escapes {
                if let Some(cell) = paragraph.cells.get(escape) {
                    self.delete(cell.span.clone());
                }
            }
            for one in &found.matches {
                let cells: Vec<&Cell> = paragraph.cells.get(one.cells.clone()).unwrap_or_default().iter().collect();
                self.replace(&cells, &self.value(&one.name), None, paragraph.bidi);
            }
        }
        let (mut of_merges, mut of_controls) = self.owned_cells();
        for (index, merge) in self.story.merges.iter().enumerate() {
            self.fill_merge(merge, &of_merges.remove(&index).unwrap_or_default());
        }
        for &index in &self.part.field_controls {
            if let Some(control) = self.story.controls.get(index) {
                self.fill_control(control, &of_controls.remove(&index).unwrap_or_default());
            }
        }
        self.finish()
    }

    fn value(&self, name: &str) -> String {
        let value = self.values.get(name).unwrap_or_default();
        match self.options.empty {
            EmptyValue::DottedLine if value.is_empty() => DOTTED_LINE.to_owned(),
            _ => value.to_owned(),
        }
    }

    fn owned_cells(&self) -> (HashMap<Index, Vec<&'t Cell>>, HashMap<Index, Vec<&'t Cell>>) {
        let (mut of_merges, mut of_controls) = (HashMap::new(), HashMap::new());
        for cell in self.story.paragraphs.iter().flat_map(|paragraph| &paragraph.cells) {
            let control =
                self.story.control_chain(cell.control).find(|at| self.part.field_controls.binary_search(at).is_ok());
            if let Some(control) = control {
                of_controls.entry(control).or_insert_with(Vec::new).push(cell);
            } else if let Some(merge) = cell.merge {
                of_merges.entry(merge).or_insert_with(Vec::new).push(cell);
            }
        }
        (of_merges, of_controls)
    }

    fn delete(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            let edit = self.edits.entry(range.start).or_insert((range.end, String::new()));
            edit.0 = edit.0.max(range.end);
        }
    }

    fn insert(&mut self, at: usize, markup: String) {
        let edit = self.edits.entry(at).or_insert((at, String::new()));
        edit.1.push_str(&markup);
    }

    /// Puts a value where the first of `cells` is and takes all of them out.
    fn replace(&mut self, cells: &[&Cell], value: &str, instead: Option<&str>, bidi: bool) {
        // A cell without bytes (a picture) stays; the value cannot take its place.
        let Some((host, rest)) = cells.split_first() else { return };
        let Some(run) = self.story.runs.get(host.run) else { return };
        let source: &str = &self.part.source;
        let mut looks = Host::of(source, run, bidi);
        looks.instead = instead;
        let place = match host.text.and_then(|at| self.story.texts.get(at)) {
            Some(text) => {
                looks.splits = text.direct;
                Place::Text
            }
            None => Place::Run,
        };
        let markup = markup::of_value(value, &looks, place);
        self.edits.insert(host.span.start, (host.span.end, markup));
        self.touch(host);
        for cell in rest {
            self.delete(cell.span.clone());
            self.touch(cell);
        }
    }

    /// Remembers the text element whose white space must now be kept, and the controls that must let go of their data.
    fn touch(&mut self, cell: &Cell) {
        self.texts.extend(cell.text);
        self.unbound.extend(self.story.control_chain(cell.control));
    }

    fn fill_merge(&mut self, merge: &Merge, cells: &[&Cell]) {
        let name = name::normalize(&merge.name);
        if !name::is_valid(&name) {
            return;
        }
        let value = self.value(&name);
        let bidi = self.is_bidi(merge.paragraph);
        let source: &str = &self.part.source;
        let first = cells.iter().position(|cell| !cell.span.is_empty());
        match (first.and_then(|first| cells.get(first..)), merge.run.and_then(|run| self.story.runs.get(run))) {
            (Some(cells), _) => self.replace(cells, &value, None, bidi),
            (None, Some(run)) => {
                let looks = Host::of(source, run, bidi);
                let end = merge.deletes.first().map_or(merge.start, |begin| begin.end);
                self.edits.insert(merge.start, (end, markup::of_value(&value, &looks, Place::Run)));
            }
            (None, None) => {
                let end = merge.deletes.first().map_or(merge.start, |begin| begin.end);
                self.edits.insert(merge.start, (end, new_run(&value, &merge.prefix, "", bidi)));
            }
        }
        for range in &merge.deletes {
            self.delete(range.clone());
        }
    }

    fn fill_control(&mut self, control: &Control, cells: &[&Cell]) {
        let value = self.value(&name::normalize(control.tag.as_deref().unwrap_or_default()));
        let source: &str = &self.part.source;
        let own = control.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
        let instead = control.showing_placeholder.then_some(own);
        self.delete(control.range.start..control.content.start);
        self.delete(control.content.end..control.range.end);
        let first = cells.iter().position(|cell| !cell.span.is_empty());
        if let Some(cells) = first.and_then(|first| cells.get(first..)) {
            let bidi = self.is_bidi(control.paragraph.or(control.first_paragraph.as_ref().map(|(at, _)| *at)));
            self.replace(cells, &value, instead, bidi);
        } else if let Some(paragraph) = control.paragraph {
            let run = new_run(&value, &control.prefix, own, self.is_bidi(Some(paragraph)));
            if control.content.is_empty() && control.content.end >= control.range.end {
                self.edits.insert(control.range.start, (control.range.end, run));
            } else {
                self.insert(control.content.start, run);
            }
        } else if let Some((paragraph, range)) = control.first_paragraph.clone() {
            let run = new_run(&value, &control.prefix, own, self.is_bidi(Some(paragraph)));
            if range.is_empty() {
                self.insert(range.start, run);
            } else {
                let prefix = &control.prefix;
                let open = source.get(range.clone()).unwrap_or_default().trim_end_matches("/>");
                self.edits.insert(range.start, (range.end, format!("{open}>{run}</{prefix}p>")));
            }
        }
        self.unbound.extend(self.story.control_chain(control.parent));
    }

    fn is_bidi(&self, paragraph: Option<Index>) -> bool {
        paragraph.and_then(|at| self.story.paragraphs.get(at)).is_some_and(|paragraph| paragraph.bidi)
    }

    /// The edits around the values: white space kept, bindings to data gone.
    fn finish(mut self) -> Edits {
        for text in std::mem::take(&mut self.texts).into_iter().filter_map(|at| self.story.texts.get(at)) {
            if !text.preserve {
                self.insert(text.open.end - 1, " xml:space=\"preserve\"".into());
            }
        }
        for control in std::mem::take(&mut self.unbound).into_iter().filter_map(|at| self.story.controls.get(at)) {
            for range in &control.bindings {
                self.delete(range.clone());
            }
        }
        self.edits
    }
}

/// A run of its own for a value where there was none.
fn new_run(value: &str, prefix: &str, properties: &str, bidi: bool) -> String {
    let open = format!("<{prefix}r>");
    let host = Host { prefix, open: &open, properties, instead: None, splits: true, bidi };
    markup::of_value(value, &host, Place::Paragraph)
}
