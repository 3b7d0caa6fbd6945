//! Section properties (§17.6).

use super::color;
use super::theme::Theme;
use super::values::{integer, on_off, on_off_if_present, parse_enum, twips};
use super::xml::{Element, Ns};
use crate::tree::*;

/// Reads a `w:sectPr`.
pub(crate) fn read_section(element: Element<'_>, theme: &Theme) -> SectionProperties {
    let mut properties = SectionProperties::default();
    for child in element.children().filter(|child| child.ns() == Ns::W) {
        let val = child.val();
        match child.name() {
            "type" => properties.start = val.and_then(parse_enum).unwrap_or_default(),
            "pgSz" => apply_page_size(child, &mut properties),
            "pgMar" => properties.margins = margins(child),
            "cols" => properties.columns = columns(child),
            "titlePg" => properties.title_page = on_off(val),
            "bidi" => properties.bidi = on_off(val),
            "pgNumType" => {
                properties.page_number_format = child.word_attribute("fmt").and_then(parse_enum).unwrap_or_default();
                let number = child.word_attribute("start").and_then(integer);
                properties.page_number_start = number.map(|number| number.clamp(0, 1_000_000) as u32);
            }
            "pgBorders" => properties.page_borders = page_borders(child, theme),
            "vAlign" => properties.vertical_alignment = val.and_then(parse_enum).unwrap_or_default(),
            "lnNumType" => properties.line_numbers = line_numbers(child),
            "footnotePr" => properties.footnotes = note_properties(child),
            "endnotePr" => properties.endnotes = note_properties(child),
            "textDirection" => properties.text_direction = val.and_then(parse_enum).unwrap_or_default(),
            "docGrid" => {
                let pitched = matches!(child.word_attribute("type"), Some("lines" | "linesAndChars" | "snapToChars"));
                let pitch = child.word_attribute("linePitch").and_then(twips).filter(|pitch| *pitch > 0.0);
                properties.line_pitch = pitch.filter(|_| pitched);
            }
            _ => {}
        }
    }
    properties
}

fn apply_page_size(element: Element<'_>, properties: &mut SectionProperties) {
    // Sides below 7 points are ignored. Sides above 14,400 points are reduced to that length. Word allows only 22
    // inches (1,584 points), but other producers write more.
    let side =
        |name| element.word_attribute(name).and_then(twips).filter(|side| *side >= 7.0).map(|side| side.min(14_400.0));
    properties.page_width = side("w").unwrap_or(properties.page_width);
    properties.page_height = side("h").unwrap_or(properties.page_height);
    properties.landscape = element.word_attribute("orient") == Some("landscape");
}

fn margins(element: Element<'_>) -> PageMargins {
    let defaults = PageMargins::default();
    let length = |name, otherwise| element.word_attribute(name).and_then(twips).unwrap_or(otherwise);
    PageMargins {
        top: length("top", defaults.top),
        bottom: length("bottom", defaults.bottom),
        left: element.word_attribute("start").and_then(twips).unwrap_or_else(|| length("left", defaults.left)),
        right: element.word_attribute("end").and_then(twips).unwrap_or_else(|| length("right", defaults.right)),
        header: length("header", defaults.header),
        footer: length("footer", defaults.footer),
        gutter: length("gutter", defaults.gutter),
    }
}

fn columns(element: Element<'_>) -> Columns {
    let defaults = Columns::default();
    let count = element.word_attribute("num").and_then(integer).unwrap_or(1).clamp(1, 45) as usize;
    let space = element.word_attribute("space").and_then(twips).unwrap_or(defaults.space).max(0.0);
    let separator = on_off_if_present(element.word_attribute("sep")) == Some(true);
    let equal = on_off(element.word_attribute("equalWidth"));
    let mut unequal = Vec::new();
    if !equal {
        let length = |column: Element<'_>, name| column.word_attribute(name).and_then(twips).unwrap_or(0.0).max(0.0);
        unequal.extend(
            element
                .children_with_name(Ns::W, "col")
                .take(45)
                .map(|column| (length(column, "w"), length(column, "space"))),
        );
    }
    if unequal.is_empty() {
        return Columns { count, space, separator, unequal };
    }
    Columns { count: unequal.len(), space, separator, unequal }
}

fn page_borders(element: Element<'_>, theme: &Theme) -> PageBorders {
    let side = |name| {
        let border = element.child(Ns::W, name).and_then(|side| color::read_border(side, theme));
        border.filter(|border| border.style != BorderStyle::None)
    };
    PageBorders {
        top: side("top"),
        bottom: side("bottom"),
        left: side("left"),
        right: side("right"),
        from_text: element.word_attribute("offsetFrom") != Some("page"),
        first_page_only: element.word_attribute("display") == Some("firstPage"),
        not_first_page: element.word_attribute("display") == Some("notFirstPage"),
        behind: element.word_attribute("zOrder") == Some("back"),
    }
}

fn line_numbers(element: Element<'_>) -> Option<LineNumbers> {
    let number = |name| element.word_attribute(name).and_then(integer).unwrap_or(0).clamp(0, 32_767) as u32;
    // Without w:countBy there are no line numbers. In the file, w:start counts from 0.
    let every = number("countBy");
    (every > 0).then(|| LineNumbers {
        every,
        start: number("start") + 1,
        distance: element.word_attribute("distance").and_then(twips).unwrap_or(0.0),
        restart: element.word_attribute("restart").and_then(parse_enum).unwrap_or(NumberRestart::EachPage),
    })
}

/// Reads a `w:footnotePr` or `w:endnotePr`.
pub(crate) fn note_properties(element: Element<'_>) -> NoteProperties {
    NoteProperties {
        format: element.child_val("numFmt").map(|format| parse_enum(format).unwrap_or_default()),
        start: element.child_val("numStart").and_then(integer).map(|start| start.clamp(0, 1_000_000) as u32),
        restart: element.child_val("numRestart").and_then(parse_enum).unwrap_or_default(),
        position: element.child_val("pos").and_then(parse_enum).unwrap_or_default(),
    }
}
