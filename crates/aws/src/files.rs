//! Files in an S3 bucket.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::error::ProvideErrorMetadata;
use aws_sdk_s3::operation::create_bucket::CreateBucketError;
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{BucketLocationConstraint, CompletedMultipartUpload, CompletedPart, CreateBucketConfiguration};
use futures_util::{StreamExt, TryStreamExt, stream};
use waraq_core::direct_uploads::Uploads;
use waraq_core::files::{Files, Upload};
use waraq_core::publishing::file_too_large;
use waraq_core::{Error, Result};

use crate::fault::unavailable;
use crate::settings::Timeouts;

/// Number of files that are deleted concurrently.
const CONCURRENT_DELETES: usize = 16;

/// The time for which a presigned link to a file is valid.
const LINK_LIFE: Duration = Duration::from_secs(15 * 60);

/// The `Cache-Control` header of files that are downloaded through a presigned link. They are personal.
pub const LINK_CACHING: &str = "private, no-store";

pub struct Bucket {
    pub client: Client,
    pub name: String,
    /// The S3 endpoint at the start of presigned links, and the address that replaces it. `None`: links are not
    /// changed.
    pub link_base: Option<(String, String)>,
    pub timeouts: Timeouts,
}

/// Creates the bucket, because a new emulator of S3 has no buckets. An existing bucket is kept.
pub async fn create_bucket(client: &Client, name: &str, region: &str) -> Result<()> {
    // S3 requires the region in the request, except in us-east-1.
    let elsewhere = Some(region).filter(|region| *region != "us-east-1").map(|region| {
        CreateBucketConfiguration::builder().location_constraint(BucketLocationConstraint::from(region)).build()
    });
    let made = client.create_bucket().bucket(name).set_create_bucket_configuration(elsewhere).send().await;
    match made {
        Err(error) if error.as_service_error().is_some_and(already_exists) => Ok(()),
        made => made.map(|_| ()).map_err(unavailable),
    }
}

fn already_exists(error: &CreateBucketError) -> bool {
    error.is_bucket_already_owned_by_you() || error.is_bucket_already_exists()
}

#[async_trait]
impl Files for Bucket {
    async fn put(&self, key: &str, content_type: &'static str, bytes: Vec<u8>) -> Result<()> {
        let put = self.client.put_object().bucket(&self.name).key(key).content_type(content_type);
        put.body(ByteStream::from(bytes)).send().await.map(|_| ()).map_err(unavailable)
    }

    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
        match self.start_get(key).await? {
            Some(found) => self.read_body(key, found).await.map(Some),
            None => Ok(None),
        }
    }

    async fn upload(&self, key: &str, content_type: &'static str) -> Result<Box<dyn Upload + '_>> {
        let begun = self.client.create_multipart_upload().bucket(&self.name).key(key).content_type(content_type);
        let id = begun.send().await.map_err(unavailable)?.upload_id;
        let id = id.ok_or_else(|| Error::unavailable("an upload without an id"))?;
        Ok(Box::new(MultipartUpload { bucket: self, key: key.to_owned(), id, parts: Vec::new() }))
    }

    async fn remove_all(&self, prefix: &str) -> Result<()> {
        // Each listing returns only some of the versions. Deleted versions do not appear in the next listing, so the
        // last one is empty.
        loop {
            let versions = self.versions(prefix).await?;
            if versions.is_empty() {
                return Ok(());
            }
            let removals = stream::iter(versions.into_iter().map(|(key, version)| async move {
                let removed = self.client.delete_object().bucket(&self.name).key(key).set_version_id(version);
                removed.send().await.map(|_| ()).map_err(unavailable)
            }));
            removals.buffer_unordered(CONCURRENT_DELETES).try_collect::<()>().await?;
        }
    }

    async fn remove(&self, key: &str) -> Result<()> {
        // Deleting a file that does not exist is not an error.
        self.client.delete_object().bucket(&self.name).key(key).send().await.map(|_| ()).map_err(unavailable)
    }

    async fn link(&self, key: &str, file_name: &str) -> Result<String> {
        let life = PresigningConfig::expires_in(LINK_LIFE).map_err(unavailable)?;
        // RFC 6266 encoding, because file names may be in any language.
        let mut disposition = "attachment; filename*=UTF-8''".to_owned();
        for byte in file_name.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
                disposition.push(char::from(byte));
            } else {
                disposition.push_str(&format!("%{byte:02X}"));
            }
        }
        let get = self.client.get_object().bucket(&self.name).key(key).response_content_disposition(disposition);
        let get = get.response_cache_control(LINK_CACHING);
        Ok(self.reachable(get.presigned(life).await.map_err(unavailable)?.uri()))
    }
}

#[async_trait]
impl Uploads for Bucket {
    async fn upload_url(&self, key: &str, content_type: &'static str, bytes: u64) -> Result<String> {
        let life = PresigningConfig::expires_in(LINK_LIFE).map_err(unavailable)?;
        let bytes = i64::try_from(bytes).map_err(|_| Error::internal("a file of more bytes than there are"))?;
        // The content type and the length are signed, so S3 refuses a file with another type or length.
        let put = self.client.put_object().bucket(&self.name).key(key).content_type(content_type).content_length(bytes);
        Ok(self.reachable(put.presigned(life).await.map_err(unavailable)?.uri()))
    }

    async fn uploaded_file(&self, key: &str, most_bytes: u64) -> Result<Option<Vec<u8>>> {
        let Some(found) = self.start_get(key).await? else { return Ok(None) };
        let bytes = found.content_length.and_then(|bytes| u64::try_from(bytes).ok());
        if bytes.is_none_or(|bytes| bytes > most_bytes) {
            return Err(file_too_large(usize::try_from(most_bytes).unwrap_or(usize::MAX)));
        }
        self.read_body(key, found).await.map(Some)
    }
}

impl Bucket {
    /// Replaces the S3 endpoint in a presigned URL as `link_base` says, so that a browser can reach the URL.
    fn reachable(&self, url: &str) -> String {
        let ours = self.link_base.as_ref().and_then(|(endpoint, base)| {
            let rest = url.strip_prefix(endpoint.trim_end_matches('/'))?;
            Some(format!("{base}{rest}"))
        });
        ours.unwrap_or_else(|| url.to_owned())
    }

    /// Requests a file and returns the response, whose body has not been received yet. `None` if the file does not
    /// exist.
    async fn start_get(&self, key: &str) -> Result<Option<GetObjectOutput>> {
        match self.client.get_object().bucket(&self.name).key(key).send().await {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.as_service_error().is_some_and(|error| error.is_no_such_key()) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn read_body(&self, key: &str, found: GetObjectOutput) -> Result<Vec<u8>> {
        // The SDK's time-outs cover only the head of the response, so the body needs its own.
        let body = tokio::time::timeout(self.timeouts.operation, found.body.collect()).await;
        let body = body.map_err(|_| Error::unavailable(format!("{key} does not come to its end")))?;
        Ok(body.map_err(unavailable)?.to_vec())
    }

    /// Returns the keys and version ids of one page of file versions and delete markers under a prefix. The result is
    /// empty if nothing is left under the prefix.
    async fn versions(&self, prefix: &str) -> Result<Vec<(String, Option<String>)>> {
        let listed = self.client.list_object_versions().bucket(&self.name).prefix(prefix).send().await;
        match listed {
            Ok(listed) => {
                let versions = listed.versions.unwrap_or_default().into_iter();
                let marks = listed.delete_markers.unwrap_or_default().into_iter();
                let versions = versions.map(|version| (version.key, version.version_id));
                let all = versions.chain(marks.map(|mark| (mark.key, mark.version_id)));
                Ok(all.filter_map(|(key, version)| Some((key?, version))).collect())
            }
            // The bucket of the local emulator has no versions.
            Err(error) if error.code() == Some("NotImplemented") => {
                let listed = self.client.list_objects_v2().bucket(&self.name).prefix(prefix).send().await;
                let files = listed.map_err(unavailable)?.contents.unwrap_or_default().into_iter();
                Ok(files.filter_map(|file| Some((file.key?, None))).collect())
            }
            Err(error) => Err(unavailable(error)),
        }
    }
}

/// A multipart upload in progress. The bucket's lifecycle rule deletes uploads that are never finished.
struct MultipartUpload<'a> {
    bucket: &'a Bucket,
    key: String,
    id: String,
    parts: Vec<CompletedPart>,
}

#[async_trait]
impl Upload for MultipartUpload<'_> {
    async fn add_part(&mut self, bytes: Vec<u8>) -> Result<()> {
        let number = i32::try_from(self.parts.len() + 1).map_err(|_| Error::internal("an upload of too many parts"))?;
        let sent = self.bucket.client.upload_part().bucket(&self.bucket.name).key(&self.key).upload_id(&self.id);
        let sent = sent.part_number(number).body(ByteStream::from(bytes)).send().await.map_err(unavailable)?;
        let part = CompletedPart::builder().part_number(number).set_e_tag(sent.e_tag);
        self.parts.push(part.set_checksum_crc32(sent.checksum_crc32).build());
        Ok(())
    }

    async fn finish(self: Box<Self>) -> Result<()> {
        let whole = CompletedMultipartUpload::builder().set_parts(Some(self.parts)).build();
        let finish = self.bucket.client.complete_multipart_upload().bucket(&self.bucket.name).key(&self.key);
        finish.upload_id(&self.id).multipart_upload(whole).send().await.map(|_| ()).map_err(unavailable)
    }
}
