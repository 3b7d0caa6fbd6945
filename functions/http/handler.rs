//! An `async fn` becomes something a request can be handed to.

use std::future::Future;
use std::pin::Pin;

use super::{Call, Error, Extract, Reply, Who};

pub type Answer = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// An async function whose arguments are [`Extract`] and whose answer is a [`Reply`] or an [`Error`].
pub trait Handler<Arguments>: Copy + Send + Sync + 'static {
    /// The strictest of its arguments.
    fn who(&self) -> Who;

    fn call(self, call: Call) -> Answer;
}

macro_rules! handler {
    ($($argument:ident),*) => {
        impl<F, Fut, R, $($argument,)*> Handler<($($argument,)*)> for F
        where
            F: Fn($($argument),*) -> Fut + Copy + Send + Sync + 'static,
            Fut: Future<Output = Result<R, Error>> + Send,
            R: Into<Reply> + Send,
            $($argument: Extract + 'static,)*
        {
            #[allow(unused_mut)]
            fn who(&self) -> Who {
                let mut who = Who::Anyone;
                $(who = who.max($argument::WHO);)*
                who
            }

            #[allow(non_snake_case, unused_mut)]
            fn call(self, mut call: Call) -> Answer {
                Box::pin(async move {
                    let result: Result<R, Error> = async {
                        $(let $argument = $argument::extract(&mut call).await?;)*
                        self($($argument),*).await
                    }
                    .await;
                    let mut reply = match result {
                        Ok(reply) => reply.into(),
                        Err(error) => Reply::from(error),
                    };
                    if let Some(token) = &call.renewed_token {
                        reply.set_header("x-renewed-token", token);
                    }
                    reply
                })
            }
        }
    };
}

handler!();
handler!(A);
handler!(A, B);
handler!(A, B, C);
handler!(A, B, C, D);
handler!(A, B, C, D, E);
handler!(A, B, C, D, E, G);

/// Answers one request and writes its line in the log.
pub async fn respond(function: &'static str, handler: impl FnOnce(Call) -> Answer, call: Call) -> Reply {
    let started = std::time::Instant::now();
    let method = call.parts.method.clone();
    let reply = handler(call).await;
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match &reply.failure {
        Some(error) if reply.status >= 500 => {
            tracing::error!(function, %method, status = reply.status, ms, code = %error.code, cause = error.cause.as_deref(), "answered");
        }
        Some(error) => tracing::info!(function, %method, status = reply.status, ms, code = %error.code, "answered"),
        None => tracing::info!(function, %method, status = reply.status, ms, "answered"),
    }
    reply
}
