//! Numbers in the scripts of China, Japan, Korea and Thailand (ECMA-376 part 1, §17.18.59).

use super::NumberFormat;

/// Returns `value` in an East Asian or Thai format. Returns `None` for other formats, and for values that the format
/// cannot represent.
pub(super) fn format_number(format: NumberFormat, value: i64) -> Option<String> {
    use NumberFormat::*;
    match format {
        Aiueo => nth_sign(AIUEO_HALF, value),
        AiueoFullWidth => nth_sign(AIUEO, value),
        Iroha => nth_sign(IROHA_HALF, value),
        IrohaFullWidth => nth_sign(IROHA, value),
        Ganada => nth_sign("가나다라마바사아자차카타파하", value),
        Chosung => nth_sign("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ", value),
        ThaiLetters => nth_sign(THAI, value),
        IdeographTraditional => nth_sign(STEMS, value),
        IdeographZodiac => nth_sign(BRANCHES, value),
        IdeographZodiacTraditional if (1..=60).contains(&value) => {
            let pair = [nth_sign(STEMS, (value - 1) % 10 + 1)?, nth_sign(BRANCHES, (value - 1) % 12 + 1)?];
            Some(pair.concat())
        }
        IdeographEnclosedCircle => nth_sign("㈠㈡㈢㈣㈤㈥㈦㈧㈨㈩", value),
        KoreanLegal => korean_native(value),
        IdeographDigital | ChineseCounting if !(1..=99).contains(&value) || format == IdeographDigital => {
            Some(with_digits(value, "〇一二三四五六七八九"))
        }
        KoreanDigital => Some(with_digits(value, "영일이삼사오육칠팔구")),
        ThaiNumbers => Some(with_digits(value, "๐๑๒๓๔๕๖๗๘๙")),
        _ => write_counting(counting_system(format)?, value),
    }
}

const STEMS: &str = "甲乙丙丁戊己庚辛壬癸";
const BRANCHES: &str = "子丑寅卯辰巳午未申酉戌亥";
const AIUEO: &str = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";
const AIUEO_HALF: &str = "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ";
const IROHA: &str = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン";
const IROHA_HALF: &str = "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ";
const THAI: &str = "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ";

fn nth_sign(signs: &str, value: i64) -> Option<String> {
    signs.chars().nth(usize::try_from(value.checked_sub(1)?).ok()?).map(String::from)
}

/// Writes `value` in decimal digits of another script. `digits` has the ten digits of that script, from zero to nine.
pub(super) fn with_digits(value: i64, digits: &str) -> String {
    let sign = |c: char| c.to_digit(10).and_then(|digit| digits.chars().nth(digit as usize)).unwrap_or(c);
    value.to_string().chars().map(sign).collect()
}

/// A number system with signs for ten, hundred, thousand and ten thousand.
struct CountingSystem {
    digits: &'static str,
    /// The signs for ten, hundred and thousand.
    units: [&'static str; 3],
    myriad: &'static str,
    /// The sign written once for one or more zeros between two other digits. Empty: nothing is written.
    zero: &'static str,
    ones: OneRule,
}

/// The rule that decides if the digit one is written before a unit: 一十 or only 十 for 10.
#[derive(PartialEq)]
enum OneRule {
    Always,
    /// The digit one is written, except before a sign for ten that begins the number.
    NotFirstTen,
    /// The digit one is not written before the signs for ten, hundred and thousand. It is written before the sign for
    /// ten thousand.
    BeforeMyriad,
    Never,
}

fn counting_system(format: NumberFormat) -> Option<CountingSystem> {
    use NumberFormat::*;
    let (plain, tens) = (" 一二三四五六七八九", ["十", "百", "千"]);
    let (digits, units, myriad, zero, ones) = match format {
        ChineseCounting | ChineseCountingThousand => (plain, tens, "万", "〇", OneRule::NotFirstTen),
        TaiwaneseCountingThousand => (plain, tens, "萬", "〇", OneRule::NotFirstTen),
        JapaneseCounting => (plain, tens, "万", "", OneRule::BeforeMyriad),
        KoreanCounting => (" 일이삼사오육칠팔구", ["십", "백", "천"], "만", "", OneRule::Never),
        IdeographLegalTraditional => (" 壹貳參肆伍陸柒捌玖", ["拾", "佰", "仟"], "萬", "零", OneRule::Always),
        ChineseLegalSimplified => (" 壹贰叁肆伍陆柒捌玖", ["拾", "佰", "仟"], "萬", "零", OneRule::Always),
        JapaneseLegal => (" 壱弐参四伍六七八九", ["拾", "百", "阡"], "萬", "", OneRule::Always),
        _ => return Option::None,
    };
    Some(CountingSystem { digits, units, myriad, zero, ones })
}

fn write_counting(counting: CountingSystem, value: i64) -> Option<String> {
    if !(1..100_000_000).contains(&value) {
        return None;
    }
    let mut text = String::new();
    let mut gap = false;
    for place in (0..8).rev() {
        let digit = value / 10_i64.pow(place) % 10;
        let unit = (place % 4).checked_sub(1).and_then(|unit| counting.units.get(unit as usize)).copied();
        if digit == 0 {
            gap |= !text.is_empty();
        } else {
            if std::mem::take(&mut gap) {
                text.push_str(counting.zero);
            }
            let is_written = digit != 1
                || match counting.ones {
                    OneRule::Always => true,
                    OneRule::NotFirstTen => !(text.is_empty() && place % 4 == 1),
                    OneRule::BeforeMyriad => unit.is_none(),
                    OneRule::Never => unit.is_none() && !(place == 4 && text.is_empty()),
                };
            text.extend(counting.digits.chars().nth(digit as usize).filter(|_| is_written));
            text.push_str(unit.unwrap_or_default());
        }
        if place == 4 && value >= 10_000 {
            text.push_str(counting.myriad);
            gap = false;
        }
    }
    Some(text)
}

/// Returns a native Korean number. Returns `None` for values outside 1 to 99, because native numbers end at 99.
fn korean_native(value: i64) -> Option<String> {
    const TENS: [&str; 10] = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"];
    const ONES: [&str; 10] = ["", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"];
    if !(1..=99).contains(&value) {
        return None;
    }
    Some([TENS.get(value as usize / 10)?, *ONES.get(value as usize % 10)?].concat())
}
