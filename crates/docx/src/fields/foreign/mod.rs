//! Templates that were written for another program: docxtemplater, docxtpl or Carbone.
//!
//! [`find_foreign_marks`] decides for which program a document was written, and what each of its marks is called in
//! Waraq's template language. [`convert_marks`] rewrites the marks. [`report`] makes diagnostics of them.
//!
//! | program | field | list | condition |
//! |---|---|---|---|
//! | docxtemplater | `{name}` | `{#items}…{/items}` | `{#paid}…{/}`, `{^paid}…{/}` |
//! | docxtpl | `{{ name }}` | `{% for i in items %}…{% endfor %}` | `{% if paid %}…{% endif %}` |
//! | Carbone | `{d.name}` | `{d.items[i].name}` and `{d.items[i+1].name}` | none that can be converted |

mod blocks;
mod carbone;
mod carbone_loops;
mod convert;
mod docxtemplater;
mod jinja;
mod lexer;
mod program;
mod report;

use std::ops::Range;

pub use convert::{Converted, RemainingMark, convert_marks};
pub(super) use report::report_marks;
use waraq_rules::TemplateProgram;

use super::scan::Index;
use super::text_parts::ScannedPart;
use lexer::{Token, Tokens};

/// The kind of a mark, which decides the code of its diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MarkKind {
    /// A value.
    Field,
    /// The start, the end or the alternative of a loop or condition.
    Section,
    /// A picture.
    Picture,
    /// A comment, which is not printed.
    Comment,
    /// A filter, a computation or another value that Waraq cannot express.
    NoEquivalent,
}

/// A mark of another program.
#[derive(Debug)]
struct Mark {
    kind: MarkKind,
    paragraph: Index,
    cells: Range<usize>,
    /// The mark as it is written.
    text: String,
    /// The text that replaces the mark. `None`: the mark has no equivalent and stays.
    instead: Option<String>,
    /// Text that the conversion adds before the replacement, such as the start of a list.
    before: String,
    /// Text that the conversion adds after the replacement.
    after: String,
    /// The mark would stay in the printed text.
    is_printed: bool,
    /// The section that starts here is a list. `false`: it is a condition, or the program does not tell them apart.
    starts_list: bool,
}

impl Mark {
    fn new(part: &ScannedPart<'_>, token: &Token, kind: MarkKind, instead: Option<String>) -> Self {
        let instead = instead.filter(|_| token.is_replaceable);
        Self {
            kind: if instead.is_none() && kind != MarkKind::Section { MarkKind::NoEquivalent } else { kind },
            paragraph: token.paragraph,
            cells: token.cells.clone(),
            text: token.text(part),
            instead,
            before: String::new(),
            after: String::new(),
            is_printed: true,
            starts_list: false,
        }
    }
}

/// A change of the conversion besides the replacement of marks.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    /// Removes the bytes of the example of a second entry.
    Remove(Range<usize>),
    /// Inserts markup at a byte offset.
    Insert(usize, String),
}

/// The marks of one part.
#[derive(Debug, Default)]
struct PartMarks {
    /// The marks in the order of their bytes.
    marks: Vec<Mark>,
    changes: Vec<Change>,
}

/// The marks of a document that was written for another program.
#[derive(Debug)]
pub(super) struct ForeignMarks {
    program: TemplateProgram,
    /// The marks prove the program. Otherwise only simple marks such as `{name}` were found.
    is_certain: bool,
    /// The marks of each part.
    parts: Vec<PartMarks>,
}

impl ForeignMarks {
    /// Returns the program for which the document was written.
    pub(super) fn program(&self) -> TemplateProgram {
        self.program
    }

    /// Returns `true` if the conversion changes the document.
    pub(super) fn is_convertible(&self) -> bool {
        self.parts.iter().any(|part| part.marks.iter().any(|mark| mark.instead.is_some()))
    }

    /// Returns `true` if a mark of this part contains one of these characters of a paragraph.
    pub(super) fn covers(&self, part: usize, paragraph: Index, cells: &Range<usize>) -> bool {
        self.parts.get(part).is_some_and(|part| {
            let is_before = |mark: &Mark| (mark.paragraph, mark.cells.end) <= (paragraph, cells.start);
            let next = part.marks.get(part.marks.partition_point(is_before));
            next.is_some_and(|mark| mark.paragraph == paragraph && mark.cells.start < cells.end)
        })
    }
}

/// Finds the marks of another program. Returns `None` if the document was not written for another program.
pub(super) fn find_foreign_marks(parts: &[ScannedPart<'_>]) -> Option<ForeignMarks> {
    // Reviewers may write anything in a comment, and parts without paragraphs are not converted.
    let tokens: Vec<Tokens> = parts
        .iter()
        .map(|part| if part.is_comments() { Tokens::default() } else { lexer::find_tokens(part) })
        .collect();
    if tokens.iter().all(|part| part.tokens.is_empty()) {
        return None;
    }
    let (program, is_certain) = program::program_of(parts, &tokens)?;
    let mut marks = match program {
        TemplateProgram::Docxtemplater => docxtemplater::find_marks(parts, &tokens),
        TemplateProgram::Docxtpl => jinja::find_marks(parts, &tokens),
        TemplateProgram::Carbone => carbone::find_marks(parts, &tokens),
    };
    for part in &mut marks {
        part.marks.sort_by_key(|mark| (mark.paragraph, mark.cells.start));
    }
    Some(ForeignMarks { program, is_certain, parts: marks })
}
