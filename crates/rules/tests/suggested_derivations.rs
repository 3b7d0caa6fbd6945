//! Suggested derivations, as a table of templates in three languages.

use waraq_rules::derivation::{Derivations, check_structure, suggest_derivations};
use waraq_rules::field_settings::FieldContext;
use waraq_rules::{FieldType, Structure, StructuredField};

/// Reads a structure from one line: `items[qty; price; lines[n]]; total`.
fn structure(text: &str) -> Structure {
    let mut levels: Vec<Vec<StructuredField>> = vec![Vec::new()];
    let mut name = String::new();
    let add = |levels: &mut Vec<Vec<StructuredField>>, name: &mut String| {
        if !name.trim().is_empty() {
            levels.last_mut().expect("balanced brackets").push(StructuredField::text(name.trim()));
        }
        name.clear();
    };
    for letter in text.chars() {
        match letter {
            '[' => {
                let list = StructuredField { field_type: FieldType::List, ..StructuredField::text(name.trim()) };
                levels.last_mut().expect("balanced brackets").push(list);
                levels.push(Vec::new());
                name.clear();
            }
            ']' => {
                add(&mut levels, &mut name);
                let columns = levels.pop().expect("balanced brackets");
                levels.last_mut().expect("balanced brackets").last_mut().expect("balanced brackets").columns = columns;
            }
            ';' => add(&mut levels, &mut name),
            _ => name.push(letter),
        }
    }
    add(&mut levels, &mut name);
    Structure(levels.pop().expect("balanced brackets"))
}

fn suggested(text: &str, contexts: &[FieldContext], country: Option<&str>) -> Vec<String> {
    let structure = structure(text);
    let found = suggest_derivations(&structure, contexts, country);
    let all: Derivations = found.iter().cloned().collect();
    assert_eq!((all.len(), check_structure(&all, &structure)), (found.len(), Ok(())), "{text}");
    let json = |(path, derivation)| format!("{path} = {}", serde_json::to_string(&derivation).expect("JSON"));
    found.into_iter().map(json).collect()
}

#[test]
fn derivations_are_suggested_in_three_languages() {
    for (fields, expected) in [
        (
            "client; items[Description; Quantity; Unit price; Total]; Subtotal; VAT rate; VAT; Total; Total in words",
            &[
                r#"items[].Total = {"kind":"product","of":["Quantity","Unit price"]}"#,
                r#"Subtotal = {"kind":"list_sum","list":"items","column":"Total"}"#,
                r#"VAT = {"kind":"percentage","of":"Subtotal","rate":{"field":"VAT rate"}}"#,
                r#"Total = {"kind":"sum","of":["Subtotal","VAT"]}"#,
                r#"Total in words = {"kind":"amount_in_words","of":"Total","case":"nominative"}"#,
            ][..],
        ),
        (
            "lignes[Désignation; Qté; Prix unitaire HT; Montant HT]; Total HT; TVA (20 %); Total TTC; Montant en lettres",
            &[
                r#"lignes[].Montant HT = {"kind":"product","of":["Qté","Prix unitaire HT"]}"#,
                r#"Total HT = {"kind":"list_sum","list":"lignes","column":"Montant HT"}"#,
                r#"TVA (20 %) = {"kind":"percentage","of":"Total HT","rate":{"number":"20"}}"#,
                r#"Total TTC = {"kind":"sum","of":["Total HT","TVA (20 %)"]}"#,
                r#"Montant en lettres = {"kind":"amount_in_words","of":"Total TTC","case":"nominative"}"#,
            ],
        ),
        (
            "البنود[البيان; الكمية; سعر الوحدة; المجموع]; الإجمالي; الإجمالي كتابة",
            &[
                r#"البنود[].المجموع = {"kind":"product","of":["الكمية","سعر الوحدة"]}"#,
                r#"الإجمالي = {"kind":"list_sum","list":"البنود","column":"المجموع"}"#,
                r#"الإجمالي كتابة = {"kind":"amount_in_words","of":"الإجمالي","case":"nominative"}"#,
            ],
        ),
        // A timesheet and an expense report.
        ("days[date; Hours]; Total hours", &[r#"Total hours = {"kind":"list_sum","list":"days","column":"Hours"}"#]),
        (
            "expenses[Date; Purpose; Amount]; Grand total",
            &[r#"Grand total = {"kind":"list_sum","list":"expenses","column":"Amount"}"#],
        ),
        // A tax in each row.
        (
            "items[Quantity; Price; Amount; VAT rate; VAT; Total incl VAT]",
            &[
                r#"items[].Amount = {"kind":"product","of":["Quantity","Price"]}"#,
                r#"items[].VAT = {"kind":"percentage","of":"Amount","rate":{"field":"VAT rate"}}"#,
                r#"items[].Total incl VAT = {"kind":"sum","of":["Amount","VAT"]}"#,
            ],
        ),
        // A list in a list, and totals between two lists.
        (
            "orders[lines[Qty; Price; Total]; Total]; Total",
            &[
                r#"orders[].lines[].Total = {"kind":"product","of":["Qty","Price"]}"#,
                r#"orders[].Total = {"kind":"list_sum","list":"lines","column":"Total"}"#,
                r#"Total = {"kind":"list_sum","list":"orders","column":"Total"}"#,
            ],
        ),
        (
            "work[Amount]; Total 1; parts[Amount]; Total 2",
            &[
                r#"Total 1 = {"kind":"list_sum","list":"work","column":"Amount"}"#,
                r#"Total 2 = {"kind":"list_sum","list":"parts","column":"Amount"}"#,
            ],
        ),
        ("Rent; Rent in words", &[r#"Rent in words = {"kind":"amount_in_words","of":"Rent","case":"nominative"}"#]),
        // Nothing fits: a total before the quantity, a discount, no amounts, a total before the list.
        ("items[Total; Quantity; Unit price]", &[]),
        ("items[Quantity; Unit price; Discount; Total]", &[]),
        ("people[Name; Town]; Total", &[]),
        ("Total; items[Amount]", &[]),
        ("VAT number; Name", &[]),
    ] {
        assert_eq!(suggested(fields, &[], None), expected, "{fields}");
    }
}

#[test]
fn headings_and_currencies_come_from_the_contexts() {
    let context = |field: &str, cell_label: &str| FieldContext {
        field: field.into(),
        cell_label: cell_label.into(),
        ..FieldContext::default()
    };
    let headings = [
        context("items[].a", "Quantity"),
        context("items[].b", "Unit price (EUR)"),
        context("c", "Total"),
        context("d", "VAT 5.5 %:"),
        context("e", "Subtotal"),
    ];
    let product = |currency: &str| format!(r#"items[].c = {{"kind":"product","of":["a","b"]{currency}}}"#);
    let euro = r#","currency":"EUR""#;
    assert_eq!(
        suggested("items[a; b; c]; e; d", &headings, Some("MA")),
        [
            product(euro),
            format!(r#"e = {{"kind":"list_sum","list":"items","column":"c"{euro}}}"#),
            format!(r#"d = {{"kind":"percentage","of":"e","rate":{{"number":"5.5"}}{euro}}}"#),
        ]
    );
    // Two currencies are none; the country then decides.
    let two = [&headings[..], &[context("x", "MAD")]].concat();
    assert_eq!(suggested("items[a; b; c]", &two, None), [product("")]);
    assert_eq!(suggested("items[a; b; c]", &two, Some("TN")), [product(r#","currency":"TND""#)]);
    assert_eq!(suggested("items[a; b; c]", &two, Some("FR")), [product(euro)]);
    assert_eq!(suggested("items[a; b; c]", &two, Some("JP")), [product("")]);
}

#[test]
fn suggestions_for_large_templates_are_limited() {
    let lists: Vec<String> = (0..300).map(|number| format!("list{number}[Qty; Price; Total]")).collect();
    assert_eq!(suggested(&lists.join(";"), &[], None).len(), 100);
}
