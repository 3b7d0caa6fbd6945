//! A cache of the templates that this process has opened. Its size is limited in bytes. Concurrent requests for the same
//! template share one fetch.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use waraq_core::files::Files;
use waraq_core::{Error, Result};
use waraq_engine::Package;

/// Limit of the cache in bytes, measured by the size of the template files.
const MOST_BYTES: u64 = 64_000_000;
/// Expected number of templates in the cache, for the initial size of its index.
const EXPECTED_TEMPLATES: usize = 100;

/// Opened templates by the key of their file. The file under a key never changes, so a cached template never becomes
/// stale.
pub struct TemplateCache(Cache<String, CachedTemplate, FileSize>);

#[derive(Clone)]
struct CachedTemplate {
    package: Arc<Package>,
    bytes: u64,
}

#[derive(Clone)]
struct FileSize;

impl Weighter<String, CachedTemplate> for FileSize {
    fn weight(&self, _: &String, template: &CachedTemplate) -> u64 {
        template.bytes
    }
}

impl Default for TemplateCache {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED_TEMPLATES, MOST_BYTES, FileSize))
    }
}

impl TemplateCache {
    pub async fn open(&self, files: &dyn Files, key: &str) -> Result<Arc<Package>> {
        Ok(self.0.get_or_insert_async(key, fetch_template(files, key)).await?.package)
    }
}

async fn fetch_template(files: &dyn Files, key: &str) -> Result<CachedTemplate> {
    let file = files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))?;
    let bytes = file.len() as u64;
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
        assert_eq!(templates.0.len(), 1, "failed opens are not cached");
    }
}
