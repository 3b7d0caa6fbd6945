//! Writing of a package.

use std::io::{Cursor, Write};

use waraq_rules::ErrorCode;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::{Package, Part, names};
use crate::{Error, Result};

impl Package {
    /// Returns the package as the bytes of a `.docx` file.
    ///
    /// Entries keep their order. Unchanged entries are copied without recompression. Changed entries are deflated and
    /// dated 1980-01-01, so equal packages give equal bytes. New parts come last.
    ///
    /// Backslashes in part names are replaced by slashes. Word accepts backslashes, but other programs do not.
    ///
    /// # Errors
    /// Returns `internal` if the archive cannot be written. If the content of a changed part cannot be read, returns the
    /// error of that part.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let failed = |error: zip::result::ZipError| {
            Error::new(ErrorCode::Internal, format!("The document cannot be written: {error}"))
        };
        let mut source = self.archive.clone();
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        let mut parts = self.parts.iter().peekable();
        let write_part = |writer: &mut ZipWriter<_>, part: &Part| {
            writer.start_file(part.name.as_str(), options).map_err(failed)?;
            let content = self.part_content(part)?;
            writer.write_all(content).map_err(|error| failed(error.into()))
        };
        for entry in 0..source.len() {
            let part = parts.next_if(|part| part.entry == entry);
            match part {
                Some(part) if part.changed => write_part(&mut writer, part)?,
                Some(part) => {
                    let file = source.by_index_raw(entry).map_err(failed)?;
                    if file.name_raw() == part.name.as_bytes() {
                        writer.raw_copy_file(file).map_err(failed)?;
                    } else {
                        writer.raw_copy_file_rename(file, part.name.as_str()).map_err(failed)?;
                    }
                }
                // The entry is a folder or a removed part. Packages do not need folders, so a folder is kept only if its
                // name is safe.
                None => {
                    let file = source.by_index_raw(entry).map_err(failed)?;
                    let has_safe_name = file.name().is_ok_and(|name| {
                        name.ends_with('/')
                            && !name.contains('\\')
                            && names::from_zip_entry(&format!("{name}x")).is_ok()
                    });
                    if has_safe_name {
                        writer.raw_copy_file(file).map_err(failed)?;
                    }
                }
            }
        }
        for part in parts {
            write_part(&mut writer, part)?;
        }
        Ok(writer.finish().map_err(failed)?.into_inner())
    }
}
