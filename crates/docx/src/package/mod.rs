//! The zip package (ECMA-376 part 2, Open Packaging Conventions): its parts and their relationships.
//!
//! Opening a package reads the zip directory and the XML parts, so that damaged documents are refused at once. Pictures
//! and fonts are inflated on first use. Saving copies unchanged parts from the archive without inflating them.

mod archive;
mod conversion;
mod encoding;
pub mod limits;
mod names;
mod needed;
mod new_parts;
mod relationships;
mod save;
pub(crate) mod xml;

use std::collections::HashMap;
use std::sync::OnceLock;

use bytes::Bytes;
pub(crate) use encoding::utf16;
use limits::{MAX_PART_BYTES, MAX_RATIO, MAX_TOTAL_BYTES, MAX_XML_PART_BYTES, RATIO_FREE_BYTES};
pub(crate) use names::relationships_part;
pub(crate) use new_parts::NewRelationship;
pub use relationships::Relationship;
pub(crate) use relationships::attribute;
use waraq_graphics::xml::Tree;
use waraq_rules::ErrorCode;

use crate::{Budget, Error, Meter, Result};

const CONTENT_TYPES: &str = "[Content_Types].xml";
/// The content type of the main part of a document (`.docx`).
const DOCUMENT_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
/// The allowed content types of a main document part: documents and templates, with and without macros.
const WORD_MAIN: [&str; 4] = [
    DOCUMENT_TYPE,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
    "application/vnd.ms-word.document.macroenabled.main+xml",
    "application/vnd.ms-word.template.macroenabledtemplate.main+xml",
];

/// An opened `.docx`. Part names have no leading slash (`word/document.xml`).
#[derive(Clone)]
pub struct Package {
    archive: archive::Archive,
    parts: Vec<Part>,
    /// Maps the lower-case name of each part to its index in `parts`.
    index: HashMap<String, usize>,
    /// The relationships by the lower-case name of their source part. The key of the package's own relationships is the
    /// empty string.
    relationships: HashMap<String, Vec<Relationship>>,
    content_types: relationships::ContentTypes,
    main: String,
    /// The errors of the parts that are damaged or over a limit. The pages need none of these parts.
    skipped_part_errors: Vec<Error>,
    /// The meter that counts the work on this package.
    meter: Meter,
}

impl std::fmt::Debug for Package {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Package({}, {} parts)", self.main, self.parts.len())
    }
}

/// The entry of a part that is not in the zip archive, because it was added after the package was opened.
const NEW_ENTRY: usize = usize::MAX;

#[derive(Clone)]
struct Part {
    name: String,
    /// The index of the part's entry in the zip archive, from 0, or [`NEW_ENTRY`].
    entry: usize,
    size: u64,
    is_xml: bool,
    /// The inflated content, or the error of a part that is damaged or over a limit. The cell is empty until the part
    /// is first read. XML is converted to UTF-8 without a byte order mark.
    content: OnceLock<Result<Bytes>>,
    /// The content was replaced after the package was opened, so it differs from the content in the zip archive.
    changed: bool,
}

impl Package {
    /// Opens a `.docx` file. `bytes` is the content of the file.
    ///
    /// # Errors
    /// - Not a zip archive, or a damaged one: `not_a_zip`, `truncated_zip`, `corrupted_zip`, `multi_volume`,
    ///   `encrypted_zip`, `unsupported_compression`, `overlapping_entries`, `duplicate_part`, `unsafe_part_name`.
    /// - Protected, or another kind of file: `encrypted_document`, `old_word_document`, `not_a_word_document`.
    /// - Not a package: `missing_content_types`, `missing_main_part`, `malformed_xml`.
    /// - Over a limit: the error code in the description of that limit in [`limits`].
    pub fn open(bytes: &[u8]) -> Result<Self> {
        Self::open_with_budget(Bytes::copy_from_slice(bytes), &Budget::default())
    }

    /// Opens a document within a budget. Later work on the package counts against the same budget.
    ///
    /// The bytes are not copied. Parts stored without compression (most pictures) are slices of `bytes`.
    ///
    /// # Errors
    /// Returns the errors of [`Package::open`], `too_complex` if the budget is exceeded, and `cancelled` if the work
    /// was cancelled.
    pub fn open_with_budget(bytes: impl Into<Bytes>, budget: &Budget) -> Result<Self> {
        let mut archive = archive::open_archive(bytes.into())?;
        let parts = list_parts(&mut archive)?;
        let mut index = HashMap::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            if index.insert(names::fold_case(&part.name), at).is_some() {
                return Err(duplicate_part_error(&part.name));
            }
        }
        let empty = relationships::ContentTypes::default();
        let mut package = Self {
            archive,
            parts,
            index,
            relationships: HashMap::new(),
            content_types: empty,
            main: String::new(),
            skipped_part_errors: Vec::new(),
            meter: Meter::new(budget),
        };
        package.content_types = package.read_content_types()?;
        let mut broken = package.read_relationships()?;
        package.main = package.find_main_part()?;
        for (at, part) in package.parts.iter().enumerate() {
            // XML parts and parts over a limit are checked now. Other parts are inflated on first use.
            let is_checked = part.is_xml || part.content.get().is_some();
            if part.is_xml {
                package.meter.spend(inflation_cost(part.size));
                package.meter.allocate(usize::try_from(part.size).unwrap_or(usize::MAX));
            }
            package.meter.outcome()?;
            if let (true, Err(error)) = (is_checked, package.part_content(part)) {
                broken.push((at, error));
            }
        }
        let parts = broken.into_iter().filter_map(|(at, error)| Some((package.parts.get(at)?, error)));
        package.skipped_part_errors = needed::errors_of_unneeded_parts(
            parts,
            &needed::reachable_from_main(&package.main, &package.relationships),
        )?;
        Ok(package)
    }

    /// Returns a copy of the package with a budget of its own. The memory of the XML parts counts against the new
    /// budget immediately.
    #[must_use]
    pub fn with_budget(&self, budget: &Budget) -> Self {
        let meter = Meter::new(budget);
        meter.allocate(self.xml_bytes());
        Self { meter, ..self.clone() }
    }

    /// Returns the meter that counts the work and memory of this package.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Returns the errors of the parts that are damaged or over a limit. The pages need none of these parts. Examples
    /// are properties, a thumbnail and custom XML.
    ///
    /// Reading treats such a part as missing. Saving the package keeps the part.
    pub fn skipped_part_errors(&self) -> &[Error] {
        &self.skipped_part_errors
    }

    /// Returns the bytes of a part. XML is converted to UTF-8 without a byte order mark; other parts (pictures, fonts)
    /// are unchanged.
    ///
    /// Names are compared case-insensitively, as OPC requires. Returns `None` if the part does not exist or is damaged.
    /// [`Package::read_part`] distinguishes the two cases.
    pub fn part_bytes(&self, name: &str) -> Option<&[u8]> {
        self.read_part(name).ok().flatten()
    }

    /// Returns the bytes of a part. XML is converted to UTF-8 without a byte order mark. Returns `Ok(None)` if the part
    /// does not exist.
    ///
    /// # Errors
    /// Returns the error of a part that is damaged or over a limit, such as `corrupted_zip` or `part_too_large`.
    pub fn read_part(&self, name: &str) -> Result<Option<&[u8]>> {
        self.find_part(name).map(|part| self.part_content(part).map(|bytes| &**bytes)).transpose()
    }

    /// Parses an XML part as a tree of elements. Returns `Ok(None)` if the part does not exist or its bytes cannot be
    /// read.
    ///
    /// # Errors
    /// Returns `malformed_xml`, or the errors of [`Meter::outcome`].
    pub(crate) fn parse_part<'p>(&'p self, part: &str) -> Result<Option<Tree<'p>>> {
        self.part_bytes(part).map(|bytes| Tree::parse(part, bytes, &self.meter)).transpose()
    }

    /// Returns the bytes of a part in a shared buffer, so that the caller can keep them without copying. Returns `None`
    /// if the part does not exist or is damaged.
    pub(crate) fn shared_part(&self, name: &str) -> Option<Bytes> {
        self.part_content(self.find_part(name)?).ok().cloned()
    }

    /// Returns the text of an XML part. Returns `None` if the part does not exist, is damaged or is not UTF-8.
    pub fn part_text(&self, name: &str) -> Option<&str> {
        self.part_bytes(name).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// Returns the names of all parts in the order of the zip archive.
    pub fn part_names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.name.as_str())
    }

    /// Returns the media type of a part from `[Content_Types].xml`. Returns `None` if that file has no type for the
    /// part.
    pub(crate) fn content_type(&self, part: &str) -> Option<&str> {
        self.content_types.media_type(part)
    }

    /// Returns the name of the main document part, found through the relationships of the package.
    pub fn main_part(&self) -> &str {
        &self.main
    }

    /// Returns the relationships of a part. For example, the relationships of `word/document.xml` are in
    /// `word/_rels/document.xml.rels`. If the name is empty, returns the relationships of the package itself.
    ///
    /// Internal targets are resolved to part names. External targets are as written in the file.
    pub(crate) fn relationships_of(&self, part: &str) -> &[Relationship] {
        self.relationships.get(&names::fold_case(part)).map_or(&[], Vec::as_slice)
    }

    /// Returns the names of the parts to which `part` has a relationship of this kind, in the order of the
    /// relationships. External targets and missing parts are skipped.
    pub fn related_parts<'a>(&'a self, part: &str, kind: &'a str) -> impl Iterator<Item = &'a str> {
        self.relationships_of(part)
            .iter()
            .filter(move |relationship| relationship.kind == kind && !relationship.external)
            .filter_map(|relationship| self.find_part(&relationship.target).map(|part| part.name.as_str()))
    }

    /// Checks that every XML part is well-formed, except the parts in [`Package::skipped_part_errors`]. Word refuses documents
    /// with malformed parts.
    ///
    /// # Errors
    /// `malformed_xml` or `xml_too_deep`, with the name of the part, and the errors of the budget.
    pub fn validate(&self) -> Result<()> {
        let is_skipped =
            |part: &Part| self.skipped_part_errors.iter().any(|error| error.part.as_deref() == Some(&part.name));
        for part in self.parts.iter().filter(|part| part.is_xml && !is_skipped(part)) {
            xml::check_well_formed(&part.name, self.part_text(&part.name).unwrap_or_default(), &self.meter)?;
        }
        Ok(())
    }

    /// Replaces the content of a part and returns the package. If the package has no part with this name, nothing
    /// changes. If the part is a relationships part, the relationships of its source part are replaced too, unless the
    /// new content cannot be parsed.
    #[must_use]
    pub fn with_part(mut self, name: &str, content: Vec<u8>) -> Self {
        if let (Some(owner), Ok(text)) = (names::source_part_of(name), std::str::from_utf8(&content))
            && self.part_index(name).is_some()
            && let Ok(found) = relationships::parse(&owner, name, text, &self.meter)
        {
            self.relationships.insert(names::fold_case(&owner), found);
        }
        if let Some(part) = self.part_index(name).and_then(|at| self.parts.get_mut(at)) {
            part.size = content.len() as u64;
            self.meter.allocate(content.len());
            part.content = OnceLock::from(Ok(content.into()));
            part.changed = true;
        }
        self
    }

    /// Returns the inflated size of all XML parts in bytes.
    pub(crate) fn xml_bytes(&self) -> usize {
        let xml = self.parts.iter().filter(|part| part.is_xml);
        xml.map(|part| usize::try_from(part.size).unwrap_or(usize::MAX)).fold(0, usize::saturating_add)
    }

    fn part_index(&self, name: &str) -> Option<usize> {
        let trimmed = name.trim_start_matches('/');
        let known = self.index.get(&names::fold_case(trimmed)).copied();
        known.or_else(|| self.index.get(&names::fold_case(&names::percent_decoded(trimmed)?)).copied())
    }

    fn find_part(&self, name: &str) -> Option<&Part> {
        self.part_index(name).and_then(|at| self.parts.get(at))
    }

    fn part_content<'p>(&self, part: &'p Part) -> Result<&'p Bytes> {
        let read = || {
            let data = archive::read_entry(&self.archive, part.entry, &part.name, part.size)?;
            if part.is_xml { encoding::to_utf8(&part.name, data.into()).map(Bytes::from) } else { Ok(data) }
        };
        part.content.get_or_init(read).as_ref().map_err(Clone::clone)
    }

    fn read_content_types(&self) -> Result<relationships::ContentTypes> {
        match self.read_part(CONTENT_TYPES)?.map(|bytes| std::str::from_utf8(bytes).unwrap_or_default()) {
            Some(text) => relationships::ContentTypes::parse(CONTENT_TYPES, text, &self.meter),
            None if self.find_part("mimetype").is_some() && self.find_part("META-INF/manifest.xml").is_some() => {
                Err(not_a_word_document("an OpenDocument file"))
            }
            None => Err(Error::new(
                ErrorCode::MissingContentTypes,
                format!("This is not a Word document: the package has no {CONTENT_TYPES}."),
            )),
        }
    }

    /// Reads the relationships of all parts. Returns the errors of the relationships parts that cannot be parsed. Each
    /// error has the index of its relationships part in `parts`.
    ///
    /// # Errors
    /// Returns an error if the relationships of the package itself cannot be read.
    fn read_relationships(&mut self) -> Result<Vec<(usize, Error)>> {
        let mut broken = Vec::new();
        let mut all = HashMap::new();
        for (at, part) in self.parts.iter().enumerate() {
            let Some(owner) = names::source_part_of(&part.name) else { continue };
            let found = match self.part_content(part) {
                Ok(content) => {
                    let text = std::str::from_utf8(content).unwrap_or_default();
                    relationships::parse(&owner, &part.name, text, &self.meter)
                }
                Err(error) if owner.is_empty() => Err(error),
                // This part cannot be read. Its error is reported later, with the other parts that cannot be read.
                Err(_) => continue,
            };
            match found {
                Ok(found) => drop(all.insert(names::fold_case(&owner), found)),
                Err(error) if owner.is_empty() => return Err(error),
                Err(error) => broken.push((at, error)),
            }
        }
        self.relationships = all;
        Ok(broken)
    }

    fn find_main_part(&self) -> Result<String> {
        let Some(main) = self.related_parts("", "officeDocument").next().map(str::to_owned) else {
            return Err(Error::new(
                ErrorCode::MissingMainPart,
                "This is not a Word document: it has no main document part.",
            ));
        };
        let text = self.part_text(&main).unwrap_or_default();
        match self.content_type(&main).map(str::to_lowercase) {
            Some(kind) if WORD_MAIN.contains(&kind.as_str()) => Ok(main),
            Some(kind) if kind.contains("spreadsheetml") || kind.contains("ms-excel") => {
                Err(not_a_word_document("an Excel workbook"))
            }
            Some(kind) if kind.contains("presentationml") || kind.contains("ms-powerpoint") => {
                Err(not_a_word_document("a PowerPoint presentation"))
            }
            Some(kind) if kind.contains("visio") => Err(not_a_word_document("a Visio drawing")),
            // Some programs give the main part a generic XML type. The root element then identifies the part.
            _ if root_is_document(text) => Ok(main),
            _ => Err(not_a_word_document("something else")),
        }
    }
}

fn not_a_word_document(what: &str) -> Error {
    Error::new(ErrorCode::NotAWordDocument, format!("This is not a Word document but {what}."))
}

fn duplicate_part_error(name: &str) -> Error {
    let message = format!("Corrupted zip: two entries are called {name}, and programs differ in which they read.");
    Error::new(ErrorCode::DuplicatePart, message).in_part(name)
}

fn root_is_document(text: &str) -> bool {
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Start(tag)) => return tag.local_name().as_ref() == "document",
            Ok(quick_xml::events::Event::Eof | quick_xml::events::Event::Empty(_)) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// Lists the parts of an archive. If a part is over a limit, the error is stored as the content of the part. This
/// function does not fail then, because the pages may not need the part.
///
/// # Errors
/// Returns an error for an unsafe or duplicate name, an encrypted entry, an unknown compression, or if all parts
/// together are too large.
fn list_parts(archive: &mut archive::Archive) -> Result<Vec<Part>> {
    if archive.has_duplicate_names() {
        return Err(Error::new(ErrorCode::DuplicatePart, "Corrupted zip: two entries have the same name."));
    }
    let mut parts = Vec::with_capacity(archive.len());
    let mut total = 0_u64;
    for entry in 0..archive.len() {
        let file = archive.by_index_raw(entry).map_err(|error| archive::zip_error(&error, None))?;
        let raw = file
            .name()
            .map_or_else(|_| String::from_utf8_lossy(file.name_raw()).into_owned(), |name| name.into_owned());
        let Some(name) = names::from_zip_entry(&raw)? else { continue };
        if file.encrypted() {
            return Err(archive::encrypted());
        }
        if !matches!(file.compression(), zip::CompressionMethod::Stored | zip::CompressionMethod::Deflated) {
            return Err(archive::unknown_compression(&name, &file.compression().to_string()));
        }
        let (size, stored) = (file.size(), file.compressed_size());
        let is_xml = has_xml_name(&name);
        // A part over a limit is never inflated. Later steps decide if the pages need the part.
        let (content, size) = match limit_error(&name, is_xml, size, stored) {
            Some(error) => (OnceLock::from(Err(error)), 0),
            None => (OnceLock::new(), size),
        };
        total += size;
        parts.push(Part { name, entry, size, is_xml, content, changed: false });
    }
    if total > MAX_TOTAL_BYTES {
        let message = format!("The package has {total} bytes inflated; at most {MAX_TOTAL_BYTES} are read.");
        return Err(Error::new(ErrorCode::PackageTooLarge, message));
    }
    Ok(parts)
}

fn limit_error(name: &str, is_xml: bool, size: u64, stored: u64) -> Option<Error> {
    let limit = if is_xml { MAX_XML_PART_BYTES } else { MAX_PART_BYTES };
    let (code, message) = if size > limit {
        (ErrorCode::PartTooLarge, format!("{name} has {size} bytes; at most {limit} are read."))
    } else if size > RATIO_FREE_BYTES && size / stored.max(1) > MAX_RATIO {
        let message = format!("{name} grows from {stored} to {size} bytes; Word does not write such parts.");
        (ErrorCode::SuspiciousCompression, message)
    } else {
        return None;
    };
    Some(Error::new(code, message).in_part(name))
}

/// Returns the amount of work that the meter counts for inflating this number of bytes and reading the result once.
fn inflation_cost(bytes: u64) -> usize {
    usize::try_from(bytes / 64).unwrap_or(usize::MAX)
}

fn has_xml_name(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["xml", "rels"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}
