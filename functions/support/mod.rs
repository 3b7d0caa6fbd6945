//! What admins do with messages of the help center.

pub mod answer;
pub mod list;
pub mod update;
