//! Checks the Word files that the tests filled against the schemas and rules of Open XML, with openxml-audit from PyPI. Word may
//! refuse or repair a file that breaks these rules.
//!
//! The tests write each template and its filled file into [`folder`]. Some templates of the tests are deliberately not valid.
//! Therefore only problems of a filled file are reported that its template does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::python::Environment;
use crate::steps::{command, target_dir};

pub const ENVIRONMENT: Environment = Environment { name: "openxml-audit", packages: &["openxml-audit==0.8.0"] };

/// The maximum number of problems that are printed.
const MAX_PRINTED: usize = 20;

/// Returns the folder into which tests write files, as `ID-template.docx` and `ID-filled.docx`.
pub fn folder() -> PathBuf {
    target_dir().join("filled")
}

/// Makes an empty folder for the next run of the tests.
pub fn make_folder() -> Result<()> {
    let folder = folder();
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(std::fs::create_dir_all(folder)?)
}

pub fn run() -> Result<()> {
    ENVIRONMENT.install()?;
    let program = ENVIRONMENT.program("openxml-audit");
    let mut audit = command(&program.to_string_lossy(), &["--recursive", "--output", "json", "--max-errors", "0"]);
    let outcome = audit.arg(folder()).output().context("openxml-audit cannot be started")?;
    let files = problems(&String::from_utf8_lossy(&outcome.stdout))
        .with_context(|| String::from_utf8_lossy(&outcome.stderr).into_owned())?;
    let (checked, new) = new_problems(&files);
    println!("      {checked} filled files checked, {} new problems", new.len());
    for problem in new.iter().take(MAX_PRINTED) {
        println!("      {problem}");
    }
    match (checked, new.len()) {
        (0, _) => bail!("no test wrote a filled file into {}", folder().display()),
        (_, 0) => Ok(()),
        (_, count) => bail!("{count} problems that the templates do not have"),
    }
}

/// The problems of a file: the part, and a description.
type Problems = BTreeSet<(String, String)>;

/// Returns the problems of each file in the JSON of openxml-audit, by the file's name without its extension.
fn problems(json: &str) -> Result<BTreeMap<String, Problems>> {
    let files: Vec<Value> = serde_json::from_str(json).context("openxml-audit did not write JSON")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |file: &Value| {
        let path = text(&file["file"]);
        let name = path.rsplit(['/', '\\']).next().and_then(|name| name.strip_suffix(".docx")).map(str::to_owned)?;
        let errors = file["errors"].as_array()?.iter();
        Some((name, errors.map(|error| (text(&error["part_uri"]), text(&error["description"]))).collect()))
    };
    files.iter().map(|file| of(file).with_context(|| format!("not a result of openxml-audit: {file}"))).collect()
}

/// Returns the number of filled files, and their problems that their templates do not have.
fn new_problems(files: &BTreeMap<String, Problems>) -> (usize, Vec<String>) {
    let filled = files.iter().filter_map(|(name, found)| Some((name.strip_suffix("-filled")?, found)));
    let of = |(id, found): (&str, &Problems)| -> Vec<String> {
        let known = files.get(&format!("{id}-template")).cloned().unwrap_or_default();
        found.difference(&known).map(|(part, what)| format!("{id}-filled.docx: {part}: {what}")).collect()
    };
    (filled.clone().count(), filled.flat_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_that_a_template_has_too_are_not_new() {
        let file = |name: &str, problems: &[&str]| {
            let errors: Vec<Value> = problems
                .iter()
                .map(|what| serde_json::json!({ "part_uri": "/word/document.xml", "description": what }))
                .collect();
            serde_json::json!({ "file": format!("/t/{name}.docx"), "errors": errors })
        };
        let json = serde_json::json!([
            file("1-template", &["no styles"]),
            file("1-filled", &["no styles", "an id is used twice"]),
            file("2-template", &[]),
            file("2-filled", &[]),
        ]);
        let found = new_problems(&problems(&json.to_string()).unwrap());
        assert_eq!(found, (2, vec!["1-filled.docx: /word/document.xml: an id is used twice".to_owned()]));
        assert!(problems("{}").is_err());
    }
}
