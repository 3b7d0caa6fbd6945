//! `waraq-local`: runs the product on this machine.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tracing_subscriber::EnvFilter;
use waraq_aws::{GoogleSettings, OperatorSettings};
use waraq_local::{AdminCreation, KillPoint, Options, Server, start};

const USAGE: &str = "\
waraq-local [--port N] [--data DIR] [--static DIR] [--admin-email ADDRESS] [--no-templates]
            [--guest-fills-per-minute N] [--limits-factor N] [--gsi-delay-ms N]
            [--operator NAME;SEAT;CONTACT] [--support-email ADDRESS] [--home-url URL] [--app-url URL] [--google REGION,POOL,CLIENT,DOMAIN] [--cognito-endpoint URL]
waraq-local --openapi     prints the OpenAPI document (frontend/src/api/openapi.json)

  --port N          port on 127.0.0.1 (default: 3000; 0: any free port)
  --data DIR        folder for all data (default: .data)
  --static DIR      folder of the built frontend (default: frontend/dist)
  --no-templates    do not publish the starting catalogue
  --operator …      operator of the site, for its terms and privacy notice: name; postal address; contact
  --support-email ADDRESS  recipient of help center messages (default: support@waraq.localhost)
  --home-url URL    the marketing site; --app-url: the mobile app
  --google …        sign-in with Google: region and id of a Cognito pool, its public client, its domain
  --cognito-endpoint URL  for tests: an emulator of Cognito
  --limits-factor N  for tests: factor for the limits per IP address
  --kill-before-write N, --kill-after-write N  for tests: kill the process (-9) before or after this write of an account's deletion
  --gsi-delay-ms N  for tests: delay after which a write appears in the index of the table
";

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--openapi") {
        return match functions::openapi::document() {
            Ok(document) => {
                print!("{document}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("waraq-local: {error}");
                ExitCode::FAILURE
            }
        };
    }
    let options = match parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprint!("waraq-local: {error:#}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,s3s=warn,s3s_fs=warn,dynoxide=warn"));
    let log = tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter).with_writer(std::io::stderr);
    // Internal errors are written to standard error too. If the disk is full, that would panic in every request.
    log.log_internal_errors(false).init();
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("waraq-local: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(options: Options) -> Result<()> {
    let data = options.data.clone();
    let mut server = start(options).await?;
    println!("Waraq      http://localhost:{}", server.address.port());
    println!("Mails      http://localhost:{}/dev/mail", server.address.port());
    let (admin, file) = (&server.admin, data.join("first-admin.txt"));
    // The password is shown only once, because logs and terminals keep their output.
    match admin.creation {
        AdminCreation::Earlier => println!("Admin      {}, password in {}", admin.email, file.display()),
        AdminCreation::FirstStart => {
            println!("Admin      {} · {}, also in {}", admin.email, admin.password, file.display())
        }
        AdminCreation::AfterDataLoss => println!(
            "Admin      {} · {}, also in {} (the earlier database is missing: this is a new admin of an empty installation)",
            admin.email,
            admin.password,
            file.display()
        ),
    }
    tokio::select! {
        () = until_signal() => println!("Waraq stopped"),
        () = report_catalogue_and_serve(&mut server) => {}
    }
    Ok(())
}

/// Prints a message when the starting catalogue is complete, or why it is not. Never returns, so that the server keeps
/// running.
async fn report_catalogue_and_serve(server: &mut Server) {
    match (&mut server.catalogue).await {
        Ok(Ok(0)) => println!("Catalogue  ready"),
        Ok(Ok(published)) => println!("Catalogue  ready: {published} templates published"),
        Ok(Err(error)) => println!("Catalogue  not published: {error:#}"),
        Err(error) => println!("Catalogue  not published: {error}"),
    }
    std::future::pending::<()>().await;
}

/// Waits for Ctrl-C or SIGTERM.
async fn until_signal() {
    let told = async {
        #[cfg(unix)]
        if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            terminate.recv().await;
            return;
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = told => {}
    }
}

/// Parses the arguments; `None` if help was requested.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>> {
    let mut options = Options::new(".data");
    options.port = 3000;
    options.frontend = Some(PathBuf::from("frontend/dist"));
    while let Some(name) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{name} needs a value"));
        match name.as_str() {
            "--port" => options.port = number(&name, &value()?)?,
            "--data" => options.data = value()?.into(),
            "--static" => options.frontend = Some(value()?.into()),
            "--admin-email" => options.admin_email = value()?,
            "--no-templates" => options.starting_catalogue = false,
            "--gsi-delay-ms" => options.index_delay = Some(Duration::from_millis(number(&name, &value()?)?)),
            "--kill-before-write" | "--kill-after-write" => {
                options.faults.kill =
                    Some(KillPoint { write: number(&name, &value()?)?, after: name.ends_with("after-write") });
            }
            "--guest-fills-per-minute" => options.options.guest_fills_per_minute = Some(number(&name, &value()?)?),
            "--limits-factor" => options.options.source_limits_factor = number(&name, &value()?)?,
            "--operator" => options.installation.operator = Some(operator(&value()?)?),
            "--support-email" => options.installation.support_email = Some(value()?),
            "--home-url" => options.installation.home_url = Some(value()?),
            "--app-url" => options.installation.app_url = Some(value()?),
            "--google" => options.google = Some(google(&value()?)?),
            "--cognito-endpoint" => options.endpoints.cognito = Some(value()?),
            "--help" | "-h" => return Ok(None),
            other => bail!("unknown option {other}"),
        }
    }
    Ok(Some(options))
}

fn operator(value: &str) -> Result<OperatorSettings> {
    let parts: Vec<String> = value.split(';').map(|part| part.trim().to_owned()).collect();
    let [name, seat, contact] = parts.try_into().ok().context("--operator needs NAME;SEAT;CONTACT")?;
    Ok(OperatorSettings { name, seat, contact })
}

fn google(value: &str) -> Result<GoogleSettings> {
    let parts: Vec<String> = value.split(',').map(|part| part.trim().to_owned()).collect();
    let [region, user_pool_id, client_id, domain] =
        parts.try_into().ok().context("--google needs REGION,POOL,CLIENT,DOMAIN")?;
    Ok(GoogleSettings { region, user_pool_id, client_id, domain })
}

fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N> {
    value.parse().ok().with_context(|| format!("{name} needs a number, not {value}"))
}
