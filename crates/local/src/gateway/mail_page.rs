//! /dev/mail: the mails the product would have sent, for whoever sits at this machine.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use waraq_aws::{MailFolder, SentMail};

/// What a page of another site cannot claim: a name somebody made point to this machine is not one of these.
const OWN_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Whether the request comes from this machine's own pages, or from its reader following a link: not from a page of another origin that
/// wants to look into mails, which browsers name.
fn of_own_origin(headers: &HeaderMap, host: &str) -> bool {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = headers.contains_key(header::ORIGIN);
    let own = header("origin").is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
    let foreign = header("sec-fetch-site").is_some_and(|site| !["same-origin", "none"].contains(&site));
    (!origin || own) && (!foreign || header("sec-fetch-mode") == Some("navigate"))
}

/// The answer under /dev/mail; `None`: there is no such page, or not for this request.
pub async fn answer(folder: &MailFolder, path: &str, headers: &HeaderMap) -> Option<Response> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(host, |(name, _)| name);
    if !OWN_HOSTS.contains(&name) || !of_own_origin(headers, host) {
        return None;
    }
    let folder = folder.clone();
    let mails = tokio::task::spawn_blocking(move || folder.mails()).await.ok()?.unwrap_or_default();
    match path {
        "/dev/mail" => Some(sent("text/html; charset=utf-8", list(&mails))),
        "/dev/mail.json" => Some(sent("application/json", serde_json::to_string(&mails).ok()?)),
        path => {
            let id = path.strip_prefix("/dev/mail/")?;
            let mail = mails.iter().find(|mail| mail.id == id)?;
            Some(sent("text/html; charset=utf-8", one(mail)))
        }
    }
}

fn sent(content_type: &'static str, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
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

const STYLE: &str = "body{margin:0;background:#eef1f4;color:#1b2430;font:16px/1.5 system-ui,sans-serif}\
main{max-width:880px;margin:0 auto;padding:32px 16px}h1{font-size:24px}a{color:#0b6e6e}\
ol{list-style:none;margin:0;padding:0;background:#fbfaf7;border-radius:8px}li{padding:12px 16px;border-top:1px solid #dfe4e8}\
li:first-child{border:0}small{display:block;color:#55606c}dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}\
dt{color:#55606c}dd{margin:0}iframe{width:100%;height:560px;border:0;border-radius:8px}\
pre{background:#fbfaf7;border-radius:8px;padding:16px;white-space:pre-wrap;font:15px/1.6 inherit}";

fn list(mails: &[SentMail]) -> String {
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

fn one(mail: &SentMail) -> String {
    let direction = if mail.language == "ar" { "rtl" } else { "ltr" };
    // Sandboxed: whatever a mail holds runs nothing and reaches nothing of this page.
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
        // So that its links open in this page's place, which a sandboxed frame cannot be itself.
        html = escaped(&mail.html.replace("<head>", "<head>\n<base target=\"_top\">")),
        text = escaped(&mail.text),
    );
    page(&mail.subject, &body)
}
