//! Checks template.yaml, the sample events and cargo lambda's router against the route table, and the CDN's headers
//! against security-headers.json.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use functions::http::metrics::{self, Metric};
use functions::routes::routes;
use serde_json::Value as Json;
use serde_yaml_ng::Value as Yaml;

/// The services that the frontend calls besides its own origin: Cognito, its hosted sign-in, and S3 by signed links.
const SERVICES: &str = "https://cognito-idp.${AWS::Region}.amazonaws.com \
    https://${Prefix}.auth.${AWS::Region}.amazoncognito.com https://${Files.RegionalDomainName}";

/// The functions that issue tokens: those that start a session or end all other sessions, and the one that renews
/// tokens. A guest can make them sign a token only with a password or a code.
const ISSUERS: [&str; 6] = [
    "auth-change-password",
    "auth-google-login",
    "auth-login",
    "auth-refresh",
    "auth-verify-change-email-otp",
    "auth-verify-otp",
];

/// The functions that are not routes: their names in template.yaml and their binaries.
const NON_ROUTE_FUNCTIONS: [(&str, &str); 4] = [
    ("Outbox", "outbox"),
    ("AccountCleanup", "account-cleanup"),
    ("ListSnapshots", "list-snapshots"),
    ("FileSweep", "file-sweep"),
];

/// The name of a file next to the sample events. It contains the environment that `sam local` and `cargo xtask
/// emulator` give every function.
const ENVIRONMENT: &str = "env";

/// Method, path, function.
type RouteLine = (String, String, String);

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read_file(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap()
}

fn route_table() -> BTreeSet<RouteLine> {
    let lines: Vec<RouteLine> =
        routes().into_iter().map(|route| (route.method.into(), route.path, route.function)).collect();
    let set: BTreeSet<_> = lines.iter().cloned().collect();
    assert_eq!(set.len(), lines.len(), "a route stands in the table twice");
    set
}

/// Removes YAML tags such as `!Sub`, which leaves the plain values.
fn untagged(value: Yaml) -> Yaml {
    match value {
        Yaml::Tagged(tagged) => untagged(tagged.value),
        Yaml::Sequence(items) => Yaml::Sequence(items.into_iter().map(untagged).collect()),
        Yaml::Mapping(entries) => {
            Yaml::Mapping(entries.into_iter().map(|(key, value)| (key, untagged(value))).collect())
        }
        other => other,
    }
}

fn template() -> Yaml {
    untagged(serde_yaml_ng::from_str(&read_file("template.yaml")).unwrap())
}

fn text_of(value: &Yaml) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the functions of template.yaml by their logical name.
fn cloud_functions(template: &Yaml) -> BTreeMap<String, Yaml> {
    let resources = template["Resources"].as_mapping().unwrap();
    let functions = resources.iter().filter(|(_, resource)| resource["Type"] == "AWS::Serverless::Function");
    functions.map(|(name, resource)| (text_of(name), resource.clone())).collect()
}

/// Returns the permissions of a function: the actions and the resource of each statement.
fn statements(template: &Yaml, function: &Yaml) -> Vec<(Vec<String>, String)> {
    let role = text_of(&function["Properties"]["Role"]);
    let role = &template["Resources"][role.trim_end_matches(".Arn")]["Properties"];
    let policies = role["Policies"].as_sequence().unwrap().iter();
    let statements = policies.flat_map(|policy| policy["PolicyDocument"]["Statement"].as_sequence().unwrap());
    statements
        .map(|statement| {
            let actions = statement["Action"].as_sequence().unwrap().iter().map(text_of).collect();
            (actions, serde_yaml_ng::to_string(&statement["Resource"]).unwrap())
        })
        .collect()
}

#[test]
fn every_route_has_one_function_in_the_template() {
    let mut described = BTreeSet::new();
    let routed = |name: &str| NON_ROUTE_FUNCTIONS.iter().all(|(other, _)| *other != name);
    for (name, function) in cloud_functions(&template()).into_iter().filter(|(name, _)| routed(name)) {
        let properties = &function["Properties"];
        let mut events = properties["Events"].as_mapping().unwrap().values().map(|event| &event["Properties"]);
        let event = events.next().unwrap();
        // API Gateway treats a path with a trailing slash as a different path; the function does not.
        let with_slash = format!("{}/", text_of(&event["Path"]));
        assert!(
            events.all(|other| other["Method"] == event["Method"] && text_of(&other["Path"]) == with_slash),
            "{name} has more than one route"
        );
        let binary = text_of(&function["Metadata"]["BuildProperties"]["Binary"]);
        assert_eq!(text_of(&properties["FunctionName"]), format!("${{AWS::StackName}}-{binary}"), "{name}");
        assert_eq!(text_of(&function["Metadata"]["BuildMethod"]), "rust-cargolambda", "{name}");
        let line = (text_of(&event["Method"]), text_of(&event["Path"]), binary);
        assert_eq!(text_of(&properties["Description"]), format!("{} {}", line.0, line.1), "{name}");
        assert!(described.insert(line), "{name}: the route is defined twice");
    }
    assert_eq!(described, route_table());
}

/// Returns the event of the type `of_type` in template.yaml that invokes a function. The function is not a route.
fn event_of(template: &Yaml, function: &str, of_type: &str) -> Yaml {
    let events = template["Resources"][function]["Properties"]["Events"].as_mapping().unwrap();
    events.values().find(|event| event["Type"] == of_type).unwrap()["Properties"].clone()
}

/// Returns the filters on the records of the table's stream that invoke a function.
fn stream_filters(template: &Yaml, function: &str) -> Vec<Json> {
    let filters = event_of(template, function, "DynamoDB")["FilterCriteria"]["Filters"].clone();
    let patterns = filters.as_sequence().unwrap().iter().map(|filter| text_of(&filter["Pattern"]));
    patterns.map(|pattern| serde_json::from_str(&pattern).unwrap()).collect()
}

#[test]
fn non_route_functions_are_invoked_by_stream_or_schedule() {
    let template = template();
    for (name, binary) in NON_ROUTE_FUNCTIONS {
        assert_eq!(text_of(&template["Resources"][name]["Metadata"]["BuildProperties"]["Binary"]), binary);
    }
    let [outbox] = stream_filters(&template, "Outbox").try_into().unwrap();
    assert_eq!(outbox["eventName"], serde_json::json!(["INSERT"]));
    assert_eq!(outbox["dynamodb"]["Keys"]["pk"]["S"][0]["prefix"], waraq_aws::OUTBOX_PREFIX);
    assert_eq!(text_of(&event_of(&template, "Outbox", "Schedule")["Schedule"]), "rate(1 minute)");
    assert_eq!(text_of(&event_of(&template, "AccountCleanup", "Schedule")["Schedule"]), "rate(5 minutes)");
    assert_eq!(text_of(&event_of(&template, "ListSnapshots", "Schedule")["Schedule"]), "rate(1 hour)");
    assert_eq!(text_of(&event_of(&template, "FileSweep", "Schedule")["Schedule"]), "rate(1 day)");
    let [gone, deleted, files] = stream_filters(&template, "AccountCleanup").try_into().unwrap();
    assert_eq!(deleted["eventName"], serde_json::json!(["INSERT"]));
    assert_eq!(deleted["dynamodb"]["Keys"]["pk"]["S"], serde_json::json!([waraq_aws::DELETION_MARKERS]));
    for gone in [&gone, &files] {
        assert_eq!(gone["eventName"], serde_json::json!(["REMOVE"]));
    }
    let keys = &gone["dynamodb"]["Keys"];
    let pk = format!("{}somebody", keys["pk"]["S"][0]["prefix"].as_str().unwrap());
    let profile = waraq_aws::account_of_profile(&pk, keys["sk"]["S"][0].as_str().unwrap());
    assert_eq!(profile, Some("somebody"));
    assert_eq!(files["dynamodb"]["Keys"]["pk"]["S"][0]["prefix"], waraq_aws::FILES_PREFIX);
    assert_eq!(
        text_of(&template["Resources"]["Table"]["Properties"]["StreamSpecification"]["StreamViewType"]),
        "KEYS_ONLY"
    );
}

#[test]
fn every_function_has_its_own_log_group_with_a_retention() {
    let template = template();
    for (name, function) in cloud_functions(&template) {
        let log = text_of(&function["Properties"]["LoggingConfig"]["LogGroup"]);
        let log = &template["Resources"][log.as_str()]["Properties"];
        assert_eq!(
            text_of(&log["LogGroupName"]),
            format!("/aws/lambda/{}", text_of(&function["Properties"]["FunctionName"]))
        );
        assert_eq!(text_of(&log["RetentionInDays"]), "LogRetentionDays", "{name}");
    }
}

/// tests/api/rights.rs checks which permissions are used.
#[test]
fn every_function_has_its_own_role_without_wildcards() {
    let template = template();
    for (name, function) in cloud_functions(&template) {
        assert_eq!(text_of(&function["Properties"]["Role"]), format!("{name}Role.Arn"));
        for (actions, resource) in statements(&template, &function) {
            assert!(!actions.iter().any(|action| action.contains('*')), "{name}: {actions:?}");
            assert!(!resource.trim().trim_matches(['\'', '"']).eq("*"), "{name}: {actions:?} on everything");
        }
    }
}

/// Returns the variables of a function that name a secret parameter, with the names of the parameters.
fn parameters(function: &Yaml) -> BTreeMap<String, String> {
    let variables = function["Properties"]["Environment"]["Variables"].as_mapping().cloned().unwrap_or_default();
    let all = variables.iter().map(|(name, value)| (text_of(name), text_of(value)));
    all.filter(|(name, _)| name.ends_with("_PARAMETER")).collect()
}

/// A function that can read the private key can impersonate any user, so only functions that issue tokens may read it.
#[test]
fn only_token_issuers_can_read_the_private_key() {
    for (name, function) in cloud_functions(&template()) {
        let binary = text_of(&function["Metadata"]["BuildProperties"]["Binary"]);
        let told = parameters(&function).contains_key("TOKEN_PRIVATE_KEY_PARAMETER");
        assert_eq!(told, ISSUERS.contains(&binary.as_str()), "{name}");
    }
}

/// A function's environment has the names of the secrets its route needs, but no secrets. It may read only these.
#[test]
fn functions_can_read_only_the_secrets_they_need() {
    let template = template();
    let global = template["Globals"]["Function"]["Environment"]["Variables"].as_mapping().unwrap();
    let known = ["TABLE_NAME", "BUCKET_NAME", "STACK_NAME", "AWS_ENDPOINT_URL"];
    assert!(global.keys().all(|name| known.contains(&name.as_str().unwrap())));
    assert_eq!(global["AWS_ENDPOINT_URL"], "", "in the cloud the endpoints are those of AWS");
    let routes = routes();
    for (name, function) in cloud_functions(&template) {
        let environment = serde_yaml_ng::to_string(&function["Properties"]["Environment"]).unwrap();
        assert!(!environment.contains("resolve:") && !environment.contains("ClientSecret\n"), "{name}: {environment}");
        let told: BTreeSet<String> = parameters(&function).into_values().collect();
        let read: BTreeSet<String> = statements(&template, &function)
            .iter()
            .filter(|(actions, _)| actions.iter().any(|action| action.starts_with("ssm:")))
            .flat_map(|(_, resource)| {
                let lines = resource.lines().filter_map(|line| line.split_once(":parameter"));
                lines.map(|(_, name)| name.trim_end_matches(['\'', '"']).to_owned()).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(told, read, "{name}");
        let binary = text_of(&function["Metadata"]["BuildProperties"]["Binary"]);
        if let Some(route) = routes.iter().find(|route| route.function == binary) {
            let checks = parameters(&function).contains_key("TOKEN_PUBLIC_KEYS_PARAMETER");
            let proven = parameters(&function).contains_key("ORIGIN_SECRET_PARAMETER");
            assert_eq!(
                proven,
                binary != "health",
                "{name}: all functions except health accept only calls through the CDN"
            );
            assert_eq!(
                checks,
                route.who != functions::http::Access::Anyone,
                "{name}: a function that checks tokens needs the public keys"
            );
        }
    }
}

#[test]
fn every_route_has_a_sample_event() {
    let mut events = BTreeSet::new();
    for entry in std::fs::read_dir(repository().join("events")).unwrap() {
        let path = entry.unwrap().path();
        let event: Json = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let function = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if function == ENVIRONMENT || NON_ROUTE_FUNCTIONS.iter().any(|(_, binary)| *binary == function) {
            continue;
        }
        let (method, route) = event["routeKey"].as_str().unwrap().split_once(' ').unwrap();
        let http = &event["requestContext"]["http"];
        assert_eq!(
            (&event["version"], &http["method"], &http["path"]),
            (&"2.0".into(), &method.into(), &event["rawPath"]),
            "{function}"
        );
        // The route's path with its parameters filled in is the request's path.
        let mut filled = route.to_owned();
        for (name, value) in event["pathParameters"].as_object().into_iter().flatten() {
            filled = filled.replace(&format!("{{{name}}}"), value.as_str().unwrap());
        }
        assert_eq!(event["rawPath"], filled, "{function}");
        events.insert((method.to_owned(), route.to_owned(), function));
    }
    assert_eq!(events, route_table());
}

/// If a variable is missing in the file, `sam local` passes its value from the template: the logical name of a
/// resource. (`cargo xtask test lambda` checks this with SAM's own code.)
#[test]
fn local_environment_has_every_variable_of_the_template() {
    let template = template();
    let of_all = &template["Globals"]["Function"];
    let named = |of: &Yaml| {
        let variables = of["Environment"]["Variables"].as_mapping().cloned().unwrap_or_default();
        variables.into_iter().map(|(name, _)| text_of(&name)).collect::<BTreeSet<_>>()
    };
    let mut variables = named(of_all);
    for function in cloud_functions(&template).values() {
        variables.extend(named(&function["Properties"]));
    }
    let written: Json = serde_json::from_str(&read_file(&format!("events/{ENVIRONMENT}.json"))).unwrap();
    assert_eq!(written.as_object().unwrap().len(), 1, "the file has only Parameters, which apply to every function");
    let given = written["Parameters"].as_object().unwrap();
    assert_eq!(given.keys().cloned().collect::<BTreeSet<_>>(), variables);
    for (name, value) in given {
        let value = value.as_str().unwrap();
        assert!(!value.contains("${") && !value.contains("{{"), "{name}: {value}");
    }
}

#[test]
fn cargo_lambda_router_matches_the_route_table() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(repository())
        .output()
        .unwrap();
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    let router = metadata["metadata"]["lambda"]["watch"]["router"].as_object().unwrap();
    let lines: BTreeSet<RouteLine> = router
        .iter()
        .flat_map(|(path, functions)| functions.as_array().unwrap().iter().map(move |function| (path, function)))
        .map(|(path, function)| {
            let of = |key: &str| function[key].as_str().unwrap().to_owned();
            (of("method"), path.clone(), of("function"))
        })
        .collect();
    assert_eq!(lines, route_table());
}

#[test]
fn cdn_security_headers_match_the_local_gateway() {
    let headers: BTreeMap<String, String> = serde_json::from_str(&read_file("security-headers.json")).unwrap();
    let template = template();
    let policy = &template["Resources"]["SecurityHeaders"]["Properties"]["ResponseHeadersPolicyConfig"];
    let security = &policy["SecurityHeadersConfig"];
    let transport = &security["StrictTransportSecurity"];
    let mut sent = BTreeMap::from([
        ("Content-Security-Policy".to_owned(), text_of(&security["ContentSecurityPolicy"]["ContentSecurityPolicy"][0])),
        (
            "Strict-Transport-Security".to_owned(),
            format!(
                "max-age={}{}",
                transport["AccessControlMaxAgeSec"].as_u64().unwrap(),
                if transport["IncludeSubdomains"] == true { "; includeSubDomains" } else { "" }
            ),
        ),
        ("X-Content-Type-Options".to_owned(), "nosniff".to_owned()),
        ("X-Frame-Options".to_owned(), text_of(&security["FrameOptions"]["FrameOption"])),
        ("Referrer-Policy".to_owned(), text_of(&security["ReferrerPolicy"]["ReferrerPolicy"])),
    ]);
    assert!(!security["ContentTypeOptions"].is_null());
    for item in policy["CustomHeadersConfig"]["Items"].as_sequence().unwrap() {
        sent.insert(text_of(&item["Header"]), text_of(&item["Value"]));
    }
    let expected: BTreeMap<_, _> =
        headers.into_iter().map(|(name, value)| (name, value.replace("{services}", SERVICES))).collect();
    assert_eq!(sent, expected);
}

/// Returns whether AWS or this product publishes a metric with exactly these dimensions. Lists the namespaces, metrics
/// and dimensions that the alarms and the dashboard use. From the AWS documentation: Lambda, "Types of metrics"; API
/// Gateway, "Monitoring HTTP APIs"; DynamoDB, "Metrics and dimensions" (ThrottledRequests exists per operation only);
/// SES, "Configuration sets' reputation metrics"; S3, "Storage metrics"; CloudFront, "Viewing metrics".
fn is_published(namespace: &str, metric: &str, dimensions: &[String]) -> bool {
    let published: &[(&str, &[&str], &[&str])] = &[
        ("AWS/ApiGateway", &["Count", "5xx", "Latency"], &["ApiId"]),
        (
            "AWS/DynamoDB",
            &["ReadThrottleEvents", "WriteThrottleEvents", "ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"],
            &["TableName"],
        ),
        ("AWS/Lambda", &["Errors", "Throttles", "Duration", "IteratorAge"], &["FunctionName"]),
        // The sums over all functions of the account in a region.
        ("AWS/Lambda", &["Errors", "Throttles", "Duration"], &[]),
        ("AWS/SES", &["Reputation.BounceRate", "Reputation.ComplaintRate"], &["ses:configuration-set"]),
        ("AWS/S3", &["NumberOfObjects"], &["BucketName", "StorageType"]),
        ("AWS/CloudFront", &["Requests"], &["DistributionId", "Region"]),
    ];
    let ours = Metric::ALL.map(Metric::name);
    let ours: (&str, &[&str], &[&str]) = (metrics::NAMESPACE, &ours, &[metrics::DIMENSION]);
    published.iter().chain([&ours]).any(|(known, metrics, told_by)| {
        let mut dimensions: Vec<&str> = dimensions.iter().map(String::as_str).collect();
        dimensions.sort_unstable();
        *known == namespace && metrics.contains(&metric) && dimensions == *told_by
    })
}

#[test]
fn alarms_and_dashboard_use_only_published_metrics() {
    let template = template();
    let of_type = |wanted: &str| {
        let resources = template["Resources"].as_mapping().unwrap().iter();
        let of_type = resources.filter(|(_, resource)| resource["Type"] == wanted);
        of_type.map(|(name, resource)| (text_of(name), resource["Properties"].clone())).collect::<Vec<_>>()
    };
    let dimensions = |metric: &Yaml| -> Vec<String> {
        metric["Dimensions"].as_sequence().into_iter().flatten().map(|dimension| text_of(&dimension["Name"])).collect()
    };
    let alarms = of_type("AWS::CloudWatch::Alarm");
    assert!(alarms.len() > 10);
    for (name, alarm) in alarms {
        assert_eq!(alarm["AlarmActions"][0], "Alarms", "{name} has no action");
        let mut metrics = vec![alarm.clone()];
        if let Some(several) = alarm["Metrics"].as_sequence() {
            metrics = several.iter().map(|metric| metric["MetricStat"]["Metric"].clone()).collect();
            metrics.retain(|metric| !metric.is_null());
        }
        for metric in metrics {
            let (namespace, named) = (text_of(&metric["Namespace"]), text_of(&metric["MetricName"]));
            assert!(is_published(&namespace, &named, &dimensions(&metric)), "{name}: {namespace} {named}");
        }
    }
    // CloudWatch and SES cannot publish to a topic that is encrypted with the AWS managed key.
    for (name, topic) in of_type("AWS::SNS::Topic") {
        assert!(topic["KmsMasterKeyId"].is_null(), "{name}");
    }
    for (name, dashboard) in of_type("AWS::CloudWatch::Dashboard") {
        let body: Json = serde_json::from_str(&text_of(&dashboard["DashboardBody"])).unwrap();
        for widget in body["widgets"].as_array().unwrap() {
            for metric in widget["properties"]["metrics"].as_array().unwrap() {
                let words: Vec<String> =
                    metric.as_array().unwrap().iter().filter_map(|word| Some(word.as_str()?.to_owned())).collect();
                let dimensions: Vec<String> = words[2..].iter().step_by(2).cloned().collect();
                assert!(is_published(&words[0], &words[1], &dimensions), "{name}: {words:?}");
            }
        }
    }
}

/// Mails that were removed without being sent are reported.
#[test]
fn lost_mails_have_alarms() {
    let template = template();
    let resources = template["Resources"].as_mapping().unwrap().values();
    let alarms = resources.filter(|resource| resource["Type"] == "AWS::CloudWatch::Alarm");
    let metrics: BTreeSet<String> = alarms.map(|alarm| text_of(&alarm["Properties"]["MetricName"])).collect();
    for lost in [Metric::MailsExpired, Metric::MailsUndeliverable] {
        assert!(metrics.contains(lost.name()), "{}", lost.name());
    }
    let runbooks = read_file("docs/runbooks.md");
    assert!(runbooks.contains("| `UndeliverableMails` |") && !runbooks.contains("REPORT"));
}

/// Other sites cannot use signed links in a browser, and an operator can limit the cost of the table.
#[test]
fn bucket_and_table_are_limited() {
    let template = template();
    let resources = &template["Resources"];
    let rules = resources["Files"]["Properties"]["CorsConfiguration"]["CorsRules"].as_sequence().unwrap();
    for rule in rules {
        let origins = serde_yaml_ng::to_string(&rule["AllowedOrigins"]).unwrap();
        assert!(origins.contains("HasDomain") && origins.contains("https://${DomainName}"), "{origins}");
        assert!(
            !origins.lines().any(|line| line.trim_start_matches(['-', ' ']).trim_matches('\'') == "*"),
            "{origins}"
        );
    }
    let table = &resources["Table"]["Properties"];
    for limited in [table, &table["GlobalSecondaryIndexes"][0]] {
        let limits = serde_yaml_ng::to_string(&limited["OnDemandThroughput"]).unwrap();
        assert!(limits.contains("TableReadLimit") && limits.contains("TableWriteLimit"), "{limits}");
    }
}

/// Expensive calls have rate limits of their own, so that a flood of them does not affect the other calls.
#[test]
fn expensive_routes_have_their_own_rate_limit() {
    let template = template();
    let settings = template["Resources"]["Api"]["Properties"]["RouteSettings"].as_mapping().unwrap();
    let limited: BTreeSet<String> = settings.keys().map(text_of).collect();
    let written: BTreeSet<String> = route_table()
        .into_iter()
        .filter(|(method, path, _)| method != "GET" || path.ends_with("/export"))
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    assert_eq!(limited, written);
}
