//! People.

pub mod delete_me;
pub mod deletion_code;
pub mod export;
pub mod me;
pub mod update_me;
