//! Conversion of a template (`.dotx`, `.dotm`) or a document with macros (`.docm`) to a document (`.docx`).

use std::collections::HashSet;

use quick_xml::events::BytesStart;

use super::needed::reachable;
use super::new_parts::with_last_child;
use super::xml::{TagEdit, edit_tags};
use super::{CONTENT_TYPES, DOCUMENT_TYPE, Package, Relationship, WORD_MAIN, attribute, names, relationships_part};

/// The kinds of relationships to macros and to data that only macros use ([MS-DOCX] §2.2, [MS-OE376] §2.3).
const MACRO_KINDS: [&str; 2] = ["vbaProject", "wordVbaData"];
/// The kind of the relationship to the extensions of the user interface ([MS-CUSTOMUI]). Their buttons call macros.
const USER_INTERFACE: &str = "extensibility";
/// The kinds of relationships to digital signatures. A signature is not valid for a changed document.
const SIGNATURE_KINDS: [&str; 2] = ["origin", "signature"];

impl Package {
    /// Returns `true` if the package contains macros.
    pub(crate) fn has_macros(&self) -> bool {
        self.relationships.values().flatten().any(|known| MACRO_KINDS.contains(&known.kind.as_str()))
    }

    /// Returns the package as a document. The main part gets the content type of a document, and macros and digital
    /// signatures are removed. A package that is already such a document does not change.
    #[must_use]
    pub(crate) fn into_document(mut self) -> Self {
        let has_macros = self.has_macros();
        let is_dropped = |known: &Relationship| {
            let kind = known.kind.as_str();
            MACRO_KINDS.contains(&kind) || SIGNATURE_KINDS.contains(&kind) || (has_macros && kind == USER_INTERFACE)
        };
        let (dropped, sources) = self.parts_behind(&is_dropped);
        for source in sources {
            self = self.without_relationships(&source, &is_dropped);
        }
        self.remove_parts(&dropped);
        self.with_document_type(&dropped)
    }

    /// Returns two lists of parts for the relationships that `is_dropped` selects.
    ///
    /// The first list contains the lower-case names of the parts that can be reached only through these relationships.
    /// The relationships parts of these parts are included. The second list contains the names of the source parts of
    /// these relationships. A source part that is itself in the first list is not in the second list.
    fn parts_behind(&self, is_dropped: &dyn Fn(&Relationship) -> bool) -> (HashSet<String>, Vec<String>) {
        let sources: Vec<String> = self
            .relationships
            .iter()
            .filter(|(_, list)| list.iter().any(is_dropped))
            .map(|(source, _)| source.clone())
            .collect();
        if sources.is_empty() {
            return (HashSet::new(), sources);
        }
        let kept = reachable([String::new()], &self.relationships, &|known| !is_dropped(known));
        let targets = self.relationships.values().flatten().filter(|known| !known.external && is_dropped(known));
        let starts = targets.map(|known| names::fold_case(&known.target));
        let mut dropped = reachable(starts, &self.relationships, &|_| true);
        dropped.retain(|part| !kept.contains(part) && *part != names::fold_case(&self.main));
        let lists: Vec<String> = dropped.iter().map(|part| relationships_part(part)).collect();
        dropped.extend(lists);
        let mut sources: Vec<String> = sources.into_iter().filter(|source| !dropped.contains(source)).collect();
        sources.sort_unstable();
        (dropped, sources)
    }

    /// Returns the package without those relationships of the part `source` that `is_dropped` selects.
    pub(super) fn without_relationships(self, source: &str, is_dropped: &dyn Fn(&Relationship) -> bool) -> Self {
        let ids: HashSet<&str> =
            self.relationships_of(source).iter().filter(|known| is_dropped(known)).map(|known| &*known.id).collect();
        let part = relationships_part(source);
        let mut edit = |tag: &BytesStart<'_>| match attribute(tag, "Id") {
            Some(id) if tag.local_name().as_ref() == "Relationship" && ids.contains(id.as_str()) => TagEdit::Remove,
            _ => TagEdit::Keep,
        };
        let edited = self.part_text(&part).and_then(|text| edit_tags(text, &mut edit));
        match edited {
            Some(text) => self.with_part(&part, text.into_bytes()),
            None => self,
        }
    }

    /// Gives the main part the content type of a document. Removes the content types of the parts in `dropped`, which
    /// contains lower-case names.
    fn with_document_type(mut self, dropped: &HashSet<String>) -> Self {
        let main = names::fold_case(&self.main);
        let kind = self.content_type(&self.main).map(str::to_lowercase).unwrap_or_default();
        let is_template = kind != DOCUMENT_TYPE && WORD_MAIN.contains(&kind.as_str());
        if !is_template && dropped.is_empty() {
            return self;
        }
        let Some(text) = self.part_text(CONTENT_TYPES) else { return self };
        let mut has_override = false;
        let edited = edit_tags(text, &mut |tag| {
            if tag.local_name().as_ref() != "Override" {
                return TagEdit::Keep;
            }
            let part = names::fold_case(&names::resolve_target("", &attribute(tag, "PartName").unwrap_or_default()));
            if part == main {
                has_override = true;
                return TagEdit::SetAttribute("ContentType", DOCUMENT_TYPE);
            }
            if dropped.contains(&part) { TagEdit::Remove } else { TagEdit::Keep }
        });
        let mut edited = edited.unwrap_or_else(|| text.to_owned());
        if !has_override {
            // The type came from the file extension of the main part. Another part may have the same extension.
            let part = quick_xml::escape::escape(&*self.main);
            let element =
                |prefix: &str| format!("<{prefix}Override PartName=\"/{part}\" ContentType=\"{DOCUMENT_TYPE}\"/>");
            edited = with_last_child(&edited, &element).unwrap_or(edited);
        }
        self.content_types.set_type(&self.main, DOCUMENT_TYPE);
        self.with_part(CONTENT_TYPES, edited.into_bytes())
    }

    /// Removes the content types of the parts with these lower-case names.
    pub(super) fn without_content_types(self, dropped: &HashSet<String>) -> Self {
        if dropped.is_empty() {
            return self;
        }
        let is_dropped = |tag: &BytesStart<'_>| {
            let part = attribute(tag, "PartName").unwrap_or_default();
            tag.local_name().as_ref() == "Override"
                && dropped.contains(&names::fold_case(&names::resolve_target("", &part)))
        };
        let mut edit = |tag: &BytesStart<'_>| if is_dropped(tag) { TagEdit::Remove } else { TagEdit::Keep };
        match self.part_text(CONTENT_TYPES).and_then(|text| edit_tags(text, &mut edit)) {
            Some(text) => self.with_part(CONTENT_TYPES, text.into_bytes()),
            None => self,
        }
    }

    /// Removes the parts with these lower-case names.
    pub(super) fn remove_parts(&mut self, dropped: &HashSet<String>) {
        if dropped.is_empty() {
            return;
        }
        self.parts.retain(|part| !dropped.contains(&names::fold_case(&part.name)));
        self.relationships.retain(|source, _| !dropped.contains(source));
        self.index = self.parts.iter().enumerate().map(|(at, part)| (names::fold_case(&part.name), at)).collect();
    }
}
