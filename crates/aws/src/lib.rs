//! The ports of core on DynamoDB, S3, Cognito and SES.
//!
//! One table (design §5). Every item has `pk` and `sk`; those a list is loaded from carry `kind` and `kind_order` too, the
//! keys of its one index. Readers never trust the index for what is new: they follow the log (see [`log`]). The keys and shapes of all
//! items stand in [`items`].

mod accounts;
mod attempts;
mod attributes;
mod belongings;
mod cloud;
mod cognito;
mod connection;
mod counts;
mod fault;
mod files;
mod google;
mod idempotency;
mod items;
mod known_answers;
mod log;
mod mail_folder;
mod outbox;
mod parameter;
mod passwords;
mod saved;
mod secrets;
mod ses;
mod settings;
mod snapshot;
mod snapshots;
mod support;
mod system;
mod table;
mod templates;
mod users;
mod uses;
mod warm;

pub use cloud::Cloud;
pub use cognito::CognitoSettings;
pub use files::create_bucket;
pub use google::GoogleSettings;
pub use items::{FILES_PREFIX, GOING, OUTBOX_PREFIX, account_of_profile, announced_files};
pub use items::{profile as account_item, template_row as template_item};
pub use log::Position as LogPosition;
pub use mail_folder::{MailFolder, SentMail};
pub use settings::{
    AwsSettings, Conditions, Credentials, Endpoints, HouseSettings, MailSettings, OperatorSettings, Patience,
    SecretNames, SecretSettings, Secrets, Settings, StoreSettings,
};
pub use snapshots::{SNAPSHOT_ROWS, Turn as SnapshotTurn};
pub use system::{SystemChance, SystemClock};
pub use table::create_table;
