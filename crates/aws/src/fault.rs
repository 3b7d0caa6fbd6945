//! Errors of the AWS services.

use waraq_core::Error;

/// Creates the error for a call that a service did not carry out. The cause is logged and never sent to the client.
pub fn unavailable(cause: impl std::error::Error) -> Error {
    Error::unavailable(format!("{}", aws_sdk_dynamodb::error::DisplayErrorContext(cause)))
}
