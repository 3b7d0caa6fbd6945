//! Where two pictures differ.

use crate::sheet::{Colour, Sheet};

/// Of 255: less is anti-aliasing, which processors round each in its own way.
const NOISE: u8 = 20;
/// So many pixels may differ by more: the dot of an i is four.
const STRAY_PIXELS: usize = 2;
/// Pixels between the pictures that are shown beside each other.
const GAP: usize = 12;

pub struct Difference {
    pub what: String,
    /// Kept, actual, and the actual pale with what differs in red.
    pub sheet: Sheet,
}

/// `None` where they are alike.
pub fn difference(kept: &Sheet, actual: &Sheet) -> Option<Difference> {
    let (width, height) = (kept.width.max(actual.width), kept.height.max(actual.height));
    let (laid_kept, laid_actual) = (laid(kept, width, height), laid(actual, width, height));
    let mut marked = laid_actual.clone();
    let mut changed = 0;
    for (pixel, (before, after)) in marked.pixels.iter_mut().zip(laid_kept.pixels.iter().zip(&laid_actual.pixels)) {
        if differs(*before, *after) {
            changed += 1;
            *pixel = [255, 0, 0];
        } else {
            *pixel = after.map(|part| 192 + part / 4);
        }
    }
    let sized = (kept.width, kept.height) != (actual.width, actual.height);
    if !sized && changed <= STRAY_PIXELS {
        return None;
    }
    let what = if sized {
        format!("was {} by {} pixels, is {} by {}", kept.width, kept.height, actual.width, actual.height)
    } else {
        format!("{changed} pixels differ")
    };
    let mut sheet = Sheet::blank(width * 3 + GAP * 2, height);
    sheet.put(&laid_kept, 0);
    sheet.put(&laid_actual, width + GAP);
    sheet.put(&marked, (width + GAP) * 2);
    Some(Difference { what, sheet })
}

fn laid(sheet: &Sheet, width: usize, height: usize) -> Sheet {
    let mut laid = Sheet::blank(width, height);
    laid.put(sheet, 0);
    laid
}

fn differs(before: Colour, after: Colour) -> bool {
    before.iter().zip(after).any(|(before, after)| before.abs_diff(after) > NOISE)
}
