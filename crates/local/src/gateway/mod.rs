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
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use functions::http::{Error, Failure};
use functions::routes::{not_found, other_method, router, routes};
use http::{HeaderMap, Method};
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

/// Where links to files begin: the gateway passes what follows on to S3, whose port no browser is to know.
pub const LINKS: &str = "/signed";

/// Whoever sends a body sends some of it at least so often.
const BODY_PAUSE: Duration = Duration::from_secs(10);

/// Who is told of calls, as the table's stream would tell.
#[derive(Clone)]
pub struct Told {
    /// After each that may have written a mail.
    pub written: Arc<Notify>,
    /// After each that may have deleted an account.
    pub deleted: Arc<Notify>,
}

pub struct Gateway {
    pub cloud: Arc<Cloud>,
    /// The built frontend.
    pub frontend: Option<PathBuf>,
    pub s3: SocketAddr,
    pub mails: MailFolder,
    pub told: Told,
}

impl Gateway {
    /// Answers until `ended`.
    pub async fn serve(self, listener: TcpListener, ended: CancellationToken) {
        let headers = Arc::new(headers::security_headers(self.cloud.settings().google.as_ref()));
        let app = router(routes(), &self.cloud)
            .merge(self.others())
            .layer(RequestBodyTimeoutLayer::new(BODY_PAUSE))
            .layer(from_fn_with_state((headers, self.told), around))
            .layer(CompressionLayer::new());
        connections::serve(listener, NormalizePath::trim_trailing_slash(app), ended).await;
    }

    /// What is no call of the API: signed links, the mails, and the frontend's page for all the rest.
    fn others(&self) -> Router {
        let client = Client::builder(TokioExecutor::new()).build_http();
        let files = get(file).with_state((client, self.s3));
        let mails = Router::new()
            .route("/dev/mail", get(mail_page::list))
            .route("/dev/mail.json", get(mail_page::json))
            .route("/dev/mail/{id}", get(mail_page::one))
            .route_layer(from_fn(mail_page::to_this_machine_only))
            .with_state(self.mails.clone());
        let page = get(frontend::answer).with_state(self.frontend.as_deref().map(Arc::from));
        let nothing = ["/api", "/api/{*path}", "/media", "/media/{hash}/{*path}"];
        let app = Router::new().route("/signed/{*path}", files).merge(mails).route("/", page.clone());
        let app = nothing.into_iter().fold(app.route("/{*path}", page), |app, path| app.route(path, any(not_found)));
        app.method_not_allowed_fallback(other_method)
    }
}

/// A signed link: S3 checks the signature.
async fn file(
    State((client, s3)): State<(Client<HttpConnector, Full<bytes::Bytes>>, SocketAddr)>,
    request: Request,
) -> Response {
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    let address = format!("http://{s3}{}", path.strip_prefix(LINKS).unwrap_or(path));
    let Ok(asked) = http::Request::get(address).body(Full::default()) else {
        return not_found().await.into_response();
    };
    match client.request(asked).await {
        Ok(answer) => answer.map(|body| Body::new(body.map_err(axum::Error::new))),
        Err(error) => Failure(Error::unavailable(error.to_string())).into_response(),
    }
}

/// Around every call: the headers of every answer, and the word to those who are told of it.
async fn around(State((headers, told)): State<(Arc<HeaderMap>, Told)>, request: Request, next: Next) -> Response {
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
