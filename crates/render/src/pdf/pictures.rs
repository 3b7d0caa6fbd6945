//! The pictures of a document as krilla's images: JPEG as it is, for others a [stand-in](super::stand_in).

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::{Finding, FindingCode};

use krilla::image::{BitsPerComponent, CustomImage, Image as KrillaImage, ImageColorspace};
use waraq_layout::{Image, ImageFormat, ImageId, Pages};

use super::prepare::Preparation;
use super::stand_in;
use crate::metafile;
use crate::picture::{self, Apart, Unreadable};
use crate::svg::{self, Svg};

/// A picture as it is drawn.
#[derive(Clone)]
pub(super) enum Readable {
    Pixels(KrillaImage),
    Drawing(Rc<Svg>),
}

pub(super) struct Pictures<'a> {
    images: &'a [Image],
    prepared: &'a Preparation<'a>,
    read: HashMap<ImageId, Result<Readable, &'static str>>,
    without_stand_ins: bool,
    warnings: Vec<Finding>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(pages: &'a Pages, prepared: &'a Preparation<'a>) -> Self {
        Self { images: &pages.images, prepared, read: HashMap::new(), without_stand_ins: false, warnings: Vec::new() }
    }

    /// The picture, or the label of the box that stands for it.
    pub(super) fn get(&mut self, id: ImageId) -> Result<Readable, &'static str> {
        if let Some(known) = self.read.get(&id) {
            return known.clone();
        }
        let outcome = match self.images.get(id.0) {
            Some(image) if image.format == ImageFormat::Svg => self.drawing(image),
            Some(image) => {
                if matches!(image.format, ImageFormat::Emf | ImageFormat::Wmf) {
                    self.warn_of_what_is_left_out(image);
                }
                self.pixels(image, id).map(Readable::Pixels).map_err(|unreadable| self.warn(image, unreadable))
            }
            None => Err("Picture"),
        };
        self.read.insert(id, outcome.clone());
        outcome
    }

    fn pixels(&self, image: &Image, id: ImageId) -> Result<KrillaImage, Unreadable> {
        if image.format == ImageFormat::Jpeg && !stand_in::is_like_one(&image.data) {
            // only its head is read; a JPEG that krilla cannot pass on (lossless, arithmetic coding) may still be decoded
            let data: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(image.data.clone());
            if let Ok(passed_on) = KrillaImage::from_jpeg(data.into(), false)
                && passed_on.size().0 > 0
                && passed_on.size().1 > 0
            {
                return Ok(passed_on);
            }
        }
        let unreadable =
            |message| Unreadable { code: FindingCode::PictureUnreadable, message, label: picture::label(image.format) };
        if self.without_stand_ins {
            let decoded = Decoded { id, picture: Arc::new(Apart::decode(image, self.prepared.wanted(id))?) };
            return KrillaImage::from_custom(decoded, false).map_err(unreadable);
        }
        let cannot_be = |why| unreadable(format!("the picture {} {why}", image.part));
        let head = self.prepared.head(id).ok_or_else(|| cannot_be("is on no page"))??;
        let head = stand_in::of(id, head).ok_or_else(|| cannot_be("is too large"))?;
        KrillaImage::from_jpeg(head.into(), false).map_err(unreadable)
    }

    /// From now on pictures are decoded before they are drawn; whether that changes anything.
    pub(super) fn decoded_first(&mut self) -> bool {
        self.begin_again();
        self.prepared.distrust()
    }

    /// From now on krilla is given the pixels; whether that changes anything.
    pub(super) fn without_stand_ins(&mut self) -> bool {
        self.begin_again();
        !std::mem::replace(&mut self.without_stand_ins, true)
    }

    /// What is drawn again is warned of again, in the order it is drawn in.
    fn begin_again(&mut self) {
        self.read.clear();
        self.warnings.clear();
    }

    pub(super) fn into_warnings(self) -> Vec<Finding> {
        self.warnings
    }

    fn drawing(&mut self, image: &Image) -> Result<Readable, &'static str> {
        match Svg::read(image) {
            Ok(svg) if svg::is_drawable(&svg) => {
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

    /// A metafile shows the bitmaps in it.
    fn warn_of_what_is_left_out(&mut self, image: &Image) {
        if let Some((_, false)) = metafile::bitmaps(&image.data) {
            let message = format!("the picture {} is drawn without its lines and text", image.part);
            self.tell(image, FindingCode::PictureIncomplete, message);
        }
    }

    fn warn(&mut self, image: &Image, unreadable: Unreadable) -> &'static str {
        self.tell(image, unreadable.code, unreadable.message);
        unreadable.label
    }

    fn tell(&mut self, image: &Image, code: FindingCode, message: String) {
        let name = image.part.rsplit('/').next().unwrap_or(&image.part);
        self.warnings.push(image.location.finding(code, message).around(name));
    }
}

/// A picture that krilla compresses itself.
#[derive(Clone)]
struct Decoded {
    id: ImageId,
    picture: Arc<Apart>,
}

impl Hash for Decoded {
    // krilla tells images apart by their hash; within a document the id does
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.id.0, self.picture.head.size).hash(state);
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
        self.picture.head.size
    }

    fn icc_profile(&self) -> Option<&[u8]> {
        None
    }

    fn color_space(&self) -> ImageColorspace {
        if self.picture.head.gray { ImageColorspace::Luma } else { ImageColorspace::Rgb }
    }
}
