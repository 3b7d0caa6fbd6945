//! Reading one parameter of Systems Manager. The SDK of that service would be larger than all else here together; this is
//! its one call, signed by the SDK's own signer and sent by its HTTP client.

use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use aws_sdk_dynamodb::config::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::timeout::TimeoutConfig;
use serde::Deserialize;
use waraq_core::{Error, Result};

/// A cold start waits for the answer.
const PATIENCE: Duration = Duration::from_secs(2);
const TRIES: u32 = 3;

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "Parameter")]
    parameter: Parameter,
}

#[derive(Deserialize)]
struct Parameter {
    #[serde(rename = "Value")]
    value: String,
}

/// What a parameter holds, decrypted. `endpoint` stands instead of AWS's own.
pub async fn read(
    http: SharedHttpClient,
    region: &str,
    credentials: &Credentials,
    endpoint: Option<&str>,
    name: &str,
) -> Result<String> {
    let endpoint = endpoint.map_or_else(|| format!("https://ssm.{region}.amazonaws.com"), str::to_owned);
    let mut cause = String::new();
    for _ in 0..TRIES {
        match tokio::time::timeout(PATIENCE, ask(http.clone(), region, credentials, &endpoint, name)).await {
            Ok(Ok((200, body))) => {
                let answer: Answer = serde_json::from_str(&body).map_err(|error| fault(name, error))?;
                return Ok(answer.parameter.value);
            }
            // Its own fault will not go away, theirs may.
            Ok(Ok((status @ 400..500, body))) => return Err(fault(name, format!("{status} {body}"))),
            Ok(Ok((status, _))) => cause = status.to_string(),
            Ok(Err(error)) => cause = error,
            Err(_) => cause = "no answer in time".to_owned(),
        }
    }
    Err(fault(name, cause))
}

fn fault(name: &str, cause: impl std::fmt::Display) -> Error {
    Error::unavailable(format!("the parameter {name} cannot be read: {cause}"))
}

/// Status and body of one GetParameter.
async fn ask(
    http: SharedHttpClient,
    region: &str,
    credentials: &Credentials,
    endpoint: &str,
    name: &str,
) -> std::result::Result<(u16, String), String> {
    let request = signed(region, credentials, endpoint, name)?;
    let operation = Operation::builder()
        .service_name("SSM")
        .operation_name("GetParameter")
        .http_client(http)
        .endpoint_url(endpoint)
        .no_auth()
        .no_retry()
        .timeout_config(TimeoutConfig::disabled())
        .serializer(|request: HttpRequest| Ok(request))
        .deserializer::<_, Infallible>(|response| {
            let body = response.body().bytes().unwrap_or_default();
            Ok((response.status().as_u16(), String::from_utf8_lossy(body).into_owned()))
        })
        .build();
    operation.invoke(request).await.map_err(|error| format!("{}", aws_sdk_dynamodb::error::DisplayErrorContext(error)))
}

fn signed(
    region: &str,
    credentials: &Credentials,
    endpoint: &str,
    name: &str,
) -> std::result::Result<HttpRequest, String> {
    let body = serde_json::json!({ "Name": name, "WithDecryption": true }).to_string();
    let headers = [("content-type", "application/x-amz-json-1.1"), ("x-amz-target", "AmazonSSM.GetParameter")];
    let uri = format!("{}/", endpoint.trim_end_matches('/'));
    let identity = credentials.clone().into();
    let parameters = v4::SigningParams::builder()
        .identity(&identity)
        .region(region)
        .name("ssm")
        .time(SystemTime::now())
        .settings(SigningSettings::default())
        .build()
        .map_err(|error| error.to_string())?
        .into();
    let signable = SignableRequest::new("POST", &uri, headers.into_iter(), SignableBody::Bytes(body.as_bytes()))
        .map_err(|error| error.to_string())?;
    let (instructions, _) = sign(signable, &parameters).map_err(|error| error.to_string())?.into_parts();
    let signature: Vec<(String, String)> =
        instructions.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut request = HttpRequest::new(SdkBody::from(body));
    request.set_method("POST").map_err(|error| error.to_string())?;
    request.set_uri(uri).map_err(|error| error.to_string())?;
    for (name, value) in headers {
        request.headers_mut().insert(name, value);
    }
    for (name, value) in signature {
        request.headers_mut().insert(name, value);
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use aws_smithy_http_client::Builder;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// A server of one answer after another; gives the requests it was sent.
    async fn server(answers: Vec<(u16, &'static str)>) -> (String, tokio::task::JoinHandle<Vec<String>>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let served = tokio::spawn(async move {
            let mut requests = Vec::new();
            for (status, body) in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = vec![0; 16_384];
                let mut length = 0;
                while !String::from_utf8_lossy(&request[..length]).contains("WithDecryption") {
                    length += stream.read(&mut request[length..]).await.unwrap();
                }
                let answer =
                    format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len());
                stream.write_all(answer.as_bytes()).await.unwrap();
                requests.push(String::from_utf8_lossy(&request[..length]).into_owned());
            }
            requests
        });
        (address, served)
    }

    fn keys() -> Credentials {
        Credentials::new("AKIDEXAMPLE", "secret", Some("session".to_owned()), None, "test")
    }

    #[tokio::test]
    async fn reads_and_tries_again() {
        let answers = vec![(500, ""), (200, r#"{"Parameter":{"Name":"/x/key","Value":"a2V5"}}"#)];
        let (address, served) = server(answers).await;
        let read = read(Builder::new().build_http(), "eu-west-1", &keys(), Some(&address), "/x/key").await;
        assert_eq!(read.unwrap(), "a2V5");
        let requests = served.await.unwrap();
        assert!(requests[1].starts_with("POST / HTTP/1.1"), "{}", requests[1]);
        for part in [
            "AmazonSSM.GetParameter",
            "/eu-west-1/ssm/aws4_request",
            "x-amz-security-token: session",
            r#""Name":"/x/key""#,
        ] {
            assert!(requests[1].contains(part), "{part}: {}", requests[1]);
        }
    }

    #[tokio::test]
    async fn what_is_refused_is_not_asked_again() {
        let (address, served) = server(vec![(400, r#"{"__type":"ParameterNotFound"}"#)]).await;
        let read = read(Builder::new().build_http(), "eu-west-1", &keys(), Some(&address), "/x/key").await;
        assert!(read.unwrap_err().cause.unwrap_or_default().contains("ParameterNotFound"));
        assert_eq!(served.await.unwrap().len(), 1);
    }
}
