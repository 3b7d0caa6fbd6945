//! A paragraph becomes lines.
//!
//! The flow asks for one line after the other and says each time how wide it may be, since floating objects narrow lines
//! and only the flow knows at which height a line stands.

mod bidi;
mod clusters;
pub(crate) mod context;
mod decorate;
mod east_asian;
mod fill;
mod fit;
mod height;
mod hyphenate;
mod itemize;
mod joining;
mod kashida;
mod line;
mod lines;
mod measure;
mod memory;
mod place;
mod prepare;
mod ruby;
mod segments;
pub(crate) mod shape;
mod slots;
mod source;
mod tabs;

pub use context::{Context, FieldText};
pub(crate) use decorate::revision_color;
pub use line::{ContentWidths, Line, LineEnd, LineStart, Slot};
pub(crate) use lines::line_extent;
pub use lines::{ParagraphLines, single_line};
pub use memory::LineMemory;
pub(crate) use place::{color as run_color, is_dark, target};
