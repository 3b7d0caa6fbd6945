//! Chains of linked text boxes. The first box contains the text, which flows into the others (wps:linkedTxbx,
//! CT_LinkedTextboxInformation of \[MS-ODRAWXML\]; in VML mso-next-textbox, ECMA-376 part 4, §19.1.2.22).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use waraq_rules::{Finding, FindingCode};

use super::super::story::{Gathered, Story};
use super::super::xml::Element;
use crate::tree::*;

/// The maximum number of boxes in a chain; longer chains are cut. Word allows 32.
const MOST_BOXES: usize = 1_000;
/// The maximum number of bytes of XML that are laid out repeatedly, for all chains of a document. A paragraph is shaped
/// again for each box that it flows through.
const MOST_SET_AGAIN: usize = 4_000_000;

/// The text boxes so far that may be part of a chain.
#[derive(Default)]
pub(crate) struct Links {
    boxes: Vec<Linked>,
    /// The nesting depth in text boxes. As in Word, nested boxes cannot be linked; they could flow through themselves.
    pub inside: usize,
}

struct Linked {
    /// The identifier of the reader ([`Story::id`]). Only boxes of the same reader can be linked.
    story: NodeId,
    part: Arc<str>,
    /// The length in bytes of the XML of the longest paragraph or table in the box. 0: the box has no text of its own.
    bytes: usize,
    tie: Tie,
}

/// The link data of a text box.
pub(super) enum Tie {
    /// The id of the story that the box contains (wps:txbx).
    Story(i64),
    /// The id of the story that the box continues, and its position in the chain (wps:linkedTxbx).
    Continues(i64, i64),
    /// The names of the box and the name of the next box (VML).
    Named { names: [Option<String>; 2], next: Option<String> },
}

impl Story<'_, '_> {
    /// Registers a text box that may be part of a chain. `bytes` is the length of its longest block. Returns `None` for
    /// a nested box, which is in no chain.
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
    /// Returns the chains of two or more boxes in the order of their first boxes.
    ///
    /// Each box is in at most one chain, and only the first box of a chain has text of its own. An invalid link ends
    /// the chain.
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

/// Returns the chains of DrawingML. The continuing boxes are in the order of their numbers.
fn by_sequence(boxes: &[Linked]) -> Vec<Vec<TextBoxId>> {
    let mut chains: Vec<(TextBoxId, Vec<(i64, TextBoxId)>)> = Vec::new();
    let mut stories = HashMap::new();
    for (index, linked) in boxes.iter().enumerate() {
        if let Tie::Story(id) = linked.tie {
            // If several stories have the same id, the first is used.
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

/// Returns the chains of VML, which follow names from each box with text.
fn by_name(boxes: &[Linked]) -> Vec<Vec<TextBoxId>> {
    // The boxes without text by reader and name, in reverse order.
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
            // A box has two names and may already be used under the other one.
            let found = std::iter::from_fn(|| named.pop()).find(|index| taken.insert(*index));
            let Some((next, linked)) = found.and_then(|next| Some((next, boxes.get(next)?))) else { break };
            chain.push(TextBoxId(next));
            last = linked;
        }
        chains.push(chain);
    }
    chains
}

/// Returns the length in bytes of the longest block of a text box in XML.
pub(super) fn longest(content: Element<'_>) -> usize {
    content.children().map(|block| block.source().len()).max().unwrap_or(0)
}

/// Returns `true` if the blocks are empty, as Word writes them into boxes that continue other boxes.
pub(super) fn is_blank(blocks: &[Block]) -> bool {
    let blank = |paragraph: &Paragraph| paragraph.inlines.is_empty() && paragraph.label.is_none();
    blocks.iter().all(|block| matches!(block, Block::Paragraph(paragraph) if blank(paragraph)))
}
