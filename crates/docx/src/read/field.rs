//! Fields (§17.16): codes and results, which may be split over runs and paragraphs.

use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::FindingCode;

use super::cascade::ParagraphBase;
use super::field_code::FieldCode;
use super::story::{NESTING_LIMIT, Story};
use super::values::{flag, given, integer};
use super::xml::{Element, Ns};
use crate::tree::*;

/// The maximum length of a field code in bytes. The rest of a longer code is ignored.
const CODE_LIMIT: usize = 20_000;

/// A field whose end was not read yet.
pub(crate) struct OpenField<'t> {
    code: String,
    /// The result. `None` while the code is being read.
    result: Option<Result>,
    run: Arc<RunProperties>,
    /// The form field data (`w:ffData`).
    form: Option<Element<'t>>,
    /// The result is not updated (w:fldLock).
    locked: bool,
}

struct Result {
    plan: Plan,
    /// The index of the first inline of the result in the line.
    start: usize,
    /// The result continues in another paragraph.
    broken: bool,
    /// The result is a link, which ends with the field.
    linked: bool,
    /// The field is a table of contents.
    contents: bool,
}

/// The treatment of a field's result.
enum Plan {
    /// Show the result as saved in the document.
    Show,
    /// Show nothing.
    Hide,
    /// Let the layout compute the result.
    Compute(Field),
    /// Show this text.
    Replace(String),
}

impl<'t> Story<'t, '_> {
    /// Reads a `w:fldChar` (§17.16.18).
    pub(crate) fn field_character(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        match element.w("fldCharType") {
            Some("begin") if self.fields.len() >= NESTING_LIMIT => self.fields_ignored += 1,
            Some("separate") if self.fields_ignored > 0 => {}
            Some("end") if self.fields_ignored > 0 => self.fields_ignored -= 1,
            Some("begin") => {
                let form = element.child(Ns::W, "ffData");
                let locked = is_locked(element);
                self.fields.push(OpenField { code: String::new(), result: None, run: run.clone(), form, locked });
            }
            Some("separate") => self.begin_result(),
            Some("end") => self.end_field(),
            _ => {}
        }
    }

    /// Reads a `w:fldSimple`.
    pub(crate) fn simple_field(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let first_run = element.child(Ns::W, "r").and_then(|run| run.child(Ns::W, "rPr"));
        let run = self.run_properties(base, first_run);
        let code = element.w("instr").unwrap_or("").to_owned();
        self.fields.push(OpenField { code, result: None, run, form: None, locked: is_locked(element) });
        self.begin_result();
        self.inlines(element, base);
        self.end_field();
    }

    /// Appends text to the code of the innermost field whose code is still being read.
    pub(crate) fn field_code(&mut self, piece: &str) {
        if let Some(field) = self.fields.iter_mut().rev().find(|field| field.result.is_none())
            && field.code.len() < CODE_LIMIT
        {
            field.code.push_str(piece);
        }
    }

    /// Returns `true` if the reader is inside the code of a field.
    pub(crate) fn in_code(&self) -> bool {
        self.fields.iter().any(|field| field.result.is_none())
    }

    /// Returns `true` if the reader is inside a table of contents, the result of a TOC field (§17.16.5.68).
    pub(crate) fn in_contents(&self) -> bool {
        self.fields.iter().any(|field| field.result.as_ref().is_some_and(|result| result.contents))
    }

    /// Returns `true` if the content belongs to the code of a field. Text is then appended to that code.
    pub(crate) fn in_field_code(&mut self, content: &Content) -> bool {
        if !self.in_code() {
            return false;
        }
        match content {
            Content::Text(text) => {
                let text = text.clone();
                self.field_code(&text);
                true
            }
            // A bookmark in a field code is still a valid target.
            content => !content.is_mark(),
        }
    }

    fn begin_result(&mut self) {
        let Some(field) = self.fields.last() else { return };
        if field.result.is_some() {
            return;
        }
        let locked = field.locked;
        let code = FieldCode::parse(&field.code);
        let plan = match self.plan(&code) {
            Plan::Compute(_) if locked => Plan::Show,
            plan => plan,
        };
        let link = self.field_link(&code);
        let linked = link.is_some();
        self.line.links.extend(link.map(Arc::new));
        self.at_field_start = true;
        let start = self.line.inlines.len();
        if let Some(field) = self.fields.last_mut() {
            field.result = Some(Result { plan, start, broken: false, linked, contents: code.name == "TOC" });
        }
    }

    fn end_field(&mut self) {
        if self.fields.last().is_some_and(|field| field.result.is_none()) {
            self.begin_result();
        }
        let Some(OpenField { result: Some(result), run, .. }) = self.fields.pop() else { return };
        let link = self.line.links.last().cloned();
        if result.linked {
            self.line.links.pop();
        }
        self.at_field_start = true;
        if self.in_code() || (result.broken && !matches!(result.plan, Plan::Hide)) {
            return;
        }
        match result.plan {
            Plan::Show => {}
            Plan::Hide => self.take_result(result.start, |_| None),
            Plan::Replace(text) => self.take_result(result.start, |_| {
                Some(Inline { content: Content::Text(text), run, link })
                    .filter(|inline| !matches!(&inline.content, Content::Text(text) if text.is_empty()))
            }),
            Plan::Compute(field) => {
                let start = self.start_of_number(result.start, &field);
                self.take_result(start, |shown| {
                    Some(Inline { content: Content::Field { field, result: shown }, run, link })
                });
            }
        }
    }

    /// Returns the start of the page number in a result. Some producers put a complete line of a table of contents into
    /// the result of its PAGEREF. Only the text after the last tab is the number.
    fn start_of_number(&self, start: usize, field: &Field) -> usize {
        let is_number = matches!(field, Field::PageReference(_));
        let result = self.line.inlines.get(start..).unwrap_or_default();
        let tab = result.iter().rposition(|inline| matches!(inline.content, Content::Tab));
        tab.filter(|_| is_number).map_or(start, |tab| start + tab + 1)
    }

    /// Replaces the result of a field with the inline that `replace` returns for the result's text. The inline gets the
    /// formatting of the first text of the result.
    fn take_result(&mut self, start: usize, replace: impl FnOnce(String) -> Option<Inline>) {
        let start = start.min(self.line.inlines.len());
        let taken: Vec<Inline> = self.line.inlines.drain(start..).collect();
        let mut text = String::new();
        let mut run = None;
        let mut kept = Vec::new();
        for inline in taken {
            match &inline.content {
                Content::Text(piece) | Content::Field { result: piece, .. } => {
                    text.push_str(piece);
                    run.get_or_insert(inline.run);
                }
                Content::CommentReference(_) => kept.push(inline),
                mark if mark.is_mark() => kept.push(inline),
                _ => {}
            }
        }
        if let Some(mut inline) = replace(text) {
            inline.run = run.unwrap_or(inline.run);
            self.line.inlines.push(inline);
        }
        self.line.inlines.append(&mut kept);
    }

    /// Ends the paragraph for the open fields. They continue in the next paragraph, and their results are shown as
    /// saved.
    pub(crate) fn end_of_paragraph(&mut self) {
        let mut hidden_from = None;
        for field in &mut self.fields {
            if let Some(result) = &mut field.result {
                if matches!(result.plan, Plan::Hide) {
                    hidden_from.get_or_insert(result.start);
                }
                result.broken = true;
                result.start = 0;
            }
        }
        if let Some(start) = hidden_from {
            self.take_result(start, |_| None);
        }
        self.at_field_start = false;
    }

    fn field_link(&self, code: &FieldCode) -> Option<Link> {
        match code.name.as_str() {
            "HYPERLINK" => {
                let anchor = code.value('l').filter(|anchor| !anchor.is_empty());
                Link::to(code.argument().filter(|target| !target.is_empty()), anchor)
            }
            "REF" | "PAGEREF" | "NOTEREF" if code.has('h') => Link::to(None, Some(code.argument()?)),
            _ => None,
        }
    }

    fn plan(&mut self, code: &FieldCode) -> Plan {
        let format = code.number_format();
        // A field without the required argument keeps its result.
        let named = |field: &dyn Fn(Arc<str>) -> Field| {
            code.argument().map_or(Plan::Show, |name| Plan::Compute(field(Arc::from(name))))
        };
        match code.name.as_str() {
            "PAGE" => Plan::Compute(Field::Page(format)),
            "NUMPAGES" => Plan::Compute(Field::Pages(format)),
            "SECTIONPAGES" => Plan::Compute(Field::SectionPages(format)),
            "SECTION" => Plan::Compute(Field::Section),
            "PAGEREF" if !code.has('p') => named(&Field::PageReference),
            "REF" if code.shows_number() => {
                let number = [('w', NumberContext::Full), ('r', NumberContext::Relative), ('n', NumberContext::Own)];
                let number = number.into_iter().find(|(letter, _)| code.has(*letter)).map(|(_, context)| context);
                let (id, place) = (NodeId::default(), code.has('p'));
                named(&|bookmark| Field::ReferenceNumber { id, bookmark, number, place })
            }
            "REF" if code.shows_plain_text() => named(&Field::Reference),
            "DATE" => Plan::Compute(Field::Date(code.value('@').map(str::to_owned))),
            "TIME" => Plan::Compute(Field::Time(code.value('@').map(str::to_owned))),
            "STYLEREF" if !['n', 'r', 'w', 'p'].into_iter().any(|letter| code.has(letter)) => {
                named(&Field::StyleReference)
            }
            "SEQ" => self.sequence(code, format),
            "SYMBOL" => symbol_field(code).map_or(Plan::Show, Plan::Replace),
            "MACROBUTTON" | "GOTOBUTTON" => Plan::Replace(code.arguments.get(1..).unwrap_or_default().join(" ")),
            "XE" | "TC" | "TA" | "RD" | "SET" | "ASK" | "PRIVATE" | "PRINT" | "NEXT" | "NEXTIF" | "SKIPIF" => {
                Plan::Hide
            }
            "FORMCHECKBOX" => {
                let checked = self.form().is_some_and(is_checked);
                Plan::Replace(if checked { "☒" } else { "☐" }.to_owned())
            }
            "FORMDROPDOWN" => self.form().and_then(chosen).map_or(Plan::Show, |text| Plan::Replace(text.to_owned())),
            "LISTNUM" | "AUTONUM" | "AUTONUMLGL" | "AUTONUMOUT" | "EQ" | "ADVANCE" | "BARCODE" | "DISPLAYBARCODE" => {
                self.warn(FindingCode::FieldNotComputed, format!("the field {} is shown as it last was", code.name));
                Plan::Show
            }
            _ => match self.property(code) {
                Some(text) if self.gathered.may_repeat(text.len()) => Plan::Replace(code.change_case(text)),
                _ => Plan::Show,
            },
        }
    }

    fn form(&self) -> Option<Element<'t>> {
        self.fields.last()?.form
    }

    /// Returns the text of a field that shows a document property. Returns `None` if it is not known.
    fn property(&self, code: &FieldCode) -> Option<String> {
        match code.name.as_str() {
            // A field with an argument sets the property, and its result shows the new value.
            "TITLE" | "SUBJECT" | "AUTHOR" | "KEYWORDS" | "COMMENTS" | "LASTSAVEDBY" if code.arguments.is_empty() => {
                self.document_property(&code.name)
            }
            "REVNUM" if code.arguments.is_empty() => self.document_property("revisionnumber"),
            "DOCVARIABLE" => self.shared.settings.settings.variables.get(code.argument()?).cloned(),
            "DOCPROPERTY" | "INFO" => self.document_property(code.argument()?),
            _ => None,
        }
    }

    fn document_property(&self, name: &str) -> Option<String> {
        let core = &self.shared.core;
        let name = name.to_lowercase();
        match name.as_str() {
            "title" => core.title.clone(),
            "subject" => core.subject.clone(),
            "author" => core.creator.clone(),
            "keywords" => core.keywords.clone(),
            "comments" => core.description.clone(),
            "lastsavedby" => core.last_modified_by.clone(),
            "revisionnumber" => core.revision.clone(),
            // Saved counts may be outdated.
            "pages" | "words" | "characters" | "lines" | "paragraphs" => None,
            _ => self.shared.custom.get(&name).or_else(|| self.shared.extended.get(&name)).cloned(),
        }
    }

    /// Counts the items of a SEQ field and returns its result (§17.16.5.56).
    fn sequence(&mut self, code: &FieldCode, format: Option<NumberFormat>) -> Plan {
        let Some(identifier) = code.argument().map(str::to_lowercase) else { return Plan::Show };
        let level = code.value('s').and_then(integer).map(|level| level.clamp(1, 9) as usize);
        let heading = level.and_then(|level| self.gathered.headings.get(level - 1)).copied().unwrap_or(0);
        let (count, under) = self.gathered.sequences.entry(identifier).or_default();
        if level.is_some() && *under != heading {
            (*count, *under) = (0, heading);
        }
        match code.value('r').and_then(integer) {
            Some(start) => *count = start,
            // A second argument is a bookmark whose number is shown; the saved result is kept.
            None if code.arguments.len() > 1 => return Plan::Show,
            None if code.has('c') => {}
            None => *count = count.saturating_add(1),
        }
        if code.has('h') && format.is_none() {
            return Plan::Hide;
        }
        Plan::Replace(format.unwrap_or_default().write(*count, None))
    }
}

fn is_locked(element: Element<'_>) -> bool {
    given(element.w("fldLock")) == Some(true)
}

/// Returns the character of a field such as `SYMBOL 183 \f "Symbol"`.
fn symbol_field(code: &FieldCode) -> Option<String> {
    let argument = code.argument()?;
    let value = match argument.strip_prefix("0x").or_else(|| argument.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => argument.parse().ok()?,
    };
    let character = char::from_u32(value).filter(|character| !character.is_control())?;
    Some(super::symbols::in_font(character.encode_utf8(&mut [0; 4]), code.value('f')))
}

fn is_checked(data: Element<'_>) -> bool {
    let check_box = data.child(Ns::W, "checkBox");
    check_box.and_then(|it| flag(it, "checked").or_else(|| flag(it, "default"))).unwrap_or(false)
}

/// Returns the selected entry of a drop-down list.
fn chosen(data: Element<'_>) -> Option<&str> {
    let list = data.child(Ns::W, "ddList")?;
    let chosen = list.child_val("result").or_else(|| list.child_val("default")).and_then(integer).unwrap_or(0);
    list.all(Ns::W, "listEntry").nth(usize::try_from(chosen).ok()?)?.val()
}
