//! Lays out blocks into columns and pages.
//!
//! A column is filled with *fragments*: lines, table rows or parts of rows. No page break divides a fragment. Each fragment
//! stores the position where layout must resume if the column ends before the fragment. It also stores the strongest rule that
//! forbids a break there. If a fragment does not fit, the column ends at the best break before one of its fragments, and the next
//! column resumes there. The contents of cells, notes, headers and text boxes are columns of unlimited height.

mod areas;
mod border;
mod chart;
mod column;
mod comments;
mod context;
mod dates;
mod decorate;
mod drawing;
mod field_index;
mod field_results;
mod field_scope;
mod float;
mod fragment;
mod geometry;
mod header;
mod lay_out;
mod line_head;
mod metafile;
mod notes;
mod outline;
mod page_builder;
mod page_draft;
mod paint;
mod paint_pages;
mod paragraph;
mod paragraph_numbers;
mod spacing;
mod stored_results;
mod structure;
mod style_references;
mod table;
mod text_box;
mod text_frame;
mod walk;

use std::cell::{Cell, RefCell};

use waraq_docx::Result;
use waraq_docx::tree::Document;
use waraq_rules::{Diagnostic, DiagnosticCode};

use self::context::LayoutContext;
use self::field_results::FieldResults;
use self::page_builder::PageBuilder;
use self::stored_results::StoredResults;
use self::structure::Elements;
use self::text_box::TextBoxChains;
use crate::LayoutOptions;
use crate::fonts::{DocumentFonts, FontBook};
use crate::page::Pages;
use crate::text::{Context, LineCache};

/// Maximum number of layout passes. The page numbers that the text shows are known only after a pass, and may change the layout
/// of the next one. Numbers that are still wrong after the last pass stay wrong.
const MAX_PASSES: usize = 3;

pub(crate) fn lay_out(
    document: &Document,
    fonts: &FontBook,
    options: &LayoutOptions,
    memory: Option<&LineCache>,
) -> Result<Pages> {
    let fonts = fonts.for_document(document);
    memory.inspect(|memory| memory.begin_layout(fonts.library()));
    let pages = lay_out_document(document, &fonts, options, memory);
    memory.inspect(|memory| memory.end_layout());
    pages
}

fn lay_out_document(
    document: &Document,
    fonts: &DocumentFonts,
    options: &LayoutOptions,
    memory: Option<&LineCache>,
) -> Result<Pages> {
    let field_results = FieldResults::new(document, options);
    let contexts: Vec<Context<'_>> = document
        .sections
        .iter()
        .map(|section| Context {
            fonts,
            settings: &document.settings,
            fields: &field_results,
            line_pitch: section.properties.line_pitch.filter(|pitch| *pitch > 1.0 && *pitch < 500.0),
            line_cache: memory,
        })
        .collect();
    let mut pages = Pages::default();
    if contexts.is_empty() {
        return Ok(pages);
    }
    let elements = Elements::from_document(document);
    let chains = TextBoxChains::from_document(document);
    let ctx = LayoutContext {
        document,
        contexts: &contexts,
        field_results: &field_results,
        elements: &elements,
        chains: &chains,
        warnings: RefCell::default(),
        metafile_marks_left: Cell::default(),
        options,
        lay_out_blocks: lay_out::lay_out_blocks,
        lay_out_text_box: lay_out::lay_out_text_box,
    };
    let before = document.meter.memory();
    for pass in 1..=MAX_PASSES {
        ctx.metafile_marks_left.set(metafile::MAX_MARKS);
        chains.reset();
        let mut book = PageBuilder::new(&ctx, options.max_pages);
        book.lay_out_sections();
        let PageBuilder { drafts, truncated, .. } = book;
        let painted = paint_pages::paint_pages(&ctx, drafts);
        pages = painted.pages;
        document.meter.outcome()?;
        if truncated {
            let message = format!("Only the first {} pages were made.", options.max_pages);
            pages.warnings.push(Diagnostic::new(DiagnosticCode::TooManyPages, message));
        }
        if !painted.outdated || pass == MAX_PASSES {
            break;
        }
        // Free the pages before the next pass, so that two layouts of a long document are never in memory together.
        pages = Pages::default();
        document.meter.release(usize::try_from(document.meter.memory().saturating_sub(before)).unwrap_or(usize::MAX));
    }
    let stored = StoredResults::compute(document, &field_results);
    pages.field_results = stored.results;
    pages.metadata = document.properties.clone();
    pages.metadata.language = document.language.clone().or(pages.metadata.language);
    pages.metadata.created = dates::now_as_iso8601(options).or(pages.metadata.created);
    pages.right_to_left = pages.metadata.language.as_deref().is_some_and(is_right_to_left);
    pages.images.clone_from(&document.images);
    pages.fonts = fonts.used_fonts();
    pages.warnings.splice(0..0, document.warnings.iter().cloned());
    pages.warnings.append(&mut ctx.warnings.take());
    pages.warnings.extend(stored.diagnostics);
    pages.warnings.extend(fonts.warnings());
    pages.structure = elements.all;
    pages.meter = document.meter.clone();
    Ok(pages)
}

fn is_right_to_left(language: &str) -> bool {
    ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv"].contains(&language.split('-').next().unwrap_or(""))
}
