//! Detects the meaning of a value, and the party of the contract to which the value belongs. A value that a user
//! entered before is then offered for other fields with the same meaning, in any language.
//!
//! Meanings are detected from field names, in English, French and Arabic together. A name that contains an unknown word
//! has no meaning, because no suggestion is better than a wrong one. Values without a meaning are never saved as
//! answers. Therefore passwords and the numbers of identity papers, bank accounts, cards, insurance and taxes have no
//! meaning.

use serde::{Deserialize, Serialize};

use super::words::NameWords;
use super::{ShownFieldSettings, ValueKind, readable_name};

/// The meaning of a value. If HTML's `autocomplete` (HTML Standard, §4.10.18.7) has a name for a meaning, the
/// serialized meaning has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// The full name of a person.
    Name,
    /// The given names of a person.
    GivenName,
    /// The family name of a person.
    FamilyName,
    /// The name of a company or an authority.
    Organization,
    /// A job title or a public office.
    OrganizationTitle,
    /// A street address, possibly of several lines.
    StreetAddress,
    /// A postal code or ZIP code.
    PostalCode,
    /// A town.
    #[serde(rename = "address-level2")]
    Town,
    /// The name of a country.
    #[serde(rename = "country-name")]
    Country,
    /// The nationality of a person. HTML has no name for it.
    Nationality,
    /// The place of birth of a person. HTML has no name for it.
    BirthPlace,
    /// An e-mail address.
    Email,
    /// A telephone number.
    Tel,
}

/// The party of a document that a value belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Party {
    /// The person or company that lets a house, flat or other thing.
    Landlord,
    /// The person or company that rents from the landlord.
    Tenant,
    /// The seller, supplier or service provider.
    Seller,
    /// The buyer or client.
    Buyer,
    /// The person or company that employs the employee.
    Employer,
    /// The person who is employed.
    Employee,
    /// The lender or creditor.
    Lender,
    /// The borrower or debtor.
    Borrower,
    /// The person who gives a power of attorney.
    Principal,
    /// The person who receives a power of attorney.
    Agent,
    /// The first party of a contract that numbers its parties.
    FirstParty,
    /// The second party of a contract that numbers its parties.
    SecondParty,
    /// The person who signs or acts for a company.
    Representative,
    /// The manager or director of a company.
    Manager,
    /// The addressee of a letter.
    Recipient,
    /// A person who witnesses the signature.
    Witness,
    /// The person who is liable for the debt of another party.
    Guarantor,
    /// The house, flat or building site that the document is about. It is not a person.
    Place,
}

impl Party {
    /// Returns whether the party is a person beside the two sides of the contract. Examples are a witness and the
    /// manager of a company. In a field name such as `First party signatory`, the value belongs to the signatory and
    /// not to the first party.
    fn is_individual(self) -> bool {
        matches!(self, Self::Representative | Self::Manager | Self::Recipient | Self::Witness | Self::Guarantor)
    }
}

/// The meaning of a phrase in a field name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameToken {
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
const KNOWN_PHRASES: &[(NameToken, &[&str])] = &[
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
const MAX_PHRASE_WORDS: usize = 4;

/// Splits the words of a field name into tokens, in order. The boolean is `true` if a number follows the token. Returns
/// `None` if a word is unknown.
fn parse_tokens(words: &[String]) -> Option<Vec<(NameToken, bool)>> {
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

/// Returns the party that the tokens name, or `None` if they name no party. A person who acts for a company takes
/// precedence over the company.
fn party_of(tokens: &[(NameToken, bool)]) -> Option<Party> {
    let parties =
        || tokens.iter().filter_map(|(token, _)| if let NameToken::Party(party) = token { Some(*party) } else { None });
    parties().find(|party| party.is_individual()).or_else(|| parties().next())
}

/// Returns the meaning of a field name and the party of the value. The boolean is `true` if the value may be only the
/// family name of a person. Returns `None` if the meaning is unknown.
fn meaning_of_name(name: &str) -> Option<(Meaning, Option<Party>, bool)> {
    if name.contains(['&', '/', '(', '+', ',', '،', ':']) {
        return None;
    }
    let words = NameWords::split(name);
    let tokens = parse_tokens(words.as_slice())?;
    let party = party_of(&tokens);
    // A number that does not follow a party means that the field is in a row of a table (`Job 1 title`).
    if tokens.iter().any(|(token, numbered)| *numbered && !matches!(token, NameToken::Party(_))) {
        return None;
    }
    let numbered = tokens.iter().any(|(_, numbered)| *numbered);
    let mut said = tokens
        .iter()
        .filter(|(token, _)| !matches!(token, NameToken::Filler | NameToken::Party(_) | NameToken::Company));
    let (first, other) = (said.next(), said.next());
    let of_company = tokens.iter().any(|(token, _)| *token == NameToken::Company);
    let is_individual = party.is_some_and(Party::is_individual);
    let named = |half: bool| match party {
        // The name of a place is not a person's name.
        Some(Place) => None,
        Some(Employer) => Some((Organization, party, false)),
        _ if of_company && !is_individual => Some((Organization, party, false)),
        _ => Some((Meaning::Name, party, half)),
    };
    match (first.map(|(token, _)| *token), other) {
        (Some(_), Some(_)) => None,
        (Some(NameToken::Name), None) => named(true),
        (Some(NameToken::FullName), None) => named(false),
        (Some(NameToken::Meaning(_)), None) if party.is_none() && !of_company && needs_party(words.as_slice()) => None,
        (Some(NameToken::Meaning(meaning)), None) => Some((meaning, party, false)),
        // A field name with only a party, such as `Tenant`, means the name of that party.
        (None, None) if numbered || tokens.len() > 2 && !is_individual => None,
        // `Principal` alone may be the principal of a debt, which is an amount.
        (None, None) if party == Some(Principal) => None,
        (None, None) if party.is_some() || of_company => named(false),
        _ => None,
    }
}

/// Returns whether the words of a field name have a meaning only together with a party. Without a party, `Title` may be
/// the title of a book, `Qualité` the quality of a product, and `Siège` a seat in a theatre.
fn needs_party(words: &[String]) -> bool {
    const LOOSE: [&str; 6] = ["title", "position", "qualite", "صفه", "fonction", "siege"];
    let is_filler = |word: &&String| KNOWN_PHRASES.first().is_some_and(|(_, fillers)| fillers.contains(&word.as_str()));
    words.iter().filter(|word| !is_filler(word)).all(|word| LOOSE.contains(&word.as_str()))
}

/// Returns the party that a text names. The text is a heading, or the name of an e-mail or telephone field. If the text
/// names an individual, other parties are ignored. Returns `None` if it names no party, or several parties and no
/// individual.
fn single_party_in(text: &str) -> Option<Party> {
    let words = NameWords::split(text);
    let mut found: Vec<Party> = Vec::new();
    for at in 0..words.as_slice().len() {
        for length in 1..=MAX_PHRASE_WORDS {
            if let Some(tokens) = words.as_slice().get(at..at + length).and_then(parse_tokens)
                && let [(NameToken::Party(party), _)] = tokens.as_slice()
                && !found.contains(party)
            {
                found.push(*party);
            }
        }
    }
    let individual = found.iter().find(|party| party.is_individual());
    match (individual, found.as_slice()) {
        (Some(party), _) | (None, [party]) => Some(*party),
        _ => None,
    }
}

/// Sets the meaning and the party of each field. They stay `None` if they cannot be detected.
pub(super) fn detect_meanings(shown: &mut [ShownFieldSettings]) {
    let mut maybe_family_names = Vec::new();
    for help in shown.iter_mut() {
        let Some((meaning, party, may_be_half)) = meaning_of_field(help) else { continue };
        help.meaning = Some(meaning);
        help.party = party.or_else(|| single_party_in(&help.group));
        if may_be_half {
            maybe_family_names.push(help.field.clone());
        }
    }
    // If a form has the fields `Nom` and `Prénom`, `Nom` is the family name.
    let given: Vec<Option<Party>> =
        shown.iter().filter(|help| help.meaning == Some(GivenName)).map(|help| help.party).collect();
    for help in shown.iter_mut().filter(|help| maybe_family_names.contains(&help.field)) {
        if help.meaning == Some(Meaning::Name) && given.contains(&help.party) {
            help.meaning = Some(FamilyName);
        }
    }
}

fn meaning_of_field(help: &ShownFieldSettings) -> Option<(Meaning, Option<Party>, bool)> {
    if help.derivation.is_some() {
        return None;
    }
    let name = readable_name(&help.field);
    let names = [help.label.as_str(), name.as_str()];
    let party = || names.into_iter().find_map(single_party_in);
    let told = || names.into_iter().filter(|text| !text.is_empty()).find_map(meaning_of_name);
    match help.kind {
        ValueKind::Email => Some((Meaning::Email, party(), false)),
        ValueKind::Phone => Some((Meaning::Tel, party(), false)),
        ValueKind::Text => told(),
        ValueKind::LongText => told().filter(|(meaning, ..)| *meaning == StreetAddress),
        ValueKind::Date | ValueKind::Amount | ValueKind::Number | ValueKind::Choice => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FieldSettings, TemplateFieldSettings, detect_settings};
    use super::*;

    fn meanings_and_parties(names: &[&str]) -> Vec<(Option<Meaning>, Option<Party>)> {
        let fields: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let help = TemplateFieldSettings { overridden: Vec::new(), detected: detect_settings(&fields, &[]) };
        help.for_form(&fields).into_iter().map(|help| (help.meaning, help.party)).collect()
    }

    fn meaning_and_party(name: &str) -> (Option<Meaning>, Option<Party>) {
        meanings_and_parties(&[name])[0]
    }

    #[test]
    fn known_phrases_are_normalised() {
        for phrase in KNOWN_PHRASES.iter().flat_map(|(_, phrases)| *phrases) {
            assert_eq!(NameWords::split(phrase).as_slice().join(" "), **phrase);
            assert!(phrase.split(' ').count() <= MAX_PHRASE_WORDS, "{phrase}");
        }
    }

    #[test]
    fn meanings_by_names_in_three_languages() {
        use Meaning::*;
        for (meaning, names) in [
            (
                Name,
                &[
                    "Name",
                    "Full name",
                    "Landlord full name",
                    "tenant_name",
                    "EmployeeName",
                    "Signatory",
                    "First party signatory",
                    "Nom et prénom du locataire",
                    "Nom du signataire de l’entreprise",
                    "Prénom et nom",
                    "Vendeur",
                    "اسم المستأجر",
                    "الاسم الكامل",
                    "الاسم واللقب",
                    "اسم الشاهد الأول",
                    "ممثل المنشأة",
                ][..],
            ),
            (GivenName, &["First name", "Prénom du salarié", "الاسم الأول"]),
            (FamilyName, &["Surname", "Nom de famille", "اللقب", "اسم العائلة"]),
            (
                Organization,
                &[
                    "Company name",
                    "Employer name",
                    "Client company",
                    "Raison sociale de l’employeur",
                    "Nom de l’entreprise",
                    "Entreprise",
                    "اسم جهة العمل",
                    "اسم الشركة",
                    "اسم المنشأة",
                ],
            ),
            (
                OrganizationTitle,
                &[
                    "Job title",
                    "Signatory job title",
                    "Second party signatory title",
                    "Intitulé du poste",
                    "Qualité du représentant",
                    "المسمى الوظيفي",
                    "صفة الممثل",
                ],
            ),
            (
                StreetAddress,
                &[
                    "Your address",
                    "Property address",
                    "Adresse actuelle du locataire",
                    "Siège de la première partie",
                    "عنوان المؤجر",
                ],
            ),
            (PostalCode, &["Postcode", "Code postal", "الرمز البريدي"]),
            (Town, &["City", "Ville", "Lieu de signature", "مدينة العقد", "مكان التحرير"]),
            (Country, &["Country", "Pays", "البلد"]),
            (Nationality, &["Nationality", "Nationalité", "جنسية العامل"]),
            (BirthPlace, &["Place of birth", "Lieu de naissance du mandant", "مكان الميلاد"]),
            (Email, &["Landlord e-mail", "Courriel de l’entreprise", "البريد الإلكتروني"]),
            (Tel, &["Telephone", "Téléphone de l’entreprise", "هاتف المستأجر"]),
        ] {
            for name in names {
                assert_eq!(meaning_and_party(name).0, Some(meaning), "{name}");
            }
        }
    }

    #[test]
    fn names_without_a_meaning() {
        for name in [
            // Values that must never be saved.
            "Passport number",
            "Numéro de sécurité sociale",
            "Numéro de pièce d’identité",
            "IBAN du prêteur",
            "Account number",
            "Account name",
            "Card number",
            "Password",
            "Mot de passe",
            "Supplier VAT number",
            "الرقم القومي للمؤجر",
            "رقم الآيبان",
            "اسم صاحب الحساب",
            "كلمة المرور",
            // Names with two subjects, names with another meaning, and fields in rows of a table.
            "Town and country",
            "Name / company",
            "Tenant contact details",
            "Project title",
            "Title",
            "Siège",
            "Principal",
            "Job 1 title",
            "Job 1 employer",
            "Entreprise 1",
            "جهة العمل 1",
            "Property",
            "Date of birth",
            "Employee date of birth",
            "Bank name",
            "Ville du RCS",
            "Company number",
            "Place of work",
            "12",
            "",
        ] {
            assert_eq!(meaning_and_party(name), (None, None), "{name}");
        }
    }

    #[test]
    fn parties_are_detected_from_names_and_headings() {
        for (name, party) in [
            ("Landlord address", Some(Party::Landlord)),
            ("Nom du bailleur", Some(Party::Landlord)),
            ("بريد المؤجر الإلكتروني", Some(Party::Landlord)),
            ("Tenant 2 name", Some(Party::Tenant)),
            ("Second party signatory", Some(Party::Representative)),
            ("Second party e-mail", Some(Party::SecondParty)),
            ("اسم الطرف الأول", Some(Party::FirstParty)),
            ("Name", None),
        ] {
            assert_eq!(meaning_and_party(name).1, party, "{name}");
        }
        let under = |group: &str| {
            let said = vec![FieldSettings { group: Some(group.into()), ..FieldSettings::empty("Name") }];
            TemplateFieldSettings { overridden: said, detected: Vec::new() }.for_form(&["Name".to_owned()])[0].party
        };
        assert_eq!(under("The tenant"), Some(Party::Tenant));
        assert_eq!(under("Landlord and tenant"), None);
    }

    #[test]
    fn a_name_next_to_a_given_name_is_a_family_name() {
        let meanings =
            |names: &[&str]| meanings_and_parties(names).into_iter().map(|(meaning, _)| meaning).collect::<Vec<_>>();
        assert_eq!(meanings(&["Nom", "Prénom"]), [Some(FamilyName), Some(GivenName)]);
        assert_eq!(meanings(&["Nom du bailleur", "Prénom du bailleur", "Nom du locataire"])[2], Some(Meaning::Name));
        assert_eq!(meanings(&["Full name", "First name"])[0], Some(Meaning::Name));
    }

    #[test]
    fn overridden_settings_determine_the_meaning() {
        let of = |said: FieldSettings| {
            let field = said.field.clone();
            TemplateFieldSettings { overridden: vec![said], detected: Vec::new() }.for_form(&[field])[0].meaning
        };
        let name = || FieldSettings::empty("Name");
        assert_eq!(of(FieldSettings { label: Some("Your address".into()), ..name() }), Some(StreetAddress));
        assert_eq!(of(FieldSettings { label: Some("Who paid".into()), ..name() }), Some(Meaning::Name));
        assert_eq!(of(FieldSettings { kind: Some(ValueKind::Date), ..name() }), None);
        assert_eq!(of(FieldSettings { kind: Some(ValueKind::LongText), ..name() }), None);
        assert_eq!(
            of(FieldSettings { kind: Some(ValueKind::LongText), ..FieldSettings::empty("Address") }),
            Some(StreetAddress)
        );
        assert_eq!(
            of(FieldSettings { kind: Some(ValueKind::Email), ..FieldSettings::empty("X") }),
            Some(Meaning::Email)
        );
    }

    #[test]
    fn meanings_are_written_as_html_autocomplete_tokens() {
        let words = |meaning: Meaning| serde_json::to_value(meaning).unwrap();
        assert_eq!(words(Town), "address-level2");
        assert_eq!(words(Country), "country-name");
        assert_eq!(words(OrganizationTitle), "organization-title");
    }
}
