//! Charts in the text: the part that holds one.

use super::super::story::Story;
use super::super::xml::{Element, Tree};
use crate::tree::*;
use waraq_graphics::chart::{is_deep, read};
use waraq_rules::FindingCode;

impl<'t> Story<'t, '_> {
    /// `c:chart`: the part it names.
    pub(super) fn chart(&mut self, element: Element<'t>) -> Graphic {
        let shared = self.shared;
        let part = element.r("id").and_then(|id| self.target(id)).map(str::to_owned);
        let bytes = part.as_deref().and_then(|part| shared.package.part(part));
        let bytes = bytes.filter(|bytes| self.gathered.may_repeat(bytes.len()));
        let tree =
            part.as_deref().zip(bytes).and_then(|(part, bytes)| Tree::parse(part, bytes, shared.package.meter()).ok());
        let space = tree.as_ref().and_then(Tree::root);
        let chart = space.and_then(|space| read(space, &shared.theme));
        if chart.is_some() && space.is_some_and(is_deep) {
            self.warn(FindingCode::ChartSimplified, "Chart: drawn without its depth");
        }
        match chart {
            Some(chart) => Graphic::Chart(Box::new(chart)),
            None => self.unsupported(FindingCode::ChartNotDrawn, "Chart"),
        }
    }
}
