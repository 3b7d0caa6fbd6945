//! The conversion of templates for other programs.

use waraq_docx::fields::{Converted, convert_marks};
use waraq_docx::{Budget, Package, Result};

/// Converts a template for docxtemplater, docxtpl or Carbone. Returns the bytes of the converted document and the report. If
/// nothing is converted, the bytes are those of the document.
///
/// # Errors
/// The errors of [`Package::open`] and [`convert_marks`].
pub fn convert(bytes: Vec<u8>) -> Result<(Vec<u8>, Converted)> {
    let converted = convert_marks(&Package::open_with_budget(bytes.clone(), &Budget::default())?)?;
    let bytes = if converted.converted > 0 { converted.package.to_bytes()? } else { bytes };
    Ok((bytes, converted))
}
