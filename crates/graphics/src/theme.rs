//! The theme part: its colours, fonts and shape styles (§20.1.6).

use std::collections::HashMap;
use std::sync::Arc;

use crate::color::{apply_transformation, transformation_value};
use crate::xml::values::{angle, emu, hex_color, parse_fraction};
use crate::xml::{Element, Ns, Tree};
use crate::{Fill, Rgb};

/// The parts of a theme that documents refer to.
#[derive(Debug, Default)]
pub struct Theme {
    colors: HashMap<String, Rgb>,
    /// The colour mapping of w:clrSchemeMapping, for example from `bg1` to `light1`.
    mapping: HashMap<String, String>,
    major: FontCollection,
    minor: FontCollection,
    /// The line widths of the theme's line styles (a:lnStyleLst), in points.
    pub(crate) line_widths: Vec<f32>,
    /// The fill styles, in order (a:fillStyleLst, §20.1.4.1.13). `None` is a solid fill.
    fill_styles: Vec<Option<GradientStyle>>,
}

/// Maximum number of fill styles, of stops in a style, and of transformations in a stop. The limit is low, because each
/// shape of a document can use a style with all its stops and transformations.
const MAX_ITEMS: usize = 32;

/// A colour transformation: its name and its value.
type ColorTransformation = (String, Option<f32>);

/// A gradient of a fill style. Each stop has a position from 0 to 1 and the transformations of the placeholder colour.
/// The angle is in degrees clockwise.
#[derive(Debug)]
struct GradientStyle {
    stops: Vec<(f32, Vec<ColorTransformation>)>,
    angle: f32,
}

impl GradientStyle {
    /// Reads a gradient. Returns `None` for a solid fill, and for a gradient with other colours than the placeholder.
    /// Such fills are drawn in the plain placeholder colour.
    fn read(element: Element<'_>) -> Option<Self> {
        let stop = |stop: Element<'_>| {
            let color = stop.children().next().filter(|color| color.attr("val") == Some("phClr"))?;
            let steps =
                color.children().take(MAX_ITEMS).map(|step| (step.name().to_owned(), transformation_value(step)));
            Some((stop.attr("pos").and_then(parse_fraction)?.clamp(0.0, 1.0), steps.collect()))
        };
        let list = element.child_named("gsLst").filter(|_| element.name() == "gradFill")?;
        let stops: Option<Vec<_>> = list.children().take(MAX_ITEMS).map(stop).collect();
        let mut stops = stops.filter(|stops| stops.len() > 1)?;
        stops.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let angle = element.child_named("lin").and_then(|line| line.attr("ang")).and_then(angle).unwrap_or(0.0);
        Some(Self { stops, angle })
    }
}

/// The major or the minor fonts of a theme.
#[derive(Debug, Default)]
struct FontCollection {
    latin: Option<Arc<str>>,
    east_asia: Option<Arc<str>>,
    complex: Option<Arc<str>>,
    /// Font families by ISO 15924 script, for example `Times New Roman` for `Arab`.
    scripts: HashMap<String, Arc<str>>,
}

/// The languages of w:themeFontLang. They select the script of the theme's East Asian and complex fonts.
#[derive(Debug, Default, Clone)]
pub struct ThemeLanguages {
    /// The language of East Asian fonts (w:eastAsia), such as `ja-JP`.
    pub east_asia: Option<String>,
    /// The language of complex-script fonts (w:bidi), such as `ar-SA`.
    pub complex: Option<String>,
}

impl Theme {
    /// Reads the theme part.
    pub fn parse(tree: &Tree<'_>) -> Self {
        let mut theme = Self::default();
        let Some(elements) = tree.root().and_then(|root| root.child(Ns::A, "themeElements")) else { return theme };
        for slot in elements.child(Ns::A, "clrScheme").into_iter().flat_map(Element::children) {
            let color = slot.children().find_map(|color| match color.name() {
                "srgbClr" => hex_color(color.attr("val")?),
                "sysClr" => hex_color(color.attr("lastClr")?),
                _ => None,
            });
            if let Some(color) = color {
                theme.colors.insert(slot.name().to_owned(), color);
            }
        }
        if let Some(fonts) = elements.child(Ns::A, "fontScheme") {
            theme.major = fonts.child(Ns::A, "majorFont").map(FontCollection::read).unwrap_or_default();
            theme.minor = fonts.child(Ns::A, "minorFont").map(FontCollection::read).unwrap_or_default();
        }
        let format = elements.child(Ns::A, "fmtScheme");
        let styles = |name| format.and_then(|format| format.child(Ns::A, name)).into_iter().flat_map(Element::children);
        theme.fill_styles = styles("fillStyleLst").take(MAX_ITEMS).map(GradientStyle::read).collect();
        let width = |line: Element<'_>| line.attr("w").and_then(emu).unwrap_or(0.75);
        theme.line_widths = styles("lnStyleLst").map(width).collect();
        theme
    }

    /// Returns the fill of a shape that uses a fill style. `number` is the number of the style, from 1 (§20.1.4.2.10).
    /// `color` and `opacity` replace the placeholder colour of the style. An unknown style is a solid fill.
    pub(crate) fn fill(&self, number: i64, color: Rgb, opacity: f32) -> Fill {
        let style = usize::try_from(number - 1).ok().and_then(|index| self.fill_styles.get(index));
        let Some(Some(GradientStyle { stops, angle })) = style else { return Fill::Solid { color, opacity } };
        let made = |steps: &[ColorTransformation]| {
            let step = |(color, opacity), (name, value): &ColorTransformation| {
                apply_transformation(name, *value, color, opacity)
            };
            steps.iter().fold((color, 1.0), step).0
        };
        Fill::Gradient { stops: stops.iter().map(|(place, steps)| (*place, made(steps))).collect(), angle: *angle }
    }

    /// Sets the colour mapping (w:clrSchemeMapping in the settings).
    pub fn set_mapping(&mut self, mapping: HashMap<String, String>) {
        self.mapping = mapping;
    }

    /// Returns a colour by its name in WordprocessingML (`accent1`, `text1`, `dark2` …) or DrawingML (`tx1`, `dk2` …).
    pub fn color(&self, name: &str) -> Option<Rgb> {
        let slot = match name {
            "dark1" | "dk1" => "dk1",
            "light1" | "lt1" => "lt1",
            "dark2" | "dk2" => "dk2",
            "light2" | "lt2" => "lt2",
            "text1" | "tx1" => self.mapped_slot("t1", "dk1"),
            "text2" | "tx2" => self.mapped_slot("t2", "dk2"),
            "background1" | "bg1" => self.mapped_slot("bg1", "lt1"),
            "background2" | "bg2" => self.mapped_slot("bg2", "lt2"),
            "hyperlink" | "hlink" => "hlink",
            "followedHyperlink" | "folHlink" => "folHlink",
            other => other,
        };
        self.colors.get(slot).copied().or(match slot {
            "dk1" => Some(Rgb(0, 0, 0)),
            "lt1" => Some(Rgb(255, 255, 255)),
            _ => None,
        })
    }

    /// Returns the name of the theme colour (such as `dk1`) to which a name is mapped. Returns `otherwise` if the name
    /// is not mapped.
    fn mapped_slot(&self, name: &str, otherwise: &'static str) -> &'static str {
        match self.mapping.get(name).map(String::as_str) {
            Some("dark1") => "dk1",
            Some("light1") => "lt1",
            Some("dark2") => "dk2",
            Some("light2") => "lt2",
            _ => otherwise,
        }
    }

    /// Returns the font family of a theme font reference (§17.18.96), such as `minorHAnsi` or `majorBidi`.
    pub fn font(&self, reference: &str, languages: &ThemeLanguages) -> Option<Arc<str>> {
        let fonts = if reference.starts_with("major") { &self.major } else { &self.minor };
        match reference {
            name if name.ends_with("EastAsia") => {
                fonts.font_for_language(languages.east_asia.as_deref()).or_else(|| fonts.east_asia.clone())
            }
            name if name.ends_with("Bidi") => {
                fonts.font_for_language(languages.complex.as_deref()).or_else(|| fonts.complex.clone())
            }
            _ => fonts.latin.clone(),
        }
    }
}

impl FontCollection {
    fn read(element: Element<'_>) -> Self {
        let face = |name| {
            let face = element.child(Ns::A, name)?.attr("typeface")?;
            (!face.is_empty()).then(|| Arc::from(face))
        };
        let scripts = element.children_with_name(Ns::A, "font").filter_map(|font| {
            Some((font.attr("script")?.to_owned(), Arc::from(font.attr("typeface").filter(|name| !name.is_empty())?)))
        });
        Self { latin: face("latin"), east_asia: face("ea"), complex: face("cs"), scripts: scripts.collect() }
    }

    fn font_for_language(&self, language: Option<&str>) -> Option<Arc<str>> {
        self.scripts.get(script_of(language?)?).cloned()
    }
}

/// Returns the ISO 15924 script of a language of w:themeFontLang.
fn script_of(language: &str) -> Option<&'static str> {
    let mut subtags = language.split(['-', '_']);
    let primary = subtags.next()?.to_ascii_lowercase();
    Some(match primary.as_str() {
        "ar" | "fa" | "ps" | "sd" | "ks" | "ur" => "Arab",
        "he" | "iw" | "yi" => "Hebr",
        "th" => "Thai",
        "hi" | "mr" | "ne" | "sa" | "kok" => "Deva",
        "bn" | "as" => "Beng",
        "gu" => "Gujr",
        "pa" => "Guru",
        "kn" => "Knda",
        "ml" => "Mlym",
        "or" => "Orya",
        "ta" => "Taml",
        "te" => "Telu",
        "si" => "Sinh",
        "km" => "Khmr",
        "lo" => "Laoo",
        "am" | "ti" => "Ethi",
        "bo" | "dz" => "Tibt",
        "ug" => "Uigh",
        "vi" => "Viet",
        "dv" => "Thaa",
        "syr" => "Syrc",
        "mn" => "Mong",
        "ja" => "Jpan",
        "ko" => "Hang",
        "zh" => {
            let traditional =
                subtags.any(|tag| matches!(tag.to_ascii_uppercase().as_str(), "TW" | "HK" | "MO" | "HANT"));
            if traditional { "Hant" } else { "Hans" }
        }
        _ => return None,
    })
}
