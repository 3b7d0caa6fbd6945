//! Verifies AWS Signature Version 4: signs the request again with the secret and compares the signatures.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4::SigningParams;
use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use http::header::AUTHORIZATION;
use http::request::Parts;
use waraq_core::Clock;
use waraq_core::files::content_hash;

/// Maximum clock difference that AWS allows.
const SKEW: Duration = Duration::from_secs(5 * 60);

/// The secret, region and service of valid signatures.
pub struct Signatures {
    /// The secret of every access key. The key's id only identifies the caller.
    pub secret: String,
    pub region: String,
    pub service: &'static str,
    pub clock: Arc<dyn Clock>,
}

impl Signatures {
    /// Returns the access key id of a request, or `None` if the signature does not match the headers and the body of
    /// the request. `needed` lists headers that must be signed, because a header that is not signed can be forged.
    pub fn caller(&self, parts: &Parts, body: &[u8], needed: &[&str]) -> Option<String> {
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let sent = Authorization::parse(header(AUTHORIZATION.as_str())?)?;
        let date = header("x-amz-date")?;
        let time = time_of(date)?;
        let now = UNIX_EPOCH + Duration::from_millis(self.clock.now().0);
        let apart = now.duration_since(time).unwrap_or_else(|error| error.duration());
        let (id, sent_scope) = sent.credential.split_once('/')?;
        let scope = format!("{}/{}/{}/aws4_request", date.get(..8)?, self.region, self.service);
        let signed: Vec<&str> = sent.signed_headers.split(';').collect();
        if apart > SKEW || sent_scope != scope || needed.iter().any(|name| !signed.contains(name)) {
            return None;
        }
        // The signer adds these two headers itself.
        let added = ["host", "x-amz-date"];
        let headers = signed.iter().filter(|name| !added.contains(*name)).map(|name| Some((*name, header(name)?)));
        let headers: Vec<(&str, &str)> = headers.collect::<Option<_>>()?;
        let uri = format!("http://{}{}", header("host")?, parts.uri.path_and_query()?.as_str());
        let identity = aws_credential_types::Credentials::new(id, &self.secret, None, None, "local").into();
        let parameters = SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name(self.service)
            .time(time)
            .settings(SigningSettings::default())
            .build()
            .ok()?
            .into();
        let request = SignableRequest::new(parts.method.as_str(), uri, headers.into_iter(), SignableBody::Bytes(body));
        let (_, signature) = sign(request.ok()?, &parameters).ok()?.into_parts();
        // The hashes are compared, so that the duration of the comparison reveals nothing about the right signature.
        (content_hash(signature.as_bytes()) == content_hash(sent.signature.as_bytes())).then(|| id.to_owned())
    }
}

/// The parsed header `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`.
struct Authorization<'a> {
    credential: &'a str,
    signed_headers: &'a str,
    signature: &'a str,
}

impl<'a> Authorization<'a> {
    fn parse(header: &'a str) -> Option<Self> {
        let parts = header.strip_prefix("AWS4-HMAC-SHA256 ")?;
        let part = |name: &str| parts.split(',').find_map(|part| part.trim().strip_prefix(name));
        Some(Self {
            credential: part("Credential=")?,
            signed_headers: part("SignedHeaders=")?,
            signature: part("Signature=")?,
        })
    }
}

/// Parses a date such as `20261122T105500Z`.
fn time_of(date: &str) -> Option<SystemTime> {
    let part = |range: std::ops::Range<usize>| date.get(range);
    let (day, time) = (date.get(..8)?, date.get(8..)?);
    let long = format!(
        "{}-{}-{}{}:{}:{}Z",
        &day.get(..4)?,
        &day.get(4..6)?,
        &day.get(6..)?,
        time.get(..3)?,
        part(11..13)?,
        part(13..15)?
    );
    SystemTime::try_from(DateTime::from_str(&long, Format::DateTime).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signatures(secret: &str) -> Signatures {
        let clock = Arc::new(waraq_aws::SystemClock);
        Signatures { secret: secret.to_owned(), region: "us-east-1".to_owned(), service: "dynamodb", clock }
    }

    /// Returns a request signed as the SDK signs it.
    fn request(secret: &str, time: SystemTime, body: &[u8]) -> Parts {
        let headers = [("content-type", "application/x-amz-json-1.0"), ("x-amz-target", "DynamoDB_20120810.Scan")];
        let identity = aws_credential_types::Credentials::new("waraq-local", secret, None, None, "test").into();
        let parameters = SigningParams::builder()
            .identity(&identity)
            .region("us-east-1")
            .name("dynamodb")
            .time(time)
            .settings(SigningSettings::default())
            .build()
            .unwrap()
            .into();
        let signable =
            SignableRequest::new("POST", "http://127.0.0.1:8000/", headers.into_iter(), SignableBody::Bytes(body));
        let (instructions, _) = sign(signable.unwrap(), &parameters).unwrap().into_parts();
        let mut request = http::Request::post("http://127.0.0.1:8000/").body(()).unwrap();
        instructions.apply_to_request_http1x(&mut request);
        for (name, value) in headers.into_iter().chain([("host", "127.0.0.1:8000")]) {
            request.headers_mut().insert(name, http::HeaderValue::from_static(value));
        }
        request.into_parts().0
    }

    #[test]
    fn only_requests_signed_with_the_secret_are_accepted() {
        let (now, held) = (SystemTime::now(), signatures("right"));
        let needed = ["x-amz-target"];
        let caller = held.caller(&request("right", now, b"{}"), b"{}", &needed);
        assert_eq!(caller.as_deref(), Some("waraq-local"));
        assert!(held.caller(&request("wrong", now, b"{}"), b"{}", &needed).is_none(), "another secret");
        assert!(held.caller(&request("right", now, b"{}"), b"[]", &needed).is_none(), "another body");
        let mut other = request("right", now, b"{}");
        other.headers.insert("x-amz-target", http::HeaderValue::from_static("DynamoDB_20120810.DeleteTable"));
        assert!(held.caller(&other, b"{}", &needed).is_none(), "another operation");
        let old = now - Duration::from_secs(3_600);
        assert!(held.caller(&request("right", old, b"{}"), b"{}", &needed).is_none(), "an hour old");
        assert!(
            held.caller(&request("right", now, b"{}"), b"{}", &["x-other"]).is_none(),
            "a header outside the signature"
        );
        let mut unsigned = request("right", now, b"{}");
        unsigned.headers.remove(AUTHORIZATION);
        assert!(held.caller(&unsigned, b"{}", &needed).is_none(), "no signature");
        for nonsense in
            ["", "Bearer x", "AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256 Credential=é, SignedHeaders=, Signature="]
        {
            let mut parts = request("right", now, b"{}");
            parts.headers.insert(AUTHORIZATION, http::HeaderValue::from_bytes(nonsense.as_bytes()).unwrap());
            assert!(held.caller(&parts, b"{}", &needed).is_none(), "{nonsense}");
        }
        for nonsense in ["", "2026", "20261122X105500Z", "99999999T999999Z", "é0261122T105500Z"] {
            let mut parts = request("right", now, b"{}");
            parts.headers.insert("x-amz-date", http::HeaderValue::from_bytes(nonsense.as_bytes()).unwrap());
            assert!(held.caller(&parts, b"{}", &needed).is_none(), "{nonsense}");
        }
    }
}
