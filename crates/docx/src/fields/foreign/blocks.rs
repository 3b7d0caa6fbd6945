//! The loops and conditions of docxtpl, and the names of fields in loops.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use waraq_rules::{ENTRY_COLUMN, name};

use super::docxtemplater::braced;
use super::jinja::{Expression, Statement, expression_of, statement_of};
use super::lexer::{Braces, Token, Tokens};
use crate::fields::text_parts::ScannedPart;

/// The maximum number of blocks inside each other. A part with more is not converted; Waraq allows four levels.
const MAX_DEPTH: usize = 32;

/// The statements that open the branches of a block, each with the index of its token.
type Branches<'t> = Vec<(usize, Statement<'t>)>;

/// A loop or condition.
#[derive(Debug)]
struct Block<'t> {
    /// The variable of a loop. `None`: the block is a condition.
    variable: Option<&'t str>,
    /// The statements that open the branches: `for`, `if`, `elif` and `else`, each with the index of its token.
    branches: Branches<'t>,
    /// The index of the token that ends the block.
    close: usize,
    /// The bytes from the start of the first to the end of the last statement.
    range: Range<usize>,
    /// The innermost block around this one.
    parent: Option<usize>,
    depth: usize,
    /// The block becomes a section.
    is_convertible: bool,
    /// The columns of a loop that are used, by their path after the variable, with their names in Waraq.
    columns: BTreeMap<String, String>,
    /// The names in `columns`.
    names: BTreeSet<String>,
}

/// The blocks of one part, in the order of their bytes.
#[derive(Debug, Default)]
pub(super) struct Blocks<'t> {
    blocks: Vec<Block<'t>>,
    /// Every statement belongs to a block.
    is_balanced: bool,
    /// The replacement of each statement that has one, by the index of its token.
    pub replacements: HashMap<usize, String>,
}

/// The meaning of a path in Waraq's language.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// The name of a field or column.
    Known(String),
    /// The entry of the innermost list, `{{.}}`.
    Entry,
    /// The path has no equivalent.
    Unknown,
}

/// Finds the loops and conditions of a part. A block begins and ends in the same text container.
pub(super) fn find_blocks<'t>(part: &ScannedPart<'_>, tokens: &'t [Token]) -> Blocks<'t> {
    // The open blocks of each text container: `true` for a loop, and the branches so far.
    let mut stacks: HashMap<usize, Vec<(bool, Branches<'t>)>> = HashMap::new();
    let mut found = Blocks { is_balanced: true, ..Blocks::default() };
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.braces == Braces::Statement) {
        let story = part.scan.paragraphs.get(token.paragraph).map_or(0, |paragraph| paragraph.container.story);
        let stack = stacks.entry(story).or_default();
        let Some(statement) = statement_of(&token.inner) else { continue };
        match statement {
            Statement::For { .. } | Statement::OtherFor => stack.push((true, vec![(at, statement)])),
            Statement::If { .. } | Statement::OtherIf => stack.push((false, vec![(at, statement)])),
            Statement::Else | Statement::ElseIf { .. } | Statement::OtherElseIf => match stack.last_mut() {
                Some((_, branches)) => branches.push((at, statement)),
                None => found.is_balanced = false,
            },
            Statement::EndFor | Statement::EndIf => match stack.pop() {
                Some((is_loop, branches)) if is_loop == (statement == Statement::EndFor) => {
                    found.blocks.extend(block_of(tokens, branches, at));
                }
                _ => found.is_balanced = false,
            },
            Statement::Other => {}
        }
    }
    found.is_balanced &= stacks.into_values().all(|stack| stack.is_empty());
    found.blocks.sort_by_key(|block| block.range.start);
    set_parents(&mut found.blocks);
    found.is_balanced &= found.blocks.iter().all(|block| block.depth < MAX_DEPTH);
    found
}

fn block_of<'t>(tokens: &[Token], branches: Branches<'t>, close: usize) -> Option<Block<'t>> {
    let (open, statement) = *branches.first()?;
    let range = tokens.get(open)?.bytes.start..tokens.get(close)?.bytes.end;
    let variable = if let Statement::For { variable, .. } = statement { Some(variable) } else { None };
    let mut is_convertible = branches
        .iter()
        .map(|(at, _)| at)
        .chain([&close])
        .all(|&at| tokens.get(at).is_some_and(|token| token.is_replaceable));
    for (at, (_, branch)) in branches.iter().enumerate() {
        is_convertible &= match branch {
            Statement::For { .. } | Statement::If { .. } => at == 0,
            Statement::ElseIf { .. } => variable.is_none() && at > 0,
            // Nothing can follow `else`.
            Statement::Else => at > 0 && at + 1 == branches.len(),
            _ => false,
        };
    }
    let (columns, names) = (BTreeMap::new(), BTreeSet::new());
    Some(Block { variable, branches, close, range, parent: None, depth: 0, is_convertible, columns, names })
}

fn set_parents(blocks: &mut [Block<'_>]) {
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, block) in blocks.iter_mut().enumerate() {
        while open.last().is_some_and(|(_, end)| *end <= block.range.start) {
            open.pop();
        }
        block.parent = open.last().map(|(parent, _)| *parent);
        block.depth = open.len();
        open.push((at, block.range.end));
    }
}

/// The innermost block around a position that moves forward.
pub(super) struct Scopes<'b, 't> {
    blocks: &'b [Block<'t>],
    next: usize,
    current: Option<usize>,
}

impl Scopes<'_, '_> {
    /// Moves to a byte offset, and returns the innermost block around it.
    pub(super) fn enter(&mut self, at: usize) -> Option<usize> {
        loop {
            if let Some(current) = self.current
                && let Some(block) = self.blocks.get(current)
                && block.range.end <= at
            {
                self.current = block.parent;
            } else if self.blocks.get(self.next).is_some_and(|block| block.range.start < at) {
                self.current = Some(self.next);
                self.next += 1;
            } else {
                return self.current;
            }
        }
    }
}

/// A path, resolved in the blocks around it.
enum Resolved {
    /// A field outside loops.
    Root(String),
    /// A column of the loop with this index.
    Column {
        block: usize,
        column: String,
    },
    /// The variable of the innermost loop.
    Entry,
    Unknown,
}

impl<'t> Blocks<'t> {
    pub(super) fn scopes(&self) -> Scopes<'_, 't> {
        Scopes { blocks: &self.blocks, next: 0, current: None }
    }

    /// Returns the block and the blocks around it, from the inside to the outside.
    fn chain(&self, inner: Option<usize>) -> impl Iterator<Item = (usize, &Block<'t>)> {
        let next = |&at: &usize| self.blocks.get(at)?.parent.filter(|&parent| parent < at);
        std::iter::successors(inner, next).take(MAX_DEPTH).filter_map(|at| Some((at, self.blocks.get(at)?)))
    }

    fn resolve(&self, path: &str, scope: Option<usize>) -> Resolved {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        // `loop` has the number of the entry.
        if first == "loop" && !rest.is_empty() {
            return Resolved::Unknown;
        }
        let mut is_innermost = true;
        for (at, block) in self.chain(scope) {
            is_innermost &= !matches!(block.branches.first(), Some((_, Statement::OtherFor)));
            let Some(variable) = block.variable else { continue };
            if variable == first {
                return match rest {
                    _ if !block.is_convertible => Resolved::Unknown,
                    "" if is_innermost => Resolved::Entry,
                    "" => Resolved::Unknown,
                    rest => Resolved::Column { block: at, column: rest.to_owned() },
                };
            }
            is_innermost = false;
        }
        Resolved::Root(path.to_owned())
    }

    /// Returns the name of a path in the block `scope`.
    pub(super) fn name_of(&self, path: &str, scope: Option<usize>) -> Name {
        let name = match self.resolve(path, scope) {
            Resolved::Root(name) => name,
            Resolved::Column { block, column } => {
                let named = self.blocks.get(block).and_then(|block| block.columns.get(&column));
                named.cloned().unwrap_or(column)
            }
            Resolved::Entry => return Name::Entry,
            Resolved::Unknown => return Name::Unknown,
        };
        if name::is_valid(&name) { Name::Known(name) } else { Name::Unknown }
    }

    /// Returns the paths that a block uses for itself, in the block around it.
    fn own_paths(&self, block: usize) -> Vec<&'t str> {
        let statements = self.blocks.get(block).map_or(&[][..], |block| &block.branches);
        let path = |(_, statement): &(usize, Statement<'t>)| match *statement {
            Statement::For { list, .. } => Some(list),
            Statement::If { condition, .. } | Statement::ElseIf { condition, .. } => Some(condition),
            _ => None,
        };
        statements.iter().filter_map(path).collect()
    }

    /// Writes the replacements of the statements of a block.
    fn replace(&mut self, block: usize) {
        let Some(one) = self.blocks.get(block).filter(|one| one.is_convertible) else { return };
        let mut replacements: Vec<(usize, String)> = Vec::new();
        // The names of the sections that are open, from the outside to the inside.
        let mut open: Vec<(String, bool)> = Vec::new();
        for (at, statement) in &one.branches {
            let mut text = String::new();
            if let Some((name, negated)) = open.pop() {
                text += &format!("{{{{/{name}}}}}{{{{{}{name}}}}}", if negated { '#' } else { '^' });
                open.push((name, !negated));
            }
            let opened = match *statement {
                Statement::For { list, .. } => Some((list, false)),
                Statement::If { condition, negated } | Statement::ElseIf { condition, negated } => {
                    Some((condition, negated))
                }
                _ => None,
            };
            if let Some((path, negated)) = opened {
                let Name::Known(name) = self.name_of(path, one.parent) else { return };
                let Some(tag) = braced(if negated { "^" } else { "#" }, &name) else { return };
                text += &tag;
                open.push((name, negated));
            }
            replacements.push((*at, text));
        }
        let closing = open.iter().rev().map(|(name, _)| format!("{{{{/{name}}}}}")).collect();
        replacements.push((one.close, closing));
        self.replacements.extend(replacements);
    }
}

/// Decides which blocks become sections, and names the columns of all loops.
///
/// A column `i.name` gets the name `name`. If a level around the list has a field of that name, the column keeps the name
/// `i.name`, because Waraq would take both for the same field.
pub(super) fn name_fields(all: &mut [Blocks<'_>], tokens: &[Tokens]) {
    let mut root: BTreeSet<String> = BTreeSet::new();
    for (blocks, tokens) in all.iter_mut().zip(tokens) {
        let is_balanced = blocks.is_balanced;
        for at in 0..blocks.blocks.len() {
            // A section whose name is not known stays, so the names in it have no equivalent either.
            let parent = blocks.blocks.get(at).and_then(|block| block.parent);
            let is_named = |path: &&str| {
                matches!(blocks.resolve(path, parent), Resolved::Root(_) | Resolved::Column { .. })
                    && name::is_valid(path)
                    && **path != *ENTRY_COLUMN
            };
            let is_convertible = is_balanced && blocks.own_paths(at).iter().all(is_named);
            if let Some(block) = blocks.blocks.get_mut(at) {
                block.is_convertible &= is_convertible;
            }
        }
        let mut used: Vec<(usize, String)> = Vec::new();
        let mut collect = |resolved: Resolved| match resolved {
            Resolved::Root(name) => {
                root.insert(name);
            }
            Resolved::Column { block, column } => used.push((block, column)),
            Resolved::Entry | Resolved::Unknown => {}
        };
        for (at, block) in blocks.blocks.iter().enumerate() {
            blocks.own_paths(at).iter().for_each(|path| collect(blocks.resolve(path, block.parent)));
        }
        let mut scopes = blocks.scopes();
        for token in tokens.tokens.iter().filter(|token| token.braces == Braces::Double) {
            let scope = scopes.enter(token.bytes.start);
            if let Expression::Path { path, .. } = expression_of(&token.inner) {
                collect(blocks.resolve(path, scope));
            }
        }
        for (block, column) in used {
            if let Some(block) = blocks.blocks.get_mut(block) {
                block.columns.insert(column.clone(), column);
            }
        }
    }
    for blocks in all {
        // A block comes after the blocks around it, so their columns have names already.
        for at in 0..blocks.blocks.len() {
            let parent = blocks.blocks.get(at).and_then(|block| block.parent);
            let is_taken = |name: &String| {
                root.contains(name) || blocks.chain(parent).any(|(_, outer)| outer.names.contains(name))
            };
            let Some(block) = blocks.blocks.get(at) else { continue };
            let Some(variable) = block.variable else { continue };
            let name = |column: &String| if is_taken(column) { format!("{variable}.{column}") } else { column.clone() };
            let columns: BTreeMap<_, _> = block.columns.keys().map(|column| (column.clone(), name(column))).collect();
            if let Some(block) = blocks.blocks.get_mut(at) {
                block.names = columns.values().cloned().collect();
                block.columns = columns;
            }
        }
        for at in 0..blocks.blocks.len() {
            blocks.replace(at);
        }
    }
}
