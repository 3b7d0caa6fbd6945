//! Mails in words: `mails/<kind>/<language>/{subject,body.txt,body.html}`, the HTML within `mails/frame.html`.

use super::letters::{FRAME, words};
use super::{Addressee, Letter};
use crate::InterfaceLanguage;

/// A mail, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The outbox's id of it.
    pub id: String,
    /// [`Letter::kind`].
    pub kind: &'static str,
    pub to: String,
    /// A code.
    pub language: &'static str,
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Writes a letter. `site`: where the product is, without a slash at its end.
pub fn render(id: &str, to: &Addressee, letter: &Letter, site: &str) -> Message {
    let language = InterfaceLanguage::from_code(&to.language).unwrap_or_default();
    let words = words(letter, language);
    // In the fragment: it reaches no server and so no server's log.
    let (code, link) = match letter {
        Letter::RegisterCode { code } | Letter::ChangeEmailCode { code } => (code.as_str(), String::new()),
        Letter::ResetPassword { token } => ("", format!("{site}/reset-password#token={token}")),
        Letter::EmailChanged { token } => ("", format!("{site}/restore-email#token={token}")),
        _ => ("", format!("{site}/login")),
    };
    let direction = if language == InterfaceLanguage::Arabic { "rtl" } else { "ltr" };
    let html = filled(
        FRAME,
        &[
            ("language", language.code()),
            ("direction", direction),
            ("subject", &escaped(words.subject.trim())),
            (
                "body",
                &filled(words.html, &[("code", &escaped(code)), ("link", &escaped(&link)), ("site", &escaped(site))]),
            ),
        ],
    );
    Message {
        id: id.to_owned(),
        kind: letter.kind(),
        to: to.address.clone(),
        language: language.code(),
        subject: words.subject.trim().to_owned(),
        text: filled(words.text, &[("code", code), ("link", &link), ("site", site)]),
        html,
    }
}

/// `{{name}}` replaced; a value is not looked into again.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
