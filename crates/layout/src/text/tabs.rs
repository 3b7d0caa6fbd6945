//! Tab stops (ECMA-376 part 1, §17.3.1.37, §17.3.3.32), measured from the leading edge of the column.

use waraq_docx::tree::{Paragraph, PositionedTab, Settings, TabKind, TabLeader};

use super::measure::finite_or_zero;

/// The tab stop at which a tab ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ResolvedTabStop {
    pub position: f32,
    pub kind: TabKind,
    pub leader: TabLeader,
}

/// The inputs that determine the tab stops of a paragraph.
pub(super) struct TabStopResolver<'a> {
    pub paragraph: &'a Paragraph,
    pub settings: &'a Settings,
    pub column_width: f32,
}

/// Tolerance in points for positions of tab stops. If a tab stop is at most this far after the text, it is at the position of the
/// text, and the tab goes to the next stop.
const POSITION_TOLERANCE: f32 = 0.05;

impl TabStopResolver<'_> {
    /// Returns the next tab stop after the position `x`: a stop that the paragraph defines or, after the last one, a default
    /// stop. `label` is true for the tab between the numbering label and the text.
    pub fn next_stop(&self, x: f32, label: bool) -> ResolvedTabStop {
        let plain = |position: f32| ResolvedTabStop { position, kind: TabKind::Start, leader: TabLeader::None };
        // The tab stop of the numbering level applies only to the tab after the label.
        let level = self.paragraph.label.as_ref().and_then(|label| label.tab);
        let label = level.filter(|&position| label && position > x + POSITION_TOLERANCE);
        // The start indent of a paragraph with a hanging first line acts as a tab stop.
        let indent = Some(finite_or_zero(self.paragraph.properties.indent.start));
        let hanging = indent
            .filter(|indent| self.paragraph.properties.indent.first_line < 0.0 && x < indent - POSITION_TOLERANCE);
        let stops = [self.next_custom_stop(x), label.map(plain), hanging.map(plain)].into_iter().flatten();
        stops.min_by(|a, b| a.position.total_cmp(&b.position)).unwrap_or_else(|| self.next_default_stop(x))
    }

    /// Returns the next tab stop after `x` that the paragraph defines. Returns `None` if the paragraph defines no tab stop after
    /// `x`.
    fn next_custom_stop(&self, x: f32) -> Option<ResolvedTabStop> {
        self.paragraph
            .properties
            .tabs
            .iter()
            .filter(|tab| tab.kind != TabKind::Bar && tab.position.is_finite() && tab.position > x + POSITION_TOLERANCE)
            .min_by(|a, b| a.position.total_cmp(&b.position))
            .map(|tab| ResolvedTabStop { position: tab.position, kind: tab.kind, leader: tab.leader })
    }

    /// Returns the next default tab stop after `x`. The distance between default stops is w:defaultTabStop, or 36 points if the
    /// setting is missing.
    fn next_default_stop(&self, x: f32) -> ResolvedTabStop {
        let distance = self.settings.default_tab_stop;
        let distance = if distance > 0.5 { finite_or_zero(distance) } else { 36.0 };
        let mut position = ((x + POSITION_TOLERANCE) / distance).floor() * distance + distance;
        if position <= x + POSITION_TOLERANCE {
            position += distance;
        }
        ResolvedTabStop { position, kind: TabKind::Start, leader: TabLeader::None }
    }

    /// Returns the stop of a positioned tab (§17.3.3.23). The position does not depend on the tab stops of the paragraph.
    pub fn positioned_tab_stop(&self, tab: PositionedTab) -> ResolvedTabStop {
        let indent = &self.paragraph.properties.indent;
        let (from, to) = if tab.relative_to_indent {
            (finite_or_zero(indent.start), self.column_width - finite_or_zero(indent.end))
        } else {
            (0.0, self.column_width)
        };
        let (position, kind) = match tab.kind {
            TabKind::Center => ((from + to) / 2.0, TabKind::Center),
            TabKind::End | TabKind::Decimal => (to, TabKind::End),
            TabKind::Start | TabKind::Bar => (from, TabKind::Start),
        };
        ResolvedTabStop { position, kind, leader: tab.leader }
    }
}
