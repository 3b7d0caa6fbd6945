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
        let (year, month, day) = self.date();
        let second_of_day = self.seconds() % 86_400;
        let (hour, minute, second) = (second_of_day / 3_600, second_of_day / 60 % 60, second_of_day % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", self.0 % 1_000)
    }

    /// The month in UTC: `2026-11`.
    pub fn month(self) -> String {
        let (year, month, _) = self.date();
        format!("{year:04}-{month:02}")
    }

    /// Year, month (from 1) and day (from 1) in UTC: the civil calendar from days, counted in eras of 400 years that begin
    /// on the first of March.
    fn date(self) -> (u64, u64, u64) {
        let days = self.seconds() / 86_400 + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        (era * 400 + year_of_era + u64::from(month <= 2), month, day)
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
        }
    }
}
