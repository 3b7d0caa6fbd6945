//! TLS in front of the local services, as AWS's services are reached. Used by `cargo xtask bench cold`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto};

/// Addresses that pass calls on to one service each.
pub struct TlsProxies {
    listeners: [TcpListener; 4],
    keys: TempDir,
}

fn openssl(folder: &Path, arguments: &str) {
    let ran = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output().unwrap();
    assert!(ran.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&ran.stderr));
}

impl TlsProxies {
    pub async fn bind() -> Self {
        let bind = || async { TcpListener::bind("127.0.0.1:0").await.unwrap() };
        let keys = tempfile::tempdir().unwrap();
        let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
        openssl(keys.path(), &format!("{new} -subj /CN=root -keyout root.key -out root.pem"));
        openssl(
            keys.path(),
            &format!(
                "{new} -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE -CA root.pem -CAkey root.key -keyout own.key -out own.pem"
            ),
        );
        Self { listeners: [bind().await, bind().await, bind().await, bind().await], keys }
    }

    pub fn addresses(&self) -> [SocketAddr; 4] {
        self.listeners.each_ref().map(|listener| listener.local_addr().unwrap())
    }

    /// Passes calls on to these addresses (`http://127.0.0.1:…`) as long as this process runs. Returns the certificate
    /// to trust.
    pub async fn serve(self, behind: [&str; 4]) -> PathBuf {
        let keys = self.keys.keep();
        let chain: Vec<CertificateDer<'static>> =
            CertificateDer::pem_file_iter(keys.join("own.pem")).unwrap().map(Result::unwrap).collect();
        let key = PrivateKeyDer::from_pem_file(keys.join("own.key")).unwrap();
        let provider = Arc::new(crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = Arc::new(config.with_no_client_auth().with_single_cert(chain, key).unwrap());
        for (listener, behind) in self.listeners.into_iter().zip(behind) {
            let (acceptor, behind) =
                (TlsAcceptor::from(Arc::clone(&config)), behind.trim_start_matches("http://").to_owned());
            tokio::spawn(async move {
                while let Ok((socket, _)) = listener.accept().await {
                    let (acceptor, behind) = (acceptor.clone(), behind.clone());
                    tokio::spawn(async move {
                        let _ = socket.set_nodelay(true);
                        let Ok(mut secure) = acceptor.accept(socket).await else { return };
                        let Ok(mut plain) = TcpStream::connect(behind).await else { return };
                        let _ = plain.set_nodelay(true);
                        let _ = tokio::io::copy_bidirectional(&mut secure, &mut plain).await;
                    });
                }
            });
        }
        keys.join("root.pem")
    }
}
