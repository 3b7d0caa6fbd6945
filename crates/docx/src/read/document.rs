//! Reading of a complete document: its parts in order, and its sections with their headers and footers.

use std::collections::HashMap;
use std::sync::Arc;
use waraq_rules::{Diagnostic, DiagnosticCode, ErrorCode};

use super::binding;
use super::contents;
use super::font_table;
use super::notes;
use super::numbering::Numbering;
use super::part_reader::{DocumentState, PartReader, SharedContext};
use super::property_fields::DocumentProperties;
use super::section;
use super::settings::SettingsPart;
use super::styles::Styles;
use super::theme::Theme;
use super::xml::{Element, Ns, Tree};
use super::{ReadOptions, run_format::FormatContext};
use crate::package::Relationship;
use crate::tree::*;
use crate::{Error, Package, Result};

pub(crate) fn read_document(package: &Package, options: &ReadOptions) -> Result<Document> {
    let main = package.main_part();
    let relationships = package.relationships_of(main);
    let parts = DefinitionParts::parse(package)?;
    let shared = read_shared_context(package, options, &parts);
    let mut state = DocumentState {
        warnings: package.skipped_part_errors().iter().map(skipped_part_finding).collect(),
        ..DocumentState::default()
    };
    let mut sections = read_sections(&shared, &mut state, main)?;
    contents::build_outdated_contents(&shared, &mut state, main, &mut sections);
    let mut document = Document { sections, ..Document::default() };
    notes::read_all_notes(&shared, &mut state, relationships, &mut document)?;
    if options.comments {
        document.comments = notes::read_comments(&shared, &mut state, relationships)?;
    }
    document.line_number_run = Arc::new(PartReader::new(&shared, &mut state, main).line_number_run());
    let (fonts, hints) = font_table::read_font_table(package, relationships, &mut state.warnings)?;
    (document.embedded_fonts, document.font_table) = (fonts, hints);
    document.language = main_language(&shared, &state);
    document.text_chains = state.text_chains();
    document.language_lengths = state.languages;
    document.images = state.images;
    document.warnings = state.warnings;
    document.settings = shared.settings.settings;
    document.properties = shared.properties.core;
    document.meter = package.meter().clone();
    document.meter.outcome()?;
    Ok(document)
}

/// Returns the diagnostic for a part that cannot be read but is not needed for the pages.
fn skipped_part_finding(error: &Error) -> Diagnostic {
    let part = error.part.clone().unwrap_or_default();
    let message = format!("the part was left out, the pages do not need it: {}", error.message);
    Diagnostic::new(DiagnosticCode::PartLeftOut, message).in_part(part)
}

/// Reads an imported document and returns its sections.
pub(crate) fn read_body(package: &Package, options: &ReadOptions, state: &mut DocumentState) -> Result<Vec<Section>> {
    let parts = DefinitionParts::parse(package)?;
    read_sections(&read_shared_context(package, options, &parts), state, package.main_part())
}

/// Returns the target part of the first internal relationship of this kind.
pub(crate) fn part_of_kind<'r>(relationships: &'r [Relationship], kind: &str) -> Option<&'r str> {
    let found = relationships.iter().find(|relationship| relationship.kind == kind && !relationship.external);
    found.map(|relationship| relationship.target.as_str())
}

/// The parsed parts that the text refers to. Styles and numbering borrow from them.
struct DefinitionParts<'p> {
    settings: Option<Tree<'p>>,
    theme: Option<Tree<'p>>,
    styles: Option<Tree<'p>>,
    numbering: Option<Tree<'p>>,
}

impl<'p> DefinitionParts<'p> {
    fn parse(package: &'p Package) -> Result<Self> {
        let relationships = package.relationships_of(package.main_part());
        let parse = |kind: &str| part_of_kind(relationships, kind).map_or(Ok(None), |part| package.parse_part(part));
        Ok(Self {
            settings: parse("settings")?,
            theme: parse("theme")?,
            styles: parse("styles")?,
            numbering: parse("numbering")?,
        })
    }
}

/// Reads the settings, theme, styles, numbering and properties, which all parts of the document use.
fn read_shared_context<'p>(
    package: &'p Package,
    options: &ReadOptions,
    parts: &'p DefinitionParts<'p>,
) -> SharedContext<'p> {
    let settings = parts.settings.as_ref().map(SettingsPart::from_tree).unwrap_or_default();
    let mut theme = parts.theme.as_ref().map(Theme::parse).unwrap_or_default();
    theme.set_mapping(settings.color_mapping.clone());
    let context = FormatContext { theme: &theme, languages: &settings.theme_languages, meter: package.meter() };
    let styles = Styles::from_element(parts.styles.as_ref().and_then(Tree::root), context);
    let part = part_of_kind(package.relationships_of(package.main_part()), "numbering").unwrap_or_default();
    let numbering = parts.numbering.as_ref().and_then(Tree::root);
    let mut numbering = numbering.map(|root| Numbering::read(root, package.relationships_of(part))).unwrap_or_default();
    numbering.link_styles(|style| styles.numbering_of(style));
    SharedContext {
        package,
        options: *options,
        properties: DocumentProperties::read(package),
        theme,
        settings,
        styles,
        numbering,
        stores: binding::data_stores(package),
    }
}

/// Reads the body and splits it at paragraphs with section properties.
fn read_sections(shared: &SharedContext<'_>, state: &mut DocumentState, main: &str) -> Result<Vec<Section>> {
    let package = shared.package;
    let tree = Tree::parse(main, package.part_bytes(main).unwrap_or_default(), package.meter())?;
    let body = tree.root().and_then(|root| root.child(Ns::W, "body"));
    let body = body.ok_or_else(|| Error::new(ErrorCode::NoDocumentBody, format!("{main}: holds no w:body")))?;
    let mut story = PartReader::new(shared, state, main);
    let mut found: Vec<(Vec<Block>, Option<Element<'_>>)> = Vec::new();
    let mut blocks = Vec::new();
    let mut last = None;
    // The indices of sections that end with a paragraph and contain other blocks before it.
    let mut ended_by_paragraph = Vec::new();
    for element in body.children() {
        if element.has_name(Ns::W, "sectPr") {
            last = Some(element);
            continue;
        }
        let before = blocks.len();
        story.read_block(element, &mut blocks);
        if let Some(properties) = section_properties(element) {
            story.flush_pending_paragraph(&mut blocks);
            if before > 0 && blocks.len() == before + 1 {
                ended_by_paragraph.push(found.len());
            }
            found.push((std::mem::take(&mut blocks), Some(properties)));
        }
    }
    story.flush_pending_paragraph(&mut blocks);
    if !blocks.is_empty() || last.is_some() || found.is_empty() {
        found.push((blocks, last));
    }
    for index in ended_by_paragraph {
        let next = found.get(index + 1).and_then(|(_, properties)| *properties);
        if next.and_then(|next| next.child_val("type")) == Some("continuous")
            && let Some((blocks, _)) = found.get_mut(index)
        {
            drop_section_mark(blocks);
        }
    }
    let relationships = std::mem::take(&mut story.relationships);
    let mut headers = SectionBuilder { shared, state, relationships, parts: HashMap::new() };
    let mut inherited = <(HeaderSet, HeaderSet)>::default();
    found.into_iter().map(|(blocks, element)| headers.build_section(blocks, element, &mut inherited)).collect()
}

/// Removes the last paragraph of a section if the paragraph is empty and only marks the end of the section. The caller
/// calls this function if the next section is continuous, because Word then gives the paragraph no height (§17.18.77).
/// The only block of a section is never removed.
fn drop_section_mark(blocks: &mut Vec<Block>) {
    let is_position_mark = |inline: &Inline| inline.content.is_mark();
    let is_only_mark = |paragraph: &Paragraph| {
        let properties = &paragraph.properties;
        paragraph.inlines.iter().all(is_position_mark)
            && paragraph.label.is_none()
            && properties.frame.is_none()
            && !properties.page_break_before
    };
    if let [.., above, Block::Paragraph(mark)] = blocks.as_mut_slice()
        && is_only_mark(mark)
    {
        let inlines = std::mem::take(&mut mark.inlines);
        match above {
            Block::Paragraph(above) => above.inlines.extend(inlines),
            Block::Table(_) if inlines.is_empty() => {}
            Block::Table(_) => {
                mark.inlines = inlines;
                return;
            }
        }
        blocks.pop();
    }
}

/// Returns the section properties (`w:sectPr`) of a paragraph. `element` is the paragraph itself, or a content control,
/// custom XML element or insertion that contains the paragraph. Returns `None` if the paragraph has no section
/// properties.
fn section_properties(element: Element<'_>) -> Option<Element<'_>> {
    match element.name() {
        "p" => element.child(Ns::W, "pPr")?.child(Ns::W, "sectPr"),
        "sdt" => element.child(Ns::W, "sdtContent")?.children().filter_map(section_properties).last(),
        "customXml" | "ins" => element.children().filter_map(section_properties).last(),
        _ => None,
    }
}

/// Creates the sections of a document. Each header or footer part is read only once, although several sections may
/// refer to it.
struct SectionBuilder<'s, 'g> {
    shared: &'s SharedContext<'s>,
    state: &'g mut DocumentState,
    relationships: HashMap<String, Relationship>,
    parts: HashMap<String, Arc<Vec<Block>>>,
}

impl SectionBuilder<'_, '_> {
    /// Creates a section from its blocks and its `w:sectPr`. `inherited` contains the headers and footers of the
    /// previous section, and is updated for the next one.
    fn build_section(
        &mut self,
        blocks: Vec<Block>,
        element: Option<Element<'_>>,
        inherited: &mut (HeaderSet, HeaderSet),
    ) -> Result<Section> {
        let properties = element.map(|element| section::read_section(element, &self.shared.theme)).unwrap_or_default();
        let mut header_references = Vec::new();
        for reference in element.into_iter().flat_map(Element::children).filter(|child| child.ns() == Ns::W) {
            let (kind, set) = match reference.name() {
                "headerReference" => ("header", &mut inherited.0),
                "footerReference" => ("footer", &mut inherited.1),
                _ => continue,
            };
            let slot = match reference.word_attribute("type") {
                Some("first") => &mut set.first,
                Some("even") => &mut set.even,
                _ => &mut set.default,
            };
            let Some(id) = reference.relationship_attribute("id") else { continue };
            let known = self.relationships.get(id);
            let (page, target) =
                (reference.word_attribute("type").unwrap_or("default"), known.map(|known| known.target.clone()));
            header_references.push(HeaderReference { kind, page: page.to_owned(), id: id.to_owned(), target });
            let Some(part) = known.filter(|known| !known.external).map(|known| known.target.clone()) else { continue };
            *slot = Some(self.read_part(&part)?);
        }
        let (headers, footers) = inherited.clone();
        Ok(Section { properties, blocks, headers, footers, header_references })
    }

    fn read_part(&mut self, name: &str) -> Result<Arc<Vec<Block>>> {
        if let Some(blocks) = self.parts.get(name) {
            return Ok(blocks.clone());
        }
        let blocks = Arc::new(read_part_blocks(self.shared, self.state, name)?);
        self.parts.insert(name.to_owned(), blocks.clone());
        Ok(blocks)
    }
}

/// Reads the blocks of a header or footer part.
fn read_part_blocks(shared: &SharedContext<'_>, state: &mut DocumentState, name: &str) -> Result<Vec<Block>> {
    let Some(bytes) = shared.package.part_bytes(name) else {
        let message = "the part is not in the document".to_owned();
        state.warnings.push(Diagnostic::new(DiagnosticCode::PartMissing, message).in_part(name));
        return Ok(Vec::new());
    };
    let tree = Tree::parse(name, bytes, shared.package.meter())?;
    let mut story = PartReader::new(shared, state, name);
    Ok(tree.root().map(|root| story.read_blocks(root)).unwrap_or_default())
}

/// Returns the language of most of the text. If no text has a language, returns the language in the core properties, or
/// else the default language of the styles. Returns `None` if neither is specified.
fn main_language(shared: &SharedContext<'_>, state: &DocumentState) -> Option<String> {
    let most = most_used_language(&state.languages);
    most.or_else(|| shared.properties.core.language.clone())
        .or_else(|| shared.styles.default_run.language().map(str::to_owned))
}

/// Returns the language of most of the text. `lengths` has the bytes of text in each language.
pub(super) fn most_used_language(lengths: &HashMap<Arc<str>, usize>) -> Option<String> {
    let most = lengths.iter().max_by_key(|(tag, count)| (**count, std::cmp::Reverse(*tag)));
    most.map(|(tag, _)| tag.to_string())
}
