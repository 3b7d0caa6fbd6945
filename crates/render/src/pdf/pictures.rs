//! Converts the pictures of a document to krilla images. JPEG files are embedded unchanged; others are decoded.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::{Diagnostic, DiagnosticCode};

use krilla::image::{BitsPerComponent, CustomImage, Image as KrillaImage, ImageColorspace};
use waraq_layout::{Image, ImageFormat, ImageId, Pages, Size, geometry};

use super::PdfPurpose;
use crate::metafile;
use crate::picture::{self, PdfPixels, Unreadable};
use crate::svg::Svg;

/// Maximum number of pixels of a picture for each point of the page: 300 dpi. Printers and screens do not show more.
const MAX_PIXELS_PER_POINT: f32 = 300.0 / 72.0;

/// A picture that can be drawn.
#[derive(Clone)]
pub(super) enum DrawablePicture {
    Pixels(KrillaImage),
    Drawing(Rc<Svg>),
}

pub(super) struct PictureLoader<'a> {
    images: &'a [Image],
    purpose: PdfPurpose,
    /// The largest size in points at which each picture is drawn.
    drawn_sizes: HashMap<ImageId, Size>,
    /// Pictures that have been decoded, or the labels of the boxes drawn in their place.
    loaded: HashMap<ImageId, Result<DrawablePicture, &'static str>>,
    warnings: Vec<Diagnostic>,
}

impl<'a> PictureLoader<'a> {
    pub(super) fn new(pages: &'a Pages, purpose: PdfPurpose) -> Self {
        let drawn_sizes = geometry::drawn_sizes(&pages.pages);
        Self { images: &pages.images, purpose, drawn_sizes, loaded: HashMap::new(), warnings: Vec::new() }
    }

    /// Returns the picture, and decodes it when it is first needed. If the picture cannot be drawn, returns the label
    /// of the box that is drawn in its place.
    pub(super) fn get(&mut self, id: ImageId) -> Result<DrawablePicture, &'static str> {
        if let Some(known) = self.loaded.get(&id) {
            return known.clone();
        }
        let outcome = match self.images.get(id.0) {
            Some(image) if image.format == ImageFormat::Svg => self.load_svg(image),
            Some(image) => self
                .load_pixels(image, id)
                .map(DrawablePicture::Pixels)
                .map_err(|unreadable| self.warn_unreadable(image, unreadable)),
            None => Err("Picture"),
        };
        self.loaded.insert(id, outcome.clone());
        outcome
    }

    fn load_pixels(&mut self, image: &Image, id: ImageId) -> Result<KrillaImage, Unreadable> {
        if image.format == ImageFormat::Jpeg && self.purpose == PdfPurpose::Document {
            // krilla reads only the header; a JPEG it cannot embed (lossless, arithmetic coding) may still be decoded below
            let data: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(image.data.clone());
            if let Ok(passed_on) = KrillaImage::from_jpeg(data.into(), false)
                && passed_on.size().0 > 0
                && passed_on.size().1 > 0
            {
                return Ok(passed_on);
            }
        }
        let Size { width, height } = self.drawn_sizes.get(&id).copied().unwrap_or_default();
        let pixels_per_point = match self.purpose {
            PdfPurpose::Document => MAX_PIXELS_PER_POINT,
            PdfPurpose::Rasterization(scale) => scale,
        };
        let wanted = (width * pixels_per_point, height * pixels_per_point);
        let bitmaps =
            matches!(image.format, ImageFormat::Emf | ImageFormat::Wmf).then(|| metafile::bitmaps(&image.data));
        let picture = match bitmaps.flatten() {
            Some((picture, complete)) => {
                if !complete {
                    let message = format!("the picture {} is drawn without its lines and text", image.part);
                    self.push_warning(image, DiagnosticCode::PictureIncomplete, message);
                }
                PdfPixels::from_decoded(picture, wanted)
            }
            None => PdfPixels::decode(image, wanted)?,
        };
        // krilla compresses the pixels at once and then frees them
        KrillaImage::from_custom(PixelImage { id, picture: Arc::new(picture) }, false)
            .map_err(|message| Unreadable { code: DiagnosticCode::PictureUnreadable, message })
    }

    pub(super) fn into_warnings(self) -> Vec<Diagnostic> {
        self.warnings
    }

    fn load_svg(&mut self, image: &Image) -> Result<DrawablePicture, &'static str> {
        match Svg::parse(image) {
            Ok(svg) if svg.is_drawable() => {
                if svg.incomplete {
                    let message = format!("the picture {} is drawn without its text, masks or effects", image.part);
                    self.push_warning(image, DiagnosticCode::PictureIncomplete, message);
                }
                Ok(DrawablePicture::Drawing(Rc::new(svg)))
            }
            Ok(_) => Err(picture::label(image.format)),
            Err(unreadable) => Err(self.warn_unreadable(image, unreadable)),
        }
    }

    fn warn_unreadable(&mut self, image: &Image, unreadable: Unreadable) -> &'static str {
        self.push_warning(image, unreadable.code, unreadable.message);
        picture::label(image.format)
    }

    fn push_warning(&mut self, image: &Image, code: DiagnosticCode, message: String) {
        let name = image.part.rsplit('/').next().unwrap_or(&image.part);
        self.warnings.push(image.location.finding(code, message).with_context(name));
    }
}

/// A decoded picture that krilla compresses.
#[derive(Clone)]
struct PixelImage {
    id: ImageId,
    picture: Arc<PdfPixels>,
}

impl Hash for PixelImage {
    // krilla identifies images by their hash; within a document the id is enough
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.id.0, self.picture.size).hash(state);
    }
}

impl CustomImage for PixelImage {
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
