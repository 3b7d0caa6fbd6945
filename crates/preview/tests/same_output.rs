//! The module that browsers get draws the same as the server: every page of the catalogue, number for number. Node runs it.
//!
//! It runs where `WARAQ_PREVIEW` names the folder of the module (`cargo xtask preview` prints it; `cargo xtask test` sets it).
//! `WARAQ_CORPUS` names a folder whose documents are compared too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use waraq_preview::{Engine, Outcome, Request};

#[test]
fn a_browser_draws_what_the_server_draws() {
    let Some(module) = std::env::var_os("WARAQ_PREVIEW") else {
        println!("left out: WARAQ_PREVIEW is not set");
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("same-output-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut engine = Engine::default();
    for (face, file) in waraq_fonts::faces().iter().zip(waraq_fonts::files()) {
        engine.add_font(face.file, file.data.to_vec());
    }
    let mut compared = 0;
    for template in waraq_catalogue::templates() {
        let name = template.slug.replace('/', "-");
        compared += write(&mut engine, &folder, &name, &template.docx, true);
    }
    assert!(compared > 50, "{compared} pages");
    for file in corpus() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        compared += write(&mut engine, &folder, &format!("corpus-{name}"), &fs::read(&file).unwrap(), false);
    }
    println!("{compared} pages");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new("node")
        .arg(root.join("tests/same_output.mjs"))
        .args([module.as_os_str(), folder.as_os_str(), root.join("../fonts/files").as_os_str()])
        .output()
        .expect("node cannot be started");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    fs::remove_dir_all(&folder).unwrap();
    assert!(ran.status.success(), "{said}");
    assert!(said.contains(&format!("{compared} pages are the same")), "{said}");
}

/// Writes a document, what it is set with, and its drawings; how many pages those are.
fn write(engine: &mut Engine, folder: &Path, name: &str, docx: &[u8], values: bool) -> usize {
    let Ok(document) = engine.open(docx.to_vec()) else {
        fs::write(folder.join(format!("{name}.docx")), docx).unwrap();
        fs::write(folder.join(format!("{name}.json")), r#"{"refused":true}"#).unwrap();
        return 0;
    };
    let fields = engine.fields(document).to_vec();
    let given = fields.iter().map(|field| (field.clone(), format!("{field} 12 شركة الأفق (7)"))).collect();
    let values = values.then_some(given);
    let request = Request { values: values.clone(), now: 1_790_000_000, ..Request::default() };
    let Ok(Outcome::Pages { pages, .. }) = engine.set(document, &request) else {
        engine.close(document);
        return 0;
    };
    let mut bytes = Vec::new();
    for page in 0..pages.len() {
        let drawing = engine.drawing(document, page).unwrap();
        bytes.extend((drawing.len() as u32).to_le_bytes());
        bytes.extend(drawing.iter().flat_map(|number| number.to_le_bytes()));
    }
    let request = serde_json::json!({ "values": values, "now": 1_790_000_000, "pages": pages.len() });
    fs::write(folder.join(format!("{name}.docx")), docx).unwrap();
    fs::write(folder.join(format!("{name}.json")), request.to_string()).unwrap();
    fs::write(folder.join(format!("{name}.drawn")), bytes).unwrap();
    engine.close(document);
    pages.len()
}

fn corpus() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("WARAQ_CORPUS") else { return Vec::new() };
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "docx")).collect()
}
