//! Word lists in English, French and Arabic, and the splitting of texts into words.

use waraq_rules::derivation::Language;
use waraq_rules::name;

use crate::fields::text_parts::ScannedPart;

/// The number of characters of a document that decide its language.
const SAMPLE_CHARACTERS: usize = 40_000;
/// The maximum number of choices in a bracketed text, and of words and characters in a choice.
const MAX_ALTERNATIVES: usize = 6;
const MAX_ALTERNATIVE_WORDS: usize = 4;
const MAX_ALTERNATIVE_CHARACTERS: usize = 30;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// The word as written, without punctuation around it.
    pub text: String,
    /// The word folded with [`name::fold`].
    pub folded: String,
    /// The byte offset of the word in the text.
    pub at: usize,
    /// A sign such as a comma or a bracket is directly after the word.
    pub ends_clause: bool,
}

/// Splits a text at white space and apostrophes.
pub(super) fn split_words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for piece in text.split(|c: char| c.is_whitespace() || matches!(c, '’' | '\'' | '\u{fffc}')) {
        let folded = name::fold(piece);
        // The brackets of `né(e)` belong to the word.
        let is_inflected = piece.ends_with(')') && piece.find('(').is_some_and(|at| at > 0);
        let ends_clause =
            !is_inflected && piece.ends_with([',', ';', '.', ':', ')', '»', '”', '"', '،', '؛', '!', '?', '؟']);
        if folded.is_empty() {
            if let Some(last) = words.last_mut() {
                let last: &mut Word = last;
                last.ends_clause |= ends_clause || piece.contains(['–', '—', '-', '(']);
            }
            continue;
        }
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '°' | '%'));
        let at = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        words.push(Word { text: word.to_owned(), folded, at, ends_clause });
    }
    words
}

/// Returns `true` for a letter of the Arabic script.
pub(super) fn is_arabic_letter(character: char) -> bool {
    matches!(character, '\u{620}'..='\u{64a}' | '\u{671}'..='\u{6d3}')
}

const ENGLISH_WORDS: [&str; 14] =
    ["the", "of", "and", "to", "is", "by", "with", "this", "name", "for", "shall", "between", "on", "agreement"];
const FRENCH_WORDS: [&str; 17] = [
    "le", "la", "les", "de", "du", "des", "et", "est", "pour", "par", "nom", "une", "au", "entre", "fait", "ne", "dans",
];

/// Returns the language of a text. Returns `None` if the text does not show it.
pub(super) fn language_of(text: &str) -> Option<Language> {
    let arabic = text.chars().filter(|&c| is_arabic_letter(c)).count();
    let latin = text.chars().filter(|c| c.is_ascii_alphabetic()).count();
    if arabic > latin {
        return Some(Language::Arabic);
    }
    let (mut english, mut french) = (0_usize, 0_usize);
    for word in split_words(text) {
        english += usize::from(ENGLISH_WORDS.contains(&word.folded.as_str()));
        french += usize::from(FRENCH_WORDS.contains(&word.folded.as_str()));
    }
    french += text.chars().filter(|c| matches!(c, 'é' | 'è' | 'ê' | 'à' | 'ç' | 'ù' | '°' | 'É')).count();
    match english.cmp(&french) {
        std::cmp::Ordering::Greater => Some(Language::English),
        std::cmp::Ordering::Less => Some(Language::French),
        std::cmp::Ordering::Equal => None,
    }
}

/// Returns the language of most of the text of a document, or English if the text does not show it.
pub(super) fn language_of_document(parts: &[ScannedPart<'_>]) -> Language {
    let paragraphs = parts.iter().flat_map(|part| &part.scan.paragraphs);
    let mut sample = String::new();
    let mut left = SAMPLE_CHARACTERS;
    for paragraph in paragraphs {
        sample.extend(paragraph.cells.iter().take(left).map(|cell| cell.character));
        sample.push(' ');
        left = left.saturating_sub(paragraph.cells.len() + 1);
        if left == 0 {
            break;
        }
    }
    language_of(&sample).unwrap_or(Language::English)
}

/// Folded words at the start of a blank's own words that ask for input and are no part of a name.
const INSTRUCTIONS: &[&str] = &[
    "insert",
    "enter",
    "type",
    "specify",
    "state",
    "add",
    "please",
    "click",
    "tap",
    "here",
    "or",
    "to",
    "choose",
    "select",
    "fill",
    "in",
    "complete",
    "write",
    "indicate",
    "provide",
    "describe",
    "your",
    "the",
    "a",
    "an",
    "inserer",
    "indiquer",
    "preciser",
    "saisir",
    "completer",
    "mentionner",
    "renseigner",
    "inscrire",
    "ecrire",
    "entrez",
    "entrer",
    "choisir",
    "choisissez",
    "selectionner",
    "cliquez",
    "cliquer",
    "ici",
    "pour",
    "taper",
    "tapez",
    "veuillez",
    "votre",
    "le",
    "la",
    "les",
    "l",
    "un",
    "une",
    "du",
    "texte",
    "ادخل",
    "ادخال",
    "اكتب",
    "يكتب",
    "يذكر",
    "يرجي",
    "حدد",
    "تحديد",
    "اضف",
    "اختر",
    "انقر",
    "هنا",
    "او",
    "اضغط",
    "لادخال",
    "ادراج",
];
/// Folded words that show no name when they are the only words of a blank.
const EMPTY_OWN_WORDS: &[&str] = &[
    "text",
    "here",
    "blank",
    "tbd",
    "tbc",
    "tba",
    "item",
    "placeholder",
    "texte",
    "vide",
    "acompleter",
    "a",
    "completer",
    "ici",
    "نص",
    "هنا",
    "فراغ",
    "عنصر",
    "value",
    "date",
    "field",
    "name",
    "insert",
    "details",
    "xxx",
    "xx",
];
/// Folded words with which a long text in brackets asks for input.
const INSTRUCTION_STARTS: &[&str] = &[
    "insert",
    "enter",
    "specify",
    "describe",
    "state",
    "inserer",
    "indiquer",
    "preciser",
    "completer",
    "decrire",
    "ادخل",
    "اكتب",
    "حدد",
    "يذكر",
];

/// Returns `true` if the text starts with a word that asks for input, such as `insert`.
pub(super) fn starts_with_instruction(text: &str) -> bool {
    split_words(text).first().is_some_and(|word| INSTRUCTION_STARTS.contains(&word.folded.as_str()))
}

/// Returns the words of a blank that name its value, without words such as `insert` and `your`. Returns `None` if no such
/// word is left: `[insert here]`, `[à compléter]`.
pub(super) fn own_words(text: &str) -> Option<String> {
    let readable = if text.contains(char::is_whitespace) { text.to_owned() } else { split_identifier(text) };
    let words = split_words(&readable);
    let asks = words.first().is_some_and(|word| INSTRUCTIONS.contains(&word.folded.as_str()));
    let skipped = words.iter().take_while(|word| INSTRUCTIONS.contains(&word.folded.as_str())).count();
    let kept = words.get(skipped..).unwrap_or_default();
    if kept.is_empty()
        || asks && kept.iter().all(|word| EMPTY_OWN_WORDS.contains(&word.folded.as_str())) && kept.len() > 1
    {
        return None;
    }
    if let [only] = kept
        && EMPTY_OWN_WORDS.contains(&only.folded.as_str())
        && !["date", "name"].contains(&only.folded.as_str())
    {
        return None;
    }
    let start = if skipped == 0 { 0 } else { kept.first().map_or(0, |word| word.at) };
    let text = readable.get(start..).unwrap_or_default();
    // Examples and remarks after the name are left out.
    const REMARKS: [&str; 8] = [",", ";", " (", " e.g", " such as ", " par exemple", " مثل ", "،"];
    let remark = REMARKS.iter().filter_map(|remark| text.find(remark)).filter(|at| *at > 0).min();
    let name = remark.filter(|_| kept.len() > 5).and_then(|at| text.get(..at)).unwrap_or(text);
    Some(name.to_owned())
}

/// Returns the words of an identifier with spaces: `NomClient` and `nom_client` have two words.
fn split_identifier(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 8);
    let mut lower_before = false;
    for character in text.chars() {
        if character == '_' {
            words.push(' ');
        } else {
            if lower_before && character.is_uppercase() {
                words.push(' ');
                words.extend(character.to_lowercase());
            } else {
                words.push(character);
            }
            lower_before = character.is_lowercase();
        }
    }
    name::normalize(&words)
}

/// Words that are choices although they start with a capital letter, folded.
const CAPITAL_CHOICES: &[&str] = &[
    "mr",
    "mrs",
    "ms",
    "miss",
    "dr",
    "m",
    "mme",
    "mlle",
    "monsieur",
    "madame",
    "yes",
    "no",
    "oui",
    "non",
    "male",
    "female",
    "homme",
    "femme",
    "cdi",
    "cdd",
    "نعم",
    "لا",
    "ذكر",
    "انثي",
    "السيد",
    "السيده",
];

/// Returns the choices that a text in brackets lists: `is / is not`, `Mr/Mrs`, `mensuel ou annuel`. Returns `None` for other
/// texts.
pub(super) fn alternatives(inner: &str) -> Option<Vec<String>> {
    let (pieces, is_word): (Vec<&str>, bool) = if inner.contains(['/', '|']) {
        (inner.split(['/', '|']).collect(), false)
    } else {
        let separator = [" or ", " ou ", " أو "].into_iter().find(|separator| inner.contains(separator))?;
        (inner.split(separator).flat_map(|piece| piece.split([',', '،'])).collect(), true)
    };
    let choices: Vec<String> = pieces.iter().map(|piece| piece.trim().to_owned()).collect();
    let is_choice = |choice: &String| {
        let is_short = choice.split_whitespace().count() <= MAX_ALTERNATIVE_WORDS
            && choice.chars().count() <= MAX_ALTERNATIVE_CHARACTERS
            && choice.chars().any(char::is_alphabetic);
        let first = choice.chars().next();
        let is_plain = is_word
            || first.is_some_and(|first| first.is_lowercase() || is_arabic_letter(first) || first.is_numeric())
            || CAPITAL_CHOICES.contains(&name::fold(choice).as_str());
        is_short && is_plain
    };
    let is_list = (2..=MAX_ALTERNATIVES).contains(&choices.len()) && choices.iter().all(is_choice);
    let mut sorted = choices.clone();
    sorted.sort();
    sorted.dedup();
    (is_list && sorted.len() == choices.len() && !starts_with_instruction(inner)).then_some(choices)
}

/// Folded words that end a noun phrase before a blank: verbs, prepositions, conjunctions and determiners. They are left out
/// at the end of the text before a blank, and a noun phrase starts after them.
const STOP_WORDS: &[&str] = &[
    // English.
    "the",
    "a",
    "an",
    "is",
    "are",
    "was",
    "be",
    "been",
    "at",
    "to",
    "in",
    "on",
    "by",
    "for",
    "from",
    "with",
    "and",
    "or",
    "that",
    "this",
    "these",
    "shall",
    "will",
    "has",
    "have",
    "as",
    "between",
    "its",
    "his",
    "her",
    "their",
    "our",
    "my",
    "your",
    "i",
    "we",
    "it",
    "who",
    "whose",
    "which",
    "within",
    "under",
    "per",
    "than",
    "not",
    "being",
    "namely",
    "hereby",
    "fixed",
    "set",
    "equal",
    "agreed",
    "amounts",
    "amounting",
    "up",
    "least",
    "about",
    "approximately",
    "into",
    "during",
    "until",
    "any",
    "each",
    "such",
    "no",
    "if",
    "may",
    "must",
    "called",
    "named",
    "known",
    "pay",
    "paid",
    "pays",
    "located",
    "situated",
    "made",
    "entered",
    "dated",
    "if",
    "over",
    "exceed",
    "exceeding",
    "undersigned",
    "certify",
    "declare",
    // French.
    "le",
    "la",
    "les",
    "l",
    "un",
    "une",
    "est",
    "sont",
    "sera",
    "a",
    "au",
    "aux",
    "en",
    "dans",
    "sur",
    "par",
    "pour",
    "avec",
    "et",
    "ou",
    "que",
    "qui",
    "ce",
    "cette",
    "ces",
    "son",
    "sa",
    "ses",
    "leur",
    "leurs",
    "notre",
    "nos",
    "mon",
    "ma",
    "je",
    "nous",
    "il",
    "elle",
    "entre",
    "dont",
    "soit",
    "fixe",
    "fixee",
    "egal",
    "egale",
    "eleve",
    "s",
    "se",
    "n",
    "ne",
    "pas",
    "jusqu",
    "environ",
    "chaque",
    "tout",
    "toute",
    "sous",
    "ci",
    "apres",
    "nomme",
    "denomme",
    "situe",
    "situee",
    "sis",
    "sise",
    "verse",
    "versee",
    "payer",
    "paye",
    "convenu",
    "convenue",
    "moyennant",
    "soussigne",
    "soussignee",
    "declare",
    "certifie",
    "atteste",
    "etabli",
    "conclu",
    "d",
    "qu",
    "doit",
    "devra",
    // Arabic.
    "في",
    "من",
    "الي",
    "علي",
    "عن",
    "مع",
    "بين",
    "هو",
    "هي",
    "ان",
    "و",
    "او",
    "قدره",
    "قدرها",
    "وقدره",
    "وقدرها",
    "التي",
    "الذي",
    "هذا",
    "هذه",
    "كل",
    "تم",
    "يتم",
    "يلتزم",
    "تلتزم",
    "بموجب",
    "لدي",
    "حتي",
    "خلال",
    "كما",
    "وذلك",
    "ذلك",
    "انا",
    "نحن",
    "لا",
    "يكون",
    "تكون",
    "يبلغ",
    "تبلغ",
    "يقع",
    "تقع",
    "الموقع",
    "ادناه",
];

/// Folded verbs and adjectives that are between a noun and its value: `is payable within`, `bears interest at`.
const VERBS: &[&str] = &[
    // English.
    "payable",
    "due",
    "giving",
    "given",
    "bear",
    "bears",
    "begin",
    "begins",
    "beginning",
    "end",
    "ends",
    "ending",
    "start",
    "starts",
    "provide",
    "provides",
    "registered",
    "sent",
    "receive",
    "received",
    "repay",
    "repaid",
    "subject",
    "more",
    "less",
    "continuing",
    "made",
    "consists",
    "comprising",
    "containing",
    "valid",
    "except",
    "employed",
    "exceeds",
    // French.
    "payables",
    "exigible",
    "exigibles",
    "comprenant",
    "comportant",
    "elevent",
    "commence",
    "acheve",
    "versera",
    "verser",
    "percoit",
    "depuis",
    "donne",
    "donnee",
    "fixes",
    "valable",
    "recu",
    "plus",
    "moins",
    "releve",
    "employe",
    "aupres",
    // Arabic.
    "يتقاضي",
    "تتقاضي",
    "يدفع",
    "تدفع",
    "دفع",
    "ودفع",
    "يعمل",
    "باع",
    "يستحق",
    "يسدد",
    "تسدد",
    "يتعهد",
    "واتعهد",
    "اتعهد",
    "بسداده",
    "اكثر",
    "اقل",
    "تبدا",
    "ينتهي",
    "تنتهي",
    "وتنتهي",
    "ابرم",
    "بواقع",
    "البالغ",
    "البالغه",
    "الكاين",
    "الكاينه",
    "يتولي",
    "اقر",
    "بانني",
];

/// Returns `true` for a folded word that never belongs to a noun phrase.
pub(super) fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.contains(&folded) || VERBS.contains(&folded)
}

/// Returns `true` for a folded word inside a noun phrase that points at its noun: `duration of this lease`, `مدة هذا العقد`.
pub(super) fn is_demonstrative(folded: &str) -> bool {
    ["this", "ce", "cet", "cette", "هذا", "هذه", "كل"].contains(&folded)
}

/// Returns `true` if one of the words is a quantity. A counted unit after the blank then adds nothing to the name.
pub(super) fn has_quantity(phrase: &str) -> bool {
    const QUANTITIES: &[&str] = &[
        "period",
        "term",
        "duration",
        "notice",
        "delay",
        "deadline",
        "length",
        "number",
        "age",
        "maximum",
        "minimum",
        "delai",
        "duree",
        "preavis",
        "periode",
        "nombre",
        "garantie",
        "مده",
        "المده",
        "فتره",
        "الفتره",
        "مهله",
        "المهله",
        "عدد",
        "ساعات",
        "سن",
    ];
    split_words(phrase).iter().any(|word| QUANTITIES.contains(&word.folded.as_str()))
}

/// Returns `true` for a folded word before the noun that people hold: `holder of passport`, `titulaire de la carte`.
pub(super) fn is_holder(folded: &str) -> bool {
    ["holder", "bearer", "titulaire", "porteur", "porteuse", "حامل", "حامله", "الحامل", "الحامله"].contains(&folded)
}

/// Returns an Arabic noun phrase without what joins it to the sentence: the conjunction `و`, a preposition that is written
/// with the noun, and the accusative.
pub(super) fn without_arabic_joins(phrase: &str) -> String {
    const KEPT_WAW: &[&str] = &[
        "وظيفه",
        "وكيل",
        "وكاله",
        "وثيقه",
        "وثايق",
        "وقت",
        "وزن",
        "وصف",
        "ولايه",
        "ولاده",
        "والد",
        "والده",
        "والدين",
        "وحده",
        "وحدات",
        "وديعه",
        "ورقه",
        "وسيله",
        "وسيط",
        "وطن",
        "وفاه",
        "وجهه",
        "ورشه",
        "وزاره",
        "وريث",
        "ورثه",
        "واجب",
    ];
    const VALUES: &[&str] =
        &["مبلغ", "ثمن", "نسبه", "قيمه", "سعر", "راتب", "اجر", "مده", "رقم", "تاريخ", "عدد", "وظيفه", "مدينه", "صفه"];
    let without_accusative = |word: &str| {
        let stem = word.strip_suffix("اً").or_else(|| word.strip_suffix("ًا"));
        stem.unwrap_or(word).to_owned()
    };
    let mut words: Vec<String> = phrase.split_whitespace().map(without_accusative).collect();
    if let Some(first) = words.first_mut() {
        let folded = name::fold(first);
        let rest = first.strip_prefix('و').filter(|rest| rest.chars().count() > 2);
        if let Some(rest) = rest.filter(|_| !KEPT_WAW.contains(&folded.as_str())) {
            *first = rest.to_owned();
        }
        let rest = first.strip_prefix(['ب', 'ل']);
        if let Some(rest) = rest.filter(|rest| VALUES.contains(&name::fold(rest).as_str())) {
            *first = rest.to_owned();
        }
    }
    words.join(" ")
}

/// Returns `true` for a folded word that makes a label a sentence.
pub(super) fn is_modal(folded: &str) -> bool {
    [
        "shall",
        "will",
        "must",
        "is",
        "are",
        "agrees",
        "doit",
        "doivent",
        "est",
        "sont",
        "sera",
        "engage",
        "يلتزم",
        "يتعهد",
    ]
    .contains(&folded)
}

/// Returns `true` for a folded word that joins two nouns in a noun phrase.
pub(super) fn is_connector(folded: &str) -> bool {
    ["of", "de", "du", "des", "d"].contains(&folded)
}

/// Returns `true` for a determiner, which may follow a connector: `of the`, `de la`, `de l’`.
pub(super) fn is_determiner(folded: &str) -> bool {
    ["the", "la", "l", "le", "les"].contains(&folded)
}

/// Returns the text with a lower-case first letter, unless its first word is an acronym.
pub(super) fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let (first, second) = (letters.next(), letters.next());
    match first {
        Some(first) if !second.is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

/// Returns the text with a capital first letter.
pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
