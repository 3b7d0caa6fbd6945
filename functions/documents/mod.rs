//! Templates, and documents created from them.

pub mod activate;
pub mod check;
pub mod dashboard;
pub mod deactivate;
pub mod file;
pub mod fill_fields;
pub mod get;
pub mod history;
pub mod list;
pub mod restore;
pub mod save;
pub mod saved_delete;
pub mod saved_get;
pub mod saved_list;
pub mod saved_restore;
pub mod saved_update;
pub mod try_out;
pub mod update;
pub mod upload;
pub mod versions;
