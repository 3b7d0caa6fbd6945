//! Fields (§17.16): codes and results, which may be split over runs and paragraphs.

use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::DiagnosticCode;
use waraq_rules::format::Locale;

use super::cascade::ParagraphBase;
use super::expression::{CodeText, is_expression};
use super::field_catalogue::{FieldTreatment, not_computed_message, treatment};
use super::field_code::FieldCode;
use super::part_reader::{NESTING_LIMIT, PartReader};
use super::property_fields::parse_date;
use super::values::{integer, on_off_if_present, toggle_value};
use super::xml::{Element, Ns};
use crate::tree::*;

/// The maximum length in bytes of the saved result of a field inside the code of another field.
const MAX_SAVED_BYTES: usize = 20_000;

/// A field whose end was not read yet.
pub(crate) struct OpenField<'t> {
    code: CodeText,
    /// The byte offset in the part at which the field begins.
    offset: usize,
    /// The saved result of a field inside the code of another field. Empty for other fields.
    saved: String,
    /// The saved result of a field inside the code of another field contains a drawing, a break or a table.
    saved_object: bool,
    /// The state of the result. `None` while the code of the field is being read.
    result: Option<OpenResult>,
    run: Arc<RunProperties>,
    /// The form field data (`w:ffData`). `None`: the field has no such data.
    form: Option<Element<'t>>,
    /// The field is locked: its saved result is shown (w:fldLock).
    locked: bool,
    /// Word updates the result when it opens the document (w:dirty).
    dirty: bool,
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
    /// The index of this TOC field in `DocumentState::contents`. `None`: the result is not built from the headings.
    contents: Option<usize>,
}

/// The way in which the result of a field is shown.
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
                let (locked, dirty) = (is_locked(element), is_dirty(element));
                let offset = element.offset();
                let (code, saved, saved_object) = Default::default();
                let run = run.clone();
                let field = OpenField { code, offset, saved, saved_object, result: None, run, form, locked, dirty };
                self.fields.push(field);
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
        let code = CodeText::from(element.word_attribute("instr").unwrap_or(""));
        let (offset, saved, locked) = (element.offset(), String::new(), is_locked(element));
        let (dirty, saved_object, form) = (is_dirty(element), false, None);
        self.fields.push(OpenField { code, offset, saved, saved_object, result: None, run, form, locked, dirty });
        self.begin_result();
        self.read_inlines(element, base);
        self.end_field();
    }

    /// Appends text to the innermost field if the reader is inside a field code. If the code of the innermost field is
    /// being read, appends to that code. Otherwise, the innermost field is inside the code of another field, and the
    /// text belongs to the saved result of the innermost field.
    pub(crate) fn append_to_field_code(&mut self, piece: &str) {
        if !self.is_in_field_code() {
            return;
        }
        if let Some(field) = self.fields.last_mut() {
            if field.result.is_none() {
                field.code.push_text(piece);
            } else if field.saved.len() + piece.len() <= MAX_SAVED_BYTES {
                field.saved.push_str(piece);
            }
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

    /// Adds content to the innermost field if the reader is inside a field code, and if a text cannot represent the
    /// content. Examples are drawings, page breaks and tables. A field that would show such content has no result.
    pub(crate) fn add_object_to_field_code(&mut self) {
        if !self.is_in_field_code() {
            return;
        }
        if let Some(field) = self.fields.last_mut() {
            match field.result {
                None => field.code.push_object(),
                Some(_) => field.saved_object = true,
            }
        }
    }

    /// Handles content inside the code of a field. Text, tabs, line breaks and formulas are appended to the field. Other
    /// visible content makes the result of the field unknown. Returns `false` if the reader is not inside a field code, or if the content is a mark such
    /// as the start of a bookmark. The caller must then add the content to the paragraph.
    pub(crate) fn capture_in_field_code(&mut self, content: &Content) -> bool {
        if !self.is_in_field_code() {
            return false;
        }
        match content {
            Content::Text(text) => {
                self.append_to_field_code(text);
                true
            }
            Content::Tab | Content::PositionedTab(_) => {
                self.append_to_field_code("\t");
                true
            }
            Content::Break(Break::Line | Break::LineClear) => {
                self.append_to_field_code("\n");
                true
            }
            Content::Math(math) => {
                self.append_to_field_code(&math.text);
                true
            }
            Content::CommentReference(_) | Content::RubyStart(_) | Content::RubyEnd => true,
            // A bookmark in a field code is added to the paragraph, because links may refer to it.
            mark if mark.is_mark() => false,
            _ => {
                self.add_object_to_field_code();
                true
            }
        }
    }

    fn begin_result(&mut self) {
        let Some(field) = self.fields.last() else { return };
        if field.result.is_some() {
            return;
        }
        let (locked, dirty, code) = (field.locked, field.dirty, field.code.parse());
        let action = match self.result_action(&code) {
            ResultAction::Compute(_) if locked => ResultAction::Show,
            ResultAction::Replace(_) if locked && code.name == "SEQ" => ResultAction::Show,
            action => action,
        };
        let link = self.field_link(&code);
        let linked = link.is_some();
        self.open_paragraph.links.extend(link.map(Arc::new));
        self.at_field_start = true;
        let start = self.open_paragraph.inlines.len();
        let is_table_of_contents = code.name == "TOC";
        let is_built = is_table_of_contents && !locked && self.fields.len() == 1;
        let contents = if is_built { self.begin_contents(code, dirty) } else { None };
        if let Some(field) = self.fields.last_mut() {
            field.result =
                Some(OpenResult { action, start, spans_paragraphs: false, linked, is_table_of_contents, contents });
        }
    }

    fn end_field(&mut self) {
        if self.fields.last().is_some_and(|field| field.result.is_none()) {
            self.begin_result();
        }
        let Some(OpenField { result: Some(result), run, saved, saved_object, code, .. }) = self.fields.pop() else {
            return;
        };
        if let Some(number) = result.contents {
            self.end_contents(number);
        }
        let link = self.open_paragraph.links.last().cloned();
        if result.linked {
            self.open_paragraph.links.pop();
        }
        self.at_field_start = true;
        if self.is_in_field_code() {
            self.add_inner_field(result.action, &code.parse(), saved, saved_object);
            return;
        }
        if result.spans_paragraphs && !result.action.replaces_paragraphs() {
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

    /// Adds a finished field to the outer field, which contains it. If the code of the outer field is being read, the
    /// finished field becomes part of that code. Otherwise, its saved result is appended to the saved result of the
    /// outer field. `saved_object` is `true` if the saved result contains a drawing, a break or a table.
    fn add_inner_field(&mut self, action: ResultAction, code: &FieldCode, saved: String, saved_object: bool) {
        if saved_object && matches!(action, ResultAction::Show) {
            self.add_object_to_field_code();
            return;
        }
        let piece = match action {
            ResultAction::Show if is_unknown_inside(code) => TextPiece::Unknown,
            ResultAction::Show => TextPiece::Known(saved.clone()),
            ResultAction::Hide => TextPiece::Known(String::new()),
            ResultAction::Replace(text) => TextPiece::Known(text),
            ResultAction::Compute(field) => TextPiece::Computed(field),
        };
        match self.fields.last_mut() {
            Some(outer) if outer.result.is_none() => outer.code.push_field(piece, saved),
            Some(outer) if outer.saved.len() + saved.len() <= MAX_SAVED_BYTES => outer.saved.push_str(&saved),
            _ => {}
        }
    }

    /// Returns the identity of the innermost field.
    pub(super) fn field_origin(&self) -> FieldOrigin {
        let offset = self.fields.last().map(|field| field.offset).filter(|_| self.state.import_depth == 0);
        let source = offset.map(|offset| FieldSource { part: Arc::clone(&self.part), offset });
        FieldOrigin { id: NodeId::default(), source }
    }

    /// Returns the index of the first inline of the page number. `start` is the index of the first inline of the field
    /// result. Some producers put a complete line of a table of contents into the result of a PAGEREF. Only the text
    /// after the last tab is then the page number. For other fields than PAGEREF, returns `start`.
    fn page_number_start(&self, start: usize, field: &ComputedField) -> usize {
        let is_number = matches!(field, ComputedField::PageReference { .. });
        let result = self.open_paragraph.inlines.get(start..).unwrap_or_default();
        let tab = result.iter().rposition(|inline| matches!(inline.content, Content::Tab));
        tab.filter(|_| is_number).map_or(start, |tab| start + tab + 1)
    }

    /// Replaces the result of a field with the inline that `replace` returns for the result's text. The inline gets the
    /// formatting of the first text of the result. If `replace` returns `None`, the result is only removed.
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
        if let Some(number) = self.fields.first().and_then(|field| field.result.as_ref()?.contents) {
            self.add_contents_paragraph(number);
        }
        let mut hidden_from = None;
        for field in &mut self.fields {
            if let Some(result) = &mut field.result {
                if result.action.replaces_paragraphs() {
                    hidden_from.get_or_insert(result.start);
                }
                result.spans_paragraphs = true;
                result.start = 0;
            }
        }
        if let Some(start) = hidden_from {
            self.replace_result(start, |_| None);
        }
        self.append_to_field_code("\n");
        self.at_field_start = false;
    }

    /// Returns `true` if the end of the paragraph is inside the code of a field, or inside a result that is not shown.
    /// The paragraph then continues with the text after the field.
    pub(crate) fn hides_paragraph_end(&self) -> bool {
        self.fields.iter().any(|field| field.result.as_ref().is_none_or(|result| result.action.replaces_paragraphs()))
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
        let format = code.format();
        if is_expression(&code.name) {
            return self.expression_action(code);
        }
        match code.name.as_str() {
            "PAGE" => ResultAction::Compute(ComputedField::Page(format)),
            "NUMPAGES" => ResultAction::Compute(ComputedField::Pages(format)),
            "SECTIONPAGES" => ResultAction::Compute(ComputedField::SectionPages(format)),
            "SECTION" => ResultAction::Compute(ComputedField::Section(format)),
            "PAGEREF" | "NOTEREF" | "FTNREF" | "FOOTNOTEREF" | "REF" => self.reference_action(code),
            "DATE" => ResultAction::Compute(ComputedField::Date(format)),
            "TIME" => ResultAction::Compute(ComputedField::Time(format)),
            "CREATEDATE" | "SAVEDATE" => self.document_date_action(code),
            "NUMWORDS" => ResultAction::Compute(ComputedField::TextLength { unit: LengthUnit::Words, format }),
            "NUMCHARS" => ResultAction::Compute(ComputedField::TextLength { unit: LengthUnit::Characters, format }),
            "FILENAME" if !code.has_switch('p') => {
                ResultAction::Compute(ComputedField::FileName { origin: self.field_origin(), format })
            }
            "STYLEREF" => match self.style_reference(code) {
                Some(reference) => ResultAction::Compute(ComputedField::StyleReference(Arc::new(reference))),
                None => {
                    let message = "the field STYLEREF names a style that is not in the document";
                    self.warn(DiagnosticCode::FieldNotComputed, message);
                    ResultAction::Show
                }
            },
            "SEQ" => self.count_sequence(code),
            "SYMBOL" => match symbol_character(code) {
                Some(character) => ResultAction::Replace(character),
                None => self.other_field_action(code),
            },
            "MACROBUTTON" | "GOTOBUTTON" => {
                ResultAction::Replace(code.arguments.get(1..).unwrap_or_default().join(" "))
            }
            "XE" | "TC" | "TA" | "RD" | "PRIVATE" | "PRINT" | "NEXT" | "NEXTIF" | "SKIPIF" => ResultAction::Hide,
            "FORMCHECKBOX" => {
                let checked = self.form_data().is_some_and(is_checked);
                ResultAction::Replace(if checked { "☒" } else { "☐" }.to_owned())
            }
            "FORMDROPDOWN" => self
                .form_data()
                .and_then(selected_entry)
                .map_or(ResultAction::Show, |text| ResultAction::Replace(text.to_owned())),
            _ => match self.property_field(code) {
                Some(field) => ResultAction::Compute(field),
                None => self.other_field_action(code),
            },
        }
    }

    /// Returns the action for all fields that no other function handles.
    fn other_field_action(&mut self, code: &FieldCode) -> ResultAction {
        match treatment(&code.name) {
            // A property field with an argument sets the property, and its result is that argument.
            Some(FieldTreatment::Computed) if code.name == "TOC" || sets_property(code) => ResultAction::Show,
            Some(FieldTreatment::NotComputed | FieldTreatment::Computed) => {
                self.warn(DiagnosticCode::FieldNotComputed, not_computed_message(&code.name));
                ResultAction::Show
            }
            // The saved result may be the address or the number of another record.
            Some(FieldTreatment::Filled | FieldTreatment::OtherRecords)
                if matches!(code.name.as_str(), "ADDRESSBLOCK" | "GREETINGLINE" | "MERGEREC" | "MERGESEQ") =>
            {
                ResultAction::Replace(format!("«{}»", code.name))
            }
            // A field code that is only a name shows the bookmark with this name.
            None if is_bookmark_name(&code.written_name) => ResultAction::Compute(ComputedField::Reference {
                origin: self.field_origin(),
                bookmark: Arc::from(code.written_name.as_str()),
                format: code.format(),
            }),
            _ => ResultAction::Show,
        }
    }

    /// Returns the action for IF, COMPARE, QUOTE, SET, ASK and formulas.
    fn expression_action(&mut self, code: &FieldCode) -> ResultAction {
        let origin = self.field_origin();
        let has_object = self.fields.last().is_some_and(|field| field.code.has_object() && !field.locked);
        match self.fields.last().and_then(|field| field.code.expression(origin)) {
            Some(expression) => {
                if has_object {
                    let message =
                        format!("a picture, table or break in the code of the field {} is not shown", code.name);
                    self.warn(DiagnosticCode::FieldNotComputed, message);
                }
                ResultAction::Compute(expression)
            }
            None if matches!(code.name.as_str(), "SET" | "ASK") => ResultAction::Hide,
            None => {
                self.warn(DiagnosticCode::FieldNotComputed, format!("the field {} has no operands", code.name));
                ResultAction::Show
            }
        }
    }

    /// Returns the action for REF, PAGEREF and NOTEREF.
    fn reference_action(&mut self, code: &FieldCode) -> ResultAction {
        // A field without the required argument keeps its result.
        let Some(bookmark) = code.first_argument().map(Arc::from) else { return ResultAction::Show };
        let (origin, format) = (self.field_origin(), code.format());
        ResultAction::Compute(match code.name.as_str() {
            "PAGEREF" if !code.has_switch('p') => ComputedField::PageReference { origin, bookmark, format },
            "NOTEREF" | "FTNREF" | "FOOTNOTEREF" if !code.has_switch('p') => {
                ComputedField::NoteReference { origin, bookmark, format }
            }
            "REF" if code.shows_number() => {
                let number = [('w', NumberContext::Full), ('r', NumberContext::Relative), ('n', NumberContext::Own)];
                let number =
                    number.into_iter().find(|(letter, _)| code.has_switch(*letter)).map(|(_, context)| context);
                ComputedField::ReferenceNumber { origin, bookmark, number, with_position: code.has_switch('p') }
            }
            "REF" if code.shows_text() => ComputedField::Reference { origin, bookmark, format },
            name => {
                self.warn(DiagnosticCode::FieldNotComputed, not_computed_message(name));
                return ResultAction::Show;
            }
        })
    }

    /// Returns the action for the dates in the properties of the document.
    fn document_date_action(&mut self, code: &FieldCode) -> ResultAction {
        let core = &self.shared.properties.core;
        let date = if code.name == "CREATEDATE" { &core.created } else { &core.modified };
        match date.as_deref().and_then(parse_date) {
            Some(date) => {
                let origin = self.field_origin();
                ResultAction::Compute(ComputedField::DocumentDate { origin, date, format: code.format() })
            }
            None => self.other_field_action(code),
        }
    }

    /// Returns the text of a number in the format of the innermost field.
    fn number_text(&self, code: &FieldCode, number: i64) -> String {
        let language = self.fields.last().and_then(|field| {
            let languages = &field.run.language;
            let is_complex = field.run.right_to_left || field.run.complex_script;
            if is_complex { languages.complex.as_deref() } else { languages.latin.as_deref() }
        });
        let locale = Locale { tag: language.unwrap_or("en"), country: None };
        let format = code.format();
        if chooses_number_format(&format) {
            return format.format_number(number.into(), locale);
        }
        format.format_text(&number.to_string(), locale)
    }

    fn form_data(&self) -> Option<Element<'t>> {
        self.fields.last()?.form
    }

    /// Advances the counter of a SEQ field, and returns the result of the field (§17.16.5.56).
    fn count_sequence(&mut self, code: &FieldCode) -> ResultAction {
        let Some(identifier) = code.first_argument().map(str::to_lowercase) else { return ResultAction::Show };
        let level = code.switch_value('s').and_then(integer).map(|level| level.clamp(1, 9) as usize);
        let heading = level.and_then(|level| self.state.headings.get(level - 1)).copied().unwrap_or(0);
        self.charge(2, size_of::<NodeId>() + identifier.len());
        self.state.captions.entry(self.open_paragraph.id).or_default().push(identifier.clone());
        let (count, under) = self.state.sequences.entry(identifier).or_default();
        if level.is_some() && *under != heading {
            (*count, *under) = (0, heading);
        }
        match code.switch_value('r').and_then(integer) {
            Some(start) => *count = start,
            // With a second argument, the field shows the number at that bookmark. Its saved result is kept.
            None if code.arguments.len() > 1 => {
                self.warn(DiagnosticCode::FieldNotComputed, not_computed_message(&code.name));
                return ResultAction::Show;
            }
            None if code.has_switch('c') => {}
            None => *count = count.saturating_add(1),
        }
        if code.has_switch('h') && !chooses_number_format(&code.format()) {
            return ResultAction::Hide;
        }
        let number = *count;
        ResultAction::Replace(self.number_text(code, number))
    }
}

impl ResultAction {
    /// Returns `true` if the result is replaced even if it spans several paragraphs.
    fn replaces_paragraphs(&self) -> bool {
        matches!(self, Self::Hide | Self::Compute(ComputedField::Expression(_)))
    }
}

/// Returns `true` if a bookmark can have this name.
fn is_bookmark_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_alphanumeric() || character == '_')
}

/// Returns `true` if the saved result of this field may differ from its value, so that a field around it must not use
/// the saved result. For example, the saved result of a merge field may be only the name of the field.
fn is_unknown_inside(code: &FieldCode) -> bool {
    matches!(
        code.name.as_str(),
        "MERGEFIELD" | "ADDRESSBLOCK" | "GREETINGLINE" | "DATABASE" | "MERGEREC" | "MERGESEQ" | "INCLUDETEXT"
    )
}

fn is_dirty(element: Element<'_>) -> bool {
    on_off_if_present(element.word_attribute("dirty")) == Some(true)
}

/// Returns `true` for a field such as `TITLE "New title"`, which sets a property of the document.
fn sets_property(code: &FieldCode) -> bool {
    matches!(code.name.as_str(), "TITLE" | "SUBJECT" | "AUTHOR" | "KEYWORDS" | "COMMENTS" | "LASTSAVEDBY" | "REVNUM")
        && !code.arguments.is_empty()
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
