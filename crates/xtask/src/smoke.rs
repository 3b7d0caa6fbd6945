//! `cargo xtask smoke URL`: checks a deployed address from outside with curl. Its only write is a document that it fills
//! as a guest. It tests what no other test of this repository can: CDN, buckets, user pool and functions together.

use std::collections::HashMap;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::steps::root;

pub fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        [url] => check_site(url, None),
        [url, "--api", api] => check_site(url, Some(api)),
        _ => bail!("smoke takes the URL of a deployed site, and optionally --api with the API's own URL"),
    }
}

/// Runs all checks, prints the failures, and returns an error if a check failed. `api` is the API's own address, which
/// must refuse calls that do not come through the CDN. `None` leaves out this check.
pub fn check_site(url: &str, api: Option<&str>) -> Result<()> {
    let site = Site { url: url.trim_end_matches('/'), behind_cdn: url.starts_with("https://") };
    let mut failed = 0;
    let mut check = |what: &str, outcome: Result<()>| match outcome {
        Ok(()) => println!("      ok      {what}"),
        Err(error) => {
            failed += 1;
            println!("      FAILED  {what}: {error:#}");
        }
    };
    check("the page is served with its security headers", site.page());
    check("a path of the app returns the page", site.screen());
    check("assets are cached for a year, the page is not", site.files());
    check("the API responds", site.health());
    check("an unknown API path returns a JSON error, not the page", site.unknown_route());
    check("errors are not cached", site.errors_are_not_cached());
    check("country names are in Arabic", site.lookups());
    check("the catalogue has templates", site.catalogue().map(|_| ()));
    check("a template is returned with its file and PDF", site.opened());
    check("a guest fills a template and gets a PDF", site.filled());
    check("a wrong password is refused", site.login());
    check("an invalid token is refused", site.token());
    if site.behind_cdn {
        check("HTTP redirects to HTTPS", site.plain_http());
    }
    if let Some(api) = api {
        check("without the CDN only health responds", refuses_calls_without_cdn(api));
    }
    if failed == 0 { Ok(()) } else { bail!("{failed} checks failed") }
}

struct Site<'a> {
    url: &'a str,
    behind_cdn: bool,
}

struct CurlResponse {
    status: u16,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

impl CurlResponse {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).with_context(|| {
            let start: String = String::from_utf8_lossy(&self.body).chars().take(80).collect();
            format!("{} {start:?} is no JSON", self.status)
        })
    }

    fn expect_status(&self, status: u16) -> Result<()> {
        let body: String = String::from_utf8_lossy(&self.body).chars().take(200).collect();
        ensure!(self.status == status, "{} instead of {status}: {body}", self.status);
        Ok(())
    }

    /// Checks that the response is an error of the API.
    fn expect_error(&self, status: u16, code: &str) -> Result<()> {
        self.expect_status(status)?;
        let told = self.json()?;
        ensure!(told["code"] == code, "{} instead of {code}", told["code"]);
        Ok(())
    }

    fn expect_page(&self) -> Result<()> {
        self.expect_status(200)?;
        ensure!(self.header("content-type").starts_with("text/html"), "it is {}", self.header("content-type"));
        Ok(())
    }
}

fn send(url: &str, headers: &[&str], body: Option<&Value>) -> Result<CurlResponse> {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--include", "--compressed", "--max-time", "60"]);
    for header in headers {
        curl.args(["--header", header]);
    }
    if let Some(body) = body {
        curl.args(["--header", "content-type: application/json", "--data-binary"]).arg(body.to_string());
    }
    let output = curl.arg(url).stdin(Stdio::null()).output().context("curl cannot be started")?;
    ensure!(output.status.success(), "{url}: {}", String::from_utf8_lossy(&output.stderr).trim());
    parsed(&output.stdout).with_context(|| format!("{url}: the response is not HTTP"))
}

/// Parses curl's output. The output has the head of the server's response. Before it, there may be the heads of interim
/// responses (100) and of a proxy's response. Only the last head counts.
fn parsed(mut told: &[u8]) -> Option<CurlResponse> {
    loop {
        let end = told.windows(4).position(|four| four == b"\r\n\r\n")?;
        let (head, body) = (std::str::from_utf8(told.get(..end)?).ok()?, told.get(end + 4..)?);
        let mut lines = head.lines();
        let status: u16 = lines.next()?.split_whitespace().nth(1)?.parse().ok()?;
        if status < 200 || head.contains("onnection established") {
            told = body;
            continue;
        }
        let pair = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        return Some(CurlResponse { status, headers: lines.filter_map(pair).collect(), body: body.to_vec() });
    }
}

impl Site<'_> {
    fn get(&self, path: &str) -> Result<CurlResponse> {
        send(&format!("{}{path}", self.url), &[], None)
    }

    fn page(&self) -> Result<()> {
        let page = self.get("/")?;
        page.expect_page()?;
        let written = std::fs::read_to_string(root().join("security-headers.json"))?;
        let expected: HashMap<String, String> = serde_json::from_str(&written)?;
        for (name, value) in expected {
            let sent = page.header(&name.to_ascii_lowercase());
            // The page's own address decides which services it may connect to, so only the fixed part of the header is
            // compared.
            let fixed = value.split("{services}").next().unwrap_or_default().trim();
            ensure!(sent.starts_with(fixed), "{name} is {sent:?}");
        }
        Ok(())
    }

    fn screen(&self) -> Result<()> {
        self.get("/user-home/user-all-documents")?.expect_page()
    }

    fn files(&self) -> Result<()> {
        let page = self.get("/")?;
        let text = String::from_utf8_lossy(&page.body).into_owned();
        let file = text.split('"').find(|part| part.starts_with("/assets/")).context("the page refers to no asset")?;
        let kept = self.get(file)?;
        kept.expect_status(200)?;
        ensure!(kept.header("cache-control").contains("immutable"), "{file}: {:?}", kept.header("cache-control"));
        ensure!(!page.header("cache-control").contains("immutable"), "the page: {:?}", page.header("cache-control"));
        Ok(())
    }

    fn health(&self) -> Result<()> {
        let health = self.get("/api/v1/health")?;
        health.expect_status(200)?;
        ensure!(health.json()?["status"] == "ok", "the status is not ok");
        Ok(())
    }

    fn unknown_route(&self) -> Result<()> {
        let answer = self.get("/api/v1/no-such-call")?;
        answer.expect_status(404)?;
        // Behind API Gateway, the gateway writes the message.
        answer.json().map(|_| ())
    }

    fn errors_are_not_cached(&self) -> Result<()> {
        for _ in 0..2 {
            let missing = self.get("/api/v1/documents/no-such-document")?;
            missing.expect_error(404, "document_not_found")?;
            ensure!(missing.header("age").is_empty(), "it is {} seconds old", missing.header("age"));
        }
        Ok(())
    }

    fn lookups(&self) -> Result<()> {
        let countries = self.get("/api/v1/countries?lang=ar")?;
        countries.expect_status(200)?;
        let countries = countries.json()?;
        ensure!(countries["countries"].as_array().is_some_and(|all| all.len() > 100), "there are too few");
        ensure!(countries.to_string().contains("لبنان"), "the names are not in Arabic");
        Ok(())
    }

    fn catalogue(&self) -> Result<String> {
        let list = self.get("/api/v1/documents?lang=en")?;
        list.expect_status(200)?;
        let list = list.json()?;
        let first = list["data"][0]["_id"].as_str();
        first.map(str::to_owned).context("the catalogue is empty: run `cargo xtask cloud STACK catalogue`")
    }

    fn opened(&self) -> Result<()> {
        let opened = self.get(&format!("/api/v1/documents/{}", self.catalogue()?))?;
        opened.expect_status(200)?;
        let opened = opened.json()?;
        // A ZIP file and `%PDF` in base64.
        ensure!(opened["file"].as_str().is_some_and(|file| file.starts_with("UEsD")), "the file is not a .docx");
        ensure!(opened["pdf"].as_str().is_some_and(|pdf| pdf.starts_with("JVBERi")), "the pages are not a PDF");
        Ok(())
    }

    fn filled(&self) -> Result<()> {
        let id = self.catalogue()?;
        let fields = self.get(&format!("/api/v1/documents/{id}"))?.json()?["document"]["fields"].clone();
        let value = |name: &Value| {
            let name = name.as_str().unwrap_or_default().to_owned();
            Value::Object([(name, Value::from("smoke"))].into_iter().collect())
        };
        let values: Vec<Value> = fields.as_array().into_iter().flatten().map(value).collect();
        let body = serde_json::json!({ "fieldsAndValues": values });
        let filled = send(&format!("{}/api/v1/documents/{id}/fill-fields", self.url), &[], Some(&body))?;
        filled.expect_status(200)?;
        let filled = filled.json()?;
        ensure!(filled["pdf"].as_str().is_some_and(|pdf| pdf.starts_with("JVBERi")), "the document is not a PDF");
        Ok(())
    }

    fn login(&self) -> Result<()> {
        let body = serde_json::json!({ "email": "nobody@waraq.invalid", "password": "not a password" });
        send(&format!("{}/api/v1/auth/login", self.url), &[], Some(&body))?.expect_error(401, "invalid_credentials")
    }

    fn token(&self) -> Result<()> {
        let url = format!("{}/api/v1/users/me", self.url);
        send(&url, &["authorization: Bearer no-token"], None)?.expect_error(401, "invalid_token")
    }

    fn plain_http(&self) -> Result<()> {
        let answer = send(&self.url.replacen("https://", "http://", 1), &[], None)?;
        ensure!((300..400).contains(&answer.status), "{} instead of a redirection", answer.status);
        ensure!(answer.header("location").starts_with("https://"), "to {:?}", answer.header("location"));
        Ok(())
    }
}

fn refuses_calls_without_cdn(api: &str) -> Result<()> {
    let api = api.trim_end_matches('/');
    send(&format!("{api}/api/v1/health"), &[], None)?.expect_status(200)?;
    send(&format!("{api}/api/v1/languages"), &[], None)?.expect_error(403, "origin_refused")?;
    send(&format!("{api}/api/v1/languages"), &["x-origin-secret: guessed"], None)?.expect_error(403, "origin_refused")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curl_output_is_parsed() {
        let answer = parsed(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/2 404 \r\nContent-Type: application/json\r\nAge: 3\r\n\r\n{\"code\":\"a\"}").unwrap();
        assert_eq!((answer.status, answer.header("age")), (404, "3"));
        answer.expect_error(404, "a").unwrap();
        assert!(answer.expect_error(404, "b").is_err() && answer.expect_status(200).is_err());
        assert!(parsed(b"nothing").is_none());
    }
}
