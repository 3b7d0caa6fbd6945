//! A memory limit per input.

use std::alloc::System;

use cap::Cap;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Runs a function that may allocate at most `megabytes` more than now. An allocation beyond that fails and ends the
/// process, as a panic does.
pub fn with_limit<T>(megabytes: usize, run: impl FnOnce() -> T) -> T {
    let _ = ALLOCATOR.set_limit(ALLOCATOR.allocated().saturating_add(megabytes << 20));
    let outcome = run();
    let _ = ALLOCATOR.set_limit(usize::MAX);
    outcome
}

/// Defines a target for text. Half of the mutations keep the structure of XML.
#[macro_export]
macro_rules! xml_target {
    ($run:path) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $run(data));
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            match waraq_fuzz::mutate::mutate(data.get(..size).unwrap_or_default(), max_size, seed) {
                Some(mutated) => {
                    data[..mutated.len()].copy_from_slice(&mutated);
                    mutated.len()
                }
                None => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
            }
        });
    };
}

/// Defines a target for bytes.
#[macro_export]
macro_rules! bytes_target {
    ($run:path) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $run(data));
    };
}
