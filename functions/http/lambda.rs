//! Runs a route as a Lambda function behind an API Gateway HTTP API.

use std::future::Future;
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use lambda_http::{LambdaEvent, service_fn};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower_http::normalize_path::NormalizePath;
use waraq_aws::{Cloud, RuntimeOptions, Settings};

use super::route::{time_left, with_time_limit};
use super::{Error, Route, log_panics};

/// Runs the `main` of a route: serves requests until the platform ends the process.
pub fn run_route(route: Route) -> ExitCode {
    run_process(|cloud| lambda_http::run(service(vec![route], &cloud)))
}

/// Returns the routes as a service. A trailing slash in a path is ignored.
pub fn service(routes: Vec<Route>, cloud: &Arc<Cloud>) -> NormalizePath<Router> {
    NormalizePath::trim_trailing_slash(crate::routes::router(routes, cloud))
}

/// Runs the `main` of a function that handles events instead of HTTP requests. Errors are logged and returned to the
/// platform, which retries the event.
pub fn run_events<E, R, F>(function: &'static str, handler: fn(Arc<Cloud>, E) -> F) -> ExitCode
where
    E: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
    F: Future<Output = Result<R, Error>> + Send + 'static,
{
    run_process(move |cloud| async move {
        let answer = service_fn(move |event: LambdaEvent<E>| {
            let cloud = Arc::clone(&cloud);
            async move {
                let done = with_time_limit(time_left(event.context.deadline), async {
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

/// Starts the process of a function (logging, runtime, [`Cloud`]), runs `serve`, and returns the exit code.
fn run_process<F: Future<Output = Result<(), lambda_http::Error>>>(serve: impl FnOnce(Arc<Cloud>) -> F) -> ExitCode {
    lambda_http::tracing::init_default_subscriber();
    log_panics();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(%error, "the async runtime could not be created");
            return ExitCode::FAILURE;
        }
    };
    let served = runtime.block_on(async move {
        let cloud = Arc::new(Cloud::new(Settings::from_environment()?, RuntimeOptions::default())?);
        // Runs in Lambda's init phase. The first request retries what fails here.
        let (ready, ()) = tokio::join!(cloud.ready(), cloud.connect());
        if let Err(error) = ready {
            tracing::warn!(cause = error.cause.as_deref(), "the secrets could not be read at start-up");
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
