//! Compares two pictures.

use crate::sheet::{Colour, Sheet};

/// Largest difference of a colour channel (of 255) that is ignored. Anti-aliasing differs between processors.
const IGNORED_DIFFERENCE: u8 = 20;
/// Number of pixels that may differ by more than [`IGNORED_DIFFERENCE`]. (The dot of an i has four pixels.)
const STRAY_PIXELS: usize = 2;
/// Space in pixels between the pictures of a comparison.
const GAP: usize = 12;

pub struct Difference {
    pub description: String,
    /// The expected picture, the actual one, and the actual one in pale colours with differences in red.
    pub sheet: Sheet,
}

/// Compares two pictures. Returns `None` if they are alike.
pub fn difference(kept: &Sheet, actual: &Sheet) -> Option<Difference> {
    let (width, height) = (kept.width.max(actual.width), kept.height.max(actual.height));
    let (laid_kept, laid_actual) = (on_canvas(kept, width, height), on_canvas(actual, width, height));
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
    sheet.copy_from(&laid_kept, 0);
    sheet.copy_from(&laid_actual, width + GAP);
    sheet.copy_from(&marked, (width + GAP) * 2);
    Some(Difference { description: what, sheet })
}

fn on_canvas(sheet: &Sheet, width: usize, height: usize) -> Sheet {
    let mut laid = Sheet::blank(width, height);
    laid.copy_from(sheet, 0);
    laid
}

fn differs(before: Colour, after: Colour) -> bool {
    before.iter().zip(after).any(|(before, after)| before.abs_diff(after) > IGNORED_DIFFERENCE)
}
