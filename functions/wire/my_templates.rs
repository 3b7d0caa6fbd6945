//! A private template in a response.

use serde::Serialize;
use utoipa::ToSchema;
use waraq_core::InterfaceLanguage;
use waraq_core::publishing::{Diagnostic, Published};

use super::{Document, document_with_structure};

/// A private template after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyTemplateResponse {
    pub document: Document,
    /// Warnings from the check and the layout of the file, if the request has one.
    pub findings: Vec<Diagnostic>,
}

/// Builds the response for a private template that was filled `uses` times.
pub fn my_template_response(published: Published, uses: u64, names: InterfaceLanguage) -> MyTemplateResponse {
    let document = document_with_structure(published.template, uses, names);
    MyTemplateResponse { document, findings: published.findings }
}
