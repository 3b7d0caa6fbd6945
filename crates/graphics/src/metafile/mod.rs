//! Windows metafiles become marks on a sheet ([MS-EMF], [MS-WMF]): lines, fills, text and bitmaps.
//!
//! What is known of them: pens, brushes and fonts with the system's own; windows, viewports and the world's transformation;
//! lines, polygons, curves, boxes, ellipses and their arcs, paths; clips that are boxes; text with its own widths; bitmaps,
//! also such as are masked or blended. What they draw beyond that makes the picture incomplete, which is told.
//! [MS-EMFPLUS] records are passed over, but for whole picture files: nearly all files that have them say the same in older records
//! too.

mod bitmap;
mod bytes;
mod emf;
mod emf_bitmap;
mod emf_text;
mod mapping;
pub mod marks;
mod objects;
mod player;
mod shapes;
mod text;
mod wmf;

use marks::Metafile;

/// Records of one metafile that are walked.
const MOST_RECORDS: usize = 200_000;

/// What a metafile draws.
#[derive(Debug)]
pub struct Played {
    /// Its pictures ([`crate::shape::ImageId`]) are numbered from 0.
    pub metafile: Metafile,
    /// The picture files that its marks show.
    pub bitmaps: Vec<Vec<u8>>,
    /// Whether it draws more than bitmaps, which are a picture by themselves.
    pub vector: bool,
    /// Whole picture files among the records of [MS-EMFPLUS], where it draws no other bitmap: each of all the sheet.
    pub whole: Vec<Vec<u8>>,
}

/// Plays a metafile, of either kind. `None`: it is torn, or of no size.
pub fn play(data: &[u8]) -> Option<Played> {
    let (player, width, height) = if data.get(40..44) == Some(b" EMF") { emf::play(data)? } else { wmf::play(data)? };
    let (width, height) = (width as f32, height as f32);
    let sound = |length: f32| length.is_finite() && length > 0.0;
    if !sound(width) || !sound(height) {
        return None;
    }
    let whole = if player.bitmaps.is_empty() { emf::whole_pictures(data) } else { Vec::new() };
    let metafile = Metafile { width, height, marks: player.marks, incomplete: player.incomplete };
    Some(Played { metafile, bitmaps: player.bitmaps, vector: player.vector, whole })
}
