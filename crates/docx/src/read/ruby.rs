//! Ruby text (§17.3.3.25 w:ruby): furigana, bopomofo and other annotations above text.

use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::FindingCode;

use super::cascade::ParagraphBase;
use super::story::{RubyPart, Story};
use super::values::{half_points, word};
use super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// Reads a `w:ruby`. The base becomes ordinary inlines of the line; the reading is stored at its start.
    pub(crate) fn ruby(&mut self, element: Element<'t>, run: &Arc<RunProperties>, base: &Rc<ParagraphBase>) {
        let outside = self.line.ruby;
        // Field codes have no readings.
        let reading = element.child(Ns::W, "rt").filter(|_| !self.in_code());
        let properties = element.child(Ns::W, "rubyPr");
        let value = |name| properties.and_then(|properties| properties.child_val(name));
        let points = |name| value(name).and_then(half_points).filter(|points| *points > 0.0);
        let mut beside = Vec::new();
        let mut start = None;
        if outside != RubyPart::None && reading.is_some() {
            self.warn(FindingCode::RubyLeftOut, "a reading inside another is not shown");
        } else if let Some(element) = reading {
            self.line.ruby = RubyPart::Reading(points("hps"));
            let reading;
            (reading, beside) = self.reading(element, base);
            if !reading.is_empty() {
                // Without `hpsRaise`, Word raises the reading by the font size of the base minus one point.
                let raise = value("hpsRaise").and_then(half_points).filter(|raise| *raise >= 0.0);
                let raise = raise.unwrap_or_else(|| (points("hpsBaseText").unwrap_or(run.size) - 1.0).max(0.0));
                let alignment = value("rubyAlign").and_then(word).unwrap_or_default();
                start = Some(self.line.inlines.len());
                self.emit(Content::RubyStart(Arc::new(Ruby { reading, alignment, raise })), run);
            }
        }
        if outside == RubyPart::None {
            self.line.ruby = RubyPart::Base;
        }
        if let Some(text) = element.child(Ns::W, "rubyBase") {
            self.inlines(text, base);
        }
        self.line.ruby = outside;
        if let Some(start) = start {
            // The formatting of the base applies to the complete ruby.
            let look = self.line.inlines.get(start + 1).map_or_else(|| run.clone(), |first| first.run.clone());
            if let Some(Inline { content: Content::RubyStart(_), run, .. }) = self.line.inlines.get_mut(start) {
                *run = look.clone();
            }
            self.emit(Content::RubyEnd, &look);
        }
        self.line.inlines.append(&mut beside);
    }

    /// Returns the inlines of the reading, and the inlines that cannot be in a reading (notes, drawings, bookmarks).
    fn reading(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> (Vec<Inline>, Vec<Inline>) {
        let outer = std::mem::take(&mut self.line.inlines);
        self.inlines(element, base);
        let read = std::mem::replace(&mut self.line.inlines, outer);
        let is_text = |inline: &Inline| matches!(inline.content, Content::Text(_) | Content::Field { .. });
        read.into_iter().partition(is_text)
    }
}

impl RubyPart {
    /// Returns the font size of the reading (§17.3.3.10 w:hps). It overrides the size of its runs.
    pub(crate) fn size(self) -> Option<f32> {
        if let Self::Reading(size) = self { size } else { None }
    }
}
