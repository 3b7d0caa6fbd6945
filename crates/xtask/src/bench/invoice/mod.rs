//! `cargo xtask bench invoice [ROWS]`: the time from the template of an invoice and its values to a PDF (default 200 rows).
//! Waraq is compared with docxtpl (PyPI) and docx-templates (npm), both followed by LibreOffice.
//!
//! Each program runs as a whole process, as a command or a server would start it. The invoice is the same, written in the template
//! language of each program. A PDF must contain the first and the last row and the amount due.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{measure, output_folder};
use crate::preflight;
use crate::python::Environment;
use crate::steps::{check, command, root};

const DOCXTPL: Environment = Environment { name: "docxtpl", packages: &["docxtpl==0.20.2"] };
const DOCX_TEMPLATES: &str = "docx-templates@4.15.0";
const RUNS: usize = 7;
const DEFAULT_ROWS: usize = 200;
/// Minimum ratio between the time of a peer and ours.
const RATIO: f64 = 4.0;

/// The programs, ours first. Each has a template of this name.
const PROGRAMS: [&str; 3] = ["waraq", "docxtpl", "docx-templates"];

struct Benchmark {
    waraq: PathBuf,
    scripts: PathBuf,
    folder: PathBuf,
    rows: usize,
}

pub fn run(arguments: &[String]) -> Result<()> {
    let rows = arguments.first().map_or(Ok(DEFAULT_ROWS), |rows| rows.parse()).context("the number of rows")?;
    for (program, package) in [("soffice", "libreoffice-writer-nogui"), ("pdftotext", "poppler-utils")] {
        if !preflight::present(program) {
            bail!("{program} is needed: on Debian, `apt-get install {package}`");
        }
    }
    DOCXTPL.install()?;
    let folder = output_folder("invoice")?;
    let quiet = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
    check(command("npm", &quiet).arg(&folder).arg(DOCX_TEMPLATES))?;
    let scripts = root().join("crates/xtask/src/bench/invoice");
    let benchmark = Benchmark { waraq: crate::program::build()?, scripts, folder, rows };
    check(&mut benchmark.python(&["write", &benchmark.folder.to_string_lossy(), &rows.to_string()]))?;
    benchmark.compare()
}

impl Benchmark {
    fn python(&self, arguments: &[&str]) -> Command {
        let script = self.scripts.join("docxtpl_invoice.py");
        let mut command = command(&DOCXTPL.program("python").to_string_lossy(), &[]);
        command.arg(script).args(arguments);
        command
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// Returns the commands that a program needs from its template to the PDF. They run one after the other.
    fn commands(&self, program: &str) -> Vec<Command> {
        let (template, values) = (self.file(&format!("{program}.docx")), self.file("values.json"));
        let filled = self.file(&format!("filled/{program}.docx"));
        let filling = match program {
            "waraq" => {
                let mut pdf = Command::new(&self.waraq);
                pdf.args(["pdf", &template, "--values", &values, "-o"]).arg(self.pdf(program));
                return vec![pdf];
            }
            "docxtpl" => self.python(&["fill", &template, &values, &filled]),
            _ => {
                let mut node = Command::new("node");
                let script = self.scripts.join("docx_templates_invoice.mjs");
                node.current_dir(&self.folder).arg(script).args([&template, &values, &filled]);
                node
            }
        };
        let mut office = Command::new("soffice");
        office.arg(format!("-env:UserInstallation=file://{}", self.file("profile")));
        office.args(["--headless", "--convert-to", "pdf", "--outdir", &self.file("pdf"), &filled]);
        vec![filling, office]
    }

    fn pdf(&self, program: &str) -> PathBuf {
        self.folder.join("pdf").join(format!("{program}.pdf"))
    }

    /// Measures the programs in turn, so that other load on the machine affects all of them alike.
    fn compare(&self) -> Result<()> {
        for name in ["filled", "pdf"] {
            std::fs::create_dir_all(self.folder.join(name))?;
        }
        let mut times = PROGRAMS.map(|_| (Vec::new(), Vec::new()));
        // The first round is not counted: LibreOffice makes its profile then.
        for round in 0..=RUNS {
            for (program, (clock, processor)) in PROGRAMS.iter().zip(&mut times) {
                let (mut time, mut cpu) = (Duration::ZERO, Duration::ZERO);
                for mut command in self.commands(program) {
                    let outcome = measure::run(&mut command)?;
                    if !outcome.status.success() {
                        bail!("{program}: {}", outcome.stderr.trim());
                    }
                    (time, cpu) = (time + outcome.time, cpu + outcome.cpu);
                }
                if round > 0 {
                    clock.push(time);
                    processor.push(cpu);
                }
            }
        }
        println!("an invoice of {} rows, from template to PDF (median of {RUNS})\n", self.rows);
        println!("{:32} {:>8} {:>8} {:>8} {:>8}", "", "ms", "cpu ms", "times", "pages");
        let mut ours = None;
        let mut missed = Vec::new();
        for (program, (mut clock, mut processor)) in PROGRAMS.into_iter().zip(times) {
            let time = measure::milliseconds(measure::median(&mut clock));
            let cpu = measure::milliseconds(measure::median(&mut processor));
            let ratio = time / *ours.get_or_insert(time);
            let pages = self.check_pdf(&self.pdf(program))?;
            let with_office = if program == "waraq" { String::new() } else { " + LibreOffice".to_owned() };
            println!("{:32} {time:>8.1} {cpu:>8.1} {ratio:>8.1} {pages:>8}", format!("{program}{with_office}"));
            if program != "waraq" && ratio < RATIO {
                missed.push(format!("{program}: {ratio:.1}"));
            }
        }
        if missed.is_empty() { Ok(()) } else { bail!("less than {RATIO} times our time: {}", missed.join(", ")) }
    }

    /// Checks that a PDF contains the invoice, and returns its number of pages.
    fn check_pdf(&self, pdf: &Path) -> Result<usize> {
        let outcome = measure::run(Command::new("pdftotext").arg("-layout").arg(pdf).arg("-"))?;
        // The cells are narrow, so a description may continue in the next line.
        let rows = outcome.stdout.matches("Consulting, part").count();
        if rows != self.rows || !outcome.stdout.contains("41,250.00") {
            bail!("{} has {rows} of {} rows, or not the amount due", pdf.display(), self.rows);
        }
        Ok(outcome.stdout.matches('\u{c}').count())
    }
}
