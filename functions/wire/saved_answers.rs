//! Saved answers of an account.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_core::saved_answers::{self, Meaning, Party, SavedAnswers};

/// A value that the user has entered before and is offered again.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = KnownAnswer)]
pub struct SavedAnswer {
    #[serde(rename = "_id")]
    pub id: String,
    pub meaning: Meaning,
    /// The value: one line of text, or up to five lines for an address.
    pub value: String,
    /// The parties, such as tenant or buyer, for which the value was entered, latest first.
    pub parties: Vec<Party>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AnswersResponse {
    /// True if the user has switched on saved answers.
    pub on: bool,
    /// Saved answers, last used first; empty if the feature is switched off.
    pub answers: Vec<SavedAnswer>,
}

impl From<Option<SavedAnswers>> for AnswersResponse {
    fn from(known: Option<SavedAnswers>) -> Self {
        let on = known.is_some();
        let of = |answer: saved_answers::SavedAnswer| SavedAnswer {
            id: answer.id(),
            meaning: answer.meaning,
            value: answer.value,
            parties: answer.parties,
        };
        Self { on, answers: known.unwrap_or_default().answers.into_iter().map(of).collect() }
    }
}

/// An answer to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Answer)]
pub struct AnswerInput {
    pub meaning: Meaning,
    /// The party, such as tenant or buyer, for which the value was entered. Null if the field has none.
    pub party: Option<Party>,
    pub value: String,
}

impl From<AnswerInput> for saved_answers::AnswerInput {
    fn from(AnswerInput { meaning, party, value }: AnswerInput) -> Self {
        Self { meaning, party, value }
    }
}
