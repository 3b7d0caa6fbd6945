//! Reads the settings of the functions from template.yaml: environment variables, time limit, memory and role.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_yaml_ng::Value;

use super::programs::FunctionSettings;

/// Parses a template (YAML) as plain data, without its tags (`!Ref`, `!Sub`).
pub fn parse_template(template: &str) -> Result<Value> {
    Ok(untagged(serde_yaml_ng::from_str(template)?))
}

fn untagged(value: Value) -> Value {
    match value {
        Value::Tagged(tagged) => untagged(tagged.value),
        Value::Sequence(items) => Value::Sequence(items.into_iter().map(untagged).collect()),
        Value::Mapping(entries) => {
            Value::Mapping(entries.into_iter().map(|(key, value)| (key, untagged(value))).collect())
        }
        other => other,
    }
}

/// Returns the functions of a template by the names of their programs.
pub fn functions(template: &str) -> Result<BTreeMap<String, FunctionSettings>> {
    let template = parse_template(template)?;
    let all = &template["Globals"]["Function"];
    let resources = template["Resources"].as_mapping().context("the template has no resources")?;
    let functions = resources.values().filter(|resource| resource["Type"] == "AWS::Serverless::Function");
    let described = functions.map(|function| {
        let properties = &function["Properties"];
        let number = |name: &str| properties[name].as_u64().or(all[name].as_u64());
        let name =
            function["Metadata"]["BuildProperties"]["Binary"].as_str().context("a function without a program")?;
        let role = properties["Role"].as_str().with_context(|| format!("{name} has no role of its own"))?;
        let described = FunctionSettings {
            name: name.to_owned(),
            variables: [variables(all), variables(properties)].concat(),
            time_out: Duration::from_secs(number("Timeout").with_context(|| format!("{name}: its Timeout"))?),
            memory_mb: u32::try_from(number("MemorySize").unwrap_or(128))?,
            role: role.trim_end_matches(".Arn").to_owned(),
        };
        Ok((name.to_owned(), described))
    });
    described.collect()
}

fn variables(of: &Value) -> Vec<String> {
    let variables = of["Environment"]["Variables"].as_mapping();
    variables.into_iter().flatten().filter_map(|(name, _)| name.as_str().map(str::to_owned)).collect()
}
