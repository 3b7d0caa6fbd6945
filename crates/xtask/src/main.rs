//! `cargo xtask …`: everything a developer types.
//!
//! It depends on no crate of the product: it must run before the fonts are there and before anything is built.

mod answers;
mod aws;
mod bench;
mod cloud;
mod contract;
#[cfg(test)]
mod cost;
mod deploy;
mod dev;
mod drill;
mod emulator;
mod fonts;
mod frontend;
mod fuzz;
mod ministack;
mod preview;
mod program;
mod python;
mod rehearse;
mod rights;
mod smoke;
mod steps;
mod template;
mod test;
mod test_cloud;
mod test_lambda;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask dev [--port N] [--data DIR] [--release]   build everything and start the product (http://localhost:3000)
cargo xtask test [STAGE...]                           every test; stages: rust, fuzz, contract, template, frontend, browser
cargo xtask test cloud [TEST...]                      the tests of the API through the functions' release programs, held to template.yaml
cargo xtask test lambda                               functions on a laptop: cargo lambda invoke and watch, events/env.json, an emulator
cargo xtask rehearse                                  deploy, every route and the runbooks, in an emulator of AWS
cargo xtask deploy --stage NAME                       from an AWS account to an address that works; NAME is the stack, stages/NAME.parameters say the rest
cargo xtask smoke URL [--api URL]                     ask a deployed house what a visitor would, and its API's own address
cargo xtask cloud STACK admin EMAIL|catalogue|restore TABLE|replay
                                                      a deployed house: make an admin, publish the starting catalogue, take over a
                                                      restored table, do again what was put aside
cargo xtask emulator [--port N | --environment]       an emulator of AWS with what events/env.json names, for cargo lambda and sam local
cargo xtask waraq                                     build the engine's program as it is given away
cargo xtask fonts                                     fetch the font files that are linked in
cargo xtask preview                                   the engine for the browser (WebAssembly), into frontend/engine
cargo xtask fuzz [--seconds N] [--only TARGET] [--jobs N]
                                                      the engine's fuzz targets, ten minutes each
cargo xtask bench budget|corpus|fidelity|speed|text|hostile [--corpus DIR]
                                                      the engine held against real files, a yardstick and its peers
cargo xtask bench fairness [--seconds N] [--program FILE]
                                                      what others notice of one caller's load, on a release build
cargo xtask bench accounts [ACCOUNTS [WRITERS]]       many that write accounts at once: none is refused
cargo xtask bench saved [DOCUMENTS [ROUNDS]]          a page of one account's 1,000 saved documents, by sort and search
cargo xtask bench paint [RUNS]                        what a first visitor waits for, and how soon a press is answered
cargo xtask bench preview [DOCX …]                    pages that the browser sets: when they are seen, when a key shows, beside docx-preview
cargo xtask bench lists [ROWS...]                     lists of 10,000 templates and users, or as many as are named: cold, warm, memory
cargo xtask bench cold [RUNS]                         each function's release program: size, start, first answer, memory, processor time
cargo xtask bench quota [RUNS]                        what computes, at the share of a processor that Lambda gives each size
cargo xtask drill saved [KILLS]                       the server killed (-9) twenty times while people save and delete
cargo xtask drill panic|silence                       release programs: one that panics, and all while a service never answers
cargo xtask drill faults [SECONDS]                    each service fails for a while under load, before the functions' release programs
cargo xtask drill counters                            a thousand fills beside a hundred changes and registrations: every count exact
cargo xtask drill deletion                            the server killed (-9) at each write of an account's deletion
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let outcome = match command {
        "dev" => dev::run(rest),
        "test" if rest.first().is_some_and(|stage| stage == "cloud") => test_cloud::run(&rest[1..]),
        "test" if rest == ["lambda"] => test_lambda::run(),
        "test" => test::run(rest),
        "deploy" => deploy::run(rest),
        "rehearse" => rehearse::run(),
        "smoke" => smoke::run(rest),
        "cloud" => cloud::run(rest),
        "emulator" => emulator::run(rest),
        "waraq" => program::run(),
        "fonts" => fonts::fetch(),
        "preview" => preview::run(),
        "bench" => bench::run(rest),
        "drill" => drill::run(rest),
        "fuzz" => fuzz::run(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => {
            eprint!("xtask: no command {other:?}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
