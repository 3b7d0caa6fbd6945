//! Currencies: their names, the names of their fractional units (such as *cent*), and the signs that people write next
//! to a number.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::amount::whole_and_fraction;
use super::words::{Case, Language, MAX_IN_WORDS, arabic, english, french};
use super::{NoValueReason, TemplateLocale};
use crate::name::fold;

/// The names of a currency and of its fractional unit, such as *cent*. In the countries that use the currency, the name
/// has no adjective: *dirhams* in Morocco, *Moroccan dirhams* elsewhere.
struct Names {
    code: &'static str,
    /// The number of decimals that amounts in the currency have.
    decimals: u32,
    /// The countries that use the currency (ISO 3166).
    home: &'static [&'static str],
    /// The signs that people write next to a number, in addition to the code and the names.
    signs: &'static [&'static str],
    /// The English singular and plural without an adjective, for the countries in `home`.
    english: [&'static str; 2],
    /// The English singular and plural with an adjective, for all other countries.
    english_abroad: [&'static str; 2],
    english_fraction: [&'static str; 2],
    french: [&'static str; 2],
    french_abroad: [&'static str; 2],
    french_fraction: [&'static str; 2],
    /// The Arabic singular, and the Arabic plural that is used after the numbers 3 to 10.
    arabic: [&'static str; 2],
    /// The Arabic adjective in the masculine singular, for countries that are not in `home`. Empty if the name without
    /// an adjective is already unique.
    arabic_adjective: &'static str,
    arabic_fraction: [&'static str; 2],
}

macro_rules! currencies {
    ($($name:ident = $code:literal, $decimals:literal, $home:expr, $signs:expr;
        $english:expr, $english_abroad:expr, $english_fraction:expr;
        $french:expr, $french_abroad:expr, $french_fraction:expr;
        $arabic:expr, $adjective:literal, $arabic_fraction:expr;)+) => {
        /// A currency, by its ISO 4217 code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "UPPERCASE")]
        pub enum Currency {
            $(
                #[doc = concat!("ISO 4217 code `", $code, "`.")]
                $name,
            )+
        }

        impl Currency {
            /// All currencies.
            pub const ALL: &[Currency] = &[$(Currency::$name),+];

            fn names(self) -> &'static Names {
                match self {
                    $(Currency::$name => &Names {
                        code: $code,
                        decimals: $decimals,
                        home: &$home,
                        signs: &$signs,
                        english: $english,
                        english_abroad: $english_abroad,
                        english_fraction: $english_fraction,
                        french: $french,
                        french_abroad: $french_abroad,
                        french_fraction: $french_fraction,
                        arabic: $arabic,
                        arabic_adjective: $adjective,
                        arabic_fraction: $arabic_fraction,
                    },)+
                }
            }
        }
    };
}

currencies! {
    Mad = "MAD", 2, ["MA", "EH"], ["DH", "Dhs", "د.م", "درهم", "دراهم"];
        ["dirham", "dirhams"], ["Moroccan dirham", "Moroccan dirhams"], ["centime", "centimes"];
        ["dirham", "dirhams"], ["dirham marocain", "dirhams marocains"], ["centime", "centimes"];
        ["درهم", "دراهم"], "مغربي", ["سنتيم", "سنتيمات"];
    Dzd = "DZD", 2, ["DZ"], ["DA", "د.ج", "دج", "دينار", "دنانير"];
        ["dinar", "dinars"], ["Algerian dinar", "Algerian dinars"], ["centime", "centimes"];
        ["dinar", "dinars"], ["dinar algérien", "dinars algériens"], ["centime", "centimes"];
        ["دينار", "دنانير"], "جزائري", ["سنتيم", "سنتيمات"];
    Tnd = "TND", 3, ["TN"], ["DT", "د.ت", "دينار", "دنانير"];
        ["dinar", "dinars"], ["Tunisian dinar", "Tunisian dinars"], ["millime", "millimes"];
        ["dinar", "dinars"], ["dinar tunisien", "dinars tunisiens"], ["millime", "millimes"];
        ["دينار", "دنانير"], "تونسي", ["مليم", "مليمات"];
    Lyd = "LYD", 3, ["LY"], ["LD", "د.ل", "دينار", "دنانير"];
        ["dinar", "dinars"], ["Libyan dinar", "Libyan dinars"], ["dirham", "dirhams"];
        ["dinar", "dinars"], ["dinar libyen", "dinars libyens"], ["dirham", "dirhams"];
        ["دينار", "دنانير"], "ليبي", ["درهم", "دراهم"];
    Egp = "EGP", 2, ["EG"], ["LE", "L.E.", "£E", "E£", "ج.م", "جنيه", "جنيهات"];
        ["pound", "pounds"], ["Egyptian pound", "Egyptian pounds"], ["piastre", "piastres"];
        ["livre", "livres"], ["livre égyptienne", "livres égyptiennes"], ["piastre", "piastres"];
        ["جنيه", "جنيهات"], "مصري", ["قرش", "قروش"];
    Sdg = "SDG", 2, ["SD"], ["ج.س", "جنيه", "جنيهات"];
        ["pound", "pounds"], ["Sudanese pound", "Sudanese pounds"], ["piastre", "piastres"];
        ["livre", "livres"], ["livre soudanaise", "livres soudanaises"], ["piastre", "piastres"];
        ["جنيه", "جنيهات"], "سوداني", ["قرش", "قروش"];
    Sar = "SAR", 2, ["SA"], ["SR", "ر.س", "⃁", "﷼", "ريال", "ريالات"];
        ["riyal", "riyals"], ["Saudi riyal", "Saudi riyals"], ["halala", "halalas"];
        ["riyal", "riyals"], ["riyal saoudien", "riyals saoudiens"], ["halala", "halalas"];
        ["ريال", "ريالات"], "سعودي", ["هللة", "هللات"];
    Aed = "AED", 2, ["AE"], ["DH", "Dhs", "د.إ", "درهم", "دراهم"];
        ["dirham", "dirhams"], ["UAE dirham", "UAE dirhams"], ["fils", "fils"];
        ["dirham", "dirhams"], ["dirham émirien", "dirhams émiriens"], ["fils", "fils"];
        ["درهم", "دراهم"], "إماراتي", ["فلس", "فلوس"];
    Qar = "QAR", 2, ["QA"], ["QR", "ر.ق", "﷼", "ريال", "ريالات"];
        ["riyal", "riyals"], ["Qatari riyal", "Qatari riyals"], ["dirham", "dirhams"];
        ["riyal", "riyals"], ["riyal qatarien", "riyals qatariens"], ["dirham", "dirhams"];
        ["ريال", "ريالات"], "قطري", ["درهم", "دراهم"];
    Kwd = "KWD", 3, ["KW"], ["KD", "د.ك", "دينار", "دنانير"];
        ["dinar", "dinars"], ["Kuwaiti dinar", "Kuwaiti dinars"], ["fils", "fils"];
        ["dinar", "dinars"], ["dinar koweïtien", "dinars koweïtiens"], ["fils", "fils"];
        ["دينار", "دنانير"], "كويتي", ["فلس", "فلوس"];
    Bhd = "BHD", 3, ["BH"], ["BD", "د.ب", "دينار", "دنانير"];
        ["dinar", "dinars"], ["Bahraini dinar", "Bahraini dinars"], ["fils", "fils"];
        ["dinar", "dinars"], ["dinar bahreïnien", "dinars bahreïniens"], ["fils", "fils"];
        ["دينار", "دنانير"], "بحريني", ["فلس", "فلوس"];
    Omr = "OMR", 3, ["OM"], ["RO", "ر.ع", "﷼", "ريال", "ريالات"];
        ["rial", "rials"], ["Omani rial", "Omani rials"], ["baisa", "baisas"];
        ["rial", "rials"], ["rial omanais", "rials omanais"], ["baisa", "baisas"];
        ["ريال", "ريالات"], "عماني", ["بيسة", "بيسات"];
    Yer = "YER", 2, ["YE"], ["YR", "ر.ي", "﷼", "ريال", "ريالات"];
        ["rial", "rials"], ["Yemeni rial", "Yemeni rials"], ["fils", "fils"];
        ["riyal", "riyals"], ["riyal yéménite", "riyals yéménites"], ["fils", "fils"];
        ["ريال", "ريالات"], "يمني", ["فلس", "فلوس"];
    Jod = "JOD", 3, ["JO"], ["JD", "د.أ", "دينار", "دنانير"];
        ["dinar", "dinars"], ["Jordanian dinar", "Jordanian dinars"], ["fils", "fils"];
        ["dinar", "dinars"], ["dinar jordanien", "dinars jordaniens"], ["fils", "fils"];
        ["دينار", "دنانير"], "أردني", ["فلس", "فلوس"];
    Iqd = "IQD", 3, ["IQ"], ["ID", "د.ع", "دينار", "دنانير"];
        ["dinar", "dinars"], ["Iraqi dinar", "Iraqi dinars"], ["fils", "fils"];
        ["dinar", "dinars"], ["dinar irakien", "dinars irakiens"], ["fils", "fils"];
        ["دينار", "دنانير"], "عراقي", ["فلس", "فلوس"];
    Lbp = "LBP", 2, ["LB"], ["LL", "L.L.", "ل.ل", "ليرة", "ليرات"];
        ["pound", "pounds"], ["Lebanese pound", "Lebanese pounds"], ["piastre", "piastres"];
        ["livre", "livres"], ["livre libanaise", "livres libanaises"], ["piastre", "piastres"];
        ["ليرة", "ليرات"], "لبناني", ["قرش", "قروش"];
    Syp = "SYP", 2, ["SY"], ["SP", "ل.س", "ليرة", "ليرات"];
        ["pound", "pounds"], ["Syrian pound", "Syrian pounds"], ["piastre", "piastres"];
        ["livre", "livres"], ["livre syrienne", "livres syriennes"], ["piastre", "piastres"];
        ["ليرة", "ليرات"], "سوري", ["قرش", "قروش"];
    Eur = "EUR", 2, [], ["€"];
        ["euro", "euros"], ["euro", "euros"], ["cent", "cents"];
        ["euro", "euros"], ["euro", "euros"], ["centime", "centimes"];
        ["يورو", "يورو"], "", ["سنت", "سنتات"];
    Usd = "USD", 2, ["US"], ["$", "US$", "$US"];
        ["dollar", "dollars"], ["US dollar", "US dollars"], ["cent", "cents"];
        ["dollar", "dollars"], ["dollar américain", "dollars américains"], ["cent", "cents"];
        ["دولار", "دولارات"], "أمريكي", ["سنت", "سنتات"];
    Cad = "CAD", 2, ["CA"], ["$", "CA$", "$CA", "C$"];
        ["dollar", "dollars"], ["Canadian dollar", "Canadian dollars"], ["cent", "cents"];
        ["dollar", "dollars"], ["dollar canadien", "dollars canadiens"], ["cent", "cents"];
        ["دولار", "دولارات"], "كندي", ["سنت", "سنتات"];
    Gbp = "GBP", 2, ["GB"], ["£", "جنيه", "جنيهات"];
        ["pound", "pounds"], ["pound sterling", "pounds sterling"], ["penny", "pence"];
        ["livre", "livres"], ["livre sterling", "livres sterling"], ["penny", "pence"];
        ["جنيه", "جنيهات"], "إسترليني", ["بنس", "بنسات"];
    Chf = "CHF", 2, ["CH", "LI"], ["Fr.", "SFr."];
        ["franc", "francs"], ["Swiss franc", "Swiss francs"], ["centime", "centimes"];
        ["franc", "francs"], ["franc suisse", "francs suisses"], ["centime", "centimes"];
        ["فرنك", "فرنكات"], "سويسري", ["سنتيم", "سنتيمات"];
}

/// The countries that use the euro (ISO 3166).
const EURO_COUNTRIES: [&str; 21] = [
    "AT", "BE", "BG", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PT",
    "SI", "SK",
];

/// Signs of currencies that [`Currency`] does not have.
const OTHER_SIGNS: [&str; 12] = ["$", "¥", "₹", "₺", "₽", "₪", "₩", "₦", "₴", "R$", "zł", "kr"];

/// The currencies of each sign. The signs are normalised with [`normalize_sign`].
static SIGNS: LazyLock<BTreeMap<String, Vec<Currency>>> = LazyLock::new(|| {
    let mut signs: BTreeMap<String, Vec<Currency>> = BTreeMap::new();
    for currency in Currency::ALL {
        for sign in currency.signs() {
            signs.entry(normalize_sign(&sign)).or_default().push(*currency);
        }
    }
    signs
});

/// Normalises a currency sign or name before it is looked up: `Dhs.` becomes `dhs`; `€` is not changed.
fn normalize_sign(sign: &str) -> String {
    let folded = fold(sign);
    if folded.is_empty() { sign.to_owned() } else { folded }
}

/// Returns the gender of the French name of a currency. Pounds, lire and piastres are feminine.
fn french_gender(name: &str) -> french::Gender {
    if name.starts_with("livre") || name.starts_with("piastre") {
        french::Gender::Feminine
    } else {
        french::Gender::Masculine
    }
}

impl Currency {
    /// Returns the ISO 4217 code.
    pub fn code(self) -> &'static str {
        self.names().code
    }

    /// Returns the number of decimals, such as 3 for the Tunisian dinar.
    pub fn decimals(self) -> u32 {
        self.names().decimals
    }

    /// Returns the currency of a country (ISO 3166), or `None` if it is not one of [`Currency::ALL`].
    pub(crate) fn of_country(country: &str) -> Option<Self> {
        if EURO_COUNTRIES.contains(&country) {
            return Some(Self::Eur);
        }
        Self::ALL.iter().copied().find(|currency| currency.names().home.contains(&country))
    }

    /// Returns whether `sign`, written next to a number, means this currency. `Some(false)` means that the sign belongs
    /// only to other currencies. `None` means that the sign is unknown.
    pub(crate) fn matches_sign(self, sign: &str) -> Option<bool> {
        SIGNS.get(&normalize_sign(sign)).map(|currencies| currencies.contains(&self))
    }

    /// Returns whether `sign`, written next to a number, means a currency. This includes some currencies that [`Currency`]
    /// does not have.
    pub(crate) fn is_sign(sign: &str) -> bool {
        OTHER_SIGNS.contains(&sign) || SIGNS.contains_key(&normalize_sign(sign))
    }

    /// Returns all signs and names of the currency.
    fn signs(self) -> Vec<String> {
        let names = self.names();
        let [one, few] = names.arabic;
        let adjective = names.arabic_adjective;
        let written = [names.code, one, few].into_iter().chain(names.signs.iter().copied());
        let named = [names.english, names.english_abroad, names.french, names.french_abroad].into_iter().flatten();
        // `fold` removes the tanween of the accusative ending and keeps the alef.
        let accusative = [format!("{one}ا"), format!("{one} {adjective}"), format!("{one}ا {adjective}ا")];
        written.chain(named).map(str::to_owned).chain(accusative).collect()
    }

    /// Returns an amount in words, with the names of the currency and of its fractional unit.
    ///
    /// # Errors
    /// [`NoValueReason::Negative`], [`NoValueReason::TooPrecise`], [`NoValueReason::TooLarge`].
    pub fn in_words(
        self,
        amount: Decimal,
        language: Language,
        case: Case,
        setting: &TemplateLocale,
    ) -> Result<String, NoValueReason> {
        let names = self.names();
        let (whole, fraction) = whole_and_fraction(amount, names.decimals)?;
        if whole > MAX_IN_WORDS {
            return Err(NoValueReason::TooLarge);
        }
        let abroad = !setting.country.is_some_and(|country| names.home.contains(&country));
        let (and, say): (_, Box<dyn Fn(u64, bool) -> String>) = match language {
            Language::English => {
                let own = if abroad { names.english_abroad } else { names.english };
                (
                    " and ",
                    Box::new(move |number, of_fraction| {
                        let [one, many] = if of_fraction { names.english_fraction } else { own };
                        format!("{} {}", english::cardinal(number), if number == 1 { one } else { many })
                    }),
                )
            }
            Language::French => {
                let own = if abroad { names.french_abroad } else { names.french };
                (
                    " et ",
                    Box::new(move |number, of_fraction| {
                        let [one, many] = if of_fraction { names.french_fraction } else { own };
                        french::with_noun(number, (one, many), french_gender(one))
                    }),
                )
            }
            Language::Arabic => {
                let noun = |[one, few]: [&'static str; 2]| arabic::Noun::regular(one, few);
                let adjective = if abroad { names.arabic_adjective } else { "" };
                let own = noun(names.arabic);
                let own = if adjective.is_empty() { own } else { own.with_adjective(adjective) };
                let piece = noun(names.arabic_fraction);
                (
                    " و",
                    Box::new(move |number, of_fraction| {
                        arabic::with_noun(number, if of_fraction { &piece } else { &own }, case)
                    }),
                )
            }
        };
        Ok(match (whole, fraction) {
            (_, 0) => say(whole, false),
            (0, _) => say(fraction, true),
            _ => format!("{}{and}{}", say(whole, false), say(fraction, true)),
        })
    }
}
