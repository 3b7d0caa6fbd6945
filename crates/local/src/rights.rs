//! Whether a function may do what it asks table and bucket for: what IAM is in the cloud. Nobody is held to anything where the product is
//! used; the tests hand in the policies of `template.yaml`, and every function of theirs calls in its own name: by the id of its key.

use std::sync::Arc;

use async_trait::async_trait;
use s3s::access::{S3Access, S3AccessContext};
use s3s::auth::{S3Auth, SecretKey};
use s3s::path::S3Path;
use s3s::{S3Result, s3_error};
use serde_json::Value;

/// The id of the key that the house itself calls with: it may do everything.
pub const HOUSE: &str = "waraq-local";

/// What a function asks for, as its policy sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub function: String,
    /// `dynamodb:GetItem`.
    pub action: String,
    pub on: On,
}

/// What a call is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum On {
    Table {
        /// The index that is asked, instead of the table itself.
        index: Option<String>,
        /// The partitions it is about (`dynamodb:LeadingKeys`).
        keys: Vec<String>,
        /// The attributes that it names (`dynamodb:Attributes`); none where all are read.
        attributes: Vec<String>,
    },
    File(String),
    /// A list of the files whose names begin so.
    Files(String),
    /// The pool that keeps the passwords.
    Passwords,
    /// A parameter of Systems Manager.
    Parameter(String),
}

pub trait Rights: Send + Sync {
    /// Whether the function may.
    fn allow(&self, call: &Call) -> bool;

    /// The names of the variables in a function's environment.
    fn variables(&self, function: &str) -> Vec<String>;
}

// ---------------------------------------------------------------- the table

/// The sort key of a password, where the table keeps them.
const PASSWORD: &str = "PASSWORD";

/// What one call of DynamoDB asks for: of a transaction, each of its writes.
pub fn calls(function: &str, operation: &str, body: &Value) -> Vec<Call> {
    let call = |action: &str, on: On| Call { function: function.to_owned(), action: action.to_owned(), on };
    let of_item = |operation: &str, asked: &Value| {
        let key = if operation == "PutItem" { &asked["Item"] } else { &asked["Key"] };
        if key["sk"]["S"] == PASSWORD {
            return call(on_password(operation), On::Passwords);
        }
        let keys = vec![text(&key["pk"]["S"])];
        call(&format!("dynamodb:{operation}"), On::Table { index: None, keys, attributes: attributes(asked) })
    };
    match operation {
        "TransactWriteItems" => {
            let writes = body["TransactItems"].as_array().into_iter().flatten().filter_map(Value::as_object).flatten();
            let writes = writes.map(|(kind, asked)| match kind.as_str() {
                "ConditionCheck" => of_item("ConditionCheckItem", asked),
                kind => of_item(&format!("{kind}Item"), asked),
            });
            writes.collect()
        }
        "BatchGetItem" => {
            let tables = body["RequestItems"].as_object().into_iter().flat_map(|tables| tables.values());
            let keys = tables.flat_map(|asked| asked["Keys"].as_array().into_iter().flatten());
            let keys = keys.map(|key| text(&key["pk"]["S"])).collect();
            vec![call("dynamodb:BatchGetItem", On::Table { index: None, keys, attributes: Vec::new() })]
        }
        "Query" => {
            let index = body["IndexName"].as_str().map(str::to_owned);
            let partition = if index.is_some() { "kind = " } else { "pk = " };
            let condition = body["KeyConditionExpression"].as_str().unwrap_or_default();
            let named = condition.split(" AND ").find_map(|part| part.trim().strip_prefix(partition));
            let keys = vec![text(&body["ExpressionAttributeValues"][named.unwrap_or_default()]["S"])];
            vec![call("dynamodb:Query", On::Table { index, keys, attributes: Vec::new() })]
        }
        "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem" => vec![of_item(operation, body)],
        other => vec![call(
            &format!("dynamodb:{other}"),
            On::Table { index: None, keys: Vec::new(), attributes: Vec::new() },
        )],
    }
}

/// What the same is where Cognito keeps the passwords.
fn on_password(operation: &str) -> &'static str {
    match operation {
        "GetItem" => "cognito-idp:AdminInitiateAuth",
        "DeleteItem" => "cognito-idp:AdminDeleteUser",
        _ => "cognito-idp:AdminSetUserPassword",
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The attributes that a write names: those of its item, and of its expressions.
fn attributes(asked: &Value) -> Vec<String> {
    const WORDS: [&str; 9] = ["SET", "ADD", "REMOVE", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"];
    let item = if asked["Item"].is_object() { &asked["Item"] } else { &asked["Key"] };
    let mut names: Vec<String> = item.as_object().into_iter().flat_map(|item| item.keys().cloned()).collect();
    for expression in ["UpdateExpression", "ConditionExpression"] {
        let expression = asked[expression].as_str().unwrap_or_default();
        let mut rest = expression;
        while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphabetic() || "#:_".contains(letter)) {
            let (_, from) = rest.split_at(start);
            let part_of_word = |letter: char| letter.is_ascii_alphanumeric() || "#:_".contains(letter);
            let end = from.find(|letter| !part_of_word(letter)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            rest = after;
            // `attribute_exists(` is none, nor is a value.
            if after.starts_with('(') || word.starts_with(':') || WORDS.contains(&word) {
                continue;
            }
            let named = asked["ExpressionAttributeNames"][word].as_str().unwrap_or(word);
            names.push(named.to_owned());
        }
    }
    names.sort();
    names.dedup();
    names
}

// ---------------------------------------------------------------- the bucket

/// One secret, whoever's key it is.
pub struct OneSecret(pub String);

#[async_trait]
impl S3Auth for OneSecret {
    async fn get_secret_key(&self, _: &str) -> S3Result<SecretKey> {
        Ok(SecretKey::from(self.0.as_str()))
    }
}

/// Lets through who has signed and, where rights are looked after, may.
pub struct Guard(pub Option<Arc<dyn Rights>>);

#[async_trait]
impl S3Access for Guard {
    async fn check(&self, context: &mut S3AccessContext<'_>) -> S3Result<()> {
        let Some(credentials) = context.credentials() else {
            return Err(s3_error!(AccessDenied, "Signature is required"));
        };
        let Some(rights) = self.0.as_ref().filter(|_| credentials.access_key != HOUSE) else { return Ok(()) };
        let action = action(context.s3_op().name());
        let on = match context.s3_path() {
            S3Path::Object { key, .. } => On::File(key.to_string()),
            _ => On::Files(prefix(context.uri().query().unwrap_or_default())),
        };
        let call = Call { function: credentials.access_key.clone(), action, on };
        if rights.allow(&call) { Ok(()) } else { Err(s3_error!(AccessDenied, "There is no right to do this")) }
    }
}

/// The right that an operation wants: an upload in parts is that to put; and to list versions, for which the list of files stands where
/// there are none.
fn action(operation: &str) -> String {
    let action = match operation {
        "CreateMultipartUpload" | "UploadPart" | "CompleteMultipartUpload" => "PutObject",
        "ListObjectVersions" | "ListObjectsV2" => "ListBucketVersions",
        other => other,
    };
    format!("s3:{action}")
}

fn prefix(query: &str) -> String {
    let value = query.split('&').find_map(|pair| pair.strip_prefix("prefix=")).unwrap_or_default();
    value.replace("%2F", "/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_write_asks_for() {
        let body = json!({ "TransactItems": [
            { "Update": {
                "Key": { "pk": { "S": "USER#a" }, "sk": { "S": "PROFILE" } },
                "UpdateExpression": "ADD downloads :one SET kind = :kind, #at = :at",
                "ConditionExpression": "attribute_exists(pk) AND (attribute_not_exists(documents) OR documents < :most)",
                "ExpressionAttributeNames": { "#at": "kind_order" },
            } },
            { "ConditionCheck": { "Key": { "pk": { "S": "TPL#b" }, "sk": { "S": "META" } }, "ConditionExpression": "attribute_exists(pk)" } },
            { "Put": { "Item": { "pk": { "S": "USER#a" }, "sk": { "S": "PASSWORD" }, "hash": { "S": "x" } } } },
        ] });
        let [update, check, password] = calls("save", "TransactWriteItems", &body).try_into().unwrap();
        let of = |keys: &str, attributes: &[&str]| On::Table {
            index: None,
            keys: vec![keys.to_owned()],
            attributes: attributes.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!((update.action.as_str(), update.function.as_str()), ("dynamodb:UpdateItem", "save"));
        assert_eq!(update.on, of("USER#a", &["documents", "downloads", "kind", "kind_order", "pk", "sk"]));
        assert_eq!(check.on, of("TPL#b", &["pk", "sk"]));
        assert_eq!(check.action, "dynamodb:ConditionCheckItem");
        assert_eq!((password.action.as_str(), password.on), ("cognito-idp:AdminSetUserPassword", On::Passwords));
    }

    #[test]
    fn what_a_question_asks_for() {
        let body = json!({ "IndexName": "kinds", "KeyConditionExpression": "kind = :kind AND kind_order >= :from",
            "ExpressionAttributeValues": { ":kind": { "S": "OUTBOX" }, ":from": { "S": "" } } });
        let [query] = calls("outbox", "Query", &body).try_into().unwrap();
        let on = On::Table { index: Some("kinds".into()), keys: vec!["OUTBOX".into()], attributes: Vec::new() };
        assert_eq!(query.on, on);
        assert_eq!(prefix("list-type=2&prefix=saved%2Fa%2F"), "saved/a/");
    }
}
