//! Content controls (§17.5.2): where they begin and end, and what their properties say.

use std::ops::Range;

use quick_xml::events::BytesStart;

use super::Scanner;
use super::frames::Element;
use crate::fields::scan::{Control, Index, Story};
use crate::package::attribute;

impl Scanner<'_> {
    pub(super) fn open_control(&mut self, span: &Range<usize>, prefix: String) -> Element {
        self.note_field();
        self.story.controls.push(Control {
            parent: self.controls.last().copied(),
            range: span.clone(),
            prefix,
            paragraph: self.paragraphs.last().copied().filter(|_| self.innermost_text_holder() == Element::Paragraph),
            deleted: self.deletions > 0,
            fallback: self.fallbacks > 0,
            ..Control::default()
        });
        Element::Control(self.story.controls.len() - 1)
    }

    /// A child of a control: its properties, its content, or what neither is (§17.5.2 knows no other, and filling takes it
    /// away with the control).
    pub(super) fn control_child(&mut self, at: Index, local: &str, span: &Range<usize>) -> Element {
        let Some(control) = self.story.controls.get_mut(at) else { return Element::NoText };
        match local {
            "sdtPr" => {
                self.no_text += 1;
                Element::ControlProperties
            }
            // the first: its start tag cannot end where the control begins
            "sdtContent" if control.content.end == 0 => {
                control.content = span.end..span.end;
                self.controls.push(at);
                Element::ControlContent
            }
            _ => {
                self.no_text += 1;
                Element::NoText
            }
        }
    }

    /// A child of the properties of a control.
    pub(super) fn control_property(&mut self, tag: &BytesStart<'_>, local: &str) -> Element {
        let Some(at) = self.control_of_properties() else { return Element::Other };
        let Some(control) = self.story.controls.get_mut(at) else { return Element::Other };
        match local {
            "rPr" => return Element::RunProperties,
            "dataBinding" => return Element::Binding(at),
            "showingPlcHdr" => {
                control.showing_placeholder = true;
                return Element::Binding(at);
            }
            "tag" => control.tag = attribute(tag, "val"),
            "text" => control.is_plain_text = true,
            _ => {}
        }
        Element::Other
    }

    /// The control whose properties are the innermost element.
    pub(super) fn control_of_properties(&self) -> Option<Index> {
        let mut around = self.frames.iter().rev().map(|frame| frame.element);
        match (around.next(), around.next()) {
            (Some(Element::ControlProperties), Some(Element::Control(at))) => Some(at),
            _ => None,
        }
    }

    /// Tells every control whether there is text in it.
    pub(super) fn tell_controls_of_text(&mut self) {
        let Story { paragraphs, controls, .. } = &mut self.story;
        let cells = paragraphs.iter().flat_map(|paragraph| &paragraph.cells).filter(|cell| !cell.span.is_empty());
        for at in cells.filter_map(|cell| cell.control) {
            if let Some(control) = controls.get_mut(at) {
                control.has_text = true;
            }
        }
        // those inside others come after them
        for at in (0..controls.len()).rev() {
            let parent = controls.get(at).filter(|control| control.has_text).and_then(|control| control.parent);
            if let Some(parent) = parent.and_then(|parent| controls.get_mut(parent)) {
                parent.has_text = true;
            }
        }
    }
}
