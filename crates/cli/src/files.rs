//! Reads and writes files. The name `-` is standard input or standard output.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use crate::Failure;

/// Reads a file, or standard input if the path is `-`.
pub fn read_file(path: &OsStr) -> Result<Vec<u8>, Failure> {
    let outcome = if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    outcome.map_err(|error| Failure::File(format!("cannot read {}: {error}", path.to_string_lossy())))
}

/// Writes a file, or writes to standard output if the path is `-`.
pub fn write_file(path: &OsStr, bytes: &[u8]) -> Result<(), Failure> {
    if path == "-" {
        return to_stdout(bytes);
    }
    std::fs::write(path, bytes)
        .map_err(|error| Failure::File(format!("cannot write {}: {error}", path.to_string_lossy())))
}

/// Creates the output folder `path` if it is missing, and returns its path.
pub fn create_folder(path: &OsString) -> Result<&Path, Failure> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure::File(format!("cannot make the folder {}: {error}", path.to_string_lossy())))?;
    Ok(Path::new(path))
}

pub fn print(text: &str) -> Result<(), Failure> {
    to_stdout(text.as_bytes())
}

fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        // the reader closed the pipe early, which is not an error
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(|error| Failure::File(format!("cannot write: {error}"))),
    }
}
