//! Fuzz targets for the engine: what they are fed, and what must hold whatever they are fed.
//!
//! Each target takes bytes from libFuzzer, makes a document of them and sends it through the whole engine. What must hold
//! is in [`checks`]: not only that nothing panics, but that errors are coded, that the same input gives the same output, that
//! pages, bytes of the PDF and memory are bounded in the size of the input, that a filled document opens again with its
//! other parts untouched.
//!
//! A part of XML is fed as text. Text that libFuzzer mutated is hardly ever well-formed, and a parser's first refusal would
//! be all that is tested; so it is mended first ([`mend()`]: unclosed elements are closed, stray marks escaped), unless it
//! begins with `<?`, which keeps it as it is. [`mutate`] changes such text as a document is changed: elements copied, taken out,
//! nested, numbers made extreme.

pub mod bytes;
pub mod checks;
pub mod documents;
pub mod filling;
pub mod fonts;
pub mod layout;
pub mod memory;
pub mod mend;
pub mod mutate;
pub mod package;
pub mod parts;
pub mod pictures;

pub use mend::mend;
