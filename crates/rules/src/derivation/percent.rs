//! A fixed percentage in a derivation.

use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Largest absolute value of a percentage.
const MAX_PERCENT: u32 = 1_000;
/// Maximum number of decimals of a percentage.
const MAX_PERCENT_DECIMALS: u32 = 9;
/// Maximum number of characters of a percentage in JSON.
const MAX_PERCENT_CHARACTERS: usize = 20;

/// A percentage from -1,000 to 1,000 with at most nine decimals. In JSON it is a string with a decimal point, such as
/// `"5.5"`, because JSON numbers are often read as binary fractions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String))]
#[serde(try_from = "String", into = "String")]
pub struct Percent(Decimal);

impl Percent {
    /// Creates a percentage, or returns `None` if the number is too large or has too many decimals.
    pub fn new(number: Decimal) -> Option<Self> {
        let number = number.normalize();
        (number.abs() <= Decimal::from(MAX_PERCENT) && number.scale() <= MAX_PERCENT_DECIMALS).then_some(Self(number))
    }

    /// Returns the number, which is 20 for 20 %.
    pub fn number(self) -> Decimal {
        self.0
    }
}

/// The error for a text that is not a [`Percent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a percentage is a number from -1000 to 1000 with at most nine decimals, such as \"5.5\"")]
pub struct InvalidPercent;

impl FromStr for Percent {
    type Err = InvalidPercent;

    fn from_str(text: &str) -> Result<Self, InvalidPercent> {
        if text.len() > MAX_PERCENT_CHARACTERS {
            return Err(InvalidPercent);
        }
        Decimal::from_str_exact(text).ok().and_then(Self::new).ok_or(InvalidPercent)
    }
}

impl TryFrom<String> for Percent {
    type Error = InvalidPercent;

    fn try_from(text: String) -> Result<Self, InvalidPercent> {
        text.parse()
    }
}

impl From<Percent> for String {
    fn from(percent: Percent) -> Self {
        percent.0.to_string()
    }
}
