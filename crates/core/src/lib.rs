//! The rules of the product, and the ports through which they reach stores, the engine, the clock and chance.
//!
//! Nothing here knows of AWS, HTTP or Lambda.
//!
//! - [`catalogue`]: finding templates: folding, filters, sorts, pages; [`field_help`]: what helps to fill one in;
//! - [`publishing`]: an upload becomes a template; [`incoming`]: a file too large for a form; [`editing`]: it is changed; [`history`]: who has done what to it;
//! - [`filling`]: values make a document of a template, and a use is counted; [`saved`]: it is kept in an account;
//! - [`accounts`], [`token`]: who somebody is; [`one_time_password`]: how he proves his address; [`photo`]: how he looks;
//! - [`known_answers`]: what is offered again of what somebody has filled in;
//! - [`belongings`]: what is kept of a person; [`export`]: handed to him;
//! - [`mail`]: what is written to people, and the outbox it is sent from;
//! - [`analytics`]: how much it is used;
//! - [`support`]: what people write to whoever supports the product;
//! - [`limits`]: how often somebody may;
//! - [`country`], [`language`], [`category`]: the lookups; [`keyword`]: what else a template is found by;
//! - [`one_line`]: what a name or a title may be.

pub mod accounts;
pub mod analytics;
pub mod belongings;
pub mod catalogue;
pub mod category;
pub mod clock;
pub mod country;
pub mod editing;
mod error;
pub mod export;
pub mod field_help;
pub mod files;
pub mod filling;
pub mod fold;
pub mod history;
pub mod incoming;
pub mod keyword;
pub mod known_answers;
pub mod language;
pub mod limits;
pub mod mail;
pub mod one_line;
pub mod one_time_password;
pub mod photo;
pub mod publishing;
pub mod saved;
pub mod secret;
pub mod support;
pub mod template;
pub mod token;

pub use clock::{Chance, Clock, Timestamp};
pub use error::{Error, ErrorDetails, Result};
pub use language::InterfaceLanguage;
pub use waraq_rules::{ErrorCode, ErrorKind};
