//! Checks that no log line of the whole run contains a password, code, token or address.
//!
//! The logs of all test servers are checked here, from the start of the first one. A line with a secret fails the test
//! that is running then and every test after it.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};

use tracing_subscriber::EnvFilter;

#[derive(Default)]
struct Watch {
    secrets: HashSet<String>,
    lines: usize,
    leaking_lines: Vec<String>,
}

static WATCH: LazyLock<Mutex<Watch>> = LazyLock::new(Mutex::default);

fn state() -> MutexGuard<'static, Watch> {
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a secret that no log line may contain from now on.
pub fn register_secret(secret: &str) {
    if secret.len() >= 6 {
        state().secrets.insert(secret.to_owned());
    }
}

/// Checks one log line.
pub fn check_line(line: &str) {
    let mut watch = state();
    watch.lines += 1;
    if contains_secret(&watch.secrets, line) {
        watch.leaking_lines.push(line.to_owned());
    }
}

struct Watcher;

impl Write for Watcher {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        String::from_utf8_lossy(bytes).lines().for_each(check_line);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns true if a line contains a secret, an address (anything with @) or a token. A token begins with `eyJ`, which
/// is the beginning of a JSON object in base64.
pub fn contains_secret(secrets: &HashSet<String>, line: &str) -> bool {
    line.contains('@') || line.contains("eyJ") || secrets.iter().any(|secret| contains(line, secret))
}

/// Returns true if a line contains the secret. A code of digits counts only if no letter or digit is next to it,
/// because the random id of a request contains digits too.
fn contains(line: &str, secret: &str) -> bool {
    let code = secret.bytes().all(|byte| byte.is_ascii_digit());
    let part_of_a_name =
        |beside: Option<char>| code && beside.is_some_and(|character| character.is_ascii_alphanumeric());
    line.match_indices(secret).any(|(at, found)| {
        let (before, after) = (&line[..at], &line[at + found.len()..]);
        !part_of_a_name(before.chars().next_back()) && !part_of_a_name(after.chars().next())
    })
}

/// Listens to everything that this process logs: the product's own levels, and all levels of the repository's crates.
pub fn install_log_check() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let filter = "info,s3s=warn,s3s_fs=warn,dynoxide=warn,functions=trace,waraq_core=trace,waraq_aws=trace,waraq_local=trace";
        // The time is left out, because its digits could be taken for a code.
        let format = tracing_subscriber::fmt().json().flatten_event(true).without_time();
        format.with_env_filter(EnvFilter::new(filter)).with_writer(|| Watcher).init();
    });
}

pub fn assert_no_secret_logged() {
    let telling = state().leaking_lines.clone();
    assert!(telling.is_empty(), "log lines tell secrets: {telling:#?}");
}

#[tokio::test]
async fn every_log_line_is_checked_for_secrets() {
    let server = crate::test_server::TestServer::new().await;
    let before = state().lines;
    server.registered("amina@example.org", "a most secret password").await;
    server.api.login("amina@example.org", "a most secret password").await;
    assert!(state().lines > before, "the log is not checked");
    let secrets = HashSet::from(["012345".to_owned()]);
    assert!(
        contains_secret(&secrets, r#"{"code":"012345"}"#)
            && contains_secret(&secrets, "to a@b")
            && !contains_secret(&secrets, r#"{"status":200}"#)
    );
    assert!(
        !contains_secret(&secrets, r#"{"request":"01m80123454ezfdwx59ntartaj"}"#),
        "digits inside a random id are not a code"
    );
}
