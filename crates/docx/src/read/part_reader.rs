//! The state of reading: data shared by all parts, collected results, and the current part.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::{Diagnostic, DiagnosticCode};

use super::binding::DataStore;
use super::cascade::{ParagraphBase, ResolvedParagraph, TextContainer};
use super::contents::ContentsField;
use super::drawing::TextBoxLinks;
use super::field::OpenField;
use super::numbering::{ListCounters, Numbering};
use super::property_fields::DocumentProperties;
use super::run_format::FormatContext;
use super::settings::SettingsPart;
use super::styles::{StyleIndex, Styles};
use super::theme::Theme;
use super::{ReadOptions, TrackedChanges};
use crate::Package;
use crate::package::Relationship;
use crate::tree::*;

/// The maximum nesting depth of blocks (tables in cells, text boxes in text boxes). Deeper blocks are not read.
pub(crate) const NESTING_LIMIT: usize = 40;
/// The maximum number of bytes read from imported documents, diagrams and property texts for one document.
const MAX_REPEATED_BYTES: usize = 24_000_000;
/// The maximum number of warnings for one document.
const WARNING_LIMIT: usize = 500;

/// The data that all parts refer to. It does not change during reading.
pub(crate) struct SharedContext<'p> {
    pub package: &'p Package,
    pub options: ReadOptions,
    pub theme: Theme,
    pub settings: SettingsPart,
    pub styles: Styles<'p>,
    pub numbering: Numbering<'p>,
    pub properties: DocumentProperties,
    /// The data that content controls may be bound to.
    pub stores: Vec<DataStore<'p>>,
}

impl SharedContext<'_> {
    pub(crate) fn format_context(&self) -> FormatContext<'_> {
        FormatContext { theme: &self.theme, languages: &self.settings.theme_languages, meter: self.package.meter() }
    }

    pub(crate) fn shows_all_changes(&self) -> bool {
        self.options.tracked_changes == TrackedChanges::All
    }
}

/// The results collected from all parts.
#[derive(Default)]
pub(crate) struct DocumentState {
    pub images: Vec<Image>,
    /// The drawing commands of images that are metafiles.
    pub metafiles: HashMap<ImageId, Arc<Metafile>>,
    pub image_by_part: HashMap<String, ImageId>,
    pub warnings: Vec<Diagnostic>,
    pub paragraph_bases: HashMap<(Option<StyleIndex>, Option<TextContainer>), Rc<ParagraphBase>>,
    /// The SEQ counters by identifier. The first number of an entry is the current value of the counter. The second
    /// number is the value in `headings` at the last restart. A SEQ field with \s restarts the counter if the value in
    /// `headings` has changed since then.
    pub sequences: HashMap<String, (i64, u64)>,
    /// For each heading level, the number of headings so far of this level or a higher one. SEQ \s restarts at such
    /// headings.
    pub headings: [u64; 9],
    /// The list counters of text boxes. Text boxes share their counters, separate from the body (as in Word).
    pub text_box_counters: ListCounters,
    /// Text boxes that may be linked to others.
    pub text_box_links: TextBoxLinks,
    /// The TOC fields of the body.
    pub contents: Vec<ContentsField>,
    /// The identifiers of the SEQ fields in lower case, by paragraph.
    pub captions: HashMap<NodeId, Vec<String>>,
    /// The number of text bytes read in each language, to find the language of the document.
    pub languages: HashMap<Arc<str>, usize>,
    /// The reviewer number of each author of changes and comments: from 0, in order of first appearance.
    pub reviewers: HashMap<Arc<str>, usize>,
    /// The number of documents around this imported document. 0: this is the main document.
    pub import_depth: usize,
    /// The number of bytes counted so far by [`DocumentState::charge_repeated_bytes`].
    pub repeated_bytes: usize,
}

impl DocumentState {
    /// Returns the number of a reviewer (the author of a change or comment).
    pub(crate) fn reviewer_number(&mut self, author: &str) -> usize {
        let next = self.reviewers.len();
        *self.reviewers.entry(Arc::from(author)).or_insert(next)
    }

    /// Counts `bytes` of content that a document can refer to many times. Returns `false` if the limit is exceeded.
    pub(crate) fn charge_repeated_bytes(&mut self, bytes: usize) -> bool {
        self.repeated_bytes = self.repeated_bytes.saturating_add(bytes);
        self.repeated_bytes <= MAX_REPEATED_BYTES
    }
}

/// The reader of one part. `'t` is the lifetime of the part's XML tree.
pub(crate) struct PartReader<'t, 's> {
    pub shared: &'s SharedContext<'s>,
    pub state: &'s mut DocumentState,
    /// The identifier of this reader. Text boxes can be linked only if the same reader reads them.
    pub id: NodeId,
    pub part: Arc<str>,
    pub relationships: HashMap<String, Relationship>,
    pub counters: ListCounters,
    /// The number of paragraphs read so far in this part, including the current one.
    pub paragraph_count: usize,
    pub open_paragraph: OpenParagraph,
    pub fields: Vec<OpenField<'t>>,
    /// The number of open fields that are ignored because they are nested too deeply.
    pub fields_ignored: usize,
    pub text_container: Option<TextContainer>,
    /// The tracked changes around the content that is being read, innermost last.
    pub revisions: Vec<Revision>,
    pub nesting: usize,
    /// The resolved run properties. The key consists of the id of the paragraph base, a flag that is `true` inside a
    /// table of contents, and the source of the `w:rPr`.
    pub run_cache: HashMap<(usize, bool, &'t str), Arc<RunProperties>>,
    /// The resolved paragraph properties. The key is the id of the paragraph base and the source of the `w:pPr`.
    pub paragraph_cache: HashMap<(usize, &'t str), ResolvedParagraph>,
    /// A paragraph whose mark is deleted or hidden. It will be joined with the next paragraph. `None`: no such
    /// paragraph is waiting.
    pub pending_paragraph: Option<Paragraph>,
    /// The names of the bookmarks whose end was not read yet, by id.
    pub bookmarks: HashMap<&'t str, Arc<str>>,
    /// The next text must become a new inline, because a field result has just started or ended, or a bound content
    /// control has just started.
    pub at_field_start: bool,
}

/// The paragraph that is being read.
#[derive(Default)]
pub(crate) struct OpenParagraph {
    /// The identifier that the paragraph gets.
    pub id: NodeId,
    pub inlines: Vec<Inline>,
    pub links: Vec<Arc<Link>>,
    pub ruby: RubyPart,
}

/// The part of a `w:ruby` at the current position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum RubyPart {
    #[default]
    None,
    Base,
    /// The reading (the small text above the base text), with the font size if the ruby specifies one.
    Reading(Option<f32>),
}

impl<'t, 's> PartReader<'t, 's> {
    pub(crate) fn new(shared: &'s SharedContext<'s>, state: &'s mut DocumentState, part: &str) -> Self {
        let relationships = shared.package.relationships_of(part).iter();
        Self {
            shared,
            state,
            id: NodeId::default(),
            part: Arc::from(part),
            relationships: relationships.map(|known| (known.id.clone(), known.clone())).collect(),
            counters: ListCounters::default(),
            paragraph_count: 0,
            open_paragraph: OpenParagraph::default(),
            fields: Vec::new(),
            fields_ignored: 0,
            text_container: None,
            revisions: Vec::new(),
            nesting: 0,
            run_cache: HashMap::new(),
            paragraph_cache: HashMap::new(),
            pending_paragraph: None,
            bookmarks: HashMap::new(),
            at_field_start: false,
        }
    }

    /// Counts work and memory before content is created. Returns `false` if the budget is exceeded and the content must
    /// not be created.
    pub(crate) fn charge(&self, work: usize, bytes: usize) -> bool {
        let meter = self.shared.package.meter();
        meter.spend(work) && meter.allocate(bytes)
    }

    /// Counts the memory of a link against the budget. Each link counts in full, because each has its own copy of the target. Returns
    /// `None` if the budget is exceeded.
    pub(crate) fn charge_link(&self, link: Option<Link>) -> Option<Arc<Link>> {
        let link = link?;
        let (Link::Uri(target) | Link::Bookmark(target)) = &link;
        self.charge(0, target.len()).then(|| Arc::new(link))
    }

    /// Returns the position of the content that is being read.
    pub(crate) fn location(&self) -> Location {
        Location { part: Arc::clone(&self.part), paragraph: (self.paragraph_count > 0).then_some(self.paragraph_count) }
    }

    /// Adds a warning at the current paragraph. Equal warnings of one paragraph are reported once.
    pub(crate) fn warn(&mut self, code: DiagnosticCode, message: impl Into<String>) {
        let warning = self.location().finding(code, message);
        if self.state.warnings.len() < WARNING_LIMIT && !self.state.warnings.contains(&warning) {
            self.state.warnings.push(warning);
        }
    }

    /// Returns the part name that the internal relationship with this id refers to.
    pub(crate) fn relationship_target(&self, id: &str) -> Option<&str> {
        self.relationships
            .get(id)
            .filter(|relationship| !relationship.external)
            .map(|relationship| relationship.target.as_str())
    }

    /// Returns the target (usually a URL) of the hyperlink relationship with this id.
    pub(crate) fn link_target(&self, id: &str) -> Option<&str> {
        self.relationships.get(id).map(|relationship| relationship.target.as_str())
    }
}
