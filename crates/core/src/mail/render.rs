//! Rendering of mails from the templates `mails/<kind>/<language>/{subject,body.txt,body.html}`. The HTML is put into
//! `mails/frame.html`.

use super::texts::{FRAME, mail_texts};
use super::{Mail, Recipient};
use crate::InterfaceLanguage;

/// A rendered mail, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMail {
    /// The id of the mail in the outbox.
    pub id: String,
    /// The kind of the mail, from [`Mail::kind`].
    pub kind: &'static str,
    pub to: String,
    /// The address for replies. `None` for the default address.
    pub reply_to: Option<String>,
    /// The language code.
    pub language: &'static str,
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Renders a mail. `site` is the base URL of the product, without a trailing slash.
pub fn render(id: &str, to: &Recipient, mail: &Mail, site: &str) -> RenderedMail {
    let language = InterfaceLanguage::from_code(&to.language).unwrap_or_default();
    let words = mail_texts(mail, language);
    // The token is in the fragment of the URL, so it does not appear in server logs.
    let (code, link) = match mail {
        Mail::RegisterCode { code, token } if token.is_empty() => (code.as_str(), format!("{site}/register")),
        Mail::RegisterCode { code, token } => (code.as_str(), format!("{site}/reset-password#token={token}")),
        Mail::ChangeEmailCode { code } | Mail::DeletionCode { code } => (code.as_str(), String::new()),
        Mail::ResetPassword { token } => ("", format!("{site}/reset-password#token={token}")),
        Mail::EmailChanged { token } => ("", format!("{site}/restore-email#token={token}")),
        _ => ("", format!("{site}/login")),
    };
    let (from, account, message) = match mail {
        Mail::SupportMessage { from, account, message } => {
            (from.as_str(), account.as_deref().unwrap_or("-"), message.as_str())
        }
        Mail::SupportAnswer { answer, .. } => ("", "", answer.as_str()),
        _ => ("", "", ""),
    };
    let question = match mail {
        Mail::SupportAnswer { question, .. } => question.as_str(),
        _ => "",
    };
    let plain = [
        ("code", code),
        ("link", &link),
        ("site", site),
        ("from", from),
        ("account", account),
        ("message", message),
        ("question", question),
    ];
    let marked_up = plain.map(|(name, value)| (name, escape_html(value)));
    let marked_up = marked_up.each_ref().map(|(name, value)| (*name, value.as_str()));
    let subject = fill_placeholders(words.subject.trim(), &plain);
    let direction = if language == InterfaceLanguage::Arabic { "rtl" } else { "ltr" };
    let html = fill_placeholders(
        FRAME,
        &[
            ("language", language.code()),
            ("direction", direction),
            ("subject", &escape_html(&subject)),
            ("body", &fill_placeholders(words.html, &marked_up)),
        ],
    );
    RenderedMail {
        id: id.to_owned(),
        kind: mail.kind(),
        to: to.address.clone(),
        reply_to: (!from.is_empty()).then(|| from.to_owned()),
        language: language.code(),
        subject,
        text: fill_placeholders(words.text, &plain),
        html,
    }
}

/// Replaces each `{{name}}` with its value. A `{{name}}` inside a value is not replaced.
fn fill_placeholders(template: &str, values: &[(&str, &str)]) -> String {
    let mut pieces = template.split("{{");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            text.push_str(value);
        }
        text.push_str(rest);
    }
    text
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
