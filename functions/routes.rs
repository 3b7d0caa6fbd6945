//! The one table of routes. The local gateway is built of it; tests hold template.yaml, the sample events, the OpenAPI
//! document and cargo lambda's router to it.

use crate::http::{Call, Handler, Reply, Who, respond};
use crate::{auth, categories, countries, documents, languages, media};

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
