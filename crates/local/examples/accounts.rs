//! `cargo xtask bench accounts`: many concurrent writers create accounts in the embedded DynamoDB. Prints how many
//! accounts were written and how many were refused. Checks that a reader of the change log sees exactly the written
//! accounts.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use waraq_core::accounts::{Account, Address, Role, add_account};
use waraq_core::clock::new_id;
use waraq_local::{Options, start};

#[tokio::main]
async fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>().context("a number"));
    let accounts = numbers.next().transpose()?.unwrap_or(10_000);
    let writers = numbers.next().transpose()?.unwrap_or(64).max(1);
    let folder = tempfile::tempdir()?;
    let mut options = Options::new(folder.path());
    options.starting_catalogue = false;
    let server = Arc::new(start(options).await?);
    let (_, before) = server.cloud.accounts_written(None).await?;
    let began = Instant::now();
    let tasks = (0..writers).map(|writer| {
        let server = Arc::clone(&server);
        let own = (writer..accounts).step_by(writers);
        tokio::spawn(async move {
            let (mut written, mut refused) = (Vec::new(), 0);
            for number in own {
                match write(&server, number).await {
                    Ok(id) => written.push(id),
                    Err(error) => {
                        refused += 1;
                        eprintln!("account {number}: {error}, {:?}", error.cause);
                    }
                }
            }
            (written, refused)
        })
    });
    let tasks: Vec<_> = tasks.collect();
    let (mut written, mut refused) = (BTreeSet::new(), 0);
    for task in tasks {
        let (ids, failed) = task.await?;
        written.extend(ids);
        refused += failed;
    }
    let seconds = began.elapsed().as_secs_f64();
    let (followed, _) = server.cloud.accounts_written(Some(&before)).await?;
    let all = followed.into_iter().collect::<BTreeSet<_>>() == written;
    let named = if all { "each of them" } else { "others than these" };
    println!(
        "{writers} writers: {} accounts written, {refused} refused, {seconds:.1} s; the log names {named}",
        written.len()
    );
    if refused > 0 || !all {
        bail!("not every account was written and followed");
    }
    Ok(())
}

async fn write(server: &waraq_local::Server, number: usize) -> waraq_core::Result<String> {
    let cloud = &server.cloud;
    let address = Address::parse(&format!("somebody{number}@example.org"))?;
    let account = Account {
        id: new_id(cloud.clock(), cloud.random_source()),
        user_name: "Somebody".to_owned(),
        name: None,
        email: address.as_str().to_owned(),
        verified: true,
        photo: None,
        country: None,
        language: None,
        role: Role::User,
        token_version: 1,
        downloads: 0,
        private_templates: 0,
        created_at: cloud.clock().now(),
        revision: 0,
        former_addresses: Vec::new(),
        google: Vec::new(),
        ended_sessions: Vec::new(),
    };
    add_account(cloud.accounts(), &account, &address).await?;
    Ok(account.id)
}
