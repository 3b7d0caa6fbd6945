//! Drawings as plain shapes, whatever they were written in: DrawingML (ECMA-376 part 1, §20, §21), VML (part 4, §19), Windows
//! metafiles (\[MS-EMF\], \[MS-WMF\]).
//!
//! It knows nothing of WordprocessingML (but [`xml`] and [`Budget`], which all readers of a document's parts share, are kept here,
//! in the lowest crate that needs them): it is given an element, a theme or the bytes of a file, and gives outlines in shares of
//! their box, fills and lines. Where a drawing stands and what text is in it, its caller says. Lengths are points (`f32`), angles
//! degrees clockwise, colours sRGB.
//!
//! - [`shape`] and [`anchor`] are the types that all of them give;
//! - [`outline`] is what a shape is drawn as, [`mod@fill`] what it is filled and drawn with, [`color`] and [`theme`] in which colours;
//! - [`vml`] translates the old shapes into the same;
//! - [`chart`] is a chart with the values it was last shown with;
//! - [`metafile`] plays a metafile: what its records draw, one after the other, becomes marks (lines, fills, text, pictures);
//! - [`code_page`] and [`symbols`] say which characters bytes, and those of symbol fonts, stand for;
//! - [`xml`] reads a part of a package into elements, with the one table of namespaces and the one reading of simple values;
//! - [`Budget`] says what one document may cost in work and memory; reading XML counts against its [`Meter`], and so does all that
//!   is built on it.

pub mod anchor;
mod budget;
pub mod chart;
pub mod code_page;
pub mod color;
mod error;
pub mod fill;
pub mod metafile;
pub mod outline;
pub mod shape;
pub mod symbols;
pub mod theme;
pub mod vml;
pub mod xml;

pub use budget::{Budget, Held, Meter};
pub use error::{Error, Result};
pub use metafile::marks::Metafile;
pub use shape::*;
