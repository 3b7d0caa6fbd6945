//! Runs the commands of docs/runbooks.md and docs/deploying.md exactly as written. Only placeholders (a KEY, an ID) are replaced.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::environment::{CommandOutput, Scene};
use super::{FIRST, SECOND};
use crate::steps::root;

/// Returns the blocks of commands between a heading and the next one.
fn blocks(document: &str, headline: &str) -> Result<Vec<String>> {
    let written = fs::read_to_string(root().join("docs").join(document))?;
    let (_, section) =
        written.split_once(&format!("\n{headline}\n")).with_context(|| format!("{document} has no {headline:?}"))?;
    let section = section.split("\n#").next().unwrap_or_default();
    let found = section.split("```sh\n").skip(1).filter_map(|block| Some(block.split_once("```")?.0.to_owned()));
    Ok(found.collect())
}

/// Returns the commands of a block, each with its continuation lines.
fn commands(block: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in block.lines() {
        if let Some(last) = all.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
        if !line.ends_with('\\') {
            all.push(String::new());
        }
    }
    all.retain(|command| !command.trim().is_empty());
    all
}

/// Returns the shell variables that the runbooks use. Their values are outputs of the stack.
fn names(scene: &Scene) -> Result<Vec<(&'static str, String)>> {
    let outputs = [
        ("TABLE", "TableName"),
        ("BUCKET", "FilesBucket"),
        ("FILES", "FilesBucket"),
        ("SITE", "SiteBucket"),
        ("DEAD_LETTERS", "DeadLettersBucket"),
        ("POOL", "UserPool"),
    ];
    outputs.into_iter().map(|(name, output)| Ok((name, scene.output(FIRST, output)?))).collect()
}

/// Runs commands and returns an error if they fail.
fn run_commands(scene: &Scene, commands: &str) -> Result<CommandOutput> {
    let told = scene.shell(commands, &names(scene)?)?;
    ensure!(told.succeeded, "{commands}{}", told.end());
    Ok(told)
}

pub fn rehearse(scene: &Scene) -> Result<()> {
    let outputs = fs::read_to_string(root().join("docs/runbooks.md"))?;
    let first =
        outputs.split("```sh\n").nth(1).and_then(|rest| Some(rest.split_once("```")?.0)).context("the outputs")?;
    let told = run_commands(scene, first)?;
    ensure!(told.text.contains("DeadLettersBucket"), "{}", told.text);
    for (name, rehearsal) in [
        ("the table as it was", table as fn(&Scene) -> Result<()>),
        ("files of the bucket", files),
        ("records put aside", replay),
        ("back to the version before", version_before),
        ("keys and secrets by hand", secrets_by_hand),
        ("the signing key", signing_key),
        ("the secret between CDN and functions", origin_secret),
        ("the secret of codes and mails", code_secret),
    ] {
        rehearsal(scene).with_context(|| name.to_owned())?;
        println!("      {name}");
    }
    Ok(())
}

/// Copies the table, deletes one template and adds another. Then recovers the table from the copy: the templates must
/// be as before.
fn table(scene: &Scene) -> Result<()> {
    let [block] = blocks("runbooks.md", "## The table as it was at a time")?.try_into().ok().context("one block")?;
    let [copy, wait, restore, delete] = commands(&block).try_into().ok().context("four commands")?;
    run_commands(scene, &(copy + &wait))?;
    let table = scene.output(FIRST, "TableName")?;
    let templates = || {
        let filter = ["--filter-expression", "begins_with(pk, :t) AND sk = :m", "--expression-attribute-values"];
        let values = r#"{":t": {"S": "TPL#"}, ":m": {"S": "META"}}"#;
        let query = ["--query", "sort(Items[].pk.S)", "--output", "json"];
        scene.aws(&[&["dynamodb", "scan", "--table-name", &table][..], &filter, &[values], &query].concat())
    };
    let before = templates()?;
    let known: Vec<String> = serde_json::from_str(&before)?;
    let key = json!({ "pk": { "S": known.first().context("there are no templates")? }, "sk": { "S": "META" } });
    scene.aws(&["dynamodb", "delete-item", "--table-name", &table, "--key", &key.to_string()])?;
    let item = json!({ "pk": { "S": "TPL#later" }, "sk": { "S": "META" } });
    scene.aws(&["dynamodb", "put-item", "--table-name", &table, "--item", &item.to_string()])?;
    ensure!(templates()? != before);
    let told = run_commands(scene, &restore)?;
    ensure!(told.text.contains("Restored"), "{}", told.text);
    ensure!(templates()? == before, "the table is not as it was: {}", templates()?);
    run_commands(scene, &delete)?;
    scene.smoke(FIRST)
}

fn files(scene: &Scene) -> Result<()> {
    let [block] = blocks("runbooks.md", "## Files of the bucket")?.try_into().ok().context("one block")?;
    let [list, undelete, replace] = commands(&block).try_into().ok().context("three commands")?;
    let (bucket, key) = (scene.output(FIRST, "FilesBucket")?, "templates/rehearsed/a.txt");
    let path = scene.folder().join("a.txt");
    let put = |text: &str| {
        fs::write(&path, text)?;
        let body = path.to_string_lossy();
        let put = ["s3api", "put-object", "--bucket", &bucket, "--key", key, "--body", &body];
        scene.aws(&[&put[..], &["--query", "VersionId", "--output", "text"]].concat())
    };
    let now = || scene.aws(&["s3", "cp", &format!("s3://{bucket}/{key}"), "-"]);
    let first = put("first")?;
    put("second")?;
    scene.aws(&["s3api", "delete-object", "--bucket", &bucket, "--key", key])?;
    ensure!(now().is_err(), "what was deleted is there");
    let listed = run_commands(scene, &list.replace("templates/ID/", "templates/rehearsed/"))?;
    let query = ["--query", "DeleteMarkers[0].VersionId", "--output", "text"];
    let versions = ["s3api", "list-object-versions", "--bucket", &bucket, "--prefix", key];
    let marker = scene.aws(&[&versions[..], &query].concat())?;
    ensure!(listed.text.contains(&marker) && listed.text.contains(&first), "{}", listed.text);
    run_commands(
        scene,
        &undelete.replace("OF-THE-DELETE-MARKER", &marker).replace("--key KEY", &format!("--key {key}")),
    )?;
    ensure!(now()? == "second", "what was deleted is not back");
    let replace = replace.replace("--key KEY", &format!("--key {key}")).replace("/KEY?", &format!("/{key}?"));
    run_commands(scene, &replace.replace("versionId=ID", &format!("versionId={first}")))?;
    ensure!(now()? == "first", "what was replaced is not back");
    Ok(())
}

/// Tests the command that replays dead letters, with one record that succeeds and one that always fails.
fn replay(scene: &Scene) -> Result<()> {
    let runbooks = fs::read_to_string(root().join("docs/runbooks.md"))?;
    let command = "cargo xtask cloud waraq replay";
    ensure!(runbooks.contains(command), "the runbooks know no {command}");
    let bucket = scene.output(FIRST, "DeadLettersBucket")?;
    let event: Value = serde_json::from_slice(&fs::read(root().join("events/account-cleanup.json"))?)?;
    let put = |key: &str, payload: &Value| {
        let path = scene.folder().join("letter.json");
        fs::write(&path, json!({ "version": "1.0", "payload": payload }).to_string())?;
        scene.aws(&["s3api", "put-object", "--bucket", &bucket, "--key", key, "--body", &path.to_string_lossy()])
    };
    put("a/done", &event)?;
    let told = run_commands(scene, command)?;
    ensure!(told.text.contains("1 done, 0 left"), "{}", told.text);
    put("a/done", &event)?;
    put("b/never", &json!({ "Records": [{ "no": "record" }] }))?;
    let told = scene.shell(command, &[])?;
    ensure!(!told.succeeded && told.text.contains("1 done, 1 left"), "{}", told.text);
    scene.aws(&["s3api", "delete-object", "--bucket", &bucket, "--key", "b/never"])?;
    Ok(())
}

/// Follows the runbook for returning to the previous version. Deploys the same version again, because checking out
/// another commit is not part of the rehearsal.
fn version_before(scene: &Scene) -> Result<()> {
    let [block] = blocks("runbooks.md", "## Back to the version before")?.try_into().ok().context("one block")?;
    ensure!(block.starts_with("git checkout THE-COMMIT-BEFORE\n"), "{block}");
    let address = scene.output(FIRST, "Address")?;
    run_commands(
        scene,
        &block.replace("git checkout THE-COMMIT-BEFORE\n", "").replace("https://YOUR.ADDRESS", &address),
    )
    .map(drop)
}

/// Creates the secrets with the commands of docs/deploying.md. The names of the parameters are changed, because the
/// parameters of the first stage exist already.
fn secrets_by_hand(scene: &Scene) -> Result<()> {
    let [block] = blocks("deploying.md", "### Keys and secrets by hand")?.try_into().ok().context("one block")?;
    run_commands(scene, &block.replace("/waraq/", "/by-hand/"))?;
    for name in ["token/private-key", "token/public-keys", "code-secret", "origin-secret"] {
        let (made, by_hand) =
            (scene.parameter(&format!("/{FIRST}/{name}"))?, scene.parameter(&format!("/by-hand/{name}"))?);
        ensure!(made.len() == by_hand.len() && made != by_hand, "{name}: {} and {}", made.len(), by_hand.len());
    }
    Ok(())
}

/// Rotates the signing key in the emulator's stores. tests/api/rotation.rs checks tokens at each step.
fn signing_key(scene: &Scene) -> Result<()> {
    let [both, sign, one] =
        blocks("deploying.md", "### Changing the signing key")?.try_into().ok().context("three blocks")?;
    let keys = || Ok::<_, anyhow::Error>(scene.parameter("/waraq/token/public-keys")?.split(',').count());
    let private = scene.parameter("/waraq/token/private-key")?;
    run_commands(scene, &both)?;
    ensure!(keys()? == 2);
    run_commands(scene, &sign)?;
    ensure!(scene.parameter("/waraq/token/private-key")? != private);
    scene.hour_passes(FIRST)?;
    run_commands(scene, &one)?;
    ensure!(keys()? == 1);
    scene.smoke(FIRST)
}

fn origin_secret(scene: &Scene) -> Result<()> {
    let [both, deploy, one] = blocks("deploying.md", "### Changing the secret between CDN and functions")?
        .try_into()
        .ok()
        .context("three blocks")?;
    let before = scene.parameter("/waraq/origin-secret")?;
    run_commands(scene, &both)?;
    scene.smoke(FIRST)?;
    scene.hour_passes(FIRST)?;
    scene.smoke(FIRST)?;
    run_commands(scene, &deploy)?;
    scene.smoke(FIRST)?;
    run_commands(scene, &one)?;
    scene.hour_passes(FIRST)?;
    let now = scene.parameter("/waraq/origin-secret")?;
    ensure!(now != before && !now.contains(','), "it is {now}");
    scene.smoke(FIRST)
}

fn code_secret(scene: &Scene) -> Result<()> {
    let [both, one] =
        blocks("deploying.md", "### Changing the secret of codes and mails")?.try_into().ok().context("two blocks")?;
    let before = scene.parameter("/waraq/code-secret")?;
    run_commands(scene, &both)?;
    ensure!(scene.parameter("/waraq/code-secret")?.ends_with(&format!(",{before}")));
    scene.hour_passes(FIRST)?;
    scene.smoke(FIRST)?;
    run_commands(scene, &one)?;
    let now = scene.parameter("/waraq/code-secret")?;
    ensure!(now != before && !now.contains(','), "it is {now}");
    scene.hour_passes(FIRST)?;
    scene.smoke(FIRST)
}

/// Deletes the first stage. Nothing of it may remain, and the second stage must be unchanged.
pub fn delete_first_stage(scene: &Scene) -> Result<()> {
    let [block] = blocks("runbooks.md", "## Taking it down")?.try_into().ok().context("one block")?;
    let before = scene.state(SECOND)?;
    run_commands(scene, &block)?;
    let left = scene.remaining(FIRST)?;
    ensure!(left == json!([]), "there still is {left}");
    let after = scene.state(SECOND)?;
    for part in ["resources", "parameters", "files"] {
        ensure!(before[part] == after[part], "the other stage's {part} are others");
    }
    ensure!(scene.status(FIRST).is_err(), "the stack is still there");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_the_expected_command_blocks() {
        for (document, headline, number) in [
            ("runbooks.md", "## The table as it was at a time", 1),
            ("runbooks.md", "## Files of the bucket", 1),
            ("runbooks.md", "## Back to the version before", 1),
            ("runbooks.md", "## Taking it down", 1),
            ("deploying.md", "### Keys and secrets by hand", 1),
            ("deploying.md", "### Changing the signing key", 3),
            ("deploying.md", "### Changing the secret between CDN and functions", 3),
            ("deploying.md", "### Changing the secret of codes and mails", 2),
        ] {
            assert_eq!(blocks(document, headline).unwrap().len(), number, "{headline}");
        }
    }

    #[test]
    fn block_is_split_into_commands() {
        let table = blocks("runbooks.md", "## The table as it was at a time").unwrap();
        assert_eq!(commands(&table[0]).len(), 4);
        let files = blocks("runbooks.md", "## Files of the bucket").unwrap();
        assert_eq!(commands(&files[0]).len(), 3);
    }
}
