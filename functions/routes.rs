//! Every route there is, each as its file describes it. The local gateway serves them all, a Lambda one; tests hold template.yaml, the
//! sample events and cargo lambda's router to them, and the OpenAPI document is made of them.

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use http::{Method, StatusCode};
use utoipa_axum::router::OpenApiRouter;
use waraq_aws::Cloud;

use crate::http::{Error, ErrorKind, Failure, Route};
use crate::{auth, categories, countries, documents, languages, media, settings, users};

/// Every route there is.
pub fn routes() -> Vec<Route> {
    vec![
        auth::login::route(),
        auth::google_login::route(),
        auth::register::route(),
        auth::verify_otp::route(),
        auth::resend_otp::route(),
        auth::forgot_password::route(),
        auth::reset_password::route(),
        auth::restore_email::route(),
        auth::change_email::route(),
        auth::verify_change_email_otp::route(),
        auth::change_password::route(),
        users::me::route(),
        users::update_me::route(),
        settings::route(),
        languages::route(),
        countries::route(),
        categories::route(),
        documents::list::route(),
        documents::get::route(),
        documents::file::route(),
        documents::fill_fields::route(),
        media::route(),
    ]
}

/// Routes as axum serves them. What is none of them is refused in codes; OPTIONS names the methods an address takes.
pub fn router(routes: Vec<Route>) -> Router<Arc<Cloud>> {
    let routes = routes.into_iter().fold(OpenApiRouter::new(), |router, route| router.routes(route.mounted));
    let (router, _) = routes.split_for_parts();
    router.method_not_allowed_fallback(async |method: Method| other_method(&method)).fallback(async || not_found())
}

/// What is answered where an address does not take a method; whoever knows them adds the header Allow.
pub fn other_method(method: &Method) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    let message = "This address does not take this method.";
    Failure(Error::new(ErrorKind::MethodNotAllowed, "method_not_allowed", message)).into_response()
}

pub fn not_found() -> Failure {
    Error::not_found("route_not_found", "There is no such call.").into()
}
