//! Inputs and state that all layout functions share.

use std::cell::{Cell, RefCell};

use waraq_docx::Meter;
use waraq_docx::tree::{Block, Document, Location, Paragraph, TextBox};
use waraq_rules::{Diagnostic, DiagnosticCode};

use super::areas::Frame;
use super::field_results::FieldResults;
use super::fragment::UnboundedColumn;
use super::structure::Elements;
use super::text_box::{BoxText, TextBoxChains};
use super::walk;
use crate::LayoutOptions;
use crate::text::Context;

/// Maximum number of paragraphs for which the same warning is added. Further paragraphs get no warning.
const MAX_PARAGRAPH_WARNINGS: usize = 20;
/// Maximum number of characters of a paragraph that a warning about the paragraph contains.
const MAX_CONTEXT_CHARACTERS: usize = 80;

/// The inputs of the layout of one document: the tree, its fonts and the values of its fields. Also collects the warnings.
pub(super) struct LayoutContext<'a> {
    pub document: &'a Document,
    /// The inputs of text layout for each section, by the index of the section. Sections differ in line pitch.
    pub contexts: &'a [Context<'a>],
    pub field_results: &'a FieldResults<'a>,
    pub elements: &'a Elements,
    pub chains: &'a TextBoxChains<'a>,
    pub warnings: RefCell<Vec<Diagnostic>>,
    /// Number of metafile marks (areas, lines, texts, pictures) that may still be drawn in the document.
    pub metafile_marks_left: Cell<usize>,
    pub options: &'a LayoutOptions,
    /// Functions that lay out blocks and text boxes. Layout is recursive, because cells, notes and text boxes contain blocks.
    /// Imports of these functions would create cycles between the modules, so the functions are fields. The last argument of
    /// `lay_out_blocks` is the height in points after which layout may stop. The last argument of `lay_out_text_box` is the width
    /// of the lines in points.
    pub lay_out_blocks: for<'s, 'b> fn(&'s LayoutContext<'b>, &'b [Block], Frame, f32) -> UnboundedColumn<'b>,
    pub lay_out_text_box: for<'s, 'b> fn(&'s LayoutContext<'b>, &'b TextBox, &Frame, f32) -> BoxText<'b>,
}

impl<'a> LayoutContext<'a> {
    pub fn text_context(&self, section: usize) -> &'a Context<'a> {
        let last = self.contexts.len().saturating_sub(1);
        &self.contexts[section.min(last)]
    }

    /// Adds a warning about blocks that cannot be laid out as in Word. Only the first warning with each code and message is
    /// kept.
    pub fn warn(&self, blocks: &[Block], code: DiagnosticCode, message: &str) {
        let mut warnings = self.warnings.borrow_mut();
        if !warnings.iter().any(|known| known.code == code && known.message == message) {
            warnings.push(Location::first_in(blocks).finding(code, message));
        }
    }

    /// Adds a warning about one paragraph, with the beginning of its text. Each paragraph is reported once, and at most
    /// `MAX_PARAGRAPH_WARNINGS` paragraphs for each message.
    pub fn warn_at_paragraph(&self, paragraph: &Paragraph, code: DiagnosticCode, message: &str) {
        let mut warnings = self.warnings.borrow_mut();
        let known = || warnings.iter().filter(|known| known.code == code && known.message == message);
        if known().count() >= MAX_PARAGRAPH_WARNINGS {
            return;
        }
        let text: String = walk::paragraph_text(paragraph).chars().take(MAX_CONTEXT_CHARACTERS).collect();
        let warning = paragraph.location.finding(code, message).with_context(text);
        if !known().any(|known| known.part == warning.part && known.paragraph == warning.paragraph) {
            warnings.push(warning);
        }
    }

    /// Returns the meter that counts the work of the layout.
    pub fn meter(&self) -> &'a Meter {
        &self.document.meter
    }

    /// Lays out blocks vertically in a column of unlimited height.
    pub fn lay_out_unbounded(&self, blocks: &'a [Block], frame: Frame) -> UnboundedColumn<'a> {
        (self.lay_out_blocks)(self, blocks, frame, f32::INFINITY)
    }

    /// Lays out blocks vertically and stops when they are more than `enough` points high. Used for headers and footers: the
    /// layout of a very long header must not take more time than the layout of a page.
    pub fn lay_out_unbounded_until(&self, blocks: &'a [Block], frame: Frame, enough: f32) -> UnboundedColumn<'a> {
        (self.lay_out_blocks)(self, blocks, frame, enough)
    }

    /// Lays out the text of a text box whose drawing is in `frame`, with lines of `width` points.
    pub fn lay_out_text_box(&self, text: &'a TextBox, frame: &Frame, width: f32) -> BoxText<'a> {
        (self.lay_out_text_box)(self, text, frame, width)
    }
}
