//! The fonts of one document during layout: substitution of families, fallback for missing characters, and ids of the used
//! fonts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use foldhash::fast::RandomState;
use skrifa::raw::types::Tag;
use skrifa::raw::{FontRef, TableProvider};
use unicode_script::Script;
use waraq_docx::Meter;
use waraq_docx::tree::{Document, FontFamily, FontHint, Location, Paragraph};
use waraq_rules::{Diagnostic, DiagnosticCode};

use super::face::{Face, ParsedFont};
use super::{Families, FontFile, FontSource, Library, families_of, style_index};
use crate::page::{Font, FontId};
use crate::text::shape::ShapeCache;
use crate::text::{GlyphStretch, LineMetrics};

/// The fonts of one document during layout.
pub struct DocumentFonts {
    library: Arc<Library>,
    embedded: Vec<Face>,
    embedded_families: Families,
    hints: BTreeMap<String, FontHint>,
    state: RefCell<FontState>,
    pub(crate) shapes: RefCell<ShapeCache>,
    meter: Meter,
}

/// Work units charged to the meter for each search for a font that has a character.
const SEARCH_WORK: usize = 50;

#[derive(Default)]
struct FontState {
    /// Selected faces by family name. Each family has one entry for each style: regular, bold, italic, and bold italic. An entry
    /// is `None` until the face is needed.
    resolved: HashMap<Box<str>, [Option<FaceChoice>; 4], RandomState>,
    /// The fallback faces found so far.
    fallbacks: HashMap<MissingCharacter, FaceChoice, RandomState>,
    /// Indices of the used faces in the order of first use. The position in this list is the [`FontId`].
    used_faces: Vec<u32>,
    /// Code and subject (a family or a character) of each warning so far. They are kept so that no warning is repeated.
    reported: BTreeSet<String>,
    /// Location of the paragraph that is being laid out.
    location: Location,
    warnings: Vec<Diagnostic>,
}

/// A character that a face lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct MissingCharacter {
    /// The face that lacks the character.
    primary: FaceChoice,
    /// The script of the text around the character.
    script: Script,
    /// The character.
    character: char,
}

/// The metrics of a font family. If a substitute is used, these are still the metrics of the original family, as far as they are
/// known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FamilyMetrics {
    /// Ascent and descent of a line.
    pub line: LineMetrics,
    /// Scale that adapts the substitute's glyphs to the original family, for all scripts except Cyrillic.
    pub stretch: GlyphStretch,
    /// Scale that adapts the substitute's Cyrillic glyphs to the original family.
    pub cyrillic_stretch: GlyphStretch,
}

/// A selected face. If the family has no bold or italic face, the renderer must synthesise that style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FaceChoice {
    /// Index of the face. The faces of the font book come first, then the embedded ones.
    pub face: u32,
    pub synthetic_bold: bool,
    pub synthetic_italic: bool,
    /// True if the text is bold. `bold` and `italic` are kept to select a fallback face of the same style.
    pub bold: bool,
    pub italic: bool,
}

impl DocumentFonts {
    pub(super) fn new(library: Arc<Library>, document: &Document) -> Self {
        let first = u32::try_from(library.faces.len()).unwrap_or(u32::MAX);
        let embedded: Vec<Face> = document
            .embedded_fonts
            .iter()
            .filter(|font| is_name_table_valid(&font.data))
            .map(|font| {
                Face::new(FontSource {
                    family: font.family.clone(),
                    bold: font.bold,
                    italic: font.italic,
                    file: FontFile::Loaded(Arc::new(Arc::clone(&font.data))),
                })
            })
            .filter(|face| face.parsed().is_some())
            .collect();
        let embedded_families = families_of(&embedded, first);
        let shapes = library.caches.lock().ok().and_then(|mut caches| caches.pop()).unwrap_or_default();
        let hints = document.font_table.iter().map(|(name, hint)| (name.to_lowercase(), hint.clone())).collect();
        let state = RefCell::default();
        let (shapes, meter) = (RefCell::new(shapes), document.meter.clone());
        Self { library, embedded, embedded_families, hints, state, shapes, meter }
    }

    /// Returns the fonts used so far, in the order of [`FontId`], for [`crate::Pages::fonts`].
    pub(crate) fn used_fonts(&self) -> Vec<Font> {
        self.state.borrow().used_faces.iter().filter_map(|&face| self.face(face)).map(Face::to_page_font).collect()
    }

    /// Returns the warnings about families without a metric-compatible substitute and characters without a font. Each family
    /// and character is reported once.
    pub(crate) fn warnings(&self) -> Vec<Diagnostic> {
        self.state.borrow().warnings.clone()
    }

    /// Sets the paragraph to which later warnings refer.
    pub(crate) fn begin_paragraph(&self, paragraph: &Paragraph) {
        self.state.borrow_mut().location.clone_from(&paragraph.location);
    }

    /// Returns the meter that counts the work of layout with these fonts.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    fn face(&self, face: u32) -> Option<&Face> {
        let index = face as usize;
        let books = self.library.faces.len();
        if index < books { self.library.faces.get(index) } else { self.embedded.get(index - books) }
    }

    pub(crate) fn parsed(&self, face: u32) -> Option<&ParsedFont> {
        self.face(face)?.parsed()
    }

    /// Returns true if the face has a glyph for the character.
    pub(crate) fn covers(&self, face: u32, character: char) -> bool {
        self.face(face).is_some_and(|face| face.covers(character))
    }

    /// Returns the [`FontId`] of a face, and adds the face to the used fonts if necessary.
    pub(crate) fn font_id(&self, face: u32) -> FontId {
        let used = &mut self.state.borrow_mut().used_faces;
        let known = used.iter().position(|known| *known == face);
        let number = known.unwrap_or_else(|| {
            used.push(face);
            used.len() - 1
        });
        FontId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Returns the index of the face with this [`FontId`], or `u32::MAX` if no face has this id.
    pub(crate) fn face_number(&self, number: FontId) -> u32 {
        self.state.borrow().used_faces.get(number.index()).copied().unwrap_or(u32::MAX)
    }

    /// Returns the faces of the font book, without embedded fonts.
    pub(crate) fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Returns the face for a family name and style. Returns `None` only if the font book is empty and the document embeds no
    /// font.
    pub(crate) fn resolve(&self, family: Option<&str>, bold: bool, italic: bool) -> Option<FaceChoice> {
        let family = family.unwrap_or(DEFAULT_FAMILY);
        let style = style_index(bold, italic);
        if let Some(Some(choice)) = self.state.borrow().resolved.get(family).and_then(|styles| styles.get(style)) {
            return Some(*choice);
        }
        let choice = self.find_or_substitute(family, bold, italic)?;
        let mut state = self.state.borrow_mut();
        if let Some(slot) = state.resolved.entry(family.into()).or_default().get_mut(style) {
            *slot = Some(choice);
        }
        Some(choice)
    }

    /// Selects a face of the family or of its alternative names, else a face of the metric-compatible substitute, else a face of
    /// a similar family. Adds a warning if the glyphs of the selected face have other widths than those of the family.
    fn find_or_substitute(&self, family: &str, bold: bool, italic: bool) -> Option<FaceChoice> {
        let hint = self.hints.get(&family.trim().to_lowercase());
        let alternatives = hint.and_then(|hint| hint.alternative_name.as_deref()).unwrap_or_default();
        let alternatives = alternatives.split([',', ';']).map(str::trim).filter(|name| !name.is_empty());
        let mut substitute = None;
        for name in std::iter::once(family).chain(alternatives) {
            if let Some(choice) = self.find_in_family(name, bold, italic) {
                return Some(choice);
            }
            substitute = waraq_fonts::substitution(name);
            if substitute.is_some() {
                break;
            }
        }
        let known = substitute.and_then(|substitute| self.find_in_family(substitute.family, bold, italic));
        let choice = known.or_else(|| {
            let candidates =
                || families_for_hint(hint).iter().filter_map(|name| self.find_in_family(name, bold, italic));
            // Prefer a real italic face over a synthetic slant.
            candidates()
                .find(|choice| !choice.synthetic_italic)
                .or_else(|| candidates().next())
                .or_else(|| self.first_available())
        })?;
        if known.is_none() || substitute.is_some_and(|substitute| !substitute.metric_compatible) {
            let stands = self.face(choice.face).map_or("", |face| &face.source.family);
            let message =
                format!("The font {family:?} is not available here; {stands} stands for it, with other widths.");
            self.warn(DiagnosticCode::FontWithoutMetricTwin, family, message);
        }
        Some(choice)
    }

    /// Returns the metrics of a font family, for lines and glyphs. `choice` is the face that was selected for the family.
    pub(crate) fn family_metrics(&self, family: Option<&str>, choice: FaceChoice) -> FamilyMetrics {
        // A family that is available has its own line metrics.
        let substituted = family.filter(|family| self.find_in_family(family, false, false).is_none());
        let (ascent, descent) = substituted.and_then(waraq_fonts::line_height).unwrap_or_else(|| {
            self.parsed(choice.face).map_or((0.0, 0.0), |parsed| (parsed.metrics.ascent, parsed.metrics.descent))
        });
        let stretch = |cyrillic: bool| {
            let factors =
                substituted.and_then(|family| waraq_fonts::scale_factors(family, choice.bold, choice.italic, cyrillic));
            factors.map_or(GlyphStretch::NONE, |(x, y)| GlyphStretch { x, y })
        };
        let line = LineMetrics { ascent, descent };
        FamilyMetrics { line, stretch: stretch(false), cyrillic_stretch: stretch(true) }
    }

    /// Returns the advance in ems of a character's glyph. If the face lacks the character, this is the advance of the glyph for
    /// missing characters. Returns `None` if the advance is at most 0.1 em, because such a glyph cannot be stretched to one em.
    pub(crate) fn advance_in_ems(&self, face: u32, character: char) -> Option<f32> {
        let parsed = self.parsed(face)?;
        let glyph = parsed.glyph(character).unwrap_or(harfrust::GlyphId::NOTDEF);
        let advance = harfrust::ShaperFont::new(&parsed.font).glyph_h_advance(glyph);
        let width = advance as f32 / parsed.metrics.units_per_em.max(1.0);
        (width > 0.1).then_some(width)
    }

    /// Returns the face of this family whose style is closest to the requested one, or `None` if the family is not available.
    fn find_in_family(&self, family: &str, bold: bool, italic: bool) -> Option<FaceChoice> {
        let name = family.trim().to_lowercase();
        let slots = self.embedded_families.get(&name).or_else(|| self.library.families.get(&name))?;
        let candidates = [
            (bold, italic),
            (bold, false),
            (false, italic),
            (false, false),
            (true, false),
            (false, true),
            (true, true),
        ];
        candidates.iter().find_map(|&(has_bold, has_italic)| {
            let face = (*slots.get(style_index(has_bold, has_italic))?)?;
            self.face(face).filter(|face| face.is_font())?;
            let (synthetic_bold, synthetic_italic) = (bold && !has_bold, italic && !has_italic);
            Some(FaceChoice { face, synthetic_bold, synthetic_italic, bold, italic })
        })
    }

    /// Returns the first face with a valid font file. The faces of the font book come first, then the embedded ones.
    fn first_available(&self) -> Option<FaceChoice> {
        let (face, _) = (0..).zip(self.library.faces.iter().chain(&self.embedded)).find(|(_, face)| face.is_font())?;
        Some(FaceChoice { face, synthetic_bold: false, synthetic_italic: false, bold: false, italic: false })
    }

    /// Returns a face that has the character. This is `primary`, the face of the text's own family, if that face has the
    /// character. It is also `primary` if no face has the character.
    pub(crate) fn face_covering(&self, primary: FaceChoice, script: Script, character: char) -> FaceChoice {
        let covers = |choice: FaceChoice| self.covers(choice.face, character);
        if covers(primary) {
            return primary;
        }
        let missing = MissingCharacter { primary, script, character };
        if let Some(choice) = self.state.borrow().fallbacks.get(&missing) {
            return *choice;
        }
        self.meter.spend(SEARCH_WORK);
        let family = self.face(primary.face).map_or("", |face| &face.source.family);
        let (bold, italic) = (primary.bold, primary.italic);
        let found = fallback_families(family, script)
            .iter()
            .filter_map(|name| self.find_in_family(name, bold, italic))
            .find(|choice| covers(*choice))
            .or_else(|| self.faces_of_all_families(bold, italic).find(|choice| covers(*choice)));
        if found.is_none() {
            let code = format!("U+{:04X}", u32::from(character));
            self.warn(DiagnosticCode::CharacterWithoutFont, &code, format!("No font has the character {code}."));
        }
        let choice = found.unwrap_or(primary);
        self.state.borrow_mut().fallbacks.insert(missing, choice);
        choice
    }

    /// Returns a face of each available family, in the order of the font book.
    fn faces_of_all_families(&self, bold: bool, italic: bool) -> impl Iterator<Item = FaceChoice> + '_ {
        self.library
            .faces
            .iter()
            .chain(&self.embedded)
            .filter_map(move |face| self.find_in_family(&face.source.family, bold, italic))
    }

    /// Adds a warning about `what` (a family or character), unless the same warning was already added.
    fn warn(&self, code: DiagnosticCode, what: &str, message: String) {
        let mut state = self.state.borrow_mut();
        // Limit the number of warnings: a document in a script without a font would otherwise produce one for every character.
        if state.warnings.len() < 100 && state.reported.insert(format!("{code} {}", what.to_lowercase())) {
            let warning = state.location.finding(code, message).with_context(what);
            state.warnings.push(warning);
        }
    }
}

impl Drop for DocumentFonts {
    fn drop(&mut self) {
        let mut shapes = self.shapes.take();
        shapes.keep_only_faces_below(u32::try_from(self.library.faces.len()).unwrap_or(0));
        if let Ok(mut caches) = self.library.caches.lock()
            && caches.len() < 4
        {
            caches.push(shapes);
        }
    }
}

/// Returns the families to try, in order, for a family that is not known. `hint` is the entry of that family in the document's
/// font table.
fn families_for_hint(hint: Option<&FontHint>) -> &'static [&'static str] {
    match hint {
        Some(hint) if hint.fixed_pitch && hint.family == FontFamily::Modern => &["Cousine"],
        // LibreOffice uses the first family, whose Latin letters are those of Noto Sans, for every unknown family. The hint
        // "roman" is ignored: producers write it for Century Gothic and Roboto Condensed too.
        _ => &["Noto Sans Hebrew", "Arimo", "Carlito"],
    }
}

/// The font that Word uses if a document names no font.
const DEFAULT_FAMILY: &str = "Times New Roman";

/// Returns the families to try, in order, for characters that `family` lacks.
fn fallback_families(family: &str, script: Script) -> &'static [&'static str] {
    let serif = matches!(family, "Tinos" | "Caladea" | "Cousine" | "Amiri");
    match script {
        Script::Arabic => waraq_fonts::arabic_companions(family),
        Script::Hebrew if serif => &["Tinos", "Noto Sans Hebrew"],
        Script::Hebrew => &["Noto Sans Hebrew", "Arimo", "Tinos"],
        // The letters of the Symbol font have serifs.
        Script::Greek if family == "Noto Sans Symbols 2" => &["Tinos"],
        _ if family == "Noto Sans Math" => &["Tinos", "Noto Sans Symbols", "Noto Sans Symbols 2"],
        _ if serif => &["Tinos", "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math", "Arimo", "Carlito"],
        _ => &["Arimo", "Carlito", "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math", "Tinos"],
    }
}

/// Size in bytes of the header of a `name` table.
const NAME_HEADER_BYTES: usize = 6;
/// Size in bytes of a record of a `name` table.
const NAME_RECORD_BYTES: usize = 12;

/// Returns true if the `name` table of a font is missing or valid. Each name must end within 65,535 bytes, because its offset has
/// 16 bits (OpenType, `name`, version 0). The total length of the names must also fit into 16 bits, because the subsetter counts
/// their bytes with a 16-bit number.
fn is_name_table_valid(font: &[u8]) -> bool {
    let Some(table) = FontRef::new(font).ok().and_then(|font| font.data_for_tag(Tag::new(b"name"))) else {
        return true;
    };
    let table = table.as_bytes();
    let number = |at: usize| table.get(at..at + 2).map(|pair| usize::from(u16::from_be_bytes([pair[0], pair[1]])));
    let Some(count) = number(2) else { return false };
    let length = |record: usize| {
        let at = NAME_HEADER_BYTES + record * NAME_RECORD_BYTES;
        let (length, offset) = (number(at + 8)?, number(at + 10)?);
        (offset + length <= usize::from(u16::MAX)).then_some(length)
    };
    let lengths = (0..count).try_fold(0, |sum: usize, record| Some(sum + length(record)?));
    NAME_HEADER_BYTES + count * NAME_RECORD_BYTES <= usize::from(u16::MAX)
        && lengths.is_some_and(|sum| sum <= usize::from(u16::MAX))
}
