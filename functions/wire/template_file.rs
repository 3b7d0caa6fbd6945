//! The template file and the field settings of a form, and templates with their files in responses. The file of a form is in the
//! form itself or was uploaded before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Error;
use waraq_core::field_settings::{FieldSettings, MOST_BYTES, ShownFieldSettings};
use waraq_core::files::Files;
use waraq_core::publishing::{LARGEST_IN_FORM_BYTES, file_too_large};
use waraq_core::template::Template;

use super::Document;
use super::files::{FilePair, file_name};
use crate::http::{ErrorCode, Form};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UploadRequest {
    /// Size of the file in bytes, at most 20,000,000. The address `url` accepts only a file of this size.
    pub bytes: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadResponse {
    /// Id of the file, for the part `upload` of a form. The id is valid for a day.
    pub upload: String,
    /// Address for a PUT request with the file. It is valid for fifteen minutes.
    pub url: String,
    /// The Content-Type header to send with the file.
    pub content_type: String,
}

/// Creates the address for an upload by the account `who`.
pub async fn upload_address(cloud: &Cloud, who: &str, request: &UploadRequest) -> Result<UploadResponse, Error> {
    let address = cloud.direct_uploads().create_upload(who, request.bytes).await?;
    Ok(UploadResponse { upload: address.id, url: address.url, content_type: address.content_type.to_owned() })
}

/// A template with its files. If the files are larger than 4 MB together, the response has `fileUrl` and `pdfUrl`
/// (signed, valid for 15 minutes) instead of `file` and `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentResponse {
    #[serde(flatten)]
    pub description: TemplateDescription,
    #[serde(flatten)]
    pub files: FilePair,
}

/// A template without its files.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateDescription {
    pub document: Document,
    /// The settings of each field, in the order of `fields`.
    pub field_help: Vec<ShownFieldSettings>,
}

/// Returns signed links to the files of a template.
pub async fn template_links(files: &dyn Files, template: &Template) -> Result<FilePair, Error> {
    let name = file_name(&template.title);
    let docx = files.link(&template.docx_key(), &format!("{name}.docx")).await?;
    let pdf = files.link(&template.pdf_key(), &format!("{name}.pdf")).await?;
    Ok(FilePair::links(docx, pdf))
}

/// Returns a file that must exist.
pub async fn required_file(files: &dyn Files, key: &str) -> Result<Vec<u8>, Error> {
    files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))
}

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

/// Returns the renamed fields of the JSON part `renamed`: old names as keys and new names as values.
pub fn renamed(form: &Form) -> Result<BTreeMap<String, String>, Error> {
    let Some(part) = form.file_part("renamed").filter(|part| !part.is_empty()) else { return Ok(BTreeMap::new()) };
    let renamed: BTreeMap<String, String> = serde_json::from_slice(part)
        .map_err(|_| Error::new(ErrorCode::InvalidBody, "renamed is an object of names.").with_fields(["renamed"]))?;
    waraq_rules::check_count(renamed.len())?;
    Ok(renamed)
}

/// Returns the number in the part `revision`, or `None` if the part is missing.
pub fn revision(form: &Form) -> Result<Option<u32>, Error> {
    let Some(text) = form.text_part("revision")? else { return Ok(None) };
    let revision = text
        .trim()
        .parse()
        .map_err(|_| Error::new(ErrorCode::InvalidBody, "revision is a number.").with_fields(["revision"]))?;
    Ok(Some(revision))
}
