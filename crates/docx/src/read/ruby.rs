//! Ruby text (§17.3.3.25 w:ruby): furigana, bopomofo and other annotations above text.

use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::cascade::ParagraphBase;
use super::part_reader::{PartReader, RubyPart};
use super::values::{half_points, parse_enum};
use super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> PartReader<'t, '_> {
    /// Reads a `w:ruby`. The base text becomes ordinary inlines. The reading is stored in the [`Content::RubyStart`]
    /// before them.
    pub(crate) fn read_ruby(&mut self, element: Element<'t>, run: &Arc<RunProperties>, base: &Rc<ParagraphBase>) {
        let outer_ruby = self.open_paragraph.ruby;
        // Field codes have no readings.
        let reading = element.child(Ns::W, "rt").filter(|_| !self.is_in_field_code());
        let properties = element.child(Ns::W, "rubyPr");
        let value = |name| properties.and_then(|properties| properties.child_val(name));
        let points = |name| value(name).and_then(half_points).filter(|points| *points > 0.0);
        let mut beside = Vec::new();
        let mut start = None;
        if outer_ruby != RubyPart::None && reading.is_some() {
            self.warn(DiagnosticCode::RubyLeftOut, "a reading inside another is not shown");
        } else if let Some(element) = reading {
            self.open_paragraph.ruby = RubyPart::Reading(points("hps"));
            let reading;
            (reading, beside) = self.read_ruby_text(element, base);
            if !reading.is_empty() {
                // Without `hpsRaise`, Word raises the reading by the font size of the base minus one point.
                let raise = value("hpsRaise").and_then(half_points).filter(|raise| *raise >= 0.0);
                let raise = raise.unwrap_or_else(|| (points("hpsBaseText").unwrap_or(run.size) - 1.0).max(0.0));
                let alignment = value("rubyAlign").and_then(parse_enum).unwrap_or_default();
                start = Some(self.open_paragraph.inlines.len());
                self.emit(Content::RubyStart(Arc::new(Ruby { reading, alignment, raise })), run);
            }
        }
        if outer_ruby == RubyPart::None {
            self.open_paragraph.ruby = RubyPart::Base;
        }
        if let Some(text) = element.child(Ns::W, "rubyBase") {
            self.read_inlines(text, base);
        }
        self.open_paragraph.ruby = outer_ruby;
        if let Some(start) = start {
            // The formatting of the base applies to the complete ruby.
            let look =
                self.open_paragraph.inlines.get(start + 1).map_or_else(|| run.clone(), |first| first.run.clone());
            if let Some(Inline { content: Content::RubyStart(_), run, .. }) = self.open_paragraph.inlines.get_mut(start)
            {
                *run = look.clone();
            }
            self.emit(Content::RubyEnd, &look);
        }
        self.open_paragraph.inlines.append(&mut beside);
    }

    /// Returns two lists: the inlines of the reading, and the inlines that cannot be in a reading (notes, drawings,
    /// bookmarks).
    fn read_ruby_text(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> (Vec<Inline>, Vec<Inline>) {
        let outer = std::mem::take(&mut self.open_paragraph.inlines);
        self.read_inlines(element, base);
        let inlines = std::mem::replace(&mut self.open_paragraph.inlines, outer);
        let is_text = |inline: &Inline| matches!(inline.content, Content::Text(_) | Content::Field { .. });
        inlines.into_iter().partition(is_text)
    }
}

impl RubyPart {
    /// Returns the font size of the reading (§17.3.3.10 w:hps). This size overrides the size of the runs of the
    /// reading. `None`: the size of the runs applies.
    pub(crate) fn reading_size(self) -> Option<f32> {
        if let Self::Reading(size) = self { size } else { None }
    }
}
