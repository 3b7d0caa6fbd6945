//! DynamoDB on a loopback port.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use dynoxide::Database;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Serves the database at `path` until `ended`; answers it and its address.
pub async fn serve(path: &Path, ended: CancellationToken) -> Result<(Database, SocketAddr)> {
    let path = path.to_str().context("the data folder's name is not UTF-8")?;
    let database = Database::new(path).map_err(|error| anyhow!("{path} cannot be opened: {error}"))?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let served = database.clone();
    tokio::spawn(async move {
        let served = dynoxide::server::serve_with_shutdown(listener, served, ended.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "the database stopped");
        }
    });
    Ok((database, address))
}
