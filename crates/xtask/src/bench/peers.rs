//! Other programs that convert a .docx to PDF, and how to run them.
//!
//! | peer | source | newest version seen |
//! |---|---|---|
//! | rdocx | crates.io `rdocx-cli` (`cargo install rdocx-cli`); PyPI `rdocx` | 0.16.4; 0.16.3 |
//! | office2pdf | PyPI `office2pdf-python` | 0.4.0 |
//! | dxpdf | PyPI `dxpdf` (the crate of that name fetches Skia while it is built) | 0.8.1 |
//! | soffice | LibreOffice | 7.4 |
//!
//! A peer is used if its command is on the path, or if the `python3` on the path has its module. It is therefore enough
//! to install the PyPI packages in a virtual environment, and to put this environment first on the path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::stem;
use crate::preflight;

pub struct Converter {
    pub name: &'static str,
    program: PathBuf,
    arguments: fn(&Path, &Path) -> Vec<OsString>,
}

/// Builds the arguments that convert a document (first path) to a PDF (second path).
type Invocation = fn(&Path, &Path) -> Vec<OsString>;

const PEERS: [&str; 4] = ["rdocx", "office2pdf", "dxpdf", "soffice"];

const COMMANDS: [(&str, Invocation); 4] = [
    ("rdocx", |input, output| {
        vec!["convert".into(), input.into(), "--to".into(), "pdf".into(), "--force".into(), "-o".into(), output.into()]
    }),
    ("office2pdf", |input, output| vec![input.into(), output.into()]),
    ("dxpdf", |input, output| vec![input.into(), "-o".into(), output.into()]),
    ("soffice", |input, output| {
        let folder = output.parent().unwrap_or(Path::new("."));
        let profile = folder.join("profile");
        vec![
            format!("-env:UserInstallation=file://{}", profile.display()).into(),
            "--headless".into(),
            "--convert-to".into(),
            "pdf".into(),
            "--outdir".into(),
            folder.into(),
            input.into(),
        ]
    }),
];

const MODULES: [(&str, Invocation); 2] = [
    ("rdocx", |input, output| {
        let program = "import sys, rdocx; open(sys.argv[2], 'wb').write(rdocx.Document.open(sys.argv[1]).to_pdf())";
        vec!["-c".into(), program.into(), input.into(), output.into()]
    }),
    ("dxpdf", |input, output| {
        let program = "import sys, dxpdf; dxpdf.convert_file(sys.argv[1], sys.argv[2])";
        vec!["-c".into(), program.into(), input.into(), output.into()]
    }),
];

impl Converter {
    pub fn waraq(program: PathBuf) -> Self {
        let arguments: Invocation = |input, output| vec!["pdf".into(), input.into(), "-o".into(), output.into()];
        Self { name: "waraq", program, arguments }
    }

    pub fn command(&self, file: &Path, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args((self.arguments)(file, &self.output(file, folder)));
        command
    }

    /// Returns the path of the PDF that this program writes for `file`. Each program has its own subfolder of `folder`.
    pub fn output(&self, file: &Path, folder: &Path) -> PathBuf {
        folder.join(self.name).join(stem(file) + ".pdf")
    }
}

/// Returns the installed programs and prints which are missing.
pub fn installed() -> Vec<Converter> {
    let mut found = Vec::new();
    for name in PEERS {
        let command = COMMANDS.iter().find(|(known, _)| *known == name && preflight::present(name));
        let module = MODULES.iter().find(|(known, _)| *known == name && has_module(name));
        match (command, module) {
            (Some((_, arguments)), _) => found.push(Converter { name, program: name.into(), arguments: *arguments }),
            (None, Some((_, arguments))) => {
                println!("{name}: its Python module, the start of Python included");
                found.push(Converter { name, program: "python3".into(), arguments: *arguments });
            }
            (None, None) => println!("{name} is not installed: left out"),
        }
    }
    found
}

fn has_module(name: &str) -> bool {
    let mut python = Command::new("python3");
    python.arg("-c").arg(format!("import {name}")).stdout(Stdio::null()).stderr(Stdio::null());
    python.status().is_ok_and(|status| status.success())
}
