//! Saved answers in the table: one item for each account, in a partition of its own.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use waraq_core::Result;
use waraq_core::saved_answers::{SavedAnswerStore, SavedAnswers};

use crate::attributes::{parse_data, s};
use crate::fault::unavailable;
use crate::items::{saved_answers, saved_answers_key};
use crate::table::Table;

#[async_trait]
impl SavedAnswerStore for Table {
    async fn saved_answers(&self, user_id: &str) -> Result<Option<SavedAnswers>> {
        self.get(saved_answers_key(user_id)).await?.as_ref().map(parse_data).transpose()
    }

    async fn write_saved_answers(&self, user_id: &str, all: &SavedAnswers, before: Option<&str>) -> Result<bool> {
        let put = self.client().put_item().table_name(self.name()).set_item(Some(saved_answers(user_id, all)?));
        let put = match before {
            Some(before) => {
                put.condition_expression("revision = :before").expression_attribute_values(":before", s(before))
            }
            None => put.condition_expression("attribute_not_exists(pk)"),
        };
        match put.send().await {
            Ok(_) => Ok(true),
            Err(error) => match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(_)) => Ok(false),
                _ => Err(unavailable(error)),
            },
        }
    }

    async fn delete_saved_answers(&self, user_id: &str) -> Result<()> {
        let delete = self.client().delete_item().table_name(self.name());
        let delete = delete.set_key(Some(saved_answers_key(user_id)));
        delete.send().await.map(|_| ()).map_err(unavailable)
    }
}
