//! Content controls (§17.5.2): their ranges and properties.

use std::ops::Range;

use quick_xml::events::BytesStart;

use super::Scanner;
use super::open_elements::ElementKind;
use crate::fields::control_kind::{ControlKind, DateControl, ListEntry, PICTURE_CONTROL, Symbol, add_entry};
use crate::fields::scan::{ContentControl, Index, PartScan};
use crate::package::attribute;
use waraq_graphics::xml::values::on_off;
use waraq_rules::format::Calendar;

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

    /// Handles a child element of a control: the properties, the content or an unknown element. Unknown elements are
    /// not allowed here (§17.5.2). When the control is filled, they are deleted together with the tags of the control.
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
                control.showing_placeholder = on_off(attribute(tag, "val").as_deref());
                return ElementKind::Binding(at);
            }
            "tag" => control.tag = attribute(tag, "val"),
            "alias" => control.alias = attribute(tag, "val"),
            _ => {
                if let Some(kind) = kind_of_element(tag, local) {
                    control.kind = kind;
                    return ElementKind::ControlKind(at);
                }
            }
        }
        ElementKind::Other
    }

    /// Handles a child of the properties of a control in a namespace of Word 2010 or later.
    pub(super) fn open_extended_property(&mut self, local: &str) -> ElementKind {
        let kind = match local {
            "checkbox" => ControlKind::CheckBox(Box::default()),
            "repeatingSection" | "repeatingSectionItem" => ControlKind::NotFillable("a repeating section"),
            "dataBinding" => return self.control_of_properties().map_or(ElementKind::Other, ElementKind::Binding),
            _ => return ElementKind::Other,
        };
        let Some(at) = self.control_of_properties() else { return ElementKind::Other };
        if let Some(control) = self.story.controls.get_mut(at) {
            control.kind = kind;
        }
        ElementKind::ControlKind(at)
    }

    /// Handles a child of the element that names the kind of the control: the picture of a date, an entry of a list or
    /// a state of a check box.
    pub(super) fn open_kind_setting(&mut self, at: Index, tag: &BytesStart<'_>, local: &str) -> ElementKind {
        let value = || attribute(tag, "val");
        match (self.story.controls.get_mut(at).map(|control| &mut control.kind), local) {
            (Some(ControlKind::Date(date)), "dateFormat") => date.picture = value().filter(|text| !text.is_empty()),
            (Some(ControlKind::Date(date)), "lid") => date.language = value().filter(|text| !text.is_empty()),
            (Some(ControlKind::Date(date)), "calendar") => {
                let hijri = matches!(value().as_deref(), Some("hijri" | "umalqura"));
                date.calendar = if hijri { Calendar::Hijri } else { Calendar::Gregorian };
            }
            (Some(ControlKind::List(entries)), "listItem") => {
                if let Some(entry) = ListEntry::new(attribute(tag, "displayText"), attribute(tag, "value")) {
                    self.story.held.grow(entry.size());
                    add_entry(entries, entry);
                }
            }
            (Some(ControlKind::CheckBox(states)), "checkedState" | "uncheckedState") => {
                let symbol = value().and_then(|code| Symbol::new(&code, attribute(tag, "font")));
                let state = if local == "checkedState" { &mut states.checked } else { &mut states.unchecked };
                if let Some(symbol) = symbol {
                    *state = symbol;
                }
            }
            _ => {}
        }
        ElementKind::Other
    }

    /// Records that the innermost open content control contains more than text. [`Self::set_control_contents`] records
    /// the same for the controls around it.
    pub(super) fn mark_control_with_object(&mut self) {
        if let Some(control) = self.controls.last().and_then(|&at| self.story.controls.get_mut(at)) {
            control.has_objects = true;
        }
    }

    /// Records that the innermost open control contains a table cell. A control with two cells counts as a control that
    /// contains more than text.
    pub(super) fn mark_control_with_cell(&mut self) {
        if let Some(control) = self.controls.last().and_then(|&at| self.story.controls.get_mut(at)) {
            control.has_objects |= control.has_cell;
            control.has_cell = true;
        }
    }

    /// Records the byte range of a closed paragraph in the innermost open control.
    pub(super) fn add_paragraph_to_control(&mut self, paragraph: Option<Index>, whole: Range<usize>) {
        let control = self.controls.last().and_then(|&at| self.story.controls.get_mut(at));
        let Some(control) = control.filter(|control| control.paragraph.is_none()) else { return };
        // Controls that begin inside the paragraph do not contain it.
        if control.content.start <= whole.start && paragraph.is_some() {
            control.paragraphs.push(whole);
        }
    }

    /// Returns the control whose properties (`w:sdtPr`) are the innermost open element. Returns `None` if the innermost
    /// open element is not a `w:sdtPr`.
    pub(super) fn control_of_properties(&self) -> Option<Index> {
        let mut around = self.open_elements.iter().rev().map(|frame| frame.kind);
        match (around.next(), around.next()) {
            (Some(ElementKind::ControlProperties), Some(ElementKind::Control(at))) => Some(at),
            _ => None,
        }
    }

    /// Sets `has_text` of all controls that contain characters, directly or in inner controls. Sets `has_objects` of
    /// all controls that contain an inner control.
    pub(super) fn set_control_contents(&mut self) {
        let PartScan { paragraphs, controls, .. } = &mut self.story;
        let cells = paragraphs.iter().flat_map(|paragraph| &paragraph.cells).filter(|cell| !cell.span.is_empty());
        for at in cells.filter_map(|cell| cell.control) {
            if let Some(control) = controls.get_mut(at) {
                control.has_text = true;
            }
        }
        // An inner control has a higher index than the controls around it, so the loop visits it before them.
        for at in (0..controls.len()).rev() {
            let Some(control) = controls.get(at) else { continue };
            let (has_text, parent) = (control.has_text, control.parent);
            if let Some(parent) = parent.and_then(|parent| controls.get_mut(parent)) {
                parent.has_text |= has_text;
                parent.has_objects = true;
            }
        }
    }
}

/// Returns the kind of a content control. `tag` is an element in its properties, such as `w:date`. Returns `None` if
/// the element does not name a kind.
fn kind_of_element(tag: &BytesStart<'_>, local: &str) -> Option<ControlKind> {
    Some(match local {
        "richText" => ControlKind::RichText,
        "text" => {
            let multiline = attribute(tag, "multiLine");
            ControlKind::PlainText { multiline: multiline.is_some_and(|value| on_off(Some(&value))) }
        }
        "date" => ControlKind::Date(DateControl::default()),
        "dropDownList" | "comboBox" => ControlKind::List(Vec::new()),
        "picture" => ControlKind::NotFillable(PICTURE_CONTROL),
        "group" => ControlKind::NotFillable("a group"),
        "docPartObj" | "docPartList" => ControlKind::NotFillable("a gallery of building blocks"),
        "equation" => ControlKind::NotFillable("a formula"),
        "citation" => ControlKind::NotFillable("a citation"),
        "bibliography" => ControlKind::NotFillable("a bibliography"),
        _ => return None,
    })
}
