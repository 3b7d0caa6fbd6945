//! `waraq`: the engine on the command line.
//!
//! Exit 0; 1 for a document it refuses (one line on standard error, its code first); 2 for wrong usage, or a file that
//! cannot be read or written.

mod arguments;
mod files;
mod run;

use std::alloc::System;
use std::process::ExitCode;

use arguments::Request;
use spinning_top::RawSpinlock;
use talc::TalcLock;
use talc::source::GlobalAllocSource;

/// What is given back is used again wherever it lies. A compressor holds 380 kB that begin at a multiple of 64, of which the C
/// library leaves gaps that the next does not fit into: each gets pages that nobody has touched yet, and to touch them takes
/// a tenth of a small document's time. It is taken from the system four megabytes at a time (what is not touched is not
/// used), so that most documents ask once.
#[global_allocator]
static MEMORY: TalcLock<RawSpinlock, GlobalAllocSource<System>> =
    TalcLock::new(GlobalAllocSource::with_block_size(System, 4 << 20));

/// Why it ends without having done what was asked.
enum Failure {
    /// The document, the values or what was asked of them.
    Refused(waraq_engine::Error),
    /// The command line.
    Usage(String),
    /// A file that cannot be read or written.
    File(String),
}

impl From<waraq_engine::Error> for Failure {
    fn from(error: waraq_engine::Error) -> Self {
        Self::Refused(error)
    }
}

fn main() -> ExitCode {
    let outcome = match arguments::parse() {
        Ok(Request::Help) => files::say(arguments::USAGE),
        Ok(Request::Version) => files::say(concat!("waraq ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Request::Run(command, options)) => run::run(&command, &options),
        Err(failure) => Err(failure),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Refused(error)) => {
            // one line, whatever the message quotes
            eprintln!("{}: {}", error.code, error.message.split_whitespace().collect::<Vec<_>>().join(" "));
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            eprintln!("waraq: {message}\n\n{}", arguments::USAGE.trim_end());
            ExitCode::from(2)
        }
        Err(Failure::File(message)) => {
            eprintln!("waraq: {message}");
            ExitCode::from(2)
        }
    }
}
