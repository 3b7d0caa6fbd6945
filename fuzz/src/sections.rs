//! Fuzz target for sections: lists and yes/no fields.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_engine::{DeclaredTypes, FieldType, FillOptions, Row, StructuredField, Value, Values};

use crate::documents::{open_valid, part};
use crate::{checks, memory, mend};

/// The memory that any file may need (`crates/engine/tests/memory.rs`). Lists in lists can make a small template that large.
const MEGABYTES: usize = 512;

/// Fills a template with sections. The input is its body, a line of `==`, its footnotes, another such line, and the values
/// as JSON. Values that do not fit the template are also tried with lists of as many rows as there are bytes of JSON, at
/// most 20.
pub fn sections(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut pieces = text.split("\n==\n");
    let mut piece = || pieces.next().unwrap_or_default();
    let package = template(&mend(piece()), &mend(piece()));
    let json = piece();
    memory::with_limit(MEGABYTES, || {
        checks::check_fields(&package);
        let Ok(structure) = waraq_engine::structure(&package, &DeclaredTypes::new()) else { return };
        if let Ok(values) = Values::from_json(json.as_bytes()) {
            fill(&package, &values);
        }
        let rows = json.len().min(20);
        if let Ok(values) = Values::from_pairs(row(&structure.0, rows)) {
            fill(&package, &values);
        }
    });
}

fn template(body: &str, notes: &str) -> Package {
    let mut document = DocumentBuilder::new("");
    document.add_related_part("footnotes", "footnotes", "footnotes.xml", "");
    let main = part("w:document", &format!("<w:body>{body}{}</w:body>", paragraph("")));
    let document =
        document.with_part("word/document.xml", main).with_part("word/footnotes.xml", part("w:footnotes", notes));
    open_valid(&document.to_bytes())
}

/// Returns values for all fields. A list in a list has one row fewer than the list around it.
fn row(fields: &[StructuredField], rows: usize) -> Row {
    let value = |field: &StructuredField| match field.field_type {
        FieldType::List => Value::List(vec![row(&field.columns, rows.saturating_sub(1).min(3)); rows]),
        FieldType::YesNo => Value::YesNo(rows.is_multiple_of(2)),
        _ => Value::Text(format!("Value{rows}")),
    };
    fields.iter().map(|field| (field.name.clone(), value(field))).collect()
}

/// Fills values. The result is an error with a code, or a document that opens, is the same every time and can be laid out.
fn fill(package: &Package, values: &Values) {
    let filled = match waraq_engine::fill(package, values, FillOptions::default()) {
        Ok(filled) => filled,
        Err(error) => return checks::assert_has_message(&error),
    };
    let bytes = filled.to_bytes().unwrap_or_else(|error| panic!("a filled document cannot be saved: {error}"));
    let again = open_valid(&bytes);
    again.validate().unwrap_or_else(|error| panic!("a filled document is broken: {error}"));
    let twice = waraq_engine::fill(package, values, FillOptions::default())
        .unwrap_or_else(|error| panic!("a document cannot be filled twice: {error}"));
    assert_eq!(filled.part_text("word/document.xml"), twice.part_text("word/document.xml"), "filling differs");
    checks::lay_out(&again, &[], &waraq_engine::LayoutOptions::default());
}
