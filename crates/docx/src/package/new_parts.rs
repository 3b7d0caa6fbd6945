//! New parts and relationships of a package, and removal of relationships that are no longer used.

use std::collections::HashSet;

use bytes::Bytes;
use quick_xml::escape::escape;

use super::needed::reachable;
use super::{CONTENT_TYPES, NEW_ENTRY, Package, Part, has_xml_name, names, relationships_part};
use crate::Result;

/// The namespace of relationships parts (ECMA-376 part 2, §6.5.3).
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
/// The media type of relationships parts.
const RELATIONSHIPS_TYPE: &str = "application/vnd.openxmlformats-package.relationships+xml";

/// A relationship that is added to a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewRelationship {
    pub id: String,
    /// The complete URI of the type.
    pub type_uri: String,
    /// The name of the target part, without a leading slash.
    pub target: String,
}

impl Package {
    /// Adds a part after all other parts and returns the package. The content type of the part becomes `media_type`. The
    /// memory of the part counts against the budget. If the package already has a part with this name, only its content
    /// is replaced.
    ///
    /// # Errors
    /// The errors of [`crate::Meter::outcome`].
    pub(crate) fn with_new_part(mut self, name: &str, content: Bytes, media_type: &str) -> Result<Self> {
        if !self.meter.allocate(content.len()) {
            self.meter.outcome()?;
        }
        if let Some(part) = self.part_index(name).and_then(|at| self.parts.get_mut(at)) {
            (part.size, part.changed) = (content.len() as u64, true);
            part.content = Ok(content).into();
            return Ok(self);
        }
        self.index.insert(names::fold_case(name), self.parts.len());
        self.parts.push(Part {
            name: name.to_owned(),
            entry: NEW_ENTRY,
            size: content.len() as u64,
            is_xml: has_xml_name(name),
            content: Ok(content).into(),
            changed: true,
        });
        Ok(self.with_content_type(name, media_type))
    }

    /// Adds the content type of a part if the package does not have it yet. It is added for the file extension if the
    /// extension has no type, and for the part otherwise.
    fn with_content_type(mut self, part: &str, media_type: &str) -> Self {
        if self.content_type(part).is_some_and(|known| known.eq_ignore_ascii_case(media_type)) {
            return self;
        }
        let extension = part.rsplit_once('.').map_or("", |(_, extension)| extension);
        let by_extension = self.content_type(part).is_none() && !extension.is_empty();
        let markup = |prefix: &str| {
            if by_extension {
                format!("<{prefix}Default Extension=\"{}\" ContentType=\"{media_type}\"/>", escape(extension))
            } else {
                format!("<{prefix}Override PartName=\"/{}\" ContentType=\"{media_type}\"/>", escape(part))
            }
        };
        let edited = self.part_text(CONTENT_TYPES).and_then(|text| with_last_child(text, &markup));
        if by_extension {
            self.content_types.set_extension_type(extension, media_type);
        } else {
            self.content_types.set_type(part, media_type);
        }
        match edited {
            Some(text) => self.with_part(CONTENT_TYPES, text.into_bytes()),
            None => self,
        }
    }

    /// Adds relationships of the part `source` and returns the package. The relationships part is created if the package
    /// does not have it.
    ///
    /// # Errors
    /// The errors of [`crate::Meter::outcome`].
    pub(crate) fn with_relationships(self, source: &str, added: &[NewRelationship]) -> Result<Self> {
        if added.is_empty() {
            return Ok(self);
        }
        let folder = source.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let markup = |prefix: &str| -> String {
            let elements = added.iter().map(|new| {
                // A target outside the folder of the source part is written with a leading slash.
                let target = new.target.strip_prefix(&folder).map_or(format!("/{}", new.target), str::to_owned);
                let (id, kind, target) = (escape(&*new.id), escape(&*new.type_uri), escape(&*target));
                format!("<{prefix}Relationship Id=\"{id}\" Type=\"{kind}\" Target=\"{target}\"/>")
            });
            elements.collect()
        };
        let part = relationships_part(source);
        match self.part_text(&part).map(|text| with_last_child(text, &markup)) {
            Some(Some(text)) => Ok(self.with_part(&part, text.into_bytes())),
            // A part that cannot be read stays as it is.
            Some(None) => Ok(self),
            None => {
                let text = format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
                     <Relationships xmlns=\"{RELATIONSHIPS}\">{}</Relationships>",
                    markup("")
                );
                let package = self.with_new_part(&part, Bytes::new(), RELATIONSHIPS_TYPE)?;
                // The relationships of the source part are parsed when the content is replaced.
                Ok(package.with_part(&part, text.into_bytes()))
            }
        }
    }

    /// Removes the relationships of the part `source` with these ids. The parts that can no longer be reached are removed
    /// too, with their content types.
    pub(crate) fn without_relationship_ids(mut self, source: &str, ids: &HashSet<String>) -> Self {
        let removed = self.relationships_of(source).iter().filter(|known| ids.contains(&known.id));
        let targets: HashSet<String> =
            removed.filter(|known| !known.external).map(|known| names::fold_case(&known.target)).collect();
        self = self.without_relationships(source, &|known| ids.contains(&known.id));
        let kept = reachable([String::new()], &self.relationships, &|_| true);
        let dropped: HashSet<String> = targets.into_iter().filter(|target| !kept.contains(target)).collect();
        self.remove_parts(&dropped);
        self.without_content_types(&dropped)
    }
}

/// Returns an XML text with `markup` as the last child of its root element. `markup` receives the namespace prefix of
/// the root element with its colon. Returns `None` if the text has no root element.
pub(super) fn with_last_child(text: &str, markup: &dyn Fn(&str) -> String) -> Option<String> {
    let prefix_of = |name: &str| name.split_once(':').map_or(String::new(), |(prefix, _)| format!("{prefix}:"));
    if let Some(end) = text.rfind("</") {
        let name = text.get(end + 2..)?.split(['>', ' ']).next()?;
        return Some(format!("{}{}{}", text.get(..end)?, markup(&prefix_of(name)), text.get(end..)?));
    }
    // The root element is an empty element, such as `<Relationships xmlns="…"/>`.
    let end = text.rfind("/>")?;
    let start = text.get(..end)?.rfind('<')?;
    let name = text.get(start + 1..end)?.split_whitespace().next()?;
    Some(format!("{}>{}</{name}>{}", text.get(..end)?, markup(&prefix_of(name)), text.get(end + 2..)?))
}
