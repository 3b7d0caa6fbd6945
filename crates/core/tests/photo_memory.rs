//! Photos that are processed at the same time need the memory of one. The test runs in a process with a limited address space.
#![cfg(target_os = "linux")]

use std::io::Cursor;
use std::process::Command;

use image::{ImageFormat, Rgba, RgbaImage};
use waraq_core::photo::{LARGEST_PHOTO_BYTES, MOST_PIXELS, profile_photo};

/// The address space of the process in kilobytes. Eight such photos processed in parallel would need more than 800,000.
const ADDRESS_SPACE: u32 = 400_000;

#[test]
fn eight_parallel_photos_fit_into_the_memory_limit() {
    let script = format!("ulimit -v {ADDRESS_SPACE} && exec \"$0\" --ignored --exact process_eight_photos_in_parallel");
    // One arena only: each further arena would reserve address space that is never used.
    let mut child = Command::new("sh");
    child.arg("-c").arg(script).arg(std::env::current_exe().unwrap()).env("MALLOC_ARENA_MAX", "1");
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the test did not run");
}

#[test]
#[ignore = "run by the test above, in a process of its own"]
fn process_eight_photos_in_parallel() {
    let mut photo = Cursor::new(Vec::new());
    let width = u32::try_from(MOST_PIXELS / 512).unwrap();
    RgbaImage::from_pixel(width, 512, Rgba([200, 30, 30, 255])).write_to(&mut photo, ImageFormat::Png).unwrap();
    let photo = photo.into_inner();
    assert!(photo.len() <= LARGEST_PHOTO_BYTES);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert!(profile_photo(&photo).unwrap().starts_with(b"\xff\xd8")));
        }
    });
}
