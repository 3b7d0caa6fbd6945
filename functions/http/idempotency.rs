//! The header Idempotency-Key.

use super::{Call, Error, Extract};

/// The caller's own name for what it asks: the same key gives the same answer and does the thing once.
#[derive(Debug, Clone)]
pub struct IdempotencyKey(pub Option<String>);

const LONGEST: usize = 200;

impl Extract for IdempotencyKey {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let Some(value) = call.parts.headers.get("idempotency-key") else { return Ok(Self(None)) };
        match value.to_str() {
            Ok(key) if (1..=LONGEST).contains(&key.len()) => Ok(Self(Some(key.to_owned()))),
            _ => Err(Error::invalid(
                "invalid_idempotency_key",
                format!("Idempotency-Key must be 1 to {LONGEST} visible ASCII characters."),
            )),
        }
    }
}
