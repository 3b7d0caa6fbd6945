//! The font table (§17.8.3) and embedded fonts (§17.8.1).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use waraq_rules::{Diagnostic, DiagnosticCode};

use super::document::part_of_kind;
use super::values::parse_enum;
use super::xml::{Element, Ns};
use crate::package::Relationship;
use crate::tree::{EmbeddedFont, FontHint};
use crate::{Package, Result};

/// The name of the part with the font file, and the obfuscation key. `None`: the file is not obfuscated.
type FileAndKey<'f> = (&'f str, Option<&'f str>);

/// The maximum number of embedded fonts. The same file with different keys counts as several fonts.
const MAX_FONTS: usize = 100;
const MAX_FONT_BYTES: usize = 96 << 20;

/// Reads the font table. Broken embedded fonts are skipped with a warning.
pub(crate) fn read_font_table(
    package: &Package,
    relationships: &[Relationship],
    warnings: &mut Vec<Diagnostic>,
) -> Result<(Vec<EmbeddedFont>, BTreeMap<String, FontHint>)> {
    let (mut fonts, mut hints) = (Vec::new(), BTreeMap::new());
    let Some(part) = part_of_kind(relationships, "fontTable") else { return Ok((fonts, hints)) };
    let Some(tree) = package.parse_part(part)? else { return Ok((fonts, hints)) };
    let relationships = package.relationships_of(part).iter();
    let targets: HashMap<&str, &str> = relationships.map(|known| (known.id.as_str(), known.target.as_str())).collect();
    // Many fonts may refer to one file; it is read once for each key.
    let mut remaining_bytes = MAX_FONT_BYTES;
    let mut decoded_fonts: HashMap<FileAndKey<'_>, Option<Arc<[u8]>>> = HashMap::new();
    for font in tree.root().into_iter().flat_map(|root| root.children_with_name(Ns::W, "font")) {
        let Some(name) = font.word_attribute("name") else { continue };
        hints.insert(name.to_owned(), font_hint(font));
        for (element, bold, italic) in [
            ("embedRegular", false, false),
            ("embedBold", true, false),
            ("embedItalic", false, true),
            ("embedBoldItalic", true, true),
        ] {
            let Some(embedded) = font.child(Ns::W, element) else { continue };
            let key = embedded.word_attribute("fontKey");
            let target = embedded.relationship_attribute("id").and_then(|id| targets.get(id).copied());
            let data = target.and_then(|target| {
                let decode = || {
                    let data = package.part_bytes(target).filter(|data| data.len() <= remaining_bytes)?;
                    remaining_bytes -= data.len();
                    deobfuscate(data, key)
                };
                decoded_fonts.entry((target, key)).or_insert_with(decode).clone()
            });
            match data.filter(|_| fonts.len() < MAX_FONTS) {
                Some(data) => fonts.push(EmbeddedFont { family: name.to_owned(), bold, italic, data }),
                None => {
                    let message = format!("the font {name} is embedded but cannot be read");
                    let finding = Diagnostic::new(DiagnosticCode::EmbeddedFontUnreadable, message);
                    warnings.push(finding.in_part(part).with_context(name));
                }
            }
        }
    }
    Ok((fonts, hints))
}

fn font_hint(font: Element<'_>) -> FontHint {
    FontHint {
        alternative_name: font.child_val("altName").filter(|name| !name.is_empty()).map(str::to_owned),
        family: font.child_val("family").and_then(parse_enum).unwrap_or_default(),
        fixed_pitch: font.child_val("pitch") == Some("fixed"),
    }
}

/// Removes the obfuscation of an embedded font: the first 32 bytes are XORed with the key bytes in reverse order
/// (§17.8.1).
///
/// A font that is not obfuscated is returned unchanged. Some producers use the key in its Windows memory layout, with
/// the bytes of its first three groups reversed. A key in this form is accepted too. Returns `None` if the key is
/// missing or does not give a font.
fn deobfuscate(data: &[u8], key: Option<&str>) -> Option<Arc<[u8]>> {
    if is_font(data) {
        return Some(Arc::from(data));
    }
    let digits: String = key?.chars().filter(char::is_ascii_hexdigit).collect();
    let mut key: Vec<u8> = Vec::with_capacity(16);
    for place in (0..32).step_by(2) {
        key.push(u8::from_str_radix(digits.get(place..place + 2)?, 16).ok()?);
    }
    let reversed: Vec<u8> = key.iter().rev().copied().collect();
    for group in [0..4, 4..6, 6..8] {
        key.get_mut(group)?.reverse();
    }
    [reversed, key].into_iter().find_map(|key| {
        let mut clear = data.to_vec();
        for (byte, key) in clear.iter_mut().take(32).zip(key.iter().cycle()) {
            *byte ^= key;
        }
        is_font(&clear).then(|| Arc::from(clear))
    })
}

fn is_font(data: &[u8]) -> bool {
    matches!(data.get(..4), Some([0, 1, 0, 0] | b"OTTO" | b"true" | b"ttcf"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obfuscated_fonts_are_decoded_with_both_key_orders() {
        let key = "{1DFCEF3D-4A5B-4C6D-8E9F-00112233445A}";
        let mut clear = vec![0u8, 1, 0, 0];
        clear.extend(4..64u8);
        // The bytes of the key in reverse order.
        let bytes: Vec<u8> =
            vec![0x5A, 0x44, 0x33, 0x22, 0x11, 0x00, 0x9F, 0x8E, 0x6D, 0x4C, 0x5B, 0x4A, 0x3D, 0xEF, 0xFC, 0x1D];
        let mut hidden = clear.clone();
        for index in 0..32 {
            hidden[index] ^= bytes[index % 16];
        }
        assert_eq!(deobfuscate(&hidden, Some(key)).as_deref(), Some(clear.as_slice()));
        let in_memory: Vec<u8> =
            vec![0x3D, 0xEF, 0xFC, 0x1D, 0x5B, 0x4A, 0x6D, 0x4C, 0x8E, 0x9F, 0x00, 0x11, 0x22, 0x33, 0x44, 0x5A];
        let mut other = clear.clone();
        for index in 0..32 {
            other[index] ^= in_memory[index % 16];
        }
        assert_eq!(deobfuscate(&other, Some(key)).as_deref(), Some(clear.as_slice()), "as some producers have it");
        assert!(deobfuscate(&hidden, Some("{00}")).is_none());
        assert!(deobfuscate(&hidden, None).is_none());
        assert_eq!(deobfuscate(&clear, None).as_deref(), Some(clear.as_slice()));
    }
}
