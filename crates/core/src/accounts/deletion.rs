//! Deletion of accounts, by their users or by an admin.
//!
//! A deletion has two steps. [`AccountService::begin_deletion`] is one transaction. It deletes the account's row. It also removes the
//! ownership of the address and the links to Google users. It adds a deletion marker that lists what remains to be deleted. From then
//! on, all tokens, logins and codes of the account are invalid, and its address is free. Requests in progress can no longer write to
//! the database, because each of their writes requires the row.
//!
//! [`AccountCleanup::clean_up`] then deletes files, records and passwords, and finally the marker. It may be interrupted at any time and
//! is repeated while the marker exists; every step can be repeated safely. Requests in progress may still write files. So the
//! marker is kept until no such request can be running, and everything is deleted once more at that time.

use serde::{Deserialize, Serialize};

use super::passwords::check_current_password;
use super::{
    Account, AccountService, AccountWrite, CommitOutcome, Condition, Google, MAX_WRITE_ATTEMPTS, MailRequester,
    PasswordStore, Role, account_busy,
};
use crate::file_sweep::PublicCache;
use crate::files::{
    Files, photo_prefix, private_templates_prefix, response_files_prefix, saved_prefix, uploads_prefix,
};
use crate::limits::MailKind;
use crate::mail::Mail;
use crate::one_time_password::{CODE_LIFE_SECONDS, CodeKey, invalid_code, new_code, parse_code};
use crate::personal_records::PersonalRecords;
use crate::token::session_ended;
use crate::{Clock, Error, ErrorCode, InterfaceLanguage, Result, Timestamp};

/// Time in seconds after the start of a deletion during which earlier requests may still write data of the account. A request
/// takes at most 30 seconds (API Gateway's limit); the remaining 90 seconds allow for clock differences.
pub const SETTLE_SECONDS: u64 = 120;

/// A record which says that an account is being deleted. It exists until all data of the account is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletionMarker {
    /// The id of the account.
    pub id: String,
    /// The subjects (Google's ids) of the Google users who could sign in to the account. The Cognito user pool has a record of each
    /// Google user, which must also be deleted.
    pub google: Vec<String>,
    pub since: Timestamp,
}

/// The proof that the user wants to delete their account.
#[derive(Clone, Copy)]
pub enum DeletionProof<'a> {
    Password(&'a str),
    /// A code that was mailed to the user.
    Code(&'a str),
}

impl AccountService<'_> {
    /// Mails a code to the address of the account. With this code, the user confirms the deletion of the account.
    pub async fn mail_deletion_code(&self, account: &Account, source: &str, language: InterfaceLanguage) -> Result<()> {
        let address = account.address()?;
        self.check_mail_limits(MailKind::DeletionCode, &address, MailRequester::Session(account, source)).await?;
        let key = CodeKey::deletion(account);
        let (code, mac) = new_code(&key, self.secret()?, self.random);
        let mail = self.queue_mail(&address, account.mail_language(language), Mail::DeletionCode { code })?;
        let expires_at = self.clock.now().plus_seconds(CODE_LIFE_SECONDS);
        self.commit_all(vec![AccountWrite::PutCode { key, mac, expires_at }, mail]).await
    }

    /// Checks the proof, and then starts the deletion of the user's own account with [`Self::begin_deletion`].
    ///
    /// # Errors
    /// `wrong_password`, `invalid_otp`; `last_admin` if there would be no admin left; `too_many_attempts`; `session_ended`;
    /// `account_busy`.
    pub async fn delete_own(
        &self,
        password_store: &dyn PasswordStore,
        account: &Account,
        proof: DeletionProof<'_>,
        source: &str,
    ) -> Result<()> {
        let with = match proof {
            DeletionProof::Password(password) => {
                let right = check_current_password(self, password_store, account, password, source).await?;
                if !right {
                    // The status is not 401, because the session is still valid.
                    return Err(
                        Error::new(ErrorCode::WrongPassword, "The password is wrong.").with_fields(["password"])
                    );
                }
                Vec::new()
            }
            DeletionProof::Code(typed) => {
                let named = |error: Error| error.with_fields(["code"]);
                let code = parse_code(typed).map_err(named)?;
                let key = CodeKey::deletion(account);
                let mac = self.check_code(&key, &code).await.map_err(named)?;
                vec![AccountWrite::ConsumeCode { key, mac }]
            }
        };
        self.begin_deletion(account, &with).await
    }

    /// Starts the deletion of an account, in one transaction with the writes in `with`. From then on, the account cannot be used.
    /// [`AccountCleanup`] deletes the other data of the account later. The user receives a notice by mail.
    ///
    /// # Errors
    /// `last_admin`; `session_ended` if the account was already deleted or its sessions were ended since it was read;
    /// `invalid_otp` if a code in `with` was used by another request; `account_busy` if other requests keep changing the
    /// account.
    pub async fn begin_deletion(&self, account: &Account, with: &[AccountWrite]) -> Result<()> {
        let mut now_known = account.clone();
        for attempt in 0..MAX_WRITE_ATTEMPTS {
            let mut writes = self.deletion_writes(&now_known)?;
            writes.extend_from_slice(with);
            let CommitOutcome::Refused(refused) = self.accounts.commit(writes).await? else { return Ok(()) };
            if refused.contains(&Condition::CodeMatches) {
                return Err(invalid_code().with_fields(["code"]));
            }
            if refused == [Condition::AnotherAdminExists] {
                return Err(last_admin());
            }
            self.back_off(attempt).await;
            let now = self.accounts.account(&account.id).await?;
            now_known = now.filter(|now| now.token_version == account.token_version).ok_or_else(session_ended)?;
        }
        Err(account_busy())
    }

    fn deletion_writes(&self, account: &Account) -> Result<Vec<AccountWrite>> {
        let id = &account.id;
        let google: Vec<String> = account.google.iter().map(|link| link.subject.clone()).collect();
        let mut writes = vec![
            AccountWrite::DeleteAccount { account: Box::new(account.clone()) },
            AccountWrite::PutDeletionMarker(DeletionMarker {
                id: id.clone(),
                google: google.clone(),
                since: self.clock.now(),
            }),
        ];
        writes.extend(google.into_iter().map(|subject| AccountWrite::UnlinkGoogle { subject, account_id: id.clone() }));
        if account.role == Role::Admin {
            writes.push(AccountWrite::RemoveAdmin { account_id: id.clone() });
        }
        // An unverified account owns no address, and no mail is sent to it.
        if account.verified {
            let address = account.address()?;
            let language = account.mail_language(InterfaceLanguage::default());
            writes.push(self.queue_mail(&address, language, Mail::AccountDeleted)?);
            writes.push(AccountWrite::RemoveAddressOwner { address, account_id: id.clone() });
            writes.push(AccountWrite::UncountAccount { created_at: account.created_at });
        }
        Ok(writes)
    }
}

pub(super) fn last_admin() -> Error {
    let message = "This is the only admin account. Make another user an admin first.";
    Error::new(ErrorCode::LastAdmin, message)
}

/// The service that finishes the deletion of accounts. Its fields are its dependencies, such as stores and the clock.
pub struct AccountCleanup<'a> {
    pub personal_records: &'a dyn PersonalRecords,
    pub files: &'a dyn Files,
    pub password_store: &'a dyn PasswordStore,
    /// The Cognito user pool through which users sign in with Google. `None` if sign-in with Google is not set up.
    pub google: Option<&'a dyn Google>,
    /// The CDN that caches photos. `None` without a CDN.
    pub cache: Option<&'a dyn PublicCache>,
    pub clock: &'a dyn Clock,
}

impl AccountCleanup<'_> {
    /// Deletes all remaining data of an account that has a deletion marker. If no earlier request can still write data, also deletes
    /// the marker. Returns true if the account has no marker any more. Simultaneous calls for the same account do no harm.
    pub async fn clean_up(&self, id: &str) -> Result<bool> {
        let Some(going) = self.personal_records.deletion_marker(id).await? else { return Ok(true) };
        // This is checked before the data is deleted. If the marker is old enough, no request can write data after this point.
        let settled = self.clock.now() >= going.since.plus_seconds(SETTLE_SECONDS);
        self.files.remove_all(&saved_prefix(id)).await?;
        self.files.remove_all(&private_templates_prefix(id)).await?;
        self.files.remove_all(&photo_prefix(id)).await?;
        self.files.remove_all(&uploads_prefix(id)).await?;
        self.files.remove_all(&response_files_prefix(id)).await?;
        self.personal_records.delete_all(id).await?;
        self.password_store.remove(id).await?;
        if let Some(google) = self.google {
            for subject in &going.google {
                google.delete_user(subject).await?;
            }
        }
        if settled {
            // Photos are public and cached for a year.
            if let Some(cache) = self.cache {
                cache.invalidate(vec![format!("/{}*", photo_prefix(id))]).await?;
            }
            self.personal_records.remove_deletion_marker(id).await?;
        }
        Ok(settled)
    }

    /// Runs [`Self::clean_up`] for every account with a deletion marker. Returns the number of accounts that still have a marker.
    /// An error in one account does not stop the others; the last error is returned at the end.
    pub async fn clean_up_all(&self) -> Result<usize> {
        let (mut left, mut fault) = (0, None);
        for id in self.personal_records.deletion_marker_ids().await? {
            match self.clean_up(&id).await {
                Ok(done) => left += usize::from(!done),
                Err(error) => fault = Some(error),
            }
        }
        fault.map_or(Ok(left), Err)
    }
}
