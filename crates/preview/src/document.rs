//! One document: opened once, then filled and laid out again at every keystroke.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use serde::{Deserialize, Serialize};
use waraq_docx::fields::{EmptyValue, FillOptions, Template, Values};
use waraq_docx::{Budget, Package, ReadOptions, Result, TrackedChanges};
use waraq_layout::geometry::{self, IDENTITY, MAX_DEPTH};
use waraq_layout::{Font, Image, ImageFormat, Item, LineMemory, Options, Pages, Placed, Rect, Transform};

use crate::drawing::Keys;
use crate::fonts::Shelf;

/// The layout options and values of a document.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Request {
    /// The values of the fields by name. Fields without a value are empty. `None` lays out the template without filling.
    pub values: Option<BTreeMap<String, String>>,
    /// Leave empty fields blank. Otherwise they become a dotted line.
    pub blank: bool,
    /// Seconds since 1970-01-01T00:00:00Z. 0 means that the time is unknown.
    pub now: i64,
    /// Offset from UTC in minutes, positive east of UTC.
    pub time_zone: i32,
    /// Show comments in a strip beside each page.
    pub comments: bool,
    /// Show insertions and deletions, marked as such.
    pub changes: bool,
}

/// The result of laying out a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Outcome {
    /// Font files are missing. Add them with [`Engine::add_font`](crate::Engine::add_font), then lay out the document again.
    Fonts {
        /// The names of the missing font files.
        files: Vec<&'static str>,
    },
    /// The document has been laid out.
    #[serde(rename_all = "camelCase")]
    Pages {
        /// The sizes of the pages.
        pages: Vec<PageSize>,
        /// The positions of the values.
        blanks: Vec<Blank>,
        /// The targets of links, by the name of the bookmark.
        destinations: BTreeMap<String, Spot>,
        /// The language of the document (BCP 47).
        language: Option<String>,
        /// `true` if the document's language is written from right to left.
        right_to_left: bool,
    },
}

/// The size of a page in points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSize {
    /// The width in points.
    pub width: f32,
    /// The height in points.
    pub height: f32,
}

/// The position of a part of a field's value, for example of one line, in points from the left and the top of the page. The width
/// of an empty value is 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blank {
    /// The index of the field among the document's fields.
    pub field: u32,
    /// The page, counted from 0.
    pub page: usize,
    /// The left edge.
    pub x: f32,
    /// The top edge.
    pub y: f32,
    /// The width.
    pub width: f32,
    /// The height.
    pub height: f32,
}

/// The target of a link inside the document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spot {
    /// The page, counted from 0.
    pub page: usize,
    /// The distance from the top of the page in points.
    pub y: f32,
}

pub(crate) struct Document {
    template: Template,
    pub fields: Vec<String>,
    pub pages: Option<Pages>,
    /// The lines of the last layout, for reuse.
    lines: LineMemory,
    /// The document's embedded fonts with the hash of their content. Each layout reads the document and creates its fonts again, so
    /// the hash is the only stable identification.
    fonts: Vec<(u64, Font)>,
    /// The document's pictures, one for each part that has been drawn.
    images: Vec<Image>,
    hasher: foldhash::fast::FixedState,
}

impl Document {
    pub fn open(bytes: Vec<u8>) -> Result<Self> {
        let package = Package::open_within(bytes, &Budget::default())?;
        let template = Template::read(package)?;
        let fields = template.fields().iter().map(|field| field.name.clone()).collect();
        let (pages, fonts, images, hasher) = (None, Vec::new(), Vec::new(), foldhash::fast::FixedState::default());
        Ok(Self { template, fields, pages, lines: LineMemory::default(), fonts, images, hasher })
    }

    pub fn set(&mut self, request: &Request, shelf: &Shelf) -> Result<Outcome> {
        let package = match &request.values {
            Some(given) => {
                let value = |name: &String| given.get(name).cloned().unwrap_or_default();
                let values = Values::from_pairs(self.fields.iter().map(|name| (name, value(name))))?;
                let empty = if request.blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
                self.template.fill_marked(&values, FillOptions { empty }, &Budget::default())?
            }
            None => self.template.package().within(&Budget::default()),
        };
        let pages = set(&package, request, shelf, &self.lines);
        let files = shelf.take_wanted();
        if !files.is_empty() {
            return Ok(Outcome::Fonts { files });
        }
        let pages = pages?;
        let outcome = Outcome::Pages {
            pages: pages.pages.iter().map(|page| PageSize { width: page.width, height: page.height }).collect(),
            blanks: blanks(&pages, self.fields.len()),
            destinations: destinations(&pages),
            language: pages.metadata.language.clone(),
            right_to_left: pages.right_to_left,
        };
        self.pages = Some(pages);
        Ok(outcome)
    }

    /// Returns keys for the fonts and pictures of the last layout. A font or picture has the same key in every layout.
    pub fn keys(&mut self, shelf: &Shelf) -> Keys {
        let mut keys = Keys::default();
        let Some(pages) = &self.pages else { return keys };
        for font in &pages.fonts {
            let data = (*font.data).as_ref();
            let key = shelf.number(data).unwrap_or_else(|| {
                let content = self.hasher.hash_one(data);
                let known = self.fonts.iter().position(|(known, _)| *known == content);
                let at = known.unwrap_or_else(|| {
                    self.fonts.push((content, font.clone()));
                    self.fonts.len() - 1
                });
                OWN_FONTS + at
            });
            keys.fonts.push((key, font.units_per_em));
        }
        for image in &pages.images {
            let known = self.images.iter().position(|known| known.part == image.part);
            keys.images.push(known.unwrap_or_else(|| {
                self.images.push(image.clone());
                self.images.len() - 1
            }));
        }
        keys
    }

    /// Returns the file of an embedded font and the index of the font in that file.
    pub fn font(&self, key: usize) -> Option<(&[u8], u32)> {
        let (_, font) = self.fonts.get(key.checked_sub(OWN_FONTS)?)?;
        Some(((*font.data).as_ref(), font.index))
    }

    /// Returns the file of a picture and its media type, or `None` if browsers cannot decode the format.
    pub fn image(&self, key: usize) -> Option<(&[u8], &'static str)> {
        let image = self.images.get(key)?;
        let kind = match image.format {
            ImageFormat::Png => "image/png",
            ImageFormat::Jpeg => "image/jpeg",
            ImageFormat::Gif => "image/gif",
            ImageFormat::Bmp => "image/bmp",
            ImageFormat::WebP => "image/webp",
            ImageFormat::Svg => "image/svg+xml",
            ImageFormat::Tiff | ImageFormat::Emf | ImageFormat::Wmf | ImageFormat::Unknown => return None,
        };
        Some((&image.data, kind))
    }
}

/// First key of embedded fonts. Smaller keys are fonts of the product.
const OWN_FONTS: usize = 1_000;

/// Lays out a document like `waraq_engine::pages` (a test compares both). That crate is not used, because it would link
/// the PDF writer too.
fn set(package: &Package, request: &Request, shelf: &Shelf, lines: &LineMemory) -> Result<Pages> {
    let tracked_changes = if request.changes { TrackedChanges::All } else { TrackedChanges::Final };
    let options = ReadOptions { tracked_changes, comments: request.comments, values: request.values.is_some() };
    let document = waraq_docx::read(package, &options)?;
    let options = Options {
        now: request.now,
        time_zone: request.time_zone,
        show_comments: request.comments,
        ..Options::default()
    };
    waraq_layout::layout_again(&document, shelf.book(), &options, lines)
}

fn destinations(pages: &Pages) -> BTreeMap<String, Spot> {
    let mut found = BTreeMap::new();
    for destination in &pages.destinations {
        found.entry(destination.name.clone()).or_insert(Spot { page: destination.page, y: destination.y });
    }
    found
}

fn blanks(pages: &Pages, fields: usize) -> Vec<Blank> {
    let mut blanks = Vec::new();
    for (page, set) in pages.pages.iter().enumerate() {
        visit(&set.items, &IDENTITY, 0, &mut |item, through| {
            if let Item::Value { area, field } = item
                && (*field as usize) < fields
            {
                let Rect { x, y, width, height } = geometry::bounds(through, area);
                if [x, y, width, height].iter().all(|number| number.is_finite()) {
                    blanks.push(Blank { field: *field, page, x, y, width, height });
                }
            }
        });
    }
    blanks
}

/// Calls `each` with every item of a page except groups, and with the item's transform to page coordinates.
fn visit(items: &[Placed], through: &Transform, depth: usize, each: &mut dyn FnMut(&Item, &Transform)) {
    for placed in items {
        match &placed.item {
            Item::Group { transform, items, .. } if depth < MAX_DEPTH => {
                visit(items, &geometry::concatenate(through, transform), depth + 1, each);
            }
            Item::Repeated { items, .. } if depth < MAX_DEPTH => visit(items, through, depth + 1, each),
            item => each(item, through),
        }
    }
}
