//! The fields of a mail merge that are replaced when a template is filled (ECMA-376 part 1, §17.16.5). They are
//! MERGEFIELD, ADDRESSBLOCK, GREETINGLINE, FILLIN, ASK, and the fields that choose or count records.

use waraq_rules::format::FieldFormat;
use waraq_rules::name;

use super::matching::is_foreign_merge_name;
use crate::read::field_catalogue::field_name;
use crate::read::field_code::FieldCode;

/// The content that replaces a field of a mail merge when the template is filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MergeContent {
    /// The value of one field (MERGEFIELD, FILLIN).
    Value(MergeValue),
    /// Several fields with text between them (ADDRESSBLOCK, GREETINGLINE).
    Block(MergeBlock),
    /// A text that is the same in every document, because a template is filled with one record. It is `1` for MERGEREC
    /// and MERGESEQ. It is empty for NEXT, NEXTIF and SKIPIF.
    Text(&'static str),
}

/// A MERGEFIELD or FILLIN.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MergeValue {
    /// The name of the field, not normalized.
    pub name: String,
    pub format: FieldFormat,
    /// The text before a value that is not empty (`\b`).
    pub before: String,
    /// The text after a value that is not empty (`\f`).
    pub after: String,
    /// The text that replaces an empty value: the default answer of a FILLIN (`\d`).
    pub default: String,
    /// The field asks for a text when Word updates it (FILLIN). Such a field may have no value.
    pub is_prompt: bool,
    /// The field is in a row of a list, and its name has the form `items[3].price`.
    pub is_in_row: bool,
}

/// An ADDRESSBLOCK or GREETINGLINE.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MergeBlock {
    /// The name of the field in upper case, for diagnostics.
    pub field: String,
    pub pieces: Vec<BlockPiece>,
    /// The text that replaces the block if all its parts are empty (`\e` of a GREETINGLINE).
    pub without_parts: String,
    /// The rule for the country in an address (`\c`, `\e` of an ADDRESSBLOCK).
    pub country: CountryLine,
}

/// The addresses that show their country (`\c` of an ADDRESSBLOCK).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum CountryLine {
    #[default]
    Always,
    Never,
    /// All addresses except those in this country.
    Except(String),
}

/// A piece of the format of a block (`\f`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BlockPiece {
    /// Text between the parts.
    Text(String),
    /// The text of a `_BEFORE_` or `_AFTER_` placeholder. It is shown if at least one part of the block is not empty.
    Around(String),
    Part(BlockPart),
}

/// A part of a block, such as `<< _LAST0_>>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BlockPart {
    /// The part, such as `LAST0`.
    pub kind: &'static PartKind,
    /// The name of the template field. `None`: the data source of the mail merge has no such column.
    pub name: Option<String>,
    /// The text before the value, if the value is not empty.
    pub before: String,
    /// The text after the value, if the value is not empty.
    pub after: String,
}

/// A kind of part that a block may contain.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PartKind {
    /// The name in the format of a block, without the underscores around it.
    pub placeholder: &'static str,
    /// The name in the mapping of the mail merge (w:mappedName).
    pub mapped_name: &'static str,
    /// The usual names of the column. The first one is used if the template has no field with one of these names.
    pub usual_names: &'static [&'static str],
}

const fn part(placeholder: &'static str, mapped_name: &'static str, usual_names: &'static [&'static str]) -> PartKind {
    PartKind { placeholder, mapped_name, usual_names }
}

/// The parts of an address and of a greeting. Word recognizes their usual names in a data source without a mapping.
static PARTS: [PartKind; 19] = [
    part("TITLE0", "Courtesy Title", &["Title", "Courtesy Title", "Civilité", "Salutation", "اللقب"]),
    part("FIRST0", "First Name", &["First Name", "First", "Given Name", "Prénom", "الاسم الأول"]),
    part("MIDDLE0", "Middle Name", &["Middle Name", "Middle"]),
    part("LAST0", "Last Name", &["Last Name", "Last", "Surname", "Family Name", "Nom", "اسم العائلة"]),
    part("SUFFIX0", "Suffix", &["Suffix"]),
    part("NICK0", "Nickname", &["Nickname"]),
    part("TITLE1", "Spouse Courtesy Title", &["Spouse Title"]),
    part("FIRST1", "Spouse First Name", &["Spouse First Name", "Spouse"]),
    part("MIDDLE1", "Spouse Middle Name", &["Spouse Middle Name"]),
    part("LAST1", "Spouse Last Name", &["Spouse Last Name"]),
    part("NICK1", "Spouse Nickname", &["Spouse Nickname"]),
    part("COMPANY", "Company", &["Company", "Company Name", "Organization", "Société", "الشركة"]),
    part("JOB", "Job Title", &["Job Title", "Fonction"]),
    part(
        "STREET1",
        "Address 1",
        &["Address 1", "Address", "Address Line 1", "Street", "Adresse 1", "Adresse", "العنوان"],
    ),
    part("STREET2", "Address 2", &["Address 2", "Address Line 2", "Adresse 2"]),
    part("CITY", "City", &["City", "Town", "Ville", "المدينة"]),
    part("STATE", "State", &["State", "Province", "Region", "Région"]),
    part("POSTAL", "Postal Code", &["Postal Code", "ZIP Code", "ZIP", "Postcode", "Code postal", "الرمز البريدي"]),
    part("COUNTRY", "Country or Region", &["Country", "Country or Region", "Pays", "البلد"]),
];

/// The maximum number of pieces of a block. The rest of its format is ignored.
const MAX_PIECES: usize = 100;
/// The format of an address without the switch `\f`, as Word writes it.
const DEFAULT_ADDRESS: &str = "<<_TITLE0_ >><<_FIRST0_>><< _LAST0_>><< _SUFFIX0_>>\n<<_COMPANY_\n>><<_STREET1_\n>><<_STREET2_\n>>\
    <<_CITY_>><<, _STATE_>><< _POSTAL_>><<\n_COUNTRY_>>";
/// The format of a greeting without the switch `\f`.
const DEFAULT_GREETING: &str = "<<_BEFORE_ Dear >><<_TITLE0_>><< _LAST0_>><<_AFTER_ ,>>";

impl MergeContent {
    /// Returns the content that replaces the field with this code. Returns `None` if the field is not part of a mail merge.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        let name = field_name(code);
        Some(match name.as_str() {
            "MERGEFIELD" if code.trim().len() > name.len() => Self::Value(merge_field(code)),
            "FILLIN" => Self::Value(prompt(&FieldCode::parse(code))),
            "ADDRESSBLOCK" | "GREETINGLINE" => Self::Block(MergeBlock::new(name, &FieldCode::parse(code))),
            "MERGEREC" | "MERGESEQ" => Self::Text("1"),
            "NEXT" | "NEXTIF" | "SKIPIF" => Self::Text(""),
            _ => return None,
        })
    }

    /// Returns the memory of the content in bytes, without the size of the type itself.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Value(value) => value.name.len() + value.before.len() + value.after.len() + value.default.len(),
            Self::Block(block) => {
                block.pieces.len() * size_of::<BlockPiece>() + block.pieces.iter().map(BlockPiece::size).sum::<usize>()
            }
            Self::Text(_) => 0,
        }
    }

    /// Returns the names of the template fields, normalized and valid.
    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Self::Value(value) => value.field_name().into_iter().collect(),
            Self::Block(block) => block.names().map(str::to_owned).collect(),
            Self::Text(_) => Vec::new(),
        }
    }
}

impl MergeValue {
    /// Returns the normalized name. Returns `None` if the name is not valid, or if it is syntax of another template
    /// engine.
    pub(super) fn field_name(&self) -> Option<String> {
        if self.is_in_row {
            return Some(self.name.clone());
        }
        let name = name::normalize(&self.name);
        (name::is_valid(&name) && !is_foreign_merge_name(&name)).then_some(name)
    }
}

/// Reads a code such as ` MERGEFIELD  "Nom du client"  \* MERGEFORMAT `.
fn merge_field(code: &str) -> MergeValue {
    let code = FieldCode::parse(code);
    MergeValue {
        name: code.first_argument().unwrap_or_default().to_owned(),
        format: code.format(),
        before: code.switch_value('b').unwrap_or_default().to_owned(),
        after: code.switch_value('f').unwrap_or_default().to_owned(),
        ..MergeValue::default()
    }
}

/// Reads a code such as ` FILLIN "Your name?" \d "nobody" `.
fn prompt(code: &FieldCode) -> MergeValue {
    let default = code.switch_value('d').unwrap_or_default();
    // A default answer with a field of the template is not known before the template is filled.
    let default = if default.contains("{{") { String::new() } else { default.to_owned() };
    let name = valid_name(code.first_argument().unwrap_or_default());
    let name = if name.is_empty() { "FILLIN".to_owned() } else { name };
    MergeValue { name, format: code.format(), default, is_prompt: true, ..MergeValue::default() }
}

/// Returns a valid field name made from a prompt. Characters that no name may contain are left out, and a long name is
/// shortened. The name is empty if no character remains.
fn valid_name(prompt: &str) -> String {
    let normalized = name::normalize(prompt);
    let valid: String =
        normalized.chars().filter(|character| name::is_valid(character.encode_utf8(&mut [0; 4]))).collect();
    let trimmed = name::normalize(&valid).trim_end_matches([':', '.', ',']).to_owned();
    name::normalize(&trimmed.chars().take(name::MAX_NAME_CHARACTERS).collect::<String>())
}

/// Returns the field name of an ASK, which is the name of its bookmark, and that bookmark. Returns `None` for other
/// fields, and for an ASK without a valid name.
pub(super) fn asked_bookmark(code: &str) -> Option<(String, String)> {
    if field_name(code) != "ASK" {
        return None;
    }
    let bookmark = FieldCode::parse(code).first_argument()?.to_owned();
    let name = name::normalize(&bookmark);
    name::is_valid(&name).then_some((name, bookmark))
}

impl BlockPiece {
    /// Returns the memory of the texts of the piece in bytes. The name of a field is counted with its usual length.
    fn size(&self) -> usize {
        const USUAL_NAME_BYTES: usize = 16;
        match self {
            Self::Text(text) | Self::Around(text) => text.len(),
            Self::Part(part) => part.before.len() + part.after.len() + USUAL_NAME_BYTES,
        }
    }
}

impl MergeBlock {
    fn new(field: String, code: &FieldCode) -> Self {
        let address = field == "ADDRESSBLOCK";
        let default = if address { DEFAULT_ADDRESS } else { DEFAULT_GREETING };
        let format = code.switch_value('f').filter(|format| format.contains("<<")).unwrap_or(default);
        let exception = code.switch_value('e').unwrap_or_default().to_owned();
        let country = match code.switch_value('c') {
            Some("0") if address => CountryLine::Never,
            Some("2") if address && !exception.is_empty() => CountryLine::Except(exception.clone()),
            _ => CountryLine::Always,
        };
        let without_parts = if address { String::new() } else { exception };
        Self { field, pieces: block_pieces(format), without_parts, country }
    }

    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut BlockPart> {
        self.pieces.iter_mut().filter_map(|piece| match piece {
            BlockPiece::Part(part) => Some(part),
            _ => None,
        })
    }

    /// Returns the names of the fields that replace the parts of the block, normalized.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            BlockPiece::Part(part) => part.name.as_deref(),
            _ => None,
        })
    }

    /// Returns the text of the block. `value_of` returns the value of a field. Lines without text are left out.
    pub(super) fn text(&self, mut value_of: impl FnMut(&str) -> String) -> String {
        let mut text = String::new();
        let mut any = false;
        for piece in &self.pieces {
            match piece {
                BlockPiece::Text(literal) | BlockPiece::Around(literal) => text.push_str(literal),
                BlockPiece::Part(part) => {
                    let value = part.name.as_deref().map(&mut value_of).unwrap_or_default();
                    if value.trim().is_empty() || self.hides(part, value.trim()) {
                        continue;
                    }
                    any = true;
                    // A part that is empty leaves the text between two parts behind.
                    let before = match text.chars().next_back() {
                        None | Some('\n') => part.before.trim_start_matches([' ', ',']),
                        Some(last) if last.is_whitespace() => part.before.trim_start_matches(' '),
                        Some(_) => &part.before,
                    };
                    text.push_str(before);
                    text.push_str(value.trim());
                    text.push_str(&part.after);
                }
            }
        }
        if !any {
            return self.without_parts.clone();
        }
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    fn hides(&self, part: &BlockPart, value: &str) -> bool {
        part.kind.placeholder == "COUNTRY"
            && match &self.country {
                CountryLine::Always => false,
                CountryLine::Never => true,
                CountryLine::Except(country) => name::fold(country) == name::fold(value),
            }
    }
}

/// Splits the format of a block, such as `<<_TITLE0_ >><<_FIRST0_>>`, into its pieces.
fn block_pieces(format: &str) -> Vec<BlockPiece> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once("<<").filter(|_| pieces.len() < MAX_PIECES) {
        if !before.is_empty() {
            pieces.push(BlockPiece::Text(before.to_owned()));
        }
        let (inside, behind) = after.split_once(">>").unwrap_or((after, ""));
        pieces.extend(block_piece(inside));
        rest = behind;
    }
    if !rest.is_empty() && pieces.len() < MAX_PIECES {
        pieces.push(BlockPiece::Text(rest.to_owned()));
    }
    pieces
}

/// Reads the text between `<<` and `>>`. Returns `None` if it names no known part.
fn block_piece(inside: &str) -> Option<BlockPiece> {
    for around in ["_BEFORE_", "_AFTER_"] {
        if let Some((_, text)) = inside.split_once(around) {
            return Some(BlockPiece::Around(text.strip_prefix(' ').unwrap_or(text).to_owned()));
        }
    }
    PARTS.iter().find_map(|kind| {
        let (before, after) = inside.split_once(&format!("_{}_", kind.placeholder))?;
        let (before, after) = (before.to_owned(), after.to_owned());
        Some(BlockPiece::Part(BlockPart { kind, name: None, before, after }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_becomes_a_valid_name() {
        assert_eq!(valid_name("Your name?"), "Your name");
        assert_eq!(valid_name(" Ville : "), "Ville");
        assert_eq!(valid_name("ما اسمك؟"), "ما اسمك");
        assert_eq!(valid_name("Salary of {{name}}"), "Salary of name");
        assert_eq!(valid_name("?!"), "");
        assert_eq!(valid_name(&"x".repeat(300)).chars().count(), name::MAX_NAME_CHARACTERS);
    }

    #[test]
    fn the_text_around_a_part_is_shown_only_with_the_part() {
        let mut block = MergeBlock::new("ADDRESSBLOCK".to_owned(), &FieldCode::parse("ADDRESSBLOCK"));
        for part in block.parts_mut() {
            part.name = part.kind.usual_names.first().map(|name| (*name).to_owned());
        }
        let all = block.text(|name| name.to_owned());
        assert_eq!(
            all,
            "Title First Name Last Name Suffix\nCompany\nAddress 1\nAddress 2\nCity, State Postal Code\nCountry"
        );
        let some =
            block.text(|name| if matches!(name, "Last Name" | "State") { name.to_owned() } else { String::new() });
        assert_eq!(some, "Last Name\nState");
        assert_eq!(block.text(|_| " ".to_owned()), "");
    }
}
