//! Helpers for xtask's own tests: temporary folders, and scripts that replace programs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A new empty folder, deleted at the end of the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = crate::steps::target_dir().join("xtask-tests").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes a shell script that can be started. Another process writes it, because a file that this process has open for
/// writing could not be started by a test that runs at the same time.
pub fn script(path: &Path, lines: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "/bin/cat > \"$0\" && /bin/chmod +x \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    shell.stdin.take().unwrap().write_all(format!("#!/bin/sh\n{lines}\n").as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
}
