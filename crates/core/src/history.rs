//! Who has done what to a template, and when: kept with the log's entry of each write.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::template::Template;
use crate::{Result, Timestamp};

/// What somebody has done to a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// His account's id; `None`: nobody signed in, as where the starting catalogue is published.
    pub by: Option<String>,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    Published {
        title: String,
    },
    Edited {
        changes: Vec<Change>,
    },
    Deactivated,
    Activated,
    /// An earlier version is the newest again, under a number of its own.
    Restored {
        version: u32,
        from: u32,
    },
}

/// One part of a template that an edit has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub part: Part,
    /// As texts: titles, names of categories and codes as they are kept; of the file, the version's number. Empty: there was none.
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Title,
    Categories,
    Keywords,
    Language,
    Country,
    /// A new version.
    File,
}

/// A line of a template's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub at: Timestamp,
    pub deed: Deed,
}

/// Where the history of templates is kept.
#[async_trait]
pub trait History: Send + Sync {
    /// What was done to a template, the newest first. Writes of before there was a history are not in it.
    async fn of_template(&self, id: &str) -> Result<Vec<Entry>>;
}

/// In what an edit makes `after` of `before`.
pub fn changes(before: &Template, after: &Template) -> Vec<Change> {
    let texts = |template: &Template| {
        [
            (Part::Title, template.title.clone()),
            (Part::Categories, template.categories.join(", ")),
            (Part::Keywords, template.keywords.join(", ")),
            (Part::Language, template.language.clone()),
            (Part::Country, template.country.clone().unwrap_or_default()),
            (Part::File, template.version.to_string()),
        ]
    };
    let pairs = texts(before).into_iter().zip(texts(after));
    pairs.filter(|((_, from), (_, to))| from != to).map(|((part, from), (_, to))| Change { part, from, to }).collect()
}
