//! The parts without paragraphs that may contain fields: document properties, document variables, custom XML, charts,
//! diagrams, numbering labels and the targets of links.

use std::collections::HashSet;
use std::ops::Range;

use quick_xml::events::{BytesStart, Event};
use waraq_graphics::xml::Ns;

use super::attributes::{self, SlotKind, TextSlot};
use super::scan::{PartScan, TextCell, without_cdata};
use super::text_parts::ScannedPart;
use crate::package::xml::CheckedEvents;
use crate::package::{attribute, relationships_part};
use crate::read::binding::data_stores;
use crate::{CountedMemory, Meter, Package, Result};

/// The work that the meter counts for one tag or text.
const EVENT_WORK: usize = 3;

/// The kind of a part without paragraphs. It decides where the part has text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartKind {
    /// A chart, a diagram or the shapes on a chart. The text of a paragraph may be split into runs.
    Drawing,
    /// The numbering definitions. Only labels are text.
    Numbering,
    /// The settings. Only document variables are text.
    Settings,
    /// Document properties. The content of every element is text.
    Properties,
    /// A custom XML part. The content and the attributes of every element are text.
    CustomXml,
    /// A relationships part. Only the targets of links are text.
    Relationships,
}

/// The kinds of relationships from a part with paragraphs to a part of the kind [`PartKind::Drawing`].
const DRAWING_KINDS: [&str; 4] = ["chart", "chartEx", "diagramData", "diagramDrawing"];

/// Scans the parts without paragraphs. Returns only parts with a text that may contain fields. `parts` are the parts
/// with paragraphs.
pub(super) fn scan_stores<'p>(package: &'p Package, parts: &[ScannedPart<'_>]) -> Result<Vec<PartScanWithSource<'p>>> {
    let main = package.main_part();
    let mut listed: Vec<(String, PartKind)> = Vec::new();
    for part in parts.iter().map(|part| part.scan.part.as_str()) {
        for drawing in DRAWING_KINDS.iter().flat_map(|kind| package.related_parts(part, kind)) {
            listed.push((drawing.to_owned(), PartKind::Drawing));
            let shapes = package.related_parts(drawing, "chartUserShapes");
            listed.extend(shapes.map(|shapes| (shapes.to_owned(), PartKind::Drawing)));
        }
    }
    let related = |source: &str, kind: &str| package.related_parts(source, kind).next().map(str::to_owned);
    listed.extend(related(main, "numbering").map(|part| (part, PartKind::Numbering)));
    let links = parts.iter().map(|part| (relationships_part(&part.scan.part), PartKind::Relationships));
    listed.extend(links);
    for kind in ["core-properties", "extended-properties", "custom-properties"] {
        listed.extend(related("", kind).map(|part| (part, PartKind::Properties)));
    }
    listed.extend(related(main, "settings").map(|part| (part, PartKind::Settings)));
    listed.extend(bound_custom_xml(package, parts).into_iter().map(|part| (part, PartKind::CustomXml)));
    let mut known = HashSet::new();
    let mut scanned = Vec::new();
    for (part, kind) in listed {
        let is_skipped = package.skipped_part_errors().iter().any(|error| error.part.as_deref() == Some(&part));
        if is_skipped || !known.insert(part.to_ascii_lowercase()) {
            continue;
        }
        let Some(text) = package.part_text(&part).filter(|text| attributes::may_have_field(text)) else { continue };
        let source = without_cdata(text);
        match StoreScanner::new(&part, &source, kind, package.meter()).scan() {
            Ok(found) if found.slots.is_empty() => {}
            Ok(found) => scanned.push((source, found)),
            // The pages do not need properties and custom XML, so a broken part of this kind is left alone.
            Err(error) if kind == PartKind::Properties || kind == PartKind::CustomXml => {
                package.meter().outcome()?;
                drop(error);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(scanned)
}

/// The text of a part, and the texts in it that may contain fields.
type PartScanWithSource<'p> = (std::borrow::Cow<'p, str>, PartScan);

/// Returns the custom XML parts that a content control of `parts` is bound to.
fn bound_custom_xml(package: &Package, parts: &[ScannedPart<'_>]) -> Vec<String> {
    let bindings: Vec<_> = parts.iter().flat_map(|part| part.bindings().map(|(_, binding)| binding)).collect();
    if bindings.is_empty() {
        return Vec::new();
    }
    let stores = data_stores(package);
    let is_bound = |id: &str| bindings.iter().any(|binding| binding.store.is_empty() || binding.store == id);
    let custom = stores.iter().filter(|store| store.is_custom_xml() && is_bound(&store.id));
    custom.map(|store| store.part.clone()).collect()
}

/// Scans one part without paragraphs.
struct StoreScanner<'s> {
    source: &'s str,
    kind: PartKind,
    meter: Meter,
    found: PartScan,
    /// The open elements: their local names.
    open: Vec<String>,
    /// The byte ranges of the text that is being read. A text in a drawing may be split into several ranges.
    pieces: Vec<Range<usize>>,
}

impl<'s> StoreScanner<'s> {
    fn new(part: &str, source: &'s str, kind: PartKind, meter: &Meter) -> Self {
        let found = PartScan { part: part.to_owned(), held: CountedMemory::empty(meter), ..PartScan::default() };
        Self { source, kind, meter: meter.clone(), found, open: Vec::new(), pieces: Vec::new() }
    }

    fn scan(mut self) -> Result<PartScan> {
        let part = self.found.part.clone();
        let mut events = CheckedEvents::new(&part, self.source);
        loop {
            let start = events.position();
            let Some(event) = events.next()? else { return Ok(self.found) };
            let span = start..events.position();
            if !self.meter.spend(EVENT_WORK) || self.meter.must_stop() {
                self.meter.outcome()?;
            }
            match event {
                Event::Start(tag) => {
                    self.read_tag(&tag, &span);
                    self.open.push(tag.local_name().as_ref().to_owned());
                }
                Event::Empty(tag) => self.read_tag(&tag, &span),
                Event::End(_) => self.close_element(),
                Event::Text(_) | Event::GeneralRef(_) if self.is_in_text() => self.pieces.push(span),
                _ => {}
            }
        }
    }

    /// Returns `true` if the content of the innermost open element is text that may contain fields.
    fn is_in_text(&self) -> bool {
        let element = self.open.last().map(String::as_str);
        match self.kind {
            // A run of text (a:t), and a saved value of a chart (c:v, cx:v, cx:pt).
            PartKind::Drawing => matches!(element, Some("t" | "v" | "pt")),
            PartKind::Properties | PartKind::CustomXml => true,
            PartKind::Numbering | PartKind::Settings | PartKind::Relationships => false,
        }
    }

    fn read_tag(&mut self, tag: &BytesStart<'_>, span: &Range<usize>) {
        let name = tag.local_name();
        let element = name.as_ref();
        if self.kind != PartKind::Drawing {
            self.end_text();
        }
        let texts = match self.kind {
            PartKind::Drawing => attributes::text_attributes(Ns::A, element),
            PartKind::Numbering | PartKind::Settings => attributes::text_attributes(Ns::W, element),
            PartKind::Relationships if element == "Relationship" && is_external_link(tag) => {
                &[("Target", SlotKind::LinkTarget)]
            }
            PartKind::Properties | PartKind::CustomXml | PartKind::Relationships => &[],
        };
        let kind_of = |name: &str| match self.kind {
            PartKind::CustomXml => Some(SlotKind::Stored),
            _ => attributes::kind_of(texts, name),
        };
        let slots = attributes::slots_of_tag(self.source, span, &kind_of, &mut self.found.held);
        self.found.slots.extend(slots);
    }

    fn close_element(&mut self) {
        let element = self.open.pop();
        // The runs of a paragraph (a:p) form one text.
        let is_run = self.kind == PartKind::Drawing && self.open.iter().any(|element| element == "p");
        if !is_run || element.as_deref() == Some("p") {
            self.end_text();
        }
    }

    /// Handles the end of a text. Records the text if it may contain fields.
    fn end_text(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        let markup = |range: &Range<usize>| self.source.get(range.clone()).unwrap_or_default();
        if !pieces.iter().any(|range| attributes::may_have_field(markup(range))) {
            return;
        }
        let bytes: usize = pieces.iter().map(Range::len).sum();
        if !self.found.held.grow(bytes.saturating_mul(size_of::<TextCell>())) {
            return;
        }
        let cells = pieces.into_iter().flat_map(|range| attributes::cells_of(self.source, range)).collect();
        let kind = if self.kind == PartKind::Drawing { SlotKind::Shown } else { SlotKind::Stored };
        self.found.slots.push(TextSlot::new(kind, cells));
    }
}

fn is_external_link(tag: &BytesStart<'_>) -> bool {
    attribute(tag, "TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"))
        && attribute(tag, "Type").is_some_and(|kind| kind.ends_with("/hyperlink"))
}
