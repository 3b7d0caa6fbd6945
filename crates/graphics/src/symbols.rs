//! Maps characters of symbol fonts to the Unicode characters that they look like. Any font can then show them, and text
//! search finds them. Symbol fonts have their glyphs at U+F020 to U+F0FF. Word also shows ASCII characters with these
//! glyphs.

/// Converts text in a symbol font to Unicode characters that look the same. In other fonts, only the private-use
/// characters that are usual as bullets are converted.
pub fn to_unicode(text: &str, font: Option<&str>) -> String {
    to_unicode_with_fonts(text, font, font)
}

/// Converts text to Unicode characters that look the same. `ascii` is the font of ASCII characters, and `high_ansi` is
/// the font of all other characters (w:ascii, w:hAnsi; §17.3.2.26).
pub fn to_unicode_with_fonts(text: &str, ascii: Option<&str>, high_ansi: Option<&str>) -> String {
    let (low, high) = (ascii.and_then(symbol_map), high_ansi.and_then(symbol_map));
    if low.is_none() && high.is_none() {
        return text.chars().map(|c| private_bullet(c).unwrap_or(c)).collect();
    }
    let look = |c: char| {
        let found = match (c as u32, low, high) {
            (code @ 0x20..=0x7F, Some(map), _) | (code @ 0x80..=0xFF, _, Some(map)) => look_up(map, code),
            (code @ 0xF020..=0xF0FF, _, Some(map)) | (code @ 0xF020..=0xF0FF, Some(map), None) => {
                look_up(map, code - 0xF000)
            }
            _ => None,
        };
        found.or_else(|| private_bullet(c)).unwrap_or(c)
    };
    text.chars().map(look).collect()
}

/// A map from the codes of a symbol font to Unicode characters. Each entry is a run of consecutive codes: the first
/// code, and one character for each code. A space marks a code without a character.
type SymbolMap = &'static [(u32, &'static str)];

fn look_up(map: SymbolMap, code: u32) -> Option<char> {
    let found = map.iter().find_map(|(first, signs)| signs.chars().nth(code.checked_sub(*first)? as usize));
    found.filter(|sign| *sign != ' ')
}

fn symbol_map(font: &str) -> Option<SymbolMap> {
    Some(match font.to_ascii_lowercase().as_str() {
        "symbol" => SYMBOL,
        "wingdings" => WINGDINGS,
        "wingdings 2" => WINGDINGS2,
        "wingdings 3" => WINGDINGS3,
        "webdings" => WEBDINGS,
        _ => return None,
    })
}

/// Returns the Unicode character for a private-use character that is usual as a bullet, whatever its font is. Returns
/// `None` for all other characters.
fn private_bullet(c: char) -> Option<char> {
    match c {
        '\u{F020}' => Some(' '),
        '\u{F0B7}' => Some('•'),
        '\u{F0A7}' => Some('▪'),
        '\u{F0D8}' => Some('➢'),
        '\u{F0FC}' => Some('✓'),
        '\u{F0A8}' => Some('◻'),
        '\u{F06F}' => Some('□'),
        '\u{F0E0}' => Some('→'),
        _ => None,
    }
}

/// Adobe's Symbol encoding.
const SYMBOL: &[(u32, &str)] = &[
    (
        0x20,
        " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνο\
         πθρστυϖωξψζ{|}∼",
    ),
    (
        0xA0,
        "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ \
         ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
    ),
];

const WINGDINGS: &[(u32, &str)] = &[
    (
        0x21,
        "🖉✂✁👓🕭🕮🕯☎✆✉🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓🙰🙵●❍■□🞐\
         ❑❒⬧⧫◆❖⬥⌧⍓⌘❀✿❝❞▯",
    ),
    (0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
    (0x96, "🙢🙠🙡🙣🙞🙜🙝🙟"),
    (0x9E, "·•▪○⭕◉◉◎🔿▪◻✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐"),
    (0xB7, "🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛"),
    (0xC3, "⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓"),
    (0xD5, "⌫⌦◄➢▲▼⊂⊃∪∩←→↑↓↖↗↙↘←➔↑↓↖↗↙↘⇦⇨⇧⇩⇔⇕⬀⬁⬃⬂▭▫✗✓☒☑"),
];

const WINGDINGS2: &[(u32, &str)] = &[
    (
        0x21,
        "🖊🖋🖌🖍✄✀🕾🕽🗅🗆🗇🗈🗉🗊🗋🗌🗍📋🗑🗔🖵🖶🖷🖸🖭🖯🖱🖒🖓🖘🖙🖚🖛👈👉🖜🖝🖞🖟🖠🖡👆👇🖢🖣🖑✗✓☒☑☒☒⮾⮿🛇⦸🙱🙴🙲🙳‽🙹🙺🙻🙦🙤🙥🙧🙚🙘🙙🙛⓪①②③④⑤⑥⑦\
         ⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿",
    ),
    (
        0x80,
        "☉🌕☽☾⸿✝🕇🕜🕝🕞🕟🕠🕡🕢🕣🕤🕥🕦🕧🙨🙩⋅🞄⦁●●🞅🞇🞉⊙⦿🞌🞍◾■□🞑🞒🞓🞔▣🞕🞖🞗🞘⬩⬥◇🞚◈🞛🞜🞝🞞⬪⬧◊🞠◖◗⯊⯋⯀⯁⬟⯂⬣⬢⯃⯄🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪\
         🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺🞻🞼🞽🞾🞿🟀🟂🟄🟆🟉🟊✶🟌🟎🟐🟒✹🟃🟇✯🟍🟔⯌⯍※⁂",
    ),
];

const WINGDINGS3: &[(u32, &str)] = &[
    (
        0x21,
        "←→↑↓⭦⭧⭩⭨⭰⭲⭱⭳⭶⭸⭻⭽⭤⭥⭪⭬⭫⭭⭍⮠⮡⮢⮣⮤⮥⮦⮧⮐⮑⮒⮓⮀⮃⭾⭿⮄⮆⮅⮇⮏⮍⮎⮌⭮⭯⎋⌤⌃⌥␣⍽⇪⮸🢠🢡🢢🢣🢤🢥🢦🢧🢨🢩🢪🢫🡐🡒🡑🡓🡔🡕🡗🡖🡘🡙▲\
         ▼△▽◀▶◁▷◣◢◤◥🞀🞂🞁",
    ),
    (
        0x80,
        "🞃⯅⯆⯇⯈⮜⮞⮝⮟🠐🠒🠑🠓🠔🠖🠕🠗🠘🠚🠙🠛🠜🠞🠝🠟🠀🠂🠁🠃🠄🠆🠅🠇🠈🠊🠉🠋🠠🠢🠤🠦🠨🠪🠬🢜🢝🢞🢟🠮🠰🠲🠴🠶🠸🠺🠹🠻🢘🢚🢙🢛🠼🠾🠽🠿🡀🡂🡁🡃🡄🡆🡅🡇⮨⮩⮪⮫⮬⮭⮮\
         ⮯🡠🡢🡡🡣🡤🡥🡧🡦🡰🡲🡱🡳🡴🡵🡷🡶🢀🢂🢁🢃🢄🢅🢇🢆🢐🢒🢑🢓🢔🢕🢗🢖",
    ),
];

const WEBDINGS: &[(u32, &str)] = &[
    (
        0x21,
        "🕷🕸🕲🕶🏆🎖🖇🗨🗩🗰🗱🌶🎗🙾🙼🗕🗖🗗◀▶▲▼⏪⏩⏮⏭⏸⏹⏺🗚🗳🛠🏗🏘🏙🏚🏜🏭🏛🏠🏖🏝🛣🔍🏔👁👂🏞🏕🛤🏟🛳🕬🕫🕨🔈🎔🎕🗬🙽🗭🗪🗫⮔✓🚲□🛡📦🛱■🚑🛈🛩🛰🟈🕴●🛥🚔\
         🗘✗❓🛲🚇🚍⛳🛇⊖🚭🗮|🗯🗲",
    ),
    (
        0x80,
        "🚹🚺🛉🛊🚼👽🏋⛷🏂🏌🏊🏄🏍🏎🚘🗠🛢💰🏷💳👪🗡🗢🗣✯🖄🖅🖃🖆🖹🖺🖻🕵🕰🖽🖾📋🗒🗓🕮📚🗞🗟🗃🗂🖼🎭🎜🎘🎙🎧💿🎞📷🎟🎬📽📹📾📻🎚🎛📺💻🖥🖦🖧🕹🎮🕻🕼📟🖁🖀🖨🖩🖿🖪🗜🔒\
         🔓🗝📥📤🕳🌣🌤🌥🌦☁🌧🌨🌩🌪🌬🌫🌜🌡🛋🛏🍽🍸🛎🛍Ⓟ♿🛆🖈🎓🗤🗥🗦🗧🛪🐿🐦🐟🐕🐈🙬🙮🙭🙯🗺🌍🌏🌎🕊",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_symbol_fonts_become_unicode() {
        for (text, font, look) in [
            ("\u{F0B7}", "Symbol", "•"),
            ("·", "Symbol", "•"),
            ("\u{F0A7}", "Wingdings", "▪"),
            ("\u{F0FC}", "Wingdings", "✓"),
            ("ü", "Wingdings", "✓"),
            ("\u{F0D8}", "Wingdings", "➢"),
            ("\u{F071}", "Wingdings", "❑"),
            ("\u{F076}", "Wingdings", "❖"),
            ("\u{F0E0}", "Wingdings", "→"),
            ("\u{F0E8}", "Wingdings", "➔"),
            ("\u{F0A8}", "Wingdings", "◻"),
            ("\u{F0FE}", "Wingdings", "☑"),
            ("abg", "Symbol", "αβγ"),
            ("\u{F0A3}", "Symbol", "≤"),
            ("\u{F0FE}", "Symbol", "⎭"),
            ("o", "Courier New", "o"),
            ("\u{F0B7}", "Calibri", "•"),
            ("P", "Wingdings 2", "✓"),
            ("\u{F0A3}", "Wingdings 2", "□"),
            ("\u{F0F9}", "Wingdings 2", "⁂"),
            ("\u{F088}", "Wingdings 3", "⮟"),
            ("\u{F07D}", "Wingdings 3", "🞂"),
            ("\u{F0F0}", "Wingdings 3", "🢖"),
            ("\u{F09A}", "Wingdings", "🙞"),
            ("\u{F061}", "Webdings", "✓"),
            ("\u{F0FF}", "Webdings", "🕊"),
            ("\u{F0C3}", "Wingdings", "⮰"),
            ("\u{F020}", "Calibri", " "),
            ("\u{F020}", "Wingdings", " "),
        ] {
            assert_eq!(to_unicode(text, Some(font)), look, "{text:?} in {font}");
        }
    }
}
