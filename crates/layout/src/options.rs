//! What is asked besides the document.

/// What is not in the document.
#[derive(Debug, Clone)]
pub struct Options {
    /// Seconds since 1970-01-01T00:00:00Z, for DATE and TIME fields and for when the pages were made; 0: no moment is known.
    pub now: i64,
    /// Minutes east of UTC.
    pub time_zone: i32,
    pub show_comments: bool,
    /// For FILENAME fields.
    pub file_name: Option<String>,
    /// Pages beyond this many are not made: [`Pages::warnings`] says so.
    pub max_pages: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { now: 0, time_zone: 0, show_comments: false, file_name: None, max_pages: 2_000 }
    }
}
