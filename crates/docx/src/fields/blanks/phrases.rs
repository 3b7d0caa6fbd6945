//! Phrases before and after a blank that name its value, in English, French and Arabic.

use waraq_rules::derivation::Language;

use super::words::Word;

/// Folded words before a blank, and the name of the value. A longer phrase comes before a shorter one that it ends with.
type Phrase = (&'static str, &'static str);

const ENGLISH_BEFORE: &[Phrase] = &[
    ("residing at", "Address"),
    ("resident at", "Address"),
    ("living at", "Address"),
    ("resides at", "Address"),
    ("domiciled at", "Address"),
    ("whose address is", "Address"),
    ("whose address is at", "Address"),
    ("with address at", "Address"),
    ("of address", "Address"),
    ("registered office at", "Registered office"),
    ("registered office is at", "Registered office"),
    ("place of business at", "Place of business"),
    ("located at", "Address"),
    ("situated at", "Address"),
    ("premises at", "Property address"),
    ("premises located at", "Property address"),
    ("premises situated at", "Property address"),
    ("property located at", "Property address"),
    ("property situated at", "Property address"),
    ("property at", "Property address"),
    ("born on", "Date of birth"),
    ("born in", "Place of birth"),
    ("born at", "Place of birth"),
    ("represented by", "Representative"),
    ("in the capacity of", "Capacity"),
    ("in his capacity as", "Capacity"),
    ("in her capacity as", "Capacity"),
    ("acting as", "Capacity"),
    ("passport no", "Passport number"),
    ("passport number", "Passport number"),
    ("id no", "ID number"),
    ("id number", "ID number"),
    ("identity card no", "ID number"),
    ("registered under number", "Registration number"),
    ("registration no", "Registration number"),
    ("company number", "Company number"),
    ("registered in", "Place of registration"),
    ("incorporated in", "Place of incorporation"),
    ("organized under the laws of", "Jurisdiction"),
    ("organised under the laws of", "Jurisdiction"),
    ("due on the", "Due day"),
    ("payable on the", "Due day"),
    ("sent to", "Address"),
    ("delivered to", "Address"),
    ("commencing on", "Start date"),
    ("begin on", "Start date"),
    ("begins on", "Start date"),
    ("start on", "Start date"),
    ("commence on", "Start date"),
    ("commences on", "Start date"),
    ("end on", "End date"),
    ("starting on", "Start date"),
    ("beginning on", "Start date"),
    ("starts on", "Start date"),
    ("effective as of", "Effective date"),
    ("effective from", "Start date"),
    ("with effect from", "Start date"),
    ("ending on", "End date"),
    ("ends on", "End date"),
    ("expiring on", "End date"),
    ("expires on", "End date"),
    ("terminating on", "End date"),
    ("no later than", "Deadline"),
    ("signed at", "Place"),
    ("signed in", "Place"),
    ("done at", "Place"),
    ("done in", "Place"),
    ("executed at", "Place"),
    ("signed on", "Date"),
    ("on", "Date"),
    ("dated", "Date"),
    ("made on", "Date"),
    ("entered into on", "Date"),
    ("entered into as of", "Date"),
    ("made this", "Day"),
    ("on this", "Day"),
    ("this", "Day"),
    ("day of", "Month"),
    ("i", "Name"),
    ("i the undersigned", "Name"),
    ("the undersigned", "Name"),
    ("mr", "Name"),
    ("mrs", "Name"),
    ("ms", "Name"),
    ("mr mrs", "Name"),
    ("mrmrs", "Name"),
    ("dear", "Recipient"),
    ("nationality", "Nationality"),
    ("governed by the laws of", "Governing law"),
    ("laws of", "Governing law"),
    ("courts of", "Courts"),
    ("by", "Signed by"),
];

const FRENCH_BEFORE: &[Phrase] = &[
    ("demeurant a", "Adresse"),
    ("demeurant au", "Adresse"),
    ("demeurant", "Adresse"),
    ("residant a", "Adresse"),
    ("residant au", "Adresse"),
    ("domicilie a", "Adresse"),
    ("domiciliee a", "Adresse"),
    ("domicilie au", "Adresse"),
    ("domiciliee au", "Adresse"),
    ("domicilie", "Adresse"),
    ("domiciliee", "Adresse"),
    ("siege social est a", "Siège social"),
    ("siege social est situe", "Siège social"),
    ("siege social est situe a", "Siège social"),
    ("siege social est sis", "Siège social"),
    ("situe", "Adresse"),
    ("situee", "Adresse"),
    ("logement situe", "Adresse du logement"),
    ("logement situe au", "Adresse du logement"),
    ("bien situe", "Adresse du bien"),
    ("locaux situes", "Adresse des locaux"),
    ("situe a", "Adresse"),
    ("situe au", "Adresse"),
    ("situee a", "Adresse"),
    ("sis a", "Adresse"),
    ("sis", "Adresse"),
    ("ne le", "Date de naissance"),
    ("nee le", "Date de naissance"),
    ("ne a", "Lieu de naissance"),
    ("nee a", "Lieu de naissance"),
    ("represente par", "Représentant"),
    ("representee par", "Représentant"),
    ("en qualite de", "Qualité"),
    ("agissant en qualite de", "Qualité"),
    ("en sa qualite de", "Qualité"),
    ("cin n", "Numéro de CIN"),
    ("cin no", "Numéro de CIN"),
    ("cin numero", "Numéro de CIN"),
    ("passeport n", "Numéro de passeport"),
    ("passeport no", "Numéro de passeport"),
    ("rcs de", "Ville du RCS"),
    ("sous le numero", "Numéro d’immatriculation"),
    ("sous le n", "Numéro d’immatriculation"),
    ("a compter du", "Date de début"),
    ("a partir du", "Date de début"),
    ("prend effet le", "Date d’effet"),
    ("prendra effet le", "Date d’effet"),
    ("prend fin le", "Date de fin"),
    ("expire le", "Date de fin"),
    ("au plus tard le", "Date limite"),
    ("en date du", "Date"),
    ("depuis le", "Date de début"),
    ("payable le", "Jour de paiement"),
    ("exigible le", "Date d’échéance"),
    ("aupres de", "Organisme"),
    ("fait a", "Lieu"),
    ("signe a", "Lieu"),
    ("fait le", "Date"),
    ("signe le", "Date"),
    ("je soussigne", "Nom"),
    ("je soussignee", "Nom"),
    ("le soussigne", "Nom"),
    ("la soussignee", "Nom"),
    ("monsieur", "Nom"),
    ("madame", "Nom"),
    ("mme", "Nom"),
    ("m", "Nom"),
    ("m mme", "Nom"),
    ("mmme", "Nom"),
    ("monsieur madame", "Nom"),
    ("de nationalite", "Nationalité"),
    ("la societe", "Société"),
    ("capital de", "Capital"),
    ("en lettres", "Montant en lettres"),
    ("a", "Lieu"),
    ("le", "Date"),
];

const ARABIC_BEFORE: &[Phrase] = &[
    ("المقيم في", "العنوان"),
    ("المقيم ب", "العنوان"),
    ("المقيمه في", "العنوان"),
    ("الساكن في", "العنوان"),
    ("الساكن ب", "العنوان"),
    ("الكاين في", "العنوان"),
    ("الكاينه في", "العنوان"),
    ("الكاين ب", "العنوان"),
    ("الكاينه ب", "العنوان"),
    ("الواقع في", "العنوان"),
    ("الواقعه في", "العنوان"),
    ("ومقره", "المقر"),
    ("ومقرها", "المقر"),
    ("مقرها في", "المقر"),
    ("وعنوانه", "العنوان"),
    ("وعنوانها", "العنوان"),
    ("المولود في", "مكان الميلاد"),
    ("المولود بتاريخ", "تاريخ الميلاد"),
    ("المزداد بتاريخ", "تاريخ الميلاد"),
    ("المولود ب", "مكان الميلاد"),
    ("ويمثلها", "الممثل"),
    ("ويمثله", "الممثل"),
    ("يمثلها", "الممثل"),
    ("ممثلا في", "الممثل"),
    ("بصفته", "الصفة"),
    ("بصفتها", "الصفة"),
    ("هويه رقم", "رقم الهوية"),
    ("بطاقه رقم", "رقم البطاقة"),
    ("الوطنيه رقم", "رقم البطاقة"),
    ("الحامل لبطاقه رقم", "رقم البطاقة"),
    ("جواز سفر رقم", "رقم الجواز"),
    ("سجل تجاري رقم", "السجل التجاري"),
    ("التجاري رقم", "السجل التجاري"),
    ("تحت رقم", "الرقم"),
    ("ابتداء من", "تاريخ البداية"),
    ("اعتبارا من", "تاريخ البداية"),
    ("تبدا من", "تاريخ البداية"),
    ("وتنتهي في", "تاريخ النهاية"),
    ("وينتهي في", "تاريخ النهاية"),
    ("تنتهي في", "تاريخ النهاية"),
    ("حرر في", "مكان التحرير"),
    ("حرر ب", "مكان التحرير"),
    ("حرر بمدينه", "مكان التحرير"),
    ("بمدينه", "المدينة"),
    ("مدينه", "المدينة"),
    ("في مدينه", "المدينة"),
    ("في", "التاريخ"),
    ("فقط", "المبلغ كتابة"),
    ("في يوم", "اليوم"),
    ("انه في يوم", "اليوم"),
    ("الموافق", "التاريخ الموافق"),
    ("بتاريخ", "التاريخ"),
    ("بمبلغ", "المبلغ"),
    ("مبلغ", "المبلغ"),
    ("مبلغ وقدره", "المبلغ"),
    ("مبلغ قدره", "المبلغ"),
    ("بمبلغ وقدره", "المبلغ"),
    ("بمبلغ قدره", "المبلغ"),
    ("لمده", "المدة"),
    ("مدتها", "المدة"),
    ("مدته", "المدة"),
    ("برقم", "الرقم"),
    ("انا الموقع ادناه", "الاسم"),
    ("انا", "الاسم"),
    ("الموقع ادناه", "الاسم"),
    ("السيد", "الاسم"),
    ("للسيد", "الاسم"),
    ("للسيده", "الاسم"),
    ("والسيد", "الاسم"),
    ("والسيده", "الاسم"),
    ("السيده", "الاسم"),
    ("السيد السيده", "الاسم"),
    ("السيدالسيده", "الاسم"),
    ("شركه", "اسم الشركة"),
    ("الجنسيه", "الجنسية"),
    ("جنسيته", "الجنسية"),
    ("لصالح", "المستفيد"),
    ("كتابه", "المبلغ كتابة"),
];

/// Folded words directly after a blank, and the name of the value in English, French and Arabic.
const UNITS: &[(&[&str], [&str; 3])] = &[
    (
        &[
            "eur",
            "euro",
            "euros",
            "€",
            "usd",
            "dollars",
            "$",
            "mad",
            "dirhams",
            "dinars",
            "dh",
            "fcfa",
            "gbp",
            "pounds",
            "£",
            "ريال",
            "ريالا",
            "درهم",
            "درهما",
            "دينار",
            "دينارا",
            "جنيه",
            "جنيها",
            "دولار",
            "يورو",
        ],
        ["Amount", "Montant", "المبلغ"],
    ),
    (&["%", "percent", "pourcent", "per cent", "بالمايه", "بالميه"], ["Percentage", "Taux", "النسبة"]),
    (&["days", "jours", "يوم", "يوما", "ايام"], ["Number of days", "Nombre de jours", "عدد الأيام"]),
    (
        &["weeks", "week", "semaines", "semaine", "اسبوع", "اسابيع"],
        ["Number of weeks", "Nombre de semaines", "عدد الأسابيع"],
    ),
    (&["months", "month", "mois", "شهر", "شهرا", "اشهر"], ["Number of months", "Nombre de mois", "عدد الأشهر"]),
    (
        &["years", "year", "ans", "annees", "an", "سنه", "سنوات", "عام"],
        ["Number of years", "Nombre d’années", "عدد السنوات"],
    ),
    (&["hours", "hour", "heures", "heure", "ساعه", "ساعات"], ["Number of hours", "Nombre d’heures", "عدد الساعات"]),
    (&["m2", "m²", "sqm", "metres", "square", "متر", "مترا"], ["Area", "Surface", "المساحة"]),
    (
        &["instalments", "instalment", "installments", "mensualites", "echeances", "قسط", "قسطا", "اقساط", "دفعات"],
        ["Number of instalments", "Nombre d’échéances", "عدد الأقساط"],
    ),
    (
        &["copies", "copy", "exemplaires", "exemplaire", "originaux", "نسخ", "نسخه"],
        ["Number of copies", "Nombre d’exemplaires", "عدد النسخ"],
    ),
    (
        &["rooms", "room", "bedrooms", "pieces", "chambres", "غرف", "غرفه"],
        ["Number of rooms", "Nombre de pièces", "عدد الغرف"],
    ),
    (
        &["persons", "people", "personnes", "personne", "اشخاص", "شخص"],
        ["Number of people", "Nombre de personnes", "عدد الأشخاص"],
    ),
    (&["km", "miles", "kilometres", "كم"], ["Distance", "Distance", "المسافة"]),
];

fn index_of(language: Language) -> usize {
    match language {
        Language::English => 0,
        Language::French => 1,
        Language::Arabic => 2,
    }
}

/// Folded words at the start of a sentence with the place and the date of a signature.
const SIGNING: [&str; 7] = ["fait", "signe", "etabli", "done", "signed", "executed", "حرر"];

/// Returns the name that the words before a blank suggest. The longest phrase with which the words end counts.
pub(super) fn name_before(words: &[Word], language: Language) -> Option<&'static str> {
    let phrases = match language {
        Language::English => ENGLISH_BEFORE,
        Language::French => FRENCH_BEFORE,
        Language::Arabic => ARABIC_BEFORE,
    };
    let ends = |phrase: &str| {
        let length = phrase.split(' ').count();
        let Some(start) = words.len().checked_sub(length) else { return false };
        let tail = words.get(start..).unwrap_or_default();
        let is_clause = tail.iter().rev().skip(1).all(|word| !word.ends_clause || word.folded == "m");
        // A single short word is a phrase only at the start of a clause: `, le ____`.
        let is_short = length == 1 && phrase.chars().count() <= 2;
        let starts_clause = start == 0 || words.get(start - 1).is_some_and(|word| word.ends_clause);
        let is_signing = words.first().is_some_and(|word| SIGNING.contains(&word.folded.as_str()));
        let previous_is_number =
            start > 0 && words.get(start - 1).is_some_and(|word| word.folded.chars().all(char::is_numeric));
        is_clause
            && tail.iter().map(|word| word.folded.as_str()).eq(phrase.split(' '))
            && (!is_short || starts_clause || previous_is_number || is_signing)
    };
    let found = phrases.iter().filter(|(phrase, _)| ends(phrase));
    found.max_by_key(|(phrase, _)| phrase.split(' ').count()).map(|(_, name)| *name)
}

/// Returns the name that the unit after a blank suggests, and `true` if the unit is counted, such as days.
pub(super) fn name_after(word: &str, language: Language) -> Option<(&'static str, bool)> {
    let (_, names) = UNITS.iter().find(|(units, _)| units.contains(&word))?;
    Some((names[index_of(language)], names[0].starts_with("Number of")))
}

/// Returns the name of an amount that is written in words: `Price in words`.
pub(super) fn in_words(name: &str, language: Language) -> String {
    match language {
        Language::English => format!("{name} in words"),
        Language::French => format!("{name} en lettres"),
        Language::Arabic => format!("{name} كتابة"),
    }
}

/// Names for values without words in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlainName {
    Field,
    Date,
    Year,
    Start,
    End,
    Name,
    Picture,
    Answer,
    Address,
    PlaceOfBirth,
}

/// Returns a plain name in a language.
pub(super) fn plain_name(plain: PlainName, language: Language) -> &'static str {
    let names = match plain {
        PlainName::Field => ["Field", "Champ", "حقل"],
        PlainName::Date => ["Date", "Date", "التاريخ"],
        PlainName::Year => ["Year", "Année", "السنة"],
        PlainName::Start => ["Start", "Début", "البداية"],
        PlainName::End => ["End", "Fin", "النهاية"],
        PlainName::Name => ["Name", "Nom", "الاسم"],
        PlainName::Picture => ["Picture", "Image", "الصورة"],
        PlainName::Answer => ["Answer", "Réponse", "الإجابة"],
        PlainName::Address => ["Address", "Adresse", "العنوان"],
        PlainName::PlaceOfBirth => ["Place of birth", "Lieu de naissance", "مكان الميلاد"],
    };
    names[index_of(language)]
}
