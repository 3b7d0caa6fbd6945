//! Repair of text into well-formed XML content.

/// Maximum depth; deeper elements become empty. The engine's own depth limit is tested separately.
const MAX_DEPTH: usize = 200;

/// Returns well-formed content close to `text`. Closes open elements, escapes stray markup, and removes unmatched
/// closing tags, repeated attributes and characters that XML does not allow.
pub fn mend(text: &str) -> String {
    let mut mended = String::with_capacity(text.len() + 64);
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        escape(&rest[..at], &mut mended);
        let tag = &rest[at + 1..];
        let taken = match tag.as_bytes().first() {
            Some(b'/') => close(&tag[1..], &mut open, &mut mended).map(|length| length + 1),
            Some(_) => start(tag, &mut open, &mut mended),
            None => None,
        };
        match taken {
            Some(length) => rest = &tag[length..],
            None => {
                mended.push_str("&lt;");
                rest = tag;
            }
        }
    }
    escape(rest, &mut mended);
    for name in open.iter().rev() {
        mended.push_str(&format!("</{name}>"));
    }
    mended
}

/// Returns the XML name at the start of the text, or an empty text.
fn name(text: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '-' | '.');
    let end = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
    let name = &text[..end];
    let sound =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.ends_with(':') && name.matches(':').count() < 2;
    if sound { name } else { "" }
}

fn close(tag: &str, open: &mut Vec<&str>, mended: &mut String) -> Option<usize> {
    let name = name(tag);
    let end = tag.find('>')?;
    if name.is_empty() || name.len() != end {
        return None;
    }
    if let Some(at) = open.iter().rposition(|known| *known == name) {
        for known in open.drain(at..).rev() {
            mended.push_str(&format!("</{known}>"));
        }
    }
    Some(end + 1)
}

fn start<'t>(tag: &'t str, open: &mut Vec<&'t str>, mended: &mut String) -> Option<usize> {
    let element = name(tag);
    if element.is_empty() {
        return None;
    }
    mended.push('<');
    mended.push_str(element);
    let mut seen: Vec<&str> = Vec::new();
    let mut at = element.len();
    loop {
        let here = &tag[at..];
        at += here.len() - here.trim_start().len();
        let here = &tag[at..];
        let attribute = name(here);
        let value = here.get(attribute.len()..).and_then(|after| quoted(after.strip_prefix('=')?));
        let Some(value) = value.filter(|_| !attribute.is_empty()) else { break };
        at += attribute.len() + value.len() + 3;
        // A prefix that is bound to another namespace, or to none, would be a different test.
        if !seen.contains(&attribute) && !attribute.starts_with("xmlns") {
            seen.push(attribute);
            mended.push_str(&format!(" {attribute}=\""));
            escape(value, mended);
            mended.push('"');
        }
    }
    let here = &tag[at..];
    if let Some(after) = here.strip_prefix("/>") {
        mended.push_str("/>");
        return Some(tag.len() - after.len());
    }
    if open.len() >= MAX_DEPTH {
        mended.push_str("/>");
    } else {
        mended.push('>');
        open.push(element);
    }
    Some(if here.starts_with('>') { at + 1 } else { at })
}

/// Returns the quoted value at the start of the text.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text[1..].split_once(quote).map(|(value, _)| value)
}

fn escape(text: &str, mended: &mut String) {
    const KNOWN: [&str; 7] = ["amp;", "lt;", "gt;", "quot;", "apos;", "#160;", "#x200F;"];
    for (at, character) in text.char_indices() {
        match character {
            '&' if KNOWN.iter().any(|known| text[at + 1..].starts_with(known)) => mended.push('&'),
            '&' => mended.push_str("&amp;"),
            '<' => mended.push_str("&lt;"),
            '>' => mended.push_str("&gt;"),
            '"' => mended.push_str("&quot;"),
            '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'.. => mended.push(character),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mend;

    #[test]
    fn what_is_well_formed_stays() {
        let text = "<w:p w:a=\"1\"><w:r/>a &amp; b</w:p>";
        assert_eq!(mend(text), text);
    }

    #[test]
    fn what_is_not_is_mended() {
        assert_eq!(mend("<w:p><w:r>a</w:p></w:x>"), "<w:p><w:r>a</w:r></w:p>");
        assert_eq!(mend("a < b & c <1 </"), "a &lt; b &amp; c &lt;1 &lt;/");
        assert_eq!(mend("<a b='1' b='2' c=\"<\" d"), "<a b=\"1\" c=\"&lt;\">d</a>");
        assert_eq!(mend("<a"), "<a></a>");
    }
}
