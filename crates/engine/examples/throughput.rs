//! `cargo run --release -p waraq-engine --example throughput -- FILE.docx [SECONDS]` prints the number of PDFs per
//! second that one core renders from a document. The first PDF is not counted, because the fonts are parsed for it.

use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let seconds: u64 = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let bytes = std::fs::read(&file)?;
    let make = || -> waraq_engine::Result<usize> {
        let package = waraq_engine::open(&bytes)?;
        let pages = waraq_engine::lay_out(&package, &waraq_engine::LayoutOptions::default())?;
        Ok(waraq_engine::pdf(&pages, &waraq_engine::PdfOptions::default())?.bytes.len())
    };
    let size = make()?;
    let began = Instant::now();
    let mut count = 0_u32;
    while began.elapsed() < Duration::from_secs(seconds) {
        make()?;
        count += 1;
    }
    println!("{file}: {:.1} a second, {size} bytes", f64::from(count) / began.elapsed().as_secs_f64());
    Ok(())
}
