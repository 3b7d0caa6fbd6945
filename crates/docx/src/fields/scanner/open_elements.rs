//! The open elements and namespace prefixes at a position of the part.

use quick_xml::events::BytesStart;

use super::Scanner;
use crate::fields::scan::{Index, Neighbor};
use waraq_graphics::xml::{Ns, namespace_of_uri};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementKind {
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
    /// An element in the properties of the content control with this index that names the kind of the control, such as
    /// `w:date`.
    ControlKind(Index),
    /// A `w:dataBinding` or `w:showingPlcHdr` of the content control with this index. The element is deleted when the
    /// text of the control changes.
    Binding(Index),
    ControlContent,
    /// A `w:fldChar`. The values are its kind, and `true` if the field is locked (w:fldLock).
    FieldCharacter(FieldCharacterKind, bool),
    /// An element whose content is not text.
    NoText,
    /// A simple field, with its index in the list of merge fields. `None`: the field is not filled.
    SimpleField(Option<Index>),
    /// A simple field in the code of another field, with its index in the list of merge fields. `None`: the field is not
    /// filled.
    SimpleFieldInCode(Option<Index>),
    /// A line break or tab in a field code. It is deleted when the field is filled.
    CodeBreak,
    Note,
    Comment,
    Table(Index),
    Row(Index),
    Cell,
    /// A `w:txbxContent`. Its paragraphs do not belong to the paragraph that contains the text box.
    TextBox,
    Compatibility,
    /// An element that represents one character: a tab, a break or a hyphen. The values are the index of its paragraph,
    /// and the index of its cell in that paragraph.
    CharacterElement(Index, Index),
    Other,
}

/// The kind of a `w:fldChar` (§17.18.29).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldCharacterKind {
    Begin,
    Separate,
    End,
    Unknown,
}

pub(super) struct OpenElement {
    pub kind: ElementKind,
    pub start: usize,
    /// The number of namespace bindings in scope before the element. All later bindings go out of scope at the end of
    /// the element.
    pub bindings: usize,
    /// The last paragraph, table or other block among the children of the element so far. `None`: there is no block yet.
    pub last_block: Option<Neighbor>,
    /// The element is between a paragraph and its runs. The value is its index in the inline elements of the part.
    pub inline_element: Option<Index>,
}

impl Scanner<'_> {
    pub(super) fn parent(&self) -> ElementKind {
        self.open_elements.last().map_or(ElementKind::Other, |frame| frame.kind)
    }

    pub(super) fn push_namespaces(&mut self, tag: &BytesStart<'_>) {
        for attribute in tag.attributes().flatten() {
            let prefix = match attribute.key.as_ref() {
                "xmlns" => "",
                other => match other.strip_prefix("xmlns:") {
                    Some(prefix) => prefix,
                    None => continue,
                },
            };
            self.namespaces.push((prefix.to_owned(), namespace_of_uri(&attribute.value)));
        }
    }

    pub(super) fn namespace(&self, prefix: &str) -> Ns {
        self.namespaces.iter().rev().find(|(known, _)| known == prefix).map_or(Ns::Other, |(_, ns)| *ns)
    }

    pub(super) fn in_run(&self) -> bool {
        !self.paragraphs.is_empty() && matches!(self.innermost_text_container(), ElementKind::Run(_))
    }

    /// Returns the innermost open element that is a paragraph, run or text box. Returns `Other` if no such element is
    /// open.
    pub(super) fn innermost_text_container(&self) -> ElementKind {
        let holder = |frame: &&OpenElement| {
            matches!(frame.kind, ElementKind::Paragraph | ElementKind::Run(_) | ElementKind::TextBox)
        };
        self.open_elements.iter().rev().find(holder).map_or(ElementKind::Other, |frame| frame.kind)
    }
}
