//! Charts (DrawingML, ECMA-376 part 1, §21.2).

pub mod model;
mod read;

pub use read::{is_deep, read};
