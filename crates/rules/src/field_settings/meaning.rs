//! Detects the meaning of a value, and the party of the contract to which the value belongs. A value that a user
//! entered before is then offered for other fields with the same meaning, in any language.
//!
//! Meanings are detected from field names, in English, French and Arabic together. A name that contains an unknown word
//! has no meaning, because no suggestion is better than a wrong one. Values without a meaning are never saved as
//! answers. Therefore passwords and the numbers of identity papers, bank accounts, cards, insurance and taxes have no
//! meaning.

use serde::{Deserialize, Serialize};

use super::meaning_phrases::{KNOWN_PHRASES, MAX_PHRASE_WORDS, NameToken, parse_tokens};
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
        Some(Party::Place) => None,
        Some(Party::Employer) => Some((Meaning::Organization, party, false)),
        _ if of_company && !is_individual => Some((Meaning::Organization, party, false)),
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
        (None, None) if party == Some(Party::Principal) => None,
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
        shown.iter().filter(|help| help.meaning == Some(Meaning::GivenName)).map(|help| help.party).collect();
    for help in shown.iter_mut().filter(|help| maybe_family_names.contains(&help.field)) {
        if help.meaning == Some(Meaning::Name) && given.contains(&help.party) {
            help.meaning = Some(Meaning::FamilyName);
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
        ValueKind::LongText => told().filter(|(meaning, ..)| *meaning == Meaning::StreetAddress),
        ValueKind::Date
        | ValueKind::Amount
        | ValueKind::Number
        | ValueKind::Choice
        | ValueKind::YesNo
        | ValueKind::List
        | ValueKind::Picture
        | ValueKind::Signature
        | ValueKind::QrCode => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FieldSettings, TemplateFieldSettings, detect_settings};
    use super::Meaning::{Country, FamilyName, GivenName, OrganizationTitle, StreetAddress, Town};
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
