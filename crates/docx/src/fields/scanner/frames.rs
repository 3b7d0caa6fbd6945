//! What is open at a place of the part: elements, and the namespace prefixes in force.

use quick_xml::events::BytesStart;

use super::Scanner;
use crate::fields::scan::Index;
use waraq_graphics::xml::{Ns, by_uri};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Paragraph,
    ParagraphProperties,
    Run(Index),
    RunProperties,
    Text,
    Instruction,
    DeletedText,
    MathText,
    Deletion,
    Fallback,
    Control(Index),
    ControlProperties,
    /// What a control lets go of with its data: a child of its properties.
    Binding(Index),
    ControlContent,
    /// `w:fldChar`: what it is, and whether its field's result stays (w:fldLock).
    FieldCharacter(Character, bool),
    /// What stands in it is no text.
    NoText,
    /// With the field it is to fill; `None`: one of another kind.
    SimpleField(Option<Index>),
    Note,
    /// `w:txbxContent`: its paragraphs are none of the paragraph it is in.
    TextBox,
    Compatibility,
    /// A tab, a break, a hyphen: paragraph and cell it is.
    Cell(Index, Index),
    Other,
}

/// What a `w:fldChar` does (§17.18.29).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Character {
    Begin,
    Separate,
    End,
    Unknown,
}

pub(super) struct Frame {
    pub element: Element,
    pub start: usize,
    /// Namespace bindings in force outside of it.
    pub bindings: usize,
}

impl Scanner<'_> {
    pub(super) fn parent(&self) -> Element {
        self.frames.last().map_or(Element::Other, |frame| frame.element)
    }

    pub(super) fn bind(&mut self, tag: &BytesStart<'_>) {
        for attribute in tag.attributes().flatten() {
            let prefix = match attribute.key.as_ref() {
                "xmlns" => "",
                other => match other.strip_prefix("xmlns:") {
                    Some(prefix) => prefix,
                    None => continue,
                },
            };
            self.namespaces.push((prefix.to_owned(), by_uri(&attribute.value)));
        }
    }

    pub(super) fn namespace(&self, prefix: &str) -> Ns {
        self.namespaces.iter().rev().find(|(known, _)| known == prefix).map_or(Ns::Other, |(_, ns)| *ns)
    }

    pub(super) fn in_run(&self) -> bool {
        !self.paragraphs.is_empty() && matches!(self.innermost_text_holder(), Element::Run(_))
    }

    /// The paragraph, run or text box that is innermost.
    pub(super) fn innermost_text_holder(&self) -> Element {
        let holder = |frame: &&Frame| matches!(frame.element, Element::Paragraph | Element::Run(_) | Element::TextBox);
        self.frames.iter().rev().find(holder).map_or(Element::Other, |frame| frame.element)
    }
}
