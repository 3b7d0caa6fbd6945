//! Letters of formulas: the Mathematical Alphanumeric Symbols (Unicode, U+1D400–1D7FF) by style and alphabet.

use waraq_docx::tree::{MathRun, MathScript, MathStyle};

/// The character that shows for one of a formula's run.
pub(super) fn shown(character: char, run: &MathRun) -> char {
    if run.normal_text {
        return character;
    }
    let character = match character {
        '-' => '−',
        '*' => '∗',
        '\'' => '′',
        other => other,
    };
    styled(character, run.style, run.script).unwrap_or(character)
}

fn styled(character: char, style: MathStyle, script: MathScript) -> Option<char> {
    let bold = matches!(style, MathStyle::Bold | MathStyle::BoldItalic);
    let italic = matches!(style, MathStyle::Italic | MathStyle::BoldItalic);
    match character {
        'A'..='Z' => latin(character as u32 - 'A' as u32, script, bold, italic),
        'a'..='z' => latin(26 + character as u32 - 'a' as u32, script, bold, italic),
        '0'..='9' => digit(character as u32 - '0' as u32, script, bold),
        'ı' if italic && script == MathScript::Roman => Some('𝚤'),
        'ȷ' if italic && script == MathScript::Roman => Some('𝚥'),
        _ => greek(character, script, bold, italic),
    }
}

/// `place`: 0 to 25 capitals, 26 to 51 small letters.
fn latin(place: u32, script: MathScript, bold: bool, italic: bool) -> Option<char> {
    let first = match (script, bold, italic) {
        (MathScript::Roman, false, false) => return None,
        (MathScript::Roman, true, false) => 0x1D400,
        (MathScript::Roman, false, true) => 0x1D434,
        (MathScript::Roman, true, true) => 0x1D468,
        (MathScript::Script, false, _) => 0x1D49C,
        (MathScript::Script, true, _) => 0x1D4D0,
        (MathScript::Fraktur, false, _) => 0x1D504,
        (MathScript::DoubleStruck, ..) => 0x1D538,
        (MathScript::Fraktur, true, _) => 0x1D56C,
        (MathScript::SansSerif, false, false) => 0x1D5A0,
        (MathScript::SansSerif, true, false) => 0x1D5D4,
        (MathScript::SansSerif, false, true) => 0x1D608,
        (MathScript::SansSerif, true, true) => 0x1D63C,
        (MathScript::Monospace, ..) => 0x1D670,
    };
    let code = first + place;
    older(code).or_else(|| char::from_u32(code))
}

/// Letters that were in Unicode before the block was: the block has holes there.
fn older(code: u32) -> Option<char> {
    Some(match code {
        0x1D455 => 'ℎ',
        0x1D49D => 'ℬ',
        0x1D4A0 => 'ℰ',
        0x1D4A1 => 'ℱ',
        0x1D4A3 => 'ℋ',
        0x1D4A4 => 'ℐ',
        0x1D4A7 => 'ℒ',
        0x1D4A8 => 'ℳ',
        0x1D4AD => 'ℛ',
        0x1D4BA => 'ℯ',
        0x1D4BC => 'ℊ',
        0x1D4C4 => 'ℴ',
        0x1D506 => 'ℭ',
        0x1D50B => 'ℌ',
        0x1D50C => 'ℑ',
        0x1D515 => 'ℜ',
        0x1D51D => 'ℨ',
        0x1D53A => 'ℂ',
        0x1D53F => 'ℍ',
        0x1D545 => 'ℕ',
        0x1D547 => 'ℙ',
        0x1D548 => 'ℚ',
        0x1D549 => 'ℝ',
        0x1D551 => 'ℤ',
        _ => return None,
    })
}

fn digit(value: u32, script: MathScript, bold: bool) -> Option<char> {
    let zero = match (script, bold) {
        (MathScript::DoubleStruck, _) => 0x1D7D8,
        (MathScript::SansSerif, false) => 0x1D7E2,
        (MathScript::SansSerif, true) => 0x1D7EC,
        (MathScript::Monospace, _) => 0x1D7F6,
        (_, true) => 0x1D7CE,
        _ => return None,
    };
    char::from_u32(zero + value)
}

fn greek(character: char, script: MathScript, bold: bool, italic: bool) -> Option<char> {
    let first = match (script, bold, italic) {
        (MathScript::SansSerif, true, false) => 0x1D756,
        (MathScript::SansSerif, true, true) => 0x1D790,
        (_, true, false) => 0x1D6A8,
        (_, false, true) => 0x1D6E2,
        (_, true, true) => 0x1D71C,
        _ => return None,
    };
    let place = match character {
        'Α'..='Ρ' => character as u32 - 'Α' as u32,
        'ϴ' => 17,
        'Σ'..='Ω' => character as u32 - 'Α' as u32,
        '∇' => 25,
        'α'..='ω' => 26 + character as u32 - 'α' as u32,
        '∂' => 51,
        'ϵ' => 52,
        'ϑ' => 53,
        'ϰ' => 54,
        'ϕ' => 55,
        'ϱ' => 56,
        'ϖ' => 57,
        _ => return None,
    };
    char::from_u32(first + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(character: char, style: MathStyle, script: MathScript) -> char {
        styled(character, style, script).unwrap_or(character)
    }

    #[test]
    fn letters_are_italic_unless_told_otherwise_and_holes_of_the_block_are_filled() {
        assert_eq!(of('a', MathStyle::Italic, MathScript::Roman), '𝑎');
        assert_eq!(of('h', MathStyle::Italic, MathScript::Roman), 'ℎ');
        assert_eq!(of('x', MathStyle::Plain, MathScript::Roman), 'x');
        assert_eq!(of('7', MathStyle::Italic, MathScript::Roman), '7');
        assert_eq!(of('7', MathStyle::Bold, MathScript::Roman), '𝟕');
        assert_eq!(of('R', MathStyle::Plain, MathScript::DoubleStruck), 'ℝ');
        assert_eq!(of('Z', MathStyle::BoldItalic, MathScript::Fraktur), '𝖅');
        assert_eq!(of('L', MathStyle::Italic, MathScript::Script), 'ℒ');
    }

    #[test]
    fn greek_letters_and_their_variants_are_found() {
        assert_eq!(of('π', MathStyle::Italic, MathScript::Roman), '𝜋');
        assert_eq!(of('Ω', MathStyle::Bold, MathScript::Roman), '𝛀');
        assert_eq!(of('ϵ', MathStyle::Italic, MathScript::Roman), '𝜖');
        assert_eq!(of('ω', MathStyle::BoldItalic, MathScript::SansSerif), '𝟂');
        assert_eq!(of('∂', MathStyle::BoldItalic, MathScript::Roman), '𝝏');
        assert_eq!(of('Σ', MathStyle::Plain, MathScript::Roman), 'Σ');
    }
}
