//! A Word file and its PDF in a response.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use utoipa::ToSchema;
use waraq_core::files::{DeliveredFile, FileDelivery};

/// Limit on the total size of files in a response, in bytes. Larger files are sent as links. A Lambda response has at
/// most 6 MB, and base64 makes four bytes of three.
const MOST_INLINE_BYTES: u64 = 4_000_000;

/// A Word file and its PDF: either as `file` and `pdf`, or as `fileUrl` and `pdfUrl`. If only one of the two files was
/// requested, the fields of the other file are missing.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilePair {
    /// The .docx in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The PDF in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pdf: Option<String>,
    /// Address of the .docx, valid for 15 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_url: Option<String>,
    /// Address of the PDF, valid for 15 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pdf_url: Option<String>,
}

impl FilePair {
    pub fn bytes(docx: &[u8], pdf: &[u8]) -> Self {
        Self { file: Some(BASE64.encode(docx)), pdf: Some(BASE64.encode(pdf)), file_url: None, pdf_url: None }
    }

    pub fn links(docx: String, pdf: String) -> Self {
        Self { file: None, pdf: None, file_url: Some(docx), pdf_url: Some(pdf) }
    }
}

/// The options with which `waraq_core` returns files: the maximum size of files in a response, and the function that
/// derives file names from titles.
pub const FILE_DELIVERY: FileDelivery = FileDelivery { max_inline_bytes: MOST_INLINE_BYTES, file_name };

impl FilePair {
    /// Converts files from core into parts of a response: bytes into base64, links into addresses. `None` leaves a file
    /// out.
    pub fn from_delivered(docx: Option<DeliveredFile>, pdf: Option<DeliveredFile>) -> Self {
        let mut pair = Self::default();
        match docx {
            Some(DeliveredFile::Bytes(bytes)) => pair.file = Some(BASE64.encode(bytes)),
            Some(DeliveredFile::Link(link)) => pair.file_url = Some(link),
            None => {}
        }
        match pdf {
            Some(DeliveredFile::Bytes(bytes)) => pair.pdf = Some(BASE64.encode(bytes)),
            Some(DeliveredFile::Link(link)) => pair.pdf_url = Some(link),
            None => {}
        }
        pair
    }
}

/// Returns whether a response can contain files of this total size.
pub fn fits_in_response(bytes: u64) -> bool {
    bytes <= MOST_INLINE_BYTES
}

/// Converts a title into a file name without extension. Characters that file systems refuse become hyphens.
pub fn file_name(title: &str) -> String {
    let odd = |letter: char| letter.is_control() || r#"/\:*?"<>|"#.contains(letter);
    let name: String = title.chars().take(120).map(|letter| if odd(letter) { '-' } else { letter }).collect();
    let name = name.trim_matches(|letter: char| letter == '.' || letter.is_whitespace());
    if name.is_empty() { "document".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn file_names_have_no_illegal_characters() {
        assert_eq!(file_name("Bail d’habitation : 1/2"), "Bail d’habitation - 1-2");
        assert_eq!(file_name("عقد إيجار"), "عقد إيجار");
        assert_eq!(file_name("..\u{7}"), "-");
        assert_eq!(file_name(" . "), "document");
    }
}
