//! Paragraph formatting (§17.3.1). Each `w:pPr` is applied on top of the inherited format.

use super::color;
use super::frame::FrameFormat;
use super::run_format::FormatContext;
use super::values::{integer, on_off, on_off_if_present, override_value, parse_enum, twips};
use super::xml::{Element, Ns};
use crate::tree::*;

/// The maximum number of tab stops in one `w:tabs` element. Word keeps 64 per paragraph.
const MAX_TAB_STOPS: usize = 256;

/// The paragraph properties while styles, numbering and direct formatting are applied one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParagraphFormat {
    /// The properties. [`Self::resolve`] adds the indents, the spacing and the frame from the other fields.
    pub properties: ParagraphProperties,
    /// The start, end and first line indents in hundredths of a character width. Each overrides the indent in
    /// `properties`, unless it is `None` or 0.
    indent_in_characters: [Option<f32>; 3],
    /// The spacing before and after in hundredths of a line. Each overrides the spacing in `properties`, unless it is
    /// `None` or 0.
    spacing_in_lines: [Option<f32>; 2],
    frame: Option<FrameFormat>,
    pub numbering_id: Option<i64>,
    pub numbering_level: Option<u8>,
}

impl ParagraphFormat {
    /// Applies a `w:pPr` on top of this format.
    pub(crate) fn apply(&mut self, element: Element<'_>, context: FormatContext<'_>) {
        context.count(element);
        for child in element.children().filter(|child| child.ns() == Ns::W) {
            self.apply_property(child, context);
        }
    }

    fn apply_property(&mut self, child: Element<'_>, context: FormatContext<'_>) {
        let val = child.val();
        let on = on_off(val);
        let paragraph = &mut self.properties;
        match child.name() {
            "bidi" => paragraph.bidi = on,
            // In Word, `left` and `right` are the leading and trailing edges.
            "jc" => override_value(&mut paragraph.alignment, val.and_then(parse_enum)),
            "ind" => self.apply_indent(child),
            "spacing" => self.apply_spacing(child),
            "contextualSpacing" => paragraph.contextual_spacing = on,
            "pBdr" => apply_borders(child, &mut paragraph.borders, context),
            "shd" => paragraph.shading = color::shading_color(child, context.theme),
            "keepNext" => paragraph.keep_next = on,
            "keepLines" => paragraph.keep_lines = on,
            "widowControl" => paragraph.widow_control = on,
            "pageBreakBefore" => paragraph.page_break_before = on,
            // Level 9 is body text.
            "outlineLvl" => override_value(
                &mut paragraph.outline_level,
                val.and_then(integer).map(|level| (level < 9).then_some(level.max(0) as u8)),
            ),
            "tabs" => child
                .children_with_name(Ns::W, "tab")
                .take(MAX_TAB_STOPS)
                .for_each(|tab| apply_tab_stop(tab, &mut paragraph.tabs)),
            "framePr" => self.frame.get_or_insert_default().apply(child),
            "suppressLineNumbers" => paragraph.suppress_line_numbers = on,
            "suppressAutoHyphens" => paragraph.suppress_auto_hyphens = on,
            "snapToGrid" => paragraph.snap_to_grid = on,
            "autoSpaceDE" => paragraph.east_asian_spacing.latin = on,
            "autoSpaceDN" => paragraph.east_asian_spacing.digits = on,
            "numPr" => {
                let (id, level) = read_numbering(child);
                self.numbering_id = id.or(self.numbering_id);
                self.numbering_level = level.or(self.numbering_level);
            }
            _ => {}
        }
    }

    /// Applies a `w:ind` (§17.3.1.12).
    fn apply_indent(&mut self, element: Element<'_>) {
        let length = |names: &[&str]| names.iter().find_map(|name| twips(element.word_attribute(name)?));
        let chars = |names: &[&str]| {
            let chars = names.iter().find_map(|name| integer(element.word_attribute(name)?));
            chars.map(|chars| chars.clamp(-100_000, 100_000) as f32)
        };
        let apply_length =
            |slot: &mut f32, in_characters: &mut Option<f32>, length: Option<f32>, chars: Option<f32>| {
                // A length replaces an inherited indent in characters.
                if length.is_some() || chars.is_some() {
                    *in_characters = chars;
                }
                override_value(slot, length);
            };
        let Indent { start, end, first_line } = &mut self.properties.indent;
        let [start_chars, end_chars, first_chars] = &mut self.indent_in_characters;
        apply_length(start, start_chars, length(&["start", "left"]), chars(&["startChars", "leftChars"]));
        apply_length(end, end_chars, length(&["end", "right"]), chars(&["endChars", "rightChars"]));
        // A hanging indent overrides a first line indent.
        let hanging = length(&["hanging"]).map(|hanging| -hanging).or_else(|| length(&["firstLine"]));
        let chars = chars(&["hangingChars"]).map(|hanging| -hanging).or_else(|| chars(&["firstLineChars"]));
        apply_length(first_line, first_chars, hanging, chars);
    }

    /// Applies a `w:spacing` (§17.3.1.33).
    fn apply_spacing(&mut self, element: Element<'_>) {
        let spacing = &mut self.properties.spacing;
        let [before, after] = &mut self.spacing_in_lines;
        for (slot, in_lines, auto, [length, lines, automatic]) in [
            (&mut spacing.before, before, &mut spacing.before_auto, ["before", "beforeLines", "beforeAutospacing"]),
            (&mut spacing.after, after, &mut spacing.after_auto, ["after", "afterLines", "afterAutospacing"]),
        ] {
            let length = element.word_attribute(length).and_then(twips);
            // A spacing in points turns off inherited automatic spacing, as in Word's dialog, and inherited spacing in
            // lines.
            if length.is_some() {
                (*in_lines, *auto) = (None, false);
            }
            override_value(slot, length);
            let lines = element.word_attribute(lines).and_then(integer).map(|lines| lines.clamp(0, 100_000) as f32);
            *in_lines = lines.or(*in_lines);
            override_value(auto, on_off_if_present(element.word_attribute(automatic)));
        }
        let line = element.word_attribute("line").and_then(twips).map(|line| {
            match element.word_attribute("lineRule").unwrap_or("auto") {
                "exact" => LineSpacing::Exactly(line.abs()),
                "atLeast" => LineSpacing::AtLeast(line.abs()),
                // Older files write an exact height as a negative value.
                _ if line < 0.0 => LineSpacing::Exactly(-line),
                _ if line == 0.0 => LineSpacing::Multiple(1.0),
                _ => LineSpacing::Multiple(line / 12.0),
            }
        });
        override_value(&mut spacing.line, line);
    }

    /// Returns the resolved properties. `character` is the width of a character in points.
    pub(crate) fn resolve(mut self, character: f32) -> ParagraphProperties {
        let paragraph = &mut self.properties;
        let (indent, spacing) = (&mut paragraph.indent, &mut paragraph.spacing);
        // Zero means that the value in characters or lines is not used.
        for (length, chars) in
            [&mut indent.start, &mut indent.end, &mut indent.first_line].into_iter().zip(self.indent_in_characters)
        {
            override_value(length, chars.filter(|chars| *chars != 0.0).map(|chars| chars / 100.0 * character));
        }
        for (length, lines) in [&mut spacing.before, &mut spacing.after].into_iter().zip(self.spacing_in_lines) {
            // Without a document grid, a line counts as 12 points in Word.
            override_value(length, lines.filter(|lines| *lines != 0.0).map(|lines| lines / 100.0 * 12.0));
            *length = length.max(0.0);
        }
        paragraph.tabs.sort_by(|a, b| a.position.total_cmp(&b.position));
        paragraph.frame = self.frame.map(FrameFormat::resolve);
        self.properties
    }
}

/// Returns the id of the numbering (w:numId) and the level from 0 (w:ilvl) of a `w:numPr`. A missing child element
/// gives `None`.
pub(crate) fn read_numbering(element: Element<'_>) -> (Option<i64>, Option<u8>) {
    let number = |name| element.child_val(name).and_then(integer);
    (number("numId"), number("ilvl").map(|level| level.clamp(0, 8) as u8))
}

fn apply_borders(element: Element<'_>, borders: &mut ParagraphBorders, context: FormatContext<'_>) {
    for side in element.children().filter(|side| side.ns() == Ns::W) {
        let slot = match side.name() {
            "top" => &mut borders.top,
            "bottom" => &mut borders.bottom,
            "left" | "start" => &mut borders.left,
            "right" | "end" => &mut borders.right,
            "between" => &mut borders.between,
            "bar" => &mut borders.bar,
            _ => continue,
        };
        let border = color::read_border(side, context.theme);
        override_value(slot, border.map(|border| Some(border).filter(|border| border.style != BorderStyle::None)));
    }
}

/// Adds a tab stop and removes existing stops at the same position. A `clear` stop only removes them.
fn apply_tab_stop(element: Element<'_>, tabs: &mut Vec<TabStop>) {
    let Some(position) = element.word_attribute("pos").and_then(twips) else { return };
    // Word treats stops with a distance below 0.1 point as equal.
    tabs.retain(|known| (known.position - position).abs() >= 0.1);
    if element.val() != Some("clear") && tabs.len() < 4 * MAX_TAB_STOPS {
        let kind = element.val().and_then(parse_enum).unwrap_or(TabKind::Start);
        let leader = element.word_attribute("leader").and_then(parse_enum).unwrap_or_default();
        tabs.push(TabStop { position, kind, leader });
    }
}
