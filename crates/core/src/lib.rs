//! The business rules of Waraq, and the ports (traits) through which they use stores, the engine, the clock and random bytes.
//!
//! The crate does not depend on AWS, HTTP or Lambda. Adapters implement the ports.
//!
//! # Modules
//!
//! - Templates: [`catalogue`] searches them. [`publishing`] creates them from uploaded files, and [`direct_uploads`] receives files
//!   that are too large for a form. [`editing`] changes them, and [`field_settings`] has the field settings of a template.
//! - Audit log: [`audit_log`] records changes of templates, categories and accounts.
//! - Filled documents: [`filling`] renders them from a template and values. [`saved`] keeps them in an account.
//! - Accounts: [`accounts`] has the accounts themselves, [`token`] the access tokens, [`one_time_password`] the codes that verify
//!   an address, and [`photo`] the profile photos. [`saved_answers`] saves answers for later forms.
//! - Personal data: [`personal_records`] lists the records of a person, and [`export`] packs them into a zip file.
//! - Mails: [`mail`] renders them and sends them from an outbox. [`support`] is the help center.
//! - Lookup tables: [`country`], [`language`], [`category`] and [`keyword`].
//! - Other: [`analytics`] has the usage figures, [`limits`] the rate limits, and [`one_line`] the rules for names and titles.
//!
//! # Errors and limits
//!
//! Every function that can fail returns an [`Error`]. Its [`ErrorCode`] is stable and belongs to one [`ErrorKind`]. Size limits
//! are constants of the modules, such as [`template::LONGEST_TITLE`] or [`saved::MOST_SAVED`]. An error caused by a size limit
//! contains the limit. An error caused by a rate limit contains the time to wait. See [`ErrorDetails`].
//!
//! # Example
//!
//! An adapter that counts attempts in memory, and a rate limit that uses it:
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::Mutex;
//!
//! use async_trait::async_trait;
//! use waraq_core::limits::{Attempts, Limit};
//! use waraq_core::{ErrorCode, Result, Timestamp};
//!
//! #[derive(Default)]
//! struct InMemory(Mutex<HashMap<String, u64>>);
//!
//! #[async_trait]
//! impl Attempts for InMemory {
//!     async fn count(&self, action: &str, who: &str, window: u64, _expires_at: Timestamp) -> Result<u64> {
//!         let mut counts = self.0.lock().unwrap();
//!         let count = counts.entry(format!("{action}#{who}#{window}")).or_default();
//!         *count += 1;
//!         Ok(*count)
//!     }
//!
//!     async fn uncount(&self, action: &str, who: &str, window: u64) -> Result<()> {
//!         if let Some(count) = self.0.lock().unwrap().get_mut(&format!("{action}#{who}#{window}")) {
//!             *count -= 1;
//!         }
//!         Ok(())
//!     }
//!
//!     async fn start_wait(&self, _: &str, _: &str, _: Timestamp, _: Timestamp) -> Result<Option<Timestamp>> {
//!         Ok(None)
//!     }
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<()> {
//!     let limit = Limit { action: "example", most: 2, window_seconds: 60 };
//!     let attempts = InMemory::default();
//!     let now = Timestamp(15_000);
//!     limit.count_attempt(&attempts, "amina", now).await?;
//!     limit.count_attempt(&attempts, "amina", now).await?;
//!     let error = limit.count_attempt(&attempts, "amina", now).await.unwrap_err();
//!     assert_eq!(error.code, ErrorCode::TooManyAttempts);
//!     assert_eq!(error.details.limit, Some(2));
//!     assert_eq!(error.details.retry_after, Some(45));
//!     Ok(())
//! }
//! ```

pub mod accounts;
pub mod analytics;
pub mod audit_log;
pub mod catalogue;
pub mod category;
pub mod clock;
pub mod country;
pub mod direct_uploads;
pub mod editing;
mod error;
pub mod export;
pub mod field_settings;
pub mod file_sweep;
pub mod files;
pub mod filling;
pub mod fold;
pub mod keyword;
pub mod language;
pub mod limits;
pub mod mail;
pub mod one_line;
pub mod one_time_password;
pub mod personal_records;
pub mod photo;
mod picture_decoder;
mod plain_jpeg;
pub mod private_templates;
pub mod publishing;
pub mod saved;
pub mod saved_answers;
pub mod secret;
pub mod support;
pub mod template;
pub mod token;
pub mod value_pictures;

pub use clock::{Clock, RandomSource, Timestamp};
pub use error::{Error, ErrorDetails, Result};
pub use language::InterfaceLanguage;
pub use waraq_rules::{ErrorCode, ErrorKind};
