//! The listing of the bucket and the owners of its files, for the sweep of unneeded files.

use std::collections::HashSet;

use async_trait::async_trait;
use aws_sdk_s3::error::ProvideErrorMetadata;
use waraq_core::catalogue::Templates;
use waraq_core::file_sweep::{FileListing, FileOwners, ListedFile};
use waraq_core::{Error, Result, Timestamp};

use crate::accounts::parse_account;
use crate::attributes::Item;
use crate::fault::unavailable;
use crate::files::Bucket;
use crate::items::{SHARDS, user_kind_of};
use crate::private_templates::PrivateTemplateStore;
use crate::table::Table;

fn written_at(time: Option<&aws_sdk_s3::primitives::DateTime>) -> Result<Timestamp> {
    let millis = time.and_then(|time| u64::try_from(time.to_millis().ok()?).ok());
    millis.map(Timestamp).ok_or_else(|| Error::unavailable("a file without a date"))
}

#[async_trait]
impl FileListing for Bucket {
    async fn list_files(&self, prefix: &str) -> Result<Vec<ListedFile>> {
        let mut files = Vec::new();
        // The right to list versions is needed to delete them, so no other right is needed to list the files.
        let (mut key, mut version) = (None, None);
        loop {
            let page = self.client.list_object_versions().bucket(&self.name).prefix(prefix);
            let page = match page.set_key_marker(key).set_version_id_marker(version).send().await {
                Ok(page) => page,
                // The bucket of the local emulator has no versions.
                Err(error) if error.code() == Some("NotImplemented") => return self.list_unversioned(prefix).await,
                Err(error) => return Err(unavailable(error)),
            };
            for file in page.versions() {
                if let (Some(key), Some(true)) = (file.key(), file.is_latest()) {
                    files.push(ListedFile { key: key.to_owned(), written_at: written_at(file.last_modified())? });
                }
            }
            if page.is_truncated() != Some(true) {
                return Ok(files);
            }
            (key, version) = (page.next_key_marker, page.next_version_id_marker);
        }
    }
}

impl Bucket {
    async fn list_unversioned(&self, prefix: &str) -> Result<Vec<ListedFile>> {
        let listing = self.client.list_objects_v2().bucket(&self.name).prefix(prefix);
        let mut pages = listing.into_paginator().send();
        let mut files = Vec::new();
        while let Some(page) = pages.next().await {
            for file in page.map_err(unavailable)?.contents() {
                if let Some(key) = file.key() {
                    files.push(ListedFile { key: key.to_owned(), written_at: written_at(file.last_modified())? });
                }
            }
        }
        Ok(files)
    }
}

fn photos_of(accounts: &[Item]) -> Result<Vec<String>> {
    Ok(accounts
        .iter()
        .map(parse_account)
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .filter_map(|account| account.photo)
        .collect())
}

#[async_trait]
impl FileOwners for Table {
    fn private_templates(&self, owner: &str) -> Box<dyn Templates> {
        Box::new(PrivateTemplateStore::new(self.clone(), owner.to_owned()))
    }

    async fn photos(&self) -> Result<HashSet<String>> {
        // Accounts without a verified address are not in the index, and have no photo.
        let kinds = (0..SHARDS).map(|shard| (user_kind_of(shard), String::new())).collect();
        let mut pages = self.pages_of_kinds(kinds, PHOTO_ATTRIBUTES, photos_of);
        let mut photos = HashSet::new();
        while let Some(page) = pages.recv().await {
            photos.extend(page?);
        }
        Ok(photos)
    }
}

const PHOTO_ATTRIBUTES: &[&str] = &["data", "downloads", "private_templates", "revision"];
