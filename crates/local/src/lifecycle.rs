//! Deletes unneeded files once a day: generated responses and uploads, which the bucket's lifecycle rules delete in the cloud,
//! and the files that the sweep of unneeded files finds.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio_util::sync::CancellationToken;
use waraq_aws::Cloud;
use waraq_core::files::UPLOADS_PREFIX;

use crate::background::Background;
use crate::folder::DataFolder;

/// Minimum age of the files that are deleted. A younger file may belong to a running request, and generated responses
/// are valid for a day.
const MIN_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Name of the file in the data folder with the time of the last deletion of unneeded files, in seconds since the Unix
/// epoch.
const LAST_SWEEP_FILE: &str = "files-swept";

pub struct Lifecycle {
    pub cloud: Arc<Cloud>,
    pub background: Arc<Background>,
    pub folder: Arc<DataFolder>,
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
        Ok(removed + self.background.sweep_files().await?)
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
}
