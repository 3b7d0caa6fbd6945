//! Content controls (§17.5.2): where they begin and end, and what their properties say.

use std::ops::Range;

use quick_xml::events::BytesStart;

use super::Scanner;
use super::frames::{Element, Frame};
use crate::fields::scan::Control;
use crate::package::attribute;

impl Scanner<'_> {
    pub(super) fn open_control(&mut self, span: &Range<usize>, prefix: String) -> Element {
        self.story.controls.push(Control {
            parent: self.controls.last().copied(),
            range: span.clone(),
            prefix,
            paragraph: if matches!(self.innermost_text_holder(), Element::Paragraph) {
                self.paragraphs.last().copied()
            } else {
                None
            },
            deleted: self.deletions > 0,
            fallback: self.fallbacks > 0,
            ..Control::default()
        });
        Element::Control(self.story.controls.len() - 1)
    }

    pub(super) fn control_property(&mut self, tag: &BytesStart<'_>, local: &str, span: &Range<usize>) {
        let control = self.frames.iter().rev().find_map(|frame| match frame.element {
            Element::Control(at) => Some(at),
            _ => None,
        });
        let Some(control) = control.and_then(|at| self.story.controls.get_mut(at)) else { return };
        match local {
            "tag" => control.tag = attribute(tag, "val"),
            "text" => control.is_plain_text = true,
            _ => {
                control.showing_placeholder |= local == "showingPlcHdr";
                control.bindings.push(span.clone());
            }
        }
    }

    pub(super) fn binding(&mut self, span: Range<usize>) {
        if self.parent() == Element::ControlProperties
            && let Some(Frame { element: Element::Control(at), .. }) = self.frames.iter().rev().nth(1)
            && let Some(control) = self.story.controls.get_mut(*at)
        {
            control.bindings.push(span);
        }
    }
}
