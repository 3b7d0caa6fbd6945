//! Relationships (ECMA-376 part 2, §6.5) and content types (§7.2.3).

use std::collections::HashMap;

use quick_xml::events::BytesStart;
use serde::{Serialize, Serializer};
use waraq_rules::ErrorCode;

use super::limits::MAX_RELATIONSHIPS;
use super::names;
use super::xml::for_each_tag;
use crate::{Error, Meter, Result};

/// A relationship from a part or the package to another part or an external target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relationship {
    /// The id of the relationship (`rId1`), unique in its source part.
    pub id: String,
    /// The kind of the relationship, such as `styles`, `image`, `header` or `hyperlink`. It is the last segment of the
    /// type URI. Kinds of Strict documents have the Transitional spelling (`extended-properties`).
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of the target part, without a leading slash. For an external relationship, the target is as written in
    /// the file.
    pub target: String,
    /// The target is outside the package (TargetMode `External`).
    #[serde(rename = "targetMode", serialize_with = "target_mode")]
    pub external: bool,
}

fn target_mode<S: Serializer>(external: &bool, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(if *external { "External" } else { "Internal" })
}

/// Parses the text of a relationships part. `source_part` is the part that the relationships belong to. `part` is the
/// name of the relationships part, for error messages.
pub(super) fn parse(source_part: &str, part: &str, text: &str, meter: &Meter) -> Result<Vec<Relationship>> {
    let mut found: Vec<Relationship> = Vec::new();
    for_each_tag(part, text, meter, |tag| {
        if tag.local_name().as_ref() != "Relationship" {
            return Ok(());
        }
        let external = attribute(tag, "TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"));
        let target = attribute(tag, "Target").unwrap_or_default();
        let relationship = Relationship {
            id: attribute(tag, "Id").unwrap_or_default(),
            kind: kind_from_uri(&attribute(tag, "Type").unwrap_or_default()).to_owned(),
            target: if external { target } else { names::resolve_target(source_part, &target) },
            external,
        };
        let Relationship { id, kind, target, .. } = &relationship;
        meter.allocate(size_of::<Relationship>() + id.len() + kind.len() + target.len());
        found.push(relationship);
        if found.len() > MAX_RELATIONSHIPS {
            let message = format!("{part} has more than {MAX_RELATIONSHIPS} relationships.");
            return Err(Error::new(ErrorCode::TooManyRelationships, message).in_part(part));
        }
        Ok(())
    })?;
    Ok(found)
}

fn kind_from_uri(uri: &str) -> &str {
    match uri.trim_end_matches('/').rsplit('/').next().unwrap_or_default() {
        "extendedProperties" => "extended-properties",
        "customProperties" => "custom-properties",
        "coreProperties" => "core-properties",
        other => other,
    }
}

/// The media types of parts from `[Content_Types].xml`, by part name and by file extension. A type for the name has
/// priority over a type for the extension.
#[derive(Debug, Clone, Default)]
pub(super) struct ContentTypes {
    by_extension: HashMap<String, String>,
    by_name: HashMap<String, String>,
}

impl ContentTypes {
    pub(super) fn parse(part: &str, text: &str, meter: &Meter) -> Result<Self> {
        let mut types = Self::default();
        for_each_tag(part, text, meter, |tag| {
            let kind = attribute(tag, "ContentType").unwrap_or_default();
            meter.allocate(2 * size_of::<String>() + kind.len() + tag.len());
            match tag.local_name().as_ref() {
                "Default" => {
                    let extension = attribute(tag, "Extension").unwrap_or_default();
                    types.by_extension.insert(extension.trim_start_matches('.').to_lowercase(), kind);
                }
                "Override" => {
                    let name = attribute(tag, "PartName").unwrap_or_default();
                    types.by_name.insert(names::fold_case(&names::resolve_target("", &name)), kind);
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(types)
    }

    /// Sets the media type of the part with this name.
    pub(super) fn set_type(&mut self, part: &str, kind: &str) {
        self.by_name.insert(names::fold_case(part), kind.to_owned());
    }

    /// Sets the media type of all parts with this file extension.
    pub(super) fn set_extension_type(&mut self, extension: &str, kind: &str) {
        self.by_extension.insert(extension.to_lowercase(), kind.to_owned());
    }

    pub(super) fn media_type(&self, part: &str) -> Option<&str> {
        let key = names::fold_case(part);
        let extension =
            || key.rsplit('/').next()?.rsplit_once('.').and_then(|(_, extension)| self.by_extension.get(extension));
        self.by_name.get(&key).or_else(extension).map(String::as_str)
    }
}

/// Returns the value of the attribute with this local name (without namespace prefix), with entities resolved. Returns
/// `None` if the element has no such attribute.
pub(crate) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(match found.normalized_value(quick_xml::XmlVersion::Implicit1_0) {
        Ok(value) => value.into_owned(),
        Err(_) => found.value.into_owned(),
    })
}
