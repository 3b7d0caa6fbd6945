//! Refuses the requests that API Gateway refuses before it calls a function. (The functions themselves check Lambda's
//! limits of 6 MB in each direction.)
//!
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html>

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use functions::http::{Error, ErrorCode, Failure};

/// Limit on the total length of the request line and the values of the headers, in bytes.
const LARGEST_HEAD: usize = 10_240;

pub async fn check_head_size(request: Request, next: Next) -> Response {
    if head_bytes(&request) > LARGEST_HEAD {
        let message = format!("A request's line and headers have at most {LARGEST_HEAD} bytes.");
        let error = Error::new(ErrorCode::HeadersTooLarge, message).with_limit(LARGEST_HEAD as u64);
        return Failure(error).into_response();
    }
    next.run(request).await
}

fn head_bytes(request: &Request) -> usize {
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    // The request line is `GET /path HTTP/1.1`.
    let line = request.method().as_str().len() + path + 10;
    line + request.headers().values().map(http::HeaderValue::len).sum::<usize>()
}
