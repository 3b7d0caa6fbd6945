//! Change of an account's e-mail address. The new address is verified first, and the old one receives a notice.

use super::address_revert::{MOST_FORMER_ADDRESSES, new_revert_token};
use super::login::MISSING_ACCOUNT_ID;
use super::{Account, AccountService, AccountWrite, Address, ChangeOutcome, Condition, MailRequester, email_taken};
use crate::limits::MailKind;
use crate::mail::Mail;
use crate::one_time_password::{CODE_LIFE_SECONDS, CodeKey, invalid_code, new_code, parse_code, unmatchable_mac};
use crate::token::session_ended;
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

impl AccountService<'_> {
    /// Mails a code to the new address. The change is made when the user enters this code. If another account owns the new address,
    /// no code is created, and the owner receives a notice instead. The response is the same in both cases, so that it does not
    /// reveal whether the address is in use.
    pub async fn change_address(
        &self,
        account: &Account,
        new_email: &str,
        source: &str,
        language: InterfaceLanguage,
    ) -> Result<()> {
        let named = |error: Error| error.with_fields(["newEmail"]);
        let address = Address::parse(new_email).and_then(Address::deliverable).map_err(named)?;
        if address == account.address()? {
            return Err(Error::new(ErrorCode::SameEmail, "This is already your address.").with_fields(["newEmail"]));
        }
        self.check_mail_limits(MailKind::ChangeCode, &address, MailRequester::Session(account, source)).await?;
        let holders = self.accounts.address_claims(&address).await?;
        let owner = self.accounts.account(holders.owner.as_deref().unwrap_or(MISSING_ACCOUNT_ID)).await?;
        let key = CodeKey::address_change(account, &address);
        let (mac, mail) = match owner {
            Some(owner) => {
                let mail = self.queue_mail(&address, owner.mail_language(language), Mail::AddressInUse)?;
                (unmatchable_mac(&key, self.secret()?, self.random), mail)
            }
            None => {
                let (code, mac) = new_code(&key, self.secret()?, self.random);
                (mac, self.queue_mail(&address, account.mail_language(language), Mail::ChangeEmailCode { code })?)
            }
        };
        let expires_at = self.clock.now().plus_seconds(CODE_LIFE_SECONDS);
        self.commit_all(vec![AccountWrite::PutCode { key, mac, expires_at }, mail]).await
    }

    /// Checks the code `otp` that was mailed to the new address, and makes the new address the address of the account. All sessions
    /// end, so the caller must issue a new token for the returned account. The old address receives a link that reverts the change.
    ///
    /// # Errors
    /// `too_many_attempts` if too many earlier changes can still be reverted; `invalid_otp`; `email_taken`; `session_ended`.
    pub async fn verify_address(&self, account: &Account, new_email: &str, otp: &str) -> Result<Account> {
        let code = parse_code(otp)?;
        let now = self.clock.now();
        let new = Address::parse(new_email).map_err(|_| invalid_code())?;
        let old = account.address()?;
        let key = CodeKey::address_change(account, &new);
        let mac = self.check_code(&key, &code).await?;
        let kept: Vec<_> = account.former_addresses.iter().filter(|former| former.expires_at > now).collect();
        if let Some(oldest) = kept.first().filter(|_| kept.len() >= MOST_FORMER_ADDRESSES) {
            let wait = oldest.expires_at.seconds().saturating_sub(now.seconds()).max(1);
            let message = format!("The address was changed too often recently. Try again in {wait} s.");
            return Err(
                Error::too_many(ErrorCode::TooManyAttempts, message, wait).with_limit(MOST_FORMER_ADDRESSES as u64)
            );
        }
        let (former, token) = new_revert_token(account, now, self.random);
        let language = account.mail_language(InterfaceLanguage::default());
        let with = [
            AccountWrite::ConsumeCode { key, mac },
            AccountWrite::SetAddressOwner { address: new.clone(), account_id: account.id.clone() },
            AccountWrite::RemoveAddressOwner { address: old.clone(), account_id: account.id.clone() },
            AccountWrite::ClearPendingRegistration { address: new.clone() },
            self.queue_mail(&old, language, Mail::EmailChanged { token })?,
        ];
        let edit = |account: &mut Account| {
            account.email = new.as_str().to_owned();
            account.former_addresses.retain(|former| former.expires_at > now);
            account.former_addresses.push(former.clone());
            account.end_sessions();
        };
        match self.change(account, &edit, &with).await? {
            ChangeOutcome::Done(account) => Ok(*account),
            ChangeOutcome::Refused(conditions) if conditions.contains(&Condition::CodeMatches) => Err(invalid_code()),
            ChangeOutcome::Refused(_) => Err(email_taken()),
            ChangeOutcome::SessionEnded => Err(session_ended()),
        }
    }
}
