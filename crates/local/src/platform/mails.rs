//! A local replacement for AWS SES. It stores the mails in a folder instead of sending them.

use std::collections::HashMap;
use std::net::SocketAddr;

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use waraq_aws::{MailFolder, SentMail, SystemClock, SystemRandomSource};
use waraq_core::Clock as _;
use waraq_core::accounts::Address;
use waraq_core::clock::new_id;

/// Serves the local SES until this process ends, and returns its address.
pub async fn serve(folder: MailFolder) -> Result<SocketAddr> {
    let app = Router::new().fallback(handle_request).with_state(folder);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, app).await {
            tracing::error!(%error, "the local SES stopped");
        }
    });
    Ok(address)
}

async fn handle_request(State(folder): State<MailFolder>, body: Bytes) -> Response {
    let asked: HashMap<String, String> = serde_urlencoded::from_bytes(&body).unwrap_or_default();
    let text = |name: &str| asked.get(name).cloned().unwrap_or_default();
    if text("Action") != "SendEmail" {
        return refused("InvalidAction", "No such call is served here.");
    }
    // The kind and the language of the mail are in the tags of the request.
    let tag = |wanted: &str| {
        let number =
            (1..10).find(|number| asked.get(&format!("Tags.member.{number}.Name")).is_some_and(|name| name == wanted));
        number.map(|number| text(&format!("Tags.member.{number}.Value"))).unwrap_or_default()
    };
    let to = text("Destination.ToAddresses.member.1");
    // Addresses that cannot receive mail are refused, as in the cloud.
    if Address::parse(&to).and_then(Address::deliverable).is_err() {
        return refused("InvalidParameterValue", "There is no such address.");
    }
    let mail = SentMail {
        id: new_id(&SystemClock, &SystemRandomSource),
        kind: tag("kind"),
        to,
        reply_to: asked.get("ReplyToAddresses.member.1").cloned(),
        subject: text("Message.Subject.Data"),
        text: text("Message.Body.Text.Data"),
        html: text("Message.Body.Html.Data"),
        language: tag("language"),
        sent_at: SystemClock.now().rfc3339(),
    };
    let result = format!("<SendEmailResult><MessageId>{}</MessageId></SendEmailResult>", mail.id);
    match folder.store(mail).await {
        Ok(()) => xml_response(
            StatusCode::OK,
            &format!(
                "<SendEmailResponse xmlns=\"http://ses.amazonaws.com/doc/2010-12-01/\">{result}</SendEmailResponse>"
            ),
        ),
        Err(error) => refused("MessageRejected", &error.to_string()),
    }
}

fn refused(code: &str, message: &str) -> Response {
    let error = format!("<Error><Type>Sender</Type><Code>{code}</Code><Message>{message}</Message></Error>");
    xml_response(StatusCode::BAD_REQUEST, &format!("<ErrorResponse>{error}</ErrorResponse>"))
}

fn xml_response(status: StatusCode, answer: &str) -> Response {
    let mut response = Response::new(Body::from(answer.to_owned()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/xml"));
    response
}
