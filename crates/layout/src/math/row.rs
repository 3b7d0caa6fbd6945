//! Rows of atoms: runs of characters and structures with the space between them.

use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::{MathNode, MathRun, RunProperties};

use super::alphabet;
use super::boxes::{MathBox, MathElement, PlacedElement};
use super::class::{self, AtomClass, class_of};
use super::{FormulaLayout, NodeContext};
use crate::fonts::FaceChoice;

/// An element of a row, with the classes that determine the space around it (an atom of TeX).
pub(super) struct Atom {
    pub content: MathBox,
    /// The class that determines the space before the atom.
    pub left_class: AtomClass,
    /// The class that determines the space after the atom.
    pub right_class: AtomClass,
    /// True if the author inserted a line break before the atom.
    pub break_before: bool,
    /// True if the author inserted an alignment mark before the atom.
    pub has_alignment_mark: bool,
    /// True for a digit. A comma between two digits is part of a number, not punctuation.
    pub is_digit: bool,
}

impl Atom {
    pub fn new(ink: MathBox, class: AtomClass) -> Self {
        Self {
            content: ink,
            left_class: class,
            right_class: class,
            break_before: false,
            has_alignment_mark: false,
            is_digit: false,
        }
    }

    /// Creates an atom whose left and right side have different classes.
    pub fn with_classes(ink: MathBox, left: AtomClass, right: AtomClass) -> Self {
        Self { right_class: right, ..Self::new(ink, left) }
    }
}

impl FormulaLayout<'_> {
    /// Lays out a row as a single box.
    pub fn lay_out_row(&self, nodes: &[MathNode], ctx: &NodeContext) -> MathBox {
        let atoms = self.lay_out_atoms(nodes, ctx);
        self.join_atoms(atoms, ctx)
    }

    /// Combines atoms into one box. The space between them is added.
    pub fn join_atoms(&self, mut atoms: Vec<Atom>, ctx: &NodeContext) -> MathBox {
        resolve_classes(&mut atoms);
        let mut row = MathBox::default();
        let mut before = None;
        for atom in atoms {
            row.width += self.space_before(before, &atom, ctx);
            if atom.left_class != AtomClass::Space {
                before = Some(atom.right_class);
            }
            row.append(atom.content);
        }
        row
    }

    /// Returns the space before an atom in points. `before` is the class of the previous atom.
    pub fn space_before(&self, before: Option<AtomClass>, atom: &Atom, ctx: &NodeContext) -> f32 {
        let Some(before) = before else { return 0.0 };
        class::space_between(before, atom.left_class, ctx.style.is_script()) * self.size(ctx) / 18.0
    }

    /// Lays out the nodes of a row, and returns their atoms.
    pub fn lay_out_atoms(&self, nodes: &[MathNode], ctx: &NodeContext) -> Vec<Atom> {
        let mut atoms = Vec::new();
        for node in nodes {
            match node {
                MathNode::Run(run) => self.add_run_atoms(run, ctx, &mut atoms),
                MathNode::LineBreak => {}
                _ => self.lay_out_structure(node, ctx, &mut atoms),
            }
        }
        atoms
    }

    /// Lays out the characters of a run, and adds their atoms to `atoms`.
    fn add_run_atoms(&self, run: &MathRun, ctx: &NodeContext, atoms: &mut Vec<Atom>) {
        let ctx = NodeContext { run: &run.run, style: ctx.style, depth: ctx.depth };
        let first = atoms.len();
        // Letters that join their neighbours are shaped as in ordinary text.
        for TextPart { text: piece, joins } in split_joining_text(&run.text) {
            if joins {
                atoms.push(Atom::new(self.shape_text(piece, &ctx), AtomClass::Ordinary));
            } else if run.normal_text {
                let mut text = MathBox::default();
                piece.chars().filter(|c| !is_invisible(*c)).for_each(|c| {
                    text.append(self.lay_out_character(c, c, self.text_face(&run.run), &ctx));
                });
                atoms.push(Atom::new(text, AtomClass::Ordinary));
            } else {
                for character in piece.chars().filter(|c| !is_invisible(*c)) {
                    atoms.push(self.character_atom(character, run, &ctx));
                }
            }
        }
        if let Some(atom) = atoms.get_mut(first) {
            (atom.break_before, atom.has_alignment_mark) = (run.break_before, run.align);
        }
    }

    /// Lays out one character in the mathematical alphabet of its run, and returns it as an atom.
    fn character_atom(&self, character: char, run: &MathRun, ctx: &NodeContext) -> Atom {
        let shown = alphabet::drawn_character(character, run);
        let class = class_of(shown);
        let mut ink = self.lay_out_character(character, shown, self.font.choice, ctx);
        if class == AtomClass::Operator {
            ink = self.operator_sign(shown, None, ctx);
        }
        Atom { is_digit: character.is_ascii_digit(), ..Atom::new(ink, class) }
    }

    /// Lays out one character. `shown` is the character that is drawn, `text` the character that search finds.
    pub fn lay_out_character(&self, text: char, shown: char, face: FaceChoice, ctx: &NodeContext) -> MathBox {
        self.font.single_glyph(text, self.font.glyph(face, shown), self.size(ctx), self.color(ctx))
    }

    /// Returns the face for ordinary text in a formula: the face that `run` selects, or the math font if no font is available
    /// for `run`.
    fn text_face(&self, run: &RunProperties) -> FaceChoice {
        let family = run.fonts.ascii.as_deref().or(run.fonts.high_ansi.as_deref());
        self.font.fonts.resolve(family, run.bold, run.italic).unwrap_or(self.font.choice)
    }

    /// Lays out text in a script whose letters join or are reordered.
    fn shape_text(&self, text: &str, ctx: &NodeContext) -> MathBox {
        let scale = self.font.level_scale(ctx.style.level);
        let run = RunProperties {
            size: ctx.run.size * scale,
            size_complex: ctx.run.size_complex * scale,
            ..RunProperties::clone(ctx.run)
        };
        let line = (self.single_line)(self.context, text, &run);
        let size = self.size(ctx);
        let drawn = line
            .runs
            .into_iter()
            .map(|run| PlacedElement { x: 0.0, y: 0.0, element: MathElement::Run(Box::new(run)) })
            .collect();
        let (ascent, descent) = (0.8 * size, 0.3 * size);
        MathBox { width: line.width, ascent, descent, elements: drawn, ..MathBox::default() }
    }
}

/// Corrects the classes of atoms that depend on their neighbours: binary operators without an operand become signs, and
/// commas between digits become parts of a number.
pub(super) fn resolve_classes(atoms: &mut [Atom]) {
    let visible_atoms: Vec<usize> =
        (0..atoms.len()).filter(|&i| atoms.get(i).is_some_and(|a| a.left_class != AtomClass::Space)).collect();
    for (place, &index) in visible_atoms.iter().enumerate() {
        let neighbour = |at: Option<usize>| at.and_then(|at| visible_atoms.get(at)).and_then(|&at| atoms.get(at));
        let before = neighbour(place.checked_sub(1));
        let after = neighbour(Some(place + 1));
        let Some(atom) = atoms.get(index) else { continue };
        let becomes = match atom.left_class {
            AtomClass::Binary => {
                let joins = class::stays_binary_after(before.map(|atom| atom.right_class))
                    && class::stays_binary_before(after.map(|atom| atom.left_class));
                (!joins).then_some(AtomClass::Ordinary)
            }
            AtomClass::Punctuation => {
                let inside = before.is_some_and(|atom| atom.is_digit) && after.is_some_and(|atom| atom.is_digit);
                inside.then_some(AtomClass::Ordinary)
            }
            _ => None,
        };
        if let (Some(class), Some(atom)) = (becomes, atoms.get_mut(index)) {
            (atom.left_class, atom.right_class) = (class, class);
        }
    }
}

/// A part of the text of a run.
struct TextPart<'t> {
    /// The text of the part.
    text: &'t str,
    /// True if the part is shaped as in ordinary text, false if its characters are laid out one by one.
    joins: bool,
}

/// Splits text into parts that are shaped as in ordinary text and parts whose characters are laid out one by one.
fn split_joining_text(text: &str) -> Vec<TextPart<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let joined = is_joining(first);
        let inside = |c: char| is_joining(c) == joined || joined && c == ' ';
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(TextPart { text: piece, joins: joined });
        rest = after;
    }
    pieces
}

/// Returns true for letters of scripts that are shaped as in ordinary text.
fn is_joining(character: char) -> bool {
    // Arabic mathematical letters are not joined.
    character >= '\u{590}'
        && !matches!(character, '\u{1ee00}'..='\u{1eeff}')
        && !matches!(character.script(), Script::Common | Script::Inherited | Script::Latin | Script::Greek)
}

/// Returns true for control characters and invisible operators (function application, times, separator, plus).
fn is_invisible(character: char) -> bool {
    character.is_control() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}
