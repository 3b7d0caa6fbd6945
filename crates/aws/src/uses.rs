//! Counts uses in sharded counters. One transaction counts a use and writes the document, if it is saved.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use waraq_core::filling::{CountOutcome, RequestKey, ResponseInputs, Use, Uses, key_reused};
use waraq_core::private_templates::is_private_id;
use waraq_core::saved::{MOST_SAVED, SavedDocuments as _, document_changed, too_many_documents};
use waraq_core::template::document_not_found;
use waraq_core::token::session_ended;
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{n, parse_data, s};
use crate::idempotency::{put_record, record_of_key};
use crate::items::{
    COUNTED_USES, SHARDS, idempotency_record, private_uses_key, profile_key, sortable_time, template_uses_key,
    use_counters_kind, user_kind,
};
use crate::system::random_below;
use crate::table::{ConditionalWrite, Table, TransactionOutcome};

/// The reason why a use is not counted and its document is not saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UseRefusal {
    /// The account no longer exists, or it has the maximum number of documents.
    Account,
    /// A record with the same Idempotency-Key exists.
    KeyUsed,
    /// The edited document has changed since it was read.
    Changed,
    /// The new files have no valid announcement any more (see [`waraq_core::saved`]), or the id of the new document is
    /// taken. Both happen only if a clock is wrong by hours.
    Files,
}

#[async_trait]
impl Uses for Table {
    async fn count(&self, counted: &Use) -> Result<CountOutcome> {
        let mut writes = Vec::new();
        if let Some(template_id) = &counted.template_id {
            writes.push(match &counted.user_id {
                Some(owner) if is_private_id(template_id) => self.private_use_write(owner, template_id)?,
                _ => self.template_use_write(template_id, counted.at)?,
            });
            writes.push(self.count_write(COUNTED_USES, 1, counted.at)?);
        }
        if let Some(user_id) = &counted.user_id {
            let new_documents = counted.saved.as_ref().is_some_and(|save| save.before.is_none());
            writes.extend(self.user_use_write(user_id, counted.template_id.is_some(), new_documents, counted.at)?);
        }
        if let Some(save) = &counted.saved {
            writes.extend(self.save_writes(save, counted.at)?);
        }
        if let Some((key, ingredients)) = &counted.key {
            let record = idempotency_record(&key.who, &key.key, ingredients, counted.at)?;
            writes.push(put_record(self, record, counted.at, UseRefusal::KeyUsed)?);
        }
        let TransactionOutcome::Refused(refused) = self.transact(writes).await? else {
            return Ok(CountOutcome::Counted);
        };
        if refused.contains(&UseRefusal::KeyUsed)
            && let Some((key, _)) = &counted.key
            && let Some(before) = self.counted_under(key, counted.at).await?
        {
            return Ok(CountOutcome::Repeated(Box::new(before)));
        }
        Err(self.refusal_error(&refused, counted).await?)
    }

    async fn counted_under(&self, key: &RequestKey, now: Timestamp) -> Result<Option<ResponseInputs>> {
        let record = record_of_key(self, &key.who, &key.key, now).await?;
        // A record that cannot be parsed belongs to another operation with the same key.
        record.as_ref().map(|record| parse_data(record).map_err(|_| key_reused())).transpose()
    }
}

impl Table {
    async fn refusal_error(&self, refused: &[UseRefusal], counted: &Use) -> Result<Error> {
        if refused.contains(&UseRefusal::Account)
            && let Some(user_id) = &counted.user_id
        {
            // The account may have been deleted while its document was rendered.
            let there = self.get(profile_key(user_id)).await?.is_some();
            return Ok(if there { too_many_documents() } else { session_ended() });
        }
        if refused.contains(&UseRefusal::Changed)
            && let Some(save) = &counted.saved
        {
            let document = self.document(&save.document.owner, &save.document.id).await?;
            return Ok(document.map_or_else(document_not_found, |_| document_changed()));
        }
        Ok(Error::unavailable("a use was refused without a reason"))
    }

    fn template_use_write(&self, template_id: &str, at: Timestamp) -> Result<ConditionalWrite<UseRefusal>> {
        let shard = random_below(SHARDS);
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(template_uses_key(template_id, shard)))
            .update_expression("ADD uses :one SET kind = :kind, kind_order = :at")
            .expression_attribute_values(":one", n(1))
            .expression_attribute_values(":kind", s(use_counters_kind(shard)))
            .expression_attribute_values(":at", s(sortable_time(at)));
        ConditionalWrite::update(update, None)
    }

    /// Returns the write that counts a use of a private template.
    fn private_use_write(&self, owner: &str, template_id: &str) -> Result<ConditionalWrite<UseRefusal>> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(private_uses_key(owner, template_id)))
            .update_expression("ADD uses :one")
            .expression_attribute_values(":one", n(1));
        ConditionalWrite::update(update, None)
    }

    /// Returns the update of the user's row. It counts a download if `used`, and a new document if `new_document`.
    /// Counting a download also moves the row in the index, so that lists of users find the new count. `None` if
    /// neither is counted.
    fn user_use_write(
        &self,
        user_id: &str,
        used: bool,
        new_document: bool,
        at: Timestamp,
    ) -> Result<Option<ConditionalWrite<UseRefusal>>> {
        let expression = match (used, new_document) {
            (false, false) => return Ok(None),
            (true, false) => "ADD downloads :one SET kind = :kind, kind_order = :at",
            (false, true) => "ADD documents :one",
            (true, true) => "ADD downloads :one, documents :one SET kind = :kind, kind_order = :at",
        };
        let room = if new_document { " AND (attribute_not_exists(documents) OR documents < :most)" } else { "" };
        let mut update = Update::builder()
            .table_name(self.name())
            .set_key(Some(profile_key(user_id)))
            .update_expression(expression)
            .condition_expression(format!("attribute_exists(pk){room}"))
            .expression_attribute_values(":one", n(1));
        if used {
            update = update.expression_attribute_values(":kind", s(user_kind(user_id)));
            update = update.expression_attribute_values(":at", s(sortable_time(at)));
        }
        if new_document {
            update = update.expression_attribute_values(":most", n(MOST_SAVED));
        }
        ConditionalWrite::update(update, Some(UseRefusal::Account)).map(Some)
    }
}
