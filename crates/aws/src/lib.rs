//! The ports of core on DynamoDB, S3, Cognito and SES.
//!
//! One table (design §5). Every item has `pk` and `sk`; those a list is loaded from carry `kind` and `kind_order` too, the
//! keys of its one index. Readers never trust the index for what is new: they follow the log (see [`log`]).
//!
//! | pk | sk | what |
//! |---|---|---|
//! | `TPL#id` | `META` | a template's row |
//! | `TPL#id` | `V#00001` | one of its versions |
//! | `TPL#id` | `USE#0` … `USE#15` | its uses, in shards |
//! | `COUNT#0` … `COUNT#15` | `2026-11` | all uses of a month, in shards |
//! | `USER#id` | `PROFILE` | an account; on the index once its address is proven |
//! | `USER#id` | `PASSWORD` | its Argon2id hash (where there is no Cognito) |
//! | `EMAIL#hash` | `EMAIL` | whose address it is |
//! | `EMAIL#hash` | `PENDING` | the last registration that waits for it |
//! | `GOOGLE#subject` | `GOOGLE` | whose account it is |
//! | `OTP#purpose#…` | `OTP` | a code's HMAC, and how often it was guessed at |
//! | `RESET#hash` | `RESET` | whose password the link with that token's hash sets |
//! | `OUTBOX#id` | `OUTBOX` | a mail that waits, sealed |
//! | `STAMP#kind` | `STAMP` | how many times rows of a kind were written |
//! | `LOG#kind` | number | which row the write of that number was of |
//! | `IDEM#who#key` | `IDEM` | what a request was answered |
//! | `RATE#action#who#window` | `RATE` | attempts in a window |
//! | `RATE#action#who` | `RATE` | until when one waits |

mod accounts;
mod attempts;
mod cloud;
mod cognito;
mod files;
mod google;
mod log;
mod mail_folder;
mod outbox;
mod parameter;
mod passwords;
mod ses;
mod settings;
mod table;
mod templates;
mod uses;
mod warm;

pub use accounts::account_of_profile;
pub use cloud::{Cloud, SystemChance, SystemClock};
pub use cognito::CognitoSettings;
pub use google::GoogleSettings;
pub use mail_folder::{MailFolder, SentMail};
pub use outbox::PREFIX as OUTBOX_PREFIX;
pub use settings::{Credentials, MailSettings, OperatorSettings, PATIENCE, Settings};
pub use table::create_table;
