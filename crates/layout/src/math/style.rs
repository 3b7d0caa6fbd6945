//! The four sizes a formula is set in, and how its parts step from one to the next.

/// As in TeX and the OpenType MATH table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// A formula in a line of its own.
    Display,
    Text,
    Script,
    ScriptScript,
}

/// A size, and whether superscripts are kept low: under a bar or a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    pub level: Level,
    pub cramped: bool,
}

impl Style {
    pub fn of_formula(display: bool) -> Self {
        Self { level: if display { Level::Display } else { Level::Text }, cramped: false }
    }

    pub fn is_display(self) -> bool {
        self.level == Level::Display
    }

    pub fn is_script(self) -> bool {
        matches!(self.level, Level::Script | Level::ScriptScript)
    }

    pub fn cramped(self) -> Self {
        Self { cramped: true, ..self }
    }

    pub fn superscript(self) -> Self {
        let level = match self.level {
            Level::Display | Level::Text => Level::Script,
            Level::Script | Level::ScriptScript => Level::ScriptScript,
        };
        Self { level, ..self }
    }

    pub fn subscript(self) -> Self {
        self.superscript().cramped()
    }

    pub fn numerator(self) -> Self {
        let level = match self.level {
            Level::Display => Level::Text,
            Level::Text => Level::Script,
            Level::Script | Level::ScriptScript => Level::ScriptScript,
        };
        Self { level, ..self }
    }

    pub fn denominator(self) -> Self {
        self.numerator().cramped()
    }

    /// Of a cell of a matrix or an array.
    pub fn cell(self) -> Self {
        if self.is_display() { Self { level: Level::Text, ..self } } else { self }
    }

    /// Of a radical's degree.
    pub fn degree(self) -> Self {
        Self { level: Level::ScriptScript, cramped: true }
    }
}
