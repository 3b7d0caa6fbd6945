//! Files on the local disk that must survive a power failure.

use std::fs::{File, OpenOptions};
use std::io::{Result, Write};
use std::path::Path;

/// Writes a file atomically, readable by its owner only. When this function returns, content and name of the file are on
/// the disk. `half` is the path under which the file is written first; it must be in the same folder.
pub fn write_durably(path: &Path, half: &Path, bytes: &[u8]) -> Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(half)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(half, path)?;
    match path.parent() {
        Some(folder) => sync_folder(folder),
        None => Ok(()),
    }
}

/// Writes the names of the files in a folder to the disk. Only Unix has this operation.
pub fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
