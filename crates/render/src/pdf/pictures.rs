//! The pictures of a document as krilla's images: read once, JPEG as it is, PNG where PDF has the same.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use image::DynamicImage;
use krilla::image::{BitsPerComponent, CustomImage, Image as KrillaImage, ImageColorspace};
use waraq_layout::{Image, ImageFormat, ImageId, Pages, Warning};

use super::png::{self, Png};
use crate::geometry;
use crate::metafile;
use crate::picture::{self, Unreadable};
use crate::svg::{self, Svg};

/// Pixels a point that are kept of a picture, 300 an inch: more is neither seen nor printed.
const KEPT: f32 = 300.0 / 72.0;

/// A picture as it is drawn.
#[derive(Clone)]
pub(super) enum Readable {
    Pixels(KrillaImage),
    Drawing(Rc<Svg>),
}

pub(super) struct Pictures<'a> {
    images: &'a [Image],
    drawn_sizes: HashMap<ImageId, (f32, f32)>,
    read: HashMap<ImageId, Result<Readable, &'static str>>,
    /// Those that krilla has a stand-in of.
    stood_in_for: HashMap<ImageId, Png>,
    all_are_decoded: bool,
    warnings: Vec<Warning>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(pages: &'a Pages) -> Self {
        let drawn_sizes = geometry::drawn_sizes(&pages.pages);
        Self {
            images: &pages.images,
            drawn_sizes,
            read: HashMap::new(),
            stood_in_for: HashMap::new(),
            all_are_decoded: false,
            warnings: Vec::new(),
        }
    }

    /// The picture, or the label of the box that stands for it.
    pub(super) fn get(&mut self, id: ImageId) -> Result<Readable, &'static str> {
        if let Some(known) = self.read.get(&id) {
            return known.clone();
        }
        let (width, height) = self.drawn_sizes.get(&id).copied().unwrap_or((0.0, 0.0));
        let wanted = (width * KEPT, height * KEPT);
        let outcome = match self.images.get(id.0) {
            Some(image) if image.format == ImageFormat::Svg => self.drawing(image),
            Some(image) if matches!(image.format, ImageFormat::Emf | ImageFormat::Wmf) => {
                self.metafile(image, id, wanted)
            }
            Some(image) => match self.as_it_is(image, id, wanted) {
                Some(stand_in) => Ok(Readable::Pixels(stand_in)),
                None => {
                    read(image, id, wanted).map(Readable::Pixels).map_err(|unreadable| self.warn(image, unreadable))
                }
            },
            None => Err("Picture"),
        };
        self.read.insert(id, outcome.clone());
        outcome
    }

    /// What krilla is given of a picture that goes into the file undecoded.
    fn as_it_is(&mut self, image: &Image, id: ImageId, wanted: (f32, f32)) -> Option<KrillaImage> {
        if image.format != ImageFormat::Png || self.all_are_decoded {
            return None;
        }
        let png = Png::read(&image.data, |size| !picture::is_too_fine(size, wanted))?;
        let stand_in = KrillaImage::from_jpeg(png.stand_in(id)?.into(), false).ok()?;
        self.stood_in_for.insert(id, png);
        Some(stand_in)
    }

    pub(super) fn stood_in_for(&self) -> &HashMap<ImageId, Png> {
        &self.stood_in_for
    }

    /// From now on all pictures are decoded; whether that changes anything.
    pub(super) fn without_stand_ins(&mut self) -> bool {
        self.all_are_decoded = true;
        let pngs = std::mem::take(&mut self.stood_in_for);
        self.read.retain(|id, _| !pngs.contains_key(id));
        !pngs.is_empty()
    }

    pub(super) fn into_warnings(self) -> Vec<Warning> {
        self.warnings
    }

    fn drawing(&mut self, image: &Image) -> Result<Readable, &'static str> {
        match Svg::read(image) {
            Ok(svg) if svg::is_drawable(&svg) => {
                if svg.incomplete {
                    self.warnings.push(Warning {
                        code: "picture_incomplete",
                        part: image.part.clone(),
                        paragraph: None,
                        message: format!("the picture {} is drawn without its text, masks or effects", image.part),
                    });
                }
                Ok(Readable::Drawing(Rc::new(svg)))
            }
            Ok(_) => Err(picture::label(image.format)),
            Err(unreadable) => Err(self.warn(image, unreadable)),
        }
    }

    /// A metafile shows the bitmaps in it.
    fn metafile(&mut self, image: &Image, id: ImageId, wanted: (f32, f32)) -> Result<Readable, &'static str> {
        if let Some((_, false)) = metafile::bitmaps(&image.data) {
            self.warnings.push(Warning {
                code: "picture_incomplete",
                part: image.part.clone(),
                paragraph: None,
                message: format!("the picture {} is drawn without its lines and text", image.part),
            });
        }
        read(image, id, wanted).map(Readable::Pixels).map_err(|unreadable| self.warn(image, unreadable))
    }

    fn warn(&mut self, image: &Image, unreadable: Unreadable) -> &'static str {
        self.warnings.push(Warning {
            code: unreadable.code,
            part: image.part.clone(),
            paragraph: None,
            message: unreadable.message,
        });
        unreadable.label
    }
}

fn read(image: &Image, id: ImageId, wanted: (f32, f32)) -> Result<KrillaImage, Unreadable> {
    if image.format == ImageFormat::Jpeg && !png::is_like_a_stand_in(&image.data) {
        // only its head is read; a JPEG that krilla cannot pass on (lossless, arithmetic coding) may still be decoded
        let data: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(image.data.clone());
        if let Ok(passed_on) = KrillaImage::from_jpeg(data.into(), false)
            && passed_on.size().0 > 0
            && passed_on.size().1 > 0
        {
            return Ok(passed_on);
        }
    }
    let pixels = Pixels::new(picture::decode(image, wanted)?, id);
    KrillaImage::from_custom(pixels, false).map_err(|message| Unreadable {
        code: "picture_unreadable",
        message,
        label: picture::label(image.format),
    })
}

/// Eight bits a channel, colour and opacity apart, as PDF wants them.
#[derive(Clone)]
struct Pixels {
    id: ImageId,
    width: u32,
    height: u32,
    gray: bool,
    color: Arc<Vec<u8>>,
    alpha: Option<Arc<Vec<u8>>>,
}

impl Pixels {
    fn new(picture: DynamicImage, id: ImageId) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let channels = picture.color().channel_count();
        let gray = channels <= 2;
        let (color, alpha) = match channels {
            1 => (picture.into_luma8().into_raw(), None),
            2 => apart::<2>(&picture.into_luma_alpha8().into_raw()),
            3 => (picture.into_rgb8().into_raw(), None),
            _ => apart::<4>(&picture.into_rgba8().into_raw()),
        };
        Self { id, width, height, gray, color: Arc::new(color), alpha: alpha.map(Arc::new) }
    }
}

/// Splits the last of `N` channels off; an opacity that is full everywhere is none.
fn apart<const N: usize>(pixels: &[u8]) -> (Vec<u8>, Option<Vec<u8>>) {
    let mut color = Vec::with_capacity(pixels.len() / N * (N - 1));
    let mut alpha = Vec::with_capacity(pixels.len() / N);
    for pixel in pixels.chunks_exact(N) {
        if let Some((opacity, channels)) = pixel.split_last() {
            color.extend_from_slice(channels);
            alpha.push(*opacity);
        }
    }
    let opaque = alpha.iter().all(|opacity| *opacity == 255);
    (color, (!opaque).then_some(alpha))
}

impl Hash for Pixels {
    // krilla tells images apart by their hash; within a document the id does
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.id.0, self.width, self.height).hash(state);
    }
}

impl CustomImage for Pixels {
    fn color_channel(&self) -> &[u8] {
        &self.color
    }

    fn alpha_channel(&self) -> Option<&[u8]> {
        self.alpha.as_ref().map(|alpha| alpha.as_slice())
    }

    fn bits_per_component(&self) -> BitsPerComponent {
        BitsPerComponent::Eight
    }

    fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn icc_profile(&self) -> Option<&[u8]> {
        None
    }

    fn color_space(&self) -> ImageColorspace {
        if self.gray { ImageColorspace::Luma } else { ImageColorspace::Rgb }
    }
}
