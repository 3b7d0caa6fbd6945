//! Mails that wait to be sent, in the table.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::ReturnValue;
use waraq_core::mail::{ClaimedMail, Outbox, QueuedMail, SealedMail};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, get_expiry, get_number, get_text, n};
use crate::fault::unavailable;
use crate::items::{MAILS, mail_key};
use crate::table::Table;

#[async_trait]
impl Outbox for Table {
    async fn waiting(&self) -> Result<Vec<QueuedMail>> {
        let items = self.items_of_kind(MAILS, "").await?;
        let queued = |item: &Item| {
            let claimed_until = Timestamp(get_number(item, "claimed_until")?);
            Some(QueuedMail { id: get_text(item, "kind_order")?.to_owned(), claimed_until })
        };
        Ok(items.iter().filter_map(queued).collect())
    }

    async fn claim(&self, id: &str, now: Timestamp, until: Timestamp) -> Result<Option<ClaimedMail>> {
        let claimed = self
            .client()
            .update_item()
            .table_name(self.name())
            .set_key(Some(mail_key(id)))
            .update_expression("SET claimed_until = :until ADD tries :one")
            .condition_expression("claimed_until <= :now")
            .expression_attribute_values(":until", n(until.0))
            .expression_attribute_values(":now", n(now.0))
            .expression_attribute_values(":one", n(1))
            .return_values(ReturnValue::AllNew)
            .send()
            .await;
        let item = match claimed {
            Ok(claimed) => claimed.attributes.unwrap_or_default(),
            Err(error)
                if error.as_service_error().is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(unavailable(error)),
        };
        let (text, expires_at) =
            get_text(&item, "sealed").zip(get_expiry(&item)).ok_or_else(|| Error::internal("a mail without text"))?;
        let sealed = SealedMail { id: id.to_owned(), text: text.to_owned(), expires_at };
        let tries = get_number(&item, "tries").unwrap_or(1).saturating_sub(1);
        Ok(Some(ClaimedMail { sealed, tries: u32::try_from(tries).unwrap_or(u32::MAX) }))
    }

    async fn postpone(&self, id: &str, until: Timestamp) -> Result<()> {
        let put_off = self
            .client()
            .update_item()
            .table_name(self.name())
            .set_key(Some(mail_key(id)))
            .update_expression("SET claimed_until = :until")
            // TTL may have deleted the mail. Without the condition, the update would create an incomplete item.
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":until", n(until.0))
            .send()
            .await;
        match put_off {
            Ok(_) => Ok(()),
            Err(error)
                if error.as_service_error().is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn remove(&self, id: &str) -> Result<()> {
        let removed = self.client().delete_item().table_name(self.name()).set_key(Some(mail_key(id))).send().await;
        removed.map(|_| ()).map_err(unavailable)
    }
}
