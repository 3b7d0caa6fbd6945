//! The data folder of the local server. Only one process at a time may use it. It also contains the keys of the
//! installation, which are generated at the first start.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use waraq_aws::write_durably;

/// The data folder, locked while this value exists. The system releases the lock when the process ends for any reason.
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Opens the folder, and creates it if it is missing. If another process holds the folder, waits at most
    /// `LOCK_TIMEOUT` for that process to end, then fails. Removes the permissions of other users from the files in the
    /// folder. Other users cannot access files that this process creates later either.
    pub fn open(path: &Path) -> Result<Self> {
        #[cfg(unix)]
        nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
        std::fs::create_dir_all(path).with_context(|| format!("the data folder {} cannot be made", path.display()))?;
        let lock_path = path.join("lock");
        let lock = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&lock_path);
        let lock = lock.with_context(|| format!("{} cannot be opened", lock_path.display()))?;
        match lock_within(&lock, LOCK_TIMEOUT) {
            Ok(()) => {
                restrict_permissions(path)?;
                Ok(Self { path: path.to_owned(), _lock: lock })
            }
            Err(TryLockError::WouldBlock) => {
                bail!(
                    "{} is in use: Waraq is running on it already. Stop that one, or name another folder with --data.",
                    path.display()
                )
            }
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("{} cannot be locked", lock_path.display()))
            }
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns the content of a file. If the file does not exist, first writes it with the content that `make` returns.
    pub fn read_or_create(&self, name: &str, make: impl FnOnce() -> Vec<u8>) -> Result<Vec<u8>> {
        if let Some(bytes) = self.read_file(name)? {
            return Ok(bytes);
        }
        let bytes = make();
        self.write_file(name, &bytes)?;
        Ok(bytes)
    }

    /// Reads a file. Returns `None` if the file does not exist.
    pub fn read_file(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path(name);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    /// Deletes a file if it exists.
    pub fn delete_file(&self, name: &str) -> Result<()> {
        let path = self.path(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} cannot be taken away", path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Writes a file atomically, readable by its owner only. It is on the disk when this function returns.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let (path, half) = (self.path(name), self.path(&format!("{name}.new")));
        write_durably(&path, &half, bytes).with_context(|| format!("{} cannot be written", path.display()))
    }
}

/// Time to wait for the lock while the process that holds it is ending. A new child process also holds its parent's
/// lock, until the program of the child runs.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

fn lock_within(file: &File, patience: Duration) -> Result<(), TryLockError> {
    let until = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
            result => return result,
        }
    }
}

/// Removes the permissions of group and others from a folder and everything in it. Symbolic links are not followed. A file that
/// does not exist any more is skipped: SQLite deletes its write-ahead log when the last connection of an ending process closes.
#[cfg(unix)]
fn restrict_permissions(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let failed = || format!("{} cannot be made its owner's alone", path.display());
    let metadata = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata.with_context(failed)?,
    };
    if metadata.is_symlink() {
        return Ok(());
    }
    let mode = metadata.permissions().mode();
    if mode & 0o077 != 0 {
        match std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o700)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            changed => changed.with_context(failed)?,
        }
    }
    if metadata.is_dir() {
        for entry in std::fs::read_dir(path).with_context(failed)? {
            restrict_permissions(&entry.with_context(failed)?.path())?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn restrict_permissions(_: &Path) -> Result<()> {
    Ok(())
}
