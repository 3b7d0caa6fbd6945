//! Templates.

pub mod file;
pub mod fill_fields;
pub mod get;
pub mod list;
