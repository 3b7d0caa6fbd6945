//! Fault injection for tests: transactions that fail with a conflict, and a process killed (`kill -9`) in the middle of
//! an account deletion.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde_json::{Value, json};

/// The faults to inject. The default injects none.
#[derive(Debug, Clone, Copy, Default)]
pub struct FaultSettings {
    /// Every n-th transaction is refused with TransactionConflict. `None` means that no transaction is refused.
    pub conflict_every: Option<u32>,
    pub kill: Option<KillPoint>,
}

/// The write at which the process is killed. Writes to the table and the bucket are counted together, from the first
/// write of an account deletion.
#[derive(Debug, Clone, Copy)]
pub struct KillPoint {
    /// The write at which the process is killed: 1 for the first counted write, 2 for the second, and so on.
    pub write: u32,
    /// If true, the process is killed after the write instead of before it.
    pub after: bool,
}

#[derive(Debug, Default)]
pub struct Faults {
    settings: FaultSettings,
    transactions: AtomicU32,
    /// True after an account deletion has started.
    begun: AtomicBool,
    writes: AtomicU32,
}

/// The number of a write, or `None` if writes are not counted.
#[derive(Debug, Clone, Copy)]
pub struct WriteNumber(Option<u32>);

impl Faults {
    pub fn new(settings: FaultSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Counts a transaction. Returns the error response if this transaction must fail, otherwise `None`.
    pub fn conflict(&self, body: &[u8]) -> Option<String> {
        let every = self.settings.conflict_every?;
        let number = self.transactions.fetch_add(1, Ordering::SeqCst) + 1;
        if !number.is_multiple_of(every.max(1)) {
            return None;
        }
        let asked: Value = serde_json::from_slice(body).ok()?;
        let writes = asked.get("TransactItems")?.as_array()?.len();
        // DynamoDB gives one reason for each write, in the order of the writes. Here the last write has the conflict.
        let reason = |place: usize| match place + 1 == writes {
            true => json!({ "Code": "TransactionConflict", "Message": "Transaction is ongoing for the item" }),
            false => json!({ "Code": "None" }),
        };
        let reasons: Vec<Value> = (0..writes).map(reason).collect();
        let refusal = json!({
            "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
            "message": "Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]",
            "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]",
            "CancellationReasons": reasons,
        });
        Some(refusal.to_string())
    }

    /// Counts a write, and kills the process if this is the write of the [`KillPoint`]. Must be called before each
    /// write. `begins` is `true` for the write that starts an account deletion.
    pub fn before_write(&self, begins: bool) -> WriteNumber {
        let Some(kill) = self.settings.kill else { return WriteNumber(None) };
        if !self.begun.fetch_or(begins, Ordering::SeqCst) && !begins {
            return WriteNumber(None);
        }
        let number = self.writes.fetch_add(1, Ordering::SeqCst) + 1;
        if number == kill.write && !kill.after {
            die();
        }
        WriteNumber(Some(number))
    }

    /// Kills the process if this write is the one of the [`KillPoint`]. Must be called after each write.
    pub fn after_write(&self, counted: WriteNumber) {
        if let (Some(kill), WriteNumber(Some(number))) = (self.settings.kill, counted)
            && kill.after
            && number == kill.write
        {
            die();
        }
    }
}

/// Ends this process as `kill -9` does: nothing is flushed or cleaned up.
fn die() {
    #[cfg(unix)]
    let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), nix::sys::signal::Signal::SIGKILL);
    std::process::abort();
}
