//! Limits of a package. Normal documents stay far below them. A package or part over a limit is refused before it is
//! inflated or parsed.

/// The maximum number of zip entries, including folders (`too_many_entries`).
pub const MAX_ENTRIES: usize = 10_000;
/// The maximum size of one part in bytes, inflated (`part_too_large`).
pub const MAX_PART_BYTES: u64 = 64 << 20;
/// The maximum size of one XML part in bytes, inflated (`part_too_large`). Parsing needs several times this size.
pub const MAX_XML_PART_BYTES: u64 = 32 << 20;
/// The maximum size of all parts in bytes, inflated (`package_too_large`).
pub const MAX_TOTAL_BYTES: u64 = 192 << 20;
/// The maximum ratio of inflated to stored bytes for parts larger than [`RATIO_FREE_BYTES`] (`suspicious_compression`).
pub const MAX_RATIO: u64 = 250;
/// The size in bytes up to which the compression ratio is not limited. Single-colour pictures have high ratios.
pub const RATIO_FREE_BYTES: u64 = 4 << 20;
/// The maximum nesting depth of elements in one part (`xml_too_deep`).
pub const MAX_XML_DEPTH: usize = 256;
/// The maximum number of relationships of one part (`too_many_relationships`).
pub const MAX_RELATIONSHIPS: usize = 100_000;
