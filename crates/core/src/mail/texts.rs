//! The texts of all mails in all languages, compiled into the binary.

use super::Mail;
use crate::InterfaceLanguage;

/// The HTML page into which the body of every mail is put.
pub const FRAME: &str = include_str!("../../mails/frame.html");

/// The texts of one mail in one language.
pub struct MailTexts {
    pub subject: &'static str,
    pub text: &'static str,
    /// The HTML of the body, which is put into [`FRAME`].
    pub html: &'static str,
}

macro_rules! folder {
    ($name:literal, $language:literal) => {
        MailTexts {
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

pub fn mail_texts(mail: &Mail, language: InterfaceLanguage) -> MailTexts {
    match mail {
        Mail::RegisterCode { .. } => mail!("register-code", language),
        Mail::AlreadyRegistered => mail!("already-registered", language),
        Mail::ChangeEmailCode { .. } => mail!("change-email-code", language),
        Mail::AddressInUse => mail!("address-in-use", language),
        Mail::EmailChanged { .. } => mail!("email-changed", language),
        Mail::EmailRestored => mail!("email-restored", language),
        Mail::ResetPassword { .. } => mail!("reset-password", language),
        Mail::PasswordChanged => mail!("password-changed", language),
        Mail::DeletionCode { .. } => mail!("deletion-code", language),
        Mail::AccountDeleted => mail!("account-deleted", language),
        Mail::SupportMessage { .. } => mail!("support-message", language),
        Mail::SupportAnswer { .. } => mail!("support-answer", language),
        Mail::Nothing => MailTexts { subject: "", text: "", html: "" },
    }
}
