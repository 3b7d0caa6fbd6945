//! Calls the Lambda functions that serve no route: outbox, account clean-up and snapshots. They run in this process or
//! as separate programs.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use functions::{account_cleanup, file_sweep, list_snapshots, outbox};
use serde_json::{Value, json};

use crate::clouds::Clouds;
use crate::platform::{InvocationError, Programs};

pub struct Background {
    pub clouds: Arc<Clouds>,
    pub programs: Option<Arc<Programs>>,
}

impl Background {
    /// Sends the waiting mails with the outbox function. In the cloud, the table's stream and a schedule call this
    /// function. Returns the number of mails that are still waiting.
    pub async fn send_mails(&self) -> Result<usize> {
        if let Some(programs) = &self.programs {
            let done = invoke(programs, "outbox", json!({ "source": "aws.events" })).await?;
            return Ok(number(&done, "left"));
        }
        let done = outbox::outbox(self.clouds.for_function("outbox"), serde_json::from_value(json!({}))?).await;
        Ok(done.map_err(|error| fault(&error))?.left)
    }

    /// Runs the account clean-up. `records` is an array of records of the table's stream. If the array is empty, all
    /// accounts with a deletion marker are cleaned up.
    pub async fn clean_up_accounts(&self, records: Value) -> Result<CleanupResult> {
        let event = json!({ "Records": records });
        if let Some(programs) = &self.programs {
            let done = invoke(programs, "account-cleanup", event).await?;
            let failed = done["batchItemFailures"].as_array().map_or(0, Vec::len);
            return Ok(CleanupResult { forgotten: number(&done, "forgotten"), files: number(&done, "files"), failed });
        }
        let done = account_cleanup::account_cleanup(
            self.clouds.for_function("account-cleanup"),
            serde_json::from_value(event)?,
        )
        .await;
        let done = done.map_err(|error| fault(&error))?;
        Ok(CleanupResult { forgotten: done.forgotten, files: done.files, failed: done.failed.len() })
    }

    /// Calls the snapshot function, which makes the snapshots that are due. In the cloud, a schedule calls it. Returns
    /// the number of snapshots made.
    pub async fn make_snapshots(&self) -> Result<usize> {
        if let Some(programs) = &self.programs {
            let done = invoke(programs, "list-snapshots", json!({ "source": "aws.events" })).await?;
            return Ok(number(&done, "made"));
        }
        let cloud = self.clouds.for_function("list-snapshots");
        let done = list_snapshots::list_snapshots(cloud, serde_json::from_value(json!({}))?).await;
        Ok(done.map_err(|error| fault(&error))?.made)
    }

    /// Deletes unneeded files. In the cloud, a schedule calls this function. Returns the number of deleted files.
    pub async fn sweep_files(&self) -> Result<usize> {
        if let Some(programs) = &self.programs {
            let done = invoke(programs, "file-sweep", json!({ "source": "aws.events" })).await?;
            return Ok(number(&done, "removed"));
        }
        let cloud = self.clouds.for_function("file-sweep");
        let done = file_sweep::file_sweep(cloud, serde_json::from_value(json!({}))?).await;
        Ok(done.map_err(|error| fault(&error))?.removed)
    }
}

/// The result of the account clean-up.
pub struct CleanupResult {
    /// Number of accounts whose password was deleted.
    pub forgotten: usize,
    /// Number of saved document versions whose files were deleted.
    pub files: usize,
    /// Number of records that were not processed. They must be sent to the function again.
    pub failed: usize,
}

async fn invoke(programs: &Arc<Programs>, function: &str, event: Value) -> Result<Value> {
    programs
        .invoke(function, event)
        .await
        .map_err(|fault| match fault {
            InvocationError::Failed(error) => anyhow!(error),
            other => anyhow!("{other:?}"),
        })
        .with_context(|| function.to_owned())
}

fn number(done: &Value, name: &str) -> usize {
    done[name].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
}

fn fault(error: &waraq_core::Error) -> anyhow::Error {
    anyhow!("{}: {:?}", error.code, error.cause)
}
