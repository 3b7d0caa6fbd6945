//! A handler as a Lambda behind an API Gateway HTTP API.

use std::process::ExitCode;
use std::sync::Arc;

use bytes::Bytes;
use lambda_http::{Body, RequestExt, Response, service_fn};
use waraq_aws::{Cloud, Settings};

use super::{Call, Error, Handler, Reply, respond};

/// The `main` of a function: answers requests until the platform ends it.
pub fn run<A: 'static, H: Handler<A>>(function: &'static str, handler: H) -> ExitCode {
    lambda_http::tracing::init_default_subscriber();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(%error, "no runtime");
            return ExitCode::FAILURE;
        }
    };
    let served = runtime.block_on(async move {
        let cloud = Arc::new(Cloud::new(Settings::from_environment()?));
        let answer = service_fn(move |request: lambda_http::Request| {
            let cloud = Arc::clone(&cloud);
            async move { Ok::<_, std::convert::Infallible>(answer(function, handler, cloud, request).await) }
        });
        lambda_http::run(answer).await.map_err(|error| Error::internal(error.to_string()))
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(code = %error.code, cause = error.cause.as_deref(), "the function cannot serve");
            ExitCode::FAILURE
        }
    }
}

async fn answer<A, H: Handler<A>>(
    function: &'static str,
    handler: H,
    cloud: Arc<Cloud>,
    request: lambda_http::Request,
) -> Response<Body> {
    let parameters = request.path_parameters();
    let path = parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let peer = match request.request_context() {
        lambda_http::request::RequestContext::ApiGatewayV2(context) => context.http.source_ip.unwrap_or_default(),
        _ => String::new(),
    };
    let (parts, body) = request.into_parts();
    let body = match body {
        Body::Empty => Bytes::new(),
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    };
    let source = super::source::of(&parts.headers, &peer, cloud.origin_secret());
    let call = Call { cloud, parts, path, body, source, renewed_token: None };
    response(respond(function, |call| handler.call(call), call).await)
}

fn response(reply: Reply) -> Response<Body> {
    let text = reply.headers.get(http::header::CONTENT_TYPE).is_some_and(|value| value == "application/json");
    let body = match String::from_utf8(reply.body.to_vec()) {
        Ok(string) if text => Body::Text(string),
        Ok(string) => Body::Binary(string.into_bytes()),
        Err(error) => Body::Binary(error.into_bytes()),
    };
    let mut response = Response::new(body);
    *response.status_mut() =
        http::StatusCode::from_u16(reply.status).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = reply.headers;
    response
}
