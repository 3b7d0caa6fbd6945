//! The settings part `word/settings.xml` (§17.15.1).

use std::collections::HashMap;

use smart_default::SmartDefault;

use super::math::math_value;
use super::section::note_properties;
use super::theme::ThemeLanguages;
use super::values::{integer, parse_enum, toggle_value, twips};
use super::xml::{Element, Ns, Tree};
use crate::tree::{HyphenAtPageEnd, MathAlignment, Settings};

/// The settings in `word/settings.xml`. The document tree contains only the field `settings`; the other fields are used
/// only while the document is read.
#[derive(Debug, Default)]
pub(crate) struct SettingsPart {
    pub settings: Settings,
    pub theme_languages: ThemeLanguages,
    pub color_mapping: HashMap<String, String>,
    /// Paragraph styles override the font size and alignment of table styles
    /// (w:overrideTableStyleFontSizeAndJustification).
    pub paragraph_style_beats_table_style: bool,
    pub math: MathSettings,
    /// Word updates all fields when it opens the document (w:updateFields).
    pub update_fields: bool,
}

/// The defaults for formulas (m:mathPr, §22.1.2.62).
#[derive(Debug, SmartDefault)]
pub(crate) struct MathSettings {
    pub alignment: MathAlignment,
    pub integral_limits_above: bool,
    #[default(true)]
    pub operator_limits_above: bool,
}

impl SettingsPart {
    pub(crate) fn from_tree(tree: &Tree<'_>) -> Self {
        let mut read = Self::default();
        let Some(root) = tree.root() else { return read };
        let settings = &mut read.settings;
        let on = |name| toggle_value(root, name).unwrap_or(false);
        let length = |name| root.child_val(name).and_then(twips);
        settings.default_tab_stop = length("defaultTabStop").filter(|stop| *stop > 0.0).unwrap_or(36.0);
        settings.even_and_odd_headers = on("evenAndOddHeaders");
        settings.mirror_margins = on("mirrorMargins");
        settings.gutter_at_top = on("gutterAtTop");
        settings.auto_hyphenation = on("autoHyphenation");
        settings.hyphenation_zone = length("hyphenationZone").unwrap_or(18.0);
        settings.do_not_hyphenate_caps = on("doNotHyphenateCaps");
        let hyphens = root.child_val("consecutiveHyphenLimit").and_then(integer).unwrap_or(0);
        settings.consecutive_hyphen_limit = hyphens.clamp(0, 32_767) as u32;
        let spacing = root.child_val("characterSpacingControl").unwrap_or("doNotCompress");
        settings.compress_punctuation = spacing.starts_with("compressPunctuation");
        settings.track_revisions = on("trackRevisions");
        read.update_fields = on("updateFields");
        settings.footnotes = root.child(Ns::W, "footnotePr").map(note_properties).unwrap_or_default();
        settings.endnotes = root.child(Ns::W, "endnotePr").map(note_properties).unwrap_or_default();
        for variable in
            root.child(Ns::W, "docVars").into_iter().flat_map(|list| list.children_with_name(Ns::W, "docVar"))
        {
            if let (Some(name), Some(value)) = (variable.word_attribute("name"), variable.val()) {
                settings.variables.insert(name.to_owned(), value.to_owned());
            }
        }
        if let Some(math) = root.child(Ns::M, "mathPr") {
            read.math = MathSettings {
                alignment: math_value(math, "defJc").and_then(parse_enum).unwrap_or_default(),
                integral_limits_above: math_value(math, "intLim") == Some("undOvr"),
                operator_limits_above: math_value(math, "naryLim") != Some("subSup"),
            };
            let indent = math_value(math, "wrapIndent").and_then(twips);
            read.settings.formula_wrap_indent = indent.unwrap_or(72.0).clamp(0.0, 360.0);
        }
        if let Some(compatibility) = root.child(Ns::W, "compat") {
            read.read_compatibility(compatibility);
        }
        if let Some(languages) = root.child(Ns::W, "themeFontLang") {
            let tag = |name| languages.word_attribute(name).filter(|tag| !tag.is_empty()).map(str::to_owned);
            read.theme_languages = ThemeLanguages { east_asia: tag("eastAsia"), complex: tag("bidi") };
        }
        if let Some(mapping) = root.child(Ns::W, "clrSchemeMapping") {
            let named =
                ["bg1", "t1", "bg2", "t2"].into_iter().filter_map(|name| Some((name, mapping.word_attribute(name)?)));
            read.color_mapping.extend(named.map(|(name, color)| (name.to_owned(), color.to_owned())));
        }
        read
    }

    fn read_compatibility(&mut self, element: Element<'_>) {
        let on = |name| toggle_value(element, name).unwrap_or(false);
        self.settings.do_not_expand_shift_return = on("doNotExpandShiftReturn");
        self.settings.do_not_use_html_paragraph_auto_spacing = on("doNotUseHTMLParagraphAutoSpacing");
        let mut hyphens_stay = false;
        for setting in element.children_with_name(Ns::W, "compatSetting") {
            let value = setting.val().unwrap_or("");
            let on = value == "1" || value == "true";
            match setting.word_attribute("name") {
                Some("compatibilityMode") => {
                    self.settings.compatibility_mode = integer(value).unwrap_or(12).clamp(11, 15) as u8;
                }
                Some("overrideTableStyleFontSizeAndJustification") => {
                    self.paragraph_style_beats_table_style = on;
                }
                Some("allowHyphenationAtTrackBottom") => hyphens_stay = on,
                Some("useWord2013TrackBottomHyphenation") if !on => {
                    self.settings.hyphen_at_page_end = HyphenAtPageEnd::WordGoes;
                }
                _ => {}
            }
        }
        if hyphens_stay {
            self.settings.hyphen_at_page_end = HyphenAtPageEnd::Stays;
        }
    }
}
