//! The ports on DynamoDB and S3.

mod cloud;

pub use cloud::{Cloud, Settings};

pub mod parameter;
