//! The errors of the engine, `waraq_core`, the command line and the HTTP API. All of them use one closed set of codes.

use serde::{Deserialize, Serialize};

/// The kind of a failure. It determines the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request is not valid.
    Invalid,
    /// The request has no credentials, or they are not valid.
    Unauthenticated,
    /// The user is signed in but has no permission.
    Forbidden,
    /// The path or the requested item does not exist.
    NotFound,
    /// The path exists, but not with this HTTP method.
    MethodNotAllowed,
    /// The request conflicts with stored data, or with another request.
    Conflict,
    /// The body of the request, or a file in it, is too large.
    TooLarge,
    /// The request line and the headers are too large.
    HeadTooLarge,
    /// The request is well-formed, but the document or picture in it is refused.
    Refused,
    /// There were too many requests; Retry-After tells when to try again.
    TooMany,
    /// The request cannot be served now: another system did not respond, or concurrent writes keep conflicting.
    Unavailable,
    /// A bug of the service. The response does not contain the cause; the log does.
    Internal,
}

impl ErrorKind {
    /// Returns the HTTP status.
    pub fn status(self) -> u16 {
        match self {
            ErrorKind::Invalid => 400,
            ErrorKind::Unauthenticated => 401,
            ErrorKind::Forbidden => 403,
            ErrorKind::NotFound => 404,
            ErrorKind::MethodNotAllowed => 405,
            ErrorKind::Conflict => 409,
            ErrorKind::TooLarge => 413,
            ErrorKind::Refused => 422,
            ErrorKind::HeadTooLarge => 431,
            ErrorKind::TooMany => 429,
            ErrorKind::Unavailable => 503,
            ErrorKind::Internal => 500,
        }
    }
}

macro_rules! codes {
    ($($kind:ident { $($(#[doc = $about:literal])+ $name:ident = $code:literal,)+ })+) => {
        /// The reason for an error, for programs. The meaning of a code never changes, and the frontend has a message
        /// for every code that is sent.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($($(#[doc = $about])+ $name,)+)+
        }

        impl ErrorCode {
            /// All codes.
            pub const ALL: &[ErrorCode] = &[$($(ErrorCode::$name),+),+];

            /// Returns the code as it is written in responses.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($(ErrorCode::$name => $code,)+)+
                }
            }

            /// Returns a description in one sentence, for the API documentation.
            pub fn about(self) -> &'static str {
                match self {
                    $($(ErrorCode::$name => concat!($($about),+).trim_ascii(),)+)+
                }
            }

            /// Returns the kind of the failure, which determines the HTTP status.
            pub fn kind(self) -> ErrorKind {
                match self {
                    $($(ErrorCode::$name)|+ => ErrorKind::$kind,)+
                }
            }
        }
    };
}

codes! {
    Invalid {
        // The request itself.
        /// The body is not in the format that this operation accepts.
        InvalidBody = "invalid_body",
        /// The query parameters are not valid for this operation.
        InvalidQuery = "invalid_query",
        /// An id in the path is too long or not UTF-8.
        InvalidId = "invalid_id",
        /// The body must be JSON.
        JsonExpected = "json_expected",
        /// The body must be multipart/form-data.
        FormExpected = "form_expected",
        /// The Idempotency-Key is empty, too long, or contains characters other than visible ASCII.
        InvalidIdempotencyKey = "invalid_idempotency_key",
        /// `language` or `lang` is not a supported language.
        UnknownLanguage = "unknown_language",
        /// `country` is not an ISO 3166 country code.
        UnknownCountry = "unknown_country",

        // Accounts.
        /// The e-mail address and the password are both required.
        EmailPasswordRequired = "email_password_required",
        /// Required fields of the form are empty; `fields` lists them.
        FieldsRequired = "fields_required",
        /// A user name must be one line of 1 to 60 visible characters.
        InvalidUserName = "invalid_user_name",
        /// The text is not an e-mail address.
        InvalidEmail = "invalid_email",
        /// Mails cannot be sent to this address, because it has characters other than Latin letters before the @.
        UndeliverableEmail = "undeliverable_email",
        /// The new address is already the address of the account.
        SameEmail = "same_email",
        /// A password must have 8 to 256 characters.
        InvalidPassword = "invalid_password",
        /// The old password is wrong.
        WrongPassword = "wrong_password",
        /// The code is wrong, already used or expired, or was tried five times.
        InvalidOtp = "invalid_otp",
        /// The registration has expired; the user must register again.
        RegistrationEnded = "registration_ended",
        /// The password reset link has been used or has expired.
        InvalidResetLink = "invalid_reset_link",
        /// The link that reverts an e-mail change has been used or has expired.
        InvalidRestoreLink = "invalid_restore_link",

        /// The deletion of an account requires the password or a mailed code.
        PasswordOrCodeRequired = "password_or_code_required",

        // The help center.
        /// A message needs an e-mail address for the reply.
        EmailRequired = "email_required",
        /// The message is empty.
        MessageRequired = "message_required",
        /// A message has at most 5,000 characters.
        MessageTooLong = "message_too_long",

        // Templates and values.
        /// A template needs a title and a file.
        TitleAndFileRequired = "title_and_file_required",
        /// A title has at most 200 characters.
        TitleTooLong = "title_too_long",
        /// A title must be one line without invisible characters.
        InvalidTitle = "invalid_title",
        /// A category is too long or has invisible characters, or there are too many categories.
        InvalidCategory = "invalid_category",
        /// A keyword is too long or has invisible characters, or there are too many keywords.
        InvalidKeyword = "invalid_keyword",
        /// A field setting is too long, has invisible characters, or exceeds a limit, a choice field has no choices, or
        /// the kind does not fit the field.
        InvalidFieldHelp = "invalid_field_help",
        /// A template has at most 2,000 fields, and a request at most 2,000 values.
        TooManyFields = "too_many_fields",
        /// Values must be an object of names and strings, or a list of such objects.
        InvalidValues = "invalid_values",
        /// A field name is given twice.
        DuplicateField = "duplicate_field",
        /// Some of the given names are not fields of the template; `fields` lists them, and `suggestions` contains the
        /// most similar field name for each.
        UnknownField = "unknown_field",
        /// Some fields have no value; `fields` lists them.
        MissingFields = "missing_fields",
        /// A value contains a character that Word files cannot contain.
        IllegalCharacter = "illegal_character",
        /// A value has at most 10,000 characters.
        ValueTooLong = "value_too_long",
        /// All values together have at most 200 kB.
        ValuesTooLong = "values_too_long",
        /// The value has another type than the field: a list field takes a list of objects, a yes/no field a boolean, a
        /// picture field a picture, and other fields a text.
        WrongValueType = "wrong_value_type",
        /// A list has at most 500 rows, and all lists of a document together have at most 2,000.
        TooManyRows = "too_many_rows",
        /// A picture must be a PNG or JPEG that can be read.
        UnreadablePicture = "unreadable_picture",
        /// The picture of a field has at most 1 MB, 10,000 pixels on each side and 40 million pixels in all.
        ValuePictureTooLarge = "value_picture_too_large",
        /// The text of a QR code has at most 2,331 bytes in UTF-8.
        QrCodeTooLong = "qr_code_too_long",
        /// A derived field or one of its sources is not a field of the template on the required level, or is a list
        /// where a text is needed; `fields` lists these names.
        DerivationSource = "derivation_source",
        /// Derived fields depend on each other in a cycle; `fields` lists them.
        DerivationCycle = "derivation_cycle",
        /// A derived field has too few sources, too many sources or the same source twice, or there are too many
        /// derived fields.
        InvalidDerivation = "invalid_derivation",
        /// The document has no page with this number.
        NoSuchPage = "no_such_page",
    }
    Unauthenticated {
        /// The user is not signed in.
        LoginRequired = "login_required",
        /// The token was not issued by this service.
        InvalidToken = "invalid_token",
        /// The token was issued by this service and has become invalid.
        SessionEnded = "session_ended",
        /// The e-mail address or the password is wrong.
        InvalidCredentials = "invalid_credentials",
        /// The e-mail address must be verified first, with the code in the mail; `userId` identifies the account.
        EmailNotVerified = "email_not_verified",
        /// The Google sign-in was refused.
        GoogleRefused = "google_refused",
    }
    Forbidden {
        /// The account has no permission for this operation.
        Forbidden = "forbidden",
        /// Calls must use the address of the site; the API's own address only accepts health checks.
        OriginRefused = "origin_refused",
    }
    NotFound {
        /// The route does not exist.
        RouteNotFound = "route_not_found",
        /// The document does not exist, or it is inactive and the caller is not an admin.
        DocumentNotFound = "document_not_found",
        /// The upload does not exist: it was never finished, or it is more than a day old.
        UploadNotFound = "upload_not_found",
        /// The category does not exist.
        CategoryNotFound = "category_not_found",
        /// The user does not exist; the account may have been deleted.
        UserNotFound = "user_not_found",
        /// The message does not exist; the author's account may have been deleted.
        MessageNotFound = "message_not_found",
        /// The picture does not exist.
        MediaNotFound = "media_not_found",
        /// Signing in with Google is not available.
        GoogleUnavailable = "google_unavailable",
    }
    MethodNotAllowed {
        /// The address does not support this method; the Allow header lists the supported methods.
        MethodNotAllowed = "method_not_allowed",
    }
    Conflict {
        /// The Idempotency-Key was already used for another request.
        IdempotencyKeyReused = "idempotency_key_reused",
        /// Another request is changing the account at the moment.
        AccountBusy = "account_busy",
        /// Another account now has this e-mail address.
        EmailTaken = "email_taken",
        /// Admins cannot change their own role or delete their own account with the operations for other users.
        OwnAccount = "own_account",
        /// The last admin account cannot be removed.
        LastAdmin = "last_admin",
        /// Another admin has replied to or changed the message in the meantime.
        MessageChanged = "message_changed",
        /// A message has at most 20 replies.
        TooManyAnswers = "too_many_answers",
        /// A template with this id already exists.
        TemplateExists = "template_exists",
        /// Another category already has this name.
        CategoryNameTaken = "category_name_taken",
        /// Another user has changed the template since it was read.
        TemplateChanged = "template_changed",
        /// Another request has changed the saved document since the client read it.
        DocumentChanged = "document_changed",
        /// An account can have at most 5,000 saved documents.
        TooManyDocuments = "too_many_documents",
        /// An account can have at most 50 private templates.
        TooManyTemplates = "too_many_templates",
    }
    TooLarge {
        /// The body is larger than this operation accepts.
        RequestTooLarge = "request_too_large",
        /// A template file has at most 20 MB, or 4 MB if it is part of a form; `limit` contains the exceeded limit.
        FileTooLarge = "file_too_large",
        /// A photo has at most 2 MB.
        PhotoTooLarge = "photo_too_large",
    }
    HeadTooLarge {
        /// The request line and headers are larger than the platform accepts.
        HeadersTooLarge = "headers_too_large",
    }
    Refused {
        // Photos.
        /// A photo must be a JPEG, PNG, WebP, GIF or BMP.
        PhotoType = "photo_type",
        /// The photo has too many pixels.
        PhotoDimensions = "photo_dimensions",
        /// The photo is damaged.
        PhotoUnreadable = "photo_unreadable",

        // Templates and documents.
        /// The template has errors; `findings` lists them.
        TemplateRefused = "template_refused",
        /// Laying out the document takes too long.
        DocumentTooSlow = "document_too_slow",
        /// Reading or laying out the document takes more work or memory than the limit.
        TooComplex = "too_complex",

        // Files that are not Word documents.
        /// The file is not a zip archive, as every .docx file is.
        NotAZip = "not_a_zip",
        /// The file has another type, such as a workbook or an OpenDocument file.
        NotAWordDocument = "not_a_word_document",
        /// The file is a document of Word 97 to 2003.
        OldWordDocument = "old_word_document",
        /// The package does not declare the content types of its parts.
        MissingContentTypes = "missing_content_types",
        /// The package has no main part.
        MissingMainPart = "missing_main_part",
        /// The main part has no body.
        NoDocumentBody = "no_document_body",

        // Files that are protected.
        /// The document is protected by a password.
        EncryptedDocument = "encrypted_document",
        /// The zip archive is protected by a password.
        EncryptedZip = "encrypted_zip",

        // Files that are damaged or malicious.
        /// The zip archive is damaged.
        CorruptedZip = "corrupted_zip",
        /// The end of the zip archive is missing.
        TruncatedZip = "truncated_zip",
        /// The zip archive consists of several files.
        MultiVolume = "multi_volume",
        /// A part uses a compression method that Word does not use.
        UnsupportedCompression = "unsupported_compression",
        /// A part is not well-formed XML.
        MalformedXml = "malformed_xml",
        /// Two parts have the same name.
        DuplicatePart = "duplicate_part",
        /// Two entries of the zip archive overlap.
        OverlappingEntries = "overlapping_entries",
        /// The name of a part points outside of the package.
        UnsafePartName = "unsafe_part_name",
        /// The compression ratio of a part is higher than in any file written by Word.
        SuspiciousCompression = "suspicious_compression",
        /// The zip archive has too many entries.
        TooManyEntries = "too_many_entries",
        /// A part has too many relationships.
        TooManyRelationships = "too_many_relationships",
        /// A part is too large when decompressed.
        PartTooLarge = "part_too_large",
        /// All parts together are too large when decompressed.
        PackageTooLarge = "package_too_large",
        /// The elements of a part are nested too deeply.
        XmlTooDeep = "xml_too_deep",
        /// The picture of a page would have too many pixels or none.
        PictureTooLarge = "picture_too_large",
    }
    TooMany {
        /// There were too many attempts; Retry-After tells when to try again.
        TooManyAttempts = "too_many_attempts",
        /// A mail was sent recently; Retry-After tells when another one can be sent.
        MailWait = "mail_wait",
        /// Too many mails were sent to this address; the link in each of them is valid. Retry-After tells when another
        /// one can be sent.
        TooManyMails = "too_many_mails",
        /// Too many documents are being rendered; Retry-After tells when to try again.
        TooBusy = "too_busy",
    }
    Unavailable {
        /// The service is temporarily unavailable.
        Unavailable = "unavailable",
    }
    Internal {
        /// An internal error occurred.
        Internal = "internal",
        /// The client no longer waits for the document.
        Cancelled = "cancelled",
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<&str> for ErrorCode {
    fn eq(&self, code: &&str) -> bool {
        self.as_str() == *code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_serialize_to_their_names() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            assert!(code.about().ends_with('.'), "{code} is told in a sentence");
        }
    }
}
