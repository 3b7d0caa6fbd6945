//! Deletes unneeded files once a day. These are generated responses and uploads, which the bucket's lifecycle rules
//! delete in the cloud. A publish or a profile change that failed after it had stored files also leaves unneeded files.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use aws_sdk_dynamodb::types::AttributeValue;
use tokio_util::sync::CancellationToken;
use waraq_aws::Cloud;
use waraq_core::files::UPLOADS_PREFIX;

use crate::folder::DataFolder;

/// Minimum age of the files that are deleted. A younger file may belong to a running request, and generated responses
/// are valid for a day.
const MIN_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Name of the file in the data folder with the time of the last deletion of unneeded files, in seconds since the Unix
/// epoch.
const LAST_SWEEP_FILE: &str = "files-swept";

pub struct Lifecycle {
    pub cloud: Arc<Cloud>,
    pub folder: Arc<DataFolder>,
}

/// The files that items of the table refer to.
#[derive(Default)]
struct References {
    templates: HashSet<String>,
    /// The hashes in the items (all runs of 64 hexadecimal digits). The name of a file can be the hash of its content.
    hashes: HashSet<String>,
}

impl Lifecycle {
    /// Deletes unneeded files if a day has passed since this was last done. Checks this at each interval `every`, until
    /// `ended`.
    pub async fn drive(self, every: Duration, ended: CancellationToken) {
        let mut timer = tokio::time::interval(every);
        loop {
            tokio::select! {
                _ = timer.tick() => {}
                () = ended.cancelled() => return,
            }
            if let Err(error) = self.sweep_daily().await {
                tracing::warn!(error = format!("{error:#}"), "unneeded files could not be deleted");
            }
        }
    }

    async fn sweep_daily(&self) -> Result<()> {
        let now = self.cloud.clock().now().seconds();
        let swept = self
            .folder
            .read_file(LAST_SWEEP_FILE)?
            .and_then(|bytes| String::from_utf8(bytes).ok()?.parse::<u64>().ok());
        if swept.is_some_and(|swept| now < swept + MIN_AGE.as_secs()) {
            return Ok(());
        }
        // A new folder has nothing to sweep.
        if swept.is_some() {
            let removed = self.sweep(now).await?;
            if removed > 0 {
                tracing::info!(removed, "unneeded files were deleted");
            }
        }
        self.folder.write_file(LAST_SWEEP_FILE, now.to_string().as_bytes())
    }

    /// Deletes the unneeded files that are old enough, and returns their number.
    async fn sweep(&self, now: u64) -> Result<usize> {
        let mut removed = 0;
        for prefix in ["answers/", UPLOADS_PREFIX] {
            let old = self.old_files(prefix, now).await?;
            removed += self.remove(old).await?;
        }
        let mut kept = Vec::new();
        for prefix in ["templates/", "pdf/", "media/"] {
            kept.extend(self.old_files(prefix, now).await?);
        }
        if kept.is_empty() {
            return Ok(removed);
        }
        // The references are read after the files were listed. A file that is stored and referred to in between is not
        // in the list, so it is not deleted.
        let named = self.references().await?;
        kept.retain(|key| !named.contains(key));
        Ok(removed + self.remove(kept).await?)
    }

    async fn old_files(&self, prefix: &str, now: u64) -> Result<Vec<String>> {
        let listing = self.cloud.s3().list_objects_v2().bucket(self.cloud.bucket_name()).prefix(prefix);
        let mut pages = listing.into_paginator().send();
        let mut old = Vec::new();
        while let Some(page) = pages.next().await {
            for object in page.context("the files cannot be listed")?.contents.unwrap_or_default() {
                let written = object.last_modified.and_then(|time| u64::try_from(time.secs()).ok());
                if let (Some(key), Some(written)) = (object.key, written)
                    && written + MIN_AGE.as_secs() < now
                {
                    old.push(key);
                }
            }
        }
        Ok(old)
    }

    async fn remove(&self, keys: Vec<String>) -> Result<usize> {
        for key in &keys {
            let delete = self.cloud.s3().delete_object().bucket(self.cloud.bucket_name()).key(key);
            delete.send().await.with_context(|| format!("{key} cannot be taken away"))?;
        }
        Ok(keys.len())
    }

    async fn references(&self) -> Result<References> {
        let scan = self.cloud.dynamodb().scan().table_name(self.cloud.table_name());
        let mut items = scan.into_paginator().items().send();
        let mut named = References::default();
        while let Some(item) = items.next().await {
            let item = item.context("the table cannot be read")?;
            for value in item.values().filter_map(|value| value.as_s().ok()) {
                named.add_hashes(value);
            }
            if let Some(id) = item.get("pk").and_then(|pk| pk.as_s().ok()?.strip_prefix("TPL#"))
                && matches!(item.get("sk"), Some(AttributeValue::S(sk)) if sk == "META" || sk.starts_with("V#"))
            {
                named.templates.insert(id.to_owned());
            }
        }
        Ok(named)
    }
}

impl References {
    fn add_hashes(&mut self, text: &str) {
        let runs = text.split(|letter: char| !letter.is_ascii_hexdigit()).filter(|run| run.len() == 64);
        self.hashes.extend(runs.map(str::to_owned));
    }

    /// Returns whether an item refers to the file.
    fn contains(&self, key: &str) -> bool {
        let mut parts = key.split('/').skip(1);
        let name = parts.next().unwrap_or_default();
        match key.starts_with("media/") {
            true => self.hashes.contains(name),
            false => self.templates.contains(name),
        }
    }
}
