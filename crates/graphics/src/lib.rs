//! Converts drawings of all formats to one model of plain shapes. The formats are DrawingML (ECMA-376 part 1, §20,
//! §21), VML (part 4, §19) and Windows metafiles (\[MS-EMF\], \[MS-WMF\]).
//!
//! The input is an XML element, a theme or the bytes of a file. The output is outlines, fills and lines. The caller
//! handles the position of a drawing and the text in it. Outlines have coordinates from 0 to 1, as fractions of the
//! width and height of their box. Other lengths are in points (`f32`), angles in degrees clockwise, and colours in
//! sRGB.
//!
//! The crate does not know WordprocessingML. All code that reads the parts of a document uses [`xml`] and [`Budget`].
//! They are in this crate, because it is the lowest crate that needs them.
//!
//! - [`shape`] and [`anchor`] contain the common model.
//! - [`outline`] creates outlines, [`mod@fill`] fills and lines, and [`color`] and [`theme`] their colours.
//! - [`vml`] translates VML shapes into the same model.
//! - [`chart`] reads a chart with its cached values.
//! - [`metafile`] plays the records of a metafile and returns marks: lines, fills, text and pictures.
//! - [`code_page`] decodes bytes, and [`symbols`] maps the characters of symbol fonts to Unicode.
//! - [`xml`] parses a part of a package into elements. It also defines the namespaces and parses simple values.
//! - [`Budget`] limits the work and memory for one document. A [`Meter`] counts the work and memory of parsing XML and of
//!   all later steps.
//!
//! # Errors
//! [`xml::Tree::parse`] fails with `malformed_xml`, or with the errors of [`Meter::outcome`] if the budget is used up.
//! All other functions accept any input. For unsupported content they return `None`, a rectangle or an incomplete
//! [`Metafile`].
//!
//! # Examples
//! ```
//! use waraq_graphics::outline::outline;
//! use waraq_graphics::xml::Tree;
//! use waraq_graphics::{Budget, Geometry, Meter};
//!
//! let part = br#"<wps:spPr xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
//!     xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
//!   <a:prstGeom prst="ellipse"/>
//! </wps:spPr>"#;
//! let meter = Meter::new(&Budget::default());
//! let tree = Tree::parse("word/document.xml", part, &meter)?;
//!
//! // The outline of the shape in a box of 72 by 36 points.
//! let outline = outline(tree.root(), 72.0, 36.0);
//! assert_eq!(outline.geometry, Geometry::Ellipse);
//! # Ok::<(), waraq_graphics::Error>(())
//! ```

#![warn(missing_docs)]

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

pub use budget::{Budget, CountedMemory, Meter};
pub use error::{Error, Result};
pub use metafile::marks::Metafile;
pub use shape::*;
