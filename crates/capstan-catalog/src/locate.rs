//! Finds the place of a JSON pointer in a YAML text. It runs only after an error, so reading a
//! valid card costs nothing extra.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};

use capstan_core::{Position, Source, Span};

use crate::raw::SYNONYMS;

/// Returns the span of the value at `pointer`, or of its deepest existing parent. Synonyms of keys
/// match too.
pub fn locate(source: &Source, pointer: &str, offset: Option<usize>) -> Option<Span> {
    let tree: Spanned<LocationTree> = crate::load::parse_yaml(&source.text).ok()?;
    let mut node = &tree;
    let mut found_all = true;
    for segment in pointer.split('/').filter(|segment| !segment.is_empty()) {
        let child = match &node.value {
            LocationTree::Map(entries) => entries
                .iter()
                .find(|(key, _)| key == segment || is_synonym(key, segment))
                .map(|(_, node)| node),
            LocationTree::Sequence(items) => segment
                .parse::<usize>()
                .ok()
                .and_then(|index| items.get(index)),
            LocationTree::Leaf => None,
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

/// The parts of a document that are needed to walk through it.
enum LocationTree {
    Map(Vec<(String, Spanned<LocationTree>)>),
    Sequence(Vec<Spanned<LocationTree>>),
    Leaf,
}

impl<'de> Deserialize<'de> for LocationTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LocationTreeVisitor)
    }
}

struct LocationTreeVisitor;

impl<'de> Visitor<'de> for LocationTreeVisitor {
    type Value = LocationTree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LocationTree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(LocationTree::Map(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<LocationTree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(LocationTree::Sequence(items))
    }

    fn visit_bool<E>(self, _: bool) -> Result<LocationTree, E> {
        Ok(LocationTree::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<LocationTree, E> {
        Ok(LocationTree::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<LocationTree, E> {
        Ok(LocationTree::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<LocationTree, E> {
        Ok(LocationTree::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<LocationTree, E> {
        Ok(LocationTree::Leaf)
    }

    fn visit_unit<E>(self) -> Result<LocationTree, E> {
        Ok(LocationTree::Leaf)
    }

    fn visit_none<E>(self) -> Result<LocationTree, E> {
        Ok(LocationTree::Leaf)
    }
}
