//! Writes the sample contracts (see [`waraq_catalogue::samples`]) as Word files. Usage:
//! `cargo run -p waraq-catalogue --example samples -- frontend/public/samples`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args_os().nth(1).ok_or("usage: samples OUT_DIR")?;
    let out = std::path::PathBuf::from(out);
    std::fs::create_dir_all(&out)?;
    for sample in waraq_catalogue::samples()? {
        std::fs::write(out.join(sample.language).with_extension("docx"), &sample.docx)?;
    }
    Ok(())
}
