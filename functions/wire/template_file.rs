//! The template file and the field settings of a form. The file is in the form itself or was uploaded before.

use waraq_aws::Cloud;
use waraq_core::Error;
use waraq_core::field_settings::{FieldSettings, MOST_BYTES};
use waraq_core::publishing::{LARGEST_IN_FORM_BYTES, file_too_large};

use crate::http::{ErrorCode, Form};

/// Returns the .docx of the part `file`, or the file that the account `who` uploaded under the id in the part `upload`.
/// Returns `None` if the form has neither part.
pub async fn template_file(cloud: &Cloud, form: &Form, who: &str) -> Result<Option<Vec<u8>>, Error> {
    // A browser sends an empty part for a file input without a file.
    let sent = form.file_part("file").filter(|bytes| !bytes.is_empty());
    let upload = form.text_part("upload")?.filter(|id| !id.is_empty());
    match (sent, upload) {
        (Some(_), Some(_)) => {
            let message = "A form must contain a file or the name of an upload, not both.";
            Err(Error::new(ErrorCode::InvalidBody, message).with_fields(["file", "upload"]))
        }
        (Some(docx), None) if docx.len() > LARGEST_IN_FORM_BYTES => {
            Err(file_too_large(LARGEST_IN_FORM_BYTES).with_fields(["file"]))
        }
        (Some(docx), None) => Ok(Some(docx.to_vec())),
        (None, Some(id)) => cloud.direct_uploads().file(who, &id).await.map(Some),
        (None, None) => Ok(None),
    }
}

/// Returns the field settings of the JSON part `fieldHelp`, or `None` if the part is missing.
pub fn field_help(form: &Form) -> Result<Option<Vec<FieldSettings>>, Error> {
    let Some(part) = form.file_part("fieldHelp").filter(|part| !part.is_empty()) else { return Ok(None) };
    // JSON with escapes and all defaults may be longer than the stored form.
    if part.len() > 4 * MOST_BYTES {
        let message = format!("Field settings can have at most {MOST_BYTES} bytes.");
        return Err(Error::new(ErrorCode::InvalidFieldHelp, message).with_limit(MOST_BYTES as u64));
    }
    let help: Vec<FieldSettings> = serde_json::from_slice(part).map_err(|error| {
        let message = format!("fieldHelp is not what this call takes: {error}.");
        Error::new(ErrorCode::InvalidBody, message).with_fields(["fieldHelp"])
    })?;
    waraq_rules::check_count(help.len())?;
    Ok(Some(help))
}
