//! The functions that are no routes: in this process, or by their own programs where those answer.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use functions::{gone_accounts, list_snapshots, outbox};
use serde_json::{Value, json};

use crate::clouds::Clouds;
use crate::platform::{Fault, Programs};

pub struct Background {
    pub clouds: Arc<Clouds>,
    pub programs: Option<Arc<Programs>>,
}

impl Background {
    /// Sends the mails that wait, as if the clock had woken the function; how many are left.
    pub async fn send_mails(&self) -> Result<usize> {
        if let Some(programs) = &self.programs {
            let done = invoke(programs, "outbox", json!({ "source": "aws.events" })).await?;
            return Ok(number(&done, "left"));
        }
        let done = outbox::outbox(self.clouds.of("outbox"), serde_json::from_value(json!({}))?).await;
        Ok(done.map_err(|error| fault(&error))?.left)
    }

    /// Takes away what is left of accounts that are gone: of those that these records of the stream tell of, or without any, of all.
    pub async fn remove_gone(&self, records: Value) -> Result<Removed> {
        let event = json!({ "Records": records });
        if let Some(programs) = &self.programs {
            let done = invoke(programs, "gone-accounts", event).await?;
            let failed = done["batchItemFailures"].as_array().map_or(0, Vec::len);
            return Ok(Removed { forgotten: number(&done, "forgotten"), files: number(&done, "files"), failed });
        }
        let done = gone_accounts::gone_accounts(self.clouds.of("gone-accounts"), serde_json::from_value(event)?).await;
        let done = done.map_err(|error| fault(&error))?;
        Ok(Removed { forgotten: done.forgotten, files: done.files, failed: done.failed.len() })
    }

    /// Makes snapshots of long lists, as if the clock had woken the function; how many were made.
    pub async fn make_snapshots(&self) -> Result<usize> {
        if let Some(programs) = &self.programs {
            let done = invoke(programs, "list-snapshots", json!({ "source": "aws.events" })).await?;
            return Ok(number(&done, "made"));
        }
        let cloud = self.clouds.of("list-snapshots");
        let done = list_snapshots::list_snapshots(cloud, serde_json::from_value(json!({}))?).await;
        Ok(done.map_err(|error| fault(&error))?.made)
    }
}

/// What was taken away.
pub struct Removed {
    /// Accounts whose password is gone with them.
    pub forgotten: usize,
    /// States of saved documents whose files are gone.
    pub files: usize,
    /// Records that are to be sent again.
    pub failed: usize,
}

async fn invoke(programs: &Arc<Programs>, function: &str, event: Value) -> Result<Value> {
    programs
        .invoke(function, event)
        .await
        .map_err(|fault| match fault {
            Fault::Failed(error) => anyhow!(error),
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
