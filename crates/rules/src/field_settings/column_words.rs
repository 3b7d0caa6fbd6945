//! Detects the role of an amount or number in an invoice, a quotation or a similar document from its name or column
//! heading, in English, French or Arabic: quantity, unit price, total, tax.

use super::words::NameWords;

/// The role of an amount or number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AmountRole {
    /// A number of pieces, hours or days.
    Quantity,
    /// The price of one piece, hour or day.
    UnitPrice,
    /// A discount.
    Discount,
    /// A total. In a row, this is the total of the row.
    Total,
    /// A total before tax.
    Subtotal,
    /// A total with tax, or the amount to pay.
    GrandTotal,
    /// The rate of a tax, as a percentage.
    TaxRate,
    /// The amount of a tax.
    Tax,
    /// An amount in words.
    InWords,
}

/// Words that mean that an amount is written in words.
pub(crate) const IN_WORDS: &[&str] = &["words", "word", "letters", "letter", "lettres", "lettre", "كتابه", "حروف"];
const DISCOUNT: &[&str] = &["discount", "rebate", "remise", "rabais", "ristourne", "خصم", "تخفيض"];
const TAX: &[&str] = &["vat", "tva", "tax", "taxes", "taxe", "gst", "ضريبه"];
const RATE: &[&str] = &["rate", "taux", "percentage", "percent", "pourcentage", "نسبه", "معدل"];
/// Words of a total, or of a number, that exclude the amount of a tax.
const WITH_OR_WITHOUT_TAX: &[&str] = &[
    "ttc",
    "ht",
    "hors",
    "toutes",
    "incl",
    "including",
    "inclusive",
    "included",
    "comprises",
    "excl",
    "excluding",
    "exclusive",
    "before",
    "after",
    "net",
    "gross",
    "شامل",
    "شامله",
    "قبل",
    "بعد",
    "بدون",
];
/// Words of identification numbers, such as a VAT number.
const IDENTIFIERS: &[&str] = &["number", "no", "id", "numero", "n", "code", "identifiant", "رقم", "رمز"];
const TOTAL: &[&str] = &["total", "totals", "amount", "sum", "montant", "somme", "اجمالي", "مجموع", "مبلغ"];
const SUBTOTAL: &[&str] = &[
    "subtotal",
    "sub",
    "sous",
    "ht",
    "hors",
    "excl",
    "excluding",
    "exclusive",
    "before",
    "net",
    "فرعي",
    "قبل",
    "بدون",
];
const GRAND_TOTAL: &[&str] = &[
    "grand",
    "ttc",
    "toutes",
    "incl",
    "including",
    "inclusive",
    "due",
    "payable",
    "payer",
    "general",
    "شامل",
    "شامله",
    "مستحق",
    "نهايي",
    "كلي",
    "بعد",
];
const PRICE: &[&str] = &["price", "prix", "pu", "tarif", "سعر", "ثمن"];
/// Words that make a cost or rate the price of one unit.
const PER_UNIT: &[&str] =
    &["unit", "unitaire", "hourly", "daily", "horaire", "journalier", "per", "وحده", "ساعه", "يوم"];
const COST: &[&str] = &["cost", "rate", "cout", "taux", "fee", "تكلفه", "اجر", "اجره"];
const QUANTITY: &[&str] = &[
    "quantity",
    "qty",
    "quantite",
    "qte",
    "hours",
    "hrs",
    "heures",
    "days",
    "jours",
    "nights",
    "nuits",
    "units",
    "unites",
    "pieces",
    "كميه",
    "عدد",
    "ساعات",
    "ايام",
    "وحدات",
];

/// Returns the role that a name or a column heading describes, or `None` if it describes none.
pub(crate) fn amount_role(text: &str) -> Option<AmountRole> {
    let words = NameWords::split(text);
    let named = words.without_final_numbers();
    if named.is_empty() || named.len() > 8 {
        return None;
    }
    let has = |any: &[&str]| words.contains_any(any);
    // `VAT %` is a rate, and `VAT (20 %)` is the amount of a tax with a fixed rate.
    let is_percent = text.contains(['%', '٪']) && !text.contains(char::is_numeric);
    if has(IN_WORDS) {
        return Some(AmountRole::InWords);
    }
    if has(IDENTIFIERS) && !has(QUANTITY) {
        return None;
    }
    if has(DISCOUNT) {
        return Some(AmountRole::Discount);
    }
    let is_total = has(TOTAL);
    if has(TAX) && (has(RATE) || (is_percent && !is_total && named.len() == 1)) {
        return Some(AmountRole::TaxRate);
    }
    if has(TAX) && !has(WITH_OR_WITHOUT_TAX) && !has(PRICE) {
        return Some(AmountRole::Tax);
    }
    if has(PRICE) && !is_total || has(COST) && has(PER_UNIT) {
        return Some(AmountRole::UnitPrice);
    }
    if has(QUANTITY) {
        return Some(AmountRole::Quantity);
    }
    let is_due = has(&["due", "payer"]) && has(&["balance", "net", "reste", "solde"]);
    if has(GRAND_TOTAL) && (is_total || is_due) {
        return Some(AmountRole::GrandTotal);
    }
    if named == ["subtotal"] || is_total && has(SUBTOTAL) {
        return Some(AmountRole::Subtotal);
    }
    is_total.then_some(AmountRole::Total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_by_names_in_three_languages() {
        use AmountRole::*;
        for (role, names) in [
            (Quantity, &["Quantity", "qty", "Hours", "Qté", "Heures", "Nombre de jours", "الكمية", "عدد الساعات"][..]),
            (
                UnitPrice,
                &["Unit price", "Price", "Hourly rate", "Prix unitaire", "PU HT", "Taux horaire", "سعر الوحدة"],
            ),
            (Discount, &["Discount", "Remise", "الخصم"]),
            (Total, &["Total", "Line total", "Amount", "Montant", "Prix total", "المجموع", "الإجمالي", "المبلغ"]),
            (Subtotal, &["Subtotal", "Sub-total", "Total HT", "Sous-total", "Total excl. VAT", "المجموع الفرعي"]),
            (
                GrandTotal,
                &["Grand total", "Total TTC", "Amount due", "Net à payer", "Total incl. VAT", "الإجمالي المستحق"],
            ),
            (TaxRate, &["VAT rate", "VAT %", "Taux de TVA", "نسبة الضريبة"]),
            (Tax, &["VAT", "TVA", "Total VAT", "VAT amount", "TVA (20 %)", "ضريبة القيمة المضافة"]),
            (InWords, &["Total in words", "Montant en lettres", "المبلغ كتابة"]),
        ] {
            for name in names {
                assert_eq!(amount_role(name), Some(role), "{name}");
            }
        }
        for name in ["Description", "VAT number", "Numéro de TVA", "الرقم الضريبي", "Name", "", "Rate"] {
            assert_eq!(amount_role(name), None, "{name}");
        }
    }
}
