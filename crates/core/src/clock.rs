//! The traits for the clock and for random bytes. Ids are made of a time and random bytes.

use async_trait::async_trait;

/// A time in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Timestamp(pub u64);

impl Timestamp {
    pub fn seconds(self) -> u64 {
        self.0 / 1_000
    }

    pub fn plus_seconds(self, seconds: u64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000)))
    }

    /// Formats the time as RFC 3339 in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
    pub fn rfc3339(self) -> String {
        format!("{:.3}", self.civil())
    }

    /// Parses the output of [`Self::rfc3339`]. Returns `None` if the text is not a time since 1970.
    pub fn from_rfc3339(text: &str) -> Option<Self> {
        let civil: jiff::Timestamp = text.parse().ok()?;
        u64::try_from(civil.as_millisecond()).ok().map(Self)
    }

    /// Returns the month in UTC: `2026-11`.
    pub fn month(self) -> String {
        self.civil().strftime("%Y-%m").to_string()
    }

    /// Converts to a calendar time. Times after the year 9999 become the last representable time.
    fn civil(self) -> jiff::Timestamp {
        let milliseconds = i64::try_from(self.0).unwrap_or(i64::MAX);
        jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::MAX)
    }
}

#[async_trait]
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;

    /// Waits for this many milliseconds.
    async fn wait(&self, milliseconds: u64);
}

/// A source of unpredictable random bytes.
pub trait RandomSource: Send + Sync {
    fn fill_bytes(&self, bytes: &mut [u8]);
}

/// Crockford's Base32 alphabet in lower case, without i, l, o and u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Returns the time at which [`new_id`] created an id. Returns `None` if the text does not have the form of an id.
pub fn creation_time(id: &str) -> Option<Timestamp> {
    let digits = id.get(..10)?.bytes().map(|letter| ALPHABET.iter().position(|known| *known == letter));
    digits
        .collect::<Option<Vec<usize>>>()
        .map(|digits| Timestamp(digits.iter().fold(0, |time, digit| time << 5 | *digit as u64)))
}

/// Creates an id of 26 letters and digits. The first ten encode the time, so ids sort by age. The rest are 80 random bits.
pub fn new_id(clock: &dyn Clock, random: &dyn RandomSource) -> String {
    let mut bytes = [0u8; 10];
    random.fill_bytes(&mut bytes);
    let low = bytes.iter().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
    let bits = u128::from(clock.now().0) << 80 | low;
    (0..26).rev().map(|place| char::from(ALPHABET[(bits >> (place * 5)) as usize & 31])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_convert_to_and_from_rfc3339() {
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
