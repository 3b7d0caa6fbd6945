//! Rows of atoms: runs of characters and structures with the space between them.

use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::{MathNode, MathRun, RunProperties};

use super::alphabet;
use super::boxes::{Drawn, Ink, MathBox};
use super::class::{self, Class, class};
use super::{Place, Setter};
use crate::fonts::FaceChoice;

/// An element of a row, with the classes that determine the space around it (an atom of TeX).
pub(super) struct Atom {
    pub ink: MathBox,
    /// Class for the space to the previous atom. `right` is the class for the space to the next one.
    pub left: Class,
    pub right: Class,
    /// True if the author inserted a line break before the atom.
    pub break_before: bool,
    /// True if the author inserted an alignment mark before the atom.
    pub align: bool,
    /// True for a digit. A comma between two digits is part of a number, not punctuation.
    pub digit: bool,
}

impl Atom {
    pub fn new(ink: MathBox, class: Class) -> Self {
        Self { ink, left: class, right: class, break_before: false, align: false, digit: false }
    }

    /// Creates an atom with different classes for its left and right side.
    pub fn between(ink: MathBox, left: Class, right: Class) -> Self {
        Self { right, ..Self::new(ink, left) }
    }
}

impl Setter<'_> {
    /// Lays out a row in a single box.
    pub fn row(&self, nodes: &[MathNode], place: &Place) -> MathBox {
        let atoms = self.atoms(nodes, place);
        self.joined(atoms, place)
    }

    /// Combines atoms to one box, with the space between them.
    pub fn joined(&self, mut atoms: Vec<Atom>, place: &Place) -> MathBox {
        settle(&mut atoms);
        let mut row = MathBox::default();
        let mut before = None;
        for atom in atoms {
            row.width += self.space_before(before, &atom, place);
            if atom.left != Class::Space {
                before = Some(atom.right);
            }
            row.append(atom.ink);
        }
        row
    }

    /// Returns the space before an atom in points. `before` is the class of the previous atom.
    pub fn space_before(&self, before: Option<Class>, atom: &Atom, place: &Place) -> f32 {
        let Some(before) = before else { return 0.0 };
        class::space(before, atom.left, place.style.is_script()) * self.size(place) / 18.0
    }

    /// Converts nodes to atoms.
    pub fn atoms(&self, nodes: &[MathNode], place: &Place) -> Vec<Atom> {
        let mut atoms = Vec::new();
        for node in nodes {
            match node {
                MathNode::Run(run) => self.run(run, place, &mut atoms),
                MathNode::LineBreak => {}
                _ => self.structure(node, place, &mut atoms),
            }
        }
        atoms
    }

    /// Adds the atoms of a run.
    fn run(&self, run: &MathRun, place: &Place, atoms: &mut Vec<Atom>) {
        let place = Place { run: &run.run, style: place.style, depth: place.depth };
        let first = atoms.len();
        // Letters that join their neighbours are shaped as in ordinary text.
        for (joined, piece) in pieces(&run.text) {
            if joined {
                atoms.push(Atom::new(self.shaped(piece, &place), Class::Ordinary));
            } else if run.normal_text {
                let mut text = MathBox::default();
                piece.chars().filter(|c| !is_invisible(*c)).for_each(|c| {
                    text.append(self.character(c, c, self.text_face(&run.run), &place));
                });
                atoms.push(Atom::new(text, Class::Ordinary));
            } else {
                for character in piece.chars().filter(|c| !is_invisible(*c)) {
                    atoms.push(self.math_character(character, run, &place));
                }
            }
        }
        if let Some(atom) = atoms.get_mut(first) {
            (atom.break_before, atom.align) = (run.break_before, run.align);
        }
    }

    /// Returns the atom of one character in a mathematical alphabet.
    fn math_character(&self, character: char, run: &MathRun, place: &Place) -> Atom {
        let shown = alphabet::shown(character, run);
        let class = class(shown);
        let mut ink = self.character(character, shown, self.font.choice, place);
        if class == Class::Operator {
            ink = self.large_symbol(shown, None, place);
        }
        Atom { digit: character.is_ascii_digit(), ..Atom::new(ink, class) }
    }

    /// Lays out one character. `shown` is the drawn character, `text` the one that search finds.
    pub fn character(&self, text: char, shown: char, face: FaceChoice, place: &Place) -> MathBox {
        self.font.one(text, self.font.glyph(face, shown), self.size(place), self.color(place))
    }

    /// Returns the face of ordinary text in a formula: that of the run.
    fn text_face(&self, run: &RunProperties) -> FaceChoice {
        let family = run.fonts.ascii.as_deref().or(run.fonts.high_ansi.as_deref());
        self.font.fonts.resolve(family, run.bold, run.italic).unwrap_or(self.font.choice)
    }

    /// Lays out text in a script whose letters join or are reordered.
    fn shaped(&self, text: &str, place: &Place) -> MathBox {
        let scale = self.font.scale(place.style.level);
        let run = RunProperties {
            size: place.run.size * scale,
            size_complex: place.run.size_complex * scale,
            ..RunProperties::clone(place.run)
        };
        let (runs, width) = (self.single_line)(self.context, text, &run);
        let size = self.size(place);
        let drawn = runs.into_iter().map(|run| Drawn { x: 0.0, y: 0.0, ink: Ink::Run(Box::new(run)) }).collect();
        MathBox { width, ascent: 0.8 * size, descent: 0.3 * size, drawn, ..MathBox::default() }
    }
}

/// Corrects the classes of atoms that depend on their neighbours: binary operators without an operand become signs, and
/// commas between digits become parts of a number.
pub(super) fn settle(atoms: &mut [Atom]) {
    let solid: Vec<usize> =
        (0..atoms.len()).filter(|&i| atoms.get(i).is_some_and(|a| a.left != Class::Space)).collect();
    for (place, &index) in solid.iter().enumerate() {
        let neighbour = |at: Option<usize>| at.and_then(|at| solid.get(at)).and_then(|&at| atoms.get(at));
        let before = neighbour(place.checked_sub(1));
        let after = neighbour(Some(place + 1));
        let Some(atom) = atoms.get(index) else { continue };
        let becomes = match atom.left {
            Class::Binary => {
                let joins = class::binary_after(before.map(|atom| atom.right))
                    && class::binary_before(after.map(|atom| atom.left));
                (!joins).then_some(Class::Ordinary)
            }
            Class::Punctuation => {
                let inside = before.is_some_and(|atom| atom.digit) && after.is_some_and(|atom| atom.digit);
                inside.then_some(Class::Ordinary)
            }
            _ => None,
        };
        if let (Some(class), Some(atom)) = (becomes, atoms.get_mut(index)) {
            (atom.left, atom.right) = (class, class);
        }
    }
}

/// Splits text into parts that are shaped as in ordinary text (true) and parts whose characters are laid out one by one
/// (false).
fn pieces(text: &str) -> Vec<(bool, &str)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let joined = joins(first);
        let inside = |c: char| joins(c) == joined || joined && c == ' ';
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push((joined, piece));
        rest = after;
    }
    pieces
}

/// Returns true for letters of scripts that are shaped as in ordinary text.
fn joins(character: char) -> bool {
    // Arabic mathematical letters are not joined.
    character >= '\u{590}'
        && !matches!(character, '\u{1ee00}'..='\u{1eeff}')
        && !matches!(character.script(), Script::Common | Script::Inherited | Script::Latin | Script::Greek)
}

/// Returns true for control characters and invisible operators (function application, times, separator, plus).
fn is_invisible(character: char) -> bool {
    character.is_control() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}
