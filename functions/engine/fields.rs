//! The fields of a template, in core's words.

use waraq_core::filling::check_count;
use waraq_core::publishing::Finding;
use waraq_core::{Error, Result};
use waraq_docx::fields::{self, EmptyValue, FillOptions, Values};
use waraq_engine::Package;

use super::refused;

/// The names of the fields in reading order, and everything the check found.
pub fn check(package: &Package) -> Result<(Vec<String>, Vec<Finding>)> {
    let names: Vec<String> = fields::list(package).map_err(docx_error)?.into_iter().map(|field| field.name).collect();
    check_count(names.len()).map_err(|error| error.with_fields(["file"]))?;
    let findings = waraq_engine::check(package).map_err(docx_error)?;
    Ok((names, findings))
}

/// The template with values in its fields, set.
pub fn finish(
    template: &Package,
    values: Vec<(String, String)>,
    blank: bool,
    setting: &waraq_engine::Setting,
) -> Result<waraq_engine::Finished> {
    let values = Values::from_pairs(values)?;
    let empty = if blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
    waraq_engine::finish(template, &values, FillOptions { empty }, setting).map_err(docx_error)
}

pub fn docx_error(error: waraq_docx::Error) -> Error {
    if error.code == "internal" {
        return Error::internal(error.message);
    }
    let fields = if error.fields.is_empty() { vec!["file".to_owned()] } else { error.fields };
    refused(error.code, &error.message).with_fields(fields)
}
