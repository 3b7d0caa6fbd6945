//! Lays out blocks into columns and pages.
//!
//! A column is filled with *fragments*: lines, table rows or parts of rows, which no page break divides. Each fragment stores
//! where layout resumes after a break before it, and the strongest rule against such a break. If a fragment does not fit, the
//! column ends at the best break before one of its fragments, and the next column resumes there. The contents of cells, notes,
//! headers and text boxes are columns of unlimited height.

mod answers;
mod areas;
mod book;
mod border;
mod chart;
mod column;
mod comments;
mod dates;
mod decorate;
mod draft;
mod drawing;
mod fill;
mod finish;
mod float;
mod frames;
mod geometry;
mod header;
mod line_head;
mod metafile;
mod notes;
mod outline;
mod paint;
mod paragraph;
mod setter;
mod spacing;
mod structure;
mod table;
mod text_box;
mod unit;
mod walk;

use std::cell::{Cell, RefCell};

use waraq_docx::Result;
use waraq_docx::tree::Document;
use waraq_rules::{Finding, FindingCode};

use self::answers::Answers;
use self::book::Book;
use self::setter::Setter;
use self::structure::Elements;
use self::text_box::Chains;
use crate::Options;
use crate::fonts::{DocumentFonts, FontBook};
use crate::page::Pages;
use crate::text::{Context, LineMemory};

/// Maximum number of layout passes. Page numbers in the text are known only after a pass, and may move the text in the next
/// one. Numbers that are still wrong after the last pass stay.
const MOST_PASSES: usize = 3;

pub(crate) fn layout(
    document: &Document,
    fonts: &FontBook,
    options: &Options,
    memory: Option<&LineMemory>,
) -> Result<Pages> {
    let fonts = fonts.for_document(document);
    memory.inspect(|memory| memory.begin(fonts.library()));
    let pages = set(document, &fonts, options, memory);
    memory.inspect(|memory| memory.end());
    pages
}

fn set(document: &Document, fonts: &DocumentFonts, options: &Options, memory: Option<&LineMemory>) -> Result<Pages> {
    let answers = Answers::new(document, options);
    let contexts: Vec<Context<'_>> = document
        .sections
        .iter()
        .map(|section| Context {
            fonts,
            settings: &document.settings,
            fields: &answers,
            line_pitch: section.properties.line_pitch.filter(|pitch| *pitch > 1.0 && *pitch < 500.0),
            memory,
        })
        .collect();
    let mut pages = Pages::default();
    if contexts.is_empty() {
        return Ok(pages);
    }
    let elements = Elements::of(document);
    let chains = Chains::of(document);
    let setter = Setter {
        document,
        contexts: &contexts,
        answers: &answers,
        elements: &elements,
        chains: &chains,
        warnings: RefCell::default(),
        marks_left: Cell::default(),
        options,
        set_blocks: fill::galley,
        set_box: fill::text_of_box,
    };
    let before = document.meter.memory();
    for pass in 1..=MOST_PASSES {
        setter.marks_left.set(metafile::MOST_MARKS);
        chains.again();
        let mut book = Book::new(&setter, options.max_pages);
        book.fill();
        let Book { drafts, truncated, .. } = book;
        let again;
        (pages, again) = finish::finish(&setter, drafts);
        document.meter.outcome()?;
        if truncated {
            let message = format!("Only the first {} pages were made.", options.max_pages);
            pages.warnings.push(Finding::new(FindingCode::TooManyPages, message));
        }
        if !again || pass == MOST_PASSES {
            break;
        }
        // Free the pages before the next pass, so that two layouts of a long document are never in memory together.
        pages = Pages::default();
        document.meter.release(usize::try_from(document.meter.memory().saturating_sub(before)).unwrap_or(usize::MAX));
    }
    pages.metadata = document.properties.clone();
    pages.metadata.language = document.language.clone().or(pages.metadata.language);
    pages.metadata.created = dates::iso(options).or(pages.metadata.created);
    pages.right_to_left = pages.metadata.language.as_deref().is_some_and(is_right_to_left);
    pages.images.clone_from(&document.images);
    pages.fonts = fonts.used();
    pages.warnings.splice(0..0, document.warnings.iter().cloned());
    pages.warnings.append(&mut setter.warnings.take());
    pages.warnings.extend(fonts.warnings());
    pages.structure = elements.all;
    pages.meter = document.meter.clone();
    Ok(pages)
}

fn is_right_to_left(language: &str) -> bool {
    ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv"].contains(&language.split('-').next().unwrap_or(""))
}
