//! Tab stops (ECMA-376 part 1, §17.3.1.37, §17.3.3.32), measured from the leading edge of the column.

use waraq_docx::tree::{Paragraph, PositionedTab, Settings, TabKind, TabLeader};

use super::measure::finite;

/// Where a tab leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stop {
    pub position: f32,
    pub kind: TabKind,
    pub leader: TabLeader,
}

/// What a paragraph's stops are found with.
pub(super) struct Stops<'a> {
    pub paragraph: &'a Paragraph,
    pub settings: &'a Settings,
    pub column_width: f32,
}

/// Closer than this is the same place: a stop where the text already stands is not the next one.
const SAME: f32 = 0.05;

impl Stops<'_> {
    /// The stop after `x`.
    pub fn next(&self, x: f32, label: bool) -> Stop {
        let plain = |position: f32| Stop { position, kind: TabKind::Start, leader: TabLeader::None };
        // The numbering level's own stop, for the tab after the label.
        let level = self.paragraph.label.as_ref().and_then(|label| label.tab);
        let label = level.filter(|&position| label && position > x + SAME);
        // The hanging indent is a stop of its own.
        let indent = Some(finite(self.paragraph.properties.indent.start));
        let hanging = indent.filter(|indent| self.paragraph.properties.indent.first_line < 0.0 && x < indent - SAME);
        let stops = [self.custom(x), label.map(plain), hanging.map(plain)].into_iter().flatten();
        stops.min_by(|a, b| a.position.total_cmp(&b.position)).unwrap_or_else(|| self.default(x))
    }

    fn custom(&self, x: f32) -> Option<Stop> {
        self.paragraph
            .properties
            .tabs
            .iter()
            .filter(|tab| tab.kind != TabKind::Bar && tab.position.is_finite() && tab.position > x + SAME)
            .min_by(|a, b| a.position.total_cmp(&b.position))
            .map(|tab| Stop { position: tab.position, kind: tab.kind, leader: tab.leader })
    }

    fn default(&self, x: f32) -> Stop {
        let distance = self.settings.default_tab_stop;
        let distance = if distance > 0.5 { finite(distance) } else { 36.0 };
        let mut position = ((x + SAME) / distance).floor() * distance + distance;
        if position <= x + SAME {
            position += distance;
        }
        Stop { position, kind: TabKind::Start, leader: TabLeader::None }
    }

    /// §17.3.3.23: a place of its own, whatever the stops are.
    pub fn positioned(&self, tab: PositionedTab) -> Stop {
        let indent = &self.paragraph.properties.indent;
        let (from, to) = if tab.relative_to_indent {
            (finite(indent.start), self.column_width - finite(indent.end))
        } else {
            (0.0, self.column_width)
        };
        let (position, kind) = match tab.kind {
            TabKind::Center => ((from + to) / 2.0, TabKind::Center),
            TabKind::End | TabKind::Decimal => (to, TabKind::End),
            TabKind::Start | TabKind::Bar => (from, TabKind::Start),
        };
        Stop { position, kind, leader: tab.leader }
    }
}
