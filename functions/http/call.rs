//! One request on its way to a handler.

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use waraq_aws::Cloud;

use super::Error;

/// A request, whole, with what answering it needs.
pub struct Call {
    pub cloud: Arc<Cloud>,
    pub parts: Parts,
    /// The `{…}` of the route's path, in order.
    pub path: Vec<(String, String)>,
    pub body: Bytes,
    /// Whom it comes from, for limits: an IPv4 address, or an IPv6 network of 64 bits.
    pub source: String,
    /// A token that replaces the one the request came with: sent back as `X-Renewed-Token`.
    pub renewed_token: Option<String>,
}

/// Who may call a route. A handler says it by what it asks for; the route table reads it from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// Anybody; a token is not looked at.
    Anyone,
    /// Anybody; a token that is sent must hold.
    MaybeUser,
    User,
    Admin,
}

/// Something a handler can ask for in its signature.
pub trait Extract: Sized + Send {
    /// Who can be given this at all.
    const WHO: Who = Who::Anyone;

    /// Takes it from the request, or says why it is not there.
    fn extract(call: &mut Call) -> impl Future<Output = Result<Self, Error>> + Send;
}

/// The cloud itself: the ports on the stores.
impl Extract for Arc<Cloud> {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        Ok(Arc::clone(&call.cloud))
    }
}
