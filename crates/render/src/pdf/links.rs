//! Links on a page, to the web or to another page.

use std::collections::HashMap;
use std::sync::Arc;

use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::destination::XyzDestination;
use krilla::page::Page;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use waraq_graphics::CountedMemory;
use waraq_layout::{Destination, ElementId, Link, Pages, Rect};

use super::paint::{krilla_point, krilla_rect};
use super::structure::TagTreeBuilder;

/// Schemes a link may open. Others, for example `javascript:` and `file:`, are left out for safety.
const SAFE_SCHEMES: [&str; 4] = ["http:", "https:", "mailto:", "tel:"];
const MAX_URI_BYTES: usize = 8_000;
/// Maximum number of characters of a link's description.
const MAX_DESCRIPTION: usize = 200;
/// Bytes that the PDF writer needs for a link, besides its address.
const LINK_BYTES: usize = 1_000;
/// Number of copies of an address that are in memory at the same time. For example, the link annotation, its PDF object
/// and the finished file each contain one.
const COPIES: usize = 4;

/// A link on a page.
pub(super) struct PageLink {
    /// The clickable area in page coordinates.
    pub area: Rect,
    pub target: Arc<Link>,
    pub element: Option<ElementId>,
}

pub(super) struct LinkWriter<'a> {
    pages: &'a Pages,
    destinations: HashMap<&'a str, &'a Destination>,
    /// The memory of the link annotations, counted against the budget.
    held: CountedMemory,
}

impl<'a> LinkWriter<'a> {
    pub(super) fn new(pages: &'a Pages) -> Self {
        let mut destinations = HashMap::new();
        for place in &pages.destinations {
            // if two bookmarks have the same name, Word goes to the first
            destinations.entry(place.name.as_str()).or_insert(place);
        }
        Self { pages, destinations, held: CountedMemory::empty(&pages.meter) }
    }

    /// Adds the links of a page until the budget is exceeded.
    pub(super) fn add_to_page(
        &mut self,
        found: Vec<PageLink>,
        page: &mut Page<'_>,
        mut structure: Option<&mut TagTreeBuilder<'_>>,
    ) {
        for link in found {
            let length = match &*link.target {
                Link::Uri(uri) => uri.len().min(MAX_URI_BYTES),
                Link::Bookmark(_) => 0,
            };
            if !self.held.grow(LINK_BYTES + COPIES * length) {
                return;
            }
            let (Some(area), Some((target, description))) =
                (krilla_rect(&link.area), self.resolve_target(&link.target))
            else {
                continue;
            };
            let annotation = Annotation::new_link(LinkAnnotation::new(area, target), Some(description));
            match &mut structure {
                Some(structure) => {
                    let identifier = page.add_tagged_annotation(annotation);
                    structure.add_link(link.element, identifier);
                }
                None => page.add_annotation(annotation),
            }
        }
    }

    /// Returns the target of a link and its description for screen readers. Returns `None` if the address is not safe or the
    /// bookmark does not exist.
    fn resolve_target(&self, target: &Link) -> Option<(Target, String)> {
        match target {
            Link::Uri(uri) => {
                let uri = uri.trim();
                is_safe(uri).then(|| {
                    // a PDF needs 7-bit URIs (ISO 32000-1, 12.6.4.7)
                    let action = LinkAction::new(utf8_percent_encode(uri, ESCAPED_IN_URI).to_string());
                    (Target::Action(Action::from(action)), described(uri))
                })
            }
            Link::Bookmark(name) => {
                let place = self.destinations.get(name.as_str())?;
                let target = page_destination(self.pages, place.page, place.x, place.y)?;
                let label = self.pages.pages.get(place.page).map_or("", |page| page.label.as_str());
                let name = described(name);
                let description = if label.is_empty() { name } else { format!("{name}, {label}") };
                Some((Target::Destination(target.into()), description))
            }
        }
    }
}

/// Returns the description of a link to an address or a bookmark.
fn described(target: &str) -> String {
    target.chars().take(MAX_DESCRIPTION).collect()
}

/// Returns the destination of a link or outline entry. A position outside of the page is moved to the nearest edge. Returns
/// `None` if the page does not exist.
pub(super) fn page_destination(pages: &Pages, page: usize, x: f32, y: f32) -> Option<XyzDestination> {
    let on = pages.pages.get(page)?;
    let within = |value: f32, most: f32| if value.is_finite() { value.clamp(0.0, most.max(0.0)) } else { 0.0 };
    Some(XyzDestination::new(page, krilla_point(within(x, on.width), within(y, on.height))))
}

fn is_safe(uri: &str) -> bool {
    let head: String = uri.chars().take(8).collect::<String>().to_ascii_lowercase();
    uri.len() <= MAX_URI_BYTES && SAFE_SCHEMES.iter().any(|scheme| head.starts_with(scheme))
}

/// Characters that are percent-encoded in a URI, in addition to all non-ASCII characters. A URI contains only printable
/// ASCII characters (RFC 3986). Existing escapes stay unchanged.
const ESCAPED_IN_URI: &AsciiSet = &CONTROLS.add(b' ');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_mail_and_telephone_schemes_are_safe() {
        for uri in ["http://example.org", "HTTPS://example.org", "mailto:a@example.org", "tel:+21612345678"] {
            assert!(is_safe(uri), "{uri}");
        }
        for uri in ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "", "https", "\\\\host\\share"] {
            assert!(!is_safe(uri), "{uri}");
        }
        let encoded = utf8_percent_encode("https://example.org/ورق a", ESCAPED_IN_URI).to_string();
        assert_eq!(encoded, "https://example.org/%D9%88%D8%B1%D9%82%20a");
    }
}
