//! Fuzz targets for the engine: how they build documents from bytes, and what must hold for every input.
//!
//! Each target builds a document from libFuzzer's bytes and sends it through the whole engine. [`checks`] has the
//! properties: the engine does not panic, errors have codes, and the same input gives the same output. A filled
//! document opens again with its other parts unchanged. Pages, bytes of the PDF and memory are bounded by the size of
//! the input.
//!
//! The input of an XML part is text. Text mutated by libFuzzer is rarely well-formed, so that a test would end in the
//! XML parser. Therefore [`mend()`] repairs it first: it closes open elements and escapes stray markup. Text that
//! begins with `<?` is not repaired. [`mutate`] changes the text as a document would be changed: it copies, removes and
//! nests elements, and sets extreme numbers.

pub mod blanks;
pub mod bytes;
pub mod checks;
pub mod conversion;
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
pub mod sections;

pub use mend::mend;
