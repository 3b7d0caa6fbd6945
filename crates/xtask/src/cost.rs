//! Checks docs/cost.md: usage for each document, multiplied by the prices, must give the values of the table.

use crate::steps::root;

/// Number of documents in a month, for each column of the table in docs/cost.md.
const DOCUMENTS: [f64; 4] = [0.0, 1_000.0, 100_000.0, 10_000_000.0];
const MILLION: f64 = 1e6;

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// Returns the cells of the row with this name in the table of docs/cost.md.
fn row(text: &str, name: &str) -> Vec<String> {
    let line =
        text.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap_or_else(|| panic!("no row {name}"));
    line.split('|')
        .skip(2)
        .map(|cell| cell.trim().trim_matches('*').to_owned())
        .filter(|cell| !cell.is_empty())
        .collect()
}

/// Returns the cost of a month for each row of the table in docs/cost.md, in dollars. `alarmed` is the number of metric series with
/// alarms.
fn month(documents: f64, alarmed: f64) -> [(&'static str, f64); 9] {
    let past = |used: f64, free: f64| (used - free).max(0.0);
    let (calls, logins) = (8.0 * documents, documents / 10.0);
    let gigabyte_seconds = documents * (0.2 * 1_769.0 + 7.0 * 0.03 * 600.0) / 1_024.0;
    let saved = documents / 10.0;
    let (few, many) = (past(logins, 10_000.0).min(90_000.0), past(logins, 100_000.0));
    [
        ("Lambda", past(calls, MILLION) * 0.20 / MILLION + past(gigabyte_seconds, 400_000.0) * 0.0000133334),
        ("API", calls * 1.00 / MILLION),
        ("table", documents * (14.0 * 0.625 + 30.0 * 0.125) / MILLION),
        ("files", saved * 6.0 * 120e3 / 1e9 * 0.023 + saved * 3.0 * 5.00 / MILLION),
        (
            "CDN",
            past(12.0 * documents, 10.0 * MILLION) * 1.00 / MILLION + past(documents * 400e3 / 1e9, 1_000.0) * 0.085,
        ),
        ("logs", past(calls * 1.7e3 / 1e9, 5.0) * 0.50),
        ("Cognito", few * 0.0055 + many * 0.0046),
        ("mails", logins * 1.5 * 0.10 / 1_000.0),
        ("alarms", past(alarmed, 10.0) * 0.10),
    ]
}

/// Formats an amount of dollars as in the table of docs/cost.md: from 10 dollars on without cents.
fn shown(dollars: f64) -> String {
    match dollars {
        dollars if dollars < 0.005 => "0".to_owned(),
        // Round half a cent up.
        dollars if dollars < 10.0 => format!("{:.2}", dollars + 1e-9),
        dollars => grouped(dollars),
    }
}

fn grouped(dollars: f64) -> String {
    let digits = format!("{dollars:.0}");
    match digits.len().checked_sub(3) {
        Some(place) if place > 0 => format!("{},{}", &digits[..place], &digits[place..]),
        _ => digits,
    }
}

/// Returns the number of alarms in template.yaml, and the number of their metric series. AWS charges for each series of
/// a metric math alarm.
fn alarmed() -> (usize, usize) {
    let template = document("template.yaml");
    let alarms: Vec<&str> = template.split("Type: AWS::CloudWatch::Alarm").skip(1).collect();
    let series = |alarm: &&str| {
        let properties = alarm.split("\n\n").next().unwrap_or_default();
        properties.matches("MetricStat:").count().max(1)
    };
    (alarms.len(), alarms.iter().map(series).sum())
}

#[test]
fn cost_table_matches_the_calculation() {
    let written = document("docs/cost.md");
    let (_, table) = written.split_once("## A month").unwrap();
    let (alarms, series) = alarmed();
    assert!(written.contains(&format!("| alarms | {alarms}, of {series} series")), "{alarms} alarms, {series} series");
    let (mut all, mut wrong) = ([0.0; 4], Vec::new());
    for (column, documents) in DOCUMENTS.into_iter().enumerate() {
        for (name, dollars) in month(documents, series as f64) {
            all[column] += dollars;
            let cell = &row(table, name)[column];
            if *cell != shown(dollars) {
                wrong.push(format!("{name} of {documents} documents: {cell}, but it is {}", shown(dollars)));
            }
        }
    }
    for (column, dollars) in all.into_iter().enumerate() {
        let cell = &row(table, "**all**")[column];
        if *cell != grouped(dollars) {
            wrong.push(format!("all of column {column}: {cell}, but it is {}", grouped(dollars)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_prices_are_documented() {
    let written = document("docs/cost.md");
    let (counted, _) = written.split_once("## A month").unwrap();
    for price in [
        "1.00 a million",
        "0.20 a million",
        "0.0000133334 a GB·s",
        "0.625 and 0.125 a million",
        "0.023 a GB",
        "5.00 a million writes",
        "0.085 a GB",
        "0.50 a GB",
        "0.0055",
        "0.0046",
        "0.10 a thousand",
        "0.10 a series",
    ] {
        assert!(counted.contains(price), "{price}");
    }
}
