//! Content controls (§17.5.2): their ranges and properties.

use std::ops::Range;

use quick_xml::events::BytesStart;

use super::Scanner;
use super::open_elements::ElementKind;
use crate::fields::scan::{ContentControl, Index, PartScan};
use crate::package::attribute;

impl Scanner<'_> {
    pub(super) fn open_control(&mut self, span: &Range<usize>, prefix: String) -> ElementKind {
        self.mark_paragraph_with_field();
        self.story.controls.push(ContentControl {
            parent: self.controls.last().copied(),
            range: span.clone(),
            prefix,
            paragraph: self
                .paragraphs
                .last()
                .copied()
                .filter(|_| self.innermost_text_container() == ElementKind::Paragraph),
            deleted: self.deletion_depth > 0,
            fallback: self.fallback_depth > 0,
            ..ContentControl::default()
        });
        ElementKind::Control(self.story.controls.len() - 1)
    }

    /// Handles a child of a control: its properties, its content or an unknown element. Unknown elements are not
    /// allowed (§17.5.2). Filling deletes them with the control.
    pub(super) fn open_control_child(&mut self, at: Index, local: &str, span: &Range<usize>) -> ElementKind {
        let Some(control) = self.story.controls.get_mut(at) else { return ElementKind::NoText };
        match local {
            "sdtPr" => {
                self.no_text_depth += 1;
                ElementKind::ControlProperties
            }
            // Only the first `w:sdtContent` is used. `content.end` is 0 until it is read, because no start tag ends at
            // offset 0.
            "sdtContent" if control.content.end == 0 => {
                control.content = span.end..span.end;
                self.controls.push(at);
                ElementKind::ControlContent
            }
            _ => {
                self.no_text_depth += 1;
                ElementKind::NoText
            }
        }
    }

    /// Handles a child of the properties of a control.
    pub(super) fn open_control_property(&mut self, tag: &BytesStart<'_>, local: &str) -> ElementKind {
        let Some(at) = self.control_of_properties() else { return ElementKind::Other };
        let Some(control) = self.story.controls.get_mut(at) else { return ElementKind::Other };
        match local {
            "rPr" => return ElementKind::RunProperties,
            "dataBinding" => return ElementKind::Binding(at),
            "showingPlcHdr" => {
                control.showing_placeholder = true;
                return ElementKind::Binding(at);
            }
            "tag" => control.tag = attribute(tag, "val"),
            "text" => control.is_plain_text = true,
            _ => {}
        }
        ElementKind::Other
    }

    /// Returns the control whose properties (`w:sdtPr`) are the innermost open element. Returns `None` if another
    /// element is.
    pub(super) fn control_of_properties(&self) -> Option<Index> {
        let mut around = self.open_elements.iter().rev().map(|frame| frame.kind);
        match (around.next(), around.next()) {
            (Some(ElementKind::ControlProperties), Some(ElementKind::Control(at))) => Some(at),
            _ => None,
        }
    }

    /// Sets `has_text` of all controls that contain characters, directly or in inner controls.
    pub(super) fn set_controls_with_text(&mut self) {
        let PartScan { paragraphs, controls, .. } = &mut self.story;
        let cells = paragraphs.iter().flat_map(|paragraph| &paragraph.cells).filter(|cell| !cell.span.is_empty());
        for at in cells.filter_map(|cell| cell.control) {
            if let Some(control) = controls.get_mut(at) {
                control.has_text = true;
            }
        }
        // Inner controls come after outer ones.
        for at in (0..controls.len()).rev() {
            let parent = controls.get(at).filter(|control| control.has_text).and_then(|control| control.parent);
            if let Some(parent) = parent.and_then(|parent| controls.get_mut(parent)) {
                parent.has_text = true;
            }
        }
    }
}
