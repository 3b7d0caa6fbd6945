//! Readable forms of field names.

/// Returns a field name in readable form: `date_de_naissance` → `Date de naissance`, `ClientName` → `Client name`.
pub(crate) fn readable_name(name: &str) -> String {
    if name.contains(' ') {
        return name.to_owned();
    }
    let mut words: Vec<String> = Vec::new();
    for piece in name.split('_').filter(|piece| !piece.is_empty()) {
        words.extend(split_camel_case(piece));
    }
    let readable = words.join(" ");
    let mut letters = readable.chars();
    match letters.next() {
        Some(first) if words.len() > 1 || name.contains('_') => first.to_uppercase().chain(letters).collect(),
        _ => readable,
    }
}

/// Splits a name in camel case: `ClientName` → `Client`, `name`; `numeroTVA` → `numero`, `TVA`. Words after the first become lower
/// case, unless they have several capitals.
fn split_camel_case(piece: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut lower_before = false;
    for letter in piece.chars() {
        if lower_before && letter.is_uppercase() {
            words.push(String::new());
        }
        if words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(letter);
        }
        lower_before = letter.is_lowercase();
    }
    let capitals = |word: &str| word.chars().filter(|letter| letter.is_uppercase()).count() > 1;
    let lowered = |(at, word): (usize, String)| if at == 0 || capitals(&word) { word } else { word.to_lowercase() };
    words.into_iter().enumerate().map(lowered).collect()
}

/// Returns a text with a capital first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_underscores_and_camel_case_become_readable() {
        for (name, expected) in [
            ("date_de_naissance", "Date de naissance"),
            ("ClientName", "Client name"),
            ("numeroTVA", "Numero TVA"),
            ("IBAN", "IBAN"),
            ("nom", "nom"),
            ("Nom du client", "Nom du client"),
            ("اسم_العميل", "اسم العميل"),
            ("__", ""),
            ("NOM_CLIENT", "NOM CLIENT"),
        ] {
            assert_eq!(readable_name(name), expected);
        }
    }
}
