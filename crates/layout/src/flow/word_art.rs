//! WordArt: lines of letters drawn out to their box (part 4, §19.1.2.23; part 1, §21.1.2.1.28).

use waraq_docx::tree::{Alignment, RunProperties, WordArt};

use super::border::plain;
use crate::page::{Item, Rect, Transform};
use crate::text::{Context, line_extent, single_line};

/// What letters are shaped at before they are drawn out.
const SIZE: f32 = 36.0;
/// They are drawn out no further than this.
const MOST: f32 = 200.0;

/// The lines as text, in a group that makes them as large as they are to be. Word counts from the top of the first line to the
/// bottom of the last, not from ink to ink.
pub(super) fn items(context: &Context<'_>, art: &WordArt, area: Rect) -> Vec<Item> {
    let mut run = RunProperties::clone(&art.run);
    if art.fitted {
        (run.size, run.size_complex) = (SIZE, SIZE);
    }
    let (ascent, descent) = line_extent(context, &run);
    let lines: Vec<_> = art.lines.iter().map(|line| single_line(context, line, &run)).collect();
    let widest = lines.iter().map(|(_, width)| *width).fold(0.0, f32::max);
    let pitch = ascent + descent;
    let height = pitch * lines.len() as f32;
    if widest <= 0.0 || height <= 0.0 || area.width <= 0.0 || area.height <= 0.0 {
        return Vec::new();
    }
    let (across, down) = (area.width / widest, area.height / height);
    let (across, down) = if art.fitted {
        (across.min(MOST), down.min(MOST))
    } else {
        // As large as it was asked for, but no larger than its box.
        let share = across.min(down).min(1.0);
        (share, share)
    };
    let (left, top) = ((area.width / across - widest) / 2.0, (area.height / down - height) / 2.0);
    let mut glyphs = Vec::new();
    for (index, (runs, width)) in lines.into_iter().enumerate() {
        let aside = match art.alignment {
            Alignment::Center => (widest - width) / 2.0,
            Alignment::End => widest - width,
            _ => 0.0,
        };
        for mut run in runs {
            run.x += left + aside;
            run.y += top + pitch * index as f32 + ascent;
            glyphs.push(plain(Item::Glyphs(run)));
        }
    }
    let transform = Transform { a: across, b: 0.0, c: 0.0, d: down, e: area.x, f: area.y };
    vec![Item::Group { transform, clip: None, items: glyphs }]
}
