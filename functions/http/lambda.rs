//! A route as a Lambda behind an API Gateway HTTP API.

use std::convert::Infallible;
use std::future::Future;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::response::{IntoResponse, Response};
use lambda_http::{LambdaEvent, RequestExt, service_fn};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower::ServiceExt;
use tower_http::normalize_path::NormalizePath;
use waraq_aws::{Cloud, Conditions, Settings};

use super::{Error, Failure, Route, log_panics};

/// What it takes to send an answer.
const TO_ANSWER: Duration = Duration::from_millis(500);

/// The `main` of a route: answers requests until the platform ends it.
pub fn run(route: Route) -> ExitCode {
    served(|cloud| {
        let service = service(vec![route], Arc::clone(&cloud));
        lambda_http::run(service_fn(move |request: lambda_http::Request| {
            let (service, cloud) = (service.clone(), Arc::clone(&cloud));
            async move {
                let deadline = request.lambda_context_ref().map(|context| context.deadline);
                let answered = async {
                    cloud.ready().await?;
                    // A router has no error of its own.
                    Ok(service.oneshot(request).await.unwrap_or_else(|never| match never {}))
                };
                let answered: Result<Response, Error> = in_time(deadline.unwrap_or(u64::MAX), answered).await;
                Ok::<_, Infallible>(answered.unwrap_or_else(|error| {
                    tracing::error!(code = %error.code, cause = error.cause.as_deref(), "answered");
                    Failure(error).into_response()
                }))
            }
        }))
    })
}

/// Ends what takes until shortly before the platform would end it without an answer. `deadline`: in milliseconds since the epoch.
async fn in_time<T>(deadline: u64, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let left = Duration::from_millis(deadline).saturating_sub(now).saturating_sub(TO_ANSWER);
    let done = tokio::time::timeout(left, work).await;
    done.unwrap_or_else(|_| Err(Error::unavailable("the call took too long")))
}

/// Routes as a service. A slash at the end of a path does not matter.
pub fn service(routes: Vec<Route>, cloud: Arc<Cloud>) -> NormalizePath<Router> {
    NormalizePath::trim_trailing_slash(crate::routes::router(routes).with_state(cloud))
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
                let deadline = event.context.deadline;
                let done = in_time(deadline, async {
                    cloud.ready().await?;
                    handler(Arc::clone(&cloud), event.payload).await
                });
                done.await.map_err(|error| {
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
    log_panics();
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
