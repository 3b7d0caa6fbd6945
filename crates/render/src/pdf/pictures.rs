//! Converts the pictures of a document to krilla images. JPEG files are embedded unchanged; others are decoded.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::{Finding, FindingCode};

use krilla::image::{BitsPerComponent, CustomImage, Image as KrillaImage, ImageColorspace};
use waraq_layout::{Image, ImageFormat, ImageId, Pages, geometry};

use super::Purpose;
use crate::metafile;
use crate::picture::{self, Apart, Unreadable};
use crate::svg::Svg;

/// Maximum number of pixels of a picture for each point of the page: 300 dpi. Printers and screens do not show more.
const KEPT: f32 = 300.0 / 72.0;

/// A picture that can be drawn.
#[derive(Clone)]
pub(super) enum Readable {
    Pixels(KrillaImage),
    Drawing(Rc<Svg>),
}

pub(super) struct Pictures<'a> {
    images: &'a [Image],
    purpose: Purpose,
    /// The largest size in points at which each picture is drawn.
    drawn_sizes: HashMap<ImageId, (f32, f32)>,
    /// Pictures that have been decoded, or the labels of the boxes drawn in their place.
    read: HashMap<ImageId, Result<Readable, &'static str>>,
    warnings: Vec<Finding>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(pages: &'a Pages, purpose: Purpose) -> Self {
        let drawn_sizes = geometry::drawn_sizes(&pages.pages);
        Self { images: &pages.images, purpose, drawn_sizes, read: HashMap::new(), warnings: Vec::new() }
    }

    /// Returns the picture, or the label of the box drawn in its place.
    pub(super) fn get(&mut self, id: ImageId) -> Result<Readable, &'static str> {
        if let Some(known) = self.read.get(&id) {
            return known.clone();
        }
        let outcome = match self.images.get(id.0) {
            Some(image) if image.format == ImageFormat::Svg => self.drawing(image),
            Some(image) => {
                self.pixels(image, id).map(Readable::Pixels).map_err(|unreadable| self.warn(image, unreadable))
            }
            None => Err("Picture"),
        };
        self.read.insert(id, outcome.clone());
        outcome
    }

    fn pixels(&mut self, image: &Image, id: ImageId) -> Result<KrillaImage, Unreadable> {
        if image.format == ImageFormat::Jpeg && self.purpose == Purpose::Paper {
            // krilla reads only the header; a JPEG it cannot embed (lossless, arithmetic coding) may still be decoded below
            let data: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(image.data.clone());
            if let Ok(passed_on) = KrillaImage::from_jpeg(data.into(), false)
                && passed_on.size().0 > 0
                && passed_on.size().1 > 0
            {
                return Ok(passed_on);
            }
        }
        let (width, height) = self.drawn_sizes.get(&id).copied().unwrap_or_default();
        let kept = match self.purpose {
            Purpose::Paper => KEPT,
            Purpose::Pixels(scale) => scale,
        };
        let wanted = (width * kept, height * kept);
        let bitmaps =
            matches!(image.format, ImageFormat::Emf | ImageFormat::Wmf).then(|| metafile::bitmaps(&image.data));
        let picture = match bitmaps.flatten() {
            Some((picture, complete)) => {
                if !complete {
                    let message = format!("the picture {} is drawn without its lines and text", image.part);
                    self.tell(image, FindingCode::PictureIncomplete, message);
                }
                Apart::of(picture, wanted)
            }
            None => Apart::decode(image, wanted)?,
        };
        // krilla compresses the pixels at once and then frees them
        KrillaImage::from_custom(Decoded { id, picture: Arc::new(picture) }, false)
            .map_err(|message| Unreadable { code: FindingCode::PictureUnreadable, message })
    }

    pub(super) fn into_warnings(self) -> Vec<Finding> {
        self.warnings
    }

    fn drawing(&mut self, image: &Image) -> Result<Readable, &'static str> {
        match Svg::read(image) {
            Ok(svg) if svg.is_drawable() => {
                if svg.incomplete {
                    let message = format!("the picture {} is drawn without its text, masks or effects", image.part);
                    self.tell(image, FindingCode::PictureIncomplete, message);
                }
                Ok(Readable::Drawing(Rc::new(svg)))
            }
            Ok(_) => Err(picture::label(image.format)),
            Err(unreadable) => Err(self.warn(image, unreadable)),
        }
    }

    fn warn(&mut self, image: &Image, unreadable: Unreadable) -> &'static str {
        self.tell(image, unreadable.code, unreadable.message);
        picture::label(image.format)
    }

    fn tell(&mut self, image: &Image, code: FindingCode, message: String) {
        let name = image.part.rsplit('/').next().unwrap_or(&image.part);
        self.warnings.push(image.location.finding(code, message).around(name));
    }
}

/// A decoded picture that krilla compresses.
#[derive(Clone)]
struct Decoded {
    id: ImageId,
    picture: Arc<Apart>,
}

impl Hash for Decoded {
    // krilla identifies images by their hash; within a document the id is enough
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.id.0, self.picture.size).hash(state);
    }
}

impl CustomImage for Decoded {
    fn color_channel(&self) -> &[u8] {
        &self.picture.color
    }

    fn alpha_channel(&self) -> Option<&[u8]> {
        self.picture.alpha.as_deref()
    }

    fn bits_per_component(&self) -> BitsPerComponent {
        BitsPerComponent::Eight
    }

    fn size(&self) -> (u32, u32) {
        self.picture.size
    }

    fn icc_profile(&self) -> Option<&[u8]> {
        None
    }

    fn color_space(&self) -> ImageColorspace {
        if self.picture.gray { ImageColorspace::Luma } else { ImageColorspace::Rgb }
    }
}
