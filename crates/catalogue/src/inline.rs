//! Converts inline markup into runs (ECMA-376 part 1, §17.3.2).

/// Escapes text for XML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Typographic options of the runs of a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextOptions {
    /// True for a right-to-left document. All its runs have `w:rtl`, except runs of Latin letters.
    pub right_to_left: bool,
    /// True for French text. The spaces before `: ; ? ! » % €` and after `«` become no-break spaces.
    pub french: bool,
}

impl TextOptions {
    pub fn for_language(language: crate::source::Language) -> Self {
        Self { right_to_left: language.is_right_to_left(), french: language == crate::source::Language::French }
    }
}

/// Returns the XML of the runs of a text with inline markup. A field (`{{…}}`) is in one run together with the text
/// around it.
pub fn runs(text: &str, setting: TextOptions) -> String {
    let mut out = String::new();
    let (mut bold, mut italic) = (false, false);
    let mut piece = String::new();
    let text = if setting.french { french_spaces(text) } else { text.to_owned() };
    let mut rest = text.as_str();
    while let Some(next) = rest.chars().next() {
        let (marked, length) = match rest {
            _ if rest.starts_with("**") => (true, 2),
            _ if rest.starts_with("//") => (true, 2),
            _ if rest.starts_with("\\\\") => (true, 2),
            _ => (next == '⇥', next.len_utf8()),
        };
        let mark = &rest[..length];
        rest = &rest[length..];
        if !marked {
            piece.push_str(mark);
            continue;
        }
        let broken = mark == "\\\\";
        if broken {
            piece.truncate(piece.trim_end().len());
            rest = rest.trim_start();
        }
        push_text(&mut out, &piece, bold, italic, setting);
        piece.clear();
        match mark {
            "**" => bold = !bold,
            "//" => italic = !italic,
            _ => out.push_str(&run(if broken { "<w:br/>" } else { "<w:tab/>" }, bold, italic, setting.right_to_left)),
        }
    }
    push_text(&mut out, &piece, bold, italic, setting);
    out
}

/// Replaces the spaces next to French punctuation by no-break spaces. Spaces in the names of fields are not changed.
fn french_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0_i32;
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let unbroken = depth == 0
            && letter == ' '
            && (before == Some('«') || letters.peek().is_some_and(|next| ":;?!»%€".contains(*next)));
        out.push(if unbroken { '\u{a0}' } else { letter });
        before = Some(letter);
    }
    out
}

fn push_text(out: &mut String, text: &str, bold: bool, italic: bool, setting: TextOptions) {
    for (piece, right_to_left) in split_by_direction(text, setting.right_to_left) {
        let content = format!("<w:t xml:space=\"preserve\">{}</w:t>", escape(piece));
        out.push_str(&run(&content, bold, italic, right_to_left));
    }
}

fn run(content: &str, bold: bool, italic: bool, right_to_left: bool) -> String {
    let mut properties = String::new();
    if bold {
        properties.push_str("<w:b/><w:bCs/>");
    }
    if italic {
        properties.push_str("<w:i/><w:iCs/>");
    }
    if right_to_left {
        properties.push_str("<w:rtl/>");
    }
    if properties.is_empty() {
        format!("<w:r>{content}</w:r>")
    } else {
        format!("<w:r><w:rPr>{properties}</w:rPr>{content}</w:r>")
    }
}

/// Splits text into pieces of one direction. The flag of a piece is true if the piece is right to left. If
/// `right_to_left` is false, the whole text is one left-to-right piece. Otherwise, each sequence of Latin letters is a
/// left-to-right piece, including the digits and spaces between them. An Arabic letter ends such a piece. All other
/// text is right to left.
fn split_by_direction(text: &str, right_to_left: bool) -> Vec<(&str, bool)> {
    if text.is_empty() {
        return Vec::new();
    }
    if !right_to_left {
        return vec![(text, false)];
    }
    let mut pieces = Vec::new();
    let (mut done, mut latin): (usize, Option<(usize, usize)>) = (0, None);
    let mut close = |latin: &mut Option<(usize, usize)>, done: &mut usize| {
        if let Some((start, end)) = latin.take() {
            if start > *done {
                pieces.push((&text[*done..start], true));
            }
            pieces.push((&text[start..end], false));
            *done = end;
        }
    };
    for (at, letter) in text.char_indices().filter(|(_, letter)| letter.is_alphabetic()) {
        if letter.is_ascii_alphabetic() {
            let start = latin.map_or(at, |(start, _)| start);
            latin = Some((start, at + letter.len_utf8()));
        } else {
            close(&mut latin, &mut done);
        }
    }
    close(&mut latin, &mut done);
    if done < text.len() {
        pieces.push((&text[done..], true));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_words_in_arabic_text_are_separate_runs() {
        assert_eq!(
            split_by_direction("رقم IBAN SA 1 البنك", true),
            [("رقم ", true), ("IBAN SA", false), (" 1 البنك", true)]
        );
        assert_eq!(split_by_direction("{{اسم}} (12)", true), [("{{اسم}} (12)", true)]);
    }

    #[test]
    fn french_punctuation_stays_with_its_word() {
        assert_eq!(french_spaces("Objet : « a »"), "Objet\u{a0}: «\u{a0}a\u{a0}»");
        assert_eq!(french_spaces("{{Lieu : ville}} ;"), "{{Lieu : ville}}\u{a0};");
    }

    #[test]
    fn marks_become_run_properties() {
        let xml = runs("a **b** & \\\\ //c//", TextOptions::default());
        let text = |t: &str| format!("<w:t xml:space=\"preserve\">{t}</w:t>");
        let expected = format!(
            "<w:r>{}</w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr>{}</w:r><w:r>{}</w:r><w:r><w:br/></w:r><w:r><w:rPr><w:i/><w:iCs/></w:rPr>{}</w:r>",
            text("a "),
            text("b"),
            text(" &amp;"),
            text("c")
        );
        assert_eq!(xml, expected);
    }
}
