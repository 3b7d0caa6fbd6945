//! DynamoDB on a loopback port.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How often items past their time are taken away. Nothing hangs on it: code compares expiry itself.
const SWEEP: Duration = Duration::from_secs(60);

/// Serves the database at `path` until `ended`; answers its address.
pub async fn serve(path: &Path, ended: CancellationToken) -> Result<SocketAddr> {
    let path = path.to_str().context("the data folder's name is not UTF-8")?;
    let database = dynoxide::Database::new(path).map_err(|error| anyhow!("{path} cannot be opened: {error}"))?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let swept = database.clone();
    let until = ended.clone();
    tokio::spawn(async move {
        let mut timer = tokio::time::interval(SWEEP);
        loop {
            tokio::select! {
                _ = timer.tick() => {}
                () = until.cancelled() => return,
            }
            let database = swept.clone();
            match tokio::task::spawn_blocking(move || database.sweep_ttl()).await {
                Ok(Ok(items)) if items > 0 => tracing::info!(items, "expired items swept"),
                Ok(Ok(_)) => {}
                Ok(Err(error)) => tracing::warn!(%error, "expired items could not be swept"),
                Err(error) => tracing::warn!(%error, "expired items could not be swept"),
            }
        }
    });
    tokio::spawn(async move {
        let served = dynoxide::server::serve_with_shutdown(listener, database, ended.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "the database stopped");
        }
    });
    Ok(address)
}
