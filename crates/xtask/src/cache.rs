//! Files that xtask makes once and reuses. This module has fingerprints of their inputs, stamp files that store the
//! fingerprints, and [`replace_folder`], which never leaves an incomplete folder.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Returns the folder for downloads that all checkouts share: `$XDG_CACHE_HOME/waraq`, or `~/.cache/waraq`.
pub fn user_cache() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    Ok(folder.context("neither HOME nor XDG_CACHE_HOME is set")?.join("waraq"))
}

/// A hash of all inputs of a cached result.
#[derive(Default)]
pub struct Fingerprint(DefaultHasher);

impl Fingerprint {
    pub fn add(mut self, input: impl Hash) -> Self {
        input.hash(&mut self.0);
        self
    }

    /// Adds the content of a file, or the names and contents of all files below a folder. Entries named in `skipped` are left out.
    pub fn add_path(mut self, path: &Path, skipped: &[&str]) -> Result<Self> {
        hash_path(path, skipped, &mut self.0).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(self)
    }

    /// Returns the hash as 16 hexadecimal digits.
    pub fn finish(&self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

fn hash_path(path: &Path, skipped: &[&str], hasher: &mut DefaultHasher) -> std::io::Result<()> {
    if !path.is_dir() {
        fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let mut entries: Vec<_> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        if skipped.iter().any(|skip| name == *skip) {
            continue;
        }
        name.hash(hasher);
        hash_path(&entry.path(), skipped, hasher)?;
    }
    Ok(())
}

/// A file next to a cached result. It contains the fingerprint of the result's inputs. It is written last, so an
/// interrupted step is repeated.
pub struct Stamp(PathBuf);

impl Stamp {
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    pub fn matches(&self, fingerprint: &str) -> bool {
        fs::read_to_string(&self.0).is_ok_and(|kept| kept == fingerprint)
    }

    pub fn write(&self, fingerprint: &str) -> Result<()> {
        fs::write(&self.0, fingerprint).with_context(|| format!("cannot write {}", self.0.display()))
    }

    pub fn delete(&self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Suffix of the name of a folder that is being filled. The id of the process comes before it.
const UNFINISHED: &str = "part";

/// Replaces the content of `folder` by the files that `fill` writes. `fill` gets a temporary folder in the same parent, which is
/// renamed to `folder` at the end, so `folder` is always complete. First deletes temporary folders of killed processes.
pub fn replace_folder<T>(folder: &Path, fill: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let parent = folder.parent().context("the folder has no parent")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    remove_interrupted(folder)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = parent.join(format!("{name}.{}.{UNFINISHED}", std::process::id()));
    fs::create_dir_all(&unfinished)?;
    let filled = fill(&unfinished).inspect_err(|_| {
        let _ = fs::remove_dir_all(&unfinished);
    })?;
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    fs::rename(&unfinished, folder)?;
    Ok(filled)
}

/// Deletes the temporary folders that earlier calls of [`replace_folder`] left because their process was killed.
fn remove_interrupted(folder: &Path) -> Result<()> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else { return Ok(()) };
    let name = name.to_string_lossy();
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let found = entry.file_name().to_string_lossy().into_owned();
        let middle = found.strip_prefix(&*name).and_then(|rest| rest.strip_prefix('.'));
        let process = middle.and_then(|rest| rest.strip_suffix(UNFINISHED)).and_then(|rest| rest.strip_suffix('.'));
        if process.and_then(|id| id.parse().ok()).is_some_and(|id| !is_running(id)) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Returns `true` if a process with this id exists. Without `/proc`, every process is assumed to exist, so that no
/// folder in use is deleted.
fn is_running(process: u32) -> bool {
    !Path::new("/proc/self").exists() || Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn folder_is_replaced_atomically() {
        let parent = Folder::new();
        let folder = parent.join("kept");
        replace_folder(&folder, |new| Ok(fs::write(new.join("file"), "one")?)).unwrap();
        let failed: Result<()> = replace_folder(&folder, |new| {
            fs::write(new.join("file"), "two")?;
            anyhow::bail!("no network")
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), "one");
        assert_eq!(fs::read_dir(&*parent).unwrap().count(), 1, "the temporary folder is deleted");
    }

    #[test]
    fn only_folders_of_ended_processes_are_deleted() {
        let parent = Folder::new();
        let killed = parent.join("kept.999999999.part");
        let running = parent.join(format!("kept.{}.part", std::process::id()));
        fs::create_dir_all(&killed).unwrap();
        fs::create_dir_all(&running).unwrap();
        remove_interrupted(&parent.join("kept")).unwrap();
        assert!(!killed.exists());
        assert!(running.exists());
    }

    #[test]
    fn a_fingerprint_changes_with_names_and_contents() {
        let folder = Folder::new();
        let of = |folder: &Path| Fingerprint::default().add_path(folder, &["skipped"]).unwrap().finish();
        fs::write(folder.join("a"), "1").unwrap();
        let first = of(&folder);
        fs::create_dir(folder.join("skipped")).unwrap();
        assert_eq!(of(&folder), first);
        fs::rename(folder.join("a"), folder.join("b")).unwrap();
        let renamed = of(&folder);
        assert_ne!(renamed, first);
        fs::write(folder.join("b"), "2").unwrap();
        assert_ne!(of(&folder), renamed);
    }
}
