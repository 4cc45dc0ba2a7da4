//! Names in a batch: valid and unique.

use apollo_compiler::collections::HashMap;

/// Returns a name for a step's fields: `issue.view`, 3 → `issue_view_3`.
///
/// Different indexes never give the same name.
pub fn alias(id: &str, index: usize) -> String {
    let word = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    let name: String = id.chars().map(word).collect();
    let name = format!("{name}_{index}");
    let rest = name.trim_start_matches('_');
    // GraphQL reserves names with two leading underscores, and no name starts with a digit.
    if rest.len() == name.len() && !name.starts_with(|first: char| first.is_ascii_digit()) {
        name
    } else {
        format!("_{rest}")
    }
}

/// The names that are used in a batch, for fields, variables and fragments alike, so that every
/// name in its text means one thing.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Each name with the number to try for the next similar one.
    taken: HashMap<String, usize>,
}

impl Names {
    /// Reserves a name. Returns false if it is in use.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        if self.taken.contains_key(name) {
            return false;
        }
        self.taken.insert(name.to_owned(), 2);
        true
    }

    /// Reserves this name, or else the first free one of `name_2`, `name_3` …
    pub(crate) fn unique(&mut self, name: String) -> String {
        let Some(next) = self.taken.get(&name) else {
            self.taken.insert(name.clone(), 2);
            return name;
        };
        let mut number = *next;
        loop {
            let free = format!("{name}_{number}");
            number += 1;
            if self.take(&free) {
                self.taken.insert(name, number);
                return free;
            }
        }
    }
}
