//! Run formatting (§17.3.2). Each `w:rPr` is applied on top of the inherited format, level by level (§17.7.2).

use std::sync::Arc;

use super::color;
use super::theme::{Theme, ThemeLanguages};
use super::values::{half_points, integer, on_off, override_value, parse_enum, percent, twips};
use super::xml::{Element, Ns};
use crate::Meter;
use crate::tree::*;

/// The run properties while the levels of the cascade are applied one after the other. The levels are document
/// defaults, table style, paragraph style, character style and direct formatting.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunFormat {
    /// The properties, except for the toggles and the style, which [`Self::resolve`] adds.
    properties: RunProperties,
    /// Single strikethrough (w:strike). It has no effect if double strikethrough is on.
    strike: bool,
    /// The toggles of the current level of the cascade. Within one level, later values replace earlier ones.
    toggles: Toggles,
    /// The toggles that the document defaults turn on, as a bit mask.
    defaults_on: u16,
    /// The toggles that the styles turn on, combined by exclusive or, as a bit mask.
    styles_on: u16,
}

/// The toggle properties of one level of the cascade, as bit masks. `specified` contains the properties that the level
/// specifies, and `on` contains the properties that it turns on. The levels of styles are combined by exclusive or
/// (§17.7.3).
#[derive(Debug, Clone, Copy, Default)]
struct Toggles {
    specified: u16,
    on: u16,
}

/// The element name of a toggle property, and a function that returns the field of [`RunFormat`] for that property.
type Toggle = (&'static str, fn(&mut RunFormat) -> &mut bool);

/// The maximum length of a language tag in bytes. Longer tags are ignored. Registered tags have at most 35 characters
/// (RFC 5646, §4.4.1).
const MAX_LANGUAGE_BYTES: usize = 85;

const TOGGLES: [Toggle; 12] = [
    ("b", |run| &mut run.properties.bold),
    ("bCs", |run| &mut run.properties.bold_complex),
    ("i", |run| &mut run.properties.italic),
    ("iCs", |run| &mut run.properties.italic_complex),
    ("caps", |run| &mut run.properties.caps),
    ("smallCaps", |run| &mut run.properties.small_caps),
    ("strike", |run| &mut run.strike),
    ("vanish", |run| &mut run.properties.hidden),
    ("emboss", |run| &mut run.properties.emboss),
    ("imprint", |run| &mut run.properties.imprint),
    ("outline", |run| &mut run.properties.outline),
    ("shadow", |run| &mut run.properties.shadow),
];

/// The document data that is needed to read properties.
#[derive(Clone, Copy)]
pub(crate) struct FormatContext<'c> {
    pub theme: &'c Theme,
    pub languages: &'c ThemeLanguages,
    pub meter: &'c Meter,
}

impl FormatContext<'_> {
    /// Counts the cost of applying an element, because a style may be applied many times.
    pub(crate) fn count(&self, element: Element<'_>) {
        self.meter.spend(element.source().len() / 16);
    }
}

impl RunFormat {
    /// Returns the format for documents without run defaults. It is the format of Word's new documents since 2007.
    pub(crate) fn new_document_defaults() -> Self {
        let calibri: Option<Arc<str>> = Some("Calibri".into());
        let fonts = Fonts { ascii: calibri.clone(), high_ansi: calibri, ..Fonts::default() };
        let properties = RunProperties { fonts, size: 11.0, size_complex: 11.0, ..RunProperties::default() };
        Self { properties, ..Self::default() }
    }

    /// Returns the format of the document defaults. `element` is their `w:rPr`, or `None` if they have none. Styles
    /// cannot turn off the toggles that the document defaults turn on (§17.7.3).
    pub(crate) fn from_defaults(element: Option<Element<'_>>, context: FormatContext<'_>) -> Self {
        let mut format = Self::default();
        element.into_iter().for_each(|element| format.apply(element, context));
        format.defaults_on = std::mem::take(&mut format.toggles).on;
        format
    }

    /// Applies a complete style on top of this format. `style` contains the `w:rPr` elements of the style and its base
    /// styles, base first.
    pub(crate) fn apply_style(&mut self, style: &[Element<'_>], context: FormatContext<'_>) {
        style.iter().for_each(|element| self.apply(*element, context));
        self.styles_on ^= std::mem::take(&mut self.toggles).on;
    }

    /// Applies a `w:rPr` on top of this format.
    pub(crate) fn apply(&mut self, element: Element<'_>, context: FormatContext<'_>) {
        context.count(element);
        for child in element.children() {
            match child.ns() {
                Ns::W => self.apply_property(child, context),
                Ns::W14 if child.name() == "ligatures" => {
                    let kind = child.attribute(Ns::W14, "val").or_else(|| child.val()).unwrap_or("none");
                    self.properties.ligatures = kind.contains("standard") || kind == "all";
                }
                _ => {}
            }
        }
    }

    fn apply_property(&mut self, child: Element<'_>, FormatContext { theme, languages, .. }: FormatContext<'_>) {
        let val = child.val();
        if let Some(place) = TOGGLES.iter().position(|(name, _)| *name == child.name()) {
            let bit = 1 << place;
            self.toggles.specified |= bit;
            self.toggles.on = if on_off(val) { self.toggles.on | bit } else { self.toggles.on & !bit };
            return;
        }
        let run = &mut self.properties;
        match child.name() {
            "rFonts" => apply_fonts(child, &mut run.fonts, theme, languages),
            "sz" => override_value(&mut run.size, val.and_then(half_points).filter(|size| *size > 0.0)),
            "szCs" => override_value(&mut run.size_complex, val.and_then(half_points).filter(|size| *size > 0.0)),
            "rtl" => run.right_to_left = on_off(val),
            "cs" => run.complex_script = on_off(val),
            "color" => override_value(&mut run.color, color::word_color(child, theme, color::VAL)),
            "highlight" => override_value(&mut run.highlight, val.map(color::highlight_color)),
            "shd" => run.shading = color::shading_color(child, theme),
            // An underline with only a colour is not drawn. Word writes it after an underline was removed.
            "u" => override_value(&mut run.underline, val.map(|kind| read_underline(kind, child, theme))),
            "dstrike" => run.strike = if on_off(val) { Strike::Double } else { Strike::None },
            "vertAlign" => {
                override_value(&mut run.vertical_position, val.map(|place| parse_enum(place).unwrap_or_default()))
            }
            "position" => override_value(&mut run.raise, val.and_then(half_points)),
            "spacing" => override_value(&mut run.spacing, val.and_then(twips)),
            // The scale is from 1 to 600 percent (ST_TextScale). Values outside are ignored.
            "w" => {
                let scale = val.and_then(percent).filter(|scale| (1.0..=600.0).contains(scale));
                override_value(&mut run.scale, scale.map(|percent| percent / 100.0));
            }
            "kern" => override_value(
                &mut run.kerning_from,
                val.and_then(half_points).map(|size| Some(size).filter(|s| *s > 0.0)),
            ),
            "em" => override_value(&mut run.emphasis_mark, val.map(|mark| parse_enum(mark).unwrap_or_default())),
            "bdr" => run.border = color::read_border(child, theme).filter(|border| border.style != BorderStyle::None),
            "lang" => {
                let known = |tag: &&str| (1..=MAX_LANGUAGE_BYTES).contains(&tag.len());
                let tag = |name| child.word_attribute(name).filter(known).map(|tag| Some(Arc::from(tag)));
                override_value(&mut run.language.latin, tag("val"));
                override_value(&mut run.language.east_asia, tag("eastAsia"));
                override_value(&mut run.language.complex, tag("bidi"));
            }
            "fitText" => run.fit = read_fit_text(child),
            "noProof" => run.no_proof = on_off(val),
            "snapToGrid" => run.snap_to_grid = on_off(val),
            _ => {}
        }
    }

    pub(crate) fn size(&self) -> f32 {
        self.properties.size
    }

    pub(crate) fn set_size(&mut self, size: f32) {
        self.properties.size = size;
    }

    pub(crate) fn set_color(&mut self, color: Rgb) {
        self.properties.color = Some(color);
    }

    /// Returns the language of Latin text. Returns `None` if no language is specified.
    pub(crate) fn language(&self) -> Option<&str> {
        self.properties.language.latin.as_deref()
    }

    /// Returns the resolved properties after direct formatting was applied. `style` is the name of the character style.
    /// `None`: the run has no character style.
    pub(crate) fn resolve(mut self, style: Option<Arc<str>>) -> RunProperties {
        let on = ((self.defaults_on | self.styles_on) & !self.toggles.specified) | self.toggles.on;
        for (place, (_, toggle)) in TOGGLES.iter().enumerate() {
            *toggle(&mut self) = on & (1 << place) != 0;
        }
        if self.strike && self.properties.strike == Strike::None {
            self.properties.strike = Strike::Single;
        }
        RunProperties { style, ..self.properties }
    }
}

/// Applies a `w:rFonts`. A theme reference overrides a font name in the same element (§17.3.2.26).
fn apply_fonts(element: Element<'_>, fonts: &mut Fonts, theme: &Theme, languages: &ThemeLanguages) {
    let font = |reference: &str, name: &str| {
        let of_theme = element.word_attribute(reference).and_then(|reference| theme.font(reference, languages));
        of_theme.or_else(|| element.word_attribute(name).filter(|name| !name.is_empty()).map(Arc::from)).map(Some)
    };
    override_value(&mut fonts.ascii, font("asciiTheme", "ascii"));
    override_value(&mut fonts.high_ansi, font("hAnsiTheme", "hAnsi"));
    override_value(&mut fonts.east_asia, font("eastAsiaTheme", "eastAsia"));
    override_value(&mut fonts.complex, font("cstheme", "cs"));
    let hint = element.word_attribute("hint").map(|hint| match hint {
        "eastAsia" => FontSlot::EastAsia,
        "cs" => FontSlot::Complex,
        _ => FontSlot::Default,
    });
    override_value(&mut fonts.hint, hint);
}

fn read_underline(kind: &str, element: Element<'_>, theme: &Theme) -> Option<Underline> {
    let color = || color::word_color(element, theme, color::COLOR).flatten();
    (kind != "none").then(|| Underline { kind: parse_enum(kind).unwrap_or(UnderlineKind::Single), color: color() })
}

fn read_fit_text(element: Element<'_>) -> Option<FitText> {
    let width = element.val().and_then(twips).filter(|width| *width > 0.0)?;
    Some(FitText { width, id: element.word_attribute("id").and_then(integer).unwrap_or(0) })
}
