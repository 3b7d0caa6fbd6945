//! User accounts.

pub mod answers;
pub mod answers_add;
pub mod answers_erase;
pub mod answers_erase_all;
pub mod answers_switch;
pub mod delete;
pub mod delete_me;
pub mod deletion_code;
pub mod export;
pub mod history;
pub mod list;
pub mod me;
pub mod update;
pub mod update_me;
