//! The emulator of AWS for tests and benchmarks: `ministack` from PyPI, in its own virtual environment under target/.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::python::Environment;

/// The Python packages of the emulator. `cryptography` signs the tokens of Cognito's pools. `aws-sam-translator`
/// expands templates of SAM, as CloudFormation does for `sam deploy`.
pub const ENVIRONMENT: Environment = Environment {
    name: "ministack",
    packages: &["ministack==1.5.33", "cryptography==50.0.2", "aws-sam-translator==1.115.0"],
};

/// Maximum time until the emulator is ready. It takes about 1.3 s; a busy machine may need longer.
const READY_LIMIT: Duration = Duration::from_secs(120);

/// A running emulator. It is ended when this value is dropped.
pub struct Ministack {
    process: Child,
    pub address: SocketAddr,
}

pub fn install() -> Result<()> {
    ENVIRONMENT.install()
}

impl Ministack {
    /// Starts an emulator on a free port of 127.0.0.1 and waits until it is ready.
    pub fn start() -> Result<Self> {
        Self::at(0)
    }

    /// Starts an emulator on the given port of 127.0.0.1. Functions that it runs use the services of the same emulator.
    pub fn at(port: u16) -> Result<Self> {
        let address = TcpListener::bind(("127.0.0.1", port)).with_context(|| format!("port {port}"))?.local_addr()?;
        let log = File::create(ENVIRONMENT.folder().join("log"))?;
        let process = Command::new(ENVIRONMENT.program("ministack"))
            .current_dir(ENVIRONMENT.folder())
            .env("BIND_HOST", "127.0.0.1")
            .env("GATEWAY_PORT", address.port().to_string())
            .env("AWS_ENDPOINT_URL", format!("http://{address}"))
            // These two services would listen on further ports.
            .env("IOT_MTLS_ENABLED", "0")
            .env("SFTP_ENABLED", "0")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("ministack cannot be started")?;
        let mut started = Self { process, address };
        let began = Instant::now();
        while !healthy(address) {
            if let Some(status) = started.process.try_wait()? {
                bail!("ministack ended with {status}, see {}", ENVIRONMENT.folder().join("log").display());
            }
            if began.elapsed() > READY_LIMIT {
                bail!(
                    "ministack is not ready after {} s, see {}",
                    READY_LIMIT.as_secs(),
                    ENVIRONMENT.folder().join("log").display()
                );
            }
            sleep(Duration::from_millis(100));
        }
        Ok(started)
    }

    /// Waits until the emulator ends, which is an error.
    pub fn wait(mut self) -> Result<()> {
        let status = self.process.wait()?;
        bail!("ministack ended with {status}, see {}", ENVIRONMENT.folder().join("log").display())
    }
}

impl Drop for Ministack {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn healthy(address: SocketAddr) -> bool {
    let asked = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(stream, "GET /_ministack/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut status = [0u8; 12];
        stream.read_exact(&mut status)?;
        Ok(String::from_utf8_lossy(&status).into_owned())
    };
    asked().is_ok_and(|status| status == "HTTP/1.1 200")
}
