//! The fonts that may be used, found by family, style and script.

/// Built once per process; cheap to use from many threads.
#[derive(Debug, Default)]
pub struct FontBook {}
