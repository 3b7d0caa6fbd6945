//! The settings of a document that affect how its merge fields are filled.

use std::collections::{HashMap, HashSet};

use waraq_graphics::xml::values::on_off;
use waraq_graphics::xml::{Element, Ns};
use waraq_rules::name;

use super::merge::{BlockPart, MergeContent};
use super::text_parts::ScannedPart;
use crate::package::xml::attribute_ranges;
use crate::{Package, Result};

/// The settings of a document that affect how its merge fields are filled.
#[derive(Debug, Clone, Default)]
pub(super) struct MailMerge {
    /// The columns of the data source by their mapped names (w:fieldMapData). `None`: the document has no mapping.
    columns: Option<HashMap<String, String>>,
    /// A line that contains only empty merge fields is printed (w:doNotSuppressBlankLines).
    pub keeps_blank_lines: bool,
    /// The languages of text without a language of its own.
    pub languages: Languages,
}

/// The languages of a run (w:lang, §17.3.2.20), as BCP 47 tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Languages {
    /// The language of left-to-right text. `None`: the run has no such language.
    pub left_to_right: Option<String>,
    /// The language of complex scripts, such as Arabic. `None`: the run has no such language.
    pub complex_script: Option<String>,
}

impl MailMerge {
    /// Reads the settings of a document. Settings that cannot be read have defaults.
    ///
    /// # Errors
    /// Returns the errors of [`crate::Meter::outcome`].
    pub(super) fn read(package: &Package) -> Result<Self> {
        let mut read = Self::default();
        if let Some(styles) = package.related_parts(package.main_part(), "styles").next() {
            read.languages = default_languages(package.part_text(styles).unwrap_or_default());
        }
        let Some(settings) = package.related_parts(package.main_part(), "settings").next() else { return Ok(read) };
        if !package.part_text(settings).is_some_and(|text| text.contains("mailMerge")) {
            return Ok(read);
        }
        let tree = package.parse_part(settings).ok().flatten();
        package.meter().outcome()?;
        let Some(tree) = tree else { return Ok(read) };
        let Some(merge) = tree.root().and_then(|root| root.child(Ns::W, "mailMerge")) else { return Ok(read) };
        let suppresses = merge.child(Ns::W, "doNotSuppressBlankLines");
        read.keeps_blank_lines = suppresses.is_some_and(|element| on_off(element.val()));
        let source = merge.child(Ns::W, "odso");
        let maps: Vec<Element<'_>> =
            source.into_iter().flat_map(|source| source.children_with_name(Ns::W, "fieldMapData")).collect();
        if !maps.is_empty() {
            let column = |map: Element<'_>| {
                let mapped = map.child_val("mappedName")?.to_owned();
                Some((mapped, name::normalize(map.child_val("name").filter(|name| !name.is_empty())?)))
            };
            read.columns = Some(maps.into_iter().filter_map(column).collect());
        }
        Ok(read)
    }

    /// Finds the field of the template for each part of the blocks (ADDRESSBLOCK, GREETINGLINE).
    ///
    /// The mapping of the mail merge contains the name of the field. A part without a column in the mapping has a field
    /// only if the template contains one with a usual name of the part. If the document has no mapping, a field with a
    /// usual name is used. If the template has no such field, the part gets its first usual name. Names that differ
    /// only in case, accents and signs count as equal, because Word writes the column `First Name` as `First_Name`.
    pub(super) fn name_blocks(&self, parts: &mut [ScannedPart<'_>]) {
        if !parts.iter().any(has_block) {
            return;
        }
        let known = known_names(parts);
        for part in parts {
            self.name_blocks_in(part, &known);
        }
    }

    /// Finds the field of the template for each part of the blocks in `part`, a changed part of the template `parts`. See
    /// [`Self::name_blocks`].
    pub(super) fn name_blocks_like(&self, parts: &[ScannedPart<'_>], part: &mut ScannedPart<'_>) {
        if has_block(part) {
            self.name_blocks_in(part, &known_names(parts));
        }
    }

    fn name_blocks_in(&self, part: &mut ScannedPart<'_>, known: &HashMap<String, String>) {
        for merge in &mut part.scan.merge_fields {
            let MergeContent::Block(block) = &mut merge.content else { continue };
            for part in block.parts_mut() {
                part.name = self.part_name(part, known).filter(|name| name::is_valid(name));
            }
        }
    }

    /// Returns the name of the field that replaces a part of a block. `known` contains the fields of the template by
    /// their folded names.
    fn part_name(&self, part: &BlockPart, known: &HashMap<String, String>) -> Option<String> {
        let as_in_template = |name: &str| known.get(&name::fold(name)).cloned();
        let usual = part.kind.usual_names;
        if let Some(mapping) = &self.columns {
            let column = mapping.get(part.kind.mapped_name).map(String::as_str);
            // A part without a column is empty in Word, unless the template itself has a field for it.
            return match column {
                Some(column) => as_in_template(column).or_else(|| Some(column.to_owned())),
                None => usual.iter().find_map(|name| as_in_template(name)),
            };
        }
        usual.iter().find_map(|name| as_in_template(name)).or_else(|| usual.first().map(|name| (*name).to_owned()))
    }
}

fn has_block(part: &ScannedPart<'_>) -> bool {
    part.scan.merge_fields.iter().any(|merge| matches!(merge.content, MergeContent::Block(_)))
}

/// Returns the names of the fields by their folded names.
fn known_names(parts: &[ScannedPart<'_>]) -> HashMap<String, String> {
    field_names(parts, true).into_iter().map(|name| (name::fold(&name), name)).collect()
}

/// Returns the names of the fields that may have no value: those that are only parts of an ADDRESSBLOCK or GREETINGLINE, or
/// answers to a FILLIN or ASK. In Word, the data source may have no column for such a part, and an answer may be left out.
pub(super) fn optional_names(parts: &[ScannedPart<'_>]) -> HashSet<String> {
    let merges = parts.iter().flat_map(|part| part.scan.merge_field_names());
    let mut optional: HashSet<String> = merges.map(|(_, name)| name).collect();
    let asked = parts.iter().flat_map(|part| &part.scan.codes).filter_map(|code| code.asked.as_ref());
    optional.extend(asked.map(|asked| asked.name.clone()));
    for name in field_names(parts, false) {
        optional.remove(&name);
    }
    optional
}

/// Returns the names of all fields of the template except those of blocks, from the last to the first. `with_prompts`
/// is `true` if the fields of FILLIN are included.
fn field_names(parts: &[ScannedPart<'_>], with_prompts: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        names.extend(part.paragraph_fields.iter().flat_map(|found| &found.matches).map(|one| one.name.clone()));
        names.extend(part.scan.codes.iter().flat_map(|code| &code.fields).map(|one| one.name.clone()));
        names.extend(part.slot_fields.iter().flat_map(|found| &found.matches).map(|one| one.name.clone()));
        names.extend(part.scan.merge_fields.iter().filter(|merge| merge.ended).filter_map(
            |merge| match &merge.content {
                MergeContent::Value(value) if with_prompts || !value.is_prompt => value.field_name(),
                _ => None,
            },
        ));
        names.extend(
            part.field_controls.iter().filter_map(|&at| part.scan.controls.get(at)).map(|control| control.name()),
        );
    }
    names.retain(|name| name::is_valid(name));
    names.reverse();
    names
}

/// Returns the languages of the document defaults (w:docDefaults) in the styles part.
fn default_languages(styles: &str) -> Languages {
    let defaults = styles.split_once("docDefaults>").and_then(|(_, rest)| rest.split_once("docDefaults>"));
    defaults.map(|(defaults, _)| Languages::in_markup(defaults)).unwrap_or_default()
}

impl Languages {
    /// Returns the languages of the first `w:lang` in the markup.
    pub(super) fn in_markup(markup: &str) -> Self {
        let tags = markup.split('<').map(|tag| tag.split('>').next().unwrap_or_default());
        let is_language = |tag: &&str| {
            let name = tag.split([' ', '/', '\t', '\n', '\r']).next().unwrap_or_default();
            name.rsplit(':').next() == Some("lang")
        };
        let Some(tag) = tags.into_iter().find(is_language) else { return Self::default() };
        let value = |name: &str| {
            let mut attributes = attribute_ranges(tag);
            let found = attributes.find(|(key, _)| key.rsplit(':').next() == Some(name))?;
            tag.get(found.1).filter(|language| !language.is_empty()).map(str::to_owned)
        };
        Self { left_to_right: value("val"), complex_script: value("bidi") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_read_from_run_properties_and_document_defaults() {
        let languages = Languages::in_markup(r#"<w:rPr><w:b/><w:lang w:val="fr-FR" w:bidi='ar-MA'/></w:rPr>"#);
        assert_eq!(languages.left_to_right.as_deref(), Some("fr-FR"));
        assert_eq!(languages.complex_script.as_deref(), Some("ar-MA"));
        assert_eq!(Languages::in_markup("<w:language w:val=\"x\"/>"), Languages::default());
        let styles = "<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val=\"de-DE\"/></w:rPr></w:rPrDefault></w:docDefaults>\
                      <w:style><w:rPr><w:lang w:val=\"it-IT\"/></w:rPr></w:style></w:styles>";
        assert_eq!(default_languages(styles).left_to_right.as_deref(), Some("de-DE"));
        assert_eq!(default_languages("<w:styles><w:lang w:val=\"it-IT\"/></w:styles>"), Languages::default());
    }
}
