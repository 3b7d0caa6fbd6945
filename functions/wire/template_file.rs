//! A template's file, as forms bring it: in itself, or by the name of an upload; and what is said of its fields.

use waraq_aws::Cloud;
use waraq_core::Error;
use waraq_core::field_help::{FieldHelp, MOST_BYTES};
use waraq_core::publishing::{LARGEST_IN_FORM_BYTES, file_too_large};

use crate::http::{ErrorCode, Form};

/// The .docx of the part `file`, or what the account `who` has put at the address of the part `upload`; `None` if there is neither.
pub async fn template_file(cloud: &Cloud, form: &Form, who: &str) -> Result<Option<Vec<u8>>, Error> {
    // A form without a file may have an empty part of that name.
    let sent = form.file("file").filter(|bytes| !bytes.is_empty());
    let upload = form.text("upload")?.filter(|id| !id.is_empty());
    match (sent, upload) {
        (Some(_), Some(_)) => {
            let message = "A form brings a file or names an upload, not both.";
            Err(Error::new(ErrorCode::InvalidBody, message).with_fields(["file", "upload"]))
        }
        (Some(docx), None) if docx.len() > LARGEST_IN_FORM_BYTES => {
            Err(file_too_large(LARGEST_IN_FORM_BYTES).with_fields(["file"]))
        }
        (Some(docx), None) => Ok(Some(docx.to_vec())),
        (None, Some(id)) => cloud.incoming().file(who, &id).await.map(Some),
        (None, None) => Ok(None),
    }
}

/// What the part `fieldHelp` says of fields, in JSON; `None` if it is not there.
pub fn field_help(form: &Form) -> Result<Option<Vec<FieldHelp>>, Error> {
    let Some(part) = form.file("fieldHelp").filter(|part| !part.is_empty()) else { return Ok(None) };
    // Escaped and with nothing left out it may be longer than it is kept.
    if part.len() > 4 * MOST_BYTES {
        let message = format!("What is said of fields has at most {MOST_BYTES} bytes.");
        return Err(Error::new(ErrorCode::InvalidFieldHelp, message).with_limit(MOST_BYTES as u64));
    }
    let help: Vec<FieldHelp> = serde_json::from_slice(part).map_err(|error| {
        let message = format!("fieldHelp is not what this call takes: {error}.");
        Error::new(ErrorCode::InvalidBody, message).with_fields(["fieldHelp"])
    })?;
    waraq_rules::check_count(help.len())?;
    Ok(Some(help))
}
