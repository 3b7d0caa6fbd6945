//! The OpenAPI document, generated from the handlers' types. `frontend/src/api/openapi.json` is a copy held in step by a
//! test; the frontend's types are generated from it.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;

use crate::routes::routes;
use crate::wire::{Role, Status};

#[derive(OpenApi)]
#[openapi(
    info(title = "Waraq", description = "Document templates: the catalogue, filling, accounts.", version = "1"),
    components(schemas(Status, Role, waraq_rules::FindingCode, waraq_rules::Severity)),
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

/// The document as it is checked in: indented, with a newline at its end.
pub fn document() -> Result<String, serde_json::Error> {
    let api = OpenApiRouter::with_openapi(Api::openapi());
    let api = routes().into_iter().fold(api, |api, route| api.routes(route.mounted));
    Ok(api.into_openapi().to_pretty_json()? + "\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::http::Who;

    /// `UPDATE=1 cargo test -p functions` writes the copy anew.
    #[test]
    fn the_frontends_copy_is_in_step() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/src/api/openapi.json");
        let document = document().unwrap();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &document).unwrap();
        }
        let copy = std::fs::read_to_string(&path).unwrap();
        assert_eq!(copy, document, "run UPDATE=1 cargo test -p functions openapi");
    }

    /// A handler that asks for somebody signed in says so in the document, and no other does.
    #[test]
    fn it_says_who_may_call() {
        let json: serde_json::Value = serde_json::from_str(&document().unwrap()).unwrap();
        for route in routes() {
            let security = &json["paths"][&route.path][route.method.to_lowercase()]["security"];
            let bearer = serde_json::json!({ "bearer": [] });
            let expected = match route.who {
                Who::Anyone => serde_json::Value::Null,
                Who::MaybeUser => serde_json::json!([{}, bearer]),
                Who::User | Who::Admin => serde_json::json!([bearer]),
            };
            assert_eq!(*security, expected, "{}", route.function);
        }
    }
}
