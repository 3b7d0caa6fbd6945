//! `cargo xtask cloud STACK …`: maintenance commands for a deployed stack. The AWS CLI provides the names of the
//! stack's resources and the credentials.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::aws::{Stack, aws, aws_json};
use crate::emulator::operations_program;
use crate::fonts;
use crate::steps::{check, command, target_dir};

pub fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        [stack, "replay"] => replay(&Stack::describe(stack)?),
        [stack, "admin", email] => run_on_stack(&Stack::describe(stack)?, &["admin", email]),
        [stack, "restore", table] => run_on_stack(&Stack::describe(stack)?, &["restore", table]),
        [stack, "catalogue"] => run_on_stack(&Stack::describe(stack)?, &["catalogue"]),
        _ => bail!("cloud takes the stack's name and `admin EMAIL`, `catalogue`, `restore TABLE` or `replay`"),
    }
}

/// Runs a task of `waraq-operations` with the table and the bucket of the stack.
pub fn run_on_stack(stack: &Stack, arguments: &[&str]) -> Result<()> {
    let credentials = aws(&["configure", "export-credentials", "--format", "process"])?;
    let credentials: Value = serde_json::from_str(&credentials).context("the AWS CLI's credentials")?;
    let key = |name: &str| credentials[name].as_str().unwrap_or_default().to_owned();
    fonts::fetch()?;
    check(
        command(&operations_program()?.to_string_lossy(), &[])
            .args(arguments)
            .env("TABLE_NAME", stack.output("TableName")?)
            .env("BUCKET_NAME", stack.output("FilesBucket")?)
            .env("COGNITO_USER_POOL_ID", stack.output("UserPool")?)
            // These commands log in no user, so they need no client.
            .env("COGNITO_CLIENT_ID", "none")
            .env("AWS_REGION", &stack.region)
            .env("AWS_ACCESS_KEY_ID", key("AccessKeyId"))
            .env("AWS_SECRET_ACCESS_KEY", key("SecretAccessKey"))
            .env("AWS_SESSION_TOKEN", key("SessionToken")),
    )
}

/// Sends each dead letter of the table's stream to the account clean-up function again. Deletes the dead letters that
/// the function then processes without errors.
fn replay(stack: &Stack) -> Result<()> {
    let (bucket, function) = (stack.output("DeadLettersBucket")?, stack.output("AccountCleanupFunction")?);
    let listed = aws_json(&["s3api", "list-objects-v2", "--bucket", &bucket])?;
    let keys = listed["Contents"].as_array().into_iter().flatten().filter_map(|object| object["Key"].as_str());
    let folder = target_dir().join("replay");
    std::fs::create_dir_all(&folder)?;
    let [letter, event, answer] = ["letter.json", "event.json", "answer.json"].map(|name| folder.join(name));
    let (mut done, mut left) = (0, 0);
    for key in keys {
        let letter_path = letter.to_string_lossy();
        aws(&["s3api", "get-object", "--bucket", &bucket, "--key", key, &letter_path])?;
        let written: Value = serde_json::from_slice(&std::fs::read(&letter)?).with_context(|| key.to_owned())?;
        std::fs::write(&event, payload(&written).with_context(|| format!("{key} has no records"))?.to_string())?;
        let event_file = format!("fileb://{}", event.display());
        let answer_path = answer.to_string_lossy();
        let invoked =
            aws_json(&["lambda", "invoke", "--function-name", &function, "--payload", &event_file, &answer_path])?;
        let answered: Value = serde_json::from_slice(&std::fs::read(&answer)?).unwrap_or_default();
        if has_succeeded(&invoked, &answered) {
            aws(&["s3api", "delete-object", "--bucket", &bucket, "--key", key])?;
            done += 1;
        } else {
            println!("{key} fails again: {answered}");
            left += 1;
        }
    }
    println!("{done} done, {left} left");
    if left == 0 { Ok(()) } else { bail!("{left} records are not done: see the log of {function}") }
}

/// Returns the event in a dead letter that was sent to the function, or `None` if the dead letter contains none. The
/// event may be stored as a JSON object or as a string of JSON.
fn payload(letter: &Value) -> Option<Value> {
    let payload = match &letter["payload"] {
        Value::String(text) => serde_json::from_str(text).ok()?,
        payload => payload.clone(),
    };
    payload["Records"].is_array().then_some(payload)
}

fn has_succeeded(invoked: &Value, answered: &Value) -> bool {
    let failed = answered["batchItemFailures"].as_array();
    invoked["FunctionError"].is_null() && failed.is_some_and(Vec::is_empty)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn event_is_read_from_dead_letters() {
        let event = json!({ "Records": [{ "eventName": "REMOVE" }] });
        assert_eq!(payload(&json!({ "version": "1.0", "payload": event })), Some(event.clone()));
        assert_eq!(payload(&json!({ "payload": event.to_string() })), Some(event));
        assert_eq!(payload(&json!({ "version": "1.0" })), None);
    }

    #[test]
    fn failed_invocations_are_detected() {
        let fine = json!({ "StatusCode": 200 });
        assert!(has_succeeded(&fine, &json!({ "batchItemFailures": [] })));
        assert!(!has_succeeded(&fine, &json!({ "batchItemFailures": [{ "itemIdentifier": "1" }] })));
        assert!(!has_succeeded(&fine, &json!({ "errorMessage": "no" })));
        assert!(!has_succeeded(&json!({ "FunctionError": "Unhandled" }), &json!({ "batchItemFailures": [] })));
    }
}
