//! Converts Windows metafiles ([MS-EMF], [MS-WMF]) to marks: lines, fills, text and bitmaps.
//!
//! The following records are supported:
//!
//! - pens, brushes and fonts, including stock objects;
//! - windows, viewports and the world transformation;
//! - lines, polygons, curves, boxes, ellipses and their arcs, and paths;
//! - rectangular clips;
//! - text, with the letter widths that a record specifies;
//! - bitmaps, including masked and blended ones.
//!
//! If a metafile contains other records that draw, the result is marked as incomplete. Records of [MS-EMFPLUS] are
//! ignored, except for the picture files in them. Nearly all files with [MS-EMFPLUS] records contain the same drawing
//! in older records too.

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

/// Maximum number of records that are read from a metafile.
const MAX_RECORDS: usize = 200_000;

/// A metafile, converted to marks: lines, fills, text and bitmaps.
#[derive(Debug)]
pub struct PlayedMetafile {
    /// The marks. The [`crate::shape::ImageId`] of a bitmap is its index in `bitmaps`.
    pub metafile: Metafile,
    /// The picture files that the marks show.
    pub bitmaps: Vec<Vec<u8>>,
    /// True if the metafile draws more than bitmaps. A metafile that draws only bitmaps can be used as a picture.
    pub has_vector_marks: bool,
    /// Picture files in [MS-EMFPLUS] records. Each of them covers the whole drawing area. If `bitmaps` is not empty,
    /// this list is empty, because the bitmaps are used instead.
    pub whole_pictures: Vec<Vec<u8>>,
}

/// Plays an EMF or WMF file. Returns `None` if the file is truncated or has no size.
pub fn play(data: &[u8]) -> Option<PlayedMetafile> {
    let (player, width, height) = if data.get(40..44) == Some(b" EMF") { emf::play(data)? } else { wmf::play(data)? };
    let (width, height) = (width as f32, height as f32);
    let sound = |length: f32| length.is_finite() && length > 0.0;
    if !sound(width) || !sound(height) {
        return None;
    }
    let whole = if player.bitmaps.is_empty() { emf::whole_pictures(data) } else { Vec::new() };
    let metafile = Metafile { width, height, marks: player.marks, incomplete: player.incomplete };
    Some(PlayedMetafile {
        metafile,
        bitmaps: player.bitmaps,
        has_vector_marks: player.has_vector_marks,
        whole_pictures: whole,
    })
}
