//! Invalidation of responses that CloudFront has cached. Pictures are cached for a year, so erased ones must be invalidated.

use async_trait::async_trait;
use aws_sdk_dynamodb::config::Credentials;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use tokio::time::timeout;
use waraq_core::file_sweep::PublicCache;
use waraq_core::{Error, Result};

use crate::settings::Timeouts;
use crate::signed_call::SignedCall;
use crate::system::{back_off, random_below};

/// CloudFront is a global service, whose requests are signed for this region.
const REGION: &str = "us-east-1";
/// Number of paths in one invalidation. CloudFront allows 3,000 paths in all running invalidations.
const PATHS_PER_CALL: usize = 1_000;
/// Number of attempts of a call. The caller repeats the whole work later.
const ATTEMPTS: u32 = 3;

/// A CloudFront distribution.
pub struct Cdn {
    pub http: SharedHttpClient,
    pub credentials: Credentials,
    /// The address that replaces the endpoint of AWS, such as that of an emulator.
    pub endpoint: Option<String>,
    /// The id of the distribution.
    pub distribution: String,
    pub timeouts: Timeouts,
}

#[async_trait]
impl PublicCache for Cdn {
    async fn invalidate(&self, paths: Vec<String>) -> Result<()> {
        for paths in paths.chunks(PATHS_PER_CALL) {
            self.create_invalidation(paths).await?;
        }
        Ok(())
    }
}

impl Cdn {
    async fn create_invalidation(&self, paths: &[String]) -> Result<()> {
        let reference: String = (0..16).map(|_| format!("{:x}", random_below(15))).collect();
        let items: String = paths
            .iter()
            .map(|path| format!("<Path>{}</Path>", path.replace('&', "&amp;").replace('<', "&lt;")))
            .collect();
        // The same reference in all attempts makes one invalidation of them.
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
             <InvalidationBatch xmlns=\"http://cloudfront.amazonaws.com/doc/2020-05-31/\">\
             <CallerReference>{reference}</CallerReference>\
             <Paths><Items>{items}</Items><Quantity>{}</Quantity></Paths></InvalidationBatch>",
            paths.len()
        );
        let call = SignedCall {
            names: ("CloudFront", "CreateInvalidation"),
            signing_name: "cloudfront",
            region: REGION,
            endpoint: self.endpoint.as_deref().unwrap_or("https://cloudfront.amazonaws.com"),
            path: &format!("/2020-05-31/distribution/{}/invalidation", self.distribution),
            headers: &[("content-type", "application/xml")],
            body,
        };
        let mut cause = String::new();
        for attempt in 0..ATTEMPTS {
            cause = match timeout(self.timeouts.operation, call.send(&self.http, &self.credentials)).await {
                Ok(Ok((201, _))) => return Ok(()),
                Ok(Ok((status, body))) => format!("{status} {body}"),
                Ok(Err(error)) => error,
                Err(_) => "no answer in time".to_owned(),
            };
            back_off(attempt).await;
        }
        Err(Error::unavailable(format!("the CDN's copies cannot be deleted: {cause}")))
    }
}

#[cfg(test)]
mod tests {
    use aws_smithy_http_client::Builder;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn failed_invalidations_are_repeated_with_the_same_reference() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let served = tokio::spawn(async move {
            let mut requests = Vec::new();
            for status in [503, 201] {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (mut request, mut length) = (vec![0; 16_384], 0);
                while !String::from_utf8_lossy(&request[..length]).contains("</InvalidationBatch>") {
                    length += stream.read(&mut request[length..]).await.unwrap();
                }
                let answer = format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
                stream.write_all(answer.as_bytes()).await.unwrap();
                requests.push(String::from_utf8_lossy(&request[..length]).into_owned());
            }
            requests
        });
        let cdn = Cdn {
            http: Builder::new().build_http(),
            credentials: Credentials::new("AKIDEXAMPLE", "secret", None, None, "test"),
            endpoint: Some(endpoint),
            distribution: "E123".to_owned(),
            timeouts: Timeouts::default(),
        };
        cdn.invalidate(vec!["/media/1".to_owned(), "/media/2*".to_owned()]).await.unwrap();
        let requests = served.await.unwrap();
        for part in [
            "POST /2020-05-31/distribution/E123/invalidation HTTP/1.1",
            "/us-east-1/cloudfront/aws4_request",
            "<Path>/media/1</Path><Path>/media/2*</Path>",
            "<Quantity>2</Quantity>",
        ] {
            assert!(requests[1].contains(part), "{part}: {}", requests[1]);
        }
        let reference = |request: &str| request.split("CallerReference>").nth(1).map(str::to_owned);
        assert_eq!(reference(&requests[0]), reference(&requests[1]));
    }
}
