//! Calls of AWS services for which the crate has no SDK, because the SDK would be larger than all other code together. The SDK's
//! signer signs the request, and the SDK's HTTP client sends it.

use std::convert::Infallible;
use std::time::SystemTime;

use aws_sdk_dynamodb::config::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::timeout::TimeoutConfig;

/// A POST request to a service.
pub struct SignedCall<'a> {
    /// The name of the service and of the operation, for the log.
    pub names: (&'static str, &'static str),
    /// The name of the service in signatures.
    pub signing_name: &'static str,
    pub region: &'a str,
    pub endpoint: &'a str,
    /// The path with a leading slash.
    pub path: &'a str,
    pub headers: &'a [(&'static str, &'static str)],
    pub body: String,
}

impl SignedCall<'_> {
    /// Sends the request once, and returns the status and the body of the response.
    ///
    /// # Errors
    /// The cause, if there is no response.
    pub async fn send(&self, http: &SharedHttpClient, credentials: &Credentials) -> Result<(u16, String), String> {
        let request = self.signed(credentials)?;
        let operation = Operation::builder()
            .service_name(self.names.0)
            .operation_name(self.names.1)
            .http_client(http.clone())
            .endpoint_url(self.endpoint)
            .no_auth()
            .no_retry()
            .timeout_config(TimeoutConfig::disabled())
            .serializer(|request: HttpRequest| Ok(request))
            .deserializer::<_, Infallible>(|response| {
                let body = response.body().bytes().unwrap_or_default();
                Ok((response.status().as_u16(), String::from_utf8_lossy(body).into_owned()))
            })
            .build();
        let asked = operation.invoke(request).await;
        asked.map_err(|error| format!("{}", aws_sdk_dynamodb::error::DisplayErrorContext(error)))
    }

    fn signed(&self, credentials: &Credentials) -> Result<HttpRequest, String> {
        let uri = format!("{}{}", self.endpoint.trim_end_matches('/'), self.path);
        let identity = credentials.clone().into();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(self.region)
            .name(self.signing_name)
            .time(SystemTime::now())
            .settings(SigningSettings::default())
            .build()
            .map_err(|error| error.to_string())?
            .into();
        let body = SignableBody::Bytes(self.body.as_bytes());
        let signable = SignableRequest::new("POST", &uri, self.headers.iter().copied(), body)
            .map_err(|error| error.to_string())?;
        let (instructions, _) = sign(signable, &parameters).map_err(|error| error.to_string())?.into_parts();
        let signature: Vec<(String, String)> =
            instructions.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut request = HttpRequest::new(SdkBody::from(self.body.clone()));
        request.set_method("POST").map_err(|error| error.to_string())?;
        request.set_uri(uri).map_err(|error| error.to_string())?;
        for (name, value) in self.headers {
            request.headers_mut().insert(*name, *value);
        }
        for (name, value) in signature {
            request.headers_mut().insert(name, value);
        }
        Ok(request)
    }
}
