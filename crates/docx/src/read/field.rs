//! Fields (§17.16): codes and results, which may be split over runs and paragraphs.

use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::DiagnosticCode;

use super::cascade::ParagraphBase;
use super::field_code::FieldCode;
use super::part_reader::{NESTING_LIMIT, PartReader};
use super::values::{integer, on_off_if_present, toggle_value};
use super::xml::{Element, Ns};
use crate::tree::*;

/// The maximum length of a field code in bytes. The rest of a longer code is ignored.
const MAX_CODE_BYTES: usize = 20_000;

/// A field whose end was not read yet.
pub(crate) struct OpenField<'t> {
    code: String,
    /// The state of the result. `None` while the code of the field is being read.
    result: Option<OpenResult>,
    run: Arc<RunProperties>,
    /// The form field data (`w:ffData`).
    form: Option<Element<'t>>,
    /// The field is locked: its saved result is shown (w:fldLock).
    locked: bool,
}

struct OpenResult {
    action: ResultAction,
    /// The index of the first inline of the result in the inlines of the open paragraph.
    start: usize,
    /// The result began in an earlier paragraph.
    spans_paragraphs: bool,
    /// The result is a link. The end of the field ends the link.
    linked: bool,
    /// The field is a table of contents.
    is_table_of_contents: bool,
}

/// The text that is shown as the result of a field.
enum ResultAction {
    /// Show the result as saved in the document.
    Show,
    /// Show nothing.
    Hide,
    /// Let the layout compute the result.
    Compute(ComputedField),
    /// Show this text.
    Replace(String),
}

impl<'t> PartReader<'t, '_> {
    /// Reads a `w:fldChar` (§17.16.18).
    pub(crate) fn read_field_character(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        match element.word_attribute("fldCharType") {
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
    pub(crate) fn read_simple_field(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let first_run = element.child(Ns::W, "r").and_then(|run| run.child(Ns::W, "rPr"));
        let run = self.run_properties(base, first_run);
        let code = element.word_attribute("instr").unwrap_or("").to_owned();
        self.fields.push(OpenField { code, result: None, run, form: None, locked: is_locked(element) });
        self.begin_result();
        self.read_inlines(element, base);
        self.end_field();
    }

    /// Appends text to the code of the innermost field whose code is still being read.
    pub(crate) fn append_to_field_code(&mut self, piece: &str) {
        if let Some(field) = self.fields.iter_mut().rev().find(|field| field.result.is_none())
            && field.code.len() < MAX_CODE_BYTES
        {
            field.code.push_str(piece);
        }
    }

    /// Returns `true` if the reader is inside the code of a field.
    pub(crate) fn is_in_field_code(&self) -> bool {
        self.fields.iter().any(|field| field.result.is_none())
    }

    /// Returns `true` if the reader is inside a table of contents, the result of a TOC field (§17.16.5.68).
    pub(crate) fn is_in_table_of_contents(&self) -> bool {
        self.fields.iter().any(|field| field.result.as_ref().is_some_and(|result| result.is_table_of_contents))
    }

    /// Handles content that may be inside the code of a field. Returns `true` if it is, and appends text to that code.
    /// Returns `false` if the caller must add the content to the paragraph.
    pub(crate) fn capture_in_field_code(&mut self, content: &Content) -> bool {
        if !self.is_in_field_code() {
            return false;
        }
        match content {
            Content::Text(text) => {
                let text = text.clone();
                self.append_to_field_code(&text);
                true
            }
            // A bookmark in a field code is added to the paragraph, because links may refer to it.
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
        let action = match self.result_action(&code) {
            ResultAction::Compute(_) if locked => ResultAction::Show,
            action => action,
        };
        let link = self.field_link(&code);
        let linked = link.is_some();
        self.open_paragraph.links.extend(link.map(Arc::new));
        self.at_field_start = true;
        let start = self.open_paragraph.inlines.len();
        if let Some(field) = self.fields.last_mut() {
            field.result = Some(OpenResult {
                action,
                start,
                spans_paragraphs: false,
                linked,
                is_table_of_contents: code.name == "TOC",
            });
        }
    }

    fn end_field(&mut self) {
        if self.fields.last().is_some_and(|field| field.result.is_none()) {
            self.begin_result();
        }
        let Some(OpenField { result: Some(result), run, .. }) = self.fields.pop() else { return };
        let link = self.open_paragraph.links.last().cloned();
        if result.linked {
            self.open_paragraph.links.pop();
        }
        self.at_field_start = true;
        if self.is_in_field_code() || (result.spans_paragraphs && !matches!(result.action, ResultAction::Hide)) {
            return;
        }
        match result.action {
            ResultAction::Show => {}
            ResultAction::Hide => self.replace_result(result.start, |_| None),
            ResultAction::Replace(text) => self.replace_result(result.start, |_| {
                Some(Inline { content: Content::Text(text), run, link })
                    .filter(|inline| !matches!(&inline.content, Content::Text(text) if text.is_empty()))
            }),
            ResultAction::Compute(field) => {
                let start = self.page_number_start(result.start, &field);
                self.replace_result(start, |shown| {
                    Some(Inline { content: Content::Field { field, result: shown }, run, link })
                });
            }
        }
    }

    /// Returns the index of the first inline of the page number in a result that begins at `start`. Some producers put
    /// a complete line of a table of contents into the result of its PAGEREF. Only the text after the last tab is the
    /// number.
    fn page_number_start(&self, start: usize, field: &ComputedField) -> usize {
        let is_number = matches!(field, ComputedField::PageReference(_));
        let result = self.open_paragraph.inlines.get(start..).unwrap_or_default();
        let tab = result.iter().rposition(|inline| matches!(inline.content, Content::Tab));
        tab.filter(|_| is_number).map_or(start, |tab| start + tab + 1)
    }

    /// Replaces the result of a field with the inline that `replace` returns for the result's text. The inline gets the
    /// formatting of the first text of the result.
    fn replace_result(&mut self, start: usize, replace: impl FnOnce(String) -> Option<Inline>) {
        let start = start.min(self.open_paragraph.inlines.len());
        let removed: Vec<Inline> = self.open_paragraph.inlines.drain(start..).collect();
        let mut text = String::new();
        let mut run = None;
        let mut kept = Vec::new();
        for inline in removed {
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
            self.open_paragraph.inlines.push(inline);
        }
        self.open_paragraph.inlines.append(&mut kept);
    }

    /// Prepares the open fields for the end of the paragraph. They continue in the next paragraph, and their results
    /// are shown as saved.
    pub(crate) fn end_paragraph_in_fields(&mut self) {
        let mut hidden_from = None;
        for field in &mut self.fields {
            if let Some(result) = &mut field.result {
                if matches!(result.action, ResultAction::Hide) {
                    hidden_from.get_or_insert(result.start);
                }
                result.spans_paragraphs = true;
                result.start = 0;
            }
        }
        if let Some(start) = hidden_from {
            self.replace_result(start, |_| None);
        }
        self.at_field_start = false;
    }

    fn field_link(&self, code: &FieldCode) -> Option<Link> {
        match code.name.as_str() {
            "HYPERLINK" => {
                let anchor = code.switch_value('l').filter(|anchor| !anchor.is_empty());
                Link::from_target(code.first_argument().filter(|target| !target.is_empty()), anchor)
            }
            "REF" | "PAGEREF" | "NOTEREF" if code.has_switch('h') => {
                Link::from_target(None, Some(code.first_argument()?))
            }
            _ => None,
        }
    }

    fn result_action(&mut self, code: &FieldCode) -> ResultAction {
        let format = code.number_format();
        // A field without the required argument keeps its result.
        let compute_with_argument = |field: &dyn Fn(Arc<str>) -> ComputedField| {
            code.first_argument().map_or(ResultAction::Show, |name| ResultAction::Compute(field(Arc::from(name))))
        };
        match code.name.as_str() {
            "PAGE" => ResultAction::Compute(ComputedField::Page(format)),
            "NUMPAGES" => ResultAction::Compute(ComputedField::Pages(format)),
            "SECTIONPAGES" => ResultAction::Compute(ComputedField::SectionPages(format)),
            "SECTION" => ResultAction::Compute(ComputedField::Section),
            "PAGEREF" if !code.has_switch('p') => compute_with_argument(&ComputedField::PageReference),
            "REF" if code.shows_number() => {
                let number = [('w', NumberContext::Full), ('r', NumberContext::Relative), ('n', NumberContext::Own)];
                let number =
                    number.into_iter().find(|(letter, _)| code.has_switch(*letter)).map(|(_, context)| context);
                let (id, place) = (NodeId::default(), code.has_switch('p'));
                compute_with_argument(&|bookmark| ComputedField::ReferenceNumber {
                    id,
                    bookmark,
                    number,
                    with_position: place,
                })
            }
            "REF" if code.shows_plain_text() => compute_with_argument(&ComputedField::Reference),
            "DATE" => ResultAction::Compute(ComputedField::Date(code.switch_value('@').map(str::to_owned))),
            "TIME" => ResultAction::Compute(ComputedField::Time(code.switch_value('@').map(str::to_owned))),
            "STYLEREF" if !['n', 'r', 'w', 'p'].into_iter().any(|letter| code.has_switch(letter)) => {
                compute_with_argument(&ComputedField::StyleReference)
            }
            "SEQ" => self.count_sequence(code, format),
            "SYMBOL" => symbol_character(code).map_or(ResultAction::Show, ResultAction::Replace),
            "MACROBUTTON" | "GOTOBUTTON" => {
                ResultAction::Replace(code.arguments.get(1..).unwrap_or_default().join(" "))
            }
            "XE" | "TC" | "TA" | "RD" | "SET" | "ASK" | "PRIVATE" | "PRINT" | "NEXT" | "NEXTIF" | "SKIPIF" => {
                ResultAction::Hide
            }
            "FORMCHECKBOX" => {
                let checked = self.form_data().is_some_and(is_checked);
                ResultAction::Replace(if checked { "☒" } else { "☐" }.to_owned())
            }
            "FORMDROPDOWN" => self
                .form_data()
                .and_then(selected_entry)
                .map_or(ResultAction::Show, |text| ResultAction::Replace(text.to_owned())),
            "LISTNUM" | "AUTONUM" | "AUTONUMLGL" | "AUTONUMOUT" | "EQ" | "ADVANCE" | "BARCODE" | "DISPLAYBARCODE" => {
                self.warn(DiagnosticCode::FieldNotComputed, format!("the field {} is shown as it last was", code.name));
                ResultAction::Show
            }
            _ => match self.property_text(code) {
                Some(text) if self.state.charge_repeated_bytes(text.len()) => {
                    ResultAction::Replace(code.change_case(text))
                }
                _ => ResultAction::Show,
            },
        }
    }

    fn form_data(&self) -> Option<Element<'t>> {
        self.fields.last()?.form
    }

    /// Returns the text of a field that shows a document property. Returns `None` if the property is not known.
    fn property_text(&self, code: &FieldCode) -> Option<String> {
        match code.name.as_str() {
            // A field with an argument sets the property, and its result shows the new value.
            "TITLE" | "SUBJECT" | "AUTHOR" | "KEYWORDS" | "COMMENTS" | "LASTSAVEDBY" if code.arguments.is_empty() => {
                self.document_property(&code.name)
            }
            "REVNUM" if code.arguments.is_empty() => self.document_property("revisionnumber"),
            "DOCVARIABLE" => self.shared.settings.settings.variables.get(code.first_argument()?).cloned(),
            "DOCPROPERTY" | "INFO" => self.document_property(code.first_argument()?),
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
            // These counts are not taken from the file, because they may be outdated.
            "pages" | "words" | "characters" | "lines" | "paragraphs" => None,
            _ => self.shared.custom.get(&name).or_else(|| self.shared.extended.get(&name)).cloned(),
        }
    }

    /// Counts the items of a SEQ field and returns its result (§17.16.5.56).
    fn count_sequence(&mut self, code: &FieldCode, format: Option<NumberFormat>) -> ResultAction {
        let Some(identifier) = code.first_argument().map(str::to_lowercase) else { return ResultAction::Show };
        let level = code.switch_value('s').and_then(integer).map(|level| level.clamp(1, 9) as usize);
        let heading = level.and_then(|level| self.state.headings.get(level - 1)).copied().unwrap_or(0);
        let (count, under) = self.state.sequences.entry(identifier).or_default();
        if level.is_some() && *under != heading {
            (*count, *under) = (0, heading);
        }
        match code.switch_value('r').and_then(integer) {
            Some(start) => *count = start,
            // With a second argument, the field shows the number at that bookmark. Its saved result is kept.
            None if code.arguments.len() > 1 => return ResultAction::Show,
            None if code.has_switch('c') => {}
            None => *count = count.saturating_add(1),
        }
        if code.has_switch('h') && format.is_none() {
            return ResultAction::Hide;
        }
        ResultAction::Replace(format.unwrap_or_default().format_number(*count, None))
    }
}

fn is_locked(element: Element<'_>) -> bool {
    on_off_if_present(element.word_attribute("fldLock")) == Some(true)
}

/// Returns the character of a field such as `SYMBOL 183 \f "Symbol"`. Returns `None` if the argument is not the number
/// of a visible character.
fn symbol_character(code: &FieldCode) -> Option<String> {
    let argument = code.first_argument()?;
    let value = match argument.strip_prefix("0x").or_else(|| argument.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => argument.parse().ok()?,
    };
    let character = char::from_u32(value).filter(|character| !character.is_control())?;
    Some(super::symbols::to_unicode(character.encode_utf8(&mut [0; 4]), code.switch_value('f')))
}

fn is_checked(data: Element<'_>) -> bool {
    let check_box = data.child(Ns::W, "checkBox");
    check_box.and_then(|it| toggle_value(it, "checked").or_else(|| toggle_value(it, "default"))).unwrap_or(false)
}

/// Returns the selected entry of a drop-down list, from its form field data. Returns `None` if the data contain no such
/// entry.
fn selected_entry(data: Element<'_>) -> Option<&str> {
    let list = data.child(Ns::W, "ddList")?;
    let chosen = list.child_val("result").or_else(|| list.child_val("default")).and_then(integer).unwrap_or(0);
    list.children_with_name(Ns::W, "listEntry").nth(usize::try_from(chosen).ok()?)?.val()
}
