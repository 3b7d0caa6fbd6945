//! The ports on DynamoDB and S3.

mod cloud;
pub mod parameter;

pub use cloud::{Cloud, Settings};
