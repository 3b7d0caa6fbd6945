//! The syntax that number pictures and date pictures share (ECMA-376 part 1, §17.16.4.1 and §17.16.4.2).

/// A piece of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureItem<'a> {
    /// Characters outside apostrophes and grave accents.
    Bare(&'a str),
    /// Text in apostrophes, without them.
    Text(&'a str),
    /// The name between grave accents, as in `` `table` ``. The picture shows the number of the last caption with this
    /// name.
    NumberedItem(&'a str),
}

/// Splits a picture at apostrophes and grave accents. A quotation that is not closed ends at the end of the picture.
pub(super) fn items(picture: &str) -> Vec<PictureItem<'_>> {
    let mut items = Vec::new();
    let mut rest = picture;
    while let Some(start) = rest.find(['\'', '`']) {
        let (bare, quoted) = rest.split_at(start);
        let (mark, text) = quoted.split_at(1);
        let (text, after) = text.split_once(mark).unwrap_or((text, ""));
        if !bare.is_empty() {
            items.push(PictureItem::Bare(bare));
        }
        items.push(if mark == "'" { PictureItem::Text(text) } else { PictureItem::NumberedItem(text) });
        rest = after;
    }
    if !rest.is_empty() {
        items.push(PictureItem::Bare(rest));
    }
    items
}

/// Replaces each numbered item of a picture (`` `table` ``) by its number in apostrophes, as plain text. `number` returns
/// the number of the last caption with a name. An item without a number disappears.
pub fn with_numbered_items(picture: &str, number: impl Fn(&str) -> Option<String>) -> String {
    let item = |item: PictureItem<'_>| match item {
        PictureItem::Bare(bare) => bare.to_owned(),
        PictureItem::Text(text) => format!("'{text}'"),
        PictureItem::NumberedItem(name) => number(name).map(|number| format!("'{number}'")).unwrap_or_default(),
    };
    items(picture).into_iter().map(item).collect()
}
