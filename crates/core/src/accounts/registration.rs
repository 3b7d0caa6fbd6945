//! Registration, and verification of the address with a code.

use super::login::NOBODY;
use super::passwords::end_sessions;
use super::{
    Account, Accounts, Address, Asker, Changed, Condition, Holders, Identity, REGISTRATION_LIFE_SECONDS, Registrar,
    Write, check_password, check_user_name, email_taken,
};
use crate::clock::new_id;
use crate::limits::{MailSort, PROOF_PER_SOURCE, WRONG_CODES_PER_ADDRESS_AND_SOURCE, WRONG_CODES_PER_FLOW};
use crate::mail::Letter;
use crate::one_time_password::{CODE_LIFE_SECONDS, CodeKey, invalid_code, new_code, no_code, typed_code};
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

/// Maximum length of an account id in a request, in bytes. Ids of the product have 26.
const LONGEST_ID: usize = 64;

/// The data of a registration.
#[derive(Clone)]
pub struct Registration {
    pub user_name: String,
    pub email: String,
    pub password: String,
    /// The language of the interface. It becomes the language of the account.
    pub language: InterfaceLanguage,
}

/// Deletes the password of an account that no longer exists. An unverified registration is deleted automatically after
/// [`REGISTRATION_LIFE_SECONDS`], and its password must not stay. Returns false if the account exists.
pub async fn forget_password_of_gone(accounts: &dyn Accounts, identity: &dyn Identity, id: &str) -> Result<bool> {
    if accounts.account(id).await?.is_some() {
        return Ok(false);
    }
    identity.remove(id).await?;
    Ok(true)
}

impl Registrar<'_> {
    /// Creates an account that waits for its code, and returns its id. If the address has an owner, the writes are the same,
    /// but no code is valid, and the mail informs the owner instead.
    pub async fn register(&self, identity: &dyn Identity, request: Registration, source: &str) -> Result<String> {
        let fields = [("userName", &request.user_name), ("email", &request.email), ("password", &request.password)];
        let missing: Vec<&str> =
            fields.iter().filter(|(_, text)| text.trim().is_empty()).map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            return Err(Error::new(ErrorCode::FieldsRequired, "Please fill in all fields.").with_fields(missing));
        }
        let user_name = check_user_name(&request.user_name)?;
        let address = Address::parse(&request.email)?.deliverable()?;
        let password = check_password(&request.password, "password")?;
        self.may_mail(MailSort::RegisterCode, &address, Asker::Source(source)).await?;
        let now = self.clock.now();
        let mut account = Account::new(new_id(self.clock, self.chance), user_name, &address, now);
        account.language = Some(request.language.code().to_owned());
        let holders = self.accounts.holders(&address).await?;
        // The row comes first. If a later step fails, the row expires, and the password is deleted with it.
        self.write(vec![Write::NewAccount(Box::new(account.clone()))]).await?;
        // The password comes next: a registration without one could not be used.
        identity.set_password(&account.id, &password).await?;
        let (account_id, expires_at) = (account.id.clone(), now.plus_seconds(REGISTRATION_LIFE_SECONDS));
        let mut writes = vec![
            Write::Pending { address: address.clone(), account_id: account_id.clone(), expires_at },
            Write::PendingFrom { address: address.clone(), source: source.to_owned(), account_id, expires_at },
        ];
        writes.extend(self.registration_code(&account, &address, &holders, request.language).await?);
        self.write(writes).await?;
        Ok(account.id)
    }

    /// Sends a registration a new code, which replaces the earlier one.
    ///
    /// # Errors
    /// `registration_ended` if the registration does not exist or no longer waits for a code.
    pub async fn resend_code(&self, user_id: &str, source: &str, language: InterfaceLanguage) -> Result<()> {
        let account = self.waiting(user_id).await?.ok_or_else(|| {
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
        self.may_mail(MailSort::RegisterCode, &address, Asker::Source(source)).await?;
        let holders = self.accounts.holders(&address).await?;
        self.write(self.registration_code(account, &address, &holders, language).await?).await
    }

    /// Returns the writes for a registration's code, its link and their mail. If the address has an owner, neither is valid,
    /// and the mail informs the owner.
    async fn registration_code(
        &self,
        account: &Account,
        address: &Address,
        holders: &Holders,
        language: InterfaceLanguage,
    ) -> Result<Vec<Write>> {
        let key = CodeKey::registration(&account.id);
        let owner = self.accounts.account(holders.owner.as_deref().unwrap_or(NOBODY)).await?;
        let (mac, link, mail) = match owner {
            Some(owner) => {
                let mail = self.mail(address, owner.mail_language(language), Letter::AlreadyRegistered)?;
                (no_code(&key, self.secret()?, self.chance), self.new_reset_link(NOBODY, 0).0, mail)
            }
            None => {
                let (code, mac) = new_code(&key, self.secret()?, self.chance);
                let (link, token) = self.new_reset_link(&account.id, account.token_version);
                let letter = Letter::RegisterCode { code, token };
                (mac, link, self.mail(address, account.mail_language(language), letter)?)
            }
        };
        let expires_at = self.clock.now().plus_seconds(CODE_LIFE_SECONDS);
        Ok(vec![Write::Code { key, mac, expires_at }, Write::Reset(link), mail])
    }

    /// Returns the registration with this id, if it waits for its code.
    async fn waiting(&self, user_id: &str) -> Result<Option<Account>> {
        // Cannot be an id of the product, and may not be a valid key in the store.
        if user_id.is_empty() || user_id.len() > LONGEST_ID {
            return Ok(None);
        }
        let now = self.clock.now();
        Ok(self.accounts.account(user_id).await?.filter(|account| account.waits(now)))
    }

    /// Verifies the address of a registration with a code. From then on the account owns the address and can log in.
    pub async fn verify_registration(&self, user_id: &str, otp: &str, source: &str) -> Result<Account> {
        let taken_at = self.clock.now();
        self.take_of_source(PROOF_PER_SOURCE, source).await?;
        let code = typed_code(otp)?;
        let account = self.waiting(user_id).await?.ok_or_else(invalid_code)?;
        let address = account.address()?;
        let key = CodeKey::registration(&account.id);
        let here = address.hash_and(source);
        WRONG_CODES_PER_ADDRESS_AND_SOURCE.take(self.attempts, &here, taken_at).await?;
        let mac = self.check_code(&key, &code).await?;
        WRONG_CODES_PER_ADDRESS_AND_SOURCE.give_back(self.attempts, &here, taken_at).await?;
        self.give_back_to_source(PROOF_PER_SOURCE, source, taken_at).await?;
        let with = [
            Write::UseCode { key, mac },
            Write::Owner { address: address.clone(), account_id: account.id.clone() },
            Write::NoPending { address },
            Write::Joined { created_at: account.created_at },
        ];
        match self.change(&account, &|account| account.verified = true, &with).await? {
            Changed::Done(account) => Ok(*account),
            // Another request has used the same code first.
            Changed::Refused(conditions) if conditions.contains(&Condition::LiveCode) => Err(invalid_code()),
            Changed::Refused(_) => Err(email_taken()),
            Changed::Ended => Err(invalid_code()),
        }
    }

    /// Verifies the address of a registration with a mailed link, and sets the password that the link's holder chose. The
    /// holder may be another person than the one who registered. Returns `None` if the link or the registration has expired.
    pub(super) async fn verify_by_link(
        &self,
        identity: &dyn Identity,
        account: &Account,
        token_hash: String,
        password: &str,
    ) -> Result<Option<Account>> {
        // The password is set before the address is verified. Otherwise the earlier password could be used in between.
        identity.set_password(&account.id, password).await?;
        let address = account.address()?;
        let with = [
            Write::UseReset { token_hash },
            Write::Owner { address: address.clone(), account_id: account.id.clone() },
            Write::NoPending { address },
            Write::Joined { created_at: account.created_at },
        ];
        let edit = |account: &mut Account| {
            account.verified = true;
            end_sessions(account);
        };
        match self.change(account, &edit, &with).await? {
            Changed::Done(account) => Ok(Some(*account)),
            Changed::Refused(_) | Changed::Ended => Ok(None),
        }
    }

    /// Counts a guess and checks a code. Returns the stored MAC if the code is right.
    pub(super) async fn check_code(&self, key: &CodeKey, code: &str) -> Result<String> {
        let now = self.clock.now();
        WRONG_CODES_PER_FLOW.take(self.attempts, key.as_str(), now).await?;
        let kept = self.accounts.guess(key, now).await?;
        let guessed = self.secret()?.mac(key.as_str(), code);
        // Both MACs depend on the secret, so the duration of the comparison reveals nothing about the code.
        let mac = kept.filter(|kept| *kept == guessed).ok_or_else(invalid_code)?;
        WRONG_CODES_PER_FLOW.give_back(self.attempts, key.as_str(), now).await?;
        Ok(mac)
    }
}
