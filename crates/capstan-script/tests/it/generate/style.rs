//! The ways in which one program can be written.

/// What may differ between two texts of the same program.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) naming: Naming,
    /// What white space and which comments stand where; nothing is one space everywhere.
    pub(crate) layout: Vec<u8>,
    pub(crate) single_quotes: bool,
    pub(crate) escapes: bool,
    pub(crate) types: bool,
    pub(crate) parentheses: bool,
    pub(crate) semicolons: bool,
    /// `let` where `const` would do.
    pub(crate) only_let: bool,
    pub(crate) shorthand: bool,
    /// `a["b"]` instead of `a.b`.
    pub(crate) brackets: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Every binding has a name of its own.
    Numbered,
    /// A name is used again when it cannot be seen any more.
    Levels,
    /// A name is used again as soon as that changes nothing, those of unused globals too.
    Shadowing,
    Odd,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            naming: Naming::Numbered,
            layout: Vec::new(),
            single_quotes: false,
            escapes: false,
            types: false,
            parentheses: false,
            semicolons: true,
            only_let: false,
            shorthand: false,
            brackets: false,
        }
    }
}
