//! The list of all routes. Each route is described in its own file. The local gateway serves all routes, and a Lambda
//! function serves one. Tests compare the list with template.yaml, the sample events and cargo lambda's router. The
//! OpenAPI document is generated from the list.

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use http::{Method, StatusCode};
use utoipa_axum::router::OpenApiRouter;
use waraq_aws::Cloud;

use crate::http::{Error, ErrorCode, Failure, Route, with_middleware};
use crate::{
    auth, categories, categories_history, categories_merge, categories_separate, categories_update, countries,
    documents, health, languages, media, my_templates, settings, support, support_messages, users,
};

/// Returns all routes.
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
        auth::refresh::route(),
        auth::logout::route(),
        users::list::route(),
        users::update::route(),
        users::delete::route(),
        users::history::route(),
        users::me::route(),
        users::update_me::route(),
        users::answers::route(),
        users::answers_switch::route(),
        users::answers_add::route(),
        users::answers_erase::route(),
        users::answers_erase_all::route(),
        users::export::route(),
        users::deletion_code::route(),
        users::delete_me::route(),
        health::route(),
        settings::route(),
        languages::route(),
        countries::route(),
        categories::route(),
        categories_update::route(),
        categories_merge::route(),
        categories_separate::route(),
        categories_history::route(),
        documents::list::route(),
        documents::dashboard::route(),
        documents::get::route(),
        documents::file::route(),
        documents::upload::route(),
        documents::check::route(),
        documents::update::route(),
        documents::deactivate::route(),
        documents::activate::route(),
        documents::versions::route(),
        documents::restore::route(),
        documents::history::route(),
        documents::try_out::route(),
        documents::fill_fields::route(),
        documents::save::route(),
        documents::saved_list::route(),
        documents::saved_get::route(),
        documents::saved_update::route(),
        documents::saved_delete::route(),
        documents::saved_restore::route(),
        my_templates::list::route(),
        my_templates::check::route(),
        my_templates::upload::route(),
        my_templates::create::route(),
        my_templates::get::route(),
        my_templates::update::route(),
        my_templates::delete::route(),
        my_templates::duplicate::route(),
        my_templates::fill_fields::route(),
        support_messages::route(),
        support::list::route(),
        support::answer::route(),
        support::update::route(),
        media::route(),
    ]
}

/// Returns the router of all routes. Unknown paths and methods get error codes; OPTIONS returns the methods of a path.
pub fn router(routes: Vec<Route>, cloud: &Arc<Cloud>) -> Router {
    router_of(routes, |_| Arc::clone(cloud))
}

/// Returns the router of `routes`. `cloud_of` returns a separate [`Cloud`] for each function, by the name of the
/// function.
pub fn router_of(routes: Vec<Route>, cloud_of: impl Fn(&str) -> Arc<Cloud>) -> Router {
    let routes = routes.into_iter().map(|route| {
        let cloud = cloud_of(&route.function);
        let (schemas, paths, handler) = with_middleware(route, &cloud);
        (schemas, paths, handler.with_state(cloud))
    });
    let (router, _) = routes.fold(OpenApiRouter::new(), OpenApiRouter::routes).split_for_parts();
    router.method_not_allowed_fallback(other_method).fallback(not_found)
}

/// Responds to a method that the path does not support. The caller adds the Allow header if it knows the methods.
pub async fn other_method(method: Method) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    let message = "This method is not allowed for this address.";
    Failure(Error::new(ErrorCode::MethodNotAllowed, message)).into_response()
}

pub async fn not_found() -> Failure {
    Error::new(ErrorCode::RouteNotFound, "There is no such route.").into()
}
