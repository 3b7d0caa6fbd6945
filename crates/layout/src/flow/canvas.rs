//! What a column is painted on: three layers, and what is found on the way.

use std::sync::Arc;

use crate::page::Placed;

#[derive(Default)]
pub(super) struct Canvas {
    /// Behind the text and in front of it, by their order.
    pub behind: Vec<(i64, Vec<Placed>)>,
    pub body: Vec<Placed>,
    pub front: Vec<(i64, Vec<Placed>)>,
    /// Bookmarks by name with their place.
    pub bookmarks: Vec<(Arc<str>, f32, f32)>,
    /// Headings: title, level, height on the page.
    pub headings: Vec<(String, u8, f32)>,
    /// Footnotes whose marks stand here.
    pub notes: Vec<i64>,
    /// Comments by their ids, with the place of their references.
    pub comments: Vec<(Arc<str>, f32, f32)>,
    /// Lines with tracked changes: from where to where they stand on the page.
    pub changed: Vec<(f32, f32)>,
    /// Baselines of the lines that line numbers count.
    pub baselines: Vec<f32>,
}

impl Canvas {
    /// The layers as one list in painting order.
    pub fn flatten(mut self) -> (Vec<Placed>, Self) {
        self.behind.sort_by_key(|(order, _)| *order);
        self.front.sort_by_key(|(order, _)| *order);
        let mut items: Vec<Placed> = self.behind.drain(..).flat_map(|(_, items)| items).collect();
        items.append(&mut self.body);
        items.extend(self.front.drain(..).flat_map(|(_, items)| items));
        (items, self)
    }
}
