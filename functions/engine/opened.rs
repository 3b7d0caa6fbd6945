//! The templates a warm process has opened, so that filling one again fetches and opens nothing. Bounded in bytes; the one unused
//! longest goes first.

use std::sync::{Arc, Mutex, PoisonError};

use waraq_core::files::Files;
use waraq_core::{Error, Result};
use waraq_engine::Package;

/// Bytes of templates kept, as they are in their files.
const MOST_BYTES: usize = 64_000_000;

/// Bytes kept under a key of the files never change, so what was fetched stays right.
#[derive(Default)]
pub struct Templates {
    /// The one used last stands last.
    kept: Mutex<Vec<Opened>>,
}

struct Opened {
    key: String,
    package: Arc<Package>,
    bytes: usize,
}

impl Templates {
    pub async fn open(&self, files: &dyn Files, key: &str) -> Result<Arc<Package>> {
        if let Some(template) = self.known(key) {
            return Ok(template);
        }
        let bytes = files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))?;
        let package = Arc::new(waraq_engine::open(&bytes).map_err(super::engine_error)?);
        self.keep(Opened { key: key.to_owned(), package: Arc::clone(&package), bytes: bytes.len() });
        Ok(package)
    }

    fn known(&self, key: &str) -> Option<Arc<Package>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|opened| opened.key == key)?;
        let opened = kept.remove(place);
        let package = Arc::clone(&opened.package);
        kept.push(opened);
        Some(package)
    }

    fn keep(&self, opened: Opened) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|known| known.key != opened.key);
        kept.push(opened);
        let mut bytes: usize = kept.iter().map(|opened| opened.bytes).sum();
        while bytes > MOST_BYTES && kept.len() > 1 {
            bytes -= kept.remove(0).bytes;
        }
    }
}
