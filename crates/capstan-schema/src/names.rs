//! Names, each once, in the order in which they come.

use std::collections::HashSet;

/// Up to so many names are compared one by one, which is quicker.
const FEW: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    list: Vec<&'a str>,
    /// The same names, once there are many.
    seen: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    pub(crate) fn add(&mut self, name: &'a str) {
        if self.list.len() < FEW {
            if !self.list.contains(&name) {
                self.list.push(name);
            }
            return;
        }
        if self.seen.is_empty() {
            self.seen.extend(self.list.iter().copied());
        }
        if self.seen.insert(name) {
            self.list.push(name);
        }
    }

    pub(crate) fn into_vec(self) -> Vec<&'a str> {
        self.list
    }
}
