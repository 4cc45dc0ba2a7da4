//! Ids and other names, found however they are written.

use std::collections::BTreeMap;
use std::ops::Bound;

/// Which of a document's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Name {
    Id,
    Other,
}

/// Names in their loose form, sorted, with what has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(BTreeMap<Box<str>, Vec<(u32, Name)>>);

impl Names {
    pub(crate) fn add(&mut self, name: &str, document: u32, which: Name) {
        let all = self.0.entry(loose(name).into()).or_default();
        if !all.contains(&(document, which)) {
            all.push((document, which));
        }
    }

    pub(crate) fn remove(&mut self, name: &str, document: u32) {
        let loose = loose(name);
        if let Some(all) = self.0.get_mut(loose.as_str()) {
            all.retain(|(other, _)| *other != document);
            if all.is_empty() {
                self.0.remove(loose.as_str());
            }
        }
    }

    pub(crate) fn called(&self, loose: &str) -> &[(u32, Name)] {
        self.0.get(loose).map_or(&[], Vec::as_slice)
    }

    /// Ids that begin so, in their order.
    pub(crate) fn beginning<'a>(&'a self, with: &'a str) -> impl Iterator<Item = u32> + 'a {
        let from = (Bound::Included(with), Bound::Unbounded);
        let all = self.0.range::<str, _>(from);
        all.take_while(move |(name, _)| name.starts_with(with))
            .flat_map(|(_, all)| all)
            .filter(|(_, which)| *which == Name::Id)
            .map(|(document, _)| *document)
    }
}

/// A name without case and separators; as it is if it has nothing else.
pub(crate) fn loose(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let loose: String = letters.flat_map(char::to_lowercase).collect();
    if loose.is_empty() {
        name.trim().to_owned()
    } else {
        loose
    }
}
