//! One-time passwords: codes of six digits, sent by mail, that prove control of an e-mail address.

use crate::accounts::account::Account;
use crate::accounts::address::Address;
use crate::files::content_hash;
use crate::secret::Secret;
use crate::{Error, ErrorCode, RandomSource, Result};

/// Lifetime of a code in seconds.
pub const CODE_LIFE_SECONDS: u64 = 10 * 60;
/// Maximum number of guesses for one code.
pub const MOST_GUESSES: u64 = 5;
const DIGITS: usize = 6;

/// The key under which a code is stored. The key identifies the purpose of the code. At most one code is valid for each key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeKey(String);

impl CodeKey {
    /// Returns the key of the code that verifies the address of a registration.
    pub fn registration(account_id: &str) -> Self {
        Self(format!("register#{account_id}"))
    }

    /// Returns the key of the code that verifies the new address of an account. The code is valid only for this account and
    /// address, and only until the account's current sessions end.
    pub fn address_change(account: &Account, address: &Address) -> Self {
        let flow = format!("{}\n{}\n{}", account.id, account.token_version, address.as_str());
        Self(format!("change#{}", content_hash(flow.as_bytes())))
    }

    /// Returns the key of the code that confirms the deletion of an account. The code is valid only until the account's current
    /// sessions end.
    pub fn deletion(account: &Account) -> Self {
        let flow = format!("{}\n{}", account.id, account.token_version);
        Self(format!("deletion#{}", content_hash(flow.as_bytes())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Creates a code, and the MAC that is stored instead of the code.
pub fn new_code(key: &CodeKey, secret: &Secret, random: &dyn RandomSource) -> (String, String) {
    let mut bytes = [0u8; 8];
    random.fill_bytes(&mut bytes);
    // With 64 random bits, the modulo bias is less than one in a billion.
    let code = format!("{:06}", u64::from_le_bytes(bytes) % 1_000_000);
    let mac = secret.mac(key.as_str(), &code);
    (code, mac)
}

/// Creates a MAC that no code matches. It is stored when no code is sent. So the writes are the same with and without a code, and
/// the response does not reveal whether a code was sent.
pub fn unmatchable_mac(key: &CodeKey, secret: &Secret, random: &dyn RandomSource) -> String {
    let mut bytes = [0u8; 16];
    random.fill_bytes(&mut bytes);
    secret.mac(key.as_str(), &content_hash(&bytes))
}

/// Parses a code as typed: six ASCII, Arabic-Indic or Persian digits.
///
/// # Errors
/// `invalid_otp` if the text is not a code.
pub fn parse_code(typed: &str) -> Result<String> {
    let digit = |letter: char| match letter {
        '0'..='9' => Some(letter),
        '٠'..='٩' => char::from_digit(u32::from(letter) - u32::from('٠'), 10),
        '۰'..='۹' => char::from_digit(u32::from(letter) - u32::from('۰'), 10),
        _ => None,
    };
    let code: Option<String> = typed.trim().chars().take(DIGITS + 1).map(digit).collect();
    code.filter(|code| code.len() == DIGITS).ok_or_else(invalid_code)
}

/// Returns the error for a wrong or expired code. The error is the same in all cases, so that it does not reveal the cause.
pub fn invalid_code() -> Error {
    let message = "This code is wrong or has expired. You can request a new one.";
    Error::new(ErrorCode::InvalidOtp, message).with_fields(["otp"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_parsed_with_digits_of_any_script() {
        for (typed, code) in [("012345", "012345"), (" ٠١٢٣٤٥ ", "012345"), ("۶۷۸۹۰۱", "678901")] {
            assert_eq!(parse_code(typed).unwrap(), code);
        }
        for typed in ["", "12345", "1234567", "12345a", "12 345", "½23456"] {
            assert!(parse_code(typed).is_err(), "{typed:?}");
        }
    }
}
