//! Limits of a package. Normal documents stay far below these limits. Sizes and compression ratios are checked before a
//! part is inflated.

/// The maximum number of zip entries, including folders (error `too_many_entries`).
pub const MAX_ENTRIES: usize = 10_000;
/// The maximum inflated size in bytes of a part that is not XML (error `part_too_large`).
pub const MAX_PART_BYTES: u64 = 64 << 20;
/// The maximum inflated size in bytes of an XML part (error `part_too_large`). Parsing needs several times as much
/// memory.
pub const MAX_XML_PART_BYTES: u64 = 32 << 20;
/// The maximum inflated size in bytes of all parts together (error `package_too_large`).
pub const MAX_TOTAL_BYTES: u64 = 192 << 20;
/// The maximum ratio of inflated size to compressed size (error `suspicious_compression`). It does not apply to parts
/// of up to [`RATIO_FREE_BYTES`].
pub const MAX_RATIO: u64 = 250;
/// The inflated size in bytes up to which a part may have any compression ratio. Pictures of a single colour have high
/// ratios.
pub const RATIO_FREE_BYTES: u64 = 4 << 20;
/// The maximum nesting depth of elements in one part (error `xml_too_deep`).
pub const MAX_XML_DEPTH: usize = 256;
/// The maximum number of relationships of one part (error `too_many_relationships`).
pub const MAX_RELATIONSHIPS: usize = 100_000;
