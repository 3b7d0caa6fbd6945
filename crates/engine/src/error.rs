//! One error for all that may go wrong between a .docx and its PDF.

/// Why a document is refused: a stable code for machines, an English sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Error {
    pub code: &'static str,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl From<waraq_docx::Error> for Error {
    fn from(error: waraq_docx::Error) -> Self {
        Self { code: error.code, message: error.message }
    }
}

impl From<waraq_render::Error> for Error {
    fn from(error: waraq_render::Error) -> Self {
        Self { code: error.code, message: error.message }
    }
}
