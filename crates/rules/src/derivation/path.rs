//! Paths of derived fields and columns, such as `total` and `items[].total`.

use std::fmt::Write;

/// The path of a derived field: the lists around it, outermost first, and its name on the innermost level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DerivedPath<'a> {
    pub lists: Vec<&'a str>,
    pub name: &'a str,
}

/// The text between the name of a list and the name of its column. A field name cannot contain a bracket.
const COLUMN_MARK: &str = "[].";

impl<'a> DerivedPath<'a> {
    pub(crate) fn parse(path: &'a str) -> Self {
        let mut lists: Vec<&str> = path.split(COLUMN_MARK).collect();
        let name = lists.pop().unwrap_or_default();
        Self { lists, name }
    }

    /// Returns the key of the value in one row, such as `items[3].total`. `rows` are the row numbers from 0, one for each
    /// list.
    pub(crate) fn in_row(&self, rows: &[usize]) -> String {
        let mut key = String::new();
        for (list, row) in self.lists.iter().zip(rows) {
            // Writing to a string cannot fail.
            let _ = write!(key, "{list}[{row}].");
        }
        key.push_str(self.name);
        key
    }
}

/// Returns the path of the field or column `name` inside `lists`, such as `items[].total`.
pub(crate) fn path_in<'a>(lists: impl IntoIterator<Item = &'a str>, name: &str) -> String {
    let mut path: String = lists.into_iter().flat_map(|list| [list, COLUMN_MARK]).collect();
    path.push_str(name);
    path
}
