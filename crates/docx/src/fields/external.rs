//! External content that a document loads or starts when it is opened.
//!
//! An external attached template (§17.15.1.6) is removed from every filled document. Its styles are already in the
//! document, and Word would load and run it from any location. All other external content is reported at upload.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::Package;
use crate::package::attribute;

/// Fields that start another program or load a file when they are updated (§17.16.5.13 and similar).
const STARTING: [&str; 3] = ["DDE", "DDEAUTO", "LINK"];
/// Fields that show an external file (§17.16.5.26, §17.16.5.27).
const SHOWING: [&str; 4] = ["INCLUDEPICTURE", "INCLUDETEXT", "INCLUDE", "IMPORT"];

/// A reference to external content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct External {
    /// The description for users, for example "an object that is linked".
    pub what: &'static str,
    /// The location of the content, or the field code.
    pub target: String,
    /// The reader loads or starts the content without asking the user.
    pub unasked: bool,
}

/// Returns the external content of a field code, if there is any.
pub(super) fn of_field(code: &str) -> Option<External> {
    let name = code.split_whitespace().next()?.to_ascii_uppercase();
    let (what, unasked) = if STARTING.contains(&name.as_str()) {
        ("a field that starts another program", true)
    } else if SHOWING.contains(&name.as_str()) {
        ("a field that shows a file from elsewhere", false)
    } else {
        return None;
    };
    Some(External { what, target: code.split_whitespace().collect::<Vec<_>>().join(" "), unasked })
}

/// Returns the external content that the relationships of a part refer to, except for links that users follow.
pub(super) fn of_part<'p>(package: &'p Package, part: &str) -> impl Iterator<Item = External> + 'p {
    let outside = package.relationships_of(part).iter().filter(|known| known.external);
    outside.filter_map(|known| {
        let (what, unasked) = match known.kind.as_str() {
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
        Some(External { what, target: known.target.clone(), unasked })
    })
}

/// Returns the package without its external attached template.
pub(super) fn detached(package: Package) -> Package {
    let settings = package.related(package.main_part(), "settings").next().map(str::to_owned);
    let Some(settings) = settings else { return package };
    let attached = |kind: &str| kind.rsplit('/').next() == Some("attachedTemplate");
    if !package.relationships_of(&settings).iter().any(|known| attached(&known.kind)) {
        return package;
    }
    let relationships = crate::package::relationships_part(&settings);
    let kind = |tag: &BytesStart<'_>| attribute(tag, "Type").is_some_and(|kind| attached(&kind));
    let package = without(package, &relationships, &kind);
    without(package, &settings, &|tag| tag.local_name().as_ref() == "attachedTemplate")
}

/// Returns the package without the matching elements of a part, including their content.
fn without(package: Package, part: &str, gone: &dyn Fn(&BytesStart<'_>) -> bool) -> Package {
    let Some(text) = package.text(part) else { return package };
    let mut reader = Reader::from_str(text);
    let (mut kept, mut at) = (String::new(), 0);
    loop {
        let start = reader.buffer_position() as usize;
        let is_gone = match reader.read_event() {
            Ok(Event::Empty(tag)) => gone(&tag),
            Ok(Event::Start(tag)) => gone(&tag) && reader.read_to_end(tag.name()).is_ok(),
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => false,
        };
        if is_gone {
            kept.push_str(text.get(at..start).unwrap_or_default());
            at = reader.buffer_position() as usize;
        }
    }
    if at == 0 {
        return package;
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    package.with_part(part, kept.into_bytes())
}
