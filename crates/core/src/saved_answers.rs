//! Saved answers: names, addresses and similar values that a user has filled in. Forms offer them again in fields with the same
//! meaning.
//!
//! Answers are saved only in accounts where the user has switched this on. (Guests' answers stay in their browser.) All answers
//! of an account are one record. The record exists only while the feature is on; switching it off deletes the record.
//!
//! A change is written only if the record has not changed since it was read. So two tabs do not overwrite each other's answers,
//! and deleted answers do not come back.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waraq_rules::check_count;
pub use waraq_rules::field_settings::{Meaning, Party};

use crate::clock::new_id;
use crate::files::content_hash;
use crate::fold::fold;
use crate::one_line::one_line;
use crate::{Clock, Error, RandomSource, Result};

/// Maximum number of characters in an answer.
pub const LONGEST_ANSWER: usize = 200;
/// Maximum number of lines in an address. All other answers have one line.
pub const MOST_LINES: usize = 5;
/// Maximum number of answers with the same meaning, such as name or address. When this number is exceeded, the least recently used
/// answer is deleted.
pub const MOST_PER_MEANING: usize = 12;
pub const MOST_ANSWERS: usize = 100;

/// Maximum number of attempts to write a record that other requests change at the same time.
const TRIES: u32 = 32;

/// A value that a user has filled in and that may be saved as an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerInput {
    pub meaning: Meaning,
    pub party: Option<Party>,
    pub value: String,
}

/// A value that a user has filled in and that forms offer again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAnswer {
    pub meaning: Meaning,
    pub value: String,
    /// The parties (such as tenant or buyer) for which the user has given this answer. Without duplicates, latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parties: Vec<Party>,
}

impl SavedAnswer {
    /// Returns the id with which the answer can be deleted. Two answers have the same id if they have the same meaning and their
    /// values fold to the same text.
    pub fn id(&self) -> String {
        let same = serde_json::json!([self.meaning, fold(&self.value)]).to_string();
        content_hash(same.as_bytes()).chars().take(26).collect()
    }
}

/// All saved answers of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAnswers {
    /// The revision of the record: a new unique id with each change.
    pub revision: String,
    /// The answers, most recently used first.
    pub answers: Vec<SavedAnswer>,
}

impl SavedAnswers {
    /// Adds values that a user has filled in. Values that cannot be saved are left out: those without a visible character, too
    /// long ones, and those with too many lines.
    pub fn add_answers(&mut self, filled_in: Vec<AnswerInput>) {
        // The values are added in reverse, so that they are in the given order afterwards.
        for AnswerInput { meaning, party, value } in filled_in.into_iter().rev() {
            let Some(value) = normalized_value(meaning, &value) else { continue };
            let mut answer = SavedAnswer { meaning, value, parties: party.into_iter().collect() };
            let same = fold(&answer.value);
            let is = |known: &SavedAnswer| known.meaning == meaning && fold(&known.value) == same;
            if let Some(at) = self.answers.iter().position(is) {
                let before = self.answers.remove(at).parties;
                answer.parties.extend(before.into_iter().filter(|other| Some(*other) != party));
            }
            self.answers.insert(0, answer);
            let mut of_meaning = 0;
            self.answers.retain(|known| {
                of_meaning += usize::from(known.meaning == meaning);
                known.meaning != meaning || of_meaning <= MOST_PER_MEANING
            });
            self.answers.truncate(MOST_ANSWERS);
        }
    }
}

/// Returns the value in the form in which it is saved, or `None` if it cannot be saved.
fn normalized_value(meaning: Meaning, value: &str) -> Option<String> {
    if meaning != Meaning::StreetAddress {
        return trimmed_line(value);
    }
    // A text of this length is longer than any value that can be saved. Splitting it into lines would only take time.
    if value.len() > LONGEST_ANSWER * 16 {
        return None;
    }
    let lines = value.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<String> = lines.map(trimmed_line).collect::<Option<_>>()?;
    let kept = lines.join("\n");
    let fits = !lines.is_empty() && lines.len() <= MOST_LINES && kept.chars().count() <= LONGEST_ANSWER;
    fits.then_some(kept)
}

fn trimmed_line(value: &str) -> Option<String> {
    // A value of two lines is not joined into one line, because forms offer only values as the user typed them.
    let typed = value.trim();
    if typed.contains(['\n', '\r']) { None } else { one_line(typed, LONGEST_ANSWER).ok() }
}

/// The store of saved answers.
#[async_trait]
pub trait SavedAnswerStore: Send + Sync {
    /// Returns the saved answers of an account, or `None` if the feature is off. The read is consistent.
    async fn saved_answers(&self, user_id: &str) -> Result<Option<SavedAnswers>>;

    /// Writes the saved answers if the stored record still has the revision `before`, or if no record exists and `before` is
    /// `None`. Returns whether they were written.
    async fn write_saved_answers(&self, user_id: &str, all: &SavedAnswers, before: Option<&str>) -> Result<bool>;

    /// Deletes the record of saved answers. Succeeds if it does not exist.
    async fn delete_saved_answers(&self, user_id: &str) -> Result<()>;
}

/// The service for saved answers. Its fields are its dependencies, such as the store and the clock.
pub struct SavedAnswerService<'a> {
    pub store: &'a dyn SavedAnswerStore,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
}

impl SavedAnswerService<'_> {
    /// Returns the saved answers, or `None` if the feature is off.
    pub async fn answers(&self, user_id: &str) -> Result<Option<SavedAnswers>> {
        self.store.saved_answers(user_id).await
    }

    /// Switches the feature on and returns the saved answers. The list is empty unless the feature was already on.
    pub async fn switch_on(&self, user_id: &str) -> Result<SavedAnswers> {
        for _ in 0..TRIES {
            if let Some(known) = self.store.saved_answers(user_id).await? {
                return Ok(known);
            }
            let none = SavedAnswers { revision: self.revision(), answers: Vec::new() };
            if self.store.write_saved_answers(user_id, &none, None).await? {
                return Ok(none);
            }
        }
        Err(write_conflict())
    }

    /// Switches the feature off and deletes the saved answers.
    pub async fn switch_off(&self, user_id: &str) -> Result<()> {
        self.store.delete_saved_answers(user_id).await
    }

    /// Saves values that were filled in and returns all saved answers. Returns `None` if the feature is off.
    ///
    /// # Errors
    /// `too_many_fields` for more values than a template can have fields.
    pub async fn add_answers(&self, user_id: &str, filled_in: Vec<AnswerInput>) -> Result<Option<SavedAnswers>> {
        check_count(filled_in.len())?;
        self.change(user_id, |known| known.add_answers(filled_in.clone())).await
    }

    /// Deletes one answer. Succeeds if it does not exist.
    pub async fn delete_answer(&self, user_id: &str, id: &str) -> Result<()> {
        self.change(user_id, |known| known.answers.retain(|answer| answer.id() != id)).await.map(|_| ())
    }

    /// Deletes all answers. The feature stays on.
    pub async fn delete_all_answers(&self, user_id: &str) -> Result<()> {
        self.change(user_id, |known| known.answers.clear()).await.map(|_| ())
    }

    async fn change(
        &self,
        user_id: &str,
        make: impl Fn(&mut SavedAnswers) + Send + Sync,
    ) -> Result<Option<SavedAnswers>> {
        for attempt in 0..TRIES {
            let Some(before) = self.store.saved_answers(user_id).await? else { return Ok(None) };
            let mut after = before.clone();
            make(&mut after);
            if after == before {
                return Ok(Some(before));
            }
            after.revision = self.revision();
            if self.store.write_saved_answers(user_id, &after, Some(&before.revision)).await? {
                return Ok(Some(after));
            }
            // Another request of the same account was written first.
            self.clock.wait(5 * u64::from(attempt)).await;
        }
        Err(write_conflict())
    }

    fn revision(&self) -> String {
        new_id(self.clock, self.random)
    }
}

fn write_conflict() -> Error {
    Error::unavailable("known answers kept changing")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(meaning: Meaning, party: Option<Party>, value: &str) -> AnswerInput {
        AnswerInput { meaning, party, value: value.to_owned() }
    }

    fn values(known: &SavedAnswers) -> Vec<&str> {
        known.answers.iter().map(|answer| answer.value.as_str()).collect()
    }

    #[test]
    fn equal_answers_are_merged_and_the_last_used_is_first() {
        let mut known = SavedAnswers::default();
        let name = |party, value| answer(Meaning::Name, party, value);
        known.add_answers(vec![name(Some(Party::Landlord), " Amélie  Ben Salah "), name(None, "سَلمى")]);
        assert_eq!(values(&known), ["Amélie Ben Salah", "سَلمى"]);
        known.add_answers(vec![name(None, "سلمى")]);
        assert_eq!(values(&known), ["سلمى", "Amélie Ben Salah"]);
        known.add_answers(vec![name(Some(Party::Tenant), "amelie ben salah")]);
        assert_eq!(values(&known), ["amelie ben salah", "سلمى"]);
        assert_eq!(known.answers[0].parties, [Party::Tenant, Party::Landlord]);
        known.add_answers(vec![answer(Meaning::FamilyName, None, "سلمى")]);
        assert_eq!(known.answers.len(), 3, "an equal value with another meaning is a separate answer");
        assert_ne!(known.answers[0].id(), known.answers[2].id());
        let respelled = SavedAnswer { value: "AMÉLIE BEN SALAH".into(), ..known.answers[1].clone() };
        assert_eq!(respelled.id(), known.answers[1].id());
    }

    #[test]
    fn invalid_answers_are_skipped() {
        let mut known = SavedAnswers::default();
        let long = "ح".repeat(LONGEST_ANSWER + 1);
        for value in ["", " \n ", "\u{200b}", "one\ntwo", "a\u{202e}b", &long] {
            known.add_answers(vec![answer(Meaning::Name, None, value)]);
        }
        let lines = "1\n2\n3\n4\n5\n6";
        for value in ["", "\n", lines, &long, &"\n".repeat(100_000)] {
            known.add_answers(vec![answer(Meaning::StreetAddress, None, value)]);
        }
        assert_eq!(known, SavedAnswers::default());
        known.add_answers(vec![answer(Meaning::StreetAddress, None, "\n 5, rue  du Lac \r\n\n 1053 Tunis\n")]);
        known.add_answers(vec![answer(Meaning::Name, None, &long[2..])]);
        assert_eq!(values(&known), [&long[2..], "5, rue du Lac\n1053 Tunis"]);
    }

    #[test]
    fn oldest_answers_are_dropped_at_the_limit() {
        let mut known = SavedAnswers::default();
        let of = |meaning: Meaning, number: usize| answer(meaning, None, &format!("{meaning:?} {number}"));
        known.add_answers(vec![of(Meaning::Tel, 0)]);
        for number in 0..20 {
            known.add_answers(vec![of(Meaning::Name, number)]);
        }
        assert_eq!(known.answers.len(), MOST_PER_MEANING + 1);
        assert_eq!((values(&known)[0], values(&known)[MOST_PER_MEANING]), ("Name 19", "Tel 0"));
        use Meaning::*;
        for meaning in [Name, GivenName, FamilyName, Organization, StreetAddress, PostalCode, Town, Country, Email] {
            known.add_answers((0..20).map(|number| of(meaning, number)).collect());
        }
        assert_eq!(known.answers.len(), MOST_ANSWERS);
        assert_eq!(values(&known)[0], "Email 0");
        assert!(!values(&known).contains(&"Tel 0"));
        let bytes = serde_json::to_vec(&known).unwrap().len();
        assert!(bytes < 400_000, "{bytes}");
    }
}
