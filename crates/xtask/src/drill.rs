//! `cargo xtask drill saved [KILLS]`: the local server is killed (-9) twenty times while people save, edit, delete and restore documents,
//! and looked through after each: no half document, and after the sweep no file that is nobody's.

use anyhow::{Result, bail};

use crate::steps::{cargo, check};

pub fn run(arguments: &[String]) -> Result<()> {
    let kills = match arguments {
        [name] if name == "saved" => "20",
        [name, kills] if name == "saved" => kills,
        _ => bail!("drill: which? saved [KILLS]"),
    };
    let test = "saved_crash::killed_while_people_save_and_delete_it_keeps_no_half_document";
    let mut command = cargo(&["test", "--workspace", "--test", "api", "--", "--exact", "--nocapture", test]);
    check(command.env("WARAQ_KILLS", kills))
}
