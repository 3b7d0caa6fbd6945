//! Lays out comments, if the options request them. They are in a strip that makes the page wider, so that the layout of the
//! text does not change.
//!
//! Each comment is at the height of its reference, with a dashed line from the reference to the comment, and the replies are
//! below the comment. If that height is occupied, the comment moves down, else up, else into another strip.

use std::sync::Arc;

use waraq_docx::tree::{Comment, Rgb, RunProperties};

use super::areas::Frame;
use super::border::plain;
use super::draft::Draft;
use super::paint::Painter;
use super::setter::Setter;
use super::spacing::as_paragraph;
use super::unit::Galley;
use crate::geometry::rectangle_path;
use crate::page::{Item, PathCommand, Placed, Rect, StrokePath};
use crate::text::{revision_color, single_line};

/// Width of a strip in points. `MARGIN` is the empty space at its sides.
const STRIP: f32 = 190.0;
const MARGIN: f32 = 10.0;
/// Gap in points between comments, and around the text of a comment.
const GAP: f32 = 6.0;
/// Height in points of the line with the author's name.
const HEAD: f32 = 12.0;
/// Indent of replies in points.
const INDENT: f32 = 10.0;

const PAPER: Rgb = Rgb(0xF2, 0xF2, 0xF2);
const GREY: Rgb = Rgb(0x80, 0x80, 0x80);
const WHITE: Rgb = Rgb(255, 255, 255);

/// A comment or reply with its laid-out text, to be drawn in the strip.
struct Balloon<'a> {
    comment: &'a Comment,
    galley: Galley<'a>,
    indent: f32,
    /// Position of the reference on the page. `None` for a reply.
    anchor: Option<(f32, f32)>,
    height: f32,
}

/// Returns the items of the comments referenced on a page, and the width in points that they add to the page. `references` has
/// the id of each comment and the position of its reference.
pub(super) fn beside<'a>(
    setter: &Setter<'a>,
    draft: &Draft<'a>,
    references: &[(Arc<str>, f32, f32)],
) -> (Vec<Placed>, f32) {
    if !setter.options.show_comments || setter.document.comments.is_empty() {
        return (Vec::new(), 0.0);
    }
    let page = draft.areas.page;
    let whole = Frame::of_header(draft.state.section, &draft.areas, 0.0);
    let frame = Frame { width: STRIP, page, margin: page, in_cell: true, ..whole };
    let balloons = balloons(setter, references, frame);
    let mut painter = Painter::new(setter, frame);
    painter.artifact = true;
    let (mut column, mut free) = (0.0, MARGIN);
    let mut lines = Vec::new();
    let mut rest: f32 = balloons.iter().map(|balloon| balloon.height + GAP).sum();
    for balloon in &balloons {
        let wanted = balloon.anchor.map_or(free, |(_, y)| y - HEAD).max(free);
        // Leave space for the remaining comments below this one, if they fit on the page at all.
        let lowest = page.height - MARGIN - if rest < page.height - free - MARGIN { rest } else { balloon.height };
        if free + balloon.height > page.height - MARGIN && free > MARGIN {
            (column, free) = (column + 1.0, MARGIN);
        }
        let top = wanted.min(lowest).max(free);
        let left = page.width + column * STRIP + MARGIN + balloon.indent;
        draw(&mut painter, balloon, left, top);
        if let Some((x, y)) = balloon.anchor {
            lines.push(leader((x, y + 2.0), page.width, (left, top + HEAD / 2.0), balloon.comment.reviewer));
        }
        free = top + balloon.height + GAP;
        rest -= balloon.height + GAP;
    }
    let width = (column + 1.0) * STRIP;
    let area = Rect::new(page.width, 0.0, width, page.height);
    let mut items = vec![plain(Item::Rectangle { area, color: PAPER, opacity: 1.0 })];
    items.extend(lines);
    items.extend(painter.canvas.flatten());
    (items, width)
}

/// Returns the comments referenced on a page from top to bottom, each followed by its replies.
fn balloons<'a>(setter: &Setter<'a>, references: &[(Arc<str>, f32, f32)], frame: Frame) -> Vec<Balloon<'a>> {
    let comments = &setter.document.comments;
    let find = |id: &str| comments.iter().find(|comment| comment.id == id);
    let mut first: Vec<_> = references
        .iter()
        .filter_map(|(id, x, y)| Some((find(id)?, *x, *y)))
        .filter(|(comment, ..)| comment.parent.as_deref().and_then(find).is_none())
        .collect();
    first.sort_by(|a, b| a.2.total_cmp(&b.2));
    let make = |comment: &'a Comment, indent: f32, anchor| {
        let width = STRIP - 2.0 * (MARGIN + GAP) - indent;
        let galley = setter.galley(&comment.blocks, frame.inner(width));
        let height = HEAD + galley.height + 2.0 * GAP;
        Balloon { comment, galley, indent, anchor, height }
    };
    let mut balloons = Vec::new();
    for (comment, x, y) in first {
        balloons.push(make(comment, 0.0, Some((x, y))));
        let answers = comments.iter().filter(|answer| answer.parent.as_deref() == Some(&comment.id));
        balloons.extend(answers.map(|answer| make(answer, INDENT, None)));
    }
    balloons
}

/// Draws a comment with its top left corner at (`left`, `top`).
fn draw<'a>(painter: &mut Painter<'_, 'a>, balloon: &Balloon<'a>, left: f32, top: f32) {
    let width = STRIP - 2.0 * MARGIN - balloon.indent;
    let area = Rect::new(left, top, width, balloon.height);
    let color = if balloon.comment.done { GREY } else { revision_color(balloon.comment.reviewer) };
    let body = &mut painter.canvas.body;
    body.push(plain(Item::Rectangle { area, color: WHITE, opacity: 1.0 }));
    body.push(plain(Item::Stroke(StrokePath::solid(rectangle_path(area), GREY, 0.25))));
    body.push(plain(Item::Rectangle { area: Rect { width: 2.0, ..area }, color, opacity: 1.0 }));
    let context = painter.setter.context(painter.frame.section);
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
    let room = width - 2.0 * GAP;
    let mut head = head(balloon.comment);
    let (mut runs, mut long) = single_line(context, &head, &run);
    while long > room && head.chars().count() > 2 {
        let kept = head.chars().count() * 9 / 10 - 1;
        head = head.chars().take(kept).chain(['…']).collect();
        (runs, long) = single_line(context, &head, &run);
    }
    let runs = runs.into_iter().map(|run| plain(Item::Glyphs(run.moved(left + GAP, top + HEAD - 1.0))));
    painter.canvas.body.extend(runs);
    let frame = painter.frame;
    painter.frame = frame.inner(room);
    painter.galley(&balloon.galley, left + GAP, top + HEAD + GAP);
    painter.frame = frame;
}

/// Returns the first line of a comment: its author and its date.
fn head(comment: &Comment) -> String {
    let day = comment.date.as_deref().and_then(|date| date.get(..10)).unwrap_or("");
    [comment.author.trim(), day].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Returns the line from the reference to the edge of the page and then to the comment.
fn leader(from: (f32, f32), edge: f32, to: (f32, f32), reviewer: usize) -> Placed {
    let path = vec![PathCommand::Move(from.0, from.1), PathCommand::Line(edge, from.1), PathCommand::Line(to.0, to.1)];
    let (color, dashes) = (revision_color(reviewer), vec![2.0, 2.0]);
    plain(Item::Stroke(StrokePath { path, color, width: 0.5, dashes, round_caps: false }))
}
