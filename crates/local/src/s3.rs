//! S3 on a loopback port.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use http::{Method, StatusCode};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::faults::Faults;
use crate::loopback;
use crate::rights::{Guard, SharedSecret};

/// Serves the buckets in a folder until `ended`. Each bucket is a subfolder. Callers must sign their requests with
/// `secret`. Returns the address of the service.
pub async fn serve(
    folder: &Path,
    bucket: &str,
    secret: &str,
    guard: Guard,
    faults: Arc<Faults>,
    fronts: &[SocketAddr],
    ended: CancellationToken,
) -> Result<SocketAddr> {
    std::fs::create_dir_all(folder.join(bucket))?;
    let files = FileSystem::new(folder).map_err(|error| anyhow!("{} cannot be opened: {error:?}", folder.display()))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SharedSecret(secret.to_owned()));
    builder.set_access(guard);
    let service = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let addresses: Arc<[SocketAddr]> = [&[address], fronts].concat().into();
    tokio::spawn(async move {
        let http = auto::Builder::new(TokioExecutor::new());
        loop {
            let socket = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((socket, _)) => socket,
                    Err(error) => {
                        tracing::warn!(%error, "a connection to the files failed");
                        continue;
                    }
                },
                () = ended.cancelled() => return,
            };
            let (files, faults, addresses) = (service.clone(), Arc::clone(&faults), Arc::clone(&addresses));
            let ours = service_fn(move |request: hyper::Request<Incoming>| {
                let allowed = loopback::is_for(&addresses, request.headers()).then(|| request.map(s3s::Body::from));
                let (files, faults) = (files.clone(), Arc::clone(&faults));
                async move {
                    let Some(request) = allowed else { return Ok(refusal()) };
                    if matches!(*request.method(), Method::GET | Method::HEAD) {
                        return files.call(request).await;
                    }
                    let counted = faults.before_write(false);
                    let answer = files.call(request).await;
                    faults.after_write(counted);
                    answer
                }
            });
            let connection = http.serve_connection(TokioIo::new(socket), ours).into_owned();
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection to the files ended");
                }
            });
        }
    });
    Ok(address)
}

fn refusal() -> hyper::Response<s3s::Body> {
    let mut response = hyper::Response::new(s3s::Body::empty());
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}
