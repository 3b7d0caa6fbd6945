//! Placing of pictures in one part: relationships, numbers of drawings and available widths.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::inline::{self, Namespaces};
use super::widths::AvailableWidths;
use super::{FieldPicture, FieldPictures, ShownPicture, name_in_row};
use crate::package::NewRelationship;
use crate::{Package, Result};

/// The pictures of all fields, and what the parts share when they are filled.
pub(in crate::fields) struct PicturePlacer<'t> {
    pictures: &'t FieldPictures,
    /// The number of the next drawing.
    next_id: Cell<u32>,
    /// The text of the main part, which has the widths of the text columns for headers and notes.
    main_source: &'t str,
    column: OnceCell<Option<f32>>,
}

impl<'t> PicturePlacer<'t> {
    /// Creates a placer. `last_id` is the largest number of a drawing in the document.
    pub(in crate::fields) fn new(pictures: &'t FieldPictures, last_id: u32, main_source: &'t str) -> Self {
        Self { pictures, next_id: Cell::new(last_id.saturating_add(1)), main_source, column: OnceCell::new() }
    }

    pub(in crate::fields) fn picture(&self, name: &str) -> Option<&'t FieldPicture> {
        self.pictures.get(name)
    }

    /// Returns the width of the narrowest text column of the document in points.
    fn column(&self) -> Option<f32> {
        *self.column.get_or_init(|| AvailableWidths::read(self.main_source, None).narrowest_column)
    }

    /// Adds the pictures of a part that was filled, and removes the relationships that it no longer uses.
    ///
    /// # Errors
    /// The errors of [`crate::Meter::outcome`].
    pub(in crate::fields) fn attach(
        &self,
        mut package: Package,
        part: &str,
        placed: PlacedPictures,
    ) -> Result<Package> {
        let PlacedPictures { relationships, released, image_relationship } = placed;
        let mut added = Vec::new();
        for (file, id) in relationships {
            let Some(file) = self.pictures.files.get(file) else { continue };
            if package.part_bytes(&file.part).is_none() {
                package = package.with_new_part(&file.part, file.content.clone(), file.format.media_type())?;
            }
            added.push(NewRelationship { id, type_uri: image_relationship.to_owned(), target: file.part.clone() });
        }
        package = package.with_relationships(part, &added)?;
        let text = package.part_text(part).unwrap_or_default();
        let is_used = |id: &String| text.contains(&format!("\"{id}\"")) || text.contains(&format!("'{id}'"));
        let unused: HashSet<String> = released.into_iter().filter(|id| !is_used(id)).collect();
        if unused.is_empty() { Ok(package) } else { Ok(package.without_relationship_ids(part, &unused)) }
    }
}

/// The pictures that are placed in one part.
pub(in crate::fields) struct PartPictures<'t> {
    placer: &'t PicturePlacer<'t>,
    source: &'t str,
    is_main: bool,
    pub(super) namespaces: Namespaces,
    /// The ids of the relationships that the part had before.
    known_ids: HashSet<&'t str>,
    widths: OnceCell<AvailableWidths>,
    /// The new relationships: the index of the file in [`FieldPictures::files`], and the id of the relationship.
    relationships: RefCell<BTreeMap<usize, String>>,
    /// The ids of the relationships to the pictures that were replaced or removed.
    released: RefCell<BTreeSet<String>>,
}

/// The result of placing pictures in one part.
pub(in crate::fields) struct PlacedPictures {
    relationships: BTreeMap<usize, String>,
    released: BTreeSet<String>,
    image_relationship: &'static str,
}

impl<'t> PartPictures<'t> {
    pub(in crate::fields) fn new(
        placer: &'t PicturePlacer<'t>,
        package: &'t Package,
        part: &str,
        source: &'t str,
    ) -> Self {
        Self {
            placer,
            source,
            is_main: part == package.main_part(),
            namespaces: Namespaces::of_part(source),
            known_ids: package.relationships_of(part).iter().map(|known| known.id.as_str()).collect(),
            widths: OnceCell::new(),
            relationships: RefCell::default(),
            released: RefCell::default(),
        }
    }

    pub(in crate::fields) fn placer(&self) -> &'t PicturePlacer<'t> {
        self.placer
    }

    pub(in crate::fields) fn finish(self) -> PlacedPictures {
        PlacedPictures {
            relationships: self.relationships.into_inner(),
            released: self.released.into_inner(),
            image_relationship: self.namespaces.image_relationship,
        }
    }

    /// Returns the markup of a picture in text at a byte offset of the part. `name` is the name of the field.
    pub(in crate::fields) fn inline(&self, picture: &ShownPicture, name: &str, position: usize) -> String {
        let widths = self.widths.get_or_init(|| {
            let column = if self.is_main { None } else { self.placer.column() };
            AvailableWidths::read(self.source, column)
        });
        let id = self.placer.next_id.get();
        self.placer.next_id.set(id.saturating_add(1));
        let size = inline::inline_size(picture, widths.at(position));
        inline::inline_markup(&self.namespaces, picture, name_in_row(name), &self.relationship(picture), id, size)
    }

    /// Returns the id of the relationship to the file of a picture.
    pub(super) fn relationship(&self, picture: &ShownPicture) -> String {
        let mut relationships = self.relationships.borrow_mut();
        let next = relationships.len() + 1;
        let id = relationships.entry(picture.file).or_insert_with(|| {
            let mut id = format!("rIdValue{next}");
            while self.known_ids.contains(id.as_str()) {
                id.push('_');
            }
            id
        });
        id.clone()
    }

    /// Records that a picture no longer uses a relationship.
    pub(super) fn release(&self, relationship: &str) {
        self.released.borrow_mut().insert(relationship.to_owned());
    }
}
