//! The implementations of the traits of `waraq_core` with DynamoDB, S3, Cognito, SES and Systems Manager.
//!
//! [`Cloud`] is the entry point: it builds the clients from [`Settings`] and returns an implementation of each trait,
//! such as templates, accounts, files and mails. Without Cognito, passwords are Argon2id hashes in the table; without
//! SES, a [`MailFolder`] stores mails as files.
//!
//! All data except files is in one table (design §5). Every item has `pk` and `sk`. Items that are loaded into a list
//! also have `kind` and `kind_order`, the keys of the only index. The index lags behind the table, so readers also read
//! the log to find new rows (see the module `log`). The module `items` defines the keys and shapes of all items.
//!
//! A failed call of a service becomes an `unavailable` error: the cause is logged, and the client receives only the
//! code. [`Timeouts`] limits the duration of each call.

mod accounts;
mod attempts;
mod attributes;
mod cdn;
mod cloud;
mod cognito;
mod connection;
mod counts;
mod durable;
mod fault;
mod file_sweep;
mod files;
mod google;
mod idempotency;
mod items;
mod log;
mod mail_folder;
mod outbox;
mod parameter;
mod passwords;
mod personal_records;
mod private_templates;
mod saved;
mod saved_answers;
mod secrets;
mod ses;
mod settings;
mod signed_call;
mod snapshot;
mod snapshots;
mod stored_values;
mod support;
mod system;
mod table;
mod templates;
mod users;
mod uses;
mod warm;

pub use cloud::Cloud;
pub use cognito::CognitoSettings;
pub use durable::{sync_folder, write_durably};
pub use files::{LINK_CACHING, create_bucket};
pub use google::GoogleSettings;
pub use items::{
    DELETION_MARKERS, FILES_PREFIX, OUTBOX_PREFIX, account_of_profile, announced_files, announced_template,
};
pub use items::{profile as account_item, template_row as template_item};
pub use log::LogPosition;
pub use mail_folder::{MailFolder, SentMail};
pub use private_templates::PrivateTemplateStore;
pub use settings::{
    AwsSettings, Credentials, Endpoints, InstallationSettings, MailSettings, OperatorSettings, RuntimeOptions,
    SecretNames, SecretSettings, Secrets, Settings, StoreSettings, Timeouts,
};
pub use snapshots::{SNAPSHOT_ROWS, SnapshotRun};
pub use system::{SystemClock, SystemRandomSource, back_off};
pub use table::create_table;
