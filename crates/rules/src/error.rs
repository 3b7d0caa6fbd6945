//! Why something is refused or fails: one closed set of codes for the engine, the product, the command line and the wire.

use serde::{Deserialize, Serialize};

/// What kind of failure a code is; on the wire it decides the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request says something that cannot be.
    Invalid,
    /// Nobody is signed in, or the proof of it does not hold.
    Unauthenticated,
    /// Somebody is signed in who may not.
    Forbidden,
    NotFound,
    MethodNotAllowed,
    /// It contradicts what is stored.
    Conflict,
    TooLarge,
    /// Its head alone is too large.
    HeadTooLarge,
    /// Well-formed, but the document or the picture inside is refused.
    Refused,
    /// Too often; the answer says when again.
    TooMany,
    /// Not now: another system did not answer, or writers keep colliding.
    Unavailable,
    /// Our fault. The cause is logged, never sent.
    Internal,
}

impl ErrorKind {
    /// The HTTP status it is answered with.
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
        /// Why something is refused, for machines; its meaning never changes. The frontend has a sentence for each that is sent.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($($(#[doc = $about])+ $name,)+)+
        }

        impl ErrorCode {
            /// All there are.
            pub const ALL: &[ErrorCode] = &[$($(ErrorCode::$name),+),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $($(ErrorCode::$name => $code,)+)+
                }
            }

            /// What it says, in a sentence: for the API's description.
            pub fn about(self) -> &'static str {
                match self {
                    $($(ErrorCode::$name => concat!($($about),+).trim_ascii(),)+)+
                }
            }

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
        /// The body is not what this call takes.
        InvalidBody = "invalid_body",
        /// The query is not what this call takes.
        InvalidQuery = "invalid_query",
        /// An id of the path is too long, or not UTF-8.
        InvalidId = "invalid_id",
        /// The body must be JSON.
        JsonExpected = "json_expected",
        /// The body must be multipart/form-data.
        FormExpected = "form_expected",
        /// Idempotency-Key is empty, too long, or not visible ASCII.
        InvalidIdempotencyKey = "invalid_idempotency_key",
        /// `language`, or `lang`, is no language of those there are.
        UnknownLanguage = "unknown_language",
        /// `country` is not a country of ISO 3166.
        UnknownCountry = "unknown_country",

        // Accounts.
        /// Address and password are both needed.
        EmailPasswordRequired = "email_password_required",
        /// Some fields of the form are empty: `fields` names them.
        FieldsRequired = "fields_required",
        /// A user name is one line of 1 to 60 visible characters.
        InvalidUserName = "invalid_user_name",
        /// This is no mail address.
        InvalidEmail = "invalid_email",
        /// No mail can be sent to this address: only Latin letters may stand before the @.
        UndeliverableEmail = "undeliverable_email",
        /// It is the account's address already.
        SameEmail = "same_email",
        /// A password has 8 to 256 characters.
        InvalidPassword = "invalid_password",
        /// The old password is wrong.
        WrongPassword = "wrong_password",
        /// The code is wrong, used, over, or was tried five times.
        InvalidOtp = "invalid_otp",
        /// The registration is over: register again.
        RegistrationEnded = "registration_ended",
        /// The link for a new password is used, or over.
        InvalidResetLink = "invalid_reset_link",
        /// The link for the former address is used, or over.
        InvalidRestoreLink = "invalid_restore_link",

        /// A deletion wants the password, or a mailed code.
        PasswordOrCodeRequired = "password_or_code_required",

        // The help center.
        /// A message needs an address an answer can go to.
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
        /// A title is one line without invisible characters.
        InvalidTitle = "invalid_title",
        /// A category is too long or has invisible characters, or there are too many.
        InvalidCategory = "invalid_category",
        /// A keyword is too long or has invisible characters, or there are too many.
        InvalidKeyword = "invalid_keyword",
        /// What is said of a field is too long or has invisible characters, or is too much; a choice needs something to choose from.
        InvalidFieldHelp = "invalid_field_help",
        /// A template has at most 2,000 fields, and a request as many values.
        TooManyFields = "too_many_fields",
        /// Values are neither an object of names and texts nor a list of such objects.
        InvalidValues = "invalid_values",
        /// A name is given twice.
        DuplicateField = "duplicate_field",
        /// The template has no field of that name; `suggestions` has the nearest for each.
        UnknownField = "unknown_field",
        /// Fields without a value: `fields` names all.
        MissingFields = "missing_fields",
        /// No Word file can hold one of the characters.
        IllegalCharacter = "illegal_character",
        /// A value has at most 10,000 characters.
        ValueTooLong = "value_too_long",
        /// All values together have at most 200 kB.
        ValuesTooLong = "values_too_long",
        /// What a derived field is made of, or it itself, is no field of the template: `fields` names all that are none.
        DerivationSource = "derivation_source",
        /// Derived fields are made of each other in a circle: `fields` names them.
        DerivationCycle = "derivation_cycle",
        /// A derived field is made of nothing, of too many fields, or of one twice; or there are too many.
        InvalidDerivation = "invalid_derivation",
        /// The document has no page of that number.
        NoSuchPage = "no_such_page",
    }
    Unauthenticated {
        /// Nobody is signed in.
        LoginRequired = "login_required",
        /// The token is not one of ours.
        InvalidToken = "invalid_token",
        /// The token was one of ours, and holds no more.
        SessionEnded = "session_ended",
        /// Address or password is wrong.
        InvalidCredentials = "invalid_credentials",
        /// The address must be proven first (by the OTP of the mail); `userId` says whose it is.
        EmailNotVerified = "email_not_verified",
        /// Google's sign-in was refused.
        GoogleRefused = "google_refused",
    }
    Forbidden {
        /// The account may not do this.
        Forbidden = "forbidden",
        /// Calls come by the site's address: the API's own takes none but of its health.
        OriginRefused = "origin_refused",
    }
    NotFound {
        /// There is no such call.
        RouteNotFound = "route_not_found",
        /// There is no such document; also one out of the catalogue, unless an admin asks.
        DocumentNotFound = "document_not_found",
        /// There is no such upload: it was never finished, or it is more than a day old.
        UploadNotFound = "upload_not_found",
        /// There is no such category.
        CategoryNotFound = "category_not_found",
        /// There is no such user; he may have been deleted.
        UserNotFound = "user_not_found",
        /// There is no such message; whoever wrote it may have deleted his account.
        MessageNotFound = "message_not_found",
        /// There is no such picture.
        MediaNotFound = "media_not_found",
        /// Signing in with Google is not offered here.
        GoogleUnavailable = "google_unavailable",
    }
    MethodNotAllowed {
        /// The address does not take this method; the header Allow names those it takes.
        MethodNotAllowed = "method_not_allowed",
    }
    Conflict {
        /// The Idempotency-Key belongs to another request.
        IdempotencyKeyReused = "idempotency_key_reused",
        /// The account is being changed elsewhere at this moment.
        AccountBusy = "account_busy",
        /// Another account has the address by now.
        EmailTaken = "email_taken",
        /// Nobody changes his own role, or deletes himself, as an admin does it to others.
        OwnAccount = "own_account",
        /// Nobody could manage the house without this account.
        LastAdmin = "last_admin",
        /// Somebody else has answered or changed the message meanwhile.
        MessageChanged = "message_changed",
        /// A message takes at most 20 answers.
        TooManyAnswers = "too_many_answers",
        /// There is a template of this id.
        TemplateExists = "template_exists",
        /// Another category is called so.
        CategoryNameTaken = "category_name_taken",
        /// The template was changed by somebody else, since it was read.
        TemplateChanged = "template_changed",
        /// The saved document is of another version than the one that was edited.
        DocumentChanged = "document_changed",
        /// An account keeps at most 5,000 documents.
        TooManyDocuments = "too_many_documents",
    }
    TooLarge {
        /// The body has more bytes than this call takes.
        RequestTooLarge = "request_too_large",
        /// A template has at most 20 MB, and 4 MB in a form; `limit` says which.
        FileTooLarge = "file_too_large",
        /// A photo has at most 2 MB.
        PhotoTooLarge = "photo_too_large",
    }
    HeadTooLarge {
        /// The request's line and headers have more bytes than the platform takes.
        HeadersTooLarge = "headers_too_large",
    }
    Refused {
        // Photos.
        /// A photo is a JPEG, PNG, WebP, GIF or BMP.
        PhotoType = "photo_type",
        /// The photo has too many pixels.
        PhotoDimensions = "photo_dimensions",
        /// The photo is broken.
        PhotoUnreadable = "photo_unreadable",

        // Templates and documents.
        /// The template has errors: `findings` has all.
        TemplateRefused = "template_refused",
        /// To set the document takes too long.
        DocumentTooSlow = "document_too_slow",
        /// To read or set the document takes more work or memory than one may take.
        TooComplex = "too_complex",

        // Files that are no Word documents.
        /// The file is no zip, as every .docx is.
        NotAZip = "not_a_zip",
        /// The file is of another kind, as a workbook or an OpenDocument file.
        NotAWordDocument = "not_a_word_document",
        /// A document of Word 97 to 2003.
        OldWordDocument = "old_word_document",
        /// The package says of no part what it is.
        MissingContentTypes = "missing_content_types",
        /// The package names no main part, or does not hold it.
        MissingMainPart = "missing_main_part",
        /// The main part has no body.
        NoDocumentBody = "no_document_body",

        // Files that are protected.
        /// A document with a password.
        EncryptedDocument = "encrypted_document",
        /// A zip with a password.
        EncryptedZip = "encrypted_zip",

        // Files that are broken, or hostile.
        /// The zip is damaged.
        CorruptedZip = "corrupted_zip",
        /// The zip's end is missing.
        TruncatedZip = "truncated_zip",
        /// A zip of several files.
        MultiVolume = "multi_volume",
        /// A part is stored in a way that Word does not use.
        UnsupportedCompression = "unsupported_compression",
        /// A part is not well-formed XML.
        MalformedXml = "malformed_xml",
        /// Two parts have one name.
        DuplicatePart = "duplicate_part",
        /// Two entries of the zip share bytes.
        OverlappingEntries = "overlapping_entries",
        /// A part's name leads out of the package.
        UnsafePartName = "unsafe_part_name",
        /// A part grows more than any that Word writes.
        SuspiciousCompression = "suspicious_compression",
        /// The zip has too many entries.
        TooManyEntries = "too_many_entries",
        /// A part has too many relationships.
        TooManyRelationships = "too_many_relationships",
        /// A part is too large inflated.
        PartTooLarge = "part_too_large",
        /// All parts together are too large inflated.
        PackageTooLarge = "package_too_large",
        /// The elements of a part are nested too deeply.
        XmlTooDeep = "xml_too_deep",
        /// The picture of a page would have too many pixels, or none.
        PictureTooLarge = "picture_too_large",
    }
    TooMany {
        /// Too many attempts; Retry-After says when again.
        TooManyAttempts = "too_many_attempts",
        /// A mail was sent a moment ago; Retry-After says when another one can be.
        MailWait = "mail_wait",
        /// Too many documents are being made; Retry-After says when again.
        TooBusy = "too_busy",
    }
    Unavailable {
        /// This cannot be done just now.
        Unavailable = "unavailable",
    }
    Internal {
        /// A fault of ours.
        Internal = "internal",
        /// Nobody waits for the document any more.
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
    fn a_code_is_written_as_it_is_named() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            assert!(code.about().ends_with('.'), "{code} is told in a sentence");
        }
    }
}
