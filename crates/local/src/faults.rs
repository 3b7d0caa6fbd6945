//! What goes wrong on purpose, for tests: transactions that are refused as conflicting, and a process that is killed (-9) in the middle
//! of taking an account away.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde_json::{Value, json};

/// What is to go wrong; nothing, but in tests.
#[derive(Debug, Clone, Copy, Default)]
pub struct FaultSettings {
    /// Every so manieth transaction is refused with TransactionConflict.
    pub conflict_every: Option<u32>,
    pub kill: Option<Kill>,
}

/// When the process is killed: at which write to table or bucket, counted from the one that begins to take an account away.
#[derive(Debug, Clone, Copy)]
pub struct Kill {
    /// From 1.
    pub write: u32,
    /// Whether that write is carried out before.
    pub after: bool,
}

#[derive(Debug, Default)]
pub struct Faults {
    settings: FaultSettings,
    transactions: AtomicU32,
    /// An account has begun to be taken away.
    begun: AtomicBool,
    writes: AtomicU32,
}

/// The number of a write, where they are counted.
#[derive(Debug, Clone, Copy)]
pub struct Counted(Option<u32>);

impl Faults {
    pub fn new(settings: FaultSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// The refusal of a transaction, if this one is to be refused.
    pub fn conflict(&self, body: &[u8]) -> Option<String> {
        let every = self.settings.conflict_every?;
        let number = self.transactions.fetch_add(1, Ordering::SeqCst) + 1;
        if !number.is_multiple_of(every.max(1)) {
            return None;
        }
        let asked: Value = serde_json::from_slice(body).ok()?;
        let writes = asked.get("TransactItems")?.as_array()?.len();
        // One reason for each write, in their order: the last has met another transaction.
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

    /// Before a write. `begins`: it is the one that begins to take an account away.
    pub fn before_write(&self, begins: bool) -> Counted {
        let Some(kill) = self.settings.kill else { return Counted(None) };
        if !self.begun.fetch_or(begins, Ordering::SeqCst) && !begins {
            return Counted(None);
        }
        let number = self.writes.fetch_add(1, Ordering::SeqCst) + 1;
        if number == kill.write && !kill.after {
            die();
        }
        Counted(Some(number))
    }

    /// After it was carried out.
    pub fn after_write(&self, counted: Counted) {
        if let (Some(kill), Counted(Some(number))) = (self.settings.kill, counted)
            && kill.after
            && number == kill.write
        {
            die();
        }
    }
}

/// Nothing of this process runs any more; and if no `kill` is there, nothing either.
fn die() {
    let killed = std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
    if killed.is_ok() {
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
    std::process::abort();
}
