//! `cargo xtask deploy --stage NAME`: deploys from an empty account to a working address, step by step. Every step can
//! be repeated and keeps what exists. An error ends the command, and the next call continues from there.
//!
//! A stage is a stack of that name. Its parameters are in `stages/NAME.parameters`, which is not in git.
//! `samconfig.toml` contains the other settings.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::aws::{Stack, aws, aws_json, aws_with};
use crate::steps::{Steps, check, command, root};
use crate::{cloud, fonts, frontend, preflight, smoke};

const LONG: &str = "public, max-age=31536000, immutable";

pub fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (stage, file) = match *arguments {
        ["--stage", stage] => (stage, root().join("stages").join(format!("{stage}.parameters"))),
        ["--stage", stage, "--parameters", file] => (stage, Path::new(file).to_owned()),
        _ => bail!("deploy takes --stage NAME, and --parameters FILE where they are not stages/NAME.parameters"),
    };
    preflight::for_building()?;
    preflight::for_deploying()?;
    check_name(stage)?;
    let parameters = Parameters::from_file(&file)?;
    let mut steps = Steps::new(10);
    steps.run("account", "whose it is, by the AWS CLI", account)?;
    steps.run("secrets", "keys and secrets that are not there yet, in Systems Manager", || secrets(stage))?;
    steps.run("fonts", "the font files, from npm", fonts::fetch)?;
    steps.run("functions", "sam build", || check(&mut sam(&["build"])))?;
    let stack = steps.run("stack", "sam deploy", || {
        let secret = parameter(&format!("/{stage}/origin-secret"))?.context("the origin's secret is gone")?;
        let secret = secret.split(',').next().unwrap_or_default().trim().to_owned();
        let mut deploy = sam(&["deploy", "--stack-name", stage, "--parameter-overrides"]);
        deploy.args(parameters.overrides()).arg(format!("OriginSecret={secret}"));
        clear_failed_start(stage)?;
        check(&mut deploy)?;
        Stack::describe(stage)
    })?;
    steps.run("passwords", "the secret that Cognito has made for the API's client", || client_secret(&stack))?;
    steps.run("site", "built, and put into its bucket", || site(&stack))?;
    steps.run("catalogue", "the starting catalogue, what is not there yet", || {
        cloud::run_on_stack(&stack, &["catalogue"])
    })?;
    steps.run("admin", "who looks after it", || match parameters.admin() {
        Some(email) => cloud::run_on_stack(&stack, &["admin", email]),
        None => {
            println!("      none is named: AdminEmail=… in the stage's parameters");
            Ok(())
        }
    })?;
    let address = stack.output("Address")?;
    steps.run("smoke", "what a visitor finds there", || {
        smoke::check_site(&address, Some(&stack.output("ApiAddress")?))
    })?;
    println!("\n{stage} is at {address}");
    Ok(())
}

/// Deletes a stack if its first creation failed. CloudFormation cannot update such a stack. Prints the resources that
/// remain.
fn clear_failed_start(stage: &str) -> Result<()> {
    // This call also fails if the stack does not exist, so an error is ignored. The next step reports missing permissions.
    let Ok(described) = aws_json(&["cloudformation", "describe-stacks", "--stack-name", stage]) else { return Ok(()) };
    if !matches!(described["Stacks"][0]["StackStatus"].as_str(), Some("ROLLBACK_COMPLETE" | "ROLLBACK_FAILED")) {
        return Ok(());
    }
    println!("      the first deployment of this stack was rolled back: deleting it");
    let resources = aws_json(&["cloudformation", "describe-stack-resources", "--stack-name", stage])?;
    let text = |of: &serde_json::Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
    let resources = resources["StackResources"].as_array().into_iter().flatten();
    for kept in resources.filter(|it| it["ResourceStatus"] == "DELETE_SKIPPED") {
        println!("      it has left {} {}", text(kept, "ResourceType"), text(kept, "PhysicalResourceId"));
    }
    aws(&["cloudformation", "delete-stack", "--stack-name", stage])?;
    aws(&["cloudformation", "wait", "stack-delete-complete", "--stack-name", stage]).map(drop)
}

fn sam(arguments: &[&str]) -> std::process::Command {
    let mut sam = command("sam", arguments);
    sam.env("SAM_CLI_TELEMETRY", "0");
    sam
}

fn account() -> Result<()> {
    let caller = aws_json(&["sts", "get-caller-identity"])?;
    let text = |name: &str| caller[name].as_str().unwrap_or_default().to_owned();
    println!("      account {}, as {}", text("Account"), text("Arn"));
    Ok(())
}

// ---------------------------------------------------------------- the stage's parameters

/// The parameters of a stage, as read from its file. The file has lines of `KEY=VALUE`; `#` begins a comment.
struct Parameters(Vec<(String, String)>);

/// Name of the line with the e-mail address of the first admin. The template has no parameter with this name.
const ADMIN: &str = "AdminEmail";

impl Parameters {
    fn from_file(path: &Path) -> Result<Self> {
        let written = std::fs::read_to_string(path).with_context(|| {
            format!("{} is not there: copy stages/example.parameters and say what it asks", path.display())
        })?;
        let parsed = Self::parse(&written)?;
        parsed.check_against(&std::fs::read_to_string(root().join("template.yaml"))?)?;
        Ok(parsed)
    }

    fn parse(written: &str) -> Result<Self> {
        let lines = written.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let pair = |line: &str| {
            let (name, value) = line.split_once('=').with_context(|| format!("{line:?} is no KEY=VALUE"))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        };
        lines.map(pair).collect::<Result<_>>().map(Self)
    }

    /// Checks that the template has all of these parameters, and that none of its required parameters is missing.
    fn check_against(&self, template: &str) -> Result<()> {
        let (known, needed) = known_and_needed(template);
        let named = |name: &str| self.0.iter().any(|(other, value)| other == name && !value.is_empty());
        let unknown: Vec<&str> =
            self.0.iter().map(|(name, _)| name.as_str()).filter(|name| !known.contains(name)).collect();
        let unknown: Vec<&str> = unknown.into_iter().filter(|name| *name != ADMIN).collect();
        let missing: Vec<&str> = needed.into_iter().filter(|name| *name != "OriginSecret" && !named(name)).collect();
        if !unknown.is_empty() {
            bail!("the template has no parameter {}", unknown.join(", "));
        }
        if !missing.is_empty() {
            bail!("the stage's parameters lack {}", missing.join(", "));
        }
        Ok(())
    }

    fn admin(&self) -> Option<&str> {
        self.0.iter().find(|(name, value)| name == ADMIN && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    /// Returns the parameters for SAM, with quoted values because they may contain spaces.
    fn overrides(&self) -> Vec<String> {
        let of_the_template = self.0.iter().filter(|(name, _)| name != ADMIN);
        of_the_template.map(|(name, value)| format!("{name}=\"{}\"", value.replace('"', "\\\""))).collect()
    }
}

/// Returns the names of all parameters of a template, and the names of those without a default.
fn known_and_needed(template: &str) -> (Vec<&str>, Vec<&str>) {
    let section = template.split_once("\nParameters:\n").map_or("", |(_, after)| after);
    let (mut known, mut needed) = (Vec::new(), Vec::new());
    for line in section.lines().take_while(|line| line.is_empty() || line.starts_with(' ')) {
        if let Some(name) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) {
            known.push(name.trim_end_matches(':'));
            needed.push(name.trim_end_matches(':'));
        } else if line.trim_start().starts_with("Default:") {
            needed.pop();
        }
    }
    known.retain(|name| !name.is_empty());
    (known, needed)
}

/// Checks that a stage name is valid and short: it is part of resource names, which have length limits.
fn check_name(stage: &str) -> Result<()> {
    let letters = stage.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-');
    let fits = letters && stage.len() <= 30 && stage.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if fits {
        Ok(())
    } else {
        bail!("a stage's name is a letter, then letters, digits and hyphens, 30 in all: not {stage:?}")
    }
}

// ---------------------------------------------------------------- secrets

/// Returns the value of a parameter in Systems Manager, or `None` if it does not exist.
fn parameter(name: &str) -> Result<Option<String>> {
    let read = aws_json(&["ssm", "get-parameters", "--with-decryption", "--names", name])?;
    Ok(read["Parameters"][0]["Value"].as_str().map(str::to_owned))
}

fn put_parameter(name: &str, kind: &str, value: &str) -> Result<()> {
    aws_with(&["ssm", "put-parameter"], &json!({ "Name": name, "Type": kind, "Value": value })).map(|_| ())
}

/// Creates missing secrets. Existing secrets are kept, because a new key would end all sessions, and a new secret would
/// invalidate mailed codes.
fn secrets(stage: &str) -> Result<()> {
    let name = |secret: &str| format!("/{stage}/{secret}");
    let (private, public) = (name("token/private-key"), name("token/public-keys"));
    if parameter(&private)?.is_none() {
        let (private_key, public_key) = signing_key()?;
        // Store the public key first, because tokens of an unknown key are refused. Existing keys may belong to valid tokens.
        let others = parameter(&public)?.map_or_else(String::new, |others| format!(",{others}"));
        let both =
            json!({ "Name": public, "Type": "String", "Value": format!("{public_key}{others}"), "Overwrite": true });
        aws_with(&["ssm", "put-parameter"], &both)?;
        put_parameter(&private, "SecureString", &private_key)?;
        println!("      {private} made");
    }
    for (secret, bytes) in RANDOM {
        let name = name(secret);
        if parameter(&name)?.is_none() {
            put_parameter(
                &name,
                "SecureString",
                openssl(&["rand", "-hex", bytes], &[])?.trim_ascii().try_into_text()?,
            )?;
            println!("      {name} made");
        }
    }
    Ok(())
}

/// The type of a parameter in Systems Manager.
#[derive(Clone, Copy)]
pub enum SecretKind {
    Public,
    Secret,
}

/// Creates new values for all secrets. Returns the end of the parameter name, the type and the value of each secret.
pub fn new_secrets() -> Result<Vec<(&'static str, SecretKind, String)>> {
    let (private_key, public_key) = signing_key()?;
    let mut made = vec![
        ("token/public-keys", SecretKind::Public, public_key),
        ("token/private-key", SecretKind::Secret, private_key),
    ];
    for (secret, bytes) in RANDOM {
        let value = openssl(&["rand", "-hex", bytes], &[])?.trim_ascii().try_into_text()?.to_owned();
        made.push((secret, SecretKind::Secret, value));
    }
    Ok(made)
}

/// The names of the random secrets, and their lengths in bytes.
const RANDOM: [(&str, &str); 2] = [("code-secret", "32"), ("origin-secret", "24")];

/// Creates an Ed25519 key pair. Returns the PKCS#8 private key and the raw public key, both in base64.
fn signing_key() -> Result<(String, String)> {
    let private = openssl(&["genpkey", "-algorithm", "ed25519", "-outform", "DER"], &[])?;
    let public = openssl(&["pkey", "-inform", "DER", "-pubout", "-outform", "DER"], &private)?;
    // The raw key is the last 32 bytes of the DER encoding.
    let raw = public.len().checked_sub(32).and_then(|start| public.get(start..)).context("openssl made no key")?;
    let base64 = |bytes: &[u8]| {
        Ok::<_, anyhow::Error>(openssl(&["base64", "-A"], bytes)?.trim_ascii().try_into_text()?.to_owned())
    };
    Ok((base64(&private)?, base64(raw)?))
}

trait IntoText {
    fn try_into_text(&self) -> Result<&str>;
}

impl IntoText for [u8] {
    fn try_into_text(&self) -> Result<&str> {
        std::str::from_utf8(self).context("openssl's answer is no text")
    }
}

fn openssl(arguments: &[&str], input: &[u8]) -> Result<Vec<u8>> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut process = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("openssl cannot be started")?;
    if let Some(mut stdin) = process.stdin.take() {
        // A command that needs no input may end without reading it. That is not an error.
        let _ = stdin.write_all(input);
    }
    let output = process.wait_with_output()?;
    if !output.status.success() {
        bail!("openssl {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}

/// Stores the client secret of the user pool in a parameter, from which the functions read it. Cognito creates the
/// secret with the user pool, so each user pool has a different secret.
fn client_secret(stack: &Stack) -> Result<()> {
    let (pool, client) = (stack.output("UserPool")?, stack.output("ApiClientId")?);
    let described =
        aws_json(&["cognito-idp", "describe-user-pool-client", "--user-pool-id", &pool, "--client-id", &client])?;
    let secret = described["UserPoolClient"]["ClientSecret"].as_str().context("the client has no secret")?;
    let name = format!("/{}/cognito/client-secret", stack.name);
    if parameter(&name)?.as_deref() == Some(secret) {
        return Ok(());
    }
    let written = json!({ "Name": name, "Type": "SecureString", "Value": secret, "Overwrite": true });
    aws_with(&["ssm", "put-parameter"], &written).map(|_| ())
}

// ---------------------------------------------------------------- the site

/// Uploads the site: files first, then the page that refers to them. Old files stay for users who have the old page open.
fn site(stack: &Stack) -> Result<()> {
    frontend::build()?;
    let (bucket, built) = (stack.output("SiteBucket")?, root().join("frontend/dist"));
    let to = |path: &str| format!("s3://{bucket}{path}");
    let from = |path: &Path| path.to_string_lossy().into_owned();
    let assets = from(&built.join("assets"));
    aws(&["s3", "sync", &assets, &to("/assets"), "--cache-control", LONG])?;
    let others = ["--exclude", "assets/*", "--exclude", "index.html", "--cache-control", "no-cache", "--delete"];
    aws(&[&["s3", "sync", &from(&built), &to("")][..], &others].concat())?;
    let page = from(&built.join("index.html"));
    aws(&["s3", "cp", &page, &to("/index.html"), "--cache-control", "no-cache"])?;
    let distribution = stack.output("DistributionId")?;
    let made = aws_json(&["cloudfront", "create-invalidation", "--distribution-id", &distribution, "--paths", "/*"])?;
    let id = made["Invalidation"]["Id"].as_str().unwrap_or_default();
    aws(&["cloudfront", "wait", "invalidation-completed", "--distribution-id", &distribution, "--id", id]).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_parameters_are_read() {
        let template = std::fs::read_to_string(root().join("template.yaml")).unwrap();
        let (known, needed) = known_and_needed(&template);
        assert!(known.contains(&"Architecture") && known.contains(&"WebAclArn"), "{known:?}");
        let expected =
            ["OriginSecret", "MailDomain", "SupportEmail", "OperatorName", "OperatorSeat", "OperatorContact"];
        assert_eq!(needed, expected);
    }

    #[test]
    fn example_has_all_parameters_except_the_secret() {
        let example = std::fs::read_to_string(root().join("stages/example.parameters")).unwrap();
        let template = std::fs::read_to_string(root().join("template.yaml")).unwrap();
        Parameters::parse(&example).unwrap().check_against(&template).unwrap();
        let (known, _) = known_and_needed(&template);
        for name in known.into_iter().filter(|name| *name != "OriginSecret") {
            assert!(example.contains(&format!("{name}=")), "the example has no {name}");
        }
    }

    #[test]
    fn missing_and_unknown_parameters_are_reported() {
        let template = "Description: x\n\nParameters:\n  A:\n    Type: String\n  B:\n    Type: String\n    Default: \"\"\n\nRules:\n  C:\n";
        let held = |written: &str| {
            Parameters::parse(written).unwrap().check_against(template).map_err(|error| error.to_string())
        };
        assert_eq!(held("A=1\nB=2\n# C=3\nAdminEmail=x"), Ok(()));
        assert_eq!(held("B=2"), Err("the stage's parameters lack A".to_owned()));
        assert_eq!(held("A=1\nC=3"), Err("the template has no parameter C".to_owned()));
        let parameters = Parameters::parse("OperatorName=A \"B\" & C\nAdminEmail=x").unwrap();
        assert_eq!(
            (parameters.overrides(), parameters.admin()),
            (vec!["OperatorName=\"A \\\"B\\\" & C\"".to_owned()], Some("x"))
        );
    }

    #[test]
    fn stage_names_are_validated() {
        for good in ["waraq", "Waraq-2", "production"] {
            check_name(good).unwrap();
        }
        for bad in ["", "2waraq", "wa_raq", "../x", "a-stage-whose-name-is-longer-than-thirty"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn signing_key_has_the_expected_length() {
        let (private, public) = signing_key().unwrap();
        // 48 bytes of PKCS#8 and 32 bytes, in base64.
        assert_eq!((private.len(), public.len()), (64, 44));
    }
}
