//! What is wrong with a template, or cannot be set as Word would: one shape and one closed set of codes for the engine, the
//! product, the command line and the wire.

use serde::{Deserialize, Serialize};

/// An error keeps a template from being published; a warning does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Error,
    Warning,
}

macro_rules! codes {
    ($($(#[$about:meta])* $name:ident = $code:literal,)+) => {
        /// What a finding says, for machines; its meaning never changes. The frontend has a sentence for each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum FindingCode {
            $($(#[$about])* $name,)+
        }

        impl FindingCode {
            /// All there are.
            pub const ALL: &[FindingCode] = &[$(FindingCode::$name),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(FindingCode::$name => $code,)+
                }
            }
        }
    };
}

codes! {
    // Errors of the template.
    /// `{{` without its `}}`.
    UnclosedField = "unclosed_field",
    /// A field opened inside another.
    NestedField = "nested_field",
    /// `{{}}`
    EmptyField = "empty_field",
    /// A character no name may have, or too many.
    InvalidName = "invalid_name",
    /// Opened in one paragraph, closed in another.
    FieldAcrossParagraphs = "field_across_paragraphs",

    // Warnings of the template.
    /// `}}` without its `{{`.
    StrayClose = "stray_close",
    /// Another tool's placeholder.
    ForeignSyntax = "foreign_syntax",
    /// In a comment, a deletion, a field's code, a link's target, a chart, a diagram, an attached document.
    FieldNotFillable = "field_not_fillable",
    /// A linked object, picture or part, or a field that starts another program: an error where a reader would fetch or start
    /// it unasked.
    ExternalContent = "external_content",
    /// Two names that differ in case, accents or signs only.
    LookalikeNames = "lookalike_names",
    /// The tag of a content control is no field's name.
    InvalidTag = "invalid_tag",
    /// No font here has the widths of one the document names; another stands for it.
    FontWithoutMetricTwin = "font_without_metric_twin",
    /// Findings beyond the number that is told.
    MoreFindings = "more_findings",

    // What cannot be read as Word would.
    NestedTooDeeply = "nested_too_deeply",
    /// Handwriting.
    InkLeftOut = "ink_left_out",
    /// A field (as of a date or a sum) that shows what it last showed.
    FieldNotComputed = "field_not_computed",
    /// Bent text set straight.
    WordArtStraight = "word_art_straight",
    SmartArtNotDrawn = "smart_art_not_drawn",
    ChartNotDrawn = "chart_not_drawn",
    /// Drawn without its depth.
    ChartSimplified = "chart_simplified",
    EmbeddedObjectNotDrawn = "embedded_object_not_drawn",
    DrawingNotDrawn = "drawing_not_drawn",
    PictureMissing = "picture_missing",
    /// Linked, not embedded.
    PictureElsewhere = "picture_elsewhere",
    /// Drawn without some of what it holds.
    PictureIncomplete = "picture_incomplete",
    PictureUnreadable = "picture_unreadable",
    /// Of a format that cannot be drawn.
    PictureFormat = "picture_format",
    PictureTooLarge = "picture_too_large",
    /// An attached HTML, RTF or other document that is not in the file.
    AlternativeContentMissing = "alternative_content_missing",
    AlternativeContentLeftOut = "alternative_content_left_out",
    /// An attached RTF document, shown without its formatting.
    AlternativeContentAsText = "alternative_content_as_text",
    /// A phonetic guide inside another.
    RubyLeftOut = "ruby_left_out",
    /// A part that cannot be read and is not needed.
    PartLeftOut = "part_left_out",
    PartMissing = "part_missing",
    EmbeddedFontUnreadable = "embedded_font_unreadable",
    /// Text that flows through more text boxes than are followed.
    LinkedTextBox = "linked_text_box",

    // What cannot be set or written as Word would.
    /// A text box too small for its text, a header or footer of more than half a page.
    TextCutOff = "text_cut_off",
    TooManyPages = "too_many_pages",
    CharacterWithoutFont = "character_without_font",
    FontNotEmbedded = "font_not_embedded",
    /// The PDF does not claim a standard that was asked for.
    StandardNotClaimed = "standard_not_claimed",
}

impl FindingCode {
    pub fn severity(self) -> Severity {
        match self {
            FindingCode::UnclosedField
            | FindingCode::NestedField
            | FindingCode::EmptyField
            | FindingCode::InvalidName
            | FindingCode::FieldAcrossParagraphs => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

impl std::fmt::Display for FindingCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<&str> for FindingCode {
    fn eq(&self, code: &&str) -> bool {
        self.as_str() == *code
    }
}

/// One thing to mend, or to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    pub code: FindingCode,
    pub severity: Severity,
    /// An English sentence.
    pub message: String,
    /// The part of the package it is in: `word/document.xml`; null: of the whole document.
    pub part: Option<String>,
    /// The paragraph of that part, counted from 1, where it is of one.
    pub paragraph: Option<u32>,
    /// The text around it, or what it is about: the font, the character.
    pub context: Option<String>,
    /// The names of the template's fields it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

impl Finding {
    /// Of the whole document, with the code's severity.
    pub fn new(code: FindingCode, message: impl Into<String>) -> Self {
        let (severity, message) = (code.severity(), message.into());
        Self { code, severity, message, part: None, paragraph: None, context: None, fields: Vec::new() }
    }

    #[must_use]
    pub fn in_part(mut self, part: impl Into<String>) -> Self {
        self.part = Some(part.into()).filter(|part| !part.is_empty());
        self
    }

    /// In the paragraph of this number, from 1.
    #[must_use]
    pub fn at(mut self, paragraph: Option<usize>) -> Self {
        self.paragraph = paragraph.and_then(|number| u32::try_from(number).ok());
        self
    }

    #[must_use]
    pub fn around(mut self, context: impl Into<String>) -> Self {
        self.context = Some(context.into()).filter(|context| !context.is_empty());
        self
    }

    #[must_use]
    pub fn about(mut self, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.fields = fields.into_iter().map(Into::into).collect();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_written_as_it_is_named() {
        for code in FindingCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            let read: FindingCode = serde_json::from_value(code.as_str().into()).unwrap();
            assert_eq!(read, *code);
        }
    }
}
