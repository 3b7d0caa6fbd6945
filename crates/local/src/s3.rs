//! S3 on a loopback port. A file is on the disk before the response says that it is stored, because a record that refers
//! to it is written next.

use std::fs::File;
use std::io;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use http::{Method, StatusCode, Uri};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use percent_encoding::percent_decode_str;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use waraq_aws::sync_folder;

use crate::faults::Faults;
use crate::loopback;
use crate::rights::{Guard, SharedSecret};

/// Serves the buckets in a folder until `ended`. Each bucket is a subfolder. Callers must sign their requests with
/// `secret`. Returns the address of the service.
pub async fn serve(
    folder: &Path,
    bucket: &str,
    secret: &str,
    guard: Guard,
    faults: Arc<Faults>,
    fronts: &[SocketAddr],
    ended: CancellationToken,
) -> Result<SocketAddr> {
    std::fs::create_dir_all(folder.join(bucket))?;
    let files = FileSystem::new(folder).map_err(|error| anyhow!("{} cannot be opened: {error:?}", folder.display()))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SharedSecret(secret.to_owned()));
    builder.set_access(guard);
    let service = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let root: Arc<Path> = folder.into();
    let addresses: Arc<[SocketAddr]> = [&[address], fronts].concat().into();
    tokio::spawn(async move {
        let http = auto::Builder::new(TokioExecutor::new());
        loop {
            let socket = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((socket, _)) => socket,
                    Err(error) => {
                        tracing::warn!(%error, "a connection to the files failed");
                        continue;
                    }
                },
                () = ended.cancelled() => return,
            };
            let (files, faults, addresses) = (service.clone(), Arc::clone(&faults), Arc::clone(&addresses));
            let root = Arc::clone(&root);
            let ours = service_fn(move |request: hyper::Request<Incoming>| {
                let allowed = loopback::is_for(&addresses, request.headers()).then(|| request.map(s3s::Body::from));
                let (files, faults, root) = (files.clone(), Arc::clone(&faults), Arc::clone(&root));
                async move {
                    let Some(request) = allowed else { return Ok(empty(StatusCode::FORBIDDEN)) };
                    if matches!(*request.method(), Method::GET | Method::HEAD) {
                        return files.call(request).await;
                    }
                    let counted = faults.before_write(false);
                    let stored = stored_file(&root, request.method(), request.uri());
                    let mut answer = files.call(request).await;
                    if let (Some(stored), Ok(response)) = (stored, &answer)
                        && response.status().is_success()
                        && let Err(error) = sync_blocking(stored).await
                    {
                        tracing::error!(%error, "a file could not be written to the disk");
                        answer = Ok(empty(StatusCode::INTERNAL_SERVER_ERROR));
                    }
                    faults.after_write(counted);
                    answer
                }
            });
            let connection = http.serve_connection(TokioIo::new(socket), ours).into_owned();
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection to the files ended");
                }
            });
        }
    });
    Ok(address)
}

fn empty(status: StatusCode) -> hyper::Response<s3s::Body> {
    let mut response = hyper::Response::new(s3s::Body::empty());
    *response.status_mut() = status;
    response
}

/// A stored object: the root of all buckets, and the path of the object's file below it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StoredFile {
    root: PathBuf,
    path: PathBuf,
}

/// Returns the file that a request stores, or `None` if it stores none. A part of an upload is not yet an object: its bytes
/// are copied when the upload is completed.
fn stored_file(root: &Path, method: &Method, uri: &Uri) -> Option<StoredFile> {
    let query = uri.query().unwrap_or_default();
    let named = |name: &str| query.split('&').any(|pair| pair.split('=').next() == Some(name));
    let stores = match *method {
        Method::PUT => !named("uploadId"),
        Method::POST => named("uploadId"),
        _ => false,
    };
    let path = percent_decode_str(uri.path().trim_start_matches('/')).decode_utf8().ok()?;
    let path = PathBuf::from(path.into_owned());
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    (stores && is_below).then(|| StoredFile { root: root.to_owned(), path })
}

async fn sync_blocking(stored: StoredFile) -> io::Result<()> {
    tokio::task::spawn_blocking(move || stored.sync()).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

impl StoredFile {
    /// Writes the object to the disk: its bytes, its attributes (s3s-fs stores them in the root), and the names of both with
    /// all folders in between.
    fn sync(&self) -> io::Result<()> {
        File::open(self.root.join(&self.path))?.sync_all()?;
        for attributes in self.attribute_files() {
            match File::open(attributes) {
                Ok(file) => file.sync_all()?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        self.path.ancestors().skip(1).try_for_each(|folder| sync_folder(&self.root.join(folder)))
    }

    fn attribute_files(&self) -> Vec<PathBuf> {
        let path = self.path.to_string_lossy();
        let Some((bucket, key)) = path.split_once('/') else { return Vec::new() };
        let (bucket, key) = (BASE64URL.encode(bucket), BASE64URL.encode(key));
        let file = |ending: &str| self.root.join(format!(".bucket-{bucket}.object-{key}.{ending}.json"));
        vec![file("metadata"), file("internal")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_files_are_found_by_the_request() {
        let stored = |method: Method, path: &str| {
            stored_file(Path::new("/data"), &method, &path.parse().unwrap()).map(|stored| stored.path)
        };
        assert_eq!(stored(Method::PUT, "/waraq/saved/a%20b.docx?x-id=PutObject"), Some("waraq/saved/a b.docx".into()));
        assert_eq!(stored(Method::POST, "/waraq/snapshots/users?uploadId=1"), Some("waraq/snapshots/users".into()));
        for (method, path) in [
            (Method::PUT, "/waraq/snapshots/users?partNumber=1&uploadId=1"),
            (Method::POST, "/waraq/snapshots/users?uploads"),
            (Method::DELETE, "/waraq/media/1"),
            (Method::PUT, "/waraq/../../etc/passwd"),
        ] {
            assert_eq!(stored(method, path), None, "{path}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let stored = StoredFile { root: root.path().to_owned(), path: "waraq/media/1".into() };
        assert_eq!(stored.sync().unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::create_dir_all(root.path().join("waraq/media")).unwrap();
        std::fs::write(root.path().join("waraq/media/1"), "a").unwrap();
        stored.sync().unwrap();
        let [attributes, _] = stored.attribute_files().try_into().unwrap();
        // s3s-fs names the file of attributes with the bucket and the key in base64.
        assert_eq!(attributes, root.path().join(".bucket-d2FyYXE.object-bWVkaWEvMQ.metadata.json"));
    }
}
