//! The gateway: what API Gateway, CloudFront and the bucket of the frontend are in the cloud.

mod frontend;
mod headers;
mod mail_page;
mod router;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::response::Response;
use functions::http::{Call, Error, Reply};
use http::{Method, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use waraq_aws::{Cloud, MailFolder};
use waraq_core::ErrorKind;

use headers::SecurityHeaders;
use router::Router as Routes;

/// Where links to files begin: the gateway passes what follows on to S3, whose port no browser is to know.
pub const LINKS: &str = "/signed";

/// What a Lambda takes. There a multipart body arrives in base64, a third longer.
const LARGEST_BODY_BYTES: usize = 6_000_000;

pub struct Gateway {
    cloud: Arc<Cloud>,
    routes: Routes,
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
        let routes = Routes::new(functions::routes::routes());
        Self { cloud, routes, frontend, s3, mails, headers, written, client }
    }

    /// Answers until `ended`.
    pub async fn serve(self, listener: TcpListener, ended: CancellationToken) {
        let app = Router::new().fallback(answer).with_state(Arc::new(self)).layer(CompressionLayer::new());
        let app = app.into_make_service_with_connect_info::<SocketAddr>();
        let served = axum::serve(listener, app).with_graceful_shutdown(ended.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "the gateway stopped");
        }
    }

    async fn answer(&self, peer: SocketAddr, request: Request) -> Response {
        let path = request.uri().path();
        if path == "/api" || path.starts_with("/api/") || path.starts_with("/media/") {
            return response(self.call(peer, request).await);
        }
        if path.starts_with("/signed/") {
            return self.file(request).await;
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return response(Reply::from(method_not_allowed()));
        }
        if path.starts_with("/dev/mail")
            && let Some(response) = mail_page::answer(&self.mails, path, request.headers()).await
        {
            return response;
        }
        frontend::answer(self.frontend.as_deref(), path).await
    }

    async fn call(&self, peer: SocketAddr, request: Request) -> Reply {
        let (parts, body) = request.into_parts();
        let (route, path) = match self.routes.find(&parts.method, parts.uri.path()) {
            router::Found::Route(route, path) => (route, path),
            router::Found::OtherMethods(methods) => {
                let mut reply = Reply::from(method_not_allowed());
                reply.set_header("allow", &methods.join(", "));
                return reply;
            }
            router::Found::Nothing => {
                return Reply::from(Error::not_found("route_not_found", "There is no such call."));
            }
        };
        let Ok(body) = to_bytes(body, LARGEST_BODY_BYTES).await else {
            let message = format!("A request has at most {} MB.", LARGEST_BODY_BYTES / 1_000_000);
            let error = Error::new(ErrorKind::TooLarge, "request_too_large", message);
            return Reply::from(error.with_limit(LARGEST_BODY_BYTES as u64));
        };
        let source = functions::http::source::of(&parts.headers, &peer.ip().to_string(), |sent| {
            self.cloud.is_origin_secret(sent)
        });
        let call = Call { cloud: Arc::clone(&self.cloud), parts, path, body, source, renewed_token: None };
        let reply = route.call(call).await;
        if route.method != "GET" {
            self.written.notify_one();
        }
        reply
    }

    /// A signed link: S3 checks the signature.
    async fn file(&self, request: Request) -> Response {
        let path = request.uri().path_and_query().map_or("", |path| path.as_str());
        let address = format!("http://{}{}", self.s3, path.strip_prefix(LINKS).unwrap_or(path));
        let asked = http::Request::get(address).body(Full::default());
        let answered = match asked {
            Ok(asked) => self.client.request(asked).await,
            Err(_) => return response(Reply::from(Error::not_found("file_not_found", "There is no such file."))),
        };
        match answered {
            Ok(answer) => answer.map(|body| Body::new(body.map_err(axum::Error::new))),
            Err(error) => response(Reply::from(Error::unavailable(error.to_string()))),
        }
    }
}

fn method_not_allowed() -> Error {
    Error::new(ErrorKind::MethodNotAllowed, "method_not_allowed", "This address does not take this method.")
}

async fn answer(
    State(gateway): State<Arc<Gateway>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let mut response = gateway.answer(peer, request).await;
    gateway.headers.add(response.headers_mut());
    response
}

fn response(reply: Reply) -> Response {
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = reply.headers;
    response.headers_mut().insert(header::VARY, http::HeaderValue::from_static("accept-language, authorization"));
    response
}
