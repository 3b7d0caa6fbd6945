//! External content that a document loads or starts when it is opened.
//!
//! An external attached template (§17.15.1.6) is removed from every filled document. Its styles are already in the
//! document, and Word would load and run it from any location. All other external content is reported at upload.

use quick_xml::events::BytesStart;

use super::unsafe_links;
use crate::Package;
use crate::package::attribute;
use crate::package::xml::{TagEdit, edit_tags};

/// Fields that start another program or load a file when they are updated (§17.16.5.13 and similar).
const AUTO_LOADING_FIELDS: [&str; 3] = ["DDE", "DDEAUTO", "LINK"];
/// Fields that show an external file (§17.16.5.26, §17.16.5.27).
const FILE_INCLUDING_FIELDS: [&str; 4] = ["INCLUDEPICTURE", "INCLUDETEXT", "INCLUDE", "IMPORT"];

/// A reference to external content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExternalContent {
    /// The description for users, for example "an object that is linked".
    pub description: &'static str,
    /// The target of the relationship that refers to the content. If a field refers to the content, this is the code of
    /// the field.
    pub target: String,
    /// Word loads or starts the content without asking the user.
    pub loads_automatically: bool,
    /// The content is a link that filling makes harmless (see [`super::unsafe_links`]).
    pub is_unsafe_link: bool,
}

fn unsafe_link(target: String) -> ExternalContent {
    ExternalContent { description: UNSAFE_LINK, target, loads_automatically: false, is_unsafe_link: true }
}

const UNSAFE_LINK: &str = "a link that opens a file or a program of the reader's computer";

/// Returns the external content of a field code, if there is any.
pub(super) fn in_field_code(code: &str) -> Option<ExternalContent> {
    let name = code.split_whitespace().next()?.to_ascii_uppercase();
    if name == "HYPERLINK" {
        return unsafe_links::in_field_code(code).map(unsafe_link);
    }
    let (what, unasked) = if AUTO_LOADING_FIELDS.contains(&name.as_str()) {
        ("a field that starts another program", true)
    } else if FILE_INCLUDING_FIELDS.contains(&name.as_str()) {
        ("a field that shows a file from elsewhere", false)
    } else {
        return None;
    };
    Some(ExternalContent {
        description: what,
        target: code.split_whitespace().collect::<Vec<_>>().join(" "),
        loads_automatically: unasked,
        is_unsafe_link: false,
    })
}

/// Returns the external content that the relationships of a part refer to, except for safe links that users follow.
pub(super) fn in_relationships<'p>(package: &'p Package, part: &str) -> impl Iterator<Item = ExternalContent> + 'p {
    let external = package.relationships_of(part).iter().filter(|known| known.external);
    external.filter_map(|known| {
        let (what, unasked) = match known.kind.as_str() {
            "hyperlink" if unsafe_links::is_unsafe(&known.target) => return Some(unsafe_link(known.target.clone())),
            "hyperlink" | "attachedTemplate" => return None,
            "image" => ("a picture that is linked", false),
            "video" | "audio" | "media" => ("a sound or a film that is linked", false),
            "oleObject" | "package" | "control" => ("an object that is linked", true),
            "subDocument" => ("a part that is another file", true),
            "aFChunk" => ("a chunk that is another file", true),
            "frame" => ("a frame that shows another file", true),
            "mailMergeSource" | "mailMergeHeaderSource" | "recipientData" => ("the data of a mail merge", true),
            _ => ("a part that lies elsewhere", true),
        };
        Some(ExternalContent {
            description: what,
            target: known.target.clone(),
            loads_automatically: unasked,
            is_unsafe_link: false,
        })
    })
}

/// Returns the unsafe links of the shapes in a part.
pub(super) fn in_shapes(package: &Package, part: &str) -> impl Iterator<Item = ExternalContent> {
    let text = package.part_text(part).filter(|_| part.ends_with(".xml"));
    text.map(unsafe_links::in_shapes).unwrap_or_default().into_iter().map(unsafe_link)
}

/// Returns the package without its external attached template.
pub(super) fn without_attached_template(package: Package) -> Package {
    let settings = package.related_parts(package.main_part(), "settings").next().map(str::to_owned);
    let Some(settings) = settings else { return package };
    let is_attached_template = |kind: &str| kind.rsplit('/').next() == Some("attachedTemplate");
    if !package.relationships_of(&settings).iter().any(|known| is_attached_template(&known.kind)) {
        return package;
    }
    let relationships = crate::package::relationships_part(&settings);
    let kind = |tag: &BytesStart<'_>| attribute(tag, "Type").is_some_and(|kind| is_attached_template(&kind));
    let package = without_elements(package, &relationships, &kind);
    without_elements(package, &settings, &|tag| tag.local_name().as_ref() == "attachedTemplate")
}

/// Returns the package without the elements of `part` for which `is_removed` returns `true`. The content of these
/// elements is removed too.
fn without_elements(package: Package, part: &str, is_removed: &dyn Fn(&BytesStart<'_>) -> bool) -> Package {
    let mut edit = |tag: &BytesStart<'_>| if is_removed(tag) { TagEdit::Remove } else { TagEdit::Keep };
    match package.part_text(part).and_then(|text| edit_tags(text, &mut edit)) {
        Some(edited) => package.with_part(part, edited.into_bytes()),
        None => package,
    }
}
