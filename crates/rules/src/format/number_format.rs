//! Formatted numbers (ECMA-376 part 1, §17.18.59) for labels, page numbers and note marks.

use serde::Serialize;
use strum::EnumString;

use super::number_east::with_digits;
use crate::derivation::Language;

/// The format of a number (ECMA-376 part 1, §17.18.59). `FromStr` reads the values of the attribute in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum NumberFormat {
    /// 1, 2, 3 … Unknown formats in a file are read as `Decimal`.
    #[default]
    Decimal,
    /// 01, 02 … 09, 10 …
    DecimalZero,
    /// I, II, III … up to 32,767.
    UpperRoman,
    /// i, ii, iii … up to 32,767.
    LowerRoman,
    /// A, B … Z, AA, BB …
    UpperLetter,
    /// a, b … z, aa, bb …
    LowerLetter,
    /// 1st, 2nd, 3rd … in English; 1er, 2e, 3e … in French; 1., 2., 3. … in other languages.
    Ordinal,
    /// One, Two, Three …
    CardinalText,
    /// First, Second, Third …
    OrdinalText,
    /// The label is the bullet in the text of the numbering level. It has no number.
    Bullet,
    /// The number is not shown.
    None,
    /// Arabic letters in the order of the alphabet: أ, ب, ت …
    ArabicAlpha,
    /// Arabic letters in the abjad order: أ, ب, ج …
    ArabicAbjad,
    /// Hebrew letters by their numeric value: א, ב … י, יא … up to 999.
    Hebrew1,
    /// Hebrew letters in the order of the alphabet: א, ב, ג …
    Hebrew2,
    /// Decimal with the digits ٠ to ٩.
    #[strum(serialize = "hindiNumbers", serialize = "hindiCounting")]
    HindiNumbers,
    /// - 1 -, - 2 -, - 3 - …
    NumberInDash,
    /// The signs *, †, ‡, §, then the same signs doubled, tripled and so on.
    Chicago,
    /// Hexadecimal in capitals: 1 … 9, A, B …
    Hex,
    /// ①, ②, ③ … ㊿
    #[strum(serialize = "decimalEnclosedCircle", serialize = "decimalEnclosedCircleChinese")]
    DecimalEnclosedCircle,
    /// ⑴, ⑵, ⑶ … ⒇
    DecimalEnclosedParen,
    /// ⒈, ⒉, ⒊ … ⒛
    DecimalEnclosedFullstop,
    /// а, б, в …
    RussianLower,
    /// А, Б, В …
    RussianUpper,
    /// Decimal with the full-width digits ０ to ９.
    #[strum(serialize = "decimalFullWidth", serialize = "decimalFullWidth2")]
    DecimalFullWidth,
    /// Half-width katakana in the order of the syllabary: ｱ, ｲ, ｳ … ﾝ
    Aiueo,
    /// Katakana in the order of the syllabary: ア, イ, ウ … ン
    AiueoFullWidth,
    /// Half-width katakana in the order of the Iroha poem: ｲ, ﾛ, ﾊ … ﾝ
    Iroha,
    /// Katakana in the order of the Iroha poem: イ, ロ, ハ … ン
    IrohaFullWidth,
    /// Chinese counting up to 99 (九十九). Larger numbers are written digit by digit: 一〇〇 (100).
    #[strum(serialize = "chineseCounting", serialize = "taiwaneseCounting")]
    ChineseCounting,
    /// Chinese counting with simplified signs: 十二 (12), 一千〇一十三 (1,013).
    ChineseCountingThousand,
    /// Simplified Chinese signs for official amounts: 壹, 贰, 叁 …
    ChineseLegalSimplified,
    /// Chinese counting with the traditional sign 萬 for ten thousand.
    TaiwaneseCountingThousand,
    /// Each digit is one sign, without signs for ten or hundred: 二〇二六 (2026).
    #[strum(
        serialize = "ideographDigital",
        serialize = "koreanDigital2",
        serialize = "japaneseDigitalTenThousand",
        serialize = "taiwaneseDigital"
    )]
    IdeographDigital,
    /// The ten heavenly stems: 甲, 乙, 丙 … 癸
    IdeographTraditional,
    /// The twelve earthly branches: 子, 丑, 寅 … 亥
    IdeographZodiac,
    /// The sixty pairs of stem and branch: 甲子, 乙丑 … 癸亥
    IdeographZodiacTraditional,
    /// ㈠, ㈡, ㈢ … ㈩
    IdeographEnclosedCircle,
    /// Traditional Chinese signs for official amounts: 壹, 貳, 參 …
    IdeographLegalTraditional,
    /// Japanese counting: 十二 (12), 一万千百一 (11,101).
    JapaneseCounting,
    /// Japanese signs for official amounts: 壱, 弐, 参 …
    JapaneseLegal,
    /// Sino-Korean counting: 십이 (12), 백십일 (111).
    KoreanCounting,
    /// Digit by digit in Sino-Korean: 일영 (10).
    KoreanDigital,
    /// Native Korean numbers up to 99: 하나, 둘, 셋 …
    KoreanLegal,
    /// The letters 가, 나, 다 …
    Ganada,
    /// The letters ㄱ, ㄴ, ㄷ …
    Chosung,
    /// ก, ข, ค …
    ThaiLetters,
    /// Decimal with the digits ๐ to ๙.
    ThaiNumbers,
}

/// The maximum number of times that a sign is repeated. A value that needs more repetitions is written in decimal
/// digits.
const REPEAT_LIMIT: i64 = 120;

impl NumberFormat {
    /// Returns the number format of a `\\*` switch, such as `roman` or `CardText` (§17.16.4.3). Returns `None` for other
    /// switches.
    ///
    /// The first letter of `roman` and `alphabetic` selects small or capital letters. The formats in words are written in
    /// small letters by [`super::FieldFormat`].
    pub fn from_switch(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let is_lower = name.starts_with(|c: char| c.is_ascii_lowercase());
        Some(match lower.as_str() {
            "arabic" | "sbchar" => Self::Decimal,
            "arabicdash" => Self::NumberInDash,
            "roman" if is_lower => Self::LowerRoman,
            "roman" => Self::UpperRoman,
            "alphabetic" if is_lower => Self::LowerLetter,
            "alphabetic" => Self::UpperLetter,
            "ordinal" => Self::Ordinal,
            "cardtext" => Self::CardinalText,
            "ordtext" => Self::OrdinalText,
            "hex" => Self::Hex,
            "arabicabjad" => Self::ArabicAbjad,
            "arabicalpha" => Self::ArabicAlpha,
            "hebrew1" => Self::Hebrew1,
            "hebrew2" => Self::Hebrew2,
            "chicago" => Self::Chicago,
            "circlenum" | "gb3" => Self::DecimalEnclosedCircle,
            "gb1" => Self::DecimalEnclosedFullstop,
            "gb2" => Self::DecimalEnclosedParen,
            "gb4" => Self::IdeographEnclosedCircle,
            "dbchar" => Self::DecimalFullWidth,
            "dbnum1" | "dbnum4" | "kanjinum1" => Self::IdeographDigital,
            "dbnum2" | "kanjinum2" => Self::JapaneseCounting,
            "dbnum3" | "kanjinum3" => Self::JapaneseLegal,
            "chinesenum1" => Self::ChineseCounting,
            "chinesenum2" => Self::ChineseLegalSimplified,
            "chinesenum3" => Self::ChineseCountingThousand,
            "aiueo" => Self::Aiueo,
            "iroha" => Self::Iroha,
            "ganada" => Self::Ganada,
            "chosung" => Self::Chosung,
            "zodiac1" => Self::IdeographTraditional,
            "zodiac2" => Self::IdeographZodiac,
            "zodiac3" => Self::IdeographZodiacTraditional,
            "thaiarabic" => Self::ThaiNumbers,
            "thailetter" => Self::ThaiLetters,
            _ => return None,
        })
    }

    /// Returns `value` in this format.
    ///
    /// `language` (a BCP 47 tag) selects the words of ordinals and cardinals: English, French or Arabic. Other
    /// languages use English. A value that the format cannot represent is written in decimal digits.
    pub fn format_number(self, value: i64, language: Option<&str>) -> String {
        match self {
            Self::Decimal => value.to_string(),
            Self::DecimalZero => format!("{value:02}"),
            Self::UpperRoman => roman(value),
            Self::LowerRoman => roman(value).to_lowercase(),
            Self::UpperLetter => repeated_sign(value, LATIN).to_uppercase(),
            Self::LowerLetter => repeated_sign(value, LATIN),
            Self::Ordinal => ordinal(value, language),
            Self::CardinalText => super::number_words::cardinal(value, language),
            Self::OrdinalText => super::number_words::ordinal(value, language),
            Self::Bullet | Self::None => String::new(),
            Self::ArabicAlpha => repeated_sign(value, ARABIC_ALPHA),
            Self::ArabicAbjad => repeated_sign(value, ARABIC_ABJAD),
            Self::Hebrew1 => hebrew_numerals(value),
            Self::Hebrew2 => repeated_sign(value, HEBREW_ALPHA),
            Self::HindiNumbers => with_digits(value, "٠١٢٣٤٥٦٧٨٩"),
            Self::NumberInDash => format!("- {value} -"),
            Self::Chicago => repeated_sign(value, "*†‡§"),
            Self::Hex => format!("{value:X}"),
            Self::DecimalEnclosedCircle => {
                enclosed_number(value, &[(1, 20, 0x2460), (21, 35, 0x3251), (36, 50, 0x32B1)])
            }
            Self::DecimalEnclosedParen => enclosed_number(value, &[(1, 20, 0x2474)]),
            Self::DecimalEnclosedFullstop => enclosed_number(value, &[(1, 20, 0x2488)]),
            Self::RussianLower => repeated_sign(value, RUSSIAN),
            Self::RussianUpper => repeated_sign(value, RUSSIAN).to_uppercase(),
            Self::DecimalFullWidth => with_digits(value, "０１２３４５６７８９"),
            east => super::number_east::format_number(east, value).unwrap_or_else(|| value.to_string()),
        }
    }
}

const LATIN: &str = "abcdefghijklmnopqrstuvwxyz";
const ARABIC_ALPHA: &str = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي";
const ARABIC_ABJAD: &str = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ";
const HEBREW_ALPHA: &str = "אבגדהוזחטיכלמנסעפצקרשת";
const RUSSIAN: &str = "абвгдежзиклмнопрстуфхцчшщыэюя";

/// Returns the sign for `value` from the list `signs`. The value 1 has the first sign. After the last sign, the signs
/// are doubled (aa, bb …), then tripled and so on. A value below 1 is written in decimal digits.
fn repeated_sign(value: i64, signs: &str) -> String {
    let length = signs.chars().count() as i64;
    if !(1..=length * REPEAT_LIMIT).contains(&value) {
        return value.to_string();
    }
    let times = (value - 1) / length + 1;
    let sign = signs.chars().skip(((value - 1) % length) as usize).take(1);
    sign.collect::<String>().repeat(times as usize)
}

fn roman(value: i64) -> String {
    const VALUES: [i64; 13] = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];
    const SIGNS: [&str; 13] = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"];
    if !(1..=32_767).contains(&value) {
        return value.to_string();
    }
    let mut rest = value;
    let mut text = String::new();
    for (sign_value, sign) in VALUES.into_iter().zip(SIGNS) {
        while rest >= sign_value {
            text.push_str(sign);
            rest -= sign_value;
        }
    }
    text
}

fn ordinal(value: i64, language: Option<&str>) -> String {
    match language.filter(|tag| !tag.is_empty()).map(Language::from_code) {
        None | Some(Some(Language::English)) => {}
        Some(Some(Language::French)) => return format!("{value}{}", if value == 1 { "er" } else { "e" }),
        Some(_) => return format!("{value}."),
    }
    let suffix = match (value % 100, value % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{value}{suffix}")
}

fn enclosed_number(value: i64, ranges: &[(i64, i64, u32)]) -> String {
    let sign = ranges
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&value))
        .and_then(|(first, _, code)| char::from_u32(code + (value - first) as u32));
    sign.map_or_else(|| value.to_string(), String::from)
}

/// Writes `value` as a Hebrew numeral. 15 and 16 use the forms that avoid the divine name.
fn hebrew_numerals(value: i64) -> String {
    if !(1..=999).contains(&value) {
        return value.to_string();
    }
    const HUNDREDS: [&str; 10] = ["", "ק", "ר", "ש", "ת", "תק", "תר", "תש", "תת", "תתק"];
    const TENS: [&str; 10] = ["", "י", "כ", "ל", "מ", "נ", "ס", "ע", "פ", "צ"];
    const ONES: [&str; 10] = ["", "א", "ב", "ג", "ד", "ה", "ו", "ז", "ח", "ט"];
    let pick = |signs: &[&'static str; 10], place: i64| signs.get((place % 10) as usize).copied().unwrap_or("");
    let hundreds = pick(&HUNDREDS, value / 100);
    match value % 100 {
        15 => format!("{hundreds}טו"),
        16 => format!("{hundreds}טז"),
        _ => format!("{hundreds}{}{}", pick(&TENS, value / 10), pick(&ONES, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_writes_its_numbers() {
        let cases = [
            (NumberFormat::DecimalZero, 7, "07"),
            (NumberFormat::UpperRoman, 1994, "MCMXCIV"),
            (NumberFormat::LowerLetter, 27, "aa"),
            (NumberFormat::UpperLetter, 54, "BBB"),
            (NumberFormat::ArabicAbjad, 3, "ج"),
            (NumberFormat::ArabicAlpha, 3, "ت"),
            (NumberFormat::Hebrew1, 15, "טו"),
            (NumberFormat::Hebrew1, 123, "קכג"),
            (NumberFormat::HindiNumbers, 2026, "٢٠٢٦"),
            (NumberFormat::Chicago, 6, "††"),
            (NumberFormat::DecimalEnclosedCircle, 3, "③"),
            (NumberFormat::NumberInDash, 4, "- 4 -"),
            (NumberFormat::DecimalFullWidth, 10, "１０"),
            (NumberFormat::Aiueo, 2, "ｲ"),
            (NumberFormat::AiueoFullWidth, 46, "ン"),
            (NumberFormat::IrohaFullWidth, 3, "ハ"),
            (NumberFormat::Ganada, 14, "하"),
            (NumberFormat::Chosung, 1, "ㄱ"),
            (NumberFormat::ThaiLetters, 4, "ง"),
            (NumberFormat::ThaiNumbers, 205, "๒๐๕"),
            (NumberFormat::IdeographTraditional, 10, "癸"),
            (NumberFormat::IdeographZodiac, 12, "亥"),
            (NumberFormat::IdeographZodiacTraditional, 13, "丙子"),
            (NumberFormat::IdeographEnclosedCircle, 3, "㈢"),
            (NumberFormat::IdeographDigital, 2026, "二〇二六"),
            (NumberFormat::ChineseCounting, 21, "二十一"),
            (NumberFormat::ChineseCounting, 100, "一〇〇"),
            (NumberFormat::ChineseCountingThousand, 12, "十二"),
            (NumberFormat::ChineseCountingThousand, 1_013, "一千〇一十三"),
            (NumberFormat::JapaneseCounting, 11_101, "一万千百一"),
            (NumberFormat::JapaneseLegal, 11, "壱拾壱"),
            (NumberFormat::IdeographLegalTraditional, 305, "參佰零伍"),
            (NumberFormat::ChineseLegalSimplified, 12, "壹拾贰"),
            (NumberFormat::KoreanCounting, 111, "백십일"),
            (NumberFormat::KoreanDigital, 10, "일영"),
            (NumberFormat::KoreanLegal, 21, "스물하나"),
        ];
        for (format, value, text) in cases {
            assert_eq!(format.format_number(value, None), text, "{format:?} {value}");
        }
    }

    #[test]
    fn ordinals_follow_the_language() {
        assert_eq!(NumberFormat::Ordinal.format_number(22, Some("en-GB")), "22nd");
        assert_eq!(NumberFormat::Ordinal.format_number(12, None), "12th");
        assert_eq!(NumberFormat::Ordinal.format_number(1, Some("fr-FR")), "1er");
        assert_eq!(NumberFormat::Ordinal.format_number(1, Some("FR")), "1er");
        for (language, text) in [("frr", "1."), ("fy-NL", "1."), ("de", "1."), ("", "1st"), ("en_US", "1st")] {
            assert_eq!(NumberFormat::Ordinal.format_number(1, Some(language)), text, "{language}");
        }
    }

    #[test]
    fn numbers_that_a_format_cannot_write_are_decimal() {
        for format in [
            NumberFormat::LowerRoman,
            NumberFormat::LowerLetter,
            NumberFormat::Hebrew1,
            NumberFormat::Chicago,
            NumberFormat::IdeographTraditional,
            NumberFormat::KoreanLegal,
            NumberFormat::JapaneseCounting,
        ] {
            for value in [0, -3, i64::MAX, i64::MIN] {
                assert_eq!(format.format_number(value, None), value.to_string(), "{format:?}");
            }
        }
    }
}
