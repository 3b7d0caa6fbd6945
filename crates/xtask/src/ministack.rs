//! An emulator of AWS for the tests of the adapters: `ministack`, from PyPI, in a virtual environment of its own under target/.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::steps::{check, command, target_dir};

/// `cryptography` signs the tokens of its pools.
const PACKAGES: [&str; 2] = ["ministack==1.5.33", "cryptography==50.0.2"];

/// On a busy machine it takes its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running emulator; dropped, it ends.
pub struct Ministack {
    process: Child,
    pub address: SocketAddr,
}

fn folder() -> PathBuf {
    target_dir().join("ministack")
}

/// Makes the virtual environment unless it has these very packages.
pub fn install() -> Result<()> {
    let (stamp, wanted) = (folder().join("packages"), PACKAGES.join("\n"));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let path = folder();
    check(command("python3", &["-m", "venv", "--clear"]).arg(&path))?;
    let pip = path.join("bin/pip");
    let quiet = ["install", "--quiet", "--disable-pip-version-check"];
    check(command(&pip.to_string_lossy(), &quiet).args(PACKAGES))?;
    fs::write(stamp, wanted)?;
    Ok(())
}

impl Ministack {
    /// Starts it on a free port of this machine alone, and waits until it is ready.
    pub fn start() -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let log = File::create(folder().join("log"))?;
        let process = Command::new(folder().join("bin/ministack"))
            .current_dir(folder())
            .env("BIND_HOST", "127.0.0.1")
            .env("GATEWAY_PORT", address.port().to_string())
            // Ports of their own that nothing here needs.
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
                bail!("ministack ended with {status}, see {}", folder().join("log").display());
            }
            if began.elapsed() > PATIENCE {
                bail!("ministack is not ready after {} s, see {}", PATIENCE.as_secs(), folder().join("log").display());
            }
            sleep(Duration::from_millis(100));
        }
        Ok(started)
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
