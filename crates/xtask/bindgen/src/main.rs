//! `bindgen MODULE FOLDER NAME` reads the WebAssembly file MODULE, and writes `NAME.js` and `NAME_bg.wasm` for a
//! browser to FOLDER.

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = arguments.as_slice() else { bail!("bindgen MODULE FOLDER NAME") };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(false).web(true)?;
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder)
}
