//! An account goes: by its owner's wish, or by an admin's.
//!
//! It goes in two steps. [`Registrar::begin_removal`] is one transaction: the account's row, its address and Google's users are taken away, and a
//! mark is left that names what is still to go. From then on no token, login or code of it holds, no write of a call that is under way
//! succeeds (all are made on the condition that the row is there), and its address is free. [`Removal::finish`] then takes away files,
//! records and passwords, and the mark last. It can be ended at any moment and is begun anew as long as the mark is there: every step
//! is the same when done twice. The mark outlives the calls that were under way when it was made, whose files may come after
//! everything was swept, so the last sweep is made when none of them can run any more.

use serde::{Deserialize, Serialize};

use super::passwords::password_is;
use super::{
    Account, Asker, Commit, Condition, Google, Identity, MOST_COLLISIONS, Registrar, Role, Write, account_busy,
};
use crate::belongings::Belongings;
use crate::files::{Files, photo_prefix, saved_prefix, uploads_prefix};
use crate::limits::MailSort;
use crate::mail::Letter;
use crate::one_time_password::{CODE_LIFE_SECONDS, CodeKey, invalid_code, new_code, typed_code};
use crate::token::session_ended;
use crate::{Clock, Error, ErrorCode, InterfaceLanguage, Result, Timestamp};

/// A call takes 30 seconds at most (API Gateway's limit), and clocks differ: when that is over, nothing of the account is written any more.
pub const SETTLE_SECONDS: u64 = 120;

/// The mark of an account that is being taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Going {
    /// The account's.
    pub id: String,
    /// Of Google's users who could sign in to it: the pool has a record of each.
    pub google: Vec<String>,
    pub since: Timestamp,
}

/// How somebody proves that it is he who wants his account to go.
#[derive(Clone, Copy)]
pub enum Proof<'a> {
    Password(&'a str),
    /// One that was mailed to him.
    Code(&'a str),
}

impl Registrar<'_> {
    /// Mails an account's own address a code by which it can be deleted.
    pub async fn mail_deletion_code(&self, account: &Account, source: &str, language: InterfaceLanguage) -> Result<()> {
        let address = account.address()?;
        self.may_mail(MailSort::DeletionCode, &address, Asker::Session(account, source)).await?;
        let key = CodeKey::deletion(account);
        let (code, mac) = new_code(&key, self.secret()?, self.chance);
        let mail = self.mail(&address, account.mail_language(language), Letter::DeletionCode { code })?;
        let expires_at = self.clock.now().plus_seconds(CODE_LIFE_SECONDS);
        self.write(vec![Write::Code { key, mac, expires_at }, mail]).await
    }

    /// Begins to take away an account at its owner's wish: [`Self::begin_removal`], once he has proven himself.
    ///
    /// # Errors
    /// `wrong_password`, `invalid_otp`; `last_admin` where nobody else could manage the house; `too_many_attempts`; `session_ended`;
    /// `account_busy`.
    pub async fn delete_own(
        &self,
        identity: &dyn Identity,
        account: &Account,
        proof: Proof<'_>,
        source: &str,
    ) -> Result<()> {
        let with = match proof {
            Proof::Password(password) => {
                let right = password_is(self, identity, account, password, source).await?;
                if !right {
                    // Not a 401: the session lives.
                    return Err(
                        Error::new(ErrorCode::WrongPassword, "The password is wrong.").with_fields(["password"])
                    );
                }
                Vec::new()
            }
            Proof::Code(typed) => {
                let named = |error: Error| error.with_fields(["code"]);
                let code = typed_code(typed).map_err(named)?;
                let key = CodeKey::deletion(account);
                let mac = self.check_code(&key, &code).await.map_err(named)?;
                vec![Write::UseCode { key, mac }]
            }
        };
        self.begin_removal(account, &with).await
    }

    /// Begins to take away an account, together with other writes: from now on nobody can enter it, and [`Removal`] does the rest. Its
    /// owner is told by mail.
    ///
    /// # Errors
    /// `last_admin`; `session_ended` where it is gone already, or its sessions were ended since it was read; `invalid_otp` where a code of
    /// `with` was used meanwhile; `account_busy` where others keep changing it.
    pub async fn begin_removal(&self, account: &Account, with: &[Write]) -> Result<()> {
        let mut now_known = account.clone();
        for attempt in 0..MOST_COLLISIONS {
            let mut writes = self.removal(&now_known)?;
            writes.extend_from_slice(with);
            let Commit::Refused(refused) = self.accounts.commit(writes).await? else { return Ok(()) };
            if refused.contains(&Condition::LiveCode) {
                return Err(invalid_code().with_fields(["code"]));
            }
            if refused == [Condition::OtherAdmin] {
                return Err(last_admin());
            }
            self.step_aside(attempt).await;
            let now = self.accounts.account(&account.id).await?;
            now_known = now.filter(|now| now.token_version == account.token_version).ok_or_else(session_ended)?;
        }
        Err(account_busy())
    }

    fn removal(&self, account: &Account) -> Result<Vec<Write>> {
        let id = &account.id;
        let google: Vec<String> = account.google.iter().map(|link| link.subject.clone()).collect();
        let mut writes = vec![
            Write::NoAccount { account: Box::new(account.clone()) },
            Write::Going(Going { id: id.clone(), google: google.clone(), since: self.clock.now() }),
        ];
        writes.extend(google.into_iter().map(|subject| Write::NoGoogle { subject, account_id: id.clone() }));
        if account.role == Role::Admin {
            writes.push(Write::NoAdmin { account_id: id.clone() });
        }
        // Who has proven nothing owns no address, and is not written to.
        if account.verified {
            let address = account.address()?;
            let language = account.mail_language(InterfaceLanguage::default());
            writes.push(self.mail(&address, language, Letter::AccountDeleted)?);
            writes.push(Write::NoOwner { address, account_id: id.clone() });
            writes.push(Write::Left { created_at: account.created_at });
        }
        Ok(writes)
    }
}

pub(super) fn last_admin() -> Error {
    let message = "This is the last admin's account: nobody could manage the house without it. Make somebody else an admin first.";
    Error::new(ErrorCode::LastAdmin, message)
}

/// What takes away the rest of accounts that go.
pub struct Removal<'a> {
    pub belongings: &'a dyn Belongings,
    pub files: &'a dyn Files,
    pub identity: &'a dyn Identity,
    /// `None` where nobody signs in with Google.
    pub google: Option<&'a dyn Google>,
    pub clock: &'a dyn Clock,
}

impl Removal<'_> {
    /// Takes away whatever is left of an account that is marked; whether that was all, and the mark is gone. Another call of it for the
    /// same account at the same time does no harm.
    pub async fn finish(&self, id: &str) -> Result<bool> {
        let Some(going) = self.belongings.going(id).await? else { return Ok(true) };
        // Before the sweep: nothing is written after this, if it is late enough.
        let settled = self.clock.now() >= going.since.plus_seconds(SETTLE_SECONDS);
        self.files.remove_all(&saved_prefix(id)).await?;
        self.files.remove_all(&photo_prefix(id)).await?;
        self.files.remove_all(&uploads_prefix(id)).await?;
        self.belongings.remove_all(id).await?;
        self.identity.remove(id).await?;
        if let Some(google) = self.google {
            for subject in &going.google {
                google.forget(subject).await?;
            }
        }
        if settled {
            self.belongings.gone(id).await?;
        }
        Ok(settled)
    }

    /// [`Self::finish`] for every account that is marked; how many still are. One that fails does not keep the others; the last fault is
    /// told at the end.
    pub async fn finish_all(&self) -> Result<usize> {
        let (mut left, mut fault) = (0, None);
        for id in self.belongings.all_going().await? {
            match self.finish(&id).await {
                Ok(done) => left += usize::from(!done),
                Err(error) => fault = Some(error),
            }
        }
        fault.map_or(Ok(left), Err)
    }
}
