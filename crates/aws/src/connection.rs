//! Opens a connection to an AWS service before the first call of that service. The connection stays in the pool of the
//! HTTP client that all services share.

use std::convert::Infallible;

use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::timeout::TimeoutConfig;

use crate::settings::Timeouts;

/// Sends one unsigned GET request to open a connection. The response is ignored, and the connection stays open.
pub async fn open_connection(http: SharedHttpClient, endpoint: &str, timeouts: Timeouts) {
    let mut request = HttpRequest::new(SdkBody::empty());
    if request.set_uri(format!("{}/", endpoint.trim_end_matches('/'))).is_err() {
        return;
    }
    let time_outs =
        TimeoutConfig::builder().connect_timeout(timeouts.connect).operation_timeout(timeouts.attempt).build();
    let operation = Operation::builder()
        .service_name("connection")
        .operation_name("open")
        .http_client(http)
        .endpoint_url(endpoint)
        .no_auth()
        .no_retry()
        .timeout_config(time_outs)
        .serializer(|request: HttpRequest| Ok(request))
        .deserializer::<_, Infallible>(|_| Ok(()))
        .build();
    if let Err(error) = operation.invoke(request).await {
        tracing::info!(cause = %aws_sdk_dynamodb::error::DisplayErrorContext(error), "the connection could not be opened in advance");
    }
}
