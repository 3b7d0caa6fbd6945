//! Compares the detected field settings of the starting catalogue with the reviewed table `detected_settings.tsv`. The table has a line
//! for each template and each of its fields and columns: kind, choices, meaning, party. `UPDATE=1` rewrites it; review the difference.

use std::fmt::Write as _;

use waraq_engine::LayoutOptions;
use waraq_rules::field_settings::{ShownFieldSettings, TemplateFieldSettings, ValueKind};

const TABLE: &str = "tests/detected_settings.tsv";

fn detected_settings_table() -> String {
    let mut table = String::new();
    for template in waraq_catalogue::templates() {
        let package = waraq_engine::open(&template.docx).unwrap();
        let structure = waraq_engine::structure(&package, &template.declared_types()).unwrap();
        let detected = waraq_engine::detect_settings(&package, &structure, &LayoutOptions::default()).unwrap().settings;
        let settings = TemplateFieldSettings { overridden: Vec::new(), detected };
        writeln!(table, "# {}", template.slug).unwrap();
        write_fields(&mut table, &settings.for_structure(&structure), "");
    }
    table
}

/// Writes a line for each field, and after a list the lines of its columns. `list` is the path before the name of a column.
fn write_fields(table: &mut String, shown: &[ShownFieldSettings], list: &str) {
    let mut group = "";
    for help in shown {
        if help.group != group {
            group = &help.group;
            writeln!(table, "\t== {group}").unwrap();
        }
        let kind = serde_json::to_value(help.kind).unwrap();
        let kind = if help.kind == ValueKind::Text { "" } else { kind.as_str().unwrap() };
        // The meaning and the party of a field select which saved answers are offered.
        let word = |known: serde_json::Value| known.as_str().unwrap_or_default().to_owned();
        let meaning = word(serde_json::to_value(help.meaning).unwrap());
        let party = word(serde_json::to_value(help.party).unwrap());
        let choices = help.choices.join(" | ");
        let line = format!("\t{list}{}\t{kind}\t{choices}\t{meaning}\t{party}", help.field);
        writeln!(table, "{}", line.trim_end()).unwrap();
        write_fields(table, &help.columns, &format!("{list}{}[].", help.field));
    }
}

#[test]
fn detected_settings_of_the_starting_catalogue() {
    let table = detected_settings_table();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(TABLE, &table).unwrap();
    }
    let kept = std::fs::read_to_string(TABLE).unwrap_or_default();
    let other: Vec<(&str, &str)> =
        kept.lines().zip(table.lines()).filter(|(one, other)| one != other).take(20).collect();
    assert!(kept == table, "guessed otherwise: {other:#?}");
}
