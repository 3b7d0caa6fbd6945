//! The format of a snapshot: a list as it was read from the index, in one file. A process that has just started can
//! read this file instead of the index.
//!
//! A file begins with [`MAGIC_AND_VERSION`], which contains the version. Then come parts. A part consists of a letter
//! for its type, the compressed size of its content in bytes (32 bits, little-endian), and the content, which is JSON
//! compressed with gzip. The gzip format adds a checksum. The first part is the [`SnapshotHead`], then come pages of
//! rows and of counters, and the last part is the [`SnapshotEnd`]. A file without the last part is incomplete. Parts
//! are small, so that neither the writer nor the reader holds the whole file in memory. Several parts can be read
//! concurrently.
//!
//! Any change of the stored shapes (`ListedUser`, `ListedTemplate`, counters) needs a new version. A reader that finds
//! another version reads the index instead, and the next run of the writer replaces the file. A test in this file fails
//! if the shapes change.

use std::io::{Read, Write};
use std::time::Duration;

use aws_sdk_s3::primitives::ByteStream;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use waraq_core::{Error, Result, Timestamp};

use crate::fault::unavailable;
use crate::log::LogPosition;

/// The first bytes of every snapshot file, of any version.
const MAGIC: &[u8] = b"waraq list ";
/// The first bytes of a snapshot file of this version.
pub const MAGIC_AND_VERSION: &[u8] = b"waraq list 2\n";

/// Maximum compressed size of a part of a snapshot, in bytes. It is never reached: a part contains one page of the
/// index, and DynamoDB returns at most one megabyte for a page.
const LARGEST_PART: usize = 16 * 1024 * 1024;
/// Maximum uncompressed size of a part of a snapshot, in bytes.
const LARGEST_CONTENT: u64 = 64 * 1024 * 1024;
/// Size of the header of a part in bytes: one for the letter of its type and four for its size.
const PART_HEADER_BYTES: usize = 5;

/// The type of a part of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartType {
    Head,
    Rows,
    Counted,
    End,
}

impl PartType {
    const ALL: [Self; 4] = [Self::Head, Self::Rows, Self::Counted, Self::End];

    fn letter(self) -> u8 {
        match self {
            Self::Head => b'h',
            Self::Rows => b'r',
            Self::Counted => b'c',
            Self::End => b'e',
        }
    }
}

/// The first part of a snapshot: the kind of rows, and the position of the log when the writer began to read the rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotHead {
    /// The name of the kind of rows, such as `template`.
    pub kind: String,
    /// The position of the log when the writer began to read the rows.
    pub position: LogPosition,
    /// The log entry of each shard at `position`, as [`crate::log::last_entries`] returns them.
    pub last: Vec<Option<String>>,
    /// A position of the log. The rows in the file include all writes up to this position. It is before `position`,
    /// because the index lags behind the table.
    pub from: LogPosition,
    /// The time when the writer began to read the rows.
    pub at: Timestamp,
}

/// The last part of a snapshot: the numbers of rows and counters, and the position of the log when the writer had read
/// all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotEnd {
    pub rows: u64,
    pub counted: u64,
    /// The position of the log when the writer had read all rows: no row is newer than this.
    pub until: LogPosition,
    /// The log entry of each shard at `until`, as [`crate::log::last_entries`] returns them.
    pub last: Vec<Option<String>>,
}

/// Encodes a part of a snapshot. Returns the bytes that are written to the file.
pub fn encode_part(part: PartType, content: &impl Serialize) -> Result<Vec<u8>> {
    let internal = |error: &dyn std::error::Error| Error::internal(format!("a part of a snapshot: {error}"));
    let content = serde_json::to_vec(content).map_err(|error| internal(&error))?;
    let mut written = vec![part.letter(), 0, 0, 0, 0];
    let mut encoder = GzEncoder::new(&mut written, Compression::fast());
    encoder.write_all(&content).map_err(|error| internal(&error))?;
    encoder.finish().map_err(|error| internal(&error))?;
    let bytes = written.len().saturating_sub(PART_HEADER_BYTES);
    let bytes = u32::try_from(bytes).ok().filter(|_| bytes <= LARGEST_PART);
    let bytes = bytes.ok_or_else(|| Error::internal("a part of a snapshot is too large"))?;
    for (place, byte) in written.iter_mut().skip(1).zip(bytes.to_le_bytes()) {
        *place = byte;
    }
    Ok(written)
}

/// Returns the content of a part of a snapshot. `compressed` is the data after the header of the part.
pub fn decode_part<T: DeserializeOwned>(compressed: &[u8]) -> Result<T> {
    let mut content = Vec::with_capacity(compressed.len().saturating_mul(4));
    let read = GzDecoder::new(compressed).take(LARGEST_CONTENT).read_to_end(&mut content);
    read.map_err(|error| unreadable(&format!("a part of it: {error}")))?;
    // Leaves out the message of the parser, because it quotes its input, and rows contain personal data.
    serde_json::from_slice(&content).map_err(|error| unreadable(&format!("a part of it, at byte {}", error.column())))
}

/// Creates the error for a snapshot that cannot be read.
pub fn unreadable(why: &str) -> Error {
    Error::internal(format!("unreadable: {why}"))
}

/// A snapshot that is read part by part.
pub struct SnapshotReader {
    body: ByteStream,
    /// The maximum time to wait for the next bytes of the file.
    read_timeout: Duration,
    buffer: Vec<u8>,
}

impl SnapshotReader {
    /// Creates a reader and reads the beginning of the snapshot.
    ///
    /// # Errors
    /// Fails if the file is not a snapshot or is of another version.
    pub async fn new(body: ByteStream, patience: Duration) -> Result<Self> {
        let mut reader = Self { body, read_timeout: patience, buffer: Vec::new() };
        if !reader.fill_buffer(MAGIC_AND_VERSION.len()).await? {
            return Err(unreadable("it ends before it has begun"));
        }
        let beginning = reader.take_from_buffer(MAGIC_AND_VERSION.len());
        if beginning == MAGIC_AND_VERSION {
            return Ok(reader);
        }
        Err(match beginning.starts_with(MAGIC) {
            true => Error::internal("of another version"),
            false => unreadable("it is no snapshot"),
        })
    }

    /// Returns the next part of the snapshot, still compressed, or `None` at the end of the file.
    pub async fn next(&mut self) -> Result<Option<(PartType, Vec<u8>)>> {
        if self.buffer.is_empty() && !self.fill_buffer(1).await? {
            return Ok(None);
        }
        let cut = || unreadable("it ends within a part");
        if !self.fill_buffer(PART_HEADER_BYTES).await? {
            return Err(cut());
        }
        let before = self.take_from_buffer(PART_HEADER_BYTES);
        let [letter, bytes @ ..] = before.as_slice() else { return Err(cut()) };
        let part = PartType::ALL.into_iter().find(|part| part.letter() == *letter);
        let part = part.ok_or_else(|| unreadable("a part that is none"))?;
        let bytes = <[u8; 4]>::try_from(bytes).map(u32::from_le_bytes).map_err(|_| cut())? as usize;
        if bytes > LARGEST_PART {
            return Err(unreadable("a part that is too large"));
        }
        if !self.fill_buffer(bytes).await? {
            return Err(cut());
        }
        Ok(Some((part, self.take_from_buffer(bytes))))
    }

    /// Reads the first part of the snapshot. Fails if the part is not a head.
    pub async fn head(&mut self) -> Result<SnapshotHead> {
        match self.next().await? {
            Some((PartType::Head, compressed)) => decode_part(&compressed),
            _ => Err(unreadable("it has no head")),
        }
    }

    /// Reads until `bytes` bytes are available and returns false if the file ends earlier.
    async fn fill_buffer(&mut self, bytes: usize) -> Result<bool> {
        while self.buffer.len() < bytes {
            let more = tokio::time::timeout(self.read_timeout, self.body.next()).await;
            let Some(more) = more.map_err(|_| Error::unavailable("its next bytes do not come"))? else {
                return Ok(false);
            };
            self.buffer.extend_from_slice(&more.map_err(unavailable)?);
        }
        Ok(true)
    }

    fn take_from_buffer(&mut self, bytes: usize) -> Vec<u8> {
        let rest = self.buffer.split_off(bytes.min(self.buffer.len()));
        std::mem::replace(&mut self.buffer, rest)
    }
}

#[cfg(test)]
mod tests {
    use waraq_core::accounts::{ListedUser, Role};
    use waraq_core::catalogue::ListedTemplate;
    use waraq_core::template::{Picture, TemplateStatus};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    async fn reader(bytes: &[u8]) -> Result<SnapshotReader> {
        SnapshotReader::new(ByteStream::from(bytes.to_vec()), PATIENCE).await
    }

    fn cause<T>(read: Result<T>) -> String {
        read.err().unwrap().cause.unwrap()
    }

    #[tokio::test]
    async fn written_parts_are_read_back_and_truncation_is_detected() {
        let mut file = MAGIC_AND_VERSION.to_vec();
        let parts = [(PartType::Rows, vec!["عقد", "Œuvre"]), (PartType::Counted, vec![]), (PartType::End, vec!["x"])];
        for (kind, texts) in &parts {
            file.extend(encode_part(*kind, texts).unwrap());
        }
        let mut whole = reader(&file).await.unwrap();
        for (kind, texts) in parts {
            let (read, compressed) = whole.next().await.unwrap().unwrap();
            assert_eq!(
                (read, decode_part::<Vec<String>>(&compressed).unwrap()),
                (kind, texts.iter().map(|it| (*it).to_owned()).collect())
            );
        }
        assert!(whole.next().await.unwrap().is_none());
        // A truncated file is either detected at once, or ends without its end part.
        for bytes in 0..file.len() {
            let Ok(mut cut) = reader(&file[..bytes]).await else { continue };
            let mut ended = false;
            while let Ok(Some((kind, _))) = cut.next().await {
                ended |= kind == PartType::End;
            }
            assert!(!ended, "{bytes}");
        }
        // A changed byte is detected.
        for place in MAGIC_AND_VERSION.len() + PART_HEADER_BYTES..file.len() {
            let mut broken = file.clone();
            broken[place] ^= 1;
            let mut broken = reader(&broken).await.unwrap();
            let mut read = Vec::new();
            while let Ok(Some((_, compressed))) = broken.next().await {
                let Ok(texts) = decode_part::<Vec<String>>(&compressed) else { break };
                read.push(texts);
            }
            // Some bytes of the gzip header do not affect the content.
            assert!(read.len() < 3 || read == [vec!["عقد", "Œuvre"], vec![], vec!["x"]], "{place}");
        }
    }

    #[tokio::test]
    async fn files_in_other_formats_are_rejected() {
        assert_eq!(cause(reader(b"waraq list 1\nh").await), "of another version");
        assert_eq!(cause(reader(b"<html>not found</html>").await), "unreadable: it is no snapshot");
        assert_eq!(cause(reader(b"waraq").await), "unreadable: it ends before it has begun");
        let mut large = MAGIC_AND_VERSION.to_vec();
        large.extend(*b"r\xff\xff\xff\xff");
        assert_eq!(cause(reader(&large).await.unwrap().next().await), "unreadable: a part that is too large");
        assert_eq!(cause(reader(MAGIC_AND_VERSION).await.unwrap().head().await), "unreadable: it has no head");
    }

    /// If this test fails, the shapes have changed: give [`MAGIC_AND_VERSION`] a new version.
    #[test]
    fn row_format_matches_the_file_version() {
        let picture = || Some(Picture { hash: "a".into(), width: 1, height: 2 });
        let user = ListedUser {
            id: "1".into(),
            user_name: "Émile".into(),
            name: None,
            email: "e@example.org".into(),
            photo: None,
            role: Role::Admin,
            token_version: 3,
            downloads: 4,
            private_templates: 2,
            created_at: Timestamp(5),
        };
        let template = ListedTemplate {
            id: "1".into(),
            title: "Bail".into(),
            categories: vec!["housing".into()],
            keywords: Vec::new(),
            language: "fr".into(),
            country: None,
            fields: vec!["Nom".into()],
            status: TemplateStatus::Active,
            version: 2,
            revision: 3,
            pages: 4,
            picture: picture(),
            small_picture: None,
            created_at: Timestamp(5),
            updated_at: Timestamp(6),
        };
        assert_eq!(
            serde_json::to_string(&user).unwrap(),
            r#"{"id":"1","user_name":"Émile","name":null,"email":"e@example.org","photo":null,"role":"admin","token_version":3,"downloads":4,"private_templates":2,"created_at":5}"#
        );
        assert_eq!(
            serde_json::to_string(&template).unwrap(),
            r#"{"id":"1","title":"Bail","categories":["housing"],"keywords":[],"language":"fr","country":null,"fields":["Nom"],"status":"active","version":2,"revision":3,"pages":4,"picture":{"hash":"a","width":1,"height":2},"small_picture":null,"created_at":5,"updated_at":6}"#
        );
        assert_eq!(serde_json::to_string(&("id", 3u8, 4u32)).unwrap(), r#"["id",3,4]"#, "a template's counter");
        assert_eq!(MAGIC_AND_VERSION, b"waraq list 2\n");
    }
}
