//! A set of names in insertion order.

use std::collections::HashSet;

/// Up to this number, comparing names one by one is faster.
const FEW: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    list: Vec<&'a str>,
    /// A set of the same names, filled only if there are more than a few.
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
