//! Images of the package. Each image is stored once.

use std::sync::Arc;
use waraq_rules::FindingCode;

use super::story::Story;
use crate::package::Relationship;
use crate::tree::{Drawn, Image, ImageFormat, ImageId};

impl Story<'_, '_> {
    /// Returns the image of an `r:embed` relationship. Returns `None` with a warning if it is missing or external.
    pub(crate) fn image(&mut self, relationship: &str) -> Option<ImageId> {
        let Some(Relationship { target, external, .. }) = self.relationships.get(relationship).cloned() else {
            let message = format!("a picture is named ({relationship}) that the document does not hold");
            self.warn(FindingCode::PictureMissing, message);
            return None;
        };
        if external {
            self.warn(FindingCode::PictureElsewhere, format!("a picture is kept outside the document: {target}"));
            return None;
        }
        self.image_part(&target)
    }

    pub(crate) fn image_part(&mut self, part: &str) -> Option<ImageId> {
        if let Some(id) = self.gathered.image_by_part.get(part) {
            return Some(*id);
        }
        let Some(data) = self.shared.package.shared_part(part).filter(|data| !data.is_empty()) else {
            self.warn(FindingCode::PictureMissing, format!("the picture {part} is not in the document"));
            return None;
        };
        let format = format_of(&data);
        let id = ImageId(self.gathered.images.len());
        let location = self.location();
        self.gathered.images.push(Image { part: part.to_owned(), data: data.clone(), format, location });
        self.gathered.image_by_part.insert(part.to_owned(), id);
        if matches!(format, ImageFormat::Emf | ImageFormat::Wmf) {
            self.play(part, &data, id);
        }
        Some(id)
    }

    /// Stores the drawing commands of a metafile. Its bitmaps become images of the document.
    fn play(&mut self, part: &str, data: &[u8], id: ImageId) {
        let Some(played) = waraq_graphics::metafile::play(data).filter(|played| played.vector) else { return };
        let (mut metafile, bitmaps) = (played.metafile, played.bitmaps);
        let first = self.gathered.images.len();
        for mark in &mut metafile.marks {
            if let Drawn::Picture { image, .. } = &mut mark.drawn {
                image.0 += first;
            }
        }
        let location = self.location();
        self.gathered.images.extend(bitmaps.into_iter().map(|data| {
            let format = format_of(&data);
            Image { part: part.to_owned(), data: data.into(), format, location: location.clone() }
        }));
        if metafile.incomplete {
            self.warn(FindingCode::PictureIncomplete, format!("{part}: not all that this metafile draws is drawn"));
        }
        self.gathered.metafiles.insert(id, Arc::new(metafile));
    }

    /// Returns the picture of a bullet, which is a part related to the numbering part.
    pub(crate) fn bullet_picture(&mut self, id: i64) -> Option<ImageId> {
        let shared = self.shared;
        self.image_part(shared.numbering.pictures.get(&id)?)
    }
}

/// Detects the image format from the magic bytes, because names and content types may be wrong.
pub(crate) fn format_of(data: &[u8]) -> ImageFormat {
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
