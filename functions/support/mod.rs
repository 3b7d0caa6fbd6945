//! Routes with which admins read, reply to and close the messages of the help center.

pub mod answer;
pub mod list;
pub mod update;
