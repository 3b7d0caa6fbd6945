//! Paragraph formatting as the document writes it (§17.3.1): partial, to be laid over what is inherited.

use std::sync::Arc;

use super::color;
use super::frame::FrameFormat;
use super::run_format::FormatContext;
use super::values::{given, integer, on_off, twips, word};
use super::xml::{Element, Ns};
use crate::tree::*;

/// Word keeps 64 stops a paragraph; cleared ones count too.
const TAB_LIMIT: usize = 256;

/// What one `w:pPr` says; `None` leaves a property to what is inherited.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParagraphFormat {
    pub style: Option<Arc<str>>,
    pub bidi: Option<bool>,
    pub alignment: Option<Alignment>,
    pub indent: IndentFormat,
    pub spacing: SpacingFormat,
    pub contextual_spacing: Option<bool>,
    /// Top, bottom, left, right, between, bar.
    pub borders: [Option<Border>; 6],
    pub shading: Option<Option<Rgb>>,
    pub keep_next: Option<bool>,
    pub keep_lines: Option<bool>,
    pub widow_control: Option<bool>,
    pub page_break_before: Option<bool>,
    /// 9 is body text.
    pub outline_level: Option<u8>,
    /// `None` of a stop clears what is inherited at that position.
    pub tabs: Vec<(f32, Option<TabStop>)>,
    pub frame: Option<FrameFormat>,
    pub suppress_line_numbers: Option<bool>,
    pub suppress_auto_hyphens: Option<bool>,
    pub snap_to_grid: Option<bool>,
    pub auto_space_latin: Option<bool>,
    pub auto_space_digits: Option<bool>,
    pub text_alignment: Option<TextAlignment>,
    pub mirror_indents: Option<bool>,
    pub numbering_id: Option<i64>,
    pub numbering_level: Option<u8>,
}

/// w:ind; characters are hundredths of a character's width and win over lengths.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct IndentFormat {
    pub start: Option<f32>,
    pub end: Option<f32>,
    /// Negative hangs.
    pub first_line: Option<f32>,
    pub start_chars: Option<f32>,
    pub end_chars: Option<f32>,
    pub first_line_chars: Option<f32>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpacingFormat {
    pub before: Option<f32>,
    pub after: Option<f32>,
    /// Hundredths of a line; they win over lengths.
    pub before_lines: Option<f32>,
    pub after_lines: Option<f32>,
    pub before_auto: Option<bool>,
    pub after_auto: Option<bool>,
    pub line: Option<LineSpacing>,
}

impl ParagraphFormat {
    /// Reads a `w:pPr`.
    pub(crate) fn read(element: Element<'_>, context: &FormatContext<'_>) -> Self {
        let mut format = Self::default();
        for child in element.children().filter(|child| child.ns() == Ns::W) {
            format.property(child, context);
        }
        format
    }

    fn property(&mut self, child: Element<'_>, context: &FormatContext<'_>) {
        let val = child.val();
        let on = || Some(on_off(val));
        match child.name() {
            "pStyle" => self.style = val.map(Arc::from),
            "bidi" => self.bidi = on(),
            // `left` and `right` are the leading and trailing edges in Word.
            "jc" => self.alignment = val.and_then(word).or(self.alignment),
            "ind" => self.indent.over(&indent(child)),
            "spacing" => self.spacing.over(&spacing(child)),
            "contextualSpacing" => self.contextual_spacing = on(),
            "pBdr" => self.paragraph_borders(child, context),
            "shd" => self.shading = Some(color::shading(child, context.theme)),
            "keepNext" => self.keep_next = on(),
            "keepLines" => self.keep_lines = on(),
            "widowControl" => self.widow_control = on(),
            "pageBreakBefore" => self.page_break_before = on(),
            "outlineLvl" => self.outline_level = val.and_then(integer).map(|level| level.clamp(0, 9) as u8),
            "tabs" => self.tabs.extend(child.all(Ns::W, "tab").filter_map(tab_stop).take(TAB_LIMIT)),
            "framePr" => self.frame = Some(FrameFormat::read(child)),
            "suppressLineNumbers" => self.suppress_line_numbers = on(),
            "suppressAutoHyphens" => self.suppress_auto_hyphens = on(),
            "snapToGrid" => self.snap_to_grid = on(),
            "autoSpaceDE" => self.auto_space_latin = on(),
            "autoSpaceDN" => self.auto_space_digits = on(),
            "textAlignment" => self.text_alignment = val.map(|text| word(text).unwrap_or_default()),
            "mirrorIndents" => self.mirror_indents = on(),
            "numPr" => {
                self.numbering_id = child.child_val("numId").and_then(integer).or(self.numbering_id);
                let level = child.child_val("ilvl").and_then(integer);
                self.numbering_level = level.map(|level| level.clamp(0, 8) as u8).or(self.numbering_level);
            }
            _ => {}
        }
    }

    fn paragraph_borders(&mut self, element: Element<'_>, context: &FormatContext<'_>) {
        for side in element.children().filter(|side| side.ns() == Ns::W) {
            let index = match side.name() {
                "top" => 0,
                "bottom" => 1,
                "left" | "start" => 2,
                "right" | "end" => 3,
                "between" => 4,
                "bar" => 5,
                _ => continue,
            };
            if let (Some(slot), Some(border)) = (self.borders.get_mut(index), color::border(side, context.theme)) {
                *slot = Some(border);
            }
        }
    }

    /// Lays `above` over this.
    pub(crate) fn over(&mut self, above: &ParagraphFormat) {
        lay_over!(self, above:
            style bidi alignment contextual_spacing shading keep_next keep_lines widow_control page_break_before
            outline_level suppress_line_numbers suppress_auto_hyphens snap_to_grid auto_space_latin
            auto_space_digits text_alignment mirror_indents numbering_id numbering_level
        );
        if let Some(above) = &above.frame {
            self.frame.get_or_insert_default().over(above);
        }
        self.indent.over(&above.indent);
        self.spacing.over(&above.spacing);
        for (below, above) in self.borders.iter_mut().zip(above.borders) {
            *below = above.or(*below);
        }
        let room = (TAB_LIMIT * 4).saturating_sub(self.tabs.len());
        self.tabs.extend(above.tabs.iter().take(room).copied());
    }

    /// The outcome. `character` is the width of a character and `line` the height of a line for indents and spaces
    /// given in those units, in points.
    pub(crate) fn resolve(&self, style_name: Option<Arc<str>>, character: f32, line: f32) -> ParagraphProperties {
        let [top, bottom, left, right, between, bar] =
            self.borders.map(|border| border.filter(|border| border.style != BorderStyle::None));
        ParagraphProperties {
            style_id: self.style.clone(),
            style_name,
            bidi: self.bidi.unwrap_or(false),
            directions_from_letters: false,
            alignment: self.alignment.unwrap_or_default(),
            indent: self.indent.resolve(character),
            spacing: self.spacing.resolve(line),
            contextual_spacing: self.contextual_spacing.unwrap_or(false),
            borders: ParagraphBorders { top, bottom, left, right, between, bar },
            shading: self.shading.flatten(),
            keep_next: self.keep_next.unwrap_or(false),
            keep_lines: self.keep_lines.unwrap_or(false),
            widow_control: self.widow_control.unwrap_or(true),
            page_break_before: self.page_break_before.unwrap_or(false),
            outline_level: self.outline_level.filter(|level| *level < 9),
            tabs: merge_tabs(&self.tabs),
            frame: self.frame.map(|frame| frame.resolve()),
            suppress_line_numbers: self.suppress_line_numbers.unwrap_or(false),
            suppress_auto_hyphens: self.suppress_auto_hyphens.unwrap_or(false),
            snap_to_grid: self.snap_to_grid.unwrap_or(true),
            east_asian_spacing: EastAsianSpacing {
                latin: self.auto_space_latin.unwrap_or(true),
                digits: self.auto_space_digits.unwrap_or(true),
            },
            text_alignment: self.text_alignment.unwrap_or_default(),
            mirror_indents: self.mirror_indents.unwrap_or(false),
            numbering: None,
        }
    }
}

impl IndentFormat {
    pub(crate) fn over(&mut self, above: &IndentFormat) {
        // A length given anew replaces an inherited indent in characters.
        let pair = |length: &mut Option<f32>, chars: &mut Option<f32>, l: Option<f32>, c: Option<f32>| {
            if l.is_some() || c.is_some() {
                *chars = c;
            }
            *length = l.or(*length);
        };
        pair(&mut self.start, &mut self.start_chars, above.start, above.start_chars);
        pair(&mut self.end, &mut self.end_chars, above.end, above.end_chars);
        pair(&mut self.first_line, &mut self.first_line_chars, above.first_line, above.first_line_chars);
    }

    fn resolve(&self, character: f32) -> Indent {
        // Zero characters say that characters are not used.
        let length = |length: Option<f32>, chars: Option<f32>| match chars {
            Some(chars) if chars != 0.0 => chars / 100.0 * character,
            _ => length.unwrap_or(0.0),
        };
        Indent {
            start: length(self.start, self.start_chars),
            end: length(self.end, self.end_chars),
            first_line: length(self.first_line, self.first_line_chars),
        }
    }
}

impl SpacingFormat {
    fn over(&mut self, above: &SpacingFormat) {
        self.before = above.before.or(self.before);
        self.after = above.after.or(self.after);
        self.before_lines = above.before_lines.or(self.before_lines.filter(|_| above.before.is_none()));
        self.after_lines = above.after_lines.or(self.after_lines.filter(|_| above.after.is_none()));
        // A space in points ends the automatic one of what is below, as it does in Word's dialog.
        self.before_auto = above.before_auto.or(self.before_auto.filter(|_| above.before.is_none()));
        self.after_auto = above.after_auto.or(self.after_auto.filter(|_| above.after.is_none()));
        lay_over!(self, above: line);
    }

    fn resolve(&self, line: f32) -> Spacing {
        let length = |length: Option<f32>, lines: Option<f32>| match lines {
            Some(lines) if lines != 0.0 => lines / 100.0 * line,
            _ => length.unwrap_or(0.0),
        };
        Spacing {
            before: length(self.before, self.before_lines).max(0.0),
            after: length(self.after, self.after_lines).max(0.0),
            before_auto: self.before_auto.unwrap_or(false),
            after_auto: self.after_auto.unwrap_or(false),
            line: self.line.unwrap_or(LineSpacing::Multiple(1.0)),
        }
    }
}

fn indent(element: Element<'_>) -> IndentFormat {
    let length = |name| element.w(name).and_then(twips);
    let chars = |name| element.w(name).and_then(integer).map(|chars| chars.clamp(-100_000, 100_000) as f32);
    // Hanging wins over first line where both are given (§17.3.1.12).
    IndentFormat {
        start: length("start").or_else(|| length("left")),
        end: length("end").or_else(|| length("right")),
        first_line: length("hanging").map(|hanging| -hanging).or_else(|| length("firstLine")),
        start_chars: chars("startChars").or_else(|| chars("leftChars")),
        end_chars: chars("endChars").or_else(|| chars("rightChars")),
        first_line_chars: chars("hangingChars").map(|hanging| -hanging).or_else(|| chars("firstLineChars")),
    }
}

fn spacing(element: Element<'_>) -> SpacingFormat {
    let length = |name| element.w(name).and_then(twips);
    let lines = |name| element.w(name).and_then(integer).map(|lines| lines.clamp(0, 100_000) as f32);
    let auto = |name| given(element.w(name));
    let line = element.w("line").and_then(|line| match element.w("lineRule").unwrap_or("auto") {
        "exact" => twips(line).map(|line| LineSpacing::Exactly(line.abs())),
        "atLeast" => twips(line).map(|line| LineSpacing::AtLeast(line.abs())),
        _ => {
            let line = twips(line)? / 12.0;
            // Older files write an exact height as a negative one.
            Some(if line < 0.0 { LineSpacing::Exactly(-line * 12.0) } else { LineSpacing::Multiple(line) })
        }
    });
    SpacingFormat {
        before: length("before"),
        after: length("after"),
        before_lines: lines("beforeLines"),
        after_lines: lines("afterLines"),
        before_auto: auto("beforeAutospacing"),
        after_auto: auto("afterAutospacing"),
        line: line
            .map(|line| if matches!(line, LineSpacing::Multiple(0.0)) { LineSpacing::Multiple(1.0) } else { line }),
    }
}

fn tab_stop(element: Element<'_>) -> Option<(f32, Option<TabStop>)> {
    let position = element.w("pos").and_then(twips)?;
    if element.val() == Some("clear") {
        return Some((position, None));
    }
    let kind = element.val().and_then(word).unwrap_or(TabKind::Start);
    let leader = element.w("leader").and_then(word).unwrap_or_default();
    Some((position, Some(TabStop { position, kind, leader })))
}

/// Later stops replace earlier ones at the same place; cleared ones are gone.
fn merge_tabs(tabs: &[(f32, Option<TabStop>)]) -> Vec<TabStop> {
    let mut merged: Vec<TabStop> = Vec::with_capacity(tabs.len());
    for (position, stop) in tabs {
        // Word takes stops closer than a point's tenth for the same.
        merged.retain(|known| (known.position - position).abs() >= 0.1);
        merged.extend(*stop);
    }
    merged.sort_by(|a, b| a.position.total_cmp(&b.position));
    merged
}
