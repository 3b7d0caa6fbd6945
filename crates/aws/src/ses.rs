//! Mails through SES.

use async_trait::async_trait;
use aws_sdk_ses::Client;
use aws_sdk_ses::error::ProvideErrorMetadata;
use aws_sdk_ses::types::{Body, Content, Destination, Message as SesMessage, MessageTag};
use waraq_core::accounts::Address;
use waraq_core::mail::{Mailer, Message};
use waraq_core::{Error, Result};

pub struct Ses {
    pub client: Client,
    /// The sender, such as `Waraq <no-reply@waraq.example>`, of an identity that SES has verified.
    pub from: String,
    /// The address for replies if the mail has none of its own. Without it, replies go to `from`.
    pub reply_to: Option<String>,
    /// The configuration set of SES, which handles bounces and complaints.
    pub configuration_set: Option<String>,
}

fn content(text: &str) -> Result<Content> {
    let content = Content::builder().data(text).charset("UTF-8").build();
    content.map_err(|error| Error::internal(format!("a mail: {error}")))
}

/// Tags a mail with its kind, so that later events of SES, such as bounces, name the kind.
fn tag(name: &str, value: &str) -> Result<MessageTag> {
    let tag = MessageTag::builder().name(name).value(value).build();
    tag.map_err(|error| Error::internal(format!("a mail: {error}")))
}

#[async_trait]
impl Mailer for Ses {
    async fn send(&self, message: &Message) -> Result<()> {
        let to = Address::parse(&message.to)?.deliverable()?;
        let reply_to = match &message.reply_to {
            Some(address) => Some(Address::parse(address)?.deliverable()?.as_str().to_owned()),
            None => self.reply_to.clone(),
        };
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
        // Keeps only the code, because the message of a refusal contains the address.
        let what = |error: &aws_sdk_ses::error::SdkError<_>| match error {
            aws_sdk_ses::error::SdkError::ServiceError(error) => {
                ProvideErrorMetadata::code(error.err()).unwrap_or("unknown").to_owned()
            }
            aws_sdk_ses::error::SdkError::TimeoutError(_) => "no answer in time".to_owned(),
            _ => "no answer".to_owned(),
        };
        sent.map(|_| ()).map_err(
            |error: aws_sdk_ses::error::SdkError<aws_sdk_ses::operation::send_email::SendEmailError>| {
                Error::unavailable(format!("SES: {}", what(&error)))
            },
        )
    }
}
