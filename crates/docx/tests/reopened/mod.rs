//! Filled documents that are saved and opened again, as Word would do.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use waraq_docx::Package;

/// Saves a filled document and opens it again.
///
/// If `WARAQ_FILLED` names a folder, the template and the filled file are also written into it. `cargo xtask test` checks
/// them against the schemas of Open XML.
pub fn reopened(template: &Package, filled: &Package) -> Package {
    let bytes = filled.to_bytes().unwrap();
    if let Some(folder) = std::env::var_os("WARAQ_FILLED") {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let path = |kind: &str| std::path::Path::new(&folder).join(format!("{:016x}-{kind}.docx", hasher.finish()));
        std::fs::write(path("template"), template.to_bytes().unwrap()).unwrap();
        std::fs::write(path("filled"), &bytes).unwrap();
    }
    let again = Package::open(&bytes).unwrap();
    again.validate().unwrap();
    again
}
