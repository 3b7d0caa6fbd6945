//! Sends mails through SES.

use async_trait::async_trait;
use aws_sdk_ses::Client;
use aws_sdk_ses::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_ses::operation::send_email::SendEmailError;
use aws_sdk_ses::types::{Body, Content, Destination, Message as SesMessage, MessageTag};
use waraq_core::accounts::Address;
use waraq_core::mail::{Mailer, RenderedMail};
use waraq_core::{Error, ErrorCode, Result};

pub struct Ses {
    pub client: Client,
    /// The sender, such as `Waraq <no-reply@waraq.example>`. SES must have verified its address or domain.
    pub from: String,
    /// The address for replies to mails that do not name another one. `None`: replies go to `from`.
    pub reply_to: Option<String>,
    /// The configuration set of SES, which handles bounces and complaints. `None`: mails belong to no configuration
    /// set.
    pub configuration_set: Option<String>,
}

fn content(text: &str) -> Result<Content> {
    let content = Content::builder().data(text).charset("UTF-8").build();
    content.map_err(|error| Error::internal(format!("a mail: {error}")))
}

/// Creates a tag of a mail, such as its kind. Later events of SES about the mail, such as a bounce, contain its tags.
fn tag(name: &str, value: &str) -> Result<MessageTag> {
    let tag = MessageTag::builder().name(name).value(value).build();
    tag.map_err(|error| Error::internal(format!("a mail: {error}")))
}

/// Checks that the setting `name` contains a valid address. SES reports a wrong address in the settings in the same way
/// as a wrong recipient. Without this check, every recipient would therefore seem to be wrong.
fn setting(name: &str, address: &str) -> Result<()> {
    let address = address.rsplit_once('<').map_or(address, |(_, address)| address.trim_end_matches('>'));
    Address::parse(address).map(|_| ()).map_err(|_| Error::internal(format!("{name} is no e-mail address")))
}

/// The reason why SES did not accept a mail.
enum Refusal {
    /// SES will never accept this mail.
    ForGood(String),
    /// The same mail may be accepted later: after a fault, or when the operator has changed the settings of SES.
    ForNow(String),
}

impl Refusal {
    /// Classifies an error of SES. Keeps only the error code, because the message contains the recipient's address.
    fn of(error: &SdkError<SendEmailError>) -> Self {
        let SdkError::ServiceError(refused) = error else {
            let what = if matches!(error, SdkError::TimeoutError(_)) { "no answer in time" } else { "no answer" };
            return Self::ForNow(what.to_owned());
        };
        let code = refused.err().code().unwrap_or("unknown").to_owned();
        let about = |what: &str| refused.err().message().unwrap_or_default().to_ascii_lowercase().contains(what);
        // `MessageRejected` also means that the sender is not verified or that the account is suspended.
        let for_good = match code.as_str() {
            "InvalidParameterValue" => !about("configuration set"),
            "MessageRejected" => about("blacklisted") || about("virus"),
            _ => false,
        };
        if for_good { Self::ForGood(code) } else { Self::ForNow(code) }
    }
}

impl Ses {
    async fn send_to(
        &self,
        message: &RenderedMail,
        to: &Address,
        reply_to: Option<String>,
    ) -> Result<std::result::Result<(), Refusal>> {
        let body = Body::builder().text(content(&message.text)?).html(content(&message.html)?).build();
        let mail = SesMessage::builder().subject(content(&message.subject)?).body(body).build();
        let sent = self
            .client
            .send_email()
            .source(&self.from)
            .set_configuration_set_name(self.configuration_set.clone())
            .set_reply_to_addresses(reply_to.map(|address| vec![address]))
            .destination(Destination::builder().to_addresses(to.as_str()).build())
            .message(mail)
            .tags(tag("kind", message.kind)?)
            .tags(tag("language", message.language)?)
            .send()
            .await;
        Ok(sent.map(|_| ()).map_err(|error| Refusal::of(&error)))
    }
}

#[async_trait]
impl Mailer for Ses {
    async fn send(&self, message: &RenderedMail) -> Result<()> {
        setting("MAIL_FROM", &self.from)?;
        if let Some(address) = &self.reply_to {
            setting("MAIL_REPLY_TO", address)?;
        }
        let to = Address::of_mail(&message.to)?;
        let own = message.reply_to.as_ref().and_then(|address| Address::of_mail(address).ok());
        let own = own.map(|address| address.as_str().to_owned());
        let mut sent = self.send_to(message, &to, own.clone().or_else(|| self.reply_to.clone())).await?;
        // The mail's own reply address may be the reason, so the mail is sent again without it. The text of the mail
        // contains that address too.
        if own.is_some() && matches!(sent, Err(Refusal::ForGood(_))) {
            sent = self.send_to(message, &to, self.reply_to.clone()).await?;
        }
        sent.map_err(|refusal| match refusal {
            Refusal::ForGood(code) => {
                let mut error = Error::new(ErrorCode::UndeliverableEmail, "Mail to this address is refused.");
                error.cause = Some(format!("SES: {code}"));
                error
            }
            Refusal::ForNow(code) => Error::unavailable(format!("SES: {code}")),
        })
    }
}
