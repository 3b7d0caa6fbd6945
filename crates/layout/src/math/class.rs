//! Classes of the elements of a formula, and the space between two elements. The rules are those of TeX, which Word also
//! follows.

/// The class of an atom, as in TeX. It determines the space between adjacent atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomClass {
    Ordinary,
    /// A large operator or a function name.
    Operator,
    Binary,
    Relation,
    Open,
    Close,
    Punctuation,
    /// A space that the author typed. It is as wide as its character. The atoms before and after it are spaced as if they were
    /// adjacent.
    Space,
}

use AtomClass::{Binary, Close, Open, Operator, Ordinary, Punctuation, Relation, Space};

/// Returns the class of a character, based on Unicode's classes (UTR #25) for the characters used in formulas.
pub(super) fn class_of(character: char) -> AtomClass {
    match character {
        ' ' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Space,
        '(' | '[' | '{' | '⌈' | '⌊' | '⟦' | '⟨' | '⟪' | '⟬' | '⟮' | '⦃' | '⦅' | '⦇' | '⦉' => Open,
        ')' | ']' | '}' | '⌉' | '⌋' | '⟧' | '⟩' | '⟫' | '⟭' | '⟯' | '⦄' | '⦆' | '⦈' | '⦊' | '!' => {
            Close
        }
        ',' | ';' => Punctuation,
        '+' | '−' | '±' | '×' | '÷' | '·' | '∗' | '†' | '‡' | '•' => Binary,
        '∑' | '∏' | '∐' | '∫'..='∳' | '⋀'..='⋃' | '⨀'..='⨡' => Operator,
        '∓'..='∔' | '∖'..='∙' | '∧'..='∪' | '∸' | '∾' | '≀' | '⊌'..='⊎' | '⊓'..='⊡' | '⊺'..='⊽' => {
            Binary
        }
        '⋄'..='⋇' | '⋉'..='⋌' | '⋎' | '⋏' | '⋒' | '⋓' | '⨢'..='⩣' => Binary,
        '=' | '<' | '>' | ':' | '∈'..='∍' | '∝' | '∣'..='∦' | '∴'..='∷' | '∹'..='∽' | '∿' => {
            Relation
        }
        '≁'..='⊋' | '⊏'..='⊒' | '⊢'..='⊹' | '⋈' | '⋍' | '⋐' | '⋑' | '⋔'..='⋭' => Relation,
        '←'..='⇿' | '⟰'..='⟿' | '⤀'..='⥿' | '⩤'..='⫻' | '⋲'..='⋿' => Relation,
        _ => Ordinary,
    }
}

/// Returns true if a binary operator stays binary after an atom of the class `before`. An operator without a left operand is a
/// sign (the minus of −1) and becomes ordinary. `None` means that no atom is before the operator.
pub(super) fn stays_binary_after(before: Option<AtomClass>) -> bool {
    !matches!(before, None | Some(Operator | Binary | Relation | Open | Punctuation))
}

/// Returns true if a binary operator stays binary before an atom of the class `after`. An operator without a right operand
/// becomes ordinary. `None` means that no atom is after the operator.
pub(super) fn stays_binary_before(after: Option<AtomClass>) -> bool {
    !matches!(after, None | Some(Relation | Close | Punctuation))
}

/// Returns the space between two adjacent atoms in units of 1/18 em. `script` is true in subscripts and superscripts, where
/// most spaces are omitted.
pub(super) fn space_between(before: AtomClass, after: AtomClass, script: bool) -> f32 {
    const THIN: f32 = 3.0;
    const MEDIUM: f32 = 4.0;
    const THICK: f32 = 5.0;
    let (width, also_in_scripts) = match (before, after) {
        (Space, _) | (_, Space) => (0.0, true),
        (Relation, Relation) | (Relation, Close | Punctuation) | (Open, Relation) => (0.0, true),
        (Relation, _) | (_, Relation) => (THICK, false),
        (Open, _) | (Binary, Close | Punctuation) => (0.0, true),
        (Binary, _) | (_, Binary) => (MEDIUM, false),
        (Punctuation, _) => (THIN, false),
        (Ordinary | Operator | Close, Operator) => (THIN, true),
        (Operator, Ordinary) => (THIN, true),
        _ => (0.0, true),
    };
    if script && !also_in_scripts { 0.0 } else { width }
}
