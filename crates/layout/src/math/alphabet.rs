//! Letters of formulas: the Mathematical Alphanumeric Symbols (Unicode, U+1D400–1D7FF) by style and alphabet.

use codex::styling::{MathStyle as Style, to_style};
use waraq_docx::tree::{MathRun, MathScript, MathStyle};

/// Returns the character that is drawn instead of `character`, as the style of its run in the formula requires.
pub(super) fn drawn_character(character: char, run: &MathRun) -> char {
    if run.normal_text {
        return character;
    }
    let character = match character {
        '-' => '−',
        '*' => '∗',
        '\'' => '′',
        other => other,
    };
    in_alphabet(character, run.style, run.script)
}

/// Returns the form of a character in a mathematical alphabet, or the character itself if no alphabet contains it.
fn in_alphabet(character: char, style: MathStyle, script: MathScript) -> char {
    let bold = matches!(style, MathStyle::Bold | MathStyle::BoldItalic);
    // Digits have no italic alphabet.
    let italic = matches!(style, MathStyle::Italic | MathStyle::BoldItalic) && !character.is_ascii_digit();
    let roman = match (bold, italic) {
        (false, false) => Style::Plain,
        (true, false) => Style::Bold,
        (false, true) => Style::Italic,
        (true, true) => Style::BoldItalic,
    };
    let alphabet = match (script, bold, italic) {
        (MathScript::Roman, ..) => roman,
        (MathScript::Script, false, _) => Style::Script,
        (MathScript::Script, true, _) => Style::BoldScript,
        (MathScript::Fraktur, false, _) => Style::Fraktur,
        (MathScript::Fraktur, true, _) => Style::BoldFraktur,
        (MathScript::DoubleStruck, ..) => Style::DoubleStruck,
        (MathScript::SansSerif, false, false) => Style::SansSerif,
        (MathScript::SansSerif, true, false) => Style::SansSerifBold,
        (MathScript::SansSerif, false, true) => Style::SansSerifItalic,
        (MathScript::SansSerif, true, true) => Style::SansSerifBoldItalic,
        (MathScript::Monospace, ..) => Style::Monospace,
    };
    // Letters that an alphabet lacks (Greek letters, in most of them) are taken from the roman alphabet.
    let found = |style| to_style(character, style).next().filter(|found| *found != character);
    found(alphabet).or_else(|| found(roman)).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_outside_the_alphabet_block_are_mapped_too() {
        assert_eq!(in_alphabet('a', MathStyle::Italic, MathScript::Roman), '𝑎');
        assert_eq!(in_alphabet('h', MathStyle::Italic, MathScript::Roman), 'ℎ');
        assert_eq!(in_alphabet('x', MathStyle::Plain, MathScript::Roman), 'x');
        assert_eq!(in_alphabet('7', MathStyle::Italic, MathScript::Roman), '7');
        assert_eq!(in_alphabet('7', MathStyle::Bold, MathScript::Roman), '𝟕');
        assert_eq!(in_alphabet('R', MathStyle::Plain, MathScript::DoubleStruck), 'ℝ');
        assert_eq!(in_alphabet('Z', MathStyle::BoldItalic, MathScript::Fraktur), '𝖅');
        assert_eq!(in_alphabet('L', MathStyle::Italic, MathScript::Script), 'ℒ');
    }

    #[test]
    fn greek_letters_and_their_variants_are_found() {
        assert_eq!(in_alphabet('π', MathStyle::Italic, MathScript::Roman), '𝜋');
        assert_eq!(in_alphabet('Ω', MathStyle::Bold, MathScript::Roman), '𝛀');
        assert_eq!(in_alphabet('ϵ', MathStyle::Italic, MathScript::Roman), '𝜖');
        assert_eq!(in_alphabet('ω', MathStyle::BoldItalic, MathScript::SansSerif), '𝟂');
        assert_eq!(in_alphabet('∂', MathStyle::BoldItalic, MathScript::Roman), '𝝏');
        assert_eq!(in_alphabet('Σ', MathStyle::Plain, MathScript::Roman), 'Σ');
    }
}
