//! The inline content of paragraphs (§17.3.3): runs and their containers.

use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::DiagnosticCode;
use waraq_rules::format::FieldFormat;

use super::cascade::ParagraphBase;
use super::part_reader::PartReader;
use super::symbols;
use super::values::{on_off_if_present, parse_enum};
use super::xml::{Element, Ns};
use crate::fields::value_marks;
use crate::tree::*;

impl<'t> PartReader<'t, '_> {
    pub(crate) fn read_inlines(&mut self, container: Element<'t>, base: &Rc<ParagraphBase>) {
        for element in container.children() {
            self.read_inline(element, base);
        }
    }

    /// Reads one child of a paragraph or of an inline container.
    pub(crate) fn read_inline(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        if !self.charge(2, 0) {
            return;
        }
        match (element.ns(), element.name()) {
            (Ns::W, "r") => self.read_run(element, base),
            (Ns::W, "hyperlink") => self.read_hyperlink(element, base),
            (Ns::W, "fldSimple") => self.read_simple_field(element, base),
            (Ns::W, "sdt") => self.read_content_control(element, base),
            (Ns::W, "smartTag" | "customXml") => self.read_inlines(element, base),
            (Ns::W, "dir" | "bdo") => self.read_directed_text(element, base),
            (Ns::W, "ins" | "moveTo" | "del" | "moveFrom") => {
                self.read_in_revision(element, |story| story.read_inlines(element, base));
            }
            (Ns::W, "bookmarkStart" | "bookmarkEnd") => {
                if let Some(content) = self.read_bookmark(element) {
                    let run = self.run_properties(base, None);
                    self.emit(content, &run);
                }
            }
            (Ns::M, "oMath" | "oMathPara") => self.read_math(element, base),
            _ => {}
        }
    }

    /// Reads text with embedded or overridden direction (§17.3.2.3, §17.3.2.8). Control characters of UAX #9 that have
    /// the same effect are added before and after the text.
    fn read_directed_text(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let control = match (element.name(), element.val()) {
            ("dir", Some("rtl")) => "\u{202B}",
            ("dir", _) => "\u{202A}",
            (_, Some("rtl")) => "\u{202E}",
            _ => "\u{202D}",
        };
        let first = element.child(Ns::W, "r").and_then(|run| run.child(Ns::W, "rPr"));
        let run = self.run_properties(base, first);
        self.emit_text(control, &run);
        self.read_inlines(element, base);
        self.emit_text("\u{202C}", &run);
    }

    /// Calls `read` for the content of a tracked change, unless that content is not shown. Deleted content, and moved
    /// content at its old position, is shown only with [`TrackedChanges::All`](super::TrackedChanges::All).
    pub(crate) fn read_in_revision(&mut self, element: Element<'t>, read: impl FnOnce(&mut Self)) {
        let Some(kind) = RevisionKind::from_element(element) else { return };
        let is_removal = matches!(kind, RevisionKind::Deleted | RevisionKind::MovedFrom);
        if is_removal && !self.shared.shows_all_changes() {
            return;
        }
        let revision = self.new_revision(kind, element);
        self.revisions.push(revision);
        read(self);
        self.revisions.pop();
    }

    pub(crate) fn new_revision(&mut self, kind: RevisionKind, element: Element<'_>) -> Revision {
        let author = element.word_attribute("author").unwrap_or("");
        Revision { kind, author: Arc::from(author), reviewer: self.state.reviewer_number(author) }
    }

    pub(crate) fn read_bookmark(&mut self, element: Element<'t>) -> Option<Content> {
        if element.name() == "bookmarkStart" {
            let name: Arc<str> = Arc::from(element.word_attribute("name")?);
            if let Some(id) = element.word_attribute("id") {
                self.bookmarks.insert(id, name.clone());
            }
            return Some(Content::BookmarkStart(name));
        }
        self.bookmarks.remove(element.word_attribute("id")?).map(Content::BookmarkEnd)
    }

    fn read_hyperlink(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let target = element.relationship_attribute("id").and_then(|id| self.link_target(id));
        let anchor = element.word_attribute("anchor").filter(|anchor| !anchor.is_empty());
        let link = self.charge_link(Link::from_target(target, anchor));
        let linked = link.is_some();
        self.open_paragraph.links.extend(link);
        self.read_inlines(element, base);
        if linked {
            self.open_paragraph.links.pop();
        }
    }

    /// Reads a `w:r`.
    fn read_run(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let format = element.child(Ns::W, "rPr");
        let mut run = self.run_properties(base, format);
        if let Some(size) = self.open_paragraph.ruby.reading_size() {
            run = Arc::new(RunProperties { size, size_complex: size, ..(*run).clone() });
        }
        if self.shared.shows_all_changes() {
            let formatted = format.and_then(|format| format.child(Ns::W, "rPrChange"));
            let formatted = formatted.map(|change| self.new_revision(RevisionKind::Formatted, change));
            if let Some(revision) = self.revisions.last().cloned().or(formatted) {
                run = Arc::new(RunProperties { revision: Some(revision), ..(*run).clone() });
            }
        }
        for child in element.children() {
            match child.ns() {
                Ns::W => self.read_run_child(child, &run, base),
                Ns::M if child.name() == "oMath" => self.read_math(child, base),
                _ => {}
            }
        }
    }

    fn read_run_child(&mut self, child: Element<'t>, run: &Arc<RunProperties>, base: &Rc<ParagraphBase>) {
        match child.name() {
            "t" => self.read_text(child, run),
            "delText" if self.shared.shows_all_changes() => self.read_text(child, run),
            "instrText" => self.append_to_field_code(child.text()),
            "fldChar" => self.read_field_character(child, run),
            "tab" => self.emit(Content::Tab, run),
            "ptab" => self.emit(Content::PositionedTab(positioned_tab(child)), run),
            "br" => self.emit(Content::Break(line_break(child)), run),
            "cr" => self.emit(Content::Break(Break::Line), run),
            "noBreakHyphen" => self.emit_text("\u{2011}", run),
            "softHyphen" => self.emit_text("\u{AD}", run),
            "sym" => self.read_symbol(child, run),
            "footnoteReference" => self.read_note_reference(child, NoteKind::Footnote, run),
            "endnoteReference" => self.read_note_reference(child, NoteKind::Endnote, run),
            "footnoteRef" | "endnoteRef" => self.emit(Content::NoteMark, run),
            "commentReference" if self.shared.options.comments => {
                if let Some(id) = child.word_attribute("id") {
                    self.emit(Content::CommentReference(Arc::from(id)), run);
                }
            }
            "drawing" => self.read_drawing(child, run),
            "pict" | "object" => self.read_vml_drawings(child, run),
            "ruby" => self.read_ruby(child, run, base),
            "pgNum" => {
                self.emit(
                    Content::Field { field: ComputedField::Page(FieldFormat::default()), result: String::new() },
                    run,
                );
            }
            "dayShort" | "dayLong" | "monthShort" | "monthLong" | "yearShort" | "yearLong" => {
                self.emit(Content::Field { field: date_field(child.name()), result: String::new() }, run);
            }
            "contentPart" => self.warn(DiagnosticCode::InkLeftOut, "handwriting is not shown"),
            // The layout draws the separators of notes. Saved page breaks are outdated.
            _ => {}
        }
    }

    fn read_text(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        let text = element.text();
        let text = if element.preserves_space() { text } else { text.trim_matches([' ', '\t', '\n', '\r']) };
        self.emit_text(text, run);
    }

    /// Adds the text of a `w:t`. Tab characters become tabs, line ends become spaces.
    pub(crate) fn emit_text(&mut self, text: &str, run: &Arc<RunProperties>) {
        if text.is_empty() {
            return;
        }
        if self.shared.options.values && text.contains(value_marks::is_mark) {
            for piece in value_marks::split_at_marks(text) {
                match piece {
                    value_marks::MarkedSegment::Start(field) => self.emit(Content::ValueStart(field), run),
                    value_marks::MarkedSegment::End => self.emit(Content::ValueEnd, run),
                    value_marks::MarkedSegment::Text(text) => self.emit_plain(text, run),
                }
            }
            return;
        }
        self.emit_plain(text, run);
    }

    fn emit_plain(&mut self, text: &str, run: &Arc<RunProperties>) {
        let plain = !text.contains(['\t', '\n', '\r']);
        if plain {
            return self.emit(Content::Text(map_symbol_fonts(text, run)), run);
        }
        for (index, piece) in text.replace("\r\n", " ").replace(['\n', '\r'], " ").split('\t').enumerate() {
            if index > 0 {
                self.emit(Content::Tab, run);
            }
            if !piece.is_empty() {
                self.emit(Content::Text(map_symbol_fonts(piece, run)), run);
            }
        }
    }

    /// Reads a `w:sym`: a character of a named font (§17.3.3.30).
    fn read_symbol(&mut self, element: Element<'t>, run: &Arc<RunProperties>) {
        let code = element.word_attribute("char").and_then(|code| u32::from_str_radix(code, 16).ok());
        let Some(character) = code.and_then(char::from_u32) else { return };
        self.charge(2, size_of::<RunProperties>());
        let mut run = (**run).clone();
        if let Some(font) = element.word_attribute("font").filter(|font| !font.is_empty()) {
            run.fonts = Fonts { hint: run.fonts.hint, ..Fonts::all(Some(Arc::from(font))) };
        }
        let text = map_symbol_fonts(character.encode_utf8(&mut [0; 4]), &run);
        self.emit(Content::Text(text), &Arc::new(run));
    }

    fn read_note_reference(&mut self, element: Element<'t>, kind: NoteKind, run: &Arc<RunProperties>) {
        let Some(id) = element.word_attribute("id").and_then(super::values::integer) else { return };
        let custom = on_off_if_present(element.word_attribute("customMarkFollows")) == Some(true);
        self.emit(Content::NoteReference { kind, id, custom }, run);
    }

    /// Adds content to the open paragraph, or to the code of an open field. Text is appended to the last inline if
    /// formatting and link are the same.
    pub(crate) fn emit(&mut self, content: Content, run: &Arc<RunProperties>) {
        if self.capture_in_field_code(&content) {
            return;
        }
        let link = self.open_paragraph.links.last().cloned();
        if let Content::Text(text) = &content {
            self.count_language(text, run);
            if let Some(Inline { content: Content::Text(last), run: last_run, link: last_link }) =
                self.open_paragraph.inlines.last_mut()
                && Arc::ptr_eq(last_run, run)
                && *last_link == link
                && !self.at_field_start
            {
                self.shared.package.meter().allocate(text.len());
                last.push_str(text);
                return;
            }
        }
        let text = if let Content::Text(text) = &content { text.len() } else { 0 };
        self.charge(2, size_of::<Inline>() + text);
        self.at_field_start = false;
        self.open_paragraph.inlines.push(Inline { content, run: run.clone(), link });
    }

    fn count_language(&mut self, text: &str, run: &RunProperties) {
        if let Some(language) = run.main_language() {
            *self.state.languages.entry(language.clone()).or_default() += text.len();
        }
    }
}

impl RevisionKind {
    pub(crate) fn from_element(element: Element<'_>) -> Option<Self> {
        Some(match element.name() {
            "ins" => Self::Inserted,
            "del" => Self::Deleted,
            "moveTo" => Self::MovedTo,
            "moveFrom" => Self::MovedFrom,
            _ => return None,
        })
    }
}

/// Returns the text with the characters of symbol fonts mapped to Unicode.
pub(super) fn map_symbol_fonts(text: &str, run: &RunProperties) -> String {
    symbols::to_unicode_with_fonts(text, run.fonts.ascii.as_deref(), run.fonts.high_ansi.as_deref())
}

fn line_break(element: Element<'_>) -> Break {
    match (element.word_attribute("type"), element.word_attribute("clear")) {
        (Some("page"), _) => Break::Page,
        (Some("column"), _) => Break::Column,
        (_, Some("left" | "right" | "all")) => Break::LineClear,
        _ => Break::Line,
    }
}

fn positioned_tab(element: Element<'_>) -> PositionedTab {
    PositionedTab {
        kind: match element.word_attribute("alignment") {
            Some("center") => TabKind::Center,
            Some("right") => TabKind::End,
            _ => TabKind::Start,
        },
        relative_to_indent: element.word_attribute("relativeTo") == Some("indent"),
        leader: element.word_attribute("leader").and_then(parse_enum).unwrap_or_default(),
    }
}

fn date_field(name: &str) -> ComputedField {
    let picture = match name {
        "dayShort" => "dd",
        "dayLong" => "dddd",
        "monthShort" => "MM",
        "monthLong" => "MMMM",
        "yearShort" => "yy",
        _ => "yyyy",
    };
    ComputedField::Date(FieldFormat { date_picture: Some(picture.to_owned()), ..FieldFormat::default() })
}
