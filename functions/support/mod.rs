//! The help center, as admins use it.

pub mod answer;
pub mod list;
pub mod update;
