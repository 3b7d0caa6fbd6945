//! Access control of the table and the bucket, with the same rules as IAM in the cloud. It is disabled in normal use.
//! The tests provide the policies of `template.yaml`. Each function then calls the table and the bucket with its own
//! name as its access key id.

use std::sync::Arc;

use async_trait::async_trait;
use s3s::access::{S3Access, S3AccessContext};
use s3s::auth::{S3Auth, SecretKey};
use s3s::path::S3Path;
use s3s::{S3Result, s3_error};
use serde_json::Value;

/// The access key id of the installation itself, which may do everything.
pub const INSTALLATION_KEY_ID: &str = "waraq-local";

/// A call of a function to a service, in the terms of an IAM policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionCall {
    pub function: String,
    /// The IAM action, such as `dynamodb:GetItem`.
    pub action: String,
    pub resource: Resource,
}

/// The resource of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    Table {
        /// The index that is queried; `None` for the table itself.
        index: Option<String>,
        /// The partition keys of the items (`dynamodb:LeadingKeys`).
        keys: Vec<String>,
        /// The attributes named in the request (`dynamodb:Attributes`); empty if all are read.
        attributes: Vec<String>,
    },
    File(String),
    /// The list of all files whose names (S3 keys) start with this prefix.
    Files(String),
    /// The Cognito user pool with the passwords.
    Passwords,
    /// A parameter of Systems Manager.
    Parameter(String),
}

pub trait Rights: Send + Sync {
    /// Returns whether the policy of the function allows the call.
    fn allow(&self, call: &FunctionCall) -> bool;

    /// Returns the names of the variables in a function's environment.
    fn variables(&self, function: &str) -> Vec<String>;
}

// ---------------------------------------------------------------- the table

/// The sort key of the item with an account's password, if the table stores passwords.
const PASSWORD: &str = "PASSWORD";

/// Returns the calls that a DynamoDB request consists of: one for each write of a transaction, one for any other
/// request.
pub fn calls(function: &str, operation: &str, body: &Value) -> Vec<FunctionCall> {
    let call = |action: &str, on: Resource| FunctionCall {
        function: function.to_owned(),
        action: action.to_owned(),
        resource: on,
    };
    let of_item = |operation: &str, asked: &Value| {
        let key = if operation == "PutItem" { &asked["Item"] } else { &asked["Key"] };
        if key["sk"]["S"] == PASSWORD {
            return call(cognito_action(operation), Resource::Passwords);
        }
        let keys = vec![text(&key["pk"]["S"])];
        call(
            &format!("dynamodb:{operation}"),
            Resource::Table { index: None, keys, attributes: attributes(operation, asked) },
        )
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
            vec![call("dynamodb:BatchGetItem", Resource::Table { index: None, keys, attributes: Vec::new() })]
        }
        "Query" => {
            let index = body["IndexName"].as_str().map(str::to_owned);
            let partition = if index.is_some() { "kind = " } else { "pk = " };
            let condition = body["KeyConditionExpression"].as_str().unwrap_or_default();
            let named = condition.split(" AND ").find_map(|part| part.trim().strip_prefix(partition));
            let keys = vec![text(&body["ExpressionAttributeValues"][named.unwrap_or_default()]["S"])];
            vec![call("dynamodb:Query", Resource::Table { index, keys, attributes: Vec::new() })]
        }
        "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem" => vec![of_item(operation, body)],
        other => vec![call(
            &format!("dynamodb:{other}"),
            Resource::Table { index: None, keys: Vec::new(), attributes: Vec::new() },
        )],
    }
}

/// Returns the Cognito action that replaces an operation on a password item. In the cloud, Cognito stores the
/// passwords.
fn cognito_action(operation: &str) -> &'static str {
    match operation {
        "GetItem" => "cognito-idp:AdminInitiateAuth",
        "DeleteItem" => "cognito-idp:AdminDeleteUser",
        _ => "cognito-idp:AdminSetUserPassword",
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the attributes that a request names in its item and its expressions. Empty for a read without a projection.
fn attributes(operation: &str, asked: &Value) -> Vec<String> {
    const WORDS: [&str; 9] = ["SET", "ADD", "REMOVE", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"];
    let item = if asked["Item"].is_object() { &asked["Item"] } else { &asked["Key"] };
    let mut names: Vec<String> = item.as_object().into_iter().flat_map(|item| item.keys().cloned()).collect();
    if operation == "GetItem" && asked["ProjectionExpression"].is_null() {
        return Vec::new();
    }
    for expression in ["UpdateExpression", "ConditionExpression", "ProjectionExpression"] {
        let expression = asked[expression].as_str().unwrap_or_default();
        let mut rest = expression;
        while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphabetic() || "#:_".contains(letter)) {
            let (_, from) = rest.split_at(start);
            let part_of_word = |letter: char| letter.is_ascii_alphanumeric() || "#:_".contains(letter);
            let end = from.find(|letter| !part_of_word(letter)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            rest = after;
            // These words are not attributes: function names such as `attribute_exists(`, values such as `:now`, keywords.
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

/// The secret of the bucket. All access key ids have the same secret.
pub struct SharedSecret(pub String);

#[async_trait]
impl S3Auth for SharedSecret {
    async fn get_secret_key(&self, _: &str) -> S3Result<SecretKey> {
        Ok(SecretKey::from(self.0.as_str()))
    }
}

/// Refuses unsigned requests to the bucket. With access control, also refuses requests that the policy of the function
/// does not allow.
pub struct Guard(pub Option<Arc<dyn Rights>>);

#[async_trait]
impl S3Access for Guard {
    async fn check(&self, context: &mut S3AccessContext<'_>) -> S3Result<()> {
        let Some(credentials) = context.credentials() else {
            return Err(s3_error!(AccessDenied, "Signature is required"));
        };
        let Some(rights) = self.0.as_ref().filter(|_| credentials.access_key != INSTALLATION_KEY_ID) else {
            return Ok(());
        };
        let action = action(context.s3_op().name());
        let resource = match context.s3_path() {
            S3Path::Object { key, .. } => Resource::File(key.to_string()),
            _ => Resource::Files(prefix(context.uri().query().unwrap_or_default())),
        };
        let call = FunctionCall { function: credentials.access_key.clone(), action, resource };
        if rights.allow(&call) { Ok(()) } else { Err(s3_error!(AccessDenied, "There is no right to do this")) }
    }
}

/// Returns the IAM action that an S3 operation needs. A multipart upload needs the right to put. Listing files needs
/// the right to list versions, because the product lists versions in the cloud. The local bucket has no versions.
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
    fn transaction_lists_the_action_keys_and_attributes_of_each_write() {
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
        let of = |keys: &str, attributes: &[&str]| Resource::Table {
            index: None,
            keys: vec![keys.to_owned()],
            attributes: attributes.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!((update.action.as_str(), update.function.as_str()), ("dynamodb:UpdateItem", "save"));
        assert_eq!(update.resource, of("USER#a", &["documents", "downloads", "kind", "kind_order", "pk", "sk"]));
        assert_eq!(check.resource, of("TPL#b", &["pk", "sk"]));
        assert_eq!(check.action, "dynamodb:ConditionCheckItem");
        assert_eq!(
            (password.action.as_str(), password.resource),
            ("cognito-idp:AdminSetUserPassword", Resource::Passwords)
        );
    }

    #[test]
    fn query_lists_its_index_and_keys() {
        let body = json!({ "IndexName": "kinds", "KeyConditionExpression": "kind = :kind AND kind_order >= :from",
            "ExpressionAttributeValues": { ":kind": { "S": "OUTBOX" }, ":from": { "S": "" } } });
        let [query] = calls("outbox", "Query", &body).try_into().unwrap();
        let on = Resource::Table { index: Some("kinds".into()), keys: vec!["OUTBOX".into()], attributes: Vec::new() };
        assert_eq!(query.resource, on);
        assert_eq!(prefix("list-type=2&prefix=saved%2Fa%2F"), "saved/a/");
    }
}
