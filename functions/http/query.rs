//! What the URL says.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;
use waraq_core::InterfaceLanguage;

use super::{Call, Error, Extract};

/// The query string.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + Send> Extract for Query<T> {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        serde_urlencoded::from_str(call.parts.uri.query().unwrap_or("")).map(Query).map_err(|error| {
            Error::invalid("invalid_query", format!("The query is not what this call takes: {error}."))
        })
    }
}

/// The first `{…}` of the route's path.
#[derive(Debug)]
pub struct Path(pub String);

impl Extract for Path {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let value = call.path.first().map(|(_, value)| value.clone());
        value.map(Path).ok_or_else(|| Error::internal("the route has no path parameter"))
    }
}

/// The language names are asked for in: the query's `lang`, else the best of Accept-Language, else English.
#[derive(Debug, Clone, Copy)]
pub struct Names(pub InterfaceLanguage);

/// What [`Names`] takes of the query.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct NamesQuery {
    /// The language names are given in: `en`, `fr` or `ar`. Without it Accept-Language decides.
    pub lang: Option<String>,
}

impl Extract for Names {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let Query(query) = Query::<NamesQuery>::extract(call).await?;
        let Some(code) = query.lang.filter(|code| !code.is_empty()) else {
            return Ok(Names(Accepted::extract(call).await?.0));
        };
        let language = InterfaceLanguage::from_code(&code);
        language.map(Names).ok_or_else(|| {
            Error::invalid("unknown_language", "Names are there in en, fr and ar.").with_fields(["lang"])
        })
    }
}

/// The best of Accept-Language, else English.
#[derive(Debug, Clone, Copy)]
pub struct Accepted(pub InterfaceLanguage);

impl Extract for Accepted {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let header = call.parts.headers.get(http::header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Ok(Self(InterfaceLanguage::preferred(header.unwrap_or(""))))
    }
}
