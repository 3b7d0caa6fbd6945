//! `waraq-operations`: runs one task of an operator on the stores that the environment names.

use std::process::ExitCode;

use anyhow::{Result, bail};
use waraq_operations::{AdminOutcome, cloud_from_environment, create_stores, make_admin, publish_catalogue, recover};

const USAGE: &str = "\
waraq-operations admin EMAIL | catalogue | stores | restore TABLE

works on the stores that the environment variables name (docs/deploying.md); cargo xtask cloud sets these variables

  admin EMAIL    make an admin
  catalogue      publish the starting catalogue
  stores         create the table and the bucket (emulator only)
  restore TABLE  take over the content of a recovered table (docs/runbooks.md)
";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if matches!(arguments.first().map(String::as_str), Some("--help" | "-h")) {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match run(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The operator sees the cause as well; clients of the API do not.
            let cause = error.downcast_ref::<waraq_core::Error>().and_then(|error| error.cause.as_deref());
            let cause = cause.map(|cause| format!(" ({cause})")).unwrap_or_default();
            eprintln!("waraq-operations: {error:#}{cause}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if !matches!(arguments.as_slice(), ["admin" | "restore", _] | ["catalogue" | "stores"]) {
        bail!("unknown arguments\n\n{USAGE}");
    }
    let cloud = cloud_from_environment().await?;
    match arguments.as_slice() {
        ["admin", email] => match make_admin(&cloud, email).await? {
            AdminOutcome::New(password) => println!("Admin      {email} · {password}"),
            AdminOutcome::Promoted => println!("Admin      {email}, with the password of the account"),
        },
        ["catalogue"] => println!("Catalogue  {} templates published", publish_catalogue(&cloud).await?),
        ["restore", table] => {
            let done = recover(&cloud, table).await?;
            println!("Restored   {} items written, {} deleted", done.written, done.removed);
        }
        _ => println!("Stores     {}", create_stores(&cloud).await?),
    }
    Ok(())
}
