//! The fields of a template, in core's words.

use waraq_core::filling::check_count;
use waraq_core::publishing::{Finding, Severity};
use waraq_core::{Error, Result};
use waraq_docx::fields::{self, EmptyValue, FillOptions, Values};
use waraq_engine::Package;

use super::refused;

/// The names of the fields in reading order, and everything the check found.
pub fn check(package: &Package) -> Result<(Vec<String>, Vec<Finding>)> {
    let names: Vec<String> = fields::list(package).map_err(docx_error)?.into_iter().map(|field| field.name).collect();
    check_count(names.len()).map_err(|error| error.with_fields(["file"]))?;
    let findings = fields::check(package, &waraq_fonts::is_metric_twin).map_err(docx_error)?;
    Ok((names, findings.into_iter().map(finding).collect()))
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

fn finding(found: fields::Finding) -> Finding {
    Finding {
        code: found.code.to_owned(),
        severity: match found.severity {
            fields::Severity::Error => Severity::Error,
            fields::Severity::Warning => Severity::Warning,
        },
        message: found.message,
        part: Some(found.part),
        paragraph: found.paragraph.and_then(|number| u32::try_from(number).ok()),
        context: Some(found.context),
    }
}

pub fn docx_error(error: waraq_docx::Error) -> Error {
    if error.code == "internal" {
        return Error::internal(error.message);
    }
    let fields = if error.fields.is_empty() { vec!["file".to_owned()] } else { error.fields };
    refused(error.code, &error.message).with_fields(fields)
}
