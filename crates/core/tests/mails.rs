//! Compares every mail in every language with the files in `tests/mails`. `UPDATE=1 cargo test -p waraq-core --test mails`
//! writes the files again. The .html files can be viewed in a browser.

use std::path::Path;

use waraq_core::InterfaceLanguage;
use waraq_core::mail::{Mail, Recipient, render};

fn all_mails() -> [Mail; 12] {
    let code = || "012345".to_owned();
    [
        Mail::RegisterCode { code: code(), token: "AAECAwQFBgcICQoLDA0ODw".to_owned() },
        Mail::AlreadyRegistered,
        Mail::ChangeEmailCode { code: code() },
        Mail::AddressInUse,
        Mail::EmailChanged { token: "01kc4n0000000000000000000b.AAECAwQFBgcICQoLDA0ODw".to_owned() },
        Mail::EmailRestored,
        Mail::ResetPassword { token: "AAECAwQFBgcICQoLDA0ODw".to_owned() },
        Mail::PasswordChanged,
        Mail::DeletionCode { code: code() },
        Mail::AccountDeleted,
        Mail::SupportMessage {
            from: "amina@example.org".to_owned(),
            account: Some("Amina".to_owned()),
            message: "How do I <b>print</b> it?\nIn A4 & colour.".to_owned(),
        },
        Mail::SupportAnswer {
            question: "How do I <b>print</b> it?\nIn A4 & colour.".to_owned(),
            answer: "Choose <A4> & colour\nin the printer's dialog.".to_owned(),
        },
    ]
}

#[test]
fn every_mail_matches_its_reference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mails");
    for letter in all_mails() {
        for language in InterfaceLanguage::ALL {
            let to = Recipient { address: "amina@example.org".into(), language: language.code().into() };
            let mail = render("id", &to, &letter, "https://waraq.example");
            let name = format!("{}.{}", mail.kind, mail.language);
            for (ending, text) in [("txt", format!("{}\n\n{}", mail.subject, mail.text)), ("html", mail.html)] {
                let path = folder.join(format!("{name}.{ending}"));
                if std::env::var_os("UPDATE").is_some() {
                    std::fs::write(&path, &text).unwrap();
                }
                assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "{}", path.display());
            }
        }
    }
}

#[test]
fn placeholders_are_filled_and_values_are_escaped() {
    for letter in all_mails() {
        for language in InterfaceLanguage::ALL {
            let to = Recipient { address: "amina@example.org".into(), language: language.code().into() };
            let mail = render("id", &to, &letter, "https://waraq.example/?a=1&b=\"2\"");
            for text in [&mail.subject, &mail.text, &mail.html] {
                assert!(!text.is_empty() && !text.contains("{{") && !text.contains("}}"), "{text}");
            }
            assert!(!mail.html.contains("&b=\""), "the address is escaped");
            let direction = if language == InterfaceLanguage::Arabic { "rtl" } else { "ltr" };
            assert!(mail.html.contains(&format!("<html lang=\"{}\" dir=\"{direction}\">", language.code())));
            if let Mail::RegisterCode { code, .. } | Mail::ChangeEmailCode { code } | Mail::DeletionCode { code } =
                &letter
            {
                assert!(mail.html.contains(code) && mail.text.lines().any(|line| line == code), "{}", mail.text);
                assert!(!mail.subject.contains(code), "a code is not for a locked screen");
            }
        }
    }
}

/// A message is inserted as text, whatever it contains, and replies go to its sender.
#[test]
fn support_mail_escapes_the_message_and_replies_to_its_sender() {
    let to = Recipient { address: "support@waraq.example".into(), language: "en".into() };
    let message = "<script>alert(1)</script> {{site}} {{link}}\nتحية".to_owned();
    let letter = Mail::SupportMessage { from: "a&b@example.org".into(), account: None, message: message.clone() };
    let mail = render("id", &to, &letter, "https://waraq.example");
    assert_eq!((mail.to.as_str(), mail.reply_to.as_deref()), ("support@waraq.example", Some("a&b@example.org")));
    assert!(mail.text.contains(&message), "{}", mail.text);
    assert!(mail.html.contains("&lt;script&gt;alert(1)&lt;/script&gt; {{site}} {{link}}\nتحية"), "{}", mail.html);
    assert!(mail.html.contains("a&amp;b@example.org") && !mail.html.contains("<script"));
    assert_eq!(mail.subject, "Help center: message from a&b@example.org");
}
