//! `cargo xtask bench lists`: measures lists of templates and users with a given number of rows. Starts a new process
//! for each measurement of the first page, which is loaded from the index or from a snapshot. Then measures pages of a
//! warm process over HTTP: sorted pages, searches and pages near the end. Also measures the cost of a change.
//!
//! The words of titles and names, in three languages, are distributed as in real text: a few words occur very often,
//! and very many words rarely.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use aws_sdk_dynamodb::types::AttributeValue;
use bytes::Bytes;
use dynoxide::types::AttributeValue as Stored;
use dynoxide::{Database, ImportOptions};
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use waraq_aws::{Cloud, RuntimeOptions, SNAPSHOT_ROWS, Settings, SnapshotRun, Timeouts};
use waraq_core::Timestamp;
use waraq_core::accounts::{Account, Address, Role, UserSearch};
use waraq_core::catalogue::Search;
use waraq_core::template::{Template, TemplateStatus};
use waraq_core::token::LoginSession;
use waraq_local::{Options, ReadMeter, Server, start};

/// Number of rows of each list that one call imports into the database.
const CHUNK: usize = 20_000;
const ROUNDS: usize = 100;
/// Creation time of the first row: 1 January 2020, in milliseconds since the Unix epoch. Each row is created one minute
/// after the row before.
const BEGINNING: u64 = 1_577_836_800_000;

/// The most frequent first names in English, French and Arabic. Each list starts with the most frequent name. The next
/// constants have last names and words of titles in the same order of languages.
const FIRST_NAMES: [&[&str]; 3] = [
    &["James", "Mary", "John", "Emma", "Oliver", "Grace", "William", "Zoe"],
    &["Jean", "Marie", "Léa", "Émile", "Chloé", "François", "Zoé", "Gaël"],
    &["محمد", "أحمد", "فاطمة", "علي", "أمينة", "خديجة", "يوسف", "إبراهيم"],
];
const LAST_NAMES: [&[&str]; 3] = [
    &["Smith", "Jones", "Brown", "Taylor", "Wilson", "Walker", "Hughes"],
    &["Martin", "Bernard", "Lefèvre", "Dubois", "Moreau", "Œuvrard", "Noël"],
    &["بن صالح", "الهاشمي", "العلوي", "بن علي", "التونسي", "الأندلسي", "القاسمي"],
];
const TITLES: [&[&str]; 3] = [
    &["letter", "agreement", "contract", "of", "employment", "lease", "notice", "invoice", "certificate"],
    &["lettre", "contrat", "de", "travail", "bail", "attestation", "démission", "facture", "procuration"],
    &["عقد", "رسالة", "شهادة", "إيجار", "عمل", "استقالة", "طلب", "وكالة", "فاتورة"],
];
const SYLLABLES: [&[&str]; 3] = [
    &["ba", "ker", "ton", "mil", "wood", "ran", "sey", "by", "lan", "shaw"],
    &["beau", "mont", "vil", "lé", "rou", "gnac", "ser", "tré", "lou", "vain"],
    &["با", "سم", "نو", "ري", "حا", "مد", "لي", "كر", "وا", "ني"],
];

/// A generator of pseudo-random numbers. Its sequence is the same in each run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    /// Returns a random index of a word, from 0 to `words` - 1. The indices have Zipf's distribution, as the words of a
    /// language do: the probability of an index is about proportional to 1 / (index + 1).
    fn rank(&mut self, words: usize) -> usize {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (((words as f64).powf(share)) as usize).saturating_sub(1).min(words - 1)
    }

    /// Returns a random word of a language: one of the `frequent` words, or one of 5,000 rare words built from
    /// syllables.
    fn word(&mut self, frequent: &[&str], language: usize) -> String {
        let rank = self.rank(frequent.len() + 5_000);
        if let Some(word) = frequent.get(rank) {
            return (*word).to_owned();
        }
        let syllables = SYLLABLES[language];
        let mut rare = Self(rank as u64 * 31 + language as u64);
        (0..2 + rank % 3).map(|_| syllables[rare.below(syllables.len())]).collect()
    }
}

/// Returns the id of the row with this number. These ids sort by number, as the product's ids sort by time.
fn id_of(number: usize) -> String {
    format!("01{number:024}")
}

fn account(number: usize, numbers: &mut Numbers) -> Account {
    let language = number % 3;
    let name =
        format!("{} {}", numbers.word(FIRST_NAMES[language], language), numbers.word(LAST_NAMES[language], language));
    Account {
        id: id_of(number),
        user_name: name,
        name: None,
        email: format!("somebody{number}@example.org"),
        verified: true,
        photo: number.is_multiple_of(3).then(|| "0".repeat(64)),
        country: None,
        language: Some(["en", "fr", "ar"][language].to_owned()),
        role: Role::User,
        token_version: 1,
        downloads: 0,
        private_templates: 0,
        created_at: Timestamp(BEGINNING + number as u64 * 60_000),
        revision: 0,
        former_addresses: Vec::new(),
        google: Vec::new(),
        ended_sessions: Vec::new(),
    }
}

fn template(number: usize, model: &Template, numbers: &mut Numbers) -> Template {
    let language = number % 3;
    let words = 2 + numbers.below(4);
    let title: Vec<String> = (0..words).map(|_| numbers.word(TITLES[language], language)).collect();
    let at = Timestamp(BEGINNING + number as u64 * 60_000);
    Template {
        id: id_of(number),
        title: title.join(" "),
        language: ["en", "fr", "ar"][language].to_owned(),
        status: if number.is_multiple_of(20) { TemplateStatus::Inactive } else { TemplateStatus::Active },
        created_at: at,
        updated_at: at,
        ..model.clone()
    }
}

fn stored(item: HashMap<String, AttributeValue>) -> Result<dynoxide::types::Item> {
    item.into_iter()
        .map(|(name, value)| {
            let value = match value {
                AttributeValue::S(text) => Stored::S(text),
                AttributeValue::N(number) => Stored::N(number),
                other => bail!("{name} is {other:?}"),
            };
            Ok((name, value))
        })
        .collect()
}

/// Returns an item of the change log or of a counter. `texts` and `numbers` are the names and values of its attributes.
fn item(texts: &[(&str, String)], numbers: &[(&str, u64)]) -> dynoxide::types::Item {
    let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), Stored::S(text.clone())));
    let numbers = numbers.iter().map(|(name, number)| ((*name).to_owned(), Stored::N(number.to_string())));
    texts.chain(numbers).collect()
}

/// The change log of a list. It has entries and a stamp, and the stamp counts the entries.
struct Log {
    partition: String,
    stamp: (String, String),
    written: u64,
}

impl Log {
    fn entry(&mut self, id: &str) -> dynoxide::types::Item {
        self.written += 1;
        let (pk, sk) = (format!("LOG#{}", self.partition), format!("{:020}", self.written));
        let at = Timestamp(BEGINNING + self.written * 60_000).rfc3339();
        item(&[("pk", pk), ("sk", sk), ("id", id.to_owned()), ("at", at)], &[])
    }

    fn stamp(&self) -> dynoxide::types::Item {
        item(&[("pk", self.stamp.0.clone()), ("sk", self.stamp.1.clone())], &[("n", self.written)])
    }
}

/// Number of use counters of a used template. Its uses are distributed over this number of shards, with one counter
/// each. Only every third template has been used.
const SHARDS_USED: usize = 4;

fn counters(id: &str, number: usize) -> Vec<dynoxide::types::Item> {
    let used = if number.is_multiple_of(3) { SHARDS_USED } else { 0 };
    let counter = |shard: usize| {
        let keys = [("pk", format!("USES#{id}")), ("sk", format!("USE#{shard}"))];
        let order = format!("{:014}", BEGINNING + number as u64);
        let index = [("kind", format!("USE#{shard}")), ("kind_order", order)];
        item(&[keys, index].concat(), &[("uses", (number % 50) as u64 + 1)])
    };
    (0..used).map(counter).collect()
}

/// Writes the items of the lists directly into the database, in the format of the product. Writing them through the
/// product would take hours.
fn import(data: &std::path::Path, rows: RowCounts, model: &Template) -> Result<()> {
    let path = data.join("dynamodb.sqlite");
    let database = Database::new(path.to_str().context("a folder that is not UTF-8")?)
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let failed = |error: dynoxide::DynoxideError| anyhow::anyhow!("{error}");
    database.enable_bulk_loading().map_err(failed)?;
    let (mut people, mut titles) = (Numbers(1), Numbers(2));
    // Numbering starts after the entries that the installation has written itself.
    let log = |partition: String, stamp: (&str, String)| Log {
        partition,
        stamp: (stamp.0.to_owned(), stamp.1),
        written: OWN_WRITES,
    };
    let mut templates = log("template".to_owned(), ("STAMP#template", "STAMP".to_owned()));
    let shards = (0..16).map(|shard| log(format!("account#{shard}"), ("STAMP#account", format!("{shard:02}"))));
    let mut accounts: Vec<Log> = shards.collect();
    let most = rows.templates.max(rows.users);
    for first in (0..most).step_by(CHUNK) {
        let mut items = Vec::with_capacity(6 * CHUNK);
        for number in first..most.min(first + CHUNK) {
            let id = id_of(number);
            if number < rows.templates {
                items.push(templates.entry(&id));
                items.extend(counters(&id, number));
                items.push(stored(waraq_aws::template_item(&template(number, model, &mut titles))?)?);
            }
            if number >= rows.users {
                continue;
            }
            let shard = id.bytes().fold(0, u8::wrapping_add) % 16;
            items.push(accounts.get_mut(usize::from(shard)).context("a shard that is none")?.entry(&id));
            let mut profile = waraq_aws::account_item(&account(number, &mut people), Timestamp(BEGINNING))?;
            profile.insert("downloads".to_owned(), AttributeValue::N((number % 97).to_string()));
            items.push(stored(profile)?);
        }
        database.import_items("waraq", items, ImportOptions::default()).map_err(failed)?;
    }
    let stamps = accounts.iter().chain([&templates]).map(Log::stamp).collect();
    database.import_items("waraq", stamps, ImportOptions::default()).map_err(failed)?;
    database.disable_bulk_loading().map_err(failed)
}

/// Number of the last log entry before the imported rows. It is greater than the number of writes that a new
/// installation makes to any list, so that the numbers of imported entries are not in use yet.
const OWN_WRITES: u64 = 1_000;

/// Returns long timeouts. The embedded database executes one call at a time. If eight pages are loaded at the same
/// time, the last of them waits for the seven others.
fn long_timeouts() -> RuntimeOptions {
    let patience =
        Timeouts { attempt: Duration::from_secs(60), operation: Duration::from_secs(180), ..Timeouts::default() };
    RuntimeOptions { timeouts: patience, ..RuntimeOptions::default() }
}

/// Cost of loading the first page in a new process, or of making the snapshots of templates and users.
struct Cold {
    /// Wall-clock time and processor time in seconds.
    time: f64,
    cpu: f64,
    /// Peak memory in megabytes.
    peak: f64,
    total: u64,
}

/// Loads a list and prints the cost. This function runs in the process that is measured. That process reads the
/// addresses of the table and the bucket from its environment, as a Lambda function does.
async fn cold_list(list: &str) -> Result<()> {
    let began = Instant::now();
    let cloud = Cloud::new(Settings::from_environment()?, long_timeouts())?;
    let total = match list {
        "snapshots" => {
            let made = |turn| if let SnapshotRun::Made { rows, .. } = turn { rows } else { 0 };
            cloud.write_due_snapshots().await?.into_iter().map(made).sum()
        }
        "users" => UserSearch::new("", ("", ""), None, None)?.results(&*cloud.users().users().await?).total,
        _ => Search::default().results(&*cloud.templates().rows().await?).total,
    };
    let time = began.elapsed().as_secs_f64();
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let ticks: f64 = ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    println!("{time} {} {} {total}", ticks / 100.0, memory("VmHWM:"));
    Ok(())
}

/// Starts a new process and measures how it loads `list`. If `list` is `snapshots`, the process instead makes the
/// snapshots of templates and users. The process reads a snapshot only if the list has more than `snapshot_rows` rows.
async fn cold(server: &Server, list: &str, snapshot_rows: u64) -> Result<Cold> {
    let (aws, stores) = (&server.settings.aws, &server.settings.stores);
    let address = |url: &Option<String>| url.clone().unwrap_or_default();
    let output = tokio::process::Command::new(std::env::current_exe()?)
        .args(["--cold", list])
        .env("AWS_REGION", &aws.region)
        .env("AWS_ACCESS_KEY_ID", &aws.credentials.access_key_id)
        .env("AWS_SECRET_ACCESS_KEY", &aws.credentials.secret_access_key)
        .env("AWS_ENDPOINT_URL_DYNAMODB", address(&aws.endpoints.dynamodb))
        .env("AWS_ENDPOINT_URL_S3", address(&aws.endpoints.s3))
        .env("TABLE_NAME", &stores.table)
        .env("BUCKET_NAME", &stores.bucket)
        .env("SNAPSHOT_ROWS", snapshot_rows.to_string())
        .output()
        .await?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let figures: Vec<f64> = said.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
    let [time, cpu, peak, total] = figures[..] else {
        bail!("{list}: {said}{}", String::from_utf8_lossy(&output.stderr))
    };
    Ok(Cold { time, cpu, peak, total: total as u64 })
}

/// Prints a table in the format of `docs/performance.md`. It has a line for each list and for each source (index or
/// snapshot).
async fn cold_lists(server: &Server, meter: &ReadMeter, rows: RowCounts) -> Result<()> {
    let before = meter.units();
    let Cold { time, cpu, peak, total } = cold(server, "snapshots", SNAPSHOT_ROWS).await?;
    let units = meter.units() - before;
    println!("\n| list | read of | s | CPU, s | at most, MB | read units |\n|---|---|---:|---:|---:|---:|");
    println!("| snapshots of {total} rows, made | the index | {time:.2} | {cpu:.2} | {peak:.0} | {units:.0} |");
    for (list, rows) in [("templates", rows.templates), ("users", rows.users)] {
        let has_snapshot = rows as u64 > SNAPSHOT_ROWS;
        let ways = [("the index", u64::MAX)].into_iter().chain(has_snapshot.then_some(("a snapshot", SNAPSHOT_ROWS)));
        for (way, snapshot_rows) in ways {
            let mut runs = Vec::new();
            let before = meter.units();
            for _ in 0..COLD_RUNS {
                runs.push(cold(server, list, snapshot_rows).await?);
            }
            let units = (meter.units() - before) / COLD_RUNS as f64;
            runs.sort_by(|one, other| one.time.total_cmp(&other.time));
            let Some(Cold { time, cpu, peak, total }) = runs.get(COLD_RUNS / 2) else { continue };
            println!("| {total} {list} | {way} | {time:.2} | {cpu:.2} | {peak:.0} | {units:.0} |");
        }
    }
    println!();
    Ok(())
}

/// Number of runs, each in its own process. The median is reported.
const COLD_RUNS: usize = 3;

type Http = Client<HttpConnector, Full<Bytes>>;

struct Bench {
    client: Http,
    address: SocketAddr,
    token: String,
    meter: Arc<ReadMeter>,
}

impl Bench {
    async fn get(&self, path: &str) -> Result<(Duration, Bytes)> {
        let began = Instant::now();
        let request = Request::get(format!("http://{}/api/v1/{path}", self.address))
            .header("authorization", format!("Bearer {}", self.token))
            .body(Full::default())?;
        let answer = self.client.request(request).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            bail!("{path}: {status}: {}", String::from_utf8_lossy(&body));
        }
        Ok((began.elapsed(), body))
    }

    /// Requests one page repeatedly and returns the 95th percentile of the response times, in milliseconds.
    async fn pages(&self, name: &str, path: &str) -> Result<f64> {
        let (first, body) = self.get(path).await?;
        let mut times = Vec::new();
        let before = self.meter.units();
        for _ in 0..ROUNDS {
            times.push(milliseconds(self.get(path).await?.0));
        }
        let units = (self.meter.units() - before) / ROUNDS as f64;
        times.sort_by(f64::total_cmp);
        let (p50, p95) = (times[ROUNDS / 2], times[ROUNDS * 95 / 100]);
        let body: serde_json::Value = serde_json::from_slice(&body)?;
        println!(
            "  {name:28} first {:8.1} ms   p50 {p50:7.2} ms   p95 {p95:7.2} ms   {units:4.1} units   {:>9} found",
            milliseconds(first),
            body["total"]
        );
        Ok(p95)
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Returns a memory value of this process in megabytes. `called` is its name in `/proc/self/status`.
fn memory(called: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(called));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1_000.0
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [cold, list] = arguments.as_slice()
        && cold == "--cold"
    {
        return cold_list(list).await;
    }
    let wanted: Vec<RowCounts> = arguments.iter().map(|argument| RowCounts::parse(argument)).collect::<Result<_>>()?;
    for rows in if wanted.is_empty() { vec![RowCounts { templates: 10_000, users: 10_000 }] } else { wanted } {
        bench(rows).await?;
    }
    Ok(())
}

/// Number of rows of each list.
#[derive(Clone, Copy)]
struct RowCounts {
    templates: usize,
    users: usize,
}

impl RowCounts {
    /// Parses `100000` (rows of both lists) or `100000/1000000` (templates, users).
    fn parse(argument: &str) -> Result<Self> {
        let number = |number: &str| number.parse().with_context(|| format!("{number:?} is no number of rows"));
        let (templates, users) = argument.split_once('/').unwrap_or((argument, argument));
        Ok(Self { templates: number(templates)?, users: number(users)? })
    }
}

async fn bench(rows: RowCounts) -> Result<()> {
    let folder = tempfile::tempdir()?;
    // Creates an installation with its table and one template as the model of the others.
    let mut options = Options::new(folder.path());
    let mut server = start(options.clone()).await?;
    (&mut server.catalogue).await??;
    let id = server.cloud.templates().rows().await?.ids().next().map(str::to_owned).context("no template")?;
    let model = server.cloud.templates().template_without_uses(&id).await?.context("no template")?;
    stop_server(server, folder.path()).await?;
    let began = Instant::now();
    import(folder.path(), rows, &model)?;
    let RowCounts { templates, users } = rows;
    println!("{templates} templates and {users} users (written in {:.0} s)", began.elapsed().as_secs_f64());
    let meter = Arc::new(ReadMeter::default());
    options.starting_catalogue = false;
    options.meter = Some(Arc::clone(&meter));
    options.options = long_timeouts();
    let server = start(options).await?;
    let cloud = &server.cloud;
    let admin = Address::parse(&server.admin.email)?;
    let admin = cloud.accounts().address_claims(&admin).await?.owner.context("no admin")?;
    let admin = cloud.accounts().account(&admin).await?.context("no admin")?;
    let token = cloud
        .signer()
        .await?
        .context("no signer")?
        .issue(&admin, &LoginSession::new("session", false, cloud.clock().now()), cloud.clock().now())?
        .token;
    cold_lists(&server, &meter, rows).await?;
    let client = Client::builder(TokioExecutor::new()).build_http();
    let bench = Bench { client, address: server.address, token, meter };
    // Measures the reads that authenticate a signed-in user, before the list itself is read.
    let before = bench.meter.units();
    bench.get("users/me").await?;
    println!("  who calls: {:.1} units, in each of the following", bench.meter.units() - before);
    for (list, pages, rows) in [("users", USERS, users), ("documents", DOCUMENTS, templates)] {
        println!("  {list}: the first page over HTTP {:.2} s", bench.get(list).await?.0.as_secs_f64());
        for (name, query) in pages {
            let deep = query.replace("{middle}", &(rows / 20).max(1).to_string());
            bench.pages(name, &format!("{list}?{}", deep.replace("{last}", &(rows / 12).max(1).to_string()))).await?;
        }
    }
    // Users change their names, and the list shows it.
    let mut times = Vec::new();
    for number in 0..ROUNDS {
        let account = cloud.accounts().account(&id_of(number * users / ROUNDS)).await?.context("no account")?;
        let change = waraq_core::accounts::ProfileChange {
            user_name: Some(format!("Changed {number}")),
            ..waraq_core::accounts::ProfileChange::default()
        };
        cloud.account_service()?.update_profile(&account, change).await?;
        times.push(milliseconds(bench.get("users?userName=changed").await?.0));
    }
    times.sort_by(f64::total_cmp);
    println!(
        "  users after a change           p50 {:7.2} ms   p95 {:7.2} ms",
        times[ROUNDS / 2],
        times[ROUNDS * 95 / 100]
    );
    stop_server(server, folder.path()).await
}

async fn stop_server(server: Server, data: &std::path::Path) -> Result<()> {
    drop(server);
    let lock = std::fs::File::open(data.join("lock"))?;
    while lock.try_lock().is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}

const USERS: &[(&str, &str)] = &[
    ("newest", ""),
    ("by name", "sortBy=name"),
    ("by name, in the middle", "sortBy=name&page={middle}"),
    ("by downloads, descending", "sortBy=downloads&sortOrder=desc"),
    ("by email, the last page", "sortBy=email&page={last}"),
    ("search, a frequent name", "userName=%D9%85%D8%AD%D9%85%D8%AF&sortBy=name"),
    ("search, accents left out", "userName=emile&sortBy=createdAt"),
    ("search, two words", "userName=jean+martin&sortBy=downloads"),
    ("search, nobody", "userName=nobody+of+this+name"),
];

const DOCUMENTS: &[(&str, &str)] = &[
    ("newest", ""),
    ("oldest, in the middle", "oldCreated=true&page={middle}"),
    ("most used", "most=true"),
    ("of a language", "lang=ar"),
    ("search, a frequent word", "title=contrat"),
    ("search, Arabic", "title=%D8%A7%D9%8A%D8%AC%D8%A7%D8%B1&lang=ar"),
    ("search, two words", "title=letter+employment&less=true"),
    ("search, nothing", "title=nothing+of+this+name"),
    ("all, the last page", "status=all&page={last}"),
];
