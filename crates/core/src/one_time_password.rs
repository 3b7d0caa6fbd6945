//! One-time passwords: six digits in a mail that prove an address.

use crate::accounts::account::Account;
use crate::accounts::address::Address;
use crate::files::content_hash;
use crate::secret::Secret;
use crate::{Chance, Error, ErrorCode, Result};

/// How long a code can be used.
pub const CODE_LIFE_SECONDS: u64 = 10 * 60;
/// Guesses at one code.
pub const MOST_GUESSES: u64 = 5;
const DIGITS: usize = 6;

/// What a code is for; there is one at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeKey(String);

impl CodeKey {
    /// Proves the address a registration was made with.
    pub fn registration(account_id: &str) -> Self {
        Self(format!("register#{account_id}"))
    }

    /// Proves the address an account is to change to: this account, this address, as long as its sessions last.
    pub fn address_change(account: &Account, address: &Address) -> Self {
        let flow = format!("{}\n{}\n{}", account.id, account.token_version, address.as_str());
        Self(format!("change#{}", content_hash(flow.as_bytes())))
    }

    /// Proves that its owner wants the account to go, as long as its sessions last.
    pub fn deletion(account: &Account) -> Self {
        let flow = format!("{}\n{}", account.id, account.token_version);
        Self(format!("deletion#{}", content_hash(flow.as_bytes())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A new code, and what is kept of it.
pub fn new_code(key: &CodeKey, secret: &Secret, chance: &dyn Chance) -> (String, String) {
    let mut bytes = [0u8; 8];
    chance.fill(&mut bytes);
    // 64 bits: what is not even about it is not one in a billion.
    let code = format!("{:06}", u64::from_le_bytes(bytes) % 1_000_000);
    let mac = secret.mac(key.as_str(), &code);
    (code, mac)
}

/// What is kept where no code is sent: no code fits it.
pub fn no_code(key: &CodeKey, secret: &Secret, chance: &dyn Chance) -> String {
    let mut bytes = [0u8; 16];
    chance.fill(&mut bytes);
    secret.mac(key.as_str(), &content_hash(&bytes))
}

/// The six digits of what somebody typed, Arabic ones too; what is no code is `invalid_otp`.
pub fn typed_code(typed: &str) -> Result<String> {
    let digit = |letter: char| match letter {
        '0'..='9' => Some(letter),
        '٠'..='٩' => char::from_digit(u32::from(letter) - u32::from('٠'), 10),
        '۰'..='۹' => char::from_digit(u32::from(letter) - u32::from('۰'), 10),
        _ => None,
    };
    let code: Option<String> = typed.trim().chars().take(DIGITS + 1).map(digit).collect();
    code.filter(|code| code.len() == DIGITS).ok_or_else(invalid_code)
}

/// One answer for whatever is wrong with a code, so that it tells nothing.
pub fn invalid_code() -> Error {
    let message = "This code is wrong or has expired. You can ask for a new one.";
    Error::new(ErrorCode::InvalidOtp, message).with_fields(["otp"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed() {
        for (typed, code) in [("012345", "012345"), (" ٠١٢٣٤٥ ", "012345"), ("۶۷۸۹۰۱", "678901")] {
            assert_eq!(typed_code(typed).unwrap(), code);
        }
        for typed in ["", "12345", "1234567", "12345a", "12 345", "½23456"] {
            assert!(typed_code(typed).is_err(), "{typed:?}");
        }
    }
}
