//! The gateway, which replaces API Gateway, CloudFront and the frontend's bucket.

mod bodies;
mod frontend;
mod headers;
mod limits;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Router, ServiceExt};
use axum_server::{Handle, Server};
use functions::http::{Error, Failure};
use functions::routes::{not_found, other_method, router_of, routes};
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use http_body_util::BodyExt;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use tower_http::normalize_path::NormalizePath;
use tower_http::timeout::RequestBodyTimeoutLayer;
use waraq_aws::MailFolder;

use crate::clouds::Clouds;
use crate::mail_page;
use crate::platform::{self, Programs};
use bodies::Bodies;

/// Path prefix of signed links. The gateway forwards such links to S3, because browsers cannot reach the port of S3.
pub const LINK_PREFIX: &str = "/signed";

/// Time limit for receiving the head of a request. The time starts when the connection is opened, and again after each
/// response.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum length of the head of a request in bytes. The HTTP server refuses requests with a longer head. API Gateway's
/// limit is lower. The module `limits` checks the lower limit and responds with an error code.
const LARGEST_HEAD: usize = 64_000;
/// Maximum pause between two pieces of a request body.
const BODY_PAUSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for receiving a whole body. It is shorter than the time limit of a function call.
const LONGEST_BODY: Duration = Duration::from_secs(25);
/// Limit on the bytes of all unfinished bodies. One body has at most 4.7 MB.
pub const MOST_BODY_BYTES: u64 = 256_000_000;
/// Time limit of an upload through a signed link. The link itself is valid for the same time. A slow upload uses little
/// memory, because uploads are not buffered.
const LONGEST_UPLOAD: Duration = Duration::from_secs(15 * 60);
/// Time for running requests to finish after the gateway was told to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Signals that the gateway sends after calls. They start the sending of mails and the account clean-up. In the cloud,
/// the table's stream starts both.
#[derive(Clone)]
pub struct CallNotifications {
    /// Notified after each call that may have written a mail.
    pub written: Arc<Notify>,
    /// Notified after each call that may have deleted an account.
    pub deleted: Arc<Notify>,
}

pub struct Gateway {
    pub clouds: Arc<Clouds>,
    /// The programs that serve the API. `None` serves it with the handlers in this process.
    pub programs: Option<Arc<Programs>>,
    /// The folder of the built frontend. `None` serves only the API.
    pub frontend: Option<PathBuf>,
    pub s3: SocketAddr,
    /// Limit on the bytes of all unfinished request bodies.
    pub body_bytes: u64,
    pub mails: MailFolder,
    pub notifications: CallNotifications,
}

impl Gateway {
    /// Serves requests until `ended`. Slow or silent connections are closed.
    pub async fn serve(self, listener: TcpListener, ended: CancellationToken) -> io::Result<()> {
        let headers = Arc::new(headers::security_headers(self.clouds.installation().settings().google.as_ref()));
        let api = match &self.programs {
            Some(programs) => platform::router(programs),
            None => router_of(routes(), |function| self.clouds.for_function(function)),
        };
        let app = api
            .layer(from_fn(limits::check_head_size))
            .layer(from_fn_with_state(Bodies::new(LONGEST_BODY, self.body_bytes), bodies::hold))
            .merge(self.non_api_routes().layer(from_fn_with_state(Bodies::new(LONGEST_UPLOAD, u64::MAX), bodies::hold)))
            .layer(RequestBodyTimeoutLayer::new(BODY_PAUSE_TIMEOUT))
            .layer(from_fn_with_state((headers, self.notifications), wrap_call))
            .layer(CompressionLayer::new());
        let app = NormalizePath::trim_trailing_slash(app);
        let handle = Handle::<SocketAddr>::new();
        let mut server = Server::from_listener(listener).handle(handle.clone()).http1_only();
        server.http_builder().http1().header_read_timeout(HEAD_TIMEOUT).max_buf_size(LARGEST_HEAD);
        tokio::spawn(async move {
            ended.cancelled().await;
            handle.graceful_shutdown(Some(SHUTDOWN_TIMEOUT));
        });
        server.serve(ServiceExt::<Request>::into_make_service_with_connect_info::<SocketAddr>(app)).await
    }

    /// Returns the routes outside the API: signed links, mails, and the frontend's page for all other paths.
    fn non_api_routes(&self) -> Router {
        let client = Client::builder(TokioExecutor::new()).build_http();
        let files = get(forward_link).put(forward_link).with_state((client, self.s3));
        let page = get(frontend::serve_frontend).with_state(self.frontend.as_deref().map(Arc::from));
        let nothing = ["/api", "/api/{*path}", "/media", "/media/{hash}/{*path}"];
        let app = Router::new()
            .route("/signed/{*path}", files)
            .merge(mail_page::router(self.mails.clone()))
            .route("/", page.clone());
        let app = nothing.into_iter().fold(app.route("/{*path}", page), |app, path| app.route(path, any(not_found)));
        app.method_not_allowed_fallback(other_method)
    }
}

/// Forwards a signed link for a download or upload to S3, which checks the signature. For an upload, the signature also
/// covers the length and type of the body.
async fn forward_link(
    State((client, s3)): State<(Client<HttpConnector, Body>, SocketAddr)>,
    request: Request,
) -> Response {
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    let address = format!("http://{s3}{}", path.strip_prefix(LINK_PREFIX).unwrap_or(path));
    let mut asked = http::Request::builder().method(request.method()).uri(address);
    for name in [CONTENT_LENGTH, CONTENT_TYPE] {
        if let Some(value) = request.headers().get(&name) {
            asked = asked.header(name, value);
        }
    }
    let Ok(asked) = asked.body(request.into_body()) else {
        return not_found().await.into_response();
    };
    match client.request(asked).await {
        Ok(answer) => {
            let mut answer = answer.map(|body| Body::new(body.map_err(axum::Error::new)));
            // The embedded S3 ignores the parameter of the link that sets this header.
            answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(waraq_aws::LINK_CACHING));
            answer
        }
        Err(error) => Failure(Error::unavailable(error.to_string())).into_response(),
    }
}

/// Wraps every call: adds the security headers to the response and sends the notifications.
async fn wrap_call(
    State((headers, told)): State<(Arc<HeaderMap>, CallNotifications)>,
    request: Request,
    next: Next,
) -> Response {
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let deletes = *request.method() == Method::DELETE;
    let mut response = next.run(request).await;
    response.headers_mut().extend(HeaderMap::clone(&headers));
    if writes {
        told.written.notify_one();
    }
    if deletes {
        told.deleted.notify_one();
    }
    response
}
