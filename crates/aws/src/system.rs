//! The machine's clock and its source of chance.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use ring::rand::{SecureRandom, SystemRandom};
use waraq_core::{Chance, Clock, Timestamp};

/// The machine's clock.
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    async fn wait(&self, milliseconds: u64) {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }
}

/// The system's secure source.
pub struct SystemChance;

impl Chance for SystemChance {
    fn fill(&self, bytes: &mut [u8]) {
        // The system's source fails only where it is not there at all; nothing may then be made of what is not chance.
        if SystemRandom::new().fill(bytes).is_err() {
            tracing::error!("no secure chance");
            std::process::abort();
        }
    }
}

/// A number from 0 to `below` - 1, for spreading load: not for secrets.
pub fn spread(below: u8) -> u8 {
    let mut byte = [0u8];
    SystemChance.fill(&mut byte);
    byte[0] % below.max(1)
}

/// Waits before the `attempt`th try (from 0), a while that chance and the attempt make longer. By the machine's clock, whatever a
/// test's says: others that write at the same time are to get on meanwhile.
pub async fn pause(attempt: u32) {
    let most = 5u64 << attempt.min(5);
    SystemClock.wait(most / 2 + most * u64::from(spread(255)) / 510).await;
}
