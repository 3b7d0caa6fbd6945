//! `cargo xtask bench saved`: creates an account with many saved documents. Measures the pages of its list over HTTP,
//! for each sort order and for searches.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use functions::engine::RenderPermit;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use waraq_core::accounts::{Account, Address, Role, add_account};
use waraq_core::clock::new_id;
use waraq_core::filling::FillingRequest as Filling;
use waraq_core::saved::DocumentOptions;
use waraq_core::token::LoginSession;
use waraq_local::{Options, Server, start};

const TITLES: [&str; 5] =
    ["Lease for a flat", "Lettre de démission", "عقد إيجار سكني", "Power of attorney", "شهادة عمل"];
/// Names and queries of the measured pages.
const PAGES: [(&str, &str); 8] = [
    ("newest", ""),
    ("oldest", "oldCreated=true"),
    ("most used", "most=true"),
    ("last updated", "updated=true"),
    ("last page", "page=84"),
    ("search, Latin", "title=demission&updated=true"),
    ("search, Arabic", "title=%D8%A7%D9%8A%D8%AC%D8%A7%D8%B1&most=true"),
    ("search, nothing", "title=nothing"),
];
/// Limit on the 95th percentile of the response times of each page, in milliseconds.
const MOST_MS: f64 = 50.0;

#[tokio::main]
async fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>().context("a number"));
    let documents = numbers.next().transpose()?.unwrap_or(1_000).max(1);
    let rounds = numbers.next().transpose()?.unwrap_or(100).max(1);
    let folder = tempfile::tempdir()?;
    let server = start(Options::new(folder.path())).await?;
    let account = account(&server).await?;
    let began = Instant::now();
    write(&server, &account.id, documents).await?;
    println!("{documents} documents saved in {:.1} s", began.elapsed().as_secs_f64());
    let signer = server.cloud.signer().await?.context("no signer")?;
    let token = signer
        .issue(&account, &LoginSession::new("session", false, server.cloud.clock().now()), server.cloud.clock().now())?
        .token;
    let client = Client::builder(TokioExecutor::new()).build_http();
    let mut slow = Vec::new();
    for (name, query) in PAGES {
        let mut times = Vec::new();
        for _ in 0..rounds {
            times.push(page(&client, server.address, &token, query).await?.as_secs_f64() * 1_000.0);
        }
        times.sort_by(f64::total_cmp);
        let of = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
        println!("{name:16} p50 {:5.1} ms   p95 {:5.1} ms", of(50), of(95));
        if of(95) > MOST_MS {
            slow.push(name);
        }
    }
    if !slow.is_empty() {
        bail!("past {MOST_MS} ms: {}", slow.join(", "));
    }
    Ok(())
}

async fn account(server: &Server) -> Result<Account> {
    let cloud = &server.cloud;
    let address = Address::parse("somebody@example.org")?;
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
    Ok(account)
}

/// Fills and saves one document, and saves copies of it under other titles. Calls the operations directly instead of
/// over HTTP, because the rate limits apply only to the routes.
async fn write(server: &Server, owner: &str, documents: usize) -> Result<()> {
    let cloud = Arc::clone(&server.cloud);
    while cloud.templates().rows().await?.templates().next().is_none() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let template = cloud.templates().rows().await?.templates().next().context("no template")?;
    let making = RenderPermit::for_caller(owner)?;
    let filling = Filling {
        template_id: template.id.clone(),
        values: template.fields.iter().map(|name| (name.clone(), name.into())).collect(),
        blank: false,
        user_id: Some(owner.to_owned()),
        key: None,
        options: DocumentOptions { title: Some(TITLES[0].to_owned()), ..DocumentOptions::default() },
    };
    let first = making.filler(&cloud).save(filling).await?;
    let writers = (0..4).map(|writer| {
        let (cloud, owner, template, first) =
            (Arc::clone(&cloud), owner.to_owned(), template.id.clone(), first.id.clone());
        tokio::spawn(async move {
            let making = RenderPermit::for_caller(owner.as_str())?;
            for number in (1..documents).skip(writer).step_by(4) {
                let title = format!("{} {number}", TITLES[number % TITLES.len()]);
                let copy = making.filler(&cloud).duplicate(&owner, &template, (&first, Some(&title)), None).await?;
                for _ in 0..number % 4 {
                    cloud.saved_documents().documents.count_download(&owner, &copy.id).await?;
                }
            }
            waraq_core::Result::Ok(())
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await??;
    }
    Ok(())
}

async fn page(
    client: &Client<HttpConnector, Full<Bytes>>,
    address: SocketAddr,
    token: &str,
    query: &str,
) -> Result<Duration> {
    let began = Instant::now();
    let request = Request::get(format!("http://{address}/api/v1/documents/saved?{query}"))
        .header("authorization", format!("Bearer {token}"))
        .body(Full::default())?;
    let answer = client.request(request).await?;
    let status = answer.status();
    let body = answer.into_body().collect().await?.to_bytes();
    if !status.is_success() {
        bail!("{status}: {}", String::from_utf8_lossy(&body));
    }
    Ok(began.elapsed())
}
