//! What every part of the flow needs at hand: the document, its fonts, the answers of fields.

use std::cell::{Cell, RefCell};

use waraq_docx::Meter;
use waraq_docx::tree::{Block, Document, Location, TextBox};
use waraq_rules::{Finding, FindingCode};

use super::answers::Answers;
use super::areas::Frame;
use super::structure::Elements;
use super::text_box::{Chains, Share};
use super::unit::Galley;
use crate::Options;
use crate::text::Context;

pub(super) struct Setter<'a> {
    pub document: &'a Document,
    /// By section: they differ in their line pitch.
    pub contexts: &'a [Context<'a>],
    pub answers: &'a Answers<'a>,
    pub elements: &'a Elements,
    pub chains: &'a Chains<'a>,
    pub warnings: RefCell<Vec<Finding>>,
    /// How many marks of metafiles the document may still draw.
    pub marks_left: Cell<usize>,
    pub options: &'a Options,
    /// Blocks hold blocks (cells, notes, text boxes), so what is set asks for this again: [`galley`](super::fill::galley) and
    /// [`text_of_box`](super::fill::text_of_box), handed in.
    pub set_blocks: for<'s, 'b> fn(&'s Setter<'b>, &'b [Block], Frame, f32) -> Galley<'b>,
    pub set_box: for<'s, 'b> fn(&'s Setter<'b>, &'b TextBox, &Frame, f32) -> Share<'b>,
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
        (self.set_blocks)(self, blocks, frame, f32::INFINITY)
    }

    /// The same, until it is `enough` high: what is repeated on every page must not cost more than a page shows.
    pub fn galley_until(&self, blocks: &'a [Block], frame: Frame, enough: f32) -> Galley<'a> {
        (self.set_blocks)(self, blocks, frame, enough)
    }

    pub fn text_of_box(&self, text: &'a TextBox, frame: &Frame, width: f32) -> Share<'a> {
        (self.set_box)(self, text, frame, width)
    }
}
