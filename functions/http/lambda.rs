//! A handler as a Lambda behind an API Gateway HTTP API.

use std::future::Future;
use std::process::ExitCode;
use std::sync::Arc;

use bytes::Bytes;
use lambda_http::{Body, LambdaEvent, RequestExt, Response, service_fn};
use serde::Serialize;
use serde::de::DeserializeOwned;
use waraq_aws::{Cloud, Conditions, Settings};

use super::{Call, Error, Handler, Reply, respond};

/// The `main` of a function: answers requests until the platform ends it.
pub fn run<A: 'static, H: Handler<A>>(function: &'static str, handler: H) -> ExitCode {
    served(|cloud| async move {
        let answer = service_fn(move |request: lambda_http::Request| {
            let cloud = Arc::clone(&cloud);
            async move { Ok::<_, std::convert::Infallible>(answer(function, handler, cloud, request).await) }
        });
        lambda_http::run(answer).await
    })
}

/// The `main` of a function that is no route: what fails is logged, and told to the platform, which tries again.
pub fn run_events<E, R, F>(function: &'static str, handler: fn(Arc<Cloud>, E) -> F) -> ExitCode
where
    E: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
    F: Future<Output = Result<R, Error>> + Send + 'static,
{
    served(move |cloud| async move {
        let answer = service_fn(move |event: LambdaEvent<E>| {
            let cloud = Arc::clone(&cloud);
            async move {
                handler(cloud, event.payload).await.map_err(|error| {
                    tracing::error!(function, code = %error.code, cause = error.cause.as_deref(), "failed");
                    lambda_http::Error::from(error)
                })
            }
        });
        lambda_http::lambda_runtime::run(answer).await
    })
}

/// What every function begins with, and how it ends.
fn served<F: Future<Output = Result<(), lambda_http::Error>>>(serve: impl FnOnce(Arc<Cloud>) -> F) -> ExitCode {
    lambda_http::tracing::init_default_subscriber();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(%error, "no runtime");
            return ExitCode::FAILURE;
        }
    };
    let served = runtime.block_on(async move {
        let cloud = Arc::new(Cloud::new(Settings::from_environment()?, Conditions::default())?);
        // While the platform still waits for the start. What is not there yet is asked for again by the first request.
        let (ready, ()) = tokio::join!(cloud.ready(), cloud.connect());
        if let Err(error) = ready {
            tracing::warn!(cause = error.cause.as_deref(), "the secrets are not read yet");
        }
        serve(cloud).await.map_err(|error| Error::internal(error.to_string()))
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
    let source = super::source::of(&parts.headers, &peer, |sent| cloud.is_origin_secret(sent));
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
