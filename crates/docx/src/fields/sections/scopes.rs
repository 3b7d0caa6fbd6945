//! The rows in which the names of fields are looked up.

use waraq_rules::{Row, Value, Values};

/// A row of a list that is printed. The scope with index 0 is the document itself, with the fields outside lists.
#[derive(Debug, Clone, Default)]
pub(in crate::fields) struct Scope {
    /// The scope around this one in the document.
    pub around: usize,
    /// The scope whose values contain the list.
    pub owner: usize,
    /// The name of the list.
    pub list: String,
    /// The number of the row, from 0.
    pub row: usize,
    /// The text before the names of the columns in errors and in the expanded document, such as `items[3].`.
    pub prefix: String,
}

/// The scopes of an expanded template, with the values of their rows.
pub(in crate::fields) struct Scopes<'v> {
    values: &'v Values,
    all: Vec<Scope>,
    /// The row of each scope. `None` for the scope 0.
    rows: Vec<Option<&'v Row>>,
}

impl<'v> Scopes<'v> {
    /// Creates the scopes of a document of which nothing is printed yet.
    pub(super) fn new(values: &'v Values) -> Self {
        Self { values, all: vec![Scope::default()], rows: vec![None] }
    }

    /// Creates the scopes of a template that is expanded already, with other values. The lists in `values` must have as many
    /// rows as those with which the template was expanded.
    pub(in crate::fields) fn with_values(all: &[Scope], values: &'v Values) -> Self {
        let mut scopes = Self::new(values);
        for scope in all.iter().skip(1) {
            let list = scopes.value_in(scope.owner, &scope.list);
            let row = match list {
                Some(Value::List(rows)) => rows.get(scope.row),
                _ => None,
            };
            scopes.rows.push(row);
        }
        scopes.all = all.to_vec();
        scopes
    }

    pub(super) fn into_scopes(self) -> Vec<Scope> {
        self.all
    }

    pub(super) fn get(&self, scope: usize) -> Option<&Scope> {
        self.all.get(scope)
    }

    /// Adds the row of a list that is printed in the scope `around`. `owner` is the scope whose values contain the list.
    pub(super) fn add_row(&mut self, around: usize, owner: usize, list: &str, number: usize, row: &'v Row) -> usize {
        let before = self.all.get(owner).map_or("", |owner| owner.prefix.as_str());
        let prefix = format!("{before}{list}[{number}].");
        self.all.push(Scope { around, owner, list: list.to_owned(), row: number, prefix });
        self.rows.push(Some(row));
        self.all.len() - 1
    }

    /// Returns the value of a name that is used in `scope`, and the scope that contains the value: the row itself or the
    /// nearest row around it, else the scope 0.
    pub(super) fn value(&self, scope: usize, name: &str) -> Option<(usize, &'v Value)> {
        let owner = self.owner(scope, name);
        Some((owner, self.value_in(owner, name)?))
    }

    /// Returns the scope that contains the value of a name that is used in `scope`.
    pub(super) fn owner(&self, scope: usize, name: &str) -> usize {
        let mut at = scope;
        while at > 0 {
            if self.rows.get(at).copied().flatten().is_some_and(|row| row.contains_key(name)) {
                return at;
            }
            // A scope is added after the scopes around it.
            at = self.all.get(at).map_or(0, |scope| scope.around.min(at - 1));
        }
        0
    }

    /// Returns the value of a name in exactly this scope.
    pub(in crate::fields) fn value_in(&self, scope: usize, name: &str) -> Option<&'v Value> {
        match self.rows.get(scope).copied().flatten() {
            Some(row) => row.get(name),
            None if scope == 0 => self.values.value(name),
            None => None,
        }
    }
}
