//! Support messages in the table. Messages of signed-in users are in the partition of the user and are deleted with the
//! account. One query of the index finds a page of the messages of all users and guests. A consistent read of the table
//! then reads the content of these messages.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use waraq_core::filling::{RequestKey, key_reused};
use waraq_core::mail::SealedMail;
use waraq_core::support::{
    IdempotencyRecord, MessageChange, MessagePage, MessageStatus, StoreOutcome, SupportMessage, SupportMessages,
};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, get_text, json, n, parse_data, s};
use crate::fault::unavailable;
use crate::idempotency::{put_record, record_of_key};
use crate::items::{
    CLOSED_MESSAGES, OPEN_MESSAGES, SUPPORT_MESSAGES_OF, idempotency_record, messages_kind, outbox_mail, profile_key,
    support_message, support_message_key, support_partition,
};
use crate::system::back_off;
use crate::table::{ConditionalWrite, KINDS_INDEX, Table, TransactionOutcome};

/// The reason why a message is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SupportRefusal {
    /// A message or a mail with this id exists.
    IdTaken,
    /// The account no longer exists.
    NoAccount,
    /// A record with the same Idempotency-Key exists.
    KeyUsed,
    /// The message has another version or no longer exists.
    Changed,
}

/// Maximum number of times that the index is searched for one message. While the status of a message changes, a search
/// may miss the message.
const SEARCH_TRIES: u32 = 4;

#[async_trait]
impl SupportMessages for Table {
    async fn store(
        &self,
        received: &IdempotencyRecord,
        waiting: &SealedMail,
        key: Option<&RequestKey>,
    ) -> Result<StoreOutcome> {
        let message = &received.message;
        let mut writes = vec![
            self.put_new(support_message(message)?, SupportRefusal::IdTaken)?,
            self.put_new(outbox_mail(waiting), SupportRefusal::IdTaken)?,
        ];
        if let Some(user_id) = &message.user_id {
            writes.push(self.check_exists(profile_key(user_id), SupportRefusal::NoAccount)?);
        }
        if let Some(key) = key {
            let record = idempotency_record(&key.who, &key.key, received, message.created_at)?;
            writes.push(put_record(self, record, message.created_at, SupportRefusal::KeyUsed)?);
        }
        let TransactionOutcome::Refused(refused) = self.transact(writes).await? else {
            return Ok(StoreOutcome::Stored);
        };
        if refused.contains(&SupportRefusal::NoAccount) {
            return Ok(StoreOutcome::NoAccount);
        }
        if refused.contains(&SupportRefusal::KeyUsed)
            && let Some(key) = key
            && let Some(before) = self.record_of_key(key, message.created_at).await?
        {
            return Ok(StoreOutcome::Repeated(Box::new(before)));
        }
        Err(Error::unavailable("a message was refused without a reason"))
    }

    async fn record_of_key(&self, key: &RequestKey, now: Timestamp) -> Result<Option<IdempotencyRecord>> {
        let record = record_of_key(self, &key.who, &key.key, now).await?;
        // A record that cannot be parsed belongs to another operation with the same key.
        record.as_ref().map(|record| parse_data(record).map_err(|_| key_reused())).transpose()
    }

    async fn list(&self, status: MessageStatus, before: Option<&str>, limit: usize) -> Result<MessagePage> {
        let query = self.client().query().table_name(self.name()).index_name(KINDS_INDEX).scan_index_forward(false);
        let query = query.projection_expression("pk, sk, kind_order").limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let query = query.expression_attribute_values(":kind", s(messages_kind(status)));
        let query = match before {
            Some(id) => query
                .key_condition_expression("kind = :kind AND kind_order < :before")
                .expression_attribute_values(":before", s(id)),
            None => query.key_condition_expression("kind = :kind"),
        };
        let page = query.send().await.map_err(unavailable)?;
        let next = page.last_evaluated_key.is_some().then(|| page.items().last()).flatten();
        let next = next.and_then(|last| get_text(last, "kind_order")).map(str::to_owned);
        let mut messages = Vec::with_capacity(limit);
        for item in self.get_all(page.items().iter().filter_map(key_of).collect()).await? {
            messages.extend(self.unexpired_message(&item)?);
        }
        // The status of some messages may have changed since the index was written.
        messages.retain(|message| message.status == status);
        messages.sort_by(|one, other| other.id.cmp(&one.id));
        Ok(MessagePage { messages, next })
    }

    async fn message(&self, id: &str) -> Result<Option<SupportMessage>> {
        if id.is_empty() {
            return Ok(None);
        }
        // While its status changes, a message may be missing under both statuses for a moment.
        for attempt in 0..SEARCH_TRIES {
            for kind in [OPEN_MESSAGES, CLOSED_MESSAGES] {
                let query = self.client().query().table_name(self.name()).index_name(KINDS_INDEX);
                let query = query.key_condition_expression("kind = :kind AND kind_order = :id");
                let query = query.projection_expression("pk, sk").expression_attribute_values(":kind", s(kind));
                let found = query.expression_attribute_values(":id", s(id)).send().await.map_err(unavailable)?;
                if let Some(key) = found.items().first().and_then(key_of) {
                    return self.get(key).await?.map_or(Ok(None), |item| self.unexpired_message(&item));
                }
            }
            back_off(attempt).await;
        }
        Ok(None)
    }

    async fn change(
        &self,
        message: &SupportMessage,
        waiting: Option<&SealedMail>,
        answered: Option<(&RequestKey, &IdempotencyRecord)>,
    ) -> Result<MessageChange> {
        let now = self.clock().now();
        let before = message.version.saturating_sub(1);
        // Messages that were written before versions existed have none.
        let none_yet = if before == 0 { " OR attribute_not_exists(version)" } else { "" };
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(support_message_key(message)))
            .update_expression("SET #data = :data, version = :version, kind = :kind")
            .condition_expression(format!("attribute_exists(pk) AND (version = :before{none_yet})"))
            .expression_attribute_names("#data", "data")
            .expression_attribute_values(":data", s(json(message)?))
            .expression_attribute_values(":version", n(message.version))
            .expression_attribute_values(":before", n(before))
            .expression_attribute_values(":kind", s(messages_kind(message.status)));
        let mut writes = vec![ConditionalWrite::update(update, Some(SupportRefusal::Changed))?];
        if let Some(waiting) = waiting {
            writes.push(self.put_new(outbox_mail(waiting), SupportRefusal::IdTaken)?);
        }
        if let Some((key, received)) = answered {
            let record = idempotency_record(&key.who, &key.key, received, now)?;
            writes.push(put_record(self, record, now, SupportRefusal::KeyUsed)?);
        }
        let TransactionOutcome::Refused(refused) = self.transact(writes).await? else { return Ok(MessageChange::Done) };
        if refused.contains(&SupportRefusal::KeyUsed)
            && let Some((key, _)) = answered
            && let Some(before) = self.record_of_key(key, now).await?
        {
            return Ok(MessageChange::Repeated(Box::new(before)));
        }
        if refused.contains(&SupportRefusal::Changed) {
            return Ok(MessageChange::Changed);
        }
        Err(Error::unavailable("an answer was refused without a reason"))
    }

    async fn messages_of_account(&self, user_id: &str) -> Result<Vec<SupportMessage>> {
        let (from, to) = SUPPORT_MESSAGES_OF;
        let now = self.clock().now();
        let items = self.query_range(&support_partition(user_id), from, to).await?;
        let messages: Vec<SupportMessage> = items.iter().map(parse_data).collect::<Result<_>>()?;
        // TTL may delete an item days late.
        Ok(messages.into_iter().filter(|message| message.expires_at() > now).collect())
    }
}

impl Table {
    /// Returns the message in an item, or `None` if it has expired. TTL may delete an item days late.
    fn unexpired_message(&self, item: &Item) -> Result<Option<SupportMessage>> {
        let message: SupportMessage = parse_data(item)?;
        Ok(Some(message).filter(|message| message.expires_at() > self.clock().now()))
    }
}

fn key_of(item: &Item) -> Option<Item> {
    let part = |name: &str| Some((name.to_owned(), item.get(name)?.clone()));
    [part("pk"), part("sk")].into_iter().collect()
}
