//! The OpenAPI document, generated from the handlers' types. `frontend/src/api/openapi.json` is a copy held in step by a
//! test; the frontend's types are generated from it.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::wire::{Role, Severity, Status};
use crate::{auth, categories, countries, documents, languages, media, settings, users};

#[derive(OpenApi)]
#[openapi(
    info(title = "Waraq", description = "Document templates: the catalogue, filling, accounts.", version = "1"),
    paths(
        auth::login::login,
        auth::google_login::google_login,
        auth::register::register,
        auth::verify_otp::verify_otp,
        auth::resend_otp::resend_otp,
        auth::forgot_password::forgot_password,
        auth::reset_password::reset_password,
        auth::change_email::change_email,
        auth::verify_change_email_otp::verify_change_email_otp,
        auth::change_password::change_password,
        users::me::me,
        users::update_me::update_me,
        settings::settings,
        languages::languages,
        countries::countries,
        categories::categories,
        documents::list::list,
        documents::get::get,
        documents::file::file,
        documents::fill_fields::fill_fields,
        media::media
    ),
    components(schemas(Status, Role, Severity)),
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
    Ok(Api::openapi().to_pretty_json()? + "\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use utoipa::OpenApi;

    use super::*;
    use crate::routes::routes;

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

    #[test]
    fn it_has_the_routes_of_the_table_and_no_others() {
        let json: serde_json::Value = serde_json::from_str(&document().unwrap()).unwrap();
        let described: BTreeSet<(String, String)> = json["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, item)| {
                item.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())).collect::<Vec<_>>()
            })
            .collect();
        let table = routes().iter().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
        assert_eq!(described, table);
        let _ = Api::openapi();
    }
}
