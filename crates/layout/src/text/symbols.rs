//! Symbol fonts: their characters are numbers of pictures. Those fonts are not here, but Unicode has the pictures.

/// The Symbol font from 0x20 on (Adobe's symbol encoding); U+FFFD is nothing.
const SYMBOL: &str = concat!(
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼\u{fffd}",
    "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
    "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    "◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{fffd}⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭\u{fffd}",
);

/// Wingdings from 0x20 on; of look-alikes the one that fonts have.
const WINGDINGS: &str = concat!(
    " ✏✂✁👓🕭🕮🕯☎✆✉🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍",
    "🖎✌🖏👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼💧❄🕆✞🕈✠✡☪☯ॐ☸♈♉",
    "♊♋♌♍♎♏♐♑♒♓🙰🙵●❍■□❐❑❒⬧⧫◆❖⬥⌧⮹⌘🏵🏶🙶🙷\u{fffd}",
    "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿🙢🙠🙡🙣🙞🙜🙝🙟·•",
    "▪⚪🞆🞈◉◎🔿▪◻🟂✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘",
    "🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋🡨",
    "➔🡩🡫🡬🡭🡯🡮🡸➔🡹🡻🡼🡽🡿🡾⇦⇨⇧⇩⬄⇳⬀⬁⬃⬂🢬🢭✗✓☒☑\u{fffd}",
);

/// The text in Unicode if `family` is a symbol font, or if it holds a symbol font's characters (U+F020 to U+F0FF); else `None`.
pub(super) fn to_unicode(family: Option<&str>, text: &str) -> Option<String> {
    let private = |c: char| ('\u{f020}'..='\u{f0ff}').contains(&c);
    let table = match family.map(str::trim) {
        Some(name) if name.eq_ignore_ascii_case("Symbol") => Some(SYMBOL),
        Some(name) if name.eq_ignore_ascii_case("Wingdings") => Some(WINGDINGS),
        _ => None,
    };
    if !text.chars().any(|c| private(c) || (table.is_some() && (' '..='\u{ff}').contains(&c))) {
        return None;
    }
    let convert = |character: char| {
        let code = u32::from(character);
        let code = if private(character) { code - 0xf000 } else { code };
        match table {
            Some(table) if (0x20..=0xff).contains(&code) => {
                table.chars().nth(code as usize - 0x20).filter(|&c| c != '\u{fffd}').unwrap_or(character)
            }
            // Another symbol font: bullets are what its lower half is mostly used for.
            None if private(character) => match code {
                0xb7 => '•',
                0xa7 => '▪',
                0x6f => 'o',
                _ => character,
            },
            _ => character,
        }
    };
    Some(text.chars().map(convert).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole() {
        assert_eq!(SYMBOL.chars().count(), 224);
        assert_eq!(WINGDINGS.chars().count(), 224);
    }

    #[test]
    fn bullets_are_bullets() {
        assert_eq!(to_unicode(Some("Symbol"), "\u{f0b7}").as_deref(), Some("•"));
        assert_eq!(to_unicode(Some("Wingdings"), "\u{f0a7}\u{f0fc}\u{f0d8}n").as_deref(), Some("▪✓➢■"));
        assert_eq!(to_unicode(Some("Symbol"), "abc").as_deref(), Some("αβχ"));
        assert_eq!(to_unicode(Some("Arial"), "abc"), None);
        assert_eq!(to_unicode(Some("Webdings"), "\u{f0b7}").as_deref(), Some("•"));
    }
}
