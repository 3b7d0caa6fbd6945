//! Tables (ECMA-376 part 1, §17.4), which are measured once and laid out row by row.

mod borders;
pub(super) mod columns;
pub(super) mod grid;
mod measure;
mod merged;
pub(super) mod paint;
pub(super) mod row_break;
pub(super) mod rows;
