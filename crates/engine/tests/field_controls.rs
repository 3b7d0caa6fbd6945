//! Tests of content controls in laid-out pages and in the examination of a template.

use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_engine::{DeclaredType, DeclaredTypes, FieldType, FillOptions, LayoutOptions, PdfOptions, Values};
use waraq_layout::DisplayItem;
use waraq_rules::field_settings::{TemplateFieldSettings, ValueKind};

fn control(tag: &str, properties: &str, content: &str) -> String {
    format!(
        "<w:sdt><w:sdtPr><w:tag w:val=\"{tag}\"/>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"
    )
}

fn prompt(tag: &str, kind: &str) -> String {
    control(tag, &format!("<w:showingPlcHdr/>{kind}"), &run("Click or tap here to enter text."))
}

/// Returns the text of all pages, one line for each line of the pages.
fn pages_text(package: &waraq_engine::Package) -> String {
    text_of(&waraq_engine::lay_out(package, &LayoutOptions::default()).unwrap())
}

fn text_of(pages: &waraq_engine::Pages) -> String {
    let mut text = String::new();
    let mut baseline = f32::NAN;
    for item in pages.pages.iter().flat_map(|page| &page.items) {
        let DisplayItem::Glyphs(run) = &item.item else { continue };
        if run.y != baseline {
            text.push('\n');
            baseline = run.y;
        }
        text.push_str(&run.text);
    }
    text
}

/// A form with a control of each kind.
fn form() -> String {
    let date = "<w:date><w:dateFormat w:val=\"dd/MM/yyyy\"/><w:lid w:val=\"fr-FR\"/></w:date>";
    let list = "<w:dropDownList><w:listItem w:displayText=\"Espèces\" w:value=\"c\"/></w:dropDownList>";
    let states = "<w14:checkedState w14:val=\"2612\" w14:font=\"MS Gothic\"/><w14:uncheckedState w14:val=\"2610\" w14:font=\"MS Gothic\"/>";
    let line = |label: &str, control: &str| format!("<w:p>{}{control}</w:p>", run(&format!("{label}: ")));
    line("Plain", &prompt("plain", "<w:text/>"))
        + &line("Rich", &prompt("rich", ""))
        + &line("Date", &prompt("date", date))
        + &line("List", &prompt("list", list))
        + &line("Check", &control("agree", &format!("<w14:checkbox>{states}</w14:checkbox>"), &run("☐")))
}

#[test]
fn filled_controls_are_printed_and_prompts_are_not() {
    let package = waraq_engine::open(&DocumentBuilder::new(&form()).to_bytes()).unwrap();
    let values = [("plain", "P1"), ("rich", "R1"), ("date", "2026-11-05"), ("list", "c"), ("agree", "oui")];
    let values = Values::from_pairs(values).unwrap();
    let filled = waraq_engine::fill(&package, &values, FillOptions::default()).unwrap();
    let text = pages_text(&filled);
    for printed in ["Plain: P1", "Rich: R1", "Date: 05/11/2026", "List: Espèces", "Check: ☒"] {
        assert!(text.contains(printed), "{printed} in {text}");
    }
    assert!(!text.contains("Click"), "{text}");
    assert_eq!(waraq_engine::check(&package).unwrap(), []);
}

#[test]
fn a_form_gets_the_kinds_and_choices_of_the_controls() {
    let package = waraq_engine::open(&DocumentBuilder::new(&(form() + &paragraph("{{date}}"))).to_bytes()).unwrap();
    let examined = waraq_engine::examine(&package, &LayoutOptions::default(), &PdfOptions::default()).unwrap();
    let fields: Vec<String> = examined.fields.into_iter().map(|field| field.name).collect();
    let shown = TemplateFieldSettings { overridden: Vec::new(), detected: examined.detected }.for_form(&fields);
    let found: Vec<_> = shown.iter().map(|one| (one.field.as_str(), one.kind, one.choices.join("|"))).collect();
    let expected = [
        ("plain", ValueKind::Text, ""),
        ("rich", ValueKind::Text, ""),
        ("date", ValueKind::Date, ""),
        ("list", ValueKind::Choice, "Espèces"),
        ("agree", ValueKind::Choice, "Yes|No"),
    ];
    assert_eq!(found, expected.map(|(field, kind, choices)| (field, kind, choices.to_owned())));
}

#[test]
fn a_sample_shows_the_names_of_the_fields_and_empty_boxes() {
    let package = waraq_engine::open(&DocumentBuilder::new(&form()).to_bytes()).unwrap();
    let fields = waraq_engine::fields(&package).unwrap();
    let sample = |package, fields: &[_], structure: &_| {
        text_of(&waraq_engine::lay_out_sample(package, fields, structure, &LayoutOptions::default()).unwrap())
    };
    let structure = waraq_engine::structure(&package, &DeclaredTypes::new()).unwrap();
    let text = sample(&package, &fields, &structure);
    assert!(text.contains("List: list") && text.contains("Check: ☐"), "{text}");

    // The sample of a logo is empty if its type is declared.
    let package = waraq_engine::open(&DocumentBuilder::new(&paragraph("By {{logo}} {{name}}")).to_bytes()).unwrap();
    let fields = waraq_engine::fields(&package).unwrap();
    let declared = DeclaredType { field_type: FieldType::Picture, ..DeclaredType::default() };
    let structure = waraq_engine::structure(&package, &[("logo".to_owned(), declared)].into()).unwrap();
    let text = sample(&package, &fields, &structure);
    assert!(text.contains("name") && !text.contains("logo"), "{text}");
}

#[test]
fn a_right_to_left_form_is_filled() {
    let date = "<w:date><w:dateFormat w:val=\"d MMMM yyyy\"/><w:lid w:val=\"ar-EG\"/></w:date>";
    let line = |inline: &str| format!("<w:p><w:pPr><w:bidi/></w:pPr>{inline}</w:p>");
    let body = line(&prompt("day", date)) + &line(&control("ok", "<w14:checkbox/>", &run("☐")));
    let package = waraq_engine::open(&DocumentBuilder::new(&body).to_bytes()).unwrap();
    let values = Values::from_pairs([("day", "14/07/2026"), ("ok", "نعم")]).unwrap();
    let text = pages_text(&waraq_engine::fill(&package, &values, FillOptions::default()).unwrap());
    for printed in ["14", "يوليو", "2026", "☒"] {
        assert!(text.contains(printed), "{printed} in {text}");
    }
}
