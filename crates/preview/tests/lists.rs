//! Lists and yes/no fields on live pages.

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_preview::{DocumentId, Engine, LayoutOutcome, LayoutRequest, ValueArea};
use waraq_rules::{FieldType, Structure, StructuredField, Value, Values};

fn row(cells: &[&str]) -> String {
    format!("<w:tr>{}</w:tr>", cells.iter().map(|text| format!("<w:tc>{}</w:tc>", paragraph(text))).collect::<String>())
}

fn invoice() -> Vec<u8> {
    let table = format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"4000\"/><w:gridCol w:w=\"4000\"/></w:tblGrid>{}{}</w:tbl>",
        row(&["Item", "Price"]),
        row(&["{{#items}}{{name}}", "{{price}}{{/items}}"])
    );
    let clause = paragraph("{{#clause}}") + &paragraph("The clause of {{client}}.") + &paragraph("{{/clause}}");
    DocumentBuilder::new(&(paragraph("For {{client}}") + &table + &clause)).to_bytes()
}

fn lay_out(engine: &mut Engine, document: DocumentId, json: &str) -> Vec<ValueArea> {
    let values = Values::from_json(json.as_bytes()).unwrap();
    let values = values.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let request = LayoutRequest { values: Some(values), ..LayoutRequest::default() };
    loop {
        match engine.lay_out(document, &request).unwrap() {
            LayoutOutcome::Fonts { files } => {
                for file in files {
                    let at = waraq_fonts::faces().iter().position(|face| face.file == file).unwrap();
                    engine.add_font(file, waraq_fonts::files()[at].data.to_vec());
                }
            }
            LayoutOutcome::Pages { blanks, .. } => return blanks,
        }
    }
}

/// Returns the place of each value: the field, the rows and the columns.
fn places(areas: &[ValueArea]) -> Vec<String> {
    areas.iter().map(|area| format!("{} {:?} {}", area.field, area.rows, area.columns.join("."))).collect()
}

#[test]
fn values_in_rows_have_areas_of_their_own() {
    let mut engine = Engine::default();
    let document = engine.open(invoice()).unwrap();
    assert_eq!(engine.fields(document), ["client", "items", "clause"]);
    let types: Vec<FieldType> = engine.structure(document).0.iter().map(|field| field.field_type).collect();
    assert_eq!(types, [FieldType::Text, FieldType::List, FieldType::YesNo]);
    let two = r#"{"client": "Zoé", "items": [{"name": "Chair", "price": "10"}, {"name": "Table"}], "clause": true}"#;
    let areas = lay_out(&mut engine, document, two);
    assert_eq!(places(&areas), ["0 [] ", "1 [0] name", "1 [0] price", "1 [1] name", "1 [1] price", "0 [] "]);
    let json = serde_json::to_value(&areas).unwrap();
    assert_eq!(json[1]["rows"], serde_json::json!([0]));
    assert_eq!((json[1]["columns"].clone(), json[0].get("rows")), (serde_json::json!(["name"]), None));
    let none = lay_out(&mut engine, document, r#"{"client": "Zoé"}"#);
    assert_eq!(places(&none), ["0 [] "]);
}

#[test]
fn the_text_of_a_row_can_change_without_a_new_expansion() {
    let mut engine = Engine::default();
    let document = engine.open(invoice()).unwrap();
    let rows = |last: &str| {
        let mut rows = vec![r#"{"name": "Chair", "price": "10.00"}"#.to_owned(); 199];
        rows.push(format!(r#"{{"name": "{last}", "price": "1"}}"#));
        format!(r#"{{"client": "Zoé", "items": [{}], "clause": false}}"#, rows.join(","))
    };
    let text = |engine: &Engine| {
        let pages = engine.pages(document).unwrap().pages.len();
        (0..pages).map(|page| format!("{:?}", engine.text(document, page).unwrap())).collect::<String>()
    };
    assert_eq!(lay_out(&mut engine, document, &rows("Sofa")).len(), 401);
    assert!(text(&engine).contains("Sofa"));
    lay_out(&mut engine, document, &rows("Couch"));
    assert!(text(&engine).contains("Couch") && !text(&engine).contains("Sofa"));
}

#[test]
fn the_author_may_declare_other_types() {
    let mut engine = Engine::default();
    let columns = vec![StructuredField::text("client")];
    let clause = StructuredField { field_type: FieldType::List, columns, ..StructuredField::text("clause") };
    let body = paragraph("{{#clause}}") + &paragraph("{{client}}") + &paragraph("{{/clause}}");
    let document =
        engine.open_with_structure(DocumentBuilder::new(&body).to_bytes(), &Structure(vec![clause])).unwrap();
    let row = |name: &str| [("client".to_owned(), Value::from(name))].into();
    let rows = Value::List(vec![row("Zoé"), row("Ali")]);
    let values = [("clause".to_owned(), rows)].into();
    let request = LayoutRequest { values: Some(values), ..LayoutRequest::default() };
    assert!(engine.lay_out(document, &request).is_ok());
    assert_eq!(engine.structure(document).0[0].field_type, FieldType::List);
}
