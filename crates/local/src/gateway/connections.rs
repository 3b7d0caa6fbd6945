//! Connections: who says nothing, or says it too slowly, is not waited for.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tower_http::normalize_path::NormalizePath;

/// From a connection's beginning, or its last answer, to the end of the next request's head.
const HEAD: Duration = Duration::from_secs(15);
/// Bytes of a request's head.
const LARGEST_HEAD: usize = 64_000;
/// After the end, what is being answered still has so long.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Serves until `ended`, then lets those who are being answered have their answers.
pub async fn serve(listener: TcpListener, app: NormalizePath<Router>, ended: CancellationToken) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    connections.spawn(connection(stream, peer, app.clone(), ended.clone()));
                }
                Err(error) => {
                    // No file handles are left, say: they come back as connections end.
                    tracing::warn!(%error, "a connection failed");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            Some(_) = connections.join_next() => {}
            () = ended.cancelled() => break,
        }
    }
    let _ = tokio::time::timeout(LAST_ANSWERS, connections.join_all()).await;
}

async fn connection(stream: TcpStream, peer: SocketAddr, app: NormalizePath<Router>, ended: CancellationToken) {
    let service = service_fn(move |request: http::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        app.clone().oneshot(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LARGEST_HEAD);
    let mut connection = std::pin::pin!(http.serve_connection(TokioIo::new(stream), service));
    let served = tokio::select! {
        served = &mut connection => served,
        () = ended.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended");
    }
}
