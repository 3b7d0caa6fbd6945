//! Fills the templates with lists of several lengths and with both answers to each yes/no field.
#![allow(clippy::unwrap_used)]

mod filled;

use filled::{Entries, Filled, OpenTemplate, clause_numbers};
use waraq_core::field_settings::checked_settings;
use waraq_engine::{FieldSettings, LayoutOptions};
use waraq_rules::FieldType;
use waraq_rules::field_settings::ValueKind;

const ROW_COUNTS: [usize; 4] = [0, 1, 3, 40];

fn two(_: &str, _: usize) -> String {
    "2".to_owned()
}

fn yes(_: &str) -> bool {
    true
}

fn named(slug: &str) -> OpenTemplate {
    OpenTemplate::new(waraq_catalogue::templates().into_iter().find(|template| template.slug == slug).unwrap())
}

fn assert_clauses_are_numbered_without_gaps(filled: &Filled, about: &str) {
    let numbers = clause_numbers(&filled.headings);
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>(), "{about}: {:?}", filled.headings);
}

#[test]
fn declared_settings_are_published_unchanged() {
    for open in OpenTemplate::all() {
        let slug = open.template.slug;
        let detected =
            waraq_engine::detect_settings(&open.package, &open.structure, &LayoutOptions::default()).unwrap().settings;
        let sorted = |settings: Vec<FieldSettings>| {
            let mut settings: Vec<FieldSettings> = settings
                .into_iter()
                .map(|one| {
                    let columns = one.columns.map(|mut columns| {
                        columns.sort_by(|a, b| a.field.cmp(&b.field));
                        columns
                    });
                    FieldSettings { columns, ..one }
                })
                .collect();
            settings.sort_by(|a, b| a.field.cmp(&b.field));
            settings
        };
        let declared = open.template.settings.clone();
        let published = checked_settings(declared.clone(), &open.structure, &detected);
        let published = published.unwrap_or_else(|error| panic!("{slug}: {error:?}"));
        assert_eq!(sorted(published), sorted(declared), "{slug}");
    }
}

#[test]
fn sections_are_declared_and_yes_no_fields_ask_a_question() {
    for open in OpenTemplate::all() {
        let slug = open.template.slug;
        for field in &open.structure.0 {
            let declared = open.template.settings.iter().find(|one| one.field == field.name);
            let kind = declared.and_then(|declared| declared.kind);
            match field.field_type {
                FieldType::List => assert_eq!(kind, Some(ValueKind::List), "{slug}: {}", field.name),
                FieldType::YesNo => {
                    assert_eq!(kind, Some(ValueKind::YesNo), "{slug}: {}", field.name);
                    let label = declared.and_then(|declared| declared.label.as_deref()).unwrap_or_default();
                    assert!(label.ends_with(['?', '؟']), "{slug}: {}: {label:?}", field.name);
                }
                FieldType::Picture | FieldType::Signature => {
                    let declared = declared.unwrap();
                    assert!(declared.max_width.is_some() && declared.max_height.is_some(), "{slug}: {}", field.name);
                }
                FieldType::Text | FieldType::QrCode => {}
            }
        }
    }
}

#[test]
fn each_language_has_the_templates_with_lists_and_optional_clauses() {
    for (slugs, field_type, fewest) in [
        (&["en-invoice", "fr-facture", "ar-tax-invoice", "en-quotation", "fr-devis"][..], FieldType::List, 1),
        (&["en-timesheet", "fr-feuille-de-temps", "ar-timesheet"], FieldType::List, 1),
        (&["en-expense-report", "fr-note-de-frais", "ar-expense-claim"], FieldType::List, 2),
        (&["en-curriculum-vitae", "fr-curriculum-vitae", "ar-curriculum-vitae"], FieldType::List, 3),
        (&["en-residential-tenancy-agreement", "fr-bail-d-habitation", "ar-residential-lease"], FieldType::YesNo, 3),
        (&["en-employment-contract", "fr-contrat-de-travail-cdi", "ar-employment-contract"], FieldType::YesNo, 4),
        (&["en-letter-of-resignation", "fr-lettre-de-demission", "ar-resignation"], FieldType::Signature, 1),
        (
            &["en-certificate-of-employment", "fr-attestation-de-travail", "ar-certificate-of-employment"],
            FieldType::Picture,
            1,
        ),
    ] {
        for slug in slugs {
            let count = named(slug).of_type(field_type).len();
            assert!(count >= fewest, "{slug}: {count} of {field_type:?}");
        }
    }
}

#[test]
fn lists_of_any_length_leave_no_tags_and_no_gaps_in_the_numbering() {
    for open in OpenTemplate::all().iter().filter(|open| !open.of_type(FieldType::List).is_empty()) {
        for rows in ROW_COUNTS {
            let filled = open.fill(Entries { rows, answer: &yes, number: &two });
            assert_clauses_are_numbered_without_gaps(&filled, &format!("{}, {rows} rows", open.template.slug));
            for list in open.structure.0.iter().filter(|field| field.field_type == FieldType::List) {
                let column = list.columns.iter().find(|column| is_plain_text(column, &list.name, open)).unwrap();
                for row in 0..rows {
                    let found = filled.body.contains(&format!("{}-{row}", column.name));
                    assert!(found, "{}: {} has no row {row}", open.template.slug, list.name);
                }
                let beyond = format!("{}-{rows}", column.name);
                assert!(!filled.body.contains(&beyond), "{}: {}", open.template.slug, list.name);
            }
        }
    }
}

/// Returns whether the tests fill a column with its name and the number of the row.
fn is_plain_text(column: &waraq_engine::StructuredField, list: &str, open: &OpenTemplate) -> bool {
    let list = open.template.settings.iter().find(|one| one.field == list);
    let own = list.and_then(|list| list.columns.iter().flatten().find(|one| one.field == column.name));
    let is_number = own
        .is_some_and(|own| own.derivation.is_some() || matches!(own.kind, Some(ValueKind::Number | ValueKind::Amount)));
    column.field_type == FieldType::Text && !is_number
}

#[test]
fn each_answer_keeps_or_drops_its_part_and_the_numbering_continues() {
    for open in OpenTemplate::all() {
        let slug = open.template.slug;
        let questions = open.of_type(FieldType::YesNo);
        if questions.is_empty() {
            continue;
        }
        let answered = |answer: &dyn Fn(&str) -> bool| open.fill(Entries { rows: 2, answer, number: &two });
        let all = answered(&yes);
        assert_clauses_are_numbered_without_gaps(&all, slug);
        assert_clauses_are_numbered_without_gaps(&answered(&|_| false), slug);
        for question in questions {
            let without = answered(&|name| name != question);
            assert_clauses_are_numbered_without_gaps(&without, &format!("{slug} without {question}"));
            assert_ne!(all.body, without.body, "{slug}: {question} changes nothing");
        }
    }
}

/// Returns the digits of an amount with two decimals, without separators: its cents.
fn cents(filled: &Filled, field: &str) -> i64 {
    let text = filled.values.get(field).unwrap();
    let (_, decimals) = text.rsplit_once(['.', ',']).unwrap_or((text, ""));
    assert_eq!(decimals.chars().count(), 2, "{field}: {text}");
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

/// Rounds a hundredth to whole cents, half up.
fn rounded_percentage(cents: i64, rate: i64) -> i64 {
    (cents * rate + 50) / 100
}

/// Writes cents as users of a language type them.
fn typed(cents: i64, language: &str) -> String {
    format!("{}{}{:02}", cents / 100, if language == "fr" { ',' } else { '.' }, cents % 100)
}

const RATES: [i64; 3] = [20, 5, 0];

#[test]
fn invoices_add_net_amounts_and_vat_of_all_rows() {
    for (slug, quantity, price, rate, net, vat, due) in [
        ("en-invoice", "Quantity", "Unit price", "VAT rate", "Net total", "VAT total", "Amount due"),
        ("fr-facture", "Quantité", "Prix unitaire HT", "Taux de TVA", "Total HT", "Total TVA", "Total TTC"),
        ("ar-tax-invoice", "الكمية", "سعر الوحدة", "نسبة الضريبة", "إجمالي الصافي", "إجمالي الضريبة", "المبلغ المستحق"),
    ] {
        let open = named(slug);
        let number = |path: &str, row: usize| {
            let row = i64::try_from(row).unwrap();
            match path.rsplit('.').next().unwrap() {
                name if name == quantity => (row + 1).to_string(),
                name if name == price => typed(row * 137 + 35, open.template.language),
                name if name == rate => RATES[usize::try_from(row).unwrap() % 3].to_string(),
                other => panic!("{slug}: {other}"),
            }
        };
        for rows in [1, 3, 40] {
            let filled = open.fill(Entries { rows, answer: &yes, number: &number });
            let nets: Vec<i64> = (0..i64::try_from(rows).unwrap()).map(|row| (row + 1) * (row * 137 + 35)).collect();
            let taxes = nets.iter().zip(RATES.iter().cycle()).map(|(net, rate)| rounded_percentage(*net, *rate));
            let (nets, taxes): (i64, i64) = (nets.iter().sum(), taxes.sum());
            let totals = [net, vat, due].map(|field| cents(&filled, field));
            assert_eq!(totals, [nets, taxes, nets + taxes], "{slug}, {rows} rows");
        }
        let empty = open.fill(Entries { rows: 0, answer: &yes, number: &number });
        assert_eq!([net, vat, due].map(|field| empty.values.get(field)), [Some(""); 3], "{slug}");
    }
}

#[test]
fn quotations_add_prices_and_one_rate_of_vat() {
    for (slug, quantity, price, rate, deposit, fields) in [
        (
            "en-quotation",
            "Days",
            "Day rate",
            "VAT rate",
            "Deposit percentage",
            ["Subtotal", "VAT amount", "Total price", "Deposit amount"],
        ),
        (
            "fr-devis",
            "Quantité",
            "Prix unitaire HT",
            "Taux de TVA",
            "Acompte",
            ["Total HT", "Total TVA", "Total TTC", "Montant de l’acompte"],
        ),
    ] {
        let open = named(slug);
        let number = |path: &str, row: usize| match path.rsplit('.').next().unwrap() {
            name if name == quantity => (row + 2).to_string(),
            name if name == price => typed(45_050, open.template.language),
            name if name == rate => "20".to_owned(),
            name if name == deposit => "30".to_owned(),
            other => panic!("{slug}: {other}"),
        };
        for rows in [1, 3, 40] {
            let filled = open.fill(Entries { rows, answer: &yes, number: &number });
            let net: i64 = (0..i64::try_from(rows).unwrap()).map(|row| (row + 2) * 45_050).sum();
            let total = net + rounded_percentage(net, 20);
            let expected = [net, total - net, total, rounded_percentage(total, 30)];
            assert_eq!(fields.map(|field| cents(&filled, field)), expected, "{slug}, {rows} rows");
        }
    }
}

#[test]
fn timesheets_add_hours_and_expense_reports_add_expenses_and_journeys() {
    let filled_with_twos = |slug: &str, rows| named(slug).fill(Entries { rows, answer: &yes, number: &two });
    for rows in [1, 3, 40] {
        let count = i64::try_from(rows).unwrap();
        for (slug, hours, pay, parts) in [
            ("en-timesheet", "Total hours", "Gross pay", 1),
            ("fr-feuille-de-temps", "Total des heures normales", "Rémunération brute", 2),
            ("ar-timesheet", "مجموع الساعات العادية", "إجمالي الأجر", 2),
        ] {
            let filled = filled_with_twos(slug, rows);
            assert_eq!(filled.values.get(hours), Some(&*(2 * count).to_string()), "{slug}");
            assert_eq!(cents(&filled, pay), parts * count * 400, "{slug}");
        }
        for (slug, expenses, journeys, due, of_row) in [
            ("en-expense-report", "Expenses total", "Mileage total", "Amount to reimburse", 200),
            ("fr-note-de-frais", "Total des dépenses", "Total des indemnités", "Montant à rembourser", 400),
            ("ar-expense-claim", "مجموع المصروفات", "مجموع البدل", "المبلغ المطلوب صرفه", 200),
        ] {
            let filled = filled_with_twos(slug, rows);
            let totals = [expenses, journeys, due].map(|field| cents(&filled, field));
            assert_eq!(totals, [of_row * count, 400 * count, (of_row + 400) * count], "{slug}");
        }
        let salary = filled_with_twos("ar-employment-contract", rows);
        assert_eq!(cents(&salary, "إجمالي الأجر"), 200 * (count + 1));
    }
}

#[test]
fn the_header_row_is_on_each_page_of_a_long_table() {
    for (slug, column, heading) in [
        ("en-invoice", "Description", "Unit price (£)"),
        ("fr-facture", "Désignation", "Montant HT (€)"),
        ("ar-tax-invoice", "البيان", "سعر الوحدة"),
        ("en-quotation", "Service", "Day rate (£)"),
        ("fr-devis", "Ouvrage", "Total HT (€)"),
        ("en-timesheet", "Work done", "Finish"),
        ("fr-feuille-de-temps", "Activité", "Activité ou projet"),
        ("ar-timesheet", "العمل المنجز", "العمل المنجز"),
        ("en-expense-report", "Description", "Category"),
        ("fr-note-de-frais", "Désignation", "Nature"),
        ("ar-expense-claim", "البيان", "النوع"),
    ] {
        let filled = named(slug).fill(Entries { rows: 60, answer: &yes, number: &two });
        let rows = |page: &&String| page.contains(&format!("{column}-"));
        let pages: Vec<&String> = filled.pages.iter().filter(rows).collect();
        assert!(pages.len() > 1, "{slug}: {} pages", pages.len());
        for page in pages {
            let flat = page.replace('\n', "");
            assert!(flat.contains(heading), "{slug}: no heading on {page}");
        }
    }
}
