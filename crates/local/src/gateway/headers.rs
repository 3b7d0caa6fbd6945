//! The security headers, from the file `template.yaml` has them of too.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName, HeaderValue};
use waraq_aws::GoogleSettings;

/// The headers of every answer.
pub struct SecurityHeaders(Vec<(HeaderName, HeaderValue)>);

impl SecurityHeaders {
    /// `google`: whom the page talks to besides its own origin where Google's users sign in.
    pub fn new(google: Option<&GoogleSettings>) -> Self {
        let file = include_str!("../../../../security-headers.json");
        let headers: BTreeMap<String, String> = serde_json::from_str(file).unwrap_or_default();
        let services = google.map_or_else(String::new, |google| {
            format!(" https://cognito-idp.{}.amazonaws.com https://{}", google.region, google.domain)
        });
        let pair = |(name, value): (String, String)| {
            Some((name.parse().ok()?, value.replace(" {services}", &services).parse().ok()?))
        };
        Self(headers.into_iter().filter_map(pair).collect())
    }

    pub fn add(&self, headers: &mut HeaderMap) {
        for (name, value) in &self.0 {
            headers.insert(name.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_header_of_the_file_is_one() {
        let file: serde_json::Value = serde_json::from_str(include_str!("../../../../security-headers.json")).unwrap();
        assert_eq!(super::SecurityHeaders::new(None).0.len(), file.as_object().unwrap().len());
    }
}
