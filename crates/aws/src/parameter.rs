//! Reads parameters of Systems Manager and decrypts SecureStrings.

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_dynamodb::config::Credentials;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use serde::Deserialize;
use tokio::time::{Instant, sleep, timeout};
use waraq_core::{Error, Result};

use crate::settings::Timeouts;
use crate::signed_call::SignedCall;
use crate::system::random_below;

/// The first and the longest pause between two attempts of a request. About half of each pause is random.
const RETRY_PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GetParametersResponse {
    parameters: Vec<Parameter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Parameter {
    name: String,
    value: String,
}

/// A client of Systems Manager that reads parameters.
pub struct ParameterClient {
    pub http: SharedHttpClient,
    pub region: String,
    pub credentials: Credentials,
    /// The address that replaces the endpoint of AWS, such as that of an emulator. `None`: the endpoint of AWS.
    pub endpoint: Option<String>,
    pub timeouts: Timeouts,
}

impl ParameterClient {
    /// Returns the values of at most ten parameters, by name. Parameters that do not exist are left out.
    pub async fn get_parameters(&self, names: &[String]) -> Result<HashMap<String, String>> {
        let deadline = Instant::now() + self.timeouts.operation;
        let mut pause = RETRY_PAUSES.0;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let cause = match timeout(left.min(self.timeouts.attempt), self.send_request(names)).await {
                Ok(Ok((200, body))) => {
                    let answer: GetParametersResponse =
                        serde_json::from_str(&body).map_err(|error| fault(names, error))?;
                    return Ok(answer.parameters.into_iter().map(|found| (found.name, found.value)).collect());
                }
                Ok(Ok((status, body))) if is_final(status, &body) => {
                    return Err(fault(names, format!("{status} {body}")));
                }
                Ok(Ok((status, body))) => format!("{status} {body}"),
                Ok(Err(error)) => error,
                Err(_) => "no answer in time".to_owned(),
            };
            let chance = pause.mul_f64(0.5 + f64::from(random_below(255)) / 510.0);
            if Instant::now() + chance >= deadline {
                return Err(fault(names, cause));
            }
            sleep(chance).await;
            pause = (pause * 2).min(RETRY_PAUSES.1);
        }
    }

    /// Sends one GetParameters request and returns its status and body.
    async fn send_request(&self, names: &[String]) -> std::result::Result<(u16, String), String> {
        let endpoint = self.endpoint.clone().unwrap_or_else(|| format!("https://ssm.{}.amazonaws.com", self.region));
        let call = SignedCall {
            names: ("SSM", "GetParameters"),
            signing_name: "ssm",
            region: &self.region,
            endpoint: &endpoint,
            path: "/",
            headers: &[("content-type", "application/x-amz-json-1.1"), ("x-amz-target", "AmazonSSM.GetParameters")],
            body: serde_json::json!({ "Names": names, "WithDecryption": true }).to_string(),
        };
        call.send(&self.http, &self.credentials).await
    }
}

/// Returns whether a response is final, because a retry would fail too. A 4xx status is final, except for throttling,
/// which AWS reports as status 400 with a JSON body.
fn is_final(status: u16, body: &str) -> bool {
    (400..500).contains(&status) && status != 429 && !body.contains("Throttl")
}

fn fault(names: &[String], cause: impl std::fmt::Display) -> Error {
    Error::unavailable(format!("the parameters {} cannot be read: {cause}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use aws_smithy_http_client::Builder;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Starts a server that sends the given responses in order. Returns its address, and a task that ends with the
    /// requests it has received.
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

    fn client_at(address: String) -> ParameterClient {
        ParameterClient {
            http: Builder::new().build_http(),
            region: "eu-west-1".to_owned(),
            credentials: Credentials::new("AKIDEXAMPLE", "secret", Some("session".to_owned()), None, "test"),
            endpoint: Some(address),
            timeouts: Timeouts::default(),
        }
    }

    fn names() -> Vec<String> {
        ["/x/key", "/x/none"].map(str::to_owned).into()
    }

    #[tokio::test]
    async fn throttled_and_failed_requests_are_retried() {
        let throttled = r#"{"__type":"ThrottlingException","message":"Rate exceeded"}"#;
        let found = r#"{"Parameters":[{"Name":"/x/key","Value":"a2V5"}],"InvalidParameters":["/x/none"]}"#;
        let (address, served) = server(vec![(500, ""), (400, throttled), (200, found)]).await;
        let read = client_at(address).get_parameters(&names()).await.unwrap();
        assert_eq!(read, HashMap::from([("/x/key".to_owned(), "a2V5".to_owned())]));
        let requests = served.await.unwrap();
        assert!(requests[2].starts_with("POST / HTTP/1.1"), "{}", requests[2]);
        for part in [
            "AmazonSSM.GetParameters",
            "/eu-west-1/ssm/aws4_request",
            "x-amz-security-token: session",
            r#""Names":["/x/key","/x/none"]"#,
        ] {
            assert!(requests[2].contains(part), "{part}: {}", requests[2]);
        }
    }

    #[tokio::test]
    async fn refused_requests_are_not_retried() {
        let (address, served) = server(vec![(400, r#"{"__type":"AccessDeniedException"}"#)]).await;
        let read = client_at(address).get_parameters(&names()).await;
        assert!(read.unwrap_err().cause.unwrap_or_default().contains("AccessDeniedException"));
        assert_eq!(served.await.unwrap().len(), 1);
    }
}
