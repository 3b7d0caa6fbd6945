//! Faults of the services.

use waraq_core::Error;

/// A service did not do what it was asked; the cause is logged, never sent.
pub fn unavailable(cause: impl std::error::Error) -> Error {
    Error::unavailable(format!("{}", aws_sdk_dynamodb::error::DisplayErrorContext(cause)))
}
