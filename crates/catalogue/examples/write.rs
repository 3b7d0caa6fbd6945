//! Writes the templates of the starting catalogue (see [`waraq_catalogue`]) as Word files. Usage:
//! `cargo run -p waraq-catalogue --example write -- OUT_DIR`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args_os().nth(1).ok_or("usage: write OUT_DIR")?;
    let out = std::path::PathBuf::from(out);
    std::fs::create_dir_all(&out)?;
    for mistake in waraq_catalogue::mistakes() {
        eprintln!("{mistake}");
    }
    for template in waraq_catalogue::templates() {
        std::fs::write(out.join(template.slug).with_extension("docx"), &template.docx)?;
    }
    Ok(())
}
