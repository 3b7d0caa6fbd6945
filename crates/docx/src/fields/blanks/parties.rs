//! The parties of contracts in English, French and Arabic, and the names of blanks with their party.

use waraq_rules::derivation::Language;
use waraq_rules::name;

use super::words::{Word, is_determiner, lower_first, split_words};

/// A party of contracts: its folded words in the three languages, its English name, its French name with a preposition, and
/// its Arabic name.
type PartyWords = (&'static [&'static str], &'static str, &'static str, &'static str);

const PARTIES: &[PartyWords] = &[
    (&["landlord", "bailleur", "bailleresse", "المؤجر", "الموجر", "موجر"], "Landlord", "du bailleur", "المؤجر"),
    (&["tenant", "locataire", "المستاجر", "مستاجر"], "Tenant", "du locataire", "المستأجر"),
    (&["seller", "vendeur", "vendeuse", "البايع", "بايع"], "Seller", "du vendeur", "البائع"),
    (&["buyer", "acheteur", "المشتري", "مشتري", "مشتر"], "Buyer", "de l’acheteur", "المشتري"),
    (&["employer", "employeur", "صاحبالعمل", "ربالعمل", "المشغل"], "Employer", "de l’employeur", "صاحب العمل"),
    (&["employee", "salarie", "salariee", "employe", "الموظف", "العامل", "الاجير"], "Employee", "du salarié", "الموظف"),
    (&["lender", "preteur", "creancier", "المقرض", "الداين"], "Lender", "du prêteur", "المقرض"),
    (&["borrower", "emprunteur", "debiteur", "المقترض", "المدين"], "Borrower", "de l’emprunteur", "المقترض"),
    (&["client", "العميل"], "Client", "du client", "العميل"),
    (&["contractor", "entrepreneur", "المقاول"], "Contractor", "de l’entrepreneur", "المقاول"),
    (&["provider", "prestataire", "مقدمالخدمه"], "Provider", "du prestataire", "مقدم الخدمة"),
    (&["supplier", "fournisseur", "المورد"], "Supplier", "du fournisseur", "المورد"),
    (&["lessor"], "Lessor", "du bailleur", "المؤجر"),
    (&["lessee", "preneur"], "Lessee", "du preneur", "المستأجر"),
    (&["vendor"], "Vendor", "du vendeur", "البائع"),
    (&["purchaser", "acquereur"], "Purchaser", "de l’acquéreur", "المشتري"),
    (&["customer", "الزبون"], "Customer", "du client", "الزبون"),
    (&["consultant", "المستشار", "الاستشاري"], "Consultant", "du consultant", "المستشار"),
    (&["principal", "mandant", "mandante", "الموكل"], "Principal", "du mandant", "الموكل"),
    (&["attorney", "agent", "mandataire", "الوكيل"], "Agent", "du mandataire", "الوكيل"),
    (&["guarantor", "garant", "الكفيل", "الضامن"], "Guarantor", "du garant", "الكفيل"),
    (&["witness", "temoin", "الشاهد"], "Witness", "du témoin", "الشاهد"),
    (&["disclosing", "divulgatrice"], "Disclosing party", "de la partie divulgatrice", "الطرف المفصح"),
    (&["receiving", "receptrice"], "Receiving party", "de la partie réceptrice", "الطرف المتلقي"),
    (&["firstparty", "partya", "premierepartie", "الطرفالاول"], "First party", "de la première partie", "الطرف الأول"),
    (
        &["secondparty", "partyb", "secondepartie", "deuxiemepartie", "الطرفالثاني"],
        "Second party",
        "de la seconde partie",
        "الطرف الثاني",
    ),
    (&["company", "societe", "entreprise", "الشركه", "المنشاه"], "Company", "de la société", "الشركة"),
    (&["beneficiary", "beneficiaire", "المستفيد"], "Beneficiary", "du bénéficiaire", "المستفيد"),
    (&["applicant", "demandeur", "مقدمالطلب"], "Applicant", "du demandeur", "مقدم الطلب"),
    (&["spouse", "conjoint", "conjointe", "الزوج", "الزوجه"], "Spouse", "du conjoint", "الزوج"),
    (&["owner", "proprietaire", "المالك"], "Owner", "du propriétaire", "المالك"),
    (&["father", "pere", "الاب", "الوالد"], "Father", "du père", "الأب"),
    (&["mother", "mere", "الام", "الوالده"], "Mother", "de la mère", "الأم"),
];

/// A party, as an index into the list of parties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PartyIndex(usize);

/// Returns the party that a text names. Returns `None` if it names none, or more than one.
pub(super) fn party_in(text: &str) -> Option<PartyIndex> {
    let words = split_words(text);
    let mut found: Option<usize> = None;
    for (at, word) in words.iter().enumerate() {
        let pair = words.get(at + 1).map(|next| format!("{}{}", word.folded, next.folded)).unwrap_or_default();
        // The preposition `ل` replaces the first letter of the article: `للمؤجر`.
        let without_preposition = word.folded.strip_prefix('ل').filter(|rest| rest.starts_with('ل'));
        let is_known = |known: &&str| {
            *known == word.folded
                || *known == pair
                || without_preposition.is_some_and(|rest| known.strip_prefix('ا') == Some(rest))
        };
        let Some(party) = PARTIES.iter().position(|(words, ..)| words.iter().any(is_known)) else { continue };
        if found.is_some_and(|known| known != party) {
            return None;
        }
        found = Some(party);
    }
    found.map(PartyIndex)
}

/// Returns a name with its party: `Landlord address`, `Adresse du bailleur`, `عنوان المؤجر`.
pub(super) fn with_party(name: &str, party: PartyIndex, language: Language) -> String {
    let Some((_, english, french, arabic)) = PARTIES.get(party.0) else { return name.to_owned() };
    match language {
        Language::English => format!("{english} {}", lower_first(name)),
        Language::French => format!("{name} {french}"),
        Language::Arabic => arabic_genitive(name, arabic),
    }
}

/// Returns an Arabic name with its party. Only the last noun of a genitive keeps the article: `رقم بطاقة المؤجر`. After an
/// adjective, the party follows a preposition.
fn arabic_genitive(name: &str, party: &str) -> String {
    let article = "ال";
    match name.split(' ').collect::<Vec<_>>().as_slice() {
        [only] => format!("{} {party}", only.strip_prefix(article).unwrap_or(only)),
        [noun, last] if !noun.starts_with(article) => {
            format!("{noun} {} {party}", last.strip_prefix(article).unwrap_or(last))
        }
        _ => match party.strip_prefix(article) {
            Some(rest) => format!("{name} لل{rest}"),
            None => format!("{name} ل{party}"),
        },
    }
}

/// Returns the index after the last party in the first words: 2 for `الطرف الثاني أجرا`. Returns 0 without a party.
pub(super) fn after_party(words: &[Word]) -> usize {
    const ORDINALS: [&str; 6] = ["الاول", "الثاني", "اول", "ثان", "الثالث", "ثاني"];
    let is_party = |pair: &[Word]| match pair {
        [party, ordinal] => party.folded.ends_with("طرف") && ORDINALS.contains(&ordinal.folded.as_str()),
        _ => false,
    };
    words.windows(2).rposition(is_party).map_or(0, |at| at + 2)
}

/// Folded names that many blanks of a document may have, so that the party distinguishes them.
const GENERAL_NAMES: &[&str] = &[
    "name",
    "fullname",
    "firstname",
    "lastname",
    "surname",
    "address",
    "phone",
    "telephone",
    "phonenumber",
    "email",
    "emailaddress",
    "dateofbirth",
    "placeofbirth",
    "nationality",
    "signature",
    "title",
    "position",
    "representative",
    "passportnumber",
    "idnumber",
    "nationalid",
    "registrationnumber",
    "occupation",
    "by",
    "date",
    "companyname",
    "capacity",
    "place",
    "city",
    "printname",
    "printedname",
    "postcode",
    "nom",
    "prenom",
    "nometprenom",
    "nometprenoms",
    "nomcomplet",
    "adresse",
    "tel",
    "mobile",
    "mail",
    "courriel",
    "datedenaissance",
    "lieudenaissance",
    "nationalite",
    "qualite",
    "fonction",
    "representant",
    "profession",
    "ville",
    "codepostal",
    "siegesocial",
    "raisonsociale",
    "numerodecin",
    "cin",
    "numerodepasseport",
    "lieu",
    "الاسم",
    "الاسمالكامل",
    "العنوان",
    "الهاتف",
    "رقمالهاتف",
    "البريدالالكتروني",
    "تاريخالميلاد",
    "مكانالميلاد",
    "الجنسيه",
    "التوقيع",
    "الصفه",
    "الممثل",
    "المهنه",
    "رقمالهويه",
    "رقمالجواز",
    "السجلالتجاري",
    "رقمالبطاقه",
    "التاريخ",
    "المدينه",
];

/// Returns `true` for a name that does not say whose value it is.
pub(super) fn is_general(name: &str) -> bool {
    let folded = name::fold(name);
    GENERAL_NAMES.contains(&folded.as_str())
}

/// Returns `true` if the words name only the party, with or without a determiner.
pub(super) fn is_only_party(words: &[Word], party: PartyIndex) -> bool {
    let Some((known, ..)) = PARTIES.get(party.0) else { return false };
    let nouns: Vec<&str> =
        words.iter().map(|word| word.folded.as_str()).filter(|folded| !is_determiner(folded)).collect();
    let together = nouns.concat();
    known.iter().any(|word| *word == together || nouns.as_slice() == [*word])
}
