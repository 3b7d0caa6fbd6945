//! Reverting a change of address from the old address, so that a thief with a stolen session cannot take over the account.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;

use super::{
    Account, AccountService, AccountWrite, Address, ChangeOutcome, Condition, FormerAddress, PasswordStore,
    REVERT_LIFE_SECONDS, email_taken,
};
use crate::files::content_hash;
use crate::limits::PROOF_PER_SOURCE;
use crate::mail::Mail;
use crate::{Error, ErrorCode, InterfaceLanguage, RandomSource, Result, Timestamp};

/// Maximum number of former addresses of an account. When this maximum is reached, changes of address are refused. If the oldest
/// address were dropped instead, a thief could remove the user's own address by changing it often enough.
pub(super) const MOST_FORMER_ADDRESSES: usize = 10;
/// Maximum length in bytes of the token in a link that reverts a change of address. The token has an account id, a full stop, and
/// 128 bits in Base64url.
const LONGEST_TOKEN: usize = 128;
/// Maximum number of attempts to write an account that other requests change at the same time.
const TRIES: u32 = 8;

/// Creates the record of the account's current address. The record is stored when the account changes to another address. Also
/// returns the token of the link that reverts this change.
pub(super) fn new_revert_token(
    account: &Account,
    now: Timestamp,
    chance: &dyn RandomSource,
) -> (FormerAddress, String) {
    let mut secret = [0u8; 16];
    chance.fill_bytes(&mut secret);
    let token = format!("{}.{}", account.id, BASE64URL.encode(secret));
    let former = FormerAddress {
        address: account.email.clone(),
        token_hash: content_hash(token.as_bytes()),
        changed_at: now,
        expires_at: now.plus_seconds(REVERT_LIFE_SECONDS),
    };
    (former, token)
}

impl AccountService<'_> {
    /// Reverts an account to the former address to which the link with this token was mailed. A link can be used once. The change
    /// of address may have been made by a thief. Therefore:
    ///
    /// - all sessions end, and all mailed codes and links become invalid, including the links of later changes;
    /// - the password is deleted;
    /// - Google users who were linked after the change are unlinked.
    ///
    /// The restored address receives a link for a new password, and the replaced address receives a notice.
    ///
    /// # Errors
    /// `invalid_restore_link` if the link was used or has expired; `email_taken` if another account owns the address now.
    pub async fn revert_address_change(
        &self,
        password_store: &dyn PasswordStore,
        token: &str,
        source: &str,
    ) -> Result<()> {
        for attempt in 0..TRIES {
            let Some((account, former)) = self.former_address(token.trim()).await? else {
                // Counts only invalid links, so that a valid link works even if the client has tried many invalid ones.
                self.count_by_source(PROOF_PER_SOURCE, source).await?;
                return Err(invalid_link());
            };
            let old = Address::stored(&former.address)?;
            let restored = self.revert_writes(&account, &former, &old)?;
            match self.change(&account, &|account| revert_address(account, &former), &restored).await? {
                ChangeOutcome::Done(account) => return self.delete_password(password_store, &account, former).await,
                ChangeOutcome::Refused(conditions) => {
                    let owner = self.accounts.address_claims(&old).await?.owner;
                    if conditions.contains(&Condition::FreeAddress) && owner.is_some_and(|owner| owner != account.id) {
                        return Err(email_taken());
                    }
                    // Another session or another use of this link has changed the account, so this loop tries again.
                }
                ChangeOutcome::SessionEnded => {}
            }
            self.back_off(attempt).await;
        }
        Err(Error::unavailable("an account kept being changed while its address was restored"))
    }

    /// Returns the account and the former address that a token belongs to. Returns `None` if the token is invalid or has expired.
    async fn former_address(&self, token: &str) -> Result<Option<(Account, FormerAddress)>> {
        let Some((id, _)) = token.split_once('.').filter(|(id, _)| !id.is_empty() && token.len() <= LONGEST_TOKEN)
        else {
            return Ok(None);
        };
        let Some(account) = self.accounts.account(id).await? else { return Ok(None) };
        let (hash, now) = (content_hash(token.as_bytes()), self.clock.now());
        let former =
            account.former_addresses.iter().find(|former| former.token_hash == hash && former.expires_at > now);
        let former = former.cloned();
        Ok(former.map(|former| (account, former)))
    }

    /// Returns the writes that revert a change of address, except the write of the account itself.
    fn revert_writes(&self, account: &Account, former: &FormerAddress, old: &Address) -> Result<Vec<AccountWrite>> {
        let language = account.mail_language(InterfaceLanguage::default());
        let current = account.address()?;
        let mut writes = self.reset_link(account, account.token_version.saturating_add(1), old, language)?;
        // If the account already has the former address, the ownership of addresses does not change.
        if account.email != former.address {
            let id = &account.id;
            writes.extend([
                AccountWrite::SetAddressOwner { address: old.clone(), account_id: id.clone() },
                AccountWrite::RemoveAddressOwner { address: current.clone(), account_id: id.clone() },
                AccountWrite::ClearPendingRegistration { address: old.clone() },
                self.queue_mail(&current, language, Mail::EmailRestored)?,
            ]);
        }
        Ok(writes)
    }

    /// Deletes the password, because a thief may know it. If this fails, makes the link to `former` valid again and returns the
    /// error.
    async fn delete_password(
        &self,
        password_store: &dyn PasswordStore,
        account: &Account,
        former: FormerAddress,
    ) -> Result<()> {
        let Err(error) = password_store.remove(&account.id).await else { return Ok(()) };
        // The password still exists, so the link becomes valid again.
        self.change(account, &|account| account.former_addresses.push(former.clone()), &[]).await?;
        Err(error)
    }
}

fn revert_address(account: &mut Account, former: &FormerAddress) {
    account.email.clone_from(&former.address);
    // Later changes may have been made by the thief too, so their addresses are dropped.
    let place = account.former_addresses.iter().position(|known| known.token_hash == former.token_hash);
    account.former_addresses.truncate(place.unwrap_or_default());
    account.google.retain(|link| link.linked_at < former.changed_at);
    account.end_sessions();
}

fn invalid_link() -> Error {
    let message = "This link has already been used or has expired.";
    Error::new(ErrorCode::InvalidRestoreLink, message).with_fields(["token"])
}
