//! Errors of the AWS services.

use waraq_core::Error;

/// Creates the `unavailable` error for a failed call of a service. The cause is logged and never sent to the client.
pub fn unavailable(cause: impl std::error::Error) -> Error {
    Error::unavailable(format!("{}", aws_sdk_dynamodb::error::DisplayErrorContext(cause)))
}
