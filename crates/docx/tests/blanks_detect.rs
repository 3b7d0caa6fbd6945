//! Detection of blanks: small documents in three languages, with the text and the name of each expected blank.

mod sections;

use sections::{open, p, row, table};
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{Blank, BlankForm, Confidence, MAX_BLANKS, detect_blanks, is_valid};
use waraq_docx::{Budget, Package};
use waraq_rules::field_settings::ValueKind;

fn detect(body: &str) -> Vec<Blank> {
    detect_blanks(&open(body)).unwrap().blanks
}

/// Returns `text=name` for each blank.
fn found(body: &str) -> Vec<String> {
    detect(body).iter().map(|blank| format!("{}={}", blank.text.trim(), blank.name)).collect()
}

/// A run with run properties.
fn styled(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn plain(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

const HIGHLIGHT: &str = "<w:highlight w:val=\"yellow\"/>";

/// Documents of paragraphs without formatting: the paragraphs, and the expected `text=name`.
const TEXTS: &[(&[&str], &[&str])] = &[
    // Labels before a colon.
    (&["Name: __________"], &["__________=Name"]),
    (&["Full name: ________ Phone: ________"], &["________=Full name", "________=Phone"]),
    (&["1. Date of birth: ______"], &["______=Date of birth"]),
    (&["Nom et prénom : ………………"], &["………………=Nom et prénom"]),
    (&["Adresse : ....................."], &[".....................=Adresse"]),
    (&["N° de téléphone : __________"], &["__________=N° de téléphone"]),
    (&["الاسم الكامل: ....................."], &[".....................=الاسم الكامل"]),
    (&["رقم الهاتف : ________"], &["________=رقم الهاتف"]),
    (&["العنوان: …………………"], &["…………………=العنوان"]),
    (&["E-mail address: _______________"], &["_______________=E-mail address"]),
    (&["Name _____________"], &["_____________=Name"]),
    (&["Ville.................."], &["..................=Ville"]),
    // Noun phrases.
    (&["The monthly rent is ________ per month."], &["________=Monthly rent"]),
    (&["The amount of the deposit is ________."], &["________=Amount of the deposit"]),
    (&["Le loyer mensuel est fixé à ............ euros."], &["............=Loyer mensuel"]),
    (&["Le montant du dépôt de garantie est de …………… euros."], &["……………=Montant du dépôt de garantie"]),
    (&["2.1 Late payments bear interest at ____ %."], &["____=Interest"]),
    (&["وبدل سكن قدره ________ درهم"], &["________=بدل سكن"]),
    (&["1.1 The Consultant shall provide the following services: ________"], &["________=Following services"]),
    (&["مبلغ الإيجار الشهري قدره ............ درهم"], &["............=مبلغ الإيجار الشهري"]),
    // Phrases.
    (&["I, the undersigned ____________, certify the following."], &["____________=Name"]),
    (&["The seller was born on __________ and agrees."], &["__________=Date of birth"]),
    (&["Je soussigné(e) ……………………… certifie ce qui suit."], &["………………………=Nom"]),
    (&["Mme Durand, demeurant à ........................"], &["........................=Adresse"]),
    (&["né(e) le ____________ à Paris"], &["____________=Date de naissance"]),
    (&["أنا الموقع أدناه ........................"], &["........................=الاسم"]),
    (&["المولود بتاريخ ............"], &["............=تاريخ الميلاد"]),
    (&["حرر في ............ بتاريخ ............"], &["............=مكان التحرير", "............=التاريخ"]),
    (&["Fait à ……………, le ……………"], &["……………=Lieu", "……………=Date"]),
    (&["Signed at __________ on __________"], &["__________=Place", "__________=Date"]),
    (&["represented by ______________ and others"], &["______________=Representative"]),
    (&["représentée par .............. dûment habilité"], &["..............=Représentant"]),
    // Units.
    (&["for ____ months"], &["____=Number of months"]),
    (&["pour ..... jours"], &[".....=Nombre de jours"]),
    (&["لمدة ....... أشهر"], &[".......=المدة"]),
    (&["payable within ____ days"], &["____=Number of days"]),
    (&["The notice period is ____ days."], &["____=Notice period"]),
    (&["Fait en ____ exemplaires"], &["____=Nombre d’exemplaires"]),
    // A blank that belongs to the blank before it.
    (&["The price is ________ euros (________ euros)."], &["________=Price", "________=Price in words"]),
    (&["المبلغ ________ ريال (فقط ________ ريال)"], &["________=المبلغ", "________=المبلغ كتابة"]),
    (&["né(e) le ________ à ________"], &["________=Date de naissance", "________=Lieu de naissance"]),
    (
        &["(1) ________ of ________ (the “Consultant”)", "(2) ________ of ________ (the “Client”)"],
        &["________=Consultant name", "________=Consultant address", "________=Client name", "________=Client address"],
    ),
    // Periods.
    (&["from ________ to ________"], &["________=Start", "________=End"]),
    (&["du ………… au …………"], &["…………=Début", "…………=Fin"]),
    (&["من ............ إلى ............"], &["............=البداية", "............=النهاية"]),
    // Dates.
    (&["Date: __/__/____"], &["__/__/____=Date"]),
    (&["The contract starts on __/__/20__."], &["__/__/20__=Start date"]),
    (&["Le ../../...."], &["../../....=Date"]),
    (&["Date d’effet : JJ/MM/AAAA"], &["JJ/MM/AAAA=Date d’effet"]),
    (&["Due date: DD/MM/YYYY"], &["DD/MM/YYYY=Due date"]),
    (&["on this ____ day of __________, 20__"], &["____=Day", "__________=Month", "20__=Year"]),
    (&["التاريخ: __/__/____"], &["__/__/____=التاريخ"]),
    // Brackets.
    (&["This agreement is made by [Company Name]."], &["[Company Name]=Company Name"]),
    (&["[COMPANY NAME] and [insert address]"], &["[COMPANY NAME]=Company name", "[insert address]=Address"]),
    (
        &["Entre [Nom du bailleur] et [nom du locataire]"],
        &["[Nom du bailleur]=Nom du bailleur", "[nom du locataire]=Nom du locataire"],
    ),
    (&["[اسم الشركة]"], &["[اسم الشركة]=اسم الشركة"]),
    (&["بين [اسم البائع] و[اسم المشتري]"], &["[اسم البائع]=اسم البائع", "[اسم المشتري]=اسم المشتري"]),
    (&["الطرف[ان]"], &[]),
    (&["The price is [●] per unit."], &["[●]=Price"]),
    (&["Dear <Recipient name>,"], &["<Recipient name>=Recipient name"]),
    (&["«Nom_Client» habite ici"], &["«Nom_Client»=Nom client"]),
    (&["Hello {first_name} and ${lastName}"], &["{first_name}=First name", "${lastName}=Last name"]),
    (&["Ref. [[order_number]]"], &["[[order_number]]=Order number"]),
    (&["Nom : [à compléter]"], &["[à compléter]=Nom"]),
    (&["Le prix est de XXXX euros"], &["XXXX=Prix"]),
    // Definitions and parties.
    (
        &[
            "Between: ____________ (the “Landlord”), residing at ____________",
            "and ____________ (the “Tenant”), residing at ____________",
        ],
        &[
            "____________=Landlord name",
            "____________=Landlord address",
            "____________=Tenant name",
            "____________=Tenant address",
        ],
    ),
    (
        &[
            "Le bailleur :",
            "Nom : ________",
            "Adresse : ________",
            "Le locataire :",
            "Nom : ________",
            "Adresse : ________",
        ],
        &[
            "________=Nom du bailleur",
            "________=Adresse du bailleur",
            "________=Nom du locataire",
            "________=Adresse du locataire",
        ],
    ),
    (
        &["المؤجر:", "الاسم: ________", "العنوان: ________", "المستأجر:", "الاسم: ________", "العنوان: ________"],
        &["________=اسم المؤجر", "________=عنوان المؤجر", "________=اسم المستأجر", "________=عنوان المستأجر"],
    ),
    (&["The Landlord: ________"], &["________=Landlord name"]),
    // Check boxes.
    (&["☐ Married ☐ Single"], &["☐=Married", "☐=Single"]),
    (&["Pets allowed: ☐ Yes ☐ No"], &["☐=Pets allowed - yes", "☐=Pets allowed - no"]),
    (&["[ ] Apartment [ ] House"], &["[ ]=Apartment", "[ ]=House"]),
    (&["☐ Marié(e)\u{a0} ☐ Célibataire"], &["☐=Marié(e)", "☐=Célibataire"]),
    (&["□ متزوج □ أعزب"], &["□=متزوج", "□=أعزب"]),
    (&["[    ] Renewed each year", "(   ) Not renewed"], &["[    ]=Renewed each year", "(   )=Not renewed"]),
    // Lines and labels below.
    (&["____________________", "Signature"], &["____________________=Signature"]),
    (&["________________ (full name)"], &["________________=Full name"]),
    (&["Remarks: ______________", "______________", "______________"], &["______________=Remarks"]),
    // Equal words are one field, equal labels are not.
    (&["[Client] pays.", "[Client] signs."], &["[Client]=Client name", "[Client]=Client name"]),
    (&["Item: ________", "Item: ________"], &["________=Item", "________=Item 2"]),
    // A field that exists is no blank, and its name is not suggested for another blank.
    (&["{{Name}} and Name: ______"], &["______=Name 2"]),
    (&["{{Name}} [Name]"], &["[Name]=Name"]),
];

#[test]
fn blanks_in_text_are_found_and_named() {
    let mut wrong = Vec::new();
    for (paragraphs, expected) in TEXTS {
        let escape = |text: &&str| p(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
        let body: String = paragraphs.iter().map(escape).collect();
        let found = found(&body);
        if found != *expected {
            wrong.push(format!("{paragraphs:?}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), TEXTS.len(), wrong.join("\n"));
}

/// Ordinary texts without blanks.
const WITHOUT_BLANKS: &[&str] = &[
    "",
    "The parties agree that this contract is governed by English law.",
    "And so on... He waited… then left.",
    "Il a dit [sic] que, selon [12], c’est fini.",
    "« Le Bailleur » et « le Locataire » ont signé.",
    "قال «المؤجر» إن العقد ساري المفعول.",
    "See https://example.org/a_b__c?d=[x] or write to <info@example.org>.",
    "If a < b and c > d, then x = {1; 2}.",
    "Article XXX, section 3.1.4, 12/05/2024, 10-12.",
    "snake_case_name and party[s]",
    "{{name}} has {{#items}}{{price}}{{/items}} items",
    "etc....",
    "{IF bonus_terms} The bonus is paid. {END-IF}",
    "The element <w:p> ends with </w:p>.",
    "The function main( ) returns x[].",
    "[Drafting note: select one] [/code]",
    "他说……走了",
    "The tenant shall pay the rent on the first day of the month (see clause 4).",
    "1.5 % and 3/4 of the 20 members",
    "A – B — C ---- D",
];

#[test]
fn ordinary_texts_have_no_blanks() {
    for text in WITHOUT_BLANKS {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        assert_eq!(found(&p(&text)), Vec::<String>::new(), "{text}");
    }
    let letter: String = WITHOUT_BLANKS.iter().map(|text| p(&text.replace('<', "&lt;"))).collect();
    assert_eq!(found(&letter), Vec::<String>::new());
    assert_eq!(detect_blanks(&open("<w:p/>")).unwrap().omitted, 0);
}

#[test]
fn formatted_blanks_are_found() {
    let underlined = "<w:u w:val=\"single\"/>";
    let leader = |kind: &str, runs: &str| {
        format!(
            "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\" w:leader=\"{kind}\" w:pos=\"6000\"/></w:tabs></w:pPr>{runs}</w:p>"
        )
    };
    let tab = "<w:r><w:tab/></w:r>";
    let styled_tab = format!("<w:r><w:rPr>{underlined}</w:rPr><w:tab/></w:r>");
    for (body, expected) in [
        (format!("<w:p>{}{}</w:p>", plain("Between "), styled(HIGHLIGHT, "Acme Ltd")), &["Acme Ltd=Acme Ltd"][..]),
        (
            format!("<w:p>{}{}</w:p>", plain("Société "), styled(HIGHLIGHT, "[raison sociale]")),
            &["[raison sociale]=Raison sociale"],
        ),
        (format!("<w:p>{}{}</w:p>", plain("Name: "), styled(HIGHLIGHT, "________")), &["________=Name"]),
        (
            format!("<w:p>{}{}</w:p>", styled(HIGHLIGHT, "اسم "), styled(HIGHLIGHT, "العميل")),
            &["اسم العميل=اسم العميل"],
        ),
        (
            format!("<w:p>{}{}</w:p>", plain("City: "), styled("<w:shd w:val=\"clear\" w:fill=\"FFFF00\"/>", "Paris")),
            &["Paris=Paris"],
        ),
        (format!("<w:p>{}{}{}</w:p>", plain("Name: "), styled(underlined, "          "), plain(" end")), &["=Name"]),
        (format!("<w:p>{}{}</w:p>", plain("Nom : "), styled_tab), &["=Nom"]),
        (leader("underscore", &(plain("Address:") + tab)), &["=Address"]),
        (leader("dot", &(plain("Adresse :") + tab)), &["=Adresse"]),
        (leader("dot", &(plain("Introduction") + tab + &plain("12"))), &[]),
        (format!("<w:p>{}</w:p>", styled(underlined, "An underlined  heading")), &[]),
        (
            format!(
                "<w:p>{}<w:r><w:sym w:font=\"Wingdings\" w:char=\"F0A8\"/></w:r>{}</w:p>",
                plain(""),
                plain(" Paid")
            ),
            &["=Paid"],
        ),
        (
            format!(
                "<w:p>{}{}</w:p>",
                styled("<w:rFonts w:ascii=\"Wingdings\" w:hAnsi=\"Wingdings\"/>", "o"),
                plain(" Payé")
            ),
            &["o=Payé"],
        ),
        // One text in several runs.
        (
            format!("<w:p>{}{}{}</w:p>", plain("Name: __"), styled("<w:b/>", "____"), plain("__ end")),
            &["________=Name"],
        ),
        // Deleted text, hidden text and copies of text boxes are skipped.
        ("<w:p><w:del w:id=\"1\"><w:r><w:delText>Name: ______</w:delText></w:r></w:del></w:p>".to_owned(), &[]),
        (format!("<w:p>{}</w:p>", styled("<w:vanish/>", "Name: ______")), &[]),
    ] {
        assert_eq!(found(&body), expected, "{body}");
    }
}

#[test]
fn the_placeholder_style_is_known_by_its_name() {
    let body = format!("<w:p>{}{}</w:p>", plain("To "), styled("<w:rStyle w:val=\"a3\"/>", "the name of the client"));
    let mut document = DocumentBuilder::new(&body);
    let style = "<w:style w:type=\"character\" w:styleId=\"a3\"><w:name w:val=\"Placeholder Text\"/></w:style>";
    document.add_related_part("styles", "styles", "styles.xml", style);
    let blanks = detect_blanks(&Package::open(&document.to_bytes()).unwrap()).unwrap().blanks;
    assert_eq!((blanks[0].name.as_str(), blanks[0].form), ("Name of the client", BlankForm::Placeholder));
    assert_eq!(blanks[0].confidence, Confidence::High);
}

#[test]
fn objects_are_blanks() {
    let control = |properties: &str, text: &str| {
        format!(
            "<w:p>{}<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt></w:p>",
            plain("Label: "),
            plain(text)
        )
    };
    let placeholder = "<w:showingPlcHdr/>";
    let list = "<w:dropDownList><w:listItem w:displayText=\"Red\" w:value=\"1\"/><w:listItem w:displayText=\"Blue\" w:value=\"2\"/></w:dropDownList>";
    let form = |data: &str, code: &str, result: &str| {
        format!(
            "<w:p>{}<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData>{data}</w:ffData></w:fldChar></w:r><w:r><w:instrText> {code} \
             </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>",
            plain("Label: "),
            plain(result)
        )
    };
    for (body, name, form, kind, choices) in [
        (
            control(&format!("<w:alias w:val=\"Client name\"/>{placeholder}"), "Click here"),
            "Client name",
            BlankForm::ContentControl,
            ValueKind::Text,
            0,
        ),
        (
            control(placeholder, "Click or tap here to enter text."),
            "Label",
            BlankForm::ContentControl,
            ValueKind::Text,
            0,
        ),
        (control("<w:date/>", "1 May 2024"), "Label", BlankForm::ContentControl, ValueKind::Date, 0),
        (control(list, "Choose an item."), "Label", BlankForm::ContentControl, ValueKind::Choice, 2),
        (control("<w14:checkbox/>", "☐"), "Label", BlankForm::ContentControl, ValueKind::Choice, 2),
        (control("<w:text w:multiLine=\"1\"/>", ""), "Label", BlankForm::ContentControl, ValueKind::LongText, 0),
        (form("<w:name w:val=\"Text1\"/>", "FORMTEXT", "     "), "Label", BlankForm::FormField, ValueKind::Text, 0),
        (form("<w:name w:val=\"Town\"/>", "FORMTEXT", "     "), "Town", BlankForm::FormField, ValueKind::Text, 0),
        (
            form("<w:textInput><w:type w:val=\"date\"/></w:textInput>", "FORMTEXT", ""),
            "Label",
            BlankForm::FormField,
            ValueKind::Date,
            0,
        ),
        (
            form("<w:ddList><w:listEntry w:val=\"A\"/><w:listEntry w:val=\"B\"/></w:ddList>", "FORMDROPDOWN", ""),
            "Label",
            BlankForm::FormField,
            ValueKind::Choice,
            2,
        ),
        (form("<w:checkBox/>", "FORMCHECKBOX", ""), "Label", BlankForm::FormField, ValueKind::YesNo, 0),
        (
            format!("<w:p><w:fldSimple w:instr=\" MERGEFIELD City \">{}</w:fldSimple></w:p>", plain("«City»")),
            "City",
            BlankForm::MergeField,
            ValueKind::Text,
            0,
        ),
    ] {
        let blanks = detect(&body);
        assert_eq!(blanks.len(), 1, "{body}\n{blanks:?}");
        let blank = &blanks[0];
        assert_eq!(
            (blank.name.as_str(), blank.form, blank.kind, blank.choices.len()),
            (name, form, kind, choices),
            "{body}"
        );
    }
    // A control with a tag is a field already, and a control with text of its own is no blank.
    assert_eq!(found(&control("<w:tag w:val=\"name\"/><w:showingPlcHdr/>", "____________")), Vec::<String>::new());
    assert_eq!(found(&control("", "Acme Ltd")), Vec::<String>::new());
    // The results of other fields are computed.
    let page = "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r><w:r><w:fldChar \
                w:fldCharType=\"separate\"/></w:r><w:r><w:t>Chapter ........ 12</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    assert_eq!(found(page), Vec::<String>::new());
}

#[test]
fn empty_cells_beside_labels_are_blanks() {
    let merged = "<w:tr><w:tc><w:tcPr><w:vMerge w:val=\"restart\"/></w:tcPr><w:p><w:r><w:t>Notes</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr>\
                  <w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>";
    for (rows, expected) in [
        (vec![row(&["Name", ""]), row(&["Address:", ""])], &["Name", "Address"][..]),
        (vec![row(&["Nom", "", "Prénom", ""])], &["Nom", "Prénom"]),
        (vec![row(&["الاسم", ""]), row(&["الهاتف", ""])], &["الاسم", "الهاتف"]),
        (
            vec![row(&["Item", "Quantity"]), row(&["", ""]), row(&["", ""])],
            &["Item", "Quantity", "Item 2", "Quantity 2"],
        ),
        (vec![row(&["", "Landlord", "Tenant"]), row(&["Name", "", ""])], &["Name - Landlord", "Name - Tenant"]),
        // A column that keeps two parties apart.
        (
            vec![row(&["", "Party 1", "", "Party 2"]), row(&["Signature", "", "", ""])],
            &["Signature - Party 1", "Signature - Party 2"],
        ),
        (vec![row(&["Total", "100"]), row(&["Paid", "50"])], &[]),
        (vec![row(&["Name", "________"])], &["Name"]),
        (vec![row(&["Name", "Date: ______"])], &["Date"]),
        (vec![row(&["", ""])], &[]),
        (vec![merged.to_owned()], &["Notes"]),
        (
            vec![row(&[
                "This is a long sentence that explains the purpose of the table to the readers of this form.",
                "",
            ])],
            &[],
        ),
    ] {
        let body = table(&rows) + &p("after");
        let names: Vec<String> = detect(&body).into_iter().map(|blank| blank.name).collect();
        assert_eq!(names, expected, "{body}");
    }
}

#[test]
fn kinds_and_choices_are_detected() {
    for (text, kind, choices) in [
        ("Date: ______", ValueKind::Date, &[][..]),
        ("E-mail: ______", ValueKind::Email, &[]),
        ("Téléphone : ______", ValueKind::Phone, &[]),
        ("Monthly rent: ______", ValueKind::Amount, &[]),
        ("the sum of ________ euros", ValueKind::Amount, &[]),
        ("Number of rooms: ____", ValueKind::Number, &[]),
        ("Signature: ______________", ValueKind::Signature, &[]),
        ("Date of signature: ______________", ValueKind::Date, &[]),
        ("مكان التوقيع: ______________", ValueKind::Text, &[]),
        ("The tenant [is/is not] a smoker.", ValueKind::Choice, &["is", "is not"]),
        ("[Mr / Mrs] Smith", ValueKind::Choice, &["Mr", "Mrs"]),
        ("Paiement [mensuel ou annuel]", ValueKind::Choice, &["mensuel", "annuel"]),
        ("☐ Paid", ValueKind::YesNo, &[]),
        ("[DD/MM/YYYY]", ValueKind::Date, &[]),
        ("Name: ______", ValueKind::Text, &[]),
    ] {
        let blanks = detect(&p(text));
        assert_eq!(blanks.len(), 1, "{text}: {blanks:?}");
        assert_eq!(
            (blanks[0].kind, blanks[0].choices.as_slice()),
            (kind, choices.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>().as_slice()),
            "{text}"
        );
    }
}

#[test]
fn confidence_depends_on_the_form() {
    let of = |text: &str| detect(&p(text)).first().map(|blank| blank.confidence);
    assert_eq!(of("Name: ____________"), Some(Confidence::High));
    assert_eq!(of("Name: ..... end"), Some(Confidence::Medium));
    assert_eq!(of("the price of ... euros"), Some(Confidence::Low));
    assert!(of("____________") < Some(Confidence::High));
}

#[test]
fn all_parts_are_searched_and_places_are_told() {
    let mut document = DocumentBuilder::new(&(p("x") + &p("Name: ______")));
    document.add_related_part("header", "hdr", "header1.xml", &p("Ref: ______"));
    document.add_related_part(
        "footnotes",
        "footnotes",
        "footnotes.xml",
        &format!("<w:footnote w:id=\"2\">{}</w:footnote>", p("Note: ______")),
    );
    let found = detect_blanks(&Package::open(&document.to_bytes()).unwrap()).unwrap();
    let places: Vec<(&str, usize, usize, usize)> =
        found.blanks.iter().map(|blank| (blank.part.as_str(), blank.paragraph, blank.start, blank.end)).collect();
    assert_eq!(
        places,
        [("word/document.xml", 2, 6, 12), ("word/footnotes.xml", 1, 6, 12), ("word/header1.xml", 1, 5, 11)]
    );
    assert_eq!(found.language, "en");
    assert_eq!(detect_blanks(&open(&p("Le nom du client est ______"))).unwrap().language, "fr");
    assert_eq!(detect_blanks(&open(&p("اسم العميل ______"))).unwrap().language, "ar");
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json["blanks"][0]["form"], "underscores");
    assert_eq!(json["blanks"][0]["confidence"], "high");
}

#[test]
fn names_are_valid_and_distinct() {
    let many: String = (0..300).map(|_| p("Name: ______ Name: ______")).collect();
    let odd = p("[a | b &amp; {c}] ${d^e} [Ünï—cödé “x”?] [###] [<b>]").replace("<b>", "&lt;b&gt;");
    let long = p(&format!("[{}]", "very long name ".repeat(4))) + &p(&format!("{}: ______", "word ".repeat(300)));
    let blanks = detect(&(many + &odd + &long));
    assert!(blanks.len() > 600);
    let mut keys = std::collections::HashMap::new();
    for blank in &blanks {
        assert!(is_valid(&blank.name), "{:?}", blank.name);
        let key = keys.entry(blank.name.clone()).or_insert_with(|| blank.key.clone());
        assert_eq!(*key, blank.key, "{}", blank.name);
    }
}

#[test]
fn hostile_documents_are_bounded() {
    let underscores = "_".repeat(300_000);
    let pairs = "[a ".repeat(50_000);
    let dots = ". ".repeat(100_000);
    let spaces = " / ".repeat(50_000);
    let letters = format!("a{}", "x".repeat(200_000));
    let years = "20".repeat(50_000);
    for text in [&underscores, &pairs, &dots, &spaces, &letters, &years] {
        let found = detect_blanks(&open(&p(text))).unwrap();
        assert!(found.blanks.len() <= MAX_BLANKS);
        assert!(found.blanks.iter().all(|blank| blank.text.chars().count() <= 200));
    }
    let many = detect_blanks(&open(&p(&"Name: ____ ".repeat(5_000)))).unwrap();
    assert_eq!((many.blanks.len(), many.omitted), (MAX_BLANKS, 4_000));
    let begin = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>FORMTEXT</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>";
    let nested =
        format!("<w:p>{}{}</w:p>", begin.repeat(5_000), "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>".repeat(5_000));
    assert!(detect_blanks(&open(&nested)).is_ok());
    let cells = table(&vec![row(&["Name", ""]); 3_000]) + &p("");
    assert_eq!(detect_blanks(&open(&cells)).unwrap().blanks.len(), MAX_BLANKS);
}

#[test]
fn the_budget_of_the_package_counts() {
    let package = open(&p(&"Name: ______ ".repeat(2_000)));
    let mut budget = Budget::default();
    budget.work = 20_000;
    assert_eq!(detect_blanks(&package.with_budget(&budget)).unwrap_err().code.as_str(), "too_complex");
}
