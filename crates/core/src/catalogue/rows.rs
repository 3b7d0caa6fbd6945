//! The catalogue in memory.
//!
//! The rows are built for a million templates. The values that searches compare are numbers in one array. The other values of a
//! template are only shown in lists. They are one text, which is parsed only for the templates on the page. Each word is stored
//! once, however many titles contain it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::synonyms::{self, DocumentKinds};
use super::vocabulary::{Vocabulary, WordSet};
use super::words;
use crate::Timestamp;
use crate::category::Categories;
use crate::fold::fold;
use crate::template::{Picture, Template, TemplateStatus};

/// A template as shown in lists. The snapshot files of the catalogue have this format (`crates/aws/src/snapshot.rs`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedTemplate {
    pub id: String,
    pub title: String,
    pub categories: Vec<String>,
    pub keywords: Vec<String>,
    pub language: String,
    pub country: Option<String>,
    pub fields: Vec<String>,
    pub status: TemplateStatus,
    pub version: u32,
    pub revision: u32,
    pub pages: u32,
    pub picture: Option<Picture>,
    pub small_picture: Option<Picture>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<Template> for ListedTemplate {
    fn from(template: Template) -> Self {
        Self {
            id: template.id,
            title: template.title,
            categories: template.categories,
            keywords: template.keywords,
            language: template.language,
            country: template.country,
            fields: template.fields,
            status: template.status,
            version: template.version,
            revision: template.revision,
            pages: template.pages,
            picture: template.picture,
            small_picture: template.small_picture,
            created_at: template.created_at,
            updated_at: template.updated_at,
        }
    }
}

/// The separator between the texts in [`CardData`]. Texts of templates cannot contain it.
const BETWEEN_TEXTS: char = '\u{1e}';
const BETWEEN_ENTRIES: char = '\u{1f}';

/// The values of one template that are shown in lists but not needed for searches.
#[derive(Debug)]
struct CardData {
    /// The id, title, keywords, fields and picture hashes, separated by [`BETWEEN_TEXTS`].
    text: Box<str>,
    /// The width and height in pixels of the picture, then of the small picture. `None` for a picture that the template does not
    /// have.
    sizes: [Option<(u32, u32)>; 2],
    version: u32,
    revision: u32,
    pages: u32,
    updated_at: Timestamp,
}

impl CardData {
    fn new(template: &ListedTemplate) -> Self {
        let pictures = [&template.picture, &template.small_picture];
        let hash = |picture: &Option<Picture>| picture.as_ref().map_or_else(String::new, |known| known.hash.clone());
        let list = |entries: &[String]| entries.join(BETWEEN_ENTRIES.encode_utf8(&mut [0; 4]));
        let texts = [
            template.id.clone(),
            template.title.clone(),
            list(&template.keywords),
            list(&template.fields),
            hash(&template.picture),
            hash(&template.small_picture),
        ];
        Self {
            text: texts.join(BETWEEN_TEXTS.encode_utf8(&mut [0; 4])).into_boxed_str(),
            sizes: pictures.map(|picture| picture.as_ref().map(|known| (known.width, known.height))),
            version: template.version,
            revision: template.revision,
            pages: template.pages,
            updated_at: template.updated_at,
        }
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.text.split(BETWEEN_TEXTS)
    }

    fn id(&self) -> &str {
        self.texts().next().unwrap_or_default()
    }

    /// Returns the title, followed by the keywords.
    fn title_and_keywords(&self) -> impl Iterator<Item = &str> {
        self.texts().skip(1).take(2).flat_map(|text| text.split(BETWEEN_ENTRIES))
    }
}

/// A template that is ready to be added to [`TemplateRows`]. The expensive steps are done: its texts are folded, and its synonyms
/// are found.
#[derive(Debug)]
pub struct PreparedRow {
    created_at: Timestamp,
    status: TemplateStatus,
    language: String,
    country: Option<String>,
    categories: Vec<String>,
    /// The folded title.
    title: String,
    /// The words of the keywords, folded and without articles.
    words: Vec<String>,
    meanings: DocumentKinds,
    card: Arc<CardData>,
}

impl From<Template> for PreparedRow {
    fn from(template: Template) -> Self {
        ListedTemplate::from(template).into()
    }
}

impl From<ListedTemplate> for PreparedRow {
    fn from(template: ListedTemplate) -> Self {
        // Each text is folded only once, because there may be a million templates.
        let title = fold(&template.title);
        let keywords: Vec<String> = template.keywords.iter().map(|keyword| fold(keyword)).collect();
        let titled = synonyms::kinds_of_text(&title, Some(&template.language));
        let words = keywords.iter().flat_map(|keyword| words::words_in(keyword));
        Self {
            created_at: template.created_at,
            status: template.status,
            words: words.map(|word| words::without_article(word).to_owned()).collect(),
            // The kinds of documents that the title and the keywords name.
            meanings: keywords.iter().fold(titled, |all, keyword| all.union(synonyms::kinds_of_text(keyword, None))),
            title,
            card: Arc::new(CardData::new(&template)),
            language: template.language,
            country: template.country,
            categories: template.categories,
        }
    }
}

/// The values of one template that are needed for searches.
#[derive(Debug, Clone)]
pub struct TemplateRow {
    created_at: Timestamp,
    uses: u64,
    pub meanings: DocumentKinds,
    card: Arc<CardData>,
    /// The index in `TemplateRows::words` at which the words of this template start. The words of the title come first, then those
    /// of the keywords.
    words_at: u32,
    /// The number of words of the title in `TemplateRows::words`.
    title_word_count: u16,
    /// The number of words of the keywords in `TemplateRows::words`.
    keyword_word_count: u16,
    /// The index of the template's list of categories in [`CategoryLists`].
    pub categories: u32,
    country: [u8; 2],
    /// The index of the template's language in `TemplateRows::languages`.
    pub language: u8,
    pub status: TemplateStatus,
}

impl TemplateRow {
    /// Returns whether the template is for this country or for no particular country.
    pub fn is_for(&self, country: [u8; 2]) -> bool {
        self.country == country || self.country == [0; 2]
    }

    /// Returns 0 for a template of this country, 1 for a template of no particular country and 2 for one of another country.
    pub fn distance_from(&self, country: [u8; 2]) -> u64 {
        match self.country {
            own if own == country => 0,
            [0, 0] => 1,
            _ => 2,
        }
    }

    pub fn uses(&self) -> u64 {
        self.uses
    }

    /// Returns the title and the keywords as they were written.
    pub fn title_and_keywords(&self) -> impl Iterator<Item = &str> {
        self.card.title_and_keywords()
    }

    fn compare(&self, created_at: Timestamp, id: &str) -> Ordering {
        self.created_at.cmp(&created_at).then_with(|| self.card.id().cmp(id))
    }
}

/// Returns a country code in the form that rows store: two letters as bytes. A text of another length becomes two zeros, which mean
/// no particular country.
pub fn country_code(code: &str) -> [u8; 2] {
    code.as_bytes().try_into().unwrap_or_default()
}

/// The lists of categories that templates have. Templates with equal lists share one list.
#[derive(Debug, Clone, Default)]
struct CategoryLists {
    names: Vec<CategoryName>,
    /// All different lists, each as indexes into `names`.
    lists: Vec<Box<[u32]>>,
    by_names: HashMap<Box<[u32]>, u32>,
}

#[derive(Debug, Clone)]
struct CategoryName {
    name: Box<str>,
    folded: Box<str>,
    /// The words of the category's names in every language, folded and without articles.
    words: Vec<String>,
}

impl CategoryLists {
    fn number(&mut self, categories: &[String], record: &Categories) -> u32 {
        let names: Box<[u32]> = categories.iter().map(|name| self.name(name, record)).collect();
        if let Some(number) = self.by_names.get(&names) {
            return *number;
        }
        let number = u32::try_from(self.lists.len()).unwrap_or(u32::MAX);
        self.lists.push(names.clone());
        self.by_names.insert(names, number);
        number
    }

    fn name(&mut self, name: &str, record: &Categories) -> u32 {
        let known = self.names.iter().position(|known| *known.name == *name);
        let number = known.unwrap_or_else(|| {
            self.names.push(CategoryName {
                name: name.into(),
                folded: fold(name).into(),
                words: category_search_words(name, record),
            });
            self.names.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    fn rebuild_words(&mut self, record: &Categories) {
        for known in &mut self.names {
            known.words = category_search_words(&known.name, record);
        }
    }

    fn names(&self, list: u32) -> impl Iterator<Item = &CategoryName> {
        let names = self.lists.get(list as usize).into_iter().flatten();
        names.filter_map(|number| self.names.get(*number as usize))
    }

    /// Returns, for each list of categories, whether any category in it meets the condition `is`.
    fn lists_where(&self, is: impl Fn(&CategoryName) -> bool) -> Vec<bool> {
        let such: Vec<bool> = self.names.iter().map(is).collect();
        let any = |list: &[u32]| list.iter().any(|number| such.get(*number as usize).copied().unwrap_or(false));
        self.lists.iter().map(|list| any(list)).collect()
    }
}

fn category_search_words(name: &str, record: &Categories) -> Vec<String> {
    let all = record.searchable_names(name).into_iter().flat_map(words::words);
    all.map(|word| words::without_article(&word).to_owned()).collect()
}

/// The catalogue in memory: all templates, and the changes that admins made to categories.
#[derive(Debug, Clone, Default)]
pub struct TemplateRows {
    /// The rows, oldest first. Rows with the same creation time are sorted by id.
    rows: Vec<TemplateRow>,
    /// The indexes of all entries of `rows`, sorted by template id.
    by_id: Vec<u32>,
    /// The words of all rows, one row after the other. Each word is stored as its number in `vocabulary`. Words of removed rows
    /// stay until the catalogue is loaded again.
    words: Vec<u32>,
    pub(super) vocabulary: Vocabulary,
    category_lists: CategoryLists,
    languages: Vec<String>,
    categories: Arc<Categories>,
}

/// Rows that are being loaded, in no particular order.
#[derive(Debug)]
pub struct UnsortedRows(TemplateRows);

impl UnsortedRows {
    pub fn new(categories: Categories) -> Self {
        Self(TemplateRows { categories: Arc::new(categories), ..TemplateRows::default() })
    }

    pub fn add_templates(&mut self, templates: impl IntoIterator<Item = PreparedRow>) {
        for template in templates {
            let row = self.0.store_row(template);
            self.0.rows.push(row);
        }
    }

    pub fn sorted(self) -> TemplateRows {
        let mut rows = self.0;
        rows.rows.sort_by(|one, other| one.compare(other.created_at, other.card.id()));
        // A row that was changed during loading may have been read twice. Only the latest revision is kept.
        rows.rows.dedup_by(|one, before| {
            let same = one.card.id() == before.card.id();
            if same && one.card.revision > before.card.revision {
                std::mem::swap(one, before);
            }
            same
        });
        rows.rows.shrink_to_fit();
        rows.words.shrink_to_fit();
        let mut by_id: Vec<u32> = (0..).take(rows.rows.len()).collect();
        by_id.sort_by(|one, other| rows.id_of_row(*one).cmp(rows.id_of_row(*other)));
        rows.by_id = by_id;
        rows
    }
}

impl TemplateRows {
    /// Returns the changes that admins made to categories.
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    pub fn set_categories(&mut self, categories: Categories) {
        self.category_lists.rebuild_words(&categories);
        self.categories = Arc::new(categories);
    }

    fn store_row(&mut self, new: PreparedRow) -> TemplateRow {
        let words_at = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        for word in words::tokens(&new.title).chain(new.words.iter().map(String::as_str)) {
            self.words.push(self.vocabulary.number_or_insert(word));
        }
        let language = self.language(&new.language).unwrap_or_else(|| {
            self.languages.push(new.language);
            self.languages.len() - 1
        });
        TemplateRow {
            created_at: new.created_at,
            uses: 0,
            meanings: new.meanings,
            card: new.card,
            words_at,
            title_word_count: u16::try_from(words::tokens(&new.title).count()).unwrap_or(u16::MAX),
            keyword_word_count: u16::try_from(new.words.len()).unwrap_or(u16::MAX),
            categories: self.category_lists.number(&new.categories, &self.categories),
            country: new.country.as_deref().map(country_code).unwrap_or_default(),
            language: u8::try_from(language).unwrap_or(u8::MAX),
            status: new.status,
        }
    }

    fn language(&self, code: &str) -> Option<usize> {
        self.languages.iter().position(|known| known == code)
    }

    /// Returns the value of `TemplateRow::language` for a language code. If no row has the language, returns a value that no
    /// row has.
    pub fn language_number(&self, code: &str) -> u8 {
        self.language(code).and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX)
    }

    /// Applies changes: adds or replaces the templates in `written`, and removes the templates whose ids are in `gone`.
    pub fn apply_changes(&mut self, written: impl IntoIterator<Item = Template>, gone: &[String]) {
        for id in gone {
            if let Some((at, place)) = self.position_of(id) {
                self.remove_row(at, place);
            }
        }
        for template in written {
            let (id, created_at) = (template.id.clone(), template.created_at);
            let mut row = self.store_row(template.into());
            if let Some((at, place)) = self.position_of(&id) {
                if let Some(old) = self.rows.get_mut(place) {
                    row.uses = old.uses;
                    if old.created_at == created_at {
                        *old = row;
                        continue;
                    }
                }
                self.remove_row(at, place);
            }
            let place = self.rows.partition_point(|known| known.compare(created_at, &id) == Ordering::Less);
            let at = self.by_id.partition_point(|known| self.id_of_row(*known) < id.as_str());
            self.shift_indexes(place, 1);
            self.rows.insert(place, row);
            self.by_id.insert(at, u32::try_from(place).unwrap_or(u32::MAX));
        }
    }

    fn remove_row(&mut self, at: usize, place: usize) {
        self.by_id.remove(at);
        self.rows.remove(place);
        self.shift_indexes(place, -1);
    }

    /// Adds `by`, which may be negative, to all indexes in `by_id` that are at least `from`.
    fn shift_indexes(&mut self, from: usize, by: i32) {
        for place in self.by_id.iter_mut().filter(|place| **place as usize >= from) {
            *place = place.saturating_add_signed(by);
        }
    }

    fn id_of_row(&self, place: u32) -> &str {
        self.rows.get(place as usize).map_or("", |row| row.card.id())
    }

    /// Returns the position of an id in `by_id`, and the position of its row in `rows`. Returns `None` if the id is unknown.
    fn position_of(&self, id: &str) -> Option<(usize, usize)> {
        let at = self.by_id.binary_search_by(|place| self.id_of_row(*place).cmp(id)).ok()?;
        Some((at, *self.by_id.get(at)? as usize))
    }

    /// Updates the numbers of uses. `uses` has pairs of template id and number. Unknown ids are ignored.
    pub fn update_uses<'a>(&mut self, uses: impl IntoIterator<Item = (&'a str, u64)>) {
        for (id, uses) in uses {
            let place = self.position_of(id).map(|(_, place)| place);
            if let Some(row) = place.and_then(|place| self.rows.get_mut(place)) {
                row.uses = uses;
            }
        }
    }

    pub fn uses(&self, id: &str) -> u64 {
        self.position_of(id).and_then(|(_, place)| self.rows.get(place)).map_or(0, |row| row.uses)
    }

    /// Returns the rows, newest first. Rows with the same creation time are sorted by id in descending order.
    pub fn newest_first(&self) -> impl DoubleEndedIterator<Item = &TemplateRow> {
        self.rows.iter().rev()
    }

    pub fn total(&self) -> usize {
        self.rows.len()
    }

    /// Returns the ids of all templates.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.card.id())
    }

    /// Returns all templates, newest first.
    pub fn templates(&self) -> impl Iterator<Item = ListedTemplate> {
        self.newest_first().map(|row| self.template(row))
    }

    /// Converts a row to a template as shown in lists.
    pub fn template(&self, row: &TemplateRow) -> ListedTemplate {
        let mut texts = row.card.texts();
        let mut text = || texts.next().unwrap_or_default();
        let list = |text: &str| -> Vec<String> {
            if text.is_empty() { Vec::new() } else { text.split(BETWEEN_ENTRIES).map(str::to_owned).collect() }
        };
        let picture = |hash: &str, size: Option<(u32, u32)>| {
            size.map(|(width, height)| Picture { hash: hash.to_owned(), width, height })
        };
        let (id, title, keywords, fields) = (text().to_owned(), text().to_owned(), list(text()), list(text()));
        ListedTemplate {
            id,
            title,
            categories: self.category_lists.names(row.categories).map(|known| known.name.to_string()).collect(),
            keywords,
            language: self.languages.get(usize::from(row.language)).cloned().unwrap_or_default(),
            country: (row.country != [0; 2]).then(|| String::from_utf8_lossy(&row.country).into_owned()),
            fields,
            status: row.status,
            version: row.card.version,
            revision: row.card.revision,
            pages: row.card.pages,
            picture: picture(text(), row.card.sizes[0]),
            small_picture: picture(text(), row.card.sizes[1]),
            created_at: row.created_at,
            updated_at: row.card.updated_at,
        }
    }

    /// Returns each list of categories that templates have, with the number of templates that have exactly this list. If `status`
    /// or the code of a language is given, only templates with this status and in this language are counted.
    pub fn category_counts(&self, status: Option<TemplateStatus>, language: Option<&str>) -> Vec<(Vec<String>, u32)> {
        let language = language.map(|code| self.language_number(code));
        let counted = |row: &&TemplateRow| {
            status.is_none_or(|status| status == row.status) && language.is_none_or(|language| language == row.language)
        };
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for row in self.rows.iter().filter(counted) {
            *counts.entry(row.categories).or_default() += 1;
        }
        let names = |list| self.category_lists.names(list).map(|known| known.name.to_string()).collect();
        counts.into_iter().map(|(list, count)| (names(list), count)).collect()
    }

    /// Returns, for each list of categories, whether it contains any of the categories in `typed`. The names in `typed` are as the
    /// user typed them.
    pub fn lists_with_any(&self, typed: &[String]) -> Vec<bool> {
        let record = &self.categories;
        let canonical: Vec<String> = typed.iter().map(|name| record.canonical(name)).collect();
        let folded: Vec<String> = canonical.iter().flat_map(|name| record.stored_names(name)).map(fold).collect();
        self.category_lists.lists_where(|known| folded.iter().any(|name| **name == *known.folded))
    }

    /// Returns, for each list of categories, whether any word in the names of its categories starts with `beginning`.
    pub fn lists_with_word_prefix(&self, beginning: &str) -> Vec<bool> {
        self.category_lists.lists_where(|known| known.words.iter().any(|word| word.starts_with(beginning)))
    }

    /// Returns the words by which a search finds the categories in `lists`. `lists` has the indexes of category lists, as in
    /// `TemplateRow::categories`.
    pub fn category_words<'a>(&'a self, lists: &HashSet<u32>) -> Vec<&'a str> {
        let names = lists.iter().flat_map(|list| self.category_lists.names(*list));
        names.flat_map(|known| known.words.iter().map(String::as_str)).collect()
    }

    /// Returns the words of a row's title. Each word is represented by its number in the vocabulary.
    pub fn title_words(&self, row: &TemplateRow) -> &[u32] {
        let from = row.words_at as usize;
        self.words.get(from..from + usize::from(row.title_word_count)).unwrap_or_default()
    }

    /// Returns the words of a row's keywords. Each word is represented by its number in the vocabulary.
    pub fn keyword_words(&self, row: &TemplateRow) -> &[u32] {
        let from = row.words_at as usize + usize::from(row.title_word_count);
        self.words.get(from..from + usize::from(row.keyword_word_count)).unwrap_or_default()
    }

    /// Returns whether the title or the keywords contain any of these words.
    pub fn contains_any(&self, row: &TemplateRow, words: &WordSet) -> bool {
        self.title_words(row).iter().chain(self.keyword_words(row)).any(|number| words.contains(*number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waraq_rules::Structure;

    use crate::catalogue::{Search, Sort, StatusFilter, TemplatePage};

    const WORDS: [&str; 6] = ["Bail", "Lettre", "contrat", "Œuvre", "عقد", "d’été"];
    const CATEGORIES: [&str; 4] = ["housing", "boats", "sports nautiques", "general"];

    fn template(number: u64, round: u64) -> Template {
        let word = |by: u64| WORDS[((number * by + round) % 6) as usize];
        Template {
            id: format!("{:04}", number * 7919 % 10_000),
            owner: None,
            title: format!("{} {} {}", word(1), word(5), number % 7),
            categories: vec![CATEGORIES[(number % 4) as usize].to_owned()],
            keywords: if number.is_multiple_of(3) { vec!["loyer".into(), "mobile phone".into()] } else { Vec::new() },
            language: ["en", "fr", "ar"][(number % 3) as usize].to_owned(),
            country: number.is_multiple_of(5).then(|| "TN".to_owned()),
            fields: (0..number % 4).map(|field| format!("Field {field}")).collect(),
            stored_structure: Structure::default(),
            status: if number.is_multiple_of(9) { TemplateStatus::Inactive } else { TemplateStatus::Active },
            version: 1,
            revision: u32::try_from(round).unwrap(),
            files: String::new(),
            pdf: String::new(),
            renamed: BTreeMap::new(),
            pages: 1,
            picture: number.is_multiple_of(2).then(|| Picture { hash: "a".repeat(64), width: 2, height: 3 }),
            small_picture: None,
            file_bytes: 0,
            pdf_bytes: 0,
            // Some templates have the same time.
            created_at: Timestamp(number / 2),
            updated_at: Timestamp(round),
        }
    }

    fn rows(templates: impl IntoIterator<Item = Template>) -> TemplateRows {
        let mut loaded = UnsortedRows::new(Categories::default());
        loaded.add_templates(templates.into_iter().map(PreparedRow::from));
        loaded.sorted()
    }

    #[test]
    fn duplicate_rows_keep_the_newest_revision() {
        let newer = Template { title: "Newer".into(), ..template(3, 2) };
        let kept = rows([template(3, 1), template(4, 1), newer.clone(), template(3, 0)]);
        assert_eq!(kept.total(), 2);
        assert!(kept.templates().any(|listed| listed == newer.clone().into()));
    }

    fn searches() -> Vec<Search> {
        let mut all = Vec::new();
        for sort in [Sort::Newest, Sort::Oldest, Sort::MostUsed, Sort::LeastUsed] {
            for (title, category, page) in [
                ("", "", 1),
                ("", "", 7),
                ("bail", "", 1),
                ("oeuvre 3", "", 1),
                ("logement", "", 1),
                ("phone loyers", "housing", 1),
                ("عقد", "boats,general", 2),
                ("ete", "", 3),
            ] {
                let mut search = Search::default().title(title).unwrap().categories(category).unwrap();
                search.sort = sort;
                search.status = if page == 7 { StatusFilter::All } else { StatusFilter::Active };
                all.push(search.clone().page(Some(page), Some(10)).unwrap());
                all.push(search.country("FR").unwrap().language("fr").unwrap());
            }
        }
        all
    }

    #[test]
    fn changes_give_the_same_order_as_a_new_list() {
        let mut expected: BTreeMap<String, Template> =
            (0..300).map(|number| template(number, 0)).map(|template| (template.id.clone(), template)).collect();
        let mut kept = rows(expected.values().cloned());
        let mut uses: BTreeMap<String, u64> = BTreeMap::new();
        for round in 1..20 {
            let earlier = kept.clone();
            let before: Vec<ListedTemplate> = earlier.templates().collect();
            // Some templates exist already, some are new, and in one round a template has a different creation time.
            let mut written: Vec<Template> = (0..round).map(|k| template(k * 17 * round, round)).collect();
            if round == 7 {
                written[3].created_at = Timestamp(1_000);
            }
            let gone: Vec<String> = expected.keys().skip(round as usize).take(2).cloned().collect();
            let gone: Vec<String> = gone.into_iter().filter(|id| written.iter().all(|one| one.id != *id)).collect();
            kept.apply_changes(written.clone(), &gone);
            gone.iter().for_each(|id| drop((expected.remove(id), uses.remove(id))));
            expected.extend(written.into_iter().map(|template| (template.id.clone(), template)));
            let counted: Vec<(String, u64)> = expected.keys().step_by(7).map(|id| (id.clone(), round * 3)).collect();
            kept.update_uses(counted.iter().map(|(id, uses)| (id.as_str(), *uses)));
            uses.extend(counted);
            assert_eq!(earlier.templates().collect::<Vec<_>>(), before, "a reader's version stays as it was");
        }
        let mut fresh = rows(expected.values().cloned());
        fresh.update_uses(uses.iter().map(|(id, uses)| (id.as_str(), *uses)));
        assert_eq!(kept.total(), expected.len());
        assert_eq!(kept.ids().count(), kept.total());
        let shown: BTreeMap<String, ListedTemplate> = kept.templates().map(|one| (one.id.clone(), one)).collect();
        assert_eq!(shown, expected.into_iter().map(|(id, template)| (id, template.into())).collect());
        for search in searches() {
            let found = search.results(&kept);
            assert_eq!(found, search.results(&fresh), "{search:?}");
            check_order(&search, &found);
        }
    }

    fn check_order(search: &Search, found: &TemplatePage) {
        let uses: Vec<u64> = found.page.iter().map(|(_, uses)| *uses).collect();
        match search.sort {
            Sort::MostUsed => assert!(uses.is_sorted_by(|one, other| one >= other)),
            Sort::LeastUsed => assert!(uses.is_sorted()),
            Sort::Oldest => assert!(found.page.is_sorted_by_key(|(template, _)| template.created_at)),
            Sort::Newest => {}
        }
    }

    #[test]
    fn search_finds_renamed_and_merged_categories() {
        let mut kept = rows((0..8).map(|number| template(number, 0)));
        let total = |rows: &TemplateRows, title: &str| Search::default().title(title).unwrap().results(rows).total;
        assert_eq!((total(&kept, "boats"), total(&kept, "voiliers"), total(&kept, "nautiques")), (2, 0, 2));
        let mut record = Categories::default();
        let all = record.list(&kept.category_counts(None, None));
        let names = BTreeMap::from([("fr".to_owned(), "Voiliers".to_owned()), ("ar".to_owned(), "القوارب".to_owned())]);
        record.rename("boats", &names, &all).unwrap();
        kept.set_categories(record.clone());
        assert_eq!((total(&kept, "voilier"), total(&kept, "قوارب"), total(&kept, "boats")), (2, 2, 2));
        let find = |name: &str| all.iter().find(|one| one.name == name).unwrap();
        record.merge(find("sports nautiques"), find("boats")).unwrap();
        kept.set_categories(record);
        assert_eq!((total(&kept, "voiliers"), total(&kept, "nautiques")), (4, 2));
        // Templates published later are found too.
        kept.apply_changes([Template { id: "new".into(), ..template(1, 0) }], &[]);
        assert_eq!(total(&kept, "voiliers"), 5);
    }
}
