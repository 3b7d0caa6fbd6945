//! `cargo xtask …`: the commands for developers.
//!
//! This program depends on no crate of the product, because it runs before the fonts are fetched and before anything is
//! built.

mod aws;
mod bench;
mod cache;
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
mod locales;
mod ministack;
mod preflight;
mod preview;
mod program;
mod progress;
mod python;
mod rehearse;
mod rights;
mod schemas;
mod smoke;
mod start;
mod steps;
mod template;
mod test;
mod test_cloud;
mod test_lambda;
#[cfg(all(test, unix))]
mod testing;
mod unsent_codes;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask dev [--port N] [--data DIR] [--release]   build everything and start the product (http://localhost:3000)
cargo xtask test [STAGE...]                           run every test; stages: rust, fuzz, contract, template, frontend, browser
cargo xtask test cloud [TEST...]                      run the API tests through the functions' release programs, with the rights of template.yaml
cargo xtask test lambda                               run functions on a laptop: cargo lambda invoke and watch, events/env.json, an emulator
cargo xtask rehearse                                  deploy, call every route and follow the runbooks, in an emulator of AWS
cargo xtask deploy --stage NAME                       deploy to an AWS account; NAME is the stack, stages/NAME.parameters has its settings
cargo xtask smoke URL [--api URL]                     check a deployed site as a visitor, and the API at its own address
cargo xtask cloud STACK admin EMAIL|catalogue|restore TABLE|replay
                                                      operate a deployed stack: make an admin, publish the starting catalogue, take over a
                                                      restored table, process failed events again
cargo xtask emulator [--port N | --environment]       start an emulator of AWS with what events/env.json names, for cargo lambda and sam local
cargo xtask waraq                                     build the command line program of the engine
cargo xtask fonts                                     fetch the font files
cargo xtask locales                                   write the names of months and days for Word fields, from CLDR
cargo xtask preview                                   build the engine for the browser (WebAssembly) in frontend/engine
cargo xtask fuzz [--seconds N] [--only TARGET] [--jobs N]
                                                      run the engine's fuzz targets, ten minutes each
cargo xtask bench budget|corpus|fidelity|speed|text|hostile [--corpus DIR]
                                                      measure the engine on real files, against limits and other programs
cargo xtask bench detect [--waraq FILE] [--only NAME] measure the detection of blanks with labelled forms; with --only, print each difference
cargo xtask bench start                               measure `cargo xtask dev` in a new clone with empty caches
cargo xtask bench fairness [--seconds N] [--program FILE]
                                                      measure how one caller's load slows others, on a release build
cargo xtask bench accounts [ACCOUNTS [WRITERS]]       write accounts from many clients at once: none is refused
cargo xtask bench saved [DOCUMENTS [ROUNDS]]          measure a page of one account's 1,000 saved documents, by sort and search
cargo xtask bench paint [RUNS]                        measure a first visit in Chromium: time to the catalogue, response to a press
cargo xtask bench preview [DOCX …]                    measure live pages in Chromium beside docx-preview
cargo xtask bench lists [ROWS...]                     measure lists of 10,000 templates and users, or as many as named: cold, warm, memory
cargo xtask bench invoice [ROWS]                      measure an invoice of 200 rows from template to PDF, compared with docxtpl and docx-templates
cargo xtask bench cold [RUNS]                         measure each function's release program: size, start, first response, memory, processor time
cargo xtask bench quota [RUNS]                        measure rendering at the share of a processor that Lambda gives each memory size
cargo xtask drill fresh [--without-apt]               run the README's commands in a bare Debian 12 root
cargo xtask drill saved [KILLS]                       kill the server (-9) twenty times while documents are saved and deleted
cargo xtask drill panic|silence                       run release programs: one that panics, and all while a service never responds
cargo xtask drill faults [SECONDS]                    make each service fail for a while under load
cargo xtask drill counters                            count a thousand fills beside a hundred changes and registrations exactly
cargo xtask drill deletion                            kill the server (-9) at each write of an account's deletion
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
        "locales" => locales::run(),
        "preview" => preview::run(),
        "bench" => bench::run(rest),
        "drill" => drill::run(rest),
        "fuzz" => fuzz::run(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => {
            eprint!("xtask: there is no command {other:?}\n\n{USAGE}");
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
