//! The ports of core on DynamoDB and S3.
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
//! | `USER#id` | `PROFILE` | an account |
//! | `USER#id` | `PASSWORD` | its Argon2id hash (local identity only) |
//! | `EMAIL#hash` | `EMAIL` | whose address it is |
//! | `STAMP#kind` | `STAMP` | how many times rows of a kind were written |
//! | `LOG#kind` | number | which row the write of that number was of |
//! | `IDEM#who#key` | `IDEM` | what a request was answered |
//! | `RATE#action#who#window` | `RATE` | attempts in a window |

mod accounts;
mod attempts;
mod cloud;
mod files;
mod log;
mod parameter;
mod passwords;
mod settings;
mod table;
mod templates;
mod uses;
mod warm;

pub use cloud::{Cloud, SystemChance};
pub use settings::{Credentials, Settings};
pub use table::create_table;
