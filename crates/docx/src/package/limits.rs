//! What a package may cost. Honest documents stay far below; what exceeds one of these is refused by name before it is
//! paid for.

/// Entries of the zip, folders included. (`too_many_entries`)
pub const MAX_ENTRIES: usize = 10_000;
/// Bytes of one part, inflated. (`part_too_large`)
pub const MAX_PART_BYTES: u64 = 64 << 20;
/// Bytes of one XML part, inflated: reading it costs several times its size. (`part_too_large`)
pub const MAX_XML_PART_BYTES: u64 = 32 << 20;
/// Bytes of all parts, inflated. (`package_too_large`)
pub const MAX_TOTAL_BYTES: u64 = 192 << 20;
/// Inflated bytes per stored byte of one part, asked of parts past [`RATIO_FREE_BYTES`]. (`suspicious_compression`)
pub const MAX_RATIO: u64 = 250;
/// Below this size a part may be as repetitive as it likes: an empty picture of one colour is.
pub const RATIO_FREE_BYTES: u64 = 4 << 20;
/// Elements inside each other in one part. (`xml_too_deep`)
pub const MAX_XML_DEPTH: usize = 256;
/// Relationships of one part. (`too_many_relationships`)
pub const MAX_RELATIONSHIPS: usize = 100_000;
