//! The types of the values that an expression can read.

use std::collections::BTreeMap;

use crate::ty::Ty;

/// The types of the values that an expression can read.
#[derive(Clone, Debug)]
pub(crate) struct TypeScope {
    pub this: Ty,
    pub names: BTreeMap<String, Ty>,
}

impl TypeScope {
    pub(crate) fn new(this: Ty) -> Self {
        Self {
            this,
            names: BTreeMap::new(),
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, ty: Ty) -> Self {
        self.names.insert(name.to_owned(), ty);
        self
    }

    /// Returns a scope with the same names and another current value.
    pub(crate) fn with_this(&self, this: Ty) -> Self {
        Self {
            this,
            names: self.names.clone(),
        }
    }
}
