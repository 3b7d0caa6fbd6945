//! The security headers of all responses, from `security-headers.json`. A test checks that `template.yaml` has the same
//! headers.

use std::collections::HashMap;

use http::HeaderMap;
use waraq_aws::GoogleSettings;

const FILE: &str = include_str!("../../../../security-headers.json");

/// Returns the security headers of every response. If `google` is given, they also allow pages to call the services of
/// the Google sign-in.
pub fn security_headers(google: Option<&GoogleSettings>) -> HeaderMap {
    let services = google.map_or_else(String::new, |google| {
        format!(" https://cognito-idp.{}.amazonaws.com https://{}", google.region, google.domain)
    });
    let headers: HashMap<String, String> =
        serde_json::from_str(&FILE.replace(" {services}", &services)).unwrap_or_default();
    HeaderMap::try_from(&headers).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_headers_in_the_file_are_valid() {
        let file: serde_json::Value = serde_json::from_str(super::FILE).unwrap();
        assert_eq!(super::security_headers(None).len(), file.as_object().unwrap().len());
    }
}
