//! Keywords: words and phrases, in any language, by which a template can be found. An admin adds them to a template.

use crate::category::split_list;
use crate::fold::fold;
use crate::one_line::one_line;
use crate::{Error, ErrorCode, Result};

/// Maximum number of characters in a keyword.
pub const LONGEST: usize = 60;
/// Maximum number of keywords of one template.
pub const MOST_PER_TEMPLATE: usize = 30;

/// Parses a list of keywords: `"rent, Loyer،إيجار,"` → `rent`, `Loyer`, `إيجار`. If several keywords fold to the same text, only
/// the first is kept.
///
/// # Errors
/// `invalid_keyword` if there are too many keywords, or if one of them is too long or has invisible characters.
pub fn parse_list(typed: &str) -> Result<Vec<String>> {
    let invalid = |message: String, limit: usize| {
        Error::new(ErrorCode::InvalidKeyword, message).with_limit(limit as u64).with_fields(["keywords"])
    };
    // The keywords are counted before they are checked, so that a very long list takes no time.
    if split_list(typed).nth(MOST_PER_TEMPLATE).is_some() {
        return Err(invalid(format!("A template has at most {MOST_PER_TEMPLATE} keywords."), MOST_PER_TEMPLATE));
    }
    let mut keywords: Vec<String> = Vec::new();
    for piece in split_list(typed) {
        let keyword = one_line(piece, LONGEST).map_err(|_| {
            invalid(
                format!("A keyword has at most {LONGEST} characters, on one line, none of them invisible."),
                LONGEST,
            )
        })?;
        if !keywords.iter().any(|known| fold(known) == fold(&keyword)) {
            keywords.push(keyword);
        }
    }
    Ok(keywords)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyword_lists_are_parsed() {
        let parse = |typed| parse_list(typed).unwrap().join("|");
        assert_eq!(parse(""), "");
        assert_eq!(parse(" Rental   agreement ,loyer، إيجار ,, LOYER,"), "Rental agreement|loyer|إيجار");
        assert_eq!(parse(&"é".repeat(60)).chars().count(), 60);
        assert_eq!(parse_list(&(0..30).map(|n| format!("k{n},")).collect::<String>()).unwrap().len(), 30);
    }

    #[test]
    fn invalid_keyword_lists_are_refused() {
        let refused = |typed: &str| {
            let error = parse_list(typed).unwrap_err();
            (error.code, error.details.limit)
        };
        assert_eq!(refused(&"x".repeat(61)), (ErrorCode::InvalidKeyword, Some(60)));
        assert_eq!(refused("a\u{200b}b"), (ErrorCode::InvalidKeyword, Some(60)));
        assert_eq!(refused(&"x,".repeat(31)), (ErrorCode::InvalidKeyword, Some(30)));
        assert_eq!(refused(&"x,".repeat(1_000_000)), (ErrorCode::InvalidKeyword, Some(30)));
    }
}
