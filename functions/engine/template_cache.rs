//! A cache of the templates this process has opened. Its size is limited in bytes, and the least recently used template
//! is evicted first. Concurrent requests for the same template share one fetch.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;
use waraq_core::files::Files;
use waraq_core::{Error, Result};
use waraq_engine::Package;

/// Limit of the cache in bytes, measured by the size of the template files.
const MOST_BYTES: usize = 64_000_000;

/// Opened templates by the key of their file. The file under a key never changes, so a cached template never becomes
/// stale.
#[derive(Default)]
pub struct TemplateCache {
    /// Templates with their keys, the most recently used one at the end.
    entries: Mutex<Vec<(String, Arc<OnceCell<CachedTemplate>>)>>,
}

struct CachedTemplate {
    package: Arc<Package>,
    bytes: usize,
}

impl TemplateCache {
    pub async fn open(&self, files: &dyn Files, key: &str) -> Result<Arc<Package>> {
        let place = self.slot(key);
        let opened = place.get_or_try_init(|| fetch_template(files, key)).await;
        let package = opened.map(|opened| Arc::clone(&opened.package));
        drop(place);
        self.evict();
        package
    }

    /// Returns the cache entry of a key, and creates it if it is missing. The entry becomes the most recently used one.
    fn slot(&self, key: &str) -> Arc<OnceCell<CachedTemplate>> {
        let mut kept = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| known == key).map(|place| kept.remove(place));
        let (key, place) = known.unwrap_or_else(|| (key.to_owned(), Arc::default()));
        kept.push((key, Arc::clone(&place)));
        place
    }

    /// Removes entries whose template could not be opened, and then the least recently used templates until the cache
    /// is within its limit.
    fn evict(&self) {
        let mut kept = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, place)| place.initialized() || Arc::strong_count(place) > 1);
        let size = |place: &OnceCell<CachedTemplate>| place.get().map_or(0, |opened| opened.bytes);
        let mut bytes: usize = kept.iter().map(|(_, place)| size(place)).sum();
        while bytes > MOST_BYTES && kept.len() > 1 {
            bytes -= size(&kept.remove(0).1);
        }
    }
}

async fn fetch_template(files: &dyn Files, key: &str) -> Result<CachedTemplate> {
    let file = files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))?;
    let bytes = file.len();
    let package = tokio::task::spawn_blocking(move || waraq_engine::open(&file).map_err(super::engine_error));
    let package = package.await.map_err(|_| Error::internal("opening a template panicked"))??;
    Ok(CachedTemplate { package: Arc::new(package), bytes })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use futures_util::future::join_all;

    use super::*;

    /// Counts fetches of files.
    struct Counting(AtomicUsize);

    #[async_trait]
    impl Files for Counting {
        async fn put(&self, _: &str, _: &'static str, _: Vec<u8>) -> Result<()> {
            Ok(())
        }

        async fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
            self.0.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            Ok((key == "there").then(|| waraq_catalogue::templates().remove(0).docx))
        }

        async fn upload(&self, _: &str, _: &'static str) -> Result<Box<dyn waraq_core::files::Upload + '_>> {
            Err(Error::internal("nothing is kept here"))
        }

        async fn remove_all(&self, _: &str) -> Result<()> {
            Ok(())
        }

        async fn remove(&self, _: &str) -> Result<()> {
            Ok(())
        }

        async fn link(&self, _: &str, _: &str) -> Result<String> {
            Ok(String::new())
        }
    }

    #[tokio::test]
    async fn concurrent_opens_fetch_the_file_once() {
        let (templates, files) = (TemplateCache::default(), Counting(AtomicUsize::new(0)));
        let all = join_all((0..20).map(|_| templates.open(&files, "there"))).await;
        assert!(all.iter().all(Result::is_ok));
        assert_eq!(files.0.load(Ordering::SeqCst), 1);
        assert!(templates.open(&files, "not there").await.is_err());
        assert_eq!(templates.entries.lock().unwrap().len(), 1, "failed opens are not cached");
    }
}
