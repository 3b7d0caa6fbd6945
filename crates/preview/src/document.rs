//! An open document. It is opened once. Each keystroke then fills it and lays it out again.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use serde::{Deserialize, Serialize};
use waraq_docx::fields::{DeclaredTypes, EmptyValue, FillOptions, Template, ValuePlace, Values};
use waraq_docx::{Budget, Meter, Package, ReadOptions, Result, TrackedChanges};
use waraq_layout::geometry::{self, IDENTITY, MAX_DEPTH};
use waraq_layout::{
    DisplayItem, Font, Image, ImageFormat, LayoutOptions, LineCache, Pages, Rect, TaggedItem, Transform,
};
use waraq_rules::{FieldType, PictureSizes, Structure, StructuredField, Value};

use crate::drawing::DrawingKeys;
use crate::fonts::FontFiles;

/// The layout options and values of a document.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LayoutRequest {
    /// The values of the fields by name. Fields without a value are empty. `None` lays out the template without filling.
    pub values: Option<BTreeMap<String, Value>>,
    /// The maximum sizes of pictures in the text.
    pub picture_sizes: PictureSizes,
    /// True to leave fields without a value blank. False shows a dotted line instead.
    pub blank: bool,
    /// Seconds since 1970-01-01T00:00:00Z, for DATE and TIME fields. 0 means that the time is unknown.
    pub now: i64,
    /// Offset of the local time from UTC in minutes, positive east of UTC.
    pub time_zone: i32,
    /// The country of the template (ISO 3166), for the dates and numbers of Word fields. `None`: the region of the text's
    /// language counts.
    pub country: Option<String>,
    /// True to show comments in a strip beside each page.
    pub comments: bool,
    /// True to show insertions and deletions, marked as such. False lays out the text as if all changes were accepted.
    pub changes: bool,
}

/// The result of laying out a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum LayoutOutcome {
    /// Font files are missing. Add them with [`Engine::add_font`](crate::Engine::add_font), then lay out the document again.
    Fonts {
        /// The names of the missing font files.
        files: Vec<&'static str>,
    },
    /// The document has been laid out.
    #[serde(rename_all = "camelCase")]
    Pages {
        /// The sizes of the pages, in page order.
        pages: Vec<PageSize>,
        /// The positions of the field values on the pages.
        blanks: Vec<ValueArea>,
        /// The targets of the links inside the document, by the name of the bookmark.
        destinations: BTreeMap<String, LinkDestination>,
        /// The language of the document (BCP 47). `None` if it is unknown.
        language: Option<String>,
        /// `true` if the document's language is written from right to left.
        right_to_left: bool,
    },
}

/// The size of a page in points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSize {
    /// The width of the page in points.
    pub width: f32,
    /// The height of the page in points.
    pub height: f32,
}

/// The area on a page of one part of a field's value, for example of one line. Distances are in points from the left
/// and the top of the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueArea {
    /// The index of the field in the list that [`Engine::fields`](crate::Engine::fields) returns. For a value in a list, this
    /// is the outermost list.
    pub field: u32,
    /// The numbers of the rows that contain the value, from 0, beginning with the row of the outermost list. Empty for a value
    /// outside lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<u32>,
    /// The names of the columns inside the outermost list. The last one is the column of the value. Empty for a value outside
    /// lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The index of the page, counted from 0.
    pub page: usize,
    /// The left edge of the area, in points from the left of the page.
    pub x: f32,
    /// The top edge of the area, in points from the top of the page.
    pub y: f32,
    /// The width of the area in points. It is 0 for an empty value.
    pub width: f32,
    /// The height of the area in points.
    pub height: f32,
}

/// The target of a link inside the document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkDestination {
    /// The index of the page with the target, counted from 0.
    pub page: usize,
    /// The distance of the target from the top of the page, in points.
    pub y: f32,
}

pub(crate) struct Document {
    template: Template,
    pub fields: Vec<String>,
    pub pages: Option<Pages>,
    /// The filled document of the last layout. `None` before the first layout of filled pages, and after an error.
    filled: Option<FilledDocument>,
    /// The lines of the last layout. The next layout reuses those that have not changed.
    lines: LineCache,
    /// The document's embedded fonts, each with the hash of its content. Each layout reads the document again and
    /// creates new fonts. Equal hashes show that a new font equals an earlier one.
    fonts: Vec<(u64, Font)>,
    /// The pictures that have been drawn so far. The key of a picture is its index in this list. A picture file of the
    /// document is listed once, even if it is drawn several times.
    images: Vec<Image>,
    hasher: foldhash::fast::FixedState,
}

impl Document {
    pub fn open(bytes: Vec<u8>, declared: &DeclaredTypes) -> Result<Self> {
        let package = Package::open_with_budget(bytes, &Budget::default())?;
        let template = Template::scan_with_types(package, declared)?;
        let fields = template.fields().iter().map(|field| field.name.clone()).collect();
        Ok(Self {
            template,
            fields,
            pages: None,
            filled: None,
            lines: LineCache::default(),
            fonts: Vec::new(),
            images: Vec::new(),
            hasher: foldhash::fast::FixedState::default(),
        })
    }

    pub fn lay_out(&mut self, request: &LayoutRequest, font_files: &FontFiles) -> Result<LayoutOutcome> {
        let filled = match &request.values {
            Some(values) => self.fill(values, request)?,
            None => {
                let package = self.template.package().with_budget(&Budget::default());
                FilledDocument::read(&package, Vec::new(), request)?
            }
        };
        let pages = lay_out_document(&filled.document, request, font_files, &self.lines);
        let files = font_files.take_missing();
        if !files.is_empty() {
            return Ok(LayoutOutcome::Fonts { files });
        }
        let pages = pages?;
        let places = &filled.places;
        let outcome = LayoutOutcome::Pages {
            pages: pages.pages.iter().map(|page| PageSize { width: page.width, height: page.height }).collect(),
            blanks: value_areas(&pages, places),
            destinations: link_destinations(&pages),
            language: pages.metadata.language.clone(),
            right_to_left: pages.right_to_left,
        };
        self.pages = Some(pages);
        self.filled = request.values.is_some().then_some(filled);
        Ok(outcome)
    }

    /// Returns the document with these values. If only texts differ from the last layout, they are replaced in its document,
    /// which is neither filled nor read again.
    fn fill(&mut self, values: &BTreeMap<String, Value>, request: &LayoutRequest) -> Result<FilledDocument> {
        let mut row = values.clone();
        complete_row(&mut row, &self.template.structure().0);
        let values = Values::from_pairs(row)?;
        if let Some(mut filled) = self.filled.take().filter(|filled| filled.fits(request))
            && let Some(changes) = self.template.text_changes(&values)
            && filled.document.replace_values(&changes)
        {
            filled.reset_meter();
            return Ok(filled);
        }
        let empty = if request.blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
        let (country, picture_sizes) = (request.country.as_deref(), Some(&request.picture_sizes));
        let options = FillOptions { empty, country, structure: None, picture_sizes };
        let (package, places) = self.template.fill_marked(&values, options, &Budget::default())?;
        FilledDocument::read(&package, places, request)
    }

    /// Returns the types of the fields.
    pub fn structure(&self) -> &Structure {
        self.template.structure()
    }

    /// Returns keys for the fonts and pictures of the last layout. A font or picture has the same key in every layout.
    pub fn drawing_keys(&mut self, font_files: &FontFiles) -> DrawingKeys {
        let mut keys = DrawingKeys::default();
        let Some(pages) = &self.pages else { return keys };
        for font in &pages.fonts {
            let data = (*font.data).as_ref();
            let key = font_files.index_of(data).unwrap_or_else(|| {
                let content = self.hasher.hash_one(data);
                let known = self.fonts.iter().position(|(known, _)| *known == content);
                let at = known.unwrap_or_else(|| {
                    self.fonts.push((content, font.clone()));
                    self.fonts.len() - 1
                });
                FIRST_EMBEDDED_FONT_KEY + at
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

    /// Returns the file of an embedded font and the index of the font in that file, or `None` if no embedded font has
    /// this key.
    pub fn embedded_font(&self, key: usize) -> Option<(&[u8], u32)> {
        let (_, font) = self.fonts.get(key.checked_sub(FIRST_EMBEDDED_FONT_KEY)?)?;
        Some(((*font.data).as_ref(), font.index))
    }

    /// Returns the file of a picture and its media type. Returns `None` if no picture has this key, or if browsers
    /// cannot decode the format.
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

/// The first key of embedded fonts. Smaller keys identify fonts of the product.
const FIRST_EMBEDDED_FONT_KEY: usize = 1_000;

/// A filled document and the options with which it was filled and read.
struct FilledDocument {
    document: waraq_docx::tree::Document,
    places: Vec<ValuePlace>,
    /// The request, without its values.
    request: LayoutRequest,
    /// The work and memory that were counted until the document was read.
    counted: (usize, usize),
}

impl FilledDocument {
    fn read(package: &Package, places: Vec<ValuePlace>, request: &LayoutRequest) -> Result<Self> {
        let tracked_changes = if request.changes { TrackedChanges::All } else { TrackedChanges::Final };
        let options = ReadOptions { tracked_changes, comments: request.comments, values: request.values.is_some() };
        let document = waraq_docx::read(package, &options)?;
        let count = |counted: u64| usize::try_from(counted).unwrap_or(usize::MAX);
        let counted = (count(document.meter.work()), count(document.meter.memory()));
        let request = LayoutRequest { values: None, ..request.clone() };
        Ok(Self { document, places, request, counted })
    }

    /// Returns true if a request has the options with which the document was filled and read. The time is used only by the layout.
    fn fits(&self, request: &LayoutRequest) -> bool {
        let known = &self.request;
        (known.blank, known.comments, known.changes) == (request.blank, request.comments, request.changes)
            && (&known.country, &known.picture_sizes) == (&request.country, &request.picture_sizes)
    }

    /// Counts the work and memory of the document as if it had just been read. Without this, they would add up with each layout.
    fn reset_meter(&mut self) {
        let meter = Meter::new(&Budget::default());
        let (work, memory) = self.counted;
        meter.spend(work);
        meter.allocate(memory);
        self.document.meter = meter;
    }
}

/// Lays out a document in the same way as `waraq_engine::lay_out`; a test compares both results. This crate does not
/// use `waraq_engine`, because `waraq_engine` would link the PDF writer too.
fn lay_out_document(
    document: &waraq_docx::tree::Document,
    request: &LayoutRequest,
    font_files: &FontFiles,
    lines: &LineCache,
) -> Result<Pages> {
    let options = LayoutOptions {
        now: request.now,
        utc_offset_minutes: request.time_zone,
        country: request.country.clone(),
        show_comments: request.comments,
        ..LayoutOptions::default()
    };
    waraq_layout::layout_again(document, font_files.book(), &options, lines)
}

fn link_destinations(pages: &Pages) -> BTreeMap<String, LinkDestination> {
    let mut found = BTreeMap::new();
    for destination in &pages.destinations {
        found.entry(destination.name.clone()).or_insert(LinkDestination { page: destination.page, y: destination.y });
    }
    found
}

/// Adds an empty value for each field without a value, and drops values without a field, also in the rows of lists. While the
/// user types, rows may be incomplete.
fn complete_row(row: &mut BTreeMap<String, Value>, fields: &[StructuredField]) {
    row.retain(|name, _| fields.iter().any(|field| field.name == *name));
    for field in fields {
        let value = row.entry(field.name.clone()).or_insert_with(|| Value::from(""));
        if let (FieldType::List, Value::List(rows)) = (field.field_type, value) {
            for row in rows {
                complete_row(row, &field.columns);
            }
        }
    }
}

fn value_areas(pages: &Pages, places: &[ValuePlace]) -> Vec<ValueArea> {
    let mut blanks = Vec::new();
    for (page, set) in pages.pages.iter().enumerate() {
        visit_items(&set.items, &IDENTITY, 0, &mut |item, through| {
            if let DisplayItem::Value { area, field } = item
                && let Some(ValuePlace { field, rows, columns }) = places.get(*field as usize).cloned()
            {
                let Rect { x, y, width, height } = geometry::transformed_bounds(through, area);
                if [x, y, width, height].iter().all(|number| number.is_finite()) {
                    blanks.push(ValueArea { field, rows, columns, page, x, y, width, height });
                }
            }
        });
    }
    blanks
}

/// Calls `each` for every item of a page. The second argument of `each` is the transform from the item to the page. The
/// items inside a group are passed to `each`, but the group itself is not.
fn visit_items(
    items: &[TaggedItem],
    to_page: &Transform,
    depth: usize,
    each: &mut dyn FnMut(&DisplayItem, &Transform),
) {
    for placed in items {
        match &placed.item {
            DisplayItem::Group { transform, items, .. } if depth < MAX_DEPTH => {
                visit_items(items, &geometry::concatenate(to_page, transform), depth + 1, each);
            }
            DisplayItem::Repeated { items, .. } if depth < MAX_DEPTH => visit_items(items, to_page, depth + 1, each),
            item => each(item, to_page),
        }
    }
}
