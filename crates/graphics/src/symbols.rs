//! Characters of symbol fonts as the Unicode characters they look like, so that any font can show and any reader find
//! them. Symbol fonts keep their glyphs at U+F020 to U+F0FF, and Word shows plain letters in them too.

use std::borrow::Cow;

/// The text as it looks in that font.
pub fn in_font(text: &str, font: Option<&str>) -> String {
    in_fonts(text, font, font)
}

/// The same with a font for the letters of ASCII and one for what is beyond them (w:ascii, w:hAnsi; §17.3.2.26).
pub fn in_fonts(text: &str, ascii: Option<&str>, high_ansi: Option<&str>) -> String {
    let (low, high) = (ascii.and_then(map_of), high_ansi.and_then(map_of));
    if low.is_none() && high.is_none() {
        return text.chars().map(|c| private_bullet(c).unwrap_or(c)).collect();
    }
    let look = |c: char| {
        let found = match (c as u32, low, high) {
            (code @ 0x20..=0x7F, Some(map), _) | (code @ 0x80..=0xFF, _, Some(map)) => map(code),
            (code @ 0xF020..=0xF0FF, _, Some(map)) | (code @ 0xF020..=0xF0FF, Some(map), None) => map(code - 0xF000),
            _ => None,
        };
        found.or_else(|| private_bullet(c)).unwrap_or(c)
    };
    text.chars().map(look).collect()
}

type Map = fn(u32) -> Option<char>;

fn map_of(font: &str) -> Option<Map> {
    let font: Cow<'_, str> = if font.is_ascii() { Cow::Owned(font.to_ascii_lowercase()) } else { return None };
    Some(match font.as_ref() {
        "symbol" => symbol,
        "wingdings" => wingdings,
        "wingdings 2" => wingdings2,
        "wingdings 3" => wingdings3,
        "webdings" => webdings,
        _ => return None,
    })
}

/// Private-use characters whose font is not known to be a symbol font are most often Symbol's bullet.
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

fn pick(table: &str, first: u32, code: u32) -> Option<char> {
    // A space stands for what is mapped to nothing.
    table.chars().nth(code.checked_sub(first)? as usize).filter(|c| *c != ' ')
}

/// Adobe's Symbol encoding.
fn symbol(code: u32) -> Option<char> {
    match code {
        0x20..=0x7E => pick(
            " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
            0x20,
            code,
        ),
        0xA0..=0xFE => pick(
            "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
            0xA0,
            code,
        ),
        _ => None,
    }
}

fn wingdings(code: u32) -> Option<char> {
    match code {
        0x21..=0x7F => pick(
            "🖉✂✁👓🕭🕮🕯☎✆✉🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓🙰🙵●❍■□🞐❑❒⬧⧫◆❖⬥⌧⍓⌘❀✿❝❞▯",
            0x21,
            code,
        ),
        0x80..=0x95 => pick("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿", 0x80, code),
        0x96..=0x9D => pick("🙢🙠🙡🙣🙞🙜🙝🙟", 0x96, code),
        0x9E..=0xB6 => pick("·•▪○⭕◉◉◎🔿▪◻✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐", 0x9E, code),
        0xB7..=0xC2 => char::from_u32(0x1F550 + code - 0xB7),
        0xC3..=0xD4 => pick("⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓", 0xC3, code),
        0xD5..=0xFE => pick("⌫⌦◄➢▲▼⊂⊃∪∩←→↑↓↖↗↙↘←➔↑↓↖↗↙↘⇦⇨⇧⇩⇔⇕⬀⬁⬃⬂▭▫✗✓☒☑", 0xD5, code),
        _ => None,
    }
}

fn wingdings2(code: u32) -> Option<char> {
    match code {
        0x21..=0x7E => pick(
            "🖊🖋🖌🖍✄✀🕾🕽🗅🗆🗇🗈🗉🗊🗋🗌🗍📋🗑🗔🖵🖶🖷🖸🖭🖯🖱🖒🖓🖘🖙🖚🖛👈👉🖜🖝🖞🖟🖠🖡👆👇🖢🖣🖑✗✓☒☑☒☒⮾⮿🛇⦸🙱🙴🙲🙳\
                ‽🙹🙺🙻🙦🙤🙥🙧🙚🙘🙙🙛⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿",
            0x21,
            code,
        ),
        0x80..=0xF9 => pick(
            "☉🌕☽☾⸿✝🕇🕜🕝🕞🕟🕠🕡🕢🕣🕤🕥🕦🕧🙨🙩⋅🞄⦁●●🞅🞇🞉⊙⦿🞌🞍◾■□🞑🞒🞓🞔▣🞕🞖🞗🞘⬩⬥◇🞚◈🞛🞜🞝🞞⬪⬧◊🞠◖◗\
                ⯊⯋⯀⯁⬟⯂⬣⬢⯃⯄🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺🞻🞼🞽🞾🞿🟀🟂🟄🟆🟉🟊✶🟌🟎🟐🟒✹🟃🟇✯🟍🟔⯌⯍\
                ※⁂",
            0x80,
            code,
        ),
        _ => None,
    }
}

fn wingdings3(code: u32) -> Option<char> {
    match code {
        0x21..=0x7E => pick(
            "←→↑↓⭦⭧⭩⭨⭰⭲⭱⭳⭶⭸⭻⭽⭤⭥⭪⭬⭫⭭⭍⮠⮡⮢⮣⮤⮥⮦⮧⮐⮑⮒⮓⮀⮃⭾⭿⮄⮆⮅⮇⮏⮍⮎⮌⭮⭯⎋⌤⌃⌥␣⍽⇪⮸🢠🢡🢢\
                🢣🢤🢥🢦🢧🢨🢩🢪🢫🡐🡒🡑🡓🡔🡕🡗🡖🡘🡙▲▼△▽◀▶◁▷◣◢◤◥🞀🞂🞁",
            0x21,
            code,
        ),
        0x80..=0xF0 => pick(
            "🞃⯅⯆⯇⯈⮜⮞⮝⮟🠐🠒🠑🠓🠔🠖🠕🠗🠘🠚🠙🠛🠜🠞🠝🠟🠀🠂🠁🠃🠄🠆🠅🠇🠈🠊🠉🠋🠠🠢🠤🠦🠨🠪🠬🢜🢝🢞🢟🠮🠰🠲🠴🠶🠸🠺🠹🠻🢘🢚🢙🢛\
                🠼🠾🠽🠿🡀🡂🡁🡃🡄🡆🡅🡇⮨⮩⮪⮫⮬⮭⮮⮯🡠🡢🡡🡣🡤🡥🡧🡦🡰🡲🡱🡳🡴🡵🡷🡶🢀🢂🢁🢃🢄🢅🢇🢆🢐🢒🢑🢓🢔🢕🢗🢖",
            0x80,
            code,
        ),
        _ => None,
    }
}

fn webdings(code: u32) -> Option<char> {
    match code {
        0x21..=0x7E => pick(
            "🕷🕸🕲🕶🏆🎖🖇🗨🗩🗰🗱🌶🎗🙾🙼🗕🗖🗗◀▶▲▼⏪⏩⏮⏭⏸⏹⏺🗚🗳🛠🏗🏘🏙🏚🏜🏭🏛🏠🏖🏝🛣🔍🏔👁👂🏞🏕🛤🏟🛳🕬🕫🕨🔈🎔🎕🗬🙽\
                🗭🗪🗫⮔✓🚲□🛡📦🛱■🚑🛈🛩🛰🟈🕴●🛥🚔🗘✗❓🛲🚇🚍⛳🛇⊖🚭🗮|🗯🗲",
            0x21,
            code,
        ),
        0x80..=0xFF => pick(
            "🚹🚺🛉🛊🚼👽🏋⛷🏂🏌🏊🏄🏍🏎🚘🗠🛢💰🏷💳👪🗡🗢🗣✯🖄🖅🖃🖆🖹🖺🖻🕵🕰🖽🖾📋🗒🗓🕮📚🗞🗟🗃🗂🖼🎭🎜🎘🎙🎧💿🎞📷🎟🎬📽📹📾📻\
                🎚🎛📺💻🖥🖦🖧🕹🎮🕻🕼📟🖁🖀🖨🖩🖿🖪🗜🔒🔓🗝📥📤🕳🌣🌤🌥🌦☁🌧🌨🌩🌪🌬🌫🌜🌡🛋🛏🍽🍸🛎🛍Ⓟ♿🛆🖈🎓🗤🗥🗦🗧🛪🐿🐦🐟🐕🐈🙬\
                🙮🙭🙯🗺🌍🌏🌎🕊",
            0x80,
            code,
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_bullets() {
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
            assert_eq!(in_font(text, Some(font)), look, "{text:?} in {font}");
        }
    }
}
