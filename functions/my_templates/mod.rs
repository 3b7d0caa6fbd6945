//! Private templates: templates that a user makes of their own Word files, and that only this user can see and fill.

pub mod check;
pub mod create;
pub mod delete;
pub mod duplicate;
pub mod fill_fields;
pub mod get;
pub mod list;
pub mod update;
pub mod upload;
