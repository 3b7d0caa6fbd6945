//! Converts a paragraph to one string. Fields and notes are replaced by their text. Capitals are applied. Tabs, breaks and
//! objects become single characters.

use std::sync::Arc;

use waraq_docx::tree::{Break, Content, Drawing, Inline, LabelSuffix, Link, Math, Paragraph, RunProperties};

use super::source::{
    Cluster, Marker, ParagraphSource, PlacedMarker, ScaledGlyph, Span, SpanKind, TextItem, ValueRange,
};
use super::{Context, SingleLine};
use crate::math;

/// Character that represents a part of a formula in the text. It is a left-to-right letter without a break opportunity on
/// either side.
const FORMULA_PLACEHOLDER: char = '𝑥';
/// Character that represents a line, page or column break in the text.
const LINE_END: char = '\u{2028}';
/// Character at the start of a ruby base. It begins an isolate, so that the base has its own direction, independent of the
/// surrounding text. `RUBY_END` ends the isolate.
const RUBY_START: char = '\u{2068}';
const RUBY_END: char = '\u{2069}';

/// Work units to process one inline element.
const INLINE_WORK: usize = 4;

/// Maximum bytes of text in one paragraph. A document with longer text is refused, because line breaking needs memory for each
/// character.
const MAX_TEXT_BYTES: usize = 4 << 20;

impl ParagraphSource {
    pub fn new(paragraph: &Paragraph, context: &Context<'_>, single_line: SingleLine) -> Self {
        let mut source = Self::default();
        source.add_label(paragraph);
        for (index, inline) in paragraph.inlines.iter().enumerate() {
            if !context.fonts.meter().spend(INLINE_WORK) {
                break;
            }
            let ruby = matches!(inline.content, Content::RubyStart(_) | Content::RubyEnd);
            if !inline.run.hidden || ruby {
                if inline.run.style.as_ref().is_some_and(|style| context.fields.locates_style(style)) {
                    source.add_marker(Marker::StyledText(u32::try_from(index).unwrap_or(u32::MAX)));
                }
                source.add_inline(inline, paragraph, context, single_line);
            }
        }
        source.end_ruby(&paragraph.mark);
        if source.too_long {
            context.fonts.meter().refuse_document();
        }
        source
    }

    /// Returns the approximate number of bytes needed to shape and break the text: a cluster, a glyph and a direction for each
    /// byte, and an item for each span.
    pub fn estimated_bytes(&self) -> usize {
        const BYTES_PER_TEXT_BYTE: usize = size_of::<Cluster>() + size_of::<ScaledGlyph>() + 4;
        self.text
            .len()
            .saturating_mul(BYTES_PER_TEXT_BYTE)
            .saturating_add(self.spans.len() * (size_of::<Span>() + size_of::<TextItem>()))
    }

    /// Adds the numbering label of the paragraph and the suffix of the label (tab, space or nothing).
    fn add_label(&mut self, paragraph: &Paragraph) {
        let Some(label) = &paragraph.label else { return };
        match label.picture {
            Some(picture) => self.push_special_character('\u{fffc}', &label.run, None, SpanKind::LabelPicture(picture)),
            None => self.add_text(&label.text, &label.run, None),
        }
        self.label_text_end = self.text.len();
        match label.suffix {
            LabelSuffix::Tab => self.push_special_character('\t', &label.run, None, SpanKind::LabelTab),
            LabelSuffix::Space if self.text.is_empty() => return,
            LabelSuffix::Space => self.add_text(" ", &label.run, None),
            LabelSuffix::Nothing => {}
        }
        self.label_end = self.text.len();
    }

    fn add_inline(&mut self, inline: &Inline, paragraph: &Paragraph, context: &Context<'_>, single_line: SingleLine) {
        let (run, link) = (&inline.run, &inline.link);
        match &inline.content {
            Content::Text(text) => self.add_text(text, run, link.as_ref()),
            Content::Tab => self.push_special_character('\t', run, link.as_ref(), SpanKind::Tab(None)),
            Content::PositionedTab(tab) => {
                self.push_special_character('\t', run, link.as_ref(), SpanKind::Tab(Some(*tab)))
            }
            Content::Break(kind) => self.push_special_character(LINE_END, run, link.as_ref(), SpanKind::Break(*kind)),
            Content::Drawing(drawing) => self.add_drawing(drawing, run, link.as_ref()),
            Content::NoteReference { kind, id, custom } => {
                self.add_marker(Marker::Note(*kind, *id));
                if !custom {
                    self.add_text(&context.fields.note_mark_text(*kind, *id), run, link.as_ref());
                }
            }
            Content::NoteMark => self.add_text(&context.fields.current_note_mark(), run, link.as_ref()),
            Content::Field { field, result } => {
                let complex = run.right_to_left || run.complex_script;
                let language = if complex { &run.language.complex } else { &run.language.latin };
                let text = context.fields.field_text(field, language.as_deref());
                self.add_text(text.as_deref().unwrap_or(result), run, link.as_ref());
            }
            Content::BookmarkStart(name) => self.add_marker(Marker::Bookmark(Arc::clone(name))),
            Content::CommentReference(id) => self.add_marker(Marker::Comment(Arc::clone(id))),
            Content::BookmarkEnd(_) => {}
            Content::ValueStart(field) => {
                let bytes = self.text.len()..self.text.len();
                self.value_ranges.push(ValueRange { bytes, field: *field });
            }
            Content::ValueEnd => {
                let end = self.text.len();
                if let Some(value) = self.value_ranges.last_mut() {
                    value.bytes.end = end;
                }
            }
            Content::Math(math) => {
                let shading = paragraph.properties.shading;
                let lines = math::lay_out_formula(math, run, shading, context, single_line);
                self.add_formula(math, lines, inline);
            }
            Content::RubyStart(ruby) => {
                self.end_ruby(run);
                self.push_special_character(
                    RUBY_START,
                    &without_fit(run),
                    link.as_ref(),
                    SpanKind::RubyStart(Arc::clone(ruby)),
                );
                self.in_ruby = true;
            }
            Content::RubyEnd => self.end_ruby(run),
        }
    }

    /// Adds a marker at the end of the text.
    fn add_marker(&mut self, marker: Marker) {
        self.markers.push(PlacedMarker { byte: self.text.len(), marker });
    }

    /// Ends the open ruby base, if there is one. A base ends at the latest where another base begins or where the paragraph
    /// ends.
    fn end_ruby(&mut self, run: &Arc<RunProperties>) {
        if std::mem::take(&mut self.in_ruby) {
            self.push_special_character(RUBY_END, &without_fit(run), None, SpanKind::RubyEnd);
        }
    }

    /// Adds a formula. A displayed formula starts and ends with a line break. If no font for formulas is available, the text of
    /// the formula is added instead.
    fn add_formula(&mut self, math: &Math, lines: Option<math::MathLines>, inline: &Inline) {
        let (run, link) = (&inline.run, inline.link.as_ref());
        let Some(lines) = lines else { return self.add_text(&math.text, run, link) };
        let before = self.text.get(self.label_end..).unwrap_or_default();
        if math.display && !before.trim_end_matches(' ').is_empty() && !before.ends_with(LINE_END) {
            self.push_special_character(LINE_END, run, None, SpanKind::Break(Break::Line));
        }
        for (index, line) in lines.into_iter().enumerate() {
            if index > 0 {
                self.push_special_character(LINE_END, run, None, SpanKind::Break(Break::Line));
            }
            for piece in line {
                self.push_special_character(FORMULA_PLACEHOLDER, run, link, SpanKind::Formula(Arc::new(piece)));
            }
        }
        self.ends_with_display_formula = math.display;
    }

    fn add_drawing(&mut self, drawing: &Arc<Drawing>, run: &Arc<RunProperties>, link: Option<&Arc<Link>>) {
        let drawing = Arc::clone(drawing);
        if matches!(drawing.placement, waraq_docx::tree::Placement::Anchored(_)) {
            self.add_marker(Marker::Anchor(drawing));
        } else {
            self.push_special_character('\u{fffc}', run, link, SpanKind::Object(drawing));
        }
    }

    /// Adds text. Control characters in it become tabs or line breaks, or are dropped.
    fn add_text(&mut self, text: &str, run: &Arc<RunProperties>, link: Option<&Arc<Link>>) {
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffc}')) {
            let (before, from) = rest.split_at(at);
            self.add_cased_text(before, run, link);
            let mut characters = from.chars();
            match characters.next() {
                Some('\t') => self.push_special_character('\t', run, link, SpanKind::Tab(None)),
                Some('\n' | '\u{b}' | '\u{2028}' | '\u{2029}') => {
                    self.push_special_character(LINE_END, run, link, SpanKind::Break(Break::Line));
                }
                _ => {}
            }
            rest = characters.as_str();
        }
        self.add_cased_text(rest, run, link);
    }

    /// Adds text that has no control characters. Its capitals and small capitals are applied.
    fn add_cased_text(&mut self, text: &str, run: &Arc<RunProperties>, link: Option<&Arc<Link>>) {
        if text.is_empty() {
            return;
        }
        if run.caps {
            return self.push_text(&to_capitals(text), run, link, &SpanKind::Text);
        }
        if !run.small_caps {
            return self.push_text(text, run, link, &SpanKind::Text);
        }
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let small = has_capital(first);
            let end = rest.find(|c| has_capital(c) != small).unwrap_or(rest.len());
            let (piece, after) = rest.split_at(end);
            if small {
                self.push_text(&to_capitals(piece), run, link, &SpanKind::SmallCapitals);
            } else {
                self.push_text(piece, run, link, &SpanKind::Text);
            }
            rest = after;
        }
    }

    /// Adds text without any change. If the previous span has the same formatting and link, it is extended.
    fn push_text(&mut self, text: &str, run: &Arc<RunProperties>, link: Option<&Arc<Link>>, kind: &SpanKind) {
        if self.text.len() + text.len() > MAX_TEXT_BYTES {
            self.too_long = true;
            return;
        }
        if self.ends_with_display_formula && !text.trim().is_empty() {
            self.push_special_character(LINE_END, run, None, SpanKind::Break(Break::Line));
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        if let Some(last) = self.spans.last_mut()
            && matches!((&last.kind, kind), (SpanKind::Text, SpanKind::Text))
            && self.label_end != start
            && (Arc::ptr_eq(&last.run, run) || last.run == *run)
            && last.link == link.cloned()
        {
            last.end = end;
            return;
        }
        self.spans.push(Span { start, end, run: Arc::clone(run), link: link.cloned(), kind: kind.clone() });
    }

    /// Adds a single character, which gets a span of its own.
    fn push_special_character(
        &mut self,
        character: char,
        run: &Arc<RunProperties>,
        link: Option<&Arc<Link>>,
        kind: SpanKind,
    ) {
        if std::mem::take(&mut self.ends_with_display_formula) && character != LINE_END {
            self.push_special_character(LINE_END, run, None, SpanKind::Break(Break::Line));
        }
        let start = self.text.len();
        if start + character.len_utf8() > MAX_TEXT_BYTES {
            self.too_long = true;
            return;
        }
        self.text.push(character);
        self.spans.push(Span { start, end: self.text.len(), run: Arc::clone(run), link: link.cloned(), kind });
    }
}

/// Returns the run without w:fitText. This is used for the characters at the start and end of a ruby base, which are not part
/// of the fitted text.
fn without_fit(run: &Arc<RunProperties>) -> Arc<RunProperties> {
    if run.fit.is_some() { Arc::new(RunProperties { fit: None, ..(**run).clone() }) } else { Arc::clone(run) }
}

/// Returns true if the letter has a capital form that is a single letter. The capital forms of ß and ŉ have two letters, so Word
/// does not capitalise ß and ŉ.
fn has_capital(character: char) -> bool {
    let mut upper = character.to_uppercase();
    upper.next() != Some(character) && upper.next().is_none()
}

fn to_capitals(text: &str) -> String {
    text.chars().map(|c| if has_capital(c) { c.to_uppercase().next().unwrap_or(c) } else { c }).collect()
}
