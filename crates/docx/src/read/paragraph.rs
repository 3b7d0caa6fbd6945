//! Reading of paragraphs: properties, label and text.

use std::sync::Arc;

use super::cascade::ResolvedParagraph;
use super::part_reader::PartReader;
use super::symbols;
use super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> PartReader<'t, '_> {
    /// Reads a `w:p`.
    pub(crate) fn read_paragraph(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        self.paragraph_count += 1;
        let location = self.location();
        let properties = element.child(Ns::W, "pPr");
        let mut resolved = self.resolve_paragraph(properties);
        let mark_format = properties.and_then(|properties| properties.child(Ns::W, "rPr"));
        self.count_heading(&resolved.properties);
        self.read_inlines(element, &resolved.base);
        self.end_paragraph_in_fields();
        let is_deleted = mark_format.is_some_and(|format| {
            !self.shared.shows_all_changes()
                && (format.child(Ns::W, "del").is_some() || format.child(Ns::W, "moveFrom").is_some())
        });
        if self.shared.shows_all_changes()
            && let Some(revision) = mark_format.and_then(|format| self.mark_revision(format))
        {
            resolved.mark = Arc::new(RunProperties { revision: Some(revision), ..(*resolved.mark).clone() });
        }
        let is_joined = is_deleted || self.hides_paragraph_end();
        // Deleted and completely hidden paragraphs get no number.
        let counts = !is_joined && (!resolved.mark.hidden || has_visible_content(&self.open_paragraph.inlines));
        let label = if counts { self.next_label(&resolved, mark_format) } else { None };
        self.finish_paragraph(resolved, label, is_joined, location, blocks);
    }

    /// Returns the tracked change of the paragraph mark. `format` is the `w:rPr` of the mark. Returns `None` if the
    /// mark has no tracked change.
    fn mark_revision(&mut self, format: Element<'_>) -> Option<Revision> {
        let changes = format.children().filter(|child| child.ns() == Ns::W);
        let found = changes.filter_map(|change| Some((RevisionKind::from_element(change)?, change))).next();
        found.map(|(kind, element)| self.new_revision(kind, element))
    }

    /// Creates a paragraph for inline content between blocks, such as a formula.
    pub(crate) fn read_inline_as_paragraph(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        self.paragraph_count += 1;
        let location = self.location();
        let resolved = self.resolve_paragraph(None);
        self.read_inline(element, &resolved.base.clone());
        self.end_paragraph_in_fields();
        self.finish_paragraph(resolved, None, false, location, blocks);
    }

    /// Creates the paragraph from the inlines read so far. The paragraph is joined with the next one if `is_joined` is
    /// `true` or if its mark is hidden. `is_joined` is `true` if the mark is deleted, or inside the code or a hidden
    /// result of a field.
    fn finish_paragraph(
        &mut self,
        resolved: ResolvedParagraph,
        label: Option<Label>,
        is_joined: bool,
        location: Location,
        blocks: &mut Vec<Block>,
    ) {
        let mut inlines = std::mem::take(&mut self.open_paragraph.inlines);
        inlines.shrink_to_fit();
        let ResolvedParagraph { properties, mark, .. } = resolved;
        let id = std::mem::take(&mut self.open_paragraph.id);
        let mut paragraph = Paragraph { id, properties, mark, label, inlines, location };
        let hidden = paragraph.mark.hidden;
        if let Some(mut before) = self.pending_paragraph.take() {
            before.inlines.append(&mut paragraph.inlines);
            paragraph.inlines = before.inlines;
            // Text before a hidden paragraph mark keeps its formatting, as with Word's style separator.
            if before.mark.hidden {
                (paragraph.properties, paragraph.label) = (before.properties, before.label);
            }
        }
        if is_joined || hidden {
            if hidden && !has_visible_content(&paragraph.inlines) {
                paragraph.inlines.retain(|inline| inline.content.is_mark());
                paragraph.label = None;
                // The paragraph shows nothing, so the next paragraph must not take its formatting.
                paragraph.mark = Arc::new(RunProperties { hidden: false, ..(*paragraph.mark).clone() });
            }
            self.pending_paragraph = Some(paragraph);
        } else {
            blocks.push(Block::Paragraph(paragraph));
        }
    }

    /// Adds `pending_paragraph` as a block of its own, because no paragraph follows to which its content could be
    /// added. An empty paragraph is dropped, unless it is the first block.
    pub(crate) fn flush_pending_paragraph(&mut self, blocks: &mut Vec<Block>) {
        if let Some(paragraph) = self.pending_paragraph.take()
            && (!paragraph.inlines.is_empty() || blocks.is_empty())
        {
            blocks.push(Block::Paragraph(paragraph));
        }
    }

    fn count_heading(&mut self, properties: &ParagraphProperties) {
        if let Some(level) = properties.outline_level {
            for count in self.state.headings.iter_mut().skip(usize::from(level)) {
                *count += 1;
            }
        }
    }

    /// Counts the paragraph if it is numbered, and returns its label. Returns `None` for paragraphs without numbering.
    fn next_label(&mut self, resolved: &ResolvedParagraph, mark: Option<Element<'t>>) -> Option<Label> {
        let (id, index) = resolved.numbering?;
        let numbering = &self.shared.numbering;
        self.charge(40, size_of::<RunProperties>() + size_of::<Label>());
        let level = numbering.level(id, index)?;
        let language =
            if resolved.properties.bidi { &resolved.mark.language.complex } else { &resolved.mark.language.latin };
        let text = self.counters.next_label(numbering, id, index, language.as_deref())?;
        let direct: Vec<Element<'_>> = mark.into_iter().chain(level.run).collect();
        let styles: Vec<_> = direct.iter().map(|format| format.child_val("rStyle")).filter(Option::is_some).collect();
        let run = self.resolve_run(&resolved.base, &styles, &direct);
        let text = symbols::to_unicode_with_fonts(&text, run.fonts.ascii.as_deref(), run.fonts.high_ansi.as_deref());
        let picture = level.picture.and_then(|id| self.bullet_picture(id));
        Some(Label {
            text,
            picture,
            run: Arc::new(run),
            suffix: level.suffix,
            alignment: level.alignment,
            tab: level.tab,
            format: level.format.number_format(),
            first_number_level: level.first_number_level(),
        })
    }
}

fn has_visible_content(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match &inline.content {
        Content::CommentReference(_) => false,
        mark if mark.is_mark() => false,
        Content::Text(text) => !inline.run.hidden && !text.is_empty(),
        _ => !inline.run.hidden,
    })
}
