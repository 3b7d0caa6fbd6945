//! Reverting a change of address from the old address, so that a thief with a stolen session cannot take over the account.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;

use super::passwords::end_sessions;
use super::{
    Account, Address, Changed, Condition, FormerAddress, Identity, RESTORE_LIFE_SECONDS, Registrar, Write, email_taken,
};
use crate::files::content_hash;
use crate::limits::PROOF_PER_SOURCE;
use crate::mail::Letter;
use crate::{Chance, Error, ErrorCode, InterfaceLanguage, Result, Timestamp};

/// Maximum number of former addresses of an account. Further changes of address are refused. If the oldest address were dropped
/// instead, a thief could remove the user's own address by changing it often enough.
pub(super) const MOST_FORMER_ADDRESSES: usize = 10;
/// Maximum length of a link's token in bytes: an account id, a full stop, and 128 bits in Base64url.
const LONGEST_TOKEN: usize = 128;
/// Maximum number of attempts when other requests change the same account.
const TRIES: u32 = 8;

/// Returns the current address of an account as a former address, and the token of the link that reverts to it.
pub(super) fn new_restore_token(account: &Account, now: Timestamp, chance: &dyn Chance) -> (FormerAddress, String) {
    let mut secret = [0u8; 16];
    chance.fill(&mut secret);
    let token = format!("{}.{}", account.id, BASE64URL.encode(secret));
    let former = FormerAddress {
        address: account.email.clone(),
        token_hash: content_hash(token.as_bytes()),
        changed_at: now,
        expires_at: now.plus_seconds(RESTORE_LIFE_SECONDS),
    };
    (former, token)
}

impl Registrar<'_> {
    /// Reverts an account to the former address to which the link with this token was mailed. A link can be used once. The
    /// effects of the change of address are undone:
    ///
    /// - all sessions end, and mailed links, codes and the links of later changes become invalid;
    /// - the password is deleted;
    /// - Google users who were linked since are unlinked.
    ///
    /// The restored address receives a link for a new password, and the replaced address is informed.
    ///
    /// # Errors
    /// `invalid_restore_link` if the link was used or has expired; `email_taken` if another account owns the address now.
    pub async fn restore_address(&self, identity: &dyn Identity, token: &str, source: &str) -> Result<()> {
        for attempt in 0..TRIES {
            let Some((account, former)) = self.former_address(token.trim()).await? else {
                // Counts only invalid links, so that a valid link works even if its source has tried many invalid ones.
                self.take_of_source(PROOF_PER_SOURCE, source).await?;
                return Err(invalid_link());
            };
            let old = Address::stored(&former.address)?;
            let restored = self.restored(&account, &former, &old)?;
            match self.change(&account, &|account| take_back(account, &former), &restored).await? {
                Changed::Done(account) => return self.forget_password(identity, &account, former).await,
                Changed::Refused(conditions) => {
                    let owner = self.accounts.holders(&old).await?.owner;
                    if conditions.contains(&Condition::FreeAddress) && owner.is_some_and(|owner| owner != account.id) {
                        return Err(email_taken());
                    }
                    // Another session or another use of this link has changed the account. Tries again.
                }
                Changed::Ended => {}
            }
            self.step_aside(attempt).await;
        }
        Err(Error::unavailable("an account kept being changed while its address was restored"))
    }

    /// Returns the account and the former address that a token belongs to.
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

    /// Returns the writes of a reverted change, other than the write of the account itself.
    fn restored(&self, account: &Account, former: &FormerAddress, old: &Address) -> Result<Vec<Write>> {
        let language = account.mail_language(InterfaceLanguage::default());
        let current = account.address()?;
        let mut writes = self.reset_link(account, account.token_version.saturating_add(1), old, language)?;
        // If the account already has the former address, the ownership of addresses does not change.
        if account.email != former.address {
            let id = &account.id;
            writes.extend([
                Write::Owner { address: old.clone(), account_id: id.clone() },
                Write::NoOwner { address: current.clone(), account_id: id.clone() },
                Write::NoPending { address: old.clone() },
                self.mail(&current, language, Letter::EmailRestored)?,
            ]);
        }
        Ok(writes)
    }

    /// Deletes the password, because a thief may know it.
    async fn forget_password(&self, identity: &dyn Identity, account: &Account, former: FormerAddress) -> Result<()> {
        let Err(error) = identity.remove(&account.id).await else { return Ok(()) };
        // The password still exists, so the link becomes valid again.
        self.change(account, &|account| account.former_addresses.push(former.clone()), &[]).await?;
        Err(error)
    }
}

fn take_back(account: &mut Account, former: &FormerAddress) {
    account.email.clone_from(&former.address);
    // Later changes may have been made by the thief too, so their addresses are dropped.
    let place = account.former_addresses.iter().position(|known| known.token_hash == former.token_hash);
    account.former_addresses.truncate(place.unwrap_or_default());
    account.google.retain(|link| link.linked_at < former.changed_at);
    end_sessions(account);
}

fn invalid_link() -> Error {
    let message = "This link has already been used or has expired.";
    Error::new(ErrorCode::InvalidRestoreLink, message).with_fields(["token"])
}
