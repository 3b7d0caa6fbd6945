//! The templates a warm process has fetched, so that filling one again fetches nothing. Bounded in bytes; the one unused
//! longest goes first.

use std::sync::{Arc, Mutex, PoisonError};

use waraq_core::files::Files;
use waraq_core::{Error, Result};

/// Bytes of templates kept.
const MOST_BYTES: usize = 64_000_000;

/// Bytes kept under a key of the files never change, so what was fetched stays right.
#[derive(Default)]
pub struct Templates {
    /// The one used last stands last.
    kept: Mutex<Vec<(String, Arc<Vec<u8>>)>>,
}

impl Templates {
    pub async fn open(&self, files: &dyn Files, key: &str) -> Result<Arc<Vec<u8>>> {
        if let Some(template) = self.known(key) {
            return Ok(template);
        }
        let bytes = files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))?;
        let template = Arc::new(bytes);
        self.keep(key, &template);
        Ok(template)
    }

    fn known(&self, key: &str) -> Option<Arc<Vec<u8>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        let entry = kept.remove(place);
        let template = Arc::clone(&entry.1);
        kept.push(entry);
        Some(template)
    }

    fn keep(&self, key: &str, template: &Arc<Vec<u8>>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| known != key);
        kept.push((key.to_owned(), Arc::clone(template)));
        let mut bytes: usize = kept.iter().map(|(_, template)| template.len()).sum();
        while bytes > MOST_BYTES && kept.len() > 1 {
            let (_, dropped) = kept.remove(0);
            bytes -= dropped.len();
        }
    }
}
