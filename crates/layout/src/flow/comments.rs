//! Lays out comments, if the options request them. They are in a strip beside the page. The strip makes the page wider, so that
//! the layout of the text does not change.
//!
//! Each comment is at the height of its reference. A dashed line connects the two. The replies are below the comment. If other
//! comments occupy that height, the comment moves down. If there is not enough space below, it moves up, or into another strip.

use waraq_docx::tree::{Comment, Rgb, RunProperties};

use super::areas::Frame;
use super::border::untagged;
use super::context::LayoutContext;
use super::fragment::UnboundedColumn;
use super::page_draft::PageDraft;
use super::paint::{NamedPosition, Painter};
use super::spacing::as_paragraph;
use crate::geometry::{line_to, move_to, rectangle_path};
use crate::page::{DisplayItem, Point, Rect, StrokePath, TaggedItem};
use crate::text::{revision_color, single_line};

/// Width of a strip in points. `STRIP_MARGIN` is the width of the empty space at each side of the strip.
const STRIP_WIDTH: f32 = 190.0;
const STRIP_MARGIN: f32 = 10.0;
/// Gap in points between comments, and around the text of a comment.
const COMMENT_GAP: f32 = 6.0;
/// Height in points of the line with the author's name.
const HEADER_HEIGHT: f32 = 12.0;
/// Indent of replies in points.
const REPLY_INDENT: f32 = 10.0;

const STRIP_COLOR: Rgb = Rgb(0xF2, 0xF2, 0xF2);
const GREY: Rgb = Rgb(0x80, 0x80, 0x80);
const WHITE: Rgb = Rgb(255, 255, 255);

/// A comment or reply with its laid-out text, to be drawn in the strip.
struct Balloon<'a> {
    comment: &'a Comment,
    content: UnboundedColumn<'a>,
    indent: f32,
    /// Position of the comment's reference on the page. `None` for a reply, which has no reference.
    anchor: Option<Point>,
    height: f32,
}

/// The strips with the comments of a page, at the right of the page.
#[derive(Default)]
pub(super) struct CommentStrips {
    /// The items of the strips in painting order.
    pub items: Vec<TaggedItem>,
    /// The width in points that the strips add to the page.
    pub width: f32,
}

/// Lays out the comments referenced on a page. `references` has the id of each comment and the position of its reference.
pub(super) fn comment_strips<'a>(
    ctx: &LayoutContext<'a>,
    draft: &PageDraft<'a>,
    references: &[NamedPosition],
) -> CommentStrips {
    if !ctx.options.show_comments || ctx.document.comments.is_empty() {
        return CommentStrips::default();
    }
    let page = draft.areas.page;
    let whole = Frame::of_header(draft.numbering.section, &draft.areas, 0.0);
    let frame = Frame { width: STRIP_WIDTH, page, margin: page, in_cell: true, ..whole };
    let balloons = balloons(ctx, references, frame);
    let mut painter = Painter::new(ctx, frame);
    painter.artifact = true;
    let (mut column, mut free) = (0.0, STRIP_MARGIN);
    let mut lines = Vec::new();
    let mut rest: f32 = balloons.iter().map(|balloon| balloon.height + COMMENT_GAP).sum();
    for balloon in &balloons {
        let wanted = balloon.anchor.map_or(free, |anchor| anchor.y - HEADER_HEIGHT).max(free);
        // Leave space for the comments that follow below this one, if they fit on the page at all.
        let lowest =
            page.height - STRIP_MARGIN - if rest < page.height - free - STRIP_MARGIN { rest } else { balloon.height };
        if free + balloon.height > page.height - STRIP_MARGIN && free > STRIP_MARGIN {
            (column, free) = (column + 1.0, STRIP_MARGIN);
        }
        let top = wanted.min(lowest).max(free);
        let left = page.width + column * STRIP_WIDTH + STRIP_MARGIN + balloon.indent;
        draw_balloon(&mut painter, balloon, left, top);
        if let Some(Point { x, y }) = balloon.anchor {
            let (from, to) = (Point { x, y: y + 2.0 }, Point { x: left, y: top + HEADER_HEIGHT / 2.0 });
            lines.push(connecting_line(from, page.width, to, balloon.comment.reviewer));
        }
        free = top + balloon.height + COMMENT_GAP;
        rest -= balloon.height + COMMENT_GAP;
    }
    let width = (column + 1.0) * STRIP_WIDTH;
    let area = Rect::new(page.width, 0.0, width, page.height);
    let mut items = vec![untagged(DisplayItem::Rectangle { area, color: STRIP_COLOR, opacity: 1.0 })];
    items.extend(lines);
    items.extend(painter.canvas.take_items());
    CommentStrips { items, width }
}

/// Returns the comments referenced on a page from top to bottom, each followed by its replies.
fn balloons<'a>(ctx: &LayoutContext<'a>, references: &[NamedPosition], frame: Frame) -> Vec<Balloon<'a>> {
    let comments = &ctx.document.comments;
    let find = |id: &str| comments.iter().find(|comment| comment.id == id);
    let mut first: Vec<_> = references
        .iter()
        .filter_map(|reference| Some((find(&reference.name)?, reference.position)))
        .filter(|(comment, _)| comment.parent.as_deref().and_then(find).is_none())
        .collect();
    first.sort_by(|(_, a), (_, b)| a.y.total_cmp(&b.y));
    let make = |comment: &'a Comment, indent: f32, anchor| {
        let width = STRIP_WIDTH - 2.0 * (STRIP_MARGIN + COMMENT_GAP) - indent;
        let content = ctx.lay_out_unbounded(&comment.blocks, frame.inner(width));
        let height = HEADER_HEIGHT + content.height + 2.0 * COMMENT_GAP;
        Balloon { comment, content, indent, anchor, height }
    };
    let mut balloons = Vec::new();
    for (comment, position) in first {
        balloons.push(make(comment, 0.0, Some(position)));
        let replies = comments.iter().filter(|answer| answer.parent.as_deref() == Some(&comment.id));
        balloons.extend(replies.map(|answer| make(answer, REPLY_INDENT, None)));
    }
    balloons
}

/// Draws a comment with its top left corner at (`left`, `top`).
fn draw_balloon<'a>(painter: &mut Painter<'_, 'a>, balloon: &Balloon<'a>, left: f32, top: f32) {
    let width = STRIP_WIDTH - 2.0 * STRIP_MARGIN - balloon.indent;
    let area = Rect::new(left, top, width, balloon.height);
    let color = if balloon.comment.done { GREY } else { revision_color(balloon.comment.reviewer) };
    let body = &mut painter.canvas.body;
    body.push(untagged(DisplayItem::Rectangle { area, color: WHITE, opacity: 1.0 }));
    body.push(untagged(DisplayItem::Stroke(StrokePath::solid(rectangle_path(area), GREY, 0.25))));
    body.push(untagged(DisplayItem::Rectangle { area: Rect { width: 2.0, ..area }, color, opacity: 1.0 }));
    let context = painter.ctx.text_context(painter.frame.section);
    let mark = balloon.comment.blocks.iter().find_map(as_paragraph).map(|p| (*p.mark).clone()).unwrap_or_default();
    let run = RunProperties {
        italic: false,
        italic_complex: false,
        size: 8.0,
        size_complex: 8.0,
        bold: true,
        bold_complex: true,
        color: Some(color),
        ..mark
    };
    let room = width - 2.0 * COMMENT_GAP;
    let mut head = header_text(balloon.comment);
    let mut line = single_line(context, &head, &run);
    while line.width > room && head.chars().count() > 2 {
        let kept = head.chars().count() * 9 / 10 - 1;
        head = head.chars().take(kept).chain(['…']).collect();
        line = single_line(context, &head, &run);
    }
    let runs = line
        .runs
        .into_iter()
        .map(|run| untagged(DisplayItem::Glyphs(run.translated(left + COMMENT_GAP, top + HEADER_HEIGHT - 1.0))));
    painter.canvas.body.extend(runs);
    let frame = painter.frame;
    painter.frame = frame.inner(room);
    painter.paint_unbounded(&balloon.content, left + COMMENT_GAP, top + HEADER_HEIGHT + COMMENT_GAP);
    painter.frame = frame;
}

/// Returns the first line of a comment: its author and its date.
fn header_text(comment: &Comment) -> String {
    let day = comment.date.as_deref().and_then(|date| date.get(..10)).unwrap_or("");
    [comment.author.trim(), day].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Returns the dashed line from the reference at `from` to the right edge of the page and then to the comment at `to`. `edge` is
/// the x position of the page edge. `reviewer` is the index of the author, which determines the colour of the line.
fn connecting_line(from: Point, edge: f32, to: Point, reviewer: usize) -> TaggedItem {
    let path = vec![move_to(from), line_to(Point { x: edge, ..from }), line_to(to)];
    let (color, dashes) = (revision_color(reviewer), vec![2.0, 2.0]);
    untagged(DisplayItem::Stroke(StrokePath { path, color, width: 0.5, dashes, round_caps: false }))
}
