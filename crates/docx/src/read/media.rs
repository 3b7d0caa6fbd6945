//! Images of the package. Each image is stored once.

use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::part_reader::PartReader;
use crate::package::Relationship;
use crate::tree::{Image, ImageFormat, ImageId, MarkContent};

impl PartReader<'_, '_> {
    /// Returns the image of an `r:embed` relationship. If the image is missing or external, adds a warning and returns
    /// `None`.
    pub(crate) fn related_image(&mut self, relationship: &str) -> Option<ImageId> {
        let Some(Relationship { target, external, .. }) = self.relationships.get(relationship).cloned() else {
            let message = format!("a picture is named ({relationship}) that the document does not hold");
            self.warn(DiagnosticCode::PictureMissing, message);
            return None;
        };
        if external {
            self.warn(DiagnosticCode::PictureElsewhere, format!("a picture is kept outside the document: {target}"));
            return None;
        }
        self.store_image(&target)
    }

    pub(crate) fn store_image(&mut self, part: &str) -> Option<ImageId> {
        if let Some(id) = self.state.image_by_part.get(part) {
            return Some(*id);
        }
        let Some(data) = self.shared.package.shared_part(part).filter(|data| !data.is_empty()) else {
            self.warn(DiagnosticCode::PictureMissing, format!("the picture {part} is not in the document"));
            return None;
        };
        let format = detect_format(&data);
        let id = ImageId(self.state.images.len());
        let location = self.location();
        self.state.images.push(Image { part: part.to_owned(), data: data.clone(), format, location });
        self.state.image_by_part.insert(part.to_owned(), id);
        if matches!(format, ImageFormat::Emf | ImageFormat::Wmf) {
            self.store_metafile(part, &data, id);
        }
        Some(id)
    }

    /// Stores the drawing commands of a metafile. Its bitmaps become images of the document.
    fn store_metafile(&mut self, part: &str, data: &[u8], id: ImageId) {
        let Some(played) = waraq_graphics::metafile::play(data).filter(|played| played.has_vector_marks) else {
            return;
        };
        let (mut metafile, bitmaps) = (played.metafile, played.bitmaps);
        let first = self.state.images.len();
        for mark in &mut metafile.marks {
            if let MarkContent::Picture { image, .. } = &mut mark.content {
                image.0 += first;
            }
        }
        let location = self.location();
        self.state.images.extend(bitmaps.into_iter().map(|data| {
            let format = detect_format(&data);
            Image { part: part.to_owned(), data: data.into(), format, location: location.clone() }
        }));
        if metafile.incomplete {
            self.warn(DiagnosticCode::PictureIncomplete, format!("{part}: not all that this metafile draws is drawn"));
        }
        self.state.metafiles.insert(id, Arc::new(metafile));
    }

    /// Returns the picture of the bullet with this `w:numPicBulletId`. A relationship of the numbering part refers to
    /// the picture. Returns `None` if the picture is missing.
    pub(crate) fn bullet_picture(&mut self, id: i64) -> Option<ImageId> {
        let shared = self.shared;
        self.store_image(shared.numbering.pictures.get(&id)?)
    }
}

/// Detects the image format from the magic bytes, because names and content types may be wrong.
pub(crate) fn detect_format(data: &[u8]) -> ImageFormat {
    match data {
        [0x89, b'P', b'N', b'G', ..] => ImageFormat::Png,
        [0xFF, 0xD8, 0xFF, ..] => ImageFormat::Jpeg,
        [b'G', b'I', b'F', b'8', ..] => ImageFormat::Gif,
        [b'B', b'M', ..] => ImageFormat::Bmp,
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => ImageFormat::Tiff,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ImageFormat::WebP,
        [0xD7, 0xCD, 0xC6, 0x9A, ..] | [1, 0, 9, 0, ..] | [2, 0, 9, 0, ..] => ImageFormat::Wmf,
        [1, 0, 0, 0, ..] if data.get(40..44) == Some(b" EMF") => ImageFormat::Emf,
        _ if is_svg(data) => ImageFormat::Svg,
        _ => ImageFormat::Unknown,
    }
}

fn is_svg(data: &[u8]) -> bool {
    let head = data.get(..data.len().min(1_024)).unwrap_or_default();
    head.windows(4).any(|window| window == b"<svg")
}
