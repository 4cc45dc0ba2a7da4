//! Finds where in a YAML text a JSON pointer points. Only used once something is wrong, so that
//! reading a good card costs nothing for it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};

use capstan_core::{Position, Source, Span};

use crate::raw::SYNONYMS;

/// The span of the value at `pointer`, or of the deepest parent that exists. Keys are found by
/// their synonyms, too.
pub fn locate(source: &Source, pointer: &str, offset: Option<usize>) -> Option<Span> {
    let tree: Spanned<Tree> = crate::load::parse_yaml(&source.text).ok()?;
    let mut node = &tree;
    let mut found_all = true;
    for segment in pointer.split('/').filter(|segment| !segment.is_empty()) {
        let child = match &node.value {
            Tree::Map(entries) => entries
                .iter()
                .find(|(key, _)| key == segment || is_synonym(key, segment))
                .map(|(_, node)| node),
            Tree::Sequence(items) => segment
                .parse::<usize>()
                .ok()
                .and_then(|index| items.get(index)),
            Tree::Leaf => None,
        };
        match child {
            Some(child) => node = child,
            None => {
                found_all = false;
                break;
            }
        }
    }
    let start = start_of(source, node.referenced)?;
    let start = match offset {
        Some(offset) if found_all => {
            let quoted = source.text[start..].starts_with(['"', '\'']);
            start + usize::from(quoted) + offset
        }
        _ => start,
    };
    let start = (0..=start.min(source.text.len()))
        .rev()
        .find(|at| source.text.is_char_boundary(*at))?;
    let rest = source.text[start..].lines().next().unwrap_or_default();
    Some(Span {
        start,
        end: start + rest.trim_end().len().max(1),
    })
}

fn is_synonym(written: &str, key: &str) -> bool {
    SYNONYMS.contains(&(key, written))
}

pub(crate) fn start_of(source: &Source, location: Location) -> Option<usize> {
    let line = usize::try_from(location.line())
        .ok()
        .filter(|line| *line > 0)?;
    let column = usize::try_from(location.column()).ok()?.max(1);
    Some(source.offset(Position { line, column }))
}

/// Just enough of a document to walk through it.
enum Tree {
    Map(Vec<(String, Spanned<Tree>)>),
    Sequence(Vec<Spanned<Tree>>),
    Leaf,
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Map(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Tree::Sequence(items))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Tree, E> {
        Ok(Tree::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Tree, E> {
        Ok(Tree::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Tree, E> {
        Ok(Tree::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Tree, E> {
        Ok(Tree::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<Tree, E> {
        Ok(Tree::Leaf)
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Leaf)
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::Leaf)
    }
}
