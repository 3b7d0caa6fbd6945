//! People.

pub mod me;
pub mod update_me;
