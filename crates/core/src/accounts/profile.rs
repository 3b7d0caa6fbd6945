//! Changes of a profile by its user.

use super::{Account, AccountService, ChangeOutcome, LONGEST_USER_NAME};
use crate::one_line::one_line;
use crate::token::session_ended;
use crate::{Error, ErrorCode, InterfaceLanguage, Result, country};

/// A change of a profile. Values that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct ProfileChange {
    pub user_name: Option<String>,
    /// A country code. An empty text removes the country. `None` keeps it.
    pub country: Option<String>,
    /// The code of an interface language. An empty text removes the language. `None` keeps it.
    pub language: Option<String>,
    /// The name of the new photo, which is already stored, as returned by [`crate::files::photo_name`]. `None` keeps the current
    /// photo.
    pub photo: Option<String>,
}

/// Checks and normalizes a user name. It must have 1 to 60 characters, on one line and without invisible characters (see
/// [`one_line`]).
pub fn check_user_name(typed: &str) -> Result<String> {
    one_line(typed, LONGEST_USER_NAME).map_err(|_| {
        let message =
            format!("A user name has 1 to {LONGEST_USER_NAME} characters, on one line, none of them invisible.");
        let error = Error::new(ErrorCode::InvalidUserName, message).with_fields(["userName"]);
        error.with_limit(LONGEST_USER_NAME as u64)
    })
}

/// Checks a country or language code with the function `known`, which returns an error for an unknown code. An empty text becomes
/// `None`.
fn optional_code(typed: &str, known: impl Fn(&str) -> Result<&'static str>) -> Result<Option<String>> {
    match typed.trim() {
        "" => Ok(None),
        code => known(code).map(|code| Some(code.to_owned())),
    }
}

impl AccountService<'_> {
    pub async fn update_profile(&self, account: &Account, change: ProfileChange) -> Result<Account> {
        let user_name = change.user_name.as_deref().map(check_user_name).transpose()?;
        let country = |typed: &String| optional_code(typed, |code| Ok(country::country(code)?.code));
        let country = change.country.as_ref().map(country).transpose()?;
        let language = change.language.as_ref().map(|typed| optional_code(typed, interface_language)).transpose()?;
        let edit = |account: &mut Account| {
            if let Some(user_name) = &user_name {
                account.user_name.clone_from(user_name);
            }
            if let Some(country) = &country {
                account.country.clone_from(country);
            }
            if let Some(language) = &language {
                account.language.clone_from(language);
            }
            if let Some(photo) = &change.photo {
                account.photo = Some(photo.clone());
            }
        };
        match self.change(account, &edit, &[]).await? {
            ChangeOutcome::Done(account) => Ok(*account),
            ChangeOutcome::Refused(_) => Err(Error::internal("a change without conditions was refused")),
            ChangeOutcome::SessionEnded => Err(session_ended()),
        }
    }
}

fn interface_language(code: &str) -> Result<&'static str> {
    let known = InterfaceLanguage::ALL.into_iter().find(|language| language.code() == code);
    known.map(InterfaceLanguage::code).ok_or_else(|| {
        Error::new(ErrorCode::UnknownLanguage, "The languages are en, fr and ar.").with_fields(["language"])
    })
}
