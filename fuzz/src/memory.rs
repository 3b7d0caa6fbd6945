//! Memory, bounded per input.

use std::alloc::System;

use cap::Cap;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Runs with at most `megabytes` more than is held now: an allocation beyond that fails, which ends the process as a panic
/// does.
pub fn within<T>(megabytes: usize, run: impl FnOnce() -> T) -> T {
    let _ = ALLOCATOR.set_limit(ALLOCATOR.allocated().saturating_add(megabytes << 20));
    let outcome = run();
    let _ = ALLOCATOR.set_limit(usize::MAX);
    outcome
}

/// A target for text: mutated as XML half of the time.
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

/// A target for bytes.
#[macro_export]
macro_rules! bytes_target {
    ($run:path) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $run(data));
    };
}
