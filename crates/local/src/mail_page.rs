//! Serves /dev/mail. It shows the user of this machine the mails of this installation, which are stored instead of
//! sent.

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use functions::http::Json;
use http::uri::Authority;
use http::{HeaderValue, StatusCode, header};
use waraq_aws::{MailFolder, SentMail};

/// Host names that a request may have. A page of another site can have a host name that resolves to this machine ("DNS
/// rebinding"), but not one of these.
const OWN_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

pub fn router(mails: MailFolder) -> Router {
    Router::new()
        .route("/dev/mail", get(list))
        .route("/dev/mail.json", get(json))
        .route("/dev/mail/{id}", get(show_mail))
        .route_layer(from_fn(require_own_origin))
        .with_state(mails)
}

/// Accepts requests of this site's own pages and navigation by the user. Refuses requests of other origins, so that
/// other sites cannot read mails. The headers `Origin` and `Sec-Fetch-Site` show the origin of a request.
async fn require_own_origin(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let host = header("host").unwrap_or_default();
    let here = host.parse::<Authority>().is_ok_and(|host| OWN_HOSTS.contains(&host.host()));
    let origin = headers.contains_key(header::ORIGIN);
    let own = header("origin").is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
    let foreign = header("sec-fetch-site").is_some_and(|site| !["same-origin", "none"].contains(&site));
    if here && (!origin || own) && (!foreign || header("sec-fetch-mode") == Some("navigate")) {
        let mut response = next.run(request).await;
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return response;
    }
    StatusCode::NOT_FOUND.into_response()
}

/// Returns the mails, newest first.
async fn mails(folder: MailFolder) -> Vec<SentMail> {
    let mails = tokio::task::spawn_blocking(move || folder.mails()).await;
    mails.ok().and_then(Result::ok).unwrap_or_default()
}

async fn json(State(folder): State<MailFolder>) -> impl IntoResponse {
    Json(mails(folder).await)
}

async fn list(State(folder): State<MailFolder>) -> Html<String> {
    Html(page_of_all(&mails(folder).await))
}

async fn show_mail(State(folder): State<MailFolder>, Path(id): Path<String>) -> Result<Html<String>, StatusCode> {
    let mails = mails(folder).await;
    let mail = mails.iter().find(|mail| mail.id == id).ok_or(StatusCode::NOT_FOUND)?;
    Ok(Html(page_of_one(mail)))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

const STYLE: &str = include_str!("mail_page.css");

fn page_of_all(mails: &[SentMail]) -> String {
    let mut body = "<h1>Mails</h1>\n<p>On this machine nothing is sent: mails are kept here.</p>\n".to_owned();
    if mails.is_empty() {
        body.push_str("<p>None yet.</p>\n");
        return page("Mails", &body);
    }
    body.push_str("<ol>\n");
    for mail in mails {
        body.push_str(&format!(
            "<li><a href=\"/dev/mail/{}\"><bdi lang=\"{}\">{}</bdi></a><small><bdi>{}</bdi> · <time>{}</time></small></li>\n",
            escaped(&mail.id),
            escaped(&mail.language),
            escaped(&mail.subject),
            escaped(&mail.to),
            escaped(&mail.sent_at)
        ));
    }
    body.push_str("</ol>\n");
    page("Mails", &body)
}

fn page_of_one(mail: &SentMail) -> String {
    let direction = if mail.language == "ar" { "rtl" } else { "ltr" };
    // The frame is sandboxed, so that the content of a mail can neither run scripts nor access this page.
    let body = format!(
        "<p><a href=\"/dev/mail\">All mails</a></p>\n<h1><bdi lang=\"{language}\">{subject}</bdi></h1>\n\
         <dl><dt>To</dt><dd><bdi>{to}</bdi></dd><dt>At</dt><dd><time>{at}</time></dd><dt>Kind</dt><dd>{kind}</dd></dl>\n\
         <h2>HTML</h2>\n<iframe sandbox=\"allow-popups allow-top-navigation-by-user-activation\" title=\"The mail\" srcdoc=\"{html}\"></iframe>\n\
         <h2>Text</h2>\n<pre dir=\"{direction}\" lang=\"{language}\">{text}</pre>\n",
        language = escaped(&mail.language),
        subject = escaped(&mail.subject),
        to = escaped(&mail.to),
        at = escaped(&mail.sent_at),
        kind = escaped(&mail.kind),
        // Links in the mail open in the whole window, because they cannot open in the sandboxed frame.
        html = escaped(&mail.html.replace("<head>", "<head>\n<base target=\"_top\">")),
        text = escaped(&mail.text),
    );
    page(&mail.subject, &body)
}
