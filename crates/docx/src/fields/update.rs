//! Updating of field results after a document was filled.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::bidi::is_direction_control;
use super::edits::{Editor, FieldValue, new_run};
use super::markup::{self, HostRun, MarkupPosition};
use super::scan::{
    Bookmark, BookmarkReference, Index, InsertPosition, KeptCells, OBJECT_PLACEHOLDER, PartScan, ReferenceTarget,
    TextCell,
};
use super::text_parts::{self, ScannedPart};
use crate::{Package, Result};

/// The maximum length in characters of a bookmark's text. A longer text is not a name or heading, and is not repeated.
const MAX_BOOKMARK_TEXT: usize = 50_000;
/// The maximum number of characters that are read from bookmarks and repeated in fields, for one document. Without this
/// limit, a small file could expand to a huge one.
const MAX_TOTAL_TEXT: usize = 4_000_000;
/// The maximum nesting depth of bookmark texts. They are nested because the text of one bookmark may contain a field
/// that shows the text of another.
const MAX_DEPTH: usize = 16;

/// Results of fields that the layout computed.
pub struct LaidOutResults<'l> {
    /// Returns the printed number of the page that contains a bookmark. Returns `None` if the page is not known.
    pub page_label: &'l dyn Fn(&str) -> Option<&'l str>,
    /// Returns the text of a field. The arguments are those of [`crate::tree::FieldSource`]: the name of the part, and
    /// the byte offset at which the field begins. `None`: the layout computed no texts of fields.
    pub field_text: Option<&'l FieldTexts<'l>>,
}

/// A function that returns the text of a field. The arguments are the name of the part, and the byte offset of the
/// field in that part.
pub type FieldTexts<'l> = dyn Fn(&str, usize) -> Option<&'l str> + 'l;

/// Updates the results of computed fields. These are PAGEREF and REF, also in a table of contents, and fields whose
/// text the layout computed, such as IF and formulas. The text of a bookmark is read from the document itself.
///
/// Results keep their formatting. The results of these fields are not changed:
/// - Fields whose bookmark does not exist.
/// - Fields whose result has several paragraphs or contains a picture.
/// - Fields whose text depends on the page that shows them.
/// - Fields inside the bookmark whose text they show.
/// - Fields whose result contains the start or end of a bookmark, if a REF field shows the text of that bookmark.
///
/// A part without changed results stays identical. Word updates PAGE and NUMPAGES itself.
///
/// # Errors
/// Returns the errors of [`super::list`].
pub fn update_field_results(package: &Package, laid_out: &LaidOutResults<'_>) -> Result<Package> {
    let any_part = |has: fn(&str) -> bool| package.part_names().any(|part| package.part_text(part).is_some_and(has));
    // A document without fields does not change, nor one without bookmarks and without texts of the layout.
    if !any_part(|text| text.contains("fldChar") || text.contains("fldSimple"))
        || (laid_out.field_text.is_none() && !any_part(|text| text.contains("bookmarkStart")))
    {
        return Ok(package.clone());
    }
    let texts = text_parts::scan_text_parts(package, KeptCells::All)?;
    let references = texts.iter().map(references_by_paragraph).collect::<Vec<_>>();
    let mut results = ResultResolver::new(&texts, &references, laid_out);
    let mut updated = package.clone();
    for (part, text) in texts.iter().enumerate() {
        let mut editor = Editor::new(&text.source, &text.scan);
        for reference in &text.scan.references {
            if results.contains_bookmark_edge(part, reference) {
                continue;
            }
            if let Some(result) = results.resolve(part, reference, 0) {
                write_result(&mut editor, text, reference, &result);
            }
        }
        if let Some(changed) = editor.finish()? {
            updated = updated.with_part(&text.scan.part, changed.into_bytes());
        }
    }
    Ok(updated)
}

/// Replaces the result of a field in the part, unless it already is `result`.
fn write_result(editor: &mut Editor<'_>, text: &ScannedPart<'_>, reference: &BookmarkReference, result: &str) {
    let cells = result_cells(&text.scan, reference);
    let shown = cells.iter().map(|cell| cell.character).filter(|character| !is_direction_control(*character));
    // The direction controls in the bookmark's text were meant for its own paragraph.
    let result: String = result.chars().filter(|character| !is_direction_control(*character)).collect();
    if shown.clone().eq(result.chars()) || shown.clone().any(|character| character == OBJECT_PLACEHOLDER) {
        return;
    }
    let result = FieldValue::of_text(result);
    let paragraph = Some(reference.paragraph);
    let around = editor.value_context(paragraph, reference.bytes.end);
    if editor.replace_cells(&cells.iter().collect::<Vec<_>>(), &result, None, around) {
        return;
    }
    match &reference.insert_position {
        InsertPosition::Run { at, run, separated } => {
            let Some(run) = text.scan.runs.get(*run) else { return };
            let separate = if *separated {
                String::new()
            } else {
                format!("<{0}fldChar {0}fldCharType=\"separate\"/>", run.prefix)
            };
            let value = markup::value_markup(
                &result.text,
                &HostRun::from_run(&text.source, run, around),
                MarkupPosition::BetweenRunChildren,
            );
            editor.insert(*at, separate + &value);
        }
        InsertPosition::Simple { at, prefix } => editor.insert(*at, new_run(&result, prefix, "", around)),
        InsertPosition::EmptySimple { tag, prefix } => {
            let open = text.source.get(tag.clone()).unwrap_or_default().trim_end_matches("/>");
            editor.replace_range(
                tag.clone(),
                format!("{open}>{}</{prefix}fldSimple>", new_run(&result, prefix, "", around)),
            );
        }
    }
}

/// Returns the characters of a field's result that are replaced. Some producers put a complete line of a table of
/// contents into the result of a PAGEREF. The page number is then only the text after the last tab, so only that text
/// is returned.
fn result_cells<'t>(story: &'t PartScan, reference: &BookmarkReference) -> &'t [TextCell] {
    let paragraph = story.paragraphs.get(reference.paragraph);
    let cells = paragraph.and_then(|paragraph| paragraph.cells.get(reference.cells.clone())).unwrap_or_default();
    match cells.iter().rposition(|cell| cell.character == '\t') {
        Some(tab) if matches!(reference.target, ReferenceTarget::Page(_)) => cells.get(tab + 1..).unwrap_or_default(),
        _ => cells,
    }
}

/// The computed fields of a part, by the index of their paragraph, in document order.
type ReferencesByParagraph<'t> = HashMap<Index, Vec<&'t BookmarkReference>>;

fn references_by_paragraph<'t>(text: &'t ScannedPart<'_>) -> ReferencesByParagraph<'t> {
    let mut by_paragraph = ReferencesByParagraph::new();
    for reference in &text.scan.references {
        by_paragraph.entry(reference.paragraph).or_default().push(reference);
    }
    by_paragraph
}

/// Computes the new results of the fields.
struct ResultResolver<'t, 'l> {
    texts: &'t [ScannedPart<'t>],
    laid_out: &'t LaidOutResults<'l>,
    /// The first bookmark of each name, with the index of its part.
    bookmarks: HashMap<&'t str, (usize, &'t Bookmark)>,
    references: &'t [ReferencesByParagraph<'t>],
    /// For each part, the sorted byte offsets where bookmarks begin or end. Only bookmarks that a REF field shows are
    /// included.
    edges: Vec<Vec<usize>>,
    /// The texts of bookmarks that were computed before, by name. `None`: the bookmark has no text to show.
    resolved: HashMap<&'t str, Option<Rc<str>>>,
    /// The bookmarks whose text is being computed.
    in_progress: Vec<&'t str>,
    /// The bookmarks that contain a field that shows the same bookmark, directly or through other bookmarks.
    circular: HashSet<&'t str>,
    /// The number of characters that may still be read or repeated. It starts at `MAX_TOTAL_TEXT`.
    remaining: usize,
}

impl<'t, 'l> ResultResolver<'t, 'l> {
    fn new(
        texts: &'t [ScannedPart<'t>],
        references: &'t [ReferencesByParagraph<'t>],
        laid_out: &'t LaidOutResults<'l>,
    ) -> Self {
        let mut bookmarks = HashMap::new();
        for (part, text) in texts.iter().enumerate() {
            for bookmark in &text.scan.bookmarks {
                bookmarks.entry(bookmark.name.as_str()).or_insert((part, bookmark));
            }
        }
        let edges = bookmark_edges(texts, &bookmarks);
        let (known, open, circular) = Default::default();
        Self {
            texts,
            laid_out,
            bookmarks,
            references,
            edges,
            resolved: known,
            in_progress: open,
            circular,
            remaining: MAX_TOTAL_TEXT,
        }
    }

    /// Returns `true` if a bookmark begins or ends inside this field, and a REF field shows the text of that bookmark.
    /// A new result of this field would change the text of the bookmark, and so the results of other fields.
    fn contains_bookmark_edge(&self, part: usize, field: &BookmarkReference) -> bool {
        let edges = self.edges.get(part).map(Vec::as_slice).unwrap_or_default();
        edges.get(edges.partition_point(|edge| *edge < field.bytes.start)).is_some_and(|edge| *edge < field.bytes.end)
    }

    /// Returns the result of a field of a part. Returns `None` if the result is not known or exceeds a limit.
    fn resolve(&mut self, part: usize, field: &BookmarkReference, depth: usize) -> Option<Rc<str>> {
        let result = match &field.target {
            ReferenceTarget::Page(name) => (self.laid_out.page_label)(name).map(Rc::from),
            ReferenceTarget::Text(name) => {
                // A SET field defines a bookmark that is not in the text.
                let is_in_text = self.bookmarks.contains_key(name.as_str());
                if is_in_text { self.bookmark_text(name, depth) } else { self.laid_out_text(part, field) }
            }
            ReferenceTarget::Computed => self.laid_out_text(part, field),
        }?;
        self.remaining = self.remaining.checked_sub(result.len())?;
        Some(result)
    }

    /// Returns the text that the layout computed for a field.
    fn laid_out_text(&self, part: usize, field: &BookmarkReference) -> Option<Rc<str>> {
        let text = self.texts.get(part)?;
        // The offsets in a part with CDATA sections differ from those in the file.
        let Cow::Borrowed(source) = text.source else { return None };
        let byte_order_mark = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let offset = field.bytes.start.checked_sub(byte_order_mark)?;
        self.laid_out.field_text?(&text.scan.part, offset).map(Rc::from)
    }

    fn bookmark_text(&mut self, name: &str, depth: usize) -> Option<Rc<str>> {
        if let Some(known) = self.resolved.get(name) {
            return known.clone();
        }
        let (name, &(part, bookmark)) = self.bookmarks.get_key_value(name)?;
        let name: &'t str = name;
        if self.in_progress.contains(&name) {
            self.circular.insert(name);
            return None;
        }
        if depth > MAX_DEPTH {
            return None;
        }
        self.in_progress.push(name);
        let text = self.read_bookmark(part, bookmark, depth);
        self.in_progress.pop();
        let text = text.filter(|_| !self.circular.contains(name)).map(Rc::from);
        self.resolved.insert(name, text.clone());
        text
    }

    /// Returns the text of a bookmark, with a space between paragraphs and with the new results of its fields. Returns
    /// `None` if the bookmark has no end, contains no text or is too long.
    fn read_bookmark(&mut self, part: usize, bookmark: &'t Bookmark, depth: usize) -> Option<String> {
        let story = &self.texts.get(part)?.scan;
        let (start, end) = (bookmark.start, bookmark.end?);
        if !story.has_text(&bookmark.bytes) {
            return None;
        }
        let mut text = String::new();
        let limit = self.remaining.saturating_sub(MAX_BOOKMARK_TEXT);
        for index in start.0..=end.0 {
            let Some(paragraph) = story.paragraphs.get(index) else { break };
            self.remaining = self.remaining.checked_sub(1).filter(|left| *left >= limit)?;
            if paragraph.fallback {
                continue;
            }
            let mut at = if index == start.0 { start.1 } else { 0 };
            let to = if index == end.0 { end.1 } else { paragraph.cells.len() };
            let mut needs_space = !text.is_empty();
            let mut add = |shown: &str| {
                if std::mem::take(&mut needs_space) {
                    text.push(' ');
                }
                text.push_str(shown);
            };
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
                        && !self.contains_bookmark_edge(part, field)
                        && let Some(shown) = self.resolve(part, field, depth + 1)
                    {
                        add(&shown);
                        at = field.cells.end;
                    }
                    continue;
                }
                // A paragraph inside another paragraph may end the bookmark, and the outer paragraph continues after it.
                let is_shown = |cell: &&TextCell| {
                    at < to && cell.character != OBJECT_PLACEHOLDER && bookmark.bytes.contains(&cell.span.start)
                };
                if let Some(cell) = paragraph.cells.get(at).filter(is_shown) {
                    add(cell.character.encode_utf8(&mut [0; 4]));
                }
                at += 1;
                self.remaining = self.remaining.checked_sub(1).filter(|left| *left >= limit)?;
            }
        }
        Some(text)
    }
}

/// Returns, for each part, the sorted byte offsets where bookmarks begin or end. Only bookmarks that a REF field shows
/// are included.
fn bookmark_edges(texts: &[ScannedPart<'_>], bookmarks: &HashMap<&str, (usize, &Bookmark)>) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); texts.len()];
    let targets = texts.iter().flat_map(|text| &text.scan.references).filter_map(|field| match &field.target {
        ReferenceTarget::Text(name) => Some(name.as_str()),
        ReferenceTarget::Page(_) | ReferenceTarget::Computed => None,
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
