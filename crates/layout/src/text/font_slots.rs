//! Selects one of the four fonts of a run for a character (ECMA-376 part 1, §17.3.2.26).

use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::{FontSlot, RunProperties};

/// One of the four fonts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunFontSlot {
    Ascii,
    HighAnsi,
    EastAsia,
    /// The complex-script font, with the complex-script variants of size, bold and italic.
    Complex,
}

/// Returns the font slot of a character. Returns `None` if the character (a digit, space or punctuation mark) takes the slot of
/// its neighbours. Runs marked w:rtl or w:cs use the complex slot for all characters. In other runs, letters of complex scripts
/// use the complex slot too. LibreOffice does this for all complex scripts, and Word at least for Arabic and Hebrew.
pub(super) fn slot_of_character(run: &RunProperties, character: char) -> Option<RunFontSlot> {
    if run.right_to_left || run.complex_script {
        return Some(RunFontSlot::Complex);
    }
    if character.is_ascii_alphabetic() {
        return Some(RunFontSlot::Ascii);
    }
    if character < '\u{80}' {
        return None;
    }
    let script = character.script();
    match script {
        _ if is_complex_script(script) => Some(RunFontSlot::Complex),
        Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo | Script::Yi => {
            Some(RunFontSlot::EastAsia)
        }
        Script::Common if is_east_asian(character) => Some(RunFontSlot::EastAsia),
        Script::Common if run.fonts.hint == FontSlot::EastAsia && character >= '\u{a1}' => Some(RunFontSlot::EastAsia),
        Script::Common | Script::Inherited => None,
        _ => Some(RunFontSlot::HighAnsi),
    }
}

/// Returns true for scripts that Word lays out with the complex slot.
pub(super) fn is_complex_script(script: Script) -> bool {
    matches!(
        script,
        Script::Arabic
            | Script::Hebrew
            | Script::Syriac
            | Script::Thaana
            | Script::Nko
            | Script::Devanagari
            | Script::Bengali
            | Script::Gurmukhi
            | Script::Gujarati
            | Script::Oriya
            | Script::Tamil
            | Script::Telugu
            | Script::Kannada
            | Script::Malayalam
            | Script::Sinhala
            | Script::Thai
            | Script::Lao
            | Script::Tibetan
            | Script::Myanmar
            | Script::Khmer
            | Script::Mongolian
    )
}

fn is_east_asian(character: char) -> bool {
    matches!(character, '\u{3000}'..='\u{303f}' | '\u{30fb}'..='\u{30fc}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}')
}

/// Returns the slot for a character that does not determine a slot, such as a space, and does not take one from its neighbours.
pub(super) fn default_slot(run: &RunProperties, character: char) -> RunFontSlot {
    if run.right_to_left || run.complex_script {
        RunFontSlot::Complex
    } else if character < '\u{80}' {
        RunFontSlot::Ascii
    } else {
        RunFontSlot::HighAnsi
    }
}

/// Returns the font family of a slot, or `None` if the run has no family for the slot.
pub(super) fn family_in_slot(run: &RunProperties, slot: RunFontSlot) -> Option<&str> {
    let fonts = &run.fonts;
    let (first, second) = match slot {
        RunFontSlot::Ascii => (&fonts.ascii, fonts.high_ansi.as_deref()),
        RunFontSlot::HighAnsi => (&fonts.high_ansi, fonts.ascii.as_deref()),
        RunFontSlot::EastAsia => (&fonts.east_asia, None),
        RunFontSlot::Complex => (&fonts.complex, None),
    };
    first.as_deref().or(second)
}

/// The style of text in a font slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotStyle {
    /// Font size in points, from 0.5 to 1638.
    pub size: f32,
    /// True if the text is bold.
    pub bold: bool,
    /// True if the text is italic.
    pub italic: bool,
}

/// Returns the style of text in this slot.
pub(super) fn style_in_slot(run: &RunProperties, slot: RunFontSlot) -> SlotStyle {
    let (size, bold, italic) = match slot {
        RunFontSlot::Complex => (run.size_complex, run.bold_complex, run.italic_complex),
        _ => (run.size, run.bold, run.italic),
    };
    // Word limits font sizes to 1638 points. A larger value may come from a damaged file.
    SlotStyle { size: if size.is_finite() { size.clamp(0.5, 1638.0) } else { 10.0 }, bold, italic }
}
