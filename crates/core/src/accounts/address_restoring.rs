//! A change of address taken back by whoever reads the old address' mail: a stolen session must not become the thief's account.

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

/// Changes that can be taken back at one time. No more are made: dropping the oldest would let a thief push out the owner's.
pub(super) const MOST_FORMER_ADDRESSES: usize = 10;
/// Bytes of a link's token: an account's id, a full stop, 128 bits in base64url.
const LONGEST_TOKEN: usize = 128;
/// Changes of an account by others that may come in between.
const TRIES: u32 = 8;

/// The address an account is about to leave, and the token that brings it back.
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
    /// Gives an account the address back that a link was mailed to, once. Whatever was done since by whoever changed it does not hold:
    /// every session ends, the password is forgotten, Google's users who were let in since are let in no more, mailed links and
    /// codes and the links of later changes end. The address is mailed the way to a new password, the one that was taken away is
    /// told. `invalid_restore_link` where the link was used or is over; `email_taken` where another account has the address now.
    pub async fn restore_address(&self, identity: &dyn Identity, token: &str, source: &str) -> Result<()> {
        for attempt in 0..TRIES {
            let Some((account, former)) = self.former_address(token.trim()).await? else {
                // A right link is never held up by the wrong ones that others try.
                self.take_of_source(PROOF_PER_SOURCE, source).await?;
                return Err(invalid_link());
            };
            let old = Address::parse(&former.address)?;
            let restored = self.restored(&account, &former, &old)?;
            match self.change(&account, &|account| take_back(account, &former), &restored).await? {
                Changed::Done(account) => return self.forget_password(identity, &account, former).await,
                Changed::Refused(conditions) => {
                    let owner = self.accounts.holders(&old).await?.owner;
                    if conditions.contains(&Condition::FreeAddress) && owner.is_some_and(|owner| owner != account.id) {
                        return Err(email_taken());
                    }
                    // Changed meanwhile, by whoever else is signed in or by this very link.
                }
                Changed::Ended => {}
            }
            self.step_aside(attempt).await;
        }
        Err(Error::unavailable("an account kept being changed while its address was restored"))
    }

    /// The account and address a token is for.
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

    /// What is written with the account.
    fn restored(&self, account: &Account, former: &FormerAddress, old: &Address) -> Result<Vec<Write>> {
        let language = account.mail_language(InterfaceLanguage::default());
        let current = account.address()?;
        let mut writes = self.reset_link(account, account.token_version.saturating_add(1), old, language)?;
        // Where it was changed back already only the rest is left to do.
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

    /// Nobody can tell who knows the password by now.
    async fn forget_password(&self, identity: &dyn Identity, account: &Account, former: FormerAddress) -> Result<()> {
        let Err(error) = identity.remove(&account.id).await else { return Ok(()) };
        // It still stands: the link shall work again.
        self.change(account, &|account| account.former_addresses.push(former.clone()), &[]).await?;
        Err(error)
    }
}

fn take_back(account: &mut Account, former: &FormerAddress) {
    account.email.clone_from(&former.address);
    // Later changes were made by whoever made this one.
    let place = account.former_addresses.iter().position(|known| known.token_hash == former.token_hash);
    account.former_addresses.truncate(place.unwrap_or_default());
    account.google.retain(|link| link.linked_at < former.changed_at);
    end_sessions(account);
}

fn invalid_link() -> Error {
    let message = "This link was used already or has expired.";
    Error::new(ErrorCode::InvalidRestoreLink, message).with_fields(["token"])
}
