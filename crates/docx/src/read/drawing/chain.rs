//! Text boxes in chains: a story that the first holds and that flows on into the others (wps:linkedTxbx,
//! CT_LinkedTextboxInformation of \[MS-ODRAWXML\]; in VML mso-next-textbox, ECMA-376 part 4, §19.1.2.22).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use waraq_rules::{Finding, FindingCode};

use super::super::story::{Gathered, Story};
use super::super::xml::Element;
use crate::tree::*;

/// Word links 32 text boxes; longer chains end here.
const MOST_BOXES: usize = 1_000;
/// A paragraph is shaped again for each box it runs through: so many bytes of XML for all chains of a document.
const MOST_SET_AGAIN: usize = 4_000_000;

/// The text boxes read so far that may stand in a chain.
#[derive(Default)]
pub(crate) struct Links {
    boxes: Vec<Linked>,
    /// Text boxes around the text being read. Word has none in another: those would flow through themselves.
    pub inside: usize,
}

struct Linked {
    /// Boxes are linked only within one reading of a part.
    story: NodeId,
    part: Arc<str>,
    /// Of its longest paragraph or table, in XML; 0: it has no text of its own.
    bytes: usize,
    tie: Tie,
}

/// What a text box says of its chain.
pub(super) enum Tie {
    /// wps:txbx: the id of the story it holds.
    Story(i64),
    /// wps:linkedTxbx: the id of the story it goes on with, and its place in the chain.
    Continues(i64, i64),
    /// VML: by what names others know it, and the name of the next.
    Named { names: [Option<String>; 2], next: Option<String> },
}

impl Story<'_, '_> {
    /// A text box that may stand in a chain; `bytes` are those of its longest block; `None` for one inside another, which is in
    /// none.
    pub(super) fn linked(&mut self, bytes: usize, tie: Tie) -> Option<TextBoxId> {
        let (story, part, links) = (self.id, Arc::clone(&self.part), &mut self.gathered.links);
        if links.inside > 0 {
            return None;
        }
        links.boxes.push(Linked { story, part, bytes, tie });
        Some(TextBoxId(links.boxes.len() - 1))
    }
}

impl Gathered {
    /// The chains of more than one box, in the order of their first boxes. A box is in one of them at most, and has text of
    /// its own only at the beginning of one: a link to any other, to itself or to none ends its chain.
    pub(crate) fn text_chains(&mut self) -> Vec<Vec<TextBoxId>> {
        let links = std::mem::take(&mut self.links);
        let mut chains = by_sequence(&links.boxes);
        chains.extend(by_name(&links.boxes));
        chains.sort();
        let (mut left, mut cut) = (MOST_SET_AGAIN, None);
        for chain in &mut chains {
            let Some(first) = chain.first().and_then(|first| links.boxes.get(first.0)) else { continue };
            let most = (left / first.bytes.max(1)).saturating_add(1).min(MOST_BOXES);
            left = left.saturating_sub(first.bytes.saturating_mul(chain.len().min(most) - 1));
            if chain.len() > most {
                chain.truncate(most);
                cut.get_or_insert(&first.part);
            }
        }
        chains.retain(|chain| chain.len() > 1);
        if let Some(part) = cut {
            let message = "text that flows on through so many text boxes is not in the last of them".to_owned();
            self.warnings.push(Finding::new(FindingCode::LinkedTextBox, message).in_part(part.to_string()));
        }
        chains
    }
}

/// Chains of DrawingML: those that go on with a story in the order of their numbers.
fn by_sequence(boxes: &[Linked]) -> Vec<Vec<TextBoxId>> {
    let mut chains: Vec<(TextBoxId, Vec<(i64, TextBoxId)>)> = Vec::new();
    let mut stories = HashMap::new();
    for (index, linked) in boxes.iter().enumerate() {
        if let Tie::Story(id) = linked.tie {
            // Of stories with the same id the first counts.
            stories.entry((linked.story, id)).or_insert_with(|| {
                chains.push((TextBoxId(index), Vec::new()));
                chains.len() - 1
            });
        }
    }
    for (index, linked) in boxes.iter().enumerate() {
        if let Tie::Continues(id, sequence) = linked.tie
            && let Some(chain) = stories.get(&(linked.story, id)).and_then(|chain| chains.get_mut(*chain))
        {
            chain.1.push((sequence, TextBoxId(index)));
        }
    }
    let in_order = |(first, mut rest): (TextBoxId, Vec<(i64, TextBoxId)>)| {
        rest.sort();
        std::iter::once(first).chain(rest.into_iter().map(|(_, id)| id)).collect()
    };
    chains.into_iter().map(in_order).collect()
}

/// Chains of VML: from each box with text as far as the names lead.
fn by_name(boxes: &[Linked]) -> Vec<Vec<TextBoxId>> {
    // The boxes without text by their parts and names, the first last.
    let mut free: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, linked) in boxes.iter().enumerate().rev().filter(|(_, linked)| linked.bytes == 0) {
        if let Tie::Named { names, .. } = &linked.tie {
            for name in names.iter().flatten() {
                free.entry((linked.story, name)).or_default().push(index);
            }
        }
    }
    let mut taken = HashSet::new();
    let mut chains = Vec::new();
    for (index, linked) in boxes.iter().enumerate().filter(|(_, linked)| linked.bytes > 0) {
        let mut chain = vec![TextBoxId(index)];
        let mut last = linked;
        while let Tie::Named { next: Some(next), .. } = &last.tie {
            let Some(named) = free.get_mut(&(last.story, next)) else { break };
            // A box has two names, and may be taken under the other.
            let found = std::iter::from_fn(|| named.pop()).find(|index| taken.insert(*index));
            let Some((next, linked)) = found.and_then(|next| Some((next, boxes.get(next)?))) else { break };
            chain.push(TextBoxId(next));
            last = linked;
        }
        chains.push(chain);
    }
    chains
}

/// How long the longest of the blocks in a text box is in its XML.
pub(super) fn longest(content: Element<'_>) -> usize {
    content.children().map(|block| block.source().len()).max().unwrap_or(0)
}

/// Whether blocks hold nothing: what Word writes into the boxes that only go on with another's text.
pub(super) fn is_blank(blocks: &[Block]) -> bool {
    let blank = |paragraph: &Paragraph| paragraph.inlines.is_empty() && paragraph.label.is_none();
    blocks.iter().all(|block| matches!(block, Block::Paragraph(paragraph) if blank(paragraph)))
}
