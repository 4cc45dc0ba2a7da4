//! Finds documents that the query names.

use super::hit::Exact;
use crate::Index;
use crate::index::{Name, normalized};

/// How a document is named, and how closely; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NameMatch {
    closeness: Closeness,
    pub(crate) by: Exact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    Same,
    OtherCase,
    OtherSeparators,
    Begun,
}

/// How many ids that begin with the query are listed first.
const MAX_BEGINNINGS: usize = 32;

/// The separators between the parts of a name.
const SEPARATORS: [char; 5] = ['.', '/', '_', ':', '-'];

/// The quotes that people put around a name.
const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '«', '»'];

/// Returns the documents that have the query as a name, and those whose id begins with it if it
/// looks like an id.
pub(crate) fn named(index: &Index, text: &str) -> Vec<(u32, NameMatch)> {
    let bare = text.trim();
    let unquoted = without_quotes(bare);
    let inner = bare.trim_matches(|c: char| QUOTES.contains(&c) || c.is_whitespace());
    let mut all = Vec::new();
    for name in [bare, unquoted, inner] {
        if name.is_empty() {
            continue;
        }
        for &(document, which) in index.names.called(&normalized(name)) {
            all.push((document, closest(index, document, which, name)));
        }
    }
    let is_begun = inner.contains(SEPARATORS) && !inner.contains(char::is_whitespace);
    if is_begun && inner.chars().any(char::is_alphanumeric) {
        let (wanted, with) = (separated(inner), normalized(inner));
        let begun = index.names.beginning(&with).filter(|&it| {
            let id = index.entries.get(it).map(|it| separated(&it.key));
            id.is_some_and(|id| id.starts_with(&wanted))
        });
        let named = NameMatch {
            closeness: Closeness::Begun,
            by: Exact::Beginning,
        };
        all.extend(begun.take(MAX_BEGINNINGS).map(|it| (it, named)));
    }
    all.sort_unstable();
    all.dedup_by_key(|(document, _)| *document);
    all
}

impl Index {
    /// Returns the documents that a text names among other words, in the order of the text. Only
    /// distinctive names count: those with a separator inside, such as `pr.view` or
    /// `nightly-sweep`.
    pub fn mentioned(&self, text: &str) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for word in text.split_whitespace() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            if !word.contains(SEPARATORS) {
                continue;
            }
            for &(document, which) in self.names.called(&normalized(word)) {
                if closest(self, document, which, word).closeness > Closeness::OtherCase {
                    continue;
                }
                let key = self.entries.get(document).map(|it| &*it.key);
                all.extend(key.filter(|key| !all.contains(key)));
            }
        }
        all
    }
}

fn closest(index: &Index, document: u32, which: Name, name: &str) -> NameMatch {
    let entry = index.entries.get(document);
    let (by, names): (_, Vec<&str>) = match which {
        Name::Id => (Exact::Id, entry.iter().map(|it| &*it.key).collect()),
        Name::Other => {
            let names = entry.iter().flat_map(|it| it.names.iter().map(|it| &**it));
            (Exact::Name, names.collect())
        }
    };
    let closeness = if names.contains(&name) {
        Closeness::Same
    } else if names
        .iter()
        .any(|it| it.to_lowercase() == name.to_lowercase())
    {
        Closeness::OtherCase
    } else {
        Closeness::OtherSeparators
    };
    NameMatch { closeness, by }
}

/// Returns a name in lower case, with dots for all separators.
fn separated(name: &str) -> String {
    let dotted = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '.' });
    dotted.flat_map(char::to_lowercase).collect()
}

/// Returns the text without one quote at each end.
fn without_quotes(text: &str) -> &str {
    let inner = text.strip_prefix(QUOTES);
    let inner = inner.and_then(|it| it.strip_suffix(QUOTES));
    inner.map_or(text, str::trim)
}
