//! A Word document (ECMA-376, WordprocessingML) in memory.
//!
//! Bytes in, bytes out: no file system, no network, no clock. The way through: [`Package::open`], [`fields::fill`], [`read()`],
//! and the [`tree::Document`] goes to the layout.
//!
//! - [`Package`] opens a `.docx` and refuses what is broken, encrypted or hostile with a coded [`Error`];
//! - [`fields`] finds the template's fields, checks them and fills them;
//! - [`tree`] is the document as the layout wants it: styles resolved, numbering counted, units in points. It holds no XML
//!   (some of its words can be read as files write them, no more); [`read()`] makes it;
//! - [`Budget`] says what one document may cost in work and memory, and whether it is still wanted; what works on a
//!   [`Package`] counts against its [`Meter`] ([`Held`] is memory so counted);
//! - [`inspect()`] is what a document says of itself, as data.

#[cfg(feature = "build")]
pub mod build;
pub mod fields;
pub mod inspect;
pub mod package;
pub mod read;
pub mod tree;

pub use inspect::inspect;
pub use package::Package;
pub use read::{ReadOptions, TrackedChanges, read};
pub use waraq_graphics::{Budget, Error, Held, Meter, Result};
