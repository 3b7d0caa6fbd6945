//! Inputs and state that all layout functions share.

use std::cell::{Cell, RefCell};

use waraq_docx::Meter;
use waraq_docx::tree::{Block, Document, Location, TextBox};
use waraq_rules::{Diagnostic, DiagnosticCode};

use super::areas::Frame;
use super::field_results::FieldResults;
use super::fragment::UnboundedColumn;
use super::structure::Elements;
use super::text_box::{BoxText, TextBoxChains};
use crate::LayoutOptions;
use crate::text::Context;

/// The inputs of the layout of one document: the tree, its fonts and the values of its fields. Also collects the warnings.
pub(super) struct LayoutContext<'a> {
    pub document: &'a Document,
    /// The text context of each section. Sections differ in line pitch.
    pub contexts: &'a [Context<'a>],
    pub field_results: &'a FieldResults<'a>,
    pub elements: &'a Elements,
    pub chains: &'a TextBoxChains<'a>,
    pub warnings: RefCell<Vec<Diagnostic>>,
    /// Number of marks of metafiles that may still be drawn in the document.
    pub metafile_marks_left: Cell<usize>,
    pub options: &'a LayoutOptions,
    /// Functions that lay out blocks and text boxes. Layout is recursive (cells, notes and text boxes contain blocks). The
    /// modules must not depend on each other in a cycle, so the functions are fields and not imports.
    pub lay_out_blocks: for<'s, 'b> fn(&'s LayoutContext<'b>, &'b [Block], Frame, f32) -> UnboundedColumn<'b>,
    pub lay_out_text_box: for<'s, 'b> fn(&'s LayoutContext<'b>, &'b TextBox, &Frame, f32) -> BoxText<'b>,
}

impl<'a> LayoutContext<'a> {
    pub fn text_context(&self, section: usize) -> &'a Context<'a> {
        let last = self.contexts.len().saturating_sub(1);
        &self.contexts[section.min(last)]
    }

    /// Adds a warning about blocks that cannot be laid out as in Word. Only the first warning with each code is kept.
    pub fn warn(&self, blocks: &[Block], code: DiagnosticCode, message: &str) {
        let mut warnings = self.warnings.borrow_mut();
        if !warnings.iter().any(|known| known.code == code) {
            warnings.push(Location::first_in(blocks).finding(code, message));
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
    /// layout of a very long one must not take more time than the layout of a page.
    pub fn lay_out_unbounded_until(&self, blocks: &'a [Block], frame: Frame, enough: f32) -> UnboundedColumn<'a> {
        (self.lay_out_blocks)(self, blocks, frame, enough)
    }

    /// Lays out the text of a text box whose drawing is in `frame`, with lines of `width` points.
    pub fn lay_out_text_box(&self, text: &'a TextBox, frame: &Frame, width: f32) -> BoxText<'a> {
        (self.lay_out_text_box)(self, text, frame, width)
    }
}
