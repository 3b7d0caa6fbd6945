//! Limits on request bodies while they are received: the time for one body, and the bytes of all bodies together. If a
//! limit is exceeded, slow requests are ended. Other requests are never delayed.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use functions::http::{Error, Failure};
use futures_util::task::AtomicWaker;
use hyper::body::{Frame, SizeHint};
use tokio::time::Sleep;

/// The bodies that are being received.
pub struct Bodies {
    /// Time limit of one body, from its first read to its end.
    longest: Duration,
    /// Limit on the bytes of all unfinished bodies.
    most_bytes: u64,
    state: Mutex<Receiving>,
}

#[derive(Default)]
struct Receiving {
    bytes: u64,
    /// Count of request bodies so far. A new body increases the count by 1. The new count is the number of that body.
    bodies: u64,
    /// The unfinished bodies of which at least one byte has arrived, by body number. The lowest number belongs to the
    /// oldest body.
    unfinished: BTreeMap<u64, Unfinished>,
}

struct Unfinished {
    bytes: u64,
    told: Arc<Told>,
}

/// The signal to stop receiving a body.
#[derive(Default)]
struct Told {
    given_up: AtomicBool,
    waker: AtomicWaker,
}

impl Bodies {
    pub fn new(longest: Duration, most_bytes: u64) -> Arc<Self> {
        Arc::new(Self { longest, most_bytes, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, Receiving> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> u64 {
        let mut state = self.state();
        state.bodies += 1;
        state.bodies
    }

    /// Adds received bytes to a body. If the bytes of all bodies exceed the limit, stops receiving the oldest bodies.
    /// (A client that sends at a usual speed is finished before its body is the oldest.)
    fn add(&self, number: u64, bytes: u64, told: &Arc<Told>) {
        let mut state = self.state();
        let body = state.unfinished.entry(number).or_insert_with(|| Unfinished { bytes: 0, told: Arc::clone(told) });
        body.bytes += bytes;
        state.bytes += bytes;
        while state.bytes > self.most_bytes {
            let Some((_, oldest)) = state.unfinished.pop_first() else { return };
            state.bytes -= oldest.bytes;
            oldest.told.given_up.store(true, Ordering::SeqCst);
            oldest.told.waker.wake();
        }
    }

    fn end(&self, number: u64) {
        let mut state = self.state();
        if let Some(body) = state.unfinished.remove(&number) {
            state.bytes -= body.bytes;
        }
    }
}

/// Applies the limits to a request. If its body is not received to the end because of the limit on bytes, the response
/// is `unavailable`.
pub async fn hold(State(bodies): State<Arc<Bodies>>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let told = Arc::new(Told::default());
    let heard = Arc::clone(&told);
    let response = next.run(request.map(|body| Body::new(Received::new(bodies, body, told)))).await;
    match heard.given_up.load(Ordering::SeqCst) {
        true => Failure(Error::unavailable("too many bytes of unfinished requests")).into_response(),
        false => response,
    }
}

/// The body of a request. Reading from it fails after the time limit, or if the limit on bytes ends its reception.
struct Received {
    bodies: Arc<Bodies>,
    number: u64,
    body: Body,
    told: Arc<Told>,
    end: Option<Pin<Box<Sleep>>>,
}

impl Received {
    fn new(bodies: Arc<Bodies>, body: Body, told: Arc<Told>) -> Self {
        Self { number: bodies.next(), bodies, body, told, end: None }
    }
}

impl HttpBody for Received {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        this.told.waker.register(context.waker());
        let longest = this.bodies.longest;
        let end = this.end.get_or_insert_with(|| Box::pin(tokio::time::sleep(longest)));
        if this.told.given_up.load(Ordering::SeqCst) {
            return Poll::Ready(Some(Err(axum::Error::new("the body was given up"))));
        }
        if end.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err(axum::Error::new("the body did not arrive in time"))));
        }
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        match &frame {
            Some(Ok(frame)) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                this.bodies.add(this.number, bytes as u64, &this.told);
            }
            _ => this.bodies.end(this.number),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Received {
    fn drop(&mut self) {
        self.bodies.end(self.number);
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::routing::post;
    use futures_util::FutureExt;
    use futures_util::stream::{self, StreamExt};
    use tower::ServiceExt;

    use super::*;

    /// Sends the chunks to a handler that reads the whole body. Without `ends`, the body never ends.
    fn send(bodies: &Arc<Bodies>, chunks: &[usize], ends: bool) -> impl Future<Output = u16> + Unpin {
        let app = Router::new().route("/", post(|body: Bytes| async move { body.len().to_string() }));
        let app = app.layer(from_fn_with_state(Arc::clone(bodies), hold));
        let chunks: Vec<_> = chunks.iter().map(|bytes| Ok::<_, axum::Error>(Bytes::from(vec![0; *bytes]))).collect();
        let body = match ends {
            true => Body::from_stream(stream::iter(chunks)),
            false => Body::from_stream(stream::iter(chunks).chain(stream::pending())),
        };
        let request = Request::post("/").body(body).unwrap();
        Box::pin(app.oneshot(request).map(|response| response.unwrap().status().as_u16()))
    }

    #[tokio::test]
    async fn oldest_bodies_are_refused_above_the_total_limit() {
        let bodies = Bodies::new(Duration::from_secs(25), 100);
        let mut halves: Vec<_> = (0..3).map(|_| send(&bodies, &[20, 20], false)).collect();
        assert!((&mut halves[0]).now_or_never().is_none() && (&mut halves[1]).now_or_never().is_none());
        assert_eq!(send(&bodies, &[10, 10], true).await, 200, "a complete body still fits");
        assert!((&mut halves[2]).now_or_never().is_none());
        assert_eq!((&mut halves[0]).await, 503);
        assert_eq!(send(&bodies, &[50, 50], true).await, 200);
        assert_eq!((&mut halves[1]).await, 503);
        assert_eq!((&mut halves[2]).await, 503);
        assert_eq!(send(&bodies, &[101], true).await, 503, "more than all bodies may have");
        assert!(bodies.state().bytes == 0 && bodies.state().unfinished.is_empty());
    }

    #[tokio::test]
    async fn disconnected_client_frees_its_bytes() {
        let bodies = Bodies::new(Duration::from_secs(25), 100);
        let mut half = send(&bodies, &[90], false);
        assert!((&mut half).now_or_never().is_none());
        assert_eq!(bodies.state().bytes, 90);
        drop(half);
        assert_eq!(bodies.state().bytes, 0);
    }

    #[tokio::test]
    async fn a_body_has_a_time_limit() {
        let bodies = Bodies::new(Duration::from_millis(1), 100);
        assert_eq!(send(&bodies, &[10], false).await, 400, "the body never ends");
        assert_eq!(bodies.state().bytes, 0);
    }
}
