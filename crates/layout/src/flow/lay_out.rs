//! Lays out blocks into a column, into a column of unlimited height, and into text boxes.

use waraq_docx::tree::{Block, TextBox};

use super::areas::Frame;
use super::column::{BlockCache, ColumnBuilder, ColumnEnd, ColumnInput};
use super::context::LayoutContext;
use super::fragment::{BreakPosition, BreakToken, UnboundedColumn};
use super::notes::NoteBuilder;
use super::table::rows as table;
use super::text_box::{BoxText, CUT_OFF_TOLERANCE, ChainedBox, TextBoxChain};
use super::{paragraph, text_frame};

/// Work units charged to the meter for each paragraph or table, in addition to the units for its content.
const BLOCK_WORK: usize = 8;

/// Fills a column with blocks from `start` until it is full or all blocks are laid out.
pub(super) fn fill_column<'a>(builder: &mut ColumnBuilder<'_, 'a>, start: BreakToken) -> ColumnEnd {
    let mut resume = start;
    let blocks = builder.input.blocks;
    builder.begin_at(&resume);
    while let Some(block) = blocks.get(resume.block).filter(|_| builder.cursor.y <= builder.input.sufficient_height) {
        // The meter keeps the reason why it refuses work. The layout of the document returns that reason as an error.
        if !builder.input.ctx.meter().spend(BLOCK_WORK) {
            return ColumnEnd::Finished;
        }
        let end = match block {
            Block::Paragraph(of) => match &of.properties.frame {
                // In cells, Word lays out text frames in the normal flow.
                Some(frame) if !builder.input.frame.in_cell => {
                    resume = text_frame::lay_out_text_frame(builder, resume.block, frame);
                    continue;
                }
                _ => paragraph::lay_out_paragraph(builder, &resume, of),
            },
            Block::Table(of) => table::lay_out_table(builder, &resume, of),
        };
        match end {
            Some(ColumnEnd::Full(next)) => return ColumnEnd::Full(table::with_merged_cells(builder, next)),
            Some(end) => return end,
            None => resume = BreakToken::at_block(resume.block + 1),
        }
    }
    ColumnEnd::Finished
}

/// Lays out blocks vertically with unlimited height, until they are `enough` points high.
pub(super) fn lay_out_blocks<'a>(
    ctx: &LayoutContext<'a>,
    blocks: &'a [Block],
    frame: Frame,
    enough: f32,
) -> UnboundedColumn<'a> {
    if frame.is_too_deep() {
        return UnboundedColumn::default();
    }
    let frame = Frame { height: f32::INFINITY, ..frame };
    let mut memory = BlockCache::default();
    let mut builder = ColumnBuilder::new(
        ColumnInput { sufficient_height: enough, ..ColumnInput::new(ctx, blocks, frame) },
        true,
        &mut memory,
        None,
    );
    fill_column(&mut builder, BreakToken::at_block(0));
    builder.into_unbounded_column()
}

/// Lays out the text of a text box whose drawing is in `frame`, with lines of `width` points. If the box belongs to a chain of
/// linked text boxes, only the part of the chain's text that fits in the box is laid out.
pub(super) fn lay_out_text_box<'a>(
    ctx: &LayoutContext<'a>,
    text: &'a TextBox,
    frame: &Frame,
    width: f32,
) -> BoxText<'a> {
    let Some(ChainedBox { chain, index, space }) = ctx.chains.find_box(text) else {
        let frame = frame.inner(width);
        return BoxText { content: ctx.lay_out_unbounded(&text.blocks, frame), frame, last: true, merged: None };
    };
    let start = chained_box_start(ctx, chain, index, frame);
    let filled =
        start.and_then(|start| lay_out_chained_box(ctx, chain, index, &start, frame, &mut BlockCache::default()));
    let content = filled.unwrap_or_default().content;
    let last = index + 1 == chain.boxes.len();
    BoxText { content, frame: space.frame(frame), last, merged: Some(&chain.merged) }
}

/// Returns the position in the chain's text at which a linked text box begins. `index` is the index of the box in the chain. Lays
/// out the boxes before it if necessary. Returns `None` if the text ends before the box.
fn chained_box_start<'a>(
    ctx: &LayoutContext<'a>,
    chain: &TextBoxChain<'a>,
    index: usize,
    frame: &Frame,
) -> Option<BreakToken> {
    let mut memory = BlockCache::default();
    loop {
        // The borrow of `starts` must end before text is laid out.
        let (known, last) = {
            let starts = chain.starts.borrow();
            if let Some(start) = starts.get(index) {
                return start.clone();
            }
            (starts.len(), starts.last().cloned())
        };
        let next = match last {
            None => Some(BreakToken::at_block(0)),
            Some(start) => start
                .and_then(|start| lay_out_chained_box(ctx, chain, known - 1, &start, frame, &mut memory)?.next_start),
        };
        chain.starts.borrow_mut().push(next);
    }
}

/// The laid-out text of one box in a chain of linked text boxes.
#[derive(Default)]
struct FilledBox<'a> {
    /// The part of the chain's text that is in the box.
    content: UnboundedColumn<'a>,
    /// The position at which the next box resumes, or `None` if the text ends in this box.
    next_start: Option<BreakToken>,
}

/// Lays out the text of one box in a chain of linked text boxes. `index` is the index of the box. `start` is the position in the
/// text at which the box begins. Returns `None` if the boxes are nested too deep.
fn lay_out_chained_box<'a>(
    ctx: &LayoutContext<'a>,
    chain: &TextBoxChain<'a>,
    index: usize,
    start: &BreakToken,
    frame: &Frame,
    memory: &mut BlockCache<'a>,
) -> Option<FilledBox<'a>> {
    let (room, next) = (chain.boxes.get(index)?, chain.boxes.get(index + 1));
    // Text that does not fit in the last box is shown nowhere else, so the height of the last box is unlimited here.
    let height = next.map_or(f32::INFINITY, |_| room.height);
    let frame = Frame { height, ..room.frame(frame) };
    if frame.is_too_deep() {
        return None;
    }
    let fresh = start.block == 0 && matches!(start.position, BreakPosition::Start);
    let notes = next.map(|_| NoteBuilder::new(frame));
    let mut builder = ColumnBuilder::new(ColumnInput::new(ctx, chain.blocks, frame), fresh, memory, notes);
    let mut resume = start.clone();
    let mut end = loop {
        match fill_column(&mut builder, resume) {
            // A text box has no pages, so page breaks are ignored. A column break ends the box.
            ColumnEnd::PageBreak(after) => resume = after,
            ColumnEnd::Full(after) | ColumnEnd::ColumnBreak(after) => break Some(after),
            ColumnEnd::Finished => break None,
        }
    };
    let Some(next) = next else {
        return Some(FilledBox { content: builder.into_unbounded_column(), next_start: None });
    };
    if let Some(BreakToken { position: BreakPosition::Table { row_break: row_break @ Some(_), .. }, .. }) = &mut end
        && next.width.to_bits() != room.width.to_bits()
    {
        // A split row must have the same lines in both boxes. If the next box has another width, the whole row moves to it.
        *row_break = None;
        builder.output.fragments.pop();
        builder.cursor.y = builder.output.bottom();
    }
    // A line that is too high for the box moves to the next one.
    let alone = builder.output.fragments.len() == builder.output.repeated_rows + 1;
    if alone
        && builder
            .output
            .fragments
            .last()
            .is_some_and(|fragment| fragment.bottom_without_line_spacing() > height + CUT_OFF_TOLERANCE)
    {
        return Some(FilledBox { content: UnboundedColumn::default(), next_start: Some(start.clone()) });
    }
    Some(FilledBox { content: builder.into_unbounded_column(), next_start: end })
}
