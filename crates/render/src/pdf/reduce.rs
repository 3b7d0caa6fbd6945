//! Reduces a font to the parts a PDF shows, before krilla subsets it.
//!
//! The reduced font keeps the outlines of the drawn glyphs. Hinting instructions (which fit glyphs to coarse pixels)
//! and tables that a PDF does not use are removed. In a page of text in Carlito, instructions would be half of the PDF.
//!
//! Glyphs keep their ids. Damaged fonts, fonts without TrueType outlines, variable fonts and colour fonts are not reduced.

use skrifa::raw::TableProvider;
use skrifa::raw::collections::IntSet;
use skrifa::string::StringId;
use skrifa::{FontRef, MetadataProvider, Tag};
use waraq_layout::{DisplayItem, Pages, TaggedItem};

use waraq_layout::geometry::MAX_DEPTH;
use write_fonts::tables::name::{Name, NameRecord};
use write_fonts::types::{NameId, Tag as WrittenTag};
use write_fonts::{FontBuilder, OffsetMarker};

/// A font with one of these tables is not reduced, because its glyphs are not drawn from the outlines in `glyf` alone.
const NOT_REDUCIBLE_TABLES: [&[u8; 4]; 8] = [b"fvar", b"gvar", b"COLR", b"CBDT", b"sbix", b"SVG ", b"CFF ", b"CFF2"];
/// Tables that are copied unchanged.
const COPIED_TABLES: [&[u8; 4]; 4] = [b"OS/2", b"hhea", b"hmtx", b"maxp"];

/// Flags of a component of a composite glyph (OpenType, `glyf`).
const ARGUMENTS_ARE_WORDS: u16 = 0x01;
const HAS_SCALE: u16 = 0x08;
const MORE_COMPONENTS: u16 = 0x20;
const HAS_TWO_SCALES: u16 = 0x40;
const HAS_MATRIX: u16 = 0x80;
const HAS_INSTRUCTIONS: u16 = 0x100;

/// A set of glyph ids of one font.
pub(super) type GlyphSet = IntSet<u16>;

/// Returns for each font the glyphs that the pages draw.
pub(super) fn drawn_glyphs(pages: &Pages) -> Vec<GlyphSet> {
    // glyph 0 is drawn for missing characters
    let mut drawn = vec![GlyphSet::from([0]); pages.fonts.len()];
    let mut pictures = false;
    pages.pages.iter().for_each(|page| collect_glyphs(&page.items, 0, &mut drawn, &mut pictures));
    if pictures {
        // the label of an unreadable picture is drawn with the first font that has all its letters
        for (font, drawn) in pages.fonts.iter().zip(&mut drawn) {
            let Ok(font) = FontRef::from_index((*font.data).as_ref(), font.index) else { continue };
            let charmap = font.charmap();
            let mut has_all = true;
            for letter in ' '..='~' {
                let glyph = charmap.map(letter).and_then(|glyph| u16::try_from(glyph.to_u32()).ok());
                has_all &= glyph.map(|glyph| drawn.insert(glyph)).is_some();
            }
            if has_all {
                break;
            }
        }
    }
    drawn
}

fn collect_glyphs(items: &[TaggedItem], depth: usize, drawn: &mut [GlyphSet], pictures: &mut bool) {
    for placed in items {
        match &placed.item {
            DisplayItem::Glyphs(run) => {
                if let Some(drawn) = drawn.get_mut(run.font.index()) {
                    drawn.extend_unsorted(run.glyphs.iter().map(|glyph| glyph.id));
                }
            }
            DisplayItem::Image(_) => *pictures = true,
            DisplayItem::Repeated { items, .. } if depth < MAX_DEPTH => {
                collect_glyphs(items, depth + 1, drawn, pictures)
            }
            DisplayItem::Group { items, .. } if depth < MAX_DEPTH => collect_glyphs(items, depth + 1, drawn, pictures),
            _ => {}
        }
    }
}

/// Returns the reduced font as a file, or `None` if the font must be embedded unchanged. `edition` is the index of the
/// subset, counted from 0. The font name of later subsets ends in a number, from 2.
pub(super) fn reduced_font(font: &waraq_layout::Font, drawn: &GlyphSet, edition: u8) -> Option<Vec<u8>> {
    let font = FontRef::from_index((*font.data).as_ref(), font.index).ok()?;
    let table = |tag: &[u8; 4]| font.table_data(Tag::new(tag)).map(|data| data.as_bytes());
    if NOT_REDUCIBLE_TABLES.iter().any(|kind| table(kind).is_some()) {
        return None;
    }
    let (glyphs, places) = Outlines::from_font(&font)?.tables_with_only(drawn)?;
    let mut head = table(b"head")?.to_vec();
    // set `indexToLocFormat` of `head` to 1: offsets are 32-bit byte counts
    head.get_mut(50..52)?.copy_from_slice(&[0, 1]);
    let made = [(b"glyf", glyphs), (b"head", head), (b"loca", places), (b"post", post_table(&font))];
    let kept = COPIED_TABLES.iter().filter_map(|tag| Some((*tag, table(tag)?.to_vec())));
    let mut file = FontBuilder::new();
    file.add_table(&name_table(&font, edition)).ok()?;
    for (tag, data) in made.into_iter().chain(kept) {
        file.add_raw(WrittenTag::new(tag), data);
    }
    Some(file.build())
}

/// The outlines of a font (OpenType, `glyf` and `loca`).
struct Outlines<'a> {
    data: &'a [u8],
    offsets: skrifa::raw::tables::loca::Loca<'a>,
    count: u16,
}

impl<'a> Outlines<'a> {
    fn from_font(font: &FontRef<'a>) -> Option<Self> {
        let data = font.table_data(Tag::new(b"glyf"))?.as_bytes();
        Some(Self { data, offsets: font.loca(None).ok()?, count: font.maxp().ok()?.num_glyphs() })
    }

    fn glyph_data(&self, glyph: u16) -> Option<&'a [u8]> {
        let place = |index: usize| self.offsets.get_raw(index).and_then(|place| usize::try_from(place).ok());
        self.data.get(place(usize::from(glyph))?..place(usize::from(glyph) + 1)?)
    }

    /// Returns the tables `glyf` and `loca` with only two kinds of glyphs: the `wanted` glyphs, and the components of
    /// composite glyphs. Returns `None` if the font is damaged.
    fn tables_with_only(&self, wanted: &GlyphSet) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut kept: GlyphSet = wanted.range(..self.count).collect();
        let mut left: Vec<u16> = kept.iter().collect();
        while let Some(glyph) = left.pop() {
            for part in components(self.glyph_data(glyph)?)? {
                if part.glyph < self.count && kept.insert(part.glyph) {
                    left.push(part.glyph);
                }
            }
        }
        let (mut glyphs, mut places) = (Vec::new(), Vec::with_capacity(4 * (usize::from(self.count) + 1)));
        let mut kept = kept.iter().peekable();
        for glyph in 0..self.count {
            places.extend_from_slice(&u32::try_from(glyphs.len()).ok()?.to_be_bytes());
            if kept.next_if_eq(&glyph).is_some() {
                push_without_instructions(self.glyph_data(glyph)?, &mut glyphs)?;
                glyphs.resize(glyphs.len().next_multiple_of(2), 0);
            }
        }
        places.extend_from_slice(&u32::try_from(glyphs.len()).ok()?.to_be_bytes());
        Some((glyphs, places))
    }
}

/// A component of a composite glyph.
struct Component {
    glyph: u16,
    /// The byte offset of the component's flags in the data of the composite glyph.
    start: usize,
    flags: u16,
    /// The byte offset after the component.
    end: usize,
}

/// Returns the components of a glyph. A glyph with its own contours has no components. Returns `None` if the data is truncated.
fn components(glyph: &[u8]) -> Option<Vec<Component>> {
    let mut found = Vec::new();
    if glyph.is_empty() || read_u16(glyph, 0)? < 0x8000 {
        return Some(found);
    }
    let mut at = 10;
    loop {
        let (flags, part) = (read_u16(glyph, at)?, read_u16(glyph, at + 2)?);
        let scales = match flags {
            flags if flags & HAS_SCALE != 0 => 2,
            flags if flags & HAS_TWO_SCALES != 0 => 4,
            flags if flags & HAS_MATRIX != 0 => 8,
            _ => 0,
        };
        let end = at + 4 + if flags & ARGUMENTS_ARE_WORDS != 0 { 4 } else { 2 } + scales;
        glyph.get(at..end)?;
        found.push(Component { glyph: part, start: at, flags, end });
        if flags & MORE_COMPONENTS == 0 {
            return Some(found);
        }
        at = end;
    }
}

/// Appends a glyph without its hinting instructions to `out`. Returns `None` if the data is truncated.
fn push_without_instructions(glyph: &[u8], out: &mut Vec<u8>) -> Option<()> {
    if glyph.is_empty() {
        return Some(());
    }
    let start = out.len();
    let contours = read_u16(glyph, 0)?;
    if contours < 0x8000 {
        // layout of a simple glyph: ends of the contours, number of instructions, instructions, points
        let ends = 10 + 2 * usize::from(contours);
        let instructions = usize::from(read_u16(glyph, ends)?);
        out.extend_from_slice(glyph.get(..ends)?);
        out.extend_from_slice(&[0, 0]);
        out.extend_from_slice(glyph.get(ends + 2 + instructions..)?);
        return Some(());
    }
    let parts = components(glyph)?;
    out.extend_from_slice(glyph.get(..parts.last()?.end)?);
    for part in parts {
        let flags = (part.flags & !HAS_INSTRUCTIONS).to_be_bytes();
        out.get_mut(start + part.start..)?.get_mut(..2)?.copy_from_slice(&flags);
    }
    Some(())
}

fn read_u16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Builds the `name` table with the copyright notice and the font's name in the PDF (OpenType, `name`).
fn name_table(font: &FontRef<'_>, edition: u8) -> Name {
    let of = |id: StringId| font.localized_strings(id).english_or_first().map(|name| name.to_string());
    let name = of(StringId::POSTSCRIPT_NAME).unwrap_or_else(|| "Unnamed".to_owned());
    let name = if edition == 0 { name } else { format!("{name}-{}", edition + 1) };
    let notice = of(StringId::COPYRIGHT_NOTICE).map(|notice| (NameId::COPYRIGHT_NOTICE, notice));
    let record = |(id, text): (NameId, String)| {
        let text: String = text.chars().take(1_000).collect();
        // platform Windows, encoding Unicode, language American English
        NameRecord::new(3, 1, 0x409, id, OffsetMarker::new(text))
    };
    Name::new(notice.into_iter().chain([(NameId::POSTSCRIPT_NAME, name)]).map(record).collect())
}

/// Builds a `post` table without glyph names (OpenType, `post`, version 3).
fn post_table(font: &FontRef<'_>) -> Vec<u8> {
    let own = font.table_data(Tag::new(b"post"));
    let mut table = own.and_then(|own| own.as_bytes().get(..32)).map_or_else(|| vec![0; 32], <[u8]>::to_vec);
    if let Some(version) = table.get_mut(..4) {
        version.copy_from_slice(&[0, 3, 0, 0]);
    }
    table
}
