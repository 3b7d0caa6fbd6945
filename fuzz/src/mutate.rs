//! Mutations of XML text that keep its structure.

/// Values near the limits of numbers in Word documents.
pub const EXTREMES: [&str; 30] = [
    "0",
    "1",
    "-1",
    "2",
    "9",
    "10",
    "63",
    "255",
    "256",
    "-255",
    "1638",
    "1639",
    "31680",
    "31681",
    "32767",
    "32768",
    "65535",
    "65536",
    "99999",
    "-99999",
    "1000000",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1e30",
    "NaN",
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// Returns the text with one change. `None` leaves the mutation to libFuzzer, which knows its dictionary and traced
/// comparisons.
pub fn mutate(data: &[u8], max_size: usize, seed: u32) -> Option<Vec<u8>> {
    let mut dice = Dice(u64::from(seed) << 16 | 0x9E37);
    if dice.below(2) == 0 {
        return None;
    }
    let text = std::str::from_utf8(data).ok()?;
    let mutated = match dice.below(6) {
        0 => number(text, &mut dice)?,
        1 => value(text, &mut dice)?,
        2 => copy(text, &mut dice)?,
        3 => remove(text, &mut dice)?,
        4 => nest(text, &mut dice)?,
        _ => swap(text, &mut dice)?,
    };
    (mutated.len() <= max_size).then(|| mutated.into_bytes())
}

/// Returns the range of a random element, from its start tag to its end tag.
fn element(text: &str, dice: &mut Dice) -> Option<std::ops::Range<usize>> {
    let starts: Vec<usize> = text
        .match_indices('<')
        .map(|(at, _)| at)
        .filter(|at| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic()))
        .collect();
    let start = *starts.get(dice.below(starts.len()))?;
    let tag = &text[start + 1..];
    let name = &tag[..tag.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?];
    let mut at = start;
    let mut depth = 0_usize;
    loop {
        let end = at + text[at..].find('>')? + 1;
        let here = &text[at..end];
        if here.starts_with("</") {
            depth = depth.checked_sub(usize::from(here[2..].starts_with(name)))?;
        } else if here[1..].starts_with(name) && !here.ends_with("/>") {
            depth += 1;
        }
        if depth == 0 {
            return Some(start..end);
        }
        at = end + text[end..].find('<')?;
    }
}

/// Returns the range of the value of a random attribute.
fn attribute(text: &str, dice: &mut Dice, wanted: impl Fn(&str) -> bool) -> Option<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut quotes = text.match_indices('"').map(|(at, _)| at);
    while let (Some(open), Some(close)) = (quotes.next(), quotes.next()) {
        if wanted(&text[open + 1..close]) {
            found.push(open + 1..close);
        }
    }
    found.get(dice.below(found.len())).cloned()
}

fn replaced(text: &str, range: std::ops::Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// Replaces a random number with an extreme one.
fn number(text: &str, dice: &mut Dice) -> Option<String> {
    let is_number = |value: &str| value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let range = attribute(text, dice, is_number)?;
    let extreme = EXTREMES[dice.below(EXTREMES.len())];
    Some(replaced(text, range, extreme))
}

/// Replaces a random attribute value with another one of the text.
fn value(text: &str, dice: &mut Dice) -> Option<String> {
    let (to, from) = (attribute(text, dice, |_| true)?, attribute(text, dice, |_| true)?);
    Some(replaced(text, to, &text[from]))
}

/// Inserts 1 to 40 copies of an element before another element.
fn copy(text: &str, dice: &mut Dice) -> Option<String> {
    let range = element(text, dice)?;
    let to = element(text, dice)?.start;
    let times = [1, 1, 1, 2, 5, 40][dice.below(6)];
    Some(replaced(text, to..to, &text[range].repeat(times)))
}

fn remove(text: &str, dice: &mut Dice) -> Option<String> {
    let range = element(text, dice)?;
    Some(replaced(text, range, ""))
}

/// Nests an element inside itself, before its first child.
fn nest(text: &str, dice: &mut Dice) -> Option<String> {
    let range = element(text, dice)?;
    let outer = &text[range.clone()];
    let inside = outer.find('>')? + 1;
    let mut nested = outer.to_owned();
    for _ in 0..[1, 2, 5, 20][dice.below(4)] {
        if nested.len() > 1 << 16 {
            break;
        }
        nested = replaced(outer, inside..inside, &nested);
    }
    Some(replaced(text, range, &nested))
}

/// Exchanges two elements that do not overlap.
fn swap(text: &str, dice: &mut Dice) -> Option<String> {
    let (a, b) = (element(text, dice)?, element(text, dice)?);
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end > second.start {
        return None;
    }
    let (one, other) = (&text[first.clone()], &text[second.clone()]);
    Some(format!("{}{other}{}{one}{}", &text[..first.start], &text[first.end..second.start], &text[second.end..]))
}
