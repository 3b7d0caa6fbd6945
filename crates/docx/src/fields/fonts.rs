//! The font families a document's text asks for.

use std::collections::{BTreeMap, BTreeSet};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use waraq_graphics::xml::values::on_off;

use crate::Package;
use crate::package::attribute;

/// A family and the part that asks for it first.
pub(super) struct UsedFont {
    pub family: String,
    pub part: String,
}

/// The families named in these parts, in the styles they use and in the document defaults, theme fonts looked up; those
/// the document embeds left out, as are those of East Asian text.
pub(super) fn used<'p>(package: &'p Package, parts: impl Iterator<Item = &'p str>) -> Vec<UsedFont> {
    let main = package.main_part();
    let theme =
        package.related(main, "theme").next().and_then(|part| package.text(part)).map(theme_fonts).unwrap_or_default();
    let embedded =
        package.related(main, "fontTable").next().and_then(|part| package.text(part)).map(embedded).unwrap_or_default();
    let mut found: Vec<UsedFont> = Vec::new();
    let mut known: BTreeSet<String> = embedded;
    let mut add = |fonts: &Asked, part: &str| {
        for font in &fonts.families {
            let family = match font.strip_prefix('+') {
                Some(theme_name) => theme.get(theme_name).cloned().unwrap_or_default(),
                None => font.clone(),
            };
            if !family.is_empty() && known.insert(family.to_lowercase()) {
                found.push(UsedFont { family, part: part.to_owned() });
            }
        }
    };
    let mut styles = BTreeSet::new();
    for part in parts {
        let asked = asked(package.text(part).unwrap_or_default());
        add(&asked, part);
        styles.extend(asked.styles);
    }
    if let Some(part) = package.related(main, "styles").next() {
        let (defaults, all) = style_fonts(package.text(part).unwrap_or_default());
        add(&defaults, part);
        let mut open: Vec<String> = styles.into_iter().chain(defaults.styles.iter().cloned()).collect();
        let mut seen = BTreeSet::new();
        while let Some(style) = open.pop() {
            if let Some(asked) = all.get(&style).filter(|_| seen.insert(style.clone())) {
                add(asked, part);
                open.extend(asked.styles.iter().cloned());
            }
        }
    }
    found
}

/// Families (theme fonts as `+minorHAnsi`) and styles that some markup names.
#[derive(Debug, Default)]
struct Asked {
    /// In the order they are first named, and to know them again.
    families: Vec<String>,
    known: BTreeSet<String>,
    styles: BTreeSet<String>,
}

impl Asked {
    fn see(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            "rFonts" => {
                for (slot, theme) in [("ascii", "asciiTheme"), ("hAnsi", "hAnsiTheme"), ("cs", "cstheme")] {
                    let family = attribute(tag, theme).map(|name| format!("+{name}")).or_else(|| attribute(tag, slot));
                    self.families.extend(family.filter(|family| self.known.insert(family.clone())));
                }
            }
            "pStyle" | "rStyle" | "tblStyle" | "basedOn" | "link" => self.styles.extend(attribute(tag, "val")),
            _ => {}
        }
    }
}

fn each(text: &str, mut visit: impl FnMut(&BytesStart<'_>)) {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => visit(&tag),
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

fn asked(text: &str) -> Asked {
    let mut asked = Asked::default();
    each(text, |tag| asked.see(tag));
    asked
}

/// What the document defaults ask for, with the default styles named; and each style by its id.
fn style_fonts(text: &str) -> (Asked, BTreeMap<String, Asked>) {
    let mut defaults = Asked::default();
    let mut styles: BTreeMap<String, Asked> = BTreeMap::new();
    let mut current: Option<String> = None;
    each(text, |tag| {
        if tag.local_name().as_ref() == "style" {
            let id = attribute(tag, "styleId").unwrap_or_default();
            if attribute(tag, "default").is_some_and(|value| on_off(Some(&value))) {
                defaults.styles.insert(id.clone());
            }
            current = Some(id);
            return;
        }
        match &current {
            Some(id) => styles.entry(id.clone()).or_default().see(tag),
            None => defaults.see(tag),
        }
    });
    (defaults, styles)
}

/// `minorHAnsi`, `majorBidi` … → family (§17.18.96, §20.1.4.1.16).
fn theme_fonts(text: &str) -> BTreeMap<String, String> {
    let mut fonts = BTreeMap::new();
    let mut kind = "";
    each(text, |tag| {
        let family = || attribute(tag, "typeface").filter(|family| !family.is_empty());
        match tag.local_name().as_ref() {
            "majorFont" => kind = "major",
            "minorFont" => kind = "minor",
            "latin" if !kind.is_empty() => {
                for slot in ["Ascii", "HAnsi"] {
                    if let Some(family) = family() {
                        fonts.entry(format!("{kind}{slot}")).or_insert(family);
                    }
                }
            }
            "cs" if !kind.is_empty() => {
                if let Some(family) = family() {
                    fonts.entry(format!("{kind}Bidi")).or_insert(family);
                }
            }
            "fmtScheme" => kind = "",
            _ => {}
        }
    });
    fonts
}

fn embedded(text: &str) -> BTreeSet<String> {
    let mut families = BTreeSet::new();
    let mut current = String::new();
    each(text, |tag| match tag.local_name().as_ref() {
        "font" => current = attribute(tag, "name").unwrap_or_default().to_lowercase(),
        "embedRegular" => {
            families.insert(current.clone());
        }
        _ => {}
    });
    families
}
