//! What every part of the flow needs at hand: the document, its fonts, the answers of fields, and the room to fill.

use std::cell::RefCell;

use waraq_docx::Meter;
use waraq_docx::tree::{Block, Document, Location};
use waraq_rules::{Finding, FindingCode};

use super::answers::Answers;
use super::chain::Chains;
use super::fill::Filler;
use super::metafile::MarksLeft;
use super::structure::Marks;
use super::unit::{Galley, Resume};
use crate::Options;
use crate::page::Rect;
use crate::text::Context;

/// Boxes in boxes deeper than this stay empty: no real document has them, a hostile one would exhaust the stack.
const DEEPEST: u8 = 24;

pub(super) struct Setter<'a> {
    pub document: &'a Document,
    /// By section: they differ in their line pitch.
    pub contexts: &'a [Context<'a>],
    pub answers: &'a Answers<'a>,
    pub marks: &'a Marks,
    pub chains: &'a Chains<'a>,
    pub warnings: &'a RefCell<Vec<Finding>>,
    /// Of metafiles.
    pub marks_left: &'a MarksLeft,
    pub options: &'a Options,
}

/// The room that blocks are set in; its origin is the column's top left corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub section: usize,
    pub width: f32,
    /// Infinite where content decides.
    pub height: f32,
    /// The page and the area within its margins, seen from the column.
    pub page: Rect,
    pub margin: Rect,
    pub even_page: bool,
    /// The column begins at the top of a page's body: what does not fit here fits nowhere.
    pub full: bool,
    /// Nothing stands above on the page: a page break before is already there.
    pub page_start: bool,
    /// In a cell or a frame: nothing floats out of it by being framed.
    pub in_cell: bool,
    pub depth: u8,
}

impl Frame {
    /// A box of its own inside this one (a cell, a text box): positions are relative to it.
    pub fn inner(&self, width: f32) -> Self {
        let area = Rect { x: 0.0, y: 0.0, width, height: 0.0 };
        Self {
            width: width.max(1.0),
            height: f32::INFINITY,
            page: area,
            margin: area,
            full: true,
            page_start: true,
            in_cell: false,
            depth: self.depth.saturating_add(1),
            ..*self
        }
    }

    pub fn too_deep(&self) -> bool {
        self.depth > DEEPEST
    }
}

impl<'a> Setter<'a> {
    pub fn context(&self, section: usize) -> &'a Context<'a> {
        let last = self.contexts.len().saturating_sub(1);
        &self.contexts[section.min(last)]
    }

    /// Reports what of these blocks cannot be set as Word would, once.
    pub fn warn(&self, blocks: &[Block], code: FindingCode, message: &str) {
        let mut warnings = self.warnings.borrow_mut();
        if !warnings.iter().any(|known| known.code == code) {
            warnings.push(Location::of(blocks).finding(code, message));
        }
    }

    /// What is set counts here.
    pub fn meter(&self) -> &'a Meter {
        &self.document.meter
    }

    /// Sets blocks one below the other, as high as they need.
    pub fn galley(&self, blocks: &'a [Block], frame: Frame) -> Galley<'a> {
        self.galley_until(blocks, frame, f32::INFINITY)
    }

    /// The same, until it is `enough` high: what is repeated on every page must not cost more than a page shows.
    pub fn galley_until(&self, blocks: &'a [Block], frame: Frame, enough: f32) -> Galley<'a> {
        if frame.too_deep() {
            return Galley::default();
        }
        let frame = Frame { height: f32::INFINITY, ..frame };
        let mut filler = Filler::new(self, blocks, frame);
        filler.enough = enough;
        filler.fill(Resume::at(0), None);
        filler.into_galley()
    }
}
