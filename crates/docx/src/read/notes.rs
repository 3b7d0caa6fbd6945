//! Footnotes, endnotes (§17.11) and comments (§17.13.4).

use std::collections::{BTreeMap, HashMap};

use super::document::part_of_kind;
use super::part_reader::{DocumentState, PartReader, SharedContext};
use super::values::{integer, on_off_if_present};
use super::xml::{Element, Ns, Tree};
use crate::Result;
use crate::package::Relationship;
use crate::tree::*;

pub(crate) fn read_all_notes(
    shared: &SharedContext<'_>,
    gathered: &mut DocumentState,
    relationships: &[Relationship],
    document: &mut Document,
) -> Result<()> {
    let mut notes = |kind, name| read_notes(shared, gathered, part_of_kind(relationships, kind), name);
    (document.footnotes, document.footnote_separators) = notes("footnotes", "footnote")?;
    (document.endnotes, document.endnote_separators) = notes("endnotes", "endnote")?;
    Ok(())
}

fn read_notes(
    shared: &SharedContext<'_>,
    gathered: &mut DocumentState,
    part: Option<&str>,
    name: &str,
) -> Result<(BTreeMap<i64, Note>, NoteSeparators)> {
    let (mut notes, mut separators) = <(BTreeMap<_, _>, NoteSeparators)>::default();
    let tree = part.map_or(Ok(None), |part| shared.package.parse_part(part))?;
    let mut story = PartReader::new(shared, gathered, part.unwrap_or_default());
    for element in tree.iter().filter_map(Tree::root).flat_map(|root| root.children_with_name(Ns::W, name)) {
        let blocks = story.read_blocks(element);
        let separator = || NoteSeparator { blocks: blocks.clone(), line: has_line(element) };
        match element.word_attribute("type").unwrap_or("normal") {
            "separator" => separators.separator = Some(separator()),
            "continuationSeparator" => separators.continuation = Some(separator()),
            "continuationNotice" => separators.continuation_notice = Some(blocks).filter(|_| has_content(element)),
            "normal" => {
                if let Some(id) = element.word_attribute("id").and_then(integer) {
                    notes.insert(id, Note { blocks });
                }
            }
            _ => {}
        }
    }
    Ok((notes, separators))
}

/// Returns `true` if the separator contains Word's own separator line.
fn has_line(element: Element<'_>) -> bool {
    element.descendant(Ns::W, "separator").is_some() || element.descendant(Ns::W, "continuationSeparator").is_some()
}

/// Returns `true` if the continuation notice has content. Word writes an empty notice into every document; it takes no
/// space.
fn has_content(element: Element<'_>) -> bool {
    ["r", "hyperlink", "fldSimple", "tbl", "sdt"].iter().any(|name| element.descendant(Ns::W, name).is_some())
}

/// Reads all comments, and finds the parent comment of each reply.
pub(crate) fn read_comments(
    shared: &SharedContext<'_>,
    gathered: &mut DocumentState,
    relationships: &[Relationship],
) -> Result<Vec<Comment>> {
    let Some(part) = part_of_kind(relationships, "comments") else { return Ok(Vec::new()) };
    let Some(tree) = shared.package.parse_part(part)? else { return Ok(Vec::new()) };
    let Some(root) = tree.root() else { return Ok(Vec::new()) };
    let mut story = PartReader::new(shared, gathered, part);
    let mut comments = Vec::new();
    // The part `commentsExtended` identifies each comment by the id of the last paragraph of the comment.
    let mut by_paragraph = HashMap::new();
    for element in root.children_with_name(Ns::W, "comment") {
        let text = |name| element.word_attribute(name).unwrap_or("").to_owned();
        let paragraph =
            element.children_with_name(Ns::W, "p").last().and_then(|last| last.attribute(Ns::W14, "paraId"));
        if let Some(paragraph) = paragraph {
            by_paragraph.insert(paragraph.to_owned(), comments.len());
        }
        comments.push(Comment {
            id: text("id"),
            author: text("author"),
            reviewer: story.state.reviewer_number(element.word_attribute("author").unwrap_or("")),
            initials: text("initials"),
            date: element.word_attribute("date").map(str::to_owned),
            parent: None,
            done: false,
            blocks: story.read_blocks(element),
        });
    }
    let extended = part_of_kind(relationships, "commentsExtended");
    if let Some(tree) = extended.map_or(Ok(None), |part| shared.package.parse_part(part))? {
        for element in tree.root().into_iter().flat_map(|root| root.children_with_name(Ns::W15, "commentEx")) {
            apply_thread(element, &by_paragraph, &mut comments);
        }
    }
    Ok(comments)
}

fn apply_thread(element: Element<'_>, by_paragraph: &HashMap<String, usize>, comments: &mut [Comment]) {
    let find = |name| by_paragraph.get(element.attribute(Ns::W15, name)?).copied();
    let Some(index) = find("paraId") else { return };
    let parent = find("paraIdParent").and_then(|parent| comments.get(parent)).map(|parent| parent.id.clone());
    if let Some(comment) = comments.get_mut(index) {
        comment.parent = parent;
        comment.done = on_off_if_present(element.attribute(Ns::W15, "done")) == Some(true);
    }
}
