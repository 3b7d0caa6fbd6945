//! Compares the WebAssembly module with the server: every page of the catalogue must have an equal drawing, number for
//! number. Node runs the module.
//!
//! The test is ignored by default. `WARAQ_PREVIEW` names the folder of the module: `cargo xtask preview` prints it, and
//! `cargo xtask test` sets it. If `WARAQ_CORPUS` names a folder, its documents are compared too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use waraq_docx::build::DocumentBuilder;
use waraq_preview::{Engine, LayoutOutcome, LayoutRequest};
use waraq_rules::{FieldType, Row, StructuredField, Value};

#[test]
#[ignore = "needs the browser module: cargo xtask test rust"]
fn the_webassembly_module_draws_the_same_pages() {
    let module = std::env::var_os("WARAQ_PREVIEW").expect("WARAQ_PREVIEW: the folder of the browser module");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("same-output-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut engine = Engine::default();
    for (face, file) in waraq_fonts::faces().iter().zip(waraq_fonts::files()) {
        engine.add_font(face.file, file.data.to_vec());
    }
    let mut compared = 0;
    for template in waraq_catalogue::templates() {
        let name = template.slug.replace('/', "-");
        compared += write_expected(&mut engine, &folder, &name, &template.docx, true);
    }
    assert!(compared > 50, "{compared} pages");
    compared += write_expected(&mut engine, &folder, "code-pages", &with_code_pages(), false);
    for file in corpus() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        compared += write_expected(&mut engine, &folder, &format!("corpus-{name}"), &fs::read(&file).unwrap(), false);
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

/// Returns a document with embedded text in each Windows code page. The server decodes them with a library, browsers natively.
fn with_code_pages() -> Vec<u8> {
    const CODE_PAGES: [u16; 14] = [874, 932, 936, 949, 950, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258];
    // letters in each code page; for undefined bytes, Node follows a different standard than browsers
    let letters = r"\'c4\'c5\'b5\'b6\'d1\'d3";
    let chunks: String = (1..=CODE_PAGES.len()).map(|id| format!(r#"<w:altChunk r:id="rId{id}"/>"#)).collect();
    let mut document = DocumentBuilder::new(&chunks);
    for number in CODE_PAGES {
        let file = format!("{number}.rtf");
        document.add_relationship("aFChunk", &file, false);
        let text = format!(r"{{\rtf1\ansi\ansicpg{number} a{letters}}}");
        document = document.with_part(&format!("word/{file}"), text);
    }
    document.to_bytes()
}

/// Writes a document, its request and its drawings to files. Returns the number of pages.
fn write_expected(engine: &mut Engine, folder: &Path, name: &str, docx: &[u8], values: bool) -> usize {
    let Ok(document) = engine.open(docx.to_vec()) else {
        fs::write(folder.join(format!("{name}.docx")), docx).unwrap();
        fs::write(folder.join(format!("{name}.json")), r#"{"refused":true}"#).unwrap();
        return 0;
    };
    let values = values.then(|| filled_row(&engine.structure(document).0));
    let request = LayoutRequest { values: values.clone(), now: 1_790_000_000, ..LayoutRequest::default() };
    let Ok(LayoutOutcome::Pages { pages, .. }) = engine.lay_out(document, &request) else {
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
    let text: Vec<_> = (0..pages.len()).map(|page| engine.text(document, page).unwrap()).collect();
    fs::write(folder.join(format!("{name}.text")), serde_json::to_string(&text).unwrap()).unwrap();
    engine.close(document);
    pages.len()
}

/// Returns a row with a text for each field. Each answer to a yes/no field is yes, and each list has two rows.
fn filled_row(fields: &[StructuredField]) -> Row {
    let value = |field: &StructuredField| match field.field_type {
        FieldType::List => Value::List(vec![filled_row(&field.columns); 2]),
        FieldType::YesNo => Value::YesNo(true),
        _ => Value::from(format!("{} 12 شركة الأفق (7)", field.name)),
    };
    fields.iter().map(|field| (field.name.clone(), value(field))).collect()
}

fn corpus() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("WARAQ_CORPUS") else { return Vec::new() };
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "docx")).collect()
}
