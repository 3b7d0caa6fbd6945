//! Characters of symbol fonts as the Unicode characters they look like, so that any font can show and any reader find
//! them. Symbol fonts keep their glyphs at U+F020 to U+F0FF, and Word shows plain letters in them too.

use std::borrow::Cow;

/// The text as it looks in that font.
pub(crate) fn in_font(text: &str, font: Option<&str>) -> String {
    let Some(map) = font.and_then(map_of) else {
        return text.chars().map(|c| private_bullet(c).unwrap_or(c)).collect();
    };
    let look = |c: char| match c as u32 {
        code @ 0x20..=0xFF => map(code).unwrap_or(c),
        code @ 0xF020..=0xF0FF => map(code - 0xF000).unwrap_or(c),
        _ => c,
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
            "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
            0xA0,
            code,
        ),
        _ => None,
    }
}

fn wingdings(code: u32) -> Option<char> {
    match code {
        0x21..=0x7F => pick(
            "🖉✂✁👓🔔📖🕯☎✆✉🖃📪📫📬📭📁📂📄🗏🗐🗄⌛🖮🖰🖲🖳🖴💾🖬✇✍🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼💧❄🕆✞🕈✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓🙰🙵●❍■□🞐❑❒⬧⧫◆❖⬥⌧⍓⌘❀✿❝❞▯",
            0x21,
            code,
        ),
        0x80..=0x95 => pick("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿", 0x80, code),
        0x9E..=0xB6 => pick("·•▪○⭕◉◉◎🔿▪◻✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐", 0x9E, code),
        0xB7..=0xC2 => char::from_u32(0x1F550 + code - 0xB7),
        0xD5..=0xFE => pick("⌫⌦◄➢▲▼⊂⊃∪∩←→↑↓↖↗↙↘←➔↑↓↖↗↙↘⇦⇨⇧⇩⇔⇕⬀⬁⬃⬂▭▫✗✓☒☑", 0xD5, code),
        _ => None,
    }
}

fn wingdings2(code: u32) -> Option<char> {
    Some(match code {
        0x21 => '🖊',
        0x4F => '✗',
        0x50 => '✓',
        0x51 => '☒',
        0x52 => '☑',
        0x53 => '☒',
        0x54 => '☒',
        0x55 => '⮽',
        0x95 | 0x97 => '•',
        0x96 => '●',
        0x98 => '●',
        0x9E => '▪',
        0x9F => '■',
        0xA0 => '■',
        0xA2 => '□',
        0xA3 => '□',
        0xA4 => '◻',
        0xAE => '◆',
        0xAF => '◇',
        _ => return None,
    })
}

fn wingdings3(code: u32) -> Option<char> {
    Some(match code {
        0x21 => '←',
        0x22 => '→',
        0x23 => '↑',
        0x24 => '↓',
        0x70 => '▲',
        0x71 => '▼',
        0x72 => '△',
        0x73 => '▽',
        0x74 => '◀',
        0x75 => '▶',
        0x76 => '◁',
        0x77 => '▷',
        0x7D => '▶',
        _ => return None,
    })
}

fn webdings(code: u32) -> Option<char> {
    Some(match code {
        0x33 => '◀',
        0x34 => '▶',
        0x35 => '▲',
        0x36 => '▼',
        0x61 => '✓',
        0x63 => '□',
        0x67 => '■',
        0x6E => '●',
        0x72 => '✗',
        _ => return None,
    })
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
        ] {
            assert_eq!(in_font(text, Some(font)), look, "{text:?} in {font}");
        }
    }
}
