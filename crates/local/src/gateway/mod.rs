//! The gateway: what API Gateway, CloudFront and the bucket of the frontend are in the cloud.

mod connections;
mod frontend;
mod headers;
mod mail_page;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use functions::http::{Error, Failure, REQUEST_ID};
use functions::routes::{not_found, other_method, router, routes};
use http::{HeaderValue, Method, header};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use tower_http::normalize_path::NormalizePath;
use tower_http::timeout::RequestBodyTimeoutLayer;
use waraq_aws::{Cloud, MailFolder};
use waraq_core::clock::new_id;

use headers::SecurityHeaders;

/// Where links to files begin: the gateway passes what follows on to S3, whose port no browser is to know.
pub const LINKS: &str = "/signed";

/// Whoever sends a body sends some of it at least so often.
const BODY_PAUSE: Duration = Duration::from_secs(10);
/// What takes longer is given up, as API Gateway does (30 s).
const LONGEST_CALL: Duration = Duration::from_secs(29);

pub struct Gateway {
    cloud: Arc<Cloud>,
    frontend: Option<PathBuf>,
    s3: SocketAddr,
    mails: MailFolder,
    headers: SecurityHeaders,
    /// Told after each call that may have written a mail.
    written: Arc<Notify>,
    client: Client<HttpConnector, Full<bytes::Bytes>>,
}

impl Gateway {
    pub fn new(
        cloud: Arc<Cloud>,
        frontend: Option<PathBuf>,
        s3: SocketAddr,
        mails: MailFolder,
        written: Arc<Notify>,
    ) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        let headers = SecurityHeaders::new(cloud.settings().google.as_ref());
        Self { cloud, frontend, s3, mails, headers, written, client }
    }

    /// Answers until `ended`.
    pub async fn serve(self, listener: TcpListener, ended: CancellationToken) {
        let gateway = Arc::new(self);
        let others = Router::new().fallback(other).with_state(Arc::clone(&gateway));
        let app = router(routes())
            .with_state(Arc::clone(&gateway.cloud))
            .fallback_service(others)
            .layer(RequestBodyTimeoutLayer::new(BODY_PAUSE))
            .layer(from_fn_with_state(gateway, around))
            .layer(CompressionLayer::new());
        connections::serve(listener, NormalizePath::trim_trailing_slash(app), ended).await;
    }

    /// What is no route of the API: signed links, the mails, and the frontend's page for all the rest.
    async fn other(&self, request: Request) -> Response {
        let path = request.uri().path();
        if path == "/api" || path.starts_with("/api/") || path.starts_with("/media/") {
            return not_found().into_response();
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut response = other_method(request.method());
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
            return response;
        }
        if path.starts_with("/signed/") {
            return self.file(request).await;
        }
        if path.starts_with("/dev/mail")
            && let Some(response) = mail_page::answer(&self.mails, path, request.headers()).await
        {
            return response;
        }
        frontend::answer(self.frontend.as_deref(), request).await
    }

    /// A signed link: S3 checks the signature.
    async fn file(&self, request: Request) -> Response {
        let path = request.uri().path_and_query().map_or("", |path| path.as_str());
        let address = format!("http://{}{}", self.s3, path.strip_prefix(LINKS).unwrap_or(path));
        let asked = http::Request::get(address).body(Full::default());
        let answered = match asked {
            Ok(asked) => self.client.request(asked).await,
            Err(_) => return Failure(Error::not_found("file_not_found", "There is no such file.")).into_response(),
        };
        match answered {
            Ok(answer) => answer.map(|body| Body::new(body.map_err(axum::Error::new))),
            Err(error) => Failure(Error::unavailable(error.to_string())).into_response(),
        }
    }
}

async fn other(State(gateway): State<Arc<Gateway>>, request: Request) -> Response {
    gateway.other(request).await
}

/// Around every call: its name, its time, the headers of every answer.
async fn around(State(gateway): State<Arc<Gateway>>, mut request: Request, next: Next) -> Response {
    let id = new_id(gateway.cloud.clock(), gateway.cloud.chance());
    request.headers_mut().remove(REQUEST_ID);
    if let Ok(id) = HeaderValue::from_str(&id) {
        request.headers_mut().insert(REQUEST_ID, id);
    }
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let answered = tokio::time::timeout(LONGEST_CALL, next.run(request)).await;
    let mut response =
        answered.unwrap_or_else(|_| Failure(Error::unavailable("the call took too long")).into_response());
    gateway.headers.add(response.headers_mut());
    if writes {
        gateway.written.notify_one();
    }
    response
}
