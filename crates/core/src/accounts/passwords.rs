//! Reset and change of passwords.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;

use super::login::MISSING_ACCOUNT_ID;
use super::{
    Account, AccountService, AccountWrite, Address, ChangeOutcome, MailRequester, PasswordStore, RESET_LIFE_SECONDS,
    ResetLink, check_password, normalized_password,
};
use crate::files::content_hash;
use crate::limits::{MailKind, PROOF_PER_SOURCE, WRONG_OLD_PASSWORDS, WRONG_OLD_PASSWORDS_EVERYWHERE};
use crate::mail::Mail;
use crate::token::session_ended;
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

impl AccountService<'_> {
    /// Mails a link for setting a new password to the address. The link is for the owner of the address, or else for the latest
    /// unverified registration with this address. If neither exists, no mail is sent, but the writes are the same. So the response
    /// does not reveal whether the address has an account.
    pub async fn forgot_password(&self, email: &str, source: &str, language: InterfaceLanguage) -> Result<()> {
        let typed = Address::typed(email)?;
        let address = &typed.address;
        self.check_mail_limits(MailKind::ResetLink, address, MailRequester::Source(source)).await?;
        let holders = self.holders_of_typed(&typed).await?;
        let owner = self.accounts.account(holders.owner.as_deref().unwrap_or(MISSING_ACCOUNT_ID)).await?;
        let waiting = self.accounts.account(holders.pending.as_deref().unwrap_or(MISSING_ACCOUNT_ID)).await?;
        let waiting = waiting.filter(|waiting| waiting.is_pending(self.clock.now()));
        let writes = match owner.as_ref().or(waiting.as_ref()) {
            Some(owner) => self.reset_link(owner, owner.token_version, address, owner.mail_language(language))?,
            None => {
                let (link, _) = self.new_reset_link(MISSING_ACCOUNT_ID, 0);
                vec![AccountWrite::PutResetLink(link), self.queue_mail(address, language, Mail::Nothing)?]
            }
        };
        self.commit_all(writes).await
    }

    /// Returns the writes that create a link for setting a new password and put the mail with this link into the outbox. The link
    /// is valid while the account has the token version `token_version`.
    pub(super) fn reset_link(
        &self,
        account: &Account,
        token_version: u32,
        to: &Address,
        language: InterfaceLanguage,
    ) -> Result<Vec<AccountWrite>> {
        let (link, token) = self.new_reset_link(&account.id, token_version);
        Ok(vec![AccountWrite::PutResetLink(link), self.queue_mail(to, language, Mail::ResetPassword { token })?])
    }

    pub(super) fn new_reset_link(&self, account_id: &str, token_version: u32) -> (ResetLink, String) {
        let mut token = [0u8; 16];
        self.random.fill_bytes(&mut token);
        let token = BASE64URL.encode(token);
        let link = ResetLink {
            token_hash: content_hash(token.as_bytes()),
            account_id: account_id.to_owned(),
            token_version,
            expires_at: self.clock.now().plus_seconds(RESET_LIFE_SECONDS),
        };
        (link, token)
    }

    /// Sets a new password with the token of a mailed link. Each link works only once. All sessions end. If the address of the
    /// account is not verified yet, it becomes verified, because the link was mailed to it.
    pub async fn reset_password(
        &self,
        password_store: &dyn PasswordStore,
        token: &str,
        new_password: &str,
        source: &str,
    ) -> Result<()> {
        let password = check_password(new_password, "newPassword")?;
        let token_hash = content_hash(token.trim().as_bytes());
        let Some((link, account)) = self.reset_link_and_account(&token_hash).await? else {
            // Counts only invalid links, so that a valid link works even if the client has tried many invalid ones.
            self.count_by_source(PROOF_PER_SOURCE, source).await?;
            return Err(invalid_link());
        };
        if !account.verified {
            let verified = self.verify_by_link(password_store, &account, token_hash, &password).await?;
            return verified.map(|_| ()).ok_or_else(invalid_link);
        }
        let used = [AccountWrite::ConsumeResetLink { token_hash }];
        let ChangeOutcome::Done(account) = self.change(&account, &Account::end_sessions, &used).await? else {
            return Err(invalid_link());
        };
        if let Err(error) = password_store.set_password(&account.id, &password).await {
            // The password was not changed, so the link becomes valid again.
            self.commit_all(vec![AccountWrite::PutResetLink(ResetLink {
                token_version: account.token_version,
                ..link
            })])
            .await?;
            return Err(error);
        }
        self.mail_password_changed(&account).await
    }

    /// Returns the link whose token has this hash, and the account of the link. Returns `None` if the link does not exist, has
    /// expired or was made invalid.
    async fn reset_link_and_account(&self, token_hash: &str) -> Result<Option<(ResetLink, Account)>> {
        let link = self.accounts.reset_link(token_hash).await?;
        let now = self.clock.now();
        let Some(link) = link.filter(|link| link.expires_at > now) else { return Ok(None) };
        let account = self.accounts.account(&link.account_id).await?;
        let account = account.filter(|account| account.token_version == link.token_version);
        let account = account.filter(|account| account.verified || account.is_pending(now));
        Ok(account.map(|account| (link, account)))
    }

    /// Sets a new password. All sessions end, so the caller must issue a new token for the returned account.
    pub async fn change_password(
        &self,
        password_store: &dyn PasswordStore,
        account: &Account,
        (old_password, new_password): (&str, &str),
        source: &str,
    ) -> Result<Account> {
        let password = check_password(new_password, "newPassword")?;
        if !check_current_password(self, password_store, account, old_password, source).await? {
            // The status is not 401, because the session is still valid.
            return Err(Error::new(ErrorCode::WrongPassword, "The old password is wrong.").with_fields(["oldPassword"]));
        }
        // The sessions are ended before the password is set, because only one of two simultaneous changes succeeds here.
        let ChangeOutcome::Done(changed) = self.change(account, &Account::end_sessions, &[]).await? else {
            return Err(session_ended());
        };
        if let Err(error) = password_store.set_password(&account.id, &password).await {
            // The password was not changed, so the sessions become valid again.
            self.change(&changed, &|now| now.token_version = account.token_version, &[]).await?;
            return Err(error);
        }
        self.mail_password_changed(&changed).await?;
        Ok(*changed)
    }

    async fn mail_password_changed(&self, account: &Account) -> Result<()> {
        let language = account.mail_language(InterfaceLanguage::default());
        self.commit_all(vec![self.queue_mail(&account.address()?, language, Mail::PasswordChanged)?]).await
    }
}

/// Returns whether `password` is the current password of the signed-in user. The rate limits count only wrong passwords.
pub(super) async fn check_current_password(
    service: &AccountService<'_>,
    password_store: &dyn PasswordStore,
    account: &Account,
    password: &str,
    source: &str,
) -> Result<bool> {
    let (attempts, now) = (service.attempts, service.clock.now());
    let here = format!("{}#{source}", account.id);
    WRONG_OLD_PASSWORDS.count_attempt(attempts, &here, now).await?;
    let slowed_at = WRONG_OLD_PASSWORDS_EVERYWHERE.count_attempt(attempts, &account.id, service.clock).await?;
    if !password_store.verify(Some(&account.id), &normalized_password(password)).await? {
        return Ok(false);
    }
    WRONG_OLD_PASSWORDS_EVERYWHERE.uncount_attempt(attempts, &account.id, slowed_at).await?;
    WRONG_OLD_PASSWORDS.uncount_attempt(attempts, &here, now).await?;
    Ok(true)
}

fn invalid_link() -> Error {
    let message = "This link has already been used or has expired. You can request a new one.";
    Error::new(ErrorCode::InvalidResetLink, message).with_fields(["token"])
}
