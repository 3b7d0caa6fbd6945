//! Saved answers of an account.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_core::known_answers::{self, KnownAnswers, Meaning, Party};

/// A value that the user has entered before and is offered again.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnownAnswer {
    #[serde(rename = "_id")]
    pub id: String,
    pub meaning: Meaning,
    /// One line of text; up to five lines for an address.
    pub value: String,
    /// The parties it was entered for, latest first.
    pub parties: Vec<Party>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AnswersResponse {
    /// True if the feature is switched on.
    pub on: bool,
    /// Saved answers, last used first; empty if the feature is switched off.
    pub answers: Vec<KnownAnswer>,
}

impl From<Option<KnownAnswers>> for AnswersResponse {
    fn from(known: Option<KnownAnswers>) -> Self {
        let on = known.is_some();
        let of = |answer: known_answers::KnownAnswer| KnownAnswer {
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
pub struct Answer {
    pub meaning: Meaning,
    /// The party it was entered for, if the field has one.
    pub party: Option<Party>,
    pub value: String,
}

impl From<Answer> for known_answers::Answer {
    fn from(Answer { meaning, party, value }: Answer) -> Self {
        Self { meaning, party, value }
    }
}
