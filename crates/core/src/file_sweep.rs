//! The sweep of unneeded files. A process that is killed between writing files and their record leaves files that no record refers
//! to; a replaced photo also stays. A schedule runs the sweep once a day, on a server and in the cloud.
//!
//! Only files that are at least a day old are deleted: a younger file may belong to a request that still writes its record. The files
//! are listed before the records are read. A file that is written and referred to in between is not in the listing.

use std::collections::{BTreeMap, HashSet};

use async_trait::async_trait;

use crate::catalogue::Templates;
use crate::files::{Files, private_pictures_prefix};
use crate::template::Template;
use crate::{Clock, Result, Timestamp};

/// Minimum age in seconds of the files that are deleted.
pub const MIN_AGE_SECONDS: u64 = 24 * 3_600;

/// The key prefix of pictures that are served under `/media/`.
const MEDIA: &str = "media/";
/// The key prefixes of the files of templates: of the catalogue, and of private templates.
const TEMPLATES: [&str; 2] = ["templates/", "pdf/"];
const PRIVATE: &str = "private/";

/// A file in the listing of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    pub key: String,
    /// The time of the last write.
    pub written_at: Timestamp,
}

/// The listing of the file store.
#[async_trait]
pub trait FileListing: Send + Sync {
    /// Returns all files whose key starts with `prefix`.
    async fn list_files(&self, prefix: &str) -> Result<Vec<ListedFile>>;
}

/// The records that refer to files, apart from templates.
#[async_trait]
pub trait FileOwners: Send + Sync {
    /// Returns the private templates of an account.
    fn private_templates(&self, owner: &str) -> Box<dyn Templates>;

    /// Returns the names under `/media/` of the photos of all accounts. May be some minutes behind.
    async fn photos(&self) -> Result<HashSet<String>>;
}

/// The copies of public files in a cache that this product cannot reach, such as a CDN.
#[async_trait]
pub trait PublicCache: Send + Sync {
    /// Deletes the cached responses of these paths. A path may end with `*`.
    async fn invalidate(&self, paths: Vec<String>) -> Result<()>;
}

/// The service that deletes unneeded files. Its fields are its dependencies.
pub struct FileSweep<'a> {
    pub listing: &'a dyn FileListing,
    pub files: &'a dyn Files,
    pub templates: &'a dyn Templates,
    pub owners: &'a dyn FileOwners,
    /// `None` if pictures are not cached by a CDN.
    pub cache: Option<&'a dyn PublicCache>,
    pub clock: &'a dyn Clock,
}

impl FileSweep<'_> {
    /// Deletes the unneeded files and returns their number. May be interrupted at any time and repeated.
    pub async fn sweep(&self) -> Result<usize> {
        let before = Timestamp(self.clock.now().0.saturating_sub(MIN_AGE_SECONDS * 1_000));
        let old = |files: Vec<ListedFile>| files.into_iter().filter(move |file| file.written_at < before);
        let pictures: Vec<String> = old(self.listing.list_files(MEDIA).await?).map(|file| file.key).collect();
        let mut by_template: BTreeMap<(Option<String>, String), Vec<ListedFile>> = BTreeMap::new();
        for prefix in [TEMPLATES[0], TEMPLATES[1], PRIVATE] {
            for file in self.listing.list_files(prefix).await? {
                if let Some(template) = template_of(&file.key) {
                    by_template.entry(template).or_default().push(file);
                }
            }
        }
        let mut named = HashSet::new();
        let mut announced = Vec::new();
        let mut unneeded = Vec::new();
        for ((owner, id), files) in by_template {
            let known = self.versions(owner.as_deref(), &id).await?;
            if let (true, Some(owner)) = (known.is_empty(), &owner) {
                // The files of private templates without a row are announced, and deleted when the announcement expires.
                announced.push(private_pictures_prefix(owner));
                continue;
            }
            let keys: HashSet<String> =
                known.iter().flat_map(|version| [version.docx_key(), version.pdf_key()]).collect();
            named.extend(
                known
                    .into_iter()
                    .flat_map(|version| [version.picture, version.small_picture])
                    .flatten()
                    .map(|picture| picture.hash),
            );
            unneeded.extend(old(files).map(|file| file.key).filter(|key| !keys.contains(key)));
        }
        if !pictures.is_empty() {
            named.extend(self.owners.photos().await?);
        }
        let is_unneeded = |key: &String| {
            let name = key.strip_prefix(MEDIA).unwrap_or(key);
            !named.contains(name) && !announced.iter().any(|prefix| name.starts_with(prefix))
        };
        let pictures: Vec<String> = pictures.into_iter().filter(is_unneeded).collect();
        let public = pictures.iter().map(|key| format!("/{key}")).collect();
        let count = unneeded.len() + pictures.len();
        for key in unneeded.into_iter().chain(pictures) {
            self.files.remove_all(&key).await?;
        }
        self.invalidate(public).await?;
        Ok(count)
    }

    /// Returns the row of a template, if it exists, and all its versions.
    async fn versions(&self, owner: Option<&str>, id: &str) -> Result<Vec<Template>> {
        let private = owner.map(|owner| self.owners.private_templates(owner));
        let templates = private.as_deref().unwrap_or(self.templates);
        let mut known = templates.all_versions(id).await?;
        known.extend(templates.template_without_uses(id).await?);
        Ok(known)
    }

    async fn invalidate(&self, paths: Vec<String>) -> Result<()> {
        match self.cache {
            Some(cache) if !paths.is_empty() => cache.invalidate(paths).await,
            _ => Ok(()),
        }
    }
}

/// Returns the owner and the id of the template to which a file belongs: `templates/ID/…`, `pdf/ID/…` or `private/OWNER/ID/…`.
fn template_of(key: &str) -> Option<(Option<String>, String)> {
    let parts: Vec<&str> = key.split('/').collect();
    match parts[..] {
        ["templates" | "pdf", id, _] => Some((None, id.to_owned())),
        ["private", owner, id, _] => Some((Some(owner.to_owned()), id.to_owned())),
        _ => None,
    }
}
