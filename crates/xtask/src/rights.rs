//! Compares the permissions that template.yaml gives each function with those that the API tests used. The tests write
//! both lists (`tests/api/rights.rs`).

use std::collections::BTreeSet;

/// Returns the permissions that the template gives but no test used.
pub fn unused(report: &str) -> Vec<String> {
    let lines = |kind: &'static str| report.lines().filter_map(move |line| line.strip_prefix(kind)?.strip_prefix('\t'));
    let used: BTreeSet<&str> = lines("used").collect();
    let given: BTreeSet<&str> = lines("given").collect();
    given.difference(&used).map(|right| right.replace('\t', " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::unused;

    #[test]
    fn unused_rights_are_reported() {
        let report = "given\ta\tread\tX\nused\ta\tread\tX\ngiven\ta\tread\tY\nrefused\ta\tread\tY\ngiven\ta\tread\tY\n";
        assert_eq!(unused(report), ["a read Y"]);
        assert!(unused("").is_empty());
    }
}
