//! `waraq`: the engine on the command line.
//!
//! Exit codes:
//! - 0: success;
//! - 1: a document is refused; standard error has one line that starts with the error code;
//! - 2: wrong usage, or a file cannot be read or written.

mod arguments;
mod files;
mod run;

use std::alloc::System;
use std::process::ExitCode;

use arguments::Invocation;
use spinning_top::RawSpinlock;
use talc::TalcLock;
use talc::source::GlobalAllocSource;

/// An allocator that can reuse freed memory at any address. A compressor allocates blocks of 380 kB that are aligned to
/// 64 bytes. The allocator of the C library cannot place such a block where a block of the same size was freed, so each
/// block gets new pages. For a small document, the page faults of these new pages would take a tenth of the processing
/// time. This allocator requests memory from the system in blocks of four megabytes, so most documents need one
/// request. The system provides no memory for pages of a block that are never used.
#[global_allocator]
static ALLOCATOR: TalcLock<RawSpinlock, GlobalAllocSource<System>> =
    TalcLock::new(GlobalAllocSource::with_block_size(System, 4 << 20));

/// The reason why a command failed.
enum Failure {
    /// The engine refused the document, the values or the options.
    Refused(waraq_engine::Error),
    /// The command line is wrong.
    Usage(String),
    /// A file cannot be read or written.
    File(String),
}

impl From<waraq_engine::Error> for Failure {
    fn from(error: waraq_engine::Error) -> Self {
        Self::Refused(error)
    }
}

fn main() -> ExitCode {
    let outcome = match arguments::parse() {
        Ok(Invocation::Help) => files::print(arguments::USAGE),
        Ok(Invocation::Version) => files::print(concat!("waraq ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Invocation::Run(command, options)) => run::run_command(&command, &options),
        Err(failure) => Err(failure),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Refused(error)) => {
            // The error must be one line, even if the message quotes line breaks.
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
