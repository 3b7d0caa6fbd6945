//! The security headers, from the file `template.yaml` has them of too.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use http::{HeaderMap, HeaderName, HeaderValue};

static HEADERS: LazyLock<Vec<(HeaderName, HeaderValue)>> = LazyLock::new(|| {
    let file = include_str!("../../../../security-headers.json");
    let headers: BTreeMap<String, String> = serde_json::from_str(file).unwrap_or_default();
    // Locally everything comes from the gateway itself: there are no other services to connect to.
    let pair =
        |(name, value): (String, String)| Some((name.parse().ok()?, value.replace(" {services}", "").parse().ok()?));
    headers.into_iter().filter_map(pair).collect()
});

pub fn add(headers: &mut HeaderMap) {
    for (name, value) in HEADERS.iter() {
        headers.insert(name.clone(), value.clone());
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_header_of_the_file_is_one() {
        let file: serde_json::Value = serde_json::from_str(include_str!("../../../../security-headers.json")).unwrap();
        assert_eq!(super::HEADERS.len(), file.as_object().unwrap().len());
    }
}
