//! Windows metafiles become marks on a sheet ([MS-EMF], [MS-WMF]): lines, fills, text and bitmaps.
//!
//! What is known of them: pens, brushes and fonts with the system's own; windows, viewports and the world's transformation;
//! lines, polygons, curves, boxes, ellipses and their arcs, paths; clips that are boxes; text with its own widths; bitmaps,
//! also such as are masked or blended. What they draw beyond that makes the picture incomplete, which is told.
//! [MS-EMFPLUS] records are passed over: nearly all files that have them say the same in older records too.

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

/// What was played, and the sheet's size in points.
struct Played {
    player: player::Player,
    width: f64,
    height: f64,
}

/// Plays a metafile, of either kind. Its pictures ([`crate::ImageId`]) are numbered from 0 in the list that comes with
/// it. `None`: it is torn, or draws nothing but bitmaps, which are a picture by themselves.
pub fn read(data: &[u8]) -> Option<(Metafile, Vec<Vec<u8>>)> {
    let played = if data.get(40..44) == Some(b" EMF") { emf::play(data)? } else { wmf::play(data)? };
    let (width, height) = (played.width as f32, played.height as f32);
    let sound = |length: f32| length.is_finite() && length > 0.0;
    let player = played.player;
    if !player.vector || !sound(width) || !sound(height) {
        return None;
    }
    Some((Metafile { width, height, marks: player.marks, incomplete: player.incomplete }, player.bitmaps))
}
