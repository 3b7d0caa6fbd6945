//! Registration, and verification of the address with a code.

use super::login::MISSING_ACCOUNT_ID;
use super::{
    Account, AccountService, AccountWrite, Accounts, Address, AddressClaims, ChangeOutcome, Condition, MailRequester,
    PasswordStore, REGISTRATION_LIFE_SECONDS, check_password, check_user_name, email_taken,
};
use crate::clock::new_id;
use crate::limits::{MailKind, PROOF_PER_SOURCE, WRONG_CODES_PER_ADDRESS_AND_SOURCE, WRONG_CODES_PER_FLOW};
use crate::mail::Mail;
use crate::one_time_password::{CODE_LIFE_SECONDS, CodeKey, invalid_code, new_code, parse_code, unmatchable_mac};
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

/// Maximum length in bytes of an account id in a request. Real ids have 26 bytes.
const LONGEST_ID: usize = 64;

/// The data that a user enters to register.
#[derive(Clone)]
pub struct Registration {
    pub user_name: String,
    pub email: String,
    pub password: String,
    /// The language of the user interface during the registration. It becomes the language of the account.
    pub language: InterfaceLanguage,
}

/// Deletes the password of an account that no longer exists. If the account exists, does nothing and returns false. The database
/// deletes unverified accounts after [`REGISTRATION_LIFE_SECONDS`], and their passwords must be deleted too.
pub async fn delete_password_of_missing_account(
    accounts: &dyn Accounts,
    password_store: &dyn PasswordStore,
    id: &str,
) -> Result<bool> {
    if accounts.account(id).await?.is_some() {
        return Ok(false);
    }
    password_store.remove(id).await?;
    Ok(true)
}

impl AccountService<'_> {
    /// Creates an unverified account, mails a code to its address, and returns the account id. If the address already has an owner,
    /// the mail is a notice to the owner instead, and no code is valid. The writes are the same in both cases, so that the response
    /// does not reveal whether the address is in use.
    pub async fn register(
        &self,
        password_store: &dyn PasswordStore,
        request: Registration,
        source: &str,
    ) -> Result<String> {
        let fields = [("userName", &request.user_name), ("email", &request.email), ("password", &request.password)];
        let missing: Vec<&str> =
            fields.iter().filter(|(_, text)| text.trim().is_empty()).map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            return Err(Error::new(ErrorCode::FieldsRequired, "Please fill in all fields.").with_fields(missing));
        }
        let user_name = check_user_name(&request.user_name)?;
        let address = Address::parse(&request.email)?.deliverable()?;
        let password = check_password(&request.password, "password")?;
        self.check_mail_limits(MailKind::RegisterCode, &address, MailRequester::Source(source)).await?;
        let now = self.clock.now();
        let mut account = Account::new(new_id(self.clock, self.random), user_name, &address, now);
        account.language = Some(request.language.code().to_owned());
        let holders = self.accounts.address_claims(&address).await?;
        // The account is written first. If a later step fails, the account expires, and its password is deleted with it.
        self.commit_all(vec![AccountWrite::InsertAccount(Box::new(account.clone()))]).await?;
        // The password is written before the code, because a registration without a password could not be used.
        password_store.set_password(&account.id, &password).await?;
        let (account_id, expires_at) = (account.id.clone(), now.plus_seconds(REGISTRATION_LIFE_SECONDS));
        let mut writes = vec![
            AccountWrite::SetPendingRegistration {
                address: address.clone(),
                account_id: account_id.clone(),
                expires_at,
            },
            AccountWrite::PendingFrom { address: address.clone(), source: source.to_owned(), account_id, expires_at },
        ];
        writes.extend(self.registration_code(&account, &address, &holders, request.language).await?);
        self.commit_all(writes).await?;
        Ok(account.id)
    }

    /// Mails a new code for an unverified registration. The earlier code becomes invalid.
    ///
    /// # Errors
    /// `registration_ended` if the registration does not exist, has expired or is already verified.
    pub async fn resend_code(&self, user_id: &str, source: &str, language: InterfaceLanguage) -> Result<()> {
        let account = self.pending_registration(user_id).await?.ok_or_else(|| {
            Error::new(ErrorCode::RegistrationEnded, "This registration has expired. Please register again.")
        })?;
        self.send_registration_code(&account, source, language).await
    }

    pub(super) async fn send_registration_code(
        &self,
        account: &Account,
        source: &str,
        language: InterfaceLanguage,
    ) -> Result<()> {
        let address = account.address()?;
        self.check_mail_limits(MailKind::RegisterCode, &address, MailRequester::Source(source)).await?;
        let holders = self.accounts.address_claims(&address).await?;
        self.commit_all(self.registration_code(account, &address, &holders, language).await?).await
    }

    /// Returns the writes that create a code and a link for verifying the address of a registration, and that put the mail with
    /// both into the outbox. If the address already has an owner, neither the code nor the link is valid, and the mail is a notice
    /// to the owner.
    async fn registration_code(
        &self,
        account: &Account,
        address: &Address,
        claims: &AddressClaims,
        language: InterfaceLanguage,
    ) -> Result<Vec<AccountWrite>> {
        let key = CodeKey::registration(&account.id);
        let owner = self.accounts.account(claims.owner.as_deref().unwrap_or(MISSING_ACCOUNT_ID)).await?;
        let (mac, link, mail) = match owner {
            Some(owner) => {
                let mail = self.queue_mail(address, owner.mail_language(language), Mail::AlreadyRegistered)?;
                (unmatchable_mac(&key, self.secret()?, self.random), self.new_reset_link(MISSING_ACCOUNT_ID, 0).0, mail)
            }
            None => {
                let (code, mac) = new_code(&key, self.secret()?, self.random);
                let (link, token) = self.new_reset_link(&account.id, account.token_version);
                let letter = Mail::RegisterCode { code, token };
                (mac, link, self.queue_mail(address, account.mail_language(language), letter)?)
            }
        };
        let expires_at = self.clock.now().plus_seconds(CODE_LIFE_SECONDS);
        Ok(vec![AccountWrite::PutCode { key, mac, expires_at }, AccountWrite::PutResetLink(link), mail])
    }

    /// Returns the account with this id, if its address is not verified yet and can still be verified.
    async fn pending_registration(&self, user_id: &str) -> Result<Option<Account>> {
        // An account id is never empty or this long, and the store may not accept this text as a key.
        if user_id.is_empty() || user_id.len() > LONGEST_ID {
            return Ok(None);
        }
        let now = self.clock.now();
        Ok(self.accounts.account(user_id).await?.filter(|account| account.is_pending(now)))
    }

    /// Verifies the address of a registration with a code. From then on, the account owns the address, and the user can log in.
    pub async fn verify_registration(&self, user_id: &str, otp: &str, source: &str) -> Result<Account> {
        let taken_at = self.clock.now();
        self.count_by_source(PROOF_PER_SOURCE, source).await?;
        let code = parse_code(otp)?;
        let account = self.pending_registration(user_id).await?.ok_or_else(invalid_code)?;
        let address = account.address()?;
        let key = CodeKey::registration(&account.id);
        let here = address.limit_key(source);
        WRONG_CODES_PER_ADDRESS_AND_SOURCE.count_attempt(self.attempts, &here, taken_at).await?;
        let mac = self.check_code(&key, &code).await?;
        WRONG_CODES_PER_ADDRESS_AND_SOURCE.uncount_attempt(self.attempts, &here, taken_at).await?;
        self.uncount_by_source(PROOF_PER_SOURCE, source, taken_at).await?;
        let with = [
            AccountWrite::ConsumeCode { key, mac },
            AccountWrite::SetAddressOwner { address: address.clone(), account_id: account.id.clone() },
            AccountWrite::ClearPendingRegistration { address },
            AccountWrite::CountAccount { created_at: account.created_at },
        ];
        match self.change(&account, &|account| account.verified = true, &with).await? {
            ChangeOutcome::Done(account) => Ok(*account),
            // Another request has used the same code first.
            ChangeOutcome::Refused(conditions) if conditions.contains(&Condition::CodeMatches) => Err(invalid_code()),
            ChangeOutcome::Refused(_) => Err(email_taken()),
            ChangeOutcome::SessionEnded => Err(invalid_code()),
        }
    }

    /// Verifies the address of a registration with a mailed link, and sets a new password. The person who uses the link is not
    /// always the person who registered, so the earlier password must not stay valid. Returns `None` if the link was used, or if
    /// the registration can no longer be verified.
    pub(super) async fn verify_by_link(
        &self,
        identity: &dyn PasswordStore,
        account: &Account,
        token_hash: String,
        password: &str,
    ) -> Result<Option<Account>> {
        // The password is set before the address is verified. Otherwise the earlier password could be used in between.
        identity.set_password(&account.id, password).await?;
        let address = account.address()?;
        let with = [
            AccountWrite::ConsumeResetLink { token_hash },
            AccountWrite::SetAddressOwner { address: address.clone(), account_id: account.id.clone() },
            AccountWrite::ClearPendingRegistration { address },
            AccountWrite::CountAccount { created_at: account.created_at },
        ];
        let edit = |account: &mut Account| {
            account.verified = true;
            account.end_sessions();
        };
        match self.change(account, &edit, &with).await? {
            ChangeOutcome::Done(account) => Ok(Some(*account)),
            ChangeOutcome::Refused(_) | ChangeOutcome::SessionEnded => Ok(None),
        }
    }

    /// Counts a guess at a code, and checks the guess. Returns the stored MAC if the code is right.
    pub(super) async fn check_code(&self, key: &CodeKey, code: &str) -> Result<String> {
        let now = self.clock.now();
        WRONG_CODES_PER_FLOW.count_attempt(self.attempts, key.as_str(), now).await?;
        let kept = self.accounts.count_guess(key, now).await?;
        let secret = self.secret()?;
        let mac = kept.filter(|kept| secret.is_mac_of(kept, key.as_str(), code)).ok_or_else(invalid_code)?;
        WRONG_CODES_PER_FLOW.uncount_attempt(self.attempts, key.as_str(), now).await?;
        Ok(mac)
    }
}
