//! Reading of the zip archive. This module checks the end record itself, to return specific error codes. The `zip`
//! crate reads the directory and the headers of the entries.

use std::cell::RefCell;
use std::io::Cursor;

use bytes::Bytes;
use flate2::{Crc, Decompress, FlushDecompress, Status};
use waraq_rules::ErrorCode;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::limits::MAX_ENTRIES;
use crate::{Error, Result};

pub(super) type Archive = ZipArchive<Cursor<Bytes>>;

const END_RECORD: &[u8; 4] = b"PK\x05\x06";
const END_RECORD_BYTES: usize = 22;
const ZIP64_LOCATOR: &[u8; 4] = b"PK\x06\x07";
const ZIP64_LOCATOR_BYTES: usize = 20;
const ZIP64_END_RECORD: &[u8; 4] = b"PK\x06\x06";
const CENTRAL_HEADER: &[u8; 4] = b"PK\x01\x02";
const LOCAL_HEADER: &[u8; 4] = b"PK\x03\x04";
const COMPOUND_FILE: &[u8; 8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Opens the archive. Checks the end record and the number of entries, and that no two entries share bytes.
pub(super) fn open_archive(bytes: Bytes) -> Result<Archive> {
    if bytes.starts_with(COMPOUND_FILE) {
        return Err(compound_file(&bytes));
    }
    check_end_record(&bytes)?;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| zip_error(&error, None))?;
    if archive.len() > MAX_ENTRIES {
        return Err(too_many_entries(archive.len()));
    }
    if archive.has_overlapping_entries().map_err(|error| zip_error(&error, None))? {
        return Err(Error::new(
            ErrorCode::OverlappingEntries,
            "Corrupted zip: entries that share bytes with each other.",
        ));
    }
    Ok(archive)
}

thread_local! {
    /// The decompressor of this thread. All parts reuse it, because its tables are larger than most parts.
    static DECOMPRESSOR: RefCell<Decompress> = RefCell::new(Decompress::new(false));
}

/// Returns the inflated data of the entry with this index (from 0). Checks that the data have `size` bytes and the
/// checksum that the archive declares. Entries without compression are not copied. `part` is the part name for error
/// messages.
pub(super) fn read_entry(archive: &Archive, index: usize, part: &str, size: u64) -> Result<Bytes> {
    // The clone of the archive shares the directory and the bytes with the original. Only its read position is separate.
    let mut archive = archive.clone();
    let entry = archive.by_index_raw(index).map_err(|error| zip_error(&error, Some(part)))?;
    let (start, stored) = (entry.data_start().unwrap_or(u64::MAX), entry.compressed_size());
    let (method, checksum) = (entry.compression(), entry.crc32());
    drop(entry);
    let bytes = archive.into_inner().into_inner();
    let end = start.checked_add(stored).and_then(|end| usize::try_from(end).ok());
    let range = end.and_then(|end| Some(usize::try_from(start).ok()?..end));
    let range = range.filter(|place| bytes.get(place.clone()).is_some());
    let raw = bytes.slice(range.ok_or_else(|| corrupted(part, "incorrect length check"))?);
    let size = usize::try_from(size).map_err(|_| corrupted(part, "incorrect length check"))?;
    let data = match method {
        CompressionMethod::Stored => raw,
        _ => inflate_exact(&raw, size).map_err(|problem| corrupted(part, problem))?.into(),
    };
    if data.len() != size {
        return Err(corrupted(part, "incorrect length check"));
    }
    let mut crc = Crc::new();
    crc.update(&data);
    if crc.sum() != checksum {
        return Err(corrupted(part, "incorrect data check"));
    }
    Ok(data)
}

/// Inflates the data in one call, because the decompressor then writes directly into the result. Returns an error if
/// the inflated data have more than `size` bytes.
fn inflate_exact(raw: &[u8], size: usize) -> std::result::Result<Vec<u8>, &'static str> {
    DECOMPRESSOR.with_borrow_mut(|inflate| {
        inflate.reset(false);
        // The buffer is one byte longer than expected, to detect data that is too long.
        let mut data = Vec::with_capacity(size.saturating_add(1));
        match inflate.decompress_vec(raw, &mut data, FlushDecompress::Finish) {
            Ok(Status::StreamEnd) => Ok(data),
            Ok(_) => Err("incorrect length check"),
            Err(error) if error.message().is_some_and(|message| message.contains("invalid block type")) => {
                Err("invalid block type")
            }
            // The header of a block is damaged: its code lengths or its stored length.
            Err(_) => Err("incorrect header check"),
        }
    })
}

/// Reads a little-endian number of `width` bytes at byte offset `at`. Returns `None` if `bytes` is too short.
fn little_endian(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(width)?)?;
    Some(field.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

fn missing_end_record(bytes: &[u8]) -> Error {
    let message = "Can't find end of central directory : is this a zip file ?";
    if bytes.starts_with(LOCAL_HEADER) {
        return Error::new(ErrorCode::TruncatedZip, format!("{message} It begins like one; its end is missing."));
    }
    Error::new(ErrorCode::NotAZip, message)
}

fn check_end_record(bytes: &[u8]) -> Result<()> {
    // The end record is at the end of the file. A comment of at most 64 kB may follow it.
    let earliest = bytes.len().saturating_sub(END_RECORD_BYTES + 0xFFFF);
    let tail = bytes.get(earliest..).unwrap_or_default();
    let last = tail.len().checked_sub(END_RECORD_BYTES).ok_or_else(|| missing_end_record(bytes))?;
    let at = (0..=last)
        .rev()
        .find(|&at| tail.get(at..at + 4) == Some(END_RECORD.as_slice()))
        .map(|at| earliest + at)
        .ok_or_else(|| missing_end_record(bytes))?;
    let field = |offset, width| little_endian(bytes, at + offset, width).ok_or_else(|| missing_end_record(bytes));
    let (disk, directory_disk) = (field(4, 2)?, field(6, 2)?);
    let (entries_here, entries) = (field(8, 2)?, field(10, 2)?);
    let (directory_bytes, directory_start) = (field(12, 4)?, field(16, 4)?);
    let zip64 =
        at.checked_sub(ZIP64_LOCATOR_BYTES).filter(|&at| bytes.get(at..at + 4) == Some(ZIP64_LOCATOR.as_slice()));
    if let Some(locator) = zip64 {
        return check_zip64(bytes, locator);
    }
    if disk != 0 || directory_disk != 0 || entries_here != entries {
        return Err(multi_volume());
    }
    check_directory(bytes, at, directory_start, directory_bytes)?;
    if entries as usize > MAX_ENTRIES {
        return Err(too_many_entries(entries as usize));
    }
    Ok(())
}

fn check_zip64(bytes: &[u8], locator: usize) -> Result<()> {
    if little_endian(bytes, locator + 16, 4) != Some(1) {
        return Err(multi_volume());
    }
    let record = little_endian(bytes, locator + 8, 8).and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
    if record.checked_add(56).is_none_or(|end| end > locator)
        || bytes.get(record..record + 4) != Some(ZIP64_END_RECORD.as_slice())
    {
        return Err(unexpected_signature("the zip64 end of central directory"));
    }
    let entries = little_endian(bytes, record + 32, 8).unwrap_or(u64::MAX);
    if entries > MAX_ENTRIES as u64 {
        return Err(too_many_entries(usize::try_from(entries).unwrap_or(usize::MAX)));
    }
    let start = little_endian(bytes, record + 48, 8).unwrap_or(u64::MAX);
    check_directory(bytes, record, start, little_endian(bytes, record + 40, 8).unwrap_or(u64::MAX))
}

/// Checks the position of the central directory. `end` is the offset of the end record. `start` and `length` are the
/// offset and the size of the directory in bytes, as the end record declares them.
///
/// Other data may precede the zip archive. `start` is then too small, and the directory begins `length` bytes before
/// `end`.
fn check_directory(bytes: &[u8], end: usize, start: u64, length: u64) -> Result<()> {
    let expected = start.saturating_add(length);
    if expected > end as u64 {
        return Err(Error::new(
            ErrorCode::CorruptedZip,
            format!("Corrupted zip: missing {} bytes", expected - end as u64),
        ));
    }
    let is_directory_at = |at: u64| {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        bytes.get(at..at.saturating_add(4)) == Some(CENTRAL_HEADER.as_slice())
    };
    if length > 0 && !is_directory_at(start) && !is_directory_at(end as u64 - length) {
        return Err(unexpected_signature("the central directory"));
    }
    Ok(())
}

fn multi_volume() -> Error {
    Error::new(ErrorCode::MultiVolume, "Multi-volumes zip are not supported")
}

fn too_many_entries(entries: usize) -> Error {
    Error::new(ErrorCode::TooManyEntries, format!("The package has {entries} entries; at most {MAX_ENTRIES} are read."))
}

fn unexpected_signature(record: &str) -> Error {
    Error::new(ErrorCode::CorruptedZip, format!("Corrupted zip or bug: unexpected signature (in {record})"))
}

pub(super) fn encrypted() -> Error {
    Error::new(ErrorCode::EncryptedZip, "Encrypted zip are not supported")
}

pub(super) fn unknown_compression(part: &str, method: &str) -> Error {
    let message = format!("Corrupted zip : compression unknown ({method}, in {part})");
    Error::new(ErrorCode::UnsupportedCompression, message).in_part(part)
}

fn corrupted(part: &str, problem: &str) -> Error {
    Error::new(ErrorCode::CorruptedZip, format!("Corrupted zip: {problem} (in {part})")).in_part(part)
}

pub(super) fn zip_error(error: &ZipError, part: Option<&str>) -> Error {
    let found = match error {
        ZipError::CompressionMethodNotSupported(method) => {
            return unknown_compression(part.unwrap_or("?"), &method.to_string());
        }
        ZipError::UnsupportedArchive(text) if *text == ZipError::PASSWORD_REQUIRED => return encrypted(),
        ZipError::UnsupportedArchive(text) if text.contains("disk") => return multi_volume(),
        ZipError::UnsupportedArchive(feature) => {
            Error::new(ErrorCode::CorruptedZip, format!("{feature} is not supported by this platform"))
        }
        ZipError::InvalidPassword => return encrypted(),
        ZipError::InvalidArchive(text) if text.contains("header") => unexpected_signature(part.unwrap_or("an entry")),
        ZipError::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Error::new(ErrorCode::CorruptedZip, "Corrupted zip: an entry reaches past the end of the file")
        }
        other => Error::new(ErrorCode::CorruptedZip, format!("Corrupted zip: {other}")),
    };
    match part {
        Some(part) => found.in_part(part),
        None => found,
    }
}

/// Returns the error for an OLE compound file ([MS-CFB]). Such a file is a document of Word 97 to 2003 (`.doc`), or a
/// `.docx` with a password.
fn compound_file(bytes: &[u8]) -> Error {
    let has_stream = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        // Directory entries are 128 bytes long and aligned to 128 bytes (§2.6).
        bytes.chunks(128).any(|entry| entry.starts_with(&wide))
    };
    if has_stream("WordDocument") && !has_stream("EncryptedPackage") {
        return Error::new(
            ErrorCode::OldWordDocument,
            "This is a document of Word 97 to 2003 (.doc). Save it in Word as .docx and try again.",
        );
    }
    Error::new(
        ErrorCode::EncryptedDocument,
        "This document is protected with a password. Remove the password in Word and try again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_features_are_named() {
        let error = zip_error(&ZipError::UnsupportedArchive("Zip64 in a spanned archive"), None);
        assert_eq!(error.message, "Zip64 in a spanned archive is not supported by this platform");
    }
}
