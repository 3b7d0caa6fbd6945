//! Run formatting as the document writes it (§17.3.2): partial, to be laid over what is inherited.

use std::sync::Arc;

use super::color;
use super::theme::{Theme, ThemeLanguages};
use super::values::{half_points, integer, on_off, percent, twips, word};
use super::xml::{Element, Ns};
use crate::tree::*;

/// What one `w:rPr` says; `None` leaves a property to what is inherited.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RunFormat {
    pub style: Option<Arc<str>>,
    pub toggles: Toggles,
    pub ascii: Option<Arc<str>>,
    pub high_ansi: Option<Arc<str>>,
    pub east_asia: Option<Arc<str>>,
    pub complex: Option<Arc<str>>,
    pub hint: Option<FontSlot>,
    pub size: Option<f32>,
    pub size_complex: Option<f32>,
    pub right_to_left: Option<bool>,
    pub complex_script: Option<bool>,
    pub color: Option<Option<Rgb>>,
    pub highlight: Option<Option<Rgb>>,
    pub shading: Option<Option<Rgb>>,
    pub underline: Option<Option<Underline>>,
    pub double_strike: Option<bool>,
    pub vertical_position: Option<VerticalPosition>,
    pub raise: Option<f32>,
    pub spacing: Option<f32>,
    pub scale: Option<f32>,
    pub kerning_from: Option<f32>,
    pub ligatures: Option<bool>,
    pub emphasis_mark: Option<EmphasisMark>,
    pub border: Option<Option<Border>>,
    pub language: Option<Arc<str>>,
    pub language_east_asia: Option<Arc<str>>,
    pub language_complex: Option<Arc<str>>,
    pub fit: Option<Option<FitText>>,
    pub no_proof: Option<bool>,
    pub snap_to_grid: Option<bool>,
}

/// The properties that combine by exclusive or between styles (§17.7.3): which are given, and which are on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Toggles {
    pub given: u16,
    pub on: u16,
}

pub(crate) const BOLD: u16 = 1;
pub(crate) const BOLD_COMPLEX: u16 = 1 << 1;
pub(crate) const ITALIC: u16 = 1 << 2;
pub(crate) const ITALIC_COMPLEX: u16 = 1 << 3;
pub(crate) const CAPS: u16 = 1 << 4;
pub(crate) const SMALL_CAPS: u16 = 1 << 5;
pub(crate) const STRIKE: u16 = 1 << 6;
pub(crate) const HIDDEN: u16 = 1 << 7;
pub(crate) const EMBOSS: u16 = 1 << 8;
pub(crate) const IMPRINT: u16 = 1 << 9;
pub(crate) const OUTLINE: u16 = 1 << 10;
pub(crate) const SHADOW: u16 = 1 << 11;

impl Toggles {
    fn set(&mut self, bit: u16, on: bool) {
        self.given |= bit;
        self.on = if on { self.on | bit } else { self.on & !bit };
    }

    fn over(&mut self, above: Toggles) {
        self.on = (self.on & !above.given) | (above.on & above.given);
        self.given |= above.given;
    }
}

/// What parsing a property element needs to know of the document.
pub(crate) struct FormatContext<'c> {
    pub theme: &'c Theme,
    pub languages: &'c ThemeLanguages,
}

impl RunFormat {
    /// Reads a `w:rPr`.
    pub(crate) fn read(element: Element<'_>, context: &FormatContext<'_>) -> Self {
        let mut format = Self::default();
        for child in element.children() {
            match child.ns() {
                Ns::W => format.property(child, context),
                Ns::W14 if child.name() == "ligatures" => {
                    let kind = child.attribute(Ns::W14, "val").or_else(|| child.val()).unwrap_or("none");
                    format.ligatures = Some(kind.contains("standard") || kind == "all");
                }
                _ => {}
            }
        }
        format
    }

    fn property(&mut self, child: Element<'_>, context: &FormatContext<'_>) {
        if let Some(bit) = toggle(child.name()) {
            return self.toggles.set(bit, on_off(child.val()));
        }
        let val = child.val();
        match child.name() {
            "rStyle" => self.style = val.map(Arc::from),
            "rFonts" => self.fonts(child, context),
            "sz" => self.size = val.and_then(half_points).filter(|size| *size > 0.0).or(self.size),
            "szCs" => self.size_complex = val.and_then(half_points).filter(|size| *size > 0.0).or(self.size_complex),
            "rtl" => self.right_to_left = Some(on_off(val)),
            "cs" => self.complex_script = Some(on_off(val)),
            "color" => self.color = color::word_color(child, context.theme, &color::VAL).or(self.color),
            "highlight" => self.highlight = val.map(color::highlight),
            "shd" => self.shading = Some(color::shading(child, context.theme)),
            // With a colour alone there is no line: Word leaves that behind where one was taken away.
            "u" => self.underline = val.map(|kind| underline(kind, child, context.theme)).or(self.underline.take()),
            "dstrike" => self.double_strike = Some(on_off(val)),
            "vertAlign" => self.vertical_position = val.map(|place| word(place).unwrap_or_default()),
            "position" => self.raise = val.and_then(half_points),
            "spacing" => self.spacing = val.and_then(twips),
            // From 1 to 600 (ST_TextScale); what is beyond is not taken.
            "w" => self.scale = val.and_then(percent).filter(|scale| (1.0..=600.0).contains(scale)).map(|p| p / 100.0),
            "kern" => self.kerning_from = val.and_then(half_points),
            "em" => self.emphasis_mark = val.map(|mark| word(mark).unwrap_or_default()),
            "bdr" => self.border = Some(color::border(child, context.theme)),
            "lang" => self.languages(child),
            "fitText" => self.fit = Some(fit_text(child)),
            "noProof" => self.no_proof = Some(on_off(val)),
            "snapToGrid" => self.snap_to_grid = Some(on_off(val)),
            _ => {}
        }
    }

    /// A theme reference wins over a name beside it (§17.3.2.26).
    fn fonts(&mut self, element: Element<'_>, context: &FormatContext<'_>) {
        let slot = |theme: &str, name: &str| {
            let reference = element.w(theme).and_then(|reference| context.theme.font(reference, context.languages));
            reference.or_else(|| element.w(name).filter(|name| !name.is_empty()).map(Arc::from))
        };
        self.ascii = slot("asciiTheme", "ascii").or(self.ascii.take());
        self.high_ansi = slot("hAnsiTheme", "hAnsi").or(self.high_ansi.take());
        self.east_asia = slot("eastAsiaTheme", "eastAsia").or(self.east_asia.take());
        self.complex = slot("cstheme", "cs").or(self.complex.take());
        self.hint = match element.w("hint") {
            Some("eastAsia") => Some(FontSlot::EastAsia),
            Some("cs") => Some(FontSlot::Complex),
            Some(_) => Some(FontSlot::Default),
            None => self.hint,
        };
    }

    fn languages(&mut self, element: Element<'_>) {
        let tag = |name| element.w(name).filter(|tag| !tag.is_empty()).map(Arc::from);
        self.language = tag("val").or(self.language.take());
        self.language_east_asia = tag("eastAsia").or(self.language_east_asia.take());
        self.language_complex = tag("bidi").or(self.language_complex.take());
    }

    /// Lays `above` over this, toggles replacing toggles: within one chain of styles.
    pub(crate) fn over(&mut self, above: &RunFormat) {
        self.toggles.over(above.toggles);
        self.over_values(above);
    }

    fn over_values(&mut self, above: &RunFormat) {
        lay_over!(self, above:
            style ascii high_ansi east_asia complex hint size size_complex right_to_left complex_script color
            highlight shading underline double_strike vertical_position raise spacing scale kerning_from
            ligatures emphasis_mark border language language_east_asia language_complex fit no_proof
            snap_to_grid
        );
    }
}

fn toggle(name: &str) -> Option<u16> {
    Some(match name {
        "b" => BOLD,
        "bCs" => BOLD_COMPLEX,
        "i" => ITALIC,
        "iCs" => ITALIC_COMPLEX,
        "caps" => CAPS,
        "smallCaps" => SMALL_CAPS,
        "strike" => STRIKE,
        "vanish" => HIDDEN,
        "emboss" => EMBOSS,
        "imprint" => IMPRINT,
        "outline" => OUTLINE,
        "shadow" => SHADOW,
        _ => return None,
    })
}

fn underline(kind: &str, element: Element<'_>, theme: &Theme) -> Option<Underline> {
    let color = || color::word_color(element, theme, &color::COLOR).flatten();
    (kind != "none").then(|| Underline { kind: word(kind).unwrap_or(UnderlineKind::Single), color: color() })
}

fn fit_text(element: Element<'_>) -> Option<FitText> {
    let width = element.val().and_then(twips).filter(|width| *width > 0.0)?;
    Some(FitText { width, id: element.w("id").and_then(integer).unwrap_or(0) })
}

/// Formatting gathered level by level (§17.7.2): document defaults, table style, paragraph style, character style.
/// Toggle properties of the styles combine by exclusive or; what the defaults turn on stays on (§17.7.3).
#[derive(Debug, Clone, Default)]
pub(crate) struct RunCascade {
    format: RunFormat,
    defaults_on: u16,
    styles_on: u16,
}

impl RunCascade {
    pub(crate) fn new(defaults: &RunFormat) -> Self {
        let mut format = defaults.clone();
        format.style = None;
        Self { format, defaults_on: defaults.toggles.on & defaults.toggles.given, styles_on: 0 }
    }

    /// Adds the outcome of a whole style (its chain of w:basedOn already folded).
    pub(crate) fn style(&mut self, style: &RunFormat) {
        self.format.over_values(style);
        self.styles_on ^= style.toggles.on & style.toggles.given;
    }

    pub(crate) fn size(&self) -> Option<f32> {
        self.format.size
    }

    pub(crate) fn set_size(&mut self, size: f32) {
        self.format.size = Some(size);
    }

    /// The outcome with direct formatting on top. `style` is the name of the character style.
    pub(crate) fn resolve(&self, direct: &RunFormat, style: Option<Arc<str>>) -> RunProperties {
        let mut format = self.format.clone();
        format.over_values(direct);
        let inherited = self.defaults_on | self.styles_on;
        let on = (inherited & !direct.toggles.given) | (direct.toggles.on & direct.toggles.given);
        let is = |bit: u16| on & bit != 0;
        let plain = RunProperties::default();
        RunProperties {
            fonts: Fonts {
                ascii: format.ascii,
                high_ansi: format.high_ansi,
                east_asia: format.east_asia,
                complex: format.complex,
                hint: format.hint.unwrap_or_default(),
            },
            size: format.size.unwrap_or(plain.size),
            size_complex: format.size_complex.unwrap_or(plain.size_complex),
            bold: is(BOLD),
            bold_complex: is(BOLD_COMPLEX),
            italic: is(ITALIC),
            italic_complex: is(ITALIC_COMPLEX),
            right_to_left: format.right_to_left.unwrap_or(false),
            complex_script: format.complex_script.unwrap_or(false),
            color: format.color.flatten(),
            highlight: format.highlight.flatten(),
            shading: format.shading.flatten(),
            underline: format.underline.flatten(),
            strike: match (format.double_strike, is(STRIKE)) {
                (Some(true), _) => Strike::Double,
                (_, true) => Strike::Single,
                _ => Strike::None,
            },
            caps: is(CAPS),
            small_caps: is(SMALL_CAPS),
            vertical_position: format.vertical_position.unwrap_or_default(),
            raise: format.raise.unwrap_or(0.0),
            spacing: format.spacing.unwrap_or(0.0),
            scale: format.scale.unwrap_or(1.0),
            kerning_from: format.kerning_from.filter(|size| *size > 0.0),
            ligatures: format.ligatures.unwrap_or(false),
            hidden: is(HIDDEN),
            emboss: is(EMBOSS),
            imprint: is(IMPRINT),
            outline: is(OUTLINE),
            shadow: is(SHADOW),
            emphasis_mark: format.emphasis_mark.unwrap_or_default(),
            border: format.border.flatten().filter(|border| border.style != BorderStyle::None),
            language: Languages {
                latin: format.language,
                east_asia: format.language_east_asia,
                complex: format.language_complex,
            },
            fit: format.fit.flatten(),
            no_proof: format.no_proof.unwrap_or(false),
            snap_to_grid: format.snap_to_grid.unwrap_or(true),
            revision: None,
            style,
        }
    }
}
