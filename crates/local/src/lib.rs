//! The whole cloud in one process. DynamoDB (dynoxide) and S3 (s3s) listen on loopback ports and are used through the
//! real AWS clients. The gateway has the same handlers as the Lambda functions.
//!
//! [`start`] starts all services according to its [`Options`], and returns a [`Server`]. The services end when the
//! server is dropped. `start` fails if the port is taken or another process holds the data folder.
//!
//! All data is in one folder and survives a kill of the process at any moment.

mod account_cleanup;
mod admin;
mod background;
mod clouds;
mod delayed_index;
mod dynamodb;
mod expiry;
mod faults;
mod folder;
mod gateway;
mod lifecycle;
mod loopback;
mod mail_page;
mod meter;
mod outbox;
pub mod platform;
mod rights;
mod s3;
mod server;
mod signature;
mod snapshots;

pub use admin::{AdminCreation, FirstAdmin};
pub use faults::{FaultSettings, KillPoint};
pub use meter::ReadMeter;
pub use rights::{FunctionCall, Resource, Rights};
pub use server::{Options, Server, start};
