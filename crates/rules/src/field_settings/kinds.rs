//! Detects the kind of a value from the field name, in English, French or Arabic. The detection does not need to know
//! the language of the name, because few words have different meanings in these languages.
//!
//! A wrong kind is worse than none. Therefore only one word of a name decides: the last word in English, and the first
//! word in French and Arabic. This word is the noun that the other words describe. For example, a `Rent payment
//! account` is not a rent, and a `Deposit scheme` is not a deposit.

use super::ValueKind;
use super::words::NameWords;

/// English prepositions. A preposition and the words after it are ignored: `Date of birth`, `Price per unit`.
const ENGLISH_PREPOSITIONS: &[&str] = &["of", "from", "for", "per", "to", "in", "before", "by", "on", "at", "after"];

/// Words that exclude an amount in digits. If a field name contains one of these words, the value is not an amount in
/// digits, even if another word of the name means money.
const NOT_AMOUNT_WORDS: &[&str] = &[
    "words",
    "word",
    "letters",
    "lettres",
    "lettre",
    "كتابه",
    "حروف",
    "احرف",
    "taux",
    "rate",
    "percentage",
    "percent",
    "pourcentage",
    "نسبه",
    "day",
    "days",
    "jour",
    "jours",
    "mode",
    "account",
    "compte",
    "number",
    "numero",
    "month",
    "mois",
    "period",
    "currency",
    "devise",
    "عمله",
    "date",
    "type",
    "نوع",
    "طريقه",
];

const AMOUNT_LAST_WORDS: &[&str] = &[
    "amount", "price", "subtotal", "salary", "rent", "fee", "fees", "cost", "costs", "wage", "wages", "deposit",
    "balance", "budget", "payable",
];

/// A field name that contains `total` or `sum` means an amount of money if all its words are in this list: `Total VAT`,
/// `Total amount due`, `Total TTC`.
const TOTAL_WORDS: &[&str] = &[
    "total",
    "amount",
    "sum",
    "price",
    "due",
    "net",
    "gross",
    "vat",
    "tax",
    "taxes",
    "ht",
    "ttc",
    "tva",
    "hors",
    "toutes",
    "comprises",
    "general",
    "a",
    "payer",
    "brut",
    "paid",
    "payable",
    "excl",
    "incl",
    "excluding",
    "including",
    "grand",
    "sub",
    "sous",
    "des",
];

const AMOUNT_FIRST_WORDS: &[&str] = &[
    // French.
    "montant",
    "prix",
    "loyer",
    "salaire",
    "remuneration",
    "solde",
    "cout",
    "tarif",
    "indemnite",
    "caution",
    "honoraires",
    "traitement",
    "pu",
    // Arabic.
    "مبلغ",
    "سعر",
    "اجمالي",
    "صافي",
    "راتب",
    "اجر",
    "اجره",
    "ايجار",
    "قيمه",
    "مصروفات",
    "رسوم",
    "تكلفه",
    "ثمن",
    "عربون",
    "مستحق",
];

/// Pairs of words at the start of a name that mean an amount of money.
const AMOUNT_FIRST_PAIRS: &[(&str, &str)] = &[
    ("depot", "garantie"),
    ("depot", "de"),
    ("provision", "pour"),
    ("restant", "du"),
    ("reste", "a"),
    ("net", "a"),
    ("capital", "social"),
    ("amount", "due"),
    ("amount", "paid"),
    ("p", "u"),
    ("بدل", "سكن"),
    ("بدل", "نقل"),
    ("بدل", "انتقال"),
];

const DATE_LAST_WORDS: &[&str] = &["date", "dob"];
const DATE_FIRST_WORDS: &[&str] = &["date", "تاريخ"];
/// Complete names of fields that contain a date, each as a list of words.
const DATE_NAMES: &[&[&str]] = &[
    &["valid", "until"],
    &["valid", "from"],
    &["last", "working", "day"],
    &["last", "day"],
    &["first", "day"],
    &["dernier", "jour", "travaille"],
    &["dernier", "jour", "de", "travail"],
    &["fait", "le"],
    &["signe", "le"],
    &["etabli", "le"],
    &["ne", "le"],
    &["nee", "le"],
    &["اخر", "يوم", "عمل"],
    &["valable", "jusqu", "au"],
];

const NUMBER_FIRST_WORDS: &[&str] = &["quantity", "qty", "quantite", "qte", "nombre", "عدد", "كميه"];
const NUMBER_LAST_WORDS: &[&str] = &["quantity", "qty"];

const PHONE_WORDS: &[&str] =
    &["telephone", "phone", "mobile", "tel", "gsm", "cellphone", "هاتف", "جوال", "موبايل", "تليفون"];
const EMAIL_WORDS: &[&str] = &["email", "mail", "courriel", "mel"];

const LONG_TEXT_WORDS: &[&str] = &[
    "description",
    "responsibilities",
    "remarks",
    "comments",
    "observations",
    "remarques",
    "commentaires",
    "sentences",
    "phrases",
    "paragraph",
    "paragraphe",
    "paragraphs",
    "paragraphes",
    "ملاحظات",
    "تفاصيل",
    "وصف",
    "نبذه",
    "شرح",
    "مهام",
];

/// Returns the kind of value that a field name describes, or `None` if the name does not reveal the kind.
pub(super) fn kind_of_name(name: &str) -> Option<ValueKind> {
    let words = NameWords::split(name);
    let named = words.without_final_numbers();
    // A name with two subjects has no single kind of value.
    if words.names_two_things || named.is_empty() || named.len() > 8 {
        return None;
    }
    let numbered = named.len() < words.as_slice().len();
    let first = named.first().map(String::as_str).unwrap_or_default();
    let english: &[String] = {
        let end = named.iter().position(|word| ENGLISH_PREPOSITIONS.contains(&word.as_str())).filter(|at| *at > 0);
        named.get(..end.unwrap_or(named.len())).unwrap_or_default()
    };
    let last = english.last().map(String::as_str).unwrap_or_default();
    let is = |all: &[&str], word: &str| all.contains(&word);
    let begins = |pair: &(&str, &str)| named.len() >= 2 && named[0] == pair.0 && named[1] == pair.1;
    let whole = |all: &[&str]| named.iter().map(String::as_str).eq(all.iter().copied());

    if is(EMAIL_WORDS, first) || is(EMAIL_WORDS, last) || begins(&("adresse", "electronique")) || begins(&("e", "mail"))
    {
        return Some(ValueKind::Email);
    }
    if (words.contains_any(&["e"]) && last == "mail") || (first == "بريد" && words.contains_any(&["الكتروني"]))
    {
        return Some(ValueKind::Email);
    }
    if matches!(english, [.., mail, address] if is(EMAIL_WORDS, mail) && address == "address") {
        return Some(ValueKind::Email);
    }
    let of_numbers = |word: &str| matches!(word, "numero" | "no" | "n" | "num" | "رقم");
    let second = named.iter().skip(1).find(|word| !matches!(word.as_str(), "de" | "du" | "d" | "ال"));
    if is(PHONE_WORDS, first)
        || is(PHONE_WORDS, last)
        || (of_numbers(first) && second.is_some_and(|word| is(PHONE_WORDS, word)))
    {
        return Some(ValueKind::Phone);
    }
    if matches!(named, [.., phone, number] if is(PHONE_WORDS, phone) && number == "number") {
        return Some(ValueKind::Phone);
    }
    if is(DATE_FIRST_WORDS, first) || is(DATE_LAST_WORDS, last) || DATE_NAMES.iter().any(|all| whole(all)) {
        return Some(ValueKind::Date);
    }
    if is(NUMBER_FIRST_WORDS, first) || is(NUMBER_LAST_WORDS, last) || begins(&("number", "of")) {
        return Some(ValueKind::Number);
    }
    if is_amount(&words, named, first, last)
        || AMOUNT_FIRST_PAIRS.iter().any(|pair| begins(pair) && !words.contains_any(NOT_AMOUNT_WORDS))
    {
        return Some(ValueKind::Amount);
    }
    // A field whose name ends in a number is in a row of a table, where texts are short.
    if !numbered && named.iter().any(|word| is(LONG_TEXT_WORDS, word)) {
        return Some(ValueKind::LongText);
    }
    None
}

fn is_amount(words: &NameWords, named: &[String], first: &str, last: &str) -> bool {
    if words.contains_any(NOT_AMOUNT_WORDS) {
        return false;
    }
    let of_money = |word: &String| TOTAL_WORDS.contains(&word.as_str());
    let is_total = named.iter().any(|word| matches!(word.as_str(), "total" | "sum")) && named.iter().all(of_money);
    is_total || AMOUNT_FIRST_WORDS.contains(&first) || AMOUNT_LAST_WORDS.contains(&last)
}

/// Returns whether a currency is directly before or after a field. The value of such a field is an amount of money.
pub(super) fn is_beside_currency(before: &str, after: &str) -> bool {
    const SIGNS: [char; 4] = ['€', '$', '£', '¥'];
    let behind = after.trim_start_matches(|letter: char| letter.is_whitespace());
    if before.trim_end().ends_with(SIGNS) || behind.starts_with(SIGNS) {
        return true;
    }
    // Before the field, only a currency code counts, as in “the sum of EUR”. After the field, a code or a currency name
    // counts if it is a separate word.
    let word = |text: Option<&str>| text.map(|word| super::words::NameWords::split(word).as_slice().first().cloned());
    let next = word(behind.split_whitespace().next()).flatten();
    let previous = word(before.split_whitespace().next_back()).flatten();
    let touches = after.is_empty() || after.starts_with(char::is_whitespace);
    let is_code = |found: Option<&String>| found.is_some_and(|found| CURRENCY_CODES.contains(&found.as_str()));
    let is_word = |found: Option<&String>| found.is_some_and(|found| CURRENCY_NAMES.contains(&found.as_str()));
    touches && (is_code(next.as_ref()) || is_word(next.as_ref())) || is_code(previous.as_ref())
}

const CURRENCY_CODES: &[&str] = &[
    "eur", "usd", "gbp", "chf", "mad", "tnd", "dzd", "egp", "sar", "aed", "qar", "kwd", "bhd", "omr", "jod", "xof",
    "xaf",
];
const CURRENCY_NAMES: &[&str] = &[
    "euro",
    "euros",
    "dollars",
    "pounds",
    "dinars",
    "dirhams",
    "riyals",
    "francs",
    "يورو",
    "دينار",
    "دينارا",
    "درهم",
    "درهما",
    "ريال",
    "ريالا",
    "جنيه",
    "جنيها",
    "دولار",
    "دولارا",
];
