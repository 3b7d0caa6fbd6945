//! Known answers of an account.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_core::known_answers::{self, KnownAnswers, Meaning, Party};

/// What somebody has filled in and is offered again.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnownAnswer {
    #[serde(rename = "_id")]
    pub id: String,
    pub meaning: Meaning,
    /// One line; an address may have five.
    pub value: String,
    /// Whom it was given for, the latest first.
    pub parties: Vec<Party>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AnswersResponse {
    /// Whether what is filled in is kept.
    pub on: bool,
    /// Those used last first; none where it is switched off.
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

/// What was filled in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub meaning: Meaning,
    /// Whom it is given for, where the field says.
    pub party: Option<Party>,
    pub value: String,
}

impl From<Answer> for known_answers::Answer {
    fn from(Answer { meaning, party, value }: Answer) -> Self {
        Self { meaning, party, value }
    }
}
