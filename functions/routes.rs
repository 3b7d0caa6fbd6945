//! The one table of routes. The local gateway is built of it; tests hold template.yaml, the sample events, the OpenAPI
//! document and cargo lambda's router to it.

use crate::http::{Call, Handler, Reply, Who, respond};
use crate::{auth, categories, countries, documents, languages, media, settings, users};

type Mounted = Box<dyn Fn(Call) -> std::pin::Pin<Box<dyn Future<Output = Reply> + Send>> + Send + Sync>;

/// A route.
pub struct Route {
    pub method: &'static str,
    /// With `{name}` for a part that varies.
    pub path: &'static str,
    /// The Lambda and the binary.
    pub function: &'static str,
    /// Who may call it: what its handler asks for.
    pub who: Who,
    handler: Mounted,
}

impl Route {
    fn new<A, H: Handler<A>>(method: &'static str, path: &'static str, function: &'static str, handler: H) -> Self {
        let mounted: Mounted = Box::new(move |call| Box::pin(respond(function, move |call| handler.call(call), call)));
        Self { method, path, function, who: handler.who(), handler: mounted }
    }

    /// Answers a request that has this route's method and path.
    pub async fn call(&self, call: Call) -> Reply {
        (self.handler)(call).await
    }
}

/// Every route there is.
pub fn routes() -> Vec<Route> {
    vec![
        Route::new("POST", "/api/v1/auth/login", "auth-login", auth::login::login),
        Route::new("POST", "/api/v1/auth/google-login", "auth-google-login", auth::google_login::google_login),
        Route::new("POST", "/api/v1/auth/register", "auth-register", auth::register::register),
        Route::new("POST", "/api/v1/auth/verify-otp", "auth-verify-otp", auth::verify_otp::verify_otp),
        Route::new("POST", "/api/v1/auth/resend-otp", "auth-resend-otp", auth::resend_otp::resend_otp),
        Route::new(
            "POST",
            "/api/v1/auth/forgot-password",
            "auth-forgot-password",
            auth::forgot_password::forgot_password,
        ),
        Route::new("POST", "/api/v1/auth/reset-password", "auth-reset-password", auth::reset_password::reset_password),
        Route::new("POST", "/api/v1/auth/change-email", "auth-change-email", auth::change_email::change_email),
        Route::new(
            "POST",
            "/api/v1/auth/verify-change-email-otp",
            "auth-verify-change-email-otp",
            auth::verify_change_email_otp::verify_change_email_otp,
        ),
        Route::new(
            "POST",
            "/api/v1/auth/change-password",
            "auth-change-password",
            auth::change_password::change_password,
        ),
        Route::new("GET", "/api/v1/users/me", "users-me", users::me::me),
        Route::new("PATCH", "/api/v1/users/me", "users-update-me", users::update_me::update_me),
        Route::new("GET", "/api/v1/settings", "settings", settings::settings),
        Route::new("GET", "/api/v1/languages", "languages", languages::languages),
        Route::new("GET", "/api/v1/countries", "countries", countries::countries),
        Route::new("GET", "/api/v1/categories", "categories", categories::categories),
        Route::new("GET", "/api/v1/documents", "documents-list", documents::list::list),
        Route::new("GET", "/api/v1/documents/{id}", "documents-get", documents::get::get),
        Route::new("POST", "/api/v1/documents/file", "documents-file", documents::file::file),
        Route::new(
            "POST",
            "/api/v1/documents/{id}/fill-fields",
            "documents-fill-fields",
            documents::fill_fields::fill_fields,
        ),
        Route::new("GET", "/media/{hash}", "media", media::media),
    ]
}
