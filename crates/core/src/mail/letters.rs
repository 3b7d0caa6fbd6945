//! The texts of all mails in all languages, compiled into the binary.

use super::Letter;
use crate::InterfaceLanguage;

/// The HTML around the body of every mail.
pub const FRAME: &str = include_str!("../../mails/frame.html");

/// The texts of one mail in one language.
pub struct Words {
    pub subject: &'static str,
    pub text: &'static str,
    /// The body, to be put into [`FRAME`].
    pub html: &'static str,
}

macro_rules! folder {
    ($name:literal, $language:literal) => {
        Words {
            subject: include_str!(concat!("../../mails/", $name, "/", $language, "/subject")),
            text: include_str!(concat!("../../mails/", $name, "/", $language, "/body.txt")),
            html: include_str!(concat!("../../mails/", $name, "/", $language, "/body.html")),
        }
    };
}

macro_rules! mail {
    ($name:literal, $language:expr) => {
        match $language {
            InterfaceLanguage::English => folder!($name, "en"),
            InterfaceLanguage::French => folder!($name, "fr"),
            InterfaceLanguage::Arabic => folder!($name, "ar"),
        }
    };
}

pub fn words(letter: &Letter, language: InterfaceLanguage) -> Words {
    match letter {
        Letter::RegisterCode { .. } => mail!("register-code", language),
        Letter::AlreadyRegistered => mail!("already-registered", language),
        Letter::ChangeEmailCode { .. } => mail!("change-email-code", language),
        Letter::AddressInUse => mail!("address-in-use", language),
        Letter::EmailChanged { .. } => mail!("email-changed", language),
        Letter::EmailRestored => mail!("email-restored", language),
        Letter::ResetPassword { .. } => mail!("reset-password", language),
        Letter::PasswordChanged => mail!("password-changed", language),
        Letter::DeletionCode { .. } => mail!("deletion-code", language),
        Letter::AccountDeleted => mail!("account-deleted", language),
        Letter::SupportMessage { .. } => mail!("support-message", language),
        Letter::SupportAnswer { .. } => mail!("support-answer", language),
        Letter::Nothing => Words { subject: "", text: "", html: "" },
    }
}
