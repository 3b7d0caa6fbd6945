//! Rate limits in the table: one counter for each action, caller and time window. Each attempt is one write.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::ReturnValue;
use waraq_core::limits::Attempts;
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{get_number, n};
use crate::fault::unavailable;
use crate::items::{attempts_key, wait_key};
use crate::table::Table;

#[async_trait]
impl Attempts for Table {
    async fn count(&self, action: &str, who: &str, window: u64, expires_at: Timestamp) -> Result<u64> {
        let counted = self
            .client()
            .update_item()
            .table_name(self.name())
            .set_key(Some(attempts_key(action, who, window)))
            .update_expression("ADD attempts :one SET expires_at = :end")
            .expression_attribute_values(":one", n(1))
            .expression_attribute_values(":end", n(expires_at.seconds()))
            .return_values(ReturnValue::UpdatedNew)
            .send()
            .await
            .map_err(unavailable)?;
        let attempts = counted.attributes.as_ref().and_then(|attributes| get_number(attributes, "attempts"));
        attempts.ok_or_else(|| Error::internal("a counter without a number"))
    }

    async fn uncount(&self, action: &str, who: &str, window: u64) -> Result<()> {
        let taken = self
            .client()
            .update_item()
            .table_name(self.name())
            .set_key(Some(attempts_key(action, who, window)))
            .update_expression("ADD attempts :less")
            .condition_expression("attempts > :none")
            .expression_attribute_values(":less", n(-1))
            .expression_attribute_values(":none", n(0))
            .send()
            .await;
        match taken {
            Ok(_) => Ok(()),
            // TTL has already deleted the counter, so there is nothing to decrement.
            Err(error)
                if error.as_service_error().is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn start_wait(&self, action: &str, who: &str, now: Timestamp, until: Timestamp) -> Result<Option<Timestamp>> {
        // A wait starts with an attempt and not with a time window, so it has a key without a window.
        let key = wait_key(action, who);
        // A wait that ends later than one that starts now was started before the clock was set back. It is ignored.
        // Tries twice, because the wait may end, or TTL may delete it, between the two requests.
        for _ in 0..2 {
            let reserved = self
                .client()
                .update_item()
                .table_name(self.name())
                .set_key(Some(key.clone()))
                .update_expression("SET until_ms = :until, expires_at = :end")
                .condition_expression("attribute_not_exists(pk) OR until_ms <= :now OR until_ms > :until")
                .expression_attribute_values(":until", n(until.0))
                .expression_attribute_values(":end", n(until.seconds() + 1))
                .expression_attribute_values(":now", n(now.0))
                .send()
                .await;
            match reserved {
                Ok(_) => return Ok(None),
                Err(error)
                    if error.as_service_error().is_some_and(|error| error.is_conditional_check_failed_exception()) => {}
                Err(error) => return Err(unavailable(error)),
            }
            let held = self.get(key.clone()).await?;
            let end = held.as_ref().and_then(|held| get_number(held, "until_ms"));
            if let Some(end) = end.filter(|end| (now.0 + 1..=until.0).contains(end)) {
                return Ok(Some(Timestamp(end)));
            }
        }
        Err(Error::unavailable("a wait was held and over at once"))
    }
}
