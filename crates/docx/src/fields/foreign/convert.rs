//! The conversion of a template for another program to Waraq's template language.

use std::collections::BTreeSet;

use serde::Serialize;
use waraq_rules::TemplateProgram;

use super::{Change, ForeignMarks, Mark, MarkKind, find_foreign_marks};
use crate::fields::edits::Editor;
use crate::fields::matching::surrounding_text;
use crate::fields::text_parts::{self, ScannedPart};
use crate::{Package, Result};

/// A converted document. Its JSON is the report without the document.
#[derive(Debug, Clone, Serialize)]
pub struct Converted {
    /// The document. If nothing was converted, it is the document as it was.
    #[serde(skip)]
    pub package: Package,
    /// The program for which the document was written. `None`: the document has no marks of another program.
    pub program: Option<TemplateProgram>,
    /// The number of marks that were rewritten.
    pub converted: usize,
    /// The marks without equivalent. They stay in the document. At most 200 are listed.
    pub remaining: Vec<RemainingMark>,
    /// The number of marks without equivalent that are not listed.
    pub omitted: usize,
    /// The names of fields and columns that are lists in the other program. Waraq's language does not tell a list from
    /// an optional text, so the author must not have to say it again.
    pub lists: BTreeSet<String>,
    /// The names of fields and columns that are pictures in the other program.
    pub pictures: BTreeSet<String>,
}

impl Converted {
    /// Adds the names of lists and pictures in a mark that was replaced.
    fn add_kinds(&mut self, mark: &Mark) {
        let instead = mark.instead.as_deref().unwrap_or_default();
        if mark.kind == MarkKind::Picture {
            self.pictures.extend(names_after(instead, "{{"));
        } else if mark.starts_list {
            self.lists.extend(names_after(&mark.before, "{{#"));
            self.lists.extend(names_after(instead, "{{#"));
        }
    }
}

/// Returns the names of the tags in `text` that begin with `start`.
fn names_after(text: &str, start: &str) -> impl Iterator<Item = String> {
    text.split(start).skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0.to_owned()))
}

/// A mark that stays in the document, because Waraq has no equivalent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RemainingMark {
    /// The mark as it is written.
    pub mark: String,
    /// The part of the package.
    pub part: String,
    /// The number of the paragraph in the part, from 1.
    pub paragraph: usize,
    /// The surrounding text.
    pub context: String,
}

/// The maximum number of marks in [`Converted::remaining`].
const MAX_REMAINING: usize = 200;

/// The number of programs. A document may contain the marks of more than one.
const PROGRAMS: usize = 3;

/// Rewrites the marks of docxtemplater, docxtpl or Carbone to Waraq's template language.
///
/// A mark gets the formatting of its first character. All other bytes stay the same. Marks without equivalent, such as
/// filters and computations, stay. The conversion of a converted document changes nothing.
///
/// ```
/// use waraq_docx::build::{DocumentBuilder, paragraph};
/// use waraq_docx::{Package, fields};
///
/// # fn main() -> waraq_docx::Result<()> {
/// let bytes = DocumentBuilder::new(&paragraph("{#items}{name}: {price | euro}{/items}")).to_bytes();
/// let converted = fields::convert_marks(&Package::open(&bytes)?)?;
/// assert_eq!(fields::list(&converted.package)?[0].name, "items");
/// assert_eq!(converted.remaining[0].mark, "{price | euro}");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The errors of [`super::super::list`].
pub fn convert_marks(package: &Package) -> Result<Converted> {
    let mut converted = Converted {
        package: package.clone(),
        program: None,
        converted: 0,
        remaining: Vec::new(),
        omitted: 0,
        lists: BTreeSet::new(),
        pictures: BTreeSet::new(),
    };
    for _ in 0..PROGRAMS {
        let source = converted.package.clone();
        let parts = text_parts::scan_with_fields(&source)?;
        let Some(found) = find_foreign_marks(&parts) else { break };
        converted.program.get_or_insert(found.program);
        list_remaining(&parts, &found, &mut converted);
        if !found.is_convertible() {
            break;
        }
        for (part, marks) in parts.iter().zip(&found.parts) {
            let mut editor = Editor::new(&part.source, &part.scan);
            for change in &marks.changes {
                match change {
                    Change::Remove(range) => editor.delete(range.clone()),
                    Change::Insert(at, markup) => {
                        converted.lists.extend(names_after(markup, "{{#"));
                        editor.insert(*at, markup.clone());
                    }
                }
            }
            for mark in &marks.marks {
                if replace_mark(part, mark, &mut editor) {
                    converted.converted += 1;
                    converted.add_kinds(mark);
                }
            }
            if let Some(text) = editor.finish()? {
                converted.package = converted.package.with_part(&part.scan.part, text.into_bytes());
            }
        }
    }
    Ok(converted)
}

/// Replaces a mark. Returns `false` if the mark stays.
fn replace_mark(part: &ScannedPart<'_>, mark: &Mark, editor: &mut Editor<'_>) -> bool {
    let Some(instead) = &mark.instead else { return false };
    let cells = part.scan.paragraphs.get(mark.paragraph).and_then(|one| one.cells.get(mark.cells.clone()));
    editor.replace_with_text(cells.unwrap_or_default(), &format!("{}{instead}{}", mark.before, mark.after));
    true
}

/// Lists the marks without equivalent. The last program that is found replaces the list of the one before.
fn list_remaining(parts: &[ScannedPart<'_>], found: &ForeignMarks, converted: &mut Converted) {
    converted.remaining.clear();
    converted.omitted = 0;
    for (part, marks) in parts.iter().zip(&found.parts) {
        for mark in marks.marks.iter().filter(|mark| mark.instead.is_none()) {
            let Some(paragraph) = part.scan.paragraphs.get(mark.paragraph).filter(|one| !one.fallback) else {
                continue;
            };
            if converted.remaining.len() == MAX_REMAINING {
                converted.omitted += 1;
                continue;
            }
            converted.remaining.push(RemainingMark {
                mark: mark.text.clone(),
                part: part.scan.part.clone(),
                paragraph: mark.paragraph + 1,
                context: surrounding_text(&paragraph.cells, &mark.cells),
            });
        }
    }
}
