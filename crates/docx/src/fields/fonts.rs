//! The font families a document's text asks for.

use std::collections::{BTreeMap, BTreeSet};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use waraq_graphics::theme::{Theme, ThemeLanguages};
use waraq_graphics::xml::values::on_off;
use waraq_graphics::xml::{Ns, Tree};

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
    let tree = |kind: &str| package.related(main, kind).next().and_then(|part| package.tree(part).ok()?);
    let theme = tree("theme").map(|tree| Theme::read(&tree)).unwrap_or_default();
    // Fonts of East Asian text are left out, those of any language's letters are the theme's plain ones.
    let of_theme = |name: &str| theme.font(name, &ThemeLanguages::default()).filter(|_| !name.ends_with("EastAsia"));
    let table = tree("fontTable");
    let fonts = table.iter().filter_map(Tree::root).flat_map(|root| root.all(Ns::W, "font"));
    let embedded = fonts.filter(|font| font.child(Ns::W, "embedRegular").is_some()).filter_map(|font| font.w("name"));
    let mut found: Vec<UsedFont> = Vec::new();
    let mut known: BTreeSet<String> = embedded.map(str::to_lowercase).collect();
    let mut add = |fonts: &Asked, part: &str| {
        for font in &fonts.families {
            let family = match font.strip_prefix('+') {
                Some(theme_name) => of_theme(theme_name).map(|family| family.to_string()).unwrap_or_default(),
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
