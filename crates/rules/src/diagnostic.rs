//! Diagnostics: problems of a template, and content that cannot be laid out as in Word. The engine, `waraq_core`, the
//! command line and the HTTP API all use the type [`Diagnostic`] and its codes.

use serde::{Deserialize, Serialize};

/// The severity of a diagnostic. A template with errors cannot be published; warnings do not prevent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A problem that prevents publishing.
    Error,
    /// A note that does not prevent publishing.
    Warning,
}

macro_rules! codes {
    ($($(#[$about:meta])* $name:ident = $code:literal,)+) => {
        /// The kind of a diagnostic, for programs. The meaning of a code never changes, and the frontend has a message
        /// for each code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "openapi", schema(as = FindingCode))]
        pub enum DiagnosticCode {
            $($(#[$about])* $name,)+
        }

        impl DiagnosticCode {
            /// All codes.
            pub const ALL: &[DiagnosticCode] = &[$(DiagnosticCode::$name),+];

            /// Returns the code as it is written in JSON, such as `unclosed_field`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(DiagnosticCode::$name => $code,)+
                }
            }
        }
    };
}

codes! {
    // Errors of the template.
    /// `{{` without `}}`.
    UnclosedField = "unclosed_field",
    /// A field inside another field.
    NestedField = "nested_field",
    /// `{{}}`, a field without a name.
    EmptyField = "empty_field",
    /// A name with a character that is not allowed, or with too many characters.
    InvalidName = "invalid_name",
    /// A field that starts in one paragraph and ends in another.
    FieldAcrossParagraphs = "field_across_paragraphs",
    /// A Word field of a mail merge with several records. Its stored result may show the data of another record.
    /// Examples are `NEXT` and `ADDRESSBLOCK` without parts.
    FieldOfAnotherRecord = "field_of_another_record",
    /// `{{#name}}` or `{{^name}}` without `{{/name}}`.
    UnclosedSection = "unclosed_section",
    /// `{{/name}}` without `{{#name}}` or `{{^name}}`.
    UnopenedSection = "unopened_section",
    /// Two sections that overlap: the second one begins inside the first one and ends after it.
    CrossedSections = "crossed_sections",
    /// A section that begins and ends in different containers, such as a cell and the text around its table.
    SectionAcrossContainers = "section_across_containers",
    /// The tag of a section that has text beside it, while the other tag is in another paragraph.
    SectionBesideText = "section_beside_text",
    /// A name that is a list in one place and a text in another.
    ListUsedAsText = "list_used_as_text",
    /// More sections in each other than allowed.
    SectionsTooDeep = "sections_too_deep",
    /// `{{.}}`, the entry of a list, outside a list.
    EntryOutsideList = "entry_outside_list",

    // Warnings of the template.
    /// A section without content.
    EmptySection = "empty_section",
    /// `}}` without `{{`.
    StrayClose = "stray_close",
    /// A placeholder in the syntax of another tool.
    ForeignSyntax = "foreign_syntax",
    /// A value in a template for docxtemplater, docxtpl or Carbone. The severity of this and the following codes is error
    /// if the mark would be printed and the program is certain.
    ForeignField = "foreign_field",
    /// The start, the end or the alternative of a loop or condition in a template for another program.
    ForeignSection = "foreign_section",
    /// A picture in a template for another program.
    ForeignPicture = "foreign_picture",
    /// A comment in a template for another program.
    ForeignComment = "foreign_comment",
    /// A filter, a computation or another mark of another program that has no equivalent.
    ForeignExpression = "foreign_expression",
    /// A field in text that cannot be filled: in a comment, a tracked deletion, the code of a Word field, a link
    /// target, a chart, a diagram or an attached document.
    FieldNotFillable = "field_not_fillable",
    /// A linked object, picture or part, or a Word field that starts another program. The severity is error if Word would download
    /// the content or start the program when a user opens the document.
    ExternalContent = "external_content",
    /// A link that opens a file or a program of the reader's computer, such as `file:` or `javascript:`. It is made harmless in filled
    /// documents.
    UnsafeLink = "unsafe_link",
    /// Two field names that differ only in case, accents, spaces or punctuation.
    LookalikeNames = "lookalike_names",
    /// The tag of a content control is not a valid field name.
    InvalidTag = "invalid_tag",
    /// A content control with a tag that cannot be filled: it contains a picture, a table or other controls, or it is a
    /// group, a repeating section or a gallery.
    ControlNotFillable = "control_not_fillable",
    /// A font without a metric-compatible substitute. Another font replaces it.
    FontWithoutMetricTwin = "font_without_metric_twin",
    /// Macros, which are removed from the documents that are made of the template.
    MacrosRemoved = "macros_removed",
    /// The number of diagnostics exceeds the limit, and the rest is left out.
    MoreFindings = "more_findings",

    // Content that cannot be read as in Word.
    /// Content that is nested too deeply. It is left out, or a labelled box replaces it.
    NestedTooDeeply = "nested_too_deeply",
    /// Handwriting, which is left out.
    InkLeftOut = "ink_left_out",
    /// A Word field that the engine does not compute, such as `LISTNUM` or `EQ`. The result stored in the file is
    /// shown.
    FieldNotComputed = "field_not_computed",
    /// WordArt whose text is bent in Word, and straight in the PDF.
    WordArtStraight = "word_art_straight",
    /// A SmartArt diagram without a saved drawing. A list of its texts or a labelled box replaces it.
    SmartArtNotDrawn = "smart_art_not_drawn",
    /// A chart that is unsupported or cannot be read. A labelled box replaces it.
    ChartNotDrawn = "chart_not_drawn",
    /// A chart that is drawn without its depth.
    ChartSimplified = "chart_simplified",
    /// An embedded object without a picture. A labelled box replaces it.
    EmbeddedObjectNotDrawn = "embedded_object_not_drawn",
    /// A drawing of an unknown kind. A labelled box replaces it.
    DrawingNotDrawn = "drawing_not_drawn",
    /// A picture that is missing in the file.
    PictureMissing = "picture_missing",
    /// A picture that is linked and not embedded.
    PictureElsewhere = "picture_elsewhere",
    /// A picture that is drawn incompletely.
    PictureIncomplete = "picture_incomplete",
    /// A picture that is damaged.
    PictureUnreadable = "picture_unreadable",
    /// A picture in an unsupported format.
    PictureFormat = "picture_format",
    /// A picture with too many pixels.
    PictureTooLarge = "picture_too_large",
    /// An attached document (`w:altChunk`), such as HTML or RTF, that is missing in the file.
    AlternativeContentMissing = "alternative_content_missing",
    /// An attached document (`w:altChunk`) in an unsupported format, or more attached content than the limit allows.
    AlternativeContentLeftOut = "alternative_content_left_out",
    /// An attached RTF document (`w:altChunk`) that is shown without its formatting.
    AlternativeContentAsText = "alternative_content_as_text",
    /// A phonetic guide inside another one. The reading of the inner guide is left out.
    RubyLeftOut = "ruby_left_out",
    /// An unreadable part that is not needed and is left out.
    PartLeftOut = "part_left_out",
    /// A header or footer that is missing in the file.
    PartMissing = "part_missing",
    /// An embedded font that is damaged or too large, or a font beyond the maximum number of embedded fonts. Another
    /// font replaces it.
    EmbeddedFontUnreadable = "embedded_font_unreadable",
    /// Text that flows through more linked text boxes than supported.
    LinkedTextBox = "linked_text_box",

    // Content that cannot be laid out or written as in Word.
    /// Text that is cut off because it does not fit into its text box or into a table row of fixed height, or because a
    /// header or footer is higher than half a page.
    TextCutOff = "text_cut_off",
    /// A document with too many pages. The rest is left out.
    TooManyPages = "too_many_pages",
    /// A character that no font contains.
    CharacterWithoutFont = "character_without_font",
    /// A font that cannot be put into the PDF.
    FontNotEmbedded = "font_not_embedded",
    /// A PDF that does not claim the requested PDF standard, because it does not meet a requirement of that standard.
    StandardNotClaimed = "standard_not_claimed",
}

impl DiagnosticCode {
    /// Returns the default severity of the code. The codes of malformed fields and sections and the code
    /// `FieldOfAnotherRecord` are errors. All other codes are warnings.
    pub fn severity(self) -> Severity {
        match self {
            DiagnosticCode::UnclosedField
            | DiagnosticCode::NestedField
            | DiagnosticCode::EmptyField
            | DiagnosticCode::InvalidName
            | DiagnosticCode::FieldAcrossParagraphs
            | DiagnosticCode::FieldOfAnotherRecord
            | DiagnosticCode::UnclosedSection
            | DiagnosticCode::UnopenedSection
            | DiagnosticCode::CrossedSections
            | DiagnosticCode::SectionAcrossContainers
            | DiagnosticCode::SectionBesideText
            | DiagnosticCode::ListUsedAsText
            | DiagnosticCode::SectionsTooDeep
            | DiagnosticCode::EntryOutsideList => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

impl std::fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<&str> for DiagnosticCode {
    fn eq(&self, code: &&str) -> bool {
        self.as_str() == *code
    }
}

/// A diagnostic: a problem or a note about a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Finding))]
pub struct Diagnostic {
    /// The kind of the problem, for programs and for translated messages.
    pub code: DiagnosticCode,
    /// The severity. It follows from the code, except for `external_content` and the marks of other programs, which can be
    /// errors or warnings.
    pub severity: Severity,
    /// A message in English, in one sentence.
    pub message: String,
    /// The part of the package, such as `word/document.xml`. Null for the whole document.
    pub part: Option<String>,
    /// The number of the paragraph in the part, from 1. Null if the diagnostic is not about a paragraph.
    pub paragraph: Option<u32>,
    /// The surrounding text, or the subject of the diagnostic, such as a font or a character. Null if the diagnostic
    /// has neither.
    pub context: Option<String>,
    /// The names of the template fields that the diagnostic is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The mark of another program that the diagnostic is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<ForeignMark>,
}

/// A program whose templates are recognised and converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TemplateProgram {
    /// docxtemplater, with marks such as `{name}` and `{#items}`.
    Docxtemplater,
    /// docxtpl, with the marks of Jinja.
    Docxtpl,
    /// Carbone, with marks such as `{d.name}`.
    Carbone,
}

/// A mark of another program in a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ForeignMark {
    /// The program for which the template was written.
    pub program: TemplateProgram,
    /// The mark as it is written, with at most 80 characters.
    pub text: String,
    /// The text to write instead. Empty if the mark must be removed. Null if the mark has no equivalent.
    pub instead: Option<String>,
}

impl Diagnostic {
    /// Creates a diagnostic about the whole document, with the severity of the code.
    pub fn new(code: DiagnosticCode, message: impl Into<String>) -> Self {
        let (severity, message) = (code.severity(), message.into());
        Self { code, severity, message, part: None, paragraph: None, context: None, fields: Vec::new(), mark: None }
    }

    /// Sets the part of the package. An empty name means the whole document.
    #[must_use]
    pub fn in_part(mut self, part: impl Into<String>) -> Self {
        self.part = Some(part.into()).filter(|part| !part.is_empty());
        self
    }

    /// Sets the number of the paragraph, from 1. `None` means that the diagnostic is not about a paragraph.
    #[must_use]
    pub fn at_paragraph(mut self, paragraph: Option<usize>) -> Self {
        self.paragraph = paragraph.and_then(|number| u32::try_from(number).ok());
        self
    }

    /// Sets the surrounding text or the subject of the diagnostic. If `context` is empty, the diagnostic has none.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context = Some(context.into()).filter(|context| !context.is_empty());
        self
    }

    /// Sets the mark of another program.
    #[must_use]
    pub fn with_mark(mut self, mark: ForeignMark) -> Self {
        self.mark = Some(mark);
        self
    }

    /// Sets the names of the template fields.
    #[must_use]
    pub fn with_fields(mut self, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.fields = fields.into_iter().map(Into::into).collect();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_serialize_to_their_names() {
        for code in DiagnosticCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            let read: DiagnosticCode = serde_json::from_value(code.as_str().into()).unwrap();
            assert_eq!(read, *code);
        }
    }
}
