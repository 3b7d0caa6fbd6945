//! Updating of field results that refer to bookmarks, after a document was filled.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::bidi::is_direction_control;
use super::edits::{Editor, Value, new_run};
use super::markup::{self, Host, Place};
use super::scan::{Bookmark, Cell, Index, Keep, OBJECT, Reference, Slot, Story, Target};
use super::stories::{self, ScannedPart};
use crate::{Package, Result};

/// The maximum length in characters of a bookmark's text. A longer text is not a name or heading, and is not repeated.
const LONGEST_TEXT: usize = 50_000;
/// The maximum number of characters repeated in total, because a small file could expand to a huge one.
const MOST_TEXT: usize = 4_000_000;
/// The maximum nesting depth of fields in bookmark texts that refer to other bookmarks.
const DEEPEST: usize = 16;

/// Updates the results of PAGEREF and REF fields, also in a table of contents. `page_label` returns the printed page
/// number of a bookmark. The text of a bookmark comes from the document itself.
///
/// Results keep their formatting. These results are not changed:
/// - Results of unknown bookmarks.
/// - Results of several paragraphs, or with pictures.
/// - Numbers and relative positions of bookmarks (`\n`, `\r`, `\w`, `\p`).
/// - A field inside its own bookmark.
/// - A field in whose result a bookmark begins or ends, if the text of that bookmark is shown.
///
/// A part without changed results stays identical. Word updates PAGE and NUMPAGES itself.
///
/// # Errors
/// Returns the errors of [`super::list`].
pub fn renew<'l>(package: &Package, page_label: &dyn Fn(&str) -> Option<&'l str>) -> Result<Package> {
    let any = |has: fn(&str) -> bool| package.part_names().any(|part| package.text(part).is_some_and(has));
    // A document without fields or without bookmarks does not change.
    if !any(|text| text.contains("fldChar") || text.contains("fldSimple"))
        || !any(|text| text.contains("bookmarkStart"))
    {
        return Ok(package.clone());
    }
    let texts = stories::texts(package, Keep::All)?;
    let references = texts.iter().map(by_paragraph).collect::<Vec<_>>();
    let mut results = Results::new(&texts, &references, page_label);
    let mut renewed = package.clone();
    for (part, text) in texts.iter().enumerate() {
        let mut editor = Editor::new(&text.source, &text.story);
        for reference in &text.story.references {
            if results.is_of_a_bookmark(part, reference) {
                continue;
            }
            if let Some(result) = results.of(&reference.target, 0) {
                show(&mut editor, text, reference, &result);
            }
        }
        if let Some(changed) = editor.finish()? {
            renewed = renewed.with_part(&text.story.part, changed.into_bytes());
        }
    }
    Ok(renewed)
}

/// Sets the result of a field, unless it is already up to date.
fn show(editor: &mut Editor<'_>, text: &ScannedPart<'_>, reference: &Reference, result: &str) {
    let cells = result_cells(&text.story, reference);
    let shown = cells.iter().map(|cell| cell.character).filter(|character| !is_direction_control(*character));
    // The direction controls of the source belong to another paragraph.
    let result: String = result.chars().filter(|character| !is_direction_control(*character)).collect();
    if shown.clone().eq(result.chars()) || shown.clone().any(|character| character == OBJECT) {
        return;
    }
    let result = Value { text: result, field: None };
    let paragraph = Some(reference.paragraph);
    let around = editor.around(paragraph, reference.bytes.end);
    if editor.replace(&cells.iter().collect::<Vec<_>>(), &result, None, around) {
        return;
    }
    match &reference.slot {
        Slot::Run { at, run, separated } => {
            let Some(run) = text.story.runs.get(*run) else { return };
            let separate = if *separated {
                String::new()
            } else {
                format!("<{0}fldChar {0}fldCharType=\"separate\"/>", run.prefix)
            };
            let value = markup::of_value(&result.text, &Host::of(&text.source, run, around), Place::Run);
            editor.insert(*at, separate + &value);
        }
        Slot::Simple { at, prefix } => editor.insert(*at, new_run(&result, prefix, "", around)),
        Slot::EmptySimple { tag, prefix } => {
            let open = text.source.get(tag.clone()).unwrap_or_default().trim_end_matches("/>");
            editor.put(tag.clone(), format!("{open}>{}</{prefix}fldSimple>", new_run(&result, prefix, "", around)));
        }
    }
}

/// Returns the cells of a field's result. Some producers put a complete line of a table of contents into the result of
/// its PAGEREF. Only the text after the last tab is the number.
fn result_cells<'t>(story: &'t Story, reference: &Reference) -> &'t [Cell] {
    let paragraph = story.paragraphs.get(reference.paragraph);
    let cells = paragraph.and_then(|paragraph| paragraph.cells.get(reference.cells.clone())).unwrap_or_default();
    match cells.iter().rposition(|cell| cell.character == '\t') {
        Some(tab) if matches!(reference.target, Target::Page(_)) => cells.get(tab + 1..).unwrap_or_default(),
        _ => cells,
    }
}

/// The fields of a part by paragraph, in document order.
type ByParagraph<'t> = HashMap<Index, Vec<&'t Reference>>;

fn by_paragraph<'t>(text: &'t ScannedPart<'_>) -> ByParagraph<'t> {
    let mut by_paragraph = ByParagraph::new();
    for reference in &text.story.references {
        by_paragraph.entry(reference.paragraph).or_default().push(reference);
    }
    by_paragraph
}

/// The new results of the fields.
struct Results<'t, 'l> {
    texts: &'t [ScannedPart<'t>],
    page_label: &'t dyn Fn(&str) -> Option<&'l str>,
    /// The first bookmark of each name, with the index of its part.
    bookmarks: HashMap<&'t str, (usize, &'t Bookmark)>,
    references: &'t [ByParagraph<'t>],
    /// The positions where bookmarks with shown text begin and end, sorted, for each part.
    edges: Vec<Vec<usize>>,
    /// The texts of bookmarks that were computed before, by name. `None`: the bookmark has no text to show.
    known: HashMap<&'t str, Option<Rc<str>>>,
    /// The bookmarks whose text is being computed.
    open: Vec<&'t str>,
    /// The bookmarks that contain a field that shows the same bookmark, directly or through other bookmarks.
    circular: HashSet<&'t str>,
    /// The number of characters that may still be read or repeated.
    left: usize,
}

impl<'t, 'l> Results<'t, 'l> {
    fn new(
        texts: &'t [ScannedPart<'t>],
        references: &'t [ByParagraph<'t>],
        page_label: &'t dyn Fn(&str) -> Option<&'l str>,
    ) -> Self {
        let mut bookmarks = HashMap::new();
        for (part, text) in texts.iter().enumerate() {
            for bookmark in &text.story.bookmarks {
                bookmarks.entry(bookmark.name.as_str()).or_insert((part, bookmark));
            }
        }
        let edges = edges(texts, &bookmarks);
        let (known, open, circular) = Default::default();
        Self { texts, page_label, bookmarks, references, edges, known, open, circular, left: MOST_TEXT }
    }

    /// Returns `true` if a bookmark whose text is shown begins or ends in the result of this field. A new result would
    /// change the text of the bookmark, which would change other results.
    fn is_of_a_bookmark(&self, part: usize, field: &Reference) -> bool {
        let edges = self.edges.get(part).map(Vec::as_slice).unwrap_or_default();
        edges.get(edges.partition_point(|edge| *edge < field.bytes.start)).is_some_and(|edge| *edge < field.bytes.end)
    }

    /// Returns the result of a field with this target. Returns `None` if it is not known.
    fn of(&mut self, target: &Target, depth: usize) -> Option<Rc<str>> {
        let result = match target {
            Target::Page(name) => (self.page_label)(name).map(Rc::from),
            Target::Text(name) => self.text_of(name, depth),
        }?;
        self.left = self.left.checked_sub(result.len())?;
        Some(result)
    }

    fn text_of(&mut self, name: &str, depth: usize) -> Option<Rc<str>> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let (name, &(part, bookmark)) = self.bookmarks.get_key_value(name)?;
        let name: &'t str = name;
        if self.open.contains(&name) {
            self.circular.insert(name);
            return None;
        }
        if depth > DEEPEST {
            return None;
        }
        self.open.push(name);
        let text = self.read(part, bookmark, depth);
        self.open.pop();
        let text = text.filter(|_| !self.circular.contains(name)).map(Rc::from);
        self.known.insert(name, text.clone());
        text
    }

    /// Returns the text of a bookmark, with a space between paragraphs and with the new results of its fields. Returns
    /// `None` if the bookmark has no end, contains no text or is too long.
    fn read(&mut self, part: usize, bookmark: &'t Bookmark, depth: usize) -> Option<String> {
        let story = &self.texts.get(part)?.story;
        let (start, end) = (bookmark.start, bookmark.end?);
        if !story.has_text(&bookmark.bytes) {
            return None;
        }
        let mut text = String::new();
        let limit = self.left.saturating_sub(LONGEST_TEXT);
        for index in start.0..=end.0 {
            let Some(paragraph) = story.paragraphs.get(index) else { break };
            self.left = self.left.checked_sub(1).filter(|left| *left >= limit)?;
            if paragraph.fallback {
                continue;
            }
            let mut at = if index == start.0 { start.1 } else { 0 };
            let to = if index == end.0 { end.1 } else { paragraph.cells.len() };
            if !text.is_empty() && at < to {
                text.push(' ');
            }
            let references = self.references;
            let fields = references.get(part)?.get(&index).map(Vec::as_slice).unwrap_or_default();
            let mut fields =
                fields.get(fields.partition_point(|field| field.cells.start < at)..).unwrap_or_default().iter();
            while at <= to {
                let field = fields.as_slice().first().filter(|field| field.cells.start <= at);
                if let Some(field) = field {
                    fields.next();
                    let inside = bookmark.bytes.contains(&field.bytes.start) && field.cells.end <= to;
                    if inside
                        && !self.is_of_a_bookmark(part, field)
                        && let Some(shown) = self.of(&field.target, depth + 1)
                    {
                        text.push_str(&shown);
                        at = field.cells.end;
                    }
                    continue;
                }
                if let Some(cell) = paragraph.cells.get(at).filter(|cell| at < to && cell.character != OBJECT) {
                    text.push(cell.character);
                }
                at += 1;
                self.left = self.left.checked_sub(1).filter(|left| *left >= limit)?;
            }
        }
        Some(text)
    }
}

/// Returns the sorted positions where the bookmarks of REF fields begin and end, for each part.
fn edges(texts: &[ScannedPart<'_>], bookmarks: &HashMap<&str, (usize, &Bookmark)>) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); texts.len()];
    let targets = texts.iter().flat_map(|text| &text.story.references).filter_map(|field| match &field.target {
        Target::Text(name) => Some(name.as_str()),
        Target::Page(_) => None,
    });
    for name in targets.collect::<HashSet<_>>() {
        let Some((part, bookmark)) = bookmarks.get(name) else { continue };
        if let Some(edges) = edges.get_mut(*part) {
            edges.push(bookmark.bytes.start);
            edges.extend(bookmark.end.map(|_| bookmark.bytes.end));
        }
    }
    edges.iter_mut().for_each(|edges| edges.sort_unstable());
    edges
}
