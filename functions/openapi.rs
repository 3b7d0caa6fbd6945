//! The OpenAPI document, generated from the handlers' types. A test compares it with its copy in
//! `frontend/src/api/openapi.json`, from which the frontend's types are generated.

use std::collections::{BTreeMap, BTreeSet};

use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use waraq_core::ErrorDetails;

use crate::http::ErrorCode;
use crate::routes::routes;
use crate::wire::{ErrorBody, Role, Status};

#[derive(OpenApi)]
#[openapi(
    info(title = "Waraq", description = "Document templates: the catalogue, filling, accounts.\n\nAn address that is none of these calls answers as the responses `NoSuchCall` and, to a method that it does not take, `OtherMethod` say.", version = "1"),
    components(schemas(Status, Role, ErrorBody, ErrorDetails, ErrorCode, waraq_rules::DiagnosticCode, waraq_rules::Severity, waraq_rules::field_settings::FieldSettings)),
    modifiers(&Bearer)
)]
struct Api;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        api.components.get_or_insert_default().add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// Returns the error responses of an operation: one per status, each with its error codes.
pub fn error_responses(codes: &BTreeSet<ErrorCode>) -> impl Iterator<Item = (String, RefOr<Response>)> {
    let mut by_status: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for code in codes {
        by_status.entry(code.kind().status()).or_default().push(*code);
    }
    by_status.into_iter().map(|(status, codes)| {
        let about: Vec<String> = codes.iter().map(|code| format!("`{code}`: {}", code.about())).collect();
        let code =
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some(codes.iter().map(|code| code.as_str())));
        let these = ObjectBuilder::new().property("code", code).required("code");
        let body = AllOfBuilder::new().item(Ref::from_schema_name("ErrorBody")).item(these);
        let content = ContentBuilder::new().schema(Some(body)).build();
        let response = ResponseBuilder::new().description(about.join("\n\n")).content("application/json", content);
        (status.to_string(), RefOr::T(response.build()))
    })
}

/// The responses to calls that match no operation: the name of each response and its error code.
pub const GLOBAL_ERRORS: [(&str, ErrorCode); 2] =
    [("NoSuchCall", ErrorCode::RouteNotFound), ("OtherMethod", ErrorCode::MethodNotAllowed)];

/// Returns the document as it is checked in: indented, with a newline at its end.
pub fn document() -> Result<String, serde_json::Error> {
    let api = OpenApiRouter::with_openapi(Api::openapi());
    let mut sent: BTreeSet<ErrorCode> = GLOBAL_ERRORS.iter().map(|(_, code)| *code).collect();
    let api = routes().into_iter().fold(api, |api, route| {
        sent.extend(route.refuses);
        api.routes(route.handler)
    });
    let mut api = api.into_openapi();
    let components = api.components.get_or_insert_default();
    for (name, code) in GLOBAL_ERRORS {
        let code = BTreeSet::from([code]);
        components.responses.extend(error_responses(&code).map(|(_, response)| (name.to_owned(), response)));
    }
    // The engine and the command line define more codes than the API sends.
    let codes = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(sent.iter().map(|code| code.as_str())));
    let about = "Why a call is refused, for machines; its meaning never changes.";
    components.schemas.insert("ErrorCode".to_owned(), codes.description(Some(about)).into());
    Ok(api.to_pretty_json()? + "\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::http::Access;

    /// `UPDATE=1 cargo test -p functions` updates the copy.
    #[test]
    fn frontend_copy_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/src/api/openapi.json");
        let document = document().unwrap();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &document).unwrap();
        }
        let copy = std::fs::read_to_string(&path).unwrap();
        assert_eq!(copy, document, "run UPDATE=1 cargo test -p functions openapi");
    }

    /// The security of each operation matches the callers that its handler accepts.
    #[test]
    fn security_matches_the_access_of_each_route() {
        let json: serde_json::Value = serde_json::from_str(&document().unwrap()).unwrap();
        for route in routes() {
            let security = &json["paths"][&route.path][route.method.to_lowercase()]["security"];
            let bearer = serde_json::json!({ "bearer": [] });
            let expected = match route.who {
                Access::Anyone => serde_json::Value::Null,
                Access::MaybeUser => serde_json::json!([{}, bearer]),
                Access::User | Access::Admin => serde_json::json!([bearer]),
            };
            assert_eq!(*security, expected, "{}", route.function);
        }
    }
}
