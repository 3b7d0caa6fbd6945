//! Time and chance, as inputs.

use async_trait::async_trait;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Timestamp(pub u64);

impl Timestamp {
    pub fn seconds(self) -> u64 {
        self.0 / 1_000
    }

    pub fn plus_seconds(self, seconds: u64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000)))
    }

    /// RFC 3339 in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
    pub fn rfc3339(self) -> String {
        format!("{:.3}", self.civil())
    }

    /// What [`Self::rfc3339`] wrote; `None` for anything that is no time since 1970.
    pub fn from_rfc3339(text: &str) -> Option<Self> {
        let civil: jiff::Timestamp = text.parse().ok()?;
        u64::try_from(civil.as_millisecond()).ok().map(Self)
    }

    /// The month in UTC: `2026-11`.
    pub fn month(self) -> String {
        self.civil().strftime("%Y-%m").to_string()
    }

    /// As the calendar counts it; what lies past its end (the year 9999) is its end.
    fn civil(self) -> jiff::Timestamp {
        let milliseconds = i64::try_from(self.0).unwrap_or(i64::MAX);
        jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::MAX)
    }
}

#[async_trait]
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;

    /// Returns when this many milliseconds have passed.
    async fn wait(&self, milliseconds: u64);
}

/// A source of bytes nobody can foresee.
pub trait Chance: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

/// Crockford's alphabet, in lower case: no i, l, o, u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// When an id of [`new_id`] was made.
pub fn time_of(id: &str) -> Option<Timestamp> {
    let digits = id.get(..10)?.bytes().map(|letter| ALPHABET.iter().position(|known| *known == letter));
    digits
        .collect::<Option<Vec<usize>>>()
        .map(|digits| Timestamp(digits.iter().fold(0, |time, digit| time << 5 | *digit as u64)))
}

/// A new id: 26 letters and digits, the first ten from the time (so ids sort by age), the rest 80 bits of chance.
pub fn new_id(clock: &dyn Clock, chance: &dyn Chance) -> String {
    let mut random = [0u8; 10];
    chance.fill(&mut random);
    let low = random.iter().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
    let bits = u128::from(clock.now().0) << 80 | low;
    (0..26).rev().map(|place| char::from(ALPHABET[(bits >> (place * 5)) as usize & 31])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(Timestamp(ms).rfc3339(), text);
            assert_eq!(Timestamp(ms).month(), text[..7]);
            assert_eq!(Timestamp::from_rfc3339(text), Some(Timestamp(ms)));
        }
        assert!(Timestamp(u64::MAX).rfc3339().starts_with("9999-12-30T"), "the calendar's end");
    }
}
