//! The system clock and the system's source of randomness.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use ring::rand::{SecureRandom, SystemRandom};
use waraq_core::{Clock, RandomSource, Timestamp};

/// The system clock.
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

/// The cryptographically secure random source of the system.
pub struct SystemRandomSource;

impl RandomSource for SystemRandomSource {
    fn fill_bytes(&self, bytes: &mut [u8]) {
        // The source fails only if the system has none. The process then stops, because no key or code may be made from
        // bytes that are not random.
        if SystemRandom::new().fill(bytes).is_err() {
            tracing::error!("the system's source of random bytes failed");
            std::process::abort();
        }
    }
}

/// Returns a random number from 0 to `below` - 1, for spreading load. Do not use it for secrets.
pub fn random_below(below: u8) -> u8 {
    let mut byte = [0u8];
    SystemRandomSource.fill_bytes(&mut byte);
    byte[0] % below.max(1)
}

/// Waits after a write conflict, with exponential back-off and jitter. `attempt` starts at 0. The wait always uses the
/// system clock, even in tests with another clock, because concurrent writers need real time to finish.
pub async fn back_off(attempt: u32) {
    let most = 5u64 << attempt.min(5);
    SystemClock.wait(most / 2 + most * u64::from(random_below(255)) / 510).await;
}
