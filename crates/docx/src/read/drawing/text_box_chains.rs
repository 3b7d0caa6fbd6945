//! Chains of linked text boxes. The first box contains the text, which flows into the others (wps:linkedTxbx,
//! CT_LinkedTextboxInformation of \[MS-ODRAWXML\]; in VML mso-next-textbox, ECMA-376 part 4, §19.1.2.22).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use waraq_rules::{Diagnostic, DiagnosticCode};

use super::super::part_reader::{DocumentState, PartReader};
use super::super::xml::Element;
use crate::tree::*;

/// The maximum number of boxes in a chain; longer chains are cut. Word allows 32.
const MAX_CHAIN_LENGTH: usize = 1_000;
/// A limit on repeated layout, in bytes of XML, for all chains of a document together. A paragraph is shaped again for
/// each box that it flows through. Chains that exceed the limit are cut.
const MAX_REPEATED_LAYOUT_BYTES: usize = 4_000_000;

/// The text boxes read so far that may be part of a chain.
#[derive(Default)]
pub(crate) struct TextBoxLinks {
    boxes: Vec<ChainBox>,
    /// The number of text boxes around the current position. As in Word, a box inside another box cannot be linked,
    /// because otherwise text could flow through itself.
    pub text_box_depth: usize,
}

struct ChainBox {
    /// The identifier of the reader ([`PartReader::id`]). Only boxes of the same reader can be linked.
    part_reading: NodeId,
    part: Arc<str>,
    /// The length in bytes of the XML of the longest paragraph or table in the box. A box of length 0 has no text, so
    /// it can only continue another box.
    bytes: usize,
    link: TextBoxLink,
}

/// The link data of a text box.
pub(super) enum TextBoxLink {
    /// The id of the story that the box contains (wps:txbx).
    Story(i64),
    /// The id of the story that the box continues, and its position in the chain (wps:linkedTxbx).
    Continues(i64, i64),
    /// A VML box. `names` contains its `id` and `o:spid`. `next` is the name of the next box in the chain. `None`: the
    /// box has no next box.
    Named { names: [Option<String>; 2], next: Option<String> },
}

impl PartReader<'_, '_> {
    /// Registers a text box that may be part of a chain. `bytes` is the length in bytes of its longest block in XML.
    /// Returns `None` for a box inside another box, because it cannot be in a chain.
    pub(super) fn register_text_box(&mut self, bytes: usize, tie: TextBoxLink) -> Option<TextBoxId> {
        let (story, part, links) = (self.id, Arc::clone(&self.part), &mut self.state.text_box_links);
        if links.text_box_depth > 0 {
            return None;
        }
        links.boxes.push(ChainBox { part_reading: story, part, bytes, link: tie });
        Some(TextBoxId(links.boxes.len() - 1))
    }
}

impl DocumentState {
    /// Returns the chains of two or more boxes in the order of their first boxes.
    ///
    /// Each box is in at most one chain, and only the first box of a chain has text of its own. An invalid link ends
    /// the chain.
    pub(crate) fn text_chains(&mut self) -> Vec<Vec<TextBoxId>> {
        let links = std::mem::take(&mut self.text_box_links);
        let mut chains = chains_by_sequence(&links.boxes);
        chains.extend(chains_by_name(&links.boxes));
        chains.sort();
        let (mut remaining_bytes, mut first_cut_part) = (MAX_REPEATED_LAYOUT_BYTES, None);
        for chain in &mut chains {
            let Some(first) = chain.first().and_then(|first| links.boxes.get(first.0)) else { continue };
            let max_boxes = (remaining_bytes / first.bytes.max(1)).saturating_add(1).min(MAX_CHAIN_LENGTH);
            remaining_bytes =
                remaining_bytes.saturating_sub(first.bytes.saturating_mul(chain.len().min(max_boxes) - 1));
            if chain.len() > max_boxes {
                chain.truncate(max_boxes);
                first_cut_part.get_or_insert(&first.part);
            }
        }
        chains.retain(|chain| chain.len() > 1);
        if let Some(part) = first_cut_part {
            let message = "text that flows on through so many text boxes is not in the last of them".to_owned();
            self.warnings.push(Diagnostic::new(DiagnosticCode::LinkedTextBox, message).in_part(part.to_string()));
        }
        chains
    }
}

/// Returns the chains of DrawingML boxes: a box with a story, then the boxes that continue it, in the order of their
/// positions.
fn chains_by_sequence(boxes: &[ChainBox]) -> Vec<Vec<TextBoxId>> {
    let mut chains: Vec<(TextBoxId, Vec<(i64, TextBoxId)>)> = Vec::new();
    let mut stories = HashMap::new();
    for (index, linked) in boxes.iter().enumerate() {
        if let TextBoxLink::Story(id) = linked.link {
            // If several stories have the same id, the first is used.
            stories.entry((linked.part_reading, id)).or_insert_with(|| {
                chains.push((TextBoxId(index), Vec::new()));
                chains.len() - 1
            });
        }
    }
    for (index, linked) in boxes.iter().enumerate() {
        if let TextBoxLink::Continues(id, sequence) = linked.link
            && let Some(chain) = stories.get(&(linked.part_reading, id)).and_then(|chain| chains.get_mut(*chain))
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

/// Returns the chains of VML boxes. Each chain starts with a box that has text, and continues with boxes without text.
/// Each box of a chain contains the name of the next box.
fn chains_by_name(boxes: &[ChainBox]) -> Vec<Vec<TextBoxId>> {
    // The boxes without text by reader and name, in reverse order.
    let mut free: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, linked) in boxes.iter().enumerate().rev().filter(|(_, linked)| linked.bytes == 0) {
        if let TextBoxLink::Named { names, .. } = &linked.link {
            for name in names.iter().flatten() {
                free.entry((linked.part_reading, name)).or_default().push(index);
            }
        }
    }
    let mut used = HashSet::new();
    let mut chains = Vec::new();
    for (index, linked) in boxes.iter().enumerate().filter(|(_, linked)| linked.bytes > 0) {
        let mut chain = vec![TextBoxId(index)];
        let mut last = linked;
        while let TextBoxLink::Named { next: Some(next), .. } = &last.link {
            let Some(named) = free.get_mut(&(last.part_reading, next)) else { break };
            // A box has two names and may already be used under the other one.
            let found = std::iter::from_fn(|| named.pop()).find(|index| used.insert(*index));
            let Some((next, linked)) = found.and_then(|next| Some((next, boxes.get(next)?))) else { break };
            chain.push(TextBoxId(next));
            last = linked;
        }
        chains.push(chain);
    }
    chains
}

/// Returns the length in bytes of the XML of the longest block in a text box. Returns 0 if the box is empty.
pub(super) fn longest_block_bytes(content: Element<'_>) -> usize {
    content.children().map(|block| block.source().len()).max().unwrap_or(0)
}

/// Returns `true` if all blocks are paragraphs without content and label. Word writes such paragraphs into boxes that
/// continue another box.
pub(super) fn is_blank(blocks: &[Block]) -> bool {
    let blank = |paragraph: &Paragraph| paragraph.inlines.is_empty() && paragraph.label.is_none();
    blocks.iter().all(|block| matches!(block, Block::Paragraph(paragraph) if blank(paragraph)))
}
