//! A forgotten password, and another one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;

use super::login::NOBODY;
use super::{Account, Address, Changed, Identity, Registrar, ResetLink, Write, check_password, claimed_password};
use crate::files::content_hash;
use crate::limits::{MailWait, PROOF_PER_SOURCE, WRONG_OLD_PASSWORDS};
use crate::mail::Letter;
use crate::token::session_ended;
use crate::{Error, InterfaceLanguage, Result};

/// How long the link of a mail can be used.
pub const RESET_LIFE_SECONDS: u64 = 3_600;

impl Registrar<'_> {
    /// Mails the address' owner a link; where it has none, the same is written and nothing is sent.
    pub async fn forgot_password(&self, email: &str, source: &str, language: InterfaceLanguage) -> Result<()> {
        let address = Address::parse(email)?;
        self.may_mail(MailWait::ResetLink, &address, source).await?;
        let holders = self.accounts.holders(&address).await?;
        let owner = self.accounts.account(holders.owner.as_deref().unwrap_or(NOBODY)).await?;
        let mut token = [0u8; 16];
        self.chance.fill(&mut token);
        let token = BASE64URL.encode(token);
        let link = ResetLink {
            token_hash: content_hash(token.as_bytes()),
            account_id: owner.as_ref().map_or_else(|| NOBODY.to_owned(), |owner| owner.id.clone()),
            expires_at: self.clock.now().plus_seconds(RESET_LIFE_SECONDS),
        };
        let mail = match &owner {
            Some(owner) => self.mail(&address, owner.mail_language(language), Letter::ResetPassword { token })?,
            None => self.mail(&address, language, Letter::Nothing)?,
        };
        self.write(vec![Write::Reset(link), mail]).await
    }

    /// Sets a new password by a link's token, once; every session ends.
    pub async fn reset_password(
        &self,
        identity: &dyn Identity,
        token: &str,
        new_password: &str,
        source: &str,
    ) -> Result<()> {
        self.take_of_source(PROOF_PER_SOURCE, source).await?;
        let password = check_password(new_password, "newPassword")?;
        let token_hash = content_hash(token.trim().as_bytes());
        let link = self.accounts.reset_link(&token_hash).await?;
        let link = link.filter(|link| link.expires_at > self.clock.now()).ok_or_else(invalid_link)?;
        let account = self.accounts.account(&link.account_id).await?.ok_or_else(invalid_link)?;
        let used = [Write::UseReset { token_hash }];
        let Changed::Done(account) = self.change(&account, &end_sessions, &used).await? else {
            return Err(invalid_link());
        };
        if let Err(error) = identity.set_password(&account.id, &password).await {
            // Nothing was changed: the link shall work again.
            self.write(vec![Write::Reset(link)]).await?;
            return Err(error);
        }
        self.tell_of_new_password(&account).await
    }

    /// Sets a new password; every session ends but those of tokens issued to the account this answers.
    pub async fn change_password(
        &self,
        identity: &dyn Identity,
        account: &Account,
        (old_password, new_password): (&str, &str),
    ) -> Result<Account> {
        let password = check_password(new_password, "newPassword")?;
        let now = self.clock.now();
        WRONG_OLD_PASSWORDS.take(self.attempts, &account.id, now).await?;
        if !identity.verify(Some(&account.id), &claimed_password(old_password)).await? {
            // Not a 401: the session lives.
            return Err(Error::invalid("wrong_password", "The old password is wrong.").with_fields(["oldPassword"]));
        }
        WRONG_OLD_PASSWORDS.give_back(self.attempts, &account.id, now).await?;
        // First, since of two changes at once only one gets past it.
        let Changed::Done(changed) = self.change(account, &end_sessions, &[]).await? else {
            return Err(session_ended());
        };
        if let Err(error) = identity.set_password(&account.id, &password).await {
            // Nothing was changed: the sessions shall live on.
            self.change(&changed, &|now| now.token_version = account.token_version, &[]).await?;
            return Err(error);
        }
        self.tell_of_new_password(&changed).await?;
        Ok(changed)
    }

    async fn tell_of_new_password(&self, account: &Account) -> Result<()> {
        let language = account.mail_language(InterfaceLanguage::default());
        self.write(vec![self.mail(&account.address()?, language, Letter::PasswordChanged)?]).await
    }
}

pub(super) fn end_sessions(account: &mut Account) {
    account.token_version = account.token_version.saturating_add(1);
}

fn invalid_link() -> Error {
    let message = "This link was used already or has expired. You can ask for a new one.";
    Error::invalid("invalid_reset_link", message).with_fields(["token"])
}
