//! The whole cloud in one process: DynamoDB (dynoxide) and S3 (s3s) on loopback ports, reached by the real AWS clients, and
//! the gateway that mounts the very handlers the Lambdas run.
//!
//! Everything is kept under one data folder and survives the process being killed at any moment.

mod admin;
mod background;
pub mod cloud;
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
mod removal;
pub mod restoring;
mod rights;
mod s3;
mod server;
mod signature;
mod snapshots;
mod starting_catalogue;

pub use admin::{FirstAdmin, Made};
pub use faults::{FaultSettings, Kill};
pub use meter::ReadMeter;
pub use rights::{Call, On, Rights};
pub use server::{Options, Server, start};
