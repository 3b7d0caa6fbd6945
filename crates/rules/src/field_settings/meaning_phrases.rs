//! The phrases of field names that have a meaning or name a party, in English, French and Arabic.

use super::meaning::{Meaning, Party};

/// The meaning of a phrase in a field name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameToken {
    /// The word “name”. It means the family name if another field asks for the given name.
    Name,
    /// The full name of a person.
    FullName,
    /// A meaning that no other variant covers, such as a postal code.
    Meaning(Meaning),
    /// The party to which the value belongs, such as the tenant.
    Party(Party),
    /// The word “company” or a word with the same meaning. It does not say which party the company is.
    Company,
    /// An article, preposition or other word that does not change the meaning.
    Filler,
}

use Meaning::{
    BirthPlace, Country, FamilyName, GivenName, Nationality, Organization, OrganizationTitle, PostalCode,
    StreetAddress, Town,
};
use Party::{
    Agent, Borrower, Buyer, Employee, Employer, FirstParty, Guarantor, Landlord, Lender, Manager, Place, Principal,
    Recipient, Representative, SecondParty, Seller, Tenant, Witness,
};

/// The known phrases, folded and without Arabic articles. If several phrases match, the longest one counts.
pub(super) const KNOWN_PHRASES: &[(NameToken, &[&str])] = &[
    (
        NameToken::Filler,
        &[
            "the",
            "a",
            "your",
            "of",
            "s",
            "current",
            "please",
            "my",
            "le",
            "la",
            "les",
            "l",
            "du",
            "de",
            "des",
            "d",
            "votre",
            "mon",
            "ma",
            "actuel",
            "actuelle",
            "حالي",
            "حاليه",
        ],
    ),
    (NameToken::Name, &["name", "nom", "اسم"]),
    (
        NameToken::FullName,
        &[
            "full name",
            "name and surname",
            "first and last name",
            "nom complet",
            "nom et prenom",
            "nom et prenoms",
            "nom prenom",
            "prenom et nom",
            "prenoms et nom",
            "prenom nom",
            "اسم كامل",
            "اسم ثلاثي",
            "اسم رباعي",
            "اسم لقب",
            "اسم و لقب",
            "اسم شخصي عايلي",
        ],
    ),
    (
        NameToken::Meaning(GivenName),
        &["first name", "given name", "forename", "prenom", "prenoms", "اسم اول", "اسم شخصي"],
    ),
    (
        NameToken::Meaning(FamilyName),
        &["last name", "family name", "surname", "nom de famille", "اسم عايله", "اسم عايلي", "لقب"],
    ),
    (
        NameToken::Meaning(Organization),
        &[
            "organization",
            "organisation",
            "company name",
            "raison sociale",
            "denomination",
            "denomination sociale",
            "اسم شركه",
            "اسم موسسه",
            "اسم منشاه",
        ],
    ),
    (
        NameToken::Company,
        &["company", "firm", "business", "entreprise", "societe", "etablissement", "شركه", "موسسه", "منشاه"],
    ),
    (
        NameToken::Meaning(OrganizationTitle),
        &[
            "job title",
            "professional title",
            "position",
            "job",
            "occupation",
            "profession",
            "title",
            "intitule du poste",
            "intitule de poste",
            "poste",
            "emploi",
            "emploi occupe",
            "poste occupe",
            "metier",
            "fonction",
            "qualite",
            "مسمي وظيفي",
            "مسمي مهني",
            "وظيفه",
            "مهنه",
            "منصب",
            "صفه",
        ],
    ),
    (
        NameToken::Meaning(StreetAddress),
        &[
            "address",
            "postal address",
            "street address",
            "home address",
            "registered address",
            "registered office",
            "adresse",
            "adresse postale",
            "adresse du siege",
            "adresse du siege social",
            "adresse complete",
            "siege",
            "siege social",
            "domicile",
            "عنوان",
            "عنوان بريدي",
            "عنوان كامل",
        ],
    ),
    (
        NameToken::Meaning(PostalCode),
        &["postal code", "post code", "postcode", "zip", "zip code", "code postal", "رمز بريدي"],
    ),
    (
        NameToken::Meaning(Town),
        &[
            "town",
            "city",
            "place of signature",
            "place of signing",
            "ville",
            "commune",
            "lieu de signature",
            "ville de signature",
            "fait a",
            "مدينه",
            "مدينه عقد",
            "مدينه تحرير",
            "مكان تحرير",
            "مكان توقيع",
            "حرر في",
        ],
    ),
    (NameToken::Meaning(Country), &["country", "pays", "بلد", "دوله"]),
    (NameToken::Meaning(Nationality), &["nationality", "nationalite", "جنسيه"]),
    (
        NameToken::Meaning(BirthPlace),
        &["place of birth", "birth place", "birthplace", "lieu de naissance", "مكان ميلاد", "محل ميلاد", "مكان ولاده"],
    ),
    (NameToken::Party(Landlord), &["landlord", "lessor", "bailleur", "bailleresse", "موجر"]),
    (NameToken::Party(Tenant), &["tenant", "lessee", "locataire", "preneur", "مستاجر"]),
    (
        NameToken::Party(Seller),
        &[
            "seller",
            "vendor",
            "supplier",
            "provider",
            "service provider",
            "contractor",
            "vendeur",
            "vendeuse",
            "fournisseur",
            "prestataire",
            "بايع",
            "مورد",
            "مقدم خدمه",
            "مزود",
        ],
    ),
    (
        NameToken::Party(Buyer),
        &["buyer", "customer", "client", "purchaser", "acheteur", "acheteuse", "acquereur", "عميل", "زبون", "مشتري"],
    ),
    (NameToken::Party(Employer), &["employer", "employeur", "جهه عمل", "صاحب عمل", "رب عمل"]),
    (
        NameToken::Party(Employee),
        &["employee", "worker", "salarie", "salariee", "employe", "employee", "موظف", "عامل", "اجير"],
    ),
    (NameToken::Party(Lender), &["lender", "creditor", "preteur", "preteuse", "creancier", "داين", "مقرض"]),
    (NameToken::Party(Borrower), &["borrower", "debtor", "emprunteur", "emprunteuse", "debiteur", "مدين", "مقترض"]),
    (NameToken::Party(Principal), &["principal", "mandant", "mandante", "موكل"]),
    (NameToken::Party(Agent), &["agent", "attorney", "mandataire", "وكيل"]),
    (NameToken::Party(FirstParty), &["first party", "party a", "premiere partie", "طرف اول"]),
    (NameToken::Party(SecondParty), &["second party", "party b", "seconde partie", "deuxieme partie", "طرف ثاني"]),
    (
        NameToken::Party(Representative),
        &[
            "signatory",
            "signer",
            "representative",
            "legal representative",
            "representant",
            "representante",
            "representant legal",
            "signataire",
            "ممثل",
            "ممثل قانوني",
            "مفوض",
            "مسوول",
        ],
    ),
    (NameToken::Party(Manager), &["manager", "line manager", "director", "directeur", "directrice", "gerant", "مدير"]),
    (NameToken::Party(Recipient), &["recipient", "addressee", "destinataire", "مرسل اليه", "مستلم"]),
    (NameToken::Party(Witness), &["witness", "temoin", "شاهد", "شاهد اول", "شاهد ثاني"]),
    (NameToken::Party(Guarantor), &["guarantor", "garant", "garante", "caution", "كفيل", "ضامن"]),
    (NameToken::Party(Place), &["property", "premises", "logement", "bien", "chantier", "عقار", "عين موجره"]),
];

/// Maximum number of words in a phrase.
pub(super) const MAX_PHRASE_WORDS: usize = 4;

/// Splits the words of a field name into tokens, in order. The boolean is `true` if a number follows the token. Returns
/// `None` if a word is unknown.
pub(super) fn parse_tokens(words: &[String]) -> Option<Vec<(NameToken, bool)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let found = (1..=MAX_PHRASE_WORDS.min(words.len() - at)).rev().find_map(|length| {
            let phrase = words.get(at..at + length)?;
            let is = |known: &&str| known.split(' ').eq(phrase.iter().map(String::as_str));
            let token = KNOWN_PHRASES.iter().find(|(_, phrases)| phrases.iter().any(is))?.0;
            Some((token, length))
        });
        if let Some((token, length)) = found {
            tokens.push((token, false));
            at += length;
        } else if at > 0 && words.get(at)?.chars().all(char::is_numeric) {
            // A number after a party distinguishes several parties, as in `Tenant 2 name` or `Nom du locataire 2`.
            tokens.last_mut()?.1 = true;
            at += 1;
        } else {
            return None;
        }
    }
    Some(tokens)
}
