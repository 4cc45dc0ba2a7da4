//! Ids and other names, found in any spelling.

use std::collections::BTreeMap;
use std::ops::Bound;

/// The kind of a document's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Name {
    Id,
    Other,
}

/// Normalized names, sorted, with the documents that have them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(BTreeMap<Box<str>, Vec<(u32, Name)>>);

impl Names {
    pub(crate) fn add(&mut self, name: &str, document: u32, which: Name) {
        let all = self.0.entry(normalized(name).into()).or_default();
        if !all.contains(&(document, which)) {
            all.push((document, which));
        }
    }

    pub(crate) fn remove(&mut self, name: &str, document: u32) {
        let normalized = normalized(name);
        if let Some(all) = self.0.get_mut(normalized.as_str()) {
            all.retain(|(other, _)| *other != document);
            if all.is_empty() {
                self.0.remove(normalized.as_str());
            }
        }
    }

    pub(crate) fn called(&self, normalized: &str) -> &[(u32, Name)] {
        self.0.get(normalized).map_or(&[], Vec::as_slice)
    }

    /// Returns the documents whose ids begin with the text, in the order of their ids.
    pub(crate) fn beginning<'a>(&'a self, with: &'a str) -> impl Iterator<Item = u32> + 'a {
        let from = (Bound::Included(with), Bound::Unbounded);
        let all = self.0.range::<str, _>(from);
        all.take_while(move |(name, _)| name.starts_with(with))
            .flat_map(|(_, all)| all)
            .filter(|(_, which)| *which == Name::Id)
            .map(|(document, _)| *document)
    }
}

/// Returns a name without case and separators, or the trimmed name if nothing else is left.
pub(crate) fn normalized(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let normalized: String = letters.flat_map(char::to_lowercase).collect();
    if normalized.is_empty() {
        name.trim().to_owned()
    } else {
        normalized
    }
}
