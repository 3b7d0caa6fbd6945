//! What reading goes through: what all parts share, what is gathered, and the part being read.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use waraq_rules::{Finding, FindingCode};

use super::binding::Store;
use super::cascade::{ParagraphBase, ResolvedParagraph, TextAround};
use super::drawing::Links;
use super::field::OpenField;
use super::numbering::{Counters, Numbering};
use super::run_format::FormatContext;
use super::settings::ReadSettings;
use super::styles::{StyleIndex, Styles};
use super::theme::Theme;
use super::{ReadOptions, TrackedChanges};
use crate::Package;
use crate::package::Relationship;
use crate::tree::*;

/// Blocks within blocks (tables in cells, text boxes in text boxes) deeper than this are not read.
pub(crate) const NESTING_LIMIT: usize = 40;
/// Bytes of inner documents, diagrams and property texts that are read for one document.
const REPETITION_LIMIT: usize = 24_000_000;
/// A document with more trouble than this has made its point.
const WARNING_LIMIT: usize = 500;

/// What every part refers to; it does not change while the parts are read.
pub(crate) struct Shared<'p> {
    pub package: &'p Package,
    pub options: ReadOptions,
    pub theme: Theme,
    pub settings: ReadSettings,
    pub styles: Styles<'p>,
    pub numbering: Numbering<'p>,
    pub core: CoreProperties,
    /// Extended properties by their names in lower case.
    pub extended: HashMap<String, String>,
    /// Custom properties by their names in lower case.
    pub custom: HashMap<String, String>,
    /// What content controls may be bound to.
    pub stores: Vec<Store<'p>>,
}

impl Shared<'_> {
    pub(crate) fn format_context(&self) -> FormatContext<'_> {
        FormatContext { theme: &self.theme, languages: &self.settings.theme_languages, meter: self.package.meter() }
    }

    pub(crate) fn shows_all_changes(&self) -> bool {
        self.options.tracked_changes == TrackedChanges::All
    }
}

/// What the parts add to.
#[derive(Default)]
pub(crate) struct Gathered {
    pub images: Vec<Image>,
    /// What those of the pictures draw that are metafiles.
    pub metafiles: HashMap<ImageId, Arc<Metafile>>,
    pub image_by_part: HashMap<String, ImageId>,
    pub warnings: Vec<Finding>,
    pub bases: HashMap<(Option<StyleIndex>, Option<TextAround>), Rc<ParagraphBase>>,
    /// SEQ fields by identifier: the number reached, and the heading it was reached under.
    pub sequences: HashMap<String, (i64, u64)>,
    /// How many headings of each level (or a higher one) came so far, for SEQ \s.
    pub headings: [u64; 9],
    /// Text boxes count their lists together and apart from the body (as Word does).
    pub text_box_counters: Counters,
    /// Text boxes that may be linked to others.
    pub links: Links,
    /// Characters read by language, for the document's own.
    pub languages: HashMap<Arc<str>, usize>,
    /// Who changed or commented something, in the order met.
    pub reviewers: HashMap<Arc<str>, usize>,
    /// How many documents this one is inside of.
    pub inner_documents: usize,
    /// Bytes a document had shown again and again so far: what may be repeated is bounded.
    pub repeated: usize,
}

impl Gathered {
    /// The number of somebody who changed or commented something.
    pub(crate) fn reviewer(&mut self, author: &str) -> usize {
        let next = self.reviewers.len();
        *self.reviewers.entry(Arc::from(author)).or_insert(next)
    }

    /// Whether `bytes` more may come out of something that a document can name any number of times.
    pub(crate) fn may_repeat(&mut self, bytes: usize) -> bool {
        self.repeated = self.repeated.saturating_add(bytes);
        self.repeated <= REPETITION_LIMIT
    }
}

/// One part being read. `'t` is the life of its XML tree.
pub(crate) struct Story<'t, 's> {
    pub shared: &'s Shared<'s>,
    pub gathered: &'s mut Gathered,
    /// Of this reading of the part.
    pub id: NodeId,
    pub part: Arc<str>,
    pub relationships: HashMap<String, Relationship>,
    pub counters: Counters,
    /// Paragraphs of the part begun so far.
    pub paragraphs: usize,
    pub line: Line,
    pub fields: Vec<OpenField<'t>>,
    /// Fields begun too deep inside others to be read as such.
    pub fields_ignored: usize,
    pub text_around: Option<TextAround>,
    /// Revisions around the text, innermost last.
    pub revisions: Vec<Revision>,
    pub nesting: usize,
    /// By what the paragraph inherits, whether it is a table of contents, and the `w:rPr`.
    pub run_cache: HashMap<(usize, bool, &'t str), Arc<RunProperties>>,
    pub paragraph_cache: HashMap<(usize, &'t str), ResolvedParagraph>,
    /// Text of a paragraph whose mark is deleted or hidden: it belongs to the next one.
    pub carried: Option<Paragraph>,
    /// Bookmarks whose end has not come, by their ids.
    pub bookmarks: HashMap<&'t str, Arc<str>>,
    /// A field's result begins or ended here: text does not join what is before.
    pub at_field_start: bool,
}

/// The paragraph being filled.
#[derive(Default)]
pub(crate) struct Line {
    pub inlines: Vec<Inline>,
    pub links: Vec<Arc<Link>>,
    pub ruby: RubyPart,
}

/// Which part of a `w:ruby` is being read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum RubyPart {
    #[default]
    None,
    Base,
    /// Its letters' size, where the ruby has one for them.
    Reading(Option<f32>),
}

impl<'t, 's> Story<'t, 's> {
    pub(crate) fn new(shared: &'s Shared<'s>, gathered: &'s mut Gathered, part: &str) -> Self {
        let relationships = shared.package.relationships_of(part).iter();
        Self {
            shared,
            gathered,
            id: NodeId::default(),
            part: Arc::from(part),
            relationships: relationships.map(|known| (known.id.clone(), known.clone())).collect(),
            counters: Counters::default(),
            paragraphs: 0,
            line: Line::default(),
            fields: Vec::new(),
            fields_ignored: 0,
            text_around: None,
            revisions: Vec::new(),
            nesting: 0,
            run_cache: HashMap::new(),
            paragraph_cache: HashMap::new(),
            carried: None,
            bookmarks: HashMap::new(),
            at_field_start: false,
        }
    }

    /// Counts what is about to be made of the part. `false`: it is not to be made.
    pub(crate) fn takes(&self, work: usize, bytes: usize) -> bool {
        let meter = self.shared.package.meter();
        meter.spend(work) && meter.hold(bytes)
    }

    /// Where what is being read stands.
    pub(crate) fn location(&self) -> Location {
        Location { part: Arc::clone(&self.part), paragraph: (self.paragraphs > 0).then_some(self.paragraphs) }
    }

    /// Reports what cannot be set, at the paragraph being read. The same trouble in one paragraph is told once.
    pub(crate) fn warn(&mut self, code: FindingCode, message: impl Into<String>) {
        let warning = self.location().finding(code, message);
        if self.gathered.warnings.len() < WARNING_LIMIT && !self.gathered.warnings.contains(&warning) {
            self.gathered.warnings.push(warning);
        }
    }

    /// The part an internal relationship leads to.
    pub(crate) fn target(&self, id: &str) -> Option<&str> {
        self.relationships
            .get(id)
            .filter(|relationship| !relationship.external)
            .map(|relationship| relationship.target.as_str())
    }

    /// Where a hyperlink relationship leads.
    pub(crate) fn link_target(&self, id: &str) -> Option<&str> {
        self.relationships.get(id).map(|relationship| relationship.target.as_str())
    }
}
