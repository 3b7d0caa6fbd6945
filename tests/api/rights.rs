//! Checks that each function has all rights that it needs and no others. Every test server restricts each function to its
//! policy in template.yaml, so a missing right fails the test that needs it. The rights that were used are written to the
//! file that `WARAQ_RIGHTS` names. `cargo xtask test` reads it and fails if a right is granted that no test used.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde_json::json;
use serde_yaml_ng::Value as Yaml;
use waraq_core::accounts::{AccountWrite, CommitOutcome, GoogleLink};
use waraq_local::{FunctionCall, Resource, Rights};

use crate::silence::{template, template_functions};
use crate::test_server::{TestServer, bearer, letter_values, token_of};

/// Statements that are not used by a call of the table, the bucket or the user pool, with the reason for each.
const TESTED_ELSEWHERE: [(&str, &str); 7] = [
    ("Log", "the platform writes the log"),
    ("Stream", "the platform reads the stream"),
    ("PutAside", "the platform puts aside what cannot be done"),
    ("NotThere", "with it S3 answers 404 for what is not there, without it 403"),
    ("Invalidate", "crates/aws/src/cdn.rs: there is no CDN on a laptop"),
    ("Send", "contracts::mails_by_ses, and the outbox alone is told whom to send as"),
    ("Secrets", "functions/tests: each reads the parameters that its environment names, and no others"),
];

/// The start of parameter names in their ARNs.
const PARAMETERS: &str = ":parameter/${AWS::StackName}/";

/// The kind of resource of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ResourceKind {
    Table,
    Index,
    Files,
    Bucket,
    Parameters,
    Other,
}

impl fmt::Display for ResourceKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Table => "table",
            Self::Index => "index",
            Self::Files => "file",
            Self::Bucket => "bucket",
            Self::Parameters => "parameter",
            Self::Other => "other",
        })
    }
}

#[derive(Debug, Clone)]
struct Statement {
    sid: String,
    actions: Vec<String>,
    resource: ResourceKind,
    /// Patterns of partition keys or file names. Empty if the resource has none.
    patterns: Vec<String>,
    /// The attributes that may be named, if they are limited.
    attributes: Option<Vec<String>>,
    /// The request must name its attributes (the condition `Null` of `dynamodb:Attributes` is false).
    names_attributes: bool,
}

/// Formats a right: function, action, kind of resource, pattern.
fn line(function: &str, action: &str, place: ResourceKind, pattern: &str) -> String {
    format!("{function}\t{action}\t{place}\t{pattern}")
}

#[derive(Clone)]
struct Granted {
    statements: Vec<Statement>,
    variables: Vec<String>,
}

fn texts(value: &Yaml) -> Vec<String> {
    match value {
        Yaml::Sequence(items) => items.iter().flat_map(texts).collect(),
        other => other.as_str().map(str::to_owned).into_iter().collect(),
    }
}

fn statement(written: &Yaml) -> Statement {
    let resources = texts(&written["Resource"]);
    let place = match resources[0].as_str() {
        "Table.Arn" => ResourceKind::Table,
        index if index.ends_with("/index/kinds") => ResourceKind::Index,
        "Files.Arn" => ResourceKind::Bucket,
        file if file.starts_with("${Files.Arn}/") => ResourceKind::Files,
        parameter if parameter.contains(PARAMETERS) => ResourceKind::Parameters,
        _ => ResourceKind::Other,
    };
    let condition = |name: &str| -> Option<Vec<String>> {
        let operators = written["Condition"].as_mapping()?;
        let limits = operators.iter().filter(|(operator, _)| operator.as_str() != Some("Null"));
        limits.map(|(_, keys)| keys).find_map(|keys| keys.get(name).map(texts))
    };
    let patterns = match place {
        ResourceKind::Table | ResourceKind::Index => condition("dynamodb:LeadingKeys"),
        ResourceKind::Bucket => condition("s3:prefix"),
        ResourceKind::Files => {
            let names = resources.iter().map(|resource| resource.trim_start_matches("${Files.Arn}/").to_owned());
            Some(names.collect())
        }
        ResourceKind::Parameters => {
            let name = |resource: &String| resource.split_once(PARAMETERS).map(|(_, name)| format!("/waraq/{name}"));
            resources.iter().map(name).collect()
        }
        ResourceKind::Other => None,
    };
    let limited = ["dynamodb:LeadingKeys", "dynamodb:Attributes", "s3:prefix"];
    let known = written["Condition"].as_mapping().into_iter().flatten().all(|(operator, keys)| {
        matches!(
            operator.as_str(),
            Some("ForAllValues:StringLike" | "ForAllValues:StringEquals" | "StringLike" | "Null")
        ) && keys.as_mapping().unwrap().keys().all(|key| limited.contains(&key.as_str().unwrap()))
    });
    assert!(known, "unknown condition: {written:?}");
    Statement {
        sid: texts(&written["Sid"]).remove(0),
        actions: texts(&written["Action"]),
        resource: place,
        patterns: patterns.unwrap_or_default(),
        attributes: condition("dynamodb:Attributes"),
        names_attributes: written["Condition"]["Null"]["dynamodb:Attributes"].as_str() == Some("false"),
    }
}

static GRANTED: LazyLock<BTreeMap<String, Granted>> = LazyLock::new(|| {
    let template = template();
    let functions = template_functions().into_iter().map(|(name, function)| {
        let role = &template["Resources"][function.role.as_str()]["Properties"]["Policies"];
        let written = role.as_sequence().unwrap().iter();
        let written = written.flat_map(|policy| policy["PolicyDocument"]["Statement"].as_sequence().unwrap());
        let granted = Granted { statements: written.map(statement).collect(), variables: function.variables };
        (name, granted)
    });
    let granted: BTreeMap<String, Granted> = functions.collect();
    for (function, granted) in &granted {
        let shown_here = |statement: &&Statement| TESTED_ELSEWHERE.iter().all(|(sid, _)| *sid != statement.sid);
        for statement in granted.statements.iter().filter(shown_here) {
            for action in &statement.actions {
                let patterns =
                    if statement.patterns.is_empty() { vec![String::new()] } else { statement.patterns.clone() };
                for pattern in patterns {
                    report_line(&format!("given\t{}\n", line(function, action, statement.resource, &pattern)));
                }
            }
        }
    }
    granted
});

/// Appends each line once per run. A single write keeps the lines of parallel tests apart.
fn report_line(line: &str) {
    static WRITTEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(report) = std::env::var_os("WARAQ_RIGHTS")
        && written.insert(line.to_owned())
    {
        let mut file = OpenOptions::new().create(true).append(true).open(report).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}

/// Matches like IAM: `*` matches any text.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    (0..=text.len()).filter(|at| text.is_char_boundary(*at)).any(|at| matches_pattern(rest, &text[at..]))
}

/// The policies of all functions. Each test server has its own instance.
pub struct Policies {
    granted: BTreeMap<String, Granted>,
    refused: Mutex<BTreeSet<String>>,
}

impl Policies {
    pub fn from_template() -> Arc<Self> {
        Arc::new(Self { granted: GRANTED.clone(), refused: Mutex::default() })
    }

    /// Returns the policies without one right. A `pattern` of `None` removes the whole action.
    pub fn without(function: &str, action: &str, pattern: Option<&str>) -> Arc<Self> {
        Self::without_rights(&[(function, action, pattern)])
    }

    /// Returns the policies without several rights.
    pub fn without_rights(rights: &[(&str, &str, Option<&str>)]) -> Arc<Self> {
        let mut granted = GRANTED.clone();
        for (function, action, pattern) in rights {
            let mut taken = 0;
            for statement in &mut granted.get_mut(*function).unwrap().statements {
                let (actions, patterns) = (statement.actions.len(), statement.patterns.len());
                match pattern {
                    None => statement.actions.retain(|other| other != action),
                    Some(pattern) if statement.actions.iter().any(|other| other == action) => {
                        statement.patterns.retain(|other| other != pattern);
                    }
                    Some(_) => {}
                }
                taken += actions - statement.actions.len() + patterns - statement.patterns.len();
            }
            assert_eq!(taken, 1, "{function} has this right once");
        }
        Arc::new(Self { granted, refused: Mutex::default() })
    }

    /// Returns the refused calls since the last call of this method.
    pub fn refused(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.refused.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns true if the right is granted, and records its use.
    fn is_granted(&self, call: &FunctionCall, action: &str) -> bool {
        let (place, on, attributes): (_, &[String], &[String]) = match &call.resource {
            Resource::Table { index: None, keys, attributes } => (ResourceKind::Table, keys, attributes),
            Resource::Table { index: Some(_), keys, attributes } => (ResourceKind::Index, keys, attributes),
            Resource::File(name) => (ResourceKind::Files, std::slice::from_ref(name), &[]),
            Resource::Files(prefix) => (ResourceKind::Bucket, std::slice::from_ref(prefix), &[]),
            Resource::Parameter(name) => (ResourceKind::Parameters, std::slice::from_ref(name), &[]),
            Resource::Passwords => (ResourceKind::Other, &[], &[]),
        };
        let statements = self.granted.get(&call.function).map(|granted| granted.statements.as_slice());
        for statement in statements.unwrap_or_default() {
            let named = |name: &String| statement.attributes.as_ref().is_none_or(|known| known.contains(name));
            if statement.resource != place || !statement.actions.iter().any(|other| other == action) {
                continue;
            }
            let patterns: Option<Vec<&String>> = on
                .iter()
                .map(|text| statement.patterns.iter().find(|pattern| matches_pattern(pattern, text)))
                .collect();
            let named = attributes.iter().all(named) && (!statement.names_attributes || !attributes.is_empty());
            if let Some(patterns) = patterns.filter(|_| named) {
                let nothing = String::new();
                let patterns = if patterns.is_empty() { vec![&nothing] } else { patterns };
                for pattern in patterns {
                    report_line(&format!("used\t{}\n", line(&call.function, action, place, pattern)));
                }
                return true;
            }
        }
        false
    }
}

impl Rights for Policies {
    fn allow(&self, call: &FunctionCall) -> bool {
        // A user that Cognito does not know yet is created first.
        let first = (call.action == "cognito-idp:AdminSetUserPassword").then_some("cognito-idp:AdminCreateUser");
        // The local files have no versions, so the right to delete all versions allows the deletion of the file.
        let instead = (call.action == "s3:DeleteObject").then_some("s3:DeleteObjectVersion");
        let versions = instead.is_some_and(|action| self.is_granted(call, action));
        let given = first.is_none_or(|action| self.is_granted(call, action)) && self.is_granted(call, &call.action);
        if !given && !versions {
            let refusal = format!("{}\t{}\t{:?}", call.function, call.action, call.resource);
            report_line(&format!("refused\t{refusal}\n"));
            self.refused.lock().unwrap_or_else(PoisonError::into_inner).insert(refusal);
        }
        given || versions
    }

    fn variables(&self, function: &str) -> Vec<String> {
        self.granted.get(function).map(|granted| granted.variables.clone()).unwrap_or_default()
    }
}

#[test]
fn patterns_match_like_iam() {
    for (pattern, text) in [("USER#*", "USER#a"), ("GOING", "GOING"), ("saved/*.webp", "saved/a/b.webp"), ("*", "")] {
        assert!(matches_pattern(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("USER#*", "SAVED#USER#"), ("GOING", "GOING#a"), ("saved/*.webp", "saved/a/b.pdf")] {
        assert!(!matches_pattern(pattern, text), "{pattern} {text}");
    }
}

/// Functions that make documents update the counters of an account, but do not write its profile.
#[test]
fn only_account_functions_write_profiles() {
    let on_accounts = |statement: &&Statement| {
        let accounts = |pattern: &String| matches_pattern(pattern, "USER#a");
        statement.resource == ResourceKind::Table && statement.patterns.iter().any(accounts)
    };
    let mut whole = BTreeSet::new();
    for (function, granted) in GRANTED.iter() {
        for statement in granted.statements.iter().filter(on_accounts) {
            let writes = |action: &String| ["dynamodb:PutItem", "dynamodb:UpdateItem"].contains(&action.as_str());
            let profile = statement.attributes.as_ref().is_none_or(|known| known.iter().any(|name| name == "data"));
            if statement.actions.iter().any(writes) && profile {
                whole.insert(function.as_str());
            }
        }
    }
    let expected = [
        "auth-change-password",
        "auth-google-login",
        "auth-logout",
        "auth-register",
        "auth-reset-password",
        "auth-restore-email",
        "auth-verify-change-email-otp",
        "auth-verify-otp",
        "users-update",
        "users-update-me",
    ];
    assert_eq!(whole.into_iter().collect::<Vec<_>>(), expected);
}

/// Returns whether a function may make a call on the item of a partition, naming these attributes.
fn may(function: &str, action: &str, partition: &str, attributes: &[&str]) -> bool {
    let attributes = attributes.iter().map(|name| (*name).to_owned()).collect();
    let resource = Resource::Table { index: None, keys: vec![partition.to_owned()], attributes };
    let (function, action) = (function.to_owned(), format!("dynamodb:{action}"));
    Policies::from_template().is_granted(&FunctionCall { function, action: action.clone(), resource }, &action)
}

#[test]
fn filling_cannot_change_templates_or_read_saved_values() {
    let fill = "documents-fill-fields";
    assert!(may(fill, "UpdateItem", "USES#a", &["pk", "sk", "uses", "kind", "kind_order"]));
    assert!(!may(fill, "UpdateItem", "TPL#a", &["pk", "sk", "uses", "kind", "kind_order"]));
    assert!(may(fill, "GetItem", "SAVED#a", &["pk", "sk", "uses", "version", "data"]));
    assert!(!may(fill, "GetItem", "SAVED#a", &["pk", "sk", "named_values"]));
    assert!(!may(fill, "GetItem", "SAVED#a", &[]), "a read without a projection reads all attributes");
    assert!(!may(fill, "Query", "SAVED#a", &[]));
}

#[tokio::test]
async fn call_without_its_right_is_refused() {
    let policies = Policies::without("documents-fill-fields", "dynamodb:UpdateItem", Some("COUNT#*"));
    let server = TestServer::with_options(|options| options.rights = Some(policies.clone())).await;
    let letter = server.api.publish_letter(&server.admin().await, "A letter").await;
    let filled = server.api.fill(&letter, &[], &letter_values("Amina")).await;
    assert_eq!((filled.status, filled.code()), (503, "unavailable"), "{filled:?}");
    let refused: Vec<String> = policies.refused().into_iter().collect();
    let [refused] = refused.as_slice() else { panic!("{refused:?}") };
    assert!(refused.starts_with("documents-fill-fields\tdynamodb:UpdateItem\t"), "{refused}");
    assert!(refused.contains("[\"COUNT#"), "{refused}");
    // Other functions keep this right.
    let wrong = json!({ "email": server.local.admin.email, "password": "not his" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &wrong).await.code(), "invalid_credentials");
    assert!(policies.refused().is_empty());
}

/// Records the calls that functions make, and allows all of them.
#[derive(Default)]
struct RecordedCalls(Mutex<Vec<FunctionCall>>);

impl RecordedCalls {
    /// Returns the number of account reads of a function.
    fn account_reads(&self, function: &str) -> usize {
        let calls = self.0.lock().unwrap();
        let reads = calls.iter().filter(|call| call.function == function && call.action == "dynamodb:GetItem");
        let of_account = |call: &&FunctionCall| matches!(&call.resource, Resource::Table { keys, .. } if keys.iter().any(|key| key.starts_with("USER#")));
        reads.filter(of_account).count()
    }
}

impl Rights for RecordedCalls {
    fn allow(&self, call: &FunctionCall) -> bool {
        self.0.lock().unwrap().push(call.clone());
        true
    }

    fn variables(&self, function: &str) -> Vec<String> {
        Policies::from_template().variables(function)
    }
}

#[tokio::test]
async fn requests_that_render_read_the_account_once() {
    let calls = Arc::new(RecordedCalls::default());
    let server = TestServer::with_options(|options| options.rights = Some(calls.clone())).await;
    let admin = server.admin().await;
    let letter = server.api.publish_letter(&admin, "A letter").await;
    let (_, token) = server.user("amina@example.org").await;
    let filled = server.api.fill(&letter, &[("authorization", &bearer(&token))], &letter_values("Amina")).await;
    assert_eq!(filled.status, 200, "{filled:?}");
    for function in ["documents-file", "documents-fill-fields"] {
        assert_eq!(calls.account_reads(function), 1, "{function}");
    }
}

/// A password-reset link stays valid if the password could not be stored.
#[tokio::test]
async fn reset_link_stays_valid_if_the_password_is_not_stored() {
    let policies = Policies::without("auth-reset-password", "cognito-idp:AdminSetUserPassword", None);
    let server = TestServer::with_options(|options| options.rights = Some(policies.clone())).await;
    let (account, _) = server.user("amina@example.org").await;
    let forgot = json!({ "email": account.email });
    assert_eq!(server.api.post("/api/v1/auth/forgot-password", &[], &forgot).await.status, 200);
    let token = token_of(&server.mail_of("reset-password", &account.email, 0).await);
    let reset = json!({ "token": token, "newPassword": "another password" });
    for _ in 0..2 {
        let answer = server.api.post("/api/v1/auth/reset-password", &[], &reset).await;
        assert_eq!((answer.status, answer.code()), (503, "unavailable"), "{answer:?}");
    }
    assert_eq!(server.items("RESET#").await.len(), 1, "the link still exists");
    assert_eq!(policies.refused().len(), 1, "both refusals are equal");
}

/// A deletion of an account, by an admin or by its user, also deletes its sign-in with Google.
#[tokio::test]
async fn account_deletion_removes_google_sign_ins() {
    let server = TestServer::new().await;
    let (admin, cloud) = (server.admin().await, &server.local.cloud);
    for (email, subject) in [("one@example.org", "1"), ("two@example.org", "2")] {
        let (account, _) = server.user(email).await;
        let mut linked = account.clone();
        linked.google = vec![GoogleLink { subject: subject.to_owned(), linked_at: cloud.clock().now() }];
        linked.revision += 1;
        let writes = vec![
            AccountWrite::ReplaceAccount { before: account.revision, after: Box::new(linked), event: None },
            AccountWrite::LinkGoogle { subject: subject.to_owned(), account_id: account.id.clone(), instead_of: None },
        ];
        assert_eq!(cloud.accounts().commit(writes).await.unwrap(), CommitOutcome::Done);
        assert_eq!(server.items("GOOGLE#").await.len(), 1);
        let (token, path) = match subject {
            "1" => (admin.clone(), format!("/api/v1/users/{}", account.id)),
            _ => (server.api.login(email, "a password").await, "/api/v1/users/me".to_owned()),
        };
        let headers = [("authorization", &*bearer(&token)), ("content-type", "application/json")];
        let body = if subject == "1" { String::new() } else { json!({ "password": "a password" }).to_string() };
        let gone = server.api.send("DELETE", &path, &headers, body).await;
        assert!([200, 202, 204].contains(&gone.status), "{gone:?}");
        assert!(server.items("GOOGLE#").await.is_empty());
    }
}
