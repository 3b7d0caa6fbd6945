//! Derivations over lists: a table of derivations, values and results, and the limits and checks.

use std::collections::BTreeMap;

use waraq_rules::derivation::{
    Derivation, Derivations, DerivedValues, MAX_COLUMN_SOURCES, NoValueReason, Percent, Rate, TemplateLocale,
    check_structure, fill_derived_values,
};
use waraq_rules::{ErrorCode, FieldType, Structure, StructuredField, Value, Values};

/// Derivations of an invoice: rows with a total, their sum, a tax, the total with tax, and the amount in words.
const INVOICE: &str = r#"{
    "items[].total": { "kind": "product", "of": ["qty", "price"], "currency": "MAD" },
    "subtotal": { "kind": "list_sum", "list": "items", "column": "total", "currency": "MAD" },
    "tax": { "kind": "percentage", "of": "subtotal", "rate": { "number": "20" }, "currency": "MAD" },
    "total": { "kind": "sum", "of": ["subtotal", "tax"], "currency": "MAD" },
    "words": { "kind": "amount_in_words", "of": "total", "currency": "MAD" }
}"#;

/// One case: its name, the language and country, the derivations, the values, and the expected results. A result without
/// a value is `!` and the reason.
type Case = (&'static str, [&'static str; 2], &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    (
        "an invoice",
        ["en", "US"],
        INVOICE,
        r#"{ "items": [{ "qty": "3", "price": "1,500.50" }, { "qty": "1", "price": "MAD 79" }] }"#,
        r#"{
            "items[0].total": "4,501.50", "items[1].total": "79.00", "subtotal": "4,580.50", "tax": "916.10",
            "total": "5,496.60",
            "words": "five thousand four hundred ninety-six Moroccan dirhams and sixty centimes"
        }"#,
    ),
    (
        "empty rows count as nothing",
        ["en", "US"],
        INVOICE,
        r#"{ "items": [{ "qty": "2", "price": "5" }, { "qty": "", "price": " " }, {}] }"#,
        r#"{
            "items[0].total": "10.00", "items[1].total": "!empty", "items[2].total": "!empty", "subtotal": "10.00",
            "tax": "2.00", "total": "12.00", "words": "twelve Moroccan dirhams"
        }"#,
    ),
    (
        "a list without rows gives nothing",
        ["en", "US"],
        INVOICE,
        r#"{ "items": [] }"#,
        r#"{ "subtotal": "!empty", "tax": "!empty", "total": "!empty", "words": "!empty" }"#,
    ),
    (
        "a list without a value gives nothing",
        ["en", "US"],
        INVOICE,
        "{}",
        r#"{ "subtotal": "!empty", "tax": "!empty", "total": "!empty", "words": "!empty" }"#,
    ),
    (
        "a row that cannot be read fails the sum with its reason",
        ["en", "US"],
        INVOICE,
        r#"{ "items": [{ "qty": "2", "price": "5" }, { "qty": "two", "price": "5" }] }"#,
        r#"{
            "items[0].total": "10.00", "items[1].total": "!no_amount", "subtotal": "!no_amount", "tax": "!no_amount",
            "total": "!no_amount", "words": "!no_amount"
        }"#,
    ),
    (
        "a typed value replaces a derived column and is summed",
        ["en", "US"],
        INVOICE,
        r#"{ "items": [{ "qty": "2", "price": "5", "total": "9" }, { "qty": "1", "price": "5" }], "tax": "0" }"#,
        r#"{ "items[1].total": "5.00", "subtotal": "14.00", "total": "14.00", "words": "fourteen Moroccan dirhams" }"#,
    ),
    (
        "another currency in a row",
        ["en", "US"],
        r#"{ "items[].total": { "kind": "product", "of": ["qty", "price"], "currency": "EUR" } }"#,
        r#"{ "items": [{ "qty": "2", "price": "5 MAD" }, { "qty": "2", "price": "5 €" }] }"#,
        r#"{ "items[0].total": "!other_currency", "items[1].total": "10.00" }"#,
    ),
    (
        "a half is rounded away from zero",
        ["en", "US"],
        r#"{ "a[].p": { "kind": "product", "of": ["x", "y"], "currency": "EUR" } }"#,
        r#"{ "a": [
            { "x": "1.5", "y": "1.67" }, { "x": "0.5", "y": "0.03" }, { "x": "-1.5", "y": "1.67" },
            { "x": "1.1", "y": "1.04" }, { "x": "0.125", "y": "0.12" }
        ] }"#,
        // 2.505, 0.015, -2.505, 1.144, 0.015
        r#"{ "a[0].p": "2.51", "a[1].p": "0.02", "a[2].p": "-2.51", "a[3].p": "1.14", "a[4].p": "0.02" }"#,
    ),
    (
        "the sum adds the rounded rows",
        ["en", "US"],
        r#"{
            "a[].p": { "kind": "product", "of": ["x", "y"], "currency": "EUR" },
            "sum": { "kind": "list_sum", "list": "a", "column": "p", "currency": "EUR" }
        }"#,
        r#"{ "a": [{ "x": "0.5", "y": "0.03" }, { "x": "0.5", "y": "0.03" }] }"#,
        r#"{ "a[0].p": "0.02", "a[1].p": "0.02", "sum": "0.04" }"#,
    ),
    (
        "decimals of a dinar",
        ["fr", "TN"],
        r#"{ "a[].p": { "kind": "product", "of": ["x", "y"], "currency": "TND" } }"#,
        r#"{ "a": [{ "x": "1,5", "y": "2,3335" }] }"#,
        "{ \"a[0].p\": \"3,500\" }",
    ),
    (
        "without a currency a product is exact",
        ["en", "US"],
        r#"{ "a[].p": { "kind": "product", "of": ["x", "y"] } }"#,
        r#"{ "a": [{ "x": "2.50", "y": "4.00" }, { "x": "1.5", "y": "2.25" }, { "x": "0", "y": "0.50" }] }"#,
        r#"{ "a[0].p": "10.00", "a[1].p": "3.375", "a[2].p": "0.00" }"#,
    ),
    (
        "an ambiguous quantity has no product",
        ["en", "MA"],
        r#"{ "a[].p": { "kind": "product", "of": ["x", "y"], "currency": "MAD" } }"#,
        r#"{ "a": [{ "x": "1.250", "y": "2" }, { "x": "2", "y": "1.250 DH" }, { "x": "1.25", "y": "2" }] }"#,
        r#"{ "a[0].p": "!ambiguous_amount", "a[1].p": "2,500.00", "a[2].p": "2.50" }"#,
    ),
    (
        "percentages from a column, with signs",
        ["fr", "FR"],
        r#"{ "a[].tax": { "kind": "percentage", "of": "net", "rate": { "field": "rate" }, "currency": "EUR" } }"#,
        r#"{ "a": [
            { "net": "100", "rate": "20 %" }, { "net": "99,99", "rate": "5,5%" }, { "net": "10", "rate": "٪١٠" },
            { "net": "10", "rate": "10 €" }, { "net": "10", "rate": "" }
        ] }"#,
        r#"{
            "a[0].tax": "20,00", "a[1].tax": "5,50", "a[2].tax": "1,00", "a[3].tax": "!no_amount", "a[4].tax": "!empty"
        }"#,
    ),
    (
        "a rate from around the list",
        ["fr", "FR"],
        r#"{
            "a[].tax": { "kind": "percentage", "of": "net", "rate": { "field": "TVA" }, "currency": "EUR" },
            "taxes": { "kind": "list_sum", "list": "a", "column": "tax", "currency": "EUR" }
        }"#,
        r#"{ "TVA": "20", "a": [{ "net": "100" }, { "net": "50" }] }"#,
        r#"{ "a[0].tax": "20,00", "a[1].tax": "10,00", "taxes": "30,00" }"#,
    ),
    (
        "count, minimum and maximum",
        ["en", "US"],
        r#"{
            "n": { "kind": "count", "list": "a" },
            "least": { "kind": "minimum", "list": "a", "column": "x", "currency": "USD" },
            "most": { "kind": "maximum", "list": "a", "column": "x" },
            "words": { "kind": "amount_in_words", "of": "n" }
        }"#,
        r#"{ "a": [{ "x": "7.5" }, { "x": "-2" }, { "x": "" }, { "x": "30" }] }"#,
        r#"{ "n": "3", "least": "-2.00", "most": "30", "words": "three" }"#,
    ),
    (
        "the count of an empty list is zero",
        ["en", "US"],
        r#"{ "n": { "kind": "count", "list": "a" }, "m": { "kind": "count", "list": "b" } }"#,
        r#"{ "a": [] }"#,
        r#"{ "n": "0", "m": "!empty" }"#,
    ),
    (
        "a list in a list",
        ["en", "US"],
        r#"{
            "orders[].lines[].sum": { "kind": "product", "of": ["n", "price"], "currency": "USD" },
            "orders[].total": { "kind": "list_sum", "list": "lines", "column": "sum", "currency": "USD" },
            "orders[].n of lines": { "kind": "count", "list": "lines" },
            "total": { "kind": "list_sum", "list": "orders", "column": "total", "currency": "USD" },
            "largest": { "kind": "maximum", "list": "orders", "column": "total", "currency": "USD" }
        }"#,
        r#"{ "orders": [
            { "price": "2", "lines": [{ "n": "1" }, { "n": "2", "price": "10" }] },
            { "lines": [] },
            { "price": "3", "lines": [{ "n": "4" }] }
        ] }"#,
        r#"{
            "orders[0].lines[0].sum": "2.00", "orders[0].lines[1].sum": "20.00", "orders[2].lines[0].sum": "12.00",
            "orders[0].total": "22.00", "orders[1].total": "!empty", "orders[2].total": "12.00",
            "orders[0].n of lines": "2", "orders[1].n of lines": "0", "orders[2].n of lines": "1",
            "total": "34.00", "largest": "22.00"
        }"#,
    ),
    (
        "sums and words in a row",
        ["ar", "SA"],
        r#"{
            "a[].مجموع": { "kind": "sum", "of": ["x", "y"], "currency": "SAR" },
            "a[].كتابة": { "kind": "amount_in_words", "of": "مجموع", "currency": "SAR" }
        }"#,
        r#"{ "a": [{ "x": "٢", "y": "٣" }] }"#,
        r#"{ "a[0].مجموع": "5.00", "a[0].كتابة": "خمسة ريالات" }"#,
    ),
    (
        "other values than texts are no numbers",
        ["en", "US"],
        r#"{
            "a[].p": { "kind": "product", "of": ["x", "y"] },
            "sum": { "kind": "list_sum", "list": "text", "column": "x" }
        }"#,
        r#"{ "a": [{ "x": true, "y": "2" }, { "x": [{ "z": "1" }], "y": "2" }], "text": "x" }"#,
        r#"{ "a[0].p": "!no_amount", "a[1].p": "!no_amount", "sum": "!empty" }"#,
    ),
    (
        "too many digits",
        ["en", "US"],
        r#"{ "a[].p": { "kind": "product", "of": ["x", "y"], "currency": "USD" } }"#,
        r#"{ "a": [{ "x": "999999999999999999", "y": "999999999999999999" }] }"#,
        r#"{ "a[0].p": "!too_large" }"#,
    ),
    (
        "a cycle that was stored without a check ends",
        ["en", "US"],
        r#"{
            "a[].x": { "kind": "sum", "of": ["t"] },
            "t": { "kind": "list_sum", "list": "a", "column": "x" }
        }"#,
        r#"{ "a": [{}] }"#,
        r#"{ "a[0].x": "!empty", "t": "!empty" }"#,
    ),
    (
        "a typed column hides a field of the same name",
        ["en", "US"],
        r#"{
            "a[].double": { "kind": "product", "of": ["total", "n"] },
            "total": { "kind": "list_sum", "list": "a", "column": "double" }
        }"#,
        r#"{ "a": [{ "total": "4", "n": "2" }] }"#,
        r#"{ "a[0].double": "8", "total": "8" }"#,
    ),
    (
        "an unsupported language",
        ["de", "DE"],
        INVOICE,
        r#"{ "items": [{ "qty": "1", "price": "1" }] }"#,
        r#"{
        "items[0].total": "!no_language", "subtotal": "!no_language", "tax": "!no_language", "total": "!no_language",
        "words": "!no_language"
    }"#,
    ),
];

fn filled([language, country]: [&str; 2], derivations: &str, values: &str) -> (Values, DerivedValues) {
    let derivations: Derivations = serde_json::from_str(derivations).expect("derivations");
    let mut values = Values::from_json(values.as_bytes()).expect("values");
    let derived = fill_derived_values(&mut values, &derivations, &TemplateLocale { language, country: Some(country) });
    (values, derived)
}

/// Returns the text under a key such as `items[3].total`.
fn text_at(values: &Values, key: &str) -> Option<String> {
    let mut row: Option<&BTreeMap<String, Value>> = None;
    let mut parts: Vec<&str> = key.split("].").collect();
    let name = parts.pop()?;
    for part in parts {
        let (list, number) = part.split_once('[')?;
        let value = row.map_or_else(|| values.value(list), |row| row.get(list))?;
        let Value::List(rows) = value else { return None };
        row = rows.get(number.parse::<usize>().ok()?);
    }
    row.map_or_else(|| values.value(name), |row| row.get(name))?.as_text().map(str::to_owned)
}

#[test]
fn derivations_over_lists() {
    for (name, locale, derivations, values, expected) in CASES {
        let (values, derived) = filled(*locale, derivations, values);
        let expected: BTreeMap<String, String> = serde_json::from_str(expected).unwrap();
        let got: BTreeMap<String, String> = derived
            .iter()
            .map(|(key, result)| {
                let text = result.clone().unwrap_or_else(|why| format!("!{why}"));
                // Digits are grouped by no-break spaces in French.
                (key.clone(), text.replace('\u{a0}', " "))
            })
            .collect();
        assert_eq!(got, expected, "{name}");
        for (key, result) in derived {
            assert_eq!(text_at(&values, &key), Some(result.unwrap_or_default()), "{name}: {key}");
        }
    }
}

fn field(name: &str, field_type: FieldType, columns: &[StructuredField]) -> StructuredField {
    StructuredField { name: name.to_owned(), field_type, columns: columns.to_vec() }
}

fn structure() -> Structure {
    let text = StructuredField::text;
    let lines = field("lines", FieldType::List, &[text("n"), text("price"), text("sum")]);
    let items = field("items", FieldType::List, &[text("qty"), text("price"), text("total"), lines]);
    let other = [field("yes", FieldType::YesNo, &[]), field("logo", FieldType::Picture, &[])];
    Structure([&[text("rate"), items, text("total"), text("words")][..], &other].concat())
}

#[test]
fn invalid_derivations_over_lists_are_refused() {
    let refused = |derivations: &str| {
        let derivations: Derivations = serde_json::from_str(derivations).unwrap();
        check_structure(&derivations, &structure()).map_err(|refused| (refused.code, refused.fields.join(" ")))
    };
    let told = |code, fields: &str| Err((code, fields.to_owned()));
    let source = |fields: &str| told(ErrorCode::DerivationSource, fields);
    for (derivations, expected) in [
        (
            r#"{
                "items[].total": { "kind": "product", "of": ["qty", "price"] },
                "items[].lines[].sum": { "kind": "product", "of": ["n", "rate"] },
                "total": { "kind": "list_sum", "list": "items", "column": "total" },
                "words": { "kind": "amount_in_words", "of": "total" }
            }"#,
            Ok(()),
        ),
        // Unknown columns, lists and derived fields.
        (r#"{ "items[].total": { "kind": "product", "of": ["qty", "prise"] } }"#, source("items[].prise")),
        (r#"{ "items[].sum": { "kind": "sum", "of": ["qty"] } }"#, source("items[].sum")),
        (r#"{ "things[].total": { "kind": "sum", "of": ["qty"] } }"#, source("things[].total")),
        (r#"{ "total": { "kind": "list_sum", "list": "items", "column": "sum" } }"#, source("items[].sum")),
        (r#"{ "total": { "kind": "count", "list": "things" } }"#, source("things")),
        // Wrong levels.
        (r#"{ "total": { "kind": "product", "of": ["qty", "price"] } }"#, source("price qty")),
        (r#"{ "total": { "kind": "list_sum", "list": "lines", "column": "sum" } }"#, source("lines")),
        (r#"{ "items[].total": { "kind": "count", "list": "items" } }"#, source("items[].items")),
        // Wrong types.
        (r#"{ "total": { "kind": "sum", "of": ["items"] } }"#, source("items")),
        (r#"{ "total": { "kind": "sum", "of": ["yes", "logo"] } }"#, source("logo yes")),
        (r#"{ "items": { "kind": "sum", "of": ["rate"] } }"#, source("items")),
        (r#"{ "total": { "kind": "count", "list": "rate" } }"#, source("rate")),
        (r#"{ "rate[].x": { "kind": "sum", "of": ["total"] } }"#, source("rate[].x")),
        (r#"{ "total": { "kind": "list_sum", "list": "items", "column": "lines" } }"#, source("items[].lines")),
        // Cycles.
        (
            r#"{
                "items[].total": { "kind": "sum", "of": ["qty", "rate"] },
                "rate": { "kind": "maximum", "list": "items", "column": "total" },
                "words": { "kind": "amount_in_words", "of": "rate" }
            }"#,
            told(ErrorCode::DerivationCycle, "items[].total rate words"),
        ),
        (
            r#"{ "items[].total": { "kind": "sum", "of": ["total"] } }"#,
            told(ErrorCode::DerivationCycle, "items[].total"),
        ),
        // Numbers of sources.
        (
            r#"{ "items[].total": { "kind": "product", "of": ["qty"] } }"#,
            told(ErrorCode::InvalidDerivation, "items[].total"),
        ),
        (
            r#"{ "items[].total": { "kind": "product", "of": ["qty", "qty"] } }"#,
            told(ErrorCode::InvalidDerivation, "items[].total"),
        ),
        (
            r#"{ "items[].total": { "kind": "percentage", "of": "qty", "rate": { "field": "qty" } } }"#,
            told(ErrorCode::InvalidDerivation, "items[].total"),
        ),
    ] {
        assert_eq!(refused(derivations), expected, "{derivations}");
    }
}

#[test]
fn the_sources_of_all_columns_together_are_limited() {
    let names: Vec<String> = (0..100).map(|number| format!("c{number}")).collect();
    let derived = ["x", "y", "z"].map(str::to_owned);
    let columns: Vec<StructuredField> = names.iter().chain(&derived).map(StructuredField::text).collect();
    let structure = Structure(vec![field("a", FieldType::List, &columns)]);
    let sum = |name: &str, count: usize| {
        (format!("a[].{name}"), Derivation::Sum { of: names[..count].to_vec(), currency: None })
    };
    let check = |sums: &[(String, Derivation)]| check_structure(&sums.iter().cloned().collect(), &structure);
    assert_eq!(check(&[sum("x", 100), sum("y", 100)]), Ok(()));
    let refused = check(&[sum("x", 100), sum("y", 100), sum("z", 1)]).unwrap_err();
    assert_eq!((refused.code, refused.limit), (ErrorCode::InvalidDerivation, Some(MAX_COLUMN_SOURCES)));
    assert_eq!(refused.fields, ["a[].x", "a[].y", "a[].z"]);
}

#[test]
fn lists_with_too_many_rows_are_not_computed() {
    let rows = |count: usize| Value::List(vec![[("x".to_owned(), Value::from("1"))].into(); count]);
    let derivations: Derivations =
        serde_json::from_str(r#"{ "t": { "kind": "list_sum", "list": "a", "column": "x" } }"#).unwrap();
    let locale = TemplateLocale { language: "en", country: None };
    let mut values = Values::from_pairs([("a", rows(500))]).unwrap();
    assert_eq!(fill_derived_values(&mut values, &derivations, &locale)["t"], Ok("500".to_owned()));
    let too_many = Values::from_pairs([("a", rows(501))]).unwrap();
    let mut values = too_many.clone();
    assert!(fill_derived_values(&mut values, &derivations, &locale).is_empty());
    assert_eq!(values, too_many);
    assert_eq!(values.check_row_counts().unwrap_err().code, ErrorCode::TooManyRows);
}

#[test]
fn the_json_of_the_derivations_of_lists_is_stable() {
    for kept in [
        r#"{"kind":"product","of":["Quantité","Prix"],"currency":"EUR"}"#,
        r#"{"kind":"percentage","of":"HT","rate":{"number":"5.5"}}"#,
        r#"{"kind":"percentage","of":"HT","rate":{"field":"Taux"},"currency":"EUR"}"#,
        r#"{"kind":"list_sum","list":"Lignes","column":"Total","currency":"EUR"}"#,
        r#"{"kind":"count","list":"Lignes"}"#,
        r#"{"kind":"minimum","list":"Lignes","column":"Total"}"#,
        r#"{"kind":"maximum","list":"Lignes","column":"Total"}"#,
    ] {
        let derivation: Derivation = serde_json::from_str(kept).unwrap();
        assert_eq!(serde_json::to_string(&derivation).unwrap(), kept);
    }
    for refused in ["1001", "-1000.1", "0.0000000001", "20%", "", "1e2", "NaN", "20,5"] {
        assert!(refused.parse::<Percent>().is_err(), "{refused}");
    }
    assert!(serde_json::from_str::<Rate>(r#"{ "number": 20.0 }"#).is_err());
    assert_eq!("20.50".parse::<Percent>().map(String::from), Ok("20.5".to_owned()));
}

/// The largest number of rows and derivations: four lists of 500 rows with 25 derived columns each.
#[test]
fn the_largest_lists_are_derived() {
    let lists = ["a", "b", "c", "d"];
    let rows = || {
        let row = |number: usize| [("x", number.to_string()), ("y", "0.01".to_owned())];
        let row = |number| row(number).into_iter().map(|(name, text)| (name.to_owned(), Value::Text(text))).collect();
        Value::List((0..500).map(row).collect())
    };
    let product = Derivation::Product { of: vec!["x".into(), "y".into()], currency: None };
    // Each column depends on the one before.
    let chained = |number: usize| match number {
        0 => product.clone(),
        _ => Derivation::Sum { of: vec![format!("p{}", number - 1), "x".into()], currency: None },
    };
    let derivations: Derivations = lists
        .iter()
        .flat_map(|list| (0..25).map(move |number| (format!("{list}[].p{number}"), chained(number))))
        .collect();
    let columns: Vec<StructuredField> =
        (0..25).map(|number| format!("p{number}")).chain(["x".into(), "y".into()]).map(StructuredField::text).collect();
    let structure = Structure(lists.iter().map(|list| field(list, FieldType::List, &columns)).collect());
    assert_eq!(check_structure(&derivations, &structure), Ok(()));
    let mut values = Values::from_pairs(lists.map(|list| (list, rows()))).unwrap();
    let locale = TemplateLocale { language: "en", country: Some("US") };
    let derived = fill_derived_values(&mut values, &derivations, &locale);
    assert_eq!(derived.len(), 2_000 * 25);
    assert_eq!(derived["d[499].p24"], Ok("11,980.99".to_owned()));
    assert_eq!(text_at(&values, "a[100].p0"), Some("1.00".to_owned()));
}

/// Texts of all kinds in rows give a result for each row and never a panic.
#[test]
fn any_typed_rows_are_derived_or_refused() {
    let typed = ["", " ", "0", "1", "-1", "1,5", "1.250", "999999999999999999", "x", "5 €", "٣", "20 %", ".", "-"];
    let rows: Vec<String> = typed
        .iter()
        .flat_map(|x| typed.iter().map(move |y| format!(r#"{{ "qty": "{x}", "price": "{y}" }}"#)))
        .collect();
    let values = format!(r#"{{ "items": [{}] }}"#, rows.join(","));
    for locale in [["en", "US"], ["fr", "TN"], ["ar", "MA"]] {
        let (values, derived) = filled(locale, INVOICE, &values);
        assert_eq!(derived.len(), rows.len() + 4);
        assert!(matches!(derived["subtotal"], Err(reason) if reason != NoValueReason::Empty));
        let Some(Value::List(rows)) = values.value("items") else { panic!("no rows") };
        assert!(rows.iter().all(|row| row.contains_key("total")));
    }
}
