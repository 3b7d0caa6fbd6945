//! DATE and TIME fields on the pages: names by language and country, default pictures, and the calendars.

mod page_text;
use page_text::{Template, page_lines, plain};
use waraq_engine::LayoutOptions;

/// 2026-09-21T14:13:20Z, a Monday.
const NOW: i64 = 1_790_000_000;

/// Returns a field whose text is in a language. Text in Arabic and Hebrew is marked as complex script, as Word does.
fn field(code: &str, tag: &str) -> String {
    let language = match tag.split('-').next() {
        Some("ar" | "he") => format!("<w:rtl/><w:lang w:bidi=\"{tag}\"/>"),
        _ => format!("<w:lang w:val=\"{tag}\"/>"),
    };
    let code = code.replace('"', "&quot;");
    format!("<w:fldSimple w:instr=\" {code} \"><w:r><w:rPr>{language}</w:rPr><w:t>OLD</w:t></w:r></w:fldSimple>")
}

/// Returns the lines of a document with these blocks.
fn lines(body: &str, country: Option<&str>) -> Vec<String> {
    let package = waraq_engine::open(&Template::new(body.to_owned()).to_bytes()).unwrap();
    let options = LayoutOptions { now: NOW, country: country.map(str::to_owned), ..LayoutOptions::default() };
    page_lines(&waraq_engine::lay_out(&package, &options).unwrap()).concat()
}

fn shown(code: &str, tag: &str, country: Option<&str>) -> String {
    lines(&plain(&field(code, tag)), country).concat()
}

#[test]
fn names_follow_the_language_of_the_field() {
    for (code, tag, text) in [
        (r#"DATE \@ "dddd d MMMM yyyy""#, "fr-FR", "lundi 21 septembre 2026"),
        (r#"DATE \@ "ddd d MMM yyyy""#, "fr-FR", "lun. 21 sept. 2026"),
        (r#"DATE \@ "ddd d MMM yy""#, "en-GB", "Mon 21 Sep 26"),
        (r#"DATE \@ "dddd, d. MMMM yyyy""#, "de-DE", "Montag, 21. September 2026"),
        (r#"DATE \@ "d 'de' MMMM 'de' yyyy""#, "es-ES", "21 de septiembre de 2026"),
        (r#"DATE \@ "d MMMM yyyy""#, "it-IT", "21 settembre 2026"),
        (r#"DATE \@ "d MMMM yyyy""#, "pt-PT", "21 setembro 2026"),
        (r#"DATE \@ "d MMMM yyyy dddd""#, "tr-TR", "21 Eylül 2026 Pazartesi"),
        (r#"DATE \@ "MMMM yyyy" \* Upper"#, "fr-FR", "SEPTEMBRE 2026"),
        (r#"DATE \@ "MMMM d'th' yyyy""#, "en-US", "September 21th 2026"),
        (r#"TIME \@ "HH:mm""#, "fr-FR", "14:13"),
        (r#"TIME \@ "h:mm AM/PM""#, "en-US", "2:13 PM"),
        (r#"DATE \@ "d MMMM yyyy" \h"#, "en-US", "9 Rabi II 1448"),
        (r#"DATE \@ "d MMMM yyyy" \u"#, "en-US", "10 Rabi II 1448"),
    ] {
        assert_eq!(shown(code, tag, None), text, "{code} {tag}");
    }
}

#[test]
fn arabic_and_hebrew_months_follow_the_country() {
    for (tag, country, month) in [
        ("ar-SA", None, "سبتمبر"),
        ("ar-MA", None, "شتنبر"),
        ("ar-LB", None, "أيلول"),
        ("ar-SA", Some("MA"), "شتنبر"),
        ("ar-SA", Some("SY"), "أيلول"),
        ("he-IL", None, "ספטמבר"),
        ("he-IL", Some("MA"), "ספטמבר"),
    ] {
        let text = shown(r#"DATE \@ "d MMMM yyyy""#, tag, country);
        assert!(text.contains(month), "{tag} {country:?}: {text}");
    }
}

#[test]
fn fields_without_a_picture_have_the_format_of_the_country() {
    for (code, tag, country, text) in [
        ("DATE", "en-US", None, "9/21/2026"),
        ("DATE", "en-GB", None, "21/09/2026"),
        ("DATE", "fr-FR", None, "21/09/2026"),
        ("DATE", "fr-CA", None, "2026-09-21"),
        ("DATE", "de-DE", None, "21.09.2026"),
        ("DATE", "en-US", Some("MA"), "21/09/2026"),
        ("DATE", "fr-FR", Some("CH"), "21.09.2026"),
        ("TIME", "en-US", None, "2:13 PM"),
        ("TIME", "en-GB", None, "14:13"),
        ("TIME", "fr-FR", None, "14:13"),
    ] {
        assert_eq!(shown(code, tag, country), text, "{code} {tag} {country:?}");
    }
}

#[test]
fn dates_in_tables_are_formatted_too() {
    let cell = plain(&field(r#"DATE \@ "MMMM""#, "fr-FR"));
    let table = format!("<w:tbl><w:tblPr/><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>{}", plain(""));
    assert!(lines(&table, None).contains(&"septembre".to_owned()));
}
