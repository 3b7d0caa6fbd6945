//! Files in a bucket.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use waraq_core::files::Files;
use waraq_core::{Error, Result};

use crate::fault::unavailable;
use crate::settings::Patience;

/// How long a link works.
const LINK_LIFE: Duration = Duration::from_secs(15 * 60);

pub struct Bucket {
    pub client: Client,
    pub name: String,
    /// What a link begins with, and what is to stand there instead.
    pub links: Option<(String, String)>,
    pub patience: Patience,
}

#[async_trait]
impl Files for Bucket {
    async fn put(&self, key: &str, content_type: &'static str, bytes: Vec<u8>) -> Result<()> {
        let put = self.client.put_object().bucket(&self.name).key(key).content_type(content_type);
        put.body(ByteStream::from(bytes)).send().await.map(|_| ()).map_err(unavailable)
    }

    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let found = match self.client.get_object().bucket(&self.name).key(key).send().await {
            Ok(found) => found,
            Err(error) if error.as_service_error().is_some_and(|error| error.is_no_such_key()) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        // The SDK's time-outs end with the head of the answer.
        let body = tokio::time::timeout(self.patience.operation, found.body.collect()).await;
        let body = body.map_err(|_| Error::unavailable(format!("{key} does not come to its end")))?;
        Ok(Some(body.map_err(unavailable)?.to_vec()))
    }

    async fn link(&self, key: &str, file_name: &str) -> Result<String> {
        let life = PresigningConfig::expires_in(LINK_LIFE).map_err(unavailable)?;
        // RFC 6266: names are of any language.
        let mut disposition = "attachment; filename*=UTF-8''".to_owned();
        for byte in file_name.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
                disposition.push(char::from(byte));
            } else {
                disposition.push_str(&format!("%{byte:02X}"));
            }
        }
        let get = self.client.get_object().bucket(&self.name).key(key).response_content_disposition(disposition);
        let url = get.presigned(life).await.map_err(unavailable)?.uri().to_owned();
        Ok(match &self.links {
            Some((endpoint, base)) => match url.strip_prefix(endpoint.trim_end_matches('/')) {
                Some(rest) => format!("{base}{rest}"),
                None => url,
            },
            None => url,
        })
    }
}
