//! Builds the product for a laptop: server, browser module and frontend at the same time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::preview::{self, Compiler, Machine, NoCompiler, Optimisation};
use crate::progress::{self, Board};
use crate::steps::{cargo, kill_group};
use crate::{fonts, frontend};

/// Builds everything that `cargo xtask dev` starts. If the compiler for the browser module is missing, builds the
/// frontend without live pages and returns a paragraph that explains this.
pub fn build(release: bool) -> Result<Option<String>> {
    let board = Board::start();
    board.run("fonts", "the font files, from npm", |_| fonts::fetch())?;
    thread::scope(|scope| {
        let board = &board;
        // npm mostly waits for the network while cargo uses the processors.
        let packages = scope.spawn(move || {
            board.run("packages", "the frontend's packages, from npm", |_| frontend::install("frontend"))
        });
        let module = scope.spawn(move || module(board, release));
        let server = scope.spawn(move || {
            board.run("server", "the API, the engine and the embedded cloud", |activity| {
                // The build uses the features of the whole workspace, as the tests do. Otherwise the AWS SDK would be
                // compiled twice. The report in cargo-timings/ of the target directory shows where the time goes.
                let mut build = cargo(&["build", "--locked", "--timings", "--workspace", "--bin", "waraq-local"]);
                if release {
                    build.arg("--release");
                }
                progress::cargo(&mut build, activity)
            })
        });
        join(packages)?;
        let missing = join(module)?;
        board.run("site", "npm run build", |_| frontend::build_site())?;
        join(server)?;
        Ok(missing)
    })
}

fn join<T>(step: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    step.join().map_err(|_| anyhow!("a step of the build panicked"))?
}

/// Builds the browser module and returns `None`. If the compiler for it is missing, builds nothing and returns a
/// paragraph that explains this to the user.
fn module(board: &Board, release: bool) -> Result<Option<String>> {
    let machine = Machine::this()?;
    let found = board.run("compiler", "for the browser module", |activity| {
        activity.update("checked, and fetched if it is missing");
        Ok(Compiler::find(&machine))
    })?;
    let compiler = match found {
        Ok(compiler) => compiler,
        Err(problem) => {
            let paragraph = without_module(&problem);
            board.print_text(&format!("\n{paragraph}\n"));
            preview::remove()?;
            return Ok(Some(paragraph));
        }
    };
    board.run("module", "the engine for the browser (WebAssembly)", |activity| {
        let optimisation = if release { Optimisation::Release } else { Optimisation::Quick };
        preview::build_with(&compiler, &machine, optimisation, Some(activity))
    })?;
    Ok(None)
}

/// The beginning of the paragraph that explains that the browser module is missing.
const NO_LIVE_PAGES: &str = "Live pages are not available";

/// Returns the paragraph that explains what works without the browser module.
fn without_module(problem: &NoCompiler) -> String {
    format!(
        "{NO_LIVE_PAGES}: {problem}\nThe product starts without them: beside a form it shows the server's PDF of the template \
         in place of live pages; everything else works. Run this command again when the compiler is there."
    )
}

/// Time limit for building and starting the product.
const START_LIMIT: Duration = Duration::from_secs(45 * 60);

/// The results of [`watch`] for one `cargo xtask dev`.
pub struct Started {
    /// The names of the steps, and the times that were printed for them.
    pub steps: Vec<(String, String)>,
    /// Time until the first page was served.
    pub page: Duration,
    /// Time until the starting catalogue was published.
    pub catalogue: Duration,
    /// `true` if the browser module was built.
    pub pages_are_live: bool,
}

/// A process group that is killed when this value is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        kill_group(&mut self.0);
    }
}

/// Runs `cargo xtask dev` until the first page is served and the catalogue is published, then ends it. The output of
/// the command is shown.
pub fn watch(dev: &mut Command) -> Result<Started> {
    dev.stdin(Stdio::null()).stdout(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(dev, 0);
    let began = Instant::now();
    let mut dev = Running(dev.spawn().context("`cargo xtask dev` cannot be started")?);
    let output = dev.0.stdout.take().context("no output")?;
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let (mut steps, mut page, mut pages_are_live) = (Vec::new(), None, true);
    loop {
        let left = START_LIMIT.saturating_sub(began.elapsed());
        let line = lines.recv_timeout(left).context("`cargo xtask dev` did not start the product")?;
        println!("  {line}");
        if line.contains(NO_LIVE_PAGES) {
            pages_are_live = false;
        }
        if let Some((step, time)) = line.split_once(" done in ") {
            let time = time.split(" (after").next().unwrap_or(time);
            steps.push((step.trim().to_owned(), time.to_owned()));
        }
        if let Some((_, port)) = line.split_once("http://localhost:").filter(|_| line.starts_with("Waraq")) {
            get_first_page(port.trim().parse().context("the server's port")?)?;
            page = Some(began.elapsed());
        }
        if line.starts_with("Catalogue") {
            let page = page.context("the catalogue was published before the server started")?;
            return Ok(Started { steps, page, catalogue: began.elapsed(), pages_are_live });
        }
    }
}

/// Fetches the first page, and checks that it is the page of the application.
fn get_first_page(port: u16) -> Result<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    write!(stream, "GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n")?;
    let mut page = String::new();
    stream.read_to_string(&mut page)?;
    if page.starts_with("HTTP/1.1 200") && page.contains("<script") { Ok(()) } else { bail!("no page: {page}") }
}
